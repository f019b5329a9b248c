"""How far to trust a table by what lies on it and has a known size: the cards that are read, and coins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.fit.correspondence import Circle
from calibration.plane import TablePlane
from calibration.proof import TrustReport, card_proofs, card_scale, check_table
from calibration.rulers.known_length import Proof
from calibration.table import CalibrationSpec
from vision.frame import Frame
from vision.scale.card_sizes import size_proofs
from vision.scale.ruler import cards_read

# Cards are read on planes whose scale is off by up to a tenth; nobody tells a size that is farther off than this, and
# what has a card's shape there is a map or a mat.
_FAR_OFF, _FARTHEST_OFF = 1.08, 1.4


def trusted(
    frame: Frame,
    plane: TablePlane,
    spec: CalibrationSpec,
    card_mm: tuple[float, float],
    coins: tuple[Circle, ...] = (),
    coins_wider: Sequence[float] = (),
) -> TrustReport:
    """The report on a plane, proved by cards of that size, by coins that were found and named, and by how round coins
    show (`calibration.rulers.told_shape`)."""
    proving = replace(spec, card_size_mm=card_mm)
    cards = _of_cards(frame, plane, proving, card_mm)
    return check_table(frame.image_bgr, plane, proving, coins, cards, coins_wider)


def _of_cards(frame: Frame, plane: TablePlane, proving: CalibrationSpec, card_mm: tuple[float, float]) -> list[Proof]:
    """What cards that are read prove of the plane's scale; mere rectangles of a card's size may be print.

    If none is read, the plane's scale may be far off: the net knows cards at one scale only, so another one is tried.
    """
    found = _at_scale(frame, plane, proving, card_mm)
    if found:
        return found
    scale = card_scale(frame.image_bgr, plane, card_mm)
    if not _FAR_OFF < max(scale, 1 / scale) < _FARTHEST_OFF:
        return []
    # The same picture shows a table that is smaller by a share to a camera that is nearer by it.
    rescaled = replace(plane, tvec=plane.tvec / scale)
    return [_rescaled(proof, scale) for proof in _at_scale(frame, rescaled, proving, card_mm)]


def _at_scale(frame: Frame, plane: TablePlane, proving: CalibrationSpec, card_mm: tuple[float, float]) -> list[Proof]:
    """What cards prove at this plane's scale: by their sides where these are found, else by the size that edges fit.

    Sides come first, since most of what several cards tell wrong is that decks differ in size.
    """
    cards = cards_read(frame, plane, card_mm)
    places_mm = np.array([card.position_mm for card in cards]).reshape(-1, 2)
    by_sides = card_proofs(frame.image_bgr, plane, proving, places_mm)
    return by_sides or size_proofs(frame, plane, cards, card_mm)


def _rescaled(proof: Proof, scale: float) -> Proof:
    """The same length on the table as it is."""
    x, y = proof.position_mm
    return replace(proof, position_mm=(x * scale, y * scale), measured_mm=proof.measured_mm * scale)
