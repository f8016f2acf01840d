"""The options of the cloze recipe, with the paper's values."""

from pathlib import Path

from pydantic import Field

from heed.options import Options


class ClozeOptions(Options):
    """Asking the Right Question, section 3 and its footnotes."""

    subreddits: tuple[str, ...] = ("Advice",)
    """Where narratives come from (section 3.1); none: every subreddit of the corpus."""
    narrative_tokens_min: int = Field(default=50, ge=1)
    """Fewest spaCy tokens, white space aside, of a narrative without its questions (footnote 8)."""
    narrative_tokens_max: int = Field(default=300, ge=1)
    """Most such tokens (footnote 8)."""
    question_tokens: int = Field(default=5, ge=1)
    """Fewest tokens of a question, question mark included (section 3.1 and the released questions)."""
    specificity: float = 5.0
    """Least S(q): the highest idf of a question's words, ln(N/df) over all questions (section 3.1)."""
    min_document_frequency: int = Field(default=50, ge=1)
    """A term counts if it occurs in so many narratives (footnote 11, for 415,000 posts)."""
    narrative_similarity_min: float = Field(default=0.1, ge=0, le=1)
    """Narratives less alike are not paired (footnote 11)."""
    narrative_similarity_max: float = Field(default=0.8, ge=0, le=1)
    """Narratives more alike are likely duplicates (footnote 11)."""
    approximate: bool = False
    """Look for similar narratives by their heaviest terms only: much faster, nearly the same pairs."""
    vectors: Path | None = None
    """Word vectors in GloVe's format (footnote 12); without a file, GloVe 6B with 50 dimensions."""
    encoder: str = "glove"
    """What compares two questions: glove, tfidf, minilm, a folder of sentence-transformers (InferSent)."""
    band_low: float | None = None
    """Questions less alike are dropped; without a number, the encoder's calibrated one (footnote 13)."""
    band_high: float | None = None
    """Questions more alike are dropped; without a number, the encoder's calibrated one (footnote 13)."""
    choices: int = Field(default=2, ge=2, le=10)
    """Questions to choose from: the true one and so many others less one (section 2 proposes more than 2)."""
    annotation_sample: int = Field(default=500, ge=0)
    """Items set apart for people to annotate (released: 500)."""
    train_share: float = Field(default=8865 / 21365, ge=0, le=1)
    """Share of the other items for training (section 5: 8,865)."""
    test_share: float = Field(default=2500 / 21365, ge=0, le=1)
    """Share for testing (section 5: 2,500); the rest is held out (10,000)."""
    topics: int = Field(default=20, ge=2)
    """Clusters of narratives in the diversity report (Table 2 shows a selection)."""
    seed: int = 0
    """Decides which question of a post is taken, the order of choices, and the splits."""
