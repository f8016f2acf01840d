"""Simulated labelers: of known skill, bias, speed and drift, at work through the site like anybody else.

They know what a page shows and nothing more. Their invite marks them, and all they say, as simulated.
Not a model of people: a text is better for them when it has more different words.
"""

import html
import math
import random
import re
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from http.client import HTTPException
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode

from heed.errors import UserError
from heed.judging.protocols.marks import PREFIX, marks_to_form
from heed.judging.protocols.protocol import Protocol, Question
from heed.judging.protocols.table import find_protocol

_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
_TEXTS = re.compile(r'<div class="text" id="text-\d">(.*?)</div>', re.DOTALL)
_FORM = re.compile(r'<form id="task".*?</form>', re.DOTALL)
_SECONDS = 60
_MOST_AT_ONCE = 32
_MARKED_SHARE = 0.3


@dataclass(frozen=True)
class Character:
    """How a labeler judges: `skill` weighs the difference of the texts, `bias` pulls to the first shown."""

    skill: float = 2.0
    bias: float = 0.0
    seconds: float = 0.0
    """How long a page takes on average; each takes from half to one and a half of it."""
    drift: float = 0.0
    """What every finished item adds to the skill, or takes from it; skill never goes below 0."""

    def after(self, items: int) -> "Character":
        return replace(self, skill=max(self.skill + self.drift * items, 0.0)) if self.drift else self


class Browser:
    """A client with cookies that follows redirects, and nothing else."""

    def __init__(self, site: str) -> None:
        self._site = site.rstrip("/")
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(cookies)

    def get(self, path: str) -> str:
        return self._open(urllib.request.Request(self._site + path))

    def send(self, path: str, form: dict[str, str]) -> str:
        return self._open(urllib.request.Request(self._site + path, urlencode(form).encode()))

    def _open(self, request: urllib.request.Request) -> str:
        try:
            with self._opener.open(request, timeout=_SECONDS) as answer:
                return str(answer.read().decode())
        except HTTPError as error:
            page = error.read().decode()
            words = re.search(r"<h1>(.*?)</h1>\s*<p>(.*?)</p>", page, re.DOTALL)
            error.close()
            said = html.unescape(" ".join(words.groups())) if words else error.reason
            raise UserError(f"The site refused a simulated labeler: {said}") from None
        except (OSError, HTTPException) as error:
            raise UserError(
                f"There is no site at {self._site} ({error}): start one with 'heed serve'."
            ) from None


def simulate(
    site: str, code: str, invites: list[str], character: Character, seed: int, most: int | None = None
) -> list[int]:
    """One labeler per invite, several at a time; how many items each finished."""
    with ThreadPoolExecutor(min(len(invites), _MOST_AT_ONCE)) as pool:
        jobs = [
            pool.submit(work, site, code, invite, character, random.Random(f"{seed}-{number}"), most)
            for number, invite in enumerate(invites)
        ]
        return [job.result() for job in jobs]


def work(
    site: str, code: str, invite: str, character: Character, rng: random.Random, most: int | None = None
) -> int:
    """Accept the invite, agree, and judge until there is nothing left."""
    browser = Browser(site)
    page = browser.get(invite)
    secret = f"{random.SystemRandom().getrandbits(128):032x}"
    page = browser.send(invite, {**_hidden(page), "name": f"simulated-{secret[:12]}", "password": secret})
    browser.send("/consent", {**_hidden(page), "agree": "yes"})
    done, page = 0, browser.get(f"/work/{code}")
    while (form := _FORM.search(page)) and (most is None or done < most):
        fields = dict(_hidden(form.group()))
        protocol = find_protocol(fields["protocol"])
        texts = [html.unescape(text) for text in _TEXTS.findall(page)]
        answers = fill_in(protocol, fields["stage"], texts, character.after(done), rng)
        if f"{PREFIX}1_words" in form.group() and rng.random() < _MARKED_SHARE:
            answers |= _mark(protocol, texts, rng)
        page = browser.send(f"/work/{code}", {**fields, **answers, **_read_for(character, rng)})
        done += fields["stage"] == protocol.stages[-1].name
    return done


def fill_in(
    protocol: Protocol, stage: str, texts: list[str], character: Character, rng: random.Random
) -> dict[str, str]:
    """The answers of one page: the judgment by the character, the rest at random."""
    here = next(each for each in protocol.stages if each.name == stage)
    answers: dict[str, str] = {}
    for question in here.questions:
        if not question.is_open(answers) or not question.required:
            continue
        if question.edits:
            answers[question.name] = _improve(texts[0])
        elif not question.options:
            answers[question.name] = "As far as a simulated labeler can tell, it says what it says."
        elif question is _leaning(protocol):
            answers[question.name] = _judge(protocol, question, texts, character, rng)
        elif question.scale:
            answers[question.name] = _rate(question, texts[0], character, rng)
        else:
            answers[question.name] = rng.choice(question.options)[0]
    return answers


def _read_for(character: Character, rng: random.Random) -> dict[str, str]:
    """Take the time, and say it as the page's script would."""
    if not character.seconds:
        return {}
    pause = character.seconds * rng.uniform(0.5, 1.5)
    time.sleep(pause)
    return {"seconds": f"{pause:.1f}"}


def quality(text: str) -> float:
    """What these labelers care for: the logarithm of how many different words a text has."""
    return math.log1p(len(set(text.lower().split())))


def _mark(protocol: Protocol, texts: list[str], rng: random.Random) -> dict[str, str]:
    """One word of one text, with one or two kinds of error."""
    number = rng.randrange(len(texts))
    kinds = rng.sample([value for value, _ in protocol.tags], rng.randint(1, 2))
    mark = {"text": number + 1, "start": 0, "words": rng.choice(texts[number].split()), "tags": kinds}
    return marks_to_form([{**mark, "note": "simulated"}])


def _improve(text: str) -> str:
    """Another word that the text does not have: what these labelers care for."""
    number = next(n for n in range(len(text) + 1) if f"simulated-{n}" not in text)
    return f"{text} simulated-{number}"


def _leaning(protocol: Protocol) -> Question | None:
    """The question that decides a comparison; there is none where one text is rated."""
    return (
        None if protocol.source == "single" else next(q for q in protocol.stages[-1].questions if q.options)
    )


def _judge(
    protocol: Protocol, question: Question, texts: list[str], character: Character, rng: random.Random
) -> str:
    """The option nearest to a noisy difference; the noise is logistic, so skill is a log-odds slope."""
    chance = min(max(rng.random(), 1e-9), 1 - 1e-9)
    noise = math.log(chance / (1 - chance))
    felt = character.skill * (quality(texts[0]) - quality(texts[1])) + character.bias + noise
    lean = math.tanh(felt / 2)
    return min(
        (value for value, _ in question.options),
        key=lambda value: abs((protocol.lean({question.name: value}) or 0.0) - lean),
    )


def _rate(question: Question, text: str, character: Character, rng: random.Random) -> str:
    middle = (len(question.options) + 1) / 2
    felt = middle + character.skill * (quality(text) - 3.0) / 2 + rng.gauss(0, 1)
    place = min(max(round(felt), 1), len(question.options))
    return question.options[place - 1][0]


def _hidden(page: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _HIDDEN.findall(page)}
