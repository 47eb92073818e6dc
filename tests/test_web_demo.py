"""The demo's page and its routes: anybody may watch, one show at a time, in words of each language."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.view.stage import Caption, Ending, NotNow, Order, Says
from companion.words import catalogues
from tests.stages import FakeStage
from tests.web_table import Stand, form, post, stand
from web.demo import MOST_VIEWERS, caption, message_of

WHOLE = {"seat": 1, "cell": "R7", "colour": "red"}


@pytest.fixture
def stage(tmp_path: Path) -> FakeStage:
    return FakeStage(tmp_path / "demo")


@pytest.fixture
def here(tmp_path: Path, stage: FakeStage) -> Stand:
    return stand(tmp_path / "state", demo=stage)


def text_of(client: FlaskClient, path: str, language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return unescape(re.sub(r"<script.*?</script>|<[^>]*>", " ", answer.get_data(as_text=True), flags=re.S))


@pytest.mark.parametrize(("language", "title"), [("en", "Show me"), ("de", "Zeig es mir")])
def test_the_start_page_offers_the_demo(here: Stand, language: str, title: str) -> None:
    assert title in text_of(here.phone(), "/", language)


def test_a_companion_without_a_demo_offers_none(tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    assert "Show me" not in text_of(phone, "/")
    assert phone.get("/demo").status_code == 404
    assert phone.get("/api/demo").get_json()["error"] == "no-demo"


def test_a_phone_without_scripts_starts_and_follows_the_show(here: Stand) -> None:
    phone = here.phone()
    assert "Start the show" in text_of(phone, "/demo")
    assert form(phone, "/demo", go="").headers["Location"] == "/demo"
    page = phone.get("/demo").get_data(as_text=True)
    assert '<noscript><meta http-equiv="refresh"' in page
    shown = text_of(phone, "/demo")
    assert "White 3 + 4 = 7." in shown
    assert "white 3, white 4, red 2" in shown
    assert "Laura: 40 points" in shown


def test_a_show_may_be_started_while_somebody_sits_at_the_table(here: Stand) -> None:
    here.start(2)
    assert "Start the show" in text_of(here.phone(), "/demo")
    assert form(here.phone(), "/demo", go="").status_code == 303
    assert "White 3 + 4 = 7." in text_of(here.phone(0), "/demo")


@pytest.mark.parametrize("why", list(NotNow))
def test_a_show_that_cannot_begin_is_refused_in_words(here: Stand, stage: FakeStage, why: NotNow) -> None:
    stage.refuses = why
    answer = post(here.phone(), "/api/demo", {"do": "start"})
    assert (answer.status_code, answer.get_json()["error"]) == (409, why)
    page = form(here.phone(), "/demo", go="")
    assert page.status_code == 409
    assert catalogues()["en"].say(f"error.{why}") in unescape(page.get_data(as_text=True))


def test_anybody_leads_the_show(here: Stand, stage: FakeStage) -> None:
    phone = here.phone()
    post(phone, "/api/demo", {"do": "start"})
    answer = post(phone, "/api/demo", {"do": "pause"})
    assert answer.get_json()["paused"] is True
    assert post(phone, "/api/demo", {"do": "dance"}).status_code == 400
    assert post(phone, "/api/demo", []).status_code == 400
    assert stage.asked == [Order.PAUSE]


def test_nothing_is_seen_while_nothing_is_on(here: Stand) -> None:
    for path in ("/api/demo", "/api/demo/live", "/api/demo/picture.jpg"):
        assert here.phone().get(path).status_code == 404
    assert post(here.phone(), "/api/demo", {"do": "pause"}).status_code == 404


def test_viewers_see_the_lid_the_lamps_and_one_phone(here: Stand, stage: FakeStage) -> None:
    stage.start()
    assert here.phone().get("/api/demo/picture.jpg").get_data()[:2] == b"\xff\xd8"
    shown = here.phone().get("/api/demo").get_json()
    assert [own["seat"] for own in shown["view"]["own"]] == [0]
    assert all(seat["held"] for seat in shown["view"]["seats"])  # nobody is said to be without a phone
    assert [lamp["name"] for lamp in shown["lamps"]][-1] == "status"


def test_the_stream_begins_with_the_newest_scene_and_ends_with_the_show(
    here: Stand, stage: FakeStage
) -> None:
    stage.start()
    answer = here.phone().get("/api/demo/live")
    assert answer.mimetype == "text/event-stream"
    events = iter(answer.response)
    first = next(events)
    assert isinstance(first, bytes)
    assert b'"caption":"White 3 + 4 = 7.' in first
    stage.is_on = False
    assert next(events) == b"event: gone\ndata: {}\n\n"
    answer.close()


def test_so_many_may_watch_by_stream_and_the_rest_polls(here: Stand, stage: FakeStage) -> None:
    stage.start()
    streams = [here.phone().get("/api/demo/live") for _ in range(MOST_VIEWERS)]
    busy = here.phone().get("/api/demo/live")
    assert busy.status_code == 503
    assert "Retry-After" in busy.headers
    assert here.display().get("/api/live").status_code == 200  # the real table has its own places
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("language", list(catalogues()))
def test_every_caption_and_ending_has_its_words(stage: FakeStage, language: str) -> None:
    words = catalogues()[language]
    stage.is_on = True
    for kind in Says:
        stage.caption = Caption(kind, **WHOLE)  # type: ignore[arg-type]
        scene = stage.scene()
        assert scene is not None
        said = message_of(scene, words).caption
        assert said
        assert "{" not in said
    for stage.ended in Ending:
        scene = stage.scene()
        assert scene is not None
        assert caption(scene, message_of(scene, words).view.game, words)


@pytest.mark.parametrize("language", list(catalogues()))
def test_no_page_of_the_demo_shows_a_raw_key(here: Stand, stage: FakeStage, language: str) -> None:
    for stage.is_on in (False, True):
        shown = text_of(here.phone(), "/demo", language)
        assert re.findall(r"\b(?:demo|error|start|table|end)\.[a-z_]+\b", shown) == []
        assert "{" not in shown
