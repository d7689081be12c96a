"""What a document allows for a model."""

from pathlib import Path

import pytest

from inspector.ui.documents.document import Document
from tests.analysis.build import model
from tests.ui.made_documents import KeepingEngine, document


def of(model_format: str) -> Document:
    made = document(Path("made"), KeepingEngine())
    made.model = model(format=model_format)
    return made


@pytest.mark.parametrize("model_format", ["openvino", "coreml", "gguf"])
def test_models_without_actions_cannot_be_changed(model_format):
    reason = of(model_format).not_changed
    assert reason[0] == "Only ONNX and TensorFlow Lite models can be changed"
    assert "Convert the original model to one of these formats" in reason[1]


@pytest.mark.parametrize("model_format", ["onnx", "tflite"])
def test_models_with_actions_and_what_is_not_open_yet_may_be_changed(model_format):
    assert of(model_format).not_changed is None
    assert document(Path("made"), KeepingEngine()).not_changed is None
