"""Labelers for a load test: one process, asyncio, HTTP by hand, so that the site gets most of the machine."""

import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

ANSWERS = {"preference": "slightly_a", "rating": "dangerous", "usefulness": "never"}
MOST_SECONDS = 180
_HIDDEN = re.compile(rb'<input type="hidden" name="(\w+)" value="([^"]*)"')


@dataclass(frozen=True)
class Labeler:
    """Somebody who is signed in: where they work, and their cookie."""

    code: str
    cookie: str


@dataclass
class Measured:
    """Milliseconds of every request by kind, and the tokens of the answers that the site acknowledged."""

    milliseconds: dict[str, list[float]] = field(default_factory=lambda: {"next": [], "submit": []})
    saved: list[str] = field(default_factory=list)
    refused: int = 0
    seconds: float = 0.0

    def percentile(self, kind: str, share: float) -> float:
        ordered = sorted(self.milliseconds[kind])
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


class Connection:
    """One keep-alive connection with a cookie; opened again when the site has closed it."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port, self._cookie = port, cookie
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Status and body."""
        if self._streams is None or self._streams[0].at_eof():
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Cookie: heed_session={self._cookie}"]
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}", "", ""]
        writer.write("\r\n".join(lines).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        return int(head[9:12]), await reader.readexactly(length)


async def labelers_at_work(port: int, labelers: list[Labeler], pause: tuple[float, float] | None) -> Measured:
    """Everybody works until there is nothing left for them."""
    measured, ended = Measured(), time.monotonic() + MOST_SECONDS
    began = time.perf_counter()
    await asyncio.gather(
        *(
            _work(port, labeler, pause, measured, random.Random(n), ended)
            for n, labeler in enumerate(labelers)
        )
    )
    measured.seconds = time.perf_counter() - began
    return measured


async def _work(
    port: int,
    labeler: Labeler,
    pause: tuple[float, float] | None,
    measured: Measured,
    dice: random.Random,
    ended: float,
) -> None:
    connection, path = Connection(port, labeler.cookie), f"/work/{labeler.code}"
    if pause:
        await asyncio.sleep(dice.uniform(0, pause[1]))  # people do not all come in one moment
    while time.monotonic() < ended:
        _, page = await _timed(measured, "next", connection, "GET", path)
        place = page.find(b'<form id="task"')
        if place < 0:
            return
        form = dict(_HIDDEN.findall(page[place : page.index(b"</form>", place)]))
        if pause:
            await asyncio.sleep(dice.uniform(*pause))
        fields = {name.decode(): value.decode() for name, value in form.items()}
        body = urlencode({**fields, "seconds": "2", **ANSWERS}).encode()
        status, _ = await _timed(measured, "submit", connection, "POST", path, body)
        if status == 303:
            measured.saved.append(fields["task"])
        else:
            measured.refused += 1


async def _timed(
    measured: Measured, kind: str, connection: Connection, method: str, path: str, body: bytes = b""
) -> tuple[int, bytes]:
    began = time.perf_counter()
    answer = await connection.ask(method, path, body)
    measured.milliseconds[kind].append(1_000 * (time.perf_counter() - began))
    return answer
