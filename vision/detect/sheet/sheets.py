"""Sheets that lie flat: of what the net sees a part, the whole, followed by its colours to its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, box, simplify
from shapely.geometry.base import BaseGeometry

from vision.detect.solid.glance import Sight
from vision.frame import ImageBgr
from vision.metric.topview import TopView

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Pixels = NDArray[np.uint8]

# How far beyond what the net sees a sheet is followed, and at which scale: nearby first. Farther ones are coarser, and
# once their extent is known their edges are followed again.
_AROUND_MM, _PX_PER_MM, _NEARBY_MM = (50.0, 160.0, 400.0), (1.0, 0.7, 0.5), 10.0
# Grain and noise are softened; so far within an outline a thing's own colours are; what hangs on by less than a thread
# is another thing.
_SOFT_PX, _CORE_MM, _THREAD_MM = 1.0, 3.0, 9.0
# Rounds of GrabCut: more move nothing.
_ROUNDS = 3
# A sheet holds most of what the net saw, and is not so many times larger: else the table has its colours. Colours that
# leave the part looked at on more of their edge go on beyond it.
_KEPT, _LARGER, _LEAVING = 0.7, 6.0, 0.03
# Of the outermost pixels, which sheet and table share, so much more is the table's than their middles say (26 sheets
# rendered: else outlines are 0.9 px too large at any scale).
_SHARED_PX = 0.4
_OUTLINE_MM, _LEAST_POINTS = 1.5, 8
# GrabCut tells five colours on either side.
_LEAST_PX = 25


def followed(seen: Polygon, close: Sight[TopView], others: Sequence[Polygon] = ()) -> Polygon | None:
    """What lies on the table of the sheet of which a footprint, in mm, is a part (GrabCut, Rother 2004); None where no
    colours bound one.

    others  footprints of what is surely another thing
    """
    for around_mm, px_per_mm in zip(_AROUND_MM, _PX_PER_MM, strict=True):
        part = _Part.around(seen, close, around_mm, px_per_mm)
        region = _region(part, seen, others)
        if region is None:
            return None
        if part.leaving(region) < _LEAVING:
            outline = part.outline(region)
            fine = outline if px_per_mm == _PX_PER_MM[0] else _refined(outline, close, others)
            return None if fine is None else on_table(fine, close.view)
    return None


def on_table(outline: Polygon, view: TopView) -> Polygon | None:
    """What of a sheet lies on the table, of several pieces the largest; None if nothing does."""
    return _largest(outline.intersection(box(0.0, 0.0, *view.table_mm)))


def _refined(outline: Polygon | None, close: Sight[TopView], others: Sequence[Polygon]) -> Polygon | None:
    """An outline that was followed coarsely, followed once more at the finest scale; as it was where that fails."""
    if outline is None:
        return None
    part = _Part.around(outline, close, _NEARBY_MM, _PX_PER_MM[0])
    region = _region(part, outline, others)
    return outline if region is None else part.outline(region) or outline


def _largest(shape: BaseGeometry) -> Polygon | None:
    pieces = [piece for piece in getattr(shape, "geoms", [shape]) if isinstance(piece, Polygon) and not piece.is_empty]
    return max(pieces, key=lambda piece: piece.area, default=None)


def _region(part: _Part, seen: Polygon, others: Sequence[Polygon]) -> Mask | None:
    """The pixels of the sheet; None if they are not what was seen, or have no end."""
    proposed, core = part.mask(seen), part.mask(_core(seen))
    if min(core.sum(), (~proposed & ~part.unseen).sum()) < _LEAST_PX:
        return None
    marks = np.where(proposed, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    for other in others:
        marks[part.mask(_core(other)) & ~proposed] = cv2.GC_BGD
    marks[part.unseen] = cv2.GC_BGD
    marks[core] = cv2.GC_FGD
    region = _grown(part, marks, core)
    is_it = (region & proposed).sum() > _KEPT * proposed.sum() and region.sum() < _LARGER * proposed.sum()
    return region if is_it else None


def _grown(part: _Part, marks: Pixels, core: Mask) -> Mask:
    """What colours and edges join to the core, without what hangs on by a thread."""
    cv2.setRNGSeed(0)
    colours, ground = np.zeros((2, 1, 65))
    cv2.grabCut(part.image, marks, (0, 0, 0, 0), ground, colours, _ROUNDS, cv2.GC_INIT_WITH_MASK)
    inside = ((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)).astype(np.uint8)
    thread = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (max(round(_THREAD_MM * part.px_per_mm), 1),) * 2)
    inside = np.asarray(cv2.morphologyEx(inside, cv2.MORPH_OPEN, thread), np.uint8)
    count, labels = cv2.connectedComponents(inside, connectivity=4)
    shares = np.bincount(labels[core & (inside > 0)], minlength=count)
    return np.asarray(labels == max(int(shares.argmax()), 1), bool)


def _core(footprint: Polygon) -> Polygon:
    """What lies well within it, of several pieces the largest; empty of a narrow one."""
    return _largest(footprint.buffer(-_CORE_MM)) or Polygon()


@dataclass(frozen=True, eq=False)
class _Part:
    """A part of the close view at a scale of its own.

    first_px   (2,) where it begins in the close view
    scale      its pixels for one of the close view
    goes_on    whether the close view goes on beyond its far, near, left and right side
    """

    view: TopView
    first_px: Array
    scale: float
    image: ImageBgr
    goes_on: Array

    @classmethod
    def around(cls, footprint: Polygon, close: Sight[TopView], around_mm: float, px_per_mm: float) -> _Part:
        """What lies around a footprint, no farther than the close view goes."""
        view = close.view
        corners = view.to_px(np.array(footprint.buffer(around_mm).bounds).reshape(2, 2))
        low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
        size = np.array(view.size_px)
        first, last = np.clip(low, 0, size - 2).astype(int), np.clip(high, 2, size).astype(int)
        scale = px_per_mm / view.px_per_mm
        cut = close.seen[first[1] : last[1], first[0] : last[0]]
        image = cv2.GaussianBlur(
            cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (0, 0), _SOFT_PX
        )
        goes_on = np.array([low[1] > 0, high[1] < size[1], low[0] > 0, high[0] < size[0]])
        return cls(view, first.astype(float), scale, np.asarray(image, np.uint8), goes_on)

    @property
    def px_per_mm(self) -> float:
        """Its scale on the table."""
        return self.scale * self.view.px_per_mm

    @property
    def unseen(self) -> Mask:
        """Where the picture does not reach."""
        return np.asarray((self.image == 0).all(axis=2), bool)

    def mask(self, polygon: Polygon) -> Mask:
        """The pixels of a polygon in mm."""
        drawn = np.zeros(self.image.shape[:2], np.uint8)
        if not polygon.is_empty:
            px = (self.view.to_px(np.array(polygon.exterior.coords)) - self.first_px + 0.5) * self.scale - 0.5
            cv2.fillPoly(drawn, [np.rint(px).astype(np.int32)], (1,))
        return np.asarray(drawn > 0, bool)

    def leaving(self, region: Mask) -> float:
        """The share of a region's edge that is this part's, where the close view goes on."""
        sides = np.array([region[0].sum(), region[-1].sum(), region[:, 0].sum(), region[:, -1].sum()])
        edge = region & (cv2.erode(region.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) == 0)
        return float(sides[self.goes_on].sum() / max(int(edge.sum()), 1))

    def outline(self, region: Mask) -> Polygon | None:
        """Its outline in mm, of several the longest; None of a speck."""
        contours, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        longest = max(contours, key=len).reshape(-1, 2)
        if len(longest) < _LEAST_POINTS:
            return None
        px = (longest + 0.5) / self.scale - 0.5 + self.first_px
        whole = Polygon(self.view.to_table(px)).buffer(-_SHARED_PX / self.px_per_mm)
        smooth = simplify(whole, _OUTLINE_MM)
        return smooth if isinstance(smooth, Polygon) and not smooth.is_empty else None
