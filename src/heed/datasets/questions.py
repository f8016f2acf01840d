"""Sentences and questions: which sentences ask, which questions can stand as answers, what is left of a post.

The word lists are the paper's (Asking the Right Question, section 3.1 and footnotes 7 and 10). Tokens are
spaCy's without white space: under that count the released narratives have exactly 50 to 300 tokens.
"""

import re
from collections.abc import Iterator

from heed.datasets.cleaning import is_separator

# A sentence that opens with one of these asks, even without a question mark (footnote 7).
ASKING_WORDS = frozenset(
    ["why", "how", "am", "is", "are", "do", "does", "did", "can", "could", "should", "would"]
)
# A question that can be an answer opens with one of these (footnote 10) or asks for help in so many words.
INTERROGATIVES = frozenset([
    "what", "when", "why", "where", "which", "who", "whom", "whose", "how", "am", "is", "are",
    "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "shall", "should",
    "will", "would", "may", "might", "must",
])  # fmt: skip
OPENINGS = INTERROGATIVES | frozenset(["any", "anyone", "help", "advice", "thoughts"])

_ABBREVIATIONS = frozenset([
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "eg", "ie", "approx", "no",
    "inc", "jr", "sr", "a.m", "p.m", "u.s",
])  # fmt: skip
_END = re.compile(
    r"[.!?…]+[\"'”’)\]*_]*(?=\s|$)|[?!]+(?=[A-Z])|(?<=[a-z)])\.(?=(?:[A-Z][a-z]+|I)[ '’])"
    r"|\n\s*\n|\n(?=\s*(?:[-*•>]|\d+[.)])\s)|\n"
)
_LEAD = re.compile(r"^[\s\\\"'“”‘’*_>#•~(\[{-]*(?:\d+\\?[.)]+[*_]*\s+)?[\"'“*_(\[]*")
_LIST_NUMBER = re.compile(r"[\s\\*_>#(\[-]*\d{1,2}\\?")
_TRAIL = "\"'”’)]}*_~ \t"
_FIRST_WORD = re.compile(r"([A-Za-z]+)(?:['’]([A-Za-z]+))?")
# Contractions count as their first word, with or without the apostrophe: What's, whats, Shouldn't, dont.
_ENDINGS = re.compile(r"(?:nt|s|re|d|ll|ve)$")
_BARE = frozenset([
    "whats", "whos", "hows", "whens", "wheres", "whys", "whatre", "isnt", "arent", "wasnt",
    "werent", "dont", "doesnt", "didnt", "hasnt", "havent", "hadnt", "cant", "couldnt", "shouldnt",
    "wont", "wouldnt", "mightnt", "mustnt",
])  # fmt: skip
_RELATIVE = re.compile(r"which\s+(?:i|he|she|we|they|means|makes|made|leads|brings)\b", re.IGNORECASE)
_IRREGULAR = {"can't": "can", "cant": "can", "won't": "will", "wont": "will", "shan't": "shall"}


def split_sentences(text: str) -> Iterator[str]:
    """Sentences as a reader hears them; a line break ends one too. Abbreviations and initials end none."""
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.end()]
        if (
            _in_address(text, match)
            or _goes_on(text, match)
            or _ends_in_abbreviation(text[start : match.start()], match.group())
        ):
            continue
        if piece.strip():
            yield piece.strip()
        start = match.end()
    if text[start:].strip():
        yield text[start:].strip()


def is_asking(sentence: str) -> bool:
    """Whether a sentence must not stay in a narrative."""
    match = _FIRST_WORD.match(_LEAD.sub("", sentence))
    # The whole word: "Don't get me wrong" tells, it does not ask, and the released narratives keep it.
    return ends_in_question(sentence) or (match is not None and match.group().lower() in ASKING_WORDS)


def ends_in_question(sentence: str) -> bool:
    return sentence.rstrip(_TRAIL).rstrip("!.").endswith("?")


def opens_as_question(sentence: str) -> bool:
    """Whether a question can be an answer by its opening; "Which I think is fine?" goes on with a thought."""
    return find_first_word(sentence) in OPENINGS and not _RELATIVE.match(_LEAD.sub("", sentence))


def find_first_word(sentence: str) -> str:
    """The first word in small letters; of a contraction, its first part."""
    match = _FIRST_WORD.match(_LEAD.sub("", sentence))
    if not match:
        return ""
    word = match.group().lower().replace("’", "'")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _BARE:
        return _ENDINGS.sub("", word)
    stem = match.group(1).lower()
    return stem[:-1] if match.group(2) == "t" and stem.endswith("n") else stem


def strip_questions(text: str) -> str:
    """The text without the sentences that ask; again and again, since joined pieces may form a new one."""
    while True:
        lines = [_strip_line(line) for line in text.split("\n") if not is_separator(line)]
        kept = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
        if kept == text:
            return kept
        text = kept


def tidy_question(sentence: str) -> str:
    """The question without quotes, bullets and markup around it, with one question mark."""
    whole = re.sub(r"\s+", " ", _LEAD.sub("", sentence))
    words = re.sub(r"[?!.]*\?[?!.]*$", "?", whole.rstrip(_TRAIL)).replace("**", "").strip()
    closes = words.count("(") > words.count(")") and ")" in whole[len(whole.rstrip(_TRAIL)) :]
    return words + ")" * closes


def _strip_line(line: str) -> str:
    return " ".join(sentence for sentence in split_sentences(line) if not is_asking(sentence))


def _in_address(text: str, match: re.Match[str]) -> bool:
    """The "?" of "example.org/find?Page=2" asks nothing."""
    if match.group().isspace() or not text[match.end() : match.end() + 1].strip():
        return False
    word = re.split(r"\s", text[max(0, match.start() - 300) : match.start()])[-1]
    return "://" in word or "www." in word


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """ "(really?) and", "'what?' he said" and "so... how" go on in small letters: no sentence ends there."""
    inside = match.group()[-1] in "\"'”’)]" or match.group().startswith(("..", "…"))
    after = text[match.end() :].lstrip(" \t\xa0\u200b")[:1]
    return inside and after.islower()


def _ends_in_abbreviation(before: str, end: str) -> bool:
    """Or in a list's number: "2. Some other way?" is one sentence."""
    if end.rstrip("*_)") == "." and _LIST_NUMBER.fullmatch(before):
        return True
    if end != "." or not before.split():
        return False
    word = before.rsplit(maxsplit=1)[-1].lstrip("(\"'“").lower()
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i")
