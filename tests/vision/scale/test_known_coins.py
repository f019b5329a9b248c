"""Coins on rendered tables whose planes are exact: none of them may call the table wrong."""

from pathlib import Path

import numpy as np
import pytest

from calibration.proof import check_table
from ui.eyes import packaged_eyes
from ui.measuring.table import plane_for, spec_of
from ui.setup.setup_file import read_setup
from vision.scale.known_coins import known_coins
from vision.stream.picture import read_picture

FOOTAGE = Path(__file__).parents[3] / "sample_footage"


# Their strongest edges are those of a border, a neighbour or a shadow on one or three coins of each, 9 to 17 % off.
@pytest.mark.parametrize(
    "still", ["stills/still-005-touching", "stills/still-009-plain-table", "things/things-003-dim"]
)
def test_no_coin_on_a_right_table_calls_it_wrong(still):
    setup, frame = read_setup(FOOTAGE / f"{still}.setup.toml"), read_picture(FOOTAGE / f"{still}.jpg")
    plane = plane_for(setup, frame)
    coins = known_coins(frame.image_bgr, plane, packaged_eyes(setup.rules, frozenset({"coin"})).look(frame, plane))
    report = check_table(frame.image_bgr, plane, spec_of(setup), coins, cards=())
    assert len(report.proofs) == len(coins) > 5
    assert [proof.source for proof in report.proofs if proof.refutes] == []
    assert abs(np.median([proof.off_mm / proof.true_mm for proof in report.proofs])) < 0.02


def test_where_no_coin_lies_none_is_known():
    frame = read_picture(FOOTAGE / "things" / "things-003-dim.jpg")
    plane = plane_for(read_setup(FOOTAGE / "things" / "things-003-dim.setup.toml"), frame)
    assert known_coins(frame.image_bgr, plane, ()) == ()
