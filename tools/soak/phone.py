"""A phone that plays by itself: watches its stream, decides, drops out now and then, and comes back."""

import itertools
import random
import threading
import time
from typing import cast

from tools.soak.companion_process import SoakError
from tools.soak.deciding import Json, next_wish
from tools.soak.link import Link
from tools.soak.pace import Pace

NAP_SECONDS = (0.1, 2.5)
DROP_SHARE = 0.003  # of the messages: the phone is gone after it
PRESS_AGAIN_SECONDS = 2.0  # a press that found the table busy is made again
PATIENCE_SECONDS = 180.0  # a companion that was killed is back long before


class Phone(threading.Thread):
    """One thread: a phone with a seat, or with none, which only watches."""

    def __init__(self, link: Link, name: str, players: int, seed: int, pace: Pace) -> None:
        super().__init__(name=f"phone {name}", daemon=True)
        self.acknowledged: list[str] = []  # wishes the table said yes to
        self.unanswered = 0
        self.refused = 0
        self.naps = 0
        self.seen = 0
        self.results: dict[int, tuple[int, ...]] = {}  # of the games it saw end, by their number
        self.changed_at = time.monotonic()
        self._link, self._players, self._pace = link, players, pace
        self._rng = random.Random(f"{seed} {name}")
        self._ids = (f"{name}-{number}" for number in itertools.count())
        self._over = threading.Event()
        self._newest: Json = {}
        self._changed = threading.Condition()

    def stop(self) -> None:
        self._over.set()
        with self._changed:
            self._changed.notify_all()

    def run(self) -> None:
        player = threading.Thread(target=self._play, name=f"{self.name} deciding", daemon=True)
        player.start()
        while not self._over.is_set():
            for message in self._link.messages():
                self.seen += 1
                self._show(message)
                if self._over.is_set() or self._rng.random() < DROP_SHARE:
                    break
            self.naps += 1
            self._over.wait(self._rng.uniform(*NAP_SECONDS))
        player.join()

    def _show(self, message: Json) -> None:
        """The newest counts; an answer may come before the stream has said it, or after."""
        with self._changed:
            old = self._newest
            if old.get("run") == message["run"] and number_of(old) >= number_of(message):
                return
            self._newest, self.changed_at = message, time.monotonic()
            self._changed.notify_all()
        if (final := result_of(message)) is not None:
            self.results[final[0]] = final[1]

    def _play(self) -> None:
        """Its player: looks at the newest view, taps, and looks at what the table says to that."""
        played: object = None
        while not self._over.is_set():
            with self._changed:
                key = _key(self._newest)
                if key == played:
                    self._changed.wait(PRESS_AGAIN_SECONDS)
                    played = None if _key(self._newest) == key else played
                    continue
                message = self._newest
            played = key
            if message:
                self._act(message)

    def _act(self, message: Json) -> None:
        wanted = next_wish(cast(Json, message["view"]), self._players, self._rng)
        if wanted is None:
            return
        if wanted.rolls:
            self._pace.wait(self._over)
        body = {**wanted.body, "id": next(self._ids)} if wanted.acknowledged else wanted.body
        answer = self._link.post_until_answered(
            wanted.path, body, time.monotonic() + PATIENCE_SECONDS, self._over
        )
        if answer is None and self._over.is_set():
            return
        if answer is None:
            self.unanswered += 1
        elif answer.status >= 400:
            self.refused += 1
        elif wanted.acknowledged:
            self.acknowledged.append(cast(str, body["id"]))
            self._show(answer.body)

    def join_table(self, code: str) -> None:
        """Sit down as a page does."""
        body: Json = {"name": self.name.removeprefix("phone "), "mark": "", "code": code}
        answer = self._link.post("/api/seats", body, PATIENCE_SECONDS)  # once: a seat is taken by name
        if answer.status >= 400:
            raise SoakError(f"{self.name} found no seat: {answer.body}")

    @property
    def where(self) -> str:
        """What it was shown last, in short."""
        view = cast(Json, self._newest.get("view", {}))
        return f"{view.get('moment')} {cast(Json, view.get('eyes', {})).get('state')}"


def result_of(message: Json) -> tuple[int, tuple[int, ...]] | None:
    """The game that is over in this view, and the points that everybody is shown."""
    game = cast(Json | None, cast(Json, message["view"])["game"])
    if game is None or game["phase"] != "over":
        return None
    columns = cast(list[Json], game["end"])
    return cast(int, game["id"]), tuple(cast(int, column["total"]) for column in columns)


def number_of(message: Json) -> int:
    return cast(int, message["sequence"])


def _key(message: Json) -> object:
    return (message.get("run"), message.get("sequence"))
