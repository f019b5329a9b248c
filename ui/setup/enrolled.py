"""What a user taught (`sandtable enrol`), kept beside the set-up: MATCH.enrolled/ with a list and the crops."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

from platformdirs import user_data_path
from pydantic import BaseModel, Field

from rules.classes import PIPS, misspelt
from rules.files.json_file import json_text, read_json, validated, write_together
from rules.legend import KNOWN_CLASSES
from rules.scene import NONE, UNKNOWN, Kind

if TYPE_CHECKING:
    from vision.frame import ImageBgr
    from vision.taught.enrol import Enrolled

SCHEMA = "sandtable/enrolled/1"
_LIST = "classes.json"
# Of a coin, and of a card or a soldier (`vision.taught.sample`).
_COIN_SHAPE, _TALL_SHAPE = (48, 48, 3), (72, 48, 3)
# In the folder itself, as they are written: what is forgotten takes its crops away.
_CropName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+\.png$")]
# A name is a file's name and a TOML key as well.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")


class _Class(BaseModel):
    name: str
    kind: Kind
    size_mm: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    crops: list[_CropName] = Field(min_length=1)
    said: list[str] | None = None
    by_ruler: bool = False


class _Document(BaseModel):
    schema_name: Literal["sandtable/enrolled/1"] = Field(alias="schema")
    classes: list[_Class]


def folder_of(setup_path: Path | None) -> Path:
    """Where the taught classes of a set-up lie; without a set-up, in the user's own data."""
    if setup_path is None:
        return user_data_path("sandtable", appauthor=False) / "enrolled"
    return setup_path.with_suffix(".enrolled")


def taught_beside(setup_path: Path | None) -> tuple[Enrolled, ...]:
    """The classes taught for that set-up; none where there is no such folder. ValueError for a broken one."""
    folder = folder_of(setup_path)
    rows = _listed(folder) if _is_listed(folder) else []
    return tuple(_enrolled(folder, row, setup_path) for row in rows)


def refuse_no_place(setup_path: Path | None) -> None:
    """ValueError for a set-up that comes through a pipe: nothing that is taught can be kept beside it."""
    if setup_path is not None and setup_path.exists() and not setup_path.is_file():
        raise ValueError(
            f"{setup_path}: no file, and what is taught is kept beside the set-up's; save the set-up, and name that"
        )


def forget_command(name: str, setup_path: Path | None) -> str:
    """The command that forgets the piece of that name, taught for that set-up only."""
    of_setup = f" --setup {quote(str(setup_path))}" if setup_path is not None else ""
    return f"sandtable enrol --forget {name}{of_setup}"


def taught_whole(setup_path: Path | None) -> Iterator[Enrolled]:
    """The taught classes whose files are whole; a broken one must not hinder teaching another, or the same again."""
    folder = folder_of(setup_path)
    for row in _listed(folder) if _is_listed(folder) else ():
        with suppress(OSError, ValueError):
            yield _enrolled(folder, row, setup_path)


def _enrolled(folder: Path, row: _Class, setup_path: Path | None) -> Enrolled:
    from vision.taught.enrol import Enrolled

    instead = f"teach {row.name} again, or forget it: {forget_command(row.name, setup_path)}"
    crops = tuple(_crop(folder / file, row, instead) for file in row.crops)
    return Enrolled(
        row.name, row.kind, row.size_mm, crops, tuple(row.said) if row.said is not None else None, row.by_ruler
    )


def taught_names(folder: Path) -> tuple[str, ...]:
    """The names of what is taught there."""
    return tuple(row.name for row in _listed(folder)) if _is_listed(folder) else ()


def checked_name(name: str, kind: Kind = "coin") -> str:
    """The name, if a piece of that kind can be called so; ValueError otherwise."""
    if name in (NONE, UNKNOWN):
        raise ValueError(f"enrol: {name!r} is no name for a piece: it says that none is known; choose another name")
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"enrol: {name!r} is no name for a piece; use letters (a to z, A to Z), digits and hyphens, 41 at most,"
            " such as my-5p"
        )
    if misspelt(kind, name) is not None:
        raise ValueError(f"enrol: {name} reads as a {kind} that is misspelt; choose another name, such as my-{name}")
    if name in KNOWN_CLASSES or name in PIPS:
        raise ValueError(
            f"enrol: {name} is what the eyes call a piece already; choose another name, such as my-{name},"
            f' and say in the set-up what it stands for: [legend] my-{name} = "{name}"'
        )
    return name


def refuse_capitals(folder: Path, name: str) -> None:
    """ValueError for a name that differs from a taught one by its capitals alone: on some disks it is the same file."""
    for other in taught_names(folder):
        if other != name and other.lower() == name.lower():
            raise ValueError(
                f"enrol: {other} was taught already, and {name} differs from it by capitals alone; write {other}, or"
                " choose another name"
            )


def forget_taught(folder: Path, name: str) -> None:
    """Take the class off the list, and its crops away. ValueError if none of that name was taught."""
    rows = _listed(folder) if _is_listed(folder) else []
    forgotten = [row for row in rows if row.name == name]
    if not forgotten:
        names = ", ".join(row.name for row in rows)
        elsewhere = "; give the --setup beside which it was" if folder == folder_of(None) else ", nor anything else"
        known = f"; choose one of {names}" if names else elsewhere
        raise ValueError(f"enrol: nothing called {name} was taught in {folder}{known}")
    left = [row for row in rows if row.name != name]
    write_together({folder / _LIST: f"{json_text(_document(left))}\n".encode()})
    _remove(forgotten[0].crops, folder)


def _remove(crops: Iterable[str], folder: Path) -> None:
    for file in crops:
        (folder / file).unlink(missing_ok=True)


def write_taught(folder: Path, known: Enrolled) -> None:
    """Add the class to the folder, in place of one of that name: all of it or, on a full disk, nothing."""
    import cv2

    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        rows = _listed(folder) if _is_listed(folder) else []
        others = [row for row in rows if row.name != known.name]
        files = [f"{known.name}-{number}.png" for number in range(1, len(known.crops) + 1)]
        crops = {
            folder / file: cv2.imencode(".png", crop)[1].tobytes()
            for file, crop in zip(files, known.crops, strict=True)
        }
        said = list(known.said) if known.said is not None else None
        size_mm = round(known.size_mm, 3)
        new = _Class(name=known.name, kind=known.kind, size_mm=size_mm, crops=files, said=said, by_ruler=known.by_ruler)
        listed = f"{json_text(_document([*others, new]))}\n".encode()
        write_together({**crops, folder / _LIST: listed})
        _remove(
            {file for row in rows for file in row.crops} - {file for row in (*others, new) for file in row.crops},
            folder,
        )
    except OSError:
        if is_new:
            folder.rmdir()
        raise


def _document(classes: Sequence[_Class]) -> dict[str, object]:
    return {"schema": SCHEMA, "classes": [known.model_dump(mode="json") for known in classes]}


def _is_listed(folder: Path) -> bool:
    """Whether anything was taught there; nothing in a home that this user may not look into."""
    try:
        folder.stat()
    except OSError:
        return False
    return (folder / _LIST).is_file()


def _listed(folder: Path) -> list[_Class]:
    return validated(_Document, read_json(folder / _LIST), str(folder / _LIST)).classes


def _crop(path: Path, row: _Class, instead: str) -> ImageBgr:
    import cv2
    import numpy as np

    if not path.is_file():
        raise ValueError(f"{path}: the picture that was kept is not there any more; {instead}")
    content = np.frombuffer(path.read_bytes(), np.uint8)
    crop = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    if crop is None or crop.shape != (_COIN_SHAPE if row.kind == "coin" else _TALL_SHAPE):
        raise ValueError(f"{path}: not the picture that was kept; {instead}")
    return np.asarray(crop, np.uint8)
