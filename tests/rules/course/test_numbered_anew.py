"""Two scenes of one table whose pieces were numbered each for itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.course.changes import changes
from rules.course.numbered_anew import named_as
from rules.files.scene_file import scene_document, scene_from
from tests.rules.course.test_resume import BLOB, FAR, PENNY, RIDER, coin
from tests.rules.test_match import a_coin, a_scene

BEFORE = a_scene(a_coin("c1", 100, 100), a_coin("c2", 200, 100), a_coin("c3", 300, 300, owner="blue"))


def anew(scene, *names):
    pieces = tuple(replace(piece, id=name) for piece, name in zip(scene, names, strict=True))
    return replace(scene, pieces=pieces, numbered_anew=True)


def moved(scene, name, x, y):
    return replace(scene, pieces=tuple(replace(p, position_mm=(x, y)) if p.id == name else p for p in scene))


def changed(before, after):
    return [(change.piece.id, change.kind) for change in changes(before, named_as(before, after))]


def test_who_stayed_has_not_moved_whatever_it_is_called():
    assert changed(BEFORE, anew(BEFORE, "c2", "c1", "c3")) == []
    assert changed(BEFORE, anew(moved(BEFORE, "c2", 240, 100), "c3", "c1", "c2")) == [("c2", "moved")]


def test_ids_of_a_match_count():
    swapped = replace(anew(BEFORE, "c2", "c1", "c3"), numbered_anew=False)
    assert changed(BEFORE, swapped) == [("c2", "moved"), ("c1", "moved")]


def test_a_piece_that_somebody_moved_in_the_file_keeps_its_id():
    """Whoever edits a scene swaps two coins of a kind by moving both."""
    edited = replace(moved(moved(BEFORE, "c1", 150, 100), "c2", 300, 120), numbered_anew=True)
    assert changed(BEFORE, edited) == [("c1", "moved"), ("c2", "moved")]


def test_ids_that_happen_to_be_the_same_in_two_pictures_say_nothing():
    two = a_scene(a_coin("c1", 144, 38), a_coin("c2", 300, 118))
    seen = moved(moved(two, "c1", 247, 193), "c2", 220, 100)
    measured = replace(seen, pieces=tuple(replace(piece, sigma_mm=0.31) for piece in seen), numbered_anew=True)
    assert {p.id: p.position_mm for p in named_as(two, measured)} == {"c1": (220, 100), "c2": (247, 193)}


def test_a_stack_that_the_second_picture_sees_as_one_doubtful_coin_lies_as_in_the_first():
    """Its rider was removed, and what lay below it of unknown class."""
    before = a_scene(PENNY, RIDER, FAR)
    assert changed(before, anew(a_scene(BLOB, FAR), "c1", "c2")) == []
    assert changed(before, anew(a_scene(PENNY, FAR), "c1", "c2")) == [("c10", "removed")]


def test_a_coin_that_another_hides_in_the_second_picture_lies_there_still():
    guard = coin("c5", 196.5, 202.0, "gbp-10p", on="c1")
    before = a_scene(PENNY, guard)
    assert changed(before, anew(a_scene(replace(guard, on=None)), "c1")) == []
    off = a_scene(replace(guard, on=None, position_mm=(250.0, 200.0)))
    assert changed(before, anew(off, "c1")) == [("c5", "moved"), ("c1", "removed")]


def test_what_is_new_does_not_take_an_old_name():
    after = replace(BEFORE, pieces=(*BEFORE.pieces[1:], a_coin("c9", 500, 100, owner="blue")))
    assert changed(BEFORE, anew(after, "c1", "c2", "c3")) == [("c4", "placed"), ("c1", "removed")]


@pytest.mark.parametrize("ids", [False, True])
def test_a_file_says_whose_its_ids_are(ids):
    document = scene_document(replace(BEFORE, numbered_anew=ids))
    assert scene_from(document, "scene").numbered_anew is ids
    features = [{key: value for key, value in one.items() if key != "id"} for one in document["features"]]
    assert scene_from({**document, "features": features}, "scene").numbered_anew
