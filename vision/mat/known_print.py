"""What the table's own print shows is no piece: towns drawn as discs, numbers in rings, roads that frame a card.

Where a picture of the print is known, the table without pieces is foreseen: the print, in the light that falls on it.
What a look finds where the picture is as foreseen is print; whatever lies on it, a coin on a disc, hides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from calibration.maps.sheet import Sheet
from calibration.plane import TablePlane
from vision.detection import Detection
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# Both are compared as if seen this blurred, for a scan is sharper than a far view of the print. How often a piece is
# asked, and the sheet for its light.
_BLUR_MM, _GAP_MM, _LIGHT_GAP_MM = 0.6, 0.7, 5.0
# The light is an even change of level and contrast across the sheet, fitted so often, without what lies on it.
_ROUNDS = 5
# What may be mistaken for print; around it fall its shadow and its blur. Of two pieces in one place the smaller one, by
# so much, may lie on what the larger one is.
_FLAT, _SHADOW_MM, _SMALLER = frozenset(("coin", "card", "die", "match")), 0.8, 0.9
# Print shows within its outline as foreseen to this, in levels of 255 (RMS), and to this share of what the print itself
# changes there and this far around, in mm: on bare paper nothing is foreseen that could be taken for a piece. On drawn
# maps printed discs, rings and a framed card are 4 to 11 levels off (0.09 to 0.29), coins on them 39 and more (0.85).
_SAME, _SAME_SHARE, _AROUND_MM = 16.0, 0.5, 2.0


@dataclass(frozen=True, eq=False)
class KnownPrint:
    """The print that lies on a table.

    blurred  (h, w, 3) uint8, as far as all is that is compared
    to_px    (3, 2): (x mm, y mm, 1) on the table to its px
    """

    blurred: ImageBgr
    to_px: Array

    @classmethod
    def of(cls, sheet: Sheet) -> KnownPrint | None:
        """That of a sheet; None without a picture."""
        if sheet.image is None:
            return None
        image = sheet.image if sheet.image.ndim == 3 else cv2.cvtColor(sheet.image, cv2.COLOR_GRAY2BGR)
        height, width = image.shape[:2]
        share = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        on_table = np.c_[sheet.to_table(share), np.ones(3)]
        to_px = np.asarray(np.linalg.solve(on_table, share * (width, height) - 0.5), float)
        px_per_mm = float(np.sqrt(abs(np.linalg.det(to_px[:2]))))
        return cls(_blurred(np.asarray(image, np.uint8), px_per_mm), to_px)

    def without_printed(
        self, seen: Sequence[Detection], image_bgr: ImageBgr, plane: TablePlane
    ) -> tuple[Detection, ...]:
        """What was seen in the picture but for what the print shows there."""
        flat = [piece for piece in seen if piece.kind in _FLAT]
        if not flat:
            return tuple(seen)
        foreseen = _Foreseen.of(self, image_bgr, plane)
        outlines = {id(piece): _where_seen(piece, plane) for piece in flat}
        shown = {key for key, outline in outlines.items() if foreseen.shows(outline)}
        lying = [outline for key, outline in outlines.items() if key not in shown]
        # A coin may lie on what is printed, within a town's disc or where roads frame a card.
        under = {key: rest for key, outline in outlines.items() if (rest := _beside(outline, lying)) is not outline}
        printed = (shown - under.keys()) | {key for key, rest in under.items() if foreseen.shows(rest)}
        return tuple(piece for piece in seen if id(piece) not in printed)


@dataclass(frozen=True, eq=False)
class _Foreseen:
    """A picture and the print, blurred alike, and the light: (6, 3) by channel, from `_terms` to levels."""

    seen: ImageBgr
    plane: TablePlane
    known: KnownPrint
    light: Array

    @classmethod
    def of(cls, known: KnownPrint, image_bgr: ImageBgr, plane: TablePlane) -> _Foreseen:
        """With the light that falls on the whole print."""
        height, width = known.blurred.shape[:2]
        corners_px = np.array([[0.0, 0.0], [width - 1, 0.0], [width - 1, height - 1], [0.0, height - 1]])
        corners_mm = (corners_px - known.to_px[2]) @ np.linalg.inv(known.to_px[:2])
        places_mm = _grid(Polygon(corners_mm).buffer(-_LIGHT_GAP_MM), _LIGHT_GAP_MM)
        px_per_mm = float(np.median(plane.px_per_mm(plane.to_image(places_mm))))
        seen = _blurred(image_bgr, px_per_mm)
        shown, terms = cls(seen, plane, known, np.zeros((6, 3))).at(places_mm)
        lit = [_even_light(terms[..., channel], shown[:, channel]) for channel in range(3)]
        return cls(seen, plane, known, np.stack(lit, axis=1))

    def shows(self, outline: BaseGeometry) -> bool:
        """Whether the print draws something there, and the picture shows just that; not where it does not show all."""
        if outline.is_empty:
            return False
        places_mm = _grid(outline.buffer(_AROUND_MM), _GAP_MM)
        shown, terms = self.at(places_mm)
        inside = shapely.contains_xy(outline, places_mm)
        if len(shown) < len(places_mm) or not inside.any():
            return False
        foreseen = np.einsum("ntc,tc->nc", terms, self.light)
        off = float(np.sqrt(np.mean((shown - foreseen)[inside] ** 2)))
        changes = float(np.sqrt(np.mean((foreseen - foreseen.mean(axis=0)) ** 2)))
        return off < min(_SAME, _SAME_SHARE * changes)

    def at(self, places_mm: Array) -> tuple[Array, Array]:
        """(n, 3) what the picture shows in those places that it shows, and (n, 6, 3) `_terms` of the print there."""
        px = self.plane.to_image(places_mm)
        height, width = self.seen.shape[:2]
        with np.errstate(invalid="ignore"):
            shows = ((px >= 0) & (px <= (width - 1, height - 1))).all(axis=1)
        print_px = np.c_[places_mm, np.ones(len(places_mm))] @ self.known.to_px
        return _sampled(self.seen, px[shows]), _terms(_sampled(self.known.blurred, print_px[shows]), print_px[shows])


def _where_seen(piece: Detection, plane: TablePlane) -> Polygon:
    """Its outline on the table, were it as flat as print."""
    x, y = plane.to_table(np.array([piece.image_px]))[0] - np.array(piece.position_mm)
    return translate(piece.footprint, float(x), float(y))


def _beside(outline: Polygon, lying: Sequence[Polygon]) -> BaseGeometry:
    """What of an outline smaller pieces leave free: the outline itself where none lies there."""
    smaller = [other.buffer(_SHADOW_MM) for other in lying if other.area < _SMALLER * outline.area]
    on_it = [other for other in smaller if other.intersects(outline)]
    return outline.difference(shapely.union_all(on_it)) if on_it else outline


def _grid(area: BaseGeometry, gap_mm: float) -> Array:
    """(n, 2) places in an area."""
    left, near, right, far = area.bounds
    x, y = np.meshgrid(np.arange(left, right, gap_mm), np.arange(near, far, gap_mm))
    places = np.c_[x.ravel(), y.ravel()]
    return np.asarray(places[shapely.contains_xy(area, places)], float)


def _blurred(image: ImageBgr, px_per_mm: float) -> ImageBgr:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.5, _BLUR_MM * px_per_mm)), np.uint8)


def _sampled(image: ImageBgr, px: Array) -> Array:
    """(n, 3) levels between pixels."""
    at = np.asarray(px[:, None], np.float32)
    blocks = [at[begin : begin + 30000] for begin in range(0, len(at), 30000)]
    found = [
        cv2.remap(image, block[..., 0], block[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for block in blocks
    ]
    return np.concatenate([each[:, 0] for each in found]).astype(float) if found else np.zeros((0, 3))


def _terms(levels: Array, px: Array) -> Array:
    """(n, 6, 3) what the light is fitted by: the print's level and a constant, each across and along it too."""
    across, along = (px / 1000.0).T[:, :, None]
    one = np.ones_like(levels)
    return np.stack([levels, levels * across, levels * along, one, one * across, one * along], axis=1)


def _even_light(terms: Array, shown: Array) -> Array:
    """(6,) from terms (n, 6) to what is shown (n,), but for what hides the print."""
    weight = np.ones(len(shown))
    for _ in range(_ROUNDS):
        light = np.linalg.lstsq(terms * weight[:, None], shown * weight, rcond=None)[0]
        off = np.abs(shown - terms @ light)
        weight = 1 / (1 + (off / max(1.0, 2 * float(np.median(off)))) ** 2)
    return np.asarray(light)
