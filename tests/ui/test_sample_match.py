"""The sample matches from video to log: every act found where and when it happens, judged right, and none invented."""

import json
from pathlib import Path

import pytest

from ui.cli import run

SAMPLES = Path(__file__).parents[2] / "sample_footage"
# Coins are measured to tenths of a millimetre, a soldier's foot or a miniature's to a few.
WITHIN_MM = {"omms": 1.5, "omniwar": 1.5, "omog": 8.0, "osmcg": 8.0, "pocket": 1.5}
# From the hand's letting go to the log: it leaves the table, the table is still, and two looks agree.
LATEST_S = 3.5


@pytest.fixture(scope="module", params=WITHIN_MM)
def played(request, tmp_path_factory):
    """The game, and what the log says happened, by the command that a user types."""
    log, home = tmp_path_factory.mktemp("match") / "match.jsonl", SAMPLES / request.param
    # None is recorded (test_annotation): it costs two fifths of the time, and says nothing more of the acts.
    options = ["--setup", str(home / "setup.toml"), "--log", str(log)]
    assert run(["play", "--headless", "--source", str(home / "match.mp4"), *options]) == 0
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return request.param, [line for line in lines if line.get("event") in ("move", "place", "remove", "attack")]


def test_every_act_is_found_and_judged_and_none_is_invented(played):
    game, acts = played
    truth = json.loads((SAMPLES / game / "truth.json").read_text(encoding="utf-8"))["events"]
    assert [(act["event"], act["class"], act["owner"], act["verdict"], act["rule"]) for act in acts] == [
        (act["event"], act["class"], act["owner"], act["verdict"], act["rule"]) for act in truth
    ]
    for said, true in zip(acts, truth, strict=True):
        assert said["time_s"] < true["time_s"] + LATEST_S
        for key in ("from_mm", "to_mm"):
            if true[key] is not None:
                assert said[key] == pytest.approx(true[key], abs=WITHIN_MM[game])
