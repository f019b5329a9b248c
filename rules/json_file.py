"""Strict JSON on disk: no NaN, whole files or none, errors in one line."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)


def read_json(path: Path) -> Any:
    """The document in `path`; ValueError says what is wrong with it and where, OSError if it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise ValueError(
            f"{path}: not a JSON file (it is not UTF-8 text); give the file that sandtable wrote"
        ) from None
    except json.JSONDecodeError as error:
        what = f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}" if error.doc else "empty"
        raise ValueError(f"{path}: {what}; give the file that sandtable wrote") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply to be one of our documents") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


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
