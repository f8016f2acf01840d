"""News: articles with highlights from local files shaped like CNN/DailyMail.

Columns: `article` and `highlights` (or `document` and `summary`), and perhaps `id`. A file's name tells the
split.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from heed.datasets.build import new_place, write_dataset
from heed.datasets.card import About
from heed.datasets.filters import Filter, Funnel
from heed.datasets.recipe import Built
from heed.datasets.tables import need_columns, read_table
from heed.errors import UserError
from heed.manifest import hash_file
from heed.options import Options
from heed.records import Example, Reference
from heed.workspace import Artifact, Workspace, open_artifact

_LIMITS = (
    "Highlights are written by editors for web pages; the first sentences of an article often say the same.",
    "The licence is the publisher's: local files only, nothing is downloaded.",
)
_NAMES = {"document": "article", "text": "article", "summary": "highlights", "abstract": "highlights"}
_SPLITS = {
    "valid": "validation",
    "val": "validation",
    "dev": "validation",
    "training": "train",
    "tests": "test",
}
# What web pages leave in highlights; the released code of the paper cleans the same things.
_NEW = re.compile(r"^\s*NEW:\s*")
_CALL = re.compile(r"^\s*(?:READ|WATCH|SEE):|\bCLICK HERE\b.*", re.IGNORECASE)


class NewsOptions(Options):
    """What an article must have."""

    article_characters: int = Field(default=200, ge=0)
    """Fewest characters of an article; shorter ones are captions and stubs."""
    highlight_characters: int = Field(default=20, ge=0)
    """Fewest characters of the highlights."""


def build_news(workspace: Workspace, paths: list[Path], into: str, options: NewsOptions) -> Artifact:
    """Clean articles with clean highlights, each article once, as the dataset `into`."""
    place, funnel = new_place(workspace, into), Funnel(keep=True)
    examples = _choose_articles(paths, options, funnel)
    if not examples:
        reason, count = funnel.worst()[0]
        raise UserError(f"Nothing is left of these files: '{reason}' dropped most ({count}).")
    with workspace.draft(place, "dataset", into) as draft:
        draft.options = {"recipe": "news", **options.recorded()}
        draft.inputs = [{"path": str(path), "name": path.name, "sha256": hash_file(path)} for path in paths]
        names = ", ".join(f"`{path.name}`" for path in paths)
        write_dataset(draft, About("News", f"From {names}.", _LIMITS), Built(examples), funnel)
    return open_artifact(place)


def _choose_articles(paths: list[Path], options: NewsOptions, funnel: Funnel) -> list[Example]:
    filters = _filters(options)
    first: dict[str, Example] = {}
    for example in sorted(read_news(paths), key=lambda example: (example.split, example.id)):
        cleaned = _clean(example)
        if funnel.passes("article", cleaned, example.id, example.id, filters):
            funnel.enter("duplicates")
            same = first.setdefault(cleaned.text, cleaned)
            if same is not cleaned:
                funnel.drop("duplicates", "same article", example.id, example.id, f"as {same.id}")
    return list(first.values())


def read_news(paths: list[Path]) -> Iterator[Example]:
    """The rows of these files as they stand."""
    for path in paths:
        frame = read_table(path)
        frame = frame.rename(
            {old: new for old, new in _NAMES.items() if old in frame.columns and new not in frame.columns}
        )
        need_columns(frame, ["article", "highlights"], path)
        for row in frame.iter_rows(named=True):
            yield _to_example(row, find_split(path))


def find_split(path: Path) -> str:
    """The split a file's name tells: train, validation or test; train where it tells nothing."""
    for word in re.findall(r"[a-z]+", path.stem.lower()):
        name: str = _SPLITS.get(word, word)
        if name in ("train", "validation", "test"):
            return name
    return "train"


def _to_example(row: dict[str, Any], split: str) -> Example:
    article, highlights = row["article"] or "", row["highlights"] or ""
    text = "\n".join(highlights) if isinstance(highlights, list) else str(highlights)
    id = str(row.get("id") or hashlib.sha256(article.encode()).hexdigest()[:16])
    references = (Reference(text.strip(), None, id, None),) if text.strip() else ()
    return Example(
        id, "news", split, "", "news", None, str(row.get("title") or ""), article.strip(), references
    )


def _clean(example: Example) -> Example:
    """The same article with its highlights as plain sentences."""
    lines = [line for reference in example.references for line in reference.text.split("\n")]
    text = " ".join(sentence for line in lines if (sentence := _clean_line(line)))
    return replace(example, references=(Reference(text, None, example.id, None),) if text else ())


def _clean_line(line: str) -> str:
    """One highlight without what a web page adds, with a stop at its end; nothing for a mere invitation."""
    if _CALL.match(line):
        return ""
    words = _CALL.sub("", _NEW.sub("", line)).rstrip(" .\r").strip()
    return f"{words}." if words and words[-1] not in "!?\"'”" else words


def _filters(options: NewsOptions) -> list[Filter[Example]]:
    return [
        Filter("article too short", lambda e: _short(e.text, options.article_characters)),
        Filter("no highlights", lambda e: None if e.references else "nothing after cleaning"),
        Filter("highlights too short", lambda e: _short(e.references[0].text, options.highlight_characters)),
    ]


def _short(text: str, least: int) -> str | None:
    return f"{len(text)} characters" if len(text) < least else None
