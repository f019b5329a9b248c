"""Which pixel shows which point of the table, who says so, and how exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# A person's click, or a number typed to the whole pixel: 0.3 px of rounding and 0.4 px of hand (0.5 px together).
CLICK_SIGMA_PX = 0.5
# A number with more than one decimal was measured, by an edge fit or a program. Tenths are what a viewer shows that is
# zoomed in: taken for measured, four hand-written clicks of 0.3 and 0.6 px held for 74 and 68 % through a lens file.
MEASURED_SIGMA_PX = 0.15
# How the two ends of a fitted side err together: what turns a line through edge points moves its ends apart. Points
# over the middle 76 % of the side (calibration.edges.edge) that err by themselves give -0.68; what moves a whole side,
# as on rendered stills, brings the middle of 0.4 of a corner's error to 0.5 or 0.6.
ENDS_TOGETHER = -0.5
# Of four corners in a row, which comes after each.
_NEXT = (1, 2, 3, 0)


@dataclass(frozen=True, eq=False)
class Circle:
    """A disc of known size lying anywhere.

    rim_px     (n, 2) points of its upper rim in the picture, n >= 5, distorted, more than half way round it
    height_mm  of that rim above the table: a coin's thickness
    sigma_px   standard deviation of the rim's place
    size_only  whether only the size was measured, and `sigma_px` is of the radius, each disc's its own: the rim is then
               round on the plane that it was looked at on, whatever plane that was
    """

    source: str
    rim_px: Array
    radius_mm: float
    height_mm: float = 0.0
    sigma_px: float = 0.3
    size_only: bool = False

    @classmethod
    def of_ellipse(
        cls,
        source: str,
        centre_px: ArrayLike,
        axes_px: tuple[float, float],
        angle_deg: float,
        *,
        diameter_mm: float,
        height_mm: float = 0.0,
        sigma_px: float = 0.3,
        size_only: bool = False,
    ) -> Circle:
        """From an ellipse in the picture as cv2.fitEllipse gives it: whole axes, the first turned by `angle_deg` from
        the picture's right, clockwise as it is seen."""
        around, turn = np.linspace(0, 2 * np.pi, 16, endpoint=False), np.radians(angle_deg)
        local = np.c_[np.cos(around) * axes_px[0], np.sin(around) * axes_px[1]] / 2
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        rim_px = local @ rotation + np.asarray(centre_px, float)
        return cls(source, rim_px, diameter_mm / 2, height_mm, sigma_px, size_only)


@dataclass(frozen=True, eq=False)
class Correspondences:
    """Points seen and known.

    image_px   (n, 2) distorted, as in the picture
    table_mm   (n, 2) table frame
    height_mm  (n,) above the table
    raised_mm  (n,) how far above that, or below, it may be: a standard deviation, all of them raised together, since
               who marks places marks them alike
    sigma_px   (n,) standard deviation of each coordinate in the picture
    sources    n names; points of one name stand or fall together ("marker 3")
    loose      the sources that lie anywhere: their `table_mm` tell their shape only ("card 1")
    lined      the sources of four corners each that are where lines along four straight sides meet
    askew      the sources of four corners each that may lie turned a little about their middles
    placing_mm how exactly the others lie where they are said to: standard deviation, one slip for each source
    crowd      so many of these points err together, as one
    across     (n, 2) unit vector in the picture of the only direction in which the place was found (a point of a line);
               0, 0 for a place found in both
    bloom      (n, 2) by how much a corner moves where the light about it spreads by a pixel; 0, 0 where it does not
    """

    image_px: Array
    table_mm: Array
    height_mm: Array
    sigma_px: Array
    sources: tuple[str, ...]
    across: Array
    bloom: Array
    raised_mm: Array
    loose: frozenset[str] = frozenset()
    placing_mm: float = 0.0
    crowd: float = 1.0
    lined: frozenset[str] = frozenset()
    askew: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        image_px: ArrayLike,
        table_mm: ArrayLike,
        sources: Iterable[str] | None = None,
        sigma_px: ArrayLike | None = None,
        height_mm: ArrayLike = 0.0,
        across: ArrayLike = (0.0, 0.0),
    ) -> Correspondences:
        """From anything array-like; without `sources` each point is its own ("point 1", ...).

        image_px, table_mm   (n, 2); ValueError where they are not as many
        sigma_px, height_mm  one number for all, or (n,)
        across               (2,) for all, or (n, 2)
        """
        image, table = np.asarray(image_px, float).reshape(-1, 2), np.asarray(table_mm, float).reshape(-1, 2)
        if len(image) != len(table):
            raise ValueError(f"{len(image)} image points but {len(table)} table points: they must go in pairs")
        names = tuple(sources) if sources is not None else tuple(f"point {i + 1}" for i in range(len(image)))
        sigma = np.broadcast_to(_sigma_of(image) if sigma_px is None else np.asarray(sigma_px, float), len(image))
        height = np.broadcast_to(np.asarray(height_mm, float), len(image))
        ways = np.broadcast_to(np.asarray(across, float), image.shape)
        return cls(image, table, height, sigma, names, ways, np.zeros(image.shape), np.zeros(len(image)))

    @classmethod
    def joined(cls, parts: Iterable[Correspondences]) -> Correspondences:
        """All parts together, in their order."""
        every = [part for part in parts if len(part)]
        if not every:
            return cls.of(np.zeros((0, 2)), np.zeros((0, 2)))
        return cls(
            image_px=np.concatenate([part.image_px for part in every]),
            table_mm=np.concatenate([part.table_mm for part in every]),
            height_mm=np.concatenate([part.height_mm for part in every]),
            sigma_px=np.concatenate([part.sigma_px for part in every]),
            sources=tuple(name for part in every for name in part.sources),
            across=np.concatenate([part.across for part in every]),
            bloom=np.concatenate([part.bloom for part in every]),
            raised_mm=np.concatenate([part.raised_mm for part in every]),
            loose=frozenset().union(*(part.loose for part in every)),
            placing_mm=max(part.placing_mm for part in every),
            crowd=max(part.crowd for part in every),
            lined=frozenset().union(*(part.lined for part in every)),
            askew=frozenset().union(*(part.askew for part in every)),
        )

    def raised_alike(self, raised_mm: float) -> Correspondences:
        """The same, on things that may be so thick: a standard deviation, of all alike."""
        return replace(self, raised_mm=np.full(len(self), raised_mm))

    def lying_anywhere(self) -> Correspondences:
        """The same shapes, each source free to lie where it will."""
        return replace(self, loose=frozenset(self.sources))

    def turned_a_little(self) -> Correspondences:
        """The same, squares that were found by their sides and lie fixed free to lie askew, as hands lay them."""
        return replace(self, askew=self.lined - self.loose)

    def found_by_sides(self) -> Correspondences:
        """The same, four corners to a source, each where lines along two sides meet."""
        return replace(self, lined=frozenset(self.sources))

    def dark_on_light(self) -> Correspondences:
        """The same, four corners to a source, clockwise as seen, of what is dark inside: light spreads into it."""
        quads = self.image_px.reshape(-1, 4, 2)
        return replace(self, bloom=inward(quads).reshape(-1, 2))

    def __len__(self) -> int:
        return len(self.image_px)

    @property
    def groups(self) -> tuple[str, ...]:
        """The sources, each once, in their order."""
        return tuple(dict.fromkeys(self.sources))

    @property
    def numbers(self) -> int:
        """How many numbers were measured: two for each place, one for a point of a line."""
        return 2 * len(self) - int(self.across.any(axis=1).sum())

    def seen_part(self, errors_px: Array) -> Array:
        """(n, 2) or (n, 2, m), the part of errors in the picture that the places can tell: across their lines."""
        part = errors_px.copy()
        lines = self._lines
        if not len(lines):
            return part
        across = self.across[lines].reshape(-1, 2, *(1,) * (errors_px.ndim - 2))
        part[lines] = across * (across * part[lines]).sum(axis=1, keepdims=True)
        return part

    def in_sigmas(self, errors_px: Array) -> Array:
        """(2 n,) or (2 n, m), numbers that err by one each, and independently, of errors (n, 2) or (n, 2, m)."""
        weight = 1 / self.sigma_px.reshape(-1, *(1,) * (errors_px.ndim - 1))
        part = self.seen_part(errors_px) * weight
        dark, inward_px = self._dark
        if len(dark):
            normals = inward_px.reshape(*inward_px.shape, *(1,) * (errors_px.ndim - 2))
            starts = (normals * part[dark]).sum(axis=2)
            ends = (normals * part[dark[:, _NEXT]]).sum(axis=2)
            part[dark, 0] = (starts + ends) / np.sqrt(2 * (1 + ENDS_TOGETHER))
            part[dark, 1] = (starts - ends) / np.sqrt(2 * (1 - ENDS_TOGETHER))
        return np.asarray(part.reshape(-1, *part.shape[2:]), float)

    @cached_property
    def of_source(self) -> dict[str, NDArray[np.bool_]]:
        """By source, (n,) which points are its own."""
        sources = np.array(self.sources)
        return {name: sources == name for name in self.groups}

    @cached_property
    def is_single(self) -> NDArray[np.bool_]:
        """(n,) which points are each a source of its own: clicks."""
        return np.array([self.sources.count(name) == 1 for name in self.sources], bool)

    @cached_property
    def is_loose(self) -> NDArray[np.bool_]:
        """(n,) which points are of things that lie anywhere."""
        return np.isin(self.sources, list(self.loose))

    @cached_property
    def _lines(self) -> NDArray[np.intp]:
        """The points of lines."""
        return np.flatnonzero(self.across.any(axis=1))

    @cached_property
    def _dark(self) -> tuple[NDArray[np.intp], Array]:
        """(m, 4) the corners of what is dark, and (m, 4, 2) the inward normals of the sides from each to the next."""
        dark = np.flatnonzero(self.bloom.any(axis=1)).reshape(-1, 4)
        return dark, _normals(self.image_px[dark])

    @cached_property
    def outward(self) -> Array:
        """(n, 2) by how many mm the corners of what is dark, and square, move if it is larger by 1 mm on every side."""
        dark, moved = self._dark[0], np.zeros(self.table_mm.shape)
        away = self.table_mm[dark] - self.table_mm[dark].mean(axis=1, keepdims=True)
        moved[dark] = np.sqrt(2) * away / np.linalg.norm(away, axis=2, keepdims=True)
        return moved

    def only(self, groups: Iterable[str]) -> Correspondences:
        """The points of these sources."""
        wanted = set(groups)
        keep = np.array([name in wanted for name in self.sources], bool)
        names = tuple(name for name in self.sources if name in wanted)
        return replace(
            self,
            image_px=self.image_px[keep],
            table_mm=self.table_mm[keep],
            height_mm=self.height_mm[keep],
            sigma_px=self.sigma_px[keep],
            sources=names,
            across=self.across[keep],
            bloom=self.bloom[keep],
            raised_mm=self.raised_mm[keep],
            loose=self.loose & wanted,
            lined=self.lined & wanted,
            askew=self.askew & wanted,
        )


def _normals(quads: Array) -> Array:
    """(m, 4, 2) inward unit normals of the sides of quadrilaterals (m, 4, 2), clockwise as seen."""
    along = np.roll(quads, -1, axis=1) - quads
    normals = np.stack([-along[..., 1], along[..., 0]], axis=-1) / np.linalg.norm(along, axis=-1, keepdims=True)
    return np.asarray(normals, float)


def inward(quads: Array) -> Array:
    """(m, 4, 2) how far the corners of quadrilaterals (m, 4, 2), clockwise as seen, move if all sides go in by one."""
    normal = _normals(quads)
    before = np.roll(normal, 1, axis=1)
    meeting = 1 + (normal * before).sum(axis=-1, keepdims=True)
    return np.asarray((normal + before) / np.maximum(meeting, 0.1), float)


def _sigma_of(image_px: Array) -> float:
    return CLICK_SIGMA_PX if np.array_equal(image_px, np.round(image_px, 1)) else MEASURED_SIGMA_PX
