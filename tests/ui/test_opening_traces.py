"""A trace opens by what is in it, whatever it is called."""

import pytest

from inspector.trace.chrome_json import trace_events
from inspector.trace.trace_file import SavedTrace, to_bytes
from tests.formats.traces.test_perfetto import HEAD, begin, end
from tests.trace.test_trace_file import example

BODIES = {
    "recording.npz": bytes(to_bytes(SavedTrace(example()))),
    "no suffix": trace_events(example(), (), {}),
    "app.pftrace": b"".join((*HEAD, begin(1000, "a"), end(2000))),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_trace_opens_by_its_content(tmp_path, qtbot, window, name):
    path = tmp_path / name
    path.write_bytes(BODIES[name])
    workspace = window.workspace
    with qtbot.waitSignal(workspace.trace_opened):
        workspace.open(path)
    assert [trace.path for trace in workspace.traces] == [path]
