"""A trace opens by what is in it, whatever it is called."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector.export.traces.chrome_json import trace_events
from inspector.trace.trace_file import SavedTrace, to_bytes
from inspector.ui.window.main_window import MainWindow
from tests.formats.traces.test_perfetto import HEAD, begin, end
from tests.trace.test_trace_file import example

BODIES = {
    "recording.npz": bytes(to_bytes(SavedTrace(example()))),
    "no suffix": trace_events(example(), (), {}),
    "app.pftrace": b"".join((*HEAD, begin(1000, "a"), end(2000))),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_trace_opens_by_its_content(
    tmp_path: Path, qtbot: QtBot, window: MainWindow, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(BODIES[name])
    workspace = window.workspace
    with qtbot.waitSignal(workspace.trace_opened):
        workspace.open(path)
    assert [trace.path for trace in workspace.traces] == [path]
