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
from models.training.photographed import DICE, boxes, scales

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Crops = tuple[Picture, NDArray[np.int64]]

# A little cooler than the eyes ask for, and no more than so many a table.
_WARM, _MOST = 0.1, 30
_LARGEST_PX = 2400
# So many crops of every top face, which shows so near the middle of its box, in its sides; a labelled box holds a common
# die of 16 mm at some turn, its sides showing a little.
_EACH_TOP, _MIDDLE, DIE_BOX_MM = 3, 0.27, 20.0
_NONE = pieces.PIPS.index("none")
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
    cells = np.stack([columns, rows], axis=1) + np.clip(maps[pieces.OFFSET[kind], rows, columns].T, -1.5, 1.5)
    cosine, sine = maps[pieces.DIRECTION.get(kind, pieces.DOUBLE_ANGLE), rows, columns]
    return Proposals(cells * pieces.CELL_PX + (pieces.CELL_PX - 1) / 2, np.arctan2(sine, cosine))


def proposed_dice(photos: Path, rng: np.random.Generator) -> Crops:
    """Crops cut from photographs: things proposed as dice that are none, from pictures of coins and cards, and tops of
    labelled dice, a little off and at other scales, as the eyes cut them."""
    told = [(crop, _NONE) for picture, px_per_mm in _photographed(photos) for crop in _others(picture, px_per_mm, rng)]
    for name, dice in boxes(photos / DICE).items():
        told += _tops(cv2.imread(str(photos / DICE / name)), dice, rng)
    size = pieces.DIE_CROP_PX
    crops = np.array([crop for crop, _ in told], np.uint8).reshape(-1, size, size, 3)
    return crops, np.array([answer for _, answer in told], np.int64)


def _others(picture: Picture, px_per_mm: float, rng: np.random.Generator) -> list[Picture]:
    """What is proposed on a photograph without dice."""
    places = proposals(_top(picture, px_per_mm), pieces.DIE).at_px
    return [_die_crop(picture, place * px_per_mm / pieces.TOPVIEW_PX_PER_MM, px_per_mm, rng) for place in places]


def _tops(picture: Picture, dice: list[tuple[str, Array]], rng: np.random.Generator) -> list[tuple[Picture, int]]:
    """Crops about what is proposed near the middle of one labelled die, and what its top shows. Elsewhere it may be a
    side, or a die without a label."""
    px_per_mm = float(np.median([max(box[2:]) for _, box in dice])) / DIE_BOX_MM
    told = []
    for place in proposals(_top(picture, px_per_mm), pieces.DIE).at_px * px_per_mm / pieces.TOPVIEW_PX_PER_MM:
        about = [name for name, box in dice if (np.abs(place - box[:2] - box[2:] / 2) < _MIDDLE * box[2:]).all()]
        if len(about) == 1 and about[0] in pieces.PIPS:
            answer = pieces.PIPS.index(about[0])
            told += [(_die_crop(picture, place, px_per_mm, rng), answer) for _ in range(_EACH_TOP)]
    return told


def _top(picture: Picture, px_per_mm: float) -> Picture:
    """A photograph from above at the top view's scale."""
    scale = pieces.TOPVIEW_PX_PER_MM / px_per_mm
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _die_crop(picture: Picture, at_px: Array, px_per_mm: float, rng: np.random.Generator) -> Picture:
    """A crop at any turn, a little off, as large as it is or up to a fifth larger or smaller."""
    scale = px_per_mm / pieces.DIE_CROP_PX_PER_MM * np.exp(rng.normal(0, 0.09))
    at_px = at_px + rng.normal(0, 0.5, 2) * px_per_mm
    side = int(np.ceil(pieces.DIE_CROP_PX * scale))
    part = cv2.getRectSubPix(picture, (2 * side, 2 * side), (float(at_px[0]), float(at_px[1])))
    soft = cv2.GaussianBlur(part, (0, 0), 0.45 * scale) if scale > 1.25 else np.asarray(part)
    return _cut(soft, np.full(2, side - 0.5), rng.uniform(0, 2 * np.pi), (pieces.DIE_CROP_PX,) * 2, 1 / scale)


def proposed_sticks(files: list[Path], photos: Path) -> Crops:
    """Patches along what may be matches, on every third tile of the files and on photographs, where there are none."""
    told = [
        each for path in files for tile, rows in _tiles(path) for each in _sticks(tile, rows[rows[:, 0] == _MATCH_ROW])
    ]
    told += [each for photo in _photographed(photos) for each in _sticks(_top(*photo), np.zeros((0, 6)))]
    width, height = pieces.STICK_CROP_PX
    patches = np.array([crop for crop, _ in told], np.uint8).reshape(-1, height, width, 3)
    return patches, np.array([answer for _, answer in told], np.int64)


def _tiles(path: Path) -> Iterator[tuple[Picture, Array]]:
    with np.load(path) as stored:
        yield from list(zip(stored["tiles"], stored["labels"].astype(float), strict=True))[::3]


def _photographed(photos: Path) -> Iterator[tuple[Picture, float]]:
    """Licensed training photographs without dice or matches, and their px per mm."""
    for path, px_per_mm in scales(photos, littered=True).items():
        picture = cv2.imread(str(path))
        if "dice" not in path.parent.name and max(picture.shape) * pieces.TOPVIEW_PX_PER_MM <= _LARGEST_PX * px_per_mm:
            yield np.asarray(picture, np.uint8), px_per_mm


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
