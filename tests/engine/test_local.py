"""The functions run here are importable ones: a spawned process cannot see a test module."""

import math
import os

import pytest

from heed.engine.local import report, run


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs: int) -> None:
    assert run(math.isqrt, [number * number for number in range(50)], jobs) == list(range(50))


@pytest.mark.parametrize(("jobs", "threads"), [(1, False), (2, False), (2, True)])
def test_reports_reach_the_listener_with_the_index_of_their_item(jobs: int, threads: bool) -> None:
    heard: list[tuple[int, str]] = []
    run(report, ["a", "b", "c"], jobs, lambda index, value: heard.append((index, value)), threads=threads)
    assert sorted(heard) == [(0, "a"), (1, "b"), (2, "c")]


def test_several_jobs_run_in_other_processes_and_one_job_here() -> None:
    question = ["__import__('os').getpid()"] * 3
    assert run(eval, question, jobs=1) == [os.getpid()] * 3
    assert os.getpid() not in run(eval, question, jobs=2)
    assert run(eval, question, jobs=2, threads=True) == [os.getpid()] * 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_function_reaches_the_caller(jobs: int) -> None:
    with pytest.raises(ValueError, match="nonnegative"):
        run(math.isqrt, [4, -1], jobs)


def test_nothing_to_do_is_done() -> None:
    assert run(math.isqrt, []) == []
