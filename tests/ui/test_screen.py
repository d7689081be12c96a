"""A window that cannot open for the lack of a library says which packages have it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.ui import screen

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")


def opened(library: Path | None, platform: str = "") -> subprocess.CompletedProcess[str]:
    """Open the window for a second, with a file in place of a library."""
    kept = {
        k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
    }
    kept |= {"DISPLAY": ":4711", "LD_LIBRARY_PATH": str(library.parent) if library else ""}
    kept |= {"QT_QPA_PLATFORM": platform} if platform else {}
    words = [sys.executable, "-m", "inspector"]
    return subprocess.run(
        words, env=kept, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("name", ["libxcb-cursor.so.0", "libxkbcommon-x11.so.0", "libEGL.so.1"])
def test_a_missing_library_is_told_with_the_line_that_installs_it(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text("no library")  # as good as missing, for the loader
    done = opened(tmp_path / name, "xcb")
    assert done.returncode == 1
    first, debian, fedora, *_ = done.stderr.splitlines()
    assert first.startswith("Could not open the window: Qt needs lib")
    assert debian.startswith("Debian, Ubuntu:  sudo apt install libxcb-cursor0 ")
    assert fedora.startswith("Fedora:          sudo dnf install xcb-util-cursor ")
    assert "qt.qpa" not in done.stderr  # Qt itself was not asked


def test_a_platform_without_a_screen_needs_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert screen.missing_library() == ""


def test_the_library_is_found_in_the_words_of_the_loader() -> None:
    said = "libxcb-icccm.so.4: cannot open shared object file: No such file or directory"
    assert screen.library_of(said) == "libxcb-icccm.so.4"
