"""How marks look: pens and fills by role, colours of owners, type. The only place that knows a colour.

Colours are Okabe and Ito's palette (Color Universal Design, 2008), told apart with any common colour blindness;
what matters is also told by shape: dashes, crosses, double lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PyQt6.QtGui import QColor, QFont

# The sky blue is a little lighter than theirs, to stand out from the blue of printed motorways.
ORANGE, SKY, GREEN = "#E69F00", "#4CC4FA", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
INK, PAPER, QUIET = "#11161C", "#F4F6F8", "#AEB8C2"

# Lines and letters are sized for a picture 1080 px high and grow with it; where it is higher than 4:3, with its width:
# that of a phone held upright had no room for the verdict.
REFERENCE_HEIGHT_PX = 1080.0
_HIGHEST = 3 / 4
# Read from two metres on a 24 inch screen (300 mm high), 20 minutes of arc are 12 mm: a letter of 28 to 34 px.
LABEL_PX = 27
TITLE_PX = 34
DETAIL_PX = 27
# The names of all hexes, as small as maps print them, and of the few that somebody looks for.
HEX_PX, NAMED_HEX_PX = 24, 34


@dataclass(frozen=True)
class Style:
    """A role's pen and fill. Widths in px at the reference height; `fill` and `casing` are opacities, 0 to 1.

    dash    lengths of line and gap in pen widths; none for a whole line
    casing  of the line under the pen, which keeps it readable on any map: dark, or light under a dark pen
    """

    colour: str
    width: float = 3.0
    fill: float = 0.0
    dash: tuple[float, ...] = ()
    casing: float = 0.55
    casing_colour: str = INK


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        "reach": Style(SKY, 3.5, 0.20),
        "band": Style(SKY, 0.0, 0.18, casing=0.0),
        "sight": Style(YELLOW, 2.0, 0.10),
        "target": Style(ORANGE, 4.5),
        "close": Style(YELLOW, 4.0, dash=(2.0, 1.5)),
        "blocked": Style(VERMILLION, 4.0),
        "siege": Style(PURPLE, 4.5, 0.08, dash=(3.0, 2.0), casing=0.35),
        "open": Style(GREEN, 4.0),
        "doubt": Style(YELLOW, 3.5, dash=(1.5, 1.5)),
        "move-yes": Style(GREEN, 4.5),
        "move-no": Style(VERMILLION, 4.5, dash=(3.0, 1.6)),
        "move-close": Style(YELLOW, 4.5, dash=(1.2, 1.4)),
        "selected": Style(PAPER, 3.0),
        "illegal": Style(VERMILLION, 4.5, dash=(3.0, 1.6)),
        "judge": Style(QUIET, 3.5),
        "settle": Style(GREEN, 3.5, dash=(2.0, 2.0)),
        "template": Style(ORANGE, 3.0, 0.15),
        "engaged": Style(VERMILLION, 3.5),
        "wavering": Style(YELLOW, 3.5, dash=(1.0, 1.0)),
        "cohesion": Style(SKY, 2.5, dash=(2.0, 2.0)),
        "control": Style(GREEN, 3.0, 0.08),
        "cover": Style(QUIET, 2.5, 0.12),
        "terrain": Style(QUIET, 2.0, 0.06, dash=(4.0, 3.0), casing=0.3),
        "table": Style(QUIET, 1.5, casing=0.3),
        "road-minor": Style("#4A525B", 1.0, casing=0.0),
        "road-b": Style("#7A6A4C", 2.0, casing=0.0),
        "road-a": Style("#8A5A52", 2.5, casing=0.0),
        "road-primary": Style("#4F7A63", 2.5, casing=0.0),
        "road-motorway": Style("#4F6F95", 4.0, casing=0.0),
        "hex": Style("#586571", 1.2, casing=0.0),
        "hex-name": Style(PAPER, 0.0, casing=0.0),
        "place": Style("#C9D1D9", 2.0, 0.15, casing=0.0),
        "water": Style("#3A6F95", 1.0, 0.35, casing=0.0),
    }
)
PLAIN = Style(QUIET, 2.5)

OWNERS: Mapping[str, str] = MappingProxyType(
    {
        "red": VERMILLION,
        "blue": "#2F8FDD",
        "green": GREEN,
        "yellow": YELLOW,
        "white": "#FFFFFF",
        "black": "#20262D",
        "orange": ORANGE,
        "purple": PURPLE,
        "tan": "#C8A878",
        "grey": "#8E979F",
        "none": QUIET,
    }
)
VERDICTS: Mapping[str, str] = MappingProxyType({"yes": GREEN, "no": VERMILLION, "close": YELLOW})
_OWNER_PREFIX = "owner-"
# A pen darker than this is not told from the dark line under it.
_DARK = 0.2


def unit_px(size_px: tuple[int, int]) -> float:
    """How many px of a picture of that width and height a px at the reference height is."""
    width, height = size_px
    return min(height, width * _HIGHEST) / REFERENCE_HEIGHT_PX


def owner_role(owner: str) -> str:
    """The role of the ring around a piece of that owner; `unknown` is a doubt."""
    return "doubt" if owner == "unknown" else f"{_OWNER_PREFIX}{owner}"


def style_of(role: str) -> Style:
    """How marks of that role are drawn; a plain grey line for a role that nobody styled."""
    if role.startswith(_OWNER_PREFIX):
        colour = OWNERS.get(role.removeprefix(_OWNER_PREFIX), QUIET)
        under = PAPER if is_dark(colour) else INK
        return Style(colour, 3.0, casing=0.75, casing_colour=under)
    return STYLES.get(role, PLAIN)


def is_dark(colour: str) -> bool:
    """Whether a pen of that colour would not be told from the window's ground."""
    return QColor(colour).lightnessF() < _DARK


def tinted(colour: str, opacity: float) -> QColor:
    """`colour` at that opacity, 0 to 1."""
    tint = QColor(colour)
    tint.setAlphaF(opacity)
    return tint


def font(size_px: float, *, bold: bool = False) -> QFont:
    """The sans-serif face of the machine at a height in px; never raises, even where no font is installed."""
    face = QFont()
    face.setFamilies(["Inter", "Noto Sans", "DejaVu Sans", "Liberation Sans", "Helvetica", "Arial"])
    face.setStyleHint(QFont.StyleHint.SansSerif)
    face.setPixelSize(max(round(size_px), 8))
    face.setBold(bold)
    return face
