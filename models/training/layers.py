"""Layers that several nets are made of."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def block(into: int, out: int, stride: int = 1) -> nn.Sequential:
    """A depthwise 3 x 3 and a pointwise convolution, each normalised and rectified."""
    return nn.Sequential(
        nn.Conv2d(into, into, 3, stride, 1, groups=into, bias=False), nn.BatchNorm2d(into), nn.ReLU(),
        nn.Conv2d(into, out, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(),
    )  # fmt: skip


def conv(into: int, out: int, stride: int | tuple[int, int] = 1) -> nn.Sequential:
    """A dense 3 x 3 convolution, normalised and rectified: in eight bits twice to three times as fast, unlike depthwise ones."""
    return nn.Sequential(nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())


class Residual(nn.Module):
    """Two convolutions and a short cut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        """The same shape again."""
        return torch.relu(x + self.second(self.first(x)))
