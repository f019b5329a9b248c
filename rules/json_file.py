"""Strict JSON on disk: no NaN, whole files or none, errors in one line."""

from __future__ import annotations

import json
import math
import os
import tempfile
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)
# A float holds whole numbers of up to 308 digits; so much is shown of one that is too long.
_MOST_DIGITS, _SHOWN = 300, 12


def read_json(path: Path) -> Any:
    """The document in `path`; ValueError says what is wrong with it and where, OSError if it cannot be read."""
    try:
        return strict_json(path.read_text(encoding="utf-8-sig"))  # Notepad begins a file with a byte order mark
    except UnicodeDecodeError:
        raise ValueError(
            f"{path}: not a JSON file (it is not UTF-8 text); give the file that sandtable wrote"
        ) from None
    except json.JSONDecodeError as error:
        what = f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}" if error.doc else "empty"
        raise ValueError(f"{path}: {what}; give the file that sandtable wrote") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def strict_json(text: str) -> Any:
    """The document in `text`; ValueError also for what is no finite number, and for what is nested without end."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_whole)
    except RecursionError:
        raise ValueError("nested too deeply to be one of our documents") from None


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
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or a device, such as /dev/stdout, or else a folder, which says so
        return
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def validated(model: type[Model], document: Any, where: str) -> Model:
    """`document` as a `model`; ValueError names the first key at fault."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "the document"
        what = "should be an object, in braces" if first["type"] == "model_type" else first["msg"].lower()
        raise ValueError(f"{where}: {key}: {what}") from None
