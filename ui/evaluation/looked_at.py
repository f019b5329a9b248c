"""What `scene` finds in one picture of a folder, or why it cannot be scored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from rules.scene import Piece, Point2, Scene
from ui.evaluation.truth import Picture
from ui.eyes import eyes_for
from ui.measuring.table import print_of
from ui.setup.setup_file import SetupFile
from ui.still import frames_of, still_scene

# Sides of one table, as a share: as it is told, and as cards measure how much of it a picture shows.
_TOLD, _MEASURED = 1e-6, 0.01


class UnfitError(ValueError):
    """The picture, or what lies beside it, is at fault: nothing that `scene` finds there says how well it sees."""


def refuse_other_tables(pictures: Sequence[Picture], setups: Mapping[Path, SetupFile]) -> None:
    """ValueError for a truth that tells of a table of another size than its set-up: one of the two is another's."""
    for picture in pictures:
        told_mm = picture.table_size_mm
        if picture.setup is None or told_mm is None:
            continue
        size_mm = setups[picture.setup].rules.table_size_mm
        if not _are_alike(told_mm, size_mm, _TOLD):
            raise ValueError(
                f"{picture.truth}: its table is {_told(told_mm)} mm, that of {picture.setup} {_told(size_mm)};"
                " give each picture its own set-up"
            )


def pieces_on(picture: Picture, setup: SetupFile | None) -> tuple[Piece, ...]:
    """The pieces that `scene` finds in the picture.

    UnfitError where the picture cannot be read, or has no set-up by which its truth could be compared; ValueError where
    its table cannot be measured otherwise.
    """
    try:
        frames = frames_of(picture.path, None)
    except ValueError as error:
        raise UnfitError(str(error)) from None
    look = eyes_for(setup.rules if setup is not None else None, known_print=print_of(setup))
    if setup is not None:
        return still_scene(setup, frames, look).pieces
    lacks = f"{picture.path}: no {picture.path.stem}.setup.toml nor setup.toml lies beside it, and"
    try:
        scene = still_scene(None, frames, look)
    except ValueError:
        raise UnfitError(f"{lacks} no cards on it tell where its table is; add one") from None
    if not picture.is_boxed and not _is_in_frame_of_cards(picture, scene):
        raise UnfitError(f"{lacks} its truth is not told in the frame of its cards; add one")
    return scene.pieces


def _is_in_frame_of_cards(picture: Picture, scene: Scene) -> bool:
    """Whether the truth is of a scene that cards measured, whose table is as large as the picture shows it."""
    return picture.table_size_mm is not None and _are_alike(picture.table_size_mm, scene.table_size_mm, _MEASURED)


def _are_alike(first_mm: Point2, second_mm: Point2, share: float) -> bool:
    return all(math.isclose(*sides, rel_tol=share) for sides in zip(first_mm, second_mm, strict=True))


def _told(size_mm: Point2) -> str:
    return " x ".join(f"{side:g}" for side in size_mm)
