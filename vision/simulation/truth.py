"""What really lies on the simulated table, for tests and figures: no reader asks here."""

import math
from dataclasses import dataclass

from vision.reading import Corners, DieColour, Outline
from vision.simulation.dice import PosedDie, face_corners, top_face
from vision.simulation.geometry import Array, Pinhole
from vision.simulation.style import Style
from vision.simulation.throwing import DieState, Lying

EVERYBODY_READS = 0.819  # the cosine of 35 degrees by which a face may lean


@dataclass(frozen=True, slots=True)
class LyingDie:
    """What really lies there; pips is None where nobody can tell: under a die, leaning too far."""

    colour: DieColour
    pips: int | None
    x: float
    y: float
    corners: Corners
    state: DieState
    lean: float = 0.0  # degrees
    visible: float = 1.0  # of its face; nothing where a lamp is mirrored in it


@dataclass(frozen=True, slots=True)
class Truth:
    """The dice at rest and the corners of the floor they lie on, in pixels; none of a bare table."""

    lid: Outline
    dice: tuple[LyingDie, ...]


def truth_of(view: Pinhole, style: Style, lying: tuple[Lying, ...], glaring: PosedDie | None) -> Truth:
    """These dice as that camera has them; in the face of one a lamp may be mirrored."""
    dice = tuple(_true_die(view, style, die, glares=die.stand is glaring) for die in lying)
    ring = () if style.is_bare else view.project(style.tray.floor())
    return Truth(tuple((float(x), float(y)) for x, y in ring), dice)


def _true_die(view: Pinhole, style: Style, lying: Lying, *, glares: bool) -> LyingDie:
    edge, handed = style.dice.edge, style.dice.left_handed
    pips, up = top_face(lying.stand, handed)
    centre = view.project(lying.stand.centre + up * (edge / 2))
    corners = _corners(view.project(face_corners(lying.stand, edge, handed)))
    known = pips if lying.state is not DieState.UNDER and up[2] >= EVERYBODY_READS else None
    x, y = (float(v) for v in centre)
    lean = math.degrees(math.acos(min(1.0, float(up[2]))))
    visible = 0.0 if glares else 1.0
    return LyingDie(lying.stand.colour, known, x, y, corners, lying.state, lean, visible)


def _corners(points: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d
