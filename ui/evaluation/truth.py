"""What is known of the pictures of a folder: exact scenes, or labelled boxes (`sample_footage/README.md`)."""

from __future__ import annotations

import csv
import errno
import math
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from shapely import Polygon

from rules.classes import misspelt
from rules.files.json_file import read_json
from rules.files.scene_file import scene_from
from rules.scene import UNKNOWN, Kind, Point2
from ui.setup.setup_file import files_of
from vision.stream.picture import SUFFIXES

_TRUTH = ".truth.geojson"
# Boxes of all pictures of a folder, one a line.
LABELS = "labels.csv"
_COLUMNS = ("file", "kind", "class", "x", "y", "w", "h")
# A truth may leave its table out: where things lie is asked, and not on how large a table.
_ANY_TABLE_MM = (700.0, 500.0)
# Less of a piece than this in sight: it need not be found, nor is finding it a mistake.
_LEAST_VISIBLE = 0.5
# Labels that are no pieces: a remark on the whole picture, and things that must not be reported.
_REMARK, OTHER = "scene", "other"
_LABELLED = (*get_args(Kind), OTHER, _REMARK)


@dataclass(frozen=True)
class Known:
    """One thing that is there. A box (x, y, w, h) in px, or a position, with its height over the table where coins may
    lie on others, and footprint on the table."""

    kind: str
    cls: str
    face: str | None = None
    owner: str | None = None
    position_mm: Point2 | None = None
    elevation_mm: float | None = None
    footprint: Polygon | None = None
    facing_deg: float | None = None
    head_deg: float | None = None
    height_mm: float | None = None
    level: int | None = None
    box_px: tuple[float, float, float, float] | None = None
    must_find: bool = True


@dataclass(frozen=True)
class Picture:
    """A picture with its set-up (None if the cards on it are the ruler) and what is known to lie on its table.

    table_size_mm  as the truth tells it, if it does
    is_boxed       whether labelled boxes are known, and no places on the table
    """

    path: Path
    setup: Path | None
    known: tuple[Known, ...]
    table_size_mm: Point2 | None = None
    is_boxed: bool = False

    @property
    def truth(self) -> Path:
        """The file that tells an exact scene."""
        return _truth_of(self.path)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that scoring it reads: the picture, its truth, its set-up and what that names."""
        return self.path, self.truth, *files_of(self.setup)


def pictures_in(folder: Path, split: str | None = None) -> list[Picture]:
    """The pictures of a folder that have truth; `split` takes only those labelled so.

    ValueError if there is none, or a truth file cannot be read; OSError if the folder cannot.
    """
    if not folder.is_dir():
        if folder.exists():
            raise NotADirectoryError(
                f"{folder}: this is a file; give the folder that holds the pictures and their truth"
            )
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    labels = folder / LABELS
    if split is not None and not labels.is_file():
        raise ValueError(f"{folder}: --split goes by a column of {LABELS}, which is not there; leave out --split")
    found = _labelled(labels, split) if labels.is_file() else _with_scenes(folder)
    if not found and split is not None:
        raise ValueError(f"{labels}: no picture that lies here is labelled with the split {split!r}; leave out --split")
    if not found:
        raise ValueError(f"{folder}: no picture with truth; give NAME.truth.geojson or labels.csv beside the pictures")
    return found


def _with_scenes(folder: Path) -> list[Picture]:
    pictures = []
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES):
        truth = _truth_of(path)
        if truth.is_file():
            document = read_json(truth)
            pictures.append(Picture(path, _setup_of(path), _scene_truth(document, truth), _told_size_mm(document)))
    _refuse_lonely(folder, pictures)
    return pictures


def _refuse_lonely(folder: Path, pictures: Sequence[Picture]) -> None:
    """ValueError for a truth file beside which there is no picture: a score without it would say nothing of it."""
    shown = {_truth_of(picture.path).name for picture in pictures}
    lonely = next((truth for truth in sorted(folder.glob(f"*{_TRUTH}")) if truth.name not in shown), None)
    if lonely is not None:
        stem = lonely.name.removesuffix(_TRUTH)
        raise ValueError(f"{lonely}: there is no picture {stem} ({', '.join(SUFFIXES)}) beside it; add it")


def _truth_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}{_TRUTH}")


def _setup_of(path: Path) -> Path | None:
    beside = (path.with_name(f"{path.stem}.setup.toml"), path.with_name("setup.toml"))
    return next((setup for setup in beside if setup.is_file()), None)


def _told_size_mm(document: dict[str, Any]) -> Point2 | None:
    size_mm = (document.get("table") or {}).get("size_mm")
    return (float(size_mm[0]), float(size_mm[1])) if size_mm is not None else None


def _scene_truth(document: Any, path: Path) -> tuple[Known, ...]:
    scene = scene_from(document, str(path), _ANY_TABLE_MM)
    return tuple(
        Known(
            kind=piece.kind,
            cls=piece.cls,
            face=piece.face if piece.kind == "coin" else None,
            owner=piece.owner,
            position_mm=piece.position_mm,
            elevation_mm=piece.elevation_mm if piece.kind == "coin" else None,
            footprint=piece.footprint,
            facing_deg=piece.facing_deg,
            head_deg=piece.rotation_deg if piece.kind == "match" else None,
            height_mm=piece.height_mm if piece.kind == "terrain" else None,
            level=piece.level if piece.kind == "terrain" else None,
            must_find=_visible(feature, path) >= _LEAST_VISIBLE,
        )
        for piece, feature in zip(scene.pieces, document["features"], strict=True)
    )


def _visible(feature: dict[str, Any], path: Path) -> float:
    told = feature["properties"].get("visible")
    if told is None:
        return 1.0
    if isinstance(told, bool) or not isinstance(told, int | float) or not 0 <= told <= 1:
        raise ValueError(f"{path}: visible of {feature.get('id')!r} should be a share from 0 to 1, not {told!r}")
    return float(told)


def passed_over(folder: Path) -> str | None:
    """Which truth files lie beside labels and are not asked; None for none."""
    labels = folder / LABELS
    truths = sorted(path.name for path in folder.glob(f"*{_TRUTH}")) if labels.is_file() else []
    if not truths:
        return None
    told = f"{len(truths)} *{_TRUTH}, the first {truths[0]}"
    return f"{labels}: it alone is scored by; passed over: {told}; keep those apart"


def absent_from(folder: Path, split: str | None = None) -> str | None:
    """How many labelled pictures of a folder do not lie there, and which is the first; None where none is missing."""
    labels = folder / LABELS
    named = sorted(_boxes(labels, split)) if labels.is_file() else []
    absent = [name for name in named if not (folder / name).is_file()]
    if not absent:
        return None
    return f"{labels}: missing and not scored: {len(absent)} of {len(named)} pictures, the first {absent[0]}; add them"


def _labelled(path: Path, split: str | None) -> list[Picture]:
    return [
        Picture(path.parent / name, _setup_of(path.parent / name), tuple(known), is_boxed=True)
        for name, known in sorted(_boxes(path, split).items())
        if (path.parent / name).is_file()
    ]


def _boxes(path: Path, split: str | None) -> dict[str, list[Known]]:
    """The labelled boxes, by the picture's name."""
    boxes: dict[str, list[Known]] = defaultdict(list)
    try:
        text = path.read_text(encoding="utf-8-sig")  # spreadsheets begin a file with a byte order mark
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8 text; save it as CSV in UTF-8") from None
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    missing = [column for column in _COLUMNS if column not in (rows.fieldnames or ())]
    if missing:
        raise ValueError(f"{path}: no column {missing[0]!r}; it needs {', '.join(_COLUMNS)}, with commas between")
    for row in rows:
        if not row["file"]:
            raise ValueError(f"{path}:{rows.line_num}: file: no picture is named")
        if split is None or row.get("split") == split:
            boxes[row["file"]] += _box(row, path, rows.line_num)
    return boxes


def _box(row: dict[str, str], path: Path, line: int) -> list[Known]:
    kind, cls = row["kind"], row["class"] or UNKNOWN
    if kind == _REMARK:
        return []
    try:
        x, y, w, h = (float(row[key]) for key in ("x", "y", "w", "h"))
    except (TypeError, ValueError):
        raise ValueError(f"{path}:{line}: x, y, w and h must be numbers") from None
    if not all(map(math.isfinite, (x, y, w, h))) or min(w, h) <= 0:
        raise ValueError(f"{path}:{line}: x, y, w and h must be the box in px, its sides more than 0")
    if kind not in _LABELLED:
        raise ValueError(f"{path}:{line}: kind: there is no {kind!r}; there are {', '.join(_LABELLED)}")
    wrong = misspelt(cast(Kind, kind), cls)
    if wrong is not None:
        raise ValueError(f"{path}:{line}: class: {wrong}")
    return [Known(kind, cls, box_px=(x, y, w, h))]
