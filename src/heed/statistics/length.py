"""Length as a confounder: App. E and F of the summarisation paper.

The length-controlled preference is a logistic regression on who wrote the two texts and the log ratio of
their lengths, read off where the ratio is zero. For ratings it is a line per policy: quality per 100
characters, and quality at another length. Lengths are in characters. Standard errors are clustered by
example.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import LEVEL, RESAMPLING, Resampling
from heed.statistics.frames import Floats, codes, numbers, require
from heed.statistics.preference import clustered_share

_SEPARATED = 15.0  # odds of three million to one: a fit that runs away, not a preference


@dataclass(frozen=True, slots=True)
class LengthLine:
    """A policy's rating against its length: Table 13's row."""

    mean_characters: float
    deviation_characters: float
    mean_quality: float
    per_hundred_characters: Estimate

    def at(self, characters: float) -> float:
        """The quality the line predicts at another mean length."""
        change = (characters - self.mean_characters) / 100
        return self.mean_quality + self.per_hundred_characters.value * change


def length_controlled_preference(
    comparisons: pl.DataFrame, against: str, *, level: float = LEVEL
) -> dict[str, Estimate]:
    """Every policy's preference over `against` at equal length.

    From `example, policy, opponent, score, log_length_ratio`: score 1 / 0.5 / 0 and the ratio log(policy's
    characters / opponent's characters). The entry `(length)` is the log odds per unit of that ratio.
    """
    require(comparisons, "example", "policy", "opponent", "score", "log_length_ratio")
    names = sorted((set(comparisons["policy"]) | set(comparisons["opponent"])) - {against})
    if against not in set(comparisons["policy"]) | set(comparisons["opponent"]):
        raise UserError(f"No judgment is about {against}; known: {', '.join(names)}.")
    design = _design(comparisons, names)
    _refuse_rank_loss(design, names)
    scores = numbers(comparisons["score"].to_numpy(), "The scores")
    coefficients, deviations = _logistic(design, scores, comparisons["example"].to_numpy())
    n, options = comparisons.height, (("against", against), ("level", level))
    z = _z(level)
    low, high = coefficients - z * deviations, coefficients + z * deviations
    found = {
        name: Estimate(
            _expit(coefficients[k]), _expit(low[k]), _expit(high[k]), n, "length-controlled logistic", options
        )
        for k, name in enumerate(names)
    }
    last = Estimate(float(coefficients[-1]), float(low[-1]), float(high[-1]), n, "log odds", options)
    return {**found, "(length)": last}


def length_line(
    ratings: ArrayLike, characters: ArrayLike, examples: ArrayLike, *, level: float = LEVEL
) -> LengthLine:
    """The straight line of rating on length for one policy, its slope per 100 characters with an interval."""
    quality, lengths = numbers(ratings, "The ratings"), numbers(characters, "The lengths")
    if len(quality) < 3 or np.ptp(lengths) == 0:
        raise UserError("A line of rating on length needs three rated texts that differ in length.")
    import statsmodels.api as models

    groups, count = codes(examples)
    if count < 2:
        raise UserError("All ratings are of one example; a slope's interval needs at least two.")
    design = np.stack([np.ones_like(lengths), lengths / 100], axis=1)
    fit = models.OLS(quality, design).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    low, high = fit.conf_int(1 - level)[1]
    slope = Estimate(float(fit.params[1]), float(low), float(high), len(quality), "least squares, clustered")
    return LengthLine(float(lengths.mean()), float(lengths.std(ddof=1)), float(quality.mean()), slope)


def preference_by_length(
    comparisons: pl.DataFrame, *, bins: int = 5, how: Resampling = RESAMPLING
) -> pl.DataFrame:
    """The preference rate in bins of the log length ratio with equal numbers of judgments (Fig. 10b).

    A bin of one example is left out.
    Columns out: from_ratio, to_ratio (of lengths, not logs), rate, low, high, n.
    """
    require(comparisons, "example", "score", "log_length_ratio")
    ratios = comparisons["log_length_ratio"].to_numpy()
    edges = np.unique(np.quantile(ratios, np.linspace(0, 1, bins + 1)))
    places = np.clip(np.searchsorted(edges, ratios, side="right") - 1, 0, max(len(edges) - 2, 0))
    rows = []
    for place in np.unique(places):
        part = comparisons.filter(pl.Series(places == place))
        if part["example"].n_unique() < 2:
            continue
        mean = clustered_share(part["score"].to_numpy(), part["example"].to_numpy(), how)
        ends = edges[place], edges[min(place + 1, len(edges) - 1)]
        rows.append((*np.exp(ends).tolist(), mean.value, mean.low, mean.high, mean.n))
    return pl.DataFrame(rows, schema=["from_ratio", "to_ratio", "rate", "low", "high", "n"], orient="row")


def _design(comparisons: pl.DataFrame, names: list[str]) -> Floats:
    """+1 for the policy, −1 for the opponent, the base policy left out; the length ratio last."""
    policy, opponent = comparisons["policy"].to_numpy(), comparisons["opponent"].to_numpy()
    columns = [(policy == name).astype(np.float64) - (opponent == name) for name in names]
    return np.stack([*columns, comparisons["log_length_ratio"].to_numpy().astype(np.float64)], axis=1)


def _refuse_rank_loss(design: Floats, names: list[str]) -> None:
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise UserError(
            f"Length and policy cannot be told apart with {len(design)} judgments of {len(names) + 1} "
            "policies: the length ratios do not vary within policies, or a policy was never compared with "
            "the others."
        )


def _logistic(design: Floats, scores: Floats, examples: np.ndarray) -> tuple[Floats, Floats]:
    import statsmodels.api as models

    groups, count = codes(examples)
    if count < 2:
        raise UserError("All judgments are of one example; clustered errors need at least two.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separation is caught below and said in our own words
        fit = models.GLM(scores, design, family=models.families.Binomial()).fit(
            cov_type="cluster", cov_kwds={"groups": groups}
        )
    coefficients = np.asarray(fit.params, dtype=np.float64)
    if not fit.converged or np.abs(coefficients).max() > _SEPARATED:
        raise UserError(
            "The length-controlled fit runs away: some policy won or lost every comparison, or length alone "
            "decides all of them. Collect more judgments or read the plain preference rate."
        )
    return coefficients, np.asarray(fit.bse, dtype=np.float64)


def _z(level: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf((1 + level) / 2))


def _expit(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
