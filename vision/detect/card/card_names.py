"""What a card is by all that is read of it: its indices, its middle, its ends."""

from __future__ import annotations

import numpy as np

from rules.scene import UNKNOWN
from vision.detect.card.card_ends import Reading
from vision.detect.card.card_hints import NAMED, Hint
from vision.detect.card.twice_read import weighed

# So sure are middles of backs beside an index that cannot be read, all but two of 45 of 26 decks; those of jokers that
# pass for backs are 0.94 at most (60 rendered pairs of cards on one another).
_SURELY_BACK = float(np.log(0.98))


def told_name(group: list[Hint], reading: Reading) -> Reading:
    """The likelier of what its ends say and of what its hints say; the print of a back may pass for a joker's sign, or
    for an index at which the net sees none that can be read."""
    by_hints = _by_hints_alone(group)
    readings = sorted((by_hints, reading), key=lambda told: told.log_prob if told.cls != UNKNOWN else -np.inf)
    best = weighed(readings[1]._replace(of_ranks=reading.of_ranks), readings[0])
    back = max((hint.log_prob for hint in group if hint.cls == "BACK"), default=-np.inf)
    shows_index = any(hint.is_index and hint.log_prob >= NAMED for hint in group)
    is_surely_back = back >= _SURELY_BACK and not shows_index
    if back > max(best.log_prob, NAMED) and (best.cls == "JOKER" or is_surely_back):
        return Reading("BACK", back, back)
    return best


def _by_hints_alone(group: list[Hint]) -> Reading:
    """What the indices of a card say, or else its middle, with the log probability."""
    indices = [hint for hint in group if hint.is_index]
    if not indices:
        return Reading(group[0].cls, group[0].log_prob, group[0].log_prob)
    best = max(indices, key=lambda hint: hint.log_prob)
    log_prob = sum(hint.log_prob for hint in indices if hint.cls == best.cls) / len(indices)
    return Reading(best.cls, log_prob, log_prob)
