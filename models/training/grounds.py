"""What coins lie on: maps, paper, wood, cloth, stone, photographed clutter, at GROUND_PX_PER_MM px to the mm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

GROUND_PX_PER_MM = 4.0
GROUND_PX = 1280

_WORDS = (
    "Kingsmere",
    "A43",
    "Oxley",
    "M6",
    "Harrow",
    "Ford",
    "B4086",
    "Ashby",
    "Long Marston",
    "Sea",
    "12",
    "7",
    "Priory",
    "Weir",
    "Upton",
)
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_ITALIC)


def grounds(
    rng: np.random.Generator, count: int, photos: tuple[Path, ...], rasters: tuple[Path, ...]
) -> Iterator[Picture]:
    """`count` grounds: one third drawn maps, one other drawn surfaces, one cut from photographs and map rasters."""
    sheets = [sheet for path in rasters if (sheet := cv2.imread(str(path))) is not None]
    for index in range(count):
        if index % 3 == 0:
            yield drawn_map(rng) if rng.random() < 0.35 else relief_map(rng)
        elif index % 3 == 1 or not (photos or sheets):
            yield surface(rng)
        elif sheets and (rng.random() < 0.3 or not photos):
            yield _cut(sheets[rng.integers(len(sheets))], rng, rng.uniform(0.25, 0.8))
        else:
            photo = cv2.imread(str(photos[rng.integers(len(photos))]))
            yield _cut(photo, rng, rng.uniform(0.6, 2.5))


def _cut(picture: Picture, rng: np.random.Generator, scale: float) -> Picture:
    side = min(GROUND_PX / scale, *picture.shape[:2])
    top, left = (int(rng.uniform(0, extent - side + 1)) for extent in picture.shape[:2])
    piece = picture[top : top + int(side), left : left + int(side)]
    return np.asarray(
        cv2.resize(
            piece, (GROUND_PX, GROUND_PX), interpolation=cv2.INTER_AREA if side > GROUND_PX else cv2.INTER_LINEAR
        ),
        np.uint8,
    )


def surface(rng: np.random.Generator) -> Picture:
    """Plain paper, wood, cloth, stone or print, in any colour."""
    kind = rng.integers(5)
    base = _colour(rng, pale=bool(rng.random() < 0.5))
    ground = np.broadcast_to(base, (GROUND_PX, GROUND_PX, 3)).astype(np.float32).copy()
    if kind == 0:
        ground *= (
            1 + noise(rng, 6, 0.03)[..., None] + rng.normal(0, 0.015, (GROUND_PX, GROUND_PX, 1)).astype(np.float32)
        )
    elif kind == 1:
        ground *= _grain(rng)[..., None]
    elif kind == 2:
        ground *= _weave(rng)[..., None]
    elif kind == 3:
        speckle = noise(rng, int(rng.integers(100, 320)), rng.uniform(0.05, 0.35)) + noise(rng, 60, 0.1)
        ground *= np.clip(1 + speckle, 0.1, 2)[..., None]
    else:
        return _print(np.clip(ground, 0, 255).astype(np.uint8), rng)
    return np.clip(ground, 0, 255).astype(np.uint8)


def drawn_map(rng: np.random.Generator) -> Picture:
    """A road map in the manner of the 1:250 000 sheets, never of a real place."""
    ground = np.full((GROUND_PX, GROUND_PX, 3), _colour(rng, pale=True), np.uint8)
    for _ in range(rng.integers(1, 6)):
        tint = _colour(rng, pale=bool(rng.random() < 0.8))
        cv2.fillPoly(ground, [_shore(rng, rng.uniform(100, 500))], tint.tolist(), cv2.LINE_AA)
    for _ in range(rng.integers(10, 40)):
        _road(ground, rng)
    for _ in range(rng.integers(5, 40)):
        _town(ground, rng)
    for _ in range(rng.integers(10, 60)):
        _word(ground, rng)
    if rng.random() < 0.4:
        _grid(ground, rng)
    paper = 1 + noise(rng, 8, 0.03)[..., None] + rng.normal(0, 0.01, (GROUND_PX, GROUND_PX, 1))
    return np.clip(ground * paper, 0, 255).astype(np.uint8)


def relief_map(rng: np.random.Generator) -> Picture:
    """A road map over tinted, shaded hills, woods and water: soft blots of all sizes, thin roads in plenty."""
    height = sum(noise(rng, cells, 1.0 / np.sqrt(cells)) for cells in (4, 9, 20, 45, int(rng.integers(80, 200))))
    height = (height - height.min()) / max(float(np.ptp(height)), 1e-6)
    tints = np.stack([_colour(rng, pale=True) for _ in range(int(rng.integers(3, 6)))])
    stops = np.linspace(0, 1, len(tints))
    ground = np.stack([np.interp(height, stops, tints[:, channel]) for channel in range(3)], axis=-1).astype(np.float32)
    shading = cv2.Sobel(cv2.GaussianBlur(height, (0, 0), rng.uniform(5, 15)), cv2.CV_32F, 1, 0) * rng.uniform(0, 25)
    ground *= np.clip(1 + shading, 0.75, 1.2)[..., None]
    woods = noise(rng, int(rng.integers(15, 90)), 1.0) > rng.uniform(0.8, 1.6)
    ground[woods] = ground[woods] * 0.4 + 0.6 * _colour(rng, pale=bool(rng.random() < 0.7))
    water = noise(rng, int(rng.integers(3, 12)), 1.0) > rng.uniform(0.7, 1.8)
    ground[water] = _colour(rng, pale=bool(rng.random() < 0.7))
    sheet = np.clip(ground, 0, 255).astype(np.uint8)
    for _ in range(rng.integers(30, 160)):
        _lane(sheet, rng)
    for _ in range(rng.integers(3, 14)):
        _road(sheet, rng)
    for _ in range(rng.integers(10, 90)):
        _word(sheet, rng, 0.5)
    for _ in range(rng.integers(0, 12)):
        _town(sheet, rng)
    for _ in range(rng.integers(0, 4)):
        _marker(sheet, rng)
    return sheet


def _lane(ground: Picture, rng: np.random.Generator) -> None:
    """A short thin road, pale with a dark edge or the other way about."""
    path = _path(rng)[: rng.integers(3, 16)]
    edge, body = rng.uniform(90, 200, 3), rng.uniform(215, 255, 3)
    if rng.random() < 0.3:
        edge, body = body, rng.uniform(60, 160, 3)
    width = int(rng.integers(1, 4))
    cv2.polylines(ground, [path], False, edge.tolist(), width + 2, cv2.LINE_AA)
    cv2.polylines(ground, [path], False, body.tolist(), width, cv2.LINE_AA)


def _marker(ground: Picture, rng: np.random.Generator) -> None:
    """A square of black and white cells on a white sheet."""
    side = int(rng.integers(60, 260))
    cells = np.pad(rng.integers(0, 2, (4, 4)).astype(np.uint8) * 255, 1)
    square = cv2.copyMakeBorder(
        cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST),
        *(side // 6,) * 4,
        cv2.BORDER_CONSTANT,
        value=255,
    )
    row, column = rng.integers(0, GROUND_PX - len(square), 2)
    ground[row : row + len(square), column : column + len(square)] = square[..., None]


def noise(rng: np.random.Generator, cells: int, spread: float) -> NDArray[np.float32]:
    """Smooth noise over the whole ground, `cells` cells across."""
    coarse = rng.normal(0, spread, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (GROUND_PX, GROUND_PX), interpolation=cv2.INTER_CUBIC), np.float32)


def _colour(rng: np.random.Generator, pale: bool) -> NDArray[np.float64]:
    hue, saturation = rng.integers(180), rng.beta(1, 3) * (90 if pale else 230)
    value = rng.uniform(190, 255) if pale else rng.uniform(20, 230)
    return np.asarray(cv2.cvtColor(np.uint8([[[hue, saturation, value]]]), cv2.COLOR_HSV2BGR)[0, 0], float)


def _path(rng: np.random.Generator) -> NDArray[np.int32]:
    start, heading = rng.uniform(0, GROUND_PX, 2), rng.uniform(0, 2 * np.pi)
    bends = heading + np.cumsum(rng.normal(0, rng.uniform(0.05, 0.4), 30))
    steps = rng.uniform(25, 60) * np.stack([np.cos(bends), np.sin(bends)], axis=1)
    return np.rint(start + np.cumsum(steps, axis=0)).astype(np.int32)


def _road(ground: Picture, rng: np.random.Generator) -> None:
    path, width = _path(rng), int(rng.choice([2, 3, 4, 6, 8, 12]))
    body = _colour(rng, pale=bool(rng.random() < 0.4)).tolist()
    if rng.random() < 0.6:
        cv2.polylines(ground, [path], False, (rng.uniform(0, 120, 3)).tolist(), width + 3, cv2.LINE_AA)
    cv2.polylines(ground, [path], False, body, width, cv2.LINE_AA)


def _town(ground: Picture, rng: np.random.Generator) -> None:
    """A printed disc, ring or blot: of a coin's size now and then, and no coin."""
    at = tuple(int(v) for v in rng.integers(0, GROUND_PX, 2))
    radius = int(rng.choice([6, 9, 14, 25, 40, 55], p=[0.25, 0.25, 0.2, 0.1, 0.1, 0.1]))
    tint, edge = _colour(rng, pale=False).tolist(), rng.uniform(0, 90, 3).tolist()
    if rng.random() < 0.3:
        cv2.fillPoly(ground, [_shore(rng, radius * 2.0, at)], tint, cv2.LINE_AA)
    elif rng.random() < 0.6:
        cv2.circle(ground, at, radius, tint, -1, cv2.LINE_AA)
        cv2.circle(ground, at, radius, edge, 2, cv2.LINE_AA)
    else:
        cv2.circle(ground, at, radius, edge, int(rng.integers(2, 8)), cv2.LINE_AA)


def _shore(rng: np.random.Generator, reach: float, middle: tuple[int, int] | None = None) -> NDArray[np.int32]:
    centre = np.array(middle if middle is not None else rng.uniform(0, GROUND_PX, 2), float)
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    wobble = 1 + 0.35 * np.sin(angles * rng.integers(2, 6) + rng.uniform(0, 6)) + rng.normal(0, 0.06, 40)
    return np.rint(centre + reach * wobble[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)).astype(
        np.int32
    )


def _word(ground: Picture, rng: np.random.Generator, shrink: float = 1.0) -> None:
    at = tuple(int(v) for v in rng.integers(0, GROUND_PX, 2))
    ink = rng.uniform(0, 120, 3).tolist()
    font, size = _FONTS[rng.integers(len(_FONTS))], rng.uniform(0.3, 2.2) * shrink
    cv2.putText(ground, str(rng.choice(_WORDS)), at, font, size, ink, int(rng.integers(1, 4)), cv2.LINE_AA)


def _grid(ground: Picture, rng: np.random.Generator) -> None:
    ink, pitch = _colour(rng, pale=bool(rng.random() < 0.5)).tolist(), int(rng.integers(60, 200))
    for at in range(int(rng.integers(pitch)), GROUND_PX, pitch):
        cv2.line(ground, (at, 0), (at, GROUND_PX), ink, 2)
        cv2.line(ground, (0, at), (GROUND_PX, at), ink, 2)


def _grain(rng: np.random.Generator) -> NDArray[np.float32]:
    """Wood: noise drawn out along one direction, planks now and then."""
    across = rng.normal(0, rng.uniform(0.03, 0.2), (int(rng.integers(80, 400)), 5)).astype(np.float32)
    grain = 1 + cv2.resize(across, (GROUND_PX, GROUND_PX), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        for at in range(int(rng.integers(200)), GROUND_PX, int(rng.integers(150, 500))):
            grain[at : at + 5] *= 0.5
    return np.asarray(np.clip(grain, 0.1, 2), np.float32)


def _weave(rng: np.random.Generator) -> NDArray[np.float32]:
    pitch, depth = rng.uniform(3, 40), rng.uniform(0.05, 0.35)
    phase = np.arange(GROUND_PX, dtype=np.float32) * np.float32(2 * np.pi / pitch)
    cloth = 1 + depth * (np.sin(phase)[:, None] * np.sin(phase * rng.choice([1.0, 0.25]))[None, :])
    return np.asarray(cloth + noise(rng, 200, 0.08), np.float32)


def _print(ground: Picture, rng: np.random.Generator) -> Picture:
    """A page: lines of text, boxes and discs."""
    for _ in range(rng.integers(20, 120)):
        _word(ground, rng)
    for _ in range(rng.integers(0, 8)):
        corner, extent = rng.integers(0, GROUND_PX, 2), rng.integers(50, 400, 2)
        cv2.rectangle(
            ground,
            tuple(map(int, corner)),
            tuple(map(int, corner + extent)),
            _colour(rng, pale=False).tolist(),
            int(rng.choice([-1, 3, 6])),
        )
    for _ in range(rng.integers(0, 8)):
        _town(ground, rng)
    return ground
