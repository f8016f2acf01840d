"""Section on overlap: ROUGE with the reference text and copying from the situation, per policy (S8)."""

import polars as pl

from heed.reports.content import Section, Table
from heed.reports.study import Study
from heed.statistics.bootstrap import clustered_mean
from heed.statistics.overlap import ROUGE_TYPES, copied_bigrams, rouge


def overlap_section(study: Study) -> Section | None:
    """Means with intervals over examples; the reference itself is left out of ROUGE, being its own twin."""
    texts = _texts(study.judgments)
    if texts.is_empty():
        return None
    scored = pl.concat(
        [texts, rouge(texts["text"].to_list(), texts["reference"].to_list())], how="horizontal"
    )
    pairs = zip(texts["text"], texts["situation"], strict=True)
    copied = pl.Series("copied_bigrams", [copied_bigrams(text, source or "") for text, source in pairs])
    scored = scored.with_columns(copied)
    rows = [
        _row(str(policy), part, study) for (policy,), part in scored.group_by("policy", maintain_order=True)
    ]
    table = pl.DataFrame([row for row in rows if row]).sort("policy") if any(rows) else pl.DataFrame()
    if table.is_empty():
        return None
    text = (
        "ROUGE is the F1 of rouge-score without stemming against the reference text. Copied bigrams: the "
        "longest common subsequence of bigrams with the situation, over the bigrams of the text."
    )
    shares = frozenset({"copied_bigrams", "copied_low", "copied_high"})
    return Section("Overlap", text, [Table("overlap", "Overlap with reference and situation", table, shares)])


def _texts(judgments: pl.DataFrame) -> pl.DataFrame:
    """Every distinct text that has a reference other than itself."""
    sides = [
        judgments.select("example", "situation", "reference", policy=f"policy_{side}", text=f"text_{side}")
        for side in ("a", "b")
    ]
    there = pl.concat(sides).drop_nulls(["policy", "text", "reference"]).unique(maintain_order=True)
    return there.filter(pl.col("text") != pl.col("reference"))


def _row(policy: str, part: pl.DataFrame, study: Study) -> dict[str, str | float | int] | None:
    if part["example"].n_unique() < 2:
        return None
    examples = part["example"].to_numpy()
    copied = clustered_mean(part["copied_bigrams"].to_numpy(), examples, study.how)
    means = {name: float(part[name].to_numpy().mean()) for name in ROUGE_TYPES}
    longest = clustered_mean(part["rougeL"].to_numpy(), examples, study.how)
    return {
        "policy": policy,
        "texts": part.height,
        **means,
        "rougeL_low": longest.low,
        "rougeL_high": longest.high,
        "copied_bigrams": copied.value,
        "copied_low": copied.low,
        "copied_high": copied.high,
    }
