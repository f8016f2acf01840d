import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.corpus.blocks import Block
from heed.corpus.search import LineSearch, subreddit_names
from heed.errors import UserError

NAMES = ["Advice", "advice", "ADVICE", "Adviceanimals", "love", "tech_support", "u_somebody", "reddit.com"]


def found(lines: list[bytes], wanted: list[str]) -> list[bytes]:
    data = b"\n".join(lines) + b"\n"
    block = Block(b"before\n" + data, 7, 7 + len(data))
    return [line for _, line in LineSearch("subreddit", subreddit_names(wanted)).lines(block)]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.text(max_size=30), st.booleans(), st.sampled_from(NAMES)),
        max_size=20,
    ),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
)
def test_no_wanted_line_is_missed(rows: list[tuple[str, str, bool, str]], wanted: list[str]) -> None:
    """Against the plain way: parse every line and compare the name."""
    lines = []
    for subreddit, text, spaced, parent in rows:
        row = {"body": text, "subreddit": subreddit, "crosspost": [{"subreddit": parent}]}
        lines.append(json.dumps(row, separators=None if spaced else (",", ":")).encode())
    names = subreddit_names(wanted)
    about = [line for line in lines if json.loads(line)["subreddit"].lower() in names]
    candidates = found(lines, wanted)
    assert [line for line in candidates if json.loads(line)["subreddit"].lower() in names] == about
    assert len(candidates) <= len(lines)


def test_a_name_inside_another_name_or_text_is_no_match() -> None:
    lines = [b'{"subreddit":"Adviceanimals"}', b'{"body":"\\"subreddit\\":\\"advice\\"","subreddit":"love"}']
    assert found(lines, ["advice"]) == []


def test_names_are_checked() -> None:
    assert subreddit_names(["r/Advice", "/r/LOVE ", "reddit.com"]) == {"advice", "love", "reddit.com"}
    with pytest.raises(UserError, match="not a subreddit's name"):
        subreddit_names(["two words"])
