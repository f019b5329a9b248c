"""What is known of the table after a frame."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.plane import TablePlane
from rules.scene import Scene
from vision.frame import Frame
from vision.motion.change import Obstacle
from vision.motion.hand import Hand
from vision.stream.camera_news import CameraNews


@dataclass(frozen=True, eq=False)
class Observation:
    """What is known after a frame.

    scene    the agreed one: pieces under a hand or under others included
    changed  whether this frame brought a new agreed scene
    frozen   whether a hand, motion or a moved camera holds back the next one
    plane    with which to draw; None while the camera is not where it was measured
    camera   what happened to the camera with this frame
    looking  whether a look that goes on beside the frames holds the next scene back, and no hand
    soft     whether a picture out of focus does
    aside    what lingers on the table or never rests there, so that what lies under it is not read
    """

    frame: Frame
    scene: Scene
    changed: bool
    frozen: bool
    hand: Hand
    plane: TablePlane | None
    camera: CameraNews | None = None
    looking: bool = False
    soft: bool = False
    aside: Obstacle | None = None
