"""Printed sheets: rendered again from the PDF and measured in mm."""

import os

import cv2
import numpy as np
import pytest
from PyQt6.QtCore import QSize
from PyQt6.QtPdf import QPdfDocument

from calibration.fiducials.markers import find_markers
from models.training.looks import STICKER_BGR
from rules.scene import COIN_DIAMETER_MM
from tests.ui.builders import map_document, write_document, write_setup
from ui.cli import run
from ui.sheets.hexmat import hex_centres
from ui.sheets.page import PAPER_MARGIN_MM, Paper
from ui.sheets.tokens import DOTS

PX_PER_MM = 8.0


def pages(path):
    """Each page as (height, width) grey levels at 8 px a mm, and its size in mm."""
    document = QPdfDocument(None)
    document.load(str(path))
    rendered = []
    for page in range(document.pageCount()):
        points = document.pagePointSize(page)
        size_mm = points.width() * 25.4 / 72, points.height() * 25.4 / 72
        image = document.render(page, QSize(*(round(side * PX_PER_MM) for side in size_mm)))
        image = image.convertToFormat(image.Format.Format_RGBA8888)
        bits = image.bits()
        bits.setsize(image.sizeInBytes())
        rgba = np.frombuffer(bits, np.uint8).reshape(image.height(), image.width(), 4)
        # Most of a page is bare paper.
        grey, inked = np.full(rgba.shape[:2], 255, np.uint8), rgba[..., 3] > 0
        colours, opaque = rgba[inked, :3], rgba[inked, 3:] / 255.0
        grey[inked] = (colours * opaque + 255 * (1 - opaque)).mean(axis=1)
        rendered.append((grey, size_mm))
    document.close()
    return rendered


def printed(what, path, *options):
    assert run(["print", what, str(path), *options]) == 0
    return pages(path)


@pytest.mark.parametrize("what", ["markers", "charuco", "rulers", "hexmat", "tokens"])
def test_the_ruler_line_is_100_mm_long(tmp_path, what):
    [(page, _), *_] = printed(what, tmp_path / f"{what}.pdf")
    left = round(PAPER_MARGIN_MM * PX_PER_MM)
    dark = page[:, left : left + 900] < 128
    # The line is the only row at the foot that is dark from the margin on, for exactly 100 mm.
    lengths = [np.argmin(row) if not row.all() else len(row) for row in dark[-round(40 * PX_PER_MM) :]]
    assert max(lengths) / PX_PER_MM == pytest.approx(100.0, abs=0.4)


def test_a_sheet_has_a_name_that_is_no_text(tmp_path):
    """It was said that the disk is full."""
    assert run(["print", "rulers", os.fsdecode(bytes(tmp_path) + b"/\xff.pdf")]) == 0
    assert [path.read_bytes()[:5] for path in tmp_path.iterdir()] == [b"%PDF-"]


def test_markers_are_found_again_at_their_size(tmp_path):
    [(page, size_mm)] = printed("markers", tmp_path / "m.pdf", "--size-mm", "40", "--ids", "0,1,2,3")
    assert size_mm == pytest.approx((210, 297), abs=0.4)
    found = find_markers(page, "DICT_4X4_50")
    assert [marker.id for marker in found] == [0, 1, 2, 3]
    for marker in found:
        sides = np.hypot(*np.diff(marker.corners_px[[0, 1, 2, 3, 0]], axis=0).T) / PX_PER_MM
        assert sides == pytest.approx(40.0, abs=0.15)


def test_the_setups_own_markers_are_printed(tmp_path):
    text = (
        'schema = "sandtable/setup/1"\ngame = "omog"\n[table]\nsize_mm = [500, 400]\n[calibration]\nmarkers = '
        '{ dictionary = "DICT_5X5_100", size_mm = 30, centres = { 7 = [15, 15], 12 = [485, 15] } }\n'
    )
    [(page, _)] = printed("markers", tmp_path / "m.pdf", "--setup", str(write_setup(tmp_path, text)))
    assert [marker.id for marker in find_markers(page, "DICT_5X5_100")] == [7, 12]


def test_many_markers_take_more_pages(tmp_path):
    ids = ",".join(str(marker) for marker in range(20))
    rendered = printed("markers", tmp_path / "m.pdf", "--ids", ids)
    found = [marker.id for page, _ in rendered for marker in find_markers(page, "DICT_4X4_50")]
    assert len(rendered) == 2 and sorted(found) == list(range(20))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ids", ""], "--ids '': give numbers with commas between them"),
        (["--ids", "0,3,0"], "--ids '0,3,0': 0 is there twice"),
        (["--ids", "9" * 5000], f"--ids '{'9' * 39}...: give numbers with commas"),
        (["--dictionary", "nope"], "--dictionary: no dictionary 'nope'; there are DICT_4X4_100, "),
    ],
)
def test_markers_that_are_not_there_or_there_twice_are_refused(tmp_path, capfd, options, said):
    assert run(["print", "markers", str(tmp_path / "m.pdf"), *options]) == 1
    err = capfd.readouterr().err
    assert said in err and err.count("\n") == 1
    assert not (tmp_path / "m.pdf").exists()


def test_the_charuco_board_is_opencvs(tmp_path):
    [(page, _)] = printed("charuco", tmp_path / "c.pdf")
    board = cv2.aruco.CharucoBoard((7, 5), 34, 25, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(page)
    assert len(ids) == 24
    first, second = corners.reshape(-1, 2)[np.argsort(ids.ravel())][:2]
    assert (second - first) / PX_PER_MM == pytest.approx((34.0, 0.0), abs=0.1)


def test_every_coin_has_a_token_of_its_size(tmp_path):
    [(page, _)] = printed("tokens", tmp_path / "t.pdf")
    contours, tree = cv2.findContours(255 - page, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    boxes = [cv2.boundingRect(c) for c, (_, _, _, parent) in zip(contours, tree[0], strict=True) if parent < 0]
    widths = [w / PX_PER_MM for _, _, w, h in boxes if abs(w - h) < 3 and w > 15 * PX_PER_MM]
    # An outline of 0.25 mm lies half outside the disc.
    assert sorted(widths) == pytest.approx(sorted(d + 0.25 for d in COIN_DIAMETER_MM.values()), abs=0.35)


def test_dots_are_printed_in_the_colours_that_the_coin_net_learned():
    """They had the window's colours: of 50 printed red dots 17 were read as orange and 21 were untold."""
    learned = {owner: np.array(bgr[::-1]) for owner, bgr in STICKER_BGR.items()}
    assert DOTS.keys() == learned.keys()
    for owner, colour in DOTS.items():
        printed_rgb = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
        assert np.abs(printed_rgb - learned[owner]).max() <= 15
        assert min(learned, key=lambda other: np.linalg.norm(printed_rgb - learned[other])) == owner


def test_the_map_is_as_large_as_the_table(tmp_path):
    [(page, size_mm)] = printed("map", tmp_path / "map.pdf", "--setup", str(write_setup(tmp_path)))
    assert size_mm[0] == pytest.approx(320 + 2 * PAPER_MARGIN_MM, abs=0.4)
    # The A43 of the set-up's map crosses the middle of the table, and nothing else is on it.
    column = page[:, round((PAPER_MARGIN_MM + 160) * PX_PER_MM)]
    road = np.flatnonzero(column[: round((PAPER_MARGIN_MM + 239) * PX_PER_MM)] < 150)
    assert road.mean() / PX_PER_MM == pytest.approx(PAPER_MARGIN_MM + 120, abs=0.2)
    assert (road.max() - road.min() + 1) / PX_PER_MM == pytest.approx(1.1, abs=0.3)


def test_a_map_without_a_setup_is_refused(tmp_path, capfd):
    assert run(["print", "map", str(tmp_path / "map.pdf")]) == 1
    assert "--setup" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_neighbouring_hexes_are_a_pitch_apart():
    centres = np.array(hex_centres(38.1, 200, 150))
    distances = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
    np.fill_diagonal(distances, np.inf)
    assert distances.min(axis=1) == pytest.approx(38.1)
    radius = 38.1 / np.sqrt(3)
    assert (centres - [38.1 / 2, radius]).min() >= -1e-9
    assert (centres <= [200 - 38.1 / 2, 150 - radius]).all()


@pytest.mark.parametrize(("content", "paper"), [((100, 100), (210, 297)), ((260, 150), (297, 210))])
def test_the_paper_is_turned_when_that_helps(content, paper):
    chosen = Paper.for_content(*content)
    assert (chosen.width_mm, chosen.height_mm) == paper


def ink_outside(page, size_mm):
    """Whether anything is drawn within the page's margin."""
    inner = page.copy()
    margin = round((PAPER_MARGIN_MM - 1.2) * PX_PER_MM)  # crosses at the cutting lines' ends reach out by 1 mm
    inner[margin:-margin, margin:-margin] = 255
    return bool((inner < 200).any())


@pytest.mark.parametrize(("paper", "most_mm"), [("a4", 139), ("letter", 143)])
def test_the_largest_marker_lies_on_its_paper_with_its_white_rim(tmp_path, paper, most_mm):
    """One of 180 mm was cut off by the page's edge."""
    [(page, size_mm)] = printed(
        "markers", tmp_path / "m.pdf", "--size-mm", str(most_mm), "--ids", "0", "--paper", paper
    )
    assert not ink_outside(page, size_mm)
    [marker] = find_markers(page, "DICT_4X4_50")
    assert np.ptp(marker.corners_px[:, 0]) / PX_PER_MM == pytest.approx(most_mm, abs=0.3)


@pytest.mark.parametrize("size_mm", [140, 180, 250, 3])
def test_a_marker_that_the_paper_does_not_hold_is_refused_with_the_size_that_it_does(tmp_path, capfd, size_mm):
    text = (
        'schema = "sandtable/setup/1"\ngame = "omog"\n[table]\nsize_mm = [500, 400]\n[calibration]\nmarkers = '
        f'{{ dictionary = "DICT_5X5_100", size_mm = {size_mm}, centres = {{ 7 = [15, 15], 12 = [485, 15] }} }}\n'
    )
    out, setup = tmp_path / "m.pdf", write_setup(tmp_path, text)
    assert run(["print", "markers", str(out), "--setup", str(setup)]) == 1
    err = capfd.readouterr().err
    assert f"markers.size_mm: {size_mm} mm" in err and "a4 holds 5 to 139 mm (--paper letter: 143)" in err
    assert err.count("\n") == 1 and not out.exists()


@pytest.mark.parametrize("size_mm", [5, 8, 12, 20, 28, 40])
@pytest.mark.parametrize("dictionary", ["DICT_4X4_50", "DICT_APRILTAG_36H11"])
def test_no_label_runs_into_its_neighbour(tmp_path, size_mm, dictionary):
    """At 20 mm and less they overprinted one another."""
    options = ("--size-mm", str(size_mm), "--dictionary", dictionary)
    (together, _), *_ = printed("markers", tmp_path / "m.pdf", *options, "--ids", "10,11")
    alone = [printed("markers", tmp_path / f"{one}.pdf", *options, "--ids", one)[0][0] for one in ("10", "11")]
    pitch_px = round(max(size_mm + 14, size_mm * 4 / 3 + 2.5) * PX_PER_MM)
    foot = round(50 * PX_PER_MM)
    dark = [np.flatnonzero((page[:-foot] < 128).any(axis=0)) for page in alone]
    # Where the second one begins, its label and all, the first has ended.
    assert dark[0].max() < dark[1].min() + pitch_px
    assert (together[:-foot, : dark[0].max()] == alone[0][:-foot, : dark[0].max()]).all()


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_players_colour_has_its_dots(tmp_path, paper):
    """On letter paper the tenth was left out."""
    rendered = printed("tokens", tmp_path / "t.pdf", "--paper", paper)
    first = round((PAPER_MARGIN_MM + 4) * PX_PER_MM)
    rows = 0
    for page, _ in rendered:
        contours, _ = cv2.findContours(255 - page, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        boxes = [cv2.boundingRect(contour) for contour in contours]
        rows += sum(abs(w - 8.1 * PX_PER_MM) < 3 and abs(w - h) < 3 and x < first < x + w for x, _, w, h in boxes)
    assert rows == 10


def strip_ticks_mm(page, strip):
    """How far the long ticks of a strip of the rulers lie from its left end."""
    row = page[round((PAPER_MARGIN_MM + strip * 22 + 6.0) * PX_PER_MM), round(PAPER_MARGIN_MM * PX_PER_MM) :]
    return np.flatnonzero(row < 100) / PX_PER_MM


@pytest.mark.parametrize("block", ["[calibration]", "[rules]"])
def test_rulers_are_of_the_setups_card(tmp_path, block):
    """They were of a poker card, 63.5 mm broad."""
    text = 'schema = "sandtable/setup/1"\ngame = "omms"\n[table]\nsize_mm = [500, 400]\n'
    setup = str(write_setup(tmp_path, f'{text}{block}\ncard = "bridge"\n'))
    [(page, _)] = printed("rulers", tmp_path / "r.pdf", "--setup", setup)
    assert np.abs(strip_ticks_mm(page, 3) - 57.15).min() < 0.2
    [(page, _)] = printed("rulers", tmp_path / "p.pdf", "--setup", setup, "--card", "poker")
    assert np.abs(strip_ticks_mm(page, 3) - 63.5).min() < 0.2


def test_a_map_is_tiled_over_the_paper_that_is_named(tmp_path, capfd):
    """--paper was passed over."""
    setup = str(write_setup(tmp_path))
    [(whole, _)] = printed("map", tmp_path / "map.pdf", "--setup", setup)
    assert "(one page of 344 x 278 mm; --paper a4 cuts it into pages of a4)" in capfd.readouterr().err
    tiles = printed("map", tmp_path / "tiles.pdf", "--setup", setup, "--paper", "letter")
    assert "(2 pages of letter, 2 x 1, that overlap by 10 mm: cut each along the ticks" in capfd.readouterr().err
    assert len(tiles) == 2
    # The second page begins one free width less 10 mm on: the same drawing, but for the crosses on the seam.
    begins_mm = 215.9 - 2 * PAPER_MARGIN_MM - 10.0
    shown_mm = np.array([20.0, 100.0]) + PAPER_MARGIN_MM
    rows = slice(round((PAPER_MARGIN_MM + 5) * PX_PER_MM), round((PAPER_MARGIN_MM + 235) * PX_PER_MM))
    there, here = (
        page[rows, slice(*np.round((shown_mm + shift_mm) * PX_PER_MM).astype(int))].astype(float)
        for page, shift_mm in ((whole, begins_mm), (tiles[1][0], 0.0))
    )
    assert there.min() < 150  # a road crosses it
    assert np.abs(cv2.GaussianBlur(there - here, (0, 0), 2.0)).max() < 30


def placed(cls, where):
    return {
        "type": "Feature",
        "geometry": where,
        "properties": {"kind": "settlement", "class": cls, "name": "Lower Edgeford"},
    }


def test_nothing_of_a_map_lies_beyond_the_table_nor_is_cut_at_its_edge(tmp_path):
    """Roads ran over the margin and the ruler line, names ended at the page's edge, a town's outline was a circle."""
    setup = write_setup(tmp_path)
    drawn = map_document([(250, -40), (250, 300)])
    corners = [[40, 40], [90, 40], [90, 80], [40, 80], [40, 40]]
    drawn["features"] += [
        placed("village", {"type": "Point", "coordinates": [310, 160]}),
        placed("town", {"type": "Polygon", "coordinates": [corners]}),
    ]
    write_document(tmp_path / "map.geojson", drawn)
    [(page, size_mm)] = printed("map", tmp_path / "map.pdf", "--setup", str(setup))
    assert not ink_outside(page, size_mm)

    def ink(left_mm, top_mm, right_mm, bottom_mm):
        top, bottom, left, right = (
            round((PAPER_MARGIN_MM + at) * PX_PER_MM) for at in (top_mm, bottom_mm, left_mm, right_mm)
        )
        return bool((page[top:bottom, left:right] < 128).any())

    assert not ink(240, 240.5, 260, 249)  # the road ends with the table
    assert ink(298, 75, 303, 78) and ink(315, 75, 320, 78) and not ink(320.5, 70, 330, 80)  # the name on it
    assert all(ink(x - 1, 239 - y, x + 1, 241 - y) for x, y in corners)


def test_no_number_lies_beyond_the_end_of_its_ruler(tmp_path):
    """The 25 of the centimetres did, where the strip is cut off."""
    [(page, _)] = printed("rulers", tmp_path / "r.pdf")
    assert (page[: -round(60 * PX_PER_MM), round((PAPER_MARGIN_MM + 250.5) * PX_PER_MM) :] > 200).all()
