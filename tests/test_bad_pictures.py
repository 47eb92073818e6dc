"""Any bytes as a picture: a clear problem or an honest question, never a crash, never certain and wrong."""

import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lids import numbers, true_lids, turned_by_exif
from tests.wording import refused
from vision.image.arrays import Image
from vision.image.picture import LONGEST, PictureError, decoded, open_picture
from vision.reader import read_any, read_dice
from vision.reading import ProblemKind
from vision.scoring.outcomes import Outcome, outcome_of
from vision.scoring.truth import TrueScene

LIDS = true_lids()
ODD = Path(__file__).parent / "pictures" / "odd"
MEMORY = 300  # megabytes that reading any picture may take


def easy() -> TrueScene:
    return next(lid for lid in LIDS if lid.group == "easy")


def encoded(image: Image | np.ndarray[tuple[int, ...], np.dtype[np.uint16]], kind: str = ".png") -> bytes:
    done, content = cv2.imencode(kind, image)
    assert done
    return content.tobytes()


def small(lid: TrueScene, width: int = 240) -> Image:
    image = lid.picture()
    size = (width, round(width * image.shape[0] / image.shape[1]))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    "content", [b"", b"\x00", b"no picture", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a" + bytes(40)]
)
def test_bytes_that_are_no_picture_are_refused_in_words(content: bytes) -> None:
    with refused(PictureError, match="no picture that can be opened"):
        decoded(content, "x.jpg")


@given(st.binary(max_size=300))
def test_random_bytes_are_refused_in_words(content: bytes) -> None:
    for start in (b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"):
        with pytest.raises(PictureError):
            decoded(start + content)


def test_one_pixel_is_too_small_to_show_dice() -> None:
    with refused(PictureError, match="1 by 1 pixels"):
        decoded(encoded(np.zeros((1, 1, 3), np.uint8)))


def test_a_missing_file_and_a_folder_are_refused_in_words(tmp_path: Path) -> None:
    with refused(PictureError, match="no such file"):
        open_picture(tmp_path / "none.jpg")
    with refused(PictureError, match="directory"):
        open_picture(tmp_path)


def test_a_header_that_claims_a_million_pixels_a_side_is_refused_before_decoding() -> None:
    header = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", 10**6, 10**6)
    with refused(PictureError, match="more than can be opened"):
        decoded(header + bytes(20))


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
def test_a_cut_off_picture_is_refused_or_asked_about(keep: float) -> None:
    lid = easy()
    content = lid.path.read_bytes()
    try:
        picture = decoded(content[: int(keep * len(content))])
    except PictureError:
        return
    assert outcome_of(lid, read_dice(picture.image, lid.expected)) is not Outcome.WRONG


def grey_of(image: Image) -> bytes:
    return encoded(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8))


def with_alpha(image: Image) -> bytes:
    return encoded(np.dstack([image, np.full(image.shape[:2], 200, np.uint8)]))


def sixteen_bit(image: Image) -> bytes:
    return encoded(image.astype(np.uint16) * 257)


@pytest.mark.parametrize("kind", [grey_of, with_alpha, sixteen_bit])
def test_pictures_of_other_depths_are_read_as_colour(kind: Callable[[Image], bytes]) -> None:
    lid = easy()
    picture = decoded(kind(lid.picture()))
    assert picture.image.shape == lid.picture().shape
    assert picture.image.dtype == np.uint8
    assert outcome_of(lid, read_dice(picture.image, lid.expected)) is not Outcome.WRONG


def test_a_grey_picture_is_never_certain_of_colours() -> None:
    lid = easy()
    assert not read_dice(decoded(grey_of(lid.picture())).image, lid.expected).certain


def test_a_cmyk_picture_is_opened() -> None:
    picture = open_picture(ODD / "cmyk.jpg")
    assert picture.image.shape == (384, 512, 3)
    assert outcome_of(easy(), read_dice(picture.image)) is not Outcome.WRONG


def test_a_picture_turned_by_its_exif_is_read_upright() -> None:
    lid = easy()
    assert decoded(turned_by_exif(lid.picture())).image.shape == lid.picture().shape


def test_a_large_picture_is_made_small_and_knows_by_how_much() -> None:
    picture = decoded(encoded(np.zeros((3000, 4000, 3), np.uint8), ".jpg"))
    assert max(picture.image.shape[:2]) == LONGEST
    assert picture.scale == pytest.approx(4000 / LONGEST)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [".jpg", ".png"])
def test_fifty_megapixels_are_read_in_little_memory(kind: str, tmp_path: Path) -> None:
    image = cv2.resize(easy().picture(), (8192, 6144), interpolation=cv2.INTER_LINEAR)
    photo = tmp_path / f"large{kind}"
    assert cv2.imwrite(str(photo), image)
    program = (
        "import sys; from pathlib import Path; from companion.cli import main; code = main(sys.argv[1:]);"
        "status = Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0];"
        "print(code, int(status) // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "read", "--json", str(photo)],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    code, megabytes = (int(v) for v in done.stdout.splitlines()[-1].split())
    assert code == 0
    assert megabytes < MEMORY


# ---------------------------------------------------------------- what is in the picture


def noise(shape: tuple[int, int, int]) -> Image:
    return np.random.default_rng(3).integers(0, 256, shape).astype(np.uint8)


@pytest.mark.parametrize("shape", [(16, 16), (20, 900), (900, 20), (480, 640), (17, 23)])
@pytest.mark.parametrize("fill", ["black", "white", "grey", "noise"])
def test_pictures_of_nothing_are_asked_about(shape: tuple[int, int], fill: str) -> None:
    grey = {"black": 0, "white": 255, "grey": 128}
    full = (*shape, 3)
    image = noise(full) if fill == "noise" else np.full(full, grey[fill], np.uint8)
    reading = read_dice(image)
    assert not reading.certain
    assert reading.problems
    assert not read_any(image).certain


def test_a_finger_on_the_lens_is_asked_about() -> None:
    lid = easy()
    image = lid.picture()
    finger = cv2.GaussianBlur(np.full_like(image, (60, 70, 140)), (0, 0), 5)
    image[:, : image.shape[1] // 2] = finger[:, : image.shape[1] // 2]
    assert outcome_of(lid, read_dice(image, lid.expected)) is not Outcome.WRONG


def test_a_seventh_die_is_never_overlooked() -> None:
    lid = easy()
    image = lid.picture()
    reading = read_dice(image, lid.expected)
    die, other = reading.dice[0], reading.dice[1]
    assert reading.lid is not None
    reach = round(0.85 * die.size)
    middle = np.array(reading.lid).mean(0)
    free = max(
        (
            middle + step * np.array((np.cos(a), np.sin(a)))
            for a in np.linspace(0, 6, 24)
            for step in (0, 60, 120)
        ),
        key=lambda p: min(np.hypot(p[0] - d.x, p[1] - d.y) for d in reading.dice),
    )
    for source in (die, other):
        seven = image.copy()
        x, y, to_x, to_y = round(source.x), round(source.y), round(free[0]), round(free[1])
        patch = image[y - reach : y + reach, x - reach : x + reach]
        seven[to_y - reach : to_y + reach, to_x - reach : to_x + reach] = patch
        answer = read_dice(seven, lid.expected)
        assert not answer.certain
        kinds = {p.kind for p in answer.problems}
        assert kinds & {ProblemKind.DIE_EXTRA, ProblemKind.DIE_NOT_IN_PLAY, ProblemKind.DIE_MISSING}


# ---------------------------------------------------------------- mutations


def mutated_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes changed, cut out or doubled."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 12))):
        at = int(rng.integers(len(data)))
        kind = rng.integers(4)
        if kind == 0:
            data[at] = int(rng.integers(256))
        elif kind == 1:
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 2:
            del data[at : at + int(rng.integers(1, 60))]
        else:
            data[at:at] = data[at : at + int(rng.integers(1, 60))]
    return bytes(data)


def test_thousands_of_damaged_files_are_refused_or_opened() -> None:
    rng = np.random.default_rng(11)
    image = small(easy(), 160)
    kinds = [encoded(image, kind) for kind in (".jpg", ".png", ".bmp", ".webp", ".tiff")]
    opened = 0
    for turn in range(3000):
        try:
            picture = decoded(mutated_bytes(kinds[turn % len(kinds)], rng))
        except PictureError:
            continue
        opened += 1
        assert picture.image.ndim == 3
    assert 100 < opened < 3000


def mutated(image: Image, rng: np.random.Generator) -> Image:
    """A picture as a broken camera, a bad light or a mischievous person makes it."""
    height, width = image.shape[:2]
    out = image.astype(np.float32)
    kind = int(rng.integers(9))
    x, y = int(rng.integers(width)), int(rng.integers(height))
    w, h = int(rng.integers(5, width // 2)), int(rng.integers(5, height // 2))
    if kind == 0:
        out *= rng.uniform(0.02, 3.0, 3)
    elif kind == 1:
        out += rng.normal(0, rng.uniform(5, 90), out.shape)
    elif kind == 2:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.8, 8))), np.float32)
    elif kind == 3:
        out[y : y + h, x : x + w] = rng.uniform(0, 255, 3)
    elif kind == 4:
        out[y : y + h, x : x + w] = out[:h, :w][: height - y, : width - x]
    elif kind == 5:
        out = out[:, :, rng.permutation(3)]
    elif kind == 6:
        out = 255 - out
    elif kind == 7:
        out = np.roll(out, (y, x), (0, 1))
    else:
        out[y:] = out[y - 1 if y else 0]
    return np.clip(out, 0, 255).astype(np.uint8)


@pytest.mark.slow
def test_hundreds_of_spoilt_pictures_are_never_certain_and_wrong() -> None:
    rng = np.random.default_rng(5)
    pictures = [(lid, small(lid, 420)) for lid in LIDS]
    for turn in range(360):
        lid, image = pictures[turn % len(pictures)]
        spoilt = mutated(image, rng)
        reading = read_dice(spoilt, lid.expected)
        assert reading.certain == (not reading.problems)
        if reading.certain:
            # colours swapped or inverted show other dice: then only the numbers can be held against it
            assert sorted(d.pips for d in reading.dice) == numbers(lid)
