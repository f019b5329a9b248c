"""The pieces net, and the branch of its own that looks for matches."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models import pieces
from models.training.layers import block


class SticksNet(nn.Module):
    """From what the picture shows at stride 4 (40 channels) to a match's heat, offset and direction there.

    A U of its own, strides 8 and 16: taught on for matches as a whole, the net beside it lost cards. Each of its coarser
    cells answers for four.
    """

    def __init__(self) -> None:
        super().__init__()
        self.eighth = nn.Sequential(block(40, 56, 2), block(56, 56))
        self.sixteenth = nn.Sequential(block(56, 80, 2), *(block(80, 80) for _ in range(3)))
        self.lateral_eighth = nn.Conv2d(80, 56, 1)
        self.merge_eighth = nn.Sequential(block(56, 56), block(56, 56))
        self.head = nn.Conv2d(56, 4 * pieces.MATCH_CHANNELS, 1)
        self.grow, self.spread = nn.Upsample(scale_factor=2, mode="nearest"), nn.PixelShuffle(2)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[:4] = -4.5

    def forward(self, quarter: Tensor) -> Tensor:
        """(n, 40, h, w) to (n, 5, h, w)."""
        eighth = self.eighth(quarter)
        eighth = self.merge_eighth(eighth + self.grow(self.lateral_eighth(self.sixteenth(eighth))))
        return self.spread(self.head(eighth))


class PiecesNet(nn.Module):
    """U-shaped, strides 2 to 16, output at stride 4: as the coin detector, a little wider at the bottom."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU())
        self.quarter = nn.Sequential(block(16, 40, 2), block(40, 40))
        self.eighth = nn.Sequential(block(40, 80, 2), block(80, 80), block(80, 80))
        self.sixteenth = nn.Sequential(block(80, 128, 2), *(block(128, 128) for _ in range(5)))
        self.lateral_eighth, self.lateral_quarter = nn.Conv2d(128, 80, 1), nn.Conv2d(80, 56, 1)
        self.skip_quarter = nn.Conv2d(40, 56, 1)
        self.merge_eighth = nn.Sequential(block(80, 80), block(80, 80))
        self.merge_quarter = nn.Sequential(block(56, 56), block(56, 56))
        self.head = nn.Conv2d(56, pieces.MATCH, 1)
        self.sticks = SticksNet()
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[:3] = -4.5

    def forward(self, picture_bgr: Tensor) -> Tensor:
        """(n, 3, h, w) 0 to 255 to (n, 16, h / 4, w / 4); see `models.pieces`."""
        quarter = self.quarter(self.stem(picture_bgr / 128 - 1))
        eighth = self.eighth(quarter)
        eighth = self.merge_eighth(eighth + self.grow(self.lateral_eighth(self.sixteenth(eighth))))
        said = self.head(self.merge_quarter(self.skip_quarter(quarter) + self.grow(self.lateral_quarter(eighth))))
        return torch.cat([said, self.sticks(quarter)], 1)
