"""The host joins all parts: camera and reader, table and journal, panel and voice, pages. Owns no rules."""

from companion.host.joined import Host, Options

__all__ = ["Host", "Options"]
