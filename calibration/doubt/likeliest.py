"""What is likeliest wrong where references contradict one another, by how much, and what to do about it, in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.doubt.mistakes import DEPTH, LENS_FILE, WIDTH, Mistaken, Weighed, of_sides
from calibration.fit.seen import Seen

# What is this many times less likely than the likeliest is not named.
_LESS_LIKELY = 20.0
# Of more than so many things nobody is told which.
_MOST_NAMED = 4
_ANYTHING = (
    "and it may be a reference, a told side or the lens file: click again, measure both sides, or lay down one more "
    "(a card, a marker), which tells them apart"
)

CONTRADICT = "the references contradict one another"


def in_words(mistaken: Mistaken | None, seen: Seen, *, is_contradicted: bool) -> str | None:
    """One line that says what is likeliest wrong, or that nothing tells which it is; None where nothing is wrong.

    is_contradicted  whether no camera explains them all, whatever is `mistaken`
    """
    is_likelier = mistaken is not None and mistaken.moves_table
    if not (is_contradicted or is_likelier):
        return None
    likeliest = _likeliest(mistaken, seen) if mistaken is not None else None
    return f"{CONTRADICT}, {likeliest or 'and there is no telling which is wrong: add one more'}"


def _likeliest(mistaken: Mistaken, seen: Seen) -> str | None:
    """The mistake, or the few, that explain what the references contradict one another by; None where none of them is
    likelier than hands that were rough, or leaves no more than such hands do."""
    likely = _likely(mistaken)
    if not (mistaken.is_likelier and likely):
        return None
    if len(likely) > _MOST_NAMED:
        return _ANYTHING
    kinds: dict[_Say, list[Weighed]] = {}
    for each in likely:
        kinds.setdefault(_SAY.get(each.what, _things), []).append(each)
    told, cures = zip(*(say(those, seen, len(kinds) == 1) for say, those in kinds.items()), strict=True)
    return f"likeliest {', or '.join(told)}: {' and '.join(cures)}"


def _likely(mistaken: Mistaken) -> list[Weighed]:
    """By what is mistaken, the likeliest size of it, but for what is far less likely than the likeliest, or leaves too
    much."""
    best: dict[str, Weighed] = {}
    for each in sorted(mistaken.weighed, key=lambda each: each.odds):
        best[each.what] = each
    most = max((each.odds for each in best.values()), default=0.0)
    likely = [each for each in best.values() if each.odds > most - np.log(_LESS_LIKELY) and each.explains]
    return sorted(likely, key=lambda each: -each.odds)


def _sides(likely: list[Weighed], seen: Seen, is_all: bool) -> tuple[str, str]:
    """What a side, told from the table's corner, would have to be."""
    sizes_mm = np.ptp(np.vstack([np.zeros(2), seen.points.table_mm[of_sides(seen.points)]]), axis=0)
    said = []
    for each in likely:
        size_mm = float(sizes_mm[0 if each.what == WIDTH else 1])
        off_mm = size_mm - size_mm / (1 + each.amount)
        too = "long" if off_mm > 0 else "short"
        said.append(f"the {each.what}, told as {size_mm:.0f} mm, is {abs(off_mm):.0f} mm too {too}")
    one = "it" if is_all else f"the {likely[0].what}"
    return " or ".join(said), f"measure {'both sides' if len(likely) > 1 else one} again"


def _file(likely: list[Weighed], seen: Seen, is_all: bool) -> tuple[str, str]:
    share = abs(likely[0].amount)
    return f"the lens file's focal length is {100 * share:.1f} % off", "measure the lens again"


def _things(likely: list[Weighed], seen: Seen, is_all: bool) -> tuple[str, str]:
    """Which points and things lie off, and by how much."""
    names = [each.what for each in likely]
    are_clicks = [seen.points.sources.count(name) == 1 for name in names]
    far = [f"{each.amount:.0f} {'px' if click else 'mm'}" for each, click in zip(likely, are_clicks, strict=True)]
    said = [f"{name} is {by} off" for name, by in zip(names, far, strict=True)]
    those = ("it" if len(names) == 1 else "them") if is_all else " and ".join(names)
    return " or ".join(said), f"click {those} again" if all(are_clicks) else f"lay {those} right, or mend the set-up"


# In words what those of one kind did, and what to do; whether nothing of another kind is named beside them.
_Say = Callable[[list[Weighed], Seen, bool], tuple[str, str]]
_SAY: dict[str, _Say] = {WIDTH: _sides, DEPTH: _sides, LENS_FILE: _file}
