import pytest

from heed.errors import NotFoundError
from heed.judging.instructions import read_instructions
from heed.judging.protocols.protocol import AnswerError, check_answers
from heed.judging.protocols.table import PROTOCOLS, find_protocol


@pytest.mark.parametrize(
    ("preference", "strength"),
    [("definitely_a", 1.0), ("slightly_a", 0.5), ("slightly_b", -0.5), ("definitely_b", -1.0)],
)
@pytest.mark.parametrize("first", ["a", "b"])
def test_helpfulness_sees_from_a(preference: str, strength: float, first: str) -> None:
    protocol = find_protocol("helpfulness")
    seen = strength if first == "a" else -strength
    assert protocol.decide({"preference": preference}, first) == ("a" if seen > 0 else "b", seen)


@pytest.mark.parametrize(
    ("point", "choice", "strength"), [(1, "a", 1.0), (4, "a", 0.25), (5, "tie", 0.0), (9, "b", -1.0)]
)
def test_comparison_has_nine_points(point: int, choice: str, strength: float) -> None:
    protocol = find_protocol("comparison")
    answers = check_answers(protocol.stages[1], {"preference": str(point)})
    assert protocol.decide(answers, "a") == (choice, strength)


def test_comparison_hides_the_post_at_first() -> None:
    first, second = find_protocol("comparison").stages
    assert (first.shows_situation, second.shows_situation) == (False, True)
    with pytest.raises(AnswerError, match="summary B"):
        check_answers(first, {"interpretation_a": "Somebody lost a key."})


def test_the_reason_follows_the_rating() -> None:
    protocol = find_protocol("helpfulness")
    form = {
        "preference": "slightly_a",
        "rating": "slightly_helpful",
        "reason": "writing",
        "usefulness": "never",
    }
    answers = check_answers(protocol.stages[0], form)
    assert protocol.to_frozen(answers, "a")["reason"] == "writing"
    form |= {"rating": "dangerous"}
    answers = check_answers(protocol.stages[0], form)
    assert protocol.to_frozen(answers, "a")["reason"] == "never"
    assert "usefulness" not in protocol.to_frozen(answers, "a")


def test_plausibility_gives_the_letters_to_the_right_question() -> None:
    protocol = find_protocol("plausibility")
    answers = check_answers(
        protocol.stages[0], {"likelier": "b", "fit_a": "E", "fit_b": "L", "comment": "hm"}
    )
    assert protocol.decide(answers, "b") == ("a", 1.0)
    frozen = protocol.to_frozen(answers, "b")
    assert frozen == {"likelier": "b", "comment": "hm", "actual": "L", "alternative": "E"}


def test_axes_compare_nothing() -> None:
    protocol = find_protocol("axes")
    assert protocol.decide({"overall": 3}, "a") == ("none", 0.0)
    assert check_answers(protocol.stages[0], {"coherence": "7"}) == {"coherence": 7}


def test_every_problem_has_its_sentence() -> None:
    stage = find_protocol("helpfulness").stages[0]
    form = {"preference": "10", "rating": "dangerous", "interpretation_a": "x", "comment": "x" * 20_001}
    with pytest.raises(AnswerError) as caught:
        check_answers(stage, form)
    assert caught.value.problems == [
        "This form has no question 'interpretation_a'.",
        "'10' is not one of the answers to: Which advice is more helpful?",
        "Please answer: Could the worse one help anybody, in another situation?",
        "A text has at most 20,000 characters; this one has 20,001: Anything to add about this item?",
    ]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_form_is_whole(name: str) -> None:
    protocol = find_protocol(name)
    names = [question.name for stage in protocol.stages for question in stage.questions]
    assert protocol.name == name
    assert {"concern", "explanation"} <= set(names)
    assert len(names) == len(set(names))
    assert read_instructions(name).version.startswith(f"{name}-")


HEADINGS = ("# ", "## What counts, by weight", "## Rubric", "## Worked examples", "## Words you may meet")
HEADINGS += ("## Questions",)


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("news", [False, True])
def test_instructions_are_whole(name: str, news: bool) -> None:
    """Weighted dimensions, rubrics, examples, a glossary and questions, and no table that breaks."""
    instructions = read_instructions(name, news=news)
    lines = instructions.text.splitlines()
    assert [heading for heading in HEADINGS if not any(line.startswith(heading) for line in lines)] == []
    examples = instructions.text.split("## Worked examples")[1].split("\n## ")[0]
    assert sum(line.startswith("- *") for line in examples.splitlines()) >= 4
    assert sum(line.startswith("- **") for line in lines) >= 5
    special = news and name in ("comparison", "axes")
    assert (f"{name}_news-" in instructions.version) == special
    assert (" article" in lines[2]) == (special or name == "edit")
    rows = [line for line in lines if line.startswith("|")]
    assert [row for row in rows if not row.endswith("|")] == []


def test_news_speak_of_an_article() -> None:
    for name in PROTOCOLS:
        asked = find_protocol(name).about("article")
        words = [asked.situation_name, *(q.words for stage in asked.stages for q in stage.questions)]
        assert [each for each in words if "post" in each] == []
    assert find_protocol("comparison").about("article").stages[1].questions[0].words == (
        "Now that you know the article: which summary is better?"
    )


def test_no_such_protocol() -> None:
    with pytest.raises(NotFoundError, match="known are helpfulness"):
        find_protocol("taste")
