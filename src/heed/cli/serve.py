"""`heed serve`: the site."""

from typing import Annotated

import typer

from heed.cli.shell import Settings


def serve(
    settings: Settings,
    port: Annotated[int, typer.Option(help="Where the site listens.")] = 8765,
    host: Annotated[str, typer.Option(help="The address it listens on.")] = "127.0.0.1",
) -> None:
    """Serve the site until interrupted; put a proxy with TLS in front of it on a public machine."""
    from heed.site.serve import serve as run

    settings.progress.print(f"The site: http://{host}:{port}  (Ctrl-C ends it)")
    run(settings.workspace, port, host)
