"""`[mqtt]` of the settings, each mistake told. Connects to nothing."""

import re

from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import LONGEST_NAME, MqttCommand, is_name, is_prefix
from companion.settings.toml_section import Section, one_of

_HOST = re.compile(r"[A-Za-z0-9._:%-]{1,253}")  # a name, or an address of either kind


def read_mqtt(section: Section) -> MqttConfig:
    usual = MqttConfig()
    found = MqttConfig(
        section.text("broker", usual.broker),
        section.whole("port", usual.port, 0, 65535),
        section.text("user", usual.user),
        section.text("password_file", usual.password_file),
        section.switch("tls", usual.tls),
        section.text("ca_file", usual.ca_file),
        section.text("prefix", usual.prefix),
        section.text("box", usual.box),
        _commands(section),
        section.text("discovery_prefix", usual.discovery_prefix),
    )
    _check(section, found)
    section.close()
    return found


def _commands(section: Section) -> tuple[MqttCommand, ...]:
    if not section.has("commands"):
        return ()
    found = section.texts("commands", ())
    if not all(each in tuple(MqttCommand) for each in found):
        section.refuse("commands", f"a list of some of {one_of(tuple(MqttCommand))}")
        return ()
    return tuple(MqttCommand(each) for each in found)


def _check(section: Section, found: MqttConfig) -> None:
    if found.broker and not _HOST.fullmatch(found.broker):
        section.refuse("broker", "a name or an address without mqtt:// or a port; the port has its own key")
    if not is_prefix(found.prefix):
        section.refuse("prefix", 'words of plain letters, digits, - and _ with / between, such as "boxlid"')
    if found.box and not is_name(found.box):
        text = f'up to {LONGEST_NAME} of a-z, 0-9, - and _, such as "kitchen", and not "club"'
        section.refuse("box", text)
    if found.discovery_prefix and not is_prefix(found.discovery_prefix):
        section.refuse("discovery_prefix", 'such as "homeassistant", or "" for none')
    if found.password_file and not found.user:
        section.refuse("password_file", "a file only beside a user")
    if found.ca_file and not found.tls:
        section.refuse("ca_file", "a file only with tls = true")
