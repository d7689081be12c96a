"""SQNR of each original layer after a conversion, with real engines."""

import numpy as np
import pytest

from inspector.app.changing import conversion
from inspector.app.changing.layer_errors import layer_errors
from inspector.conversion.action import Step
from inspector.engine.client.engine_process import EngineProcess
from inspector.report.improvement import Candidate
from tests.app.changing.test_sensitivity import pictures, poison

pytestmark = pytest.mark.engine


def test_errors_add_up_and_the_layer_that_adds_most_is_named(samples, tmp_path):
    model = poison(samples / "digits_float32.onnx", "block2/conv", tmp_path)
    inputs = pictures(model)
    result = tmp_path / "new" / "model.onnx"
    result.parent.mkdir()
    with EngineProcess(reads=(model, result)) as engine:
        for steps in ((Step("opset"),), (Step("int8"),)):
            made = conversion.convert(engine, model, steps, result.parent, inputs)
            errors = layer_errors(engine, engine, made, inputs)
            if steps[0].action == "opset":
                assert errors == (), "nothing differs"
    by_name = {each.name: each for each in errors}
    assert [*by_name][:3] == ["input/scale", "stem/bn", "stem/relu"]
    assert "head/flatten" not in by_name, "it only moves values"
    first, last = by_name["stem/relu"].sqnr_db, by_name["head/dense"].sqnr_db
    assert first > last
    worst = Candidate("int8", layers=errors).worst_layers
    assert worst
    assert worst[0].harm == max(each.harm for each in errors)
    assert [path.name for path in result.parent.iterdir()] == ["model.onnx"]


def test_first_error_counts_by_its_size_and_small_ones_are_not_listed():
    from inspector.report.improvement import LayerError

    layers = (
        LayerError("a", "Conv", 35.0),
        LayerError("b", "Conv", 34.8, 0.2),
        LayerError("c", "Conv", 20.0, 14.8),
        LayerError("d", "Gemm", None),
    )
    worst = Candidate("int8", layers=layers).worst_layers
    assert [each.name for each in worst] == ["c", "a"]
    assert Candidate("float16", layers=(LayerError("a", "Conv", 60.0),)).worst_layers == ()
    assert np.isneginf(layers[3].harm)
