"""The options of the TL;DR recipe, with the paper's values."""

from pydantic import Field

from heed.options import Options


class TldrOptions(Options):
    """Learning to summarize from human feedback, App. A; the word lists are Heed's own."""

    subreddits: tuple[str, ...] = (
        "relationships",
        "AskReddit",
        "relationship_advice",
        "tifu",
        "dating_advice",
        "personalfinance",
        "Advice",
        "legaladvice",
        "offmychest",
        "loseit",
        "jobs",
        "self",
        "BreakUps",
        "askwomenadvice",
        "dogs",
        "running",
        "pettyrevenge",
        "needadvice",
        "travel",
        "Parenting",
        "weddingplanning",
        "Pets",
        "Dogtraining",
        "cats",
        "AskDocs",
        "college",
        "GetMotivated",
        "books",
        "Cooking",
    )
    """The whitelist (Table 2)."""
    tokenizer: str = "gpt2"
    """What counts tokens: gpt2 (App. B.1: every model's encoding), a tokenizer.json, or a model folder."""
    body_tokens_max: int = Field(default=512, ge=1)
    """Most tokens of a post without its summary (App. A)."""
    summary_tokens_min: int = Field(default=24, ge=0)
    """Fewest tokens of a reference (App. A)."""
    summary_tokens_max: int = Field(default=48, ge=1)
    """Most tokens of a reference (App. A)."""
    topics: tuple[str, ...] = (
        "suicid*",
        "kill myself",
        "killed himself",
        "killed herself",
        "self harm*",
        "rape*",
        "raping",
        "rapist*",
        "molest*",
        "incest*",
        "blow job*",
        "blowjob*",
        "hand job*",
        "handjob*",
        "anal sex",
        "oral sex",
        "perform* oral",
        "receiv* oral",
        "squirter*",
        "fingered her",
        "doggy style",
        "his cock",
        "cum inside",
        "jerked off",
        "jerks off",
        "jerking off",
        "orgasm*",
        "masturbat*",
        "penis*",
        "vagina*",
        "clitoris",
        "ejaculat*",
        "cumming",
        "erection*",
        "threesome*",
        "horny",
        "porn*",
    )
    """Words that drop a post (App. A: "graphic sex or suicide"); `*` is any ending."""
    profanity: tuple[str, ...] = (
        "fuck*",
        "motherfuck*",
        "shit*",
        "bullshit*",
        "bitch*",
        "asshole*",
        "cunt*",
        "dick*",
        "cock",
        "cocks",
        "pussy",
        "whore*",
        "slut*",
        "fag*",
        "retard*",
        "nigg*",
    )
    """Words that count as profanity in a reference."""
    profanity_max: int = Field(default=1, ge=0)
    """Most such words a reference may have (App. A: "certain levels of profanity")."""
    validation_share: float = Field(default=0.05, ge=0, le=1)
    """Share of posts held out (App. A: about 5 %)."""
    development_share: float = Field(default=1913 / 6447, ge=0, le=1)
    """Share of those that only choose models (App. A: 1,913; the released validation set has 6,447)."""
    seed: int = 0
    """Decides the splits."""
