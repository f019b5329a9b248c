"""What the referee says of the piece that was clicked: what it is, what it may do, and why not."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

from PyQt6.QtCore import QUrl, pyqtSignal
from PyQt6.QtGui import QTextDocument
from PyQt6.QtWidgets import QTextBrowser

from rules.course.declared import TARGET_KEYS
from rules.game import Ruling
from rules.match import Match
from rules.scene import Piece, Scene
from rules.setup import Player
from ui import theme
from ui.currency import has_no_part
from ui.owned import owned_scene
from ui.paint.hexes import hex_at
from ui.telling.words import class_name, margin_words, odds_words, piece_name

# Headings by kind of ruling, in the order in which a player asks: first what is being fought out.
_HEADINGS = {
    "melee": "Hand to hand",
    "reach": "May move",
    "target": "Targets",
    "blocked": "Stopped by",
    "sight": "Sees",
    "siege": "Siege",
    "settle": "Settle",
    "engaged": "Engaged with",
    "cohesion": "Cohesion",
    "control": "Objective",
    "cover": "Cover",
}
# Told by shape too: not everybody tells the green from the red.
_SIGNS = {"yes": "✓", "no": "✗", "close": "≈"}
# Rulings on what a piece may do, which some phases are not for.
_DEEDS = ("reach", "target")
_CLICK = "Click a piece, or go to the next with P: its reach, its targets with the odds, what blocks it and why."
_KEYS = "M and a click move it. Space pauses, → steps, N is the next phase, Ctrl+Z takes back, F fills the screen."
_REPLAY_KEYS = "→ or Space goes on, ← goes back, Home and End to the ends. Click an event to go there."


class PiecePanel(QTextBrowser):
    """The text beside the picture; `declared` carries the fields of an `attack` event, from a link beside a target, and
    `laid_out` tells that the text has another height."""

    declared = pyqtSignal(dict)
    laid_out = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._targets: list[Ruling] = []
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._declare)
        layout = self._text().documentLayout()
        assert layout is not None
        layout.documentSizeChanged.connect(lambda _: self.laid_out.emit())
        self.show_piece(None, None)

    def show_piece(self, match: Match | None, piece_id: str | None, *, acts: bool = True) -> None:
        """Show what `match` says of the piece; how to begin, if there is none.

        acts  whether the piece may be told to attack: not in a replay
        """
        if match is None or piece_id is None or piece_id not in match.scene:
            hints = (_CLICK, _KEYS if acts else _REPLAY_KEYS)
            self.setHtml("".join(f"<p style='color:{theme.QUIET}'>{hint}</p>" for hint in hints))
            return
        self._targets = targets_of(match, piece_id) if acts else []
        self.setHtml(piece_html(match, owned_scene(match), piece_id, self._targets))

    def text_height_px(self) -> int:
        """How high the panel is when all of its text shows."""
        return math.ceil(self._text().size().height()) + 2 * self.frameWidth()

    def _text(self) -> QTextDocument:
        document = self.document()
        assert document is not None
        return document

    def _declare(self, link: QUrl) -> None:
        self.declared.emit(attack_fields(self._targets[int(link.toString())]))


def targets_of(match: Match, piece_id: str) -> list[Ruling]:
    """What the piece may attack, or may perhaps."""
    own = (ruling for ruling in match.rulings if ruling.kind == "target" and ruling.piece == piece_id)
    return [ruling for ruling in own if ruling.verdict != "no"]


def attack_fields(target: Ruling) -> dict[str, Any]:
    """The data of the `attack` event that makes the attack of a `target` ruling."""
    how = {key: target.extra[key] for key in TARGET_KEYS if key in target.extra}
    return {"piece": target.piece, "other": target.other, **how}


def piece_html(match: Match, scene: Scene, piece_id: str, targets: list[Ruling]) -> str:
    """A piece of the scene and its rulings as HTML; the number of a target is the link to attack it.

    scene  with whose the pieces are
    """
    piece = scene[piece_id]
    own = [ruling for ruling in match.rulings if ruling.piece == piece.id]
    parts = [_title(piece), _facts(match, piece)]
    known = [kind for kind in _HEADINGS if any(ruling.kind == kind for ruling in own)]
    others = [kind for kind in dict.fromkeys(r.kind for r in own) if kind not in _HEADINGS]
    for kind in (*known, *others):
        parts.append(_section(scene, kind, [ruling for ruling in own if ruling.kind == kind], targets))
    return "".join(parts) if own else "".join((*parts, _idle(match, piece)))


def _idle(match: Match, piece: Piece) -> str:
    """Why nothing is ruled on a piece: it has no part, or, if it is a player's, nothing may act in the phase."""
    if has_no_part(piece, match.game.legend, match.setup.legend):
        said = f"{class_name(piece.cls)} has no part in the game: the set-up's [legend] may give it one"
        return f"<p>{escape(said)}</p>"
    phase, owner = match.state.phase, match.setup.player_of_colour(piece.owner)
    if phase is None or owner is None or any(ruling.kind in _DEEDS for ruling in match.rulings):
        return ""
    said = f"nothing moves or attacks in the phase '{phase}'"
    return f"<p>{escape(said)}</p>"


def _title(piece: Piece) -> str:
    colour, dot = theme.OWNERS.get(piece.owner, theme.YELLOW), "●"
    if theme.is_dark(colour):
        colour, dot = theme.PAPER, "○"
    name = "unknown" if piece.cls == "unknown" else class_name(piece.cls)
    return (
        f"<p style='font-size:26px; font-weight:600; margin:0'><span style='color:{colour}'>{dot}</span> "
        f"{escape(name)} <span style='color:{theme.QUIET}; font-weight:400'>{escape(piece.id)}</span></p>"
    )


def _facts(match: Match, piece: Piece) -> str:
    owner = match.setup.player_of_colour(piece.owner)
    facts = [
        owner.name if owner else {"unknown": "owner not known", "none": "nobody's"}.get(piece.owner, piece.owner),
        *([piece.face] if piece.kind == "coin" and piece.face != "unknown" else []),
        f"at {piece.position_mm[0]:.1f}, {piece.position_mm[1]:.1f} mm",
        f"±\N{NO-BREAK SPACE}{2.45 * piece.sigma_mm:.1f}\N{NO-BREAK SPACE}mm" if piece.sigma_mm else "",
        f"on {piece.on}" if piece.on else "",
        _hex(match, piece),
    ]
    waits = _waits(match, owner)
    said = escape(" · ".join(f for f in facts if f))
    return f"<p style='color:{theme.QUIET}; margin:2px 0 8px 0'>{said}{waits}</p>"


def _unbroken(odds: str) -> str:
    """A line may end between odds, not within them."""
    return ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in odds.split(", "))


def _with_units(margin: str) -> str:
    """No line ends between a number and its sign or unit: a narrow panel had "(±" above and "5.1)" below."""
    return margin.replace("± ", "±\N{NO-BREAK SPACE}").replace(" mm", "\N{NO-BREAK SPACE}mm")


def _hex(match: Match, piece: Piece) -> str:
    cell = hex_at(match, piece.position_mm)
    return f"hex {cell}".replace(" ", "\N{NO-BREAK SPACE}") if cell is not None else ""


def _waits(match: Match, owner: Player | None) -> str:
    """A line that says whose turn it is; nothing in the owner's own turn."""
    active = match.state.active
    if owner is None or active in (None, owner.name, owner.colour):
        return ""
    return f"<br><b>{escape(f'it is {_possessive(active)} turn')}</b>"


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _section(scene: Scene, kind: str, rulings: list[Ruling], targets: list[Ruling]) -> str:
    heading = _HEADINGS.get(kind, kind.capitalize())
    style = f"color:{theme.QUIET}; font-size:13px; font-weight:600; margin:12px 0 2px 0"
    return f"<p style='{style}'>{escape(heading.upper())}</p>" + "".join(_lines(scene, _best_first(rulings), targets))


def _best_first(rulings: Iterable[Ruling]) -> list[Ruling]:
    return sorted(rulings, key=lambda ruling: ("yes", "close", "no").index(ruling.verdict))


def _lines(scene: Scene, rulings: Iterable[Ruling], targets: list[Ruling]) -> Iterable[str]:
    for ruling in rulings:
        colour, sign = theme.VERDICTS[ruling.verdict], _SIGNS[ruling.verdict]
        other = ruling.other or ""
        name = piece_name(scene[other]) if other in scene else other
        # What is out of the question needs its reason, not its odds.
        odds = _unbroken(odds_words(ruling)) if ruling.verdict != "no" else ""
        parts = (name, odds, _with_units(margin_words(ruling)))
        strong = "<br>".join(f"<b>{escape(part)}</b>" for part in parts if part)
        body = escape(f"{ruling.why} ({ruling.rule})")
        yield (
            f"<p style='margin:4px 0 6px 0'><b style='color:{colour}'>{sign}</b> {strong}{'<br>' if strong else ''}"
            f"<span style='color:#C6CED6'>{body}</span>{_link(ruling, targets)}</p>"
        )


def _link(ruling: Ruling, targets: list[Ruling]) -> str:
    number = next((str(number) for number, target in enumerate(targets) if target is ruling), "")
    return f" <a style='color:{theme.YELLOW}' href='{number}'>attack</a>" if number else ""
