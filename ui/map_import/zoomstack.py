"""OS Open Zoomstack, which says in one word, `type`, what other open products of Ordnance Survey say in several.

Source: OS Open Zoomstack's layers and values, as Ordnance Survey's own stylesheets for its GeoPackage name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

# What a road in a tunnel is, whose own class is not told, by its layer.
_TUNNELS = MappingProxyType(
    {"roads_national": "primary road", "roads_regional": "b road", "roads_local": "local street"}
)
_ROAD_TYPES = MappingProxyType({"primary": "primary road", "minor": "minor road", "local": "local street"})
# Each river is there once for every scale: these two are those of 1:100 000 to 1:600 000.
_RIVERS = ("national", "regional")


def in_other_words(known: Mapping[str, Any], layer: str) -> Mapping[str, Any]:
    """The properties of a feature as OS Open Roads, OS Open Names and OS Open Rivers would name them; those of other
    data as they are."""
    kind = str(known.get("type") or "").lower()
    if kind and layer in _TUNNELS:
        cls = _TUNNELS[layer] if kind == "tunnels" else _ROAD_TYPES.get(kind, kind)
        return {**known, "road_classification": cls, "ref": known.get("number")}
    if kind and layer == "names":
        return {**known, "local_type": kind}
    if kind in _RIVERS and layer == "waterlines":
        return {**known, "form": "river"}
    return known
