"""The camera's stand over seconds: a drift is followed, a kick is told and measured again, soft pictures are told."""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from shapely import box

from calibration.kick.drift import Anchor, Drift, apart_px
from calibration.kick.parallax import Bodies
from calibration.plane import SIGMAS_95
from sample_footage.automatic_camera import out_of_focus
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot
from vision.frame import Frame
from vision.tripod.landmark_search import Landmarks, LandmarkSearch, Searches
from vision.tripod.stand import LOOK_EVERY_S, Stand, no_bodies

SIZE_MM = (350.0, 250.0)
CAMERA = a_camera(50, 480, lens=a_lens((960, 540)), aim_mm=(175, 125))
SHEET = cv2.cvtColor(paper(SIZE_MM, 4), cv2.COLOR_GRAY2BGR)
GRID = np.array([[x, y] for x in (20, 175, 330) for y in (20, 125, 230)], float)


def seen_from(turn_deg, seed=1):
    """The camera, turned about its lens, and what it shows."""
    rotation = cv2.Rodrigues(np.radians(np.array(turn_deg, float)))[0] @ CAMERA.rotation
    camera = replace(CAMERA, rvec=cv2.Rodrigues(rotation)[0].ravel(), tvec=-rotation @ CAMERA.camera_position_mm)
    return camera, shoot(camera, SHEET, 4, rays=2, seed=seed)


FIRST = seen_from((0, 0, 0))[1]
STILL = Drift(0.0, "still", 1.0, np.eye(3))


def watched(pictures, each_s=0.5, bodies=no_bodies, first=FIRST):
    """What a stand tells of pictures, each shown for that long: [(news, plane), ...] where there is any."""
    stand, told = Stand.of(Frame(first), CAMERA, SIZE_MM, bodies=bodies), []
    steps = round(each_s / (LOOK_EVERY_S / 3))
    for k, picture in enumerate(each for each in pictures for _ in range(steps)):
        news, plane = stand.check(Frame(picture, k, k * LOOK_EVERY_S / 3), moving=False)
        told += [(news, plane)] if news or plane else []
    return told


def test_a_slow_drift_is_followed_before_it_moves_a_piece_by_a_millimetre():
    turns = [(0.0, 0.06 * k, 0.0) for k in range(1, 7)]
    told = [each for each in watched([seen_from(turn)[1] for turn in turns]) if each[1]]
    assert {news.what for news, _ in told if news} == {"registered"}
    assert len(told) >= 3
    last, truth = told[-1][1], seen_from(turns[-1])[0]
    off_mm = np.hypot(*(last.to_table(truth.to_image(GRID)) - GRID).T)
    assert off_mm.max() < 0.6
    assert "drifted by 1 px" in told[0][0].sentence()


def test_a_slow_drift_is_told_as_it_begins_where_it_has_grown_and_when_it_is_over_with_how_far_it_went():
    pictures = [seen_from((0.0, 0.06 * k, 0.0), seed=k)[1] for k in range(1, 9)]
    news = [news for news, _ in watched([*pictures, *[pictures[-1]] * 12]) if news]
    assert {each.kind for each in news} == {"drift"} and [each.going for each in news] == ["once", "on", "over"]
    assert all(later.shift_px > 1.4 * before.shift_px for before, later in pairwise(news))
    assert news[-1].shift_px == pytest.approx(8 * np.radians(0.06) * CAMERA.lens.matrix[0, 0], rel=0.15)
    assert news[-1].sentence().startswith(f"the camera drifted by {news[-1].shift_px:.0f} px in all, and stands again")


def test_a_camera_that_moves_on_is_told_as_far_as_it_is_by_now():
    stand, told = Stand.of(Frame(FIRST), CAMERA, SIZE_MM), []
    for k in range(60):
        picture = seen_from((0.0, 0.02 * max(0, k - 3), 0.0), seed=k)[1]
        told += [each for each in stand.check(Frame(picture, k, k * LOOK_EVERY_S / 3), True) if each]
    sizes_px = [each.shift_px for each in told]
    assert [each.what for each in told] == ["kicked", "moving"] and sizes_px[1] >= 3 * sizes_px[0]
    assert "so far, and goes on" in told[1].sentence() and told[1].holds


@pytest.mark.parametrize("turn", [(0.2, 0.3, 0.0), (0.0, 0.0, 5.0), (2.0, -3.0, 1.0)])
def test_a_kick_is_told_and_measured_again(turn):
    truth, picture = seen_from(turn)
    (kicked, none), (registered, plane) = watched([picture], each_s=2.0)
    assert registered.took_s <= 2.0
    assert (kicked.what, none, registered.what) == ("kicked", None, "registered")
    off_mm = np.hypot(*(plane.to_table(truth.to_image(GRID)) - GRID).T)
    assert off_mm.max() < 1.0


def test_a_picture_out_of_focus_is_told_once_and_again_after_it_was_good():
    soft = np.asarray(cv2.GaussianBlur(FIRST, (0, 0), 2.0), np.uint8)
    told = watched([FIRST, soft, soft, FIRST, soft], each_s=1.5)
    assert [(news.what, news.kind) for news, _ in told] == [("unfocused", "focus")] * 2


def pushed(shift_px, share):
    """A kick to the right, as so much of the texture tells it."""
    motion = np.array([[1, 0, shift_px], [0, 1, 0], [0, 0, 1]], float)
    return Drift(shift_px, "kick", share, motion)


@pytest.mark.parametrize(
    ("looks", "is_kicked"),
    [
        ((pushed(4.3, 0.6), pushed(15.1, 0.55), pushed(3.0, 0.6), STILL), False),
        ((pushed(4.3, 0.6), pushed(4.5, 0.55)), True),
        ((pushed(4.3, 0.9), pushed(15.1, 0.9)), True),
    ],
)
def test_what_little_of_the_texture_tells_differently_in_each_look_is_no_kick(monkeypatch, looks, is_kicked):
    seen = iter((STILL, *looks))
    monkeypatch.setattr("vision.tripod.stand.watch", lambda *_: next(seen, STILL))
    told = [news.what for news, _ in watched([FIRST], each_s=0.8) if news]
    assert told[:1] == (["kicked"] if is_kicked else [])


def hunting(share, breathes=0.012, blur_px=2.5):
    """The picture of a lens that looks for its focus, so far out of it."""
    return out_of_focus(FIRST, blur_px * share, 1 + breathes * share)


def test_a_lens_that_looks_for_its_focus_is_no_kick_and_nothing_is_read_or_drawn_until_it_has_it():
    stand, told = Stand.of(Frame(FIRST), CAMERA, SIZE_MM), []
    shares = [0.0] * 5 + list(np.sin(np.linspace(0, np.pi, 19))) + [0.0] * 5
    read, drawn = [], []
    for k, share in enumerate(shares):
        told += [each for each in stand.check(Frame(hunting(share), k, k * LOOK_EVERY_S / 3), True) if each]
        read, drawn = [*read, not stand.is_soft], [*drawn, not stand.is_astray]
    assert not told
    assert all(read[:5]) and all(drawn[:5]) and all(read[-3:]) and all(drawn[-3:])
    assert not any(read[12:20]) and not any(drawn[13:18])


def test_a_focus_that_stays_elsewhere_is_told_as_a_zoom_and_measured_again():
    (told, none), (again, plane) = watched([hunting(1.0, breathes=0.015, blur_px=0.3)], each_s=2.5)
    assert (told.what, none, again.what) == ("kicked", None, "registered")
    assert again.took_s < 1.0
    larger = cv2.getRotationMatrix2D((479.5, 269.5), 0, 1.015)
    px = CAMERA.to_image(GRID) @ larger[:, :2].T + larger[:, 2]
    assert np.hypot(*(plane.to_table(px) - GRID).T).max() < 0.1


BOOK_MM, BOOK_TALL_MM = box(30, 40, 200, 210), 20.0
PRINT = cv2.cvtColor(paper(SIZE_MM, 4, seed=3, gray=150), cv2.COLOR_GRAY2BGR)


def with_a_book(camera):
    """What the camera shows of a printed book on the table: its top, which lies aside for a camera elsewhere."""
    above = replace(camera, tvec=camera.tvec + BOOK_TALL_MM * camera.rotation[:, 2])
    table, top = shoot(camera, SHEET, 4, rays=2, seed=2), shoot(above, PRINT, 4, rays=2, seed=3)
    outline_px = above.to_image(np.array(BOOK_MM.exterior.coords))
    mask = cv2.fillPoly(np.zeros(table.shape[:2], np.uint8), [np.round(outline_px).astype(np.int32)], 1)
    return np.where(mask[..., None] > 0, top, table)


def aside(mm):
    """The camera, carried so far to the right."""
    return replace(CAMERA, tvec=-CAMERA.rotation @ np.add(CAMERA.camera_position_mm, (mm, 0.0, 0.0)))


@pytest.mark.parametrize(
    ("hidden_mm", "mm", "what"),
    [
        (BOOK_MM.buffer(12), 40, "registered"),  # the rest of the table tells how far the camera went
        (box(0, 0, 350, 230), 40, "registered"),  # so does a strip of it
        (box(0, 0, 350, 250), 40, "registered"),  # and, by less, what is lowest
        (box(0, 0, 350, 250), 140, "lost"),  # from farther that is not enough
        (box(0, 0, 350, 250), 4, "registered"),  # it hardly went
    ],
)
def test_what_stands_on_the_table_lies_aside_for_a_camera_that_was_carried(hidden_mm, mm, what):
    camera = aside(mm)
    bodies = Bodies(hidden_mm, BOOK_TALL_MM)
    *_, (news, plane) = watched([with_a_book(camera)], 3.0, lambda _: bodies, first=with_a_book(CAMERA))
    assert news.what == what
    if plane is not None:
        off_mm, sigma_mm = np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T), plane.added_sigma_mm(GRID)
        assert off_mm.max() < 0.4 and sigma_mm.max() < 1.0
        assert mm < 8 or (off_mm <= SIGMAS_95 * sigma_mm).all()


@pytest.mark.parametrize("zoom", [1.03, 1.12])
def test_a_zoom_after_the_camera_was_carried_is_measured_as_one_though_things_stand_on_the_table(zoom):
    """What stands there is measured through the lens of before, for it may pass for another focal length: not now."""
    lens, carried = CAMERA.lens, aside(12)
    camera = replace(carried, lens=replace(lens, matrix=lens.matrix * np.where(np.eye(3, 3) * [1, 1, 0], zoom, 1.0)))
    bodies = Bodies(box(100, 100, 126, 126), 2.0)
    picture = shoot(camera, SHEET, 4, rays=2, seed=2)
    *_, (news, plane) = watched([picture], 3.0, lambda _: bodies)
    assert news.what == "registered"
    assert np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T).max() < 0.2


def test_a_book_that_nobody_knows_of_would_measure_the_table_beside_itself():
    camera = aside(40)
    *_, (_, plane) = watched([with_a_book(camera)], 3.0, first=with_a_book(CAMERA))
    assert np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T).max() > 0.5


def carried_round(pan_deg):
    """The camera, carried round the table so far, and what it shows."""
    camera = a_camera(50, 480, pan_deg=pan_deg, lens=a_lens((960, 540)), aim_mm=(175, 125))
    return camera, shoot(camera, SHEET, 4, rays=2, seed=1)


def test_a_camera_carried_round_is_known_by_the_ground_from_its_first_picture_and_the_last():
    camera, picture = carried_round(75)
    stand = Stand.of(Frame(FIRST), CAMERA, SIZE_MM)
    plane = stand.from_elsewhere(Frame(picture))
    assert np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T).max() < 0.2
    # What the first picture showed is no more there.
    stand.first = Anchor.of(np.full_like(FIRST, 128), CAMERA, SIZE_MM)
    assert stand.from_elsewhere(Frame(picture)) is not None
    stand.anchor = stand.first
    assert stand.from_elsewhere(Frame(picture)) is None
    # Since a zoom the first picture's lens is another one.
    stand.first = Anchor.of(FIRST, CAMERA, SIZE_MM)
    zoomed = replace(CAMERA, lens=replace(CAMERA.lens, matrix=CAMERA.lens.matrix * [[1.02], [1.02], [1.0]]))
    stand.anchor = Anchor.of(np.full_like(FIRST, 128), zoomed, SIZE_MM)
    assert stand.from_elsewhere(Frame(picture)) is None


def test_landmarks_are_measured_through_a_lens_as_sure_as_the_plane_is_of_it_after_texture_measured_too():
    unsure = np.diag(np.r_[[1e-4] * 2, [4.0] * 2, [1e-4] * 5, [1e-12] * 6])
    asked = []
    search = Searches((LandmarkSearch(Landmarks(lambda frame, lens: asked.append(lens), is_quick=True)),))
    stand = Stand.of(Frame(FIRST), replace(CAMERA, covariance=unsure), SIZE_MM, search)
    shown = [seen_from((0, yaw, 0))[1] for yaw in (1.0, 2.0) for _ in range(20)]
    told = [stand.check(Frame(each, k, k * 0.05), moving=False)[0] for k, each in enumerate(shown)]
    assert [news.what for news in told if news] == ["kicked", "registered"] * 2
    assert len(asked) >= 2
    assert all(np.allclose(lens.covariance, unsure[:9, :9]) for lens in asked)


def test_what_was_carried_round_unseen_is_noticed_by_a_glimpse_though_nothing_measures_it():
    _, picture = carried_round(75)
    stand = Stand.of(Frame(FIRST), CAMERA, SIZE_MM)
    stand.glimpse = LandmarkSearch(Landmarks(lambda frame, _: stand.glimpsed(frame), is_quick=False))
    told = []
    for k in range(140):
        news, _ = stand.check(Frame(FIRST if k < 5 else picture, k, k * 0.05), moving=5 <= k < 8)
        told += [(news.what, k * 0.05)] if news else []
    assert [what for what, _ in told] == ["kicked", "lost"] and told[0][1] < 1.2
    assert apart_px(stand.anchor, stand.glimpsed(Frame(FIRST)), CAMERA) < 1.0


def test_pieces_that_are_nowhere_to_be_found_were_laid_anew_where_what_shows_beside_the_table_stands():
    small, whole = (Stand.of(Frame(FIRST), CAMERA, size_mm) for size_mm in ((150.0, 120.0), SIZE_MM))
    assert small.carried(Frame(FIRST), float("nan")) is None
    assert whole.carried(Frame(FIRST), float("nan")).what == "kicked"
    assert small.carried(Frame(FIRST), 80.0).what == "kicked"


def test_what_pieces_disproved_is_not_believed_again_though_nothing_moved_since_it_was_found():
    wrong, right = seen_from((0, 9.0, 0))[0], CAMERA
    stand, told = Stand.of(Frame(np.full_like(FIRST, 128)), CAMERA, SIZE_MM), []
    by_print = Landmarks(lambda *_: None if stand.is_disproved else wrong, is_quick=False)
    stand.search = Searches((LandmarkSearch(by_print), LandmarkSearch(Landmarks(lambda *_: right, is_quick=False))))
    for k in range(60):
        frame = Frame(FIRST, k, k * 0.1)
        _, plane = stand.check(frame, moving=k < 2)
        told += [plane] if plane is not None else []
        if told == [wrong] and not (stand.is_covered or stand.is_disproved):
            stand.carried(frame, 80.0)
    assert told == [wrong, right]


MIRROR_ADVICE = 'switch off "mirror" or "flip" in the camera\'s program'


@pytest.mark.parametrize("spoilt", [lambda im: im[:, ::-1], lambda im: im[::-1]])
def test_a_mirrored_picture_is_told_once_with_what_to_do_and_good_again_when_it_is_back(spoilt):
    mirrored = np.ascontiguousarray(spoilt(FIRST))
    told = [news for news, _ in watched([mirrored, mirrored, mirrored, FIRST], each_s=1.2)]
    assert [(news.what, news.kind) for news in told] == [("kicked", "mirrored"), ("registered", "mirrored")]
    assert told[0].happened == "the picture is mirrored" and MIRROR_ADVICE in told[0].advice
    assert MIRROR_ADVICE in told[0].sentence() and "not mirrored any more" in told[1].sentence()


def test_a_picture_mirrored_after_a_kick_is_told_too():
    kicked = seen_from((2.0, -3.0, 1.0))[1]
    blank = np.full_like(FIRST, 120)
    told = [news for news, _ in watched([kicked, blank, np.ascontiguousarray(kicked[:, ::-1])], each_s=0.3)]
    assert [(news.what, news.kind) for news in told][-1] == ("kicked", "mirrored")


def test_an_upside_down_picture_is_named_and_measured_again_though_the_lens_is_off_its_middle():
    (told, _), (again, plane) = watched([np.ascontiguousarray(FIRST[::-1, ::-1])], each_s=1.5)
    assert (told.what, told.kind, again.what, again.kind) == ("kicked", "turned", "registered", "turned")
    assert "upside down" in told.sentence() and "upside down" in again.sentence()
    px = np.array(FIRST.shape[1::-1]) - 1 - CAMERA.to_image(GRID)
    assert np.hypot(*(plane.to_table(px) - GRID).T).max() < 0.3


def test_a_picture_that_is_turned_back_is_told_as_that():
    over = np.ascontiguousarray(FIRST[::-1, ::-1])
    told = [news for news, _ in watched([over, FIRST], each_s=1.5)]
    assert [news.what for news in told] == ["kicked", "registered"] * 2
    assert all("upside down" in news.sentence() for news in told[:2])
    assert all("the picture was turned back" in news.sentence() for news in told[2:])


def test_a_zoom_is_named_with_its_size():
    zoomed = cv2.warpAffine(FIRST, cv2.getRotationMatrix2D((479.5, 269.5), 0, 1.04), (960, 540))
    (told, _), (again, _) = watched([zoomed], each_s=1.5)
    assert (told.kind, again.kind) == ("zoom", "zoom")
    assert "zoomed in by 4 %" in told.sentence() and "automatic framing" in again.sentence()


def test_a_hand_that_goes_on_moving_does_not_hold_up_the_measure():
    truth, picture = seen_from((0.3, 0.5, 0.2))
    stand, told = Stand.of(Frame(FIRST), CAMERA, SIZE_MM), []
    for k in range(30):
        hand = picture.copy()
        cv2.circle(hand, (500 + 8 * k, 330), 70, (120, 150, 200), -1)
        told += [each for each in [stand.check(Frame(hand, k, k * 0.05), moving=True)] if each[0]]
    (kicked, _), (registered, plane) = told
    assert (kicked.what, registered.what) == ("kicked", "registered") and registered.took_s < 1.0
    assert np.hypot(*(plane.to_table(truth.to_image(GRID)) - GRID).T).max() < 1.0
    # Once the hand is gone it is measured again, in silence.
    after = [stand.check(Frame(picture, 30 + k, 1.5 + k * 0.05), moving=False) for k in range(20)]
    ((news, refined),) = [each for each in after if each[1]]
    assert news is None
    assert np.hypot(*(refined.to_table(truth.to_image(GRID)) - GRID).T).max() < 0.5


def gone(camera, mm):
    """The camera, so far along where it looks."""
    return replace(camera, tvec=-camera.rotation @ (camera.camera_position_mm + mm * camera.rotation[2]))


def zoomed_by(camera, zoom):
    return replace(
        camera, lens=replace(camera.lens, matrix=camera.lens.matrix * [[zoom, 1, 1], [1, zoom, 1], [1, 1, 1]])
    )


@pytest.mark.parametrize(
    ("tilt_deg", "change", "words"),
    [
        (88, lambda camera: gone(camera, -12), "zoomed out by 2 %, or went farther off"),
        (88, lambda camera: zoomed_by(camera, 1.03), "zoomed in by 3 %, or came nearer"),
        (55, lambda camera: gone(camera, 15), "came nearer (all shows 3 % larger)"),
        (55, lambda camera: zoomed_by(camera, 0.97), "zoomed out by 3 %;"),
    ],
)
def test_a_zoom_and_a_way_are_told_apart_from_aside_and_from_above_that_it_may_be_either(tilt_deg, change, words):
    before = a_camera(tilt_deg, 480, lens=a_lens((960, 540)), aim_mm=(175, 125))
    pictures = [shoot(camera, SHEET, 4, rays=2, seed=n) for n, camera in enumerate((before, change(before)))]
    stand, told = Stand.of(Frame(pictures[0]), before, SIZE_MM), []
    for k in range(60):
        told += filter(None, stand.check(Frame(pictures[k > 6], k, k * LOOK_EVERY_S / 3), False)[:1])
    assert [news.what for news in told] == ["kicked", "registered"]
    assert ", or " in told[0].sentence() and words in told[1].sentence()
    assert ("hold its zoom" in told[1].sentence()) == ("zoomed" in words)
