"""The corners asked for, one after the other, and what they tell shown, until a person says that it is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from calibration.lens import Lens
from ui.clicked import Click, Clicks
from ui.corners import CornersError, Told, by_four, by_three, check_round
from ui.wizard import CORNERS
from vision.frame import Frame

# So many are asked for first: often they do.
_THREE = 3


class TakenBackError(ValueError):
    """The last click is to be taken back."""


# Shows a table that was told, and gives the corner that a person clicked instead of its fourth; None if it is right.
# CornersError where all are to be clicked again, TakenBackError where the last is.
Shown = Callable[[Told], Click | None]


def clicked_corners(
    frame: Frame,
    size_mm: tuple[float, float],
    clicks: Clicks,
    shown: Shown,
    lens: Lens | None,
    say: Callable[[str], None],
    because: str = "",
    currency: str | None = None,
) -> Told:
    """The table by its corners, each clicked once: three where the table's own sides, a measured lens, cards or coins
    that lie there, or a mark like the clicked ones tell the fourth, or else all four, and what the three left open is
    said.

    What they tell is shown. Corners that cannot be are asked for again, with the reason.
    because   why they are asked for
    currency  of the coins that lie there, where a player told it
    """
    kept: Sequence[Click] = ()
    while True:
        try:
            return _clicked_once(frame, size_mm, clicks, shown, lens, say, because, currency, kept)
        except CornersError as wrong:
            because, kept = str(wrong), wrong.kept


def _clicked_once(
    frame: Frame,
    size_mm: tuple[float, float],
    clicks: Clicks,
    shown: Shown,
    lens: Lens | None,
    say: Callable[[str], None],
    because: str,
    currency: str | None,
    kept: Sequence[Click],
) -> Told:
    names = tuple(f"the {name} corner of the table" for name, _ in CORNERS)
    corners, told = [*kept], None
    if len(corners) < _THREE:
        corners = clicks(names[:_THREE], because, corners)
        check_round(corners)
        try:
            told = by_three(frame, size_mm, corners, lens, currency)
            say(f"the far left corner is told by {told.by}")
        except ValueError as error:
            because = f"A fourth corner is needed: {error}."
            say(f"a fourth corner is needed: {error}")
    if told is None:
        corners = clicks(names, because, corners)
        check_round(corners)
        told = by_four(frame, size_mm, corners, lens, currency)
    return _shown(told, corners, shown, partial(by_four, frame, size_mm, lens=lens, currency=currency))


def _shown(told: Told, corners: list[Click], shown: Shown, by_four: Callable[[list[Click]], Told]) -> Told:
    """What a person says yes to: the table that was told, or that with the fourth corner where he clicks it instead."""
    try:
        while (instead := shown(told)) is not None:
            corners = [*corners[:_THREE], instead]
            told = _mended(corners, by_four)
    except TakenBackError:
        raise CornersError("", corners[:-1]) from None
    return told


def _mended(corners: list[Click], by_four: Callable[[list[Click]], Told]) -> Told:
    """With the fourth corner clicked where it is instead; CornersError that keeps the three that told it."""
    try:
        check_round(corners)
        return by_four(corners)
    except CornersError as wrong:
        raise CornersError(str(wrong), corners[:_THREE]) from None
