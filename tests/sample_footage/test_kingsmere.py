"""The packaged map: roads that join, water that is wet, names that can be told apart."""

import json
from collections import Counter, defaultdict

import pytest
from shapely import LineString, Point, STRtree
from shapely.geometry import shape
from shapely.ops import unary_union

from sample_footage.kingsmere import MAP_FILE, kingsmere


@pytest.fixture(scope="module")
def collection():
    return json.loads(MAP_FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def roads(collection):
    return [
        (shape(f["geometry"]), f["properties"]) for f in collection["features"] if f["properties"]["kind"] == "road"
    ]


def of_kind(collection, kind):
    return [(shape(f["geometry"]), f["properties"]) for f in collection["features"] if f["properties"]["kind"] == kind]


def test_file_is_what_the_code_draws(collection):
    assert json.loads(json.dumps(kingsmere())) == collection


def test_every_class_is_there(collection, roads):
    assert {p["class"] for _, p in roads} == {"motorway", "primary", "a", "b", "minor"}
    assert {p["class"] for _, p in of_kind(collection, "settlement")} == {
        "city",
        "town",
        "village",
        "major-suburb",
        "minor-suburb",
    }
    assert any(p["port"] for _, p in of_kind(collection, "settlement"))
    assert collection["schema"] == "sandtable/map/1"


def test_main_roads_are_numbered(roads):
    letters = {"motorway": "M", "primary": "A", "a": "A", "b": "B"}
    for _, properties in roads:
        if properties["class"] in letters:
            assert properties["ref"].startswith(letters[properties["class"]])


def test_no_road_crosses_itself_or_has_no_length(roads):
    for line, _ in roads:
        assert line.is_simple and line.length > 1


def test_roads_meet_at_shared_vertices_only_but_for_motorway_bridges(roads):
    lines = [line for line, _ in roads]
    bridges = 0
    for i, j in STRtree(lines).query(lines, predicate="intersects").T:
        if i >= j:
            continue
        shared = set(lines[i].coords) & set(lines[j].coords)
        meeting = lines[i] & lines[j]
        points = {
            (round(p.x, 6), round(p.y, 6)) for p in getattr(meeting, "geoms", (meeting,)) if p.geom_type == "Point"
        }
        if points - {(round(x, 6), round(y, 6)) for x, y in shared}:
            assert "motorway" in (roads[i][1]["class"], roads[j][1]["class"])
            bridges += 1
    assert bridges >= 5


def test_each_motorway_has_junctions_and_the_two_meet(roads):
    vertices = defaultdict(set)
    for line, properties in roads:
        for point in line.coords:
            vertices[point].add(properties["ref"] or id(line))
    joined = {ref: {other for point, refs in vertices.items() if ref in refs for other in refs} for ref in ("M7", "M9")}
    assert len(joined["M7"]) >= 5 and len(joined["M9"]) >= 4
    assert "M9" in joined["M7"]


def test_usable_roads_of_the_mainland_are_one_net(roads):
    usable = [line for line, properties in roads if properties["class"] != "minor"]
    reached, pending = set(), [usable[0].coords[0]]
    at = defaultdict(list)
    for line in usable:
        for point in line.coords:
            at[point].append(line)
    while pending:
        for line in at[pending.pop()]:
            if id(line) not in reached:
                reached.add(id(line))
                pending.extend(line.coords)
    assert len(reached) >= 0.97 * len(usable)


def test_settlements_are_dry_and_ports_near_the_sea(collection):
    water = unary_union([area for area, _ in of_kind(collection, "water")])
    for area, properties in of_kind(collection, "settlement"):
        assert not water.contains(area.centroid), properties["name"]
        if properties["port"]:
            assert water.distance(area) < 20  # a ship beside the coin floats


def test_land_and_water_fill_the_sheet(collection):
    land = unary_union([area for area, _ in of_kind(collection, "land")])
    water = unary_union([area for area, _ in of_kind(collection, "water")])
    assert (land | water).area == pytest.approx(700 * 500, rel=1e-4)
    assert all(area.is_valid for area, _ in of_kind(collection, "land") + of_kind(collection, "water"))


def test_names_are_unique_and_corners_free(collection):
    settlements = of_kind(collection, "settlement")
    assert max(Counter(p["name"] for _, p in settlements).values()) == 1
    for corner in ((20, 20), (680, 20), (680, 480), (20, 480)):
        assert min(area.distance(Point(corner)) for area, _ in settlements) > 28


def test_rivers_reach_water(collection):
    water = unary_union([area for area, _ in of_kind(collection, "water")])
    edge = LineString([(0, 0), (700, 0), (700, 500), (0, 500), (0, 0)])
    for river, properties in of_kind(collection, "river"):
        assert min(Point(end).distance(water | edge) for end in (river.coords[0], river.coords[-1])) < 1.0, properties
