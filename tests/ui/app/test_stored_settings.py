"""No settings file keeps the window from opening, or takes memory and time for it."""

import os
import sys

import pytest
from PySide6.QtCore import QSettings

from inspector.ui.app.application import _is_harmless, make_window, stored_settings

HEAD = b"[General]\ntheme=dark\n"
# A list that declares 4 billion values, for which Qt reserves memory and ends the process.
ENDLESS = rb"(\0\0\0\t\xff\xff\xff\xfe)"
DAMAGED = {
    "a list of 4 billion values": HEAD + b"geometry=@Variant" + ENDLESS,
    "the same among others": HEAD + b"recent=/a, @Variant" + ENDLESS,
    "the same in quotes": HEAD + b'geometry="@Var"iant' + ENDLESS,
    "the same with a coded letter": HEAD + rb"geometry=\x40Vari\141nt" + ENDLESS,
    "the same over two lines": HEAD + b"geometry=@Vari\\\nant" + ENDLESS,
    "the same with an unknown escape": HEAD + rb"geometry=@Var\iant" + ENDLESS,
    "the same with another one": HEAD + rb"geometry=@Vari\zant" + ENDLESS,
    "lists in lists": HEAD + b"geometry=@Variant(" + rb"\0\0\0\t\0\0\0\x1" * 50_000 + b")",
    "a time": HEAD + b"geometry=@DateTime" + ENDLESS,
    "too large": HEAD + b"recent=" + b"a," * (1 << 20),
    "no settings": b"[General\ntheme=dark",
}
ODD = {
    "bytes among paths": b"recent=/a, @ByteArray(xx)\n",
    "bytes as a path": b"recent=@ByteArray(xx)\n",
    "many paths": b"recent=" + b", ".join(b"/%d" % place for place in range(50_000)),
    "a path with a null character": rb"recent=a\0b, c",
    "half a character": rb"recent=a\xd800, c",
    "lists for switches": b"sidebar=a, b\ninspector=1, 2\nrestore=3, 4\n",
    "nothing": b"sidebar=@Invalid()\nrecent=@Invalid()\ngeometry=@Invalid()\n",
    "a theme that is none": b"theme=plaid\n",
    "a geometry that is none": b"geometry=@ByteArray(xx)\n",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_file_that_qt_would_choke_on_is_set_aside(qtbot, qapp, tmp_path, name):
    path = tmp_path / "window.ini"
    path.write_bytes(DAMAGED[name])
    window = make_window(qapp, path)
    qtbot.addWidget(window)
    message = window.notice.message(None)
    assert message.what == "The settings file was damaged"
    assert (tmp_path / "window.ini.damaged").read_bytes() == DAMAGED[name]


@pytest.mark.parametrize("name", ODD)
def test_a_value_of_another_type_is_as_none(qtbot, qapp, tmp_path, name):
    path = tmp_path / "window.ini"
    path.write_bytes(b"[General]\n" + ODD[name])
    window = make_window(qapp, path)
    qtbot.addWidget(window)
    window.show()
    assert window.notice.message(None) is None
    assert window.workspace.recent == ()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path):
    path = tmp_path / "window.ini"
    os.mkfifo(path)
    stored, aside = stored_settings(path)
    assert aside is not None
    assert stored.allKeys() == []


def test_texts_that_look_like_such_values_stay(tmp_path):
    path = tmp_path / "window.ini"
    texts = ["@Variant(x)", "/home/me@Variant(1)/a.onnx", "@ByteArray(", r"\@DateTime(", "a, b"]
    stored = QSettings(str(path), QSettings.Format.IniFormat)
    stored.setValue("recent", texts)
    stored.setValue("record/command", texts[0])
    stored.sync()
    assert _is_harmless(path)
    again, aside = stored_settings(path)
    assert aside is None
    assert again.value("recent") == texts
    assert again.value("record/command") == texts[0]
