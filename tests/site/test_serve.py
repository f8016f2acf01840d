import socket

import pytest

from heed.site.serve import running
from heed.workspace import Workspace


def test_a_page_is_sent_without_delay(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Head and body are two small writes; the system must not hold the second back."""
    seen = []
    real = socket.socket.setsockopt

    def note(self: socket.socket, level: int, option: int, value: int) -> None:
        seen.append((level, option, value))
        real(self, level, option, value)

    monkeypatch.setattr(socket.socket, "setsockopt", note)
    with running(workspace) as site:
        host, port = site.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as visitor:
            visitor.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert b'"ok"' in b"".join(iter(lambda: visitor.recv(4096), b""))
    assert (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1) in seen
