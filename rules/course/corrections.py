"""What a person put right: corrections outlive the next frames and can be taken back (C5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.course.changes import has_moved
from rules.scene import Piece, Scene

# What a person can put right about a piece, by its name in the scene file, and the field of Piece. Where it lies is
# not among them: the camera sees that, and a person who knows better types a move.
_FIELD_OF = {
    "class": "cls",
    "owner": "owner",
    "face": "face",
    "height_mm": "height_mm",
    "colour": "colour",
    "level": "level",
    "roster": "roster",
    "facing_deg": "facing_deg",
    "on": "on",
}

Corrections = Mapping[str, Mapping[str, Any]]


def merged(corrections: Corrections, piece_id: str, said: Mapping[str, Any]) -> Corrections:
    """The corrections with what was just said of a piece; a value of None takes that one back.

    ValueError for a property that cannot be corrected.
    """
    unknown = [key for key in said if key not in _FIELD_OF]
    if unknown:
        raise ValueError(f"correction of {piece_id}: {unknown[0]!r} cannot be set; one of {', '.join(_FIELD_OF)} can")
    kept = {key: value for key, value in {**corrections.get(piece_id, {}), **said}.items() if value is not None}
    return {**corrections, piece_id: kept}


def still_true(corrections: Corrections, before: Scene, after: Scene) -> Corrections:
    """The corrections without what was said a die shows that has been thrown since."""
    thrown = {
        die.id
        for die in after.of_kind("die")
        if "class" in corrections.get(die.id, {}) and die.id in before and has_moved(before[die.id], die)
    }
    if not thrown:
        return corrections
    return {
        id_: {key: value for key, value in said.items() if key != "class" or id_ not in thrown}
        for id_, said in corrections.items()
    }


def corrected_piece(piece: Piece, corrections: Corrections) -> Piece:
    """The piece as the person says that it is; what was corrected is certain."""
    said = corrections.get(piece.id)
    if not said:
        return piece
    return replace(piece, **{_FIELD_OF[key]: value for key, value in said.items()}, confidence=1.0)


def corrected(scene: Scene, corrections: Corrections) -> Scene:
    """The scene with every correction made."""
    if not corrections:
        return scene
    return replace(scene, pieces=tuple(corrected_piece(piece, corrections) for piece in scene))
