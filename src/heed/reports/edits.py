"""The section on texts that people improved and others judged blind, and the caution when they are few."""

from typing import TYPE_CHECKING

import msgspec
import polars as pl

from heed.errors import UserError
from heed.reports.agreement import scored
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import half_line, interval_points, legend_below
from heed.reports.study import Study
from heed.statistics.edits import MOST_WORDS_OF_A_SMALL_EDIT, edit_rates, marked_change, scored_edits
from heed.statistics.frozen import oriented

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST_EDITS = 100  # a 50 % rate then has an interval of ± 10 points
_TEXT = (
    "Somebody improved a text and somebody else compared the two without knowing which was the edit. "
    "An edit wins by the majority of its judges, ties counting half."
)
_PEOPLE_SHARES = frozenset({"preferred", "low", "high"})
_SCORE_SHARES = frozenset(
    {"prefers_edit", "prefers_edit_low", "prefers_edit_high", "agree", "agree_low", "agree_high"}
)


def edit_section(study: Study) -> Section | None:
    """Tables 17 and 19: how often the edit is preferred, and what scores make of it."""
    votes = edit_votes(study)
    if votes.is_empty():
        return None
    rates, remarks = edit_rates(votes, study.how), _unhuman(votes)
    tables = [Table("edits", "How often the edit is preferred", rates, _PEOPLE_SHARES)]
    scores = scored(votes)
    by_metric = scores.group_by("metric", maintain_order=True)
    found = [_of_metric(str(name), part, votes, study, remarks) for (name,), part in by_metric]
    frames = [frame for frame in found if frame is not None]
    if frames:
        table = pl.concat(frames, how="vertical_relaxed")
        tables.append(Table("scored_edits", "What scores say of the same edits", table, _SCORE_SHARES))
        tables += _small_edits(votes, scores, remarks)
    chart = Chart(
        "edits",
        "Preference for the edit",
        "How often the edit is preferred to the original, by length of the edit, with intervals.",
        lambda axes: _draw(axes, rates, frames),
        height_inches=1.3 + rates.height * (0.3 + 0.14 * len(frames)),
    )
    return Section("Edits", _TEXT, tables, [chart], remarks)


def edit_votes(study: Study) -> pl.DataFrame:
    """The judgments of edits from the edit's side; known by the editor that freezing wrote down."""
    pairs = oriented(study.judgments)
    found = [msgspec.json.decode(answers) for answers in pairs["answers"]]
    longer_by = [each.get("longer_by_characters") if "editor" in each else None for each in found]
    return pairs.with_columns(longer_by=pl.Series(longer_by, dtype=pl.Int64)).drop_nulls("longer_by")


def few_edits(study: Study) -> str | None:
    count = edit_votes(study)["item"].n_unique()
    if not 0 < count < FEWEST_EDITS:
        return None
    return f"Few edits: {count} were judged; below {FEWEST_EDITS} the share preferred spans 20 points."


def _unhuman(votes: pl.DataFrame) -> list[str]:
    items = votes.unique("item")
    count = items.filter(pl.col("policy") != "edit").height
    return [f"{count} of the {items.height} edits were not written by a person."] if count else []


def _of_metric(
    name: str, part: pl.DataFrame, votes: pl.DataFrame, study: Study, remarks: list[str]
) -> pl.DataFrame | None:
    try:
        found = scored_edits(votes, part.select("item", after="first", before="second"), study.how)
    except UserError as error:
        remarks.append(f"No edits by {name}: {error}")
        return None
    return found.select(pl.lit(name).alias("metric"), pl.all())


def _small_edits(votes: pl.DataFrame, scores: pl.DataFrame, remarks: list[str]) -> list[Table]:
    """Table 19: every edit of a few words with the change of each score, the largest first."""
    items = votes.unique("item", keep="first", maintain_order=True)
    texts = [marked_change(b, a) for b, a in items.select("opponent_text", "text").iter_rows()]
    marked = items.select("item").with_columns(
        words=pl.Series([words for _, words in texts], dtype=pl.Int64),
        edit=pl.Series([text for text, _ in texts], dtype=pl.String),
    )
    change = (pl.col("first") - pl.col("second")).alias("change")
    small = (
        scores.join(marked.filter(pl.col("words") <= MOST_WORDS_OF_A_SMALL_EDIT), on="item")
        .select("metric", change, "words", "edit")
        .sort(["metric", pl.col("change").abs(), "edit"], descending=[False, True, False])
    )
    limit = MOST_WORDS_OF_A_SMALL_EDIT
    if small.is_empty():
        remarks.append(f"No scored edit changes {limit} words or fewer.")
        return []
    title = f"The change of a score by small edits ({limit} words at most, [-removed-] and {{+added+}})"
    return [Table("small_edits", title, small)]


def _draw(axes: "Axes", rates: pl.DataFrame, metrics: list[pl.DataFrame]) -> None:
    kinds = rates["edit"].to_list()
    series = {"judged": _points(rates, kinds, "preferred", "")}
    for frame in metrics:
        series[frame["metric"][0]] = _points(frame, kinds, "prefers_edit", "prefers_edit_")
    interval_points(axes, kinds, series)
    half_line(axes, "50 %, no preference")
    axes.set_xlim(-2, 102)
    axes.set_xlabel("the edit is preferred (%)")
    axes.set_ylabel("the edit is")
    if metrics:
        legend_below(axes)


def _points(
    frame: pl.DataFrame, kinds: list[str], value: str, ends: str
) -> tuple[list[float], list[tuple[float, float]]]:
    """Percentages per kind; a kind that a metric did not score has no point."""
    rows = {row["edit"]: row for row in frame.iter_rows(named=True)}
    none = {value: float("nan"), f"{ends}low": float("nan"), f"{ends}high": float("nan")}
    found = [rows.get(kind, none) for kind in kinds]
    return [100 * row[value] for row in found], [
        (100 * row[f"{ends}low"], 100 * row[f"{ends}high"]) for row in found
    ]
