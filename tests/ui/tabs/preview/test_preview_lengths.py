"""A model that fails with the usual lengths of its free axes is shown with others that do."""

import pytest
from PySide6.QtWidgets import QLabel

from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from tests.preview.inputs.test_guessed_axes import pooling
from tests.ui.tabs.preview import tabs


@pytest.mark.engine
def test_the_preview_finds_a_length_and_says_that_it_was_guessed(qtbot, theme, tmp_path):
    document = Document(pooling(tmp_path / "m.onnx", 9), RunSpec(), EngineProcess)
    with qtbot.waitSignals([document.changed(Topic.MODEL)], timeout=30_000):
        document.open()
    tab = tabs.answered(qtbot, theme, document)
    try:
        said = "\n".join(label.text() for label in tab.findChildren(QLabel))
        guess = "batch=1, seq=16 guessed after the default sizes failed; "
        assert f"{guess}set other sizes next to" in said
        assert "--dim" not in said, "the fields are beside it"
        assert document.feeds["x"].shape == (1, 1, 16)
        assert tab.predicting.filling.lengths == {"batch": 1, "seq": 16}
    finally:
        document.close()
