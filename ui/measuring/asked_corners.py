"""The corners asked for, one after the other, and what they tell shown, until a person says that it is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.lens import Lens
from ui.measuring.clicked import Click, Clicks
from ui.measuring.corners import CornersError, Told, by_four, by_three, check_round
from ui.setup.wizard import CORNERS
from vision.frame import Frame

# So many are asked for first: often they do.
_THREE = 3


class TakenBackError(ValueError):
    """The last click is to be taken back."""


# Shows a table that was told, and gives the corner that a person clicked instead of its fourth; None if it is right.
# CornersError where all are to be clicked again, TakenBackError where the last is.
Shown = Callable[[Told], Click | None]
_ByCorners = Callable[[Sequence[Click]], Told]


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
    """The table by its corners, each clicked once.

    Three are enough if the table's sides, a measured lens, cards or coins that lie there, or a mark like the clicked
    ones tell the fourth; else all four are asked for, and why three were not enough is said.
    The table that they tell is shown. Corners that no table can have are asked for again, with the reason.
    because   why the corners are asked for
    currency  of the coins that lie there; None where no player told it
    """
    asking = _Asking(
        clicks,
        shown,
        say,
        lambda corners: by_three(frame, size_mm, corners, lens, currency),
        lambda corners: by_four(frame, size_mm, corners, lens, currency),
    )
    kept: Sequence[Click] = ()
    while True:
        try:
            return asking.once(because, kept)
        except CornersError as wrong:
            because, kept = str(wrong), wrong.kept


@dataclass(frozen=True)
class _Asking:
    """Who clicks, who is shown what is told, and what tells the table by three corners and by four."""

    clicks: Clicks
    shown: Shown
    say: Callable[[str], None]
    by_three: _ByCorners
    by_four: _ByCorners

    def once(self, because: str, kept: Sequence[Click]) -> Told:
        """What a person says yes to; CornersError where all but the first, `kept`, are to be clicked again."""
        names = tuple(f"the {name} corner of the table" for name, _ in CORNERS)
        corners, told = [*kept], None
        if len(corners) < _THREE:
            corners = self.clicks(names[:_THREE], because, corners)
            told, because = self._told_by_three(corners)
        while told is None:
            corners = self.clicks(names, because, corners)
            if len(corners) == _THREE:  # others than those that told no fourth
                told, because = self._told_by_three(corners)
            else:
                check_round(corners)
                told = self.by_four(corners)
        return self._agreed(told, corners)

    def _told_by_three(self, corners: Sequence[Click]) -> tuple[Told | None, str]:
        """What three corners tell, or why a fourth is needed."""
        check_round(corners)
        try:
            told = self.by_three(corners)
        except ValueError as error:
            self.say(f"a fourth corner is needed: {error}")
            return None, f"A fourth corner is needed: {error}."
        self.say(f"the far left corner is told by {told.by}")
        return told, ""

    def _agreed(self, told: Told, corners: list[Click]) -> Told:
        """The table that was told, or that with the fourth corner where a person clicks it instead."""
        try:
            while (instead := self.shown(told)) is not None:
                corners = [*corners[:_THREE], instead]
                told = self._mended(corners)
        except TakenBackError:
            raise CornersError("", corners[:-1]) from None
        return told

    def _mended(self, corners: list[Click]) -> Told:
        """With the fourth corner clicked where it is instead; CornersError that keeps the three that told it."""
        try:
            check_round(corners)
            return self.by_four(corners)
        except CornersError as wrong:
            raise CornersError(str(wrong), corners[:_THREE]) from None
