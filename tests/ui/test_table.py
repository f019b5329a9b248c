"""Which plane a picture without set-up is measured by."""

from pathlib import Path

import pytest

from rules.setup import Setup
from ui.setup_file import SetupFile
from ui.table import plane_for, sees_hexes
from vision.picture import read_picture

STILLS = Path(__file__).parents[2] / "sample_footage" / "stills"


@pytest.mark.parametrize("name", ["still-000-plain.jpg", "still-003-warm.jpg"])
def test_a_maps_sheet_is_not_taken_for_a_card(name: str) -> None:
    with pytest.raises(ValueError, match=r"without --setup: .*card"):
        plane_for(None, read_picture(STILLS / name))


@pytest.mark.parametrize(("game", "looks"), [("omniwar", True), ("omms", False)])
def test_hexes_are_looked_for_where_a_game_is_played_on_them(game: str, looks: bool) -> None:
    setup = SetupFile(Path("a.toml"), Setup(game, (700.0, 500.0)))
    assert (sees_hexes(setup, read_picture(STILLS / "still-000-plain.jpg")) is not None) is looks
