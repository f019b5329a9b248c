"""Where each unknown of the least squares over all that was seen stands in their vector."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Unknowns:
    """How many unknowns there are of each kind. In the vector they stand in this order:

    of_lens    the lens, whitened; then six of the pose, rvec and tvec
    loose      shapes that lie anywhere: x, y and turn of each
    circles    x and y of each
    placed     things that were laid down by hand: by how far each slipped, x and y
    askew      the turns of things that may lie askew
    raised     whether points may stand higher than said: by how many of their sigmas all do
    lights     the shares by which the light widens all rims
    stretched  whether there are loose shapes, the table's frame among them: by what share all are larger than said
    dark       dark things: by how many px light spreads into all of them, into each one more, and the mm of ink run out
    """

    of_lens: int
    loose: int
    circles: int
    placed: int
    askew: int
    raised: bool
    lights: int
    stretched: bool
    dark: int

    @cached_property
    def lens(self) -> slice:
        """Of the whitened lens."""
        return slice(0, self.of_lens)

    @cached_property
    def rvec(self) -> slice:
        """Of the camera's turn."""
        return slice(self.of_lens, self.of_lens + 3)

    @cached_property
    def tvec(self) -> slice:
        """Of the camera's place."""
        return slice(self.of_lens + 3, self.of_lens + 6)

    @cached_property
    def camera(self) -> slice:
        """Of lens and pose."""
        return slice(0, self.of_lens + 6)

    def shape(self, n: int) -> slice:
        """Of the n-th loose shape."""
        return slice(self.camera.stop + 3 * n, self.camera.stop + 3 * n + 3)

    @cached_property
    def centres(self) -> slice:
        """Of all circles."""
        return slice(self.camera.stop + 3 * self.loose, self.camera.stop + 3 * self.loose + 2 * self.circles)

    def slip(self, n: int) -> slice:
        """Of the n-th thing that was laid down by hand."""
        return slice(self.centres.stop + 2 * n, self.centres.stop + 2 * n + 2)

    def turn(self, n: int) -> int:
        """Of the n-th thing that may lie askew."""
        return int(self.centres.stop) + 2 * self.placed + n

    @cached_property
    def rise(self) -> int:
        """Of what all raised points stand on."""
        return self.turn(self.askew)

    @cached_property
    def light(self) -> slice:
        """Of the rims' widening."""
        begin = self.rise + self.raised
        return slice(begin, begin + self.lights)

    @cached_property
    def stretch(self) -> int:
        """Of the loose shapes' share."""
        return int(self.light.stop)

    @cached_property
    def bloom(self) -> int:
        """Of the light that spreads into all that is dark; that into the n-th dark thing stands n + 1 after it."""
        return self.stretch + self.stretched

    @cached_property
    def ink(self) -> int:
        """Place of the ink, the last unknown of dark things."""
        return self.bloom + (1 + self.dark if self.dark else 0)

    @cached_property
    def held(self) -> slice:
        """Of all that is held to nothing by a standard deviation of its own: slips, turns, heights, light and ink."""
        return slice(self.centres.stop, self.size)

    @cached_property
    def size(self) -> int:
        """How many there are in all."""
        return self.ink + int(bool(self.dark))
