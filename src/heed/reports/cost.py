"""What the judgments cost: hours at work from their times, and money where a price is known."""

import polars as pl

from heed.reports.content import Section, Table
from heed.reports.study import Study

TOTAL = "all"


def cost_section(study: Study) -> Section | None:
    """Judgments, hours and cost per worker; none without times and without a price."""
    timed = study.judgments["seconds"].count()
    if not timed and study.price is None:
        return None
    per_worker = _sums(study.judgments.group_by("worker")).sort("worker")
    everybody = _sums(study.judgments.group_by(worker=pl.lit(TOTAL)))
    table = pl.concat([per_worker, everybody]).with_columns(cost=_cost(study))
    if study.price is None and study.hourly is None:
        table = table.drop("cost")
    missing = study.judgments.height - timed
    remarks = [f"{missing} judgments have no time and are not in the hours."] if missing else []
    text = "Hours are the sum of the times from an item's first sight to its answer, pauses included. "
    return Section("Cost", text + _priced(study), [Table("cost", "Hours and cost", table)], [], remarks)


def _sums(groups: "pl.dataframe.group_by.GroupBy") -> pl.DataFrame:
    timed = pl.col("seconds").count()
    hours = pl.when(timed > 0).then(pl.col("seconds").sum() / 3600)
    return groups.agg(judgments=pl.len(), timed=timed, hours=hours).with_columns(
        timed_per_hour=pl.when(pl.col("hours") > 0).then(pl.col("timed") / pl.col("hours"))
    )


def _cost(study: Study) -> pl.Expr:
    if study.price is not None:
        return pl.col("judgments") * study.price
    return pl.col("hours") * (study.hourly or 0.0)


def _priced(study: Study) -> str:
    if study.price is not None:
        return f"A judgment cost {study.price:g}."
    return f"An hour cost {study.hourly:g}." if study.hourly is not None else "No price is known."
