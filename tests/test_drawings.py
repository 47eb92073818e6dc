"""The pictures that belong to the pages are what the script draws."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.drawings import ICONS, STATIC, hero, icon

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", list(ICONS))
def test_the_icons_are_what_the_script_draws(name: str) -> None:
    kept = cv2.imread(str(ROOT / STATIC / name))
    drawn = icon(*ICONS[name])
    assert kept is not None
    assert kept.shape == drawn.shape
    assert np.abs(kept.astype(int) - drawn).max() <= 2


def test_the_start_pages_picture_is_what_the_script_draws() -> None:
    assert (ROOT / STATIC / "hero.svg").read_text(encoding="utf-8") == hero()
