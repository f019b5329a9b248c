"""Round things on a table, measured, whatever they show: which of them may be pieces that a user teaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from vision.classify import crops_of
from vision.detect.coin.proposals import Proposals, propose
from vision.frame import Frame, ImageBgr
from vision.metric.topview import TopView
from vision.rows import Rows
from vision.shape.circle import fit_rims
from vision.shape.rim import look_at_rims
from vision.shape.surround import apart_from_ground

Array = NDArray[np.float64]

# A circle that the net proposes is a piece to learn or to know again if the rim fit agrees so far with the rim net, or
# if the detector is as sure as this.
_LEAST_SUPPORT, _ASTRAY, _HOT = 0.35, 0.16, 0.5
# The rim net doubts the radius of what is round by no more than this share: 0.023 at most of 279 coins and counters on
# rendered tables (seed 1801), 0.03 at least of grain and knots in wood.
_DOUBT = 0.03
# Of a piece that lies alone nearly the whole rim shows: 0.9 and more on 18 of those tables' 19 pictures of one piece,
# the last one the detector is sure of; grain and seams of wood reach 0.65 there.
PLAIN_SUPPORT = 0.8
# A counter of card, a button or a chip is no coin to the net; it is a piece where it differs from the ground all round
# by so many levels, if the nets are as sure as this: counters on wood differ by 90 and more, grain by 7 at most, and
# the net gives coloured ones 0.08 and more, black ones a doubt of 0.031 at most (11 pictures of seeds 1801 and 21900).
_STANDS_OUT, _FAINT, _DOUBT_OF_COUNTER = 25.0, 0.05, 0.045
_LIKELY = 0.13
# A centre a little over the edge is still on the table, as `vision.eyes` has it.
_OVER_EDGE_MM = 3.0


@dataclass(frozen=True, eq=False)
class Rounds(Rows):
    """n circles on the table: centre_mm (n, 2), radius_mm (n,) and, each (n,):

    heat      of the net that proposes them
    doubt     of the rim net about the radius, as a share of it
    support   share of the rim that shows, 0 where it shows elsewhere
    apart     levels by which it differs from the ground round it
    """

    centre_mm: Array
    radius_mm: Array
    heat: Array
    doubt: Array
    support: Array
    apart: Array

    def are_coins(self, least_support: float) -> NDArray[np.bool_]:
        """(n,) whether it is a coin by its outline: at least this share of the rim shows, or the net is sure of it."""
        shows = (self.support >= least_support) | (self.heat >= _HOT)
        return (self.heat > _LIKELY) & (self.doubt < _DOUBT) & shows

    @property
    def are_pieces(self) -> NDArray[np.bool_]:
        """(n,) whether it is a piece to know again, as far as its outline tells."""
        return self.are_coins(_LEAST_SUPPORT) | self.stand_out

    @property
    def are_plain(self) -> NDArray[np.bool_]:
        """(n,) whether it is plainly round; if none is, whether it stands out from its ground."""
        plain = self.are_coins(PLAIN_SUPPORT)
        return plain if plain.any() else self.stand_out

    @property
    def are_counters(self) -> NDArray[np.bool_]:
        """(n,) whether it is a disc of which nearly the whole rim shows, whatever the coin net says of it."""
        return self.stand_out & (self.doubt < _DOUBT) & (self.support >= PLAIN_SUPPORT)

    @property
    def stand_out(self) -> NDArray[np.bool_]:
        """(n,) whether it is a disc that differs clearly from the ground about it."""
        return (self.apart > _STANDS_OUT) & (self.doubt < _DOUBT_OF_COUNTER) & (self.support >= _LEAST_SUPPORT)


def rounds_in(frame: Frame, plane: TablePlane, view: TopView) -> Rounds:
    """Every circle on the table that may be a piece, measured."""
    proposed = _worth_a_look(frame.image_bgr, plane, propose(frame.image_bgr, view, _FAINT))
    height = np.full(len(proposed.heat), TYPICAL_THICKNESS_MM)
    circles = look_at_rims(frame.image_bgr, plane, proposed.centre_mm, proposed.radius_mm, height)
    centre, radius = circles.centre_mm, circles.radius_mm
    on_table = _on_table(centre, view.table_mm)
    rims = fit_rims(frame.image_bgr, plane, centre, radius, height, close=True)
    off = np.linalg.norm(rims.centre_mm - centre, axis=1) / radius
    there = on_table & (off < _ASTRAY) & (np.abs(rims.radius_mm / radius - 1) < _ASTRAY)
    apart = apart_from_ground(crops_of(frame.image_bgr, plane, centre, radius, height))
    return Rounds(
        centre,
        radius,
        np.where(on_table, proposed.heat, 0.0),
        circles.radius_sigma_mm / radius,
        np.where(there, rims.support, 0.0),
        apart,
    )


def _worth_a_look(image_bgr: ImageBgr, plane: TablePlane, proposed: Proposals) -> Proposals:
    """Without what the net hardly proposes and what does not stand out as it is proposed: half of all, on a map."""
    keep = proposed.heat > _LIKELY
    faint = proposed.only(~keep)
    height = np.full(len(faint.heat), TYPICAL_THICKNESS_MM)
    crops = crops_of(image_bgr, plane, faint.centre_mm, faint.radius_mm, height)
    keep[~keep] = apart_from_ground(crops) > _STANDS_OUT
    return proposed.only(keep)


def _on_table(centre_mm: Array, table_mm: tuple[float, float]) -> NDArray[np.bool_]:
    """(n,) whether it lies on the playing area: the view shows some of what lies beside it."""
    beyond_mm = np.maximum(-centre_mm, centre_mm - table_mm)
    return np.asarray((beyond_mm <= _OVER_EDGE_MM).all(axis=1), bool)
