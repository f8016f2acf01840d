import ipaddress
import socket
from pathlib import Path
from typing import Any

import httpcore2
import pytest

from heed.errors import UserError
from heed.net.caller import Caller, CallError, CallOptions
from heed.net.guard import ForbiddenAddressError, GuardedBackend, check_url, is_public
from heed.net.keys import key_for, origin_of
from heed.workspace import Workspace

INSIDE = [
    "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::1",
    "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::",
    "2001:0:53aa:64c:0:1:2:3", "2001:db8::1",
]  # fmt: skip
OUTSIDE = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_that_are_not_public_are_known(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", OUTSIDE)
def test_public_addresses_pass(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def answering(*addresses: str) -> Any:
    """A name server's answer; each call gives the next list."""
    answers = iter(addresses)

    def getaddrinfo(_host: str, port: int, **_: Any) -> list[Any]:
        return [(2, 1, 6, "", (address, port)) for address in next(answers).split()]

    return getaddrinfo


@pytest.mark.parametrize("answer", ["10.0.0.1", "1.1.1.1 127.0.0.1", "fe80::1%eth0"])
def test_one_inside_address_among_the_answers_is_enough_to_refuse(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", answering(answer))
    with Caller(CallOptions(tries=1), GuardedBackend()) as caller, pytest.raises(CallError) as error:
        caller.post("https://innocent.example/v1", {})
    assert error.value.reason == "forbidden"


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that changes its answer between check and connection (DNS rebinding) gains nothing."""
    monkeypatch.setattr(socket, "getaddrinfo", answering("1.1.1.1", "127.0.0.1"))
    called: list[str] = []

    def connect(_self: Any, host: str, *_: Any, **__: Any) -> Any:
        called.append(host)
        raise httpcore2.ConnectError("stop here")

    monkeypatch.setattr(httpcore2.SyncBackend, "connect_tcp", connect)
    with Caller(CallOptions(tries=1), GuardedBackend()) as caller, pytest.raises(CallError):
        caller.post("https://rebinding.example/v1", {})
    assert called == ["1.1.1.1"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "2130706433", "0x7f.1", "0177.0.0.1"])
def test_every_spelling_of_this_machine_is_refused(host: str) -> None:
    with (
        Caller(CallOptions(tries=1, timeout=2), GuardedBackend()) as caller,
        pytest.raises(CallError) as error,
    ):
        caller.post(f"http://{host}:9/v1", {})
    assert error.value.reason in ("forbidden", "refused")
    assert error.value.reason == "forbidden" or "looked up" in str(error.value)


def test_a_local_socket_is_refused() -> None:
    with pytest.raises(ForbiddenAddressError):
        GuardedBackend().connect_unix_socket("/run/x.sock")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/v1",
        "ftp://a.example",
        "https://u:p@a.example",
        "https://a.example:22",
        "https:///v1",
        "x",
    ],
)
def test_urls_that_no_submission_may_have(url: str) -> None:
    with pytest.raises(UserError):
        check_url(url)
    check_url("https://a.example/v1")


def test_keys_go_to_their_own_origin_only(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEED_ENDPOINT_KEY", raising=False)
    secrets: Path = workspace.folder("secrets")
    (secrets / "keys.toml").write_text('"https://API.example" = "k1"\n')
    assert key_for("https://api.example/v1/chat", workspace) == "k1"
    assert key_for("https://api.example.evil/v1", workspace) is None
    assert key_for("http://api.example/v1", workspace) is None
    assert origin_of("https://u:p@Host:8443/x") == "https://host:8443"
    (secrets / "keys.toml").write_text("not toml")
    with pytest.raises(UserError, match="not valid TOML"):
        key_for("https://api.example", workspace)
