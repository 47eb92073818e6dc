"""What cameras and pins say of themselves has words in every language, and is known by its shape."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.checks import wrong
from companion.findings.devices import HOLE, sentences, worded
from companion.findings.sentence import said
from companion.words import catalogues
from vision.cameras.usb import UsbCamera

ROOT = Path(__file__).parent.parent
FILMS = ROOT / "vision" / "cameras" / "video.py"  # watched by a command only, and commands speak English
FILES = [
    *({*(ROOT / "vision" / "cameras").glob("*.py")} - {FILMS}),
    ROOT / "vision" / "simulation" / "table.py",
]
FILES += [*(ROOT / "hardware").glob("*.py"), *(ROOT / "companion" / "host").glob("*.py")]
SAY = {"CameraError", "CredentialsError", "PinsError", "CameraState", "Kind"}
OTHERS = [language for language in catalogues() if language != "en"]


def shapes() -> set[str]:
    """Each sentence that a camera or the pins may say, with empty holes."""
    found: set[str] = set()
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in SAY:
                said = [*node.args, *(keyword.value for keyword in node.keywords)]
                found.update(HOLE.sub("{}", shape) for each in said for shape in _texts(each))
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SENTENCES":
                found.update(_texts(node.value))
    return {text for text in found if " " in text}


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
        case ast.BinOp(left=ast.Constant(value=str(text))):
            yield text + "{}"
        case ast.BoolOp(values=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from _texts(part)
        case _:
            pass


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_a_device_has_words_with_the_same_holes(language: str) -> None:
    known = sentences(language)
    assert len(shapes()) > 25
    assert shapes() - {HOLE.sub("{}", pattern) for pattern in known} == set()
    for pattern, words in known.items():
        assert sorted(HOLE.findall(pattern)) == sorted(HOLE.findall(words))


@pytest.mark.parametrize("language", OTHERS)
def test_every_shape_is_known_again_with_what_fills_it(language: str) -> None:
    for pattern, words in sentences(language).items():
        text = HOLE.sub(lambda hole: f"<{hole[1]}>", pattern)
        assert worded(text, language) == HOLE.sub(lambda hole: f"<{hole[1]}>", words)
        assert worded(text, "en") == text


def test_a_check_says_in_german_what_the_camera_said_in_english() -> None:
    cable = wrong(
        "camera", "{problem}", "", problem=f"{UsbCamera(2).name} gave no picture for 3 s: check its cable"
    )
    assert said(cable.text, "de") == "USB-Kamera 2 lieferte 3 s lang kein Bild: das Kabel prüfen"
    assert cable.text == "USB camera 2 gave no picture for 3 s: check its cable"


def test_each_reason_why_no_camera_was_found_is_said_in_german() -> None:
    text = (
        "no camera found: no Pi camera: No module named 'picamera2'; install python3-picamera2 with apt; "
        "no USB camera 0: plug one in"
    )
    assert worded(text, "de") == (
        "keine Kamera gefunden: keine Pi-Kamera: No module named 'picamera2'; python3-picamera2 mit apt "
        "installieren; keine USB-Kamera 0: eine anstecken"
    )


def test_what_no_device_is_known_to_say_stays_as_it_is() -> None:
    assert worded("a cat sits on the lid: feed it", "de") == "a cat sits on the lid: feed it"
    assert worded("no camera found: a cat; a dog", "de") == "keine Kamera gefunden: a cat; a dog"
