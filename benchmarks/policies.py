"""`make bench-policies`: retrieval and ROUGE against what people use, as ratios in this one run."""

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rouge_score import rouge_scorer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import NearestNeighbors

from heed.corpus.sample.dumps import sample_threads
from heed.policies.tfidf_index import TfidfIndex
from heed.statistics.overlap import ROUGE_TYPES, rouge

SITUATIONS = 188_000  # the size of the paper's static set
QUERIES = 200
PAIRS = 10_000


def situations(count: int, seed: int) -> list[str]:
    """Real-length situations: paragraphs of the bundled ones recombined, with rare words of their own."""
    dice = random.Random(seed)
    texts = [f"{thread['subreddit']} {thread['title']} {thread['selftext']}" for thread in sample_threads()]
    vocabulary = sorted({word for text in texts for word in text.split()})
    paragraphs = [paragraph for text in texts for paragraph in text.split("\n\n")]
    made = []
    for _ in range(count):
        drawn = " ".join(dice.sample(paragraphs, 4))
        rare = [dice.choice(vocabulary) + str(int(dice.paretovariate(0.7)) % 5_000) for _ in range(15)]
        made.append(f"{drawn} {' '.join(rare)}")
    return made


def timed(job: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = job()
    return time.perf_counter() - started, result


def retrieval() -> None:
    documents, queries = situations(SITUATIONS, seed=1), situations(QUERIES, seed=2)
    vectorizer = TfidfVectorizer(dtype=np.float32)
    vectors = vectorizer.fit_transform(documents)
    brute = NearestNeighbors(n_neighbors=1, metric="cosine", algorithm="brute").fit(vectors)
    index = TfidfIndex.build(documents)
    theirs, ours = [], []
    for _ in range(3):
        theirs.append(timed(lambda: brute.kneighbors(vectorizer.transform(queries))))
        ours.append(timed(lambda: index.nearest(queries)))
    distances, found = theirs[0][1][0][:, 0], ours[0][1]
    if not np.allclose([cosine for _, cosine in found], 1 - distances, atol=1e-4):
        raise SystemExit("the index and scikit-learn disagree about the nearest situation")
    slow, fast = (min(seconds for seconds, _ in runs) for runs in (theirs, ours))
    say("top-1 of 188,000 situations, 200 queries", slow / fast, 5, f"{fast:.2f} s against {slow:.2f} s")


def overlap() -> None:
    texts, references = (situations(PAIRS, seed) for seed in (3, 4))
    texts = [text[:240] for text in texts]
    references = [text[:240] for text in references]
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
