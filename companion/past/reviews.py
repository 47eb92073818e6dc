"""Reviews of the games of a journal: made beside the play, one after the other, and kept."""

import hashlib
import logging
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.game import Game
from companion.journal.journal import JournalError
from companion.past.games import PastGames
from companion.past.kept import FILE, KeptLines
from companion.past.review import Progress as Tell
from companion.past.review import review
from companion.past.reviewed import ReviewedGame
from companion.past.turns import Replay
from companion.play.advice import judge_of
from companion.play.expected import Expects
from companion.play.games import kind_of
from companion.play.judgement import ORIGINAL, OTHER_SHEETS, WeightsError, weights_of
from companion.play.simulation import Simulation

TABLE = "reviews"
TIMES = 12  # a position is played to its end so often, where nothing was learnt: hundreds are judged
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review is: its share, then itself."""

    share: float
    review: ReviewedGame | None = None
    trouble: str = ""  # why there will be none


class Reviews:
    """Of finished games. Safe to call from any thread."""

    def __init__(self, past: PastGames, folder: Path) -> None:
        self._past, self._kept = past, KeptLines(folder, TABLE)
        self._mutex = threading.Lock()
        self._counting = threading.Lock()
        self._shares: dict[int, float] = {}  # of those that were asked for and are not there yet
        self._worker: threading.Thread | None = None
        self._trouble = ""

    def ask(self, game: int) -> Progress:
        """The review if it is there; else it is made beside, and this says how far it is."""
        known = self.known(game)
        if known is not None:
            return Progress(1.0, known)
        with self._mutex:
            if self._trouble:
                return Progress(0.0, trouble=self._trouble)
            share = self._shares.setdefault(game, 0.0)
            if self._worker is None or not self._worker.is_alive():
                self._worker = threading.Thread(target=self._work, name="reviewing", daemon=True)
                self._worker.start()
        return Progress(share)

    def known(self, game: int) -> ReviewedGame | None:
        """Only what is there already, for this end of the game and by the judgement that is in use."""
        chain = self._past.chain(game)
        return None if chain is None else _read(self._kept, game, chain)

    def make(self, game: int) -> ReviewedGame | None:
        """The review, made now if it has to be; None if there is no such game that can be played again."""
        with self._counting:  # one after the other: there is a game going on beside
            known, chain, played = self.known(game), self._past.chain(game), self._past.replay(game)
            if known is not None or played is None or chain is None:
                return known

            def tell(share: float) -> None:
                with self._mutex:
                    self._shares[game] = share

            return _make(self._kept, game, chain, played, tell)

    def _work(self) -> None:
        while True:
            with self._mutex:
                if not self._shares:
                    self._worker = None
                    return
                game = next(iter(self._shares))
            try:
                self.make(game)
            except JournalError:
                _log.info("the journal was closed before a game was reviewed; that is for another time")
                return
            except WeightsError as error:
                self._trouble = str(error)
                _log.warning("%s", error)
                return
            finally:
                with self._mutex:
                    self._shares.pop(game, None)


def make_review(folder: Path, game: int, chain: str, played: Replay, tell: Tell) -> ReviewedGame:
    """The review of a journal's game with that end, made now and kept."""
    return _make(KeptLines(folder, TABLE), game, chain, played, tell)


def _make(kept: KeptLines, game: int, chain: str, played: Replay, tell: Tell) -> ReviewedGame:
    setup = played.record.setup
    found = ReviewedGame.of(review(played, tell, _judge(Game.begin(setup))), len(setup.players))
    kept.write(game, _key(chain), found.write())
    return found


def kept_review(folder: Path, game: int, chain: str) -> ReviewedGame | None:
    """The review of a journal's game with that end, if it was made before; writes nothing."""
    return _read(KeptLines(folder, TABLE), game, chain) if (folder / FILE).exists() else None


def _read(kept: KeptLines, game: int, chain: str) -> ReviewedGame | None:
    line = kept.read(game, _key(chain))
    return None if line is None else ReviewedGame.parse(line)


def _judge(begun: Game) -> Expects:
    kind = kind_of(begun)
    return Simulation(TIMES) if weights_of(kind) is None else judge_of(kind)


def _key(chain: str) -> str:
    """What a review holds for: the game's end, and the weights by which it was judged."""
    return f"{chain} {_weights()}"


@cache
def _weights() -> str:
    try:
        return hashlib.sha256(ORIGINAL.read_bytes() + OTHER_SHEETS.read_bytes()).hexdigest()[:16]
    except OSError:
        return "-"  # nothing is judged without them, and nothing kept
