"""Drawn matches of Pocket Wargame: a battlefield as the rules count it, and the truth of what hands did on it."""

import itertools
import math

import numpy as np
import pytest

from rules.geometry.squares import CardPlace, card_cells
from sample_footage.block import Block
from sample_footage.clip_truth import intervals_between
from sample_footage.drawn_match import match_truth
from sample_footage.pocket_match import pocket_match

MATCHES = [pocket_match(number, seed=3, deeds=12) for number in range(6)]
DEALS = [made.play.deal for made in (*MATCHES, *(pocket_match(number, seed=4, deeds=0) for number in range(20)))]


@pytest.fixture(params=MATCHES, ids=lambda made: made.name)
def made(request):
    return request.param


@pytest.mark.parametrize("deal", DEALS)
def test_grid_is_counted_as_the_rules_count_it(deal):
    places = [CardPlace(card.position_mm, card.turn_deg % 180) for card in deal.cards]
    assert card_cells(places, 88.9, 63.5) == [deal.grid[card.id] for card in deal.cards]


@pytest.mark.parametrize("deal", DEALS)
def test_cards_lie_side_by_side_on_the_table(deal):
    corners = {card.id: card.solid.corners_mm() for card in deal.cards}
    for one, other in itertools.combinations(deal.cards, 2):
        assert other.solid.gap_mm(corners[one.id]).min() > 0
    assert all((own > 0).all() and (own < (700, 500)).all() for own in corners.values())
    assert len({card.cls for card in deal.cards}) == len(deal.cards)


def test_coins_lie_on_cards_or_on_the_table(made):
    for cut in intervals_between(made.pieces, made.play.changes, made.duration_s):
        cards = [piece for piece in cut.coins if piece.kind == "card"]
        coins = [piece for piece in cut.coins if piece.kind == "coin"]
        for coin in coins:
            on_card = any(card.solid.gap_mm(np.array([coin.position_mm]))[0] == 0 for card in cards)
            assert coin.on is not None or coin.low_mm == (0.3 if on_card else 0.0)


def test_all_kinds_of_events_are_drawn():
    events = [event for made in MATCHES for event in match_truth(made)["events"]]
    assert {event["event"] for event in events} == {"move", "place", "remove", "turn", "dice"}
    turned = [event for event in events if event["event"] == "turn"]
    assert all(math.dist(event["from_mm"], event["to_mm"]) < 3 for event in turned)


def test_coins_without_dots_stay_on_their_owners_end():
    bare = [made for made in (pocket_match(n, 5, 12) for n in range(8)) if not made.play.is_dotted]
    assert bare
    for made in bare:
        cards = [piece for piece in made.pieces if isinstance(piece, Block)]
        for coin in (piece for piece in made.pieces if piece.kind == "coin"):
            card = min(cards, key=lambda card: math.dist(card.position_mm, coin.position_mm))
            assert abs(coin.position_mm[1] - card.position_mm[1]) > 4 and coin.owner == "none"
