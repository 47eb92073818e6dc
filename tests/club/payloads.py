"""Messages as a real table sends them: made by the functions that the box makes them with."""

import itertools
from collections.abc import Mapping
from dataclasses import replace

from companion.mqtt.payloads import PlayerResult, PlayerState, ResultPayload, RolledDie, StatePayload, written
from companion.view.values import Presence

_numbers = itertools.count(1)


def state(box: str, sequence: int = 1, names: tuple[str, ...] = ("Anna", "Ben"), **more: object) -> bytes:
    """In the middle of a game; the first player's turn."""
    players = tuple(
        PlayerState(
            seat,
            name,
            "circle",
            None,
            Presence.HERE,
            active=seat == 0,
            deciding=seat == 1,
            score=10 * seat + 7,
            misthrows=0,
        )
        for seat, name in enumerate(names)
    )
    found = StatePayload(
        run="run",
        sequence=sequence,
        phase="first",
        players=players,
        camera="ready",
        game="hash:1",
        started="2026-11-20T18:03:11.250+00:00",
        edition="original",
        sheet="classic",
        turn=3,
        active=0,
        white_sum=7,
        dice=(RolledDie("white", 3), RolledDie("white", 4), RolledDie("red", 6)),
        deciding=(1,),
        closed=("green",),
    )
    return written(box, replace(found, **more))  # type: ignore[arg-type]


def lobby(box: str, sequence: int = 1) -> bytes:
    return written(box, StatePayload("run", sequence, "lobby", (), "ready"))


def result(
    box: str, points: Mapping[str, int], identity: str = "", revision: int = 1, **more: object
) -> bytes:
    players = tuple(
        PlayerResult(seat, name, None, each, 1, 0, (each, 0, 0, 0), 0, "M0")
        for seat, (name, each) in enumerate(points.items())
    )
    found = ResultPayload(
        id=identity or f"hash:{next(_numbers)}",
        revision=revision,
        status="final",
        at="2026-11-20T18:52:40.113+00:00",
        started="2026-11-20T18:03:11.250+00:00",
        ended="2026-11-20T18:52:40.113+00:00",
        edition="original",
        sheet="classic",
        series=None,
        source="table",
        stopped=False,
        ended_by="locks",
        turns=23,
        players=players,
    )
    return written(box, replace(found, **more))  # type: ignore[arg-type]
