"""Buffers for picamera2 from memfd, where the kernel has neither dma-heaps nor udmabuf."""

import contextlib
import mmap
import os
from collections.abc import Iterable
from typing import Any  # libcamera has no types

import libcamera
from picamera2.allocators.allocator import Allocator


class MemfdAllocator(Allocator):  # type: ignore[misc]  # picamera2 has no types
    def __init__(self) -> None:
        super().__init__()
        self.frame_buffers: dict[Any, list[Any]] = {}
        self.fds: list[int] = []
        self.maps: dict[Any, mmap.mmap] = {}
        self.sync = self.MemSync

    def allocate(self, libcamera_config: Iterable[Any], _use_case: object) -> None:
        self.close()
        for stream in libcamera_config:
            self.frame_buffers[stream.stream] = [self._buffer(stream) for _ in range(stream.buffer_count)]

    def _buffer(self, stream: Any) -> Any:
        fd = os.memfd_create("picamera")
        os.ftruncate(fd, stream.frame_size)
        self.fds.append(fd)
        pixels = stream.size.width * stream.size.height
        planes = []
        nv12 = [(0, pixels), (pixels, pixels // 2)]
        for offset, length in nv12 if str(stream.pixel_format) == "NV12" else [(0, stream.frame_size)]:
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = fd, offset, length
            planes.append(plane)
        buffer = libcamera.FrameBuffer(planes)
        self.maps[buffer] = mmap.mmap(fd, stream.frame_size)
        return buffer

    def buffers(self, stream: Any) -> list[Any]:
        return self.frame_buffers[stream]

    def close(self) -> None:
        for memory in self.maps.values():
            with contextlib.suppress(BufferError):  # an array still looks into it; it goes with the array
                memory.close()
        for fd in self.fds:
            os.close(fd)
        self.frame_buffers, self.fds, self.maps = {}, [], {}

    class MemSync:
        def __init__(self, allocator: "MemfdAllocator", buffer: Any, write: bool) -> None:
            self.memory = allocator.maps[buffer]

        def __enter__(self) -> mmap.mmap:
            return self.memory

        def __exit__(self, *_: object) -> None:
            return None

        def get_buffer(self) -> mmap.mmap:
            return self.memory
