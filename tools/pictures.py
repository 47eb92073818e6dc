"""Makes the pictures of the documentation from the running program: `make pictures`.

A simulated table is served, three phones join in Chromium, a few turns are played with whatever is legal,
and each screen is saved as it looks to a person. Nothing is drawn by hand, so the pictures stay true.
"""

import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright

from companion.benchmarks.wishes import a_roll
from companion.boards import house_board
from companion.checks.machine import Machine
from companion.game import Crossed, Done, Edition, Moved, Phase, Rolled, Source
from companion.host import Host, Options
from companion.host.health import Health
from companion.host.rescue import Front, JournalRescue, rescue_app
from companion.journal.journal import JournalDamagedError
from companion.settings.config import Config
from companion.table.snapshot import GameStarted
from companion.table.table import Command
from hardware.panel import Press
from vision.simulation.shape import Shape
from web import create_app
from web.serving.server import Server

FOLDER = Path("docs/pictures")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
)
PLAYERS = (("Anna", "circle"), ("Max", "star"), ("Laura", "diamond"))
TURNS = 9
PAST_GAMES = 12
PATIENCE_SECONDS = 120.0


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS.split())
        options = Options(Path(state), simulate=True, host="127.0.0.1", seed=8)
        with Host(Config(), options) as host, Server(host.app) as server:
            take(chromium, host, f"http://127.0.0.1:{server.port}")
        take_rescue(chromium, options)
        take_set_up(chromium)
        take_places(chromium)
        chromium.close()
    return 0


def take(chromium: Browser, host: Host, address: str) -> None:
    save(page(chromium, f"{address}/", 412, 839), "start")
    take_demo(chromium, address)
    display = page(chromium, f"{address}/table", 1280, 720)
    save(display, "table-lobby")
    phones = [join(chromium, address, host.code, *player) for player in PLAYERS]
    save(phones[0], "phone-lobby")
    phones[0].locator("button", has_text="Start").last.click()
    wait_for(lambda: host.table.snapshot.game is not None, "the game to start")
    rng = random.Random(4)
    for _ in range(TURNS):
        roll(host)
        play_on(host, rng)
    roll(host)
    for phone in phones:
        phone.wait_for_timeout(400)
    save(display, "table")
    save(phones[0], "phone")
    phones[1].set_viewport_size({"width": 740, "height": 360})
    phones[1].wait_for_timeout(300)
    save(phones[1], "phone-sideways")
    save(page(chromium, f"{address}/panel", 480, 640), "panel")
    seen = page(chromium, f"{address}/seen", 412, 839)
    save(seen, "seen")
    take_past(chromium, host, address, rng)
    take_board(chromium, host, address, rng)
    save(page(chromium, f"{address}/help", 412, 839), "help")


def take_demo(chromium: Browser, address: str) -> None:
    """The show while a roll has been read: lid, phone and panel side by side."""
    viewer = page(chromium, f"{address}/demo", 1280, 700)
    viewer.get_by_role("button", name="Start the show").click()
    viewer.locator("#sheet [data-legal]").first.wait_for()
    viewer.wait_for_timeout(1200)  # what was read is drawn on the picture
    save(viewer, "demo")
    viewer.get_by_role("button", name="Stop").click()
    viewer.locator("#after").wait_for()


def take_past(chromium: Browser, host: Host, address: str, rng: random.Random) -> None:
    """The game on the table is played to its end with typed dice, and more after it; then one looks back."""
    play_on(host, rng)
    for number in range(PAST_GAMES):
        while (game := host.table.snapshot.game) is not None and game.phase is Phase.ROLL:
            host.table.play(Command(Rolled(a_roll(game.dice_in_play, rng), Source.HAND)))
            play_on(host, rng)
        if game is not None and number + 1 < PAST_GAMES:
            first = (game.setup.first + 1) % game.players
            host.table.play(Command(GameStarted(replace(game.setup, first=first))))
    save(page(chromium, f"{address}/history", 412, 839), "history")
    shown = page(chromium, f"{address}/history/{host.table.snapshot.game_id}#turn-12", 412, 839)
    shown.locator("#replay h2").evaluate("(node) => node.scrollIntoView()")
    save(shown, "history-game")
    save(page(chromium, f"{address}/statistics", 1280, 800), "statistics")


def take_board(chromium: Browser, host: Host, address: str, rng: random.Random) -> None:
    """A board is entered, and On Board is played on it until somebody chooses where to land."""
    entry = page(chromium, f"{address}/boards", 1280, 1000)
    entry.get_by_role("button", name="Begin with a copy").click()
    entry.fill("#board-name", "Our board")
    entry.wait_for_timeout(600)
    save(entry, "boards")
    side = house_board().front
    game = host.table.snapshot.game
    if game is not None:
        host.table.play(
            Command(GameStarted(replace(game.setup, edition=Edition.ON_BOARD, board=side, first=0)))
        )
    turns = 0
    while (game := host.table.snapshot.game) is not None and game.phase is not Phase.OVER:
        if game.phase is Phase.THIRD:
            if turns >= TURNS and len(game.landings()) > 1:
                break
            if landings := game.landings():
                host.table.play(Command(Moved(game.active, landings[-1])))
            host.table.play(Command(Done(game.active)))
            continue
        turns += 1
        host.table.play(Command(Rolled(a_roll(game.dice_in_play, rng), Source.HAND)))
        play_on(host, rng)
    save(page(chromium, f"{address}/table", 1280, 720), "table-on-board")


def take_rescue(chromium: Browser, options: Options) -> None:
    """What the owner is asked when the journal is damaged."""
    (options.state / "journal.db").write_bytes(b"not what was written")
    rescue = JournalRescue(options.state, JournalDamagedError("the journal is damaged"))
    with Server(Front(rescue_app(rescue, Config(), options))) as server:
        save(page(chromium, f"http://127.0.0.1:{server.port}/", 412, 839), "rescue")


def take_set_up(chromium: Browser) -> None:
    """A table of its own is set up: a corner under the loupe, a roll to be confirmed; then how the box is."""
    with tempfile.TemporaryDirectory() as state:
        options = Options(Path(state), simulate=True, host="127.0.0.1", seed=2)
        with Host(Config(), options) as host, Server(with_a_name(host)) as server:
            address = f"http://127.0.0.1:{server.port}"
            owner = page(chromium, f"{address}/setup", 412, 839)
            for button in ("English", "The picture is good", "Find the edge"):
                owner.locator("#step button", has_text=button).click()
            corner = owner.locator(".handle.corner").nth(1)
            corner.focus()
            owner.keyboard.press("ArrowLeft")
            save(owner, "setup-lid")
            for button in (
                "That is right",
                "Take the picture",
                "Next step",
                "Learn the dice",
                "Next",
            ):
                owner.locator("#step button", has_text=button).click()
            while True:
                owner.get_by_role("button", name="Roll and read").click()
                owner.locator("#step:not([aria-busy]) .tag").first.wait_for()
                if owner.get_by_role("button", name="Yes, all six").count():
                    break
            owner.wait_for_timeout(500)
            save(owner, "setup-roll")
            save(page(chromium, f"{address}/health", 412, 780), "health")


def take_places(chromium: Browser) -> None:
    """A throw into places that are no lid, as the camera saw it."""
    for place in (Shape.ROUND, Shape.HEXAGON, Shape.BARE):
        with tempfile.TemporaryDirectory() as state:
            options = Options(Path(state), simulate=True, host="127.0.0.1", seed=8, place=place)
            with Host(Config(), options) as host, Server(host.app) as server:
                address = f"http://127.0.0.1:{server.port}"
                phones = [join(chromium, address, host.code, *player) for player in PLAYERS[:2]]
                phones[0].locator("button", has_text="Start").last.click()
                wait_for(lambda host=host: host.table.snapshot.game is not None, "the game to start")
                roll(host)
                seen = page(chromium, f"{address}/seen", 412, 560).locator("img.looked")
                seen.screenshot(path=FOLDER / f"seen-{place}.png")


def with_a_name(host: Host) -> Flask:
    """The host's pages on a machine of the name it usually has."""
    machine = Machine(hostname=lambda: "boxlid", resolve=lambda _: "192.168.1.7")
    health = Health(replace(host.inspected(), machine=machine))
    return create_app(host.table, replace(host.services(), health=health.facts))


def page(chromium: Browser, address: str, width: int, height: int) -> Page:
    made = chromium.new_context(viewport={"width": width, "height": height}, device_scale_factor=1).new_page()
    made.set_default_timeout(1000 * PATIENCE_SECONDS)
    made.goto(address)
    made.wait_for_timeout(600)
    return made


def join(chromium: Browser, address: str, code: str, name: str, mark: str) -> Page:
    context = chromium.new_context(viewport={"width": 412, "height": 839}, has_touch=True, locale="en-GB")
    phone = context.new_page()
    phone.goto(f"{address}/join")
    phone.fill("#name", name)
    phone.check(f"input[value={mark}]", force=True)
    phone.fill("#code", code)
    phone.click("button.main")
    phone.wait_for_timeout(500)
    return phone


def roll(host: Host) -> None:
    """Press until a throw is read for sure, as people would."""
    for _ in range(20):
        before = host.looker.last
        host.buttons.pressed(Press.ROLLED)
        wait_for(lambda before=before: host.looker.last is not before, "a reading")
        wait_for(
            lambda: host.table.snapshot.eyes.state not in ("reading", "moving"), "the reading to be shown"
        )
        game = host.table.snapshot.game
        if game is not None and game.phase is not Phase.ROLL:
            return
    raise TimeoutError("no throw of twenty was read for sure")


def play_on(host: Host, rng: random.Random) -> None:
    """Everybody crosses what leaves out least, and the turn ends."""
    while (game := host.table.snapshot.game) is not None and game.phase in (Phase.FIRST, Phase.SECOND):
        seat = game.deciding[0]
        action = 1 if game.phase is Phase.FIRST else 2
        legal = game.legal_first(seat) if action == 1 else game.legal_second()
        sheet = game.sheets[seat]
        gaps = {
            c: sheet.layout.places[c][1] - sheet.rows[sheet.layout.places[c][0]].bit_length() for c in legal
        }
        best = min(legal, key=lambda cell: (gaps[cell], rng.random()), default=None)
        if best is not None and gaps[best] <= 2:
            host.table.play(Command(Crossed(seat, best, action)))
        host.table.play(Command(Done(seat)))


def wait_for(true, what: str) -> None:  # type: ignore[no-untyped-def]
    until = time.monotonic() + PATIENCE_SECONDS
    while not true():
        if time.monotonic() > until:
            raise TimeoutError(f"waited {PATIENCE_SECONDS:.0f} s for {what}")
        time.sleep(0.02)


def save(shown: Page, name: str) -> None:
    shown.screenshot(path=FOLDER / f"{name}.png")
    print(f"{FOLDER / name}.png")


if __name__ == "__main__":
    sys.exit(main())
