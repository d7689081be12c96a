"""The edits of a document: applied in order, checked after each, undone, kept for later."""

from collections.abc import Iterator

import pytest

from inspector.app.changing.editing import EditState
from inspector.conversion.edits import choices
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats import opening
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.session_files import OpenDocument, SessionFolder, SessionState

WAIT_MS = 30_000
pytestmark = pytest.mark.engine


@pytest.fixture
def document(digits, qtbot) -> Iterator[Document]:
    made = Document(digits, RunSpec(), lambda _: EngineProcess())
    made.model = opening.open_model(digits)
    yield made
    made.close()


def test_edits_are_applied_checked_undone_and_saved(document, qtbot, tmp_path):
    editing, told = document.editing, []
    document.watch(lambda: told.append(document.unsaved_edits), Topic.EDITS)
    relu = next(layer.index for layer in editing.model.layers if layer.name == "stem/relu")
    past = choices.bypass(editing.model, relu)
    seen = []
    editing.previews((past,), seen.append)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    assert seen[0][0].removed == (relu,)
    assert editing.steps == ()

    editing.apply(past)
    editing.apply(choices.rename_value("picture", "image"))  # at once: it waits for the first
    editing.apply(choices.rename_value("nothing", "x"))
    with qtbot.waitSignal(editing.failed, timeout=WAIT_MS) as failure:
        pass
    assert "no input, output or tensor 'nothing'" in failure.args[0].why
    qtbot.waitUntil(lambda: editing.verdict.state is EditState.RUNS, timeout=WAIT_MS)
    assert [str(edit.title) for edit in editing.edits] == [
        "Bypass 'stem/relu'",
        "Rename picture",
    ]
    assert editing.model.inputs[0].name == "image"
    assert len(editing.model.layers) == len(document.model.layers) - 1
    assert [mark.kind for mark in editing.marks.values()] == ["rewired"]

    editing.undo()
    qtbot.waitUntil(lambda: len(editing.steps) == 1 and not editing.busy, timeout=WAIT_MS)
    editing.redo()
    qtbot.waitUntil(lambda: len(editing.steps) == 2 and not editing.busy, timeout=WAIT_MS)
    copy = tmp_path / "copy.onnx"
    editing.save(copy)
    qtbot.waitUntil(lambda: document.edited_copy == copy, timeout=WAIT_MS)
    assert document.unsaved_edits == 0
    qtbot.waitUntil(lambda: editing.verdict.state is EditState.RUNS, timeout=WAIT_MS)
    assert editing.copy_runs
    content = copy.read_bytes()
    copy.write_bytes(b"")
    assert not editing.copy_runs
    copy.write_bytes(content)
    assert [info.name for info in opening.open_model(copy).inputs] == ["image"]
    editing.remove(0)
    qtbot.waitUntil(lambda: len(editing.steps) == 1 and not editing.busy, timeout=WAIT_MS)
    assert document.unsaved_edits == 1
    assert 2 in told


def test_edits_of_an_earlier_session_are_there_again(document, qtbot, tmp_path):
    step = choices.rename_value("picture", "image")
    state = SessionState(documents=(OpenDocument(str(document.path), edits=(step,)),))
    folder = SessionFolder(tmp_path)
    folder.write(state)
    (again,) = (each for each in folder.all() if each.documents)
    folder.end(state)
    document.restore_edits(again.documents[0].edits)
    assert document.unsaved_edits == 1
    qtbot.waitUntil(lambda: document.editing.steps == (step,), timeout=WAIT_MS)
    assert document.editing.model.inputs[0].name == "image"
    assert document.edit_steps == (step,)
