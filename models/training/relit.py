"""Cut-out pictures in another light, as other cameras would show them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def relit(pictures_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """(n, h, w, 3) 0 to 255: each with another gamma, contrast, colour and noise."""
    count, seen = len(pictures_bgr), pictures_bgr.astype(np.float32) / 255
    seen **= np.exp(rng.normal(0, 0.3, (count, 1, 1, 1))).astype(np.float32)
    grey = seen.mean(axis=3, keepdims=True)
    seen = grey + (seen - grey) * rng.uniform(0, 1.5, (count, 1, 1, 1)).astype(np.float32)
    gain = rng.normal(0, 0.25, (count, 1, 1, 1)) + rng.normal(0, 0.12, (count, 1, 1, 3))
    seen *= (255 * np.exp(gain)).astype(np.float32)
    seen += rng.standard_normal(seen.shape, np.float32) * rng.uniform(0, 6, (count, 1, 1, 1)).astype(np.float32)
    return np.asarray(np.clip(seen, 0, 255), np.float32)
