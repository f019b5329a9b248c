"""Pictures of pieces alone, to teach them from, and of tables on which they lie among pieces like them, with truth.

    python -m sample_footage.taught_pictures --out FOLDER --count 4 --seed 1 [--cards]

Taught are coins of the known currencies, coins of none (another metal and another width), counters of coloured card
and, with `--cards`, playing cards and cards that bear a picture alone. Each table is shown as it was when the pieces
were taught, darker, in warm light, in low sun, from elsewhere, and on another ground. `python -m benchmarks.taught`
teaches and looks.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.block import Block
from sample_footage.card_deal import DECK
from sample_footage.coin import Coin
from sample_footage.coin_draw import STICKER_BGR
from sample_footage.coin_stock import COIN_STOCK, CoinStock
from sample_footage.film import lit_table
from sample_footage.ground import Ground, View
from sample_footage.scene_truth import scene_truth
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import KNOWN_POINTS_MM, camera_for, light_for, sensor_for
from sample_footage.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sample_footage.sensor import Sensor

    Piece = Coin | Block

# As the pieces are seen again; the first is the view that they were taught in.
LOOKS = ("same", "dim", "warm", "low-sun", "elsewhere", "ground")
SURFACES = ("oak", "walnut", "pine", "green-cloth", "grey-cloth", "white")
GAP_MM = 4.0
# Of a coin that is like another: how far their widths differ.
LIKE_MM = 1.6
OTHERS, TWICE = 12, 2


@dataclass(frozen=True)
class TokenStock(CoinStock):
    """A coin of no known currency."""

    width_mm: float = 20.0

    @property
    def diameter_mm(self) -> float:
        """Its own."""
        return self.width_mm


@dataclass(frozen=True)
class Token(Coin):
    """Struck like a known coin of another width and metal; a counter of coloured card where its dot covers it."""

    width_mm: float = 20.0
    metal: str = "nickel"

    @property
    def stock(self) -> CoinStock:
        """Its make."""
        known = COIN_STOCK[self.cls]
        outline = known.outline if known.core is None else "round"
        return TokenStock(self.cls, known.thickness_mm, self.metal, known.numeral, outline, None, False, self.width_mm)  # type: ignore[arg-type]


def a_coin(name: str, cls: str, rng: np.random.Generator) -> Coin:
    """A coin that may be taught: any face, wear and year."""
    face = str(rng.choice(["heads", "tails"]))
    return Coin(name, cls, (0.0, 0.0), "none", face, 0.0, 0.0, float(rng.beta(2, 2.5)), int(rng.integers(24)))


def a_foreign_coin(name: str, rng: np.random.Generator) -> Coin:
    """A coin of no known currency."""
    cls, metal = str(rng.choice(_relief())), str(rng.choice(["copper", "nickel", "gold", "brass"]))
    coin = a_coin(name, cls, rng)
    return Token(**{**coin.__dict__, "width_mm": round(float(rng.uniform(17, 30)), 1), "metal": metal})


def a_counter(name: str, rng: np.random.Generator) -> Coin:
    """A disc of coloured card."""
    width_mm = round(float(rng.uniform(17, 30)), 1)
    coin = a_coin(name, "gbp-2p", rng)
    dot = {"owner": str(rng.choice(list(STICKER_BGR))), "sticker_diameter_mm": width_mm + 1}
    return Token(**{**coin.__dict__, **dot, "width_mm": width_mm})


def _relief() -> list[str]:
    return [cls for cls, stock in COIN_STOCK.items() if stock.core is None and cls != "usd-1-silver"]


def a_card(name: str, rng: np.random.Generator) -> Block:
    """A playing card, or one that bears a picture alone."""
    pictured = rng.random() < 0.6
    return Block(name, "card", f"PICTURE-{rng.integers(1000)}" if pictured else str(rng.choice(DECK)), (0.0, 0.0))


def taught_coins(rng: np.random.Generator) -> list[Coin]:
    """Two known coins, two of no currency, a counter."""
    known = [a_coin(f"own-{n}", str(rng.choice(_known())), rng) for n in range(2)]
    return [*known, *(a_foreign_coin(f"own-{n}", rng) for n in (2, 3)), a_counter("own-4", rng)]


def _known() -> list[str]:
    return [cls for cls in COIN_STOCK if cls != "usd-1-silver"]


def other_coins(taught: Sequence[Coin], rng: np.random.Generator) -> list[Coin]:
    """Coins most like the taught ones in width, and some by chance."""
    like = [cls for cls in _known() for own in taught if abs(COIN_STOCK[cls].diameter_mm - 2 * own.radius_mm) < LIKE_MM]
    drawn = [str(cls) for cls in rng.permutation(sorted(set(like)))][: OTHERS - 4]
    drawn += [str(cls) for cls in rng.choice(_known(), OTHERS - 2 - len(drawn))]
    others = [a_coin(f"c{n}", cls, rng) for n, cls in enumerate(drawn)]
    alike = taught[int(rng.integers(2, 4))]
    twin = a_foreign_coin("f", rng)
    twin = replace(twin, width_mm=2 * alike.radius_mm + float(rng.uniform(-1, 1)))  # type: ignore[call-arg]
    return [*others, twin, a_counter("t", rng)]


def placed(pieces: Sequence[Piece], rng: np.random.Generator, taken: list[tuple[float, float, float]]) -> list[Piece]:
    """Each at a free place, at any turn."""
    return [_placed(piece, rng, taken) for piece in pieces]


def _placed(piece: Piece, rng: np.random.Generator, taken: list[tuple[float, float, float]]) -> Piece:
    reach = piece.radius_mm if isinstance(piece, Coin) else 54.6
    while True:
        x, y = (round(float(rng.uniform(reach + 8, side - reach - 8)), 2) for side in (700, 500))
        if all(np.hypot(x - a, y - b) > reach + far + GAP_MM for a, b, far in taken):
            taken.append((x, y, reach))
            return replace(piece, position_mm=(x, y), turn_deg=round(float(rng.uniform(0, 360)), 1))


@dataclass(frozen=True)
class TaughtTable:
    """One table as a camera sees it, and the folder that its pictures go to."""

    folder: Path
    view: View
    sensor: Sensor

    def shoot(self, shots: Mapping[str, Sequence[Piece]]) -> None:
        """Picture, set-up and truth of each; the picture last."""
        bare, camera = self.view.bare(), self.view.camera
        for name, pieces in shots.items():
            table = lit_table(self.view, bare, pieces)
            write_whole(self.folder / f"{name}.setup.toml", setup_toml(camera, KNOWN_POINTS_MM))
            truth = json.dumps(scene_truth(pieces, camera, {}))
            write_whole(self.folder / f"{name}.truth.geojson", f"{truth}\n")
            picture = self.sensor.develop(table, table.shape[:2])
            cv2.imwrite(str(self.folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])

    def as_seen(self, look: str, rng: np.random.Generator) -> TaughtTable:
        """The same table as it is looked at later."""
        view = self.view
        if look == "dim":
            return replace(self, sensor=sensor_for(look, rng))
        if look in ("warm", "low-sun"):
            lit = View(view.camera, view.ground, light_for(look, view.camera, rng))
            return replace(self, view=lit, sensor=sensor_for(look, rng))
        if look == "elsewhere":
            camera = camera_for("oblique" if rng.random() < 0.5 else "plain", rng)
            return replace(self, view=View(camera, view.ground, view.light))
        if look == "ground":
            surface = str(rng.choice([other for other in SURFACES if other != view.ground.surface]))
            return replace(self, view=View(view.camera, Ground(surface, False, int(rng.integers(1000))), view.light))
        return self


def write_taught(number: int, seed: int, out: Path, *, cards: bool) -> None:
    """The pictures of one table."""
    rng = np.random.default_rng([seed, number, 18])
    folder = out / f"{'cards' if cards else 'coins'}-{number:03d}"
    folder.mkdir(parents=True, exist_ok=True)
    camera = camera_for("plain", rng)
    ground = Ground(SURFACES[number % len(SURFACES)], False, int(rng.integers(1000)))
    table = TaughtTable(folder, View(camera, ground, light_for("plain", camera, rng)), sensor_for("plain", rng))
    taught: list[Piece] = [a_card(f"own-{n}", rng) for n in range(3)] if cards else [*taught_coins(rng)]
    table.shoot({f"taught-{face.id}": placed([face], rng, []) for piece in taught for face in faces(piece)})
    others: list[Piece] = [a_card(f"k{n}", rng) for n in range(5)] if cards else [*other_coins(taught, rng)]  # type: ignore[arg-type]
    for look in LOOKS:
        again = [one for piece in taught for one in seen_again(piece, rng)]
        table.as_seen(look, rng).shoot({f"seen-{look}": placed([*again, *others], rng, [])})


def faces(piece: Piece) -> list[Piece]:
    """What one shows of it to teach it, each picture's number in the id: of a coin both faces."""
    shown: list[Piece] = [piece]
    if isinstance(piece, Coin):
        shown.append(replace(piece, face="tails" if piece.face == "heads" else "heads"))
    return [replace(one, id=f"{piece.id}-{number}") for number, one in enumerate(shown, 1)]


def seen_again(piece: Piece, rng: np.random.Generator) -> list[Piece]:
    """The piece among others; of a coin two like it."""
    if not isinstance(piece, Coin):
        return [replace(piece, id=f"{piece.id}.0")]
    return [
        replace(piece, id=f"{piece.id}.{number}", face=str(rng.choice(["heads", "tails"]))) for number in range(TWICE)
    ]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", action="store_true")
    args = parser.parse_args()
    for number in range(args.count):
        if not (args.out / f"{'cards' if args.cards else 'coins'}-{number:03d}" / f"seen-{LOOKS[-1]}.jpg").exists():
            write_taught(number, args.seed, args.out, cards=args.cards)


if __name__ == "__main__":
    main()
