"""A match taken up again from its log, with a camera that numbers the pieces anew."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.log import MatchLog
from rules.match import Event, apply, match_header, observe, start
from rules.resume import Names, names_after, renamed, resume
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
    assert names_after(seen, OLD) == {"a": "c", "x": "a", "b": "b-"}


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
