"""Addresses as callers have them, and as they stand in a host's name. Knows no names and asks nobody."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def address_of(text: str | None) -> Address | None:
    """The address; one of IPv4 that came through a socket for both is one of IPv4."""
    try:
        found = ipaddress.ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def is_loopback(text: str | None) -> bool:
    """Whether it is this machine itself."""
    found = address_of(text)
    return found is not None and found.is_loopback
