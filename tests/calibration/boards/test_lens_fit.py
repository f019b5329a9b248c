"""The lens from views of a board, rendered so that the truth is known."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.boards.board import USUAL_BOARDS, Board, BoardView, find_board, whole_board
from calibration.boards.lens_file import lens_text, read_lens
from calibration.boards.lens_fit import calibrate_lens, coverage_of, report_lens
from calibration.lens import Lens
from tests.calibration.table_picture import a_camera, a_lens, shoot

SIZE = (960, 720)
TRUTH = a_lens(SIZE, (-0.12, 0.05, 0.001, -0.0005, 0.0))
BOARD = Board(9, 6)
CORNERS = np.c_[np.tile(np.arange(9), 6), np.repeat(np.arange(6), 9)].astype(float)


def views(count=12, noise_px=0.05, lens=TRUTH, tilts=(35, 60, 85), seed=0, nearest=8.0, aside=0.0, longer=0.0):
    rng = np.random.default_rng(seed)
    seen = []
    for i in range(count):
        aim = rng.uniform((1 - aside, 0.5 - aside), (7 + aside, 4.5 + aside))
        camera = a_camera(
            tilts[i % len(tilts)],
            rng.uniform(nearest, nearest + 6),
            rng.uniform(-60, 60),
            rng.uniform(-90, 90),
            lens,
            aim,
        )
        px = camera.to_image(CORNERS * (1 + longer, 1)) + rng.normal(0, noise_px, CORNERS.shape)
        inside = ((px > 0) & (px < np.array(lens.size_px))).all(axis=1)
        seen.append(BoardView(f"{i}.png", px[inside], CORNERS[inside], lens.size_px))
    return [view for view in seen if len(view.board) >= 20]


def test_the_lens_comes_back():
    report = report_lens(views(), BOARD)
    sigma = np.sqrt(np.diag(report.lens.covariance))
    off = report.lens.parameters - TRUTH.parameters
    assert np.abs(off[:2]).max() < 0.003
    assert (np.abs(off) < 4 * sigma).all()
    assert report.rms_px == pytest.approx(0.05 * np.sqrt(2), rel=0.1)
    assert report.quantiles_px[0] < report.rms_px < report.quantiles_px[1] < report.quantiles_px[2]
    assert not report.lens.fisheye


def test_its_stated_error_is_its_error():
    ratios = []
    for seed in range(12):
        lens = report_lens(views(10, 0.1, seed=seed), BOARD).lens
        ratios.append((lens.parameters - TRUTH.parameters)[:4] / np.sqrt(np.diag(lens.covariance))[:4])
    assert 0.6 < np.sqrt(np.mean(np.square(ratios))) < 1.5


def test_a_fisheye_is_recognised():
    wide = Lens.measured(SIZE, [[330, 0, 479.5], [0, 330, 359.5], [0, 0, 1]], (0.08, 0.02, -0.01, 0.002), fisheye=True)
    seen = views(24, 0.05, wide, seed=2, nearest=3.0, aside=2.0)
    report = report_lens(seen, BOARD)
    assert report.lens.fisheye
    assert report.rms_px < 0.1
    assert report.lens.matrix[0, 0] == pytest.approx(330, rel=0.01)


@pytest.mark.parametrize(("focal_px", "seed"), [(288, 0), (330, 4), (430, 5), (480, 6)])
def test_a_fisheye_is_told_to_the_corners_of_its_picture(focal_px, seed):
    """A pinhole's powers explained some to 0.5 px and were taken, rays in the corners 130 degrees off; from others
    OpenCV's own start gave up."""
    truth = Lens.measured(SIZE, [[focal_px, 0, 476.0], [0, focal_px, 363.0], [0, 0, 1]], (0.01, 0, 0, 0), fisheye=True)
    lens = report_lens(views(24, 0.08, truth, seed=seed, nearest=3.0, aside=2.0), BOARD).lens
    px = np.stack(np.meshgrid(np.linspace(60, 900, 7), np.linspace(60, 660, 5)), axis=-1).reshape(-1, 2)
    ahead = [np.c_[each.rays(px), np.ones(len(px))] for each in (truth, lens)]
    one, other = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in ahead)
    off_deg = np.degrees(np.arccos(np.clip((one * other).sum(axis=1), -1, 1)))
    assert lens.fisheye and off_deg.max() < 0.5


def test_a_fisheye_is_told_by_boards_in_the_middle_of_its_picture():
    """Both models fold in corners where no board was, and a pinhole was taken, though it explained the views worse."""
    truth = Lens.measured(SIZE, [[330, 0, 476.0], [0, 330, 363.0], [0, 0, 1]], (0.01, 0, 0, 0), fisheye=True)
    assert report_lens(views(11, lens=truth, seed=4, nearest=7.0), BOARD).lens.fisheye


@pytest.mark.parametrize(("sides", "how"), [((True, True), "turned by 180 degrees"), ((True, False), "mirrored left")])
def test_a_view_that_was_turned_over_is_left_out_and_named(sides, how):
    """The lens's axis was 6 px off by one that was turned, 10 by a mirrored one, and 1 was stated."""
    lens = TRUTH.with_parameters(TRUTH.parameters + np.r_[0, 0, 12.0, -8.0, np.zeros(5)])
    first, *others = views(12, 0.15, lens, seed=1)
    over = replace(first, corners_px=np.where(sides, np.array(SIZE) - 1 - first.corners_px, first.corners_px))
    report = report_lens([over, *others], BOARD, model="pinhole")
    assert [view.name for view in report.views if not view.used] == ["0.png"]
    assert report.warnings[0].startswith(f"0.png fits the others as if {how}")
    assert np.abs(report.lens.parameters - lens.parameters)[2:4].max() < 1.0


def test_a_view_through_another_zoom_is_left_out_and_named():
    """Two right views of six were blamed for one that a program had enlarged by 15 %, and left out in its place."""
    nearer = TRUTH.with_parameters(TRUTH.parameters + np.r_[0.14, 0.14, np.zeros(7)])
    seen = views(6, 0.1, seed=6)
    seen[2] = replace(views(6, 0.1, nearer, seed=6)[2], name="nearer.png")
    report = report_lens(seen, BOARD, model="pinhole")
    assert [view.name for view in report.views if not view.used] == ["nearer.png"]
    assert report.warnings[0].startswith("nearer.png contradicts all others")


def nearer(share):
    """TRUTH at a longer zoom."""
    return TRUTH.with_parameters(TRUTH.parameters + np.r_[np.log1p(share), np.log1p(share), np.zeros(7)])


@pytest.mark.parametrize(("share", "strange"), [(0.05, 3), (0.2, 4)])
def test_views_at_two_zooms_are_refused_and_parted(share, strange):
    """Three of seven and the like took the lens with them, up to 29 % off, and 0.2 to 0.5 % were stated."""
    others = [replace(view, name=f"near {view.name}") for view in views(strange, 0.1, nearer(share), seed=5)]
    named = " and ".join(", ".join(view.name for view in others).rsplit(", ", 1))
    with pytest.raises(ValueError, match=f"two zooms or cameras: {named} show a focal length {1 + share:.2f} times"):
        report_lens([*views(4, 0.1, seed=6), *others], BOARD, model="pinhole")


def test_a_few_views_at_another_zoom_are_all_left_out():
    """They were left out one by one, and right ones with them."""
    others = [replace(view, name=f"near {view.name}") for view in views(3, 0.1, nearer(0.03), seed=5)]
    report = report_lens([*views(10, 0.1, seed=6), *others], BOARD, model="pinhole")
    assert [view.name for view in report.views if not view.used] == [view.name for view in others]
    assert abs(report.lens.parameters[0] - TRUTH.parameters[0]) < 4 * np.sqrt(report.lens.covariance[0, 0]) < 0.004


def test_views_of_two_cameras_are_refused_for_that():
    """One axis aside and another bend besides: no lens is told, and it was stated to half a percent."""
    other = TRUTH.with_parameters(TRUTH.parameters + np.r_[0.1, 0.1, 10.0, -10.0, 0.08, np.zeros(4)])
    with pytest.raises(ValueError, match=r"stays open by \d+ %: the .* another camera, zoom or focus|differs by"):
        report_lens([*views(6, 0.1, seed=6), *views(6, 0.1, other, seed=5)], BOARD, model="pinhole")


def test_a_camera_that_focuses_by_itself_states_what_that_leaves_open():
    """Its focal length differs from view to view, and over the table it may be any of these: 0.1 % was stated."""
    rng, seen = np.random.default_rng(3), []
    for number in range(12):
        seen.append(replace(views(1, 0.05, nearer(rng.normal(0, 0.006)), seed=number)[0], name=str(number)))
    report = report_lens(seen, BOARD, model="pinhole")
    assert 0.003 < np.sqrt(report.lens.covariance[0, 0]) < 0.012
    assert any("focal length differs by" in warning for warning in report.warnings)


def test_views_through_one_lens_agree():
    told = [report_lens(views(7, 0.2, seed=seed), BOARD).warnings for seed in range(4)]
    assert not any("agree" in warning for warnings in told for warning in warnings)


def test_a_view_of_a_lens_that_looks_for_its_focus_was_not_turned():
    """Its axis strays by a pixel or two from view to view, and near the middle that may be on either side of it."""
    rng, seen = np.random.default_rng(3), []
    for number in range(12):
        off = np.r_[[rng.normal(0, 4e-3)] * 2, rng.normal(0, 1.5, 2), np.zeros(5)]
        seen.append(views(12, 0.1, TRUTH.with_parameters(TRUTH.parameters + off), seed=2)[number])
    assert not any("as if" in warning for warning in report_lens(seen, BOARD, model="pinhole").warnings)


def test_a_spoilt_view_is_left_out_and_named():
    seen = views(10)
    seen[3] = BoardView(
        "blurred.png",
        seen[3].corners_px + np.random.default_rng(0).normal(0, 4, seen[3].corners_px.shape),
        seen[3].board,
        SIZE,
    )
    report = report_lens(seen, BOARD)
    assert [view.name for view in report.views if not view.used] == ["blurred.png"]
    assert report.rms_px < 0.1


def test_what_is_seen_from_one_place_six_times_is_seen_once():
    """What moves a corner is the same in all: a focal length 3.8 % off was told to 1.2 (95 %), and taken."""
    camera, rng = a_camera(45, 8.0, lens=TRUTH, aim_mm=(4, 2.5)), np.random.default_rng(0)
    curl_px, px = rng.normal(0, 0.1, CORNERS.shape), camera.to_image(CORNERS)
    six = [BoardView(str(i), px + curl_px + rng.normal(0, 0.01, px.shape), CORNERS, SIZE) for i in range(6)]
    with pytest.raises(ValueError, match="focal length stays open by"):
        report_lens(six, BOARD, model="fisheye")


def test_a_focal_length_that_no_camera_has_is_refused():
    """Of one view six times, square to the lens, 20 px of 1,920 came out, told to 0.04 %, and were taken."""
    short = Lens.measured(SIZE, [[40, 0, 479.5], [0, 40, 359.5], [0, 0, 1]])
    with pytest.raises(ValueError, match=r"a focal length of 40 px, .* is shorter than any camera's"):
        report_lens(views(lens=short, nearest=0.5, tilts=(60, 85)), BOARD, model="pinhole")


def test_how_far_the_focal_length_is_told_is_said_where_views_are_alike():
    camera, rng = a_camera(50, 9.0, lens=TRUTH, aim_mm=(4, 2.5)), np.random.default_rng(1)
    px = camera.to_image(CORNERS)
    six = [BoardView(str(i), px + rng.normal(0, 0.08, px.shape), CORNERS, SIZE) for i in range(6)]
    report = report_lens(six, BOARD, model="fisheye")
    told = [warning for warning in report.warnings if "focal length" in warning]
    assert len(told) == 1 and "may be off by" in told[0]
    assert not any("focal length" in warning for warning in report_lens(views(), BOARD).warnings)


def test_weak_coverage_is_warned_of():
    seen = [view for view in views(40, seed=3) if (view.corners_px[:, 0] < 700).all()]
    report = report_lens(seen, BOARD)
    assert not coverage_of(seen)[:, 6:].any()
    assert any("bring it to" in warning and "right" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        (views(3), "seen in 3 pictures; at least 4 are needed"),
        (views(6, tilts=(89.9,)), "hold the board at a slant"),
        (
            views(5) + [BoardView("b", v.corners_px, v.board, (640, 480)) for v in views(2)],
            "different sizes .640 x 480 and 960 x 720.: .* and leave out b, b",
        ),
        (
            views(5)
            + [BoardView(str(w), v.corners_px, v.board, (w, 480)) for w, v in zip((320, 640), views(2), strict=True)],
            "different sizes .*: .* and leave out 320, 640$",
        ),
        (
            views(5) + [BoardView("upright", v.corners_px, v.board, (720, 960)) for v in views(1)],
            "different sizes .720 x 960 and 960 x 720.: some are on their side; hold the camera .* out upright$",
        ),
        (views(6, noise_px=9), "contradict one another"),
    ],
)
def test_bad_data_is_refused(seen, message):
    with pytest.raises(ValueError, match=message):
        report_lens(seen, BOARD)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", [1, 6])
def test_parts_taken_for_the_whole_contradict_one_another(seed):
    """Overflowing numbers were warned of, and "Eigenvalues did not converge" was all that was said."""
    rng, seen = np.random.default_rng(seed), []
    for i in range(5):
        px = CORNERS @ (np.eye(2) + rng.normal(0, 0.3, (2, 2))) * rng.uniform(20, 60) + rng.uniform(50, 300, 2)
        px = px + i % 2 * np.round(CORNERS[:, ::-1] % (2 + i)) * rng.uniform(20, 60)
        seen.append(BoardView(str(i), px, CORNERS, (960, 720)))
    with pytest.raises(ValueError, match="contradict one another"):
        report_lens(seen, BOARD)


def a_chessboard(columns=9, rows=6, side=40):
    squares = (np.indices((rows + 1, columns + 1)).sum(axis=0) % 2 * 235).astype(np.uint8)
    return cv2.copyMakeBorder(
        np.kron(squares, np.ones((side, side), np.uint8)), side, side, side, side, cv2.BORDER_CONSTANT, value=235
    )


def test_a_chessboard_is_found_to_a_twentieth_of_a_pixel():
    camera = a_camera(60, 500, 10, lens=a_lens(SIZE), aim_mm=(120, 90))
    picture = shoot(camera, a_chessboard(), 2, rays=4)
    view = find_board(picture, BOARD)
    truth = camera.to_image([[20 * (c + 2), 20 * (8 - r - 1) - 20 + 20 * 1] for r in range(6) for c in range(9)])
    nearest = np.array([np.hypot(*(truth - corner).T).min() for corner in view.corners_px])
    assert np.sqrt(np.mean(np.square(nearest))) < 0.08


def test_a_charuco_board_is_found_even_in_part_and_the_usual_one_without_being_named():
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    sheet = cv2.aruco.CharucoBoard((7, 5), 34.0, 25.0, words).generateImage((7 * 68, 5 * 68), marginSize=0)
    pictures = []
    for i, (tilt, roll) in enumerate([(50, 0), (75, 40), (45, -30), (60, 90), (85, 10)]):
        camera = a_camera(tilt, 330, roll, 20 * i, lens=a_lens(SIZE), aim_mm=(119, 85))
        pictures.append(shoot(camera, sheet, 2, rays=2, beyond=200))
    pictures[0][:, :500] = 120
    report = calibrate_lens([*pictures, np.full(SIZE[::-1], 99, np.uint8)], ["a", "b", "c", "d", "e", "empty"])
    assert report.board == Board(7, 5, "DICT_4X4_50")
    assert report.unseen == ("empty",)
    assert report.views[0].corners < 24 == report.views[1].corners
    assert report.rms_px < 0.2
    assert report.lens.matrix[0, 0] == pytest.approx(a_lens(SIZE).matrix[0, 0], rel=0.02)


def test_a_charuco_board_of_which_one_row_shows_is_no_view():
    """One such picture of eight told that all views contradict one another."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    board = cv2.aruco.CharucoBoard((7, 5), 34.0, 25.0, words)
    sheet = board.generateImage((7 * 68, 5 * 68), marginSize=0)
    sheet[145:] = 120
    picture = cv2.copyMakeBorder(sheet, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=120)
    assert len(cv2.aruco.CharucoDetector(board).detectBoard(picture)[1]) == 6
    assert find_board(picture, Board(7, 5, "DICT_4X4_50")) is None


def a_mirrored_board():
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    sheet = cv2.aruco.CharucoBoard((7, 5), 34.0, 25.0, words).generateImage((7 * 68, 5 * 68), marginSize=0)
    return cv2.copyMakeBorder(sheet, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=235)[:, ::-1]


def test_a_mirrored_board_is_told():
    """Its squares were taken for a chessboard of 6 x 4: the axis lay on the wrong side of the middle, unsaid."""
    with pytest.raises(ValueError, match="shows mirrored: switch mirroring off"):
        calibrate_lens([a_mirrored_board()] * 4, list("abcd"))


def test_a_mirrored_board_among_chessboards_changes_nothing():
    with pytest.raises(ValueError, match="9 x 6 chessboard is seen in 2 pictures"):
        calibrate_lens([a_chessboard(9, 6), a_mirrored_board(), a_chessboard(9, 6)], ["a", "b", "c"])


def test_of_several_boards_the_one_that_most_pictures_show_is_taken():
    pictures = [a_chessboard(7, 6), a_chessboard(9, 6), a_chessboard(9, 6)]
    with pytest.raises(ValueError, match="9 x 6 chessboard is seen in 2 pictures"):
        calibrate_lens(pictures, ["other", "a", "b"])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_picture_of_a_smaller_board_that_all_others_hold_changes_nothing(place):
    """OpenCV finds 6 x 4 corners in a chessboard of 9 x 6."""
    pictures = [a_chessboard(9, 6), a_chessboard(9, 6)]
    pictures.insert(place, a_chessboard(6, 4))
    with pytest.raises(ValueError, match="9 x 6 chessboard is seen in 2 pictures"):
        calibrate_lens(pictures, ["a", "b", "c"])


def test_no_board_is_told():
    with pytest.raises(ValueError, match="no chessboard or ChArUco board is seen"):
        calibrate_lens([np.full((200, 300), 90, np.uint8)], ["a"])


def test_the_file_keeps_the_lens_and_its_error(tmp_path):
    report = report_lens(views(), BOARD)
    (tmp_path / "LENS.toml").write_text(lens_text(report))
    again = read_lens(tmp_path / "LENS.toml")
    assert np.allclose(again.parameters, report.lens.parameters, atol=1e-4)
    assert np.allclose(again.covariance, report.lens.covariance, rtol=1e-4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[table]\n", "there is no .camera. in it"),
        ("[camera]\nsize_px = [640, 480]\n", "needs size_px, fx, fy"),
        ("[camera]\nsize_px = [inf, 480]\nfx=500\nfy=500\ncx=1\ncy=1\n", "needs size_px, fx, fy"),
        ("no toml", "no TOML file"),
        ("[camera]\nsize_px = [640, 480]\nfx=1\nfy=1\ncx=1\ncy=1\ndistortion=[1]\n", "distortion needs 5 numbers"),
        ("[camera]\nsize_px = [640, 480]\nfx=-5\nfy=1\ncx=1\ncy=1\n", "must be positive"),
        ("[camera]\nsize_px = [640, 480]\nfx=500\nfy=500\ncx=1\ncy=1\n[[lens]]\nrms_px=1\n", r"and not \[\[lens\]\]"),
        (
            "[camera]\nsize_px = [9, 9]\nfx=5\nfy=5\ncx=4\ncy=4\nmodel='fisheye'\n[lens]\ncovariance=[[1]]\n",
            "must be 8 rows of as many",
        ),
    ],
)
def test_a_bad_file_is_told(tmp_path, text, message):
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_lens(path)


def test_a_bent_board_is_told_from_the_lens():
    """A board of 250 mm that bows by 2 made the focal length 3.4 % too long, and 0.2 % were stated."""
    bows = 0.08 * (1 - np.square(CORNERS[:, 0] / 4 - 1))
    seen = []
    for view, flat in zip(views(14, 0.0, seed=3), views(14, 0.0, seed=3), strict=True):
        at = [int(row) * 9 + int(column) for column, row in view.board]
        objects = np.c_[flat.board, np.zeros(len(flat.board))]
        _, rvec, tvec = cv2.solvePnP(objects, flat.corners_px, TRUTH.matrix, TRUTH.distortion)
        px, _ = TRUTH.project(np.c_[view.board, bows[at]], rvec.ravel(), tvec.ravel())
        noise_px = np.random.default_rng(len(seen)).normal(0, 0.05, px.shape)
        seen.append(BoardView(view.name, px + noise_px, view.board, SIZE))
    report = report_lens(seen, BOARD)
    off = report.lens.parameters - TRUTH.parameters
    assert (np.abs(off) < 4 * np.sqrt(np.diag(report.lens.covariance))).all() and np.abs(off[:2]).max() < 0.003
    assert any("the board is bent, by 1.0 % of its length" in warning for warning in report.warnings)


@pytest.mark.parametrize("turn_deg", [0, 30, 90])
def test_paper_that_bends_far_draws_its_ends_in(turn_deg):
    """Bent by 12 mm of 200 along its length, at a slant or across, it left 0.6 px or passed for a fisheye's picture."""
    flat, turn, radius = CORNERS - (4, 2.5), np.radians(turn_deg), 16.0
    ways = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    along, across = (flat @ ways).T
    lies = np.c_[np.c_[radius * np.sin(along / radius), across] @ ways.T + (4, 2.5), radius * np.cos(along / radius)]
    seen, rng = [], np.random.default_rng(7)
    for n, tilt in enumerate((35, 60, 85) * 4):
        camera = a_camera(tilt, rng.uniform(9, 15), rng.uniform(-60, 60), rng.uniform(-90, 90), TRUTH, (4.0, 2.5))
        px, _ = TRUTH.project(lies - (0, 0, radius), camera.rvec, camera.tvec)
        inside = ((px > 0) & (px < np.array(SIZE))).all(axis=1)
        seen.append(BoardView(f"{n}.png", (px + rng.normal(0, 0.05, px.shape))[inside], CORNERS[inside], SIZE))
    report = report_lens(seen, BOARD)
    off = report.lens.parameters - TRUTH.parameters
    assert report.rms_px < 0.08 and np.abs(off[:2]).max() < 0.002
    assert (np.abs(off) < 4 * np.sqrt(np.diag(report.lens.covariance))).all()


def bent_otherwise(rng):
    """(54, 3) a sheet of 8 squares along, on a cylinder that lies anyhow: it rises by up to a seventh of a square."""
    turn, curved, middle = rng.uniform(0, np.pi), rng.normal(0, 0.009), rng.uniform(-1, 1)
    ways = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    along, across = ((CORNERS - (4, 2.5)) @ ways).T
    angle = curved * (along - middle)
    return np.c_[np.c_[np.sin(angle) / curved + middle, across] @ ways.T + (4, 2.5), (1 - np.cos(angle)) / curved]


def views_bent_otherwise(rng, twice_bent=0.0, noise_px=0.05):
    """Twelve views of a sheet that bends otherwise in each, its ends so many squares (standard deviation) to either
    side of a cylinder."""
    seen = []
    for n, tilt in enumerate((35, 60, 85) * 4):
        camera = a_camera(tilt, rng.uniform(9, 15), rng.uniform(-60, 60), rng.uniform(-90, 90), TRUTH, (4.0, 2.5))
        end = np.c_[np.zeros((54, 2)), twice_bent * rng.normal() * ((CORNERS[:, :1] - 4) / 4) ** 3]
        px, _ = TRUTH.project(bent_otherwise(rng) + end, camera.rvec, camera.tvec)
        inside = ((px > 0) & (px < np.array(SIZE))).all(axis=1)
        seen.append(BoardView(f"{n}.png", (px + rng.normal(0, noise_px, px.shape))[inside], CORNERS[inside], SIZE))
    return seen


def test_a_sheet_that_bends_otherwise_in_each_view_is_told_from_the_lens():
    """By 4 mm of 250 it made the focal length up to 1.7 % wrong, and half of that was stated."""
    for seed in range(2):
        report = report_lens(views_bent_otherwise(np.random.default_rng(seed)), BOARD)
        off = report.lens.parameters - TRUTH.parameters
        assert report.rms_px < 0.1 and np.abs(off[:2]).max() < 0.002
        assert (np.abs(off) < 4 * np.sqrt(np.diag(report.lens.covariance))).all()
        assert any("bent, otherwise in each picture" in warning for warning in report.warnings)
        assert all(view.used for view in report.views)


def test_so_it_is_where_each_view_leaves_more_than_its_corners_are_off():
    """What remained of 40 times as much was no chance, so that all the views told apart was taken for the lens's."""
    for seed in range(3):
        report = report_lens(views_bent_otherwise(np.random.default_rng(seed), 0.01, noise_px=0.005), BOARD)
        off = report.lens.matrix[0, 0] / TRUTH.matrix[0, 0] - 1
        assert any("bent, otherwise in each picture" in warning for warning in report.warnings)
        assert report.rms_px < 0.2 and abs(off) < 1.96 * np.sqrt(report.lens.covariance[0, 0]) < 0.005


def test_a_flat_board_is_not_called_bent():
    assert not any("bent" in warning for seed in range(4) for warning in report_lens(views(seed=seed), BOARD).warnings)


@pytest.mark.parametrize(("share", "noise_px"), [(0.005, 0.05), (-0.003, 0.05), (0.01, 0.02)])
def test_a_board_that_is_longer_one_way_is_told_from_the_lens(share, noise_px):
    """Pixels came out 0.3 to 0.5 % longer than they are, and views fell out as another camera's; most where corners
    were sharp, since what the stretch left then passed for a chance that hides it."""
    for seed in range(4):
        report = report_lens(views(noise_px=noise_px, seed=seed, longer=share), BOARD)
        off = report.lens.parameters[:4] - TRUTH.parameters[:4]
        assert (np.abs(off) < 4 * np.sqrt(np.diag(report.lens.covariance)[:4])).all()
        assert abs(off[0] - off[1]) < 5e-4 and all(view.used for view in report.views)
        assert not any("agree" in warning for warning in report.warnings)
        way = "wide" if share > 0 else "high"
        assert any(f"{100 * abs(share):.1f} % too {way}" in warning for warning in report.warnings)


def test_a_chessboard_that_holds_a_smaller_one_is_asked_for_whole():
    """One of 11 x 8 was taken for 8 x 6, and "the views contradict one another" by 3.9 px."""
    squares = np.kron(np.indices((9, 12)).sum(axis=0) % 2, np.ones((40, 40)))
    picture = np.pad(np.where(squares, 230, 25), 60, constant_values=230).astype(np.uint8)
    assert whole_board([picture], Board(8, 6)) == Board(11, 8)
    assert whole_board([picture], USUAL_BOARDS[0]) == USUAL_BOARDS[0]


class Misled:
    """Finds the corners of a board as OpenCV's detector does, half a pixel off."""

    def __init__(self, board):
        words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        self.sheet = cv2.aruco.CharucoBoard((board.columns, board.rows), 1.0, board.marker_share, words)

    def detectBoard(self, gray):  # noqa: N802
        corners, *others = cv2.aruco.CharucoDetector(self.sheet).detectBoard(gray)
        return corners + np.float32([0.4, -0.3]), *others


def test_the_corners_of_a_charuco_board_lie_where_its_squares_meet(monkeypatch):
    """OpenCV's own were 0.2 px off through a wide lens (RMS)."""
    board = USUAL_BOARDS[0]
    misled = Misled(board)
    picture = np.pad(misled.sheet.generateImage((560, 400)), 40, constant_values=255)
    monkeypatch.setattr("calibration.boards.board._charuco_detector", lambda _: misled)
    view = find_board(cv2.GaussianBlur(picture, (0, 0), 0.7), board)
    assert view is not None
    assert np.abs(view.corners_px - (80 * (view.board + 1) + 39.5)).max() < 0.1
