"""What is likeliest wrong where references contradict one another, by how much, and what to do about it, in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.mistakes import DEPTH, LENS_FILE, WIDTH, Mistaken, Weighed, of_sides
from calibration.seen import Seen

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
    """One line that says what is likeliest wrong, or else that there is no telling; None where nothing is.

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
    told, cures = [], []
    for names, say in ((_SIDES, _sides), (_FILES, _file), (None, _things)):
        those = [each for each in likely if (each.what in names if names else each.what not in _SIDES | _FILES)]
        if those:
            sentence, cure = say(those, seen)
            told.append((max(each.odds for each in those), sentence))
            cures.append(cure)
    told.sort(reverse=True)
    return f"likeliest {', or '.join(sentence for _, sentence in told)}: {' and '.join(cures)}"


def _likely(mistaken: Mistaken) -> list[Weighed]:
    """By what is mistaken, the likeliest size of it, but for what is far less likely than the likeliest, or leaves too
    much."""
    best: dict[str, Weighed] = {}
    for each in sorted(mistaken.weighed, key=lambda each: each.odds):
        best[each.what] = each
    most = max((each.odds for each in best.values()), default=0.0)
    likely = [each for each in best.values() if each.odds > most - np.log(_LESS_LIKELY) and each.explains]
    return sorted(likely, key=lambda each: -each.odds)


def _sides(likely: list[Weighed], seen: Seen) -> tuple[str, str]:
    """What a side, told from the table's corner, would have to be."""
    sizes_mm = np.ptp(np.vstack([np.zeros(2), seen.points.table_mm[of_sides(seen.points)]]), axis=0)
    said = []
    for each in likely:
        size_mm = float(sizes_mm[0 if each.what == WIDTH else 1])
        off_mm = size_mm - size_mm / (1 + each.amount)
        too = "long" if off_mm > 0 else "short"
        said.append(f"the {each.what}, told as {size_mm:.0f} mm, is {abs(off_mm):.0f} mm too {too}")
    return " or ".join(said), f"measure {'both sides' if len(likely) > 1 else 'it'} again"


def _file(likely: list[Weighed], seen: Seen) -> tuple[str, str]:
    share = abs(likely[0].amount)
    return f"the lens file's focal length is {100 * share:.1f} % off", "measure the lens again"


def _things(likely: list[Weighed], seen: Seen) -> tuple[str, str]:
    """Which points and things lie off, and by how much."""
    single = {name for name, one in zip(seen.points.sources, seen.points.is_single, strict=True) if one}
    far = [f"{each.amount:.0f} {'px' if each.what in single else 'mm'}" for each in likely]
    said = [f"{each.what} is {by} off" for each, by in zip(likely, far, strict=True)]
    those = "it" if len(likely) == 1 else "them"
    cure = (
        f"click {those} again"
        if all(each.what in single for each in likely)
        else f"lay {those} right, or mend the set-up"
    )
    return " or ".join(said), cure


_Say = Callable[[list[Weighed], Seen], tuple[str, str]]
_SIDES, _FILES = frozenset((WIDTH, DEPTH)), frozenset((LENS_FILE,))
