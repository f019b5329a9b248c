"""A real photograph as the table of a film: its own coins are cut out, so that hands may put them elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.coin import Coin
from sample_footage.coin_draw import Patch
from sample_footage.ground import Ground, Tile, View, linear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sample_footage.camera import Camera
    from sample_footage.light import Light
    from sample_footage.shadows import Solid

    Floats = NDArray[np.float32]

CUT_PX_PER_MM = 10.0
# Of a coin's radius: where a cut ends, where its soft edge begins, and how far its shadow darkens what is painted over.
CUT_SHARE, EDGE_SHARE, SHADOW_SHARE = 1.08, 1.0, 1.35
INPAINTED_PX = 5


@dataclass(frozen=True, eq=False)
class CutCoin(Coin):
    """A photographed coin.

    cut  (n, n, 4) linear colour times cover, and cover, `CUT_PX_PER_MM`, its rows towards the near edge
    """

    cut: Floats | None = None

    def patch(self, camera: Camera) -> Patch:
        """Its pixels where it lies or is held now."""
        assert self.cut is not None
        corners = _corners_px(self, camera)
        u0, v0 = np.floor(corners.min(axis=0)).astype(int)
        width, height = np.ceil(corners.max(axis=0)).astype(int) - (u0, v0) + 1
        warp = cv2.getPerspectiveTransform(_square(len(self.cut)), (corners - (u0, v0)).astype(np.float32))
        seen = np.asarray(cv2.warpPerspective(self.cut, warp, (int(width), int(height))), np.float32)
        return Patch((int(u0), int(v0)), np.ascontiguousarray(seen[..., :3]), np.ascontiguousarray(seen[..., 3]))


def cut_coin(id_: str, cls: str, at_mm: tuple[float, float], photo: Floats, camera: Camera) -> CutCoin:
    """The coin that the linear photograph shows there."""
    coin = CutCoin(id_, cls, at_mm)
    side_px = round(2 * CUT_SHARE * coin.radius_mm * CUT_PX_PER_MM)
    warp = cv2.getPerspectiveTransform(_square(side_px), _corners_px(coin, camera).astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = np.asarray(cv2.warpPerspective(photo, warp, (side_px, side_px), flags=flags), np.float32)
    v, u = np.mgrid[0:side_px, 0:side_px] - (side_px - 1) / 2
    out = np.hypot(u, v) / (coin.radius_mm * CUT_PX_PER_MM)
    cover = np.clip((CUT_SHARE - out) / (CUT_SHARE - EDGE_SHARE), 0, 1).astype(np.float32)[..., None]
    return CutCoin(id_, cls, at_mm, cut=np.dstack([seen * cover, cover]))


def _corners_px(coin: Coin, camera: Camera) -> NDArray[np.float64]:
    """(4, 2) where the corners of the square about its upper face show."""
    turn, reach = np.radians(coin.turn_deg), CUT_SHARE * coin.radius_mm
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) @ rotation.T * reach + coin.position_mm
    return camera.project(np.column_stack([square, np.full(4, coin.high_mm)]))


def _square(side_px: int) -> Floats:
    """The corners of a cut, in the order of `_corners_px`."""
    last = side_px - 0.5
    return np.array([(-0.5, -0.5), (last, -0.5), (last, last), (-0.5, last)], np.float32)


class PhotoView(View):
    """The photograph's camera over its table, without the coins that are to be moved."""

    def __init__(
        self, camera: Camera, light: Light, photo_bgr: NDArray[np.uint8], coins: Sequence[Coin], moved: Sequence[Coin]
    ) -> None:
        super().__init__(camera, Ground(), light)
        self._bare = linear(_without(photo_bgr, coins, moved, camera))

    def bare(self) -> Floats:
        """The linear picture of the table."""
        return self._bare

    def shaded(self, discs: Sequence[Solid]) -> list[tuple[Tile, tuple[Solid, ...]]]:
        """Nowhere: each coin's cut brings the edge of its shadow."""
        return []


def _without(
    photo_bgr: NDArray[np.uint8], coins: Sequence[Coin], moved: Sequence[Coin], camera: Camera
) -> NDArray[np.uint8]:
    """The photograph with what lies between all coins painted over those that move."""
    ground = cv2.inpaint(photo_bgr, _discs(coins, SHADOW_SHARE, camera), INPAINTED_PX, cv2.INPAINT_TELEA)
    left = [coin for coin in coins if coin not in moved]
    bare = (_discs(moved, SHADOW_SHARE, camera) > 0) & (_discs(left, EDGE_SHARE, camera) == 0)
    return np.asarray(np.where(bare[..., None], ground, photo_bgr), np.uint8)


def _discs(coins: Sequence[Coin], share: float, camera: Camera) -> NDArray[np.uint8]:
    """255 where so much of the coins' radii shows, else 0."""
    width, height = camera.size_px
    mask = np.zeros((height, width), np.uint8)
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    for coin in coins:
        ring = np.column_stack([np.cos(turns), np.sin(turns)]) * share * coin.radius_mm + coin.position_mm
        outline = camera.project(np.column_stack([ring, np.full(len(ring), coin.high_mm / 2)]))
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 255)
    return mask
