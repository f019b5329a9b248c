"""Lays tables with soldiers, bases, household terrain and hands, and shoots them at a slant, for the solids net.

    python -m models.train_solids_data --decks FOLDER --out FILE.npz --tables 500 --seed 1 [--rendered FOLDER]
        [--photos FOLDER] [--maps FOLDER] [--boards 0.5] [--coarsest 0.8]
        [--coins 5] [--test]

With --rendered, the tables of `models.render_solids` on any ground; without, tables drawn slice by slice. With --photos
(the folder of real photographs) half of the grounds are cut from licensed training pictures, some of them left bare.
--boards tells which share of the tables bear a board, mat or sheet that ends in sight, or printed markers
(`models.training.boards`), --coarsest how few px to the mm a camera may give.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from models.training import figures, household
from models.training.boards import PLAIN, lay_out, plain
from models.training.decks import decks
from models.training.drawn_hand import hand
from models.training.flat_tables import slant_of
from models.training.grounds import grounds
from models.training.looks import SPRITE_RADIUS_PX, procedural
from models.training.overlaid import overlay
from models.training.photographed import ground, scales
from models.training.slanted import developed
from models.training.slices import CANVAS_PX, PX_PER_MM, TABLE_MM, Layers
from models.training.stored import store

_MOST = 48
# So many grounds of each kind are drawn in turn.
GROUNDS = 300
FLAT = (household.napkin, household.paper)
SOLID = tuple(make for make in household.THINGS if make not in FLAT)


def laid(sheet: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(CANVAS_PX, CANVAS_PX, 3) of a ground, turned any way."""
    scale = rng.uniform(0.55, 1.1) * PX_PER_MM / 4
    warp = cv2.getRotationMatrix2D((sheet.shape[1] / 2, sheet.shape[0] / 2), rng.uniform(0, 360), scale)
    warp[:, 2] += CANVAS_PX / 2 - sheet.shape[0] / 2
    bgr = cv2.warpAffine(sheet, warp, (CANVAS_PX, CANVAS_PX), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(bgr, np.float32)


def bare(ground_of: Callable[[], np.ndarray], boards: float, rng: np.random.Generator) -> Layers:
    """An empty table of a random ground, camera and lamp, at times (`boards`) with a board that ends in sight or
    markers."""
    angle = rng.uniform(0, 2 * np.pi)
    sun = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.1, 1.2)
    boarded = rng.random() < boards

    def next_ground() -> np.ndarray:
        """Beside boards many are of one colour."""
        return plain(rng) if boarded and rng.random() < PLAIN else laid(ground_of(), rng)

    layers = Layers(next_ground(), slant_of(rng), sun)
    if boarded:
        lay_out(layers, next_ground, rng)
    return layers


def flat_sprite(
    layers: Layers, bgr: np.ndarray, alpha: np.ndarray, at: np.ndarray, turn: float, px_per_mm: float
) -> None:
    """A coin or card: nothing to find for this net."""
    c, s = np.cos(turn) * PX_PER_MM / px_per_mm, np.sin(turn) * PX_PER_MM / px_per_mm
    warp = np.array([[c, -s], [s, c]])
    matrix = np.c_[warp, at * PX_PER_MM - warp @ (np.array(alpha.shape[::-1]) / 2)]
    face = cv2.warpAffine(bgr, matrix, (CANVAS_PX, CANVAS_PX), flags=cv2.INTER_AREA).astype(np.float32)
    share = cv2.warpAffine(alpha, matrix, (CANVAS_PX, CANVAS_PX)).astype(np.float32)[..., None] / 255
    layers.bgr[:] = face * share + layers.bgr * (1 - share)


def lay_flat(layers: Layers, deck: list, coins: list, rng: np.random.Generator, most: int = 5) -> None:
    """Coins, fewer than `most`, and cards: nothing to find for this net."""
    for _ in range(rng.integers(0, most)):
        sprite, radius_mm = coins[rng.integers(len(coins))], rng.uniform(8, 14)
        at, turn = rng.uniform(0, TABLE_MM, 2), rng.uniform(0, 6)
        flat_sprite(layers, sprite.bgr, sprite.alpha, at, turn, SPRITE_RADIUS_PX / radius_mm)
    for _ in range(int(rng.choice([0, 0, 1, 4]))):
        card = deck[rng.integers(len(deck))]
        flat_sprite(layers, card.bgr, card.alpha, rng.uniform(0, TABLE_MM, 2), rng.uniform(0, 6), 5.0)


def lay_drawn(layers: Layers, deck: list, coins: list, rng: np.random.Generator) -> np.ndarray:
    """Everything on the table, farthest first; rows of (kind, x, y, facing, radius, visible) for what stands on a point."""
    for _ in range(rng.integers(0, 4)):
        make = household.THINGS[rng.integers(len(household.THINGS))]
        if make in FLAT:
            make(layers, rng.uniform(0, TABLE_MM, 2), rng)
    lay_flat(layers, deck, coins, rng)
    style = rng.integers(4)
    army = [figures.army_colour(rng) for _ in range(2)]
    away = layers.slant / (np.hypot(*layers.slant) + 1e-9)
    rows = []
    for what, at in sorted(places(rng, int(rng.integers(0, 14)) if style else 0), key=lambda t: -float(t[1] @ away)):
        layers.number += 1
        if what == "terrain":
            SOLID[rng.integers(len(SOLID))](layers, at, rng)
            continue
        facing, paint = rng.uniform(-np.pi, np.pi), army[rng.integers(2)][1]
        kind, radius = figure(layers, at, facing, paint, rng, style)
        rows.append((kind, at[0], at[1], facing, radius, layers.number))
    if rng.random() < 0.3:
        layers.number += 1
        hand(layers, rng)
    return seen_rows(layers, rows)


def places(rng: np.random.Generator, figures_wanted: int) -> list[tuple[str, np.ndarray]]:
    """Where terrain and figures stand, none on another."""
    things = [("terrain", rng.uniform(0, TABLE_MM, 2)) for _ in range(rng.integers(0, 4))]
    for _ in range(figures_wanted):
        at = rng.uniform(4, TABLE_MM - 4, 2)
        if all(np.hypot(*(at - p)) > 34 for _, p in things):
            things.append(("figure", at))
    return things


def figure(
    layers: Layers, at: np.ndarray, facing: float, paint: np.ndarray, rng: np.random.Generator, style: int
) -> tuple[int, float]:
    """One figure: toy soldiers on style 1 and 2, miniatures on bases on style 3."""
    if style == 3:
        radius, _ = figures.miniature(layers, at, facing, rng)
        return 3, radius
    kind = int(rng.choice([0, 0, 0, 0, 1, 2]))
    if kind == 0 and rng.random() < 0.12:
        return 0, figures.fallen(layers, at, facing, paint, rng)
    return kind, (figures.foot, figures.mounted, figures.gun)[kind](layers, at, facing, paint, rng)


def seen_rows(layers: Layers, rows: list) -> np.ndarray:
    """(_MOST, 6): the rows, with how much of each item shows, as a share of what its size would, in place of its
    number."""
    table = np.full((_MOST, 6), -1, np.float32)
    shown_mm2 = np.bincount(layers.owner.ravel(), minlength=256) / PX_PER_MM**2
    for index, (kind, x, y, facing, radius, number) in enumerate(rows[:_MOST]):
        expected_mm2 = max(60.0, 2.2 * radius**2)
        table[index] = (kind, x, y, facing, radius, min(1.0, shown_mm2[int(number)] / expected_mm2))
    return table


def shot(layers: Layers, coarsest: float, rng: np.random.Generator) -> np.ndarray:
    """The tile at PX_PER_MM as a camera of random resolution gives it, `coarsest` px per mm or more."""
    cotangent = float(np.hypot(*layers.slant))
    axis = layers.slant / cotangent if cotangent > 1e-6 else np.array([1.0, 0.0])
    px_per_mm = np.exp(rng.uniform(np.log(coarsest), np.log(3.2)))
    turn = np.array([axis, [-axis[1], axis[0]]])
    linear = turn.T @ np.diag([1 / np.hypot(1.0, cotangent), 1.0]) @ turn * px_per_mm / PX_PER_MM
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float) * CANVAS_PX @ linear.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = tuple(int(v) for v in np.ceil(high - low))
    soft = cv2.GaussianBlur(layers.bgr, (0, 0), max(0.3, 0.45 * PX_PER_MM / px_per_mm))
    photo = developed(cv2.warpAffine(soft, np.c_[linear, -low], size, borderMode=cv2.BORDER_REFLECT), rng)
    return cv2.warpAffine(
        photo,
        np.c_[linear, -low],
        (CANVAS_PX, CANVAS_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )


class Tables:
    """Tables one after the other, each as one camera shows it."""

    def __init__(self, args: argparse.Namespace, rng: np.random.Generator) -> None:
        """What --decks, --maps, --rendered and --photos hold; ValueError where no deck is."""
        self.args, self.rng = args, rng
        self.packs = list(decks(args.decks, args.test).values())
        if not self.packs:
            raise ValueError(f"{args.decks}: no card sheets; see models/training/decks.py")
        self.coins = [
            procedural(cls, face, rng)
            for cls in ("gbp-1p", "gbp-10p", "eur-2", "usd-25c")
            for face in ("heads", "tails")
        ]
        self.maps = tuple(sorted(args.maps.glob("*.tif"))) if args.maps else ()
        self.rendered = sorted(args.rendered.glob("*.npz")) if args.rendered else []
        self.photos = scales(args.photos) if args.photos else {}
        self.drawn = self._drawn()

    def _drawn(self) -> Iterator[np.ndarray]:
        while True:
            yield from grounds(self.rng, GROUNDS, (), self.maps)

    def any_ground(self) -> np.ndarray:
        """Cut from a photograph, or drawn."""
        return ground(self.photos, self.rng) if self.rng.random() < (0.6 if self.photos else 0.0) else next(self.drawn)

    def table(self, number: int) -> dict[str, np.ndarray]:
        """tile, rows, slant, and what is known of its surface: with the things of rendered table `number`, some bare."""
        rng, args = self.rng, self.args
        layers = bare(self.any_ground, args.boards, rng)
        deck = self.packs[rng.integers(len(self.packs))]
        if self.photos and rng.random() < 0.09:
            rows = seen_rows(layers, [])
        elif self.rendered:
            lay_flat(layers, deck, self.coins, rng, args.coins)
            rows = seen_rows(layers, overlay(layers, self.rendered[number % len(self.rendered)], rng))
        else:
            rows = lay_drawn(layers, deck, self.coins, rng)
        surfaces = {key: getattr(layers, key)[::2, ::2] for key in ("ground", "height", "figure", "hand")}
        kept = {key: layer.astype(np.float16 if key == "height" else np.uint8) for key, layer in surfaces.items()}
        return {
            "tiles": shot(layers, args.coarsest, rng), "rows": rows, "slant": layers.slant.astype(np.float32), **kept
        }  # fmt: skip


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """What every script that lays tables is told."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decks", type=Path, required=True)
    for name in ("--maps", "--rendered", "--photos"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--boards", type=float, default=0.0)
    parser.add_argument("--coarsest", type=float, default=1.2)
    parser.add_argument("--coins", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", action="store_true")
    return parser


def main() -> None:
    """The command line."""
    parser = parser_of(__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=500)
    args = parser.parse_args()
    tables = Tables(args, np.random.default_rng(args.seed))
    gathered: dict[str, list] = {}
    for number in range(args.tables):
        for key, value in tables.table(number).items():
            gathered.setdefault(key, []).append(value)
        if number % 50 == 0:
            print(number, flush=True)
    store(args.out, {key: np.array(value) for key, value in gathered.items()})


if __name__ == "__main__":
    main()
