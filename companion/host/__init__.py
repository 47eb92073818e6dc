"""The host joins all parts: camera and reader, table and journal, panel and voice, pages. Owns no rules."""

from companion.host.joined import Host, HostError, Options

__all__ = ["Host", "HostError", "Options"]
