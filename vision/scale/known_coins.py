"""Coins that the eyes named, as discs of known size: what proves or refutes the table's measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.fit.correspondence import Circle
from calibration.plane import TablePlane
from models.coins import DIAMETER_MM, THICKNESS_MM
from vision.detection import ON_ANOTHER_MM, Detection
from vision.frame import ImageBgr
from vision.shape.circle import wider_than_deep
from vision.shape.net_rims import NetRims

# A rim of which less than this share shows has been taken for another edge.
_SUPPORT = 0.6
# Of a coin that has no name.
_USUAL_THICK_MM = 2.0
# So many places along a rim prove it.
_AROUND = 24


def known_coins(image_bgr: ImageBgr, plane: TablePlane, seen: Sequence[Detection]) -> tuple[Circle, ...]:
    """The rims of the named coins on the bare table, as large as the rim net says: where a coin is as bright as the
    ground or throws a shadow, its strongest edge is its border's or the shadow's, up to a tenth beside the rim."""
    named = [each for each in seen if each.kind == "coin" and each.cls in DIAMETER_MM]
    coins = [each for each in named if each.elevation_mm < ON_ANOTHER_MM]
    if not coins:
        return ()
    centres_mm = np.array([each.position_mm for each in coins], float)
    radii_mm = np.array([DIAMETER_MM[each.cls] / 2 for each in coins])
    heights_mm = np.array([each.elevation_mm + THICKNESS_MM[each.cls] for each in coins])
    rims = NetRims.seen(image_bgr, plane, centres_mm, radii_mm, heights_mm)
    return tuple(
        Circle(f"{coins[k].cls} {count}", rims.outline_px(k, plane, _AROUND), float(radii_mm[k]), float(heights_mm[k]))
        for count, k in enumerate(np.flatnonzero(rims.is_borne_out).tolist(), 1)
    )


def coins_wider(image_bgr: ImageBgr, plane: TablePlane, seen: Sequence[Detection]) -> list[float]:
    """By what share (log) each coin on the bare table, named or not, shows wider along the table's x than deep."""
    coins = [each for each in seen if each.kind == "coin" and each.elevation_mm < ON_ANOTHER_MM]
    centres_mm = np.array([each.position_mm for each in coins], float).reshape(-1, 2)
    radii_mm = np.array([np.sqrt(each.footprint.area / np.pi) for each in coins])
    heights_mm = np.array([each.elevation_mm + THICKNESS_MM.get(each.cls, _USUAL_THICK_MM) for each in coins])
    wider, support = wider_than_deep(image_bgr, plane, centres_mm, radii_mm, heights_mm)
    return [float(each) for each in wider[support > _SUPPORT]]
