"""Brute force for OMOG's fire and fights: plain, slow, and written from the notes alone."""

from __future__ import annotations

import itertools
import math
import random

from shapely import LineString, Point, box
from shapely.affinity import rotate, translate

from tests.rules.games.omog.builders import INCH, RADIUS, a_man, a_thing

SIZE = (900.0, 700.0)
THINGS = (
    ("mug", "house", 90.0),
    ("napkin", "wood", None),
    ("book", "hill", 40.0),
    ("box", "hill", 60.0),
    ("plate", "lake", None),
)
WALLS = (8.0, 25.0, 25.1, 40.0)
WEAPONS = {"rifle": ((6, 3), (12, 4), (18, 5)), "pistol": ((3, 4), (6, 6))}
SAVES = {"house": 3, "wall": 4, "wood": 5}
RIDERS = ("hussar", "lancer", "cuirassier", "heavy trooper")
FOOT = ("bayonet", "elite", "bayonet guard", "fusilier")
BROUGHT = {"cuirassier": {"heavy", "armour"}, "hussar": {"light"}, "guard": {"elite"}}


def a_battle(seed, men=12, things=7):
    """Ground of all kinds, and men anywhere on it, many of them close together; with the state's words on them."""
    rng = random.Random(seed)
    ground = [_thing(f"t{n}", rng) for n in range(things)]
    middle, placed, known = (rng.uniform(300, 600), rng.uniform(250, 450)), [], {}
    for n in range(men):
        at = middle[0] + rng.uniform(-250, 250), middle[1] + rng.uniform(-200, 200)
        if placed and rng.random() < 0.4:
            turn, apart = rng.uniform(0, math.tau), rng.uniform(24, 30)
            beside = rng.choice(placed).position_mm
            at = beside[0] + apart * math.cos(turn), beside[1] + apart * math.sin(turn)
        arm = rng.choice(("foot", "foot", "foot", "mounted", "gun"))
        tops = [thing.height_mm for thing, meaning in ground if meaning == "hill" and thing.footprint.covers(Point(at))]
        placed.append(a_man(f"m{n}", *at, rng.choice(("red", "blue")), arm, elevation_mm=max(tops, default=0.0)))
        known[f"m{n}"] = _known(arm, rng)
    return ground, placed, known


def _thing(id_, rng):
    cls, meaning, height = rng.choice((*THINGS, ("pencils", "wall", rng.choice(WALLS))))
    wide, deep = (rng.uniform(80, 200), 10) if meaning == "wall" else (rng.uniform(60, 180), rng.uniform(60, 140))
    shape = rotate(box(-wide / 2, -deep / 2, wide / 2, deep / 2), rng.uniform(0, 180))
    shape = translate(shape, rng.uniform(100, 800), rng.uniform(100, 600))
    return a_thing(id_, cls, shape, height_mm=height), meaning


def _known(arm, rng):
    known = {"radius_mm": RADIUS, "charging": arm == "mounted" and rng.random() < 0.5}
    if arm == "gun":
        return {"radius_mm": RADIUS, "crew": rng.randrange(5)}
    if arm == "mounted":
        return {**known, "roster": rng.choice(RIDERS), "moved": rng.random() < 0.3, "weapon": "pistol"}
    return {
        **known,
        "roster": rng.choice(FOOT),
        "weapon": rng.choice(("rifle", "pistol")),
        "leaning": rng.random() < 0.2,
    }


def crosses(line, shape):
    """More than a touch."""
    return line.intersection(shape.buffer(-1e-4)).length > 0


def inside(man, thing):
    return thing.footprint.covers(Point(man.position_mm))


def is_hidden(a, b, ground):
    """OMOG-3.4."""
    line = LineString((a.position_mm, b.position_mm))
    for thing, meaning in ground:
        within = [inside(man, thing) for man in (a, b)]
        if meaning == "wood" and any(within):
            if not all(within) and line.intersection(thing.footprint).length > 2 * INCH:
                return True
            continue
        over = meaning == "hill" and max(a.elevation_mm, b.elevation_mm) >= thing.height_mm
        stops = meaning in ("house", "wood", "hill") and not over and not any(within)
        if stops and crosses(line, thing.footprint):
            return True
    return False


def modifier(a, b, ground, known):
    """OMOG-3.2 and 3.3, all added up; of several walls the best."""
    line, here = LineString((a.position_mm, b.position_mm)), Point(b.position_mm)
    under = {meaning for thing, meaning in ground if inside(b, thing)}
    total = -1 * ("wood" in under) - 2 * ("house" in under) - 1 * bool(known[b.id].get("leaning"))
    total -= 1 * (a.cls == "mounted" and bool(known[a.id].get("moved")))
    total += (
        any(meaning == "hill" and inside(a, thing) for thing, meaning in ground) and a.elevation_mm > b.elevation_mm
    )
    walls, crest = [0], 0
    for thing, meaning in ground:
        cut = line.intersection(thing.footprint)
        if meaning == "wall" and crosses(line, thing.footprint) and cut.distance(here) <= INCH:
            walls.append(-1 if thing.height_mm <= 25 else -2)
        if meaning == "hill" and inside(b, thing):
            corners = list(thing.footprint.exterior.coords)
            sides = [LineString(side) for side in itertools.pairwise(corners)]
            crest = min(crest, -1 * any(side.intersects(line) and side.distance(here) <= INCH for side in sides))
    return total + min(walls) + crest


def number(a, b, ground, known):
    """The number that the die must show, whatever hides the target; None out of range."""
    inches = math.dist(a.position_mm, b.position_mm) / INCH
    band = next((die for reach, die in WEAPONS[known[a.id]["weapon"]] if inches <= reach), None)
    return None if band is None else band - modifier(a, b, ground, known)


def bursts(gun, target):
    """Centre of the disc by case (OMOG-4.1)."""
    (gx, gy), (x, y) = gun.position_mm, target.position_mm
    away = math.dist((gx, gy), (x, y))
    ux, uy = (x - gx) / away, (y - gy) / away
    side, far = 3 * INCH, 3.5 * INCH
    return {
        "on": (x, y), "left": (x - uy * side, y + ux * side), "right": (x + uy * side, y - ux * side),
        "beyond": (x + ux * far, y + uy * far),
    }  # fmt: skip


def words(man, known):
    said = set(known[man.id].get("roster", "").split())
    return said.union(*(BROUGHT.get(word, set()) for word in said))


def fights(men):
    """Pairs of enemies whose bases are at most 3 mm apart, guns aside, each both ways."""
    able = [man for man in men if man.cls != "gun"]
    return [
        (a, b) for a in able for b in able
        if a.owner != b.owner and math.dist(a.position_mm, b.position_mm) <= 2 * RADIUS + 3
    ]  # fmt: skip


def bonus(a, b, men, ground, known):
    """OMOG-5.1 and 5.2 for a against b."""
    mine, theirs, charges = words(a, known), words(b, known), known[a.id].get("charging")
    total = ("elite" in mine) - ("armour" in theirs) + ("bayonet" in mine)
    if a.cls == "mounted" and b.cls == "foot" and not is_repelled(a, b, men, known):
        total += 2 if charges and "heavy" in mine else 1
    if a.cls == b.cls == "mounted" and charges:
        closed = any(meaning in ("house", "wood") and inside(man, thing) for thing, meaning in ground for man in (a, b))
        total += ("lancer" in mine and not closed) + ("heavy" in mine and "light" in theirs)
    ours = [man for man, foe in fights(men) if foe is b]
    return total + (0 if len(ours) == 1 else 1 if len(ours) == 2 or ours[0] is a else 2)


def is_repelled(rider, foe, men, known):
    """Three foot within 3 inches in his front half, which is where his foe is; two of them with bayonets."""
    (rx, ry), (fx, fy) = rider.position_mm, foe.position_mm
    front = [
        man for man in men
        if man.owner != rider.owner and man.cls == "foot" and math.dist(man.position_mm, (rx, ry)) <= 3 * INCH
        and (man.position_mm[0] - rx) * (fx - rx) + (man.position_mm[1] - ry) * (fy - ry) >= 0
    ]  # fmt: skip
    return len(front) >= 3 and sum("bayonet" in words(man, known) for man in front) >= 2
