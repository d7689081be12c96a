"""Static quantization: which layers, which values, and how close the outputs stay."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from msgspec.structs import replace

from inspector.app.changing import calibration, conversion
from inspector.app.changing.calibration import named
from inspector.conversion import apply
from inspector.conversion.action import HIGHEST, LOWEST, Effect, parse_step
from inspector.conversion.int8 import scale_and_zero
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from tests.command_line import output_of
from tests.conversion.conversions import saved

Feeds = Mapping[str, Any]
LEVELS = {
    "none": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}
NET = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1,2,8,8] x) => (float[N,M] y) {
  c1 = Conv <pads = [1,1,1,1]> (x, w1, b1)
  r1 = Relu (c1)
  c2 = Conv <pads = [1,1,1,1]> (r1, w2)
  sum = Add (c2, r1)
  r2 = Relu (sum)
  p = MaxPool <kernel_shape = [2,2], strides = [2,2]> (r2)
  f = Flatten (p)
  m = MatMul (f, w3)
  y = Softmax (m)
}"""


def noise(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.fixture
def net(tmp_path: Path) -> Path:
    weights = {"w1": noise(8, 2, 3, 3), "b1": noise(8), "w2": noise(8, 8, 3, 3) / 8}
    return saved(tmp_path / "from", NET, **weights, w3=noise(128, 5) / 10)


INPUTS = [{"x": noise(1, 2, 8, 8, seed=seed)} for seed in range(8)]


def run(model: Path, feeds: Feeds, level: str = "all", kept: Path | None = None) -> list[Any]:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = LEVELS[level]
    options.log_severity_level = 3
    if kept is not None:
        options.optimized_model_filepath = str(kept)
    session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
    return [np.asarray(each) for each in session.run(None, dict(feeds))]


def quantized(
    model: Path, inputs: Sequence[Feeds], step: str = "int8", without: Sequence[str] = ()
) -> tuple[Path, Effect, tuple[str, ...]]:
    """Quantize a model in this process. without: values whose range is not given."""
    folder = model.parent / "new"
    folder.mkdir(exist_ok=True)
    steps = [parse_step(step, ACTIONS)]
    first = apply.convert(model, steps, folder)
    ranges: dict[str, tuple[float, float]] = {}
    session = onnxruntime.InferenceSession(
        folder / first.files[0], providers=["CPUExecutionProvider"]
    )
    for name in set(first.observe).difference(without):
        found = [session.run([name + LOWEST, name + HIGHEST], dict(x)) for x in inputs]
        finite = [(a.item(), b.item()) for a, b in found if np.isfinite([a, b]).all()]
        if finite:
            ranges[name] = min(a for a, _ in finite), max(b for _, b in finite)
    made = apply.convert(model, steps, folder, ranges)
    return folder / made.files[0], made.effects[0], made.notes


def sqnr(expected: Sequence[Any], values: Sequence[Any]) -> float:
    a, b = (
        np.concatenate([x.ravel().astype(float) for x in each]) for each in (expected, values)
    )
    return float(10 * np.log10((a**2).sum() / ((a - b) ** 2).sum()))


def closeness(model: Path, new: Path, inputs: Sequence[Feeds], level: str = "all") -> float:
    expected = [run(model, feeds)[0] for feeds in inputs]
    return sqnr(expected, [run(new, feeds, level)[0] for feeds in inputs])


def operators(model: Path) -> list[str]:
    return [node.op_type for node in onnx.load(model).graph.node]


def test_plan_says_the_size_with_scales_and_added_layers(samples, tmp_path):
    for name, warned in (("clothes_float32", False), ("sharpen_float16", True)):
        model = tmp_path / name / "model.onnx"
        model.parent.mkdir()
        model.write_bytes((samples / f"{name}.onnx").read_bytes())
        (given,) = onnx.load(model).graph.input
        shape = [axis.dim_value or 1 for axis in given.type.tensor_type.shape.dim]
        kind = onnx.helper.tensor_dtype_to_np_dtype(given.type.tensor_type.elem_type)
        new, effect, _ = quantized(model, [{given.name: noise(*shape).astype(kind)}])
        assert effect.bytes_after == pytest.approx(new.stat().st_size, rel=0.1)
        assert effect.caution.startswith("The file becomes larger") == warned


def test_runtime_computes_every_layer_between_with_integers(net, tmp_path):
    new, effect, notes = quantized(net, INPUTS)
    assert effect.touches == "2 Conv, 1 Add, 1 MaxPool, 1 Flatten, 1 other layer"
    assert notes == ()
    run(new, INPUTS[0], "extended", tmp_path / "optimized.onnx")
    executed = operators(tmp_path / "optimized.onnx")
    assert executed.count("QLinearConv") == 2
    assert {"QLinearAdd", "MatMulIntegerToFloat", "MaxPool"} <= set(executed)
    assert executed.count("QuantizeLinear") == 1  # of the input
    assert "Relu" not in executed
    for level in LEVELS:
        assert closeness(net, new, INPUTS, level) > 30


def test_output_of_a_product_before_float_layers_is_not_quantized(net):
    new, *_ = quantized(net, INPUTS)
    graph = onnx.load(new).graph
    quantized_values = {n.input[0] for n in graph.node if n.op_type == "QuantizeLinear"}
    assert quantized_values == {"x", "r1", "c2", "r2", "p", "f"}
    (softmax,) = (node for node in graph.node if node.op_type == "Softmax")
    assert softmax.input[0] == "m"


PROJECTION = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1,%s] x) => (float[1,%s] y) { m = MatMul (x, w) s = Add (b, m) y = Erf (s) }"""


@pytest.mark.parametrize(("given", "made"), [("6,16", "6,8"), ("16", "8")], ids=["3d", "2d"])
def test_product_with_a_bias_keeps_its_integer_kernel(tmp_path, given, made):
    text = PROJECTION % (given, made)
    model = saved(tmp_path / "from", text, w=noise(16, 8), b=noise(8, seed=1))
    shape = (1, *map(int, given.split(",")))
    inputs = [{"x": noise(*shape, seed=seed)} for seed in range(4)]
    new, *_ = quantized(model, inputs)
    (expected,), (found,) = (
        run(each, inputs[0], kept=tmp_path / f"{place}.onnx")
        for place, each in enumerate((model, new))
    )
    assert found.shape == expected.shape
    assert sqnr([expected], [found]) > 25
    if len(shape) > 2:  # of a Gemm, the bias is added by its kernel
        assert "MatMulIntegerToFloat" in operators(tmp_path / "1.onnx")


def test_kept_layer_reads_float_weights_and_other_operators_are_left_out(net):
    new, effect, _ = quantized(net, INPUTS, "int8:keep=c2")
    assert effect.layers == 5
    names = {tensor.name for tensor in onnx.load(new).graph.initializer}
    assert {"w2", "w1_int8"} <= names
    assert names.isdisjoint(("w1", "w2_int8"))
    new, effect, _ = quantized(net, INPUTS, "int8:operators=MatMul")
    assert effect.touches == "1 MatMul"
    assert operators(new).count("QuantizeLinear") == 1


@pytest.mark.parametrize(
    ("options", "at_least"),
    [
        ("activations=int8", 30), ("activations=uint16", 35), ("weights=uint8", 30),
        ("per-channel=no", 25), ("activations=uint16,weights=int8", 40),
    ],
)  # fmt: skip
def test_options_give_models_that_run(net, options, at_least):
    new, *_ = quantized(net, INPUTS, f"int8:{options}")
    assert closeness(net, new, INPUTS, "none") > at_least
    if "uint16" in options:
        assert onnx.load(new).opset_import[0].version == 21


def test_seven_bits_are_the_default_since_sums_stay_exact_without_vnni(net):
    new, *_ = quantized(net, INPUTS)
    weights = {t.name: t for t in onnx.load(new).graph.initializer}
    values = onnx.numpy_helper.to_array(weights["w2_int8"])
    assert values.dtype == np.int8
    assert np.abs(values.reshape(8, -1).max(1)).max() == 63
    new, *_ = quantized(net, INPUTS, "int8:weights=int8")
    weights = {t.name: t for t in onnx.load(new).graph.initializer}
    assert np.abs(onnx.numpy_helper.to_array(weights["w2_int8"]).astype(int)).max() == 127


def test_rounded_weights_of_a_channel_keep_their_sum(net):
    new, *_ = quantized(net, INPUTS)
    tensors = {t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(new).graph.initializer}
    original = {t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(net).graph.initializer}
    scale = tensors["w2_scale"]
    steps = original["w2"].reshape(8, -1) / scale[:, None]
    integers = tensors["w2_int8"].reshape(8, -1).astype(float)
    assert np.abs(steps.sum(1) - integers.sum(1)).max() <= 0.51
    assert np.abs(steps - integers).max() <= 1


def test_old_opset_is_converted_in_the_same_step(net, tmp_path):
    weights = {"w1": noise(4, 2, 3, 3), "b1": noise(4)}
    text = """<ir_version: 4, opset_import: ["" : 9]>
    net (float[1,2,8,8] x) => (float[1,4,6,6] y) {
      c = Conv (x, w1, b1)
      y = Clip <min = 0.0, max = 6.0> (c)
    }"""
    path = saved(tmp_path / "old", text, **weights)
    new, effect, _ = quantized(path, INPUTS)
    assert effect.touches == "1 Conv; opset 9 to 13 first"
    run(new, INPUTS[0], "extended", tmp_path / "optimized.onnx")
    assert operators(tmp_path / "optimized.onnx") == [
        "QuantizeLinear", "QLinearConv", "DequantizeLinear",
    ]  # fmt: skip
    assert closeness(path, new, INPUTS) > 30


def test_fused_layers_and_normalization_become_plain_convolutions(tmp_path):
    weights = {
        "w1": noise(4, 2, 3, 3), "b1": noise(4), "w2": noise(4, 4, 1, 1), "gamma": noise(4),
        "beta": noise(4), "mean": noise(4), "variance": np.abs(noise(4)) + 0.1,
    }  # fmt: skip
    text = """<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
    net (float[1,2,8,8] x) => (float[1,4,6,6] y) {
      c = com.microsoft.FusedConv <activation = "Clip", activation_params = [0.0, 6.0]>
        (x, w1, b1)
      d = Conv (c, w2)
      n = BatchNormalization <epsilon = 0.01> (d, gamma, beta, mean, variance)
      y = LeakyRelu <alpha = 0.1> (n)
    }"""
    path = saved(tmp_path / "fused", text, **weights)
    new, effect, _ = quantized(path, INPUTS)
    assert effect.touches == "2 Conv"
    assert not {"FusedConv", "BatchNormalization"} & set(operators(new))
    assert closeness(path, new, INPUTS) > 25
    assert [entry.domain for entry in onnx.load(new).opset_import] == [""]


def test_float16_model_keeps_its_inputs_and_outputs(samples, tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes((samples / "sharpen_float16.onnx").read_bytes())
    before = onnx.load(path).graph
    shape = [d.dim_value or 16 for d in before.input[0].type.tensor_type.shape.dim]
    rng = np.random.default_rng(0)
    feeds = [{before.input[0].name: rng.random(shape).astype(np.float16)} for _ in range(4)]
    new, *_ = quantized(path, feeds)
    after = onnx.load(new).graph
    assert after.input == before.input
    assert after.output == before.output
    assert run(new, feeds[0])[0].dtype == np.float16
    assert closeness(path, new, feeds) > 20


def test_layers_around_values_without_a_range_stay_in_float(net):
    new, _, notes = quantized(net, INPUTS, without=["r1"])
    assert notes == (
        "Layers around 1 value without a finite range, such as 'r1', stay in float.",
    )
    assert operators(new).count("QuantizeLinear") == 1  # before the product
    assert closeness(net, new, INPUTS) > 30


def test_bias_that_would_not_fit_makes_steps_of_its_channel_larger(tmp_path):
    weight = noise(4, 2, 3, 3)
    weight[1] = 1e-9
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,2,8,8] x) => (float[1,4,6,6] y) { y = Conv (x, w, b) }"""
    path = saved(tmp_path / "from", text, w=weight, b=np.asarray([0.5, 20, -3, 0], np.float32))
    new, *_ = quantized(path, INPUTS)
    assert closeness(path, new, INPUTS) > 35


def test_model_without_such_layers_says_that_there_is_nothing_to_do(samples, tmp_path):
    for name, reason in (
        (
            "digits_int8_qdq",
            "the model is already quantized (16 DequantizeLinear, 8 QuantizeLinear)",
        ),
        (
            "wine_tabular",
            "the model has no Conv, ConvTranspose, Gemm or MatMul layers with constant weights",
        ),
    ):
        steps = [parse_step("int8", ACTIONS)]
        path = samples / f"{name}.onnx"
        assert apply.effects_of(path, (), steps, tmp_path)[0].nothing == reason
        assert not apply.convert(path, steps, tmp_path).observe


BRANCHES = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1,2,8,8] x, bool loud) => (float[1,4,6,6] y) {
  y = If (loud) <
    then_branch = loud_branch () => (float[1,4,6,6] a) { c = Conv (x, w1) a = Relu (c) },
    else_branch = quiet_branch () => (float[1,4,6,6] b) { c = Conv (x, w2) b = Relu (c) }
  >
}"""
LOOP = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1,4,8,8] x, int64 count) => (float[1,4,8,8] y) {
  yes = Constant <value = bool {1}> ()
  y = Loop (count, yes, x) <
    body = step (int64 i, bool goes_on, float[1,4,8,8] before)
      => (bool again, float[1,4,8,8] after) {
        again = Identity (goes_on)
        c = Conv <pads = [1,1,1,1]> (before, w)
        after = Relu (c)
      }
  >
}"""


def inner_operators(model: Path) -> list[list[str]]:
    inner = [a.g for n in onnx.load(model).graph.node for a in n.attribute if a.HasField("g")]
    return [[node.op_type for node in graph.node] for graph in inner]


def test_both_branches_of_an_if_become_integers_if_both_were_calibrated(tmp_path):
    weights = {"w1": noise(4, 2, 3, 3), "w2": noise(4, 2, 3, 3, seed=1)}
    path = saved(tmp_path / "if", BRANCHES, **weights)
    both = [{**each, "loud": np.array(n % 2 == 0)} for n, each in enumerate(INPUTS)]
    new, effect, notes = quantized(path, both)
    assert effect.touches == "2 Conv"
    assert notes == ()
    assert all(names.count("QuantizeLinear") == 2 for names in inner_operators(new))
    assert {t.data_type for t in onnx.load(new).graph.initializer} == set()  # all moved inside
    for level in LEVELS:
        assert closeness(path, new, both, level) > 30

    # A branch that no input runs has no ranges, and stays in float.
    new, _, notes = quantized(path, both[::2])
    assert "stay in float" in notes[0]
    counts = [names.count("QuantizeLinear") for names in inner_operators(new)]
    assert counts == [2, 0]


@pytest.mark.parametrize("count", [1, 3])
def test_body_of_a_loop_is_calibrated_over_all_iterations(tmp_path, count):
    path = saved(tmp_path / "loop", LOOP, w=noise(4, 4, 3, 3) / 3)
    inputs = [{"x": noise(1, 4, 8, 8, seed=n), "count": np.array(count)} for n in range(4)]
    new, *_ = quantized(path, inputs)
    assert "QuantizeLinear" in inner_operators(new)[0]
    assert closeness(path, new, inputs) > 25
    observed = onnxruntime.InferenceSession(new.parent / "observed-model.onnx")
    stepwise = [{**inputs[0], "count": np.array(n)} for n in range(1, count + 1)]
    highest = [run(path, each)[0].max() for each in stepwise]
    (reported,) = observed.run(["after" + HIGHEST], inputs[0])
    assert reported.item() == pytest.approx(max(highest))
    (nothing,) = observed.run(["after" + HIGHEST], {**inputs[0], "count": np.array(0)})
    assert nothing.item() == -np.inf


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.parametrize("name", ["silero_vad_op16_if", "silero_vad_op18_ifless"])
def test_speech_detector_with_branches_becomes_integers(shared, tmp_path, name):
    path = shared / "real" / f"{name}.onnx"
    state = np.zeros((2, 1, 128), np.float32)
    inputs = [
        {"input": noise(1, 576, seed=n) / 10, "state": state, "sr": np.array(16000)}
        for n in range(4)
    ]
    with EngineProcess(reads=(tmp_path / "model.onnx",)) as engine:
        steps = [parse_step("int8", ACTIONS)]
        made = conversion.convert(engine, path, steps, tmp_path, inputs)
        made = conversion.checked(engine, made, inputs[:1])
    assert made.problem == ""
    assert made.path.stat().st_size < path.stat().st_size * 0.8
    assert closeness(path, made.path, inputs) > 15


def test_unknown_operator_is_refused_with_the_known_ones(net):
    with pytest.raises(BadInput, match="no integer versions of Conv2d") as error:
        quantized(net, INPUTS, "int8:operators=Conv2d")
    assert "ConvTranspose" in error.value.hint


def test_range_always_covers_zero_and_never_exceeds_a_clip():
    kind = np.dtype(np.uint8)
    assert scale_and_zero(0.0, 0.0, kind) == (np.float32(1), 0)
    assert scale_and_zero(2.0, 255.0, kind) == (np.float32(1), 0)
    assert scale_and_zero(-255.0, -2.0, kind) == (np.float32(1), 255)
    for limit in (6.0, 0.3, 1.7e-3):
        scale, zero = scale_and_zero(0.0, limit, kind, limit)
        assert zero == 0
        assert np.float32(scale * np.float32(255)) <= np.float32(limit)


@pytest.mark.engine
def test_command_calibrates_with_a_folder_and_checks_four_levels(samples, tmp_path):
    folder = tmp_path / "typical"
    folder.mkdir()
    for number in (0, 3, 5, 7):
        picture = samples / "inputs" / f"digit_{number}.png"
        (folder / picture.name).write_bytes(picture.read_bytes())
    model, target = samples / "digits_float32.onnx", tmp_path / "int8.onnx"
    arguments = ["convert", str(model), "int8", "-o", str(target), "--calibration", str(folder)]
    text = output_of(*arguments)
    assert "Opens and runs  at 4 of 4 optimization levels" in text
    assert target.stat().st_size < model.stat().st_size / 2
    assert "DequantizeLinear" in operators(target)


@pytest.mark.engine
def test_values_that_are_never_finite_are_left_out_of_the_calibration(net, tmp_path):
    feeds = {"x": np.full((1, 2, 8, 8), np.inf, np.float32)}
    with EngineProcess() as engine:
        steps = [parse_step("int8", ACTIONS)]
        with pytest.raises(BadInput, match="needs typical inputs"):
            conversion.convert(engine, net, steps, tmp_path)
        made = conversion.convert(engine, net, steps, tmp_path, [feeds])
        assert made.notes[0].endswith("stay in float.")
        assert operators(made.path).count("QuantizeLinear") == 0


@pytest.mark.engine
def test_average_of_extremes_is_not_set_by_one_outlier(net, tmp_path):
    inputs = [*INPUTS, {"x": np.full((1, 2, 8, 8), 100, np.float32)}]
    steps = [parse_step("int8:method=average", ACTIONS)]
    with EngineProcess() as engine:
        observed = engine.convert(net, steps, tmp_path)
        ranges = calibration.measured_ranges(
            engine, tmp_path / observed.files[0], observed, named(inputs)
        )
        whole = calibration.measured_ranges(
            engine,
            tmp_path / observed.files[0],
            replace(observed, method="minmax"),
            named(inputs),
        )
    highest = [float(each["x"].max()) for each in inputs]
    assert ranges["x"][1] == pytest.approx(np.mean(highest))
    assert whole["x"] == (min(float(each["x"].min()) for each in inputs), 100)


@pytest.mark.engine
def test_percentile_and_entropy_cut_off_outliers_inside_an_input(net, tmp_path):
    inputs = [{"x": noise(1, 2, 8, 8, seed=seed)} for seed in range(8)]
    inputs[0]["x"][0, 0, 0, 0] = 1000.0
    whole = np.concatenate([each["x"].ravel() for each in inputs])
    with EngineProcess(reads=(net, tmp_path / "model.onnx")) as engine:
        for step in ("int8:method=percentile,percentile=99", "int8:method=entropy"):
            steps = [parse_step(step, ACTIONS)]
            observed = engine.convert(net, steps, tmp_path)
            ranges = calibration.measured_ranges(
                engine, tmp_path / observed.files[0], observed, named(inputs)
            )
            assert ranges["x"][1] < 1000
            if "percentile" in step:
                low, high = np.percentile(whole, [0.5, 99.5])
                assert ranges["x"] == pytest.approx((low, high), abs=1.0)
        made = conversion.convert(engine, net, [parse_step("int8", ACTIONS)], tmp_path, inputs)
        whole_range = closeness(net, made.path, INPUTS)
        steps = [parse_step("int8:method=percentile,percentile=99", ACTIONS)]
        made = conversion.convert(engine, net, steps, tmp_path, inputs)
        assert closeness(net, made.path, INPUTS) > max(whole_range + 10, 15)


def test_percentile_out_of_range_is_refused(net):
    with pytest.raises(BadInput, match="40 is not a percentile from 50 to 100"):
        quantized(net, INPUTS, "int8:method=percentile,percentile=40")
