"""Which plane a picture without set-up is measured by."""

from pathlib import Path

import pytest

from ui.table import plane_for
from vision.picture import read_picture

STILLS = Path(__file__).parents[2] / "sample_footage" / "stills"


@pytest.mark.parametrize("name", ["still-000-plain.jpg", "still-003-warm.jpg"])
def test_a_maps_sheet_is_not_taken_for_a_card(name: str) -> None:
    with pytest.raises(ValueError, match=r"without --setup: .*card"):
        plane_for(None, read_picture(STILLS / name))
