"""What a card says about a cloze dataset: audits that run by default, and how diverse the narratives are."""

from collections import Counter
from typing import Any

from heed.datasets.cloze_options import ClozeOptions
from heed.datasets.questions import is_asking, split_sentences
from heed.datasets.vectors import find_words
from heed.records import Example

_KEYWORDS = 6
# What the tokenizer leaves of don't, I've and the like, and words that every story has.
_FILLERS = [
    "don",
    "didn",
    "doesn",
    "isn",
    "wasn",
    "ve",
    "ll",
    "just",
    "like",
    "really",
    "know",
    "n't",
    "did",
    "does",
]


def audit(examples: list[Example]) -> dict[str, Any]:
    """Duplicates, leaks between splits, and questions left in narratives. All but the last should be 0."""
    texts = Counter(" ".join(example.text.lower().split()) for example in examples)
    pairs = Counter(tuple(sorted(example.choices)) for example in examples)
    splits: dict[str, set[str]] = {}
    for example in examples:
        for choice in example.choices:
            splits.setdefault(choice.lower(), set()).add(example.split)
    asking = sum(any(is_asking(s) for s in split_sentences(example.text)) for example in examples)
    return {
        "narratives that occur twice": sum(count > 1 for count in texts.values()),
        "question pairs that occur twice": sum(count > 1 for count in pairs.values()),
        "narratives in two splits": len(_in_two_splits(examples)),
        "narratives with a sentence that asks": asking,
        "questions that occur in two splits": sum(len(found) > 1 for found in splits.values()),
        "narratives with a “?” inside a sentence": sum("?" in example.text for example in examples),
        "answers in first place": round(sum(e.label == 0 for e in examples) / max(len(examples), 1), 3),
    }


def describe_topics(examples: list[Example], options: ClozeOptions) -> list[dict[str, Any]]:
    """Narratives by SVD and k-means; per topic its terms, its questions' keywords, two questions."""
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

    count = min(options.topics, len(examples) // 10)
    if count < 2:
        return []
    stop = set(ENGLISH_STOP_WORDS) | set(_FILLERS)
    vectorizer = TfidfVectorizer(
        stop_words=sorted(stop), min_df=2, max_features=20_000, token_pattern=r"(?u)\b[a-z]{3,}\b"
    )
    matrix = vectorizer.fit_transform([example.text for example in examples])
    size = min(50, matrix.shape[1] - 1, len(examples) - 1)
    points = TruncatedSVD(size, random_state=options.seed).fit_transform(matrix)
    found = KMeans(count, n_init=1, random_state=options.seed).fit(points)
    terms = vectorizer.get_feature_names_out()
    everywhere = _count_words(examples, stop)
    topics = []
    for topic in range(count):
        members = [example for example, label in zip(examples, found.labels_, strict=True) if label == topic]
        heavy = matrix[found.labels_ == topic].sum(axis=0).A1.argsort()[::-1][:_KEYWORDS]
        topics.append(
            {
                "narratives": len(members),
                "terms": " ".join(terms[heavy]),
                "question keywords": " ".join(_find_keywords(members, everywhere, stop)),
                "questions": " / ".join(example.references[0].text for example in members[:2]),
            }
        )
    return sorted(topics, key=lambda row: (-row["narratives"], row["terms"]))


def _in_two_splits(examples: list[Example]) -> set[str]:
    first: dict[str, str] = {}
    return {e.id for e in examples if first.setdefault(" ".join(e.text.lower().split()), e.split) != e.split}


def _count_words(examples: list[Example], stop: set[str]) -> dict[str, float]:
    """The share of questions with each content word."""
    words = Counter(w for example in examples for w in set(find_words(example.references[0].text)) - stop)
    return {word: count / len(examples) for word, count in words.items() if len(word) > 2}


def _find_keywords(members: list[Example], everywhere: dict[str, float], stop: set[str]) -> list[str]:
    """Words whose share of the topic's questions is most above their share of all."""
    here = _count_words(members, stop)
    return sorted(here, key=lambda word: (everywhere[word] - here[word], word))[:_KEYWORDS]
