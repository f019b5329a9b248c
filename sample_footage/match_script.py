"""The sample match on the map of Kingsmere: who lies where, what each player does, and what the rules say of it.

Ann (red, on the left) closes in on Ben's fort at Jessamy: up the M7, down the A645 and along the A433.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sample_footage.coin import Coin
from sample_footage.gesture import Gesture, Seat
from sample_footage.hand import Person

ANN = Seat("Ann", "red", Person((0.34, 0.46, 0.68), (0.13, 0.30, 0.11), "knit"), (-430.0, 170.0))
BEN = Seat("Ben", "blue", Person((0.15, 0.23, 0.42), (0.30, 0.17, 0.11), "stripes", seed=3), (1130.0, 290.0))

JESSAMY_MM = (390.0, 258.0)

PIECES = (
    Coin("red-base", "gbp-2p", (176.0, 322.0), "red", "tails", 20, patina=0.55, design=1),
    Coin("red-farrowgate", "gbp-1p", (196.0, 202.0), "red", "heads", 312, patina=0.3, design=2, sticker_mm=(0.6, -0.4)),
    Coin(
        "red-guard-m7", "gbp-10p", (211.81, 238.26), "red", "heads", 75, patina=0.35, design=3, sticker_mm=(-0.8, 0.5)
    ),
    Coin("red-invader", "gbp-20p", (378.04, 329.03), "red", "tails", 200, patina=0.3, design=4),
    Coin(
        "red-guard-a433", "gbp-10p", (458.99, 268.08), "red", "tails", 140, patina=0.6, design=5, sticker_mm=(0.9, 0.9)
    ),
    Coin("red-scout", "gbp-5p", (236.3, 156.89), "red", "heads", 33, patina=0.25, design=6),
    Coin(
        "red-guard-west", "gbp-10p", (112.0, 372.0), "red", "heads", 260, patina=0.5, design=7, sticker_mm=(0.3, -1.2)
    ),
    Coin("blue-jessamy", "gbp-2p", JESSAMY_MM, "blue", "heads", 15, patina=0.45, design=8),
    Coin(
        "blue-base",
        "gbp-2p",
        (478.0, 196.0),
        "blue",
        "tails",
        190,
        patina=0.65,
        design=9,
        sticker_mm=(9.2, 0.6),
        sticker_diameter_mm=6.0,
    ),
    Coin(
        "blue-scout-base",
        "gbp-5p",
        (481.7, 196.4),
        "blue",
        "tails",
        88,
        low_mm=2.03,
        patina=0.3,
        design=10,
        on="blue-base",
    ),
    Coin("blue-scout-b8108", "gbp-5p", (408.63, 310.72), "blue", "heads", 301, patina=0.3, design=11),
    Coin(
        "blue-scout-east",
        "gbp-5p",
        (478.59, 282.97),
        "blue",
        "heads",
        120,
        patina=0.35,
        design=12,
        sticker_mm=(0.5, 0.3),
    ),
    Coin(
        "blue-guard", "gbp-10p", (386.37, 143.21), "blue", "heads", 47, patina=0.45, design=13, sticker_mm=(-0.7, -0.6)
    ),
    Coin("blue-invader", "gbp-20p", (540.47, 324.13), "blue", "heads", 10, patina=0.4, design=14),
    Coin("blue-larkhaven", "gbp-1p", (592.0, 392.0), "blue", "tails", 230, patina=0.7, design=15),
    Coin(
        "blue-guard-north", "gbp-10p", (512.0, 418.0), "blue", "tails", 5, patina=0.3, design=16, sticker_mm=(0.4, 1.0)
    ),
)


@dataclass(frozen=True)
class Act:
    """What a player does with one piece, and what the referee should say; `to_mm` None takes it off the table."""

    start_s: float
    turn: int
    player: Seat
    piece: str
    to_mm: tuple[float, float] | None
    verdict: str
    rule: str
    why: str
    on: str | None = None
    hand: Seat | None = None


ACTS = (
    Act(
        3.5,
        1,
        ANN,
        "red-guard-m7",
        (378.61, 231.09),
        "yes",
        "OMMS-3.3",
        "two road moves of a Guard along the M7, 84.7 and 82.6 mm of 88.9 mm",
    ),
    Act(
        12.5,
        1,
        ANN,
        "red-invader",
        (396.9, 283.9),
        "yes",
        "OMMS-3.1",
        "48.9 mm of 88.9 mm along the A645, no enemy on the way",
    ),
    Act(
        19.5,
        1,
        ANN,
        "blue-scout-b8108",
        None,
        "yes",
        "OMMS-5.4",
        "the Invader on the A645 attacked it from 29.3 mm and won; Ben takes it off",
        hand=BEN,
    ),
    Act(
        27.0,
        1,
        BEN,
        "blue-scout-east",
        (435.0, 301.0),
        "yes",
        "OMMS-3.4",
        "47.2 mm of 63.5 mm over land, a Scout may leave the road",
    ),
    Act(
        34.0,
        1,
        BEN,
        "blue-guard",
        (420.0, 169.0),
        "no",
        "OMMS-3.2",
        "a Guard must end on a road; the nearest usable one is 25 mm away",
    ),
    Act(
        41.0,
        1,
        BEN,
        "blue-invader",
        (505.13, 270.0),
        "yes",
        "OMMS-3.1",
        "64.6 mm of 88.9 mm along the A1, no enemy on the way",
    ),
    Act(
        48.5,
        2,
        ANN,
        "red-scout",
        (197.6, 201.1),
        "yes",
        "OMMS-3.2",
        "60 mm of 88.9 mm along the A861 into its own settlement Farrowgate",
        on="red-farrowgate",
    ),
    Act(
        56.0,
        2,
        ANN,
        "red-guard-a433",
        (418.61, 265.62),
        "yes",
        "OMMS-3.1",
        "40.5 mm of 88.9 mm along the A433; it closes the siege of Jessamy",
    ),
)
DURATION_S = 66.0


def gestures(acts: tuple[Act, ...] = ACTS, pieces: tuple[Coin, ...] = PIECES) -> list[Gesture]:
    """The hands' reaches for these acts, each with its coin as it lies by then."""
    lying = {coin.id: coin for coin in pieces}
    found = []
    for act in acts:
        low_mm = lying[act.on].high_mm if act.on else 0.0
        gesture = Gesture(act.hand or act.player, act.start_s, lying[act.piece], act.to_mm, low_mm)
        lying = after(lying, gesture, act)
        found.append(gesture)
    return found


def after(lying: dict[str, Coin], gesture: Gesture, act: Act) -> dict[str, Coin]:
    """What lies on the table once the gesture is done."""
    others = {name: coin for name, coin in lying.items() if name != act.piece}
    if act.to_mm is None:
        return others
    return {
        **others,
        act.piece: replace(
            gesture.held_coin(gesture.put_s), position_mm=act.to_mm, low_mm=gesture.rest_low_mm, on=act.on
        ),
    }
