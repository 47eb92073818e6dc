"""The still part of the picture: table top, lid, light; drawn once, then kept. Knows no dice."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Image
from vision.simulation.geometry import (
    Array,
    LidPlace,
    Pinhole,
    RoundLamp,
    dot,
    length,
)
from vision.simulation.style import Style
from vision.simulation.textures import floor_texture, grain_texture, look_up, table_texture
from vision.simulation.trays import lamp_over_walls, lamp_past_walls

FINE = 2  # the place is drawn this many times finer, then made small: smooth edges
HIGH_WALL = 20.0  # millimetres from which a wall keeps the light of the room from its foot
BAND = 64  # so many rows are drawn at once: a whole picture of rays takes much memory


@dataclass(frozen=True, eq=False, slots=True)
class StillScene:
    """The picture without dice, and how much of the light at each pixel comes straight from the lamp.

    Both are kept for as long as the lid lies there: bytes, `direct` up to 255.
    """

    image: Image
    direct: Image
    view: Pinhole  # in the lid's coordinates
    lamp: RoundLamp  # in the lid's coordinates


def to_screen(light: Array) -> Array:
    """Linear light, red first, as the camera's BGR values 0 to 255; bright parts are pressed softly."""
    pressed = np.where(light < 0.7, light, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.45))
    return cast(Array, (np.power(np.clip(pressed, 0, 1), 1 / 2.2) * 255)[..., ::-1].astype(np.float32))


class Painter:
    """Draws scenes of one style."""

    def __init__(self, style: Style, view: Pinhole) -> None:
        self.style = style
        self.view = view

    def scene(self, place: LidPlace, dark: bool = False) -> StillScene:
        """The table with the lid at that place; `dark` is the lamp switched off."""
        return _Drawing(self.style, self.view, place).scene(dark=dark)


class _Drawing:
    """One scene being drawn. Its surfaces are large and seldom needed: they go with it."""

    def __init__(self, style: Style, view: Pinhole, place: LidPlace) -> None:
        self.style = style
        self._view = view.from_lid(place)
        self._place = place
        lamp = style.lamp
        x, y, z = (float(v) for v in place.on_lid(np.array([lamp.x, lamp.y, lamp.z], np.float32)))
        self._lamp = RoundLamp(x, y, z, lamp.radius)
        self._table = table_texture(style)
        self._floor = floor_texture(style)
        self._grain = None if style.grain is None else grain_texture(style, style.grain)
        self._shade = min(1.0, style.tray.wall / HIGH_WALL)

    def scene(self, *, dark: bool) -> StillScene:
        view = self._view
        image = np.empty((view.height, view.width, 3), np.uint8)
        direct = np.zeros((view.height, view.width), np.uint8)
        frames = [(1, (0, 0, view.width, view.height))]
        if not self.style.is_bare:
            frames.append((FINE, self._frame()))
        for fine, frame in frames:
            for part, light, share in self._bands(fine, frame):
                image[part] = np.rint(to_screen(light * np.float32(0.012) if dark else light))
                if not dark:
                    direct[part] = np.rint(share * 255)
        return StillScene(
            cast(Image, cv2.GaussianBlur(image, (0, 0), self.style.blur)), direct, view, self._lamp
        )

    def _frame(self) -> tuple[int, int, int, int]:
        tray, view = self.style.tray, self._view
        corners = tray.floor() * (1 + 2 * tray.thickness / tray.width)
        high = corners + np.array([0, 0, tray.wall], np.float32)
        pixels = view.project(np.concatenate([corners, high]))
        left, top = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 3, 0)
        right, bottom = np.ceil(pixels.max(axis=0)).astype(int) + 3
        return int(left), int(top), min(view.width, int(right)), min(view.height, int(bottom))

    def _bands(
        self, fine: int, frame: tuple[int, int, int, int]
    ) -> Iterator[tuple[tuple[slice, slice], Array, Array]]:
        """A frame of the picture in bands: where each is, its linear light, the direct share of it."""
        left, top, right, bottom = frame
        step = np.float32(1 / fine)
        xs = np.arange(left * fine, right * fine, dtype=np.float32) * step + (step - 1) / 2
        ys = np.arange(top * fine, bottom * fine, dtype=np.float32) * step + (step - 1) / 2
        for begin in range(0, len(ys), BAND):
            light, direct = self._band(self._view.rays(*np.meshgrid(xs, ys[begin : begin + BAND])))
            size = (right - left, len(light) // fine)
            first = top + begin // fine
            yield (
                (slice(first, first + size[1]), slice(left, right)),
                cast(Array, cv2.resize(light, size, interpolation=cv2.INTER_AREA)),
                cast(Array, cv2.resize(direct, size, interpolation=cv2.INTER_AREA)),
            )

    def _band(self, rays: Array) -> tuple[Array, Array]:
        light, direct = self._table_light(rays)
        tray = self.style.tray
        if self.style.is_bare:
            return light, direct
        over = self._at_height(rays, tray.wall)
        within = tray.within(over)
        inside = within >= 0
        if inside.any():
            light[inside], direct[inside] = self._inside_light(rays[inside])
        rim = (within < 0) & (within >= -tray.thickness)
        lamp = np.array(self.style.lamp_colour, np.float32) * self.style.light + 0.22
        light[rim] = self._rim(over[rim]) * lamp
        return light, direct

    def _rim(self, points: Array) -> Array:
        """The colour on top of the walls; grain runs along them."""
        if self._grain is None:
            return np.array(self.style.rim_colour, np.float32)
        tray = self.style.tray
        side = (np.abs(points[:, 0]) - tray.length / 2) < (np.abs(points[:, 1]) - tray.width / 2)
        turned = points.copy()
        turned[side, :2] = points[side, 1::-1]
        return _in_rows(self._grain, turned)

    def _at_height(self, rays: Array, height: float) -> Array:
        away = (height - self._view.centre[2]) / rays[..., 2]
        return cast(Array, self._view.centre + rays * away[..., None])

    def _table_light(self, rays: Array) -> tuple[Array, Array]:
        points = self._at_height(rays, 0.0)
        albedo = look_up(self._table, self._place.on_table(points))
        coarse = points[min(2, len(points) - 1) :: 4, 2::4]  # the last band may be a row or two
        up = np.array([0, 0, 1], np.float32)
        if self.style.is_bare:
            nothing = np.ones(rays.shape[:-1], np.float32)
            return self._lit(albedo, points, up, nothing, nothing)
        found = lamp_past_walls(coarse, self._lamp, self.style.tray, 12).astype(np.float32)
        seen = cast(Array, cv2.resize(found, rays.shape[1::-1]))
        gap = np.maximum(-self.style.tray.within(points), 0)
        corner = 1 - 0.35 * self._shade * np.exp(-gap / 9)
        return self._lit(albedo, points, up, seen, corner)

    def _inside_light(self, rays: Array) -> tuple[Array, Array]:
        """Floor and walls as rays from above the place meet them."""
        tray, centre = self.style.tray, self._view.centre
        to_floor = -centre[2] / rays[:, 2]
        to_wall, looks = tray.ahead(centre[:2], rays[:, :2])
        points = centre + rays * np.minimum(to_floor, to_wall)[:, None]
        on_floor = to_floor <= to_wall
        normal = np.zeros_like(points)
        normal[on_floor, 2] = 1
        normal[~on_floor, :2] = looks[~on_floor]
        seen = lamp_over_walls(points + normal * 0.2, self._lamp, tray, 12)
        foot = 1 - 0.38 * self._shade * np.exp(-tray.within(points) / 10)
        corner = np.where(on_floor, foot, 0.62 + 0.38 * points[:, 2] / tray.wall)
        return self._lit(self._surface(points, normal, on_floor), points, normal, seen, corner)

    def _surface(self, points: Array, normal: Array, on_floor: NDArray[np.bool_]) -> Array:
        """The colours of floor and walls."""
        albedo = np.where(on_floor[:, None], 0, np.array(self.style.wall_colour, np.float32))
        albedo = albedo.astype(np.float32)
        albedo[on_floor] = _in_rows(self._floor, points[on_floor])
        if self._grain is not None:
            there, looks = points[~on_floor], normal[~on_floor]
            along = there[:, 1] * looks[:, 0] - there[:, 0] * looks[:, 1]
            albedo[~on_floor] = _in_rows(self._grain, np.stack([there[:, 2], along], axis=1))
        return cast(Array, albedo)

    def _lit(
        self, albedo: Array, points: Array, normal: Array, seen: Array, corner: Array
    ) -> tuple[Array, Array]:
        """The light a surface sends back, and the share of it that comes straight from the lamp."""
        style, lamp = self.style, self._lamp
        way = np.array([lamp.x, lamp.y, lamp.z], np.float32) - points
        far = length(way)
        falls = np.maximum(dot(way, normal) / far, 0) * (lamp.z / far) ** 2 * seen * style.light
        room = corner * 0.30
        colour = np.array(style.lamp_colour, np.float32)
        around = np.array(style.room_colour, np.float32)
        light = albedo * (falls[..., None] * colour + room[..., None] * around)
        return cast(Array, light.astype(np.float32)), (falls / (falls + room)).astype(np.float32)


def _in_rows(texture: Image, points: Array) -> Array:
    """`look_up` for very many points: OpenCV refuses pictures wider than 32767."""
    width = 16384
    padded = np.zeros(((len(points) // width + 1) * width, 2), np.float32)
    padded[: len(points)] = points[:, :2]
    return look_up(texture, padded.reshape(-1, width, 2)).reshape(-1, 3)[: len(points)]
