"""Types that numpy lacks, from the editor to what is saved, with the real engine."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from inspector.engine.client.engine_process import EngineProcess
from inspector.preview.inputs import npy_files
from inspector.preview.outputs import saving
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.preview.inputs.input_editor import InputEditor
from tests import models
from tests.ui.tabs.preview import tabs

TYPES = ("BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E5M2", "INT4", "UINT4")


def there_and_back(path: Path) -> Path:
    """One input of each type, as float32 and in its own type again."""
    nodes, inputs, outputs = [], [], []
    for name in TYPES:
        kind, low = getattr(TensorProto, name), name.lower()
        inputs.append(models.value(low, [2, 3], kind))
        outputs.append(models.value(f"{low}_plain", [2, 3]))
        outputs.append(models.value(f"{low}_own", [2, 3], kind))
        nodes.append(helper.make_node("Cast", [low], [f"{low}_plain"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("Cast", [f"{low}_plain"], [f"{low}_own"], to=kind))
    return models.save(path, nodes, inputs, outputs, opset=23)


def type_into(editor: InputEditor, typed: str) -> bool:
    if editor.cells is None or editor.cells.isHidden():
        editor.edit.click()
    (table,) = editor.cells.findChildren(QTableView)
    model = table.model()
    return bool(model.setData(model.index(0, 1), typed, Qt.ItemDataRole.EditRole))


@pytest.mark.engine
def test_rare_types_can_be_filled_typed_read_and_saved(qtbot, theme, tmp_path):
    document = Document(there_and_back(tmp_path / "rare.onnx"), RunSpec(), EngineProcess)
    with qtbot.waitSignals([document.changed(Topic.MODEL), document.changed(Topic.DIGEST)]):
        document.open()
    tab = tabs.answered(qtbot, theme, document)
    for name, editor in tab.inputs.editors.items():
        assert f"{name} 2×3" in editor._summary.text()
        assert type_into(editor, "3")
        assert not type_into(editor, "1e40")
        assert editor.cells.problem.text()
    with qtbot.waitSignal(tab.predicting.answered, timeout=30_000):
        tab.predict()
    qtbot.waitUntil(lambda: not tab.predicting.busy)
    outputs = document.prediction.outputs
    for name in (name.lower() for name in TYPES):
        summary = tab.inputs.editors[name]._summary.text()
        assert "3" in summary.partition("mean")[0].rpartition(",")[0].partition("×3")[2]
        plain, own = (
            next(o for o in outputs if o.name == f"{name}_{k}") for k in ("plain", "own")
        )
        assert plain.array[0, 1] == own.array[0, 1] == 3
        assert own.dtype == name
        for kind in saving.kinds(own):
            path = tmp_path / f"saved{kind}"
            path.write_bytes(saving.encoded(own, kind, outputs))
        assert np.array_equal(npy_files.read_npy(tmp_path / "saved.npy"), own.array)
        kept = onnx.load_tensor(tmp_path / "saved.pb")
        assert kept.data_type == getattr(TensorProto, name.upper())
    document.close()
