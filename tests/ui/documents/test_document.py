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


@pytest.mark.parametrize(
    ("model_format", "what", "hint"),
    [
        ("tflite", "Only ONNX models can be changed here", "inspector convert"),
        ("openvino", "Only ONNX models can be changed", "Convert the original model to ONNX"),
    ],
)
def test_only_onnx_models_can_be_changed(model_format: str, what: str, hint: str) -> None:
    reason = of(model_format).not_changed
    assert reason is not None
    assert reason[0] == what
    assert hint in reason[1]


def test_an_onnx_model_and_what_is_not_open_yet_may_be_changed() -> None:
    assert of("onnx").not_changed is None
    assert document(Path("made"), KeepingEngine()).not_changed is None
