"""Sample matches with no camera: set-up, table and what is typed, as a match log whose moves nobody judged yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shapely import Point, Polygon, box

from rules.clock import called
from rules.course.events import Event
from rules.files.log import MatchLog, match_header
from rules.games import game_named
from rules.match import Match, apply, start
from rules.scene import COIN_DIAMETER_MM, Piece, Point2, Scene
from rules.setup import Player, Setup
from rules.state import State
from rules.turn import coming_phase

LOG = "match.jsonl"
# Between two acts: time to read what the referee says.
EVERY_S = 4.0
INCH_MM = 25.4
ANN, BEN = Player("Ann", "red", "near"), Player("Ben", "blue", "far")

# ("phase",), ("move", piece, x, y), ("attack", piece, other), ("remove", piece): as a person types them.
Act = tuple[Any, ...]


@dataclass(frozen=True)
class TypedMatch:
    """One sample match."""

    game: str
    size_mm: Point2
    pieces: tuple[Piece, ...]
    acts: tuple[Act, ...]
    state: State = field(default_factory=State)
    house: Mapping[str, Any] = field(default_factory=dict)

    @property
    def setup(self) -> Setup:
        """Ann in red on the near side, Ben in blue on the far side."""
        legend = dict(game_named(self.game).legend)
        return Setup(self.game, self.size_mm, (ANN, BEN), legend=legend, house=self.house)


def write_typed_match(match: TypedMatch, path: Path) -> None:
    """Write the log: the table at the beginning, then every act as it is typed."""
    begun = start(match.setup, Scene(match.size_mm, match.pieces), match.state)
    with MatchLog.create(path, match_header(match.setup)) as log:
        log.append([begun.events[0], *typed(begun, match.acts)])


def typed(match: Match, acts: tuple[Act, ...]) -> Iterator[Event]:
    """The acts as events, each as it can be typed once those before it have been judged."""
    for number, act in enumerate(acts, start=1):
        event = _event(match, act, number * EVERY_S)
        match = called(apply(match, event), event.time_s)
        yield event


def _event(match: Match, act: Act, time_s: float) -> Event:
    kind, *rest = act
    if kind == "phase":
        fields = coming_phase(match.game, match.scene, match.setup, match.state)
        return Event(time_s, fields["turn"], fields["active"], kind, {k: fields[k] for k in ("phase", "active")})
    fields = {"move": _move, "attack": _attack, "remove": _remove}[kind](*rest)
    return Event(time_s, match.state.turn, match.state.active, kind, fields)


def _move(piece: str, x_mm: float, y_mm: float) -> dict[str, Any]:
    return {"piece": piece, "to_mm": [x_mm, y_mm]}


def _attack(piece: str, other: str) -> dict[str, Any]:
    return {"piece": piece, "other": other}


def _remove(piece: str) -> dict[str, Any]:
    return {"piece": piece}


def coin(name: str, cls: str, at: Point2, owner: str, face: str = "heads") -> Piece:
    """A coin that lies at `at`, table mm."""
    return Piece(name, "coin", cls, at, Point(at).buffer(COIN_DIAMETER_MM[cls] / 2), owner, face)


def figure(name: str, kind: Any, cls: str, at: Point2, owner: str, radius_mm: float = 12.5) -> Piece:
    """A soldier, or a miniature's base."""
    return Piece(name, kind, cls, at, Point(at).buffer(radius_mm), owner)


def thing(name: str, cls: str, shape: Polygon, height_mm: float | None = None) -> Piece:
    """A household thing that stands for terrain."""
    at = (shape.centroid.x, shape.centroid.y)
    return Piece(name, "terrain", cls, at, shape, "none", height_mm=height_mm)


def card(column: int, row: int, cls: str) -> Piece:
    """A face-up card in the grid of Pocket Wargame, 70 by 96 mm from card to card."""
    x, y = 70.0 * column, 64.0 + 96.0 * (row - 1)
    outline = box(x - 31.75, y - 44.45, x + 31.75, y + 44.45)
    return Piece(f"k{column}{row}", "card", cls, (x, y), outline, "none", rotation_deg=90.0)
