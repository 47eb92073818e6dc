"""Who may what at a broker: accounts, and the rules of mosquitto that hold each to its own topics."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.mqtt.discovery import discovery_topic
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import CLUB, DISCOVERY_PREFIX, PREFIX

ROUNDS = 101  # of PBKDF2, as mosquitto_passwd has it: these passwords are too long to be guessed
SALT_BYTES = 12
LARGEST_MESSAGE = 65_536


class Role(StrEnum):
    """What an account is for."""

    BOX = "box"
    CLUB = "club"
    HOME = "home"  # Home Assistant, or whatever else commands the tables


@dataclass(frozen=True, slots=True)
class Account:
    """One name at the broker."""

    role: Role
    name: str


def password_line(name: str, password: str, salt: bytes) -> str:
    """As mosquitto_passwd writes it: PBKDF2 with SHA-512."""
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    parts = [base64.b64encode(part).decode() for part in (salt, key)]
    return f"{name}:$7${ROUNDS}${'$'.join(parts)}"


def acl(accounts: Sequence[Account], prefix: str = PREFIX, discovery_prefix: str = DISCOVERY_PREFIX) -> str:
    """All that is not allowed here is not allowed at all."""
    blocks = ["# Made by boxlid mqtt-accounts. Whoever is not named here may do nothing."]
    for account in accounts:
        lines = _RULES[account.role](account.name, prefix, discovery_prefix)
        blocks.append("\n".join([f"user {account.name}", *(f"topic {line}" for line in lines)]))
    return "\n\n".join(blocks) + "\n"


def _box(name: str, prefix: str, discovery_prefix: str) -> list[str]:
    """A table speaks for itself, and hears what is meant for it."""
    config = MqttConfig(prefix=prefix, box=name, discovery_prefix=discovery_prefix)
    topics = config.topics
    speaks = [topics.available, topics.state, topics.event, topics.result, topics.lamp("+")]
    found = [f"write {topic}" for topic in speaks]
    if discovery_prefix:
        found.append(f"write {discovery_topic(config)}")
    return [*found, f"read {prefix}/{name}/command/+", f"read {topics.ask}"]


def _club(_: str, prefix: str, __: str) -> list[str]:
    """A club hears all tables, tells them nothing but its questions."""
    heard = [f"read {prefix}/+/{what}" for what in ("available", "state", "event", "result")]
    return [*heard, f"readwrite {prefix}/{CLUB}/#"]


def _home(_: str, prefix: str, discovery_prefix: str) -> list[str]:
    found = [f"read {prefix}/#", f"write {prefix}/+/command/+"]
    return [*found, f"readwrite {discovery_prefix}/#"] if discovery_prefix else found


_RULES = {Role.BOX: _box, Role.CLUB: _club, Role.HOME: _home}


def settings_text(folder: str, port: int, *, tls: bool) -> str:
    """What mosquitto's own settings need beside; for its folder conf.d."""
    lines = [
        "# Made by boxlid mqtt-accounts.",
        f"listener {port}",
        "allow_anonymous false",
        f"password_file {folder}/passwords",
        f"acl_file {folder}/acl",
        f"message_size_limit {LARGEST_MESSAGE}",
    ]
    if tls:
        lines += [f"certfile {folder}/server.crt", f"keyfile {folder}/server.key"]
    return "\n".join(lines) + "\n"
