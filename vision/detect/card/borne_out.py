"""Which of the cards that hints show are borne out: by their edges, by their hints, or by what both ends say."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress

from calibration.plane import TablePlane
from vision.detect.card.card_ends import USUAL, Reading, both_ends
from vision.detect.card.card_hints import NAMED, Hint, unread
from vision.detect.card.card_hold import STRAIGHT_MM, SUPPORT
from vision.detect.card.hint_groups import A_DECK, SURE_HEAT, shows_both_ends, shows_two_signs
from vision.detect.card.strays import PLAINLY, Card, owed_share
from vision.frame import ImageBgr
from vision.shape.rectangle import RectangleFit

# One that nothing is read of has edge along so much of three of its sides: in the corner of a chalk line two are wholly
# edge, a third up to 0.54.
_A_SIDE = 0.6
# Sides of a deck's backs and jokers are found at either end of a border, and of the gap to the next card: holes among
# cards, bare table, are rather told by how much of their sides is edge (heats of 0.5 and more, 32 drawn grids: 0.64 at
# most, one 0.94, of backs 0.85 and more).
_OF_A_DECK_MM = 0.36


def borne_out(
    image_bgr: ImageBgr, plane: TablePlane, cards: list[Card], *, beyond_doubt: bool
) -> tuple[list[Card], list[Reading], list[bool]]:
    """The cards that their edges, their hints or their ends bear out, that of which most of the sides show first; what
    their ends say, and whether both ends are known."""
    straight_mm = straight_enough_mm(cards)
    told = sorted((card for card in cards if _may_be_told(*card)), key=lambda card: -card[1].support)
    ends = both_ends(image_bgr, plane, [fit for _, fit in told])
    are_cards = [is_borne_out(group, with_own_support(group, fit, cards), straight_mm) for group, fit in told]
    if ends.printed is not USUAL:
        told = [(unread(group), fit) for group, fit in told]
    of_two_signs = [shows_two_signs(group) or not beyond_doubt for group, _ in told]
    whole = [bool(agree) or shows_both_ends(group) for agree, (group, _) in zip(ends.agree, told, strict=True)]
    kept = [
        agree or (is_card and signs) for agree, is_card, signs in zip(ends.agree, are_cards, of_two_signs, strict=True)
    ]
    return list(compress(told, kept)), list(compress(ends.readings, kept)), list(compress(whole, kept))


def _may_be_told(group: list[Hint], fit: RectangleFit) -> bool:
    """Whether what both ends say may yet bear out the card that a group of hints shows."""
    return fit.support >= SUPPORT or group[0].is_index


def with_own_support(group: list[Hint], fit: RectangleFit, cards: list[Card]) -> RectangleFit:
    """The fit; of one by its middle alone that does not show its sides plainly the support is less by what may be the
    sides of cards beside it: bare table among four cards looks like a back."""
    if group[0].is_index or fit.support >= PLAINLY:
        return fit
    return replace(fit, support=fit.support - owed_share(fit, cards))


def is_borne_out(group: list[Hint], fit: RectangleFit, straight_mm: float = STRAIGHT_MM) -> bool:
    """Whether its edges or its readings bear out the card that a group of hints shows."""
    indices = [hint for hint in group if hint.is_index]
    shows_three = fit.support >= 2 * SUPPORT and sorted(fit.sides)[1] >= _A_SIDE
    has_sides = shows_three and fit.straight_mm <= STRAIGHT_MM
    if not indices:
        is_sure = group[0].heat >= SURE_HEAT
        is_plain = fit.support >= PLAINLY and fit.straight_mm <= (straight_mm if is_sure else STRAIGHT_MM)
        return is_plain or (is_sure and has_sides)
    if len(group) > 1:
        return fit.support >= SUPPORT or indices[0].heat > SURE_HEAT
    is_read = fit.support >= 2 * SUPPORT and indices[0].log_prob >= NAMED
    return is_read or has_sides or indices[0].heat > SURE_HEAT


def straight_enough_mm(cards: list[Card]) -> float:
    """How far off straight the plain sides of one without an index may be: farther where a deck lies."""
    sure = sum(group[0].is_index and len(group) > 1 and fit.support >= PLAINLY for group, fit in cards)
    return _OF_A_DECK_MM if sure >= A_DECK else STRAIGHT_MM
