"""What is shown of a match: the marks and the banner, made once for each state and kept until it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rules.course.declared import asked_targets
from rules.course.events import TABLE_EVENTS, Event
from rules.game import Mark
from rules.match import Match
from ui.owned import owned_scene
from ui.paint.banner import Banner
from ui.paint.hexes import board_hexes, concerned_hexes
from ui.paint.marks import farther_marks, move_marks, piece_marks, ruling_marks, selection_marks, status_marks
from ui.playing.loop import Tick, last_done, last_told
from ui.telling.titles import short_title_in, title_in
from ui.telling.words import event_verdict, event_why
from vision.motion.change import Obstacle
from vision.stream.health import TroubleKind

HAND = "hand over the table"
LOOKING = "looking ..."
SOFT = "out of focus"
CAMERA_MOVED = "the camera was moved"
_ASIDE: Mapping[Obstacle, str] = MappingProxyType(
    {"arm": "an arm lies on the table", "restless": "something never rests: not read there"}
)
# What a glance at the picture should tell of it; the whole sentence is in the log and at the window's edge.
_TROUBLE: Mapping[TroubleKind, str] = MappingProxyType(
    {
        "lost": "the camera is lost",
        "broken": "the pictures arrive broken",
        "silent": "no new picture",
        "switched": "another picture size",
        "black": "the picture is black",
        "frozen": "the picture is frozen",
        "slow": "too few pictures a second",
        "dark": "the picture is too dark",
        "blurred": "the picture is blurred",
        "far": "the camera is too far away",
        "glare": "the picture is blown out",
        "grainy": "the picture is grainy",
        "grey": "the picture has no colour",
        "coded": "the picture is compressed too far",
        "flicker": "the light flickers",
        "restless": "something never stands still",
    }
)
WAITING = "looking at the table ..."


@dataclass(eq=False)
class View:
    """Marks and banner of what was last shown. While nothing changes the same tuple comes back, so that the overlay's
    layer is not drawn anew.

    ground  marks below all others: the board, if there is no camera
    named   whether pieces carry their names, as they must if no picture shows what they are
    """

    ground: tuple[Mark, ...] = ()
    named: bool = False
    _shown: tuple[Match | None, str | None] | None = None
    _marks: tuple[Mark, ...] = ()

    def marks(self, match: Match | None, before: Match | None, selected: str | None = None) -> tuple[Mark, ...]:
        """All that is drawn on the table: pieces, sieges, the last move, and what the selected piece may do."""
        if self._shown is None or self._shown[0] is not match or self._shown[1] != selected:
            self._shown = (match, selected)
            self._marks = (
                *self.ground,
                *(self._hexes(match, before, selected) if match is not None else ()),
                *(_marks(match, before, selected, named=self.named) if match is not None else ()),
            )
        return self._marks

    def _hexes(self, match: Match, before: Match | None, selected: str | None) -> tuple[Mark, ...]:
        """The whole grid where no picture shows it, else only the names that somebody looks for."""
        if self.named:
            return board_hexes(match)
        return concerned_hexes(match, selected, last_done(match, before))


def banner(match: Match | None, status: str = "", before: Match | None = None) -> Banner:
    """The last verdict and why, with the state of the eyes at the right.

    before  the match as it was before that: what an attack could be
    """
    if match is None:
        return Banner(WAITING, status=status)
    event, done = last_told(match, before), last_done(match, before)
    if event is None or done is None:
        return Banner(match.game.title, status=status)
    if done is event:
        why = event_why(event) or _fight(match, event) or _target(before, event)
        return Banner(title_in(match, event), why, event_verdict(event), status, short=short_title_in(match, event))
    # That a place is gone needs no second line.
    whys = (event_why(done), event_why(event) if event.fields.get("rule") else "")
    title, short = (" · ".join(name(match, told) for told in (done, event)) for name in (title_in, short_title_in))
    return Banner(title, "; ".join(why for why in whys if why), event_verdict(done), status, short=short)


def _fight(match: Match, event: Event) -> str:
    """What an attack that was declared waits for, or how it ends; nothing for other events."""
    fights = [ruling for ruling in match.rulings if ruling.kind == "melee"]
    if event.kind == "attack":
        pair = event.fields.get("piece"), event.fields.get("other")
        fights = [fight for fight in fights if (fight.piece, fight.other) == pair]
    if event.kind not in ("attack", "dice") or len(fights) != 1:
        return ""
    return f"{fights[0].rule}: {fights[0].why}"


def _target(before: Match | None, event: Event) -> str:
    """The rule and sentence that the referee gave on the attack before it was declared; "" if several could be meant.

    It says, for example, that an empty settlement is taken at once.
    """
    asked = asked_targets(before.rulings, event.fields) if before is not None and event.kind == "attack" else []
    possible = [ruling for ruling in asked if ruling.verdict != "no"]
    return f"{possible[0].rule}: {possible[0].why}" if len(possible) == 1 else ""


def banner_of(tick: Tick, status: str = "") -> Banner:
    """What a tick has to say: what the player must do before the match can go on, or else the last verdict."""
    if tick.camera is not None and tick.camera.advice:
        return Banner(tick.camera.happened, tick.camera.advice, "close", status)
    return banner(tick.match, status or status_of(tick), tick.before)


def status_of(tick: Tick) -> str:
    """What is wrong with the camera, or what the next scene waits for, in a few words; "" for nothing."""
    if tick.trouble is not None:
        return _TROUBLE[tick.trouble.kind]
    if tick.soft:
        return SOFT
    if tick.plane is None:
        return tick.camera.happened if tick.camera is not None else CAMERA_MOVED
    if tick.looking:
        return LOOKING
    return HAND if tick.frozen else _ASIDE[tick.aside] if tick.aside else ""


def _marks(match: Match, before: Match | None, selected: str | None, *, named: bool) -> tuple[Mark, ...]:
    # What is told of the selected piece stands there already: a card would be named twice.
    others = [ruling for ruling in match.rulings if selected is None or ruling.piece != selected]
    pieces = (*piece_marks(owned_scene(match), named=named), *status_marks(match.scene, others))
    if selected is not None and selected in match.scene:
        return (*selection_marks(match.scene, selected, match.rulings), *pieces)
    return (*_last_move(match, before), *pieces)


def _last_move(match: Match, before: Match | None) -> tuple[Mark, ...]:
    """The arrow of the last move, over the reach that the piece had: it shows at a glance why the verdict is so."""
    event = last_done(match, before)
    if event is None or event.kind not in TABLE_EVENTS:
        return ()
    return (*_former_reach(event, before), *_arrow(event))


def _arrow(event: Event) -> tuple[Mark, ...]:
    from_mm, to_mm = event.fields.get("from_mm"), event.fields.get("to_mm")
    if not from_mm or not to_mm:
        return ()
    return move_marks(tuple(from_mm), tuple(to_mm), str(event.fields.get("verdict") or "close"))


def _former_reach(event: Event, before: Match | None) -> tuple[Mark, ...]:
    if before is None or event.kind != "move":
        return ()
    own = [r for r in before.rulings if r.piece == event.fields.get("piece") and r.kind == "reach"]
    farther = (mark for ruling in own for mark in farther_marks(ruling, event.fields.get("ap", 1)))
    return (*farther, *(mark for ruling in own for mark in ruling_marks(before.scene, ruling)))
