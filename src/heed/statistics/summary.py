"""Everything that can be said about a file of judgments, as one plain object: what `heed stats` shows.

A number that has no answer is null and a remark says why; the rest is still computed.
"""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.aggregation import dawid_skene
from heed.statistics.agreement import krippendorff_alpha, pairwise_kappa, percent_agreement, pooled_kappa
from heed.statistics.files import Loaded, load
from heed.statistics.likert import axis_means
from heed.statistics.ranking import Ranking, bradley_terry, win_rates
from heed.statistics.votes import label_rates, majority

Found = TypeVar("Found")


def summarise(paths: list[Path]) -> dict[str, Any]:
    """Agreement, majority labels, win rates, Bradley–Terry and ratings, as far as the files hold them."""
    loaded = load(paths)
    remarks = list(loaded.remarks)
    parts = {"files": [str(path) for path in paths], "format": loaded.format}
    return {
        **parts,
        **_votes(loaded, remarks),
        **_ranking(loaded, remarks),
        **_ratings(loaded),
        "remarks": remarks,
    }


def _votes(loaded: Loaded, remarks: list[str]) -> dict[str, Any]:
    votes = loaded.votes
    if votes is None:
        return {}
    decided = majority(votes)
    agreement = _try(remarks, "percent agreement", lambda: percent_agreement(votes))
    pairs = _try(remarks, "κ per pair", lambda: pairwise_kappa(votes))
    skilled = _try(remarks, "Dawid-Skene", lambda: dawid_skene(votes))
    return {
        "judgments": votes.height,
        "items": votes["item"].n_unique(),
        "workers": votes["worker"].n_unique(),
        "percent_agreement": _plain(agreement),
        "kappa": _try(remarks, "κ", lambda: pooled_kappa(votes)),
        "kappa_pairs": [] if pairs is None else pairs.to_dicts(),
        "alpha": _try(remarks, "α", lambda: krippendorff_alpha(votes)),
        "rates": label_rates(votes),
        "dawid_skene_rates": None
        if skilled is None
        else dict(zip(skilled.labels, skilled.priors, strict=True)),
        "majority": decided.to_dicts(),
    }


def _ranking(loaded: Loaded, remarks: list[str]) -> dict[str, Any]:
    games = loaded.comparisons
    if games is None:
        return {}
    ranking = _try(remarks, "Bradley-Terry", lambda: bradley_terry(games))
    return {
        "comparisons": games.height,
        "win_rates": win_rates(games).to_dicts(),
        "bradley_terry": None if ranking is None else _rows(ranking),
    }


def _rows(ranking: Ranking) -> list[dict[str, Any]]:
    pairs = zip(ranking.policies, ranking.strengths, strict=True)
    return [{"policy": policy, **(_plain(strength) or {})} for policy, strength in pairs]


def _ratings(loaded: Loaded) -> dict[str, Any]:
    ratings = loaded.ratings
    if ratings is None:
        return {}
    return {
        "ratings": ratings.height,
        "workers": ratings["worker"].n_unique(),
        "axes": axis_means(ratings).to_dicts(),
    }


def _plain(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {**asdict(estimate), "options": dict(estimate.options)}


def _try(remarks: list[str], what: str, compute: Callable[[], Found]) -> Found | None:
    try:
        return compute()
    except UserError as error:
        remarks.append(f"No {what}: {error}")
        return None
