"""The methods paragraph, ready for a paper, with the numbers filled in."""

import time

import numpy as np
import polars as pl

from heed import __version__
from heed.errors import UserError
from heed.reports.agreement import choices
from heed.reports.cloze import PROTOCOL
from heed.reports.study import Study
from heed.statistics.agreement import krippendorff_alpha


def methods_paragraph(study: Study) -> str:
    """What was judged by whom, how numbers and intervals were made."""
    return " ".join(
        part for part in (_who(study), _what(study), _when(study), _how(study), _agreed(study)) if part
    )


def _who(study: Study) -> str:
    frame = study.judgments
    votes = frame.group_by("item").len()["len"].to_numpy()
    judges = {"human": "workers", "simulated": "simulated workers", "machine": "machine judges"}[study.kind]
    return (
        f"{frame['worker'].n_unique()} {judges} gave {frame.height:,} judgments of {len(votes):,} blinded "
        f"items on {frame['example'].n_unique():,} examples (median {np.median(votes):.0f} per item), under "
        f"protocol {_listed(frame['protocol'])}, instructions {_listed(frame['instruction_version'])}."
    )


def _what(study: Study) -> str:
    if not study.policies:
        return ""
    if len(study.policies) == 1:
        return f"{study.policies[0]} was compared with {study.against}."
    return f"{len(study.policies)} policies were compared with {study.against}: {', '.join(study.policies)}."


def _when(study: Study) -> str:
    started, seconds = (study.judgments[name].drop_nulls().to_numpy() for name in ("started", "seconds"))
    sentences = []
    if len(started):
        first, last = (time.strftime("%Y-%m-%d", time.gmtime(int(t))) for t in (min(started), max(started)))
        sentences.append(f"Judgments were made {_days(first, last)}.")
    if len(seconds):
        sentences.append(f"The median judgment took {np.median(seconds):.0f} s.")
    return " ".join(sentences)


def _days(first: str, last: str) -> str:
    return f"on {first}" if first == last else f"between {first} and {last}"


def _listed(column: pl.Series) -> str:
    return ", ".join(sorted(column.unique()))


def _how(study: Study) -> str:
    """Without policies that were compared there are neither outcomes nor tests."""
    how, compared = study.how, bool(study.policies)
    outcome = "An item's outcome is the majority of its workers, ties counting half. " if compared else ""
    few = ", or Wilson's where fewer than ten items were won or lost" if compared else ""
    if PROTOCOL in study.judgments["protocol"]:
        few = "; those of accuracies are Wilson's"
    return (
        f"{outcome}Intervals are {how.level:.0%} percentile intervals of a cluster bootstrap that resamples "
        f"whole examples ({how.resamples:,} resamples, seed {how.seed}){few}. "
        f"{_tests(study)}Computed with Heed {__version__}."
    )


def _tests(study: Study) -> str:
    if len(study.policies) < 2:
        return ""
    return "Policies were compared by paired t-tests of the continuous scores, with Holm's correction. "


def _agreed(study: Study) -> str:
    votes = choices(study.judgments)
    if votes.is_empty():
        return ""
    try:
        return f"Krippendorff's α of the choices was {krippendorff_alpha(votes):.2f}."
    except UserError:
        return "Agreement could not be measured."
