"""Tensors that are attributes: their elements as text, against what `onnx` decodes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto as T
from onnx import helper, numpy_helper

from inspector.analysis.layer_search import search
from inspector.comparison.model_diff import diff
from inspector.formats.onnx.attributes import tensor_text
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from tests.formats.build import model, save, value

NUMBERS = (1.0, 0.5, 2.0, 1.0, 2.0)
TYPES = [
    number
    for number in T.DataType.values()
    if number not in (T.UNDEFINED, T.STRING, T.FLOAT6E2M3, T.FLOAT6E3M2)
]


def _array(kind: int) -> Any:
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    return np.array([min(n, 1.0) for n in NUMBERS] if kind == T.INT2 else NUMBERS).astype(dtype)


def _parsed(text: str) -> list[complex]:
    values = text.partition(" = ")[2].split(", ")
    return [complex({"true": "1", "false": "0"}.get(value, value)) for value in values]


@pytest.mark.parametrize("kind", TYPES, ids=T.DataType.Name)
@pytest.mark.parametrize("raw", [True, False], ids=["raw", "typed"])
def test_elements_of_every_type_are_those_that_onnx_decodes(kind, raw):
    array = _array(kind)
    if raw:
        tensor = numpy_helper.from_array(array)
    else:
        values = array.astype(
            np.complex128 if kind in (T.COMPLEX64, T.COMPLEX128) else array.dtype
        )
        tensor = helper.make_tensor("t", kind, array.shape, values.tolist())
    expected = numpy_helper.to_array(tensor).astype(np.complex128).tolist()
    assert _parsed(tensor_text(tensor)) == expected


def test_only_the_first_elements_are_shown_and_wrong_sizes_have_none():
    long = numpy_helper.from_array(np.arange(40, dtype=np.float16).reshape(4, 10))
    shown = tensor_text(long)
    assert shown == f"float16 4×10 = {', '.join(map(str, range(16)))}, … (40)"
    long.raw_data = long.raw_data[:-1]
    assert tensor_text(long) == "float16 4×10"
    short = helper.make_tensor("t", T.FLOAT, [2], [1.0, 2.0])
    del short.float_data[1]
    assert tensor_text(short) == "float32 2"
    texts = helper.make_tensor("t", T.STRING, [2], [b"cat", b"dog"])
    assert tensor_text(texts) == "string 2 = cat, dog"
    assert tensor_text(numpy_helper.from_array(np.array(0.1))) == "float64 scalar = 0.1"


def _fill(folder: Path, kind: int, number: float, name: str) -> Path:
    array = np.array([number]).astype(helper.tensor_dtype_to_np_dtype(kind))
    node = helper.make_node(
        "ConstantOfShape", ["x"], ["y"], name="fill", value=numpy_helper.from_array(array)
    )
    inputs = [helper.make_tensor_value_info("x", T.INT64, [1])]
    return Path(
        save(model([node], inputs=inputs, outputs=[value("y", ["n"], kind)]), folder / name)
    )


@pytest.mark.parametrize("kind", [T.FLOAT16, T.BFLOAT16, T.INT4, T.DOUBLE], ids=T.DataType.Name)
def test_search_and_diff_read_the_same_elements(tmp_path, kind):
    paths = [_fill(tmp_path, kind, number, f"{number}.onnx") for number in (-1, -2)]
    one, other = map(open_model, paths)
    assert [layer.name for layer in search(one, "value=-1").layers] == ["fill"]
    assert not search(other, "value=-1").layers
    with WeightReader(paths[0]) as first, WeightReader(paths[1]) as second:
        found = diff(one, other, first.read, second.read)
    change = found.pairs[0].changes[0]
    assert change.before.endswith(" = -1")
    assert change.after.endswith(" = -2")


def test_runtime_format_shows_the_same_elements(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    path = _fill(tmp_path, T.FLOAT16, -1, "m.onnx")
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.optimized_model_filepath = str(tmp_path / "m.ort")
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    layer = open_model(tmp_path / "m.ort").layers[0]
    assert [(a.name, a.text) for a in layer.attributes] == [("value", "float16 1 = -1")]
