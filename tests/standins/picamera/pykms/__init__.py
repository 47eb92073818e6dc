"""Off a Pi: picamera2's DRM preview imports pykms at its top; nothing of it is used here."""


class PixelFormat:
    RGB888 = BGR888 = XRGB8888 = XBGR8888 = YUV420 = YVU420 = NV12 = YUYV = None
