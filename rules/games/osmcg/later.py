"""Properties of a ruling that are worked out when somebody asks for them: most are of pieces that nobody looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Later(Mapping[str, Any]):
    """Told properties, and others that are worked out once, on the first look. As good as a dict for who reads it."""

    def __init__(self, told: Mapping[str, Any], later: Mapping[str, Callable[[], Any]]) -> None:
        """`told` as they are; each of `later` without arguments gives the property's value."""
        self._told = dict(told)
        self._later = dict(later)

    def __getitem__(self, key: str) -> Any:
        if key not in self._told and key in self._later:
            self._told[key] = self._later[key]()
        return self._told[key]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._told, **self._later})

    def __len__(self) -> int:
        return len(self._told.keys() | self._later.keys())
