"""docs/datasets.md is under test: every option with its default and meaning, every reason for a drop."""

import re
from pathlib import Path
from typing import Any

import pytest

from heed.datasets.advice_options import AdviceOptions
from heed.datasets.cloze_options import ClozeOptions
from heed.datasets.fresh import FreshOptions
from heed.datasets.news import NewsOptions
from heed.datasets.tldr_options import TldrOptions
from heed.options import Options

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "datasets.md").read_text(encoding="utf-8")
MODELS: list[type[Options]] = [AdviceOptions, ClozeOptions, TldrOptions, NewsOptions, FreshOptions]


def to_row(name: str, field: Any) -> str:
    """The line of the page that describes an option."""
    default = field.default
    if isinstance(default, tuple):
        default = ", ".join(default[:3]) + (f", … ({len(default)})" if len(default) > 3 else "")
    if isinstance(default, float):
        default = round(default, 4)
    return f"| `{name}` | {default} | {field.description} |"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_option_is_documented_as_it_is(model: type[Options]) -> None:
    missing = [row for name, field in model.model_fields.items() if (row := to_row(name, field)) not in PAGE]
    assert missing == []


def test_every_reason_is_documented() -> None:
    reasons = set()
    for path in (REPOSITORY / "src" / "heed" / "datasets").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        reasons.update(re.findall(r'Filter\(\s*"([^"]+)"', text))
        reasons.update(re.findall(r'funnel\.drop\(\s*"[^"]+",\s*"([^"]+)"', text))
    assert len(reasons) > 40
    assert sorted(reason for reason in reasons if f"`{reason}`" not in PAGE) == []
