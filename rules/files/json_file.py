"""Strict JSON on disk: no NaN, whole files or none, errors in one line."""

from __future__ import annotations

import json
import math
import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar, get_args

from pydantic import BaseModel, ValidationError, model_validator

Model = TypeVar("Model", bound=BaseModel)
# A float holds whole numbers of up to 308 digits; so much is shown of one that is too long.
_MOST_DIGITS, _SHOWN = 300, 12
# So much of a value that is at fault is told.
_TOLD = 40
# So many bytes a name has at most, on the disks of today.
_LONGEST_NAME = 255
# So many links follow one another at most.
_MOST_LINKS = 40
# What to do, by pydantic's type of error, where its own words do not say.
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "missing": "missing; add it",
        "model_type": "should be an object, in braces; mend it",
        "dict_type": "should be an object, in braces; mend it",
        "list_type": "should be a list, in square brackets; mend it",
        "tuple_type": "should be a list, in square brackets; mend it",
    }
)


class Told(BaseModel):
    """An object of a file in which null says no more than leaving the key out: who edits GeoJSON in a map program
    gets every key of every feature."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        return {key: value for key, value in values.items() if value is not None}


def read_json(path: Path, give: str = "give the file that sandtable wrote") -> Any:
    """The document in `path`; ValueError says what is wrong with it and where, OSError if it cannot be read.

    give  what to do about a file that is no JSON
    """
    try:
        return strict_json(path.read_text(encoding="utf-8-sig"))  # Notepad begins a file with a byte order mark
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a JSON file (it is not UTF-8 text); {give}") from None
    except json.JSONDecodeError as error:
        what = f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}" if error.doc else "empty"
        raise ValueError(f"{path}: {what}; {give}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def strict_json(text: str) -> Any:
    """The document in `text`; ValueError also for what is no finite number, and for what is nested without end."""
    try:
        document = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_once,
        )
    except RecursionError:
        raise ValueError("nested too deeply to be one of our documents; give another file") from None
    if "\\u" in text:
        _refuse_half_letters(document)
    return document


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; ValueError for a key that stands in it twice, of which one would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"the key {shortened(twice)} stands twice in one object; take one out")
    return found


def shortened(value: object) -> str:
    """What was written, as far as a line has room for it."""
    found = repr(value)
    return found if len(found) <= _TOLD else f"{found[:_TOLD]}..."


def _refuse_half_letters(document: Any) -> None:
    """ValueError for one half of a pair such as \\ud83d alone, which no file in UTF-8 could hold again."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise ValueError(f"{half} is half a letter; write both halves, or the letter itself") from None


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:_SHOWN]} is too large a number; mend it")
    return number


def _whole(digits: str) -> int:
    """The whole number; a float must be able to hold it too, for that is what lengths are counted in."""
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"{digits[:_SHOWN]}... is too large a number; mend it")
    return int(digits)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in strict JSON; replace it")


def json_text(document: Any) -> str:
    """`document` as one line of strict JSON; ValueError for NaN or infinity."""
    return json.dumps(document, allow_nan=False, ensure_ascii=False)


def write_json(path: Path, document: Any) -> None:
    """Write `document` whole or not at all."""
    write_whole(path, (json_text(document) + "\n").encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write through a temporary file beside `path`, so that a full disk leaves what was there before."""
    if is_stream(path) or (path.exists() and not path.is_file()):
        with _blaming(path):
            path.write_bytes(content)  # a pipe or a device, such as /dev/stdout, or else a folder, which says so
        return
    write_together({path: content})


def behind(path: Path) -> Path:
    """The file that a link names, be it there or not, or the path itself: a result goes there, and the link stays."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def is_stream(path: Path) -> bool:
    """Whether a path names an open file, such as /dev/stdout, or a link to one. Whoever opened that holds it, so that
    no other file can take its place."""
    for _ in range(_MOST_LINKS):
        folder = Path(os.path.realpath(path.parent))
        if folder.name == "fd" and folder.is_relative_to("/proc"):
            return True
        if not path.is_symlink():
            return False
        path = path.parent / path.readlink()
    return False


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write files that belong together, the last one last: none takes its place before there is room for all."""
    temporary: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            with _blaming(path):
                handle, temporary[path] = opened_beside(path)
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
        for path, written in temporary.items():
            with _blaming(path):
                written.replace(behind(path))
    finally:
        for written in temporary.values():
            written.unlink(missing_ok=True)


def opened_beside(path: Path) -> tuple[int, Path]:
    """A new file, open to be written, that is to take the place of `path`: for whom that one was, or, if there is none,
    for whom the system makes files (the mask of the process)."""
    place = behind(path)
    some = secrets.token_hex(4)
    name = place.with_name(f".{stem_beside(place, f'..{some}{place.suffix}')}.{some}{place.suffix}")
    with _blaming(path):
        handle = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
        if path.is_file():
            name.chmod(stat.S_IMODE(path.stat().st_mode))
    return handle, name


def stem_beside(place: Path, added: str) -> str:
    """The stem of a file's name, cut where what is added to it would make it too long for a disk."""
    stem = place.stem
    while stem and len(os.fsencode(stem + added)) > _LONGEST_NAME:
        stem = stem[:-1]
    return stem


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    """What the system says of a temporary file is said of `path`."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def validated(model: type[Model], document: Any, where: str) -> Model:
    """`document` as a `model`; ValueError names the first key at fault."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(keys_along(first["loc"], document)) or "the document"
        told = _schema_told(model) if key == "schema" and first["type"] == "missing" else None
        raise ValueError(f"{where}: {key}: {told or _WORDS.get(first['type']) or _said(first)}") from None


def keys_along(loc: Iterable[int | str], document: Any) -> list[str]:
    """The keys and places by which pydantic came to a fault, without what it tried there (`str`, `[key]`)."""
    keys: list[str] = []
    for part in loc:
        if isinstance(document, Mapping) and part != "[key]":
            document = document.get(part)
        elif isinstance(document, list | tuple) and isinstance(part, int):
            document = document[part] if part < len(document) else None
        else:
            continue
        keys.append(str(part))
    return keys


def _schema_told(model: type[BaseModel]) -> str | None:
    """What to write where a document does not say what it is."""
    named = (field.annotation for field in model.model_fields.values() if field.alias == "schema")
    return next((f'missing; add "schema": "{get_args(kind)[0]}"' for kind in named if get_args(kind)), None)


def _said(fault: Mapping[str, Any]) -> str:
    """What a value should be, and what it is."""
    if fault["type"] == "too_long":
        limits = fault["ctx"]
        return f"should have at most {limits['max_length']} items, not {limits['actual_length']}; mend it"
    message = str(fault["msg"])
    return f"{message[:1].lower()}{message[1:]}, not {shortened(fault['input'])}; mend it, or give another file"
