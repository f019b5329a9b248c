"""The ruling file, `sandtable/ruling/1`: the referee's answers as a GeoJSON FeatureCollection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shapely.geometry import mapping

from rules.game import Ruling
from rules.scene_file import rounded

SCHEMA = "sandtable/ruling/1"
# A hundredth of a micrometre: true to size for anybody who compares with exact geometry.
_DECIMALS = 6


def rulings_document(rulings: Iterable[Ruling]) -> dict[str, Any]:
    """The rulings as a JSON-ready document."""
    return {"type": "FeatureCollection", "schema": SCHEMA, "features": [_feature(ruling) for ruling in rulings]}


def _feature(ruling: Ruling) -> dict[str, Any]:
    geometry = ruling.geometry
    drawn = geometry is not None and not geometry.is_empty
    return {
        "type": "Feature",
        "geometry": rounded(mapping(geometry), _DECIMALS) if drawn and geometry is not None else None,
        "properties": {
            "ruling": ruling.kind,
            "piece": ruling.piece,
            "other": ruling.other,
            "verdict": ruling.verdict,
            "margin_mm": round(ruling.margin_mm, _DECIMALS),
            "sigma_mm": round(ruling.sigma_mm, _DECIMALS),
            "rule": ruling.rule,
            "why": ruling.why,
            **ruling.extra,
        },
    }
