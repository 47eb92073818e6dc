"""The simulated table: a place, dice, a camera. Pixels are all a reader gets; `truth` is for tests."""

import math
import threading
from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from boxlid.errors import Statement
from vision.cameras.camera import CameraError, CameraSays, CameraTitle, Frame
from vision.cameras.clock import Clock, RealClock
from vision.image.arrays import Image
from vision.reading import ALL_SIX, DieColour
from vision.simulation.dice import PosedDie, draw
from vision.simulation.furnishing import style_in
from vision.simulation.geometry import LidPlace, Pinhole
from vision.simulation.glare import shine
from vision.simulation.hand import reach_in
from vision.simulation.scene import Painter, StillScene
from vision.simulation.sensor import USUAL_SIZE, noise_of, with_noise
from vision.simulation.shape import Shape
from vision.simulation.style import Mount, view_from, view_of
from vision.simulation.throwing import (
    FLIGHT_SECONDS,
    HAND_SECONDS,
    LAST_START,
    DieState,
    Flight,
    Lying,
    beside,
    flights,
    laid_out,
    thrown,
    topple,
)
from vision.simulation.truth import Truth, truth_of

FINE = 2  # rays a pixel each way for dice that lie still
FRAMES_PER_SECOND = 12.0
ROLLING_SECONDS = HAND_SECONDS + FLIGHT_SECONDS + LAST_START
GLARING = 0.4  # of the throws that are odd


class Fault(StrEnum):
    """What can be made to go wrong; it stays until it is ended."""

    UNPLUGGED = "unplugged"
    BLACK = "black"
    BLINDED = "blinded"
    FROZEN = "frozen"
    LIGHT_OFF = "light-off"
    HAND = "hand"


class SimulatedTable:
    """A place and dice to throw into it. All follows from the seed; safe to use from several threads."""

    def __init__(
        self,
        seed: int = 1,
        dice: Sequence[DieColour] = ALL_SIX,
        clock: Clock | None = None,
        size: tuple[int, int] = USUAL_SIZE,
        throws: int | None = None,
        shape: Shape = Shape.LID,
    ) -> None:
        """`seed` makes place, light and dice, and the throws too unless `throws` is their own."""
        self.faults = 0.0  # of throws that are not odd: a die leans, lies on another, fell beside the place
        self.clock = clock or RealClock()
        self._random = np.random.default_rng(seed)
        self._style = style_in(self._random, shape)
        self._view = self._view_for(size)
        self._painter = Painter(self._style, self._view)
        self._noise = noise_of(self._random, self._style.noise, size)
        if throws is not None:
            self._random = np.random.default_rng(throws)
        self._changing = threading.Lock()  # one change after the other; held without the lock below
        self._lock = threading.RLock()
        self._place = LidPlace()
        self._scene: StillScene | None = None
        self._still: Image | None = None
        self._dice = tuple(dice)
        self._aside: tuple[PosedDie, ...] = ()
        self._lying: tuple[Lying, ...] = ()
        self._glaring: PosedDie | None = None
        self._flights: tuple[Flight, ...] = ()
        self._began = -math.inf
        self._hand_since = -math.inf
        self._active: frozenset[Fault] = frozenset()

    def _view_for(self, size: tuple[int, int]) -> Pinhole:
        """From well over the lid."""
        return view_of(self._random, self._style.tray, *size)

    # what people do at the table

    @property
    def dice(self) -> tuple[DieColour, ...]:
        """The dice that are thrown."""
        return self._dice

    @property
    def dice_in_lid(self) -> int:
        """How many lie in the lid or fly into it."""
        return len(self._lying)

    def throw(self, *, odd: bool = False) -> None:
        """A hand picks the dice up and throws them; they lie still after about 1.7 seconds.

        `odd`: one of them cannot be read, for it leans, lies on another one or beside the lid, or glares.
        """
        with self._lock:
            self._settle()
            glares = odd and self._random.random() < GLARING
            faults = 1.0 if odd and not glares else self.faults
            self._lying = thrown(self._random, self._style, self._dice, faults)
            self._glaring = self._lying[self._random.integers(len(self._lying))].stand if glares else None
            self._fly(flights(self._random, self._style, self._lying))

    def lay_out(self) -> None:
        """All dice are put down flat and apart, as calibration asks."""
        with self._lock:
            self._rest(laid_out(self._random, self._style, self._dice))

    def clear(self) -> None:
        """All dice are taken out of the lid and held; the next throw brings them back."""
        with self._lock:
            self._rest(())

    def take_out(self, colour: DieColour) -> None:
        """A locked die is put aside, beside the lid, and thrown no more."""
        with self._lock:
            if colour not in self._dice:
                raise ValueError(f"no {colour} die is in play")
            self._settle()
            left = list(self._dice)
            left.remove(colour)
            self._dice = tuple(left)
            self._aside += (beside(self._random, self._style, colour, len(self._aside) + 1),)
            out = next((lying for lying in self._lying if lying.stand.colour is colour), None)
            self._rest(tuple(lying for lying in self._lying if lying is not out))

    def put_back(self) -> None:
        """A new game: all six dice are in play again, none in the lid."""
        with self._lock:
            self._dice, self._aside = ALL_SIX, ()
            self._rest(())

    def nudge(self) -> None:
        """Somebody pushes every leaning, stacked or fallen die so that all lie flat and none glares."""
        with self._lock:
            self._settle()
            self._glaring = None
            lying = list(self._lying)
            falls: list[Flight | None] = []
            for i, die in enumerate(lying):
                if die.state in {DieState.STACKED, DieState.OUTSIDE}:
                    others = [other.stand for j, other in enumerate(lying) if j != i]
                    falls.append(self._put_in(die, others))
                else:
                    falls.append(
                        topple(die, self._random, self._style) if die.state is DieState.COCKED else None
                    )
            self._lying = tuple(
                Lying(fall.rest if fall else die.stand, DieState.FLAT)
                for die, fall in zip(lying, falls, strict=True)
            )
            self._fly(tuple(fall for fall in falls if fall))

    def bump(self, millimetres: float = 8.0, degrees: float = 2.0) -> None:
        """Somebody knocks the lid: it moves with all dice in it, and stays there."""
        with self._changing:
            with self._lock:
                way = self._random.uniform(0, 2 * math.pi)
                angle = math.radians(degrees) * float(self._random.choice([-1, 1]))
            x, y = self._place.x + millimetres * math.cos(way), self._place.y + millimetres * math.sin(way)
            self._change(LidPlace(x, y, self._place.angle + angle), self._active)

    def put_lid_back(self) -> None:
        """The lid stands where it stood at first."""
        with self._changing:
            self._change(LidPlace(), self._active)

    def begin(self, fault: Fault) -> None:
        """Something goes wrong, until `end`."""
        with self._changing:
            if fault is Fault.HAND and fault not in self._active:
                self._hand_since = self.clock.now()
            self._change(self._place, self._active | {fault})

    def end(self, fault: Fault) -> None:
        """It is put right."""
        with self._changing:
            self._change(self._place, self._active - {fault})

    def _change(self, place: LidPlace, active: frozenset[Fault]) -> None:
        """What changes the still scene: it is drawn first, for pictures must not wait for it."""
        dark = Fault.LIGHT_OFF in active
        kept = self._scene if (place, dark) == (self._place, Fault.LIGHT_OFF in self._active) else None
        scene = kept or self._painter.scene(place, dark=dark)
        with self._lock:
            self._settle()
            self._place, self._active = place, active
            if scene is not self._scene:
                self._scene, self._still = scene, None

    # what can be seen of it

    @property
    def active(self) -> frozenset[Fault]:
        """What goes wrong at this moment."""
        return self._active

    @property
    def rolling(self) -> bool:
        """Whether dice are in the air; for the buttons of the simulation, not for a reader."""
        return self.clock.now() < self._began + ROLLING_SECONDS

    def picture(self, number: int = 0) -> Image:
        """What a camera sees now; `number` chooses the sensor's noise."""
        with self._lock:
            image = self._drawn(self.clock.now())
            dark = Fault.LIGHT_OFF in self._active
        return with_noise(image, self._noise, number, 0.5 if dark else 1.0)

    def truth(self) -> Truth:
        """For tests only: what lies in the lid once everything is still."""
        with self._lock:
            return truth_of(self._current_scene().view, self._style, self._lying, self._glaring)

    def _current_scene(self) -> StillScene:
        if self._scene is None:
            self._scene = self._painter.scene(self._place, dark=Fault.LIGHT_OFF in self._active)
        return self._scene

    def _drawn(self, now: float) -> Image:
        scene = self._current_scene()
        since = now - self._began
        if self._flights and since < ROLLING_SECONDS:
            image = self._in_flight(scene, since)
        else:
            self._settle_now()
            if self._still is None:
                self._still = scene.image.copy()
                draw(self._still, scene, self._style, self._all_still(), FINE)
                if self._glaring is not None:
                    shine(self._still, scene.view, self._style.dice, self._glaring)
            image = self._still
        if Fault.HAND in self._active:
            image = image.copy()
            self._draw_hand(image, scene, min(1.0, (now - self._hand_since) / 0.4))
        return image

    def _in_flight(self, scene: StillScene, since: float) -> Image:
        image = scene.image.copy()
        flying = {id(flight.rest) for flight in self._flights}
        still = [stand for stand in self._all_still() if id(stand) not in flying]
        places = (flight.at(since, self._style) for flight in self._flights)
        draw(image, scene, self._style, still + [stand for stand in places if stand is not None])
        thrown_now = any(flight.begins >= HAND_SECONDS for flight in self._flights)
        if thrown_now and since < HAND_SECONDS * 1.2:
            self._draw_hand(image, scene, math.sin(math.pi * since / (HAND_SECONDS * 1.2)))
        return image

    def _draw_hand(self, image: Image, scene: StillScene, reach: float) -> None:
        x, y = (float(v) for v in scene.view.project(np.zeros(3, np.float32)))
        millimetre = scene.view.focal / float(scene.view.centre[2] - 50)
        reach_in(image, (x, y), 175 * millimetre, reach)

    def _all_still(self) -> list[PosedDie]:
        """Dice in the lid's coordinates; those put aside stay where they are when the lid moves."""
        aside = [
            PosedDie(die.colour, self._place.on_lid(die.centre), self._place.on_lid_turned(die.turned))
            for die in self._aside
        ]
        return aside + [lying.stand for lying in self._lying]

    # time

    def _fly(self, ways: tuple[Flight, ...]) -> None:
        self._flights, self._began, self._still = ways, self.clock.now(), None

    def _settle(self) -> None:
        """Whatever still rolls lies where it was going to."""
        self._flights, self._began = (), -math.inf

    def _settle_now(self) -> None:
        self._flights = ()

    def _rest(self, lying: tuple[Lying, ...]) -> None:
        self._settle()
        self._lying, self._still, self._glaring = lying, None, None

    def _put_in(self, die: Lying, others: list[PosedDie]) -> Flight:
        """A die is put flat into a free place of the lid."""
        free = laid_out(self._random, self._style, (die.stand.colour,) * 6)
        gaps = [min(math.dist(spot.stand.centre[:2], o.centre[:2]) for o in others) for spot in free]
        spot = free[int(np.argmax(gaps))].stand
        return Flight(spot, die.stand.centre, np.array([1, 0, 0], np.float32), 0.0, 0.0, 0.35)


class MountedTable(SimulatedTable):
    """A table whose camera is held in another way."""

    def __init__(self, mount: Mount, seed: int, clock: Clock, size: tuple[int, int]) -> None:
        self._mount = mount
        super().__init__(seed, clock=clock, size=size)

    def _view_for(self, size: tuple[int, int]) -> Pinhole:
        return view_from(self._random, self._mount, *size)


class SimulatedCamera:
    """The camera over a simulated table, with the faults that real cameras have."""

    def __init__(self, table: SimulatedTable, frames_per_second: float = FRAMES_PER_SECOND) -> None:
        self.table = table
        self._pace = 1 / frames_per_second
        self._number = 0
        self._last = -math.inf
        self._kept: Image | None = None
        self._is_open = False

    @property
    def name(self) -> Statement:
        return Statement(CameraTitle.SIMULATED)

    def open(self) -> None:
        if Fault.UNPLUGGED in self.table.active:
            raise CameraError(CameraSays.SIMULATED_ABSENT)
        self._is_open = True

    def frame(self, timeout: float = 3.0) -> Frame:  # noqa: ARG002 - it never takes longer than a frame's pace
        """The next picture, at the camera's pace."""
        clock = self.table.clock
        clock.wait(self._last + self._pace - clock.now())
        self._last = clock.now()
        if not self._is_open:
            raise CameraError(CameraSays.CLOSED, name=self.name)
        if Fault.UNPLUGGED in self.table.active:
            self._is_open = False
            raise CameraError(CameraSays.SIMULATED_UNPLUGGED)
        self._number += 1
        self._kept = self._picture()
        return Frame(self._kept, self._number, self._last)

    def _picture(self) -> Image:
        active = self.table.active
        if Fault.FROZEN in active and self._kept is not None:
            return self._kept
        image = self.table.picture(self._number)
        if Fault.BLACK in active:
            return np.zeros_like(image)
        if Fault.BLINDED in active:
            return np.full_like(image, 255)
        return image

    def close(self) -> None:
        self._is_open = False
