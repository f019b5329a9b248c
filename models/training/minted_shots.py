"""The pictures of `models.render_coins` as shots to learn from, each as cameras of several resolutions develop it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, FACES, OWNERS, THICKNESS_MM
from models.training.looks import Sprite, outline
from models.training.shot import Item, Pinhole, developed
from models.training.tables import Shot

# So much coarser than it was rendered is a picture seen at most.
COARSEST = 0.22
# Nothing is cut from the looks of a coin that has been rendered.
_NO_SPRITE = Sprite(np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.uint8))


def shots(folder: Path, rng: np.random.Generator, rounds: int) -> Iterator[Shot]:
    """Each picture `rounds` times."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as stored:
            shown = {key: stored[key] for key in stored.files}
        items = [item_of(row) for row in shown["coins"]]
        items += [stranger_of(row) for row in shown.get("strangers", ())]
        for _ in range(rounds):
            picture, camera = coarser(shown, float(np.exp(rng.uniform(np.log(COARSEST), 0))))
            yield Shot(developed(picture, rng), camera, [item for item in items if is_in_view(item, camera)])


def item_of(row: NDArray[np.float64]) -> Item:
    """A coin of such a picture."""
    *at, top_mm, radius_mm = row[:4]
    cls, face, owner = CLASSES[int(row[4])], FACES[int(row[5])], OWNERS[int(row[6])]
    thick = THICKNESS_MM[cls]
    return Item(
        _NO_SPRITE,
        outline(cls),
        radius_mm,
        np.array(at),
        top_mm - thick,
        thick,
        0.0,
        cls,
        face,
        owner,
        visible_share=row[7],
    )


def stranger_of(row: NDArray[np.float64]) -> Item:
    """A round thing that is no coin."""
    *at, top_mm, radius_mm = row
    return Item(_NO_SPRITE, outline("round"), radius_mm, np.array(at), 0.0, top_mm, 0.0)


def is_in_view(item: Item, camera: Pinhole) -> bool:
    """Whether the middle of its face shows."""
    at = camera.project(np.append(item.centre_mm, item.top_mm)[None])[0]
    return bool((at > 0).all() and (at < np.array(camera.size_px) - 1).all())


def coarser(shown: dict[str, NDArray[np.generic]], scale: float) -> tuple[NDArray[np.float32], Pinhole]:
    """A rendered picture, in floats 0 to 255, scaled by `scale`, and its camera."""
    bgr = np.asarray(shown["bgr"], np.uint8)
    picture = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    share = np.divide(picture.shape[1::-1], bgr.shape[1::-1])
    matrix = np.diag([*share, 1.0]) @ shown["matrix"]
    # The middle of the first pixel is 0, its edge -0.5.
    matrix[:2, 2] += 0.5 * share - 0.5
    return picture, Pinhole(matrix, shown["rotation"], shown["translation"], (picture.shape[1], picture.shape[0]))
