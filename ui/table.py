"""From a set-up file and a picture to the table plane that everything is measured on."""

from __future__ import annotations

from dataclasses import replace

from calibration.lens_file import read_lens
from calibration.plane import TablePlane
from calibration.table import CalibrationSpec, MarkerSheet, calibrate_table
from rules.setup import CARD_SIZE_MM
from ui.setup_file import MarkerBlock, SetupFile
from vision.frame import Frame
from vision.ruler import card_seeds

# A table that no set-up describes is measured by the cards on it, if there are any (`interfaces.md`).
_CARDS_ONLY = CalibrationSpec(card_size_mm=CARD_SIZE_MM["poker"])


def plane_for(setup: SetupFile | None, frame: Frame) -> TablePlane:
    """The table plane in `frame`, by everything that the set-up calibrates with; by poker cards without one.

    ValueError says what is missing or contradicts, and names the set-up file.
    """
    spec = spec_of(setup) if setup is not None else _CARDS_ONLY
    try:
        return _calibrated(spec, frame)
    except ValueError as error:
        where = f"{setup.path}: calibration" if setup is not None else f"{frame.source}: without --setup"
        raise ValueError(f"{where}: {error}") from None


def _calibrated(spec: CalibrationSpec, frame: Frame) -> TablePlane:
    """By the spec; where cards alone measure and none stands out by its shape, by cards that the nets recognise."""
    cards_alone = spec.card_size_mm is not None and not spec.points and spec.markers is None
    try:
        return calibrate_table(frame.image_bgr, spec)
    except ValueError:
        seeds = card_seeds(frame.image_bgr) if cards_alone else ()
        if not seeds:
            raise
        return calibrate_table(frame.image_bgr, replace(spec, cards_px=seeds))


def spec_of(setup: SetupFile) -> CalibrationSpec:
    """What a set-up file says for `calibrate_table`."""
    block = setup.calibration
    return CalibrationSpec(
        points=block.points,
        markers=marker_sheet(block.markers) if block.markers is not None else None,
        # A joker is measured on the table; it cannot measure the table as well.
        card_size_mm=setup.rules.card_mm if block.card not in (None, "joker") else None,
        lens=read_lens(setup.path) if setup.camera is not None else None,
        table_size_mm=setup.rules.table_size_mm,
    )


def marker_sheet(block: MarkerBlock) -> MarkerSheet:
    """The markers that a set-up names."""
    return MarkerSheet(block.dictionary, block.size_mm, block.centres, block.turn_deg)
