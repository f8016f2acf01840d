"""What a study will cost and how sharp its answer will be, before anybody is paid."""

from typing import Any

from pydantic import Field

from heed.errors import UserError
from heed.options import Options
from heed.statistics.power import Design, half_width, smallest_difference
from heed.store.database import Database
from heed.store.studies import Study, count_pairs


class QuoteOptions(Options):
    """What a judgment costs and how alike people judge."""

    price: float | None = Field(None, ge=0)
    """Of one judgment."""
    hourly: float | None = Field(None, ge=0)
    """Pay per hour, with minutes."""
    minutes: float | None = Field(None, gt=0)
    """How long one judgment takes."""
    labelers: int = Field(1, ge=1)
    """How many people will work; everybody is paid for what everybody gets."""
    agreement: float = Field(0.4, ge=0, le=1)
    """Of people's votes on one item, as Krippendorff's α of a pilot would say."""


def quote_study(database: Database, study: Study, options: QuoteOptions) -> dict[str, Any]:
    """Judgments, cost, hours, and for every two policies the interval's half width around even."""
    rows = count_pairs(database, study)
    ordinary = [row for row in rows if row["purpose"] == "ordinary"]
    for_everybody = sum(row["items"] for row in rows if row["purpose"] != "ordinary")
    judgments = sum(int(row["labels"]) for row in ordinary) + for_everybody * options.labelers
    hours = judgments * options.minutes / 60 if options.minutes else None
    return {
        "study": study.name,
        "labels_per_item": study.labels_per_item,
        "judgments": judgments,
        "hours": hours,
        "cost": judgments * price_of(options),
        "agreement": options.agreement,
        "pairs": [
            _sharpness(row, study, options)
            for row in ordinary
            if row["policy_b"] is not None and row["items"]
        ],
    }


def price_of(options: QuoteOptions) -> float:
    """Of one judgment; said directly, or by the hour."""
    if options.price is not None and options.hourly is None:
        return options.price
    if options.hourly is not None and options.minutes is not None and options.price is None:
        return options.hourly * options.minutes / 60
    raise UserError("Say what a judgment costs: --price, or --hourly together with --minutes.")


def _sharpness(row: dict[str, Any], study: Study, options: QuoteOptions) -> dict[str, Any]:
    design = Design(labelers=study.labels_per_item, agreement=options.agreement)
    return {
        "policies": [row["policy_a"], row["policy_b"]],
        "items": row["items"],
        "half_width": half_width(row["items"], design),
        "smallest_difference": smallest_difference(row["items"], design),
        "cost": int(row["labels"]) * price_of(options),
    }
