"""The options of `heed ingest`, apart from the work, so that `--help` need not load it."""

from pydantic import Field

from heed.options import Options


class IngestOptions(Options):
    """What to keep of the dumps, and how to lay it out."""

    subreddits: tuple[str, ...] = ()
    """Keep these subreddits only, in any case, with or without r/."""

    all: bool = False
    """Keep every subreddit."""

    into: str = Field(default="main", pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")
    """The corpus to add to; it is made when it does not exist."""

    buckets: int = Field(default=32, ge=1, le=9999)
    """How many buckets a new corpus has: one bucket is one unit of work and must fit in memory."""

    longest_line: int = Field(default=16 << 20, ge=1024)
    """Lines of more bytes go to quarantine."""

    jobs: int | None = Field(default=None, ge=1)
    """How many files are read at once (default: one per core)."""
