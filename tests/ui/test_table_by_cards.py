"""Where cards alone measure a table: on which of several planes that cards tell it is measured."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from calibration.plane import TablePlane
from calibration.table import CalibrationSpec
from tests.vision.planes import plane_from
from ui.measuring import table
from ui.setup.setup_file import read_setup
from vision.frame import Frame

BRIDGE = (88.9, 57.15)
FRAME = Frame(np.zeros((300, 400, 3), np.uint8), 0, 0.0, "drawn")
LIKELY, OTHER = (plane_from((180.0, -350.0, height_mm), (200.0, 150.0)) for height_mm in (500.0, 600.0))


def measured_by(monkeypatch: pytest.MonkeyPatch, *read: tuple[TablePlane, list[float]]) -> TablePlane:
    """The plane that is taken of those, on each of which cards are read so surely; none where nothing is read."""
    told: Iterator[tuple[TablePlane, list[float]]] = iter(read)

    def proven(spec: CalibrationSpec, frame: Frame) -> tuple[TablePlane, np.ndarray]:
        plane, chances = next(told, (OTHER, []))
        if not chances:
            raise ValueError("no card")
        return plane, np.array(chances)

    monkeypatch.setattr(table, "_proven_by_cards", proven)
    monkeypatch.setattr(table, "_recognised", lambda spec, frame: iter([spec] * (len(read) - 1)))
    return table.plane_for(None, FRAME)


def test_a_card_read_at_both_ends_settles_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured_by(monkeypatch, (LIKELY, [0.99]), (OTHER, [0.99, 0.99])) is LIKELY


def test_of_cards_read_at_one_end_the_most_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fan of three, of which two pass for one card."""
    assert measured_by(monkeypatch, (OTHER, [0.95]), (LIKELY, [0.95, 0.94, 0.93])) is LIKELY
    assert measured_by(monkeypatch, (LIKELY, [0.95]), (OTHER, [0.96]), (OTHER, [])) is LIKELY


def test_nothing_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="without --setup: no card"):
        measured_by(monkeypatch, (LIKELY, []), (OTHER, []))


def test_cards_of_another_usual_size_are_named_and_taken_where_nobody_told_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def proven(spec: CalibrationSpec, frame: Frame) -> tuple[TablePlane, np.ndarray]:
        return (LIKELY if spec.card_size_mm == BRIDGE else OTHER), np.array([0.99])

    def likelier(image: object, told_mm: tuple[float, float], *_: object) -> tuple[float, float] | None:
        return BRIDGE if told_mm != BRIDGE else None

    monkeypatch.setattr(table, "_proven_by_cards", proven)
    monkeypatch.setattr(table, "likelier_size", likelier)
    assert table.plane_for(None, FRAME) is LIKELY
    path = tmp_path / "told.toml"
    told = 'schema = "sandtable/setup/1"\ngame = "omog"\n[table]\nsize_mm = [700, 500]\n[calibration]\ncard = "poker"\n'
    path.write_text(told, encoding="utf-8")
    with pytest.raises(ValueError, match=r'look like bridge cards, .* write card = "bridge"'):
        table.plane_for(read_setup(path), FRAME)


def test_a_mirrored_picture_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = FRAME.image_bgr.copy()
    picture[:, :100] = 200

    def proven(spec: CalibrationSpec, frame: Frame) -> tuple[TablePlane, np.ndarray]:
        if frame.image_bgr[0, 0, 0]:
            raise ValueError("no card")
        return LIKELY, np.array([0.99])

    monkeypatch.setattr(table, "_proven_by_cards", proven)
    monkeypatch.setattr(table, "_recognised", lambda spec, frame: iter(()))
    with pytest.raises(ValueError, match="no card is read in the picture, but mirrored"):
        table.plane_for(None, Frame(picture, 0, 0.0, "drawn"))
