"""A match taken up again from its log, with a camera that numbers the pieces anew."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point

from rules.course.renamed import renamed
from rules.course.resume import Names, names_after, resume
from rules.files.log import MatchLog
from rules.match import Event, apply, match_header, observe, start
from rules.scene import COIN_DIAMETER_MM, UNKNOWN
from tests.rules.test_match import SETUP, TOWN, TOY, a_coin, a_scene

OLD = a_scene(a_coin("a", 100, 100), a_coin("b", 200, 100), a_coin("c", 300, 300, owner="blue"), TOWN)


def test_a_saved_match_goes_on(tmp_path):
    path = tmp_path / "match.jsonl"
    match = observe(start(SETUP, OLD, game=TOY), replace(OLD, pieces=OLD.pieces[1:]), 3.0)
    with MatchLog.create(path, match_header(SETUP)) as log:
        log.append(match.events)
    again = resume(path, TOY)
    assert again == match
    path.write_text(path.read_text().replace('"game": "toy"', '"game": "chess"'))
    with pytest.raises(ValueError, match=r"match\.jsonl: set-up: game: there is no game 'chess'"):
        resume(path)


@pytest.mark.parametrize("fields", [{"features": {"rain": True}}, {"piece": ["a", "b"]}])
def test_a_match_with_an_event_that_is_not_known_is_taken_up_again(fields):
    """Features of another sort than a scene's ended it in a traceback."""
    match = apply(start(SETUP, OLD, game=TOY), Event(1.0, 1, None, "weather", fields))
    assert Names.of(match).taken == {"a", "b", "c", "town"}


@given(st.permutations(range(4)), st.floats(-9, 9), st.floats(-9, 9))
@settings(deadline=None, max_examples=30)
def test_pieces_that_lie_about_where_they_were_get_their_names_back(order, dx, dy):
    seen = a_scene(
        *(replace(OLD.pieces[k], id=f"t{n}", position_mm=moved(OLD.pieces[k], dx, dy)) for n, k in enumerate(order))
    )
    assert names_after(seen, OLD) == {f"t{n}": OLD.pieces[k].id for n, k in enumerate(order)}


def moved(piece, dx, dy):
    return piece.position_mm[0] + dx, piece.position_mm[1] + dy


def test_what_is_new_keeps_its_name_or_gets_a_free_one():
    seen = a_scene(a_coin("a", 300, 300, owner="blue"), a_coin("x", 101, 100), a_coin("b", 50, 50, "gbp-2p"))
    assert names_after(seen, OLD) == {"a": "c", "x": "a", "b": "b2"}


def test_the_renamed_scene_is_no_news():
    match = start(SETUP, OLD, game=TOY)
    seen = a_scene(*(replace(piece, id=f"t{n}") for n, piece in enumerate(OLD)))
    assert observe(match, renamed(seen, names_after(seen, match.scene)), 9.0) is match


def test_what_lies_on_something_still_does():
    seen = a_scene(a_coin("t1", 100, 100), a_coin("t2", 100, 100, "gbp-2p", on="t1"))
    assert renamed(seen, {"t1": "a"})["t2"].on == "a"


@pytest.mark.parametrize(
    ("read", "said"), [({"cls": "gbp-10p"}, {"class": "gbp-5p"}), ({"owner": "blue"}, {"owner": "red"})]
)
def test_what_a_person_put_right_is_known_again_as_it_was_read(read, said):
    """The camera reads it after the restart as it did before."""
    scene = a_scene(replace(a_coin("a", 100, 100), **read), a_coin("b", 200, 100))
    match = apply(start(SETUP, scene, game=TOY), Event(1.0, 1, None, "correction", {"piece": "a", "set": said}))
    seen = a_scene(*(replace(piece, id=f"t{piece.id}") for piece in scene))
    names = Names.of(match).covering(seen, match.scene)
    assert dict(names.known) == {"ta": "a", "tb": "b"}
    assert observe(match, renamed(seen, names.known), 2.0) is match


def coin(id_, x, y, cls="gbp-5p", radius_mm=None, **more):
    disc = Point(x, y).buffer(radius_mm or COIN_DIAMETER_MM[cls] / 2)
    return replace(a_coin(id_, x, y, cls, **more), footprint=disc)


def moved_to(piece, x, y):
    return replace(piece, position_mm=(x, y))


PENNY = coin("c1", 196.0, 202.0, "gbp-1p", sigma_mm=0.13)
RIDER = coin("c10", 196.9, 201.0, "gbp-5p", sigma_mm=0.28, on="c1")
FAR = coin("c3", 300.0, 100.0, "gbp-10p", owner="blue")
BLOB = coin("t1", 196.4, 202.5, UNKNOWN, sigma_mm=0.28, radius_mm=9.7)


def left(*pieces):
    """A match that was left with these on the table, and the names that a camera finds them under."""
    match = start(SETUP, a_scene(*pieces), game=TOY)
    return match, Names.of(match)


def looked(match, names, *pieces):
    """The match and the names after another look."""
    seen = a_scene(*pieces)
    names = names.covering(seen, match.scene)
    return observe(match, names.named(seen, match.scene), 9.0), names


def told(before, after):
    """What happened, as (event, piece)."""
    return [(event.kind, event.fields.get("piece")) for event in after.events[len(before.events) :]]


def test_a_stack_that_a_fresh_look_sees_as_one_doubtful_coin_lies_there_as_before():
    """The unit was "not legal", removed, and its settlement of unknown class."""
    match, names = left(PENNY, RIDER, FAR)
    after, names = looked(match, names, BLOB, replace(FAR, id="t2"))
    assert after is match
    # The unit is taken off: only now are there two coins to be told apart.
    after, names = looked(match, names, replace(PENNY, id="t1"), coin("t3", 250, 200), replace(FAR, id="t2"))
    assert told(match, after) == [("move", "c10")]
    assert after.scene["c1"].cls == "gbp-1p"
    # The eyes may follow the unit as the coin that they saw, and find the settlement where it was.
    match, names = left(PENNY, RIDER, FAR)
    _, names = looked(match, names, BLOB, replace(FAR, id="t2"))
    after, _ = looked(match, names, coin("t1", 250, 200), replace(PENNY, id="t9"), replace(FAR, id="t2"))
    assert told(match, after) == [("move", "c10")]


@pytest.mark.parametrize(
    ("now", "happened"),
    [
        (coin("t1", 226.4, 202.5, UNKNOWN, radius_mm=9.7), {("move", "c1"), ("remove", "c10")}),
        (replace(BLOB, cls="gbp-1p"), {("remove", "c10")}),
        (coin("t1", 196.4, 202.5, UNKNOWN, radius_mm=14.2), {("scene", None), ("remove", "c10")}),
    ],
    ids=["aside", "the settlement alone", "of another size"],
)
def test_what_is_clearly_otherwise_than_the_stack_was_is_told(now, happened):
    match, names = left(PENNY, RIDER, FAR)
    after, _ = looked(match, names, now, replace(FAR, id="t2"))
    assert set(told(match, after)) == happened


def test_a_doubtful_coin_that_lies_where_one_was_is_that_one_until_the_eyes_are_sure():
    match, names = left(FAR)
    doubtful = replace(FAR, id="t1", cls=UNKNOWN, owner=UNKNOWN)
    after, names = looked(match, names, doubtful)
    assert after is match
    after, names = looked(match, names, moved_to(doubtful, 330, 100))
    assert (after.scene["c3"].cls, after.scene["c3"].owner) == ("gbp-10p", "blue")
    after, _ = looked(after, names, replace(moved_to(FAR, 330, 100), id="t1", cls="gbp-2p"))
    assert after.scene["c3"].cls == "gbp-2p"


def test_a_coin_that_another_hides_lies_there_still_and_one_that_lay_on_top_is_missed():
    guard = coin("c5", 196.5, 202.0, "gbp-10p", on="c1")
    match, names = left(PENNY, guard)
    after, names = looked(match, names, replace(guard, id="t1", on=None))
    assert after is match
    after, _ = looked(after, names, replace(moved_to(guard, 250, 200), id="t1"), replace(PENNY, id="t2"))
    assert told(match, after) == [("move", "c5")]
    match, names = left(coin("c5", 196.5, 202.0, "gbp-10p"), replace(RIDER, on="c5"))
    after, _ = looked(match, names, replace(guard, id="t1", on=None))
    assert told(match, after) == [("remove", "c10")]


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_a_unit_laid_on_a_settlement_meanwhile_is_one_move(owner):
    """On his own it was told as lost, and came back under another name; on another's it seemed to lie as before."""
    scout = coin("c10", 300.0, 250.0, "gbp-5p", sigma_mm=0.13)
    match, names = left(replace(PENNY, owner=owner), scout, FAR)
    after, names = looked(match, names, BLOB, replace(FAR, id="t2"))
    assert told(match, after)[0] == ("move", "c10")
    assert after.scene["c10"].position_mm == BLOB.position_mm
    again, names = looked(after, names, moved_to(BLOB, 196.2, 202.4), replace(FAR, id="t2"))
    assert again is after
    penny = replace(PENNY, id="t5", owner=owner)
    last, _ = looked(after, names, penny, replace(scout, id="t1"), replace(FAR, id="t2"))
    assert told(after, last)[0] == ("move", "c10")
    assert last.scene["c1"].position_mm == PENNY.position_mm


def test_one_of_two_units_that_may_have_been_laid_on_a_settlement_is_not_guessed():
    match, names = left(PENNY, coin("c10", 300, 250), coin("c11", 330, 250), FAR)
    after, _ = looked(match, names, BLOB, replace(FAR, id="t2"))
    assert set(told(match, after)) == {("remove", "c10"), ("remove", "c11")}
