"""Options: declared once, as frozen pydantic models, with a docstring under each field.

The docstring becomes the flag's help and the line in the docs; the values go into the manifest.
"""

import difflib
import tomllib
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from heed.errors import NotFoundError, UserError


class Options(BaseModel):
    """What a command can be told. Unknown names are refused, values never change afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @classmethod
    def parse(cls, values: dict[str, Any]) -> Self:
        """Like the constructor, but a wrong value is a sentence for the user."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise UserError(_first_sentence(cls, error)) from None

    @classmethod
    def load(
        cls, config: Path | None = None, assignments: tuple[str, ...] = (), table: str | None = None
    ) -> Self:
        """Defaults, then a TOML file (its table of that name, if it has one), then `key=value` pairs."""
        values = _read_toml(config) if config else {}
        if table and all(isinstance(value, dict) for value in values.values()):
            values = values.get(table, {})
        for assignment in assignments:
            key, equals, text = assignment.partition("=")
            if not equals:
                raise UserError(f"--set takes key=value, not '{assignment}'.")
            values[key.strip()] = _read_value(text)
        return cls.parse(values)

    def recorded(self) -> dict[str, Any]:
        """The values as they stand in a manifest."""
        return self.model_dump(mode="json")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFoundError(f"There is no option file {path}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is not valid TOML: {error}.") from None


def _read_value(text: str) -> Any:
    """A TOML value where the text is one (3, true, ["a", "b"]), else the text itself."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def _first_sentence(cls: type[Options], error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or cls.__name__
    if first["type"] == "extra_forbidden":
        close = difflib.get_close_matches(name, cls.model_fields, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(cls.model_fields)}."
        return f"There is no option '{name}': {hint}"
    message = first["msg"].removeprefix("Value error, ")
    return f"Option '{name}' cannot be {first['input']!r}: {message[:1].lower()}{message[1:]}."
