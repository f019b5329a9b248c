"""What the pieces net takes for dice and matches, on drawn tables and on photographs: what their readers must tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import pieces
from models.loading import CENTRE, CENTRED, load_model
from models.training.photographed import scales

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Crops = tuple[Picture, NDArray[np.int64]]

# A little cooler than the eyes ask for, and no more than so many a table.
_WARM, _MOST = 0.1, 30
_LARGEST_PX = 2400
# Kinds in the rows of `models.train_pieces_data`.
_MATCH_ROW = 3
# A proposal belongs to a match this near (px) and this little askew; one farther off is none.
_OWN_PX, _OTHER_PX, _ASKEW = 9.0, 44.0, 0.35


@dataclass(frozen=True, eq=False)
class Proposals:
    """Places (n, 2) px of a top view, and (n,) the angle of a thing's arrow, y down."""

    at_px: Array
    angle_rad: Array


def proposals(top_bgr: Picture, kind: int) -> Proposals:
    """The warmest places for a kind of `models.pieces`."""
    sides = [-side % pieces.STRIDE_PX for side in top_bgr.shape[:2]]
    padded = cv2.copyMakeBorder(top_bgr, 0, sides[0], 0, sides[1], cv2.BORDER_REPLICATE)
    planes = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32) - np.float32(CENTRE)
    maps = load_model("pieces").run(None, {CENTRED: planes})[0][0]
    logit = maps[kind]
    peak = (logit >= cv2.dilate(logit, np.ones((5, 5), np.uint8))) & (logit > np.log(_WARM / (1 - _WARM)))
    rows, columns = np.nonzero(peak)
    order = np.argsort(-logit[rows, columns])[:_MOST]
    rows, columns = rows[order], columns[order]
    cells = np.stack([columns, rows], axis=1) + np.clip(maps[pieces.OFFSET, rows, columns].T, -1.5, 1.5)
    cosine, sine = maps[pieces.DIRECTION, rows, columns]
    return Proposals(cells * pieces.CELL_PX + (pieces.CELL_PX - 1) / 2, np.arctan2(sine, cosine))


def proposed_dice(photos: Path) -> Crops:
    """Crops of photographs of coins and cards that are no dice."""
    size, scale = (pieces.DIE_CROP_PX,) * 2, pieces.DIE_CROP_PX_PER_MM / pieces.TOPVIEW_PX_PER_MM
    crops = [
        _cut(top, place, 0.0, size, scale)
        for top in _photographed(photos)
        for place in proposals(top, pieces.DIE).at_px
    ]
    none = np.full(len(crops), pieces.PIPS.index("none"))
    return np.array(crops, np.uint8).reshape(-1, *size, 3), none


def proposed_sticks(files: list[Path], photos: Path) -> Crops:
    """Patches along what may be matches, on every third tile of the files and on photographs, where there are none."""
    told = [
        each for path in files for tile, rows in _tiles(path) for each in _sticks(tile, rows[rows[:, 0] == _MATCH_ROW])
    ]
    told += [each for top in _photographed(photos) for each in _sticks(top, np.zeros((0, 6)))]
    width, height = pieces.STICK_CROP_PX
    patches = np.array([crop for crop, _ in told], np.uint8).reshape(-1, height, width, 3)
    return patches, np.array([answer for _, answer in told], np.int64)


def _tiles(path: Path) -> Iterator[tuple[Picture, Array]]:
    with np.load(path) as stored:
        yield from list(zip(stored["tiles"], stored["labels"].astype(float), strict=True))[::3]


def _photographed(photos: Path) -> Iterator[Picture]:
    """Licensed training photographs without dice or matches, at the top view's scale."""
    for path, px_per_mm in scales(photos).items():
        scale = pieces.TOPVIEW_PX_PER_MM / px_per_mm
        if "dice" not in path.parent.name:
            small = cv2.resize(cv2.imread(str(path)), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            if max(small.shape) <= _LARGEST_PX:
                yield np.asarray(small, np.uint8)


def _sticks(top: Picture, matches: Array) -> list[tuple[Picture, int]]:
    """Patches and what they show; of a match also the one with its head at the other end."""
    found = proposals(top, pieces.MATCH)
    told = []
    for at, angle in zip(found.at_px, found.angle_rad, strict=True):
        answer = _shown(at, float(angle), matches)
        for turn in (0.0, np.pi) if answer in (0, 1) else (0.0,) if answer == 2 else ():
            crop = _cut(
                top, at, angle + turn, pieces.STICK_CROP_PX, pieces.STICK_CROP_PX_PER_MM / pieces.TOPVIEW_PX_PER_MM
            )
            told.append((crop, answer if not turn else 1 - answer))
    return told


def _shown(at_px: Array, angle_rad: float, matches: Array) -> int | None:
    """Which of `models.pieces.STICKS` lies along a proposal; None where it is neither one nor none."""
    away = np.linalg.norm(matches[:, 1:3] * pieces.TOPVIEW_PX_PER_MM - 0.5 - at_px, axis=1)
    if away.min(initial=np.inf) > _OTHER_PX:
        return pieces.STICKS.index("none")
    match = matches[away.argmin()]
    askew = abs((angle_rad - match[3] + np.pi) % (2 * np.pi) - np.pi)
    if away.min() > _OWN_PX or match[4] < 0.7 or _ASKEW < askew < np.pi - _ASKEW:
        return None
    return pieces.STICKS.index("ahead" if askew < 1 else "behind")


def _cut(top: Picture, at_px: Array, angle_rad: float, size_px: tuple[int, int], scale: float) -> Picture:
    """A crop about a place, its x axis along the angle."""
    c, s = np.cos(angle_rad) * scale, np.sin(angle_rad) * scale
    warp = np.array([[c, s, 0.0], [-s, c, 0.0]])
    warp[:, 2] = (np.array(size_px) - 1) / 2 - warp[:, :2] @ at_px
    return np.asarray(
        cv2.warpAffine(top, warp, size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
