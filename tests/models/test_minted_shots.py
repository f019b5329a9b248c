"""Rendered pictures of coins as shots: whichever camera develops them, a coin is where it was rendered."""

import cv2
import numpy as np
import pytest

from models.coins import CLASSES, DIAMETER_MM, FACES, OWNERS, THICKNESS_MM
from models.training import minted_shots
from models.training.shot import aimed

CLS = "eur-2"
RADIUS_MM, TOP_MM = DIAMETER_MM[CLS] / 2, THICKNESS_MM[CLS]
AROUND = np.linspace(0, 2 * np.pi, 200)


@pytest.fixture
def folder(tmp_path):
    """One white disc on black seen from 50 degrees, and a coin beside the picture."""
    camera = aimed(np.random.default_rng(3), 50, 3.0, (600, 600), np.zeros(2))
    rim = np.c_[20 + RADIUS_MM * np.cos(AROUND), 10 + RADIUS_MM * np.sin(AROUND), np.full(200, TOP_MM)]
    bgr = np.zeros((600, 600, 3), np.uint8)
    cv2.fillPoly(bgr, [np.rint(camera.project(rim) * 16).astype(np.int32)], (255, 255, 255), cv2.LINE_AA, 4)
    named = CLASSES.index(CLS), FACES.index("heads"), OWNERS.index("red")
    coins = [(20, 10, TOP_MM, RADIUS_MM, *named, 1.0), (900, 0, TOP_MM, RADIUS_MM, *named, 1.0)]
    pose = {"matrix": camera.matrix, "rotation": camera.rotation, "translation": camera.translation}
    np.savez(tmp_path / "1-0.npz", bgr=bgr, coins=np.array(coins), **pose)
    return tmp_path


def test_a_coin_is_where_its_picture_shows_it_at_any_scale(folder):
    shots = list(minted_shots.shots(folder, np.random.default_rng(1), 12))
    assert len({shot.picture_bgr.shape for shot in shots}) > 6
    off_px = []
    for shot in shots:
        (coin,) = shot.items
        assert (coin.cls, coin.face, coin.owner, coin.base_mm) == (CLS, "heads", "red", 0)
        bright = shot.picture_bgr.max(axis=2) > shot.picture_bgr.max() / 2
        seen_px = np.argwhere(bright)[:, ::-1].mean(axis=0)
        off_px.append(seen_px - shot.camera.project(np.append(coin.centre_mm, coin.top_mm)[None])[0])
    # Uneven light moves each by a third of a pixel; half a pixel at the edge forgotten would move all by as much.
    assert np.abs(off_px).max() < 0.5
    assert np.abs(np.mean(off_px, axis=0)).max() < 0.12


def test_what_is_round_and_no_coin_has_no_name(folder):
    with np.load(folder / "1-0.npz") as stored:
        pose = {key: stored[key] for key in stored.files}
    np.savez(folder / "1-0.npz", **pose, strangers=np.array([(-20, -10, 5.0, 9.0), (900, 0, 2.0, 8.0)]))
    (shot,) = minted_shots.shots(folder, np.random.default_rng(1), 1)
    coin, nut = shot.items
    assert coin.cls == CLS and nut.cls == ""
    assert (*nut.centre_mm, nut.base_mm, nut.top_mm, nut.radius_mm) == (-20, -10, 0, 5, 9)
