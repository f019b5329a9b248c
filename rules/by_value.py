"""Things that are equal for equal values, so that answers about them can be kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import cached_property


class ByValue(ABC):
    """Compared and hashed by `key`; the hash, which polygons and states make long, is worked out once."""

    @property
    @abstractmethod
    def key(self) -> tuple[Hashable, ...]:
        """All that an answer may depend on."""

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ByValue) or type(other) is not type(self):
            return False
        return self._hash == other._hash and self.key == other.key
