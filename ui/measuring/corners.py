"""The table by its corners, clicked: three where something else tells the fourth, and all four where nothing does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.corners.alike_corner import alike_corner
from calibration.corners.corners_by_sides import sharpened
from calibration.corners.fourth_corner import SIDES_SIGMA_PX, fourth_corner
from calibration.corners.three_points import cameras_by_three
from calibration.edges.tints import bend_shown
from calibration.fit.correspondence import Correspondences
from calibration.fit.planar import turn
from calibration.lens import Lens
from calibration.plane import SIGMAS_95, TablePlane
from calibration.rulers.card_makes import likely_sizes
from calibration.rulers.cards import find_cards
from calibration.table import CalibrationSpec, calibrate_table
from calibration.view import ViewError
from rules.setup import CARD_SIZE_MM
from ui.measuring.clicked import Click
from ui.measuring.clicked_marks import Marks, beyond_mm, look_for, marks_at, seen_beyond
from ui.measuring.table import refuse_turned
from ui.setup.calibration_block import CalibrationBlock, EllipseBlock
from ui.setup.wizard import CORNERS, corner_points
from vision.frame import Frame
from vision.scale.coin_sizes import CoinEllipse, as_rulers
from vision.scale.marked_corner import marked_corners
from vision.scale.ruler import has_likely_lens, shows_a_card
from vision.scale.three_corners import Corners, Looking, coins_beside

# Worse than this and moves of a hand's breadth are in doubt: not worth beginning with.
WORST_MM = 10.0
# One card might be another thing of its shape; two that agree with the corners, or with coins too, are cards.
_FEWEST_CARDS = 2
_Make = Literal["poker", "bridge"]
_MAKES: Final[tuple[_Make, ...]] = ("poker", "bridge")
# Two clicks nearer than this mean the same corner.
_SAME_PX = 12.0
_ASKED = f"Once more, in this order: {', '.join(name for name, _ in CORNERS)}."


@dataclass(frozen=True, eq=False)
class Told:
    """A table that clicked corners tell: by what besides, how a set-up file says it, and the plane.

    is_clicked  whether all four were clicked
    """

    by: str
    block: CalibrationBlock
    plane: TablePlane
    is_clicked: bool = False


class CornersError(ValueError):
    """The corners are to be clicked once more, with the reason, but for the first of them, `kept`."""

    def __init__(self, reason: str, kept: Sequence[Click] = ()) -> None:
        super().__init__(reason)
        self.kept = tuple(kept)


def by_four(
    frame: Frame,
    size_mm: tuple[float, float],
    corners: Sequence[Click],
    lens: Lens | None,
    currency: str | None = None,
) -> Told:
    """The table by four clicked corners, of the table itself or of what marks them.

    CornersError if no camera can see a table so, ViewError if this one sees it too flat or too small.
    """
    sharp = _sharpened(frame, corners, lens)
    told = _four(frame, size_mm, sharp, lens)
    # Where two sides meet nothing is marked.
    if sharp != [*corners]:
        return told
    marks = marks_at(frame, told.plane, corners, corners_mm(size_mm), look_for(size_mm, currency))
    return told if marks is None else _four(frame, size_mm, marks.corners, lens, marks.raised_mm)


def _four(
    frame: Frame, size_mm: tuple[float, float], corners: Sequence[Click], lens: Lens | None, raised_mm: float = 0.0
) -> Told:
    block = _block(corners, size_mm, raised_mm)
    spec = _spec(block, size_mm, lens)
    try:
        plane = calibrate_table(frame.image_bgr, spec)
        if not has_likely_lens(plane):
            refuse_turned(spec, frame)
    except ViewError:
        raise
    except ValueError:
        # What it says of points and axes is for who typed them.
        size = " x ".join(f"{side:g}" for side in size_mm)
        raise CornersError(
            f"No camera sees a table of {size} mm so: the corners were clicked in another order, or its size is another"
            f" (width along the near edge first). {_ASKED}"
        ) from None
    return Told("four clicks", block, plane, is_clicked=True)


def _sharpened(frame: Frame, corners: Sequence[Click], lens: Lens | None) -> list[Click]:
    """Four clicked corners; where the table's sides show, each is put where two of them meet."""
    rows = np.array(corners, float)
    places_px, sigma_px = sharpened(frame.image_bgr, rows[:, :2], rows[:, 2], lens)
    return [Click(u, v, sigma) for (u, v), sigma in zip(places_px.tolist(), sigma_px.tolist(), strict=True)]


def _block(corners: Sequence[Click], size_mm: tuple[float, float], raised_mm: float = 0.0) -> CalibrationBlock:
    points = corner_points([(u, v) for u, v, _ in corners], size_mm)
    sigma_px = tuple(round(corner.sigma_px, 2) for corner in corners)
    return CalibrationBlock(points, points_sigma_px=sigma_px, points_raised_mm=raised_mm)


def _spec(block: CalibrationBlock, size_mm: tuple[float, float], lens: Lens | None) -> CalibrationSpec:
    return CalibrationSpec(
        block.points,
        points_sigma_px=block.points_sigma_px,
        points_raised_mm=block.points_raised_mm,
        lens=lens,
        table_size_mm=size_mm,
    )


def check_round(corners: Sequence[Click]) -> None:
    """CornersError unless three or four corners go round counter-clockwise, as a camera above the table sees them."""
    places_px = np.array(corners)[:, :2]
    if any(np.hypot(*(b - a)) < _SAME_PX for a, b in combinations(places_px, 2)):
        raise CornersError("Two of the clicks are on the same corner. Once more:")
    # Down the picture is positive.
    if any(turn(np.array(three)) >= 0 for three in combinations(places_px, 3)):
        raise CornersError(f"The corners were clicked in another order, or beside the table's. {_ASKED}")


def by_three(
    frame: Frame,
    size_mm: tuple[float, float],
    corners: Sequence[Click],
    lens: Lens | None,
    currency: str | None = None,
) -> Told:
    """The table by three corners, with what else tells it: its sides, the lens, cards, marks, or coins; ValueError, one
    line, where that is not enough."""
    clicked = _Clicked(frame, size_mm, tuple(corners), lens, currency)
    refused: list[str] = []
    ways = (
        _Clicked.by_sides,
        _as_marked(_Clicked.by_lens),
        _as_marked(_Clicked.by_cards),
        _Clicked.by_coins_in_corners,
        _Clicked.by_alike_marks,
        _as_marked(_Clicked.by_coins),
    )
    for way in ways:
        try:
            return way(clicked)
        except ValueError as error:
            refused.append(str(error))
    # What lens and cards lack, coins lack too.
    raise ValueError(f"{refused[0]}, and {refused[-1]}")


def _as_marked(way: Callable[[_Clicked], Told]) -> Callable[[_Clicked], Told]:
    """The way gone once more where something marks the corners, by what is known of how high their marks are."""

    def gone_again(clicked: _Clicked) -> Told:
        """The way, and the way again with what marks the corners where they truly are."""
        told = way(clicked)
        marks = clicked.marks(told.plane, clicked.corners)
        return told if marks is None else way(replace(clicked, corners=marks.corners, raised_mm=marks.raised_mm))

    return gone_again


@dataclass(frozen=True, eq=False)
class _Clicked:
    """Three clicked corners of a table of that size; each way raises ValueError, one line, where it fails."""

    frame: Frame
    size_mm: tuple[float, float]
    corners: tuple[Click, ...]
    lens: Lens | None
    currency: str | None = None
    raised_mm: float = 0.0

    @cached_property
    def block(self) -> CalibrationBlock:
        """The clicked corners as a set-up file's `[calibration]` says them."""
        return _block(self.corners, self.size_mm, self.raised_mm)

    @cached_property
    def spec(self) -> CalibrationSpec:
        """The clicked corners as the table is calibrated by them."""
        return _spec(self.block, self.size_mm, self.lens)

    def by_sides(self) -> Told:
        """Where the table's far and left sides meet in the picture."""
        by, rows = "the table's far and left sides", np.array(self.corners)
        u, v = fourth_corner(
            self.frame.image_bgr, rows[:, :2], self.size_mm, self.lens, float(rows[:, 2].max())
        ).tolist()
        corners = [*self.corners, Click(u, v, SIDES_SIGMA_PX)]
        return self._by_all(_sharpened(self.frame, corners, self.lens), by)

    def by_lens(self) -> Told:
        """A measured lens sees a rectangle of that size one way only, or nearly."""
        if self.lens is None:
            raise ValueError("nobody measured the lens")
        return Told("the lens", self.block, self._checked(self.spec, "the lens"))

    def by_cards(self) -> Told:
        """Playing cards anywhere, each a ruler."""
        make, plane = self._checked_cards(self.spec, _FEWEST_CARDS)
        return Told("the cards", replace(self.block, card=make), plane)

    def by_coins(self) -> Told:
        """By the sizes of coins, and of a card if one lies among them."""
        coins = self._coins
        ellipses = tuple(EllipseBlock(coin.centre_px, coin.axes_px, coin.angle_deg, coin.cls) for coin in coins)
        block, by = replace(self.block, ellipses=ellipses), f"{len(coins)} coins"
        beside = replace(self.spec, circles=as_rulers(coins))
        try:
            make, plane = self._checked_cards(beside, 1)
            return Told(f"a card and {by}", replace(block, card=make), plane)
        except ValueError:
            return Told(by, block, self._checked(beside, by))

    def by_coins_in_corners(self) -> Told:
        """By a coin in each corner, its height known."""
        clicked_px, by = np.array(self.spec.points)[:, :2], "the coin in it"
        rough = calibrate_table(self.frame.image_bgr, replace(self.spec, circles=as_rulers(self._coins)))
        seen, beyond = seen_beyond(self.frame, rough, self._look)
        marks_px = marked_corners(seen, clicked_px, beyond, beyond_mm(corners_mm(self.size_mm)[3]))
        return self._by_all([Click(u, v) for u, v in marks_px.tolist()], by)

    def by_alike_marks(self) -> Told:
        """By anything else that marks all corners alike."""
        image, rows, by = self.frame.image_bgr, np.array(self.spec.points), "the mark in it"
        size_px = (image.shape[1], image.shape[0])
        lens = (self.lens or Lens.unknown(size_px)).scaled_to(size_px)
        corners = corners_mm(self.size_mm)
        cameras = cameras_by_three(Correspondences.of(rows[:, :2], rows[:, 2:]), lens, corners)
        u, v = alike_corner(image, cameras, corners).tolist()
        hand_px = max(corner.sigma_px for corner in self.corners)
        marked = [*self.corners, Click(u, v, hand_px)]
        told = self._by_all(marked, by)
        marks = self.marks(told.plane, marked)
        return told if marks is None else self._by_all(marks.corners, by, marks.raised_mm)

    def marks(self, plane: TablePlane, corners: Sequence[Click]) -> Marks | None:
        """What marks the corners, the first of the table's or all, on a plane that they tell."""
        return marks_at(self.frame, plane, corners, corners_mm(self.size_mm)[: len(corners)], self._look)

    def _by_all(self, corners: Sequence[Click], by: str, raised_mm: float = 0.0) -> Told:
        block = _block(corners, self.size_mm, raised_mm)
        return Told(by, block, self._checked(_spec(block, self.size_mm, self.lens), by))

    @cached_property
    def _makes(self) -> tuple[_Make, ...]:
        """Of which makes the cards may be that show by themselves, the likeliest first; none where none does. Three
        points choose no cards, nor do coins: beside the coins none will show either."""
        image = self.frame.image_bgr
        size_px = (image.shape[1], image.shape[0])
        lens = (self.lens or Lens.unknown(size_px)).scaled_to(size_px)
        shown = any(len(find_cards(image, size_mm, lens)) for size_mm in CARD_SIZE_MM.values())
        likely = likely_sizes(image, CARD_SIZE_MM.values(), self.lens) if shown else ()
        return tuple(make for make in _MAKES if CARD_SIZE_MM[make] in likely)

    def _checked_cards(self, spec: CalibrationSpec, fewest: int) -> tuple[_Make, TablePlane]:
        """The cards' make and the plane; ValueError where the corners and what has a card's shape contradict, or no
        card can be read."""
        if not self._makes:
            raise ValueError("no card is seen whole")
        refused: list[ValueError] = []
        for make in self._makes:
            try:
                return make, self._by_cards_of(CARD_SIZE_MM[make], spec, fewest)
            except ViewError:
                raise
            except ValueError as error:
                refused.append(error)
        raise refused[0]

    def _by_cards_of(self, size_mm: tuple[float, float], spec: CalibrationSpec, fewest: int) -> TablePlane:
        plane = self._checked(replace(spec, card_size_mm=size_mm), "the cards")
        cards = {each.source for each in plane.residuals if each.source.startswith("card ")}
        if plane.rejected or len(cards) < fewest or not shows_a_card(self.frame, plane, size_mm):
            raise ValueError(f"three corners want {fewest} cards that agree with them")
        return plane

    @property
    def _coins(self) -> tuple[CoinEllipse, ...]:
        """The coins that lie beside the corners."""
        if isinstance(self._coins_or_why_not, str):
            raise ValueError(self._coins_or_why_not)
        return self._coins_or_why_not

    @cached_property
    def _coins_or_why_not(self) -> tuple[CoinEllipse, ...] | str:
        """Looked for once, though asked for twice."""
        image, rows = self.frame.image_bgr, np.array(self.spec.points)
        bend = None if self.lens is not None else bend_shown(image)
        points = Correspondences.of(rows[:, :2], rows[:, 2:], sigma_px=self.spec.points_sigma_px)
        try:
            return coins_beside(self.frame, Corners(points, self.size_mm, self.lens, bend), self._look)
        except ValueError as error:
            return str(error)

    @property
    def _look(self) -> Looking:
        """The eyes, for coins."""
        return look_for(self.size_mm, self.currency)

    def _checked(self, spec: CalibrationSpec, by: str) -> TablePlane:
        """The plane; ValueError where the spec does not tell the table's corners well enough to begin with."""
        try:
            plane = calibrate_table(self.frame.image_bgr, spec)
        except ViewError:
            raise
        except ValueError:
            raise ValueError(f"three corners and {by} do not agree") from None
        believe_mm = float((SIGMAS_95 * plane.sigma_mm(plane.to_image(corners_mm(self.size_mm)))).max())
        if not believe_mm < WORST_MM:
            told = f"tell the table to {believe_mm:.0f} mm only, and {WORST_MM:.0f} are wanted"
            raise ValueError(f"three corners and {by} {told}")
        return plane


def corners_mm(size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """(4, 2) the corners of a table in the order in which they are clicked."""
    return np.array([place for _, place in CORNERS], float) * size_mm
