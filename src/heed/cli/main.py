"""The command line: a table of command words, each a thin shell over a function that a notebook can call."""

import sys
from collections.abc import Iterable
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
    "build advice": "heed.cli.build:build_advice",
    "build cloze": "heed.cli.build:build_cloze",
    "build tldr": "heed.cli.build:build_tldr",
    "build news": "heed.cli.build:build_news",
    "import asq": "heed.cli.imports:import_asq",
    "import tldr": "heed.cli.imports:import_tldr",
    "import news": "heed.cli.imports:import_news",
    "import pairs": "heed.cli.imports:import_pairs",
    "fresh": "heed.cli.fresh:fresh",
    "generate": "heed.cli.generate:generate",
    "serve-policy": "heed.cli.serve_policy:serve_policy",
    "score": "heed.cli.score:score",
    "corruptions": "heed.cli.corruptions:corruptions",
    "study create": "heed.cli.study:create",
    "study add": "heed.cli.study:add",
    "study quote": "heed.cli.study:quote",
    "study open": "heed.cli.study:open_",
    "study pause": "heed.cli.study:pause",
    "study close": "heed.cli.study:close",
    "study status": "heed.cli.study:status",
    "invite": "heed.cli.invite:invite",
    "serve": "heed.cli.serve:serve",
    "simulate": "heed.cli.simulate:simulate",
    "judge": "heed.cli.judge:judge",
    "judgments export": "heed.cli.judgments:export",
    "judgments freeze": "heed.cli.judgments:freeze",
    "store check": "heed.cli.store:check",
    "store backup": "heed.cli.store:backup",
    "store restore": "heed.cli.store:restore",
    "power": "heed.cli.power:power",
    "stats": "heed.cli.stats:stats",
    "report": "heed.cli.report:report",
}
GROUPS = {
    "build": "Make a dataset from a corpus.",
    "import": "Make a dataset of files that somebody else made.",
    "study": "Ask people to judge responses.",
    "judgments": "Take judgments out of the database.",
    "store": "Look after the database.",
}
"""What the help says of the first words of two-word commands."""


def build_app(words: Iterable[str] = COMMANDS) -> typer.Typer:
    """The Typer application with these commands of the table."""
    app = typer.Typer(
        name="heed",
        callback=remember,
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
    )
    groups = {"": app}
    for name in words:
        group, _, word = name.rpartition(" ")
        if group not in groups:
            groups[group] = typer.Typer(help=GROUPS[group], no_args_is_help=True)
            app.add_typer(groups[group], name=group)
        module, _, function = COMMANDS[name].partition(":")
        groups[group].command(word)(command(getattr(import_module(module), function)))
    return app


def main() -> None:
    """Run one command; a user's mistake is one sentence and exit code 2."""
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    as_json = "--json" in arguments
    try:
        # Only the commands that are named are loaded; with none, all are, for the help and its suggestions.
        words = [name for name in COMMANDS if name.split()[0] in arguments] or COMMANDS
        return build_app(words)(arguments, standalone_mode=False) or 0
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
