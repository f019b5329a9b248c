"""The eyes: one look at a whole table, every kind of piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy

from calibration.plane import TablePlane
from models import pieces, solids
from models.coins import CELL_PX, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM
from models.loading import load_model, load_parts
from rules.scene import UNKNOWN, Kind
from vision.beside import EYES
from vision.detect.card.cards import find_cards, sizes_from
from vision.detect.coin.coins import find_coins
from vision.detect.coin.on_cards import on_cards
from vision.detect.coin.proposals import proposals_in
from vision.detect.die.dice import find_dice
from vision.detect.matches import find_matches
from vision.detect.pieces import Peaks, peaks_in
from vision.detect.sheet.told_papers import PX_PER_MM as PAPERS_PX_PER_MM
from vision.detect.sheet.told_papers import told_papers
from vision.detect.solid.glance import Sight
from vision.detect.solid.guesses import SHEETS
from vision.detect.solid.parts import stands
from vision.detect.solid.solids import EDGES_PX_PER_MM, SolidMemory
from vision.detection import Detection
from vision.frame import Frame, ImageBgr
from vision.light.balance import WhiteBalance
from vision.mat.hex_search import HexSearch
from vision.mat.known_print import KnownPrint
from vision.mat.printed_hexes import PrintedHexes
from vision.memory.hiding import hidden_by
from vision.metric.heat import HeatMemory
from vision.metric.topview import TopView
from vision.metric.views import Views
from vision.naming.colour import PAINT_BGR
from vision.shared import shared
from vision.wanted import Wanted

# A centre a little over the edge is still on the table.
_OVER_EDGE_MM = 3.0
# Where the hexes' print is taken off, the picture changes by more than so many levels.
_PRINT = 3
# A coin or a die of which so much lies in a base is what was taken for it.
_IN_A_BASE = 0.3
# The coin detector halves its input four times.
_MULTIPLE_PX = 4 * CELL_PX
# The nets leave the interpreter to others while they run: coins and solids are looked for beside cards and dice, whose
# net is the largest and is shared. One thread more, for two cores; and one that shares what is to do about solids, for
# where these stand there is little else, and the first thread is soon idle.
_BESIDE, _SOLIDS = ThreadPoolExecutor(1, EYES), ThreadPoolExecutor(1, EYES)

# Which nets look for which kinds.
_NETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "coin": ("coin_detector", "rim", "rider", "coin_classifier", "lift"),
        "card": ("pieces", "card_reader"),
        "die": ("pieces", "die_reader"),
        "match": ("pieces", "match_reader"),
        "soldier": ("figures", "facing", "terrain"),
        "base": ("figures", "facing", "terrain"),
        "terrain": ("figures", "facing", "terrain"),
    }
)


_Finder = Callable[[ImageBgr, TablePlane, dict[int, Peaks]], Sequence[Detection]]

_FLAT: frozenset[Kind] = frozenset(("card", "die", "match"))
_SOLID: frozenset[Kind] = frozenset(("soldier", "base", "terrain"))


@dataclass(eq=False)
class Eyes:
    """Looks at whole tables. Where a table stays as it was, what the nets said of it is kept from look to look.

    table_size_mm  (width, depth) of the playing area; without it, what the picture shows beyond the origin
    beyond_mm      how far beyond its sides pieces are looked for
    known_print    of the sheet that lies there, if its picture is known: what it shows is no piece
    """

    table_size_mm: tuple[float, float] | None = None
    wanted: Wanted = field(default_factory=Wanted)
    beyond_mm: float = 0.0
    known_print: KnownPrint | None = None
    _views: Views = field(init=False, repr=False)
    _balance: WhiteBalance = field(default_factory=WhiteBalance, repr=False)
    _coin_heat: HeatMemory = field(default_factory=lambda: HeatMemory("coin_detector"), repr=False)
    _solid_memory: SolidMemory = field(default_factory=lambda: SolidMemory(_SOLIDS), repr=False)
    _hexes: PrintedHexes | None = field(default=None, init=False, repr=False)
    _piece_heat: HeatMemory = field(default_factory=lambda: HeatMemory("pieces", _BESIDE), repr=False)

    def __post_init__(self) -> None:
        self._views = Views(self.table_size_mm, self.beyond_mm)
        if self.wanted.hexes and self.table_size_mm is not None:
            self._hexes = PrintedHexes(HexSearch(self.table_size_mm))

    @classmethod
    def packaged(cls, table_size_mm: tuple[float, float] | None = None, wanted: Wanted | None = None) -> Eyes:
        """Eyes with the packaged models, loaded now. Raises models.loading.ModelError."""
        eyes = cls(table_size_mm, wanted or Wanted())
        for name in sorted({net for kind in eyes.wanted.kinds for net in _NETS[kind]}):
            load_model(name)
            load_parts(name)
        return eyes

    @property
    def hex_search(self) -> HexSearch | None:
        """The search for the grid that is printed on the table."""
        return self._hexes.search if self._hexes is not None else None

    def only(self, kinds: frozenset[Kind], beyond_mm: float = 0.0) -> Eyes:
        """Eyes for those of the kinds alone, so far beyond the table's sides too."""
        wanted = replace(self.wanted, kinds=self.wanted.kinds & kinds)
        eyes = Eyes(self.table_size_mm, wanted, beyond_mm, self.known_print)
        eyes._hexes = self._hexes
        return eyes

    def make_ready(self, frame: Frame, plane: TablePlane) -> None:
        """Work out what depends on camera and table alone, which else the first look does."""
        views = self._views_of(frame, plane)
        if "solids" in views:
            self._solid_memory.make_ready(plane, views["solids"])

    def look(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        """Everything that shows on the table, once."""
        return tuple(piece for piece in self(frame, plane) if not piece.faint)

    def __call__(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        """As `look`, and beside it what is too faint to be told by itself, for who knows what is missed."""
        as_taken = frame
        if self._hexes is not None:
            frame = self._hexes.taken_off(frame, plane)
        views = self._views_of(frame, plane)
        white = frame if views.keys() == {"coins"} else replace(frame, image_bgr=self._balance.of(frame.image_bgr))
        # What is begun first is done first: the other thread's view of the coins, its share of the flat pieces' net,
        # all of the coins and solids, what is left of the net's end, and dice and matches beside cards. So neither
        # waits long for the other, and the net's end runs while coins are named, which needs the interpreter.
        coin_view = _BESIDE.submit(views["coins"].resample, frame.image_bgr) if "coins" in views else None
        begun = self._piece_heat.begun(views["flat"].resample(white.image_bgr)) if "flat" in views else None
        beside = _BESIDE.submit(self._coins_and_solids, frame, white, plane, views, coin_view)
        flat = self._flat_pieces(white, plane, peaks_in(begun(), views["flat"])) if begun is not None else []
        coins, solid = beside.result()
        coins = on_cards(coins, flat)
        solid = _without_mistaken(solid, [*coins, *flat])
        figures = [piece for piece in solid if piece.kind != "terrain" and not piece.faint]
        found = [*coins, *_without_dots(flat, [*coins, *figures], plane), *solid]
        found = [piece for piece in found if self.wanted.means(piece) and self._is_on_table(piece)]
        if self.known_print is not None:
            found = [*self.known_print.without_printed(found, as_taken.image_bgr, plane)]
        if "papers" in views:
            lines_mm = _changed_mm(views["papers"], as_taken, frame) if as_taken is not frame else None
            standing = [piece for piece in solid if stands(piece) and piece not in found]
            found = self._with_papers(found, standing, white, plane, views["papers"], lines_mm)
        return tuple(found)

    def coin_view(self, frame: Frame, plane: TablePlane) -> TopView:
        """The top view in which coins are looked for."""
        return self._views.of(frame, plane, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM, _MULTIPLE_PX)

    def _views_of(self, frame: Frame, plane: TablePlane) -> Mapping[str, TopView]:
        """The views that the wanted kinds are looked for in, by what is seen in them."""
        kinds, views = self.wanted.kinds, {}
        if "coin" in kinds:
            views["coins"] = self.coin_view(frame, plane)
        if kinds & _FLAT:
            views["flat"] = self._views.of(frame, plane, pieces.TOPVIEW_PX_PER_MM, 0.0, pieces.STRIDE_PX)
        if kinds & _SOLID:
            views["solids"] = self._views.of(frame, plane, EDGES_PX_PER_MM, 0.0, 2 * solids.CELL_PX)
        if self.wanted.papers:
            views["papers"] = self._views.of(frame, plane, PAPERS_PX_PER_MM, 0.0, 1)
        return views

    def _coins_and_solids(
        self,
        frame: Frame,
        white: Frame,
        plane: TablePlane,
        views: Mapping[str, TopView],
        coin_view: Future[ImageBgr] | None,
    ) -> tuple[Sequence[Detection], Sequence[Detection]]:
        """Coins by the light that falls on them, solids by white light."""
        coins = self._coins(frame, plane, views["coins"], coin_view.result()) if coin_view is not None else ()
        return coins, self._solids(white, plane, views)

    def _coins(self, frame: Frame, plane: TablePlane, view: TopView, from_above: ImageBgr) -> Sequence[Detection]:
        proposals = proposals_in(self._coin_heat.of(from_above), view, from_above)
        return find_coins(frame.image_bgr, plane, proposals, self.wanted.purse)

    def _flat_pieces(self, frame: Frame, plane: TablePlane, found: dict[int, Peaks]) -> Sequence[Detection]:
        """Cards, dice and matches, which share one net."""
        seen = frame.image_bgr, plane, found
        sizes_mm = sizes_from(self.wanted.card_mm)
        cards = partial(find_cards, sizes_mm=sizes_mm, unlit_bgr=frame.unlit_bgr, on_known_plane=True)
        matches = partial(find_matches, roads_mm=self.wanted.roads_mm)
        finders: dict[Kind, _Finder] = {"die": find_dice, "match": matches, "card": cards}
        wanted = [find for kind, find in finders.items() if kind in self.wanted.kinds]
        *rest, last = shared([partial(find, *seen) for find in wanted], _BESIDE)
        return [piece for some in (last, *rest) for piece in some]

    def _solids(self, frame: Frame, plane: TablePlane, views: Mapping[str, TopView]) -> Sequence[Detection]:
        if "solids" not in views:
            return ()
        colours = self.wanted.colours or tuple(PAINT_BGR)
        names = [name for name in solids.FIGURES if ("base" if name == "base" else "soldier") in self.wanted.kinds]
        has_terrain = "terrain" in self.wanted.kinds
        seen = frame.image_bgr, plane, views["solids"]
        sheets = self.wanted.things is None or not self.wanted.things.isdisjoint(SHEETS)
        return self._solid_memory.look(*seen, colours, names or solids.FIGURES, terrain=has_terrain, sheets=sheets)

    def _with_papers(
        self,
        found: Sequence[Detection],
        standing: Sequence[Detection],
        frame: Frame,
        plane: TablePlane,
        view: TopView,
        lines_mm: NDArray[np.float64] | None,
    ) -> list[Detection]:
        """What was found, but sheets of the colours that are told by these alone: the net knows few papers on a mat.

        standing  what else stands there, though it means nothing: its top is no paper
        """
        told = self.wanted.papers
        others = [piece for piece in found if piece.cls not in SHEETS or piece.colour not in told]
        sight = Sight(plane, view, view.resample(frame.image_bgr))
        pieces = [*(piece for piece in others if not piece.faint), *standing]
        papers = told_papers(sight, told, pieces, self._hexes.search.grid if self._hexes else None, lines_mm)
        return [*others, *filter(self._is_on_table, papers)]

    def _is_on_table(self, piece: Detection) -> bool:
        if self.table_size_mm is None:
            return True
        over_mm = _OVER_EDGE_MM + self.beyond_mm
        return all(
            -over_mm <= at <= size + over_mm for at, size in zip(piece.position_mm, self.table_size_mm, strict=True)
        )


def _changed_mm(view: TopView, one: Frame, other: Frame) -> NDArray[np.float64]:
    """(n, 2) the pixels of a view, mm, in which two pictures differ."""
    differ = cv2.absdiff(view.resample(one.image_bgr), view.resample(other.image_bgr)).max(axis=2)
    return view.to_table(np.argwhere(differ > _PRINT)[:, ::-1].astype(float))


def _without_dots(flat: Sequence[Detection], bearers: Sequence[Detection], plane: TablePlane) -> list[Detection]:
    """Without the dice that are the paper dot of a coin or the head of a soldier, which look like a one: no die stands
    on a coin that shows its rim or on a figure's base, and nothing but a head shows like a one behind a figure."""
    feet = np.array([piece.footprint for piece in bearers], object)
    hidden = np.array([hidden_by(piece, plane) for piece in bearers], object)
    return [
        piece
        for piece in flat
        if piece.kind != "die" or not contains_xy(feet if _shows_pips(piece) else hidden, *piece.position_mm).any()
    ]


def _without_mistaken(solid: Sequence[Detection], flat: Sequence[Detection]) -> list[Detection]:
    """Without the figures that are a die of two pips or more, or of one above a side that has some, which no dot and no
    head is, and the bases that are a coin, by the edge and look that make it known as one: neither lies half in a base.
    """
    dice = [one.footprint for one in flat if one.kind == "die" and _shows_pips(one)]
    coins = [one.footprint for one in flat if one.kind == "coin" and one.cls != UNKNOWN]
    mistaken: dict[Kind, list[Polygon]] = {"soldier": dice, "base": [*dice, *coins]}
    return [one for one in solid if not any(_lies_in(each, one.footprint) for each in mistaken.get(one.kind, ()))]


def _shows_pips(die: Detection) -> bool:
    """Whether it shows more than a dot: two pips or more, or a side below its top that has some."""
    return die.sided or die.cls not in (UNKNOWN, "1")


def _lies_in(one: Polygon, other: Polygon) -> bool:
    return bool(one.intersection(other).area > _IN_A_BASE * one.area)
