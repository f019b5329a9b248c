"""The sample matches with no camera: as packaged, and as the referee sees them."""

from pathlib import Path

import pytest

import sample_footage
from rules.match import apply, start
from rules.scene import Scene
from sample_footage.typed_matches import LOG, typed, write_typed_match
from sample_footage.typed_scripts import TYPED_MATCHES
from ui.playing.by_hand import refereed

PACKAGED = Path(sample_footage.__file__).parent


@pytest.mark.parametrize("match", TYPED_MATCHES, ids=lambda match: match.game)
def test_what_is_packaged_is_what_is_written(match, tmp_path):
    write_typed_match(match, tmp_path / LOG)
    assert (tmp_path / LOG).read_text() == (PACKAGED / match.game / LOG).read_text()


@pytest.mark.parametrize("match", TYPED_MATCHES, ids=lambda match: match.game)
def test_one_move_is_against_the_rules_and_is_put_back(match):
    told = [event.fields for event in refereed(PACKAGED / match.game / LOG).events if event.kind == "move"]
    (wrong,) = (place for place, fields in enumerate(told) if fields["verdict"] == "no")
    assert told[wrong + 1]["piece"] == told[wrong]["piece"] and told[wrong + 1]["rule"] == "C4.8"
    assert {fields["verdict"] for place, fields in enumerate(told) if place != wrong} == {"yes"}


@pytest.mark.parametrize("match", TYPED_MATCHES, ids=lambda match: match.game)
def test_every_attack_is_one_that_the_referee_allows(match):
    now = start(match.setup, Scene(match.size_mm, match.pieces), match.state)
    attacks = 0
    for event in typed(now, match.acts):
        if event.kind == "attack":
            pair = event.fields["piece"], event.fields["other"]
            verdicts = [r.verdict for r in now.rulings if r.kind == "target" and (r.piece, r.other) == pair]
            assert verdicts == ["yes"]
            attacks += 1
        now = apply(now, event)
    assert attacks >= 1
