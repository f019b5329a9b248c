"""Which few references are trusted first, to see which others agree with them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from calibration.fit.degenerate import lie_on_line
from calibration.fit.seen import Seen

# So many points of one source (a sheet, a map's roads) hold a plane without another.
RICH = 12
_MOST = 60


def trusted_few(seen: Seen) -> list[tuple[str, ...]]:
    """One rich source, two with more than four points between them, or four single points, of those that lie fixed."""
    counts = {name: seen.points.sources.count(name) for name in seen.points.groups}
    fixed = [name for name in counts if name not in seen.points.loose] or list(counts)
    single = [name for name in fixed if counts[name] == 1]
    pairs = [pair for pair in combinations(fixed, 2) if counts[pair[0]] + counts[pair[1]] > 4]
    rich = [(name,) for name in fixed if counts[name] >= RICH]
    enough = len(single) >= 4 and len(seen.groups) > 4
    every = [
        *(rich if len(seen.groups) > 1 else []),
        *(pairs if len(seen.groups) > 2 else []),
        *(combinations(single, 4) if enough else []),
    ]
    if len(every) > _MOST:
        every = [every[i] for i in np.random.default_rng(0).choice(len(every), _MOST, replace=False)]
    # Of places in rows, as hexes are, four in one row fix no plane.
    return [few for few in every if not lie_on_line(seen.points.only(few).table_mm)]
