"""Loading a learned model by its name, checked against the sum that was committed with it."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import onnxruntime

_FOLDER = Path(__file__).parent
# Under this name a part tells the SHA-256 of the net that it was cut from.
WHOLE = "whole_sha256"
# A net whose picture has this name as its input is told each px less CENTRE (`models.training.centred`).
CENTRED, CENTRE = "centred_bgr", 128.0


class ModelError(ValueError):
    """A model's file is missing or is not the one that was committed."""


@cache
def load_model(name: str) -> onnxruntime.InferenceSession:
    """The session of `NAME.onnx`, one thread: a pool of more would spin on others' cores.

    Raises ModelError when the file is missing or its SHA-256 is not that in `NAME.sha256`.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(read_model(name), options, providers=["CPUExecutionProvider"])


class Parts(NamedTuple):
    """A net cut in four by `models.training.parts`; together they say what the whole one says, to the last bit if all
    count in floats, to a twentieth of a logit if two count in eight bits.

    near    from the picture to what it shows at strides 4 and, for both of the next, 8; needs no more around a place
            than 16 px
    far     from stride 8 to coarser and back; needs the whole picture
    sticks  the same, to the last maps
    join    from stride 4 and what comes back to the first maps; needs no more around a place than 16 px
    """

    near: onnxruntime.InferenceSession
    far: onnxruntime.InferenceSession
    sticks: onnxruntime.InferenceSession
    join: onnxruntime.InferenceSession


@cache
def load_parts(name: str) -> Parts | None:
    """The parts of `NAME.onnx`; None where it has none, or has been replaced since they were cut.

    Raises ModelError as `load_model`.
    """
    if not (_FOLDER / f"{name}_near.onnx").exists():
        return None
    parts = Parts(*(load_model(f"{name}_{part}") for part in Parts._fields))
    whole = hashlib.sha256(read_model(name)).hexdigest()
    return parts if all(part.get_modelmeta().custom_metadata_map.get(WHOLE) == whole for part in parts) else None


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
