"""Rough cameras for a fit to start from."""

from __future__ import annotations

from dataclasses import replace

from calibration.fit.seen import Seen
from calibration.kick.reframe import moved_by
from calibration.lens import Lens
from calibration.pose import CameraGuess, guesses_from_circle, guesses_from_points, rigid_between


def first_guesses(seen: Seen, lens: Lens) -> list[CameraGuess]:
    """Cameras near the one that took what is seen; ValueError where this is too little to guess any.

    Each is by the points of known place, or by one shape of known size whose place is free (a card; moved onto the
    known points where there are some), or by one coin's circle.
    """
    if seen.slant is not None:
        return [CameraGuess(seen.slant.lens, seen.slant.pose)]
    points = seen.points
    fixed = points.only(tuple(name for name in points.groups if name not in points.loose))
    if len(fixed) >= 4:
        return guesses_from_points(fixed.image_px, fixed.table_mm, lens)
    loose = next((name for name in points.groups if name in points.loose), None)
    if loose is None:
        if not seen.circles:
            raise ValueError(
                "the references contradict one another, and what is left of them fixes no plane: add one more"
            )
        return guesses_from_circle(seen.circles[0].rim_px, seen.circles[0].radius_mm, lens)
    shape = points.only((loose,))
    guesses = guesses_from_points(shape.image_px, shape.table_mm, lens)
    if len(fixed) < 2:
        return guesses
    there = [guess.pose.to_table(guess.lens, fixed.image_px) for guess in guesses]
    motions = [rigid_between(fixed.table_mm, mm) for mm in there]
    return [replace(g, pose=moved_by(g.pose, motion)) for g, motion in zip(guesses, motions, strict=True)]
