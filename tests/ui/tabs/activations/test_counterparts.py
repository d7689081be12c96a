"""Layers beside recorded tensors, and the way to the layer of another model."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto

from inspector.preview.runs.other_run import OtherRun
from inspector.ui.window.tabs import Tab
from tests.ui.tabs.activations.test_values_tab import SAMPLES, shown, walk

pytestmark = pytest.mark.engine
DIGITS = SAMPLES / "digits_float32.onnx"


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """What the layers of the sample give for its usual input."""
    model = onnx.load(DIGITS)
    names = [node.output[0] for node in model.graph.node]
    more = ModelProto()
    more.CopyFrom(model)
    given = {output.name for output in model.graph.output}
    more.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names if n not in given)
    session = onnxruntime.InferenceSession(more.SerializeToString())
    (info,) = session.get_inputs()
    shape = [axis if isinstance(axis, int) else 1 for axis in info.shape]
    x = np.random.default_rng(0).random(shape, np.float32)
    values = dict(zip(names, session.run(names, {info.name: x}), strict=True))
    np.savez(tmp_path / "hooks.npz", **{name: values[name] for name in names})
    np.save(tmp_path / "x.npy", x)
    return tmp_path / "hooks.npz"


def test_layers_are_compared_with_recorded_tensors(qtbot, theme, recording):
    tab = shown(qtbot, theme, DIGITS)
    try:
        tab.fields.recording = recording
        tab.fields.set_devices(())
        tab.fields.against.show_value("recorded")
        assert tab.fields.side.recorded == str(recording)
        walk(qtbot, tab)
        found = tab.document.stepping.found
        assert found.across
        assert "counterpart" in [column.key for column in tab.list.model.columns]
        named = {step.name: step for step in found.steps}
        compared = [step for step in named.values() if step.worst is not None]
        assert len(compared) > 10
        assert tab.detail.output.match is not None
        assert not tab.detail.to_counterpart.isVisibleTo(tab), "nothing is recorded of a graph"
        with qtbot.waitSignal(tab.document.stepping.changed, timeout=20_000):
            tab.find_first(OtherRun(level="basic"))
        assert tab.fields.side == OtherRun(level="basic")
        assert tab.document.stepping.found.against
    finally:
        tab.document.close()


def test_a_click_leads_to_the_layer_of_the_other_model(qtbot, window):
    opened = window.workspace
    paths = DIGITS, SAMPLES / "digits_int8_qdq.onnx"
    with qtbot.waitSignal(opened.opening_ended):
        opened.open(*paths)
    first, other = (next(d for d in opened.documents if d.path == path) for path in paths)
    window.show_document(first)
    window.run_command("compare/selected", other.path, 3)
    assert (other.selection.now.layer, window.document) == (3, first)
    window.run_command("compare/counterpart", other.path, 5)
    assert window.document is other
    assert other.selection.now.layer == 5
    assert window.view.current.id == Tab.GRAPH.id
