"""A bare table without a side in view, a mark in each corner of the field: do three clicks do, and how far off is it?

    .venv/bin/python -m benchmarks.marked_corners [--tables 14] [--seed 131002] [--drawn] [--thick] [--bare]

Rendered tables of wood or cloth that fill the picture (`sample_footage.still_pictures`), no lens file, a field of 640 x
440 mm with a coin's middle on each corner, half of them all of one class, and 3 to 24 coins about. A hand clicks three
of the four coins to 1 px (`ui.measuring.corners.by_three`). Printed: what told the fourth corner, error in mm over the
field (median, p95, worst), how often the stated 95 % interval holds; the same of four clicks on the coins, which lie a
coin's height above the table. With --drawn the marks are no coins, but in turn a cross and a corner of tape, a square
of paper, a sticker, a cross by pen and a strip, turned and laid by hand (0.8 mm), drawn into the picture. With --thick
they are discs and squares, on each table of another thickness of 0 to 3 mm. With --bare
nothing lies in a corner: nothing should be taken for a mark. Ten CPU s a table.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.table_error import TableError
from benchmarks.three_clicks import line
from calibration.plane import TablePlane
from sample_footage.coin import Coin
from sample_footage.still_pictures import Still, one_coin, picture_of, still
from ui.measuring.clicked import Click
from ui.measuring.corners import by_four, by_three, corners_mm
from vision.frame import Frame

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

SIZE_MM, NEAR_LEFT_MM = (640.0, 440.0), np.array([30.0, 30.0])
# Every twelfth still shows a bare table.
FIRST, EVERY = 9, 12
HAND_PX, MARK_MM, APART_MM = 1.0, 1.8, 2.0
KINDS, LAID_MM = ("cross", "tape corner", "square", "sticker", "pen", "strip"), 0.8
THICK_KINDS, MOST_THICK_MM, FLANK = ("sticker", "square"), 3.0, 0.6
GRID = np.stack(np.meshgrid(np.linspace(10, 630, 12), np.linspace(10, 430, 9)), axis=-1).reshape(-1, 2)


def a_table(number: int, seed: int, rng: np.random.Generator, *, marked: bool) -> Still:
    """A bare table with some of its coins, and one in each corner of the field."""
    made = still(FIRST + EVERY * number, seed)
    classes = sorted({coin.cls for coin in made.coins})
    drawn = [str(rng.choice(classes))] * 4 if rng.random() < 0.5 else [str(cls) for cls in rng.choice(classes, 4)]
    places = np.round(corners_mm(SIZE_MM) + NEAR_LEFT_MM, 3).tolist()
    marks = [one_coin(f"m{k}", cls, (x, y), rng) for k, (cls, (x, y)) in enumerate(zip(drawn, places, strict=True))]
    free = [coin for coin in made.coins if all(_apart(coin, mark) for mark in marks)]
    about = free[: int(rng.integers(3, 25))]
    return replace(made, coins=tuple([*marks, *about] if marked else about))


def _apart(coin: Coin, mark: Coin) -> bool:
    return (
        float(np.hypot(*np.subtract(coin.position_mm, mark.position_mm))) > coin.radius_mm + mark.radius_mm + APART_MM
    )


def drawn_into(image_bgr: Picture, made: Still, kind: str, rng: np.random.Generator, thick_mm: float = 0.0) -> Picture:
    """The picture with a mark of that kind on each corner, all of one colour and size, so thick; their flanks are
    darker."""
    pieces = _outlines(kind, rng)
    colour = np.clip(rng.choice([25.0, 220.0]) + rng.normal(0, 30, 3), 8, 245)
    covered, topped = np.zeros(image_bgr.shape[:2], np.uint8), np.zeros(image_bgr.shape[:2], np.uint8)
    for corner, at_mm in enumerate(corners_mm(SIZE_MM)):
        turn = np.radians(90 * corner + rng.normal(0, 6))
        rotation = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
        placed = at_mm + rng.normal(0, LAID_MM, 2)
        for outline in pieces:
            foot, top = (_sixteenths(shown(made, outline @ rotation.T + placed, high)) for high in (0.0, thick_mm))
            cv2.fillPoly(topped, [top], 255, cv2.LINE_AA, 4)
            around = cv2.convexHull(np.vstack([foot, top])) if thick_mm > 0 else top
            cv2.fillPoly(covered, [around], 255, cv2.LINE_AA, 4)
    share, lit = (cv2.GaussianBlur(mask / 255, (0, 0), 0.9)[..., None] for mask in (covered, topped))
    light = cv2.GaussianBlur(image_bgr.mean(axis=2), (0, 0), 25.0)[..., None]
    paint = colour * (FLANK + (1 - FLANK) * lit) * np.clip(light / np.percentile(light, 80), 0.5, 1.1) + rng.normal(
        0, 2, image_bgr.shape
    )
    return np.clip(image_bgr * (1 - share) + paint * share, 0, 255).astype(np.uint8)


def _sixteenths(px: Array) -> NDArray[np.int32]:
    """Px as OpenCV draws them finely."""
    return np.rint(px * 16).astype(np.int32)


def _outlines(kind: str, rng: np.random.Generator) -> list[Array]:
    """Of a mark, mm about its corner; one of tape lies outside the field."""
    long, wide = rng.uniform(18, 34), rng.uniform(4, 9)
    if kind == "tape corner":
        strip = np.array([(-wide, -wide), (long, -wide), (long, 0), (-wide, 0)])
        return [strip, strip[:, ::-1]]
    if kind == "sticker":
        angles = np.linspace(0, 2 * np.pi, 40)
        return [rng.uniform(4, 9) * np.c_[np.cos(angles), np.sin(angles)]]
    sides = {"square": (0.7 * long, 0.7 * long), "pen": (0.7 * long, 1.6), "strip": (1.4 * long, 15.0)}
    half = np.array(sides.get(kind, (long, wide))) / 2
    bar = half * [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return [bar, bar[:, ::-1]] if kind in ("cross", "pen") else [bar]


def shown(made: Still, places_mm: Array, height_mm: float = 0.0) -> Array:
    """(n, 2) px of places of the field."""
    return np.array(made.camera.project([(x, y, height_mm) for x, y in (places_mm + NEAR_LEFT_MM).tolist()]))


def error_of(plane: TablePlane, made: Still) -> TableError:
    """Of the plane, beside the renderer's camera."""
    return TableError.of(plane, shown(made, GRID), GRID)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=14)
    options.add_argument("--seed", type=int, default=131002)
    options.add_argument("--drawn", action="store_true")
    options.add_argument("--thick", action="store_true")
    options.add_argument("--bare", action="store_true")
    given = options.parse_args()
    cv2.setNumThreads(1)
    rng, told = np.random.default_rng([given.seed, 13]), defaultdict[str, list[TableError]](list)
    for number in range(given.tables):
        coins = not (given.bare or given.drawn or given.thick)
        made, high_mm = a_table(number, given.seed, rng, marked=coins), MARK_MM if coins else 0.0
        image_bgr = picture_of(made)
        if given.thick:
            high_mm = float(rng.uniform(0, MOST_THICK_MM))
            image_bgr = drawn_into(image_bgr, made, THICK_KINDS[number % len(THICK_KINDS)], rng, high_mm)
        elif given.drawn:
            image_bgr = drawn_into(image_bgr, made, KINDS[number % len(KINDS)], rng)
        frame = Frame(image_bgr)
        hand_px = np.round(shown(made, corners_mm(SIZE_MM), high_mm) + rng.normal(0, HAND_PX, (4, 2)))
        clicked = [Click(u, v) for u, v in hand_px.tolist()]
        try:
            three = by_three(frame, SIZE_MM, clicked[:3], None)
            told["three corners and " + three.by.lstrip("0123456789 ")].append(error_of(three.plane, made))
        except ValueError as error:
            print(f"  table {number}, {len(made.coins)} coins: {error}")
        told["four clicks"].append(error_of(by_four(frame, SIZE_MM, clicked, None).plane, made))
    for way, each in told.items():
        print(f"{way}: {len(each)} of {given.tables}, {line(each)}", flush=True)


if __name__ == "__main__":
    main()
