"""Taking a saved match up again: its state from the log, and its pieces found again among those that are seen now."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rules.course.events import Event
from rules.course.history import effective
from rules.course.laid import laid_as
from rules.course.pairing import NOTHING_READ, Read, paired
from rules.course.pile import Pile, as_held, laid_meanwhile, piles, stands_for
from rules.course.renamed import renamed
from rules.game import Game
from rules.match import Match, read_log, replay
from rules.scene import Piece, Scene


def resume(path: Path, game: Game | None = None) -> Match:
    """The match as its log left it; ValueError says what in the log cannot be followed, and where."""
    header, events = read_log(path)
    try:
        return replay(header, events, game=game)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


@dataclass(frozen=True)
class Names:
    """Under which name each piece goes on that a camera numbered anew.

    known  by the camera's own id
    taken  names that the match has used, so that no new piece inherits what was said of one that has gone
    read   what the camera read of pieces that a person put right, by the match's names: it reads them so again
    piles  what the match held for certain and the camera sees as one doubtful coin, by the camera's own id
    """

    taken: frozenset[str] = frozenset()
    known: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    read: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: MappingProxyType({}))
    piles: Mapping[str, Pile] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, match: Match) -> Names:
        """Nothing seen yet: only the names that the match has used."""
        told = (id_ for event in match.events for id_ in (event.fields.get("piece"), *_feature_ids(event)))
        ids = frozenset(id_ for id_ in told if isinstance(id_, str))
        read: dict[str, Mapping[str, Any]] = {}
        for event in effective(match.events):
            if event.kind == "correction":
                read[event.fields["piece"]] = {**read.get(event.fields["piece"], {}), **event.fields.get("was", {})}
        return cls(ids, read=read)

    def covering(self, seen: Scene, agreed: Scene, lain: Scene | None = None) -> Names:
        """With a name for every piece of `seen`: at the first look that of an old piece, later a free one.

        lain  `agreed` with what a hand moved or took away where the eyes showed it
        """
        names = self._spread(seen) if self.known else self._first(seen, agreed, lain or agreed)
        known, taken = dict(names.known), names.taken | set(names.known.values())
        for piece in seen:
            if piece.id not in known:
                known[piece.id] = _free_name(piece.id, taken, seen)
                taken |= {known[piece.id]}
        return replace(names, taken=taken, known=known)

    def named(self, seen: Scene, agreed: Scene) -> Scene:
        """The scene with its pieces under their agreed names; coins that it shows as one doubtful coin lie as agreed.

        agreed  with what a hand moved or took away where the eyes showed it
        """
        pieces: list[Piece] = []
        for now, piece in zip(seen, renamed(seen, self.known), strict=True):
            pile = self.piles.get(now.id, (piece,))
            held = [_as_it_lay(was, agreed[was.id]) for was in pile if was.id in agreed]
            pieces += held if len(pile) > 1 else [as_held(piece, pile[0])]
        return replace(seen, pieces=tuple(pieces))

    def _first(self, seen: Scene, agreed: Scene, lain: Scene) -> Names:
        lying = _lying(seen, agreed, lain)
        known = {now: was for now, was in names_after(seen, lying, self.read, agreed).items() if was in lying}
        laid = laid_meanwhile(seen, lying, known, self.read)
        return replace(self, known=known, piles=piles(seen, laid, known, self.read))

    def _spread(self, seen: Scene) -> Names:
        """Without piles that are seen otherwise than at first: their pieces are found again among what is new there."""
        spread = {
            now: pile
            for now, pile in self.piles.items()
            if len(pile) > 1 and not (now in seen and stands_for(seen[now], pile, self.read))
        }
        known = {now: was for now, was in self.known.items() if now not in spread}
        new = replace(seen, pieces=tuple(piece for piece in seen if piece.id not in known))
        lain = replace(seen, pieces=tuple(piece for pile in spread.values() for piece in pile))
        left = {now: pile for now, pile in self.piles.items() if now not in spread}
        return replace(self, known={**known, **paired(new, lain, self.read)}, piles=left)


def names_after(seen: Scene, agreed: Scene, read: Read = NOTHING_READ, instead: Scene | None = None) -> dict[str, str]:
    """By which name each piece that is seen now goes on, after a program's end gave all of them new ids.

    Pieces are paired as likely as may be (`rules.course.pairing`), however far they were moved meanwhile; what is new
    keeps its id, or takes the next number that is free where an old piece has that name.

    read     what a camera read of old pieces that a person put right, by their names: either may be seen
    instead  some of the old ones, where they may lie instead
    """
    names = paired(seen, agreed, read, instead)
    taken = {piece.id for piece in agreed} | set(names.values())
    for piece in seen:
        if piece.id not in names:
            names[piece.id] = _free_name(piece.id, taken, seen)
            taken.add(names[piece.id])
    return names


def _lying(seen: Scene, agreed: Scene, lain: Scene) -> Scene:
    """Each piece where it lay, if anything is seen to lie there; else as agreed, and none that is gone."""
    if lain is agreed:
        return agreed
    covered = {piece.id for piece in lain if _is_covered(piece, seen)}
    left = (piece for piece in lain if piece.id in covered or piece.id in agreed)
    return replace(lain, pieces=tuple(piece if piece.id in covered else agreed[piece.id] for piece in left))


def _as_it_lay(was: Piece, agreed: Piece) -> Piece:
    """A piece of a pile in its place there: it may have come there only since what was agreed."""
    return replace(laid_as(agreed, was), sigma_mm=was.sigma_mm)


def _is_covered(piece: Piece, seen: Scene) -> bool:
    return any(math.dist(now.position_mm, piece.position_mm) <= now.radius_mm for now in seen)


def _feature_ids(event: Event) -> list[Any]:
    """Of a scene: what an event that is not known calls so, nobody knows."""
    return [feature.get("id") for feature in event.fields.get("features", ())] if event.kind == "scene" else []


def _free_name(name: str, taken: AbstractSet[str], seen: Scene) -> str:
    """The name itself, or with the number after the highest that is known: that of an old piece is no new one's."""
    if name not in taken:
        return name
    letters = name.rstrip("0123456789")
    known = [*taken, *(piece.id for piece in seen)]
    numbers = [each.removeprefix(letters) for each in known if each.startswith(letters)]
    return f"{letters}{1 + max((int(number) for number in numbers if number.isdecimal()), default=1)}"
