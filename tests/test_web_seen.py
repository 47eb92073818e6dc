"""What the camera saw, as a page: for those at the table; a report for the owner, who is asked first."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from companion.game import Done
from companion.table.eyes import Eyes, EyesState, Notice, ShownDie
from companion.view.sighting import ReportError, Sighting
from tests.web_table import ORIGIN, form, stand

DICE = (
    ShownDie("red", 4, 98, doubtful=False, crop="0"),
    ShownDie("white", 3, 31, doubtful=True, crop="1"),
)
PROBLEM = Notice("pips-doubtful", ("white",))
SIGHTING = Sighting("7", False, 82, ("white", "red"), DICE, (PROBLEM,), 640, 480, 300, 240, True, False)


@dataclass
class FakeSeen:
    """A last look that a test makes up."""

    sighting: Sighting | None = SIGHTING
    trouble: str = ""
    kept: list[str] = field(default_factory=list)
    forgotten: int = 0

    def _is(self, identity: str) -> bool:
        return self.sighting is not None and identity == self.sighting.id

    def last(self) -> Sighting | None:
        return self.sighting

    def picture(self, identity: str, letters: Mapping[str, str]) -> bytes | None:
        return b"\xff\xd8lid " + letters["yellow"].encode() if self._is(identity) else None

    def die(self, identity: str, name: str) -> bytes | None:
        return b"\xff\xd8die" if self._is(identity) and name in ("0", "1") else None

    def forget(self) -> None:
        if self.trouble:
            raise ReportError(self.trouble, "no room")
        self.forgotten += 1

    def report(self, identity: str) -> bytes | None:
        return b"PKzip" if self._is(identity) else None

    def keep(self, identity: str) -> str | None:
        if self.trouble:
            raise ReportError(self.trouble, "no room")
        if not self._is(identity):
            return None
        self.kept.append(identity)
        return "reports/report-1.zip"


PATHS = ("/seen", "/seen/7/picture.jpg", "/seen/7/die-1.jpg")
OWNERS = ("/seen/7/report", "/seen/7/report.zip")


@pytest.mark.parametrize("path", PATHS + OWNERS)
def test_a_phone_without_a_seat_sees_nothing(path: str, tmp_path: Path) -> None:
    assert stand(tmp_path, seen=FakeSeen()).phone().get(path).status_code == 403


@pytest.mark.parametrize("path", PATHS)
def test_players_and_displays_see_it(path: str, tmp_path: Path) -> None:
    here = stand(tmp_path, seen=FakeSeen())
    here.seat(1)
    for client in (here.phone(0), here.display()):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_report_is_the_owners(tmp_path: Path) -> None:
    seen = FakeSeen()
    here = stand(tmp_path, seen=seen)
    here.seat(1)
    for path in OWNERS:
        assert here.phone(0).get(path).status_code == 403
        assert here.display().get(path).status_code == 200
    assert form(here.phone(0), "/seen/7/report", sure="yes").status_code == 403
    assert (
        here.display().post("/seen/7/report", data={"sure": "yes"}).status_code == 403
    )  # without our own Origin
    assert seen.kept == []
    assert "reports/report-1.zip" in form(here.display(), "/seen/7/report", sure="yes").get_data(as_text=True)
    assert seen.kept == ["7"]
    download = here.display().get("/seen/7/report.zip", headers=ORIGIN)
    assert download.headers["Content-Disposition"] == 'attachment; filename="boxlid-report.zip"'
    assert download.get_data() == b"PKzip"


def test_what_rolls_taught_is_said_and_the_owner_forgets_it(tmp_path: Path) -> None:
    seen = FakeSeen(replace(SIGHTING, taught=4))
    here = stand(tmp_path, seen=seen)
    here.seat(1)
    said, button = "The last 4 rolls at this table", 'action="/seen/forget"'
    phone, owner = (client.get("/seen").get_data(as_text=True) for client in (here.phone(0), here.display()))
    assert said in phone
    assert button not in phone
    assert said in owner
    assert button in owner
    assert form(here.phone(0), "/seen/forget", sure="yes").status_code == 403
    assert (
        here.display().post("/seen/forget", data={"sure": "yes"}).status_code == 403
    )  # without our own Origin
    answer = form(here.display(), "/seen/forget", sure="yes")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/seen")
    assert seen.forgotten == 1
    seen.trouble = "disk-full"
    assert form(here.display(), "/seen/forget", sure="yes").status_code == 507


def test_where_no_roll_taught_anything_nothing_is_said_of_it(tmp_path: Path) -> None:
    here = stand(tmp_path, seen=FakeSeen())
    assert "/seen/forget" not in here.display().get("/seen").get_data(as_text=True)


def test_the_page_words_dice_and_problems_in_the_visitors_language(tmp_path: Path) -> None:
    here = stand(tmp_path, seen=FakeSeen())
    page = here.display().get("/seen", headers={"Accept-Language": "de"}).get_data(as_text=True)
    for text in (
        "Nicht sicher gelesen",
        "Rot 4",
        "98 % sicher",
        "Zweifelhaft: nur 31 % sicher",
        "Der weiße Würfel",
    ):
        assert text in page
    assert page.count('class="doubtful"') == 1


@pytest.mark.parametrize("path", ["/seen/7/picture.jpg", "/api/picture.jpg"])
def test_dice_in_the_picture_are_labelled_in_the_visitors_language(path: str, tmp_path: Path) -> None:
    display = stand(tmp_path, seen=FakeSeen()).display()
    assert display.get(path, headers={"Accept-Language": "de"}).get_data().endswith(b"lid Ge")
    assert display.get(path, headers={"Accept-Language": "en"}).get_data().endswith(b"lid Y")


def test_the_page_keeps_room_for_the_part_that_the_picture_shows(tmp_path: Path) -> None:
    page = stand(tmp_path, seen=FakeSeen()).display().get("/seen").get_data(as_text=True)
    assert 'src="/seen/7/picture.jpg" width="300" height="240"' in page


def test_a_look_without_dice_is_said(tmp_path: Path) -> None:
    none = Sighting("1", False, 9, (), (), (Notice("no-lid"),), 1, 1, 1, 1, False, True)
    page = stand(tmp_path, seen=FakeSeen(none)).display().get("/seen").get_data(as_text=True)
    assert "Push the lid under the camera" in page
    assert "No die was seen." in page


def test_dice_put_right_by_hand_since_are_named(tmp_path: Path) -> None:
    here = stand(tmp_path, seen=FakeSeen())
    here.start()
    here.roll("W3 W4 R2 Y5 G6 B1")
    read = [("white", 3), ("white", 4), ("red", 4), ("yellow", 5), ("green", 6), ("blue", 1)]
    here.table.tell(
        Eyes(EyesState.READY, dice=tuple(ShownDie(colour, pips, 90, doubtful=False) for colour, pips in read))
    )
    page = here.display().get("/seen").get_data(as_text=True)
    assert "Put right by hand since: red 2<" in page
    for seat in (0, 1, 0):
        here.play(Done(seat))
    assert "Put right" not in here.display().get("/seen").get_data(as_text=True)  # of the turn before


def test_what_was_replaced_by_another_look_is_said_to_be_so(tmp_path: Path) -> None:
    here = stand(tmp_path, seen=FakeSeen())
    for path in ("/seen/6/picture.jpg", "/seen/6/report", "/seen/6/report.zip", "/seen/7/die-9.jpg"):
        assert here.display().get(path).status_code == 404
    assert form(here.display(), "/seen/6/report", sure="yes").status_code == 404


def test_before_the_first_roll_the_page_says_so(tmp_path: Path) -> None:
    here = stand(tmp_path, seen=FakeSeen(None))
    page = here.display().get("/seen").get_data(as_text=True)
    assert "Nothing yet" in page
    assert "report" not in page
    assert here.display().get("/seen/7/report").status_code == 404


def test_a_report_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    for kind, status in (("disk-full", 507), ("too-many-reports", 409)):
        here = stand(tmp_path / kind, seen=FakeSeen(trouble=kind))
        assert form(here.display(), "/seen/7/report", sure="yes").status_code == status


def test_without_a_camera_there_is_no_such_page(tmp_path: Path) -> None:
    assert stand(tmp_path).display().get("/seen").status_code == 404


def test_the_page_leads_back_to_where_its_visitor_plays(tmp_path: Path) -> None:
    here = stand(tmp_path, seen=FakeSeen())
    here.seat(1)
    assert 'href="/phone"' in here.phone(0).get("/seen").get_data(as_text=True)
    assert 'href="/table"' in here.display().get("/seen").get_data(as_text=True)
