"""The table that one look is measured on: 60 pieces on the map at 1080p, forty-two of them coins.

    .venv/bin/python -m benchmarks.full_table FOLDER

Cards, dice and matches are the generator's own (`sample_footage`); the same every time.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from sample_footage.block import Block, BlockKind
from sample_footage.coin import Coin
from sample_footage.ground import Ground
from sample_footage.still_pictures import Still, camera_for, light_for, one_coin, sensor_for, write_still

NAME = "full-table"
COUNTS: tuple[tuple[BlockKind, int], ...] = (("card", 6), ("die", 6), ("match", 6))
COINS = 42
CLASSES = ("gbp-1p", "gbp-2p", "gbp-5p", "gbp-10p", "gbp-20p")
CARDS = ("AS", "7H", "10D", "QC", "3S", "BACK")
_SIZE_MM, _CORNER_MM, _EDGE_MM, _GAP_MM = (700.0, 500.0), 62.0, 16.0, 3.0


def full_table() -> Still:
    """All that the picture is made from."""
    rng = np.random.default_rng(60)
    taken = [Point(x, y).buffer(_CORNER_MM, cap_style="square") for x in (0, 700) for y in (0, 500)]
    blocks = [_block(kind, number, taken, rng) for kind, count in COUNTS for number in range(count)]
    coins = [_coin(number, taken, rng) for number in range(COINS)]
    camera = camera_for("plain", rng)
    light, sensor = light_for("plain", camera, rng), sensor_for("plain", rng)
    return Still(NAME, (), camera, Ground("oak"), light, sensor, tuple(coins), 92, tuple(blocks))


def _block(kind: BlockKind, number: int, taken: list[BaseGeometry], rng: np.random.Generator) -> Block:
    cls = {"card": CARDS[number], "die": str(number + 1), "match": "match"}[kind]
    while True:
        block = Block(f"{kind}{number}", kind, cls, _place(rng), float(rng.uniform(0, 360)))
        if _is_free(Polygon(block.solid.corners_mm()), taken):
            return block


def _coin(number: int, taken: list[BaseGeometry], rng: np.random.Generator) -> Coin:
    while True:
        coin = one_coin(f"c{number}", CLASSES[number % len(CLASSES)], _place(rng), rng)
        if _is_free(Point(coin.position_mm).buffer(coin.radius_mm), taken):
            return coin


def _place(rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.uniform(_EDGE_MM, _SIZE_MM[0] - _EDGE_MM)), float(rng.uniform(_EDGE_MM, _SIZE_MM[1] - _EDGE_MM))


def _is_free(outline: BaseGeometry, taken: list[BaseGeometry]) -> bool:
    """Whether nothing lies there yet; if so, something does now."""
    low_x, low_y, high_x, high_y = outline.bounds
    if min(low_x, low_y, _SIZE_MM[0] - high_x, _SIZE_MM[1] - high_y) < 4 or any(outline.intersects(o) for o in taken):
        return False
    taken.append(outline.buffer(_GAP_MM))
    return True


def write_full_table(folder: Path) -> Path:
    """The picture with its set-up and truth in `folder`, if it is not there already."""
    picture = folder / f"{NAME}.jpg"
    if not picture.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_still(full_table(), folder)
    return picture


def main() -> None:
    """Write it and print where it is."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, metavar="FOLDER")
    print(write_full_table(options.parse_args().folder))


if __name__ == "__main__":
    main()
