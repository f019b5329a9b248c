"""The scene file round-trips, and says in one line what is wrong with a broken one."""

import json
import math
from pathlib import Path

import pytest
from shapely import Polygon

from rules.files.json_file import write_json
from rules.files.scene_file import read_scene, scene_document, scene_from
from rules.scene import Piece, Scene

COIN = {
    "type": "Feature",
    "id": "c12",
    "geometry": None,
    "properties": {"kind": "coin", "class": "gbp-5p", "owner": "red", "position_mm": [311.2, 140.9], "sigma_mm": 0.2},
}


def document(*features: object, **table: object) -> dict[str, object]:
    return {
        "type": "FeatureCollection",
        "schema": "sandtable/scene/1",
        "table": {"size_mm": [700, 500], **table},
        "features": list(features),
    }


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "scene.geojson"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_coin_without_geometry_gets_the_disc_of_its_class(tmp_path: Path) -> None:
    scene = read_scene(written(tmp_path, json.dumps(document(COIN))))
    assert scene["c12"].footprint.area == pytest.approx(math.pi * 9.0**2, rel=1e-3)
    assert scene["c12"].radius_mm == 9.0


@pytest.mark.parametrize(
    ("kind", "cls", "said"),
    [
        ("die", "7", "there is no die '7'; it shows 1 to 6, or is unknown"),
        ("die", "six", "there is no die 'six'"),
        ("coin", "usd-5p", "there is no coin 'usd-5p'; there are usd-1c, usd-5c, usd-10c"),
        ("coin", "GBP-5p", "there is no coin 'GBP-5p'; there are gbp-1p, gbp-2p, gbp-5p"),
        ("coin", "eur-", "there is no coin 'eur-'"),
        ("card", "11H", "there is no card '11H'; write A, 2 to 10, J, Q or K before S, H, D or C"),
        ("card", "1S", "there is no card '1S'"),
        ("card", "ah", "there is no card 'ah'"),
        ("card", "TD", "there is no card 'TD'"),
    ],
)
def test_a_misspelt_class_is_told_with_the_right_ones(tmp_path: Path, kind: str, cls: str, said: str) -> None:
    """It had been played as unknown, in silence."""
    told = {"kind": kind, "class": cls, "position_mm": [300, 200]}
    with pytest.raises(ValueError, match=r"scene\.geojson: features\.1\.properties\.class: ") as fault:
        read_scene(written(tmp_path, json.dumps(document(COIN, {"properties": told}))))
    assert said in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.parametrize("kind", ["coin", "card"])
@pytest.mark.parametrize("cls", ["unknown", "my-5p", "token", "ace", "gbp", "my-ah", "10", "spades"])
def test_a_name_that_somebody_taught_is_a_class(tmp_path: Path, kind: str, cls: str) -> None:
    told = {"kind": kind, "class": cls, "position_mm": [300, 200]}
    assert read_scene(written(tmp_path, json.dumps(document({"properties": told})))).pieces[0].cls == cls


@pytest.mark.parametrize(
    ("kind", "cls", "turned_deg", "bounds"),
    [
        ("card", "10H", 0, (255.55, 168.25, 344.45, 231.75)),
        ("card", "BACK", 90, (268.25, 155.55, 331.75, 244.45)),
        ("die", "6", 0, (292, 192, 308, 208)),
        ("match", "match", 90, (299, 178.5, 301, 221.5)),
        ("soldier", "foot", 0, (287.3, 187.3, 312.7, 212.7)),
        ("base", "base", 0, (287.3, 187.3, 312.7, 212.7)),
    ],
)
@pytest.mark.parametrize("geometry", [None, {"type": "Point", "coordinates": [300, 200]}])
def test_what_nobody_drew_has_the_usual_shape_of_its_kind(
    tmp_path: Path, kind: str, cls: str, turned_deg: float, bounds: tuple[float, ...], geometry: object
) -> None:
    told = {"kind": kind, "class": cls, "position_mm": [300, 200], "rotation_deg": turned_deg}
    feature = {"id": "a", "geometry": geometry, "properties": told}
    assert read_scene(written(tmp_path, json.dumps(document(feature))))["a"].footprint.bounds == pytest.approx(bounds)


@pytest.mark.parametrize(
    ("geometry", "said"),
    [
        (None, "terrain has no usual size"),
        ({"type": "Polygon", "coordinates": [[["0", 0], [10, 0], [10, 10], [0, 0]]]}, "should be a number, not '0'"),
        (
            {"type": "Polygon", "coordinates": [[[0, True], [10, 0], [10, 10], [0, 0]]]},
            "should be a number, not 'True'",
        ),
        ({"type": "Polygon", "coordinates": "0, 0"}, "should be a number, not '0, 0'"),
        ({"type": "Polygon", "coordinates": [[[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]]}, "crosses itself"),
        (
            {
                "type": "MultiPolygon",
                "coordinates": [[[[0, 0], [9, 0], [9, 9], [0, 0]]], [[[20, 0], [29, 0], [29, 9], [20, 0]]]],
            },
            "several areas",
        ),
    ],
)
def test_no_footprint_is_guessed(tmp_path: Path, geometry: object, said: str) -> None:
    book = {"geometry": geometry, "properties": {"kind": "terrain", "class": "book", "position_mm": [5, 5]}}
    with pytest.raises(ValueError, match=rf"features\.0\.geometry: .*{said}"):
        read_scene(written(tmp_path, json.dumps(document(book))))


def test_a_multipolygon_of_one_part_is_that_part(tmp_path: Path) -> None:
    ring = [[10, 10], [30, 10], [30, 20], [10, 20], [10, 10]]
    book = {"geometry": {"type": "MultiPolygon", "coordinates": [[ring]]}, "properties": {"kind": "terrain"}}
    assert read_scene(written(tmp_path, json.dumps(document(book)))).pieces[0].footprint.area == 200


def test_position_defaults_to_the_centroid(tmp_path: Path) -> None:
    ring = [[10, 10], [30, 10], [30, 20], [10, 20], [10, 10]]
    mug = {"geometry": {"type": "Polygon", "coordinates": [ring]}, "properties": {"kind": "terrain", "class": "book"}}
    scene = read_scene(written(tmp_path, json.dumps(document(mug))))
    assert scene.pieces[0].position_mm == pytest.approx((20, 15))
    assert scene.pieces[0].owner == "none"


def test_footprints_are_written_counter_clockwise() -> None:
    piece = Piece("b1", "base", "base", (50.0, 60.0), Polygon([(40, 50), (40, 70), (60, 70), (60, 50)]))
    (feature,) = scene_document(Scene((600.0, 400.0), (piece,)))["features"]
    ring = feature["geometry"]["coordinates"][0]
    assert ring == [[40, 50], [60, 50], [60, 70], [40, 70], [40, 50]]


def test_a_table_that_was_measured_is_written_with_no_more_decimals_than_a_piece() -> None:
    assert scene_document(Scene((209.0816076823264, 160.0)))["table"]["size_mm"] == [209.0816, 160.0]
    assert str(scene_document(Scene((700, 500)))["table"]["size_mm"]) == "[700, 500]"


def test_round_trip(tmp_path: Path) -> None:
    piece = Piece(
        "b1", "base", "base", (50.0, 60.0), Polygon([(40, 50), (60, 50), (60, 70), (40, 70)]), "blue", roster="Ogre"
    )
    scene = Scene((600.0, 400.0), (piece,), time_s=1.5, sigma_mm=0.25, notes=("the picture is too dark",))
    path = tmp_path / "out.geojson"
    write_json(path, scene_document(scene))
    again = read_scene(path)
    assert scene_document(again) == scene_document(scene)
    assert again.notes == scene.notes
    assert again["b1"].roster == "Ogre"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON at line 1"),
        ('{"type": "FeatureCollection", "schema": "sandtable/scene/2", "features": []}', "schema"),
        (json.dumps(document(COIN, COIN)), "the id 'c12'"),
        (json.dumps(document({"properties": {"kind": "coin"}})), "position_mm"),
        (json.dumps(document(COIN)).replace('"red"', '"pink"'), "owner: should be one of red, blue"),
        (json.dumps(document(COIN)).replace('"red"', '"red", "owner": "blue"'), "the key 'owner' stands twice"),
        (json.dumps(document({**COIN, "type": "Fraction"})), "features.0.type"),
        (json.dumps(document(COIN)).replace('"red"', '"red", "face": "head"'), "features.0.properties.face"),
        (json.dumps(document({"properties": {"kind": "spoon"}})), "features.0.properties.kind"),
        (json.dumps(document(COIN)).replace("0.2", "NaN"), "NaN"),
        (json.dumps(document(COIN, sigma_mm=-1)), "table.sigma_mm"),
        (json.dumps(document(COIN)).replace("700", "0"), "table.size_mm.0"),
        (json.dumps(document(COIN)).replace("311.2", "1e308"), "features.0.properties.position_mm.0"),
    ],
)
def test_one_line_says_what_and_where(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=r"scene\.geojson") as error:
        read_scene(path)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_an_editor_began_with_a_byte_order_mark(tmp_path: Path) -> None:
    scene = read_scene(written(tmp_path, "\ufeff" + json.dumps(document(COIN))))
    assert [piece.id for piece in scene] == ["c12"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = written(tmp_path, "old")
    with pytest.raises(ValueError, match="JSON"):
        write_json(path, scene_document(Scene((math.nan, 1.0))))
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_null_says_no_more_than_leaving_the_key_out(tmp_path: Path) -> None:
    """Map programs write every key for every feature."""
    whole = read_scene(written(tmp_path, json.dumps(document(COIN))))
    nulls = dict.fromkeys(("face", "elevation_mm", "rotation_deg", "confidence", "on", "level", "facing_deg"))
    filled = {**COIN, "properties": {**COIN["properties"], **nulls}}  # type: ignore[dict-item]
    assert read_scene(written(tmp_path, json.dumps({**document(filled), "time_s": None}))) == whole


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"FeatureCollection"', '"Feature"', "type: input should be 'FeatureCollection', not 'Feature'; mend it"),
        ("scene/1", "map/1", "schema: input should be 'sandtable/scene/1', not 'sandtable/map/1'; mend it, or give"),
        ('"kind": "coin", ', "", "features.0.properties.kind: missing; add it"),
        ("[311.2, 140.9]", "311.2", "position_mm: should be a list, in square brackets; mend it"),
        ("140.9]", "140.9, 1.7]", "features.0.properties.position_mm: should have at most 2 items, not 3; mend it"),
        ('"c12"', '"c\\ud83d"', "\\ud83d is half a letter"),
        ('"c12"', "true", "features.0.id: input should be a valid"),
        ("311.2", '"311.2"', "position_mm.0: should be a number, not '311.2'; mend it"),
        ("311.2", "true", "position_mm.0: should be a number, not True; mend it"),
        ("700", '"700"', "table.size_mm.0: should be a number, not '700'; mend it"),
    ],
)
def test_what_is_wrong_is_told_as_it_is_written(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = written(tmp_path, json.dumps(document(COIN)).replace(old, new))
    with pytest.raises(ValueError, match=r"scene\.geojson: ") as fault:
        read_scene(path)
    assert said in str(fault.value)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ([{"confidence": 98}], "features.0.properties.confidence: a number of 0 to 1 is wanted, not 98"),
        ([{"confidence": -0.1}], "features.0.properties.confidence: a number of 0 to 1 is wanted, not -0.1"),
        ([{"on": "p0"}], "features.0.properties.on: 'p0' lies on itself; take one `on` out"),
        ([{}, {"on": "zz"}], "features.1.properties.on: there is no piece 'zz' to lie on; there are p0, p1"),
        ([{"on": "p1"}, {"on": "p0"}], "features.0.properties.on: p0, p1 cannot lie on one another in a ring"),
    ],
)
def test_what_no_table_shows_is_told(tmp_path: Path, known: list[dict[str, object]], said: str) -> None:
    pieces = [{**COIN, "id": f"p{n}", "properties": {**COIN["properties"], **told}} for n, told in enumerate(known)]
    path = written(tmp_path, json.dumps(document(*pieces)))
    with pytest.raises(ValueError) as fault:
        read_scene(path)
    assert said in str(fault.value)
    assert len(scene_from(document(*pieces), "a log").pieces) == len(known)


def test_a_piece_on_one_that_is_named_by_a_number_lies_there() -> None:
    upper = {**COIN, "id": 2, "properties": {**COIN["properties"], "on": 1}}  # type: ignore[dict-item]
    assert scene_from(document({**COIN, "id": 1}, upper), "a file")["2"].on == "1"


def test_a_stack_of_three_is_taken(tmp_path: Path) -> None:
    on = ["p1", "p2", None]
    pieces = [{**COIN, "id": f"p{n}", "properties": {**COIN["properties"], "on": name}} for n, name in enumerate(on)]
    assert [piece.on for piece in read_scene(written(tmp_path, json.dumps(document(*pieces))))] == on
