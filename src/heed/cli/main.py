"""The command line: a table of command words, each a thin shell over a function that a notebook can call."""

import sys
from importlib import import_module

import typer

from heed.cli.shell import command, complain, remember
from heed.errors import UserError

COMMANDS = {
    "demo": "heed.cli.demo:demo",
    "doctor": "heed.cli.doctor:doctor",
    "sample": "heed.cli.sample:sample",
    "ingest": "heed.cli.ingest:ingest",
    "takedown": "heed.cli.takedown:takedown",
    "explain": "heed.cli.explain:explain",
    "trace": "heed.cli.trace:trace",
    "stats": "heed.cli.stats:stats",
    "report": "heed.cli.report:report",
}


def build_app() -> typer.Typer:
    """The Typer application with every command of the table."""
    app = typer.Typer(
        name="heed", callback=remember, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False
    )
    for word, place in COMMANDS.items():
        module, _, function = place.partition(":")
        app.command(word)(command(getattr(import_module(module), function)))
    return app


def main() -> None:
    """Run one command; a user's mistake is one sentence and exit code 2."""
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    as_json = "--json" in arguments
    try:
        return build_app()(arguments, standalone_mode=False) or 0
    except UserError as error:
        complain(str(error), as_json)
    except typer.TyperException as error:
        complain(_one_sentence(error.format_message()), as_json)
    except (typer.Abort, KeyboardInterrupt):
        complain("Interrupted; what was finished is kept, run the same command again to go on.", as_json)
        return 130
    return 2


def _one_sentence(message: str) -> str:
    words = " ".join(message.split())
    return f"{words.rstrip('.')}. See 'heed --help' or 'heed COMMAND --help'."
