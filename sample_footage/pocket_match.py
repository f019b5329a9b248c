"""Matches of Pocket Wargame drawn by chance: coins on a battlefield of cards, players at its near and far edges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.card_deal import dealt, place_on, with_joker
from sample_footage.card_play import CARD_DEEDS, CardPlay
from sample_footage.drawn_match import DrawnMatch, classes_of, do, moving, person
from sample_footage.gesture import Seat
from sample_footage.ground import Ground
from sample_footage.rough_play import ROUGH_DEEDS, RoughPlay
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import KNOWN_POINTS_MM, camera_for, light_for, one_coin, sensor_for
from sample_footage.thing_pictures import SURFACES
from sample_footage.troubled_play import troubled_match

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sample_footage.card_deal import Deal

LOOKS = ("plain", "oblique", "dim", "warm", "low-sun", "blur", "glare")
UNITS = (8, 16)
# Of three units two are near their own edge; in three matches of five coins bear dots.
AT_HOME, DOTTED = 0.67, 0.6
# In rough ones in two of five.
ROUGH_DOTTED = 0.4


def pocket_match(number: int, seed: int, deeds: int = 6, decks: Sequence[Path] = ()) -> DrawnMatch:
    """The match of that number in the set of that seed; with one of those decks (`models.training.decks`), if any."""
    rng = np.random.default_rng([seed, number, 97])
    made = mustered(number, rng, CardPlay, lambda: dealt(rng, decks), DOTTED)
    do(made.play, CARD_DEEDS, deeds)
    return made


def rough_match(
    number: int, seed: int, deeds: int = 6, decks: Sequence[Path] = (), is_shoved: bool = False
) -> DrawnMatch:
    """As `pocket_match`, with a joker among the cards and what is seldom done (`ROUGH_DEEDS`), and moves."""
    rng = np.random.default_rng([seed, number, 98])
    made = mustered(number, rng, RoughPlay, lambda: with_joker(dealt(rng, decks), rng), ROUGH_DOTTED)
    return troubled_match(made, number, ROUGH_DEEDS, deeds, is_shoved)


def mustered(
    number: int, rng: np.random.Generator, kind: type[CardPlay], deal_out: Callable[[], Deal], dotted: float
) -> DrawnMatch:
    """A battlefield of cards with units on it, before any hand has come.

    kind      of what hands will do
    deal_out  deals the cards
    dotted    chance that the coins bear dots
    """
    look = LOOKS[number % len(LOOKS)]
    camera = camera_for(look, rng)
    ground = Ground(str(rng.choice(SURFACES)), False, int(rng.integers(1000)))
    light, sensor = light_for(look, camera, rng), moving(sensor_for(look, rng))
    deal, classes = deal_out(), classes_of(("gbp", "eur", "usd")[int(rng.integers(3))])
    cards = {card.id: card for card in deal.cards}
    play = kind(rng, edges(rng), dict(cards), classes, deal=deal, is_dotted=bool(rng.random() < dotted))
    deploy(play, int(rng.integers(*UNITS)))
    setup = setup_toml(camera, KNOWN_POINTS_MM, game="pocket", sides=("near", "far"))
    name, pieces = f"match-{number:03d}-pocket-{look}", tuple(play.lying.values())
    return DrawnMatch(name, look, camera, ground, light, sensor, pieces, play, setup, deal.grid)


def edges(rng: np.random.Generator) -> tuple[Seat, Seat]:
    """Ann at the near edge and Ben at the far one."""
    near, far = float(rng.uniform(150, 550)), float(rng.uniform(150, 550))
    return Seat("Ann", "red", person(rng), (near, -430.0)), Seat("Ben", "blue", person(rng), (far, 930.0))


def deploy(play: CardPlay, count: int) -> None:
    """Lay units of both players on the cards, most of them in their own row."""
    rows = max(row for _, row in play.deal.grid.values())
    for index in range(count):
        far = index % 2
        at_home = [card for card in play.cards if play.deal.grid[card.id][1] == (rows if far else 1)]
        name, cls = f"c{index}", str(play.rng.choice(play.classes))
        owner = play.seats[far].colour if play.is_dotted else "none"
        coin = replace(one_coin(name, cls, (0.0, 0.0), play.rng), owner=owner)
        while True:
            choice = at_home if play.rng.random() < AT_HOME else play.cards
            card = choice[int(play.rng.integers(len(choice)))]
            at = place_on(card, coin.radius_mm, 1 if far else -1, play.rng)
            if play._is_free(coin, at):
                break
        play.lying[name] = replace(coin, position_mm=at, low_mm=card.high_mm)
