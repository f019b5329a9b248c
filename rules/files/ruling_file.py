"""The ruling file, `sandtable/ruling/1`: the referee's answers as a GeoJSON FeatureCollection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import shapely
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from rules.files.geojson import geometry_document
from rules.files.scene_file import rounded
from rules.game import Ruling

SCHEMA = "sandtable/ruling/1"
# A hundredth of a micrometre: true to size for anybody who compares with exact geometry.
_DECIMALS = 6


def rulings_document(rulings: Iterable[Ruling]) -> dict[str, Any]:
    """The rulings as a JSON-ready document."""
    return {"type": "FeatureCollection", "schema": SCHEMA, "features": [_feature(ruling) for ruling in rulings]}


def _feature(ruling: Ruling) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": None if ruling.geometry is None else _drawn(ruling.geometry),
        "properties": {
            "ruling": ruling.kind,
            "piece": ruling.piece,
            "other": ruling.other,
            "verdict": ruling.verdict,
            "margin_mm": round(ruling.margin_mm, _DECIMALS) + 0.0,  # no minus before a nought
            "sigma_mm": round(ruling.sigma_mm, _DECIMALS),
            "rule": ruling.rule,
            "why": ruling.why,
            **rounded(dict(ruling.extra), _DECIMALS),
        },
    }


def _drawn(geometry: BaseGeometry) -> dict[str, Any] | None:
    """The geometry as GeoJSON, rounded; regions that rounding would make touch themselves are snapped to its grid.

    None for what is empty, or thinner or shorter than the decimals.
    """
    if geometry.is_empty or (shapely.get_dimensions(geometry) > 0 and geometry.length < 10**-_DECIMALS):
        return None
    drawn: dict[str, Any] = rounded(geometry_document(geometry), _DECIMALS)
    if geometry.area == 0 or shape(drawn).is_valid:
        return drawn
    snapped = shapely.set_precision(shapely.make_valid(geometry), 10**-_DECIMALS)
    return None if snapped.is_empty else dict(rounded(geometry_document(snapped), _DECIMALS))
