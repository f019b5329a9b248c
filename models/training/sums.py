"""The sum that is committed beside a model, by which `models.loading` knows it."""

from __future__ import annotations

import hashlib
from pathlib import Path


def write_sum(path: Path) -> None:
    """NAME.sha256 beside NAME.onnx."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".sha256").write_text(f"{digest}  {path.name}\n", encoding="ascii")
