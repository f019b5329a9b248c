"""Building scenes for Pocket Wargame: a battlefield of cards, and coins on their ends."""

from shapely import Point, box

from rules.scene import COIN_DIAMETER_MM, Piece, Scene

PITCH_X_MM, PITCH_Y_MM = 68.0, 94.0


def card_centre(cell):
    return 60 + (cell[0] - 1) * PITCH_X_MM, 70 + (cell[1] - 1) * PITCH_Y_MM


def a_card(cell, cls, sigma_mm=0.0):
    x, y = card_centre(cell)
    outline = box(x - 31.75, y - 44.45, x + 31.75, y + 44.45)
    id_ = f"k{cell[0]}{cell[1]}"
    return Piece(id_, "card", cls, (x, y), outline, owner="none", rotation_deg=90, sigma_mm=sigma_mm)


def a_coin(id_, cls, cell, end="near", dx=0.0, off=20.0, **more):
    """A coin on the near or far end of a card, `off` mm from its middle."""
    x, y = card_centre(cell)
    at = x + dx, y + (off if end == "far" else -off)
    disc = Point(at).buffer(COIN_DIAMETER_MM.get(cls, 20.0) / 2)
    return Piece(id_, "coin", cls, at, disc, **{"face": "heads", **more})


def a_scene(cards, *coins):
    """cards: {cell: class}."""
    laid = tuple(a_card(cell, cls) for cell, cls in cards.items())
    return Scene((800.0, 700.0), laid + coins)
