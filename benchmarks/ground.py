"""Reach over mixed ground: time by scene, and error against Snell and against borders four times as fine.

    .venv/bin/python -m benchmarks.ground

CPU milliseconds of one thread, medians, without the first call of each scene.
"""

from __future__ import annotations

import math

import numpy as np
import shapely
from scipy.optimize import minimize_scalar
from shapely import Point, box
from shapely.affinity import rotate, translate

from benchmarks.cpu_time import median_cpu_ms
from rules.geometry import ground as mixed
from rules.geometry.chart import Spacing
from rules.geometry.ground import mixed_region
from rules.geometry.levels import Ground

INCH = 25.4
TABLE = box(0, 0, 1200, 900)
START = (600.0, 450.0)
OPEN = 1 / (4 * INCH)


def ground(shape, allowance_in):
    """A piece of ground on which movement costs more."""
    return Ground(shape, 1 / (allowance_in * INCH))


def scenes():
    """The scenes whose reach is known by Snell's law."""
    road = ground(box(0, 470, 1200, 495), 6)
    wood = ground(box(530, 500, 640, 590), 2)
    hill = ground(Point(680, 430).buffer(50), 3)
    river = ground(rotate(box(300, 400, 900, 415), 60), 2)
    lakes = [Point(560, 400).buffer(30), Point(640, 380).buffer(25)]
    men = [Point(600 + 70 * math.cos(turn), 450 + 70 * math.sin(turn)).buffer(25) for turn in np.arange(0, 6.2, 0.9)]
    return {
        "open ground": ([], []),
        "open ground, 7 bases": ([], men),
        "road": ([road], []),
        "wood": ([wood], []),
        "road, wood, hill": ([hill, wood, road], []),
        "road, wood, hill, river, 2 lakes": ([hill, wood, road, river], lakes),
        "all of it, 7 bases": ([hill, wood, road, river], [*lakes, *men]),
    }


def random_scenes(count, seed=7):
    """Scenes of random ground, from a seed."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        grounds = [
            ground(
                translate(rotate(box(-60, -40, 60, 40), rng.uniform(0, 180)), *(START + rng.uniform(-90, 90, 2))),
                inches,
            )
            for inches in (3, 2)
        ]
        for inches in (6, 2):
            strip = rotate(box(-500, -12, 500, 12), rng.uniform(0, 180))
            grounds.append(ground(translate(strip, *(START + rng.uniform(-60, 60, 2))), inches))
        lakes = [Point(START + rng.uniform(-100, 100, 2)).buffer(rng.uniform(15, 40)) for _ in range(3)]
        found.append((grounds, [lake for lake in lakes if lake.distance(Point(START)) > 1]))
    return found


def drawn(grounds, obstacles):
    """The reach over those grounds, as an area."""
    return mixed_region(START, grounds, OPEN, obstacles, TABLE).area


def drawn_ms(grounds, obstacles, rounds=9):
    """Median CPU ms of a reach over those grounds."""
    drawn(grounds, obstacles)
    return median_cpu_ms([lambda: drawn(grounds, obstacles)] * rounds)


def snell_error_mm(edge_mm, allowance_in):
    """The largest error of the border behind a straight edge into slower ground."""
    cost, at = 1 / (allowance_in * INCH), START[0] + edge_mm
    region = mixed_region(START, [Ground(box(at, -900, 3000, 3000), cost)], OPEN, [], TABLE).area
    rim = shapely.get_coordinates(shapely.segmentize(region.boundary, 0.5))

    def off_mm(x, y):
        """How far beyond the allowance, mm, the cheapest way to a place behind the edge is."""

        def through(s):
            """The way's cost through one point of the edge."""
            return math.hypot(edge_mm, s - START[1]) * OPEN + math.hypot(x - at, y - s) * cost

        span = (START[1] - 200, START[1] + 200)
        best = minimize_scalar(through, bounds=span, method="bounded", options={"xatol": 1e-9}).fun
        return abs(best - 1) * allowance_in * INCH

    return max(off_mm(x, y) for x, y in rim if x > at + 0.05)


def difference(coarse, fine):
    """Share of the area, and the breadth in mm of the widest place where only one of two regions reaches."""
    apart = coarse.symmetric_difference(fine)
    parts = shapely.get_parts(apart)
    widest = max((2 * shapely.maximum_inscribed_circle(part).length for part in parts if part.area), default=0.0)
    return abs(coarse.area / fine.area - 1), widest


def convergence(count=12):
    """For each random scene, how a reach differs from one at four times the fineness."""
    cases = random_scenes(count)
    coarse = [drawn(grounds, lakes) for grounds, lakes in cases]
    usual = mixed.SPACING
    mixed.SPACING = Spacing(*(size / 4 for size in usual))
    fine = [drawn(grounds, lakes) for grounds, lakes in cases]
    mixed.SPACING = usual
    return [difference(*pair) for pair in zip(coarse, fine, strict=True)]


def main():
    """Print errors in mm and times in CPU ms."""
    for name, (grounds, obstacles) in scenes().items():
        print(f"{name:36s} {drawn_ms(grounds, obstacles):7.1f} ms")
    spent = [drawn_ms(grounds, lakes, 3) for grounds, lakes in random_scenes(20)]
    print(
        f"{'20 random, 4 kinds of ground':36s} {np.median(spent):7.1f} ms median, {np.quantile(spent, 0.95):.1f} ms p95"
    )
    for edge_mm, allowance_in in ((0.5, 2), (8, 2), (8, 3), (60, 3)):
        worst = snell_error_mm(edge_mm, allowance_in)
        print(f"Snell, edge {edge_mm:4.1f} mm away, {allowance_in} in beyond: worst {worst:.3f} mm")
    shares, breadths = zip(*convergence(), strict=True)
    print(f"against borders 4 x finer: area {max(shares):.3%} worst; widest difference {max(breadths):.2f} mm, "
          f"median {np.median(breadths):.2f} mm")  # fmt: skip


if __name__ == "__main__":
    main()
