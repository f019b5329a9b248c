"""Tables of a game as TOML that players can edit: read, checked, and faults told with their line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError, model_validator

from rules.files.json_file import keys_along

Table = TypeVar("Table", bound=BaseModel)
# What to do, by pydantic's type of error, where its own words and what was written do not tell.
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "missing": "field required: add it",
        "extra_forbidden": "no such key: take it out, or mend its name",
        "model_type": "should be a table of keys",
        "dict_type": "should be a table of keys",
        "tuple_type": "should be a list in square brackets",
    }
)


class Row(BaseModel):
    """A row of what people write: true and false stand for no number and no word."""

    @model_validator(mode="before")
    @classmethod
    def _truths(cls, values: Any) -> Any:
        for key, value in values.items() if isinstance(values, Mapping) else ():
            field = cls.model_fields.get(key)
            if isinstance(value, bool) and field is not None and field.annotation is not bool:
                raise KeyFault([key], f"should be a number, a word or a list, not {str(value).lower()}")
        return values


class KeyFault(ValueError):  # noqa: N818 - a fault of the text, told to a person
    """What somebody wrote and nobody can mean: `keys` lead to it, as in ("rules", "roster", "archer", "hp")."""

    def __init__(self, keys: Sequence[str], what: str) -> None:
        super().__init__(f"{'.'.join(keys)}: {what}")
        self.keys = tuple(keys)
        self.what = what


def packaged_table(model: type[Table], package: str, name: str) -> Table:
    """The table that came with a game's package; ValueError names the file, the line and the key at fault."""
    where = f"{package.replace('.', '/')}/{name}"
    return table_from(model, files(package).joinpath(name).read_text(encoding="utf-8"), where)


def table_from(model: type[Table], text: str, where: str) -> Table:
    """The table written in `text`; `where` names it in the ValueError, with the line and the key at fault."""
    try:
        values = tomllib.loads(text)
        return model.model_validate(values)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{where}: not valid TOML: {error}") from None
    except ValidationError as error:
        fault = _fault(error, values)
        raise ValueError(f"{where}: line {line_of(text, fault.keys)}: {fault}") from None


def checked(model: type[Table], values: Mapping[str, Any], *where: str) -> Table:
    """A table that a set-up carries (such as `[rules.roster]`); the `KeyFault` names the key, below `where`."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        raise _fault(error, values, *where) from None


def _fault(error: ValidationError, values: Mapping[str, Any], *above: str) -> KeyFault:
    """The first fault in a table: its keys below those `above`, what it should be and what it is."""
    first = error.errors()[0]
    keys, found = [*above, *keys_along(first["loc"], values)], first.get("ctx", {}).get("error")
    if isinstance(found, KeyFault):
        return KeyFault([*keys, *found.keys], found.what)
    return KeyFault(keys, _WORDS.get(first["type"]) or f"{first['msg'].lower()}, not {first['input']!r}")


def line_of(text: str, keys: Sequence[str]) -> int:
    """The line of a TOML text that the keys lead to: the table's head, then the keys as far as they are written out."""
    lines = text.splitlines()
    found, begin, end = 1, 0, len(lines)
    for depth in range(len(keys)):
        number = _next(lines[:end], begin, keys[: depth + 1])
        if number is not None:
            found, begin = number + 1, number
            end = end if lines[number].lstrip().startswith("[") else number + 1  # the rest is on that very line
    return found if begin else _first_below(lines, keys)


def _next(lines: Sequence[str], begin: int, keys: Sequence[str]) -> int | None:
    """The first line from `begin` that is the head of the table `keys` or, before any other head, sets the last key."""
    inside = True
    for number in range(begin, len(lines)):
        line = lines[number]
        if _is_head(line, keys):
            return number
        inside = inside and (number == begin or not line.lstrip().startswith("["))
        if inside and _sets(line, keys[-1]):
            return number
    return None


def _first_below(lines: Sequence[str], keys: Sequence[str]) -> int:
    """The line of the first head that stands below the table `keys`, which has none of its own; 1 for none."""
    return next((number for number, line in enumerate(lines, 1) if _is_head(line, keys, end=r"\.")), 1)


def _is_head(line: str, keys: Sequence[str], end: str = r"\]+") -> bool:
    dotted = r"\s*\.\s*".join(rf"[\"']?{re.escape(key)}[\"']?" for key in keys)
    return re.match(rf"\s*\[+\s*{dotted}\s*{end}", line) is not None


def _sets(line: str, key: str) -> bool:
    """Whether a line sets the key, at its beginning or in braces."""
    written = "" if line.lstrip().startswith("#") else line
    return re.search(rf"(^|[{{,\s])[\"']?{re.escape(key)}[\"']?\s*=", written) is not None
