import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models.coins import CLASSES, CROP_PX, OWNERS
from models.loading import CENTRED, ModelError, load_model, read_model
from models.reliefs import DESIGNS, INPUT


def write(folder, content=b"net", digest=None):
    (folder / "net.onnx").write_bytes(content)
    (folder / "net.sha256").write_text(f"{digest or hashlib.sha256(content).hexdigest()}  net.onnx\n")


def test_a_model_is_read_when_its_sum_fits(tmp_path):
    write(tmp_path)
    assert read_model("net", tmp_path) == b"net"


def test_a_model_that_was_changed_is_refused(tmp_path):
    write(tmp_path, digest="0" * 64)
    with pytest.raises(ModelError, match=r"^net\.onnx: differs"):
        read_model("net", tmp_path)


def test_a_missing_model_is_told_in_one_line(tmp_path):
    with pytest.raises(ModelError, match=r"^net\.onnx: cannot be read") as told:
        read_model("net", tmp_path)
    assert "\n" not in str(told.value)


def test_the_packaged_nets_keep_their_promise_of_shapes():
    (heat,) = load_model("coin_detector").run(None, {CENTRED: np.zeros((1, 3, 64, 96), np.float32)})
    assert heat.shape == (1, 4, 16, 24)
    outputs = load_model("coin_classifier").run(None, {"crops_bgr": np.zeros((3, 3, CROP_PX, CROP_PX), np.float32)})
    assert [output.shape for output in outputs] == [(3, len(CLASSES) + 1), (3, 2), (3, len(OWNERS))]
    (designs,) = load_model("relief").run(None, {INPUT: np.zeros((3, 1, CROP_PX, CROP_PX), np.float32)})
    assert designs.shape == (3, len(DESIGNS))


def test_loading_a_model_tells_nobody_and_leaves_nothing_in_the_users_folders(tmp_path):
    told = {"CI", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_DATA_HOME"}
    kept = {name: value for name, value in os.environ.items() if name not in told}
    code = "from models.loading import load_model; load_model('rider')"
    subprocess.run(
        [sys.executable, "-B", "-c", code],
        check=True,
        env=kept | {"HOME": str(tmp_path)},
        cwd=Path(__file__).parents[2],
    )
    assert not list(tmp_path.rglob("*"))
