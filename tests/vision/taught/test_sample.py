from types import SimpleNamespace

import numpy as np

from vision.detect.coin.proposals import Proposals
from vision.frame import Frame
from vision.taught.sample import round_pieces


def seen_at(monkeypatch, centre_mm, frame):
    """The samples of coins at some places of a table; their crops are the whole picture."""
    centre = np.array(centre_mm)
    radius = np.full(len(centre), 12.0)
    sure = np.ones(len(centre))
    monkeypatch.setattr("vision.taught.rounds.propose", lambda *_: Proposals(centre, radius, sure))
    circles = SimpleNamespace(centre_mm=centre, radius_mm=radius, radius_sigma_mm=0.01 * radius, support=sure)
    monkeypatch.setattr("vision.taught.rounds.look_at_rims", lambda *_: circles)
    monkeypatch.setattr("vision.taught.rounds.fit_rims", lambda *_, **__: circles)
    for module in ("rounds", "sample"):
        monkeypatch.setattr(
            f"vision.taught.{module}.crops_of",
            lambda image, plane, at, *_: np.stack([image] * len(at)) if len(at) else image[None][:0],
        )
    return round_pieces(frame, None, SimpleNamespace(table_mm=(700.0, 500.0)))


def flat(level):
    return np.full((48, 48, 3), level, np.uint8)


def test_of_a_table_that_was_lit_up_what_is_blown_out_is_taken_as_it_was(monkeypatch):
    """On dark wood all coins were white, and one was taken for another."""
    gold = np.full((48, 48, 3), (60, 110, 130), np.uint8)
    (sample,) = seen_at(monkeypatch, [(300.0, 200.0)], Frame(flat(255), unlit_bgr=gold))
    blue, green, red = sample.crop[24, 24].astype(int)
    assert red == 240
    assert blue < green < red - 20
    (sample,) = seen_at(monkeypatch, [(300.0, 200.0)], Frame(flat(200), unlit_bgr=gold))
    assert sample.crop[24, 24].tolist() == [200, 200, 200]


def test_what_lies_beside_the_playing_area_is_no_piece(monkeypatch):
    found = seen_at(monkeypatch, [(300.0, 200.0), (709.0, 200.0)], Frame(flat(90)))
    assert [sample.position_mm for sample in found] == [(300.0, 200.0)]
