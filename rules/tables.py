"""Tables of a game as TOML that players can edit: read, checked, and faults told with their line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Table = TypeVar("Table", bound=BaseModel)


def packaged_table(model: type[Table], package: str, name: str) -> Table:
    """The table that came with a game's package; ValueError names the line and the key at fault."""
    return table_from(model, files(package).joinpath(name).read_text(encoding="utf-8"), name)


def table_from(model: type[Table], text: str, where: str) -> Table:
    """The table written in `text`; `where` names it in the ValueError, with the line and the key at fault."""
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{where}: not valid TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        keys = [str(part) for part in first["loc"]]
        line = _line_of(text, keys)
        raise ValueError(f"{where}: line {line}: {'.'.join(keys)}: {first['msg'].lower()}") from None


def checked(model: type[Table], values: Mapping[str, Any], where: str) -> Table:
    """A table that a set-up carries (such as `[rules.roster]`); the ValueError names the key at fault."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        keys = ".".join([where, *(str(part) for part in first["loc"])])
        raise ValueError(f"{keys}: {first['msg'].lower()}") from None


def _line_of(text: str, keys: list[str]) -> int:
    """The line that the keys lead to: the table's head, then the keys in it as far as they are written out."""
    lines = text.splitlines()
    found, begin = 1, 0
    for depth in range(len(keys)):
        for number in range(begin, len(lines)):
            if _names(lines[number], keys, depth):
                found, begin = number + 1, number
                break
    return found


def _names(line: str, keys: list[str], depth: int) -> bool:
    """Whether a line is the head of the table `keys[:depth + 1]` or sets the key at that depth."""
    dotted = r"\s*\.\s*".join(rf"[\"']?{re.escape(key)}[\"']?" for key in keys[: depth + 1])
    head = re.match(rf"\s*\[+\s*{dotted}\s*\]+", line)
    return bool(head or re.search(rf"(^|[{{,\s])[\"']?{re.escape(keys[depth])}[\"']?\s*=", line))
