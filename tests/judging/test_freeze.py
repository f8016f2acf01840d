import json
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from heed.errors import UserError
from heed.judging.accounts import invite
from heed.judging.freeze import export_study, freeze_study, frozen_judgments
from heed.judging.handout import answer_task, correct_task, next_task
from heed.judging.machines import judge_study
from heed.judging.origins import read_decodings
from heed.judging.protocols.table import find_protocol
from heed.judging.simulate import Character, fill_in, quality, simulate
from heed.policies.responses import RESPONSES_NAME
from heed.reports.build import ReportOptions, write_report
from heed.site.serve import running
from heed.statistics.frozen import read_judgments
from heed.store.database import DATABASE_VARIABLE, Database
from heed.store.leases import find_lease
from heed.store.studies import Study, count_study
from heed.workspace import Workspace

MakeStudy = Callable[..., Study]
Hire = Callable[[Study, str], int]
ANSWERS = {"preference": "definitely_a", "rating": "not_helpful", "usefulness": "possibly"}


def judge_all(database: Database, study: Study, account: int) -> None:
    while task := next_task(database, study, account):
        lease = find_lease(database, study, task.token, account)
        answer_task(database, study, lease, ANSWERS, 3.0)


def test_frozen_judgments_are_what_reports_read(
    workspace: Workspace, database: Database, make_study: MakeStudy, hire: Hire, tmp_path: Path
) -> None:
    study = make_study(examples=12, labels_per_item=2)
    with pytest.raises(UserError, match="no judgments yet"):
        freeze_study(workspace, database, study, "empty")
    for name in ("Ann", "Bob"):
        judge_all(database, study, hire(study, name))
    artifact = freeze_study(workspace, database, study, "frozen")
    assert artifact.manifest.counts == {
        "judgments": 48,
        "wanted": 48,
        "workers": 2,
        "kinds": {"human": 48},
    }
    assert [parent["name"] for parent in artifact.manifest.parents] == ["answers", "cries"]
    frame = read_judgments(artifact.path)
    assert set(frame["policy_b"]) == {"reference"}
    assert set(frame["split"]) == {"test"}
    # The first text shown was always chosen, so choice and order agree in every row.
    assert frame.filter(pl.col("choice") != pl.col("shown_first")).is_empty()
    assert json.loads(frame["answers"][0])["reason"] == "possibly"
    found = write_report(artifact.path, tmp_path / "report", ReportOptions())
    assert {row["policy"] for row in found["preference"]} == {"zebra-policy", "walrus-policy"}
    with pytest.raises(UserError, match="already"):
        freeze_study(workspace, database, study, "frozen")


def test_export_has_every_revision_on_request(
    database: Database, make_study: MakeStudy, hire: Hire, tmp_path: Path
) -> None:
    study = make_study(examples=1)
    account = hire(study, "Ann")
    task = next_task(database, study, account)
    assert task is not None
    lease = find_lease(database, study, task.token, account)
    answer_task(database, study, lease, ANSWERS, 3.0)
    correct_task(database, study, lease, {**ANSWERS, "comment": "öh"}, 3.0)
    assert export_study(database, study, tmp_path / "all.jsonl", every_revision=True) == 2
    assert export_study(database, study, tmp_path / "last.parquet") == 1
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert [row["revision"] for row in rows] == [1, 2]
    assert {"worker", "started", "saved", "instruction_version", "shown_first"} <= set(rows[0])
    assert pl.read_parquet(tmp_path / "last.parquet")["revision"].to_list() == [2]
    with pytest.raises(UserError, match="known formats"):
        export_study(database, study, tmp_path / "all.xlsx")


def test_simulated_labelers_work_through_the_site(
    workspace: Workspace, make_study: MakeStudy, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, database.url.render_as_string(hide_password=False))
    studies = [make_study(protocol, examples=2) for protocol in ("helpfulness", "comparison", "axes", "edit")]
    with running(workspace) as site:
        for study in studies:
            links = [invite(database, "labeler", study, kind="simulated") for _ in range(3)]
            done = simulate(site, study.code, links, Character(), seed=1)
            counts = count_study(database, study)
            assert sum(done) == counts["labels"] == counts["labels_wanted"]
            artifact = freeze_study(workspace, database, study, f"frozen-{study.protocol}")
            assert set(read_judgments(artifact.path)["kind"]) == {"simulated"}
        link = invite(database, "labeler", studies[0], kind="simulated")
        with pytest.raises(UserError, match="not invited"):
            simulate(site, studies[1].code, [link], Character(), seed=1)
    with pytest.raises(UserError, match="no site at"):
        simulate(site, studies[0].code, ["/invite/x"], Character(), seed=1)


def test_simulated_labelers_take_their_time(
    workspace: Workspace, make_study: MakeStudy, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, database.url.render_as_string(hide_password=False))
    study = make_study(examples=2, labels_per_item=1)
    with running(workspace) as site:
        link = invite(database, "labeler", study, kind="simulated")
        began = time.monotonic()
        assert simulate(site, study.code, [link], Character(seconds=0.2), seed=1) == [4]
    said = [judgment.seconds for judgment in frozen_judgments(database, study)]
    assert all(0.1 <= seconds <= 0.3 for seconds in said if seconds is not None)
    assert time.monotonic() - began >= sum(seconds or 9.0 for seconds in said) - 0.2


def test_drift_changes_the_skill() -> None:
    tired = Character(skill=2.0, drift=-0.5)
    assert [tired.after(items).skill for items in (0, 2, 10)] == [2.0, 1.0, 0.0]
    assert Character(skill=2.0).after(10).skill == 2.0


@pytest.mark.parametrize(("skill", "low", "high"), [(0.0, 0.4, 0.6), (50.0, 0.99, 1.0)])
def test_skill_is_what_it_says(skill: float, low: float, high: float) -> None:
    texts, rng = ["a b c d e f g h", "a b"], random.Random(3)
    protocol = find_protocol("helpfulness")
    given = [fill_in(protocol, "judge", texts, Character(skill), rng)["preference"] for _ in range(400)]
    share = sum(answer.endswith("_a") for answer in given) / len(given)
    assert quality(texts[0]) > quality(texts[1])
    assert low <= share <= high


def test_bias_is_for_the_first() -> None:
    rng, protocol = random.Random(3), find_protocol("comparison")
    given = [
        fill_in(protocol, "compare", ["x", "y"], Character(0, 3.0), rng)["preference"] for _ in range(300)
    ]
    assert sum(int(answer) < 5 for answer in given) / len(given) > 0.85


def test_frozen_judgments_say_how_texts_were_sampled_and_scored(
    workspace: Workspace, database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    study = make_study(examples=3, labels_per_item=1)
    judge_all(database, study, hire(study, "Ann"))
    judge_study(workspace, database, study, "length")
    place = workspace.root / "responses" / "answers" / RESPONSES_NAME
    answers = pl.read_parquet(place)
    zebra = pl.col("policy") == "zebra-policy"
    heat = pl.when(zebra).then(0.7).otherwise(pl.col("temperature")).alias("temperature")
    answers.with_columns(heat, top_p=pl.lit(0.9)).write_parquet(place)
    frame = read_judgments(freeze_study(workspace, database, study, "with").path)
    assert set(frame.filter(pl.col("policy_a") == "zebra-policy")["temperature_a"]) == {0.7}
    assert set(frame["top_p_a"]) | set(frame["top_p_b"]) == {0.9}
    assert set(frame["purpose"]) == {"ordinary"}
    assert frame["batch"].null_count() == frame.height
    for row in frame.iter_rows(named=True):
        words = [float(len(row[side].split())) for side in ("text_a", "text_b")]
        assert json.loads(row["scores"]) == {"length": words}
    shutil.rmtree(place.parent)
    gone = read_judgments(freeze_study(workspace, database, study, "without").path)
    assert gone["temperature_a"].null_count() == gone.height


def test_a_text_sampled_in_two_ways_has_no_temperature(workspace: Workspace, make_study: MakeStudy) -> None:
    study = make_study(examples=2)
    again = workspace.root / "responses" / "again"
    shutil.copytree(workspace.root / "responses" / "answers", again)
    answers = pl.read_parquet(again / RESPONSES_NAME)
    zebra = answers.filter(pl.col("policy") == "zebra-policy").with_columns(temperature=pl.lit(0.25))
    zebra.write_parquet(again / RESPONSES_NAME)
    parents = [*study.parents, {"kind": "responses", "name": "again", "hash": ""}]
    found = read_decodings(workspace, parents)
    assert {policy for (_, policy, _), how in found.items() if how is None} == {"zebra-policy"}
    assert {how for (_, policy, _), how in found.items() if policy != "zebra-policy"} != {None}


def test_anchors_keep_their_batch(
    workspace: Workspace, database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    study = make_study(examples=12, labels_per_item=1, anchors=1, baseline="zebra-policy", batch=4)
    judge_all(database, study, hire(study, "Ann"))
    frame = read_judgments(freeze_study(workspace, database, study, "anchored").path)
    anchors = frame.filter(pl.col("purpose") == "anchor")
    assert sorted(anchors["batch"]) == list(range(anchors.height))
    assert anchors.height >= 4
    assert set(anchors["policy_a"]) == {"zebra-policy"}
    assert frame.filter(pl.col("purpose") != "anchor")["batch"].null_count() == frame.height - anchors.height
