"""What can be said has words in every language, which need exactly the values that it is said with."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest

from boxlid.errors import BoxlidError, Statement, StatementKind
from companion.checks import note, ok
from companion.findings.kinds import Checked, Found
from companion.words import OTHER, Text, catalogues, english, holes
from tests.wording import line, said
from vision.cameras.camera import CameraError, CameraSays, CameraTitle

ROOT = Path(__file__).parent.parent
ROOMS = ("boxlid", "companion", "vision", "hardware", "web")
NOT_RUN = ("training",)  # wants more than is installed
BARE = [["Exception"], ["ValueError"], ["KeyError"], ["RuntimeError"]]
NAMED = {"_error": frozenset({"name"})}  # what some functions add of themselves


def files() -> list[Path]:
    found = (file for room in ROOMS for file in (ROOT / room).rglob("*.py"))
    return [file for file in found if not set(NOT_RUN) & set(file.parts)]


def kinds() -> Mapping[str, type[StatementKind]]:
    """Every enumeration of statements by its name, which is its own."""
    for file in files():
        if "StatementKind" in file.read_text(encoding="utf-8"):
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    found = StatementKind.__subclasses__()
    assert [name for name, count in Counter(each.__name__ for each in found).items() if count > 1] == []
    return {each.__name__: each for each in found if each.__module__.partition(".")[0] in ROOMS}


KINDS = kinds()
MEMBERS = [member for kind in KINDS.values() for member in kind]


def needs(text: Text) -> frozenset[str]:
    return holes(text if isinstance(text, str) else text[OTHER])


def test_there_is_much_to_say_and_each_has_a_key_of_its_own() -> None:
    assert len(KINDS) > 10
    assert [key for key, count in Counter(map(str, MEMBERS)).items() if count > 1] == []


@pytest.mark.parametrize("language", list(catalogues()))
def test_everything_that_can_be_said_has_words(language: str) -> None:
    assert {str(member) for member in MEMBERS} - catalogues()[language].texts.keys() == set()


def test_words_that_nobody_says_are_gone() -> None:
    own = {member.partition(".")[0] + "." for member in MEMBERS}
    there = {key for key in catalogues()["en"].texts if key.startswith(tuple(own))}
    assert there - {str(member) for member in MEMBERS} == set()


def said_somewhere() -> Iterator[tuple[str, list[StatementKind], frozenset[str]]]:
    """Where something is said outright: the kinds, and the names of the values given with them."""
    for file in files():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                found = [member for each in node.args if (member := _member(each)) is not None]
                values = _values(node)
                if found and values is not None and not isinstance(found[0], Checked | type(None)):
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", found, values
                elif found and values is not None and found[1:]:
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", found[1:], values


def _member(node: ast.expr) -> StatementKind | None:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in KINDS:
        return KINDS[node.value.id][node.attr]
    return None


def _values(call: ast.Call) -> frozenset[str] | None:
    """None where they are not written there."""
    called = ast.unparse(call.func).rpartition(".")[2]
    names = {keyword.arg for keyword in call.keywords} - {"exit_code"}
    for each in call.args[1:] if called == "Statement" else ():
        if not isinstance(each, ast.Dict):
            return None
        names |= {str(ast.literal_eval(key)) if key is not None else None for key in each.keys}
    says = called in {"Statement", "ok", "note", "wrong", *NAMED} or called.endswith("Error")
    given = frozenset(name for name in names if name is not None)
    return given | NAMED.get(called, frozenset()) if says and given == names else None


def test_everything_is_said_with_exactly_the_values_that_its_words_need() -> None:
    places = list(said_somewhere())
    assert len(places) > 100
    words = catalogues()["en"].texts
    wrong = {
        place: (sorted(given), sorted(wanted))
        for place, found, given in places
        if given != (wanted := frozenset().union(*(needs(words[kind]) for kind in found)))
    }
    assert wrong == {}


def test_a_check_says_in_german_what_the_camera_has() -> None:
    camera = Statement(CameraTitle.USB, {"number": 2})
    silent = CameraError(CameraSays.SILENT, name=camera, seconds=2.5)
    assert said(silent) == "USB camera 2 gave no picture for 2.5 s: check its cable"
    assert said(silent, "de") == "USB-Kamera 2 lieferte 2,5 s lang kein Bild: das Kabel prüfen"
    assert str(silent) == "camera.silent(name=camera_title.usb(number=2), seconds=2.5)"


def test_each_reason_is_worded_for_itself() -> None:
    reasons = (
        Statement(CameraSays.NO_PICAMERA2, {"why": "No module named 'picamera2'"}),
        Statement(CameraSays.NO_USB_CAMERA, {"number": 0}),
    )
    assert said(CameraError(CameraSays.NONE_FOUND, reasons=reasons), "de") == (
        "keine Kamera gefunden: keine Pi-Kamera: No module named 'picamera2'; python3-picamera2 mit apt "
        "installieren; keine USB-Kamera 0: eine anstecken"
    )


def test_braces_in_what_others_say_are_left_alone() -> None:
    assert english(Statement(Found.TEXT, {"text": "pin {x} is taken"})) == "pin {x} is taken"


def test_a_check_is_worded_with_what_to_do() -> None:
    assert line(ok(Checked.MEMORY, Found.FREE_MB, n=7)).text == "7 MB are free"
    assert line(ok(Checked.MEMORY, Found.FREE_MB, n=7), "de").text == "7 MB frei"
    open_folder = note(Checked.STATE_FOLDER, Found.FOLDER_OPEN, Found.DO_CLOSE_FOLDER, path="/x")
    told = line(open_folder, "de")
    assert (told.what, told.text) == ("Datenordner", "/x ist für andere Benutzer sichtbar")
    assert told.todo == "chmod 700 /x"


# They still raise English sentences, or carry no sentence at all.
OUTSIDE_THE_TREE = {
    "BoardError",
    "BrokerError",
    "ChangedMeanwhileError",
    "ConfigError",
    "CurtainError",
    "Damage",
    "JournalError",
    "LayoutError",
    "MessageError",
    "NewerVersionError",
    "NoMosquittoError",
    "NotationError",
    "PaperError",
    "Refused",
    "ReportError",
    "RescueError",
    "RuleError",
    "SetUpRefused",
    "ShelfError",
    "StoreError",
    "TournamentError",
    "WeightsError",
    "WishError",
    "_OutOfStepsError",
}


def test_no_further_error_stands_outside_the_tree() -> None:
    found = set()
    for file in files():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] in BARE:
                found.add(node.name)
    assert found - {BoxlidError.__name__} == OUTSIDE_THE_TREE
    assert issubclass(CameraError, BoxlidError)
