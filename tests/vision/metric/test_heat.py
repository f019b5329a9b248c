"""What is kept of a net's maps is what it would say again; windows of change give what the whole view gives."""

import cv2
import numpy as np
import pytest

from vision.metric.heat import BLOCK_PX, LOOKS, HeatMemory, heat_maps

NET = "coin_detector"
SIZE_PX = (640, 480)
AT_PX = (520, 400)
THERE = np.s_[AT_PX[1] // 4 - 6 : AT_PX[1] // 4 + 6, AT_PX[0] // 4 - 6 : AT_PX[0] // 4 + 6]


def table(seed=0, discs=6):
    """A drawn table: coins on a ground with some texture."""
    rng = np.random.default_rng(seed)
    ground = cv2.GaussianBlur(rng.normal(0, 12, (SIZE_PX[1], SIZE_PX[0], 3)), (0, 0), 3) * 3 + 140
    for _ in range(discs):
        at, shade = rng.uniform(60, 420, 2), rng.uniform(60, 220)
        cv2.circle(ground, (int(at[0]), int(at[1])), 13, (0.5 * shade, 0.7 * shade, shade), -1, cv2.LINE_AA)
    return np.clip(ground, 0, 255).astype(np.uint8)


def with_coin(view, at=AT_PX):
    changed = view.copy()
    cv2.circle(changed, at, 14, (60, 110, 190), -1, cv2.LINE_AA)
    return changed


def noisy(view, seed, sigma=5.0):
    rng = np.random.default_rng(seed)
    return np.clip(view + rng.normal(0, sigma, view.shape), 0, 255).astype(np.uint8)


def chance(maps):
    return 1 / (1 + np.exp(-maps[0].astype(float)))


@pytest.fixture
def settled():
    """A memory that has seen the table often enough to keep what the net said."""
    memory = HeatMemory(NET)
    for look in range(LOOKS):
        memory.of(noisy(table(), look))
    return memory


def test_the_first_look_is_the_net_itself():
    assert np.array_equal(HeatMemory(NET).of(table()), heat_maps(NET, table()))


def test_every_look_that_is_agreed_into_one_is_computed():
    memory, costs = HeatMemory(NET), []
    for look in range(LOOKS + 2):
        memory.of(noisy(table(), look))
        costs.append(memory.computed_px)
    assert costs == [SIZE_PX[0] * SIZE_PX[1] * min(look + 1, LOOKS) for look in range(LOOKS + 2)]


def test_noise_alone_computes_nothing_and_changes_nothing(settled):
    before, cost = settled.of(noisy(table(), 90)).copy(), settled.computed_px
    assert np.array_equal(settled.of(noisy(table(), 91)), before)
    assert settled.computed_px == cost


def test_a_coin_put_down_is_seen_as_on_the_whole_view(settled):
    changed = with_coin(table())
    cost = settled.computed_px
    kept, whole = settled.of(changed), heat_maps(NET, changed)
    assert settled.computed_px - cost < 0.7 * SIZE_PX[0] * SIZE_PX[1]
    assert np.abs(chance(kept) - chance(whole))[THERE].max() < 0.02


def test_a_coin_taken_away_is_forgotten(settled):
    for look in range(LOOKS):
        settled.of(noisy(with_coin(table()), look))
    assert np.abs(chance(settled.of(table())) - chance(heat_maps(NET, table())))[THERE].max() < 0.02


def test_another_light_computes_all_again(settled):
    cost = settled.computed_px
    darker = (table() * 0.8).astype(np.uint8)
    assert np.array_equal(settled.of(darker), heat_maps(NET, darker))
    assert settled.computed_px - cost == SIZE_PX[0] * SIZE_PX[1]


def test_a_view_of_another_size_begins_anew(settled):
    small = table()[: 40 * BLOCK_PX, : 50 * BLOCK_PX]
    assert np.array_equal(settled.of(small), heat_maps(NET, small))


def only_around(at=AT_PX):
    asked = np.zeros((SIZE_PX[1] // BLOCK_PX, SIZE_PX[0] // BLOCK_PX), bool)
    asked[at[1] // BLOCK_PX - 3 : at[1] // BLOCK_PX + 3, at[0] // BLOCK_PX - 3 : at[0] // BLOCK_PX + 3] = True
    return asked


def test_only_the_blocks_that_are_asked_for_are_computed():
    memory, view = HeatMemory(NET), with_coin(table())
    assert np.abs(chance(memory.of(view, asked=only_around())) - chance(heat_maps(NET, view)))[THERE].max() < 0.02
    assert memory.computed_px < 0.5 * SIZE_PX[0] * SIZE_PX[1]
    assert memory.of(view, asked=np.zeros_like(only_around())).shape == heat_maps(NET, view).shape


def test_what_changed_while_it_was_not_asked_for_is_computed_when_it_is():
    memory, elsewhere = HeatMemory(NET), only_around((100, 100))
    for look in range(LOOKS):
        memory.of(noisy(table(), look), asked=only_around())
    changed = with_coin(table())
    memory.of(changed, asked=elsewhere)
    seen = memory.of(changed, asked=only_around())
    assert np.abs(chance(seen) - chance(heat_maps(NET, changed)))[THERE].max() < 0.02


def test_a_change_elsewhere_is_no_reason_to_compute_again_and_again():
    memory = HeatMemory(NET)
    for look in range(LOOKS):
        memory.of(noisy(table(), look), asked=only_around())
    changed = with_coin(table(), (AT_PX[0], AT_PX[1] - 120))
    for look in range(LOOKS):
        memory.of(noisy(changed, look), asked=only_around())
    cost = memory.computed_px
    memory.of(noisy(changed, 90), asked=only_around())
    assert memory.computed_px == cost
