"""A pencil that is left across a coin hides it; what went is gone, whatever came beside it."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from shapely import LineString, Point, box

from tests.vision.test_observe import PX_PER_MM, START, Film, Places, Table, places, px_at, straight_down
from vision.detection import Detection
from vision.memory.cover import cover_of, laid_across
from vision.motion.hand import NO_HAND
from vision.observe import Observer

TABLE_MM = (700.0, 500.0)
PENCIL_MM = LineString([(430, 250), (560, 355)])
COIN_MM = Point(500, 300).buffer(9)


@dataclass
class Desk(Table):
    """The drawn table, and a pencil that may lie on it, of which no game knows."""

    has_pencil: bool = False

    def image(self) -> np.ndarray:
        image = super().image()
        if not self.has_pencil:
            return image
        begin, end = PENCIL_MM.coords
        return cv2.line(image.copy(), px_at(*begin), px_at(*end), (30, 170, 220), 8 * PX_PER_MM)


def film() -> Film:
    shown = Film()
    shown.table = Desk()
    shown.observer = Observer(straight_down(), shown.table.look, TABLE_MM)
    shown.run(1.0)
    return shown


def put_down(shown: Film, *, shows_coin: bool) -> dict[str, tuple[float, float]]:
    """Where everything lies once a hand has laid the pencil across the coin, which is not seen then, or taken it up."""
    shown.table.has_pencil = not shows_coin
    # The picture shows the coin's rest; only the eyes do not know it any more.
    look = shown.table.look
    shown.observer.look = look if shows_coin else lambda *at: tuple(d for d in look(*at) if d.cls != "gbp-5p")
    shown.run(1.0, shown.reach_in)
    shown.table.arm = 0.0
    return places(shown.run(3.0)[-1])


def test_a_pencil_laid_across_a_coin_hides_it_until_it_is_taken_up() -> None:
    shown = film()
    both = {"c1": START["gbp-10p"], "c2": START["gbp-5p"]}
    assert put_down(shown, shows_coin=False) == both
    assert shown.observer.tracker.tracks[-1].hidden
    assert put_down(shown, shows_coin=True) == both
    assert not any(track.hidden for track in shown.observer.tracker.tracks)


def test_a_coin_stays_under_a_pencil_beside_which_another_is_put_down_and_goes_with_the_pencil() -> None:
    shown = film()
    put_down(shown, shows_coin=False)
    shown.table.places = shown.table.places | {"gbp-10p": (500.0, 322.0)}
    shown.run(1.0, shown.reach_in)
    shown.table.arm = 0.0
    assert places(shown.run(3.0)[-1]) == {"c1": (500.0, 322.0), "c2": START["gbp-5p"]}
    shown.table.has_pencil = False
    shown.table.places = {"gbp-10p": (500.0, 322.0)}
    shown.run(1.0, shown.reach_in)
    shown.table.arm = 0.0
    assert places(shown.run(3.0)[-1]) == {"c1": (500.0, 322.0)}


def test_a_large_coin_is_gone_that_was_taken_with_what_lay_over_it() -> None:
    shown = film()
    shown.table.places = {"gbp-2p": START["gbp-5p"]}
    shown.run(2.0)
    shown.table.has_pencil = True
    shown.observer.look = lambda *at: ()
    shown.run(2.0)
    assert shown.observer.tracker.tracks[-1].hidden
    shown.table.has_pencil, shown.table.places = False, {}
    assert not places(shown.run(2.0)[-1])


def test_a_coin_that_was_taken_is_gone_though_a_pencil_was_laid_in_its_place() -> None:
    shown = film()
    shown.table.has_pencil = True
    shown.table.places = {"gbp-10p": START["gbp-10p"]}
    shown.run(1.0, shown.reach_in)
    shown.table.arm = 0.0
    assert places(shown.run(3.0)[-1]) == {"c1": START["gbp-10p"]}


def lay_box(shown: Film, at_mm: tuple[float, float] | None, lying: Places) -> dict[str, tuple[float, float]]:
    """Where everything lies once a box lies there that no game knows, or none does, and the coins lie so."""
    shown.table.box, shown.table.sees_boxes, shown.table.places = at_mm, False, lying
    return places(shown.run(1.5)[-1])


def test_a_coin_over_whose_edge_a_box_lies_stays_beside_another_and_is_gone_when_it_is_taken() -> None:
    shown, edge_mm, moved = film(), (460.0, 303.0), START | {"gbp-10p": (500.0, 276.0)}
    look = shown.table.look
    shown.observer.look = lambda *at: tuple(d for d in look(*at) if d.cls != "gbp-5p")
    assert lay_box(shown, edge_mm, START) == {"c1": START["gbp-10p"], "c2": START["gbp-5p"]}
    assert lay_box(shown, edge_mm, moved) == {"c1": (500.0, 276.0), "c2": START["gbp-5p"]}
    assert lay_box(shown, edge_mm, {"gbp-10p": (500.0, 276.0)}) == {"c1": (500.0, 276.0)}


def test_a_coin_that_shows_beside_a_box_over_its_edge_did_not_move_though_it_is_measured_a_little_aside() -> None:
    shown = film()
    look = shown.table.look
    aside = Point(500, 298.6).buffer(9)
    shown.observer.look = lambda *at: tuple(
        replace(d, position_mm=(500, 298.6), footprint=aside) if d.cls == "gbp-5p" else d for d in look(*at)
    )
    assert lay_box(shown, (460.0, 303.0), START) == {"c1": START["gbp-10p"], "c2": START["gbp-5p"]}


def test_a_coin_that_went_under_a_box_is_gone_though_another_box_was_laid_and_taken_up_before() -> None:
    shown, moved = film(), START | {"gbp-10p": (220.0, 240.0)}
    lay_box(shown, (300.0, 40.0), START)
    lay_box(shown, (300.0, 40.0), moved)
    lay_box(shown, None, moved)
    rest = {"gbp-10p": (220.0, 240.0)}
    assert lay_box(shown, (460.0, 270.0), rest) == {"c1": (220.0, 240.0), "c2": START["gbp-5p"]}
    assert lay_box(shown, None, rest) == {"c1": (220.0, 240.0)}


def test_most_of_a_change_must_be_no_piece_s_for_something_strange_to_have_come() -> None:
    pencil = PENCIL_MM.buffer(4, cap_style="flat")
    assert laid_across(pencil, [COIN_MM], []) == [pencil]
    assert not laid_across(COIN_MM.buffer(3), [COIN_MM], [])
    assert not laid_across(COIN_MM.union(box(500, 297, 540, 303)), [COIN_MM, box(500, 290, 540, 310)], [])


def test_a_coin_is_hidden_by_a_match_box_laid_over_it_and_gone_where_a_pencil_lies() -> None:
    plane = straight_down()
    coin = Detection("coin", "gbp-5p", (500, 300), COIN_MM, 0.1, 0.99, (0, 0), owner="red")
    match_box, pencil = box(480, 280, 533, 315), PENCIL_MM.buffer(4, cap_style="flat").union(COIN_MM.buffer(1))
    assert cover_of(NO_HAND, match_box, plane, [coin], []).equals(match_box)
    assert cover_of(NO_HAND, pencil, plane, [coin], []).is_empty


def test_a_shadow_beside_what_stands_is_nothing_that_was_laid_there() -> None:
    shadow, foot = box(500, 295, 590, 305), Point(497, 300).buffer(8)
    assert laid_across(shadow, [foot], []) == [shadow]
    assert not laid_across(shadow, [foot], [foot])
