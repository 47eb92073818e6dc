"""The kinds of cameras there are, as settings and cameras both name them. Opens none."""

from enum import StrEnum


class CameraKind(StrEnum):
    """`auto` takes the first that opens: a Pi camera, then a USB camera; a table without one simulates."""

    AUTO = "auto"
    PICAMERA = "picamera"
    USB = "usb"
    NETWORK = "network"
    FOLDER = "folder"
    SIMULATED = "simulated"
