"""Write a report: every section's files, then the page that shows them all.

The folder appears whole or not at all. A section is one line in `SECTIONS`.
"""

import shutil
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import Field

from heed import __version__
from heed.errors import UserError
from heed.options import Options
from heed.reports.agreement import agreement_section, matrix_section, worker_section
from heed.reports.best_of import best_of_section
from heed.reports.cautions import cautions
from heed.reports.cloze import cloze_section
from heed.reports.content import Section
from heed.reports.cost import cost_section
from heed.reports.drift import drift_section
from heed.reports.edits import edit_section
from heed.reports.export import cell, heading, write_chart, write_table
from heed.reports.length import controlled_section, length_section
from heed.reports.methods import methods_paragraph
from heed.reports.overlap import overlap_section
from heed.reports.preference import domain_section, preference_section, significance_section
from heed.reports.qualitative import hard_readings, random_readings
from heed.reports.ratings import axis_section, rating_section
from heed.reports.rewards import judge_section, reward_section
from heed.reports.standing import counts_section, powered_section, ranking_section
from heed.reports.study import Study, make_study
from heed.statistics.bootstrap import Resampling
from heed.statistics.files import find_judgments

PAGE = "index.html"
_TEMPLATES = Path(__file__).parent / "templates"
SECTIONS: tuple[Callable[[Study], Section | None], ...] = (
    preference_section,
    significance_section,
    rating_section,
    axis_section,
    domain_section,
    cloze_section,
    ranking_section,
    best_of_section,
    powered_section,
    controlled_section,
    length_section,
    overlap_section,
    agreement_section,
    matrix_section,
    judge_section,
    reward_section,
    edit_section,
    worker_section,
    drift_section,
    counts_section,
    cost_section,
)


class ReportOptions(Options):
    """How a report is made."""

    against: str | None = None
    """The policy that the others are compared with; else one called reference or ref, else one in all."""
    level: float = Field(default=0.95, gt=0, lt=1)
    """The level of intervals."""
    resamples: int = Field(default=10_000, ge=100)
    """How often examples are resampled."""
    seed: int = 0
    """The seed of resampling and of the random items to read."""
    readings: int = Field(default=5, ge=0)
    """How many random and how many hard items to show in full."""
    price: float | None = Field(default=None, ge=0)
    """What one judgment cost, for the table of cost."""
    hourly: float | None = Field(default=None, ge=0)
    """What an hour at work cost, where there is no price per judgment."""


def write_report(place: Path, into: Path, options: ReportOptions | None = None) -> dict[str, Any]:
    """Report on frozen judgments, or on OpenAI's JSON lines; returns what was written."""
    options = options or ReportOptions()
    if options.price is not None and options.hourly is not None:
        raise UserError("A judgment is paid by price or by hourly: set one of the two.")
    _refuse_other_folders(into)
    judgments = find_judgments(place)
    how = Resampling(options.level, options.resamples, options.seed)
    study = replace(make_study(judgments, options.against, how), price=options.price, hourly=options.hourly)
    scratch = into.with_name(f".{into.name}.draft")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        found = _fill(study, options, scratch)
        shutil.rmtree(into, ignore_errors=True)
        scratch.rename(into)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return {"page": str(into / PAGE), **found}


def _fill(study: Study, options: ReportOptions, folder: Path) -> dict[str, Any]:
    sections = [section for make in SECTIONS if (section := _attempt(make, study))]
    warned = cautions(study)
    figures = {
        chart.name: _embedded(write_chart(chart, study.mark, folder / "figures"))
        for section in sections
        for chart in section.charts
    }
    names = [name for s in sections for table in s.tables for name in write_table(table, folder / "tables")]
    page = _page(study, options, {"sections": sections, "figures": figures, "cautions": warned})
    (folder / PAGE).write_text(page, encoding="utf-8")
    return {
        "judgments": study.judgments.height,
        "kind": study.kind,
        "figures": sorted(figures),
        "tables": sorted(names),
        "cautions": warned,
        "remarks": [remark for section in sections for remark in section.remarks],
        "preference": _rates(sections),
    }


def _attempt(make: Callable[[Study], Section | None], study: Study) -> Section | None:
    """The section, or a heading with the reason why it cannot be made."""
    try:
        return make(study)
    except UserError as error:
        title = heading(make.__name__.removesuffix("_section")).capitalize()
        return Section(title, remarks=[str(error)])


def _page(study: Study, options: ReportOptions, parts: dict[str, Any]) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined)
    environment.filters["heading"] = heading
    studies = ", ".join(sorted(study.judgments["study"].unique()))
    return environment.get_template("report.html").render(
        **parts,
        title=f"Report: {studies}",
        mark=study.mark,
        against=study.against,
        methods=methods_paragraph(study),
        random=random_readings(study, options.readings),
        hard=hard_readings(study, options.readings),
        version=__version__,
        cell=cell,
    )


def _rates(sections: list[Section]) -> list[dict[str, Any]]:
    tables = [table.frame for section in sections for table in section.tables if table.name == "preference"]
    return pl.concat(tables).to_dicts() if tables else []


def _embedded(svg: bytes) -> str:
    """A figure inside the page, so that the page is one file."""
    return "data:image/svg+xml;base64," + b64encode(svg).decode("ascii")


def _refuse_other_folders(into: Path) -> None:
    if into.exists() and not into.is_dir():
        raise UserError(f"{into} is a file; --into names the folder that the report is written to.")
    if into.is_dir() and any(into.iterdir()) and not (into / PAGE).exists():
        raise UserError(f"{into} holds something that is not a report; choose an empty or a new folder.")
