"""How figures look and how they are saved: greys, hatches and markers, so that they survive a photocopier.

The same input gives the same bytes: no dates and no random ids in the files.
"""

import warnings
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from heed.reports.content import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALLEST_POINTS = 8
LONGEST_NAME = 28
STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "xtick.labelsize": SMALLEST_POINTS,
    "ytick.labelsize": SMALLEST_POINTS,
    "legend.fontsize": SMALLEST_POINTS,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "heed",
    "figure.dpi": 150,
    "pdf.fonttype": 42,
    "text.parse_math": False,  # a dollar in a policy's name is a dollar
}
GREYS = ("#222222", "#8c8c8c", "#d9d9d9", "#595959", "#bfbfbf", "#ffffff")
HATCHES = ("", "", "", "////", "\\\\\\\\", "....")
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", "-.", ":")
FORMATS = ("svg", "pdf", "png")
_UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def render(chart: Chart, mark: str) -> dict[str, bytes]:
    """The chart in every format; `mark` is written on it when no person judged."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Glyph"
        )  # a name in a script the font lacks; tables have it
        figure = Figure(figsize=(chart.width_inches, chart.height_inches), layout="constrained")
        axes = figure.add_subplot()
        chart.draw(axes)
        if mark:
            figure.suptitle(mark.upper(), fontsize=SMALLEST_POINTS, fontweight="bold", x=0.01, ha="left")
        return {name: _save(figure, name) for name in FORMATS}


def _save(figure: Any, name: str) -> bytes:
    stream = BytesIO()
    figure.savefig(stream, format=name, metadata=_UNDATED[name], dpi=200)
    return stream.getvalue()


def interval_bars(
    axes: "Axes", names: Sequence[str], values: Sequence[float], ends: Sequence[tuple[float, float]]
) -> None:
    """Horizontal bars with intervals, first on top; values and ends are in the axis' own unit."""
    places = list(range(len(names)))[::-1]
    axes.barh(places, values, height=0.6, color=GREYS[2], edgecolor=GREYS[0], linewidth=0.8)
    axes.errorbar(
        values, places, xerr=reach(values, ends), fmt="none", ecolor=GREYS[0], elinewidth=1.2, capsize=3
    )
    axes.set_yticks(places, short(names))
    axes.set_ylim(-0.6, len(names) - 0.4)


def interval_points(
    axes: "Axes",
    names: Sequence[str],
    series: Mapping[str, tuple[Sequence[float], Sequence[tuple[float, float]]]],
) -> None:
    """Points with intervals, one marker per series, side by side on each name's row."""
    step = 0.7 / max(len(series), 1)
    for number, (label, (values, ends)) in enumerate(series.items()):
        offset = (len(series) - 1) * step / 2 - number * step
        places = [place + offset for place in range(len(names) - 1, -1, -1)]
        axes.errorbar(
            values,
            places,
            xerr=reach(values, ends),
            fmt=MARKERS[number % len(MARKERS)],
            color=GREYS[0],
            markerfacecolor=GREYS[number % 3],
            markersize=5,
            elinewidth=1,
            capsize=2,
            label=label,
        )
    for place in range(1, len(names)):
        axes.axhline(place - 0.5, color=GREYS[2], linewidth=0.6, zorder=0)
    axes.set_yticks(list(range(len(names) - 1, -1, -1)), short(names))
    axes.set_ylim(-0.6, len(names) - 0.4)


def short(names: Sequence[str]) -> list[str]:
    """Names that leave room for the figure; the tables have them in full."""
    return [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names]


def reach(values: Sequence[float], ends: Sequence[tuple[float, float]]) -> list[list[float]]:
    """Distances from the values to their interval ends, as matplotlib wants them."""
    pairs = list(zip(values, ends, strict=True))
    return [[max(0.0, v - low) for v, (low, _) in pairs], [max(0.0, high - v) for v, (_, high) in pairs]]


def interval_curve(
    axes: "Axes",
    places: Sequence[float],
    values: Sequence[float],
    ends: Sequence[tuple[float, float]],
    label: str,
    number: int,
) -> None:
    """The curve of this number: its line, marker and grey tell it from its neighbours."""
    axes.errorbar(
        places,
        values,
        yerr=reach(values, ends),
        label=short([label])[0],
        color=GREYS[0] if number % 2 == 0 else GREYS[1],
        linestyle=LINES[number % len(LINES)],
        marker=MARKERS[number % len(MARKERS)],
        markersize=5,
        elinewidth=1,
        capsize=2,
    )


def half_line(axes: "Axes", label: str) -> None:
    axes.axvline(50, color=GREYS[0], linestyle="--", linewidth=1)
    axes.text(50, 1.01, label, transform=axes.get_xaxis_transform(), ha="center", fontsize=SMALLEST_POINTS)


def legend_below(axes: "Axes", columns: int = 3) -> None:
    """Outside the axes, where the layout keeps room for it however low the figure is."""
    handles, labels = axes.get_legend_handles_labels()
    if figure := axes.get_figure(root=True):
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)
