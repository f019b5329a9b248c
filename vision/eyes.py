"""The eyes: one look at a whole table, every kind of piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from shapely import Point

from calibration.plane import TablePlane
from models import pieces, solids
from models.coins import CELL_PX, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM
from models.loading import load_model
from rules.scene import Kind
from vision.colour import PAINT_BGR
from vision.detect.cards import find_cards
from vision.detect.coins import SURE_CLASS, find_coins
from vision.detect.dice import find_dice, find_matches
from vision.detect.pieces import look_for_pieces
from vision.detect.solids import look_for_solids
from vision.detection import Detection
from vision.frame import Frame
from vision.topview import TopView

# A coin at the table's edge sticks out by its radius; a centre a little over the edge is still on it.
_MARGIN_MM = 25.0
_OVER_EDGE_MM = 3.0
# The detector halves its input four times.
_MULTIPLE_PX = 4 * CELL_PX
# Where no table size is told: what the picture shows, but no more than a large table.
_LARGEST_TABLE_MM = 2000.0


# Which nets look for which kinds.
_NETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "coin": ("coin_detector", "coin_classifier"),
        "card": ("pieces", "card_reader"),
        "die": ("pieces", "die_reader"),
        "match": ("pieces",),
        "soldier": ("solids",),
        "base": ("solids",),
        "terrain": ("solids",),
    }
)


@dataclass(frozen=True)
class Wanted:
    """What to look for on a table.

    kinds     kinds of pieces that its game plays with
    expected  weight of each currency (gbp, eur, usd) before looking, where the set-up tells
    colours   the players' colours, where the set-up tells
    rarity    how much rarer than others some classes are in the game
    sure      from what probability on a coin is named
    """

    kinds: frozenset[Kind] = frozenset(("coin", "card", "die", "match"))
    expected: Mapping[str, float] | None = None
    colours: tuple[str, ...] = ()
    rarity: Mapping[str, float] | None = None
    sure: float = SURE_CLASS


@dataclass(eq=False)
class Eyes:
    """Looks at whole tables. Top views are built at the first look and kept for as long as plane and picture stay.

    table_size_mm  (width, depth) of the playing area; without it, what the picture shows beyond the origin
    """

    table_size_mm: tuple[float, float] | None = None
    wanted: Wanted = field(default_factory=Wanted)
    _plane: TablePlane | None = field(default=None, repr=False)
    _views: dict[tuple[float, ...], TopView] = field(default_factory=dict, repr=False)

    @classmethod
    def packaged(cls, table_size_mm: tuple[float, float] | None = None, wanted: Wanted | None = None) -> Eyes:
        """Eyes with the packaged models, loaded now. Raises models.loading.ModelError."""
        eyes = cls(table_size_mm, wanted or Wanted())
        for name in sorted({net for kind in eyes.wanted.kinds for net in _NETS[kind]}):
            load_model(name)
        return eyes

    def look(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        """Everything that shows on the table, once, without memory."""
        coins = self._coins(frame, plane)
        flat = [piece for piece in self._flat_pieces(frame, plane) if not _is_dot_of(piece, coins)]
        found = [*coins, *flat, *self._solids(frame, plane)]
        return tuple(piece for piece in found if piece.kind in self.wanted.kinds and self._is_on_table(piece))

    def coin_view(self, frame: Frame, plane: TablePlane) -> TopView:
        """The top view in which coins are looked for."""
        return self._view(plane, frame, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM, _MULTIPLE_PX)

    def _coins(self, frame: Frame, plane: TablePlane) -> Sequence[Detection]:
        if "coin" not in self.wanted.kinds:
            return ()
        view, wanted = self.coin_view(frame, plane), self.wanted
        known = (wanted.expected, wanted.colours, wanted.rarity, wanted.sure)
        return find_coins(frame.image_bgr, plane, view, *known)

    def _flat_pieces(self, frame: Frame, plane: TablePlane) -> Sequence[Detection]:
        """Cards, dice and matches share one net."""
        kinds = self.wanted.kinds
        if not kinds & {"card", "die", "match"}:
            return ()
        view = self._view(plane, frame, pieces.TOPVIEW_PX_PER_MM, 0.0, pieces.STRIDE_PX)
        found = look_for_pieces(frame.image_bgr, view)
        cards = find_cards(frame.image_bgr, plane, found) if "card" in kinds else []
        dice = find_dice(frame.image_bgr, plane, found) if "die" in kinds else []
        return [*cards, *dice, *(find_matches(plane, found) if "match" in kinds else [])]

    def _solids(self, frame: Frame, plane: TablePlane) -> Sequence[Detection]:
        if not self.wanted.kinds & {"soldier", "base", "terrain"}:
            return ()
        view = self._view(plane, frame, solids.TOPVIEW_PX_PER_MM, 0.0, solids.STRIDE_PX)
        return look_for_solids(frame.image_bgr, plane, view, self.wanted.colours or tuple(PAINT_BGR))

    def _view(self, plane: TablePlane, frame: Frame, px_per_mm: float, height_mm: float, multiple_px: int) -> TopView:
        height_px, width_px = frame.image_bgr.shape[:2]
        if self._plane is not plane:
            self._plane, self._views = plane, {}
        key = (px_per_mm, height_mm, multiple_px, width_px, height_px)
        if key not in self._views:
            size_mm = self.table_size_mm or _shown_size_mm(plane, width_px, height_px)
            self._views[key] = TopView.of_table(plane, size_mm, px_per_mm, height_mm, _MARGIN_MM, multiple_px)
        return self._views[key]

    def _is_on_table(self, piece: Detection) -> bool:
        if self.table_size_mm is None:
            return True
        return all(
            -_OVER_EDGE_MM <= at <= size + _OVER_EDGE_MM
            for at, size in zip(piece.position_mm, self.table_size_mm, strict=True)
        )


def _is_dot_of(piece: Detection, coins: Sequence[Detection]) -> bool:
    """Whether a die is the paper dot of a coin, which looks like a one: no die stands on a coin that shows its rim."""
    return piece.kind == "die" and any(coin.footprint.contains(Point(piece.position_mm)) for coin in coins)


def _shown_size_mm(plane: TablePlane, width_px: int, height_px: int) -> tuple[float, float]:
    """Width and depth from the origin to the farthest table point that the picture shows, within reason."""
    corners = np.array([(x, y) for x in np.linspace(0, width_px - 1, 9) for y in np.linspace(0, height_px - 1, 9)])
    shown = plane.to_table(corners)
    reach = np.clip(np.nan_to_num(shown, nan=_LARGEST_TABLE_MM), 1.0, _LARGEST_TABLE_MM).max(axis=0)
    return float(reach[0]), float(reach[1])
