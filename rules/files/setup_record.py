"""The rules' share of a set-up as JSON, for the head of a match log: a replay needs no other file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from shapely.geometry import mapping

from rules.files.json_file import validated
from rules.files.map_file import SCHEMA as MAP_SCHEMA
from rules.files.map_file import map_from
from rules.map import Map
from rules.setup import CARD_SIZE_MM, LONGEST_CARD_MM, LONGEST_TABLE_MM, SHORTEST_CARD_MM, Player, Setup

TableSide = Annotated[float, Field(gt=0, le=LONGEST_TABLE_MM, allow_inf_nan=False)]
CardSide = Annotated[float, Field(ge=SHORTEST_CARD_MM, le=LONGEST_CARD_MM, allow_inf_nan=False)]


class _Player(BaseModel):
    name: str
    colour: str
    side: str = "near"


class _Table(BaseModel):
    size_mm: tuple[TableSide, TableSide] = (700.0, 500.0)
    currency: str | None = None


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore")

    game: str
    table: _Table = Field(default_factory=_Table)
    player: list[_Player] = Field(default_factory=list)
    map: dict[str, Any] | None = None
    legend: dict[str, str] = Field(default_factory=dict)
    rules: dict[str, Any] = Field(default_factory=dict)
    card: str = "poker"
    card_mm: tuple[CardSide, CardSide] = CARD_SIZE_MM["poker"]


def setup_record(setup: Setup) -> dict[str, Any]:
    """The set-up with the keys of the set-up file; the map is written out, not named."""
    return {
        "game": setup.game,
        "table": {"size_mm": list(setup.table_size_mm)} | ({"currency": setup.currency} if setup.currency else {}),
        "player": [{"name": p.name, "colour": p.colour, "side": p.side} for p in setup.players],
        "map": _map_document(setup.map) if setup.map is not None else None,
        "legend": dict(setup.legend),
        "rules": dict(setup.house),
        "card": setup.card,
        "card_mm": list(setup.card_mm),
    }


def setup_from_record(record: Any, where: str) -> Setup:
    """The set-up of a log's head; ValueError names the key at fault."""
    parsed = validated(_Record, record, where)
    return Setup(
        game=parsed.game,
        table_size_mm=parsed.table.size_mm,
        players=tuple(Player(p.name, p.colour, p.side) for p in parsed.player),
        map=map_from(parsed.map, f"{where}: map") if parsed.map is not None else None,
        legend=parsed.legend,
        house=parsed.rules,
        card_mm=parsed.card_mm,
        card=parsed.card,
        currency=parsed.table.currency,
    )


def _map_document(drawn: Map) -> dict[str, Any]:
    features: list[dict[str, Any]] = [
        *({"kind": "road", "class": road.cls, "ref": road.ref, "of": road.line} for road in drawn.roads),
        *(
            {"kind": "settlement", "class": place.cls, "name": place.name, "port": place.port, "of": place.geometry}
            for place in drawn.places
        ),
        *({"kind": "land", "of": area} for area in drawn.land),
        *({"kind": "water", "of": area} for area in drawn.water),
        *({"kind": "river", "of": line} for line in drawn.rivers),
    ]
    return {"type": "FeatureCollection", "schema": MAP_SCHEMA, "features": [_feature(**known) for known in features]}


def _feature(of: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": mapping(of), "properties": properties}
