"""The map file: classes, places, grid metres to table millimetres."""

from typing import Any

import pytest
from shapely import box

from rules.files.map_file import map_from


def feature(kind: str, geometry: dict[str, Any], **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": {"kind": kind, **properties}}


def line(*points: tuple[float, float]) -> dict[str, Any]:
    return {"type": "LineString", "coordinates": [list(p) for p in points]}


def document(*features: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", "schema": "sandtable/map/1", "features": list(features), **more}


def test_grid_metres_become_table_millimetres() -> None:
    sheet = {"size_mm": [700, 500], "crs": "EPSG:27700", "scale": 250000, "origin": [400000, 300000]}
    road = feature("road", line((400000, 300000), (425000, 312500)), **{"class": "A", "ref": "A43"})
    table = map_from(document(road, sheet=sheet), "m.geojson")
    assert list(table.roads[0].line.coords) == [(0, 0), (100, 50)]
    assert (table.roads[0].cls, table.roads[0].ref) == ("a", "A43")


def test_places_keep_name_and_port() -> None:
    road = feature("road", line((0, 0), (1, 1)), **{"class": "b"})
    town = feature(
        "settlement", {"type": "Point", "coordinates": [5, 6]}, **{"class": "town", "name": "X", "port": True}
    )
    place = map_from(document(road, town), "m").places[0]
    assert (place.name, place.cls, place.port) == ("X", "town", True)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (document(), "nothing on the map"),
        (document(feature("road", line((0, 0), (1, 1)), **{"class": "lane"})), "lane"),
        (document(feature("road", {"type": "LineString", "coordinates": [[0]]}, **{"class": "a"})), "geometry"),
        (document(feature("road", line((0, 0), (1, 2e9)), **{"class": "a"})), "beyond 1e+09"),
        (
            document(feature("road", line((0, 0), (1, "nan")), **{"class": "a"})),
            "a coordinate should be a number, not 'nan'",
        ),
        ({"type": "FeatureCollection", "features": []}, "schema"),
        (document(sheet={"size_mm": [7, 5], "scale": 1e-9, "origin": [0, 0]}), "sheet.scale"),
        (document(sheet={"size_mm": [7, 5], "scale": 25000, "origin": ["nan", 0]}), "sheet.origin.0"),
        (document(sheet={"size_mm": [7, 5], "crs": "EPSG:27700", "scale": 25000}), "sheet.origin: missing"),
        (document(sheet={"size_mm": [7, 5], "origin": [400000, 300000]}), "sheet.scale: missing"),
    ],
)
def test_one_line_says_what_is_wrong(bad: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=r"m\.geojson") as error:
        map_from(bad, "m.geojson")
    assert said in str(error.value)


def test_water_whose_outline_crosses_itself_is_all_that_it_encloses() -> None:
    # A bow tie: two triangles of 10 by 10 / 4 each.
    bow = {"type": "Polygon", "coordinates": [[[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]]}
    known = map_from(document(feature("road", line((0, 0), (1, 1)), **{"class": "b"}), feature("water", bow)), "m")
    assert all(area.is_valid for area in known.water) and sum(area.area for area in known.water) == 50


def test_a_spike_of_an_outline_is_no_part_of_the_place() -> None:
    ring = [[0, 0], [10, 0], [10, 10], [10, 20], [10, 10], [0, 10], [0, 0]]
    town = feature("settlement", {"type": "Polygon", "coordinates": [ring]}, **{"class": "town", "name": "X"})
    assert map_from(document(town), "m").places[0].geometry.equals(box(0, 0, 10, 10))
    town["geometry"]["coordinates"] = [[[0, 0], [10, 0], [20, 0], [0, 0]]]
    with pytest.raises(ValueError, match="'X' has an outline that encloses nothing"):
        map_from(document(town), "m")


def test_null_says_no_more_than_leaving_the_key_out() -> None:
    road = feature("road", line((0, 0), (1, 1)), **{"class": "b", "ref": None, "name": None, "port": None})
    square = {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}
    found = map_from(document(road, feature("land", square, **{"class": None, "ref": None})), "m")
    assert (found.roads[0].cls, found.roads[0].ref, len(found.land)) == ("b", "", 1)


def test_a_road_that_is_none_is_told_with_its_place_and_shape() -> None:
    square = {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}
    road = feature("road", line((0, 0), (1, 1)), **{"class": "b"})
    with pytest.raises(ValueError, match=r"m: features\.1: a road must be a LineString .* got a Polygon of class 'a'"):
        map_from(document(road, feature("road", square, **{"class": "a"})), "m")


SQUARE = [[0, 0], [9, 0], [9, 9], [0, 0]]
ROAD = feature("road", line((0, 0), (1, 1)), **{"class": "b"})


@pytest.mark.parametrize(
    ("kind", "geometry", "said"),
    [
        ("water", line((0, 0), (9, 9)), "water must be drawn as a Polygon, not as a LineString"),
        ("land", {"type": "Point", "coordinates": [5, 5]}, "land must be drawn as a Polygon, not as a Point"),
        (
            "river",
            {"type": "Polygon", "coordinates": [SQUARE]},
            "river must be drawn as a LineString, not as a Polygon",
        ),
        ("water", {"type": "GeometryCollection", "geometries": [line((0, 0), (9, 9))]}, "not as a GeometryCollection"),
    ],
)
def test_land_and_water_of_another_shape_are_told(kind: str, geometry: dict[str, Any], said: str) -> None:
    """They had been left out, in silence."""
    with pytest.raises(ValueError, match=r"m: features\.1: ") as fault:
        map_from(document(ROAD, feature(kind, geometry)), "m")
    assert said in str(fault.value)


def test_land_and_water_may_have_several_parts_and_be_as_thin_as_nothing() -> None:
    islands = {"type": "MultiPolygon", "coordinates": [[SQUARE], [[[20, 0], [29, 0], [29, 9], [20, 0]]]]}
    arms = {"type": "MultiLineString", "coordinates": [[[0, 0], [5, 5]], [[5, 5], [9, 0]]]}
    thin = {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [0, 0], [0, 0]]]}
    both = {"type": "GeometryCollection", "geometries": [line((0, 0), (9, 9)), islands]}
    lying = (("land", islands), ("river", arms), ("water", thin), ("water", both))
    found = map_from(document(ROAD, *(feature(kind, geometry) for kind, geometry in lying)), "m")
    assert (len(found.land), len(found.rivers), len(found.water)) == (2, 2, 2)


@pytest.mark.parametrize(("kind", "meant"), [("raod", "road"), ("Road", "road"), ("rivers", "river")])
def test_a_kind_with_a_slip_of_the_pen_is_told(kind: str, meant: str) -> None:
    """Such features had been left out, in silence; a kind of another's own still is."""
    others = [feature(own, {"type": "Polygon", "coordinates": [SQUARE]}) for own in ("forest", "island", "")]
    assert len(map_from(document(ROAD, *others), "m").roads) == 1
    with pytest.raises(ValueError, match=rf"m: features\.1\.properties\.kind: there is no kind '{kind}'; is '{meant}'"):
        map_from(document(ROAD, feature(kind, line((0, 0), (9, 9)), **{"class": "a"})), "m")


@pytest.mark.parametrize("told", ["yes", 1, "true"])
def test_a_port_is_true_or_false(told: object) -> None:
    town = feature("settlement", {"type": "Point", "coordinates": [5, 6]}, **{"class": "town", "port": told})
    with pytest.raises(ValueError, match=r"m: features\.1\.properties\.port: should be true or false, not "):
        map_from(document(ROAD, town), "m")


@pytest.mark.parametrize(
    ("kind", "shape", "part"),
    [
        ("road", "MultiLineString", [[0, 0], [10, 0]]),
        ("water", "MultiPolygon", [[[0, 0], [10, 0], [0, 10], [0, 0]]]),
    ],
)
def test_parts_without_coordinates_are_left_out(kind: str, shape: str, part: list[Any]) -> None:
    whole = feature(kind, {"type": shape, "coordinates": [[], part, []]}, **{"class": "a"})
    found = map_from(document(whole), "m")
    assert [len(each) for each in (found.roads, found.water)] == [kind == "road", kind == "water"]
