"""Figures: letters no smaller than 8 points, axes labelled, the 50 % line drawn, no colour."""

from collections.abc import Callable
from dataclasses import asdict

import matplotlib
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from heed.records import Judgment
from heed.reports.build import SECTIONS
from heed.reports.content import Chart, Table
from heed.reports.drawing import SMALLEST_POINTS, STYLE, render
from heed.reports.export import cell, latex
from heed.reports.study import make_study
from heed.statistics.bootstrap import Resampling
from heed.statistics.frozen import SCHEMA

NAMES = (
    "preference",
    "significance",
    "ratings",
    "domains",
    "bradley_terry",
    "length_bins",
    "lengths",
    "workers",
)


@pytest.fixture(scope="module")
def charts(simulate: Callable[..., list[Judgment]]) -> dict[str, Chart]:
    frame = pl.DataFrame([asdict(j) for j in simulate(5, situations=30)], schema=SCHEMA)
    study = make_study(frame, how=Resampling(resamples=200))
    sections = [section for make in SECTIONS if (section := make(study))]
    return {chart.name: chart for section in sections for chart in section.charts}


@pytest.fixture(scope="module", params=NAMES)
def figure(request: pytest.FixtureRequest, charts: dict[str, Chart]) -> Figure:
    chart = charts[request.param]
    with matplotlib.rc_context(STYLE):
        made = Figure(figsize=(chart.width_inches, chart.height_inches), layout="constrained")
        chart.draw(made.add_subplot())
        made.draw_without_rendering()
    made.set_label(chart.name)
    return made


def test_letters_are_large_enough(figure: Figure) -> None:
    sizes = [text.get_fontsize() for text in figure.findobj(Text) if text.get_text()]
    assert min(sizes) >= SMALLEST_POINTS


def test_axes_are_labelled_and_the_half_is_drawn(figure: Figure) -> None:
    axes = figure.axes[0]
    assert axes.get_xlabel()
    assert axes.get_ylabel() or axes.get_yticklabels()
    if figure.get_label() in ("preference", "domains"):
        assert any(list(line.get_xdata()) == [50, 50] for line in axes.lines)


def test_nothing_needs_colour(figure: Figure) -> None:
    for patch in figure.axes[0].patches:
        red, green, blue, _ = patch.get_facecolor()
        assert red == green == blue


def test_text_stays_inside_the_figure(figure: Figure) -> None:
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert box.x0 > -0.1
    assert box.y0 > -0.1
    assert box.x1 < width + 0.1
    assert box.y1 < height + 0.1


def test_the_mark_is_drawn_only_when_there_is_one() -> None:
    chart = Chart("x", "X", "x", lambda axes: axes.set_xlabel("x"))  # type: ignore[arg-type,return-value]
    assert b"MACHINE" in render(chart, "machine judgments")["svg"]
    assert b"MACHINE" not in render(chart, "")["svg"]


def test_latex_escapes_what_latex_would_eat() -> None:
    frame = pl.DataFrame({"policy_name": ["a_b & 50 % {x}"], "rate": [0.415], "p": [0.00001], "none": [None]})
    made = latex(Table("t", "T", frame, frozenset({"rate"})))
    assert r"a\_b \& 50 \% \{x\} & 41.5 \% & 1.0e-05 & – \\" in made
    assert r"\begin{tabular}{lrrl}" in made


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (12345, "12,345"), (0.12345, "0.123"), (2500.4, "2,500"), (float("inf"), "∞"), ("a", "a")],
)
def test_cells_read_well(value: object, shown: str) -> None:
    assert cell(value) == shown
