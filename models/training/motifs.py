"""What is struck into a coin, as relief: busts, buildings, beasts, numerals and legends drawn with a few strokes.

Every drawing works on a square canvas of SIZE px whose middle is the coin's centre; lengths are shares of the coin's
radius, x right, y up. A canvas holds heights from 0 (the field) to 255.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

SIZE = 256
RADIUS_PX = 120.0
_MIDDLE = (SIZE - 1) / 2

Canvas = NDArray[np.uint8]
Points = NDArray[np.float64]

# A head in profile that looks right, from the nape over the crown to the throat; jittered, scaled and mirrored.
_PROFILE = np.array(
    [(-0.30, -0.42), (-0.36, -0.10), (-0.44, 0.12), (-0.42, 0.38), (-0.26, 0.58), (0.0, 0.64), (0.22, 0.55),
     (0.32, 0.36), (0.33, 0.24), (0.43, 0.06), (0.34, 0.02), (0.37, -0.08), (0.34, -0.14), (0.35, -0.24),
     (0.24, -0.33), (0.10, -0.32), (0.08, -0.48)]
)  # fmt: skip
_BUST = np.array([(0.22, -0.66), (-0.05, -0.80), (-0.45, -0.66)])
_SHOULDERS = np.array([(0.45, -0.62), (0.55, -0.88), (-0.60, -0.88), (-0.62, -0.62)])


def blank() -> Canvas:
    """An empty field."""
    return np.zeros((SIZE, SIZE), np.uint8)


def to_px(points: Points) -> NDArray[np.int32]:
    """Canvas px of points in radii, in 1/16 px as cv2's `shift=4` wants them."""
    flat = np.asarray(points, float).reshape(-1, 2) * (RADIUS_PX, -RADIUS_PX) + _MIDDLE
    return np.rint(flat * 16).astype(np.int32)


def fill(canvas: Canvas, points: Points, height: int = 200) -> None:
    """A filled polygon."""
    cv2.fillPoly(canvas, [to_px(points)], (height,), cv2.LINE_AA, 4)


def line(canvas: Canvas, points: Points, width: float = 0.03, height: int = 220, closed: bool = False) -> None:
    """A stroke through `points`."""
    thickness = max(1, round(width * RADIUS_PX))
    cv2.polylines(canvas, [to_px(points)], closed, (height,), thickness, cv2.LINE_AA, 4)


def disc(canvas: Canvas, centre: tuple[float, float], radius: float, height: int = 200, width: float = 0) -> None:
    """A disc, or a ring of the given width."""
    thickness = max(1, round(width * RADIUS_PX)) if width else -1
    at = to_px(np.array([centre]))[0]
    cv2.circle(canvas, (int(at[0]), int(at[1])), round(radius * RADIUS_PX * 16), (height,), thickness, cv2.LINE_AA, 4)


def legend(canvas: Canvas, text: str, radius: float, middle_deg: float, size: float, inward: bool = False) -> None:
    """Letters along the rim, centred on `middle_deg` (counter-clockwise from right); `inward`: feet towards the rim."""
    turn = np.radians(middle_deg)
    pitch = 0.78 * size / radius
    sign = 1 if inward else -1
    for index, letter in enumerate(text):
        angle = turn + sign * (index - (len(text) - 1) / 2) * pitch
        upright = angle + np.pi / 2 if inward else angle - np.pi / 2
        _letter(canvas, letter, (radius * np.cos(angle), radius * np.sin(angle)), size, upright, 200)


def text_line(canvas: Canvas, text: str, centre: tuple[float, float], size: float, height: int = 220) -> None:
    """Letters on a straight line."""
    for index, letter in enumerate(text):
        at = (centre[0] + (index - (len(text) - 1) / 2) * 0.72 * size, centre[1])
        _letter(canvas, letter, at, size, 0.0, height)


def _letter(canvas: Canvas, letter: str, centre: tuple[float, float], size: float, turn: float, height: int) -> None:
    side = 48
    glyph = np.zeros((side, side), np.uint8)
    (width, tall), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, 1.2, 4)
    cv2.putText(
        glyph,
        letter,
        ((side - width) // 2, (side + tall) // 2),
        cv2.FONT_HERSHEY_DUPLEX,
        1.2,
        (height,),
        4,
        cv2.LINE_AA,
    )
    scale = size * RADIUS_PX / 26
    turning = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), np.degrees(turn), scale)
    turning[:, 2] += (
        _MIDDLE + centre[0] * RADIUS_PX - (side - 1) / 2,
        _MIDDLE - centre[1] * RADIUS_PX - (side - 1) / 2,
    )
    np.maximum(canvas, cv2.warpAffine(glyph, turning, (SIZE, SIZE), flags=cv2.INTER_AREA), out=canvas)


def bust(canvas: Canvas, rng: np.random.Generator, right: bool, kind: str = "plain") -> None:
    """A head in profile: plain, crowned (a queen), bearded, ponytail."""
    mirror = np.array([1.0 if right else -1.0, 1.0])
    scale = rng.uniform(0.88, 1.08)
    tail = _SHOULDERS if kind == "bearded" or rng.random() < 0.15 else _BUST
    outline = np.concatenate([_PROFILE, tail])
    outline = (outline + rng.normal(0, 0.018, outline.shape)) * scale * mirror
    fill(canvas, outline, int(rng.integers(150, 200)))
    for _ in range(rng.integers(8, 18)):
        start = rng.uniform((-0.4, 0.0), (0.15, 0.55))
        bend = start + np.cumsum(rng.normal((-0.05, -0.04), 0.04, (4, 2)), axis=0)
        line(canvas, np.vstack([start, bend]) * scale * mirror, 0.02, int(rng.integers(90, 255)))
    _adorn(canvas, rng, kind, scale * mirror)
    disc(canvas, tuple(np.array([0.20, 0.22]) * scale * mirror), 0.035, 90)
    line(canvas, np.array([(0.13, 0.30), (0.28, 0.30)]) * scale * mirror, 0.025, 235)
    line(canvas, np.array([(0.30, -0.10), (0.20, -0.10)]) * scale * mirror, 0.02, 90)


def _adorn(canvas: Canvas, rng: np.random.Generator, kind: str, frame: Points) -> None:
    if kind == "crowned":
        band = np.array([(-0.38, 0.36), (-0.12, 0.62), (0.14, 0.66), (0.30, 0.44)])
        line(canvas, band * frame, 0.06, 250)
        disc(canvas, tuple(np.array([-0.44, 0.05]) * frame), rng.uniform(0.10, 0.18), 215)
    elif kind == "bearded":
        fill(canvas, np.array([(0.05, -0.10), (0.36, -0.14), (0.36, -0.40), (0.12, -0.46)]) * frame, 235)
    elif kind == "ponytail":
        fill(canvas, np.array([(-0.36, 0.0), (-0.30, -0.40), (-0.52, -0.58), (-0.48, -0.10)]) * frame, 230)


def frontal(canvas: Canvas, rng: np.random.Generator) -> None:
    """A head that faces the onlooker."""
    turn = rng.uniform(-0.1, 0.1)
    fill(canvas, np.array([(-0.5, -0.9), (-0.45, -0.55), (-0.2, -0.4), (0.2, -0.4), (0.45, -0.55), (0.5, -0.9)]), 170)
    cv2.ellipse(
        canvas, (round(_MIDDLE + turn * 120), round(_MIDDLE - 12)), (42, 58), 0, 0, 360, (210,), -1, cv2.LINE_AA
    )
    for side in (-1, 1):
        disc(canvas, (turn + 0.14 * side, 0.16), 0.045, 110)
        line(
            canvas,
            np.array([(turn + 0.32 * side, 0.5), (turn + 0.42 * side, 0.1), (turn + 0.40 * side, -0.35)]),
            0.08,
            240,
        )
    line(canvas, np.array([(turn, 0.12), (turn + 0.04, -0.06)]), 0.04, 250)
    line(canvas, np.array([(turn - 0.1, -0.2), (turn + 0.1, -0.2)]), 0.03, 110)


def building(canvas: Canvas, rng: np.random.Generator, dome: bool) -> None:
    """A front with columns, with a flat roof or a dome."""
    half, top = rng.uniform(0.62, 0.78), rng.uniform(0.15, 0.25)
    fill(canvas, np.array([(-half, -0.3), (half, -0.3), (half, -0.22), (-half, -0.22)]), 230)
    fill(canvas, np.array([(-half, top), (half, top), (half, top + 0.12), (-half, top + 0.12)]), 210)
    for at in np.linspace(-half + 0.04, half - 0.04, 8 if dome else 13):
        line(canvas, np.array([(at, -0.22), (at, top)]), 0.045, 215)
    if dome:
        fill(canvas, np.array([(-0.32, top + 0.12), (0, top + 0.28), (0.32, top + 0.12)]), 235)
        disc(canvas, (0.0, top + 0.16), 0.22, 190)
    else:
        fill(canvas, np.array([(-0.45, top + 0.12), (0.45, top + 0.12), (0.4, top + 0.24), (-0.4, top + 0.24)]), 190)


def eagle(canvas: Canvas, rng: np.random.Generator) -> None:
    """A bird with both wings spread."""
    lift = rng.uniform(-0.1, 0.25)
    for side in (-1, 1):
        for feather in np.linspace(0.15, 0.75, 7):
            wing = np.array(
                [
                    (0.08 * side, 0.2),
                    (feather * side, 0.45 + lift * feather),
                    (feather * side * 0.95, -0.05 - 0.4 * (0.75 - feather)),
                ]
            )
            line(canvas, wing, 0.06, int(rng.integers(150, 240)))
    fill(canvas, np.array([(-0.14, 0.25), (0.14, 0.25), (0.16, -0.2), (0.08, -0.5), (-0.08, -0.5), (-0.16, -0.2)]), 220)
    disc(canvas, (0.05, 0.38), 0.10, 235)
    for side in (-1, 1):
        line(canvas, np.array([(0.0, -0.42), (0.45 * side, -0.55)]), 0.04, 200)


def torch(canvas: Canvas, rng: np.random.Generator) -> None:
    """A torch between two branches."""
    fill(canvas, np.array([(-0.05, -0.6), (0.05, -0.6), (0.1, 0.25), (-0.1, 0.25)]), 220)
    fill(canvas, np.array([(-0.12, 0.25), (0.12, 0.25), (0.0, 0.62)]) + rng.normal(0, 0.02, (3, 2)), 240)
    for side in (-1, 1):
        sprig(canvas, rng, (0.34 * side, -0.55), (0.38 * side, 0.45), 9)


def sprig(
    canvas: Canvas, rng: np.random.Generator, foot: tuple[float, float], tip: tuple[float, float], leaves: int
) -> None:
    """A stem with leaves on both sides."""
    ends = np.array([foot, tip])
    line(canvas, ends, 0.03, 200)
    across = np.array([ends[1, 1] - ends[0, 1], ends[0, 0] - ends[1, 0]]) / np.linalg.norm(ends[1] - ends[0])
    for share in np.linspace(0.1, 1, leaves):
        at = ends[0] + share * (ends[1] - ends[0])
        for side in (-1, 1):
            line(canvas, np.vstack([at, at + across * side * 0.14 + rng.normal(0.0, 0.03, 2) + (0, 0.08)]), 0.055, 225)


def shield_part(canvas: Canvas, rng: np.random.Generator) -> None:
    """A cut from a coat of arms: slanting edges, bars, and a piece of a lion or a harp."""
    slope = np.radians(rng.uniform(0, 180))
    along, across = np.array([np.cos(slope), np.sin(slope)]), np.array([-np.sin(slope), np.cos(slope)])
    for offset in np.sort(rng.uniform(-0.8, 0.8, rng.integers(2, 5))):
        line(
            canvas,
            np.vstack([across * offset - along * 0.9, across * offset + along * 0.9]),
            rng.uniform(0.03, 0.09),
            230,
        )
    corner = rng.uniform(-0.3, 0.3, 2)
    line(canvas, np.vstack([corner + across * 0.9, corner, corner + along * 0.9]), 0.06, 250)
    squiggles(canvas, rng, int(rng.integers(4, 10)))


def squiggles(canvas: Canvas, rng: np.random.Generator, count: int) -> None:
    """Curls that could be anything: lions, harps, thistles, waves, state emblems."""
    for _ in range(count):
        start = rng.uniform(-0.6, 0.6, 2)
        path = start + np.cumsum(rng.normal(0, 0.11, (rng.integers(3, 8), 2)), axis=0)
        line(
            canvas, np.vstack([start, np.clip(path, -0.75, 0.75)]), rng.uniform(0.02, 0.09), int(rng.integers(140, 255))
        )


def grille(canvas: Canvas, rng: np.random.Generator) -> None:
    """A portcullis with chains."""
    half = rng.uniform(0.32, 0.42)
    for at in np.linspace(-half, half, 5):
        line(canvas, np.array([(at, -0.5), (at, 0.35)]), 0.06, 220)
    for at in np.linspace(-0.35, 0.3, 4):
        line(canvas, np.array([(-half, at), (half, at)]), 0.05, 220)
    for side in (-1, 1):
        line(canvas, np.array([(half * side, 0.3), (0.7 * side, 0.1), (0.72 * side, -0.3)]), 0.05, 200)
    line(canvas, np.array([(-0.3, 0.5), (-0.15, 0.7), (0, 0.55), (0.15, 0.7), (0.3, 0.5)]), 0.06, 240)


def plume(canvas: Canvas, rng: np.random.Generator) -> None:
    """Three feathers in a coronet."""
    for lean in (-0.45, 0.0, 0.45):
        sprig(canvas, rng, (lean * 0.3, -0.35), (lean, 0.6), 8)
    fill(canvas, np.array([(-0.3, -0.5), (0.3, -0.5), (0.35, -0.3), (-0.35, -0.3)]), 230)


def rings(canvas: Canvas, rng: np.random.Generator) -> None:
    """Concentric bands full of small marks."""
    for radius in (0.18, 0.33, 0.48, 0.6):
        disc(canvas, (0.0, 0.0), radius, 220, 0.03)
        for angle in np.arange(0, 2 * np.pi, 0.09 / radius) + rng.uniform(0, 1):
            at = (radius - 0.07) * np.array([np.cos(angle), np.sin(angle)])
            line(canvas, np.vstack([at, at * 1.12]), 0.03, int(rng.integers(120, 255)))


def stars(canvas: Canvas, radius: float, count: int, size: float) -> None:
    """A wreath of stars, small enough that dots will do."""
    for angle in np.arange(count) * 2 * np.pi / count + np.pi / 2:
        disc(canvas, (radius * np.cos(angle), radius * np.sin(angle)), size, 225)


def globe(canvas: Canvas, rng: np.random.Generator) -> None:
    """A map: blots with a ragged shore."""
    for _ in range(rng.integers(2, 5)):
        middle = rng.uniform((-0.1, -0.45), (0.5, 0.5))
        angles = np.sort(rng.uniform(0, 2 * np.pi, 14))
        shore = middle + (rng.uniform(0.08, 0.3, 14) * np.array([np.cos(angles), np.sin(angles)])).T
        fill(canvas, shore, int(rng.integers(130, 200)))
