"""Coins on coins that they hide: placed at the height that is known, carried along, and exchanged in their place."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, union_all

from models.coins import THICKNESS_MM
from rules.scene import COIN_DIAMETER_MM
from vision.detection import Detection
from vision.memory.tracker import Tracker

# At 40 degrees above the table a coin that lies a millimetre higher shows so much farther away.
LEAN = (0.0, -1.2)
SURELY_FLAT, NOT_TOLD = -3.0, 0.4


def coin(cls: str, x: float, y: float, odds: float = NOT_TOLD, **more: object) -> Detection:
    disc = Point(x, y).buffer(COIN_DIAMETER_MM[cls] / 2)
    seen = Detection("coin", cls, (x, y), disc, 0.9, 0.99, (x, y), owner="red", sigma_at_height_mm=0.2, lean=LEAN)
    return replace(seen, height_mm=THICKNESS_MM[cls], risen_log_odds=odds, **more)


PENNY, GUARD_AWAY = coin("gbp-1p", 100, 100), coin("gbp-10p", 300, 200)
# Laid on the penny, which is 1.65 mm thick, at 100, 100; the look at it does not tell how high it lies.
THICK_MM = THICKNESS_MM["gbp-1p"]
GUARD_ON_IT = coin("gbp-10p", 100, 100 + 1.2 * THICK_MM)


def pile() -> Tracker:
    return Tracker().after([PENNY, GUARD_AWAY], 0.0).after([GUARD_ON_IT], 1.0)


def pieces(tracker: Tracker) -> dict[str, tuple[float, float]]:
    return {piece.id: piece.position_mm for piece in tracker.pieces}


@pytest.mark.parametrize(("doubt_mm", "sigma_mm"), [(0.0, 0.2), (1.0, 1.2166)], ids=["plain", "doubted"])
def test_a_coin_on_one_whose_height_is_doubted_is_as_doubtful(doubt_mm, sigma_mm):
    """It said that it lay as high as that one's top past doubt: 1.2 mm aside for each mm, beside 0.2 of its own."""
    lower = coin("gbp-2p", 100, 100, elevation_mm=3.0, elevation_sigma_mm=doubt_mm)
    upper = coin("gbp-5p", 101, 100, elevation_mm=3.0 + THICKNESS_MM["gbp-2p"], elevation_sigma_mm=0.5)
    told = {piece.cls: piece for piece in Tracker().after([lower, upper], 0.0).pieces}
    assert told["gbp-5p"].on == "c1"
    assert told["gbp-5p"].sigma_mm == pytest.approx(sigma_mm, abs=1e-3)


def test_a_coin_laid_on_one_that_is_known_lies_where_its_top_is_and_is_as_sure_of_it():
    guard = pile().pieces[1]
    assert guard.position_mm == pytest.approx((100, 100)) and guard.footprint.centroid.y == pytest.approx(100)
    assert (guard.elevation_mm, guard.sigma_mm, guard.on) == (THICK_MM, 0.2, "c1")


def test_what_is_pushed_with_all_that_lies_below_takes_it_along():
    pushed = pile().after([replace(GUARD_ON_IT, position_mm=(104, GUARD_ON_IT.position_mm[1] - 2))], 2.0)
    assert pieces(pushed) == {"c1": pytest.approx((104, 98)), "c2": pytest.approx((104, 98))}


def test_a_pile_carried_off_is_one_however_high_its_top_is_told_to_lie():
    by_side = coin("gbp-10p", 400, 300, elevation_mm=THICK_MM)
    assert pieces(pile().after([by_side], 2.0))["c1"] == pytest.approx((400, 300))


def test_one_that_is_measured_again_in_its_place_moves_nothing_below():
    again = replace(GUARD_ON_IT, position_mm=(100.4, GUARD_ON_IT.position_mm[1] + 0.3))
    assert pieces(pile().after([again], 2.0)) == pieces(pile())


def test_one_that_is_seen_to_lie_on_the_table_has_taken_the_place_of_what_lay_there():
    for instead in (coin("gbp-10p", 100, 100, SURELY_FLAT), coin("gbp-5p", 100, 100, SURELY_FLAT)):
        after = Tracker().after([PENNY], 0.0).after([instead], 1.0)
        assert [piece.cls for piece in after.pieces] == [instead.cls]


def test_one_from_under_which_all_was_pulled_out_lies_on_the_table():
    """It had stayed as high as it lay, and was drawn so far aside."""
    penny, note = coin("gbp-1p", 100, 100), coin("gbp-2p", 101, 100)
    up_mm = THICKNESS_MM["gbp-2p"]
    top = coin("gbp-1p", 100, 100, elevation_mm=up_mm, elevation_sigma_mm=0.6)
    piled = Tracker().after([note, coin("gbp-1p", 300, 200)], 0.0).after([top], 1.0)
    assert piled.pieces[1].elevation_mm == up_mm and piled.tracks[0].hidden
    for odds in (SURELY_FLAT, NOT_TOLD):
        man = replace(penny, position_mm=(100.5, 100), risen_log_odds=odds)
        note_s, man_s = piled.after([coin("gbp-2p", 200, 300), man], 2.0).pieces
        assert (note_s.position_mm, man_s.position_mm, man_s.elevation_mm) == ((200, 300), (100.5, 100), 0.0)


def test_what_lies_hidden_is_not_given_up_for_a_later_look():
    assert list(pieces(pile().after([replace(GUARD_ON_IT, risen_log_odds=SURELY_FLAT)], 2.0))) == ["c1", "c2"]


def test_what_is_taken_off_a_coin_that_shows_beside_it_is_gone():
    """The penny, which is larger, had hidden the scout that was taken off it; each lay on the other then."""
    scout, note = coin("gbp-5p", 101, 100, elevation_mm=THICK_MM), coin("gbp-2p", 300, 200)
    on_penny = Tracker().after([PENNY, note], 0.0).after([PENNY, scout, note], 1.0)
    assert [track.on for track in on_penny.tracks] == [None, None, "c1"]
    assert list(pieces(on_penny.after([PENNY, note], 2.0))) == ["c1", "c2"]


def test_all_that_is_taken_off_the_lowest_in_one_go_is_gone():
    below, middle = coin("gbp-2p", 100, 100), coin("gbp-10p", 101, 100, elevation_mm=THICKNESS_MM["gbp-2p"])
    scout = coin("gbp-5p", 101, 101, elevation_mm=THICKNESS_MM["gbp-2p"] + THICKNESS_MM["gbp-10p"])
    piled = Tracker().after([below], 0.0).after([below, middle], 1.0).after([below, middle, scout], 2.0)
    assert [track.on for track in piled.tracks] == [None, "c1", "c2"]
    assert list(pieces(piled.after([below], 3.0))) == ["c1"]


def test_a_coin_does_not_lie_on_the_one_that_hides_it():
    """The top of a pile that nobody saw laid, and a coin on it whose height is not told: each lay on the other."""
    covered = Tracker().after([replace(PENNY, elevation_mm=THICK_MM)], 0.0).after([coin("gbp-10p", 101, 100)], 1.0)
    assert [(track.id, track.on) for track in covered.tracks] == [("c1", None), ("c2", "c1")]


def test_a_coin_laid_on_one_like_it_a_little_aside_is_another_one():
    """5 mm aside it was the lower one, pushed by so much, and the one that was laid there was gone."""
    guards = coin("gbp-10p", 100, 100), coin("gbp-10p", 300, 200)
    laid = coin("gbp-10p", 304, 203, elevation_mm=THICKNESS_MM["gbp-10p"])
    after = Tracker().after(guards, 0.0).after([laid], 1.0)
    assert pieces(after) == {"c1": (304, 203), "c2": (300, 200)}
    assert [(track.hidden, track.on) for track in after.tracks] == [(False, "c2"), (True, None)]


def test_one_laid_on_one_like_it_lies_there_though_no_look_tells_how_high():
    """It was gone then, and so was the top of such a pile that a later look told nothing of."""
    guards, up_mm = (coin("gbp-10p", 100, 100), coin("gbp-10p", 300, 200)), THICKNESS_MM["gbp-10p"]
    here, both = Point(100, 100).buffer(18), Point(100, 100).buffer(18).union(Point(300, 200).buffer(18))
    top = coin("gbp-10p", 101, 100 + 1.2 * up_mm)
    laid = Tracker().after(guards, 0.0).after([top], 1.0, changed_mm=both)
    told = Tracker().after(guards, 0.0).after([top.raised_to(up_mm)], 1.0, changed_mm=both)
    for pile_of_two in (laid, laid.after([top], 2.0, changed_mm=here), told.after([top], 2.0, changed_mm=here)):
        assert pieces(pile_of_two) == {"c1": (100, 100), "c2": pytest.approx((101, 100))}
        assert [(track.hidden, track.on) for track in pile_of_two.tracks] == [(True, None), (False, "c1")]
    assert pieces(laid.after(guards, 2.0, changed_mm=both)) == {"c1": (100, 100), "c2": (300, 200)}


def test_a_smaller_one_laid_on_a_friend_hides_it_though_no_look_tells_how_high():
    """Covered by 54 %, where 65 were asked, the larger one was gone; an enemy's has taken its place."""
    guard, scout = coin("gbp-10p", 100, 100), coin("gbp-5p", 300, 200)
    top, changed_mm = coin("gbp-5p", 101, 100 + 1.2 * THICKNESS_MM["gbp-10p"]), Point(100, 100).buffer(18)
    for owner, left in (("red", ["c1", "c2"]), ("blue", ["c2"])):
        men = replace(guard, owner=owner), scout
        laid = Tracker().after(men, 0.0).after([top], 1.0, changed_mm=changed_mm.union(Point(300, 200).buffer(18)))
        assert list(pieces(laid)) == left


def test_one_laid_on_one_like_it_farther_aside_did_not_push_it():
    men, up_mm = (coin("gbp-1p", 100, 100), coin("gbp-1p", 300, 200)), THICKNESS_MM["gbp-1p"]
    both = Point(100, 100).buffer(18).union(Point(300, 200).buffer(18))
    laid = Tracker().after(men, 0.0).after([coin("gbp-1p", 98, 102.5 + 1.2 * up_mm)], 1.0, changed_mm=both)
    assert pieces(laid) == {"c1": (100, 100), "c2": pytest.approx((98, 102.5))}
    pushed = Tracker().after(men, 0.0).after([coin("gbp-1p", 98, 104.5), men[1]], 1.0, changed_mm=both)
    assert pieces(pushed) == {"c1": (98, 104.5), "c2": (300, 200)}


def test_one_taken_from_beside_one_like_it_is_gone():
    beside = coin("gbp-10p", 100, 100), coin("gbp-10p", 126, 100)
    after = Tracker().after(beside, 0.0).after(beside[:1], 1.0, changed_mm=Point(126, 100).buffer(18))
    assert list(pieces(after)) == ["c1"]


def test_of_coins_alike_the_upper_one_is_seen_where_their_pile_went():
    """The lower one was nearer to there; the upper one was gone then."""
    up_mm = THICKNESS_MM["gbp-10p"]
    apart = Tracker().after([coin("gbp-10p", 300, 200), coin("gbp-10p", 100, 100)], 0.0)
    piled = apart.after([coin("gbp-10p", 99, 100, elevation_mm=up_mm)], 1.0)
    carried = piled.after([coin("gbp-10p", 399, 300, elevation_mm=up_mm)], 2.0)
    assert pieces(carried) == {"c1": (399, 300), "c2": (400, 300)}


def test_of_coins_alike_the_lower_one_is_seen_where_the_upper_one_was_taken_off():
    """5 mm from where it was told to lie under the other, it was that one, pushed, and both stayed."""
    men, up_mm = (coin("gbp-10p", 100, 100), coin("gbp-10p", 300, 200)), THICKNESS_MM["gbp-10p"]
    piled = Tracker().after(men, 0.0).after([coin("gbp-10p", 404, 304, elevation_mm=up_mm)], 1.0)
    assert [(track.hidden, track.on) for track in piled.tracks] == [(True, None), (False, "c1")]
    assert pieces(piled.after([coin("gbp-10p", 400, 301, SURELY_FLAT)], 2.0)) == {"c1": (400, 301)}


def test_one_that_vanished_lies_under_the_one_that_came_and_lies_on_something():
    """A man moved, and a smaller one laid on him at once: he was taken away, and brought anew when that one left."""
    men = coin("gbp-2p", 100, 100), coin("gbp-1p", 300, 200), coin("gbp-5p", 200, 50)
    on_top = coin("gbp-1p", 180, 180, elevation_mm=2.9, elevation_sigma_mm=1.2)
    covered = Tracker().after(men, 0.0).after([on_top, men[2]], 1.0)
    lower, upper = covered.tracks[:2]
    assert (lower.hidden, lower.under, upper.on, upper.elevation_mm) == (True, "c2", "c1", THICKNESS_MM["gbp-2p"])
    assert lower.piece.position_mm == upper.piece.position_mm and lower.piece.sigma_mm > 2.0
    shown = coin("gbp-2p", 182, 181, sigma_mm=0.2)
    assert pieces(covered.after([shown, men[1], men[2]], 2.0))["c1"] == (182, 181)


@pytest.mark.parametrize("owner, gone", [("blue", 1), ("red", 2)])
def test_none_lies_under_a_foe_nor_where_either_of_two_may(owner: str, gone: int):
    men = coin("gbp-2p", 100, 100), coin("gbp-2p", 500, 100), coin("gbp-1p", 300, 200)
    on_top = coin("gbp-1p", 180, 180, elevation_mm=2.9, elevation_sigma_mm=1.2)
    others = [replace(man, owner=owner) for man in men[:2]]
    after = Tracker().after([*others, men[2]], 0.0).after([on_top, *others[gone:]], 1.0)
    assert len(after.tracks) == 3 - gone


def dotless(cls: str, x: float, y: float, odds: float = NOT_TOLD, **more: object) -> Detection:
    return replace(coin(cls, x, y, odds, **more), owner="none")


def seen_on(cls: str, at_mm: tuple[float, float], lower_mm: float, **more: object) -> Detection:
    """As a look that tells no height sees a coin so high above the table."""
    return dotless(cls, at_mm[0], at_mm[1] + 1.2 * lower_mm, **more)


def test_a_coin_without_a_dot_laid_on_one_like_it_lies_there() -> None:
    """In games without dots it was told as removed, and the pile as it was."""
    two = Tracker().after([dotless("gbp-1p", 100, 100), dotless("gbp-1p", 300, 200)], 0.0)
    on_it = seen_on("gbp-1p", (100, 100), THICK_MM)
    after = two.after([on_it], 1.0, changed_mm=Point(200, 150).buffer(150)).pieces
    assert [piece.id for piece in after] == ["c1", "c2"] and after[1].on == "c1"
    assert after[1].position_mm == pytest.approx((100, 100))


FAINT_POUND = {"gbp-2p": -0.3, "gbp-1p": -9.0}
CARD = Detection("card", "AS", (100, 100), Point(100, 100).buffer(40), 0.3, 0.99, (0, 0), owner="none")


def three(*others: Detection) -> Tracker:
    """A penny on a two pence; another two pence away."""
    start = Tracker().after([*others, dotless("gbp-2p", 100, 100), dotless("gbp-2p", 300, 200), PENNY_AWAY], 0.0)
    on_it = seen_on("gbp-1p", (100, 100), THICKNESS_MM["gbp-2p"])
    return start.after([*others, on_it, dotless("gbp-2p", 300, 200)], 1.0, changed_mm=ALL)


PENNY_AWAY, ALL = dotless("gbp-1p", 400, 300), Point(250, 200).buffer(300)
UP_MM = THICKNESS_MM["gbp-2p"] + THICK_MM


@pytest.mark.parametrize("others", [(), (CARD,)])
def test_one_like_the_lowest_of_a_pile_laid_on_its_top_lies_on_both(others: tuple[Detection, ...]) -> None:
    """It was told as the lowest laid bare, and both others as removed."""
    top = seen_on("gbp-2p", (100, 100), 0.0, class_log_probs=FAINT_POUND)
    grown = three(*others).after([*others, top], 2.0, changed_mm=ALL)
    low, high, middle = [piece for piece in grown.pieces if piece.kind == "coin"]
    assert (high.on, middle.on, high.elevation_mm) == (middle.id, low.id, pytest.approx(UP_MM))
    aside = grown.after([*others, replace(top, position_mm=(110.0, 95.0))], 3.0, changed_mm=ALL)
    moved = [np.subtract(now.position_mm, was.position_mm) for now, was in zip(aside.pieces, grown.pieces, strict=True)]
    assert all(shift == pytest.approx(moved[-1]) for shift in moved[len(others) :])


def test_the_lowest_of_a_pile_is_laid_bare_where_what_hid_it_is_seen_elsewhere() -> None:
    bare, away = dotless("gbp-2p", 100, 100, class_log_probs=FAINT_POUND), dotless("gbp-1p", 200, 250)
    after = three().after([bare, away, dotless("gbp-2p", 300, 200)], 2.0, changed_mm=ALL)
    assert pieces(after) == {"c1": (100, 100), "c2": (300, 200), "c3": (200, 250)}
    captured = three().after([bare, dotless("gbp-2p", 300, 200)], 2.0, changed_mm=ALL)
    assert pieces(captured) == {"c1": (100, 100), "c2": (300, 200)}


def test_a_coin_that_no_look_names_stays_where_one_it_might_be_goes_past_it() -> None:
    """Nothing was sure of it: the one that went was taken to lie on it, and it was told as removed."""
    odds = {"eur-1": -0.5, "eur-50c": -1.5}
    unread = replace(dotless("eur-1", 100, 100, class_log_probs=odds), cls="unknown")
    start = Tracker().after([unread, dotless("eur-50c", 300, 200)], 0.0)
    beside = Point(125, 100).buffer(15).union(Point(300, 200).buffer(15))
    after = start.after([unread, dotless("eur-50c", 125, 100)], 1.0, changed_mm=beside)
    assert pieces(after) == {"c1": (100, 100), "c2": (125, 100)}
    laid_on = start.after([unread], 1.0, changed_mm=ALL).pieces
    assert [(piece.id, piece.on) for piece in laid_on] == [("c1", None), ("c2", "c1")]
    named = start.after([seen_on("eur-50c", (100, 100), 2.3)], 1.0, changed_mm=ALL).pieces
    assert [(piece.id, piece.on) for piece in named] == [("c1", None), ("c2", "c1")]


def unnamed(cls: str, at_mm: tuple[float, float], lower_mm: float = 0.0) -> Detection:
    """A coin that no look names, likeliest of a class."""
    return replace(seen_on(cls, at_mm, lower_mm, class_log_probs={cls: -0.3, "gbp-2": -1.5}), cls="unknown")


@pytest.mark.parametrize(("other", "lies_on"), [("gbp-1p", "c1"), ("gbp-5p", None)])
def test_a_coin_that_no_look_names_is_laid_on_one_likeliest_like_it(other: str, lies_on: str | None) -> None:
    """It was told as removed."""
    two = Tracker().after([unnamed("gbp-1p", (100, 100)), unnamed(other, (300, 200))], 0.0)
    after = two.after([unnamed("gbp-1p", (100, 100), THICK_MM)], 1.0, changed_mm=ALL).pieces
    assert [piece.id for piece in after if piece.on == lies_on] == (["c2"] if lies_on else ["c1"])
    pulled = two.after([unnamed("gbp-1p", (100, 100))], 1.0, changed_mm=Point(300, 200).buffer(15)).pieces
    assert [piece.id for piece in pulled] == ["c1"]


@pytest.mark.parametrize(
    ("odds", "aside_mm", "where"),
    [
        (2.6, 2.2, {"c1": (100, 100), "c2": (100, 100)}),
        (NOT_TOLD, 2.2, {"c1": (100, 100)}),
        (2.6, 0.5, {"c1": (100, 100)}),
    ],
    ids=["laid on it", "no side tells it", "no farther aside than the eyes err"],
)
def test_one_that_shows_its_side_and_has_no_name_is_the_one_that_is_missing(odds, aside_mm, where):
    """A ten pence on a two pence bears no name, and as likely that of the two pence: it was told as taken off."""
    note = coin("gbp-2p", 100, 100, class_log_probs={"gbp-2p": 0.0})
    either = {"gbp-50p": -1.0, "gbp-10p": -1.1, "gbp-2p": -1.4}
    top = replace(coin("gbp-2p", 100, 100 + aside_mm, odds), cls="unknown", class_log_probs=either)
    changed_mm = union_all([note.footprint, top.footprint, GUARD_AWAY.footprint])
    after = Tracker().after([note, GUARD_AWAY], 0.0).after([top], 1.0, changed_mm=changed_mm)
    near = {name: pytest.approx(at, abs=0.6) for name, at in where.items()}
    assert pieces(after) == near and len(after.pieces) == len(near)
