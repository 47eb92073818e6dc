"""What the pages need from the host, all optional but code and key; a page leaves out what is missing."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.boards.shelf import Shelf
from companion.findings.check import State
from companion.game import HouseRules
from companion.view.panel import PanelPage
from companion.view.setting_up import SettingUp
from companion.view.sighting import WhatWasSeen
from companion.view.stage import Stage


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the health page."""

    name: str
    text: str
    state: State = State.OK
    todo: str = ""


class Photographed(StrEnum):
    """What became of a photograph: the view tells what was read, or the kind says why it was not."""

    READ = "read"
    NO_PICTURE = "photo-no-picture"
    HEIC = "photo-heic"
    TOO_LARGE = "photo-too-large"  # in pixels
    BUSY = "photo-busy"  # another look is under way
    UNWANTED = "photo-unwanted"  # no roll is waited for


@dataclass(frozen=True)
class Services:
    """The host, as the pages see it."""

    code: str  # what a new phone types in, at the start; shown on the table display and the console
    key: bytes  # signs the cookies of table displays
    names: tuple[str, ...] = ()  # host names that may stand in the address, beside private addresses
    addresses: tuple[str, ...] = ()  # such as http://192.168.1.7:8000, the best one first
    language: str = "en"  # for those whose browser asks for neither
    simulated: bool = False
    version: str = ""
    shelf: Shelf | None = None  # the boards of On Board
    house: HouseRules = field(
        default_factory=HouseRules
    )  # what a new game has unless the lobby chooses otherwise
    press_rolled: Callable[[], None] | None = None
    picture: Callable[[Mapping[str, str]], bytes | None] | None = None  # the lid as JPEG, dice by letters
    crop: Callable[[str], bytes | None] | None = None  # one doubtful die as JPEG, by its name
    photograph: Callable[[bytes, int], Photographed] | None = (
        None  # of the dice, by that seat; then it is read
    )
    photograph_first: bool = False  # before the button, on the phone of who rolls
    panel: PanelPage | None = None
    demo: Stage | None = None
    health: Callable[[str], tuple[Fact, ...]] | None = None  # in that language
    setting_up: SettingUp | None = None
    seen: WhatWasSeen | None = None  # the last look at the lid
    new_code: Callable[[], str] | None = None  # makes another code and keeps it
    clock: Callable[[], float] = time.monotonic
