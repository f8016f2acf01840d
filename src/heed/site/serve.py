"""Runs a web application on this machine until it is interrupted."""

import errno
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from heed.errors import BusyError, UserError
from heed.workspace import Workspace

if TYPE_CHECKING:
    from fastapi import FastAPI


def serve(workspace: Workspace, port: int, host: str = "127.0.0.1") -> None:
    """The site over one workspace, until Ctrl-C."""
    from heed.site.app import create_app

    serve_app(create_app(workspace), port, host)


def serve_app(app: "FastAPI", port: int, host: str = "127.0.0.1") -> None:
    """Any application, until Ctrl-C; a port that is taken is said before anything starts."""
    import uvicorn

    with _listen(host, port) as listener:
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


@contextmanager
def running(workspace: Workspace) -> Iterator[str]:
    """The site on a free port of this machine for as long as the block lasts; its address."""
    from heed.site.app import create_app

    with running_app(create_app(workspace)) as address:
        yield address


@contextmanager
def running_app(app: "FastAPI") -> Iterator[str]:
    """Any application, in the same way."""
    import uvicorn

    with _listen("127.0.0.1", 0) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def _listen(host: str, port: int) -> socket.socket:
    # Named TCP, because only then asyncio turns off the delay of small writes, 40 ms for every page.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BusyError(f"Port {port} is taken: choose another with --port.") from None
        raise UserError(f"The site cannot listen on {host}:{port} ({error.strerror}).") from None
    return listener
