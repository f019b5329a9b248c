"""The short text form of a scene: TOML, millimetres, one line a piece; for tests, reports and set pieces typed by hand.

    table_mm = [700, 500]

    [piece]
    c1 = { coin = "gbp-5p", at = [311.2, 140.9], owner = "red", face = "heads" }
    k1 = { card = "AS", at = [100, 100] }
    m1 = { terrain = "mug", at = [420, 260], size_mm = 80, height_mm = 95 }

The kind is the key that names the class. A footprint follows from the kind, from `size_mm` (a disc's diameter, or
length and breadth turned by `rotation_deg`), or from an `outline`. Whatever is left out has the default of its kind.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field
from shapely import Polygon

from rules.files.tables import checked
from rules.footprint import drawn, usual_size_mm
from rules.scene import KINDS, NONE, UNKNOWN, Kind, Piece, Scene

Finite = Annotated[float, Field(allow_inf_nan=False)]

_OWNERLESS: tuple[Kind, ...] = ("terrain", "card", "die", "match")
# How the text names the fields of a piece whose defaults do not hang on its kind.
_PLAIN = (
    "face",
    "elevation_mm",
    "height_mm",
    "facing_deg",
    "colour",
    "level",
    "roster",
    "on",
    "confidence",
    "image_px",
    "shared_sigma_mm",
    "plane",
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")


class _Line(BaseModel):
    """What one line may say of a piece, besides its kind."""

    model_config = ConfigDict(extra="forbid")

    at: tuple[Finite, Finite]
    owner: str | None = None
    sigma_mm: Finite | None = None
    rotation_deg: Finite | None = None
    size_mm: Finite | tuple[Finite, Finite] | None = None
    outline: tuple[tuple[Finite, Finite], ...] | None = None
    holes: tuple[tuple[tuple[Finite, Finite], ...], ...] = ()
    face: str = UNKNOWN
    elevation_mm: Finite = 0.0
    height_mm: Finite | None = None
    facing_deg: Finite | None = None
    colour: str | None = None
    level: int | None = None
    roster: str | None = None
    on: str | None = None
    confidence: Finite = 1.0
    image_px: tuple[Finite, Finite] | None = None
    shared_sigma_mm: Finite = 0.0
    plane: str | None = None


class _Head(BaseModel):
    table_mm: tuple[Finite, Finite]
    time_s: Finite = 0.0
    reprojection_error_px: Finite = 0.0
    sigma_mm: Finite = 0.0
    notes: tuple[str, ...] = ()
    piece: dict[str, dict[str, Any]] = Field(default_factory=dict)


def scene_from_text(text: str, where: str = "scene") -> Scene:
    """The scene written in `text`. ValueError in one line names the piece and the key at fault."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{where}: not valid TOML: {error}") from None
    return scene_from_tables(document, where)


def scene_from_tables(document: Mapping[str, Any], where: str = "scene") -> Scene:
    """The scene of a parsed text; other tables beside it are left alone."""
    head = checked(_Head, document, where)
    pieces = tuple(_piece(id_, dict(line), head.sigma_mm, f"{where}: piece.{id_}") for id_, line in head.piece.items())
    return Scene(head.table_mm, pieces, head.time_s, head.reprojection_error_px, head.sigma_mm, head.notes)


def _piece(id_: str, line: dict[str, Any], sigma_mm: float, where: str) -> Piece:
    kind = next((kind for kind in KINDS if kind in line), None)
    if kind is None:
        raise ValueError(f"{where}: no kind; write one of {', '.join(get_args(Kind))} with the piece's class")
    cls = str(line.pop(kind))
    said = checked(_Line, line, where)
    rotation_deg = _upright_deg(kind) if said.rotation_deg is None else said.rotation_deg
    return Piece(
        id=id_,
        kind=kind,
        cls=cls,
        position_mm=said.at,
        footprint=_footprint(kind, cls, said, rotation_deg, where),
        owner=said.owner or _owner(kind),
        sigma_mm=sigma_mm if said.sigma_mm is None else said.sigma_mm,
        rotation_deg=rotation_deg,
        **{name: getattr(said, name) for name in _PLAIN},
    )


def _footprint(kind: Kind, cls: str, said: _Line, rotation_deg: float, where: str) -> Polygon:
    if said.outline is not None:
        return Polygon(said.outline, said.holes)
    size_mm = usual_size_mm(kind, cls) if said.size_mm is None else said.size_mm
    if size_mm is None:
        raise ValueError(f"{where}: no size for {kind} {cls!r}; give size_mm or an outline")
    return drawn(said.at, size_mm, rotation_deg)


def _upright_deg(kind: Kind) -> float:
    """The turn of a piece of which nothing is said: cards stand upright before the player."""
    return 90.0 if kind == "card" else 0.0


def _owner(kind: Kind) -> str:
    return NONE if kind in _OWNERLESS else UNKNOWN


def scene_text(scene: Scene) -> str:
    """The scene as text that `scene_from_text` reads back, equal to the last digit."""
    plain = Scene(scene.table_size_mm)
    heads = [f"table_mm = {_value(scene.table_size_mm)}"]
    for name in ("time_s", "reprojection_error_px", "sigma_mm", "notes"):
        if getattr(scene, name) != getattr(plain, name):
            heads.append(f"{name} = {_value(getattr(scene, name))}")
    lines = [f"{_key(piece.id)} = {{ {_line(piece, scene.sigma_mm)} }}" for piece in scene]
    return "\n".join([*heads, "", "[piece]", *lines, ""])


def _line(piece: Piece, sigma_mm: float) -> str:
    said: dict[str, Any] = {piece.kind: piece.cls, "at": piece.position_mm}
    said |= {
        name: getattr(piece, name)
        for name, usual in (
            ("owner", _owner(piece.kind)),
            ("sigma_mm", sigma_mm),
            ("rotation_deg", _upright_deg(piece.kind)),
            *((name, _Line.model_fields[name].default) for name in _PLAIN),
        )
        if getattr(piece, name) != usual
    }
    said |= _outline(piece)
    return ", ".join(f"{key} = {_value(value)}" for key, value in said.items())


def _outline(piece: Piece) -> dict[str, Any]:
    """The footprint, where it is not what the kind has anyway."""
    size_mm = usual_size_mm(piece.kind, piece.cls)
    if size_mm is not None and drawn(piece.position_mm, size_mm, piece.rotation_deg) == piece.footprint:
        return {}
    rings = [list(ring.coords)[:-1] for ring in (piece.footprint.exterior, *piece.footprint.interiors)]
    return {"outline": rings[0], **({"holes": rings[1:]} if rings[1:] else {})}


def _value(value: Any) -> str:
    """A TOML value: JSON's strings, numbers and lists are TOML's, but for a raw delete character."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if _BARE_KEY.match(name) else _value(name)
