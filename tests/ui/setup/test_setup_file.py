from dataclasses import replace

import cv2
import pytest

from rules.files.setup_record import setup_from_record, setup_record
from tests.ui.builders import SETUP_TOML, map_document, write_document, write_setup
from ui.eyes import packaged_eyes
from ui.measuring.marker_names import MARKERS_OF
from ui.setup.calibration_block import CalibrationBlock, CoinBlock, SheetBlock
from ui.setup.setup_file import read_setup
from ui.setup.setup_text import calibration_text


def test_a_whole_file(tmp_path):
    camera = "[camera]\nsize_px = [640, 480]\nfx = 600.0\nfy = 601.5\ncx = 319.5\ncy = 239.5\n"
    camera += "distortion = [0.1, 0, 0, 0, 0]\n"
    setup = read_setup(write_setup(tmp_path, SETUP_TOML + camera + "[legend]\nmug = 'house'\n"))
    assert setup.rules.game == "omms"
    assert setup.rules.table_size_mm == (320, 240)
    assert [(p.name, p.colour, p.side) for p in setup.rules.players] == [("Ann", "red", "near")]
    assert setup.rules.map is not None and setup.rules.map.roads[0].ref == "A43"
    assert setup.rules.legend["mug"] == "house"
    assert setup.calibration.points[1] == (630, 470, 320, 0)
    assert setup.camera is not None and setup.camera.fy == 601.5 and setup.camera.distortion[0] == 0.1


def test_three_points_are_enough_through_a_measured_lens(tmp_path):
    camera = "[camera]\nsize_px = [640, 480]\nfx = 600\nfy = 600\ncx = 319.5\ncy = 239.5\n"
    text = SETUP_TOML.replace(", [10, 10, 0, 240]]", "]") + camera
    assert len(read_setup(write_setup(tmp_path, text)).calibration.points) == 3


def test_markers_with_their_turns(tmp_path):
    markers = (
        '[calibration]\nmarkers = { dictionary = "DICT_4X4_50", size_mm = 40, '
        "centres = { 0 = [20, 20], 3 = [20, 220] }, turn_deg = { 3 = 90 } }\n"
    )
    text = SETUP_TOML.replace(SETUP_TOML[SETUP_TOML.index("[calibration]") : SETUP_TOML.index("[[player]]")], markers)
    sheet = read_setup(write_setup(tmp_path, text)).calibration.markers
    assert sheet is not None
    assert sheet.centres == {0: (20, 20), 3: (20, 220)}
    assert sheet.turn_deg == {3: 90}


EVERYTHING = """[calibration]
points = [[10, 470, 0, 0], [630, 470, 320, 0], [630, 10, 320, 240], [10, 10, 0, 240]]
markers = { dictionary = "DICT_APRILTAG_36h11", size_mm = 30, centres = { 5 = [20, 20] }, turn_deg = { 5 = 90 } }
card = [90, 60]
sheet = { size_mm = [300, 200], picture = "map.png", corner_mm = [10, 20], turn_deg = 90 }
coins = [[100.5, 200, "gbp-2p"], [300, 210, "eur-1"]]
roads = true
placing_mm = 0.5
points_sigma_px = [0.5, 0.5, 0.5, 0.9]
points_raised_mm = 1.5
"""
CAMERA = "[camera]\nsize_px = [640, 480]\n{}\nfy = 900\n{}\ncy = 240\n"
BLOCK = SETUP_TOML[SETUP_TOML.index("[calibration]") : SETUP_TOML.index("[[player]]")]


def test_everything_that_tells_where_the_table_is(tmp_path):
    (tmp_path / "map.png").write_bytes(b"")
    block = read_setup(write_setup(tmp_path, SETUP_TOML.replace(BLOCK, EVERYTHING))).calibration
    assert block.sheet == SheetBlock((300, 200), tmp_path / "map.png", (10, 20), 90)
    assert block.coins == (CoinBlock((100.5, 200), "gbp-2p"), CoinBlock((300, 210), "eur-1"))
    assert (block.roads, block.placing_mm, block.points_raised_mm, block.card) == (True, 0.5, 1.5, (90, 60))
    assert block.markers is not None and block.markers.turn_deg == {5: 90}


def test_what_is_written_reads_the_same(tmp_path):
    (tmp_path / "map.png").write_bytes(b"")
    path = write_setup(tmp_path, SETUP_TOML.replace(BLOCK, EVERYTHING))
    block = read_setup(path).calibration
    assert read_setup(write_setup(tmp_path, SETUP_TOML.replace(BLOCK, calibration_text(block)))).calibration == block
    for bare in (CalibrationBlock(sheet=SheetBlock()), CalibrationBlock(sheet=SheetBlock(), glass_mm=2.5)):
        assert read_setup(write_setup(tmp_path, SETUP_TOML.replace(BLOCK, calibration_text(bare)))).calibration == bare


def test_the_dictionaries_are_those_of_opencv():
    theirs = {name: getattr(cv2.aruco, name) for name in dir(cv2.aruco) if name.startswith("DICT_")}
    sizes = {name: len(cv2.aruco.getPredefinedDictionary(number).bytesList) for name, number in theirs.items()}
    assert sizes == MARKERS_OF


def test_the_card_is_the_ruler_of_the_rules_too(tmp_path):
    text = SETUP_TOML.replace("[calibration]\n", "[calibration]\ncard = [90, 60]\n")
    setup = read_setup(write_setup(tmp_path, text))
    assert setup.rules.card_mm == (90, 60)
    bridge = read_setup(write_setup(tmp_path, SETUP_TOML + '[rules]\ncard = "bridge"\n'))
    assert bridge.rules.card_mm == (88.9, 57.15)


def test_the_game_that_was_asked_for_counts(tmp_path):
    assert read_setup(write_setup(tmp_path), "pocket").rules.game == "pocket"


def test_the_roads_of_the_map_are_what_the_eyes_take_for_no_matches(tmp_path):
    rules = read_setup(write_setup(tmp_path)).rules
    roads_mm = packaged_eyes(rules).wanted.roads_mm
    assert roads_mm is not None and roads_mm.length == sum(road.line.length for road in rules.map.roads) > 0
    assert packaged_eyes(replace(rules, map=None)).wanted.roads_mm is None


def test_the_currency_of_the_coins_is_what_the_eyes_expect(tmp_path):
    text = SETUP_TOML.replace("size_mm = [320, 240]", 'size_mm = [320, 240]\ncurrency = "usd"')
    rules = read_setup(write_setup(tmp_path, text)).rules
    assert rules.currency == "usd"
    assert setup_from_record(setup_record(rules), "log").currency == "usd"
    expected = packaged_eyes(rules).wanted.expected
    assert expected is not None and expected["usd"] > 0.98 > 0.02 > expected["gbp"]


@pytest.mark.parametrize(
    ("game", "coins", "surely"),
    [
        ("omniwar", 'eur-2 = "Tank"\n"red eur-1" = "Transport"\n', "eur"),
        ("omniwar", 'eur-2 = "Tank"\ngbp-2p = "Transport"\n', None),
        ("omniwar", 'box = "dense"\n', None),
    ],
)
def test_coins_that_stand_for_units_tell_their_currency(tmp_path, game, coins, surely):
    rules = read_setup(write_setup(tmp_path, SETUP_TOML + "[legend]\n" + coins), game).rules
    expected = packaged_eyes(rules).wanted.expected
    assert expected is None if surely is None else expected[surely] > 0.98


MARKERS = (
    '[calibration]\nmarkers = {{ dictionary = "{}", size_mm = 40, centres = {{ {} = [20, 20] }}, '
    "turn_deg = {{ {} }} }}\n"
)
FAULTS = [
    ("not toml =", "", "not valid TOML", None),
    ('game = "omms"', 'game = "chess"', "game: 'chess' is none of omms", 2),
    ('schema = "sandtable/setup/1"', 'schema = "sandtable/setup/9"', "schema", 1),
    ("size_mm = [320, 240]", "size_mm = [320]", "table.size_mm: should be 2 numbers", 4),
    ("size_mm = [320, 240]", "size_mm = [320, -1]", "table.size_mm: should all be more than 0", 4),
    ("size_mm = [320, 240]", "size_mm = [320, nan]", "table.size_mm: should be 2 numbers", 4),
    ("size_mm = [320, 240]", "size_mm = [320, 240]\ncurrency = 'yen'", "table.currency: 'yen' is none of gbp, eur", 5),
    ("size_mm = [320, 240]", "size_mn = [320, 240]", "table.size_mn: unknown key", 4),
    (", [10, 10, 0, 240]]", "]", "calibration.points: 3 points do not fix a plane", 6),
    ("[10, 10, 0, 240]]", "[10, 10, 0]]", "calibration.points: should be 4 numbers", 6),
    ('colour = "red"', 'colour = "pink"', "player.colour: 'pink' is none of red", 9),
    ('name = "Ann"\n', "", "player: name is missing; add it", 7),
    ('name = "Ann"\n', 'name = " "\n', "player.name: ' ' cannot be read on one line", 8),
    ('name = "Ann"\n', 'name = "An\\nn"\n', "cannot be read on one line", 8),
    ('file = "map.geojson"', 'file = "nowhere.geojson"', "there is no map", 11),
    ("[map]", "[[map]]", "map: should be a table", None),
    ("[map]", "[[lens]]\nrms_px = 0.2\n[map]", "lens: should be a table: [lens]", 10),
    ("[map]", "[rules]\nflying = true\n[map]", "rules.flying: omms has no such house rule", 11),
    ("[map]", "[rules]\noffroad_gap = 'wide'\n[map]", "rules.offroad_gap: 'wide' is none of coin, point", 11),
    (BLOCK, "[calibration]\nroads = 1\n", "calibration.roads: should be true or false", 6),
    ('[map]\nfile = "map.geojson"', "", "calibration.roads: there is no [map]", 7),
    ("[[player]]", "placing_mm = -1\n[[player]]", "calibration.placing_mm: should be 0 to 100", 7),
    ("[[player]]", "glass_mm = 31\n[[player]]", "calibration.glass_mm: should be 0 to 30", 7),
    ("[[player]]", "glass_mm = 3\ncard = 'poker'\n[[player]]", "calibration.glass_mm: cards and coins lie on", 7),
    ("[[player]]", "sheet = { picture = 'no.png' }\n[[player]]", "calibration.sheet.picture: there is no picture", 7),
    (BLOCK, MARKERS.format("DICT_4X4_5O", "0", ""), "calibration.markers.dictionary: 'DICT_4X4_5O' is none of", 6),
    (BLOCK, MARKERS.format("DICT_4X4_50", "50", ""), "centres.50: DICT_4X4_50 has no marker 50: its last is 49", 6),
    (BLOCK, MARKERS.format("DICT_4X4_50", "0", "1 = 90"), "turn_deg.1: centres has no marker 1", 6),
    (BLOCK, MARKERS.format("DICT_4X4_50", "00 = [1, 2], 0", ""), "centres.0: marker 0 is given twice", 6),
    (BLOCK, MARKERS.format("DICT_4X4_50", "0 = [1, 2], 0", ""), "not valid TOML: 0 is given twice", None),
    ("[map]", "[table]\n[map]", "not valid TOML: table is given twice", None),
    ("[map]", "[lens]\na = { b = { c = 1 }, b.c = 2 }\n[map]", "not valid TOML: b.c is given twice", None),
    (
        BLOCK,
        MARKERS.format("DICT_4X4_50", "0 = [20, 39], 1", ""),
        "centres.1: marker 1 would lie 19 mm from marker 0",
        6,
    ),
    ("[[player]]", "sheet = { size = [1, 2] }\n[[player]]", "calibration.sheet.size: unknown key", 7),
    ("[[player]]", "sheet = { size_mm = [0, 2] }\n[[player]]", "calibration.sheet.size_mm: should all be more", 7),
    ("[[player]]", "coins = [[1, 2, 'shilling']]\n[[player]]", "calibration.coins: there is no coin 'shilling'", 7),
    ("[[player]]", "coins = [[1, 2]]\n[[player]]", "calibration.coins: should be [u, v,", 7),
    (BLOCK, "[calibration]\ncoins = [[1, 2, 'gbp-2p']]\n", "calibration.coins: 1 coins alone fix no plane", 6),
    ("[[player]]", "card = [9, 1]\n[[player]]", "calibration.card: a card's sides are 10 to 500 mm", 7),
    ("size_mm = [320, 240]", "size_mm = [320, 1e6]", "table.size_mm: should be 20 to 100000, in millimetres", 4),
    ("size_mm = [320, 240]", "size_mm = [0.32, 0.24]", "table.size_mm: should be 20 to 100000, in millimetres", 4),
    ("[[player]]", "placing_mm = 1e9\n[[player]]", "calibration.placing_mm: should be 0 to 100", 7),
    ("[map]", CAMERA.format("fx = 1e-9", "cx = 9") + "[map]", "camera.fx: 1e-09 px is no focal length", 12),
    ("[map]", CAMERA.format("fx = 900", "cx = -1e8") + "[map]", "camera.cx: -1e+08 px is far outside pictures", 14),
    (
        "[[player]]",
        f"ellipses = {[[1, 2, 1e8, 3, 4, 'gbp-2p']]}\n[[player]]".replace("'", '"'),
        "calibration.ellipses: the axes of",
        7,
    ),
    ('schema = "sandtable/setup/1"', "schema = " + "[" * 5000, "not valid TOML", None),
    ('schema = "sandtable/setup/1"', "a" + ".a" * 5000 + " = 1", "nested too deeply; mend it", None),
    ('file = "map.geojson"', 'file = "map\\u0000"', "has a character of no text", 11),
    ("[map]", "[camera]\nsize_px = [640, 480]\nfx = 0\nfy = 1\ncx = 1\ncy = 1\n[map]", "camera.fx: should be more", 12),
    (
        "[map]",
        "[camera]\nsize_px = [640.5, 480]\nfx = 600\nfy = 600\ncx = 320\ncy = 240\n[map]",
        "camera.size_px: should be two whole numbers, not [640.5, 480]",
        11,
    ),
]


@pytest.mark.parametrize(("old", "new", "message", "line"), FAULTS)
def test_each_fault_names_file_line_and_key(tmp_path, old, new, message, line):
    text = SETUP_TOML.replace(old, new) if old in SETUP_TOML else old
    if "there is no [map]" in message:
        text = text.replace("[[player]]", "roads = true\n[[player]]")
    path = write_setup(tmp_path, text)
    with pytest.raises(ValueError) as caught:
        read_setup(path)
    said = str(caught.value)
    assert message in said
    assert said.startswith(f"{path}:{line}: " if line else f"{path}")
    assert "\n" not in said


def test_two_players_of_one_colour_are_refused(tmp_path):
    path = write_setup(tmp_path, SETUP_TOML + '[[player]]\nname = "Ben"\ncolour = "red"\n')
    with pytest.raises(ValueError, match="different names and colours"):
        read_setup(path)


def test_a_file_that_an_editor_began_with_a_byte_order_mark(tmp_path):
    assert read_setup(write_setup(tmp_path, "\ufeff" + SETUP_TOML)).rules.game == "omms"


def test_a_picture_is_no_setup(tmp_path):
    path = tmp_path / "setup.toml"
    path.write_bytes(b"\xff\xd8\xff\xe0picture")
    with pytest.raises(ValueError, match="not a text file, so not a TOML file; save it as text"):
        read_setup(path)


def test_a_map_that_lies_nowhere_on_the_table_is_told(tmp_path):
    """Its roads were off the table, and every piece was said to stand on none."""
    path = write_setup(tmp_path)
    write_document(tmp_path / "map.geojson", map_document([(-1600, 1200), (-1500, 1200)]))
    with pytest.raises(ValueError, match=r"map\.file: nothing on .*map\.geojson lies on the table; mend the origin"):
        read_setup(path)


@pytest.mark.parametrize("sheet", [{}, {"sheet": {"size_mm": [700, 500], "scale": 250000, "origin": [-0.5, 51.5]}}])
def test_a_map_in_degrees_is_not_read_as_a_speck_on_the_table(tmp_path, sheet):
    """It was taken, and every piece was said to stand on no road."""
    path = write_setup(tmp_path)
    document = {**map_document([(-0.2, 52.0), (0.3, 52.0)]), **sheet}
    write_document(tmp_path / "map.geojson", document)
    with pytest.raises(ValueError, match=r"map\.file: all roads of .*map\.geojson lie within .* mm; mend the scale"):
        read_setup(path)
