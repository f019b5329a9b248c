"""The looks of a coin: relief of class and face, struck in metal, worn, tarnished, lit, with a paper dot or not."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import SIDES
from models.training import american, british, motifs
from models.training.motifs import RADIUS_PX, SIZE, Canvas

Float = NDArray[np.float32]

# Sprites are SPRITE_PX squares; the rim of a coin lies SPRITE_RADIUS_PX from the middle.
SPRITE_PX = 128
SPRITE_RADIUS_PX = 60.0

_COPPER = ("gbp-1p", "gbp-2p", "eur-1c", "eur-2c", "eur-5c", "usd-1c")
_GOLD = ("eur-10c", "eur-20c", "eur-50c", "usd-1")
# Inner share of the radius, inner metal, outer metal.
_TWO_METALS = {
    "gbp-1": (0.65, "silver", "gold"),
    "gbp-2": (0.66, "silver", "gold"),
    "eur-1": (0.70, "silver", "gold"),
    "eur-2": (0.70, "gold", "silver"),
}
# BGR of the metals from shining to dull, in linear light, by eye from the training photographs.
_METALS = {
    "copper": (np.array([0.28, 0.46, 0.80]), np.array([0.05, 0.065, 0.11])),
    "gold": (np.array([0.32, 0.62, 0.78]), np.array([0.07, 0.13, 0.17])),
    "silver": (np.array([0.68, 0.72, 0.74]), np.array([0.14, 0.15, 0.155])),
}
_WORDS = {
    "gbp-1p": "ONE PENNY",
    "gbp-2p": "TWO PENCE",
    "gbp-5p": "FIVE PENCE",
    "gbp-10p": "TEN PENCE",
    "gbp-20p": "TWENTY PENCE",
    "gbp-50p": "FIFTY PENCE",
    "gbp-1": "ONE POUND",
    "gbp-2": "TWO POUNDS",
    "usd-1c": "ONE CENT",
    "usd-5c": "FIVE CENTS",
    "usd-10c": "ONE DIME",
    "usd-25c": "QUARTER DOLLAR",
    "usd-50c": "HALF DOLLAR",
    "usd-1": "ONE DOLLAR",
    "usd-1-silver": "ONE DOLLAR",
}
STICKER_BGR = {
    "red": (40, 40, 200),
    "blue": (180, 90, 30),
    "green": (70, 150, 40),
    "yellow": (50, 215, 245),
    "white": (240, 242, 242),
    "black": (35, 33, 33),
    "orange": (30, 125, 245),
    "purple": (140, 50, 110),
    "tan": (130, 175, 205),
    "grey": (135, 135, 135),
}


@dataclass(frozen=True, eq=False)
class Sprite:
    """A top face: bgr (SPRITE_PX, SPRITE_PX, 3) uint8 and its shape's alpha (SPRITE_PX, SPRITE_PX) uint8."""

    bgr: NDArray[np.uint8]
    alpha: NDArray[np.uint8]


def outline(cls: str, turn: float = 0.0, shrink: float = 1.0) -> NDArray[np.float64]:
    """(n, 2) the coin's edge in radii: a circle, a seven-sided curve of constant width, a soft twelve-sided polygon."""
    angles = np.linspace(0, 2 * np.pi, 168, endpoint=False)
    if SIDES.get(cls) == 7:
        radius = _constant_width_radius(angles)
    elif SIDES.get(cls) == 12:
        nearest = np.abs((angles + np.pi / 12) % (np.pi / 6) - np.pi / 12)
        radius = np.minimum(1.0, 0.985 / np.cos(np.pi / 12 - nearest) * 0.992)
    else:
        radius = np.ones_like(angles)
    return shrink * radius[:, None] * np.stack([np.cos(angles + turn), np.sin(angles + turn)], axis=1)


def _constant_width_radius(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Radius over half the width of a seven-sided curve of constant width: arcs about the opposite corners."""
    corner = 1 / (np.cos(np.pi / 14) * 2) * 2
    near = np.abs((angles + np.pi / 7) % (2 * np.pi / 7) - np.pi / 7)
    opposite = np.pi - (np.pi / 7 - near)
    # Distance along the ray to the circle of radius 2 (the width) about the corner that lies opposite.
    along = corner * np.cos(opposite)
    return np.asarray(along + np.sqrt(np.maximum(4 - corner**2 + along**2, 0)), float)


def procedural(cls: str, face: str, rng: np.random.Generator, sheen: Float | None = None) -> Sprite:
    """A coin of the class as nobody has quite struck it.

    sheen  (SPRITE_PX, SPRITE_PX, 3) linear light of a real coin's metal to strike the relief into; painted without it
    """
    height = _relief(cls, face, rng)
    shape = cv2.fillPoly(motifs.blank(), [motifs.to_px(outline(cls))], (255,), cv2.LINE_AA, 4)
    lit = _strike(cls, height, rng, sheen)
    small = cv2.resize(lit, (SPRITE_PX, SPRITE_PX), interpolation=cv2.INTER_AREA)
    bgr = np.clip(np.power(np.clip(small, 0, 1), 1 / 2.2) * 255, 0, 255).astype(np.uint8)
    return Sprite(bgr, cv2.resize(shape, (SPRITE_PX, SPRITE_PX), interpolation=cv2.INTER_AREA))


def drawn_height(cls: str, face: str, rng: np.random.Generator) -> Float:
    """(SIZE, SIZE) how high each place of a face is struck, 0 to 1, rows downwards."""
    return _relief(cls, face, rng)


def metals_of(cls: str, share: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n, 3) linear BGR of a coin's metal, shining and dull, at shares (n,) of its radius."""
    within, inner, outer = _TWO_METALS.get(cls, (0.0, *[_one_metal(cls)] * 2))
    chosen = np.where(share < within, inner, outer)
    bright, dull = (np.stack([_METALS[name][n] for name in chosen]) for n in (0, 1))
    return bright, dull


def _one_metal(cls: str) -> str:
    return "copper" if cls in _COPPER else "gold" if cls in _GOLD else "silver"


def drawn_relief(cls: str, face: str, rng: np.random.Generator) -> Float:
    """(SIZE, SIZE) the light that its relief takes and gives on even metal."""
    return _strike(cls, _relief(cls, face, rng), rng, np.ones((SPRITE_PX, SPRITE_PX, 3), np.float32))[..., 0]


def sheen_of(sprite: Sprite, rng: np.random.Generator) -> Float:
    """The light on a real coin without its relief: linear, blurred, so that another relief can be struck into it."""
    linear = np.power(sprite.bgr.astype(np.float32) / 255, 2.2)
    weight = cv2.GaussianBlur((sprite.alpha > 200).astype(np.float32), (0, 0), sigma := rng.uniform(5, 10))
    blurred = cv2.GaussianBlur(linear * (sprite.alpha > 200)[..., None], (0, 0), sigma)
    return np.asarray(blurred / np.maximum(weight, 0.05)[..., None], np.float32)


def with_sticker(sprite: Sprite, colour: str, rng: np.random.Generator) -> tuple[Sprite, float]:
    """The coin with a paper dot on it; also the share of the radius that the dot covers."""
    share = rng.uniform(0.24, 0.9)
    centre = SPRITE_PX / 2 - 0.5 + rng.normal(0, 0.05, 2) * SPRITE_RADIUS_PX
    mask = np.zeros((SPRITE_PX, SPRITE_PX), np.uint8)
    at = np.rint(centre * 16).astype(int)
    cv2.circle(mask, (int(at[0]), int(at[1])), round(share * SPRITE_RADIUS_PX * 16), (255,), -1, cv2.LINE_AA, 4)
    # The dot takes the light that falls on the coin's middle, but as paper does: evenly.
    paper = np.array(STICKER_BGR[colour], float) * rng.normal(1, 0.08, 3) * rng.uniform(0.7, 1.1)
    dot = paper + rng.normal(0, 3, (SPRITE_PX, SPRITE_PX, 1)) + _slope(SPRITE_PX, rng, 0.06)[..., None] * paper
    blend = mask[..., None] / 255.0
    bgr = np.clip(sprite.bgr * (1 - blend) + dot * blend, 0, 255).astype(np.uint8)
    return Sprite(bgr, sprite.alpha), share


def _relief(cls: str, face: str, rng: np.random.Generator) -> Float:
    canvas = motifs.blank()
    (_heads if face == "heads" else _tails)[cls[:3]](canvas, cls, rng)
    rim = motifs.blank()
    border = outline(cls, shrink=1.0), outline(cls, shrink=rng.uniform(0.89, 0.95))
    motifs.fill(rim, border[0], 220)
    motifs.fill(rim, border[1], 0)
    if rng.random() < 0.5:
        motifs.stars(rim, 0.87, 60, 0.012)
    height = np.maximum(canvas, rim).astype(np.float32) / 255
    if cls == "eur-20c":
        for angle in np.arange(7) * 2 * np.pi / 7:
            notch = motifs.blank()
            motifs.disc(notch, (1.0 * np.cos(angle), 1.0 * np.sin(angle)), 0.075, 255)
            height *= 1 - notch.astype(np.float32) / 255
    fresh = cv2.GaussianBlur(height, (0, 0), rng.uniform(1.0, 2.4))
    return np.asarray(fresh * rng.uniform(0.35, 1.0), np.float32)


def _heads_gbp(canvas: Canvas, cls: str, rng: np.random.Generator) -> None:
    queen = rng.random() < 0.8
    motifs.bust(canvas, rng, right=queen, kind="crowned" if queen else "plain")
    year = str(rng.integers(1971, 2024))
    text = (
        rng.choice(["ELIZABETH.II.D.G.REG.F.D.", "ELIZABETH.II.DEI.GRA.REG.FID.DEF.", "CHARLES.III.D.G.REX.F.D."])
        + year
    )
    motifs.legend(canvas, text, 0.80, rng.uniform(60, 120), 0.13 if len(text) > 26 else 0.15)


def _heads_eur(canvas: Canvas, cls: str, rng: np.random.Generator) -> None:
    motif = rng.integers(0, 6)
    if motif == 0:
        motifs.bust(canvas, rng, right=bool(rng.random() < 0.5))
    elif motif == 1:
        motifs.eagle(canvas, rng)
    elif motif == 2:
        motifs.sprig(canvas, rng, (0.0, -0.5), (0.1, 0.5), 9)
    elif motif == 3:
        motifs.building(canvas, rng, dome=bool(rng.random() < 0.5))
    elif motif == 4:
        motifs.frontal(canvas, rng)
    else:
        motifs.squiggles(canvas, rng, 14)
    motifs.stars(canvas, 0.80, 12, 0.055)


def _heads_usd(canvas: Canvas, cls: str, rng: np.random.Generator) -> None:
    year = str(rng.integers(1965, 2024))
    if cls == "usd-1c":
        motifs.bust(canvas, rng, right=True, kind="bearded")
        motifs.legend(canvas, "IN GOD WE TRUST", 0.80, 90, 0.15)
        motifs.text_line(canvas, "LIBERTY", (-0.62, 0.0), 0.12)
        motifs.text_line(canvas, year, (0.60, -0.25), 0.15)
    elif cls == "usd-1" or (cls == "usd-5c" and rng.random() < 0.5):
        motifs.frontal(canvas, rng) if rng.random() < 0.7 else motifs.bust(canvas, rng, right=True)
        motifs.legend(canvas, "IN GOD WE TRUST", 0.80, rng.choice([10, 90]), 0.13)
        motifs.text_line(canvas, year, (0.60, -0.35), 0.14)
    else:
        kind = {"usd-25c": "ponytail", "usd-5c": "ponytail"}.get(cls, "plain")
        motifs.bust(canvas, rng, right=False, kind=kind)
        if cls == "usd-25c" and rng.random() < 0.5:
            motifs.legend(canvas, "UNITED STATES OF AMERICA", 0.81, 90, 0.13)
            motifs.legend(canvas, "QUARTER DOLLAR", 0.81, 270, 0.13, inward=True)
        else:
            spread = {"usd-25c": 90, "usd-50c": 90, "usd-10c": 170, "usd-5c": 20}.get(cls, 90)
            motifs.legend(canvas, "LIBERTY", 0.78, spread, rng.uniform(0.17, 0.24))
            motifs.text_line(canvas, year, (0.45, -0.62) if cls == "usd-10c" else (0.0, -0.84), 0.14)


def _tails_gbp(canvas: Canvas, cls: str, rng: np.random.Generator) -> None:
    arms = rng.random() < 0.45 and cls not in ("gbp-1", "gbp-2")
    if arms:
        (british.arms_part if rng.random() < 0.7 else motifs.shield_part)(canvas, rng)
    elif cls == "gbp-2" and rng.random() < 0.7:
        motifs.rings(canvas, rng)
    elif rng.random() < 0.1:
        motifs.squiggles(canvas, rng, 18)
    else:
        _BRITISH[cls](canvas, rng)
    motifs.legend(canvas, _WORDS[cls], 0.80, rng.uniform(0, 360), 0.16)
    if rng.random() < 0.5 and not arms and cls not in ("gbp-1", "gbp-2"):
        motifs.text_line(canvas, cls[4:-1], (rng.choice([0.0, 0.3]), -0.68), 0.26)


_BRITISH = {
    "gbp-1p": motifs.grille,
    "gbp-2p": motifs.plume,
    "gbp-5p": british.thistle,
    "gbp-10p": british.crowned_lion,
    "gbp-20p": british.rose,
    "gbp-50p": british.britannia,
    "gbp-1": british.thistle,
    "gbp-2": british.britannia,
}


def _tails_eur(canvas: Canvas, cls: str, rng: np.random.Generator) -> None:
    motifs.globe(canvas, rng)
    copper = cls in ("eur-1c", "eur-2c", "eur-5c")
    for offset in np.linspace(0.05, 0.55, 6):
        line = (
            np.array([(offset, 0.75), (offset + 0.1, -0.75)])
            if not copper
            else np.array([(-0.2, -0.9 + offset), (0.9, offset - 0.2)])
        )
        motifs.line(canvas, line, 0.02, 180)
    digits = cls[4:].rstrip("c")
    big = 0.62 if len(digits) == 2 else 0.78
    left = -0.28 if copper or cls in ("eur-1", "eur-2") else -0.1
    motifs.text_line(canvas, digits, (left, 0.2 if len(digits) == 2 else 0.1), big, 255)
    words = "EURO" if cls in ("eur-1", "eur-2") else "EURO CENT"
    motifs.text_line(canvas, words, (0.25 if words == "EURO" else -0.05, -0.35 + rng.normal(0, 0.05)), 0.17, 235)
    motifs.stars(canvas, 0.82, 12, 0.04)


def _tails_usd(canvas: Canvas, cls: str, rng: np.random.Generator) -> None:
    if cls == "usd-1c":
        (american.union_shield if rng.random() < 0.45 else american.memorial)(canvas, rng)
    elif cls == "usd-5c":
        american.monticello(canvas, rng)
    elif cls == "usd-10c":
        (motifs.torch if rng.random() < 0.2 else american.lettered_torch)(canvas, rng)
    elif cls == "usd-25c" and rng.random() < 0.4:
        motifs.squiggles(canvas, rng, 16)
    else:
        (motifs.eagle if rng.random() < 0.4 else american.perched_eagle)(canvas, rng)
    motifs.legend(canvas, "UNITED STATES OF AMERICA", 0.81, 90, 0.13)
    motifs.legend(canvas, _WORDS[cls], 0.81, 270, rng.uniform(0.13, 0.18), inward=True)


_heads = {"gbp": _heads_gbp, "eur": _heads_eur, "usd": _heads_usd}
_tails = {"gbp": _tails_gbp, "eur": _tails_eur, "usd": _tails_usd}


def _strike(cls: str, height: Float, rng: np.random.Generator, sheen: Float | None) -> Float:
    """(SIZE, SIZE, 3) linear light from the relief."""
    colour = _metal(cls, rng) if sheen is None else cv2.resize(sheen, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR)
    azimuth, depth = rng.uniform(0, 2 * np.pi), rng.uniform(2.0, 7.0)
    slope_x, slope_y = cv2.Sobel(height, cv2.CV_32F, 1, 0) / 4, cv2.Sobel(height, cv2.CV_32F, 0, 1) / 4
    facing = (slope_x * np.cos(azimuth) - slope_y * np.sin(azimuth)) * depth
    steep = np.sqrt(np.square(slope_x) + np.square(slope_y)) * depth
    lit = 1 + rng.uniform(0.5, 1.4) * np.tanh(facing) - rng.uniform(0.0, 0.35) * np.tanh(steep)
    if rng.random() < 0.7:
        hollow = 1 - height / max(float(height.max()), 1e-3)
        lit *= 1 - rng.uniform(0, 0.5) * hollow
    if sheen is None:
        lit *= 1 + _slope(SIZE, rng, rng.uniform(0.05, 0.4))
        lit *= (
            1
            + blotches(SIZE, rng, int(rng.integers(3, 9))) * rng.uniform(0, 0.1)
            + rng.normal(0, 0.03, (SIZE, SIZE)).astype(np.float32)
        )
    return np.asarray(colour * np.clip(lit, 0.05, 3)[..., None], np.float32)


def _metal(cls: str, rng: np.random.Generator) -> Float:
    shine = rng.beta(1.3, 1.6)
    if cls in _TWO_METALS:
        share, inner, outer = _TWO_METALS[cls]
        core = motifs.blank()
        motifs.disc(core, (0.0, 0.0), share, 255)
        blend = (core.astype(np.float32) / 255)[..., None]
        return np.asarray(blend * _tone(inner, shine, rng) + (1 - blend) * _tone(outer, shine, rng), np.float32)
    name = _one_metal(cls)
    tarnish = np.clip(shine + blotches(SIZE, rng, int(rng.integers(3, 15))) * rng.uniform(0, 0.25), 0, 1)[..., None]
    bright, dull = _METALS[name]
    return np.asarray((bright * tarnish + dull * (1 - tarnish)) * rng.normal(1, 0.06, 3), np.float32)


def _tone(metal: str, shine: float, rng: np.random.Generator) -> NDArray[np.float64]:
    bright, dull = _METALS[metal]
    return np.asarray((bright * shine + dull * (1 - shine)) * rng.normal(1, 0.05, 3), float)


def _slope(size: int, rng: np.random.Generator, strength: float) -> Float:
    """A gentle ramp of light across the square, mean zero."""
    ramp = np.linspace(-1, 1, size, dtype=np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    return np.asarray(strength * (np.cos(angle) * ramp[None, :] + np.sin(angle) * ramp[:, None]), np.float32)


def blotches(size: int, rng: np.random.Generator, cells: int) -> Float:
    """Smooth noise of unit spread with `cells` cells across."""
    coarse = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


assert abs(RADIUS_PX / SIZE - SPRITE_RADIUS_PX / SPRITE_PX) < 1e-9
