"""GStreamer's RTSP server, which shows one picture as H.264; run by the system's own Python, which has gi.

rtsp_server.py PICTURE [NAME:PASSWORD]; prints its port.
"""

import sys
from typing import Any

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

DIGEST = 2  # GstRtsp.RTSPAuthMethod.DIGEST
LAUNCH = (
    "( filesrc location={picture} ! jpegdec ! imagefreeze is-live=true ! video/x-raw,framerate=10/1"
    " ! videoconvert ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=10 bitrate=4000"
    " ! rtph264pay name=pay0 pt=96 )"
)


def main(picture: str, credentials: str = "") -> None:
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service("0")
    shown = GstRtspServer.RTSPMediaFactory()
    shown.set_launch(LAUNCH.format(picture=picture))
    shown.set_shared(True)
    if credentials:
        close_to_others(server, shown, *credentials.split(":", 1))
    server.get_mount_points().add_factory("/live", shown)
    server.attach(None)
    print(server.get_bound_port(), flush=True)
    GLib.MainLoop().run()


def close_to_others(server: Any, shown: Any, name: str, password: str) -> None:
    """Digest, as cameras have it."""
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "user")
    guard = GstRtspServer.RTSPAuth()
    guard.set_supported_methods(DIGEST)
    guard.add_digest(name, password, token)
    may = GstRtspServer.RTSPPermissions()
    for what in ("access", "construct"):
        may.add_permission_for_role("user", f"media.factory.{what}", True)
    shown.set_permissions(may)
    server.set_auth(guard)


main(*sys.argv[1:])
