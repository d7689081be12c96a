import json
import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.backends import machine
from inspector.cli import main
from tests import models
from tests.command_line import errors_of, json_of, output_of, run

pytestmark = pytest.mark.engine
DIGIT = "inputs/digit_3.png"


def asked(samples: Path, *more: str) -> list[str]:
    return [
        "parity",
        str(samples / "digits_float32.onnx"),
        "--input",
        str(samples / DIGIT),
        *more,
    ]


@pytest.mark.parametrize(
    ("body", "value", "truth"),
    [
        # Sums of values below 65,504 that float16 cannot hold, also in a layer whose result it
        # could; numpy: x.astype(float16) summed in pairs, and one after the other.
        ("y = ReduceMean <axes = [-1]> (x)", 300.0, np.inf),
        ("a = Constant <value = int64 {1}> () y = CumSum (x, a)", 300.0, np.inf),
        ("y = MatMul (x, w)", 300.0, np.inf),
        ("y = ReduceMean <axes = [-1]> (x)", 100.0, 100.0),
    ],
)
def test_exact_float16_arithmetic_rounds_sums_where_a_gpu_would(body, value, truth, tmp_path):
    text = f"""<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 512] x) => (float[1, n] y) <float[512, 1] w = {{{", ".join(["1"] * 512)}}}> {{
        {body} }}"""
    onnx.save(onnx.parser.parse_model(text), tmp_path / "sums.onnx")
    np.save(tmp_path / "x.npy", np.full((1, 512), value, np.float32))
    command = ["parity", str(tmp_path / "sums.onnx"), "--input", str(tmp_path / "x.npy")]
    answer = json_of(*command, "--against", "float16")
    assert answer["against"] == {"kind": "float16", "value": "emulated float16 arithmetic"}
    (output,) = answer["outputs"]
    assert (output["difference"]["other_infinite"] > 0) == np.isinf(truth)
    if np.isfinite(truth):
        assert output["identical"]


def test_a_quantized_model_has_no_float16_to_compare_with(samples):
    command = ["parity", str(samples / "digits_int8_qdq.onnx"), "--against", "float16"]
    assert "in emulated float16 arithmetic: the weights are quantized" in errors_of(*command)


def test_another_model_is_held_against_the_first(samples):
    other = samples / "digits_int8_qdq.onnx"
    answer = json_of(*asked(samples, "--against", f"model={other}"))
    assert answer["schema"] == "parity/1"
    assert answer["against"] == {"kind": "model", "value": other.name}
    (output,) = answer["outputs"]
    assert output["difference"]["top1"] == 1.0
    assert 0 < output["difference"]["max_abs"] < 0.01
    assert [best.split()[0] for best in output["best"]] == ["3", "3"]


@pytest.mark.parametrize("name", ["digits_int8_qdq.onnx", "digits_float16.onnx"])
def test_a_note_says_that_this_cpu_may_cut_off_sums_of_int8_products(
    name, samples, tmp_path, monkeypatch
):
    (tmp_path / "cpuinfo").write_text("flags\t\t: avx2\n")
    monkeypatch.setattr(machine, "_CPU_INFO", tmp_path / "cpuinfo")
    said = output_of(*asked(samples, "--against", f"model={samples / name}"))
    assert ("This CPU has no int8 dot product" in said) == ("int8" in name)


def test_the_reference_evaluator_agrees_and_heat_maps_are_saved(samples, tmp_path):
    words = ("--against", "reference", "--save", str(tmp_path / "heat"))
    assert "PSNR" in output_of(*asked(samples, *words))
    assert [path.name for path in (tmp_path / "heat").iterdir()] == [
        "probabilities-difference.png"
    ]


def test_a_condition_that_holds_ends_with_three(samples):
    words = asked(samples, "--against", "level=none", "--fail-if")
    assert run(*words, "psnr<1000").returncode in (0, 3)
    assert run(*words, "top1<1").returncode == 0
    assert "✗ FAIL" in output_of(*words, "max_abs>=0", status=3)


@pytest.mark.parametrize("command", ["parity", "layers"])
@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("level", "there is no value for 'level'"),
        ("refrence", "Did you mean reference?"),
        ("levl=none", "Did you mean level=none?"),
        ("threads=1,level=non", "Did you mean level=none?"),
        ("none", "Did you mean level=none?"),
        ("threads=x", "'x' is not a number of threads"),
        ("device=", "there is no value after 'device='"),
        ("reference=x", "'reference' has no settings"),
    ],
)
def test_a_mistyped_other_run_is_wrong_use_and_names_the_nearest(
    samples, command, way, message
):
    model = str(samples / "digits_float32.onnx")
    assert message in " ".join(errors_of(command, model, "--against", way, status=2).split())


def test_commands_that_compare_runs_explain_them_alike():
    texts = []
    for command in ("parity", "layers", "predict"):
        text = " ".join(output_of(command, "--help").split())
        texts.append(re.split(r" --| downloads:", text[text.rindex("--against RUN") :])[0])
    assert all(text.startswith(min(texts, key=len)) for text in texts)
    assert "level=none,threads=1" in texts[0]


@pytest.mark.parametrize("command", ["parity", "layers"])
def test_settings_and_a_model_are_one_other_run(samples, command):
    model, other = (samples / f"digits_{name}.onnx" for name in ("float32", "opset17"))
    words = [command, str(model), "--input", str(samples / DIGIT), "--against"]
    assert main.run([*words, str(model)]) == 0
    way = f"level=none,threads=1,model={model if not other.exists() else other}"
    answer = json.loads(output_of(*words, way, "--json").splitlines()[-1])
    if command == "parity":
        assert answer["against"]["kind"] == "settings"
        assert answer["against"]["value"].startswith("optimization none, 1 thread, digits_")
    else:
        assert answer["divergence"] is None


@pytest.mark.parametrize("condition", ["max_abs", "speed>1", "psnr=3"])
def test_a_condition_that_nobody_understands_is_wrong_use(samples, condition):
    errors_of(*asked(samples, "--against", "reference", "--fail-if", condition), status=2)


def test_operators_that_the_reference_lacks_are_named(tmp_path):
    x, y = (models.value(n, [4]) for n in "xy")
    nodes = [
        helper.make_node("Gelu", ["x"], ["h"], domain="com.microsoft"),
        helper.make_node("QuickGelu", ["h"], ["y"], domain="com.microsoft"),
    ]
    models.save(tmp_path / "m.onnx", nodes, [x], [y])
    error = errors_of("parity", tmp_path / "m.onnx", "--against", "reference")
    assert "com.microsoft:Gelu (opset 1), com.microsoft:QuickGelu (opset 1)" in error


def test_another_shape_of_answer_is_a_sentence(tmp_path):
    for name, axis in (("a", 0), ("b", 1)):
        x = models.value("x", [2, 3])
        y = models.value("y", None)
        axes = helper.make_tensor("axes", TensorProto.INT64, [1], np.array([axis]))
        node = helper.make_node("ReduceSum", ["x", "axes"], ["y"])
        models.save(tmp_path / f"{name}.onnx", [node], [x], [y], [axes])
    words = ["parity", str(tmp_path / "a.onnx"), "--against", f"model={tmp_path / 'b.onnx'}"]
    assert "The shapes differ: 1×3 and 2×1" in errors_of(*words)
