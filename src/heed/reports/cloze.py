"""Sections on the question-choice study: Table 4 with people and models side by side, idf, interrogatives.

A judgment of it has `policy_a` actual and `policy_b` alternative, so choice a is right; the letters are in
the answers under `actual` and `alternative`. Models are machine judgments, one worker name each.
"""

import math
from collections import Counter

import polars as pl

from heed.errors import UserError
from heed.reports.content import Section, Table
from heed.reports.study import Study
from heed.statistics.cloze import idf_t_test, interrogative_table, pair_type_table
from heed.statistics.votes import majority

PROTOCOL = "cloze"


def cloze_section(study: Study) -> Section | None:
    """The tables of A4 and A6, as far as letters and questions are there."""
    judged = study.judgments.filter(pl.col("protocol") == PROTOCOL)
    if judged.is_empty():
        return None
    right = _right_by_item(judged, study)
    tables, remarks = [], []
    lettered = right.filter(pl.col("actual").is_not_null() & pl.col("alternative").is_not_null())
    solvers = [name for name in right.columns if name.startswith("by ")]
    if lettered.height:
        shares = frozenset(["share", *(s + end for s in solvers for end in ("", "_low", "_high"))])
        complete = lettered.drop_nulls(solvers)
        tables.append(
            Table("pair_types", "Accuracy by pair type", pair_type_table(complete, solvers), shares)
        )
    first = solvers[0]
    answered = right.drop_nulls(first)
    answers = answered[first].to_numpy() > 0.5
    spoken = interrogative_table(answered["text_a"].to_list(), answers)
    tables.append(
        Table("interrogatives", "Accuracy by interrogative", spoken, frozenset({"accuracy", "low", "high"}))
    )
    try:
        idf = average_idf(answered["text_a"].to_list(), answered["situation"].fill_null("").to_list())
        tables.append(
            Table(
                "idf",
                "Average idf of questions, right against wrong",
                pl.DataFrame([idf_t_test(idf, answers)]),
            )
        )
    except UserError as error:
        remarks.append(f"No idf test: {error}")
    return Section("Choosing the question", "", tables, [], remarks)


def average_idf(questions: list[str], documents: list[str]) -> list[float]:
    """Per question the mean of log(N / (1 + documents with the word)) over its words, in nats."""
    counts = Counter(word for document in documents for word in set(_words(document)))
    total = max(len(documents), 1)
    found = []
    for question in questions:
        words = _words(question)
        weights = [math.log(total / (1 + counts[word])) for word in words]
        found.append(sum(weights) / len(weights) if weights else 0.0)
    return found


def _right_by_item(judged: pl.DataFrame, study: Study) -> pl.DataFrame:
    """One row per item: texts, the letters most workers gave, and 1, 0.5 or 0 per solver."""
    letters = [_letters(judged, name) for name in ("actual", "alternative")]
    items = judged.unique("item", keep="first", maintain_order=True).select("item", "text_a", "situation")
    for frame in letters:
        items = items.join(frame, on="item", how="left")
    people = _majority_right(judged).rename({"right": f"by {study.kind}"})
    items = items.join(people, on="item", how="left")
    machine = study.machine.filter(pl.col("protocol") == PROTOCOL)
    for (worker,), part in machine.group_by("worker", maintain_order=True):
        items = items.join(_majority_right(part).rename({"right": f"by {worker}"}), on="item", how="left")
    return items


def _majority_right(judged: pl.DataFrame) -> pl.DataFrame:
    decided = majority(judged.select("item", "worker", label="choice"))
    right = pl.when(pl.col("label") == "a").then(1.0).when(pl.col("label") == "b").then(0.0).otherwise(0.5)
    return decided.select("item", right=right)


def _letters(judged: pl.DataFrame, name: str) -> pl.DataFrame:
    votes = judged.select(
        "item", "worker", label=pl.col("answers").str.json_path_match(f"$.{name}")
    ).drop_nulls()
    if votes.is_empty():
        return judged.select("item").unique().with_columns(pl.lit(None, pl.String).alias(name))
    return majority(votes).select("item", pl.col("label").alias(name))


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?\"'()").lower() for word in text.split() if word.strip(".,;:!?\"'()")]
