import io
import sys
import zipfile
from pathlib import Path

from inspector.errors import InspectorError
from inspector.formats.names import STANDARD_INPUT
from tests.formats.build import add, model, ramp, weight

ADD = model([add()], [weight("w", ramp(4))]).SerializeToString()


def packed(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, ADD if name.endswith(".onnx") else b"text")
    return path


def test_every_model_of_an_archive_opens_and_its_file_goes_with_it(qtbot, window, tmp_path):
    workspace = window.workspace
    path = packed(tmp_path / "a.zip", "one.onnx", "net/two.onnx", "readme.txt")
    workspace.open(path)
    qtbot.waitUntil(lambda: len([d for d in workspace.documents if d.digest]) == 2)
    assert [d.name for d in workspace.documents] == ["one.onnx", "two.onnx"]
    assert workspace.recent[0] == path
    assert workspace.reading == ()
    places = [d.path for d in workspace.documents if d.path]
    workspace.close(workspace.documents[0])
    assert [place.exists() for place in places] == [False, True]
    workspace.end()
    assert not places[1].exists()


def test_an_archive_without_a_model_is_told(qtbot, window, tmp_path):
    workspace = window.workspace
    told: list[InspectorError] = []
    workspace.failed.connect(told.append)
    workspace.open(packed(tmp_path / "a.zip", "readme.txt"))
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].why == "it is a ZIP archive"
    assert workspace.documents == ()


def test_what_comes_on_standard_input_opens_and_is_not_remembered(qtbot, window, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ADD)))
    workspace = window.workspace
    workspace.open(STANDARD_INPUT)
    qtbot.waitUntil(lambda: any(d.digest for d in workspace.documents))
    (document,) = workspace.documents
    assert document.name == "standard input.onnx"
    assert workspace.recent == ()
    workspace.end()
    assert not document.path.exists()
