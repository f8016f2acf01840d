"""What a report is made of: tables, charts, and their sections. Plain data; nothing is drawn here."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Table:
    """A frame under a name that becomes its file name."""

    name: str
    title: str
    frame: pl.DataFrame
    percent: frozenset[str] = frozenset()
    """The columns that are shares, shown as percentages on the page and in LaTeX."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure under a name that becomes its file name; `draw` fills the axes."""

    name: str
    title: str
    caption: str
    draw: "Callable[[Axes], None]"
    width_inches: float = 6.5
    height_inches: float = 3.2


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its sentences, tables and charts; `remarks` say what could not be computed and why."""

    title: str
    text: str = ""
    tables: list[Table] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
