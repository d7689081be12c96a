"""What the backend answers without a session."""

import pytest

from inspector.analysis.facts.shapes import by_name
from inspector.backends.onnxruntime.backend import OnnxRuntime
from inspector.report.run_spec import Dimension

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(
    ("dimensions", "batch"), [((), "batch"), ((Dimension("batch", 3),), 3)]
)
def test_shapes_of_all_values_are_inferred_with_some_lengths_given(samples, dimensions, batch):
    path, backend = samples / "digits_float32.onnx", OnnxRuntime()
    whole = backend.infer_shapes(path, dimensions)
    values = by_name(whole.values)
    assert values["picture"].shape == (batch, 1, 8, 8)
    assert values["probabilities"].shape == (batch, 10)
    *_, (last, share) = backend.infer_shapes_in_parts(path, dimensions)
    assert share == 1
    assert by_name(last.values)["probabilities"] == values["probabilities"]
