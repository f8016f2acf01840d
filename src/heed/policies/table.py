"""The table of policies, and how a spec such as `lead:3`, `lm:smollm2` or `best_of:16` becomes one."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from heed.errors import UserError
from heed.policies.policy import Decoding, Policy
from heed.workspace import Artifact, Workspace


@dataclass(frozen=True)
class Setting:
    """What a policy may need besides its argument; `dataset` is None when it only serves."""

    workspace: Workspace
    dataset: Artifact | None
    decoding: Decoding
    format: str | None = None
    scorer: str | None = None


Opener = Callable[[str, Setting], Policy]

# The word before the colon -> what opens it. What follows the colon is the opener's argument.
POLICIES = {
    "template": "heed.policies.template:open_template",
    "tfidf": "heed.policies.retrieval:open_tfidf",
    "reference": "heed.policies.people:open_reference",
    "second_best": "heed.policies.people:open_second_best",
    "title": "heed.policies.extract:open_title",
    "lead": "heed.policies.extract:open_lead",
    "random": "heed.policies.extract:open_random",
    "lm": "heed.policies.lm:open_lm",
    "endpoint": "heed.policies.endpoint:open_endpoint",
    "askbatch": "heed.policies.askbatch:open_askbatch",
    "best_of": "heed.policies.best_of:open_best_of",
    "echo": "heed.policies.echo:open_echo",
    "similarity": "heed.policies.similarity:open_similarity",
    "encoder": "heed.policies.similarity:open_encoder",
}


def open_policy(spec: str, setting: Setting) -> Policy:
    """The policy that a spec names."""
    word, _, argument = spec.partition(":")
    if word not in POLICIES:
        close = difflib.get_close_matches(word, POLICIES, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(POLICIES)}."
        raise UserError(f"There is no policy '{word}': {hint}")
    module, _, function = POLICIES[word].partition(":")
    opener: Opener = getattr(import_module(module), function)
    return opener(argument, setting)


def whole_number(spec: str, argument: str, default: int | None = None) -> int:
    """The number behind a colon."""
    if not argument and default is not None:
        return default
    if not argument.isdigit() or int(argument) < 1:
        raise UserError(f"'{spec}' needs a whole number of at least 1 after the colon, such as {spec}:3.")
    return int(argument)
