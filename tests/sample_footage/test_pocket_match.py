"""Drawn matches of Pocket Wargame: a battlefield as the rules count it, and the truth of what hands did on it."""

import itertools
import math

import numpy as np
import pytest

from rules.geometry.squares import CardPlace, card_cells
from sample_footage.block import Block
from sample_footage.clip_truth import intervals_between
from sample_footage.drawn_match import match_truth
from sample_footage.generate import main
from sample_footage.pocket_match import pocket_match, rough_match

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


ROUGH = [rough_match(number, seed=6, deeds=13) for number in range(4)]


@pytest.mark.parametrize("made", ROUGH, ids=lambda made: made.name)
def test_rough_matches_have_what_is_seldom_done_with_cards(made):
    truth = match_truth(made)
    events = truth["events"]
    assert any(event["class"] == "BACK" for event in events if event["event"] == "turn")
    assert sum(piece.cls == "JOKER" for piece in made.pieces if isinstance(piece, Block)) == 1
    assert set(truth["grid"]) == {name for name, piece in truth["pieces"].items() if piece.get("kind") == "card"}


@pytest.mark.parametrize("made", ROUGH, ids=lambda made: made.name)
def test_a_pushed_card_takes_what_lies_on_it_along(made):
    pushed = [c for c in made.play.changes if c.taken_s == c.put_s]
    by = {(round(c.after.position_mm[0] - c.before.position_mm[0], 6), round(c.after.turn_deg, 6)) for c in pushed}
    assert pushed[0].before.kind == "card" and len({dx for dx, _ in by}) == 1 and len(pushed) > 1


def test_a_kicked_camera_stands_elsewhere_by_some_pixels_and_before_where_it_stood():
    made = next(made for made in ROUGH if made.kicks)
    (_, until_s, before), *_, (_, _, after) = made.stands
    assert before == made.camera and until_s == made.kicks[0].at_s
    off_px = np.linalg.norm(after.project([(350, 250, 0)]) - before.project([(350, 250, 0)]))
    assert 2 < off_px < 40


@pytest.mark.parametrize(("asked", "why"), [(("--decks", "deck.png"), "of --game"), (("--shoved",), "of --rough")])
def test_what_is_of_other_matches_is_refused(tmp_path, capsys, asked, why):
    with pytest.raises(SystemExit):
        main(["matches", "--out", str(tmp_path / "none"), *asked])
    assert why in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
