"""A window that cannot open for the lack of a library says which packages have it."""

import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector import __main__ as entry
from inspector.ui.app import display_check

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
        words, env=kept, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize("name", ["libxcb-cursor.so.0", "libxkbcommon-x11.so.0", "libEGL.so.1"])
def test_a_missing_library_is_told_with_the_line_that_installs_it(name, tmp_path):
    (tmp_path / name).write_text("no library")  # as good as missing, for the loader
    done = opened(tmp_path / name, "xcb")
    assert done.returncode == 1
    first, debian, fedora, *_ = done.stderr.splitlines()
    assert first.startswith("Could not open the window: Qt needs lib")
    assert debian.startswith("Debian, Ubuntu:  sudo apt install libxcb-cursor0 ")
    assert fedora.startswith("Fedora:          sudo dnf install xcb-util-cursor ")
    assert "qt.qpa" not in done.stderr  # Qt itself was not asked


def test_a_platform_without_a_screen_needs_no_library(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert display_check.missing_library() == ""


def test_the_library_is_found_in_the_words_of_the_loader():
    said = "libxcb-icccm.so.4: cannot open shared object file: No such file or directory"
    assert display_check.library_of(said) == "libxcb-icccm.so.4"


def desktop(monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    """Set the variables that name a screen, and no others of them."""
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("display", [":4711", "127.0.0.1:4711.0", "nonsense", "/no/socket:0"])
def test_a_display_that_leads_nowhere_is_one_sentence_and_no_application_is_made(
    display, monkeypatch, capsys
):
    desktop(monkeypatch, DISPLAY=display)
    monkeypatch.setattr(
        display_check, "missing_library", lambda: ""
    )  # this machine may lack some
    monkeypatch.setattr("inspector.ui.app.application.make_application", pytest.fail)
    assert entry._window([]) == 1
    first, *rest = capsys.readouterr().err.splitlines()
    no_display = "Could not open the window: could not connect to the display"
    assert first == f"{no_display} (DISPLAY={display})"
    assert len(rest) == 1


def setup_reply(success: bool) -> bytes:
    """Return what an X server answers to a client: the fewest fields that the protocol has."""
    if not success:
        reason = b"no protocol"
        body = reason + bytes(-len(reason) % 4)
        return struct.pack("<BBHHH", 0, len(reason), 11, 0, len(body) // 4) + body
    body = struct.pack("<IIIIHHBBBBBBBBI", 1, 0, 0, 0, 0, 65535, 0, 0, 0, 0, 32, 32, 8, 255, 0)
    return struct.pack("<BBHHH", 1, 0, 11, 0, len(body) // 4) + body


@pytest.fixture(params=[True, False], ids=["answers", "refuses"])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, bool]]:
    """A server that speaks the first words of X11 over TCP; its display and what it says."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(setup_reply(request.param))
                connection.recv(4096)

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{port - 6000}", request.param


def test_a_display_is_reachable_if_its_server_takes_the_connection(server, monkeypatch):
    display, answers = server
    desktop(monkeypatch, DISPLAY=display)
    assert display_check.unreachable_display() == ("" if answers else f"DISPLAY={display}")


def test_a_compositor_of_wayland_is_enough(tmp_path, monkeypatch):
    desktop(monkeypatch, DISPLAY=":4711", WAYLAND_DISPLAY="w", XDG_RUNTIME_DIR=str(tmp_path))
    assert display_check.unreachable_display() == "WAYLAND_DISPLAY=w and DISPLAY=:4711"
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "w"))
        compositor.listen()
        assert display_check.unreachable_display() == ""


def test_a_platform_without_a_screen_needs_no_display(monkeypatch):
    desktop(monkeypatch, DISPLAY=":4711", QT_QPA_PLATFORM="offscreen")
    assert display_check.unreachable_display() == ""
