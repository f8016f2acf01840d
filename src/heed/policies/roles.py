"""Who did what to whom, the other way round: the writer and the one other person change places.

Words only, no grammar: "my boss told me that he quits" becomes "I told my boss that I quit". What comes out
reads like a summary and is wrong, which is all that a constructed pair needs. Not for texts about several
people.
"""

import re

_GENDERS = {"he": ("he", "him", "his", "his"), "she": ("she", "her", "her", "hers")}
_WRITER = {"i", "me", "my", "mine", "myself"}
_PEOPLE = (
    "aunt|boss|boyfriend|brother|bf|colleague|coworker|cousin|dad|daughter|doctor|ex|father|fiance|fiancée|"
    "friend|gf|girlfriend|grandfather|grandmother|husband|landlord|manager|mom|mother|mum|neighbor|neighbour|"
    "partner|roommate|sister|son|teacher|uncle|wife"
)
_WORD = re.compile(
    rf"\b(?P<other>my\s+(?:{_PEOPLE}))\b(?!['’]s)|\b(?P<word>I|me|my|mine|myself|he|him|his|himself|she|"
    r"her|hers|herself)\b(?:(?P<gap>\s+|(?=['’]))(?P<verb>am|is|have|has|do|does|['’](?:m|s|ve))\b)?",
    re.IGNORECASE,
)
_VERBS = {"am": "is", "have": "has", "do": "does", "'m": "'s", "'ve": "'s"}
_VERBS |= {"is": "am", "has": "have", "does": "do", "'s": "'m"}
_AFTER_OBJECT = re.compile(
    r"\s*(?:[^\w\s]|$|\s(?:and|or|to|for|in|on|at|but|that|because|when|if|with|about)\b)"
)
_CLAUSE_START = re.compile(
    r"(?:^|[.!?;:,(]|\b(?:and|but|because|that|when|if|so|then|while|after))\s*$", re.I
)


def reverse_roles(text: str) -> str | None:
    """The text with the writer and the other in each other's place; None where it has not both of them."""
    found = list(_WORD.finditer(text))
    pronouns = {match["word"].lower() for match in found if match["word"]}
    genders = [forms for forms in _GENDERS.values() if pronouns & {*forms, f"{forms[1]}self"}]
    others = {" ".join(match["other"].lower().split()) for match in found if match["other"]}
    if not pronouns & _WRITER or len(genders) > 1 or len(others) > 1 or not (genders or others):
        return None
    forms = genders[0] if genders else None
    return _WORD.sub(lambda match: _turned(match, forms, next(iter(others), "")), text)


def _turned(match: re.Match[str], forms: tuple[str, ...] | None, other: str) -> str:
    """One word of the text in the other's place, with the verb that follows it."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    first = bool(_CLAUSE_START.search(before))
    if match["other"]:
        return "I" if first else "me"
    word = match["word"].lower()
    turned = _of_writer(word, forms, other) if word in _WRITER else _of_other(word, after)
    verb = match["verb"]
    if verb:
        turned += match["gap"] + _VERBS.get(verb.lower().replace("’", "'"), verb)
    starts = not before.strip() or before.rstrip()[-1] in ".!?"
    return turned[0].upper() + turned[1:] if starts else turned


def _of_writer(word: str, forms: tuple[str, ...] | None, other: str) -> str:
    if forms is None:
        return other if word in ("i", "me", "myself") else f"{other}'s"
    subject, object_, before_noun, alone = forms
    return {"i": subject, "me": object_, "my": before_noun, "mine": alone}.get(word, f"{object_}self")


def _of_other(word: str, after: str) -> str:
    if word == "her":
        return "me" if _AFTER_OBJECT.match(after) else "my"
    if word == "his":
        return "mine" if _AFTER_OBJECT.match(after) else "my"
    return {"he": "I", "she": "I", "him": "me", "hers": "mine"}.get(word, "myself")
