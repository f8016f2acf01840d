"""What every command shares: the three flags that go anywhere, and how a result or a mistake is shown.

A command is a function `(settings, …flags) -> dict`. What it returns is the JSON object of `--json`; what a
person sees instead is drawn by the function it hands to `settings.show`.
"""

import inspect
import json
import sys
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from heed.workspace import Workspace

WorkspaceFlag = Annotated[
    Path | None,
    typer.Option(
        "--workspace", metavar="DIR", help="Where artifacts live (HEED_WORKSPACE; else ./workspace)."
    ),
]
JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON object on stdout; progress on stderr.")]
QuietFlag = Annotated[bool, typer.Option("--quiet", help="No progress and no remarks.")]


@dataclass(frozen=True)
class Settings:
    """What the three flags said."""

    folder: Path | None = None
    json: bool = False
    quiet: bool = False

    @property
    def workspace(self) -> "Workspace":
        from heed.workspace import Workspace

        return Workspace(self.folder)

    @property
    def progress(self) -> "Console":
        """Where progress and remarks go: stderr, or nowhere when quiet."""
        from rich.console import Console

        return Console(stderr=True, quiet=self.quiet, highlight=False)

    def show(self, result: dict[str, Any], draw: Callable[[], "list[RenderableType]"]) -> None:
        """The result of a command: as JSON, or as what `draw` makes of it for a person."""
        if self.json:
            print(json.dumps(result, ensure_ascii=False, default=str))
            return
        from rich.console import Console

        console = Console(highlight=False)
        for part in draw():
            console.print(part)


_settings: ContextVar[Settings] = ContextVar("settings")


def remember(workspace: WorkspaceFlag = None, json: JsonFlag = False, quiet: QuietFlag = False) -> None:
    """Turn a forum's cries for help into tasks, judged answers, numbers and better models."""
    _settings.set(Settings(workspace, json, quiet))


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Add the three flags to a command function and hand it what they and the root's say together."""
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=flag)
        for name, default, flag in _SHARED_FLAGS
    ]
    own = list(inspect.signature(function).parameters.values())[1:]

    @wraps(function)
    def run(**values: Any) -> None:
        before = _settings.get(Settings())
        settings = replace(
            before,
            folder=values.pop("workspace") or before.folder,
            json=values.pop("json") or before.json,
            quiet=values.pop("quiet") or before.quiet,
        )
        function(settings, **values)

    own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    run.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *shared]}
    return run


_SHARED_FLAGS = (("workspace", None, WorkspaceFlag), ("json", False, JsonFlag), ("quiet", False, QuietFlag))


def flag_help(options: str, name: str) -> str:
    """The help of a flag: the docstring under the field of an options model, given as "module:class"."""
    module, _, attribute = options.partition(":")
    field = getattr(import_module(module), attribute).model_fields[name]
    return f"{field.description}" + (f" [{field.default}]" if field.default not in (None, False, ()) else "")


def complain(sentence: str, as_json: bool) -> None:
    """A user's mistake: one line on stderr, and with --json an object on stdout too."""
    print(f"heed: {sentence}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": sentence}, ensure_ascii=False))
