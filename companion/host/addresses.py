"""The addresses at which phones on the same network find this machine. Sends nothing."""

import ipaddress
import socket

# Connecting a datagram socket sends no packet; it only asks the system which way it would go.
_SOMEWHERE_ELSE = ("192.0.2.1", 9)


def lan_addresses(host: str, port: int) -> tuple[str, ...]:
    """The best address first, for a server on `host`; the loopback one if there is no network."""
    if host not in ("0.0.0.0", "::"):
        return (_url(host, port),)
    found = _outgoing()
    return (_url(found or "127.0.0.1", port),)


def _outgoing() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE_ELSE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if ipaddress.ip_address(address).is_unspecified else address


def _url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}" if port == 80 else f"http://{shown}:{port}"
