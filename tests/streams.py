"""Real servers of moving pictures, as network cameras are, and a line to them that is cut or slowed."""

import contextlib
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, within_patience
from vision.cameras.address import StreamAddress
from vision.cameras.network import NetworkCamera

LID = Path(__file__).parent / "pictures" / "places" / "wood_110.jpg"
SYSTEM_PYTHON = "/usr/bin/python3"
RTSP_SERVER = Path(__file__).parent / "standins" / "rtsp_server.py"
WANTED = "network cameras are tried with real servers: tools/setup.sh dev installs them"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


@contextmanager
def mjpeg_server(picture: Path = LID, port: int = 0) -> Iterator[str]:
    """ffmpeg, which shows it with a little noise to the first who comes; afterwards it begins anew."""
    ffmpeg = shutil.which("ffmpeg") or pytest.fail(WANTED, pytrace=False)
    port = port or free_port()
    url = f"http://127.0.0.1:{port}/video"
    command = [ffmpeg, "-loglevel", "error", "-re", "-loop", "1", "-framerate", "10", "-i", str(picture)]
    command += ["-vf", "noise=alls=2:allf=t", "-q:v", "2", "-f", "mpjpeg", "-listen", "1", url]
    ended, running = threading.Event(), list[subprocess.Popen[bytes]]()

    def serve() -> None:
        while not ended.is_set():
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
                running[:] = [process]
                if ended.is_set():
                    process.kill()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield url
    finally:
        ended.set()
        for process in running:
            process.kill()
        thread.join(PATIENCE)


@contextmanager
def rtsp_server(picture: Path = LID, credentials: str = "") -> Iterator[str]:
    """GStreamer's, as H.264; to whom name and password are known, if any are wanted."""
    command = [SYSTEM_PYTHON, str(RTSP_SERVER), str(picture), *([credentials] if credentials else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = str(within_patience(process.stdout.readline)).strip()
            if not port:
                pytest.fail(WANTED, pytrace=False)
            yield f"rtsp://127.0.0.1:{port}/live"
        finally:
            process.kill()


class Line:
    """A TCP proxy: `cut` ends what there is and refuses what comes, `slow` lets so many bytes a second by."""

    def __init__(self, url: str) -> None:
        address = StreamAddress.parse(url)
        self._target = (address.host, address.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = url.replace(f":{address.port}/", f":{self._listener.getsockname()[1]}/")
        self._mutex = threading.Lock()
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self._bytes_a_second: float | None = None
        self._ended = threading.Event()

    def cut(self) -> None:
        with self._mutex:
            self._is_cut = True
            self._end()

    def mend(self) -> None:
        self._is_cut, self._bytes_a_second = False, None

    def slow(self, bytes_a_second: float) -> None:
        self._bytes_a_second = bytes_a_second

    def _end(self) -> None:
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                with self._mutex:
                    self._join(near)

    def _join(self, near: socket.socket) -> None:
        try:
            if self._is_cut:
                raise ConnectionRefusedError
            far = socket.create_connection(self._target)
        except OSError:
            near.close()
            return
        self._open |= {near, far}
        for source, sink in ((near, far), (far, near)):
            threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                limit = self._bytes_a_second
                if limit is not None:
                    self._ended.wait(len(data) / limit)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def __enter__(self) -> "Line":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._mutex:
            self._end()


def network_camera(url: str, credentials: Path | None = None) -> NetworkCamera:
    return NetworkCamera(StreamAddress.parse(url), credentials)
