"""Weights at half precision become the same network again."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.networks import halves, network

FACES = (network.WEIGHTS / "faces.onnx").read_bytes()


def said(model: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(model, np.uint8))
    net.setInput(np.random.default_rng(1).normal(0, 1, (2, 3, 40, 40)).astype(np.float32))
    return np.asarray(net.forward(), np.float32)


def test_a_halved_network_says_the_same_within_a_hundredth() -> None:
    model = halves.whole(FACES)
    small = halves.halved(model)
    assert len(small) < 0.6 * len(model)
    assert said(halves.whole(small)) == pytest.approx(said(model), abs=0.02)


def test_halving_twice_and_making_whole_twice_change_nothing() -> None:
    small = halves.halved(FACES)
    assert halves.halved(small) == small
    assert halves.whole(halves.whole(small)) == halves.whole(small)


def test_all_weights_together_take_less_than_a_megabyte() -> None:
    kept = sum(path.stat().st_size for path in Path(network.WEIGHTS).glob("*.onnx"))
    assert kept <= 1_000_000
