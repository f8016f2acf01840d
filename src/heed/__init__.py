"""Heed: from a forum's cries for help to tasks, judged answers, trustworthy numbers and better models.

The functions below are what the commands call; a notebook calls the same ones. They are imported on first
use, so that `import heed` and `heed --help` stay fast.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_EXPORTS = {
    "Workspace": "heed.workspace:Workspace",
    "ingest": "heed.corpus.ingest:ingest",
    "IngestOptions": "heed.corpus.ingest_options:IngestOptions",
    "open_corpus": "heed.corpus.store:open_corpus",
    "take_down": "heed.corpus.takedown:take_down",
    "explain": "heed.corpus.explain:explain",
    "trace": "heed.corpus.trace:trace",
    "write_sample": "heed.corpus.sample.dumps:write_sample",
    "generate": "heed.policies.generate:generate",
    "score": "heed.reports.scores:score",
    "run_demo": "heed.demo.run:run_demo",
    "summarise": "heed.statistics.summary:summarise",
    "write_report": "heed.reports.build:write_report",
}


def __dir__() -> list[str]:
    return ["__version__", *_EXPORTS]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'heed' has no attribute '{name}'")
    module, _, attribute = _EXPORTS[name].partition(":")
    return getattr(import_module(module), attribute)
