"""Items that everybody has had are named, so that a study does not wait for people who will never come."""

from collections.abc import Callable

from heed.judging.handout import answer_task, next_task
from heed.store.database import Database
from heed.store.leases import exclude_account, find_lease, give_back, grant_lease
from heed.store.stranded import count_stranded
from heed.store.studies import Study, count_study, list_labelers

HELPFUL = {"preference": "definitely_a", "rating": "dangerous", "usefulness": "never"}
Hire = Callable[[Study, str], int]


def judge_all(database: Database, study: Study, account: int) -> None:
    while task := next_task(database, study, account):
        answer_task(database, study, find_lease(database, study, task.token, account), HELPFUL, 1.0)


def test_an_item_that_all_handed_back_waits_for_somebody_new(
    database: Database, make_study: Callable[..., Study], hire: Hire
) -> None:
    study = make_study(examples=2, labels_per_item=1)
    assert count_stranded(database, study) == 0  # nobody was invited yet
    for name in ("Ann", "Bob"):
        lease = grant_lease(database, study, hire(study, name), lambda _item: "a")
        assert lease is not None
        assert count_stranded(database, study) == 0
        give_back(database, lease, "skipped", "")
    assert count_stranded(database, study) == 1
    judge_all(database, study, hire(study, "Cem"))
    assert count_stranded(database, study) == 0


def test_excluding_the_only_one_who_was_left(
    database: Database, make_study: Callable[..., Study], hire: Hire
) -> None:
    study = make_study(examples=2, labels_per_item=2)
    ann, _bob = hire(study, "Ann"), hire(study, "Bob")
    judge_all(database, study, ann)
    assert count_stranded(database, study) == 0
    bob = next(row["worker"] for row in list_labelers(database, study) if not row["judgments"])
    exclude_account(database, study, bob, "no time")
    assert count_stranded(database, study) == count_study(database, study)["items"] > 0
