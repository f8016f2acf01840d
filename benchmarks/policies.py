"""`make bench-policies`: retrieval and ROUGE against what people use, as ratios in this one run."""

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from narratives import make_narratives, real_texts, recombine
from rouge_score import rouge_scorer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import NearestNeighbors

from heed.policies.tfidf_index import TfidfIndex
from heed.statistics.overlap import ROUGE_TYPES, rouge

SITUATIONS = 188_000  # the size of the paper's static set
QUERIES = 200
PAIRS = 10_000


def timed(job: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = job()
    return time.perf_counter() - started, result


def retrieval() -> None:
    """Questions of two kinds: real texts kept apart, unlike any situation, and recombined ones, like some."""
    texts = real_texts()
    random.Random(0).shuffle(texts)
    recombined = recombine(texts[QUERIES:], SITUATIONS + QUERIES)
    documents = recombined[:SITUATIONS]
    vectorizer = TfidfVectorizer(dtype=np.float32)
    vectors = vectorizer.fit_transform(documents)
    brute = NearestNeighbors(n_neighbors=1, metric="cosine", algorithm="brute").fit(vectors)
    index = TfidfIndex.build(documents)
    kinds = {"unlike any": [" ".join(words) for words in texts[:QUERIES]], "alike": recombined[SITUATIONS:]}
    for kind, queries in kinds.items():
        compare(kind, queries, lambda asked: brute.kneighbors(vectorizer.transform(asked)), index.nearest)


def compare(kind: str, queries: list[str], brute: Callable[[Any], Any], index: Callable[[Any], Any]) -> None:
    rounds = [(timed(lambda: brute(queries)), timed(lambda: index(queries))) for _ in range(5)]
    theirs, ours = zip(*rounds, strict=True)
    distances, found = theirs[0][1][0][:, 0], ours[0][1]
    if not np.allclose([cosine for _, cosine in found], 1 - distances, atol=1e-4):
        raise SystemExit("the index and scikit-learn disagree about the nearest situation")
    slow, fast = (min(seconds for seconds, _ in runs) for runs in (theirs, ours))
    say(f"top-1 of 188,000 for 200 queries, {kind}", slow / fast, 5, f"{fast:.2f} s against {slow:.2f} s")


def overlap() -> None:
    drawn = [text[:240] for text in make_narratives(2 * PAIRS)]
    texts, references = drawn[:PAIRS], drawn[PAIRS:]
    scorer = rouge_scorer.RougeScorer(list(ROUGE_TYPES), use_stemmer=False)
    slow, theirs = timed(lambda: [scorer.score(r, t) for r, t in zip(references, texts, strict=True)])
    fast, ours = timed(lambda: rouge(texts, references))
    for name in ROUGE_TYPES:
        if not np.allclose(ours[name].to_numpy(), [each[name].fmeasure for each in theirs]):
            raise SystemExit(f"{name} differs from rouge-score")
    say("ROUGE of 10,000 pairs against rouge-score", slow / fast, 20, f"{fast:.2f} s against {slow:.2f} s")


def say(what: str, ratio: float, target: float, detail: str) -> None:
    print(f"{what:<44} {ratio:7.1f} x   (target {target:.0f})   {detail}", flush=True)


if __name__ == "__main__":
    retrieval()
    overlap()
