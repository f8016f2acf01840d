"""The dataset card: a README.md with front matter, for people and for `datasets.load_dataset`."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heed.datasets.examples import DATA_FOLDER
from heed.manifest import hash_file

_LICENCE_NOTE = (
    "The texts belong to the people who wrote them. Heed adds no licence of its own: check the terms of the "
    "source before you share this dataset, and honour requests to remove a post (`heed takedown`)."
)


@dataclass(frozen=True)
class About:
    """What a card says besides numbers."""

    title: str
    source: str
    limits: tuple[str, ...]


def hash_data(folder: Path) -> str:
    """SHA-256 over the names and hashes of the data files: the same examples have the same hash."""
    lines = [f"{path.name} {hash_file(path)}" for path in sorted((folder / DATA_FOLDER).glob("*.parquet"))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def write_card(folder: Path, about: About, counts: Mapping[str, Any]) -> None:
    """`counts` has "splits" and "funnel", and may have "reports" (name → JSON value)."""
    splits: dict[str, int] = counts["splits"]
    parts = [
        _front_matter(about.title, splits),
        f"# {about.title}\n\n{about.source}",
        _section("Examples", _table(("split", "examples"), splits.items())),
        _section("Funnel", _draw_funnel(counts["funnel"])),
        *[_section(name, _draw_report(report)) for name, report in counts.get("reports", {}).items()],
        _section("Licence", _LICENCE_NOTE),
        _section("Limits", "\n".join(f"- {limit}" for limit in about.limits)),
        _section("Hash", f"The data files: `sha256:{hash_data(folder)}`"),
    ]
    (folder / "README.md").write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")


def _front_matter(title: str, splits: dict[str, int]) -> str:
    files = [f"      - split: {name}\n        path: {DATA_FOLDER}/{name}.parquet" for name in splits]
    head = [f"pretty_name: {title}", "language:\n  - en", "license: other", "tags:\n  - heed"]
    config = ["configs:\n  - config_name: default\n    data_files:", *files]
    return "\n".join(["---", *head, *config, "---"])


def _section(heading: str, body: str) -> str:
    return f"## {heading}\n\n{body}" if body else ""


def _draw_funnel(funnel: list[dict[str, Any]]) -> str:
    rows = []
    for stage in funnel:
        rows.append((stage["stage"], stage["in"], stage["out"], ""))
        rows.extend(("", "", f"−{count}", reason) for reason, count in stage["dropped"].items())
    return _table(("stage", "in", "out", "dropped because"), rows)


def _draw_report(report: Any) -> str:
    if isinstance(report, Mapping):
        return _table(("what", "value"), report.items())
    if report and isinstance(report[0], Mapping):
        return _table(tuple(report[0]), [tuple(row.values()) for row in report])
    return "\n".join(f"- {line}" for line in report)


def _table(head: tuple[str, ...], rows: Any) -> str:
    lines = [
        " | ".join(str(cell).replace("|", "\\|") for cell in row)
        for row in [head, ["---"] * len(head), *rows]
    ]
    return "\n".join(f"| {line} |" for line in lines)
