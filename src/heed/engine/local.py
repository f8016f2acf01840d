"""Runs a function over items on this machine's cores, in processes, and gives the results in order.

It knows nothing of what the function does. Processes are spawned, never forked: the libraries inside hold
threads, and a forked copy of them can hang. A script that calls this needs the usual guard around its
main part (`if __name__ == "__main__"`).
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Listener = Callable[[int, Any], None]


class _Connection:
    """Where reports go in this process: to the item that runs now, through the parent's channel if any."""

    channel: Any = None
    index = 0
    listener: Listener | None = None


def report(value: Any) -> None:
    """Called inside a running function: `value` reaches the listener of whoever started the run."""
    if _Connection.listener is not None:
        _Connection.listener(_Connection.index, value)


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int | None = None,
    on_progress: Listener | None = None,
) -> list[Result]:
    """The results of `function` for every item, in order; reports go to `on_progress(index, value)`."""
    jobs = min(jobs or os.cpu_count() or 1, len(items))
    listener = on_progress or (lambda _index, _value: None)
    if jobs <= 1:
        return [_run_one(function, index, item, listener) for index, item in enumerate(items)]
    return _run_in_processes(function, items, jobs, listener)


def _run_one(function: Callable[[Item], Result], index: int, item: Item, listener: Listener) -> Result:
    _Connection.index, _Connection.listener = index, listener
    try:
        return function(item)
    finally:
        _Connection.listener = None


def _run_in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, listener: Listener
) -> list[Result]:
    context = multiprocessing.get_context("spawn")
    channel = context.SimpleQueue()
    listening = threading.Thread(target=_listen, args=(channel, listener), daemon=True)
    listening.start()
    try:
        with ProcessPoolExecutor(jobs, context, initializer=_connect, initargs=(channel,)) as pool:
            futures = [pool.submit(_run_remote, function, index, item) for index, item in enumerate(items)]
            return [future.result() for future in futures]
    finally:
        channel.put(None)
        listening.join()


def _listen(channel: Any, listener: Listener) -> None:
    while (message := channel.get()) is not None:
        listener(*message)


def _connect(channel: Any) -> None:
    _Connection.channel = channel


def _run_remote(function: Callable[[Item], Result], index: int, item: Item) -> Result:
    return _run_one(function, index, item, _send)


def _send(index: int, value: Any) -> None:
    _Connection.channel.put((index, value))
