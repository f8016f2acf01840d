"""Runs the site on this machine until it is interrupted."""

import errno
import socket

from heed.errors import BusyError, UserError
from heed.workspace import Workspace


def serve(workspace: Workspace, port: int, host: str = "127.0.0.1") -> None:
    """Serve until Ctrl-C; a port that is taken is said before anything starts."""
    import uvicorn

    from heed.site.app import create_app

    with _listen(host, port) as listener:
        config = uvicorn.Config(create_app(workspace), log_level="warning")
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BusyError(f"Port {port} is taken: choose another with --port.") from None
        raise UserError(f"The site cannot listen on {host}:{port} ({error.strerror}).") from None
    return listener
