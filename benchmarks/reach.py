"""How long reach takes among 12 and 40 obstacles, beside its peers in the same run.

    .venv/bin/python -m benchmarks.reach

Promises: 300 mm among 12 obstacles <= 8 ms, among 40 <= 20 ms, set-up (growing, union) included, exact to 0.1 mm.
Method: random polygons of 4 to 8 corners on 1200 x 900 mm, a base of 12.5 mm from the middle; CPU ms by `process_time`,
medians over 12 tables, the methods in turn. MCP is scikit-image's MCP_Geometric on a raster of 1 mm cropped to the
move, its mask given; its error is that of its distance at points in reach. extremitypathfinder (only for this script:
`pip install extremitypathfinder`) finds single paths; its set-up on the same grown map is told, and how far its lengths
differ from ours.
"""

from __future__ import annotations

import importlib.util
import statistics
import time

import numpy as np
import shapely
from shapely import Point, Polygon, box
from skimage.graph import MCP_Geometric

from rules.geometry.reach import Walk

TABLE, START, RADIUS_MM = box(0, 0, 1200, 900), (600.0, 450.0), 12.5
TABLES = 12


def obstacles(count: int, rng: np.random.Generator) -> tuple[Polygon, ...]:
    """Star-shaped polygons at least 1 mm apart, with room at the start."""
    found: list[Polygon] = []
    while len(found) < count:
        corners, size = rng.integers(4, 9), rng.uniform(20, 45)
        turns = np.sort(rng.uniform(0, 2 * np.pi, corners))
        rim = np.column_stack((np.cos(turns), np.sin(turns))) * rng.uniform(0.6, 1, (corners, 1)) * size
        one = Polygon(rim + rng.uniform((size, size), (1200 - size, 900 - size)))
        if one.is_valid and one.distance(Point(START)) > 13 and all(one.distance(other) > 1 for other in found):
            found.append(one)
    return tuple(found)


def raster_ms(walk: Walk) -> tuple[float, float]:
    """MCP_Geometric's time, and its worst distance error in mm at points in our reach."""
    half = int(walk.budget_mm) + 2
    x, y = np.meshgrid(np.arange(-half, half + 1) + START[0], np.arange(-half, half + 1) + START[1])
    grown = shapely.union_all([one.buffer(RADIUS_MM, quad_segs=16) for one in walk.obstacles])
    shapely.prepare(grown)
    free = ~shapely.intersects_xy(grown, x, y) & (x >= 0) & (x <= 1200) & (y >= 0) & (y <= 900)
    begin = time.process_time()
    costs, _ = MCP_Geometric(np.where(free, 1.0, np.inf)).find_costs([(half, half)])
    spent_ms = (time.process_time() - begin) * 1e3
    rng, errors = np.random.default_rng(5), []
    for i, j in rng.integers(0, 2 * half, (60, 2)):
        way = walk.way_to((float(x[i, j]), float(y[i, j]))) if free[i, j] else None
        if way is not None and np.isfinite(costs[i, j]):
            errors.append(abs(costs[i, j] - way.length))
    return spent_ms, max(errors)


def extremity(walk: Walk) -> tuple[float, float] | None:
    """extremitypathfinder's set-up in ms, and the largest difference of lengths in mm."""
    if importlib.util.find_spec("extremitypathfinder") is None:
        return None
    from extremitypathfinder import PolygonEnvironment

    _, solids = walk._walls
    inside = [one for one in solids if TABLE.contains_properly(one)]
    holes = [list(shapely.geometry.polygon.orient(one, -1.0).exterior.coords)[:-1] for one in inside]
    environment = PolygonEnvironment()
    begin = time.process_time()
    environment.store(list(shapely.geometry.polygon.orient(TABLE).exterior.coords)[:-1], holes)
    spent_ms = (time.process_time() - begin) * 1e3
    goals = np.random.default_rng(6).uniform((450, 300), (750, 600), (30, 2)).tolist()
    clear = shapely.union_all(solids).buffer(0.5)
    differences = []
    for goal in goals:
        way = walk.way_to(tuple(goal))
        if way is not None and not clear.intersects(Point(goal)) and len(inside) == len(solids):
            _, length = environment.find_shortest_path(START, tuple(goal))
            differences.append(abs(length - way.length))
    return spent_ms, max(differences, default=float("nan"))


def line(count: int, budget_mm: float) -> None:
    """Print one line of the table."""
    rng, times, raster, paths = np.random.default_rng(5), [], [], []
    for number in range(TABLES):
        ground = obstacles(count, rng)
        begin = time.process_time()
        walk = Walk(START, budget_mm, ground, RADIUS_MM, TABLE)
        _ = walk.region
        times.append((time.process_time() - begin) * 1e3)
        if number % 4 == 0:
            raster.append(raster_ms(walk))
        if number == 1 and count == 12:
            paths.append(extremity(walk))
    mcp_ms, mcp_mm = statistics.median(ms for ms, _ in raster), max(mm for _, mm in raster)
    ours = statistics.median(times)
    print(
        f"{count:5d} {budget_mm:6.0f} {ours:8.2f} {max(times):8.2f} {mcp_ms:9.1f} {mcp_ms / ours:6.0f}x {mcp_mm:14.1f}",
        end="",
    )
    print(
        f"   extremitypathfinder: set-up {paths[0][0]:.0f} ms, lengths differ by <= {paths[0][1]:.4f} mm"
        if paths and paths[0]
        else ""
    )


def main() -> None:
    """The table."""
    begin = time.perf_counter()
    _ = Walk(START, 300, (box(650, 400, 700, 500),), RADIUS_MM, TABLE).region
    print(f"first region: {time.perf_counter() - begin:.2f} s (loading or compiling)\n")
    print("reach, CPU ms\n    N  budget   median  slowest       MCP  ratio   MCP error mm")
    for count in (12, 40):
        for budget_mm in (150.0, 300.0):
            line(count, budget_mm)


if __name__ == "__main__":
    main()
