"""The door `boxlid watch`: what it tells of a video, a folder and a camera, and of what is none."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.commands import watch
from vision.calibration.learning import calibrate
from vision.cameras.camera import CameraError, CameraSays, Frame
from vision.cameras.capture import FFMPEG_OPTIONS
from vision.cameras.clock import StepClock
from vision.cameras.network import STREAM_OPTIONS
from vision.cameras.video import _Times
from vision.image.arrays import Image
from vision.memory.calibration import save
from vision.scoring import sequences
from vision.simulation.table import Fault, SimulatedCamera, SimulatedTable

FILMED = Path(__file__).parent / "pictures" / "sequences"
SIZE = (512, 384)
RATE = 12
KEYS = ["at", "state", "reading"]
READING_KEYS = ["photo", "certain", "problems", "lid", "place", "milliseconds", "dice"]

Line = dict[str, object]


class Film:
    """A simulated table that is filmed, on a clock of its own."""

    def __init__(self, seed: int = 1) -> None:
        self.clock = StepClock()
        self.table = SimulatedTable(seed, clock=self.clock, size=SIZE)
        self.camera = SimulatedCamera(self.table, RATE)
        self.camera.open()
        self.pictures: list[Image] = []

    def shoot(self, seconds: float) -> None:
        self.pictures += [self.camera.frame().image for _ in range(round(seconds * RATE))]

    def throw(self) -> None:
        self.table.throw()
        self.shoot(3.0)

    def dice(self) -> list[tuple[str, int | None]]:
        return sorted((str(die.colour), die.pips) for die in self.table.truth().dice)


def video(path: Path, pictures: Sequence[Image], fourcc: str = "MJPG", rate: float = RATE) -> Path:
    height, width = pictures[0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), rate, (width, height))
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


@pytest.fixture(scope="module")
def thrown() -> Film:
    film = Film()
    film.shoot(0.5)
    film.throw()
    return film


def told(capsys: pytest.CaptureFixture[str]) -> list[Line]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def states(lines: Sequence[Line]) -> list[object]:
    return [line["state"] for line in lines]


def dice_of(line: Line) -> list[tuple[str, int]]:
    dice = cast(dict[str, list[dict[str, object]]], line["reading"])["dice"]
    return sorted((cast(str, die["colour"]), cast(int, die["pips"])) for die in dice)


def grey(value: int = 128, size: tuple[int, int] = (64, 48)) -> Image:
    return np.full((size[1], size[0], 3), value, np.uint8)


@pytest.mark.parametrize(("name", "fourcc"), [("throw.avi", "MJPG"), ("throw.mp4", "mp4v")])
def test_a_filmed_throw_is_empty_then_moving_then_at_rest_with_its_dice(
    name: str, fourcc: str, thrown: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = video(tmp_path / name, thrown.pictures, fourcc)
    assert main(["watch", "--json", str(path)]) == 0
    lines = told(capsys)
    seen = states(lines)
    assert seen[0] == "empty"
    assert seen[-1] == "rest"
    assert {*seen[1:-1]} <= {"moving", "hand"}
    assert "moving" in seen
    assert seen.count("rest") == 1
    assert dice_of(lines[-1]) == thrown.dice()
    moments = [cast(float, line["at"]) for line in lines]
    assert moments == sorted(moments)
    assert moments[1] == pytest.approx(0.5, abs=0.3)
    assert 1.5 < moments[-1] < 2.6  # the dice roll for 1.75 seconds


def test_a_line_has_exactly_the_promised_keys(
    thrown: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = video(tmp_path / "throw.avi", thrown.pictures)
    assert main(["watch", "--json", str(path)]) == 0
    lines = told(capsys)
    assert [list(line) for line in lines] == [KEYS] * len(lines)
    assert all(line["reading"] is None for line in lines[:-1])
    reading = cast(Line, lines[-1]["reading"])
    assert list(reading) == READING_KEYS
    assert reading["certain"] is True


def test_each_throw_of_a_longer_film_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = Film(4)
    wanted = []
    for _ in range(2):
        film.throw()
        wanted.append(film.dice())
    assert main(["watch", "--json", str(video(tmp_path / "throws.avi", film.pictures))]) == 0
    assert [dice_of(line) for line in told(capsys) if line["state"] == "rest"] == wanted


def test_a_hand_that_stays_in_the_lid_is_told_and_is_no_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = Film()
    film.throw()
    film.table.begin(Fault.HAND)
    film.shoot(2.0)
    film.table.end(Fault.HAND)
    film.shoot(2.0)
    path = video(tmp_path / "hand.avi", film.pictures)
    assert main(["watch", "--json", str(path)]) == 0
    lines = told(capsys)
    seen = states(lines)
    assert seen.count("rest") == 2
    assert "hand" in seen[seen.index("rest") : -1]
    assert dice_of(lines[-1]) == film.dice()


@pytest.mark.parametrize("which", ["0", "5"])
def test_a_folder_of_pictures_is_a_film_of_five_a_second(
    which: str, capsys: pytest.CaptureFixture[str]
) -> None:
    truths = [json.loads(line) for line in (FILMED / which / "truth.jsonl").read_text().splitlines()]
    still = next(truth["t"] for truth in truths if truth["state"] == "still")
    assert main(["watch", "--json", str(FILMED / which)]) == 0
    lines = told(capsys)
    assert lines[0] == {"at": 0.0, "state": "empty", "reading": None}
    assert "moving" in states(lines)
    assert (lines[-1]["state"], lines[-1]["at"]) == ("rest", still)
    assert len(dice_of(lines[-1])) == 6
    assert main(["watch", "--json", "--rate", "2.5", str(FILMED / which)]) == 0
    assert told(capsys)[-1]["at"] == 2 * still


def test_without_json_a_change_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(FILMED / "0")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["0.00", "s", "empty"]
    assert lines[-1].startswith("   1.40 s  rest: ")
    assert "white" in lines[-1]


def test_the_table_may_be_known_and_fewer_dice_in_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = Film(3)
    empty = film.camera.frame().image
    film.table.lay_out()
    learnt = calibrate(empty, film.camera.frame().image).calibration
    assert learnt is not None
    save(learnt, tmp_path / "calibration.toml", empty)
    film.throw()
    path = video(tmp_path / "throw.avi", film.pictures)
    given = ["--calibration", str(tmp_path / "calibration.toml")]
    assert main(["watch", "--json", *given, str(path)]) == 0
    assert dice_of(told(capsys)[-1]) == film.dice()
    assert main(["watch", "--json", *given, "--expect", "white,white,red,blue", str(path)]) == 0
    reading = cast(Line, told(capsys)[-1]["reading"])
    assert reading["certain"] is False
    assert reading["problems"]
    assert main(["watch", "--json", "--any", str(path)]) == 0
    assert len(dice_of(told(capsys)[-1])) == 6


def test_places_are_pixels_of_the_film_however_large(
    thrown: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    still = cv2.resize(thrown.pictures[-1], (3840, 2880), interpolation=cv2.INTER_LINEAR)
    path = video(tmp_path / "large.avi", [cast(Image, still)] * 4, rate=5)
    assert main(["watch", "--json", str(path)]) == 0
    (line,) = told(capsys)
    assert line["at"] == 0.0
    assert dice_of(line) == thrown.dice()
    places = sorted(die["x"] for die in cast(Line, line["reading"])["dice"])  # type: ignore[attr-defined]
    true = sorted(die.x * 3840 / SIZE[0] for die in thrown.table.truth().dice)
    assert places == pytest.approx(true, abs=30)


def test_what_a_stream_of_this_process_wanted_drops_no_picture_of_a_film(
    thrown: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(FFMPEG_OPTIONS, STREAM_OPTIONS)
    path = video(tmp_path / "still.avi", [thrown.pictures[-1]] * 4, rate=5)
    assert main(["watch", "--json", str(path)]) == 0
    (line,) = told(capsys)
    assert dice_of(line) == thrown.dice()


# what is no film


def no_video(folder: Path) -> Path:
    path = folder / "film.mp4"
    path.write_bytes(b"no film at all")
    return path


def empty_file(folder: Path) -> Path:
    path = folder / "film.avi"
    path.touch()
    return path


def no_pictures(folder: Path) -> Path:
    (folder / "film").mkdir()
    return folder / "film"


def one_picture(folder: Path) -> Path:
    cv2.imwrite(str(no_pictures(folder) / "a.png"), grey())
    return folder / "film"


def one_frame(folder: Path) -> Path:
    return video(folder / "film.avi", [grey()])


def a_picture(folder: Path) -> Path:
    cv2.imwrite(str(folder / "film.png"), grey())
    return folder / "film.png"


def a_bad_picture(folder: Path) -> Path:
    one_picture(folder)
    cv2.imwrite(str(folder / "film" / "b.png"), grey())
    (folder / "film" / "c.jpg").write_bytes(b"no picture")
    return folder / "film"


def cut_off(folder: Path) -> Path:
    path = video(folder / "film.avi", [grey(10 * i, (1280, 960)) for i in range(20)])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def cut_off_before_its_index(folder: Path) -> Path:
    path = video(folder / "film.mp4", [grey(10 * i) for i in range(20)], "mp4v")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def too_small(folder: Path) -> Path:
    one_picture(folder)
    cv2.imwrite(str(folder / "film" / "a.png"), grey(size=(8, 8)))
    cv2.imwrite(str(folder / "film" / "b.png"), grey(size=(8, 8)))
    return folder / "film"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: folder / "none.mp4", 'there is no video and no camera "'),
        (no_video, "film.mp4 is no video that can be opened"),
        (empty_file, "film.avi is no video that can be opened"),
        (no_pictures, "film holds no picture"),
        (one_picture, "film holds one picture only"),
        (one_frame, "film.avi holds one picture only"),
        (a_picture, "film.png holds one picture only"),
        (a_bad_picture, "c.jpg is no picture that can be opened"),
        (cut_off, "of 20 pictures: copy the whole file"),
        (cut_off_before_its_index, "film.mp4 is no video that can be opened"),
        (too_small, "too small to show dice"),
    ],
)
def test_what_cannot_be_watched_is_one_line_and_code_one(
    make: Callable[[Path], Path], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(make(tmp_path))]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("boxlid watch: ")
    assert says in line


def test_what_was_seen_of_a_film_that_is_cut_off_is_told(
    thrown: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = video(tmp_path / "film.avi", [*thrown.pictures, *thrown.pictures])
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])
    assert main(["watch", "--json", str(path)]) == 1
    assert dice_of(next(line for line in told(capsys) if line["state"] == "rest")) == thrown.dice()


@pytest.mark.parametrize(
    "options", [["--rate", "0"], ["--rate", "nan"], ["--expect", "pink"], ["--leaning", "x"]]
)
def test_a_wrong_call_is_code_two(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["watch", str(FILMED / "0"), *options])
    except SystemExit as error:
        code = cast(int, error.code)
    assert code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_camera_that_is_named_wrongly_is_told_what_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "usb:x"]) == 2
    assert "after usb: comes a number" in capsys.readouterr().err


def test_times_that_the_file_tells_wrongly_go_on_step_by_step() -> None:
    times = _Times(0.5, told=True)
    assert [times.next(told) for told in (7.0, 7.1, 7.4, 7.4, float("nan"), 9.0)] == pytest.approx(
        [0, 0.1, 0.4, 0.9, 1.4, 2.0]
    )


# a camera


class Filming:
    """A camera that shows a film in its own time, and is pulled out at its end."""

    name = "a film"

    def __init__(self, pictures: Sequence[Image]) -> None:
        self._frames: Iterator[Frame] = iter(
            Frame(picture, i, 100 + i / RATE) for i, picture in enumerate(pictures)
        )
        self.closed = False

    def open(self) -> None: ...

    def frame(self, timeout: float = 3.0) -> Frame:
        frame = next(self._frames, None)
        if frame is None:
            raise CameraError(CameraSays.SIMULATED_UNPLUGGED)
        return frame

    def close(self) -> None:
        self.closed = True


def test_a_camera_is_watched_until_it_is_gone(
    thrown: Film, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    camera, asked = Filming(thrown.pictures), []

    def open_camera(setting: object) -> Filming:
        asked.append(str(setting))
        return camera

    monkeypatch.setattr(watch, "open_camera", open_camera)
    assert main(["watch", "--json", "usb:1"]) == 1
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert states(lines)[0] == "empty"
    assert dice_of(lines[-1]) == thrown.dice()
    assert lines[-1]["at"] < 10
    assert "was unplugged" in printed.err
    assert camera.closed
    main(["watch", "2"])
    main(["watch", "/dev/video3"])
    assert asked == ["usb:1", "usb:2", "usb:3"]


# the figures


def test_the_figures_of_filmed_throws_count_what_is_told_wrong(
    thrown: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = [
        {"colour": colour, "pips": pips, "state": "flat", "in_lid": True} for colour, pips in thrown.dice()
    ]
    truths: list[Line] = []
    for i, picture in enumerate(thrown.pictures):
        cv2.imwrite(str(tmp_path / f"{i:03d}.png"), picture)
        state = "empty" if i < 6 else "moving" if i < 26 else "still"
        truths.append({"file": f"{i:03d}.png", "t": i / RATE, "state": state, "hand": False, "dice": dice})
    lines = "\n".join(json.dumps(truth) for truth in truths)
    (tmp_path / "truth.jsonl").write_text(lines)
    assert sequences.main([str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "readings right: 1 of 1" in printed
    assert "empty: 6 of 6" in printed
    assert "rest told while dice move: 0 pictures" in printed
    (tmp_path / "truth.jsonl").write_text(lines.replace('"still"', '"moving"', 3))
    assert sequences.main([str(tmp_path)]) == 0
    assert "rest told while dice move: 0 pictures" not in capsys.readouterr().out
