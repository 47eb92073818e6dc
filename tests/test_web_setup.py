"""The routes of set-up and health: for the owner only, wishes read field by field, refusals in words."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case

from companion.checks import State
from companion.journal.files import FILE, WAL
from companion.journal.journal import Journal
from companion.table.eyes import Place
from companion.view.setting_up import (
    SET_UP,
    DiceOutside,
    KeepCorners,
    KeepPlayers,
    SetUpFault,
    SetUpView,
    Shape,
    Step,
    TakeDice,
)
from tests.fake_set_up import CORNERS, NOTHING, FakeSetUp
from tests.web_table import CODE, ORIGIN, Stand, form, post, stand
from web import Fact

FACTS = (
    Fact("Camera", "Pi camera 0 gives pictures of 1280x720"),
    Fact("Memory", "100 MB are free", State.NOTE, "enough while Boxlid runs"),
    Fact("Disk", "3 MB are free", State.WRONG, "make room: 200 MB are wanted"),
)


def setting_up(folder: Path, **services: object) -> tuple[Stand, FakeSetUp]:
    fake = FakeSetUp()
    return stand(folder, setting_up=fake, health=lambda _: FACTS, **services), fake


@pytest.mark.parametrize("path", ["/setup", "/health"])
def test_the_page_asks_strangers_for_the_code_and_then_comes_back(path: str, tmp_path: Path) -> None:
    here, _ = setting_up(tmp_path)
    phone = here.phone()
    asked = phone.get(path)
    assert asked.status_code == 403
    assert f'name="back" value="{path}"' in asked.get_data(as_text=True)
    assert form(phone, "/show", code=CODE, back=path).headers["Location"] == path
    assert phone.get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/api/setup/live.jpg", "/api/setup/sight", "/api/setup/pictures/lid.jpg", "/api/health"]
)
def test_what_the_camera_sees_is_shown_to_the_owner_only(path: str, tmp_path: Path) -> None:
    here, _ = setting_up(tmp_path)
    here.seat(1)
    assert here.phone(0).get(path).status_code == 403
    answer = here.display().get(path)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/api/setup", "/api/setup/here", "/api/setup/leave"])
def test_a_player_without_the_code_changes_nothing(path: str, tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    here.seat(1)
    answer = post(here.phone(0), path, {"page": "p", "do": "camera", "take": True})
    assert answer.status_code == 403
    assert (fake.wishes, fake.left) == ([], [])


def test_steps_reach_the_host_as_typed_wishes_and_the_view_comes_back(tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    owner = here.display()
    corners = [0.2, 0.2, 0.8, 0.2, 0.8, 0.75, 0.2, 0.8]
    answer = post(owner, "/api/setup", {"page": "p", "do": "corners", "corners": corners, "moved": True})
    assert answer.status_code == 200
    assert answer.get_json()["done"] == [Step.LID]
    wanted = (CORNERS[0], CORNERS[1], Place(0.8, 0.75), CORNERS[3])
    post(owner, "/api/setup", {"page": "p", "do": "players", "names": ["Anna", "Max"]})
    wish = {"page": "p", "do": "corners", "corners": [], "moved": True, "shape": "whole", "anyway": True}
    post(owner, "/api/setup", wish)
    post(owner, "/api/setup", {"page": "p", "do": "dice", "outside": "keep"})
    assert fake.wishes == [
        KeepCorners(wanted, moved=True),
        KeepPlayers(("Anna", "Max")),
        KeepCorners((), moved=True, shape=Shape.WHOLE, anyway=True),
        TakeDice(DiceOutside.KEEP),
    ]
    assert set(answer.get_json()) == set(SetUpView.__slots__)


@pytest.mark.parametrize(
    "body",
    [
        {"do": "camera"},
        {"page": "", "do": "camera"},
        {"page": "x" * 41, "do": "camera"},
        {"page": "p", "do": "fly"},
        {"page": "p"},
        {"page": "p", "do": "corners", "corners": [0.1] * 7, "moved": True},
        {"page": "p", "do": "corners", "corners": [[0.1, 0.2]] * 4, "moved": True},
        {"page": "p", "do": "corners", "corners": [10**400] * 8, "moved": True},
        {"page": "p", "do": "corners", "corners": [0.1] * 8},
        {"page": "p", "do": "corners", "corners": [0.1] * 66, "moved": True},
        {"page": "p", "do": "corners", "corners": [0.1] * 8, "moved": True, "shape": "star"},
        {"page": "p", "do": "corners", "corners": [float("nan")] * 8, "moved": True},
        {"page": "p", "do": "dice", "outside": "perhaps"},
        {"page": "p", "do": "judge-roll", "roll": "r1", "right": 1},
        {"page": "p", "do": "players", "names": "Anna"},
        ["p"],
    ],
)
def test_a_wish_that_cannot_be_read_is_refused(body: object, tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    assert post(here.display(), "/api/setup", body).status_code == 400
    assert fake.wishes == []


def test_ten_thousand_corners_are_refused_with_a_word(tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    many = {"page": "p", "do": "corners", "corners": [0.1] * 20000, "moved": True}
    answer = post(here.display(), "/api/setup", many)
    assert (answer.status_code, answer.get_json()["error"]) == (413, "too-large")
    assert fake.wishes == []


@pytest.mark.parametrize("fault", list(SetUpFault))
def test_what_the_host_refuses_has_a_kind_with_words(fault: SetUpFault, tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    fake.refuse = fault
    answer = post(here.display(), "/api/setup", {"page": "p", "do": "camera"})
    assert (answer.status_code, answer.get_json()["error"]) == (409, fault)


def test_the_chosen_language_is_that_of_this_phone_and_of_the_table(tmp_path: Path) -> None:
    here, _ = setting_up(tmp_path)
    owner = here.display()
    post(owner, "/api/setup", {"page": "p", "do": "language", "language": "de"})
    english = {"Accept-Language": "en"}
    assert '<html lang="de">' in owner.get("/setup", headers=english).get_data(as_text=True)
    assert '<html lang="de">' in here.phone().get("/").get_data(as_text=True)
    assert '<html lang="en">' in here.phone().get("/", headers=english).get_data(as_text=True)


def test_leaving_is_told(tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    assert post(here.display(), "/api/setup/leave", {"page": "p7"}).status_code == 200
    assert fake.left == ["p7"]


def test_no_other_picture_is_given_out(tmp_path: Path) -> None:
    here, _ = setting_up(tmp_path)
    assert here.display().get("/api/setup/pictures/key.jpg").status_code == 404


def test_a_host_without_set_up_and_health_has_no_such_pages(tmp_path: Path) -> None:
    owner = stand(tmp_path).display()
    for path in ("/setup", "/health", "/api/health", "/api/setup/sight"):
        assert owner.get(path).status_code == 404
    assert "/setup" not in owner.get("/").get_data(as_text=True)


def test_the_start_page_offers_the_set_up_first_until_it_is_done(tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    page = here.phone().get("/").get_data(as_text=True)
    assert "not done yet" in page
    assert page.index('href="/setup"') < page.index('href="/table"')
    assert page.count('href="/setup"') == 1
    fake.up_to(None)
    page = here.phone().get("/").get_data(as_text=True)
    assert "not done yet" not in page
    assert page.index('href="/setup"') > page.index('href="/table"')


def test_kept_names_are_offered_to_who_has_the_code_and_sit_down_with_one_tap(tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    fake.show(players=("Anna", "Zoë"))
    here.seat(1)
    phone = here.phone()
    assert "Zoë" not in phone.get("/join").get_data(as_text=True)
    page = phone.get(f"/join?code={CODE}").get_data(as_text=True)
    assert 'name="name" value="Zoë"' in page
    assert 'name="name" value="Anna"' not in page  # sits here already
    assert form(phone, "/join", name="Zoë", code=CODE).status_code == 303
    assert [seat.name for seat in here.table.snapshot.seats] == ["Anna", "Zoë"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_html_of_both_pages_is_whole(language: str, tmp_path: Path) -> None:
    here, fake = setting_up(tmp_path)
    fake.up_to(Step.DICE)
    owner, asks = here.display(), {"Accept-Language": language}
    page = owner.get("/setup", headers=asks).get_data(as_text=True)
    assert page.count('<li class="done">') == 4
    assert ("Without dice" in page, "Ohne Würfel" in page) == (language == "en", language == "de")
    health = owner.get("/health", headers=asks).get_data(as_text=True)
    places = [health.index(fact.name) for fact in FACTS]
    assert places == sorted(places, reverse=True)  # what is wrong stands first
    assert "make room: 200 MB are wanted" in health


def test_health_is_asked_in_the_visitors_language(tmp_path: Path) -> None:
    asked: list[str] = []

    def health(language: str) -> tuple[Fact, ...]:
        asked.append(language)
        return FACTS

    here = stand(tmp_path, health=health)
    body = here.display().get("/api/health", headers={"Accept-Language": "de"}).get_json()
    assert asked == ["de"]
    assert body["facts"][0] == asdict(FACTS[2])


OPERATIONS = ["POST /api/setup", "POST /api/setup/here", "POST /api/setup/leave", "GET /api/setup/live.jpg"]
OPERATIONS += ["GET /api/setup/sight", "GET /api/setup/pictures/{name}.jpg", "GET /api/health"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_to_the_owner_is_as_described(operation: str, tmp_path: Path) -> None:
    here, _ = setting_up(tmp_path)
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", here.app)
    method, path = operation.split()

    @given(case=schema[path][method].as_strategy())
    @settings(max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck))
    def run(case: Case[Any]) -> None:  # of whatever operation
        case.call_and_validate(headers=ORIGIN)

    run()


def test_every_wish_is_described(tmp_path: Path) -> None:
    here, _ = setting_up(tmp_path)
    text = json.dumps(here.display().get("/api/openapi.json").get_json())
    assert all(f'"const": "{do}"' in text for do in SET_UP.of)
    assert NOTHING.step is Step.LANGUAGE


def in_doubt(folder: Path) -> None:
    """The next start finds that the disk lost the newest event."""
    with Journal(folder) as journal:
        journal.append("table cleared")
        before = (folder / FILE).read_bytes()
    with Journal(folder) as journal:
        journal.append("table cleared")
    (folder / FILE).write_bytes(before)
    (folder / WAL).unlink(missing_ok=True)


def test_what_may_be_missing_is_told_on_health_and_display_until_the_owner_decides(tmp_path: Path) -> None:
    in_doubt(tmp_path)
    here, _ = setting_up(tmp_path)
    owner = here.display()
    assert owner.get("/api/view").get_json()["view"]["doubt"] == {"kind": "lost", "entries": 2}
    assert owner.get("/api/health").get_json()["settles"] is True
    page = owner.get("/health", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert 'action="/health/settle">' in page
    assert "Es stimmt so: nicht mehr darauf hinweisen" in page
    assert owner.post("/health/settle").status_code == 403  # from elsewhere
    assert form(here.phone(), "/health/settle", yes="1").status_code == 403  # who does not know the code
    assert here.table.snapshot.doubt is not None
    assert form(owner, "/health/settle", yes="1").headers["Location"] == "/health"
    assert owner.get("/api/view").get_json()["view"]["doubt"] is None
    assert owner.get("/api/health").get_json()["settles"] is False
    assert 'action="/health/settle" hidden>' in owner.get("/health").get_data(as_text=True)
    here.table.journal.close()
    with Journal(tmp_path) as journal:
        assert journal.doubt is None
