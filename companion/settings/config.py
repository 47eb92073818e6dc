"""The settings: one boxlid.toml as frozen values, all its mistakes found before anything starts."""

import ipaddress
import re
import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from companion.game import HouseRules, LocksTakeEffect
from companion.mqtt.settings import MqttConfig
from companion.settings.mqtt import read_mqtt
from companion.settings.pins import read_pins
from companion.settings.toml_section import Section
from companion.words import english
from hardware.pins import Pins
from vision.cameras.address import AddressError, StreamAddress
from vision.simulation.shape import Shape

LONGEST_PATIENCE = 600
LONGEST_DELAY = 1.5  # seconds; more than that no press can wait
HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*")


class ConfigError(Exception):
    """The settings cannot be used: `problems` has a line for each bad value."""

    def __init__(self, source: str, problems: tuple[str, ...]) -> None:
        self.problems = problems
        listed = problems if len(problems) == 1 else (f"{len(problems)} settings need a change", *problems)
        super().__init__(f"{source}: " + "\n  ".join(listed))


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


class CameraKind(StrEnum):
    """Which camera to use."""

    AUTO = "auto"  # a Pi camera, else a USB camera, else the simulated table
    PICAMERA = "picamera"
    USB = "usb"
    NETWORK = "network"
    FOLDER = "folder"
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class TableConfig:
    """How this table plays unless a game is set up otherwise."""

    language: Language = Language.ENGLISH
    rolls: Rolls = Rolls.BUTTON
    offer_first: OfferFirst = OfferFirst.AUTO
    house: HouseRules = field(default_factory=HouseRules)


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Where pictures come from."""

    kind: CameraKind = CameraKind.AUTO
    device: int = 0
    folder: str = ""
    url: str = ""
    credentials: str = ""
    delay: float = 0.5
    width: int = 1280
    height: int = 720
    lock_exposure: bool = True


@dataclass(frozen=True, slots=True)
class SimulationConfig:
    """What the simulated table is like, where there is one."""

    place: Shape = Shape.LID


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Where the pages are."""

    host: str = "0.0.0.0"
    port: int = 8000
    names: tuple[str, ...] = ("boxlid.local",)
    keep_pictures_minutes: int = 0


@dataclass(frozen=True, slots=True)
class VoiceConfig:
    """What is said aloud."""

    on: bool = True
    language: SpokenLanguage = SpokenLanguage.TABLE
    volume: int = 80


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. `Config()` is what counts without a file."""

    table: TableConfig = field(default_factory=TableConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    simulation: SimulationConfig = field(default_factory=SimulationConfig)
    web: WebConfig = field(default_factory=WebConfig)
    panel: Pins = field(default_factory=Pins)
    voice: VoiceConfig = field(default_factory=VoiceConfig)
    mqtt: MqttConfig = field(default_factory=MqttConfig)

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
    problems: list[str] = []
    top = Section("", values, problems)
    config = Config(
        _table(top.section("table")),
        _camera(top.section("camera")),
        _simulation(top.section("simulation")),
        _web(top.section("web")),
        read_pins(top.section("panel")),
        _voice(top.section("voice")),
        read_mqtt(top.section("mqtt")),
    )
    top.close()
    if problems:
        raise ConfigError(source, tuple(problems))
    return config


def _table(section: Section) -> TableConfig:
    usual = HouseRules()
    table = TableConfig(
        section.choice("language", Language.ENGLISH),
        section.choice("rolls", Rolls.BUTTON),
        section.choice("offer_first", OfferFirst.AUTO),
        HouseRules(
            section.choice("locks_take_effect", LocksTakeEffect.AT_ONCE),
            section.switch("scores_hidden", usual.scores_hidden),
            section.switch("pass_by_itself", usual.pass_by_itself),
            section.whole("patience", usual.patience, 0, LONGEST_PATIENCE),
            section.choice("hints", usual.hints),
            section.choice("pace", usual.pace),
            section.choice("leaning", usual.leaning),
        ),
    )
    section.close()
    return table


def _camera(section: Section) -> CameraConfig:
    usual = CameraConfig()
    camera = CameraConfig(
        section.choice("kind", usual.kind),
        section.whole("device", usual.device, 0, 63),
        section.text("folder", usual.folder),
        section.text("url", usual.url),
        section.text("credentials", usual.credentials),
        section.number("delay", usual.delay, 0, LONGEST_DELAY),
        section.whole("width", usual.width, 320, 4096),
        section.whole("height", usual.height, 240, 3072),
        section.switch("lock_exposure", usual.lock_exposure),
    )
    if camera.kind is CameraKind.FOLDER and not camera.folder:
        section.problems.append(
            'camera.folder = "": allowed with kind = "folder" is the path of a folder of pictures'
        )
    _check_network(camera, section.problems)
    for key, size in (("width", camera.width), ("height", camera.height)):
        if size % 2:
            section.refuse(key, "an even number: cameras deliver colour for pairs of pixels")
    section.close()
    return camera


def _simulation(section: Section) -> SimulationConfig:
    simulation = SimulationConfig(section.choice("place", SimulationConfig().place))
    section.close()
    return simulation


def _check_network(camera: CameraConfig, problems: list[str]) -> None:
    """The address is not repeated: somebody may have put a password into it."""
    if camera.kind is CameraKind.NETWORK or camera.url:
        try:
            StreamAddress.parse(camera.url)
        except AddressError as error:
            problems.append(f"camera.url: {english(error)}")


def _web(section: Section) -> WebConfig:
    usual = WebConfig()
    web = WebConfig(
        section.text("host", usual.host),
        section.whole("port", usual.port, 1, 65535),
        section.texts("names", usual.names),
        section.whole("keep_pictures_minutes", usual.keep_pictures_minutes, 0, 60),
    )
    if not _is_address(web.host) and web.host != "localhost":
        section.refuse("host", 'an address of this machine such as "127.0.0.1", or "0.0.0.0" for all')
    if not all(HOST_NAME.fullmatch(name) for name in web.names):
        section.refuse("names", 'names without http:// or port, in small letters, such as ["boxlid.local"]')
    section.close()
    return web


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _voice(section: Section) -> VoiceConfig:
    usual = VoiceConfig()
    voice = VoiceConfig(
        section.switch("on", usual.on),
        section.choice("language", usual.language),
        section.whole("volume", usual.volume, 0, 100),
    )
    section.close()
    return voice
