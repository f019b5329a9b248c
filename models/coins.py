"""What the two coin nets and their users agree on: classes in the order of the outputs, scales, crop geometry."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CURRENCIES = ("gbp", "eur", "usd")
NOT_A_COIN = "not-a-coin"

# Rule note C2: diameters in mm, in the order of the classifier's class output; NOT_A_COIN follows as the last.
DIAMETER_MM: Mapping[str, float] = MappingProxyType(
    {
        "gbp-1p": 20.3,
        "gbp-2p": 25.9,
        "gbp-5p": 18.0,
        "gbp-10p": 24.5,
        "gbp-20p": 21.4,
        "gbp-50p": 27.3,
        "gbp-1": 23.43,
        "gbp-2": 28.4,
        "eur-1c": 16.25,
        "eur-2c": 18.75,
        "eur-5c": 21.25,
        "eur-10c": 19.75,
        "eur-20c": 22.25,
        "eur-50c": 24.25,
        "eur-1": 23.25,
        "eur-2": 25.75,
        "usd-1c": 19.05,
        "usd-5c": 21.21,
        "usd-10c": 17.91,
        "usd-25c": 24.26,
        "usd-50c": 30.61,
        "usd-1": 26.49,
        "usd-1-silver": 38.1,
    }
)
CLASSES = tuple(DIAMETER_MM)

# Thickness in mm. Sources: Royal Mint "Specifications of British coins"; European Central Bank "Common sides";
# United States Mint "Coin specifications". They say at what height the rim is seen.
THICKNESS_MM: Mapping[str, float] = MappingProxyType(
    {
        "gbp-1p": 1.65,
        "gbp-2p": 2.03,
        "gbp-5p": 1.70,
        "gbp-10p": 1.85,
        "gbp-20p": 1.70,
        "gbp-50p": 1.78,
        "gbp-1": 2.80,
        "gbp-2": 2.50,
        "eur-1c": 1.67,
        "eur-2c": 1.67,
        "eur-5c": 1.67,
        "eur-10c": 1.93,
        "eur-20c": 2.14,
        "eur-50c": 2.38,
        "eur-1": 2.33,
        "eur-2": 2.20,
        "usd-1c": 1.52,
        "usd-5c": 1.95,
        "usd-10c": 1.35,
        "usd-25c": 1.75,
        "usd-50c": 2.15,
        "usd-1": 2.00,
        "usd-1-silver": 2.58,
    }
)
TYPICAL_THICKNESS_MM = 1.85

# Number of sides of the coins that are no discs, and how far from the centre their rim is on average, as a share of
# half the C2 diameter: a twelve-sided pound measures 23.43 mm over its points and 23.03 mm over its flats; the
# seven-sided curves of constant width have corners at 1.026 and sides at 0.974 of half their width.
SIDES: Mapping[str, int] = MappingProxyType({"gbp-20p": 7, "gbp-50p": 7, "gbp-1": 12})
MEAN_RADIUS_SHARE: Mapping[str, float] = MappingProxyType({"gbp-20p": 0.991, "gbp-50p": 0.991, "gbp-1": 0.99})

FACES = ("heads", "tails", "unknown")
OWNERS = ("none", "red", "blue", "green", "yellow", "white", "black", "orange", "purple", "tan", "grey")

# The detector looks at a metric top view in the plane of a typical coin's rim. Its outputs have one cell for each
# CELL_PX x CELL_PX pixels: channel 0 the logit of 'a coin's centre lies here', 1 and 2 where in the cell (x, y in
# cells from its middle), 3 the natural logarithm of the radius over REFERENCE_RADIUS_MM.
TOPVIEW_PX_PER_MM = 1.25
CELL_PX = 4
REFERENCE_RADIUS_MM = 11.0

# The classifier looks at a square around the coin's top face, the coin's rim at RIM_SHARE of the half width,
# in the table's own directions (x right, y up).
CROP_PX = 48
RIM_SHARE = 0.80
