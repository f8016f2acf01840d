"""What a reader should be warned of. Each caution is a function of the study that returns a sentence or None.

A caution is a reason to look closer, not a proof; thresholds are ours and stand here with their reasons.
"""

from collections.abc import Callable

import polars as pl

from heed.errors import UserError
from heed.reports.agreement import choices
from heed.reports.drift import drift_over_batches, p_text
from heed.reports.edits import few_edits
from heed.reports.study import Study
from heed.statistics.agreement import krippendorff_alpha
from heed.statistics.preference import proportion

FEWEST_ITEMS = 100  # a 50 % rate then has an interval of ± 10 points
FEWEST_VOTES = 3  # the papers' majority
LARGEST_SHARE = 0.25  # TuringAdvice remarks on workers above a tenth; a quarter moves any rate
LARGEST_MULTIPLE = 1.5  # of an equal share: of four labelers one has a quarter without dominating
LOWEST_ALPHA = 0.2  # below, chance explains most of the agreement
DRIFT_P = 0.01


def cautions(study: Study) -> list[str]:
    """Every caution that applies."""
    return [sentence for check in CHECKS if (sentence := check(study))]


def few_items(study: Study) -> str | None:
    items = study.seen.group_by("policy").agg(items=pl.col("item").n_unique()).sort("items", "policy")
    if items.is_empty() or items["items"][0] >= FEWEST_ITEMS:
        return None
    policy, count = items.row(0)
    return (
        f"Few labels: {policy} was judged on {count} items; below {FEWEST_ITEMS} an interval spans 20 points."
    )


def few_votes(study: Study) -> str | None:
    votes = choices(study.judgments).group_by("item").len()
    thin = votes.filter(pl.col("len") < FEWEST_VOTES).height
    if not thin:
        return None
    return f"Few labels: {thin} of {votes.height} items have fewer than {FEWEST_VOTES} votes."


def dominating_worker(study: Study) -> str | None:
    counts = study.judgments.group_by("worker").len().sort(["len", "worker"], descending=[True, False])
    share, labelers = counts["len"][0] / study.judgments.height, counts.height
    if labelers > 1 and share <= max(LARGEST_SHARE, LARGEST_MULTIPLE / labelers):
        return None
    said = f"{counts['worker'][0]} gave {share:.0%} of the judgments (labelers: {labelers})"
    return f"One labeler dominates: {said}."


def low_agreement(study: Study) -> str | None:
    votes = choices(study.judgments)
    try:
        alpha = krippendorff_alpha(votes) if votes.height else None
    except UserError as error:
        return f"Agreement cannot be measured: {error}"
    if alpha is None or alpha >= LOWEST_ALPHA:
        return None
    return f"Low agreement: Krippendorff's α is {alpha:.2f}; below {LOWEST_ALPHA} chance explains most of it."


def drift(study: Study) -> str | None:
    """The votes of the earlier half against those of the later, policies mixed alike."""
    timed = study.seen.filter(pl.col("started").is_not_null()).sort("started")
    if timed.height < FEWEST_ITEMS:
        return None
    centred = (timed["score"] - timed.select(pl.col("score").mean().over("policy")).to_series()).to_numpy()
    half = len(centred) // 2
    from scipy.stats import ttest_ind

    if centred[:half].std() == 0 or centred[half:].std() == 0:
        return None
    p = float(ttest_ind(centred[:half], centred[half:], equal_var=False).pvalue)
    if p >= DRIFT_P:
        return None
    change = 100 * (centred[half:].mean() - centred[:half].mean())
    return f"Drift: the later half of votes is {change:+.1f} points from the earlier half (p {p_text(p)})."


def position_bias(study: Study) -> str | None:
    placed = study.judgments.filter(
        pl.col("choice").is_in(["a", "b"]) & pl.col("shown_first").is_in(["a", "b"])
    )
    return _uneven(
        placed, pl.col("choice") == pl.col("shown_first"), "Position bias: the text shown first won"
    )


def length_confound(study: Study) -> str | None:
    lengths = {side: pl.col(f"text_{side}").str.len_chars().cast(pl.Int64) for side in ("a", "b")}
    unequal = study.judgments.filter(pl.col("choice").is_in(["a", "b"]) & (lengths["a"] != lengths["b"]))
    longer = (pl.col("choice") == "a") == (lengths["a"] > lengths["b"])
    return _uneven(unequal, longer, "Length confound: the longer text won")


def judge_kind(study: Study) -> str | None:
    left = ", ".join(f"{count} {kind}" for kind, count in study.left_out.items())
    if study.kind != "human":
        return f"No person judged: every number is about {study.kind} judgments."
    return f"Only human judgments count; left out of the rates: {left} judgments." if left else None


CHECKS: tuple[Callable[[Study], str | None], ...] = (
    judge_kind,
    few_items,
    few_votes,
    dominating_worker,
    low_agreement,
    drift,
    position_bias,
    length_confound,
    few_edits,
    drift_over_batches,
)


def _uneven(rows: pl.DataFrame, event: pl.Expr, words: str) -> str | None:
    """A caution where a share that should be a half is not, at 99 %, and off by five points at least."""
    if rows.is_empty():
        return None
    share = proportion(float(rows.select(event.sum()).item()), rows.height, level=0.99)
    if share.low <= 0.5 <= share.high or abs(share.value - 0.5) < 0.05:
        return None
    span = f"99 % interval {share.low:.1%} to {share.high:.1%}"
    return f"{words} {share.value:.1%} of {share.n} decided votes ({span})."
