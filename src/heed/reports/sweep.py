"""`heed generate --sweep`: the same policies over a grid of temperature and top-p, scored and drawn (S8).

Every point of the grid is an ordinary run of its own, so points can be judged by people like any other run,
and a stopped sweep goes on where it was. The likeliest answer (temperature 0) does not depend on top-p and is
made once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heed.errors import UserError
from heed.policies.generate import Order, Progress, generate
from heed.reports.content import Chart, Table
from heed.reports.drawing import interval_curve
from heed.reports.export import write_chart, write_table
from heed.reports.means import mean_by_example
from heed.reports.scores import SCORES_NAME, score
from heed.workspace import Workspace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What is drawn, with the words on its axis.
METRICS = {
    "rougeL": "ROUGE-L with the reference",
    "copied": "copied bigrams, share",
    "distinct2": "distinct pairs of words, share",
    "words": "words per answer",
}
# Curves stand a little beside each other, so that their intervals can be told apart.
_ASIDE = 0.012


@dataclass(frozen=True)
class Grid:
    """The temperatures and the shares of probability to try."""

    temperatures: tuple[float, ...]
    top_ps: tuple[float, ...]

    def points(self) -> list[tuple[float, float]]:
        hot = [(t, p) for t in self.temperatures if t > 0 for p in self.top_ps]
        return [(0.0, 1.0)] * (0.0 in self.temperatures) + hot


def read_grid(text: str) -> Grid:
    """`0,0.3,0.7,1/0.5,0.9,1`: temperatures, a slash, values of top-p (1 where left out)."""
    temperatures, _, top_ps = text.partition("/")
    grid = Grid(_numbers(temperatures, text), _numbers(top_ps or "1", text))
    if min(grid.temperatures) < 0 or not all(0 < p <= 1 for p in grid.top_ps):
        raise UserError("In --sweep a temperature is at least 0 and top-p is above 0 and at most 1.")
    return grid


def _numbers(text: str, whole: str) -> tuple[float, ...]:
    try:
        return tuple(sorted({float(piece) for piece in text.split(",")}))
    except ValueError:
        raise UserError(
            f"'{whole}' is no grid for --sweep: give temperatures, a slash and values of top-p, such as "
            f"0,0.3,0.7,1/0.5,0.9,1."
        ) from None


def sweep(
    workspace: Workspace, order: Order, grid: Grid, on_progress: Progress | None = None
) -> dict[str, Any]:
    """Run and score every point; the table and the figures lie in the workspace's folder sweeps/NAME."""
    rows, failed = [], 0
    for temperature, top_p in grid.points():
        name = f"{order.into}-t{temperature:g}-p{top_p:g}"
        decoding = replace(order.decoding, temperature=temperature, top_p=top_p)
        made = generate(workspace, replace(order, into=name, decoding=decoding), on_progress)
        failed += sum(counts["failed"] for counts in made["policies"].values())
        scored = score(workspace, name)
        answered = pl.read_parquet(Path(scored["path"]) / SCORES_NAME).filter(~pl.col("failed"))
        for policy, found in scored["policies"].items():
            ends = _ends(answered.filter(pl.col("policy") == policy))
            rows.append(_row(policy, temperature, top_p, name, found | ends))
    frame = pl.DataFrame(rows, infer_schema_length=None)
    folder = workspace.folder("sweeps", order.into)
    figures = _write(frame, folder)
    return {"points": frame.to_dicts(), "failed": failed, "path": str(folder), "figures": figures}


def _row(
    policy: str, temperature: float, top_p: float, name: str, found: Mapping[str, Any]
) -> dict[str, Any]:
    place = {"policy": policy, "temperature": temperature, "top_p": top_p, "responses": name}
    ends = {f"{metric}_{end}": found.get(f"{metric}_{end}") for metric in METRICS for end in ("low", "high")}
    return place | {metric: found.get(metric) for metric in METRICS} | {"cut": found["cut"]} | ends


def _ends(answered: pl.DataFrame) -> dict[str, Any]:
    """Both ends of every mean's interval; pairs of words are counted over all answers and have none."""
    found = {name: mean_by_example(answered, name) for name in METRICS if name in answered.columns}
    return {
        f"{name}_{end}": None if (value := mean[end]) is None else round(value, 4)
        for name, mean in found.items()
        if mean
        for end in ("low", "high")
    }


def _write(frame: pl.DataFrame, folder: Path) -> list[str]:
    write_table(Table("sweep", "Automatic metrics by temperature and top-p", frame), folder)
    drawn = [name for name in METRICS if frame[name].is_not_null().any()]
    for name in drawn:
        write_chart(_chart(frame, name), "", folder)
    return drawn


def _chart(frame: pl.DataFrame, metric: str) -> Chart:
    def draw(axes: "Axes") -> None:
        curves = _curves(frame)
        for number, ((policy, top_p), points) in enumerate(curves):
            aside = _ASIDE * (number - (len(curves) - 1) / 2)
            _draw_curve(axes, points, metric, f"{policy}, top-p {top_p:g}", number, aside)
        axes.set_xlabel("temperature")
        axes.set_ylabel(METRICS[metric])
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))

    return Chart(metric, METRICS[metric], "", draw)


def _curves(frame: pl.DataFrame) -> Sequence[tuple[tuple[str, float], pl.DataFrame]]:
    """One curve per policy and top-p; each begins at the likeliest answer, which all of them share."""
    curves = []
    for policy in frame["policy"].unique(maintain_order=True):
        own = frame.filter(pl.col("policy") == policy)
        sampled = own.filter(pl.col("temperature") > 0)["top_p"].unique().sort().to_list()
        for top_p in sampled or [1.0]:
            kept = (pl.col("top_p") == top_p) | (pl.col("temperature") == 0)
            curves.append(((policy, top_p), own.filter(kept).sort("temperature")))
    return curves


def _draw_curve(
    axes: "Axes", points: pl.DataFrame, metric: str, label: str, number: int, aside: float
) -> None:
    ends = points.select(pl.col(f"{metric}_low", f"{metric}_high").fill_null(pl.col(metric)))
    places = [temperature + aside for temperature in points["temperature"]]
    interval_curve(axes, places, points[metric].to_list(), list(ends.iter_rows()), label, number)
