"""Loading a learned model by its name, checked against the sum that was committed with it."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import onnxruntime

_FOLDER = Path(__file__).parent


class ModelError(ValueError):
    """A model's file is missing or is not the one that was committed."""


@cache
def load_model(name: str) -> onnxruntime.InferenceSession:
    """The session of `NAME.onnx`, one thread: a pool of more would spin on others' cores (performance.md B3).

    Raises ModelError when the file is missing or its SHA-256 is not that in `NAME.sha256`.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(read_model(name), options, providers=["CPUExecutionProvider"])


def read_model(name: str, folder: Path = _FOLDER) -> bytes:
    """The bytes of `NAME.onnx` in `folder`, checked. Raises ModelError, one line."""
    path, sum_path = folder / f"{name}.onnx", folder / f"{name}.sha256"
    try:
        content, expected = path.read_bytes(), sum_path.read_text(encoding="ascii").split()[0]
    except (OSError, IndexError, UnicodeDecodeError) as error:
        raise ModelError(f"{path.name}: cannot be read ({error}); install sandtable again") from error
    if hashlib.sha256(content).hexdigest() != expected:
        raise ModelError(f"{path.name}: differs from the sum in {sum_path.name}; install sandtable again")
    return content
