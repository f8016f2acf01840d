"""The protocols by name: adding one is a file, a line here, instructions, a test and a docs line."""

from importlib import import_module

from heed.errors import NotFoundError
from heed.judging.protocols.protocol import Protocol
from heed.store.studies import Study

PROTOCOLS = {
    "helpfulness": "heed.judging.protocols.helpfulness:HELPFULNESS",
    "comparison": "heed.judging.protocols.comparison:COMPARISON",
    "plausibility": "heed.judging.protocols.plausibility:PLAUSIBILITY",
    "axes": "heed.judging.protocols.axes:AXES",
    "edit": "heed.judging.protocols.edit:EDIT",
}


def find_protocol(name: str) -> Protocol:
    if name not in PROTOCOLS:
        raise NotFoundError(f"There is no protocol '{name}': known are {', '.join(PROTOCOLS)}.")
    module, _, attribute = PROTOCOLS[name].partition(":")
    found: Protocol = getattr(import_module(module), attribute)
    return found


def protocol_of(study: Study) -> Protocol:
    """The protocol as this study asks it."""
    found = find_protocol(study.protocol)
    if study.options.get("about") == "news":
        found = found.about("article")
    return found.tagged() if study.options.get("tags") else found
