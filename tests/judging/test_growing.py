from collections.abc import Callable

import pytest

from heed.errors import UserError
from heed.judging.growing import grow_study
from heed.judging.handout import answer_task, next_task
from heed.judging.quote import QuoteOptions, quote_study
from heed.policies.responses import write_responses
from heed.records import Response
from heed.store.backup import check_store
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.leases import find_lease
from heed.store.studies import Study, count_pairs, count_study, find_study, set_state
from heed.workspace import Workspace, open_artifact

HELPFUL = {"preference": "definitely_a", "rating": "dangerous", "usefulness": "never"}
MakeStudy = Callable[..., Study]
Hire = Callable[[Study, str], int]


@pytest.fixture
def more_responses(workspace: Workspace) -> Callable[[str, int], None]:
    """`more`: what another policy says to the examples of `cries`."""

    def make(policy: str, samples: int) -> None:
        dataset = open_artifact(workspace.root / "datasets" / "cries").manifest
        with workspace.draft(workspace.root / "responses" / "more", "responses", "more") as draft:
            draft.parents = [{"kind": "dataset", "name": "cries", "hash": dataset.content_hash}]
            write_responses([said(n, policy, s) for n in range(3) for s in range(samples)], draft.path)

    return make


def said(number: int, policy: str, sample: int) -> Response:
    text = f"Take {sample} on {number}"
    return Response(f"example-{number}", policy, sample, text, None, "stop", None, "", 1, 1, 0.1, 0, 0.0, 1.0)


def judge(database: Database, study: Study, account: int) -> str | None:
    task = next_task(database, study, account)
    if task is None:
        return None
    return answer_task(database, study, find_lease(database, study, task.token, account), HELPFUL, 1.0)


def test_a_policy_joins_an_open_study(
    workspace: Workspace,
    database: Database,
    make_study: MakeStudy,
    hire: Hire,
    more_responses: Callable[[str, int], None],
) -> None:
    study = make_study(labels_per_item=1)
    ann = hire(study, "Ann")
    assert [judge(database, study, ann) for _ in range(7)] == ["saved"] * 6 + [None]
    before = read_judgments(database, study)
    more_responses("heron", 1)
    assert grow_study(workspace, database, study, "more")["added"] == 3
    study = find_study(database, name=study.name)
    assert [parent["name"] for parent in study.parents] == ["answers", "cries", "more"]
    again = grow_study(workspace, database, study, "more")
    assert (again["added"], again["there_already"]) == (0, 9)
    assert [judge(database, study, ann) for _ in range(4)] == ["saved"] * 3 + [None]
    after = read_judgments(database, study)
    assert [row for row in after if row["policy_a"] != "heron"] == before
    assert {(row["policy_a"], row["policy_b"]) for row in after if row not in before} == {
        ("heron", "reference")
    }
    assert check_store(database)["problems"] == []


def test_what_cannot_be_added(
    workspace: Workspace,
    database: Database,
    make_study: MakeStudy,
    more_responses: Callable[[str, int], None],
) -> None:
    study = make_study()
    more_responses("heron", 1)
    with pytest.raises(UserError, match="nothing of a policy 'crane'"):
        grow_study(workspace, database, study, "more", ["crane"])
    assert grow_study(workspace, database, study, "more", ["heron"])["added"] == 3
    choices = make_study("plausibility")
    with pytest.raises(UserError, match="asks about choices"):
        grow_study(workspace, database, choices, "more")
    set_state(database, study, "closed")
    with pytest.raises(UserError, match="closed, for good"):
        grow_study(workspace, database, find_study(database, name=study.name), "more")


def test_chosen_pairs_and_samples(
    database: Database, make_study: MakeStudy, more_responses: Callable[[str, int], None]
) -> None:
    study = make_study(pair=["walrus-policy:zebra-policy"])
    assert [(row["policy_a"], row["policy_b"], row["items"]) for row in count_pairs(database, study)] == [
        ("walrus-policy", "zebra-policy", 3)
    ]
    for wrong in ("walrus-policy", "walrus-policy:walrus-policy", "walrus-policy:crane"):
        with pytest.raises(UserError, match="two different policies as A:B"):
            make_study("comparison", pair=[wrong])
    more_responses("a:b", 5)
    samples = make_study("comparison", responses="more", pairs="samples")
    assert [(row["policy_a"], row["policy_b"], row["items"]) for row in count_pairs(database, samples)] == [
        ("a:b", "a:b", 6)
    ]


def test_shared_items_and_anchors(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    options = {"shared": 0.25, "anchors": 1, "baseline": "zebra-policy", "batch": 5}
    study = make_study(examples=10, labels_per_item=1, **options)
    purposes = {(row["purpose"], row["policy_a"]): row["items"] for row in count_pairs(database, study)}
    assert purposes["anchor", "zebra-policy"] == 4
    assert sum(count for (purpose, _), count in purposes.items() if purpose == "shared") == 4
    ann, bob = hire(study, "Ann"), hire(study, "Bob")
    ann_did = sum(judge(database, study, ann) == "saved" for _ in range(20))
    assert ann_did == 20
    assert judge(database, study, bob) == "saved"  # a shared one: the ordinary ones are done
    while judge(database, study, bob):
        pass
    counts = count_study(database, study)
    assert (counts["labels"], counts["labels_wanted"]) == (12, 12)
    # Ann has all 4 shared and 4 anchors, Bob the 4 shared and the anchors of the batches he came to.
    assert 12 <= counts["labels_of_everybody"] <= 16
    assert check_store(database)["problems"] == []
    with pytest.raises(UserError, match="--baseline"):
        make_study("comparison", anchors=1)


def test_a_quote(database: Database, make_study: MakeStudy) -> None:
    study = make_study(examples=10, shared=0.2)
    quoted = quote_study(database, study, QuoteOptions(hourly=15, minutes=2, labelers=5, agreement=0.0))
    # 16 ordinary items × 3 labels, and 4 shared ones × 5 people, at 50 cents.
    assert (quoted["judgments"], quoted["cost"], quoted["hours"]) == (68, 34.0, pytest.approx(68 / 30))
    assert sum(row["items"] for row in quoted["pairs"]) == 16
    one = quoted["pairs"][0]
    assert one["half_width"] == pytest.approx(1.96 * (0.25 / 3 / one["items"]) ** 0.5, rel=1e-3)
    assert quote_study(database, study, QuoteOptions(price=0.52))["cost"] == pytest.approx(52 * 0.52)
    for given in ({}, {"hourly": 15.0}, {"price": 1.0, "hourly": 15.0, "minutes": 1.0}):
        with pytest.raises(UserError, match="what a judgment costs"):
            quote_study(database, study, QuoteOptions.parse(given))
