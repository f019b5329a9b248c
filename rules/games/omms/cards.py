"""What cards buy (OMMS-6.2). A card is rank and suit: "10H", "KD", "AS"; jokers buy nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rules.games.omms.coins import GUARD, INVADER, SCOUT

CLUBS, SPADES, HEARTS, DIAMONDS = "C", "S", "H", "D"
ROYALS: Mapping[str, str] = MappingProxyType({"J": SCOUT, "Q": GUARD, "K": INVADER})
PURCHASES: Mapping[str, str] = MappingProxyType({CLUBS: "unit", SPADES: "construction", HEARTS: "food"})
_RANKS: Mapping[str, int] = MappingProxyType({"A": 1, **{str(pips): pips for pips in range(2, 11)}})


def value(card: str) -> int:
    """What a card counts: its pips, an ace 1, royals and jokers nothing."""
    return _RANKS.get(card[:-1], 0)


def suit(card: str) -> str:
    """Its suit letter; of a joker none."""
    return card[-1] if card[:-1] in _RANKS or card[:-1] in ROYALS else ""


def worth(cards: Sequence[str], of_suit: str) -> int:
    """What cards are worth together for a purchase: those of the suit in full, diamonds half, rounded down once.

    Cards of other suits, royals and jokers count nothing. For the suit of diamonds itself, diamonds count in full.
    """
    own = sum(value(card) for card in cards if suit(card) == of_suit)
    if of_suit == DIAMONDS:
        return own
    return own + sum(value(card) for card in cards if suit(card) == DIAMONDS) // 2


def buys(cards: Sequence[str], creation_total: int, of_suit: str) -> bool:
    """Whether discarding these cards buys what their suit buys: one at least is of it, no royal; the excess is lost."""
    return worth(cards, of_suit) >= creation_total and any(suit(card) == of_suit and value(card) for card in cards)


def buys_two_cards(first: str, second: str) -> bool:
    """Whether two cards buy two new ones: a diamond and a card that is neither royal nor a diamond."""
    one, other = (first, second) if suit(first) == DIAMONDS else (second, first)
    return suit(one) == DIAMONDS and value(one) > 0 and suit(other) in (*PURCHASES,) and value(other) > 0


def royal_unit(card: str) -> str | None:
    """The unit that a Jack, Queen or King places; None for other cards."""
    return ROYALS.get(card[:-1]) if suit(card) else None


def affordable(hand: Sequence[str], creation_total: int) -> dict[str, bool]:
    """What a hand can buy, each alone: unit, construction, food, an attack die."""
    bought = {name: buys(hand, creation_total, of_suit) for of_suit, name in PURCHASES.items()}
    return {**bought, "attack_die": buys(hand, creation_total, DIAMONDS)}


def bought_with(played: Sequence[str], creation_total: int) -> list[str]:
    """What cards that are played together can buy: the units of royals, and what the others are worth."""
    royals = [unit for unit in map(royal_unit, played) if unit is not None]
    others = [card for card in played if royal_unit(card) is None]
    found = [name for name, can in affordable(others, creation_total).items() if can]
    two = ["two cards"] if len(others) == 2 and buys_two_cards(*others) else []
    return [*royals, *found, *two]
