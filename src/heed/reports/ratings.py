"""Sections on ratings: what was wrong with the worse text (T5, Fig. 6), and Likert axes (S8, Fig. 12)."""

from typing import TYPE_CHECKING

import polars as pl

from heed.errors import UserError
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import GREYS, HATCHES, interval_points, legend_below, short
from heed.reports.study import Study
from heed.statistics.diagnostics import diagnostic_kappas, rating_distribution
from heed.statistics.frozen import REFERENCE_NAMES
from heed.statistics.length import length_line
from heed.statistics.likert import axis_means, axis_ratings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# From best to worst; a dangerous text is dangerous whatever the reason.
_CATEGORIES = (
    ("preferred", "preferred"),
    ("slightly_helpful/writing", "slightly helpful, writing problem"),
    ("slightly_helpful/meaning", "slightly helpful, meaning problem"),
    ("not_helpful/possibly", "not helpful, possibly elsewhere"),
    ("not_helpful/never", "not helpful, never"),
    ("dangerous", "dangerous"),
)


def rating_section(study: Study) -> Section | None:
    """The distribution of ratings per policy and the three κ."""
    ratings = worse_ratings(study.seen)
    if ratings.filter(pl.col("rating") != "preferred").is_empty():
        return None
    distribution = rating_distribution(ratings)
    kappas = diagnostic_kappas(_rated_texts(study.judgments))
    order = _best_first(distribution)
    chart = Chart(
        "ratings",
        "Ratings",
        "Share of judgments: preferred, or how the worse text was rated.",
        lambda axes: _draw_stack(axes, distribution, order),
        height_inches=1.9 + 0.42 * len(order),
    )
    tables = [
        Table("ratings", "Rating distribution", distribution, frozenset({"share"})),
        Table("diagnostics", "Agreement on the three diagnostic questions (Cohen's κ)", kappas),
    ]
    text = "A text that lost was rated by the worker who thought it worse. Indifferent votes rate nothing."
    return Section("Ratings", text, tables, [chart])


def worse_ratings(seen: pl.DataFrame) -> pl.DataFrame:
    """policy, rating, reason of every judgment that says something about the policy's text."""
    rating, reason = (pl.col("answers").str.json_path_match(f"$.{key}") for key in ("rating", "reason"))
    return (
        seen.filter(pl.col("score") != 0.5)
        .with_columns(
            rating=pl.when(pl.col("score") == 1).then(pl.lit("preferred")).otherwise(rating),
            reason=pl.when(pl.col("score") == 0).then(reason),
        )
        .filter(pl.col("rating").is_not_null())
        .select("policy", "rating", "reason")
    )


def _rated_texts(judgments: pl.DataFrame) -> pl.DataFrame:
    """subject (item and worse side), worker, rating, reason."""
    rating, reason = (pl.col("answers").str.json_path_match(f"$.{key}") for key in ("rating", "reason"))
    return (
        judgments.filter(pl.col("choice").is_in(["a", "b"]))
        .select("worker", subject=pl.col("item") + "/" + pl.col("choice"), rating=rating, reason=reason)
        .filter(pl.col("rating").is_not_null())
    )


def axis_section(study: Study) -> Section | None:
    """Mean of every Likert axis per policy, and how the overall rating moves with length."""
    ratings = axis_ratings(study.judgments)
    if ratings.is_empty():
        return None
    means = axis_means(ratings, study.how)
    chart = Chart(
        "axes",
        "Mean ratings",
        f"Mean rating per axis and policy, with {study.level} intervals.",
        lambda axes: _draw_axes(axes, means),
        height_inches=1.6 + 0.5 * means["policy"].n_unique(),
    )
    tables = [Table("axes", "Mean rating per axis", means)]
    lines, remarks = _length_lines(ratings, study.how.level)
    if lines.height:
        tables.append(Table("quality_by_length", "Overall quality and length", lines))
    return Section("Ratings per axis", "", tables, [chart], remarks)


def _length_lines(ratings: pl.DataFrame, level: float) -> tuple[pl.DataFrame, list[str]]:
    """Tables 13 and 14; the last column is the quality at the reference's mean length, where it was rated."""
    rows, remarks = [], []
    overall = ratings.filter(pl.col("axis") == "overall")
    lengths = overall.filter(pl.col("policy").is_in(REFERENCE_NAMES))["characters"].to_numpy()
    target = float(lengths.mean()) if len(lengths) else None
    for (policy,), part in overall.group_by("policy", maintain_order=True):
        columns = [part[name].to_numpy() for name in ("rating", "characters", "example")]
        try:
            line = length_line(*columns, level=level)
        except UserError as error:
            remarks.append(f"No line of quality on length for {policy}: {error}")
            continue
        slope = line.per_hundred_characters
        rows.append(
            {
                "policy": policy,
                "characters": line.mean_characters,
                "deviation": line.deviation_characters,
                "quality": line.mean_quality,
                "per_100_characters": slope.value,
                "low": slope.low,
                "high": slope.high,
                "at_reference_length": line.at(target) if target is not None else None,
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None), remarks


def _category(rating: str, reason: str | None) -> str:
    return rating if rating in ("preferred", "dangerous") else f"{rating}/{reason}"


def _best_first(distribution: pl.DataFrame) -> list[str]:
    preferred = dict(
        distribution.filter(pl.col("rating") == "preferred").select("policy", "share").iter_rows()
    )
    names = distribution["policy"].unique().to_list()
    return sorted(names, key=lambda name: (-preferred.get(name, 0.0), name))


def _draw_stack(axes: "Axes", distribution: pl.DataFrame, order: list[str]) -> None:
    shares: dict[tuple[str, str], float] = {}
    for policy, rating, reason, share in distribution.select(
        "policy", "rating", "reason", "share"
    ).iter_rows():
        key = (policy, _category(rating, reason))
        shares[key] = shares.get(key, 0.0) + share
    places, left = list(range(len(order)))[::-1], [0.0] * len(order)
    for number, (category, label) in enumerate(_CATEGORIES):
        widths = [100 * shares.get((policy, category), 0.0) for policy in order]
        axes.barh(
            places,
            widths,
            left=left,
            height=0.65,
            color=_SHADES[number],
            hatch=HATCHES[number],
            edgecolor=GREYS[0],
            linewidth=0.7,
            label=label,
        )
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.set_yticks(places, short(order))
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of judgments")
    legend_below(axes, 2)


_SHADES = ("#ffffff", "#e3e3e3", "#bdbdbd", "#e3e3e3", "#9a9a9a", "#4a4a4a")


def _draw_axes(axes: "Axes", means: pl.DataFrame) -> None:
    policies = sorted(means["policy"].unique().to_list())
    series = {}
    for axis in sorted(means["axis"].unique().to_list()):
        rows = {row["policy"]: row for row in means.filter(pl.col("axis") == axis).iter_rows(named=True)}
        there = [rows.get(policy) for policy in policies]
        values = [row["mean"] if row else float("nan") for row in there]
        ends = [_ends(row) if row else (0.0, 0.0) for row in there]
        series[axis] = (values, ends)
    interval_points(axes, policies, series)
    axes.set_xlabel("mean rating")
    legend_below(axes, 4)


def _ends(row: dict[str, float | None]) -> tuple[float, float]:
    mean, low, high = row["mean"] or 0.0, row["low"], row["high"]
    return (mean, mean) if low is None or high is None else (low, high)
