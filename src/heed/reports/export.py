"""Tables and figures as files: CSV, JSON and LaTeX, and what a cell looks like to a reader."""

import math
from pathlib import Path
from typing import Any

from heed.reports.content import Chart, Table
from heed.reports.drawing import render

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$"}
_LATEX |= {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "−": "$-$",
    "<": "$<$",
}


def write_table(table: Table, folder: Path) -> list[str]:
    """The three files of a table; returns their names."""
    folder.mkdir(parents=True, exist_ok=True)
    table.frame.write_csv(folder / f"{table.name}.csv")
    table.frame.write_json(folder / f"{table.name}.json")
    (folder / f"{table.name}.tex").write_text(latex(table), encoding="utf-8")
    return [f"{table.name}.{ending}" for ending in ("csv", "json", "tex")]


def write_chart(chart: Chart, mark: str, folder: Path) -> bytes:
    """The files of a figure; returns its SVG for the page."""
    folder.mkdir(parents=True, exist_ok=True)
    made = render(chart, mark)
    for ending, data in made.items():
        (folder / f"{chart.name}.{ending}").write_bytes(data)
    return made["svg"]


def heading(name: str) -> str:
    return name.replace("_", " ")


def cell(value: Any, percent: bool = False) -> str:
    """A number as a reader wants it: shares in percent, three digits otherwise, a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return _float(value, percent)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def latex(table: Table) -> str:
    """A booktabs tabular: words to the left, numbers to the right."""
    frame = table.frame
    sides = "".join("r" if dtype.is_numeric() else "l" for dtype in frame.dtypes)
    lines = [" & ".join(_escape(heading(name)) for name in frame.columns) + r" \\", r"\midrule"]
    for row in frame.iter_rows(named=True):
        cells = (_escape(cell(value, name in table.percent)) for name, value in row.items())
        lines.append(" & ".join(cells) + r" \\")
    body = "\n".join(lines)
    return (
        f"% {table.title}\n\\begin{{tabular}}{{{sides}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
    )


def _float(value: float, percent: bool) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if percent:
        return f"{100 * value:.1f} %"
    if 0 < value < 0.001:  # a p value, most often
        return f"{value:.1e}"
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 3
    return f"{value:,.{digits}f}"


def _escape(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)
