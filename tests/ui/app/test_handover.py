"""A second start gives its files to the window that is open; nothing else does."""

import os
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from inspector.platform.files import sample
from inspector.ui.app import handover
from inspector.ui.app.after_start import Receiver
from inspector.ui.app.application import Start, _arguments
from inspector.ui.window.tabs import Tab

pytestmark = pytest.mark.skipif(os.name != "posix", reason="addresses are files of a system")


@pytest.fixture
def address():
    with tempfile.TemporaryDirectory(prefix="i-") as folder:  # short enough for a socket
        yield handover.address(Path(folder) / "window.ini")


@pytest.fixture
def receiver(qtbot, window, address, monkeypatch):
    monkeypatch.setattr(handover, "_REPLY_SECONDS", 60.0)  # a busy machine may take longer
    made = Receiver(window, address)
    assert given(qtbot, handover.is_answered, address)
    return made


def given(qtbot, function, *arguments):
    """What a start gets for an answer, while the window lives."""
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(function, *arguments)
        qtbot.waitUntil(answer.done)
        return answer.result()


def test_a_second_start_opens_its_file_in_the_open_window_at_its_view(
    qtbot, window, receiver, address
):
    window.showMinimized()
    path = str(sample("digits_float32.onnx"))
    assert given(qtbot, handover.hand_over, address, [path], "graph")
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    assert str(window.document.path) == path
    qtbot.waitUntil(lambda: window.view.current is Tab.GRAPH)
    assert not window.isMinimized()
    assert given(qtbot, handover.hand_over, address, [path], "weights")
    qtbot.waitUntil(lambda: window.view.current is Tab.WEIGHTS)
    assert len(window.workspace.documents) == 1


def test_only_the_socket_of_this_user_is_for_this_user(qtbot, receiver, address):
    mode = os.stat(address).st_mode
    assert mode & 0o077 == 0
    assert handover.address(Path(address).parent / "other.ini") != address


@pytest.mark.parametrize(
    "body",
    [b"x\n", b"[]\n", b'{"files": 1, "view": ""}\n', b'{"files": [1], "view": ""}\n', b"["],
)
def test_what_is_no_request_opens_nothing(qtbot, window, receiver, address, body):
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        line.sendall(body)
    assert given(qtbot, handover.is_answered, address)
    assert window.front() is None


def test_the_window_that_is_open_longer_is_asked_and_a_killed_one_is_not(
    qtbot, window, receiver, address, tmp_path
):
    left = handover.address(Path(address).parent / "killed.ini")
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(left)
    assert not handover.hand_over(left, ["a.onnx"], "")
    Receiver(window, left)
    assert given(qtbot, handover.is_answered, left)
    assert not handover.hand_over(str(tmp_path / "none"), ["a.onnx"], "")
    plain = tmp_path / "plain"
    plain.write_text("no socket")
    assert not handover.hand_over(str(plain), ["a.onnx"], "")


def test_a_start_that_needs_a_window_of_its_own_hands_nothing_over():
    assert _arguments(["a.onnx"]).may_hand_over
    assert not Start().may_hand_over
    for more in (["--new-window"], ["--language", "de"], ["-"]):
        assert not _arguments(["a.onnx", *more]).may_hand_over
