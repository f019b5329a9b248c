"""Answers that are kept, where many questions are asked at once: only new ones are worked out, and these together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


class Kept(Generic[Question, Answer]):
    """As `functools.lru_cache`, but what is new in a call is answered in one pass over arrays.

    answers  the answers to different questions, in their order; none is None
    most     no more than twice as many are kept; those go that were not asked for longest
    """

    def __init__(self, answers: Callable[[Sequence[Question]], Iterable[Answer]], most: int) -> None:
        self._answers, self._most = answers, most
        self._old: dict[Question, Answer] = {}
        self._new: dict[Question, Answer] = {}

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """The answers, in the order of the questions."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        found: list[Any] = list(map(self._new.get, questions))
        missing = [place for place, answer in enumerate(found) if answer is None]
        if missing:
            self._add(dict.fromkeys(questions[place] for place in missing))
            for place in missing:
                found[place] = self._new[questions[place]]
        return found

    def cache_clear(self) -> None:
        """Forget all."""
        self._old, self._new = {}, {}

    def _add(self, missing: Iterable[Question]) -> None:
        self._new.update((one, self._old[one]) for one in missing if one in self._old)
        unknown = [one for one in missing if one not in self._old]
        if unknown:
            self._new.update(zip(unknown, self._answers(unknown), strict=True))
