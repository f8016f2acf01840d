"""How much processor time a process and those it started have used, from /proc."""

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    """User and system time of a process, of its children that run and of those that have ended."""
    fields = _fields(process)
    own = sum(int(value) for value in fields[11:15]) / _TICKS
    return own + sum(processor_seconds(child) for child in _children(process))


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(word) for task in tasks for word in task.read_text(encoding="utf-8").split()]


def _fields(process: int) -> list[str]:
    """What follows the name in parentheses: state, parent, …, utime (11), stime, cutime, cstime."""
    return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
