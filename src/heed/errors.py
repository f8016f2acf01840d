"""What a person did or has that Heed cannot work with, each said in one sentence.

Raised anywhere, shown by the command line without a traceback. Not for Heed's own mistakes: those keep
their traceback.
"""


class UserError(Exception):
    """One sentence or two: what is wrong, where, and what to do about it."""


class NotFoundError(UserError):
    """A name, id or path that leads to nothing."""


class BusyError(UserError):
    """Somebody else is writing to the same place."""


class UnreadableError(UserError):
    """A file that is there but is not what it should be."""
