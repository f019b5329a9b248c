"""Pictures of coins, each with another camera, light, ground and hand of coins, for `sandtable evaluate`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.block import Block
from sample_footage.camera import Camera, looking_at
from sample_footage.coin import Coin
from sample_footage.coin_stock import COIN_STOCK
from sample_footage.film import lit_table
from sample_footage.ground import Ground, View
from sample_footage.lie_of_the_land import SHEET_MM
from sample_footage.light import Light
from sample_footage.map_sheet import MARGIN_MM
from sample_footage.scene_truth import scene_truth, visible_shares
from sample_footage.sensor import Sensor
from sample_footage.setup_file import setup_toml
from sample_footage.whole_file import write_bytes_whole, write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

CURRENCIES = ("gbp", "eur", "usd")
OWNERS = ("red", "blue", "none", "green", "yellow", "black", "white", "orange")
LOOKS = (
    "plain",
    "glare",
    "dim",
    "warm",
    "stack",
    "touching",
    "oblique",
    "blur",
    "noise",
    "plain-table",
    "mixed",
    "low-sun",
)
LARGEST_BYTES = 400_000
KNOWN_POINTS_MM = ((40.0, 40.0), (660.0, 40.0), (660.0, 460.0), (40.0, 460.0), (350.0, 250.0))


@dataclass(frozen=True)
class Still:
    """All that one picture is made from."""

    name: str
    looks: tuple[str, ...]
    camera: Camera
    ground: Ground
    light: Light
    sensor: Sensor
    coins: tuple[Coin, ...]
    quality: int
    blocks: tuple[Block, ...] = ()

    @property
    def pieces(self) -> tuple[Coin | Block, ...]:
        """All that lies on the table."""
        return (*self.coins, *self.blocks)


def still(number: int, seed: int) -> Still:
    """Picture `number` of the set that is drawn from `seed`; every twelve in a row show each look once."""
    rng = np.random.default_rng([seed, number])
    look = LOOKS[number % len(LOOKS)]
    money = CURRENCIES[number % 3] if look != "mixed" else ""
    surface = (
        str(rng.choice(["walnut", "green-cloth", "grey-cloth", "pine", "white"]))
        if look == "plain-table"
        else str(rng.choice(["oak", "walnut", "pine"]))
    )
    ground = Ground(surface, look != "plain-table", int(rng.integers(1000)))
    camera = camera_for(look, rng)
    return Still(
        f"still-{number:03d}-{look}",
        (look,) if look != "plain" else (),
        camera,
        ground,
        light_for(look, camera, rng),
        sensor_for(look, rng),
        _coins(look, money, rng),
        int(rng.integers(84, 94)) if look != "noise" else 72,
    )


def camera_for(look: str, rng: np.random.Generator) -> Camera:
    """A webcam 35 to 60 degrees above the horizon that just sees the whole sheet, its lens a little bent."""
    elevation = rng.uniform(35, 40) if look == "oblique" else rng.uniform(42, 60)
    focal = rng.uniform(1320, 1620)
    k1, k2, p1, p2 = rng.uniform(-0.16, 0.06), rng.uniform(-0.03, 0.05), rng.normal(0, 6e-4), rng.normal(0, 6e-4)
    target = (350 + rng.uniform(-10, 10), 228 + rng.uniform(-8, 6), 0.0)
    azimuth, roll = rng.uniform(-8, 8), rng.uniform(-2.0, 2.0)
    centre = (round(959.5 + rng.normal(0, 8), 1), round(539.5 + rng.normal(0, 8), 1))
    distortion = (round(k1, 6), round(k2, 6), round(p1, 6), round(p2, 6), 0.0)
    for distance in focal / 1480 * np.arange(660.0, 1100.0, 8.0):
        camera = looking_at(
            target, float(distance), elevation, azimuth, roll, (1920, 1080), round(focal, 1), distortion, centre
        )
        if _sees_whole_sheet(camera):
            break
    return camera


def _sees_whole_sheet(camera: Camera) -> bool:
    low, high = -MARGIN_MM, np.asarray(SHEET_MM) + MARGIN_MM
    px = camera.project([(low, low, 0), (high[0], low, 0), (high[0], high[1], 0), (low, high[1], 0)])
    return bool(np.all(px > 6) and np.all(px < np.asarray(camera.size_px) - 7))


def light_for(look: str, camera: Camera, rng: np.random.Generator) -> Light:
    """A lamp and a room that suit the look."""
    azimuth, elevation, gloss, spread = rng.uniform(20, 160), rng.uniform(40, 70), 0.04, rng.uniform(3, 12)
    tint, around = (0.95, 0.99, 1.02), (1.05, 1.0, 0.96)
    if look == "glare":
        azimuth, elevation, gloss, spread = (*_mirror_direction(camera, rng), 0.55, 5.0)
    if look == "warm":
        tint, around = (0.55, 0.86, 1.12), (0.68, 0.9, 1.05)
    if look == "low-sun":
        elevation, spread = 24.0, 1.5
    key = rng.uniform(0.5, 0.72) if look != "low-sun" else 0.75
    brightest = (float(rng.uniform(0, 700)), float(rng.uniform(100, 600)))
    return Light(azimuth, elevation, spread, key, 0.95 - key, tint, around, brightest, rng.uniform(0.1, 0.6), gloss)


def _mirror_direction(camera: Camera, rng: np.random.Generator) -> tuple[float, float]:
    """Where a lamp stands that the paper mirrors into the camera from some spot on the map."""
    spot = np.array([rng.uniform(200, 500), rng.uniform(150, 350), 0.0])
    away = spot - camera.eye_mm
    return float(np.degrees(np.arctan2(away[1], away[0]))), float(
        np.degrees(np.arctan2(-away[2], np.hypot(away[0], away[1])))
    )


def sensor_for(look: str, rng: np.random.Generator) -> Sensor:
    """Exposure, blur, noise and white balance that suit the look."""
    exposure = 0.42 if look == "dim" else rng.uniform(0.82, 1.1)
    blur = 1.35 if look == "blur" else rng.uniform(0.4, 0.7)
    noise = {"noise": 6.0, "dim": 4.0}.get(look, rng.uniform(1.0, 2.2))
    balance = tuple(rng.normal(1, 0.02, 3)) if look != "warm" else (1.1, 1.0, 0.94)
    return Sensor(exposure, blur, rng.uniform(0.1, 0.35), balance, noise, 0.0, int(rng.integers(10**6)))


def _coins(look: str, money: str, rng: np.random.Generator) -> tuple[Coin, ...]:
    classes = [cls for cls in COIN_STOCK if cls.startswith(money) and cls != "usd-1-silver"]
    coins: list[Coin] = []
    wanted = int(rng.integers(18, 34))
    while len(coins) < wanted:
        coin = one_coin(f"c{len(coins)}", str(rng.choice(classes)), _place(coins, look, rng), rng)
        if fits(coin, coins, 0.15 if look == "touching" else 2.0):
            coins.append(coin)
    if look in ("stack", "mixed"):
        coins += _stacked(coins, classes, rng)
    return tuple(coins)


def one_coin(name: str, cls: str, at_mm: tuple[float, float], rng: np.random.Generator) -> Coin:
    """A coin of that class: owner, face, turn, wear and sticker by chance."""
    owner = str(rng.choice(OWNERS, p=(0.22, 0.22, 0.26, 0.08, 0.08, 0.05, 0.04, 0.05)))
    room = max(0.0, COIN_STOCK[cls].diameter_mm / 2 - 4.6)
    off = rng.uniform(-1, 1, 2) * min(1.8, 0.5 * room)
    return Coin(
        name, cls, at_mm, owner, str(rng.choice(["heads", "tails"])), round(float(rng.uniform(0, 360)), 2), 0.0,
        float(rng.beta(2, 2.5)), int(rng.integers(24)), (float(off[0]), float(off[1])),
    )  # fmt: skip


def _place(coins: list[Coin], look: str, rng: np.random.Generator) -> tuple[float, float]:
    if look == "touching" and coins and rng.random() < 0.6:
        near = coins[int(rng.integers(len(coins)))]
        turn, reach = rng.uniform(0, 2 * np.pi), near.radius_mm + rng.uniform(8.3, 15.5)
        at = (near.position_mm[0] + reach * np.cos(turn), near.position_mm[1] + reach * np.sin(turn))
    else:
        at = (rng.uniform(24, 676), rng.uniform(24, 476))
    return round(float(at[0]), 3), round(float(at[1]), 3)


def fits(coin: Coin, coins: list[Coin], gap_mm: float) -> bool:
    """Whether it lies on the table, off the corners' markers, and so far from all others."""
    x, y = coin.position_mm
    in_corner = (x < 62 or x > 638) and (y < 62 or y > 438)
    on_table = 16 < x < 684 and 16 < y < 484
    free = all(
        np.hypot(x - c.position_mm[0], y - c.position_mm[1]) > coin.radius_mm + c.radius_mm + gap_mm for c in coins
    )
    return on_table and not in_corner and free


def _stacked(coins: list[Coin], classes: list[str], rng: np.random.Generator) -> list[Coin]:
    """One to three coins more on each of six."""
    found: list[Coin] = []
    for base in coins[:6]:
        below = base
        for level in range(int(rng.integers(1, 4))):
            at = tuple(round(float(v + rng.normal(0, 0.7)), 3) for v in below.position_mm)
            coin = one_coin(f"{base.id}-{level + 1}", str(rng.choice(classes)), (at[0], at[1]), rng)
            below = Coin(**{**coin.__dict__, "low_mm": below.high_mm, "on": below.id})
            found.append(below)
    return found


def picture_of(made: Still) -> NDArray[np.uint8]:
    """The 8-bit picture."""
    view = View(made.camera, made.ground, made.light)
    table = lit_table(view, view.bare(), made.pieces)
    return made.sensor.develop(table, table.shape[:2])


def write_still(made: Still, out: Path) -> None:
    """Picture, truth and set-up; the picture last, so that a picture is never without its truth."""
    known = () if made.ground.has_map else KNOWN_POINTS_MM
    write_whole(out / f"{made.name}.setup.toml", setup_toml(made.camera, known))
    truth = scene_truth(made.pieces, made.camera, visible_shares(made.pieces, made.camera), made.looks)
    write_whole(out / f"{made.name}.truth.geojson", json.dumps(truth) + "\n")
    write_jpeg(out / f"{made.name}.jpg", picture_of(made), made.quality)


def write_jpeg(path: Path, picture: NDArray[np.uint8], quality: int) -> None:
    """Write the picture at that quality, or at a lower one, down to about 50, if it would pass `LARGEST_BYTES`."""
    encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    while len(encoded) > LARGEST_BYTES and quality > 50:
        quality -= 4
        encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    write_bytes_whole(path, encoded)


def write_stills(out: Path, count: int, seed: int) -> None:
    """A set of pictures with truth."""
    out.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        write_still(still(number, seed), out)
