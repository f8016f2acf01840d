"""The guard around URLs that somebody else typed: only public addresses, only the ports and schemes allowed.

The name is looked up once and every address it has is checked; the connection then goes to the address that
was checked, so that a second, different answer of the name server changes nothing. TLS still checks the name.
"""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import httpcore2

from heed.errors import UserError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
ALLOWED_PORTS = frozenset({443, 8443})
# Addresses inside addresses: what these prefixes carry in their last or middle bits is checked as well.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NAT64_LOCAL = ipaddress.ip_network("64:ff9b:1::/48")


class ForbiddenAddressError(httpcore2.ConnectError):
    """The name leads to an address that must not be called."""


def is_public(address: Address) -> bool:
    """Whether an address is on the public internet, whatever it is wrapped in."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None or address in _NAT64_LOCAL:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def check_url(url: str, *, allow_http: bool = False, ports: frozenset[int] = ALLOWED_PORTS) -> None:
    """Refuse a URL that no submission may have, before anything is looked up."""
    parts = urlsplit(url)
    schemes = ("https", "http") if allow_http else ("https",)
    if parts.scheme not in schemes:
        raise UserError(f"'{url}' must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}.")
    if parts.username or parts.password:
        raise UserError("A URL must not carry a name or password: give the key apart from it.")
    port = _port_of(url)
    if not parts.hostname or (port not in ports and not allow_http):
        raise UserError(f"'{url}' needs a host and one of the ports {', '.join(map(str, sorted(ports)))}.")


def _port_of(url: str) -> int:
    parts = urlsplit(url)
    try:
        return parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise UserError(f"'{url}' has a port that is no port.") from None


class GuardedBackend(httpcore2.NetworkBackend):
    """Connects to the checked address only. `allowed` lets a test or a host's own machines through."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._backend = httpcore2.SyncBackend()
        self._allowed = frozenset(ipaddress.ip_address(address) for address in allowed)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.NetworkStream:
        address = self._checked_address(host, port)
        return self._backend.connect_tcp(str(address), port, timeout, local_address, socket_options)

    def connect_unix_socket(self, path: str, *_: Any, **__: Any) -> httpcore2.NetworkStream:
        raise ForbiddenAddressError(f"{path} is a local socket")

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)

    def _checked_address(self, host: str, port: int) -> Address:
        """The first address of the name, when all of them may be called."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(f"{host} cannot be looked up ({error})") from None
        # A scope (fe80::1%eth0) never belongs to a public address; without it the check sees the address.
        addresses = [ipaddress.ip_address(str(entry[4][0]).split("%")[0]) for entry in found]
        for address in addresses:
            if not is_public(address) and address not in self._allowed:
                raise ForbiddenAddressError(f"{host} leads to {address}, which is not public")
        return addresses[0]
