"""Runs a function over items on this machine's cores, in processes, and gives the results in order.

It knows nothing of what the function does. Processes are spawned, never forked: the libraries inside hold
threads, and a forked copy of them can hang. A script that calls this needs the usual guard around its
main part (`if __name__ == "__main__"`).
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Listener = Callable[[int, Any], None]

_listener: ContextVar[Callable[[Any], None] | None] = ContextVar("listener", default=None)


def report(value: Any) -> None:
    """Called inside a running function: `value` reaches the listener of whoever started the run."""
    listener = _listener.get()
    if listener is not None:
        listener(value)


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int | None = None,
    on_progress: Listener | None = None,
    *,
    threads: bool = False,
) -> list[Result]:
    """The results of `function` for every item, in order; reports go to `on_progress(index, value)`.

    `threads` is for functions that spend their time outside the interpreter: nothing is started or copied.
    """
    jobs = min(jobs or os.cpu_count() or 1, len(items))
    listener = on_progress or (lambda _index, _value: None)
    if jobs <= 1:
        return [_run_one(function, index, item, listener) for index, item in enumerate(items)]
    if threads:
        return _run_in_threads(function, items, jobs, listener)
    return _run_in_processes(function, items, jobs, listener)


def _run_one(function: Callable[[Item], Result], index: int, item: Item, listener: Listener) -> Result:
    token = _listener.set(lambda value: listener(index, value))
    try:
        return function(item)
    finally:
        _listener.reset(token)


def _run_in_threads(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, listener: Listener
) -> list[Result]:
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(_run_one, function, index, item, listener) for index, item in enumerate(items)]
        return [future.result() for future in futures]


def _run_in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, listener: Listener
) -> list[Result]:
    context = multiprocessing.get_context("spawn")
    channel = context.SimpleQueue()
    listening = threading.Thread(target=_listen, args=(channel, listener), daemon=True)
    listening.start()
    try:
        with ProcessPoolExecutor(jobs, context, initializer=_Parent.connect, initargs=(channel,)) as pool:
            futures = [pool.submit(_run_remote, function, index, item) for index, item in enumerate(items)]
            return [future.result() for future in futures]
    finally:
        channel.put(None)
        listening.join()


def _listen(channel: Any, listener: Listener) -> None:
    while (message := channel.get()) is not None:
        listener(*message)


class _Parent:
    """In a worker process: the channel to the process that started it."""

    channel: Any = None

    @classmethod
    def connect(cls, channel: Any) -> None:
        cls.channel = channel

    @classmethod
    def tell(cls, index: int, value: Any) -> None:
        cls.channel.put((index, value))


def _run_remote(function: Callable[[Item], Result], index: int, item: Item) -> Result:
    return _run_one(function, index, item, _Parent.tell)
