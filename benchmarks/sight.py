"""How long sight takes among 10 to 1,000 blockers, beside its peers in the same run.

    .venv/bin/python -m benchmarks.sight

Promises: one visibility polygon among 200 blockers <= 1 ms, set-up included, and its query <= 1/30 of VisiLibity's;
50 x 50 pairs among 200 blockers <= 3.5 ms.
Method: random polygons of 4 to 8 corners on 1200 x 900 mm, seed 1; 24 observers in the open. CPU ms by `process_time`,
the methods in turn, medians over the observers; the first calls (compiling, loading) are left out and told apart.
'error' is the largest area between our polygon and the table minus every edge's shadow, mm^2.
Peer (only for this script): `pip install visilibity` (needs swig and a C++ compiler); without it its column is nan.
"""

from __future__ import annotations

import importlib.util
import itertools
import time
from collections.abc import Callable

import numpy as np
import shapely
from shapely import Point, Polygon, STRtree, box

from benchmarks.cpu_time import median_cpu_ms
from rules.geometry.sight import Sightlines, visibility_polygon

TABLE = box(0, 0, 1200, 900)
OBSERVERS = 24


def blockers(count: int, seed: int = 1) -> list[Polygon]:
    """Star-shaped polygons at least 1 mm apart."""
    rng = np.random.default_rng(seed)
    size_mm, found = (30.0 if count <= 200 else 12.0), []
    while len(found) < count:
        corners = rng.integers(4, 9)
        turns = np.sort(rng.uniform(0, 2 * np.pi, corners))
        rim = (
            np.column_stack((np.cos(turns), np.sin(turns)))
            * rng.uniform(0.5, 1, (corners, 1))
            * rng.uniform(size_mm / 3, size_mm)
        )
        one = Polygon(rim + rng.uniform((size_mm, size_mm), (1200 - size_mm, 900 - size_mm)))
        if one.is_valid and all(one.distance(other) > 1 for other in found):
            found.append(one)
    return found


def shadowed(eye: np.ndarray, solids: list[Polygon]) -> Polygon:
    """The peer in plain shapely: the table minus the shadow of every edge."""
    shadows = []
    for solid in solids:
        for a, b in itertools.pairwise(np.array(solid.exterior.coords)):
            rays = np.array((a, b)) - eye
            far = np.array((a, b)) + rays / np.hypot(*rays.T)[:, None] * 4000
            shadows.append(Polygon((a, b, far[1], far[0])).buffer(0))
    return TABLE.difference(shapely.union_all([*solids, *shadows]))


def visilibity_calls(eyes: np.ndarray, solids: list[Polygon]) -> list[Callable[[], object]] | None:
    """VisiLibity's queries, its environment set up before the clock starts."""
    if importlib.util.find_spec("visilibity") is None:
        return None
    import visilibity

    def polygon(shape: Polygon, ccw: bool) -> object:
        """The peer's polygon from a shapely one, its corners counter-clockwise or clockwise."""
        ring = list(shapely.geometry.polygon.orient(shape, 1.0 if ccw else -1.0).exterior.coords)[:-1]
        return visilibity.Polygon([visilibity.Point(x, y) for x, y in ring])

    world = visilibity.Environment([polygon(TABLE, True), *(polygon(one, False) for one in solids)])
    return [lambda e=eye: visilibity.Visibility_Polygon(visilibity.Point(*map(float, e)), world, 1e-7) for eye in eyes]


def polygons(count: int) -> None:
    """Print one line of the polygon table."""
    solids = blockers(count)
    union = shapely.union_all(solids)
    rng = np.random.default_rng(2)
    eyes = [eye for eye in rng.uniform((0, 0), (1200, 900), (400, 2)) if not union.intersects(Point(eye))][:OBSERVERS]
    ready = Sightlines(tuple(solids), TABLE)
    ready.polygon_from(eyes[0])
    query = median_cpu_ms([lambda e=eye: ready.polygon_from(e) for eye in eyes])
    whole = median_cpu_ms([lambda e=eye: visibility_polygon(e, solids, TABLE) for eye in eyes])
    shadow = median_cpu_ms([lambda e=eye: shadowed(e, solids) for eye in eyes[:4]])
    peer_calls = visilibity_calls(np.array(eyes), solids)
    peer = median_cpu_ms(peer_calls) if peer_calls else float("nan")
    errors = [ready.polygon_from(eye).symmetric_difference(shadowed(eye, solids)).area for eye in eyes[:4]]
    print(f"{count:6d} {query:9.3f} {whole:12.3f} {peer:11.2f} {peer / query:6.0f}x {shadow:9.1f} {max(errors):10.1e}")


def pairs(count: int) -> None:
    """Print one line of the pairs table."""
    solids = blockers(count)
    rng = np.random.default_rng(3)
    a, b = rng.uniform((0, 0), (1200, 900), (2, 50, 2))
    lines = shapely.linestrings(np.stack(np.broadcast_arrays(a[:, None], b[None]), axis=2))
    ready, union, tree = Sightlines(tuple(solids)), shapely.union_all(solids), STRtree(solids)
    shapely.prepare(union)
    seen = ready.pairs(a, b)
    same = bool((seen == ~shapely.intersects(union, lines)).all())
    query = median_cpu_ms([lambda: ready.pairs(a, b)] * 9)
    whole = median_cpu_ms([lambda: Sightlines(tuple(solids)).pairs(a, b)] * 9)
    prepared = median_cpu_ms([lambda: shapely.intersects(union, lines)] * 9)
    queried = median_cpu_ms([lambda: tree.query(lines.ravel(), "intersects")] * 3)
    print(
        f"{count:6d} {query:9.2f} {whole:12.2f} {prepared:15.2f} {queried:9.1f}   {'the same' if same else 'DIFFERENT'}"
    )


def main() -> None:
    """Both tables."""
    begin = time.perf_counter()
    Sightlines((box(1, 1, 2, 2),), TABLE).polygon_from((5.0, 5.0))
    print(f"first polygon: {time.perf_counter() - begin:.2f} s (loading or compiling)\n")
    print("visibility polygon, CPU ms\n     N     query  with set-up  VisiLibity  ratio   shadows      error")
    for count in (10, 50, 200, 1000):
        polygons(count)
    print("\n50 x 50 pairs, CPU ms\n     N     query  with set-up  prepared union   STRtree   answers")
    for count in (10, 50, 200, 1000):
        pairs(count)


if __name__ == "__main__":
    main()
