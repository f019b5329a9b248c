"""Reading a TOML file so that every complaint names the file, the line and the key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.files.geojson import FARTHEST
from rules.files.tables import KeyFault, line_of

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
# How tomllib, of any version, says that a key is there already.
_TWICE = re.compile(
    r"Cannot overwrite a value|"
    r"(?:Cannot (?:mutate immutable namespace|redefine namespace|declare)|Duplicate inline table key)"
    r" (\(.+?\)|'.+?'|\".+?\")(?: twice)?(?= \(at )"
)
_QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+|\"[^\"]*\")\s*=")


@dataclass(frozen=True)
class Section:
    """One table of a TOML file, with typed getters.

    name    dotted name of the table as a person would say it, "" for the top level
    header  line of its header, 0 for the top level
    """

    path: Path
    text: str
    name: str
    header: int
    values: Mapping[str, Any]

    def fault(self, key: str | None, what: str) -> ValueError:
        """One line that names the file, the line (where it can be found), the key and what is wrong."""
        line = (self._line_of(key) if key else self.header) or self.header
        if key is not None and key in self.values and not line:
            line = line_of(self.text, [*self.name.split("."), key] if self.name else [key])
        where = f"{self.path}:{line}" if line else str(self.path)
        name = ".".join(part for part in (self.name, key) if part)
        return ValueError(f"{where}: {name}: {what}" if name else f"{where}: {what}")

    def fault_at(self, fault: KeyFault) -> ValueError:
        """The same fault with the file and the line that its keys lead to."""
        return ValueError(f"{self.path}:{line_of(self.text, fault.keys)}: {fault}")

    def refuse_unknown(self, known: Collection[str]) -> None:
        """ValueError for the first key that nobody reads: most often a misspelling."""
        for key in self.values:
            if key not in known:
                raise self.fault(key, f"unknown key; known here: {', '.join(sorted(known))}")

    def section(self, key: str) -> Section | None:
        """The table under `key`, or None."""
        if key not in self.values:
            return None
        name = ".".join(part for part in (self.name, key) if part)
        values = self.values[key]
        if not isinstance(values, dict):
            raise self.fault(key, f"should be a table: [{name}]")
        return Section(self.path, self.text, name, self._header_of(name) or self._line_of(key) or 0, values)

    def sections(self, key: str) -> tuple[Section, ...]:
        """The array of tables `[[key]]`, in order; empty for none."""
        rows = self.values.get(key, [])
        if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
            raise self.fault(key, f"should be written as [[{key}]], once for each")
        return tuple(
            Section(self.path, self.text, key, self._header_of(key, index) or 0, row) for index, row in enumerate(rows)
        )

    def string(self, key: str, default: str | None = None, choices: Collection[str] | None = None) -> str:
        """The text under `key`; ValueError if it is missing without a default, or none of `choices`."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self.fault(key, f"should be text, not {value!r}")
        if "\0" in value:
            raise self.fault(key, f"{value!r} has a character of no text, \\0; take it out")
        if choices is not None and value not in choices:
            raise self.fault(key, f"{value!r} is none of {', '.join(choices)}")
        return value

    def flag(self, key: str) -> bool:
        """Whether `key` is true; false where it is missing."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.fault(key, f"should be true or false, not {value!r}")
        return value

    def number(self, key: str, default: float | None = None, *, positive: bool = False) -> float:
        """The finite number under `key`."""
        value = self._value(key, default)
        if not _is_number(value):
            raise self.fault(key, f"should be a number, not {value!r}")
        if positive and value <= 0:
            raise self.fault(key, f"should be more than 0, not {value!r}")
        return float(value)

    def numbers(self, key: str, count: int, *, positive: bool = False) -> tuple[float, ...]:
        """The list of `count` finite numbers under `key`."""
        return self.as_numbers(key, self._value(key, None), count, positive=positive)

    def as_numbers(self, key: str, value: Any, count: int, *, positive: bool = False) -> tuple[float, ...]:
        """`value` as `count` finite numbers; ValueError naming `key` otherwise."""
        if not (isinstance(value, list) and len(value) == count and all(_is_number(item) for item in value)):
            raise self.fault(key, f"should be {count} numbers, not {value!r}")
        if positive and min(value) <= 0:
            raise self.fault(key, f"should all be more than 0, not {value!r}")
        return tuple(float(item) for item in value)

    def _value(self, key: str, default: Any) -> Any:
        if key in self.values:
            return self.values[key]
        if default is None:
            raise self.fault(None, f"{key} is missing; add it")
        return default

    def _header_of(self, name: str, index: int = 0) -> int | None:
        found = [at for at, line in _numbered(self.text) if (m := _HEADER.match(line)) and m.group(2) == name]
        return found[index] if index < len(found) else None

    def _line_of(self, key: str) -> int | None:
        for number, line in _numbered(self.text):
            if number <= self.header:
                continue
            if _HEADER.match(line):
                return None
            if (match := _KEY.match(line)) and match.group(1).strip('"') == key:
                return number
        return None


def read_toml(path: Path) -> Section:
    """The top table of a TOML file; ValueError with file and line if it is none, OSError if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # Notepad begins a file with a byte order mark
        values = tomllib.loads(text)
        _refuse_long_numbers(values, path)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file, so not a TOML file; save it as text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        told = _TWICE.sub(lambda twice: f"{_key_of(twice[1] or '')} is given twice", str(error))
        raise ValueError(f"{path}: not valid TOML: {told}; mend it") from None
    except RecursionError:
        raise ValueError(f"{path}: not valid TOML: nested too deeply; mend it") from None
    return Section(path, text, "", 0, values)


def _key_of(quoted: str) -> str:
    """A key as tomllib quotes it, or its parts: ('a', 'b') is a.b."""
    return ".".join(single or double for single, double in _QUOTED.findall(quoted)) or "a key"


def _refuse_long_numbers(value: Any, path: Path) -> None:
    """ValueError for a whole number that no TOML file can hold."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{path}: not valid TOML: {str(value)[:12]}... is too large a number; mend it")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _refuse_long_numbers(part, path)


def _numbered(text: str) -> enumerate[str]:
    return enumerate(text.splitlines(), start=1)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= FARTHEST
