"""What is wrong with the worse text: TuringAdvice's rating distribution (Fig. 6) and its three κ.

A rating is about one text (`subject`, such as item and side), because two workers who disagree on which text
is worse have rated different ones. Not the preference itself.
"""

import polars as pl

from heed.errors import UserError
from heed.statistics.agreement import pooled_kappa
from heed.statistics.frames import require

RATINGS = ("preferred", "slightly_helpful", "not_helpful", "dangerous")
# The binary questions the paper reports κ for: .689, .613 and .602.
DIAGNOSTICS = {
    "helpful vs. not": ("rating", {"slightly_helpful": "yes", "not_helpful": "no", "dangerous": "no"}),
    "meaning vs. writing": ("reason", {"meaning": "yes", "writing": "no"}),
    "possibly vs. never": ("reason", {"possibly": "yes", "never": "no"}),
}


def rating_distribution(ratings: pl.DataFrame) -> pl.DataFrame:
    """Per policy, the share of judgments with each rating and reason, from `policy, rating, reason`.

    `rating` is one of preferred, slightly_helpful, not_helpful, dangerous; `reason` may be null.
    """
    require(ratings, "policy", "rating")
    unknown = sorted(set(ratings["rating"].unique()) - set(RATINGS))
    if unknown:
        raise UserError(f"Rating {unknown[0]} is unknown; known: {', '.join(RATINGS)}.")
    return (
        ratings.group_by("policy", "rating", "reason")
        .len("n")
        .with_columns(share=pl.col("n") / pl.col("n").sum().over("policy"))
        .sort("policy", pl.col("rating").cast(pl.Enum(RATINGS)), "reason", nulls_last=True)
    )


def diagnostic_kappas(ratings: pl.DataFrame) -> pl.DataFrame:
    """The three κ over all pairs of workers who rated one text, from `subject, worker, rating, reason`.

    Columns out: question, kappa, n (ratings used), remark. κ is null where it cannot be computed; the remark
    says why.
    """
    require(ratings, "subject", "worker", "rating")
    rows = [_kappa(ratings, question, *how) for question, how in DIAGNOSTICS.items()]
    schema = {"question": pl.String, "kappa": pl.Float64, "n": pl.Int64, "remark": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _kappa(
    ratings: pl.DataFrame, question: str, column: str, sides: dict[str, str]
) -> tuple[str, float | None, int, str]:
    answer = pl.col(column).cast(pl.String)
    votes = ratings.filter(answer.is_in(list(sides))).select(
        "worker", item="subject", label=answer.replace_strict(sides, return_dtype=pl.String)
    )
    if votes.is_empty():
        return question, None, 0, "nobody answered this question"
    try:
        return question, pooled_kappa(votes), votes.height, ""
    except UserError as error:
        return question, None, votes.height, str(error)
