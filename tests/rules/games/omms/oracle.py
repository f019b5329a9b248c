"""Brute force for OMMS: roads as dense samples, ground as a raster. Slow, plain, and written from the notes alone."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.ndimage import label
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from shapely import contains_xy

from rules.scene import COIN_DIAMETER_MM

L, B = 88.9, 63.5
# Discs are closed where they keep or touch: 300 + 10.15 - 300 is a hair more than 10.15.
HAIR = 1e-7
UNITS = {"gbp-5p": "scout", "gbp-10p": "guard", "gbp-20p": "invader"}
BASES = ("gbp-1p", "gbp-2p")
USABLE = ("motorway", "primary", "a", "b")


class Samples:
    """Points along usable roads, joined to their neighbours along the road and at equal vertices."""

    def __init__(self, map_, step, classes=USABLE):
        points, segments, joints, self.edges = [], [], {}, []
        self.ends = []
        number = 0
        for road in map_.roads:
            if road.cls not in classes:
                continue
            coords = list(road.line.coords)
            for a, b in itertools.pairwise(coords):
                count = max(2, math.ceil(math.dist(a, b) / step) + 1)
                first = len(points)
                points += [
                    (a[0] + (b[0] - a[0]) * k / (count - 1), a[1] + (b[1] - a[1]) * k / (count - 1))
                    for k in range(count)
                ]
                segments += [number] * count
                self.edges += [(k, k + 1) for k in range(first, first + count - 1)]
                joints.setdefault(a, []).append(first)
                joints.setdefault(b, []).append(first + count - 1)
                self.ends.append((a, b, road.cls))
                number += 1
        self.edges += [(ring[0], other) for ring in joints.values() for other in ring[1:]]
        self.points = np.array(points)
        self.segments = np.array(segments)
        self.links = np.array(self.edges)

    def parts(self, alive):
        """Part numbers of all samples; dead ones have parts of their own."""
        links = self.links[alive[self.links].all(axis=1)]
        n = len(self.points)
        graph = coo_matrix((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=(n, n))
        return connected_components(graph, directed=False)[1]

    def standing(self, at, inside=None, radius=math.inf):
        """Nearest sample to a point: (index, exact distance), by the exact nearest segment first."""
        best = None
        for number, (a, b, _) in enumerate(self.ends):
            candidates = self.points[self.segments == number]
            p = _nearest_on(a, b, at)
            if inside is not None:
                keep = np.hypot(*(candidates - inside[0]).T) <= inside[1]
                if math.dist(p, inside[0]) > inside[1]:
                    if not keep.any():
                        continue
                    p = tuple(candidates[keep][np.argmin(np.hypot(*(candidates[keep] - at).T))])
            d = math.dist(p, at)
            if d <= radius + HAIR and (best is None or d < best[0] - HAIR):
                best = (d, number, p)
        return best

    def index_of(self, number, p):
        own = np.flatnonzero(self.segments == number)
        return own[np.argmin(np.hypot(*(self.points[own] - p).T))]


def _nearest_on(a, b, p):
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    t = ((p[0] - ax) * dx + (p[1] - ay) * dy) / (dx * dx + dy * dy)
    t = min(1.0, max(0.0, t))
    return ax + t * dx, ay + t * dy


def radius(piece):
    return COIN_DIAMETER_MM[piece.cls] / 2


def lens(d, r, s):
    """Overlap of two discs by summing thin slices."""
    xs = np.linspace(-r, r, 20001)
    mine = np.sqrt(np.maximum(r * r - xs * xs, 0))
    theirs = np.sqrt(np.maximum(s * s - (xs - d) ** 2, 0))
    return float(np.trapezoid(2 * np.minimum(mine, theirs), xs))


def is_known(piece):
    return piece.owner != "unknown" and piece.cls != "unknown"


def blocks(piece, owner):
    return piece.owner != "none" and piece.owner != owner


def home(scene, unit):
    for base in scene:
        if base.cls in BASES and base.owner == unit.owner:
            d = math.dist(base.position_mm, unit.position_mm)
            if (
                d < radius(base) + radius(unit)
                and lens(d, radius(unit), radius(base)) >= math.pi * radius(unit) ** 2 / 2
            ):
                return base
    return None


def stand(samples, scene, unit):
    base = home(scene, unit)
    if base is not None:
        found = samples.standing(unit.position_mm, (np.array(base.position_mm), radius(base)))
        if found is not None:
            return found
    return samples.standing(unit.position_mm, radius=radius(unit))


def away(points, piece):
    return np.hypot(*(points - np.array(piece.position_mm)).T)


def road_part(samples, scene, unit, table):
    """(start found, samples of the part, samples where the unit may stop)."""
    found = stand(samples, scene, unit)
    if found is None:
        return None
    _, number, p = found
    points = samples.points
    alive = away(points, unit) <= L + HAIR
    alive &= (points >= 0).all(axis=1) & (points[:, 0] <= table[0]) & (points[:, 1] <= table[1])
    stop = np.ones(len(points), bool)
    for enemy in scene:
        if enemy.id != unit.id and blocks(enemy, unit.owner):
            hole = min(radius(enemy), math.dist(enemy.position_mm, p))
            alive &= away(points, enemy) >= hole - HAIR
            stop &= away(points, enemy) >= radius(enemy) + radius(unit) - HAIR
    start = samples.index_of(number, p)
    alive[start] = True
    parts = samples.parts(alive)
    part = (parts == parts[start]) & alive
    return number, part, part & stop


def double_part(samples, scene, unit, first_stops, table):
    """Samples of a motorway-only network that a second move reaches from any of the given stops."""
    points = samples.points
    clear = (points >= 0).all(axis=1) & (points[:, 0] <= table[0]) & (points[:, 1] <= table[1])
    stop = np.ones(len(points), bool)
    for enemy in scene:
        if enemy.id != unit.id and blocks(enemy, unit.owner):
            clear &= away(points, enemy) >= radius(enemy)
            stop &= away(points, enemy) >= radius(enemy) + radius(unit) - HAIR
    reached = np.zeros(len(points), bool)
    for q in np.flatnonzero(first_stops & stop):
        alive = clear & (np.hypot(*(points - points[q]).T) <= L)
        parts = samples.parts(alive)
        reached |= (parts == parts[q]) & alive
    return reached & stop


def besieged(samples, scene, base, step):
    """(access before, places still joined) by samples."""
    points = samples.points
    centre = np.array(base.position_mm)
    d = np.hypot(*(points - centre).T)
    alive = d <= B + HAIR
    before = _open_edges(samples, alive, d, radius(base), step)
    for unit in scene:
        hostile = unit.cls in UNITS and is_known(unit) and unit.owner not in ("none", base.owner)
        if hostile and math.dist(unit.position_mm, base.position_mm) <= B:
            alive = alive & (away(points, unit) >= radius(unit) - HAIR)
    return before, _open_edges(samples, alive, d, radius(base), step)


def _open_edges(samples, alive, d, wall, step):
    """Edges of the sample graph that leave the disc from a part which touches the settlement's coin."""
    parts = samples.parts(alive)
    inner = set(parts[alive & (d <= wall + HAIR)])
    a, b = samples.links.T
    out = 0
    for one, other in ((a, b), (b, a)):
        crossing = alive[one] & (d[other] > B + HAIR)
        out += int(np.isin(parts[one[crossing]], list(inner)).sum())
    return out


def way_open(samples, scene, unit, enemy, exempt):
    found = stand(samples, scene, unit)
    if found is None:
        return False
    _, number, p = found
    points = samples.points
    alive = away(points, unit) <= L + HAIR
    for other in scene:
        if other.id != unit.id and other.id not in exempt and blocks(other, unit.owner):
            alive &= away(points, other) >= min(radius(other), math.dist(other.position_mm, p)) - HAIR
    start = samples.index_of(number, p)
    alive[start] = True
    parts = samples.parts(alive)
    goal = alive & (away(points, enemy) <= radius(enemy) + HAIR)
    return bool((parts[goal] == parts[start]).any())


def flood(area, unit, holes, size, step=0.5):
    """Ground samples (x, y) that hang together with the unit's centre."""
    c = np.array(unit.position_mm)
    k = math.ceil(B / step) + 2
    axis = np.arange(-k, k + 1) * step
    x, y = np.meshgrid(c[0] + axis, c[1] + axis)
    free = np.hypot(x - c[0], y - c[1]) <= B
    free &= (x >= 0) & (y >= 0) & (x <= size[0]) & (y <= size[1])
    if area is not None:
        free &= contains_xy(area, x, y)
    for centre, r in holes:
        free &= np.hypot(x - centre[0], y - centre[1]) >= min(r, math.dist(centre, c)) - HAIR
    labels, _ = label(free, structure=np.ones((3, 3)))
    return x, y, free & (labels == labels[k, k]) if free[k, k] else np.zeros_like(free)


def stack(scene, piece):
    """Ids of the coins of one owner that lie half on each other, settlements with those in them included."""
    found = {piece.id}
    grew = True
    while grew:
        new = {
            other.id
            for other in scene
            for known in found
            if other.id not in found
            and is_known(other)
            and other.owner == piece.owner
            and _lie_together(scene, other, scene[known])
        }
        found, grew = found | new, bool(new)
    return found


def _lie_together(scene, one, other):
    for unit, base in ((one, other), (other, one)):
        if unit.cls in UNITS and base.cls in BASES:
            found = home(scene, unit)
            return found is not None and found.id == base.id
    if one.cls in BASES:
        return False
    d = math.dist(one.position_mm, other.position_mm)
    r, s = radius(one), radius(other)
    return d < r + s and lens(d, r, s) >= math.pi * min(r, s) ** 2 / 2
