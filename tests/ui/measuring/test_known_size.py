"""How far to trust a table, by cards that lie on it."""

from dataclasses import replace
from pathlib import Path

import pytest

from ui.measuring.known_size import trusted
from ui.measuring.table import plane_for, spec_of
from ui.setup.setup_file import read_setup
from vision.stream.picture import read_picture

PICTURE = Path(__file__).parents[3] / "sample_footage" / "things" / "things-000-plain.jpg"


@pytest.mark.parametrize("times", [1.25, 0.8])
def test_a_size_that_is_far_off_is_red_where_cards_lie(times):
    """The net reads no card on such a plane, and a table that nothing proves is green by its markers alone."""
    setup, frame = read_setup(PICTURE.with_suffix(".setup.toml")), read_picture(PICTURE)
    plane = plane_for(setup, frame)
    told = replace(plane, tvec=plane.tvec * times)
    width, depth = setup.rules.table_size_mm
    spec = replace(spec_of(setup), table_size_mm=(width * times, depth * times))
    report = trusted(frame, told, spec, setup.rules.card_mm)
    assert report.light == "red"
    assert {round(proof.measured_mm / proof.true_mm, 1) for proof in report.proofs} == {round(times + 1e-9, 1)}
