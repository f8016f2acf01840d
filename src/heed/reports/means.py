"""The mean of an automatic metric over scored responses, with an interval for other examples."""

import polars as pl

from heed.errors import UserError
from heed.statistics.bootstrap import RESAMPLING, clustered_mean


def mean_by_example(part: pl.DataFrame, metric: str) -> dict[str, float | int | None] | None:
    """mean, low, high, n of `metric` from rows with an `example_id`; None where no row has the metric."""
    known = part.drop_nulls(metric)
    if known.is_empty():
        return None
    try:
        mean = clustered_mean(known[metric].to_numpy(), known["example_id"].to_numpy(), RESAMPLING)
    except UserError:  # one example has a mean and no interval
        return {"mean": float(known[metric].to_numpy().mean()), "low": None, "high": None, "n": known.height}
    return {"mean": mean.value, "low": mean.low, "high": mean.high, "n": mean.n}
