import json
import sqlite3
from zipfile import ZipFile

import numpy as np
import pytest
from shapely import GeometryCollection, LinearRing, LineString, Point, box, to_wkb
from shapely.geometry import mapping

from rules.files.map_file import read_map
from tests.ui.builders import write_document
from ui.cli import run
from ui.map_import.ground import to_degrees
from ui.map_import.kinds import game_properties
from ui.map_import.layers import Feature
from ui.map_import.places import Found, told_once
from ui.map_import.reference import UNTOLD, reference_of
from ui.map_import.sheet import transverse_mercator

LINE = LineString([(0, 0), (1, 1)])


def imported(tmp_path, source, *options):
    out = tmp_path / "map.geojson"
    assert run(["map", "import", str(source), "--out", str(out), *options]) == 0
    return read_map(out)


def features(*pairs):
    return {
        "type": "FeatureCollection",
        "features": [{"type": "Feature", "geometry": mapping(shape), "properties": known} for shape, known in pairs],
    }


OSM_ROADS = [
    ("motorway_link", "motorway"),
    ("trunk", "primary"),
    ("primary", "a"),
    ("secondary", "b"),
    ("tertiary", "minor"),
]
OS_ROADS = [
    ({"road_classification": "Motorway"}, "motorway"),
    ({"road_classification": "A Road", "primary_route": True}, "primary"),
    ({"road_classification": "A Road", "primary_route": False}, "a"),
    ({"class": "B Road", "primary": "false"}, "b"),
    ({"classification": "Primary Road, Collapsed Dual Carriageway"}, "primary"),
    ({"road_classification": "Unclassified"}, "minor"),
]


OSM_FEATURES = [({key: said}, cls) for key in ("highway", "fclass") for said, cls in OSM_ROADS]


@pytest.mark.parametrize(("known", "cls"), [*OSM_FEATURES, *OS_ROADS])
def test_roads_of_both_worlds(known, cls):
    found = game_properties(Feature(LINE, known, "roads"))
    assert found is not None and (found["kind"], found["class"]) == ("road", cls)


@pytest.mark.parametrize(
    "known", [{"highway": "footway"}, {"railway": "rail"}, {}, {"road_classification": "Guided Busway"}]
)
def test_what_is_no_road(known):
    assert game_properties(Feature(LINE, known, "roads")) is None


@pytest.mark.parametrize(
    ("shape", "known", "layer", "expected"),
    [
        (Point(0, 0), {"place": "town", "name": "Oakham"}, "points",
         {"kind": "settlement", "class": "town", "name": "Oakham", "port": False}),
        (Point(0, 0), {"local_type": "Suburban Area", "name1": "Aspley"}, "names",
         {"kind": "settlement", "class": "major-suburb", "name": "Aspley", "port": False}),
        (Point(0, 0), {"place": "island"}, "points", None),
        (Point(0, 0), {"fclass": "national_capital", "name": "Paris"}, "gis_osm_places_free_1",
         {"kind": "settlement", "class": "city", "name": "Paris", "port": False}),
        (box(0, 0, 1, 1), {"natural": "water"}, "areas", {"kind": "water"}),
        (box(0, 0, 1, 1), {"fclass": "river"}, "gis_osm_water_a_free_1", {"kind": "water"}),
        (box(0, 0, 1, 1), {"waterway": "river"}, "a loop round an island", None),
        (box(0, 0, 1, 1), {}, "tidal_water", {"kind": "water"}),
        (box(0, 0, 1, 1), {"landuse": "forest"}, "areas", None),
        (LINE, {"waterway": "river"}, "lines", {"kind": "river"}),
        (LINE, {"form": "inlandRiver"}, "watercourse_link", {"kind": "river"}),
    ],
)  # fmt: skip
def test_places_and_water(shape, known, layer, expected):
    assert game_properties(Feature(shape, known, layer)) == expected


@pytest.mark.parametrize(
    ("shape", "known", "layer", "expected"),
    [
        (LINE, {"type": "Motorway", "number": "M1"}, "roads_national",
         {"kind": "road", "class": "motorway", "ref": "M1"}),
        (LINE, {"type": "Primary", "number": None}, "roads_national", {"kind": "road", "class": "primary", "ref": ""}),
        (LINE, {"type": "B Road", "number": "B7"}, "roads_regional", {"kind": "road", "class": "b", "ref": "B7"}),
        (LINE, {"type": "Tunnels"}, "roads_regional", {"kind": "road", "class": "b", "ref": ""}),
        (LINE, {"type": "Local"}, "roads_local", {"kind": "road", "class": "minor", "ref": ""}),
        (LINE, {"type": "Primary"}, "power_lines", None),
        (Point(0, 0), {"type": "Capital", "name1": "London"}, "names",
         {"kind": "settlement", "class": "city", "name": "London", "port": False}),
        (Point(0, 0), {"type": "Woodland", "name1": "Epping Forest"}, "names", None),
        (LINE, {"type": "National"}, "waterlines", {"kind": "river"}),
        (LINE, {"type": "MHW"}, "waterlines", None),
        (box(0, 0, 1, 1), {"type": "Regional"}, "surfacewater", {"kind": "water"}),
        (box(0, 0, 1, 1), {}, "sea", {"kind": "water"}),
    ],
)  # fmt: skip
def test_open_zoomstack_says_it_in_one_word(shape, known, layer, expected):
    assert game_properties(Feature(shape, known, layer)) == expected


def test_national_grid_metres_become_millimetres(tmp_path):
    source = write_document(
        tmp_path / "roads.geojson",
        features((LineString([(450000, 300000), (475000, 300000)]), {"highway": "trunk", "ref": "A606"})),
    )
    drawn = imported(tmp_path, source, "--origin", "440000", "290000", "--scale", "250000")
    # 25 km at 1 : 250 000 are 100 mm; the origin is 10 km west and south of the road's beginning.
    assert list(drawn.roads[0].line.coords) == [(40, 40), (140, 40)]
    assert (drawn.roads[0].cls, drawn.roads[0].ref) == ("primary", "A606")


def test_roads_still_join_where_they_shared_a_vertex(tmp_path):
    middle = (451234.567, 301234.567)
    source = write_document(
        tmp_path / "roads.geojson",
        features(
            (LineString([(450000, 300000), middle]), {"highway": "primary"}),
            (LineString([middle, (460000, 300000)]), {"highway": "secondary"}),
        ),
    )
    first, second = imported(tmp_path, source).roads
    assert first.line.coords[-1] == second.line.coords[0]


def test_areas_are_written_counter_clockwise(tmp_path):
    lake = box(450000, 300000, 460000, 310000)
    roads = (LineString([(450000, 300000), (475000, 300000)]), {"highway": "trunk"})
    source = write_document(tmp_path / "roads.geojson", features(roads, (lake.reverse(), {"natural": "water"})))
    imported(tmp_path, source)
    (ring,) = json.loads((tmp_path / "map.geojson").read_text())["features"][1]["geometry"]["coordinates"]
    assert LinearRing(ring).is_ccw


def test_what_lies_beside_the_table_is_cut_off(tmp_path):
    source = write_document(
        tmp_path / "roads.geojson", features((LineString([(0, 500), (100000, 500)]), {"highway": "primary"}))
    )
    drawn = imported(tmp_path, source, "--origin", "10000", "0", "--scale", "100000", "--size-mm", "300", "200")
    assert list(drawn.roads[0].line.coords) == [(0, 5), (300, 5)]


def test_degrees_keep_their_distances(tmp_path):
    # One minute of latitude at 52 degrees north is 1854.3 m on WGS 84 (meridian radius of curvature 6 375 ... km).
    source = write_document(
        tmp_path / "osm.geojson", features((LineString([(-0.5, 52.0), (-0.5, 52.0 + 1 / 60)]), {"highway": "primary"}))
    )
    [road] = imported(tmp_path, source, "--scale", "10000").roads
    assert road.line.length == pytest.approx(185.43, abs=0.05)
    assert road.line.coords[0][0] == pytest.approx(350, abs=0.01)


def test_the_meridian_arc():
    # Length of the WGS 84 meridian from the equator to 45 degrees: 4 984 944.378 m (Snyder 1987, GRS 80 to the mm).
    assert transverse_mercator(np.array([[7.0, 45.0]]), 7.0)[0] == pytest.approx([0, 4984944.378], abs=0.01)


def test_a_utm_place():
    # 1 degree east of the meridian at the equator, without UTM's 0.9996: a dlon (1 + dlon^2 / 6 (1 - e^2 + ...)).
    east, north = transverse_mercator(np.array([[1.0, 0.0]]), 0.0)[0]
    a, e2, dlon = 6378137.0, 0.00669438, np.radians(1.0)
    t = e2 / (1 - e2)
    assert east == pytest.approx(a * dlon * (1 + dlon**2 / 6 * (1 + t)), abs=0.02)
    assert north == pytest.approx(0, abs=1e-9)


def test_geopackage_and_shapefile(tmp_path):
    pyogrio = pytest.importorskip("pyogrio")
    shapes = np.array([to_wkb(LineString([(500000, 200000), (510000, 200000)]))], object)
    for name, field in (("r.gpkg", "road_classification"), ("r.shp", "classifica")):
        pyogrio.raw.write(
            tmp_path / name,
            shapes,
            [np.array(["A Road"], object)],
            [field],
            geometry_type="LineString",
            crs="EPSG:27700",
        )
        [road] = imported(tmp_path, tmp_path / name, "--scale", "100000").roads
        assert road.cls == "a" and road.line.length == pytest.approx(100)


def test_a_town_that_is_told_as_a_point_and_as_an_outline_is_one(tmp_path):
    """It was printed twice, and a unit in it might found two settlements there."""
    town = {"place": "town", "name": "Upton"}
    source = features(
        (LINE, {"highway": "primary"}),
        (Point(0.5, 0.5), {**town, "harbour": "yes"}),
        (box(0.4, 0.4, 0.6, 0.6), town),
        (Point(0.5, 0.5), {"place": "village", "name": "Upton"}),
        (Point(0.9, 0.9), town),
    )
    drawn = imported(tmp_path, write_document(tmp_path / "r.geojson", source), "--scale", "1000000")
    said = [(place.cls, place.geometry.geom_type, place.port) for place in drawn.places]
    assert said == [("town", "Polygon", True), ("village", "Point", False), ("town", "Point", False)]


def test_a_zip_file_as_it_was_downloaded(tmp_path, capfd):
    """With its data in a folder (as of OS Open Roads) it "cannot be read as map data; give the file as it was
    downloaded"."""
    pyogrio = pytest.importorskip("pyogrio")
    for name, north in (("SP_Road", 200000), ("SU_Road", 210000)):
        road = np.array([to_wkb(LineString([(500000, north), (510000, north)]))], object)
        path = tmp_path / f"{name}.shp"
        pyogrio.raw.write(
            path, road, [np.array(["A Road"], object)], ["class"], geometry_type="LineString", crs="EPSG:27700"
        )
    with ZipFile(tmp_path / "roads.zip", "w") as packed:
        packed.writestr("doc/licence.txt", "as you like")
        packed.writestr("__MACOSX/data/._SP_Road.shp", "of a Mac")
        for part in tmp_path.glob("S*_Road.*"):
            packed.write(part, f"data/{part.name}")
    assert len(imported(tmp_path, tmp_path / "roads.zip", "--scale", "100000").roads) == 2
    with ZipFile(tmp_path / "none.zip", "w") as packed:
        packed.writestr("licence.txt", "as you like")
    (tmp_path / "half.zip").write_bytes((tmp_path / "roads.zip").read_bytes()[:900])
    for name, said in (("none", "no GeoPackage and no Shapefile is in it"), ("half", "its end is missing")):
        assert run(["map", "import", str(tmp_path / f"{name}.zip"), "--out", str(tmp_path / "map.geojson")]) == 1
        assert said in capfd.readouterr().err


def test_a_zip_file_of_another_format(tmp_path, capfd):
    """GeoJSON in a zip had been read until Shapefiles in a folder were; one that is locked was of no map data."""
    pytest.importorskip("pyogrio")
    source = write_document(tmp_path / "r.geojson", features((LINE, {"highway": "primary"})))
    packed, locked = tmp_path / "packed.zip", tmp_path / "locked.zip"
    with ZipFile(packed, "w") as file:
        file.write(source, source.name)
    assert len(imported(tmp_path, packed, "--scale", "1000000").roads) == 1
    there = bytearray(packed.read_bytes())
    there[there.index(b"PK\1\2") + 8] |= 1
    locked.write_bytes(there)
    assert run(["map", "import", str(locked), "--out", str(tmp_path / "map.geojson")]) == 1
    assert "locked by a password" in capfd.readouterr().err


def test_what_has_no_name_is_compared_with_nothing(monkeypatch):
    """Each river was compared with each lake: 8,000 of them took 5 s, and 80,000 would have taken nine minutes."""
    lake, river = Found(box(0, 0, 1, 1), {"kind": "water"}, UNTOLD), Found(LINE, {"kind": "river"}, UNTOLD)
    monkeypatch.setattr("ui.map_import.places._is_held", None)
    assert told_once([lake, river, lake]) == [lake, river, lake]


def test_the_parts_of_a_collection_are_what_each_of_them_is(tmp_path):
    """A motorway in a GeometryCollection had been left out, in silence."""
    road, other = LineString([(0, 0), (2e4, 2e4)]), LineString([(2e4, 2e4), (4e4, 0)])
    both = GeometryCollection([other, Point(2e4, 2e4)])
    source = tmp_path / "roads.geojson"
    source.write_text(json.dumps(features((road, {"highway": "trunk"}), (both, {"highway": "motorway"}))))
    assert [each.cls for each in imported(tmp_path, source, "--origin", 0, 0).roads] == ["primary", "motorway"]


def test_a_number_that_one_road_lacks_is_whole_for_the_others(tmp_path):
    pyogrio = pytest.importorskip("pyogrio")
    shapes = [to_wkb(LineString([(500000, north), (510000, north)])) for north in (200000, 201000)]
    numbers, primary = np.array([43, 0]), np.array([True, False])
    pyogrio.raw.write(
        tmp_path / "r.gpkg",
        np.array(shapes, object),
        [numbers, primary, np.array(["A Road", "A Road"], object)],
        ["ref", "primary_route", "road_classification"],
        field_mask=[np.array([False, True]), np.array([False, True]), None],
        geometry_type="LineString",
        crs="EPSG:27700",
    )
    roads = imported(tmp_path, tmp_path / "r.gpkg", "--scale", "100000").roads
    assert [(road.ref, road.cls) for road in roads] == [("43", "primary"), ("", "a")]


def test_a_file_that_is_given_twice_is_read_once(tmp_path):
    source = tmp_path / "r.geojson"
    write_document(source, features((LINE, {"highway": "primary"}), (Point(0.5, 0.5), {"place": "town"})))
    (tmp_path / "again.geojson").symlink_to(source)
    drawn = imported(tmp_path, source, str(tmp_path / "again.geojson"), "--scale", "1000000")
    assert (len(drawn.roads), len(drawn.places)) == (1, 1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "r.geojson",
            '{"type": "FeatureCollection", "features": []}',
            "no road, settlement, water or land that the game could use; give other layers or files",
        ),
        (
            "r.geojson",
            '{"type": "Feature"}',
            "not a GeoJSON FeatureCollection; export the layer again from your map program",
        ),
        ("r.geojson", '{"features": [{"geometry": {"type": "Moon"}}]}', "mend it, or leave it out"),
        ("r.geojson", '{"features": [5]}', "features.0: not a GeoJSON feature"),
        ("r.geojson", '{"features": [{"properties": "road"}]}', "its properties in braces; mend it"),
        ("r.geojson", '{"features": [{"properties": ["road"]}]}', "its properties in braces; mend it"),
        ("r.geojson", '{"features": [{"geometry": "a line"}]}', "its geometry in braces; mend it"),
        ("r.geojson", "{", "column 2: Expecting property name enclosed in double quotes; export the layer again"),
        ("r.txt", "hello", "not a map format"),
        ("r.gpkg", "hello", "give the file as it was downloaded"),
        (
            "r.geojson",
            json.dumps(features((Point(0, 0), {"place": "town"}))),
            "r.geojson: there is no road on the sheet; import a file with roads",
        ),
    ],
)
def test_bad_map_data_is_one_line(tmp_path, capfd, name, content, message):
    if name.endswith("gpkg"):
        pytest.importorskip("pyogrio")
    (tmp_path / name).write_text(content)
    assert run(["map", "import", str(tmp_path / name), "--out", str(tmp_path / "map.geojson")]) == 1
    err = capfd.readouterr().err
    assert message in err and err.count("\n") == 1
    assert not (tmp_path / "map.geojson").exists()


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"kind": "road", "class": "A Road", "ref": 5}, {"kind": "road", "class": "a", "ref": "5"}),
        ({"kind": "road", "class": "b", "ref": 5}, {"kind": "road", "class": "b", "ref": "5"}),
        ({"kind": "road", "class": "z"}, None),
        ({"kind": "highway", "highway": "primary"}, {"kind": "road", "class": "a", "ref": ""}),
    ],
)
def test_what_others_call_kind_and_class_is_read_as_theirs(known, expected):
    """A road of class "A Road" was written as it was, and `rule` refused the map that had just been made."""
    assert game_properties(Feature(LINE, known, "roads")) == expected


def test_a_port_is_one_however_it_is_said(tmp_path):
    known = {"kind": "settlement", "class": "town", "name": 5, "port": "yes"}
    source = write_document(tmp_path / "r.geojson", features((LINE, {"highway": "primary"}), (Point(0.5, 0.5), known)))
    [place] = imported(tmp_path, source).places
    assert (place.name, place.port) == ("5", True)


@pytest.mark.parametrize("crs", ["urn:ogc:def:crs:EPSG::3857", "http://www.opengis.net/def/crs/EPSG/0/3857"])
def test_metres_of_the_web_are_no_metres_on_the_ground(tmp_path, crs):
    """They are 1.6 times too long at 52 degrees north: a minute of latitude is 1854.3 m there, as in degrees."""
    north = [
        6800125.454397307,
        6803139.668740889,
    ]  # 52 degrees, and a minute more (EPSG Guidance Note 7-2, method 1024)
    source = write_document(
        tmp_path / "qgis.geojson",
        {
            **features((LineString([(-55659.75, north[0]), (-55659.75, north[1])]), {"highway": "primary"})),
            "crs": {"type": "name", "properties": {"name": crs}},
        },
    )
    [road] = imported(tmp_path, source, "--scale", "10000").roads
    assert road.line.length == pytest.approx(185.43, abs=0.05)


def test_a_pole_is_a_place_as_any(tmp_path, recwarn):
    source = write_document(
        tmp_path / "r.geojson", features((LineString([(0, 89.9), (0, 90)]), {"highway": "primary"}))
    )
    [road] = imported(tmp_path, source, "--scale", "100000").roads
    assert road.line.length == pytest.approx(111.69, abs=0.02)  # a tenth of a degree at the pole: 11 169 m
    assert not recwarn.list


@pytest.mark.parametrize(
    "halves", [((179.9, 180), (-180, -179.9)), ((179.7, 179.8), (179.8, 179.9)), ((-0.1, 0), (0, 0.1))]
)
def test_a_country_on_both_sides_of_the_180th_meridian_is_one(tmp_path, halves):
    """Its middle was sought on the other side of the earth: no road was on the sheet."""
    lines = [(LineString([(west, -17), (east, -17)]), {"highway": "primary"}) for west, east in halves]
    source = write_document(tmp_path / "fiji.geojson", features(*lines))
    near, far = (road.line.coords for road in imported(tmp_path, source).roads)
    assert near[-1] == far[0] == pytest.approx((350, 250), abs=0.02)
    assert near[0][0] < far[-1][0]


def test_files_in_degrees_and_in_metres_do_not_go_together(tmp_path, capfd):
    files = [
        write_document(tmp_path / f"{name}.geojson", features((line, {"highway": "primary"})))
        for name, line in (("grid", LineString([(5e5, 2e5), (6e5, 2e5)])), ("osm", LINE))
    ]
    assert run(["map", "import", *map(str, files), "--out", str(tmp_path / "map.geojson")]) == 1
    err = capfd.readouterr().err
    assert f"{files[1]}: in degrees, and {files[0]} in metres; export both" in err


def named(crs, *pairs):
    return {**features(*pairs), "crs": {"type": "name", "properties": {"name": crs}}}


def test_feet_become_metres(tmp_path, capfd):
    """They were read as metres: a map 3.28 times too large."""
    pytest.importorskip("pyogrio")
    line = LineString([(1000000, 200000), (1000000 + 3937, 200000)])  # 1,200 m: a US survey foot is 1200 / 3937 m
    source = write_document(tmp_path / "ft.geojson", named("urn:ogc:def:crs:EPSG::2263", (line, {"highway": "trunk"})))
    [road] = imported(tmp_path, source, "--scale", "10000").roads
    assert road.line.length == pytest.approx(120, abs=0.01)
    assert "ft.geojson: its numbers (EPSG:2263, US survey foot) are turned into metres" in capfd.readouterr().err


# Albers' grid of the United States as J. P. Snyder works it out, and his place: Map Projections, a Working Manual, USGS
# Professional Paper 1395 (1987), p. 292.
OF_A_CONTINENT = "+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-96 +ellps=clrk66"
PLACE_M, PLACE_DEG = (1885472.7, 1535925.0), (-75.0, 35.0)


def albers():
    pytest.importorskip("pyogrio")
    return reference_of(OF_A_CONTINENT, "map.gpkg")


def test_the_register_tells_degrees_of_a_grid():
    degrees = to_degrees(albers(), np.array([PLACE_M]))
    assert degrees == pytest.approx(np.array([PLACE_DEG]), abs=1e-6)


def ground_m(one, other):
    """On a globe; its flattening is a third of a per cent, and most of that along a meridian."""
    (west, south), (east, north) = np.radians(one), np.radians(other)
    angle = np.sin((north - south) / 2) ** 2 + np.cos(south) * np.cos(north) * np.sin((east - west) / 2) ** 2
    return 2 * 6378137 * np.arcsin(np.sqrt(angle))


@pytest.mark.parametrize("origin", [(), ("--origin", "1400000", "300000")])
def test_metres_of_a_continents_grid_become_those_on_the_ground(tmp_path, capfd, origin):
    """In Florida a metre of it is 1 % of one too long in one direction, and too short in the other."""
    albers()
    from pyogrio.raw import write

    ends = np.array([(1490000.0, 400000.0), (1530000.0, 400000.0)])
    write(
        tmp_path / "roads.gpkg",
        np.array([to_wkb(LineString(ends))], object),
        [np.array(["primary"], object)],
        ["highway"],
        geometry_type="LineString",
        crs=OF_A_CONTINENT,
    )
    [road] = imported(tmp_path, tmp_path / "roads.gpkg", "--scale", "500000", *origin).roads
    true_mm = ground_m(*to_degrees(albers(), ends)) / 500
    assert road.line.length == pytest.approx(true_mm, rel=2e-3) and not 0.995 < 80 / true_mm < 1.005
    assert "roads.gpkg: its metres are up to 1." in capfd.readouterr().err


def mercator_m(longitude, latitude):
    """EPSG Guidance Note 7-2, method 9805 on WGS 84, true at the equator."""
    latitude, e = np.radians(latitude), np.sqrt(2 / 298.257223563 - 1 / 298.257223563**2)
    bent = ((1 - e * np.sin(latitude)) / (1 + e * np.sin(latitude))) ** (e / 2)
    return 6378137 * np.radians(longitude), 6378137 * np.log(np.tan(np.pi / 4 + latitude / 2) * bent)


@pytest.mark.parametrize("origin", [(), ("--origin", *map(str, mercator_m(-0.2, 51.9)))])
def test_metres_of_a_map_of_the_whole_earth_become_those_on_the_ground(tmp_path, capfd, origin):
    """At 52 degrees north a metre of Mercator's is 0.6 of one: it was refused."""
    pytest.importorskip("pyogrio")
    ends = [(0.0, 52.0), (0.2, 52.1)]
    road = (LineString([mercator_m(*end) for end in ends]), {"highway": "primary"})
    source = write_document(tmp_path / "m.geojson", named("EPSG:3395", road))
    told = write_document(tmp_path / "d.geojson", features((LineString(ends), {"highway": "primary"})))
    corner = ("--origin", "-0.2", "51.9") if origin else ()
    [drawn], [true] = (imported(tmp_path, *each).roads for each in ((source, *origin), (told, *corner)))
    assert np.array(drawn.line.coords) == pytest.approx(np.array(true.line.coords), abs=0.2 if not origin else 0.002)
    assert "m.geojson: its metres (EPSG:3395) are those of a map of the whole earth" in capfd.readouterr().err


def test_metres_of_a_national_grid_stay_as_they_are(tmp_path, capfd):
    source = write_document(tmp_path / "utm.geojson", named("EPSG:32632", GRID_LINE))
    pytest.importorskip("pyogrio")
    [road] = imported(tmp_path, source).roads
    assert road.line.length == pytest.approx(200, abs=1e-3)
    assert "on the ground" not in capfd.readouterr().err


def refused(tmp_path, capfd, *files):
    assert run(["map", "import", *map(str, files), "--out", str(tmp_path / "map.geojson")]) == 1
    err = capfd.readouterr().err
    assert err.count("\n") == 1 and not (tmp_path / "map.geojson").exists()
    return err


GRID_LINE = (LineString([(500000, 5300000), (550000, 5300000)]), {"highway": "primary"})


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("EPSG:32632", "EPSG:32633", "in metres of EPSG:32632, and "),
        ("EPSG:32633", "EPSG:3857", "in Web Mercator, and "),
    ],
)
def test_two_grids_are_not_laid_over_one_another(tmp_path, capfd, one, other, said):
    """UTM 32 and 33 lay on one sheet, and "in degrees" was said of a file of the web's metres."""
    pytest.importorskip("pyogrio")
    files = [write_document(tmp_path / f"{crs[5:]}.geojson", named(crs, GRID_LINE)) for crs in (one, other)]
    err = refused(tmp_path, capfd, *files)
    assert said in err and "export both with the same coordinates" in err


@pytest.mark.parametrize(
    ("crs", "line", "said"),
    [
        ("urn:ogc:def:crs:EPSG::999999", LINE, "its coordinates (EPSG:999999) are none that can be read"),
        ("EPSG:4807", LINE, "export the layer again in EPSG:4326"),  # grads from Paris
        ("EPSG:4326", LineString([(0, 95), (0.1, 96)]), "a latitude of 96 degrees is nowhere on the earth"),
        ("", LineString([(0, 95), (0.1, 96)]), "are longitude and latitude swapped?"),
    ],
)
def test_coordinates_that_are_nowhere_are_refused(tmp_path, capfd, crs, line, said):
    pytest.importorskip("pyogrio")
    source = write_document(tmp_path / "r.geojson", named(crs, (line, {"highway": "primary"})))
    assert said in refused(tmp_path, capfd, source)


def test_what_is_taken_of_a_shapefile_that_does_not_tell_its_coordinates_is_said(tmp_path, capfd):
    pyogrio = pytest.importorskip("pyogrio")
    path, line = tmp_path / "r.shp", np.array([to_wkb(GRID_LINE[0])], object)
    with pytest.warns(UserWarning, match="crs"):
        pyogrio.raw.write(path, line, [np.array(["primary"], object)], ["highway"], geometry_type="LineString")
    imported(tmp_path, path)
    assert "r.shp: it does not say what its numbers are; metres of a national grid are taken" in capfd.readouterr().err


def test_what_lies_on_the_sheets_edge_is_on_the_sheet(tmp_path):
    """A road along the edge and a town on it were lost without a word; what touches it from outside is not on it."""
    town = (Point(460000, 320000), {"place": "town", "name": "Edge"})
    roads = [[(450000, 300000), (460000, 300000)], [(440000, 310000), (450000, 310000)]]
    lake = (box(440000, 305000, 450000, 306000), {"natural": "water"})
    drawn_roads = [(LineString(road), {"highway": "primary"}) for road in roads]
    source = write_document(tmp_path / "r.geojson", features(*drawn_roads, town, lake))
    size = ("--size-mm", "200", "200", "--scale", "100000")
    drawn = imported(tmp_path, source, "--origin", "450000", "300000", *size)
    assert [list(road.line.coords) for road in drawn.roads] == [[(0, 0), (100, 0)]]
    assert [(place.geometry.x, place.geometry.y) for place in drawn.places] == [(100, 200)]
    assert not drawn.water


def test_metres_are_no_origin_of_a_map_in_degrees(tmp_path, capfd):
    source = write_document(tmp_path / "r.geojson", features((LINE, {"highway": "primary"})))
    out = str(tmp_path / "map.geojson")
    assert run(["map", "import", str(source), "--out", out, "--origin", "450000", "300000"]) == 1
    assert "--origin: this map is in degrees" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("line", "crs", "origin", "said"),
    [
        (LINE, None, ("100", "10"), "degrees of longitude and latitude"),
        (
            GRID_LINE[0],
            "EPSG:32632",
            ("9", "48"),
            "the roads lie from 500000 5300000 to 550000 5300000 m east and north",
        ),
    ],
)
def test_an_origin_far_from_the_roads_is_told_where_they_lie(tmp_path, capfd, line, crs, origin, said):
    """It was to be checked, and nothing said against what."""
    pytest.importorskip("pyogrio")
    road = (line, {"highway": "primary"})
    source = write_document(tmp_path / "r.geojson", named(crs, road) if crs else features(road))
    assert run(["map", "import", str(source), "--out", str(tmp_path / "map.geojson"), "--origin", *origin]) == 1
    assert said in capfd.readouterr().err


@pytest.mark.parametrize(
    ("lost", "message"),
    [
        (".shx", "it is read with r.shx, which does not lie beside it"),
        (".dbf", "it is read with r.dbf, which does not lie beside it"),
        ("end", "r.shp: its end is missing; copy it again"),
    ],
)
def test_a_shapefile_that_was_copied_in_part(tmp_path, capfd, lost, message):
    """Without its end six of fifty roads were a map, without the .dbf there was "no road" in it."""
    pyogrio = pytest.importorskip("pyogrio")
    path, roads = tmp_path / "r.shp", np.array([to_wkb(LINE)] * 50, object)
    known = np.array(["primary"] * 50, object)
    pyogrio.raw.write(path, roads, [known], ["highway"], geometry_type="LineString", crs="EPSG:27700")
    if lost == "end":
        path.write_bytes(path.read_bytes()[:700])
    else:
        path.with_suffix(lost).unlink()
    assert run(["map", "import", str(path), "--out", str(tmp_path / "map.geojson")]) == 1
    err = capfd.readouterr().err
    assert message in err and err.count("\n") == 1
    assert not (tmp_path / "map.geojson").exists()


def test_a_database_that_is_no_geopackage_is_one_line(tmp_path, capfd, recwarn):
    pytest.importorskip("pyogrio")
    path = tmp_path / "r.gpkg"
    with sqlite3.connect(path) as database:
        database.execute("create table a (b int)")
    assert run(["map", "import", str(path), "--out", str(tmp_path / "map.geojson")]) == 1
    assert capfd.readouterr().err.count("\n") == 1
    assert not recwarn.list


def test_a_map_file_in_mm_on_its_table_is_no_map_data(tmp_path, capsys):
    """Its mm were taken for metres: the map was a dot in the sheet's middle."""
    source = write_document(tmp_path / "r.geojson", features((LINE, {"highway": "primary"})))
    imported(tmp_path, source)
    assert run(["map", "import", str(tmp_path / "map.geojson"), "--out", str(tmp_path / "again.geojson")]) == 1
    assert "map.geojson: it is a map file already" in capsys.readouterr().err
    document = json.loads((tmp_path / "map.geojson").read_text())
    on_grid = {**document, "sheet": {"size_mm": [700, 500], "scale": 250000, "origin": [460000, 320000]}}
    assert imported(tmp_path, write_document(tmp_path / "grid.geojson", on_grid)).roads


# As a GeoPackage describes them whose maker gave no number.
WEB = (
    'PROJCS["WGS 84 / Pseudo-Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Mercator_1SP"],'
    'PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],'
    'PARAMETER["false_northing",0],UNIT["metre",1],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 '
    '+lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs"]]'
)


def written(path, lines, crs):
    raw = pytest.importorskip("pyogrio").raw
    shapes, known = np.array([to_wkb(line) for line in lines], object), np.array(["primary"] * len(lines), object)
    raw.write(path, shapes, [known], ["highway"], geometry_type="LineString", crs=crs)
    return path


def test_metres_of_the_web_are_known_by_their_description(tmp_path):
    """Without their number they were taken for metres on the ground: a map 1.6 times too large."""
    line = LineString([(-55659.75, 6800125.454397307), (-55659.75, 6803139.668740889)])
    [road] = imported(tmp_path, written(tmp_path / "a.gpkg", [line], WEB), "--scale", "10000").roads
    assert road.line.length == pytest.approx(185.43, abs=0.05)


@pytest.mark.parametrize("crs", ["EPSG:27700", "EPSG:3857"])
@pytest.mark.parametrize("nowhere", [float("nan"), float("inf")])
def test_a_place_that_is_nowhere_hinders_no_other(tmp_path, recwarn, crs, nowhere):
    """What a map program could not turn into its own coordinates made "there is no road on the sheet" of the rest."""
    lines = [LineString([(500000, 200000), (510000, nowhere)]), LineString([(500000, 200000), (510000, 200000)])]
    source = written(tmp_path / "r.gpkg", lines, crs)
    recwarn.clear()
    assert len(imported(tmp_path, source).roads) == 1
    assert not [warning for warning in recwarn if issubclass(warning.category, RuntimeWarning)]


@pytest.mark.parametrize(("letters", "name"), [("UTF-8", "Łódź am Main"), ("ISO-8859-1", "Köln")])
def test_names_in_a_shapefile_that_does_not_tell_its_letters(tmp_path, letters, name):
    """Of "Łódź" in UTF-8, as programs write it today, "Å\x81Ã³dÅº" was made without the .cpg beside it."""
    raw = pytest.importorskip("pyogrio").raw
    columns, path = [np.array([text], object) for text in ("town", name)], tmp_path / "p.shp"
    place = np.array([to_wkb(Point(505000, 200000))], object)
    kind = {"geometry_type": "Point", "crs": "EPSG:27700", "encoding": letters}
    raw.write(path, place, columns, ["place", "name"], **kind)
    path.with_suffix(".cpg").unlink()
    out = tmp_path / "map.geojson"
    roads = written(tmp_path / "r.gpkg", [LineString([(500000, 200000), (510000, 200000)])], "EPSG:27700")
    assert run(["map", "import", str(path), str(roads), "--out", str(out)]) == 0
    assert [place.name for place in read_map(out).places] == [name]
