"""The real companion, killed in every phase of a turn: what comes back is what everybody saw."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from tools.soak.companion_process import CompanionProcess
from tools.soak.link import Json, Link

NAMES = ("Anna", "Ben")
READY_TO_LOCK = "R2 R3 R4 R5 R6"


@dataclass
class Evening:
    """Two phones at a companion that is a process of its own."""

    companion: CompanionProcess
    phones: list[Link] = field(default_factory=list)
    ids: Iterator[int] = field(default_factory=itertools.count)

    def begin(self) -> None:
        self.companion.start()
        self.phones = [Link(self.companion.port, name) for name in NAMES]
        for phone, name in zip(self.phones, NAMES, strict=True):
            answer = phone.post("/api/seats", {"name": name, "mark": "", "code": self.companion.code})
            assert answer.status == 201

    def wish(self, seat: int, do: str, **more: object) -> Json:
        """A wish that is granted; the view it led to."""
        body: Json = {"do": do, "seat": seat, "id": f"wish {next(self.ids)}", **more}
        answer = self.phones[seat].post("/api/wishes", body)
        assert answer.status == 200, answer.body
        return cast(Json, answer.body["view"])

    def seen(self) -> list[Json]:
        """What each phone is shown, without what a companion may count or tell anew."""
        shown = []
        for phone in self.phones:
            message = next(iter(phone.messages()))
            view = cast(Json, message["view"])
            shown.append({key: value for key, value in view.items() if key not in ("version", "eyes")})
        return shown

    def phase(self) -> str:
        game = cast(Json | None, self.seen()[0]["game"])
        return "lobby" if game is None else str(game["phase"])

    def kill_and_compare(self) -> None:
        before = self.seen()
        self.companion.kill()
        self.companion.start()
        assert self.seen() == before


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(CompanionProcess(tmp_path))
    made.begin()
    yield made
    assert made.companion.stop() == 0


@pytest.mark.slow
def test_a_companion_killed_in_any_phase_goes_on_where_everybody_was(evening: Evening) -> None:
    evening.kill_and_compare()
    assert evening.phase() == "lobby"
    evening.wish(0, "start", first=0)
    evening.wish(1, "correct-sheet", owner=0, sheet=READY_TO_LOCK)
    evening.kill_and_compare()
    assert evening.phase() == "roll"
    evening.wish(0, "roll", dice="W6 W6 R6 Y1 G2 B3")
    evening.wish(0, "cross", cell="R12", action=1)
    evening.kill_and_compare()
    assert evening.phase() == "first"
    evening.wish(0, "done")
    view = evening.wish(1, "done")
    assert cast(Json, view["game"])["phase"] == "second"
    evening.kill_and_compare()
    evening.wish(0, "done")
    closed = cast(Json, evening.seen()[0]["game"])
    assert closed["closed"] == ["red"]
    assert closed["phase"] == "roll"
    evening.kill_and_compare()
    evening.wish(1, "stop")
    evening.kill_and_compare()
    assert evening.phase() == "over"


def test_a_wish_sent_again_after_a_kill_happens_once(evening: Evening) -> None:
    """The answer was lost with the companion: the phone sends the same wish once more."""
    evening.wish(0, "start", first=0)
    evening.wish(0, "roll", dice="W3 W4 R2 Y5 G6 B1")
    body: Json = {"do": "cross", "seat": 0, "cell": "R7", "action": 1, "id": "the same"}
    assert evening.phones[0].post("/api/wishes", body).status == 200
    before = evening.seen()
    evening.companion.kill()
    evening.companion.start()
    assert evening.phones[0].post("/api/wishes", body).status == 200
    assert evening.seen() == before
