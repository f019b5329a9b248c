"""The players' books in the state: mana, cards, victory points and what missions count (rulebook 2.3, 4, 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules import turn
from rules.state import State

Page = Mapping[str, Any]


def page_of(state: State, player: str) -> Page:
    """A player's book as the state has it; empty for whom nobody keeps one."""
    page: Page = state.counters.get("players", {}).get(player, {})
    return page


def booked(state: State, player: str, change: Callable[[Page], Page]) -> State:
    """The state with a player's book changed."""
    books = dict(state.counters.get("players", {}))
    return turn.with_counters(state, {"players": {**books, player: dict(change(page_of(state, player)))}})


def added(page: Page, **amounts: float) -> dict[str, Any]:
    """The page with amounts added; mana beyond the maximum is lost."""
    after = {**page, **{key: page.get(key, 0) + amount for key, amount in amounts.items()}}
    if page.get("mana_max") is not None and "mana" in after:
        after["mana"] = min(after["mana"], page["mana_max"])
    return after


def gained(page: Page, mana: float) -> dict[str, Any]:
    """The page with that mana added; of a player whose mana nobody told it is not counted."""
    return added(page, mana=mana) if "mana" in page else dict(page)


def moved_card(page: Page, giver: str, taker: str) -> dict[str, Any]:
    """The page with a card moved from one pile to another, as far as the piles are told and hold one."""
    given = min(1, size_of(page.get(giver), 1))
    piles = {giver: -given, taker: given}
    changed = {pile: size_of(page[pile], 0) + by for pile, by in piles.items() if page.get(pile) is not None}
    return {**page, **changed}


def size_of(pile: Any, unknown: int) -> int:
    """How many cards: of a number, of a list of cards, or of a pile that nobody told."""
    if pile is None:
        return unknown
    return len(pile) if isinstance(pile, list) else int(pile)


def tallied(page: Page, **amounts: float) -> dict[str, Any]:
    """The page with amounts added to its tally."""
    tally = page.get("tally", {})
    return {**page, "tally": {**tally, **{key: tally.get(key, 0) + amount for key, amount in amounts.items()}}}


def spent(state: State, player: str, mana: float, card: Any) -> State:
    """The state after a card was paid for; it leaves the hand. ValueError if the mana does not suffice."""
    page = page_of(state, player)
    if mana > page.get("mana", mana):
        raise ValueError(f"play: {player} has {page['mana']:g} mana, and {card or 'the card'} costs {mana:g}")
    paid = {**page, "mana": page["mana"] - mana} if "mana" in page else page
    return booked(state, player, lambda _: tallied(moved_card(paid, "hand", "discard"), mana_spent=mana))


def drawn(page: Page) -> dict[str, Any]:
    """The page after one card was drawn; from an empty deck the discard pile is shuffled first."""
    if page.get("deck") is not None and size_of(page["deck"], 0) == 0:
        page = {**page, "deck": size_of(page.get("discard"), 0), "discard": 0}
    return moved_card(page, "deck", "hand")


def rested(page: Page, gifts: float) -> dict[str, Any]:
    """The page at its player's upkeep: Regen and gifts, up to the maximum."""
    begun_with = {"mana": 0} if "regen" in page else {}
    return gained({**begun_with, **page}, page.get("regen", 0) + gifts)


def begun(page: Page) -> dict[str, Any]:
    """The page at the start of any turn: what was spent and dealt in one turn is counted anew."""
    return {**page, "tally": {**page.get("tally", {}), "mana_spent": 0, "hero_damage": 0}}
