"""The part of a set-up that looks: a picture, the table found or clicked in it, and whether it can be played on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.boards.lens_file import read_lens
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.proof import TrustReport, tells_no_shape
from calibration.table import CalibrationSpec
from rules.setup import CARD_SIZE_MM
from ui.measuring.clicked_marks import look_for
from ui.measuring.known_size import trusted
from ui.measuring.quick import Found, Known, found_table, grid_px
from ui.measuring.sight import Sight
from ui.measuring.table import plane_for, spec_of
from ui.setup.calibration_block import CalibrationBlock
from ui.setup.fitness import faults_in
from ui.setup.setup_file import SetupFile
from vision.frame import Frame
from vision.scale.known_coins import coins_wider

# What is measured and differs from picture to picture: no marker's number.
_FIGURE = re.compile(r"-?\d+\.\d+|\d+(?= (?:px|mm|%))")

if TYPE_CHECKING:
    from ui.window.confirm import Answer


@dataclass(eq=False)
class Viewing:
    """One set-up's look at its table; `say` tells a person what was found, a line each.

    seen     path, from the set-up's folder, under which the picture will be kept if places are clicked in it
    clicked  that picture, once places were clicked; None before
    """

    sight: Sight
    say: Callable[[str], None]
    seen: Path | None = None
    clicked: Frame | None = None
    _told: set[str] = field(default_factory=set)

    @cached_property
    def frame(self) -> Frame:
        """The picture that the set-up is made from."""
        return self.sight.take()

    def look_again(self) -> None:
        """Forget the picture, if one was taken, so that the set-up is made from a new one."""
        self.__dict__.pop("frame", None)

    def check_lens(self, path: Path) -> None:
        """ValueError for a lens file of pictures of another shape than the set-up's: no click could fit it."""
        self.check_fits(read_lens(path), path)

    def check_fits(self, lens: Lens, path: Path) -> None:
        """The same of the lens that `path` holds."""
        height, width = self.frame.image_bgr.shape[:2]
        try:
            lens.scaled_to((width, height))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def found(self, size_mm: tuple[float, float], known: Known, currency: str | None = None) -> CalibrationBlock:
        """The table by what lies there, if a person says yes to it, or else by clicked corners; unseen without a
        display. ValueError where nothing tells the table, or it cannot be played on as it shows."""
        from ui.qt import has_display

        while True:
            try:
                found = found_table(self.frame, size_mm, known)
            except ValueError as error:
                if not has_display():
                    raise ValueError(f"{self.frame.source}: {error}") from None
                self.say(f"not found ({error}): click its corners")
                return self.by_clicks(size_mm, known.lens, currency, "The table was not found by itself.")
            answer = self._answer(found, size_mm, currency)
            if answer == "yes":
                return found.block
            if answer == "corners":
                return self.by_clicks(size_mm, known.lens, currency)
            self.look_again()

    def _answer(self, found: Found, size_mm: tuple[float, float], currency: str | None) -> Answer:
        from ui.qt import has_display

        card_mm = found.spec.card_size_mm or CARD_SIZE_MM["poker"]
        trust = self._trusted(found.plane, found.spec, card_mm, size_mm, currency)
        # What a sheet's size was told as, its own picture does not tell.
        as_told = ", if it is {:g} x {:g} mm".format(*size_mm) if found.spec.sheet is not None else ""
        said = f"Found by its {found.way}, good to {trust.believe_mm:.1f} mm{as_told}."
        for line in (*found.refused, said):
            self.say(line)
        self._say_notes(found.plane)
        wrong = self._faults(found.plane, size_mm, trust)
        if not has_display():
            return "yes"
        from ui.window.confirm import confirmed

        return confirmed(self.frame, grid_px(found.plane, size_mm), said, wrong, live=self.sight.is_live)

    def by_clicks(
        self, size_mm: tuple[float, float], lens: Lens | None, currency: str | None = None, because: str = ""
    ) -> CalibrationBlock:
        """The table by its corners, clicked in a window, three where those do; once more where the camera was moved
        meanwhile.

        currency  of the coins that lie there; None where no player told it
        because   why the corners are asked for
        """
        from ui.measuring.asked_corners import clicked_corners
        from ui.window.clicks import clicks_in
        from ui.window.fourth import shown_in

        while True:
            clicks, shown = clicks_in(self.frame), shown_in(self.frame, size_mm)
            try:
                told = clicked_corners(self.frame, size_mm, clicks, shown, lens, self.say, because, currency)
                self._say_notes(told.plane)
                self._faults(told.plane, size_mm)
            except ValueError:
                if self.sight.is_live:  # a person raises the camera, or switches on a lamp
                    self.look_again()
                raise
            moved = self.sight.moved_since(self.frame, told.plane, size_mm)
            if not moved:
                self.clicked = self.frame if self.seen is not None else None
                return replace(told.block, seen=self.seen)
            because = f"{moved}: click the corners once more, and leave it where it is."
            self.say(because)
            self.look_again()

    def check(self, setup: SetupFile) -> None:
        """Say how well the set-up fits the picture, and what contradicts it; ValueError where it does not fit, or
        cannot be played on so."""
        plane = plane_for(setup, self.frame)
        self._say_notes(plane)
        rules = setup.rules
        trust = self._trusted(plane, spec_of(setup), rules.card_mm, rules.table_size_mm, rules.currency)
        self._faults(plane, rules.table_size_mm, trust)
        self.say(f"the table fits the picture to {plane.reprojection_error_px:.2f} px")

    def _say_notes(self, plane: TablePlane) -> None:
        """What was found out while the table was measured. Measured once more its figures differ: that is not said
        again."""
        new = {note: _FIGURE.sub("", note) for note in plane.notes}
        for note, without_figures in new.items():
            if without_figures not in self._told:
                self.say(note)
        self._told.update(new.values())

    def _trusted(
        self,
        plane: TablePlane,
        spec: CalibrationSpec,
        card_mm: tuple[float, float],
        size_mm: tuple[float, float],
        currency: str | None,
    ) -> TrustReport:
        """How far to trust a plane: by the cards that lie there, and by how round coins show if the table's shape was
        only told."""
        seen = look_for(size_mm, currency)(self.frame, plane) if tells_no_shape(spec) else ()
        return trusted(self.frame, plane, spec, card_mm, coins_wider=coins_wider(self.frame.image_bgr, plane, seen))

    def _faults(
        self, plane: TablePlane, size_mm: tuple[float, float], trust: TrustReport | None = None
    ) -> tuple[str, ...]:
        """What is wrong with how the picture shows the table, and with what was told of its size, each said once;
        ValueError where it will not do."""
        told = (trust.contradiction,) if trust is not None and trust.contradiction else ()
        wrong = (*told, *faults_in(self.frame, plane, size_mm))
        self._say_once(*wrong)
        return wrong

    def _say_once(self, *sentences: str) -> None:
        """What was said before is passed over."""
        for sentence in sentences:
            if sentence not in self._told:
                self.say(sentence)
                self._told.add(sentence)
