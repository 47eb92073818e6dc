"""The settings: one boxlid.toml as frozen values, all its mistakes found before anything starts."""

import ipaddress
import logging
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from boxlid.errors import StatementKind, statement
from boxlid.fields import FLAT, Between, Clash, Mistake, Only, Said, as_far_as_read
from companion.game import HouseRules
from companion.mqtt.settings import MqttConfig, SettingText
from companion.words import english
from hardware.pins import Pins
from vision.cameras.address import AddressError, StreamAddress
from vision.cameras.kinds import CameraKind
from vision.simulation.shape import Shape

LONGEST_DELAY = 1.5  # seconds; more than that no press can wait
HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*")
GONE = (("web", "keep_pictures_minutes"),)  # settings of former versions, by section
_log = logging.getLogger(__name__)


class ConfigError(Exception):
    """The settings cannot be used: `problems` has a line for each bad value."""

    def __init__(self, source: str, problems: tuple[str, ...]) -> None:
        self.problems = problems
        listed = problems if len(problems) == 1 else (f"{len(problems)} settings need a change", *problems)
        super().__init__(f"{source}: " + "\n  ".join(listed))


class SettingWanted(StatementKind):
    """What may stand in a setting."""

    SECTION = "wanted.section"
    FOLDER = "wanted.folder_of_pictures"
    EVEN = "wanted.even"
    ADDRESS = "wanted.own_address"
    NAMES = "wanted.host_names"
    CAMERA_ADDRESS = "wanted.camera_address"


class Language(StrEnum):
    """The languages there are catalogues for."""

    ENGLISH = "en"
    GERMAN = "de"


class SpokenLanguage(StrEnum):
    """The voice speaks one language, or that of the table."""

    TABLE = "table"
    ENGLISH = "en"
    GERMAN = "de"


class Rolls(StrEnum):
    """What starts a reading."""

    BUTTON = "button"
    AUTO = "auto"  # dice that came to rest in the lid


class OfferFirst(StrEnum):
    """What the phone of who rolls offers first."""

    AUTO = "auto"  # a photograph where no camera was found, else the button
    BUTTON = "button"
    PHOTOGRAPH = "photograph"


@dataclass(frozen=True, slots=True)
class TableConfig:
    """How this table plays unless a game is set up otherwise."""

    language: Language = Language.ENGLISH
    rolls: Rolls = Rolls.BUTTON
    offer_first: OfferFirst = OfferFirst.AUTO
    house: Annotated[HouseRules, FLAT] = field(default_factory=HouseRules)


def _is_even(number: int) -> bool:
    return number % 2 == 0


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Where pictures come from. The address may hold a password, and is told to nobody."""

    kind: CameraKind = CameraKind.AUTO
    device: Annotated[int, Between(0, 63)] = 0
    folder: SettingText = ""
    url: SettingText = field(default="", repr=False)
    credentials: SettingText = ""
    delay: Annotated[float, Between(0, LONGEST_DELAY)] = 0.5
    width: Annotated[int, Between(320, 4096), Only(_is_even, SettingWanted.EVEN)] = 1280
    height: Annotated[int, Between(240, 3072), Only(_is_even, SettingWanted.EVEN)] = 720
    lock_exposure: bool = True

    def clashes(self) -> Iterator[Clash]:
        if self.kind is CameraKind.FOLDER and not self.folder:
            yield Clash("folder", statement(SettingWanted.FOLDER), others=("kind",))
        if self.kind is CameraKind.NETWORK or self.url:
            try:
                StreamAddress.parse(self.url)
            except AddressError as error:
                why = statement(SettingWanted.CAMERA_ADDRESS, why=error.statement)
                yield Clash("url", why, others=("kind",))


def _is_own_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return text == "localhost"
    return True


def _are_host_names(names: tuple[str, ...]) -> bool:
    return all(HOST_NAME.fullmatch(name) for name in names)


@dataclass(frozen=True, slots=True)
class SimulationConfig:
    """What the simulated table is like, where there is one."""

    place: Shape = Shape.LID


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Where the pages are."""

    host: Annotated[SettingText, Only(_is_own_address, SettingWanted.ADDRESS)] = "0.0.0.0"
    port: Annotated[int, Between(1, 65535)] = 8000
    names: Annotated[
        tuple[SettingText, ...], Said(SettingWanted.NAMES), Only(_are_host_names, SettingWanted.NAMES)
    ] = ("boxlid.local",)


@dataclass(frozen=True, slots=True)
class VoiceConfig:
    """What is said aloud."""

    on: bool = True
    language: SpokenLanguage = SpokenLanguage.TABLE
    volume: Annotated[int, Between(0, 100)] = 80


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. `Config()` is what counts without a file."""

    table: Annotated[TableConfig, Said(SettingWanted.SECTION)] = field(default_factory=TableConfig)
    camera: Annotated[CameraConfig, Said(SettingWanted.SECTION)] = field(default_factory=CameraConfig)
    simulation: Annotated[SimulationConfig, Said(SettingWanted.SECTION)] = field(
        default_factory=SimulationConfig
    )
    web: Annotated[WebConfig, Said(SettingWanted.SECTION)] = field(default_factory=WebConfig)
    panel: Annotated[Pins, Said(SettingWanted.SECTION)] = field(default_factory=Pins)
    voice: Annotated[VoiceConfig, Said(SettingWanted.SECTION)] = field(default_factory=VoiceConfig)
    mqtt: Annotated[MqttConfig, Said(SettingWanted.SECTION)] = field(default_factory=MqttConfig)

    @property
    def spoken_language(self) -> Language:
        if self.voice.language is SpokenLanguage.TABLE:
            return self.table.language
        return Language(self.voice.language.value)


def load(path: Path) -> Config:
    """The settings in that file; ConfigError lists everything wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(str(path), ("no such file; give --config FILE, or leave it out",)) from None
    except OSError as error:
        raise ConfigError(str(path), (f"cannot be read: {error.strerror}",)) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            str(path), (f"is not a UTF-8 text: {error.reason} at byte {error.start}",)
        ) from None
    return parse(text, str(path))


def parse(text: str, source: str = "boxlid.toml") -> Config:
    """The settings in that text."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(source, (f"is not TOML: {error}",)) from None
    _leave_out(values, source)
    mistakes = list[Mistake]()
    config = as_far_as_read(Config, values, mistakes)
    if config is None or mistakes:
        raise ConfigError(source, tuple(english(each.statement) for each in mistakes))
    return config


def _leave_out(values: dict[str, Any], source: str) -> None:  # Any: whatever TOML holds
    """Keys of former versions that do nothing any more: a file that has them still starts a table."""
    for section, key in GONE:
        table = values.get(section)
        if isinstance(table, dict) and key in table:
            del table[key]
            _log.warning("%s: %s.%s is no setting any more; please delete that line", source, section, key)
