"""What a forum's words give away: update and meta titles, links, sensitive topics, talk about other comments.

Each function returns the matched words (the evidence) or None. Thresholds and lists are options, not here.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

_DASH = "[-–—:|/]"
_UPDATE_KIND = (
    r"(?:(?:final|small|quick|minor|mini|last|short|big|huge|another|second|third|an?|my|the|long|very|semi"
    r"|hopefully|possibly|grand)[\s?*-]+)*"
)
_UPDATE_TITLE = re.compile(
    rf"""
    ^\W*{_UPDATE_KIND}updated?\W*(?:[(\[]?\#?\d+[)\]]?)?\W*$            # nothing but the word
    | ^\W*{_UPDATE_KIND}update[sd]?\s*(?:\#?\d+\s*)?(?:[:\]\)!,.*]|{_DASH}\s|[-–—]+)  # Update 2 - …
    | ^\W*{_UPDATE_KIND}updates?\s+(?:on\b|\w+:|to:|to\s+post\b)              # Update on …, Update inside: …
    | ^\W*{_UPDATE_KIND}updates?\s+(?:to|re|regarding|about|for|from)\s+
      (?:my|our|the|this|that|a|previous|last|earlier|yesterday|every\w+|"|')\b   # Update to my …
    | ^\W*[\[({{][^\])}}]{{0,40}}\bupdated?\b[^\])}}]{{0,25}}[\])}}]         # [Abusive boss update] …
    | [\[({{<*]+\s*{_UPDATE_KIND}updated?\b[^\])}}>]{{0,25}}[\])}}>*]          # [UPDATE], (small update 2)
    | ^\W*\w{{1,6}}[ -]?update: | ^\W*tifupdate                             # TIFUpdate …
    | (?:{_DASH}|[,.!?])\s*{_UPDATE_KIND}updated?\s*\#?\d*\W*$               # … - update
    | [.!?]\s+update\s*[:!]                                                # … . Update: she left me
    | \b(?:here'?s|a\s+bit\s+of|long[- ]awaited|^with)\s+(?:\w+\s+){{0,2}}update\b   # here's a fun update
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LOUD_UPDATE = re.compile(
    r"^\W*UPDATED?\b(?!\s+[A-Z]{2,})|\bUPDATED?\s*(?:[:!]|[-–—])|[.!?,–—-]\s*UPDATED?\b"
    r"|[a-z]\w*\s+UPDATE\W*$|\bUPDATE\d"
)
_META_TITLE = re.compile(
    r"[\[({<*]\s*meta\b[^\])}>]{0,25}[\])}>*]|^\W*meta\s*(?::|[-–—]+\s|$)"
    r"|^\W*meta[ -](?:post|thread|discussion|question)\b",
    re.IGNORECASE,
)
_LOUD_META = re.compile(r"\bMETA\b(?!\s+[A-Z]{2,})")
# Talk about the forum itself, in the title: its rules, its moderators, the sub, a kind of posts.
_SUB = r"(?:(?:this|the|our)\s+(?:sub(?:reddit)?|forum|community))"
_MATTER = r"(?:rules?|posts|threads?|mods?|moderat\w+|ban(?:ned)?|faq|flairs?|downvot\w+)"
_FORUM_TITLE = re.compile(
    rf"""
    \b(?:a|an)\s+\w+\s+sub(?:reddit)?\b
    | (?<!\bif\s)\b{_SUB}\s+(?:is|isn't|has|hasn't|needs?|should|used|was|will)\b
    | \b{_MATTER}\b.{{0,40}}\b{_SUB}\b | \b{_SUB}\b.{{0,40}}\b{_MATTER}\b
    | \boff\s+{_SUB}\b
    | \b(?:the|our|dear|hey|attention)\s+mod(?:erator)?s\b
    | \b(?:sub(?:reddit)?|forum|posting)\s+rules?\b
    | \brules?\s+(?:of|on|in|for|about)\s+(?:posting|deleting|posts)
    | \b(?:can|could)\s+we\s+(?:please\s+)?(?:talk\s+about|change|have|get|stop|ban)\b
      .*\b(?:rules?|posts?|mods?|weekly\s+thread|megathread)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LINK = re.compile(
    r"https?://\S+|\bwww\.\w[\w.-]*\.\w{2,}\S*|\[[^\]\n]*\]\s?\((?:[/#]|\w+[:.])[^)\s]*[^)]*\)"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|co\.uk|be|ly|me|gl|it)/\w\S*",
    re.IGNORECASE,
)
_SAYING = r"(?:has|have|had|said|say|says|mentioned|suggested|wrote|pointed|are\s+saying|is\s+saying|already)"
_OTHERS = re.compile(
    rf"""
    # the other comments, the two top replies
    \b(?:(?<!few\s)other|top|first|second|above|previous|many|most|all|these|some\s+of\s+the(?:se)?)\s+(?:of\s+the(?:se)?\s+)?
      (?:comment(?:er|or|ator)?s?|repl(?:y|ies)|posters?|redditors?|responses|responders?)\b
    | \bcommen(?:ter|tor|tator)s?\b
    | \b(?:top|first)[ -](?:rated\s+|voted\s+)?comments?\b
    | \bcomments?\s+(?:above|below|here|in\s+this)\b | \bin\s+the\s+comments\b
    # as others said; listen to everyone here
    | \b(?:as|like|what)\s+(?:(?:the|all|many|most|several|some)\s+)*(?:of\s+the\s+)?
      (?:(?:others?|every(?:one|body)(?:\s+else)?)|(?:people|folks)\s+(?:(?:on\s+)?here|above))\s+
      (?:(?:on\s+)?here\s+|above\s+)?{_SAYING}\b
    | \b(?:listen\s+to|(?:agree\s+with|echo(?:ing)?|second(?:ing)?)(?:\s+what)?)
      \s+(?:(?:the|all|many|most|several|some)\s+)*(?:of\s+the\s+)?
      (?:others?|every(?:one|body)(?:\s+else)?|people(?!\s*[,.:;!]|$)|folks(?!\s*[,.:;!]|$))\b
      (?=\s+(?:here|above|below|in\s+th(?:is|e)|on\s+here|about|{_SAYING})|\s*[,.:;!]|$)
    | \b(?:every(?:one|body)(?:\s+else)?|others|lots?\s+of\s+people)\s+
      (?:(?:on\s+|in\s+)?(?:above|below|this\s+thread)|(?:on|in)\s+here
        # "here" alone may be a town or a school
        |here\s+(?:{_SAYING}|agrees?|seems?|thinks?|(?:is|are)\s+(?:in\s+agreement|right|wrong|telling)))\b
    | \b(?:people|folks|many)\s+(?:on\s+|in\s+)?(?:here|above|below)\s+(?:{_SAYING}|are\s+right)\b
    | \b(?:as|like|what)\s+(?:(?:some|many|several|most|the|all)\s+)*other\s+(?:people|folks|users)\s+
      (?:have\s+|already\s+)*(?:said|mentioned|suggested|pointed|noted|commented)\b
    | \b(?:as|like)\s+(?:it\s+)?(?:was|has\s+been)\s+
      (?:already\s+)?(?:said|mentioned|suggested|pointed\s+out)\b
    | \bothers\s+(?:have|had)\s+(?:already\s+)?(?:said|mentioned|suggested|pointed|covered|noted|stated|given)
    | \b(?:in|on|reading|of)\s+this\s+thread\b
    # the asker in the third person: written to the other commenters
    | \bOP'?s?\s+(?:is|was|should|needs|has|said)\b
    | (?:^|[\s(/])/?u/[A-Za-z0-9_-]{{3,}}
    | ^\W*(?:this|ditto|agreed|seconded)\W*(?:$|\n)
    | \b(?:i'?m\s+with|agree\s+with|piggyback\w*\s+(?:on|off)|to\s+add\s+to)\s+
      (?:the\s+(?:others|rest)|others|the\s+person|this\s+(?:guy|person))\b
    | \bthe\s+(?:person|guy|poster|people|comment|reply|redditors?)\s+(?:above|below)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def find_update(title: str) -> str | None:
    """The words that make this title one of an update to an older post."""
    return _first(title, _UPDATE_TITLE, _LOUD_UPDATE)


def find_meta(title: str) -> str | None:
    """The words that make this title one about the forum itself."""
    return _first(title, _META_TITLE, _LOUD_META, _FORUM_TITLE)


def find_link(text: str) -> str | None:
    return _first(text, _LINK)


def find_others(text: str) -> str | None:
    """The words by which a comment leans on other comments."""
    return _first(text, _OTHERS)


def find_words(text: str, words: Iterable[str], harmless: Iterable[str] = ()) -> str | None:
    """The first of these words and phrases that occurs as a whole, outside the harmless phrases."""
    pattern, aside = _whole_words(tuple(words)), _whole_words(tuple(harmless))
    return _first(aside.sub(" ", text) if aside else text, pattern) if pattern else None


def find_all_words(text: str, words: Iterable[str]) -> list[str]:
    """Every occurrence of these words, in order."""
    pattern = _whole_words(tuple(words))
    return pattern.findall(text) if pattern else []


@lru_cache(maxsize=64)
def _whole_words(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """`suicid*` stands for every word that begins so; a space for any space or hyphen."""
    if not words:
        return None
    parts = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]+") for word in words]
    return re.compile(rf"\b(?:{'|'.join(parts)})\b", re.IGNORECASE)


def _first(text: str, *patterns: re.Pattern[str]) -> str | None:
    for pattern in patterns:
        if match := pattern.search(text):
            return f"“{match.group().strip()[:80]}”"
    return None
