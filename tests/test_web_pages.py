"""Pages and languages: every word there in every language, no raw key shown, the first HTML complete."""

import gzip
import json
import re
from collections.abc import Mapping
from html import unescape
from importlib.resources import files
from pathlib import Path

import pytest

from companion.boards.entering import Wrong
from companion.checks import State
from companion.club.ranking import RankingOrder
from companion.club.tournament import PointsSource
from companion.game import Hints, Level
from companion.host.looking import FAILED, KINDS, SET_UP, TOO_LONG
from companion.host.set_up.panel_trial import DARK
from companion.journal.journal import DoubtKind
from companion.journal.restoring import WayKind
from companion.mqtt.discovery import AboutBox, discovery
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import MqttCommand
from companion.past.turns import StepKind
from companion.play import reasons
from companion.process.fault_barrier import BoxPart
from companion.rules import LAYOUTS, BoardFault, Why
from companion.table.seats import Mark
from companion.view.setting_up import Focus, Light, SetUpFault, Shape, Step
from companion.view.stage import Ending, Says
from companion.view.values import Helping, Presence
from companion.words import OTHER, PLURAL, Catalogue, Text, catalogues, holes
from hardware.parts import lamp_parts
from hardware.pins import ROWS, Pins
from tests.test_statements import MEMBERS
from tests.web_table import CODE, FakePanel, form, stand
from vision.reading import ProblemKind
from web.rescue import Trouble
from web.serving.assets import assets, stamp, without_comments
from web.serving.language import choose

PATHS = ("/", "/join", "/table", "/panel", "/help", "/history", "/statistics", "/nowhere")
ROOT = Path(str(files("web")))


def used_keys() -> set[str]:
    """Keys that templates and scripts name outright."""
    found = set()
    for file in [*(ROOT / "static").glob("*.js"), *(ROOT / "templates").glob("*.html")]:
        text = file.read_text(encoding="utf-8")
        found |= set(re.findall(r"""["']([a-z_]+\.[a-z0-9_]+)["']""", text))
    return {key for key in found if not key.endswith((".js", ".css", ".html", ".svg"))}


def home_keys() -> set[str]:
    """Names of what Home Assistant shows of a table."""
    keys = Catalogue("en", {key: key for key in catalogues()["en"].texts})
    config = MqttConfig("broker", box="kitchen", commands=tuple(MqttCommand))
    value = json.loads(discovery(config, keys, AboutBox("", "")))
    return {value["device"]["name"], *(each["name"] for each in value["components"].values())}


def made_keys() -> set[str]:
    """Keys that are made from a kind the server sends."""
    kinds = {f"reason.{why}" for why in reasons.Why} | {"reason.points"}
    kinds |= {f"reason.in.{colour}" for colour in ("red", "yellow", "green", "blue")}
    kinds |= {f"why.{why}" for why in Why} | {f"mark.{mark}" for mark in Mark}
    kinds |= {f"notice.{kind}" for kind in ProblemKind}
    kinds |= {f"notice.{kind}" for kind in KINDS.values()}
    kinds |= {f"notice.{kind}" for kind in ("refused", "disk-full", TOO_LONG.kind, FAILED.kind, SET_UP.kind)}
    for colour in ("red", "yellow", "green", "blue", "white"):
        kinds |= {f"{group}.{colour}" for group in ("colour", "dice", "letter", "die_is", "die_it")}
    kinds |= {f"broken.{part}" for part in BoxPart}
    kinds |= {
        f"{what}_it.{colour}" for what in ("row", "cell") for colour in ("red", "yellow", "green", "blue")
    }
    kinds |= {f"corrected.{what}" for what in ("dice", "reopened", "sheet", "piece", "done", "changes")}
    kinds |= {f"happened.{kind}" for kind in StepKind if kind is not StepKind.TURN}
    kinds |= {f"{group}.{each}" for group in ("away", "others") for each in Presence if each != "here"}
    kinds |= {f"for.{each}" for each in Helping} | {"absent.leave", "absent.play"}
    kinds |= {f"demo.says_{kind}" for kind in Says} | {
        f"demo.ended_{why}" for why in Ending if why != "played"
    }
    asked = {f"ask.{what}" for what in ("stop", "free", "leave", "delete", "retire", "misthrow_for", "back")}
    kinds |= {f"{what}{part}" for what in asked for part in ("", "_more", "_no", "_yes")}
    kinds |= {f"end.{why}" for why in ("locks", "penalties", "board", "stopped")}
    return kinds | {f"state.{state}" for state in ("open", "crossed", "skipped", "closed")}


def board_keys() -> set[str]:
    """Keys that the page of boards makes from a kind, a mode, a colour or a side."""
    keys = {f"boards.wrong_{kind.replace('-', '_')}" for kind in Wrong}
    keys |= {f"boards.file_{kind.replace('-', '_')}" for kind in BoardFault if kind is not BoardFault.FILE}
    keys |= {f"boards.{what}_{mode}" for what in ("keys", "mode") for mode in ("cells", "points")}
    keys |= {f"boards.key_{colour}" for colour in ("red", "yellow", "green", "blue")}
    keys |= {
        f"boards.{each}" for each in ("no_colour", "colour_first", "no_number", "no_points", "side_full")
    }
    return keys | {f"{group}.{side}" for group in ("board", "boards") for side in ("front", "back")}


def set_up_keys() -> set[str]:
    """Keys that the set-up and the health page make from a step, a trouble, a lamp or a state."""
    keys = {f"step.{step}" for step in Step} | {f"health.{state}" for state in State}
    keys |= {f"sight.light_{light}" for light in Light} | {f"sight.focus_{focus}" for focus in Focus}
    keys |= {f"error.{fault}" for fault in SetUpFault}
    keys |= {f"setup.{part}_{shape}" for part in ("shape", "hint") for shape in Shape}
    own: tuple[str, ...]
    own = ("hand", "moving", "no-lid", "lid-not-empty", "lid-moved", "die-missing", "die-extra", "die-leans")
    own += ("die-apart",)
    own += (
        "like-a-die",
        "die-was-left",
        "pips-doubtful",
        "colour-doubtful",
        "colours-alike",
        "read-wrong",
        "no-picture",
        "camera",
    )
    lamps = [part.name for part in lamp_parts(Pins(), DARK, simulated=False)]
    named = [name for name in lamps if name not in ROWS and not name.startswith(("seat ", "status by"))]
    return keys | {f"trouble.{kind}" for kind in own} | {f"lamp.{name.replace(' ', '_')}" for name in named}


def rescue_keys() -> set[str]:
    """Keys made from a way to go on with a damaged journal."""
    keys = {f"rescue.{trouble}_{part}" for part in ("title", "lead") for trouble in Trouble}
    keys |= {f"doubt.{kind}" for kind in DoubtKind}
    return keys | {f"rescue.{kind}{end}" for kind in (*WayKind, "broken") for end in ("", "_title")}


def club_keys() -> set[str]:
    """Keys made from a row's colour, from what a ranking goes by, and from where points come."""
    keys = {f"club_row.{colour}" for colour in ("red", "yellow", "green", "blue")}
    return (
        keys
        | {f"club_by.{order}" for order in RankingOrder}
        | {f"club_source.{source}" for source in PointsSource}
    )


def error_kinds() -> set[str]:
    companion = ROOT.parent / "companion"
    sources = [*ROOT.rglob("*.py"), *(companion / "view").glob("*.py")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    kinds = set(re.findall(r"""Refused\(\s*\d+,\s*"([a-z-]+)""", text))
    rules = [*(companion / "table").glob("*.py"), *(companion / "game").glob("*.py")]
    told = "\n".join(file.read_text(encoding="utf-8") for file in rules)
    kinds |= set(re.findall(r"""RuleError\((?:[^()]|\([^()]*\))*, "([a-z-]+)\"""", told))
    kinds |= set(re.findall(r"""(?:WishError|RefusalView)\(\s*"([a-z-]+)""", text))
    kept = [*(companion / "boards").glob("*.py"), companion / "host" / "reporting.py"]
    told = "\n".join(file.read_text(encoding="utf-8") for file in kept)
    kinds |= set(re.findall(r"""(?:ShelfError|ReportError)\(\s*"([a-z-]+)""", told))
    return kinds


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(catalogues())
    assert [catalogue.name for catalogue in catalogues().values()][:1] == ["English"]


def forms(text: Text) -> Mapping[str, str]:
    """A text by its forms; one that is the same for all numbers has a single one."""
    return {OTHER: text} if isinstance(text, str) else text


@pytest.mark.parametrize("language", list(catalogues()))
def test_every_language_has_every_key_with_the_same_holes(language: str) -> None:
    english, other = catalogues()["en"].texts, catalogues()[language].texts
    rules = forms(other[PLURAL])
    assert set(other) == set(english)
    for key in other.keys() - {PLURAL}:
        of_many, own = holes(forms(english[key])[OTHER]), forms(other[key])
        assert holes(own[OTHER]) == of_many, key
        assert own.keys() <= {*rules, OTHER}, key
        assert all(text.strip() and holes(text) <= of_many for text in own.values()), key


def test_every_key_that_is_used_has_words() -> None:
    known = set(catalogues()["en"].texts)
    groups = {key.partition(".")[0] for key in known}
    named = {key for key in used_keys() if key.partition(".")[0] in groups}
    assert len(named) > 150
    assert named - known == set()
    assert (
        made_keys() | company_keys() | board_keys() | set_up_keys() | rescue_keys() | club_keys()
    ) - known == set()


def test_every_refusal_has_words() -> None:
    kinds = error_kinds()
    assert {
        "stale",
        "code-wrong",
        "disk-full",
        "too-many-players",
        "wait",
        "playing",
        "board-name-taken",
        "too-many-reports",
    } <= kinds
    assert {f"error.{kind}" for kind in kinds} - set(catalogues()["en"].texts) == set()


def company_keys() -> set[str]:
    """Of players of the program, and of hints."""
    levels = {f"{area}.{level}" for area in ("level", "lobby.level") for level in Level}
    return levels | {f"lobby.hints.{each}" for each in Hints}


def test_words_that_nobody_uses_are_gone() -> None:
    sources = [*(ROOT / "static").glob("*.js"), *(ROOT / "templates").glob("*.html"), *ROOT.rglob("*.py")]
    sources += (ROOT.parent / "companion" / "view").glob("*.py")
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    made = tuple({key.partition(".")[0] + "." for key in made_keys()} | {"error.", "help.", "voice."})
    made += tuple({member.partition(".")[0] + "." for member in MEMBERS})
    kept = [key for key in catalogues()["en"].texts if not key.startswith(made)]
    named = [key for key in kept if re.search(rf"""["'`]{re.escape(key)}["'`]""", text)]
    built = {
        "cell.legal1",
        "cell.legal2",
        "cell.legal3",
        "cell.chosen1",
        "cell.chosen2",
        "cell.chosen3",
        "language.name",
        PLURAL,
        "lobby.classic",  # made from the sheet's name
    }
    built |= {"board.house-front", "board.house-back", "die_is.any"} | board_keys() | set_up_keys()
    built |= (
        company_keys() | rescue_keys() | club_keys() | home_keys() | {f"learn.{kind}" for kind in ProblemKind}
    )  # of `boxlid calibrate`
    assert set(kept) - set(named) - built == set()


@pytest.mark.parametrize("language", list(catalogues()))
@pytest.mark.parametrize("path", [*PATHS, "/phone"])
def test_no_page_shows_a_raw_key_or_an_empty_hole(path: str, language: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(3)
    here.roll("W3 W4 R2 Y5 G6 B1")
    client = here.phone(0) if path == "/phone" else here.display()
    page = client.get(path, headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'<html lang="{language}">' in page
    shown = unescape(re.sub(r"<script.*?</script>|<[^>]*>", " ", page, flags=re.S))
    groups = "|".join({key.partition(".")[0] for key in catalogues()["en"].texts if "." in key})
    assert re.findall(rf"\b(?:{groups})\.[a-z_]+\b", shown) == []
    assert "{" not in shown


def test_the_phone_chooses_the_language_and_may_change_it(tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    assert "Mitspielen" in phone.get("/", headers={"Accept-Language": "de-AT,en;q=0.5"}).get_data(
        as_text=True
    )
    answer = form(phone, "/language", language="en", back="/help")
    assert answer.headers["Location"] == "/help"
    assert "Join in" in phone.get("/", headers={"Accept-Language": "de"}).get_data(as_text=True)


@pytest.mark.parametrize(
    ("cookie", "accepted", "chosen"),
    [
        (None, None, "en"),
        (None, "xx, de;q=0.3, en;q=0.2", "de"),
        (None, "en;q=0.1, de", "de"),
        (None, "de;q=0", "en"),
        (None, "de;q=x, en", "en"),
        ("de", "en", "de"),
        ("xx", "de", "de"),
    ],
)
def test_the_language_is_the_one_asked_for(cookie: str | None, accepted: str | None, chosen: str) -> None:
    assert choose(cookie, accepted, "en").language == chosen


def test_the_first_load_of_a_sheet_is_small(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(5)
    here.roll("W3 W4 R2 Y5 G6 B1")
    page = here.phone(0).get("/phone", headers={"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    html = gzip.decompress(page.get_data()).decode()
    names = set(re.findall(r'(?:href|src)="/a/[0-9a-f]+/([a-z.]+)"', html))
    for name in [name for name in names if name.endswith(".js")]:
        names |= set(re.findall(r' from "\./([a-z.-]+)"', assets()[name].plain.decode()))
    sizes = {name: len(assets()[name].packed) for name in names}
    assert len(sizes) + 2 <= 12, sizes  # and the page itself, and the stream
    assert sum(sizes.values()) + len(page.get_data()) <= 42_000, sizes


def test_scripts_and_styles_go_out_without_comments_line_for_line() -> None:
    script = b"""// What it does.

/**
 * @param {string} name
 */
export const el = (name) => name; // why
  // a warning
/* one */ let here = "//";
/* two */
"""
    assert without_comments(script).split(b"\n") == [
        *[b""] * 5,
        b"export const el = (name) => name; // why",
        b"",
        b'/* one */ let here = "//";',
        b"",
        b"",
    ]
    sent = assets()["phone.js"].plain
    assert len(sent.splitlines()) == len((ROOT / "static" / "phone.js").read_bytes().splitlines())
    assert b"\n//" not in sent


def test_assets_are_kept_for_ever_under_their_stamp_and_nowhere_else(tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    found = phone.get(f"/a/{stamp()}/phone.js")
    assert found.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert found.mimetype == "text/javascript"
    for path in (
        "/a/old/phone.js",
        f"/a/{stamp()}/nothing.js",
        f"/a/{stamp()}/base.css",
        f"/a/{stamp()}/../app.py",
    ):
        assert phone.get(path).status_code == 404


def test_the_qr_code_is_a_picture_of_the_address_with_the_code(tmp_path: Path) -> None:
    answer = stand(tmp_path).display().get("/qr.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.get_data().startswith(b"<?xml")
    assert b"<script" not in answer.get_data()


def test_the_table_shows_the_address_in_numbers_and_the_code(tmp_path: Path) -> None:
    page = stand(tmp_path).display().get("/table").get_data(as_text=True)
    assert "192.168.1.7:8000/join" in page
    assert CODE in page


def test_the_simulated_panel_shows_lamps_and_is_pressed(tmp_path: Path) -> None:
    here = stand(tmp_path)
    assert here.display().get("/api/panel").get_json()["lamps"][1] == {
        "name": "red",
        "colour": "red",
        "pattern": "..",
    }
    origin = {"Origin": "http://localhost"}
    here.display().post("/api/panel", json={"button": "rolled"}, headers=origin)
    assert here.display().post("/api/panel", json={"button": "off"}, headers=origin).status_code == 400
    assert here.panel == FakePanel(["rolled"])


def test_what_the_host_lacks_is_left_out(tmp_path: Path) -> None:
    here = stand(tmp_path, press_rolled=None, picture=None, crop=None, panel=None)
    here.start()
    assert here.display().get("/panel").status_code == 404
    assert here.phone(0).get("/api/picture.jpg").status_code == 404
    assert here.phone(0).get("/api/crops/x.jpg").status_code == 404
    data = re.search(r'id="data">(.*?)</script>', here.phone(0).get("/phone").get_data(as_text=True), re.S)
    assert data is not None
    assert json.loads(data[1])["offers"]["camera"] is False


def test_the_lobby_offers_every_printed_sheet(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(1)
    data = re.search(r'id="data">(.*?)</script>', here.phone(0).get("/phone").get_data(as_text=True), re.S)
    assert data is not None
    offered = json.loads(data[1])["offers"]["sheets"]
    assert [name for name, _ in offered] == list(LAYOUTS)
    assert offered[:2] == [["classic", "Classic"], ["mixx-a", "Mixx A"]]
