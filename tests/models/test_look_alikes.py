"""What the coin detector takes for coins where none lies: never beside a thing, and always within the picture."""

import numpy as np
import pytest

from models.coins import DIAMETER_MM, THICKNESS_MM, TYPICAL_THICKNESS_MM
from models.training.look_alikes import hex_mats, look_alikes
from models.training.looks import outline, procedural
from models.training.shot import Item
from models.training.tables import Shot


@pytest.fixture(scope="module")
def mats():
    return list(hex_mats(5, 6))


def test_mats_are_seen_as_their_cameras_say(mats):
    for shot in mats:
        middle = shot.camera.project(np.zeros((1, 3)))[0]
        assert ((middle > 0) & (middle < shot.camera.size_px)).all()
        assert shot.picture_bgr.shape[1::-1] == shot.camera.size_px


def test_hexes_look_like_coins_somewhere_and_all_lie_within_the_picture(mats):
    found = [look_alikes(shot) for shot in mats]
    assert sum(len(radii) for _, radii in found) > 3
    for shot, (centres, radii) in zip(mats, found, strict=True):
        px = shot.camera.project(np.c_[centres, np.full(len(radii), TYPICAL_THICKNESS_MM)])
        assert ((px > 0) & (px < shot.camera.size_px)).all()
        assert ((radii > 5) & (radii < 30)).all()


def test_what_lies_there_is_no_look_alike(mats):
    """A coin where the net sees a coin: none is left there."""
    shot, (centres, _) = next((shot, told) for shot in mats if len((told := look_alikes(shot))[1]))
    cls = "gbp-2p"
    sprite = procedural(cls, "heads", np.random.default_rng(1))
    coin = Item(sprite, outline("round"), DIAMETER_MM[cls] / 2, centres[0], 0.0, THICKNESS_MM[cls], 0.0, cls)
    left, _ = look_alikes(Shot(shot.picture_bgr, shot.camera, [coin]))
    assert len(left) < len(centres)
    assert np.linalg.norm(left - centres[0], axis=1).min(initial=99) > DIAMETER_MM[cls] / 2
