"""Text that a terminal or a pipe of another encoding can take."""

import io
import sys

import pytest

from inspector.platform import terminal


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def printed(stream: io.TextIOWrapper, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr("sys.stdout", stream)
    with terminal.plain_output():
        sys.stdout.write("Conv → Relu ██▏ 3×3 12 µs ☃\n")
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue()


def test_a_pipe_gets_utf_8(monkeypatch):
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    pipe = io.TextIOWrapper(io.BytesIO(), encoding="cp1252", newline="\n")
    assert printed(pipe, monkeypatch).decode("utf-8") == "Conv → Relu ██▏ 3×3 12 µs ☃\n"


def test_a_terminal_without_arrows_shows_what_looks_like_them(monkeypatch):
    old = _Terminal(io.BytesIO(), encoding="ascii", newline="\n")
    assert printed(old, monkeypatch) == b"Conv -> Relu ##| 3x3 12 us \\u2603\n"


def test_who_asks_for_an_encoding_gets_it(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    pipe = io.TextIOWrapper(io.BytesIO(), encoding="cp1252", newline="\n")
    assert printed(pipe, monkeypatch) == b"Conv -> Relu ##| 3\xd73 12 \xb5s \\u2603\n"


@pytest.mark.parametrize(("value", "bold"), [("", True), ("1", False)])
def test_no_color_turns_bold_off(value, bold, monkeypatch):
    monkeypatch.setenv("NO_COLOR", value)
    monkeypatch.setattr("sys.stdout", _Terminal(io.BytesIO()))
    assert terminal.takes_bold() is bold
