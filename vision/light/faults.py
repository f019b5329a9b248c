"""What is wrong with how a picture shows its table, in a sentence that says what to change."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from vision.light.clarity import Clarity
from vision.stream.health import BLACK, Trouble, TroubleKind


class _Fault(NamedTuple):
    kind: TroubleKind
    shows: Callable[[Clarity], bool]
    sentence: str


# From what share of the table on it is blown out.
_BLOWN_OUT = 0.005
# Below this level of its brightest parts a picture is too dark to tell colours, or much else.
_DARK = 62
# And below this one it shows nothing at all.
_BLACK = 10
# From where on pieces are missed or misread: chosen on twelve rendered stills of seed 11 and five photographs of coins,
# as taken and spoilt (`benchmarks.corruption`), so that what costs more than two points after `vision.light.developed`
# is told. Of 114 stills and photographs of coins as taken three are: one still that is meant blurred, two mirrored
# lamps.
_FAULTS = (
    _Fault("black", lambda seen: seen.brightest < _BLACK, BLACK),
    _Fault(
        "dark",
        lambda seen: _BLACK <= seen.brightest < _DARK,
        "the picture is too dark (its brightest parts at {0.brightest:.0f} of 255): more light, or a longer exposure",
    ),
    _Fault(
        "blurred",
        # Many pixels to a millimetre forgive some blur.
        lambda seen: seen.edge_px > 1.45 or seen.edge_px > max(0.9, 0.5 * seen.px_per_mm),
        "the picture is blurred (edges spread over {0.edge_px:.1f} px): focus the camera, wipe its lens, hold it still",
    ),
    _Fault(
        "far",
        lambda seen: seen.px_per_mm < 1.05,
        "the picture is taken from too far away ({0.px_per_mm:.2f} px to a mm): nearer, or with a higher resolution",
    ),
    _Fault(
        "glare",
        lambda seen: seen.clipped > _BLOWN_OUT,
        "the picture is blown out on {0.clipped:.1%} of the table{where}: move the lamp that shines there, "
        "or expose less",
    ),
    _Fault(
        "glare",
        lambda seen: seen.glow_mm is not None and seen.clipped <= _BLOWN_OUT,
        "the picture shows a lamp that is mirrored near {0.glow_mm[0]:.0f}, {0.glow_mm[1]:.0f} mm: move the lamp, or "
        "expose less",
    ),
    _Fault(
        "grainy",
        lambda seen: seen.grain > 7,
        "the picture is grainy (noise of {0.grain:.0f} levels of 255): more light, and less gain",
    ),
    _Fault(
        "grey",
        # Of 1,500 photographs and stills those in colour have 10 and more; a grey picture through a video codec has 3.
        lambda seen: seen.colour < 6 and seen.brightest >= _DARK,
        "the picture has no colour: switch off night vision, or whatever else makes the camera black and white",
    ),
    _Fault(
        "coded",
        # Stills and photographs as taken, and at JPEG quality 75, have 1.9 at most; stills at 25 have 1.95 and more.
        lambda seen: seen.coded > 1.92,
        "the picture is compressed so far that its blocks show: choose a higher quality, or less resolution",
    ),
)


def faults_of(clarity: Clarity) -> tuple[Trouble, ...]:
    """All that is so bad that pieces are missed or misread; nothing for an ordinary picture."""
    where = f", most near {clarity.clipped_mm[0]:.0f}, {clarity.clipped_mm[1]:.0f} mm" if clarity.clipped_mm else ""
    return tuple(
        Trouble(fault.kind, fault.sentence.format(clarity, where=where)) for fault in _FAULTS if fault.shows(clarity)
    )
