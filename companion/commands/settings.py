"""The settings that a command was given, as `boxlid run` takes them. Opens nothing they name."""

from pathlib import Path

from companion.process.command_error import CallFault, CommandError
from companion.settings.config import Config, ConfigError, load


def given_settings(path: Path | None) -> Config:
    """Those of the file, or the defaults; a bad file is a wrong call."""
    try:
        return Config() if path is None else load(path)
    except ConfigError as error:
        raise CommandError(CallFault.TEXT, 2, text=str(error)) from None
