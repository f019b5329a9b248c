"""What a referee of Pocket Wargame made of the battlefield, scene by scene, beside what truly lay there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rules.game import Ruling
from rules.match import Match
from rules.scene import Piece

SAME_PLACE_MM = 5.0
# squares      true ones, those told with column, row and card; cards that are told though they are none or face down
# units        true ones, those told, and of these with the right square, owner (POCKET-1.4), and with their reach
# flickers     squares whose ground changed from scene to scene though nobody touched the card
BATTLEFIELD = ("squares", "read", "false-cards", "units", "seen", "placed", "owned", "reach", "flickers")
PLAYERS = {1: "blue", -1: "red"}


def battlefield_counts(matches: Sequence[Match], truth: dict[str, Any]) -> Counter[str]:
    """What `BATTLEFIELD` names, over all scenes of a match."""
    counts = Counter(dict.fromkeys(BATTLEFIELD, 0))
    for match in matches:
        now = lying(truth, match.scene.time_s)
        cards = {name: piece for name, piece in now.items() if piece["kind"] == "card" and piece["class"] != "BACK"}
        covers = [r for r in match.rulings if r.kind == "cover"]
        read = sum(is_read(covers, match, piece, truth["grid"][name]) for name, piece in cards.items())
        counts += Counter({"squares": len(cards), "read": read})
        counts["false-cards"] += len(covers) - sum(near(match, covers, card) is not None for card in cards.values())
        counts += units_counts(match, now, cards, truth["grid"])
    counts["flickers"] += flickers(matches, truth)
    return counts


def lying(truth: dict[str, Any], t_s: float) -> dict[str, dict[str, Any]]:
    """All that lies on the table at a time."""
    cut = next(cut for cut in truth["intervals"] if cut["from_s"] <= t_s <= cut["to_s"])
    return {name: {"kind": "coin", **truth["pieces"][name], **piece} for name, piece in cut["pieces"].items()}


def near(match: Match, rulings: Iterable[Ruling], piece: dict[str, Any]) -> Ruling | None:
    """The ruling on the piece of that class that lies there."""
    return next((r for r in rulings if is_it(match.scene[str(r.piece)], piece)), None)


def is_it(seen: Piece, piece: dict[str, Any]) -> bool:
    """Whether what was seen is that piece."""
    return seen.cls == piece["class"] and math.dist(seen.position_mm, piece["position_mm"]) < SAME_PLACE_MM


def is_read(covers: Sequence[Ruling], match: Match, card: dict[str, Any], cell: Sequence[int]) -> bool:
    """Whether the card is told, in its column and row."""
    told = near(match, covers, card)
    return told is not None and list(told.extra["cell"]) == list(cell)


def units_counts(
    match: Match, now: dict[str, dict[str, Any]], cards: dict[str, dict[str, Any]], grid: dict[str, Sequence[int]]
) -> Counter[str]:
    """The units on the cards, and what was told of them."""
    told = [r for r in match.rulings if r.kind == "cohesion"]
    reaching = {r.piece for r in match.rulings if r.kind == "reach"}
    counts: Counter[str] = Counter()
    for coin in (piece for piece in now.values() if piece["kind"] == "coin"):
        name = next((n for n, card in cards.items() if lies_on(coin, card)), None)
        if name is None:
            continue
        ruling = near(match, told, coin)
        counts += Counter(units=1, seen=ruling is not None)
        if ruling is not None:
            placed, owner = list(ruling.extra["cell"]) == list(grid[name]), owner_of(coin, cards[name])
            counts += Counter(placed=placed, owned=ruling.extra["owner"] == owner, reach=ruling.piece in reaching)
    return counts


def lies_on(coin: dict[str, Any], card: dict[str, Any]) -> bool:
    """Whether its centre is over the card."""
    x, y = (a - b for a, b in zip(coin["position_mm"], card["position_mm"], strict=True))
    turn = math.radians(card["rotation_deg"])
    along, across = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    return abs(along) <= 44.45 and abs(across) <= 31.75


def owner_of(coin: dict[str, Any], card: dict[str, Any]) -> str:
    """The colour of its dot, or of the player whose end of the card it lies on; unknown within 4 mm of the middle."""
    if coin["owner"] != "none":
        return str(coin["owner"])
    beyond_mm = coin["position_mm"][1] - card["position_mm"][1]
    return PLAYERS[1 if beyond_mm > 0 else -1] if abs(beyond_mm) > 4 else "unknown"


def flickers(matches: Sequence[Match], truth: dict[str, Any]) -> int:
    """Squares whose ground changed from one scene to the next while no card did."""
    grounds = [{tuple(r.extra["cell"]): r.extra["terrain"] for r in m.rulings if r.kind == "cover"} for m in matches]
    cards = [_cards_at(truth, match.scene.time_s) for match in matches]
    pairs = list(zip(zip(grounds, cards, strict=True), list(zip(grounds, cards, strict=True))[1:], strict=False))
    return sum(len(set(was.items()) ^ set(now.items())) for (was, lay), (now, lies) in pairs if lay == lies)


def _cards_at(truth: dict[str, Any], t_s: float) -> dict[str, Any]:
    return {name: piece for name, piece in lying(truth, t_s).items() if piece["kind"] == "card"}
