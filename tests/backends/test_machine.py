"""Whether the CPU is said to cut off sums of int8 products."""

import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.facts.quantization import adds_int8_products
from inspector.backends import machine
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.report.run_spec import RunSpec
from tests import models

_EXACT, _SCALE = 250, 2 * 255 * 127 / 250  # of the product below; cut off at 16 bits: 126


def quantized_product(path: Path, kind: type[np.generic] = np.int8) -> Path:
    """Write a model of one QLinearMatMul whose sum of two products needs 17 bits.

    kind: of the weights; uint8 ones are the same numbers with a zero point of 128.
    """
    zero = 0 if kind is np.int8 else 128
    weights = {
        "one": np.float32(1), "zero": np.uint8(0), "scale": np.float32(_SCALE),
        "w": np.full((2, 1), 127 + zero, kind), "w_zero": kind(zero),
    }  # fmt: skip
    node = helper.make_node(
        "QLinearMatMul", ["x", "one", "zero", "w", "one", "w_zero", "scale", "zero"], ["y"]
    )
    return models.save(
        path,
        [node],
        [models.value("x", [1, 2], TensorProto.UINT8)],
        [models.value("y", [1, 1], TensorProto.UINT8)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )


def test_only_int8_weights_with_8_bit_activations_are_meant(samples, tmp_path):
    assert adds_int8_products(open_model(samples / "digits_int8_qdq.onnx"))
    assert adds_int8_products(open_model(quantized_product(tmp_path / "s8.onnx")))
    assert not adds_int8_products(open_model(quantized_product(tmp_path / "u8.onnx", np.uint8)))
    assert not adds_int8_products(open_model(samples / "digits_float32.onnx"))


def test_a_cpu_with_an_int8_dot_product_an_unknown_one_and_another_device_have_no_note(
    tmp_path, monkeypatch
):
    path = tmp_path / "cpuinfo"
    path.write_text("processor\t: 0\nmodel name\t: CPU\nflags\t\t: fpu sse4_1 avx2\n\n")
    model, info = open_model(quantized_product(tmp_path / "s8.onnx")), path
    monkeypatch.setattr(machine, "_CPU_INFO", info)
    (note,) = machine.int8_notes([(model, ("cpu",))])
    assert "16 bits" in note
    assert machine.int8_notes([(model, ("cuda", "cpu"))]) == ()
    info.write_text("flags\t\t: fpu avx512_vnni\n")
    assert machine.int8_notes([(model, ("cpu",))]) == ()
    info.write_text("Features\t: fp asimd\n")  # ARM
    assert machine.int8_notes([(model, ("cpu",))]) == ()
    monkeypatch.setattr(machine, "_CPU_INFO", tmp_path / "none")
    assert machine.int8_notes([(model, ("cpu",))]) == ()


@pytest.mark.engine
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not name instructions")
def test_where_this_cpu_cuts_a_sum_off_there_is_a_note(tmp_path):
    feeds = {"x": np.full((1, 2), 255, np.uint8)}
    results = {}
    with EngineProcess() as engine:
        for kind in (np.int8, np.uint8):
            path = quantized_product(tmp_path / f"{kind.__name__}.onnx", kind)
            output = engine.predict(path, RunSpec(), feeds).outputs[0]
            results[kind] = int(output.codes.item())
    assert results[np.uint8] == _EXACT
    signed = open_model(tmp_path / "int8.onnx")
    if results[np.int8] != _EXACT:
        assert machine.int8_notes([(signed, ("cpu",))])
