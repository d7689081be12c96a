"""Layers beside those of the same network in another form: recorded, or of another format."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, helper, numpy_helper

from inspector.app.layers.walking import walk
from inspector.app.subjects import Subject
from inspector.comparison.model_diff import diff
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from inspector.preview.runs.other_run import OtherRun, parse
from inspector.report.run_spec import RunSpec
from tests import models
from tests.formats.tflite import build
from tests.formats.tflite.build import Number, Union, code, operator, tensor

pytestmark = pytest.mark.engine
RANDOM = np.random.default_rng(5)
WEIGHTS = {
    "w0": RANDOM.standard_normal((4, 3, 3, 3)),
    "b0": RANDOM.standard_normal(4) / 4,
    "scale": RANDOM.uniform(0.5, 1.5, 4),
    "shift": RANDOM.standard_normal(4) / 4,
    "mean": RANDOM.standard_normal(4) / 4,
    "var": RANDOM.uniform(0.5, 1.5, 4),
    "w3": RANDOM.standard_normal((4, 1, 3, 3)),
    "b4": RANDOM.standard_normal((1, 4, 1, 1)) / 4,
    "low": np.array(0),
    "high": np.array(6),
    "w6": RANDOM.standard_normal((4, 4, 1, 1)),
    "w10": RANDOM.standard_normal((4, 5)),
    "b10": RANDOM.standard_normal(5),
}
SAME = {"pads": [1, 1, 1, 1]}
# One line a layer, as exporters of PyTorch write it: nothing is fused, channels come first.
LAYERS = (
    ("Conv", "x w0 b0", SAME),
    ("BatchNormalization", "t0 scale shift mean var", {}),
    ("Relu", "t1", {}),
    ("Conv", "t2 w3", {"group": 4, **SAME}),
    ("Add", "t3 b4", {}),
    ("Clip", "t4 low high", {}),
    ("Conv", "t5 w6", {}),
    ("Add", "t5 t6", {}),
    ("GlobalAveragePool", "t7", {}),
    ("Flatten", "t8", {}),
    ("Gemm", "t9 w10 b10", {}),
    ("Softmax", "t10", {}),
)
LAST = f"t{len(LAYERS) - 1}"
NAMES = ("/stem/conv/Conv", "/stem/norm/BatchNormalization", "/stem/act/Relu",
         "/mix/conv/Conv", "/mix/conv/Add", "/mix/act/Clip", "/expand/Conv", "/Add",
         "/pool/GlobalAveragePool", "/Flatten", "/head/Gemm", "/Softmax")  # fmt: skip
# What the other side has, by the place of our layer that gives it: outputs of modules.
SHOWN = {2: "stem.act", 5: "mix.act", 6: "expand", 7: "sum", 8: "pool", 10: "head",
         11: "classes"}  # fmt: skip
# Changed layer -> what is changed.
POISONED = {0: "w0", 1: "scale", 2: "Sigmoid", 3: "w3", 4: "b4", 6: "w6", 7: "Sub",
            8: "GlobalMaxPool", 10: "b10"}  # fmt: skip


def network(poisoned: str = "") -> ModelProto:
    """The network, with other weights or another operator in one place."""
    arrays = {name: array.astype(np.float32) for name, array in WEIGHTS.items()}
    if poisoned in arrays:
        arrays[poisoned] = -arrays[poisoned] - 0.1
    nodes = [
        helper.make_node(
            poisoned if POISONED.get(place) == poisoned and poisoned[0].isupper() else kind,
            reads.split(),
            [f"t{place}"],
            NAMES[place],
            **options,
        )
        for place, (kind, reads, options) in enumerate(LAYERS)
    ]
    nodes[2].input[:] = ["t1"]
    ends = [models.value("x", (1, 3, 8, 8))], [models.value(LAST, (1, 5))]
    return models.model(nodes, *ends, arrays, opset=13)


def inner(model: ModelProto, x: np.ndarray) -> dict[str, np.ndarray]:
    """All tensors by plain ONNX Runtime."""
    shown = ModelProto()
    shown.CopyFrom(model)
    names = [node.output[0] for node in model.graph.node]
    shown.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names[:-1])
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(shown.SerializeToString(), options)
    return dict(zip(names, session.run(names, {"x": x}), strict=True))


X = np.random.default_rng(0).random((1, 3, 8, 8), np.float32)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    with EngineProcess(lock=tmp_path_factory.mktemp("lock") / "lock") as engine:
        yield engine


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Outputs of the modules of the right network, with channels last."""
    path = tmp_path_factory.mktemp("recorded") / "hooks.npz"
    recorded = {}
    values = inner(network(), X)
    for place, name in SHOWN.items():
        array = values[f"t{place}"]
        moved = array.transpose(0, 2, 3, 1) if array.ndim == 4 else array
        recorded[name] = moved
    np.savez(path, **recorded)
    return path


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The network as TensorFlow Lite has it: channels last, normalization and activations
    merged into the convolutions."""
    w = {name: array.astype(np.float32) for name, array in WEIGHTS.items()}
    factor = w["scale"] / np.sqrt(w["var"] + 1e-5)
    stem = (w["w0"] * factor[:, None, None, None]).transpose(0, 2, 3, 1)
    stem_bias = (w["b0"] - w["mean"]) * factor + w["shift"]
    depthwise = w["w3"].transpose(1, 2, 3, 0)
    arrays = {
        "sw": stem, "sb": stem_bias, "dw": depthwise, "db": w["b4"].reshape(-1),
        "ew": w["w6"].transpose(0, 2, 3, 1), "eb": np.zeros(4, np.float32),
        "axes": np.array([1, 2], np.int32), "hw": w["w10"].T, "hb": w["b10"],
    }  # fmt: skip
    tensors = [
        tensor(name, array.shape, build.INT32 if name == "axes" else build.FLOAT32, place)
        for place, (name, array) in enumerate(arrays.items(), 1)
    ]
    planes, rows = (1, 8, 8, 4), (1, 5)
    shapes = {"image": (1, 8, 8, 3), "stem": planes, "depthwise": planes, "expand": planes,
              "sum": planes, "pool": (1, 4), "head": rows, "classes": rows}  # fmt: skip
    tensors += [tensor(name, shape) for name, shape in shapes.items()]
    at = {name: place for place, name in enumerate([*arrays, *shapes])}

    def convolution(activation: int, more: int = 0) -> Union:
        fields = {1: Number("i4", 1), 2: Number("i4", 1), 3: Number("i1", activation)}
        if more:  # of a depthwise one: its multiplier is before the activation
            fields |= {3: Number("i4", more), 4: Number("i1", activation)}
        return Union(2 if more else 1, fields)

    kinds = [build.CONV_2D, 4, 0, 40, build.FULLY_CONNECTED, 25]
    layers = (
        (0, "image sw sb", "stem", convolution(1)),
        (1, "stem dw db", "depthwise", convolution(3, 1)),
        (0, "depthwise ew eb", "expand", convolution(0)),
        (2, "depthwise expand", "sum", Union(11, {})),
        (3, "sum axes", "pool", Union(27, {})),
        (4, "pool hw hb", "head", Union(8, {})),
        (5, "head", "classes", Union(9, {0: Number("f4", 1.0)})),
    )
    operators = [
        operator(kind, tuple(at[name] for name in reads.split()), (at[gives],), options)
        for kind, reads, gives, options in layers
    ]
    graph = build.subgraph(tensors, (at["image"],), (at["classes"],), operators)
    buffers = tuple(np.ascontiguousarray(each).tobytes() for each in arrays.values())
    path = tmp_path_factory.mktemp("lite") / "net.tflite"
    path.write_bytes(build.model([code(kind) for kind in kinds], [graph], buffers))
    return path


def against(engine: EngineProcess, path: Path, model: ModelProto, way: OtherRun):
    onnx.save(model, path)
    np.save(path.with_suffix(".npy"), X)
    given = {"x": str(path.with_suffix(".npy"))}
    spec = RunSpec(optimization="none")
    return walk(engine, Subject.of(path, open_model(path), spec, given), way).found


def suspects(stepping) -> set[int]:
    """The layer that is named, and those that are one layer with it on the other side."""
    first = stepping.divergence
    return set() if first is None else {first.index, *first.merged}


def test_recorded_tensors_are_paired_in_either_layout(engine, recording, tmp_path):
    model = network()
    found = against(engine, tmp_path / "net.onnx", model, parse(str(recording)))
    matches = {
        step.index: output for step in found.steps for output in step.outputs if output.match
    }
    assert {place: matches[place].counterpart for place in SHOWN} == SHOWN
    assert found.divergence is None
    assert matches[5].match.axes == (0, 3, 1, 2)
    worst = max(output.difference.relative for output in matches.values())
    assert worst < 1e-6


@pytest.mark.parametrize("place", [place for place in POISONED if place != 2])
def test_a_changed_layer_is_the_first_beside_recorded_tensors(
    engine, recording, tmp_path, place
):
    model = network(POISONED[place])
    found = against(engine, tmp_path / "net.onnx", model, parse(str(recording)))
    group = {0: {0, 1, 2}, 3: {3, 4, 5}, 7: {7}, 8: {8}}
    allowed = next((each for each in group.values() if place in each), {place})
    assert place in suspects(found)
    assert suspects(found) <= allowed
    recorded, values = np.load(recording), inner(model, X)
    for step in found.steps:  # also those that carry the error on
        for output in step.outputs:
            if output.match is None or SHOWN.get(step.index) != output.counterpart:
                continue
            right, ours = recorded[output.counterpart], values[output.name]
            if right.ndim == 4:
                right = right.transpose(0, 3, 1, 2)
            error = np.abs(ours.astype(np.float64) - right.reshape(ours.shape)).max()
            assert output.difference.max_abs == pytest.approx(error, rel=1e-5)


@pytest.fixture(scope="module")
def fused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The network as an optimizer leaves it, with names that say nothing."""
    path = tmp_path_factory.mktemp("fused") / "fused.onnx"
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(network().SerializeToString(), options)
    model = onnx.load(path)
    names = {name: name for name in ("", "x", LAST)}
    for node in model.graph.node:
        node.name = ""
        for each in (node.input, node.output):
            each[:] = [names.setdefault(name, f"{100 + len(names)}") for name in each]
    for weight in model.graph.initializer:
        weight.name = names.setdefault(weight.name, weight.name)
    del model.graph.value_info[:]
    onnx.save(model, path)
    return path


@pytest.mark.parametrize("place", [None, 4, 6, 10])
def test_a_changed_layer_is_the_first_beside_a_model_with_other_names(
    engine, fused, tmp_path, place
):
    model = network(POISONED[place] if place is not None else "")
    found = against(engine, tmp_path / "net.onnx", model, OtherRun(model=str(fused)))
    assert found.compared >= 7
    if place is None:
        assert found.divergence is None
        return
    group = {0: {0, 1, 2}, 4: {3, 4, 5}}.get(place, {place})
    assert place in suspects(found)
    assert suspects(found) <= group


def test_models_of_two_formats_differ_in_what_was_changed_alone(lite, tmp_path):
    other, second = open_model(lite), Path(lite)
    for poisoned, unequal in (("", set()), ("w6", {"w6"}), ("w10", {"w10"})):
        path = tmp_path / f"net{poisoned}.onnx"
        onnx.save(network(poisoned), path)
        with WeightReader(path) as mine, WeightReader(second) as theirs:
            found = diff(open_model(path), other, mine.read, theirs.read)
        pairs = {NAMES[p.first]: p.other for p in found.pairs if p.first is not None}
        assert [pairs[NAMES[place]] for place in (0, 3, 6, 7, 8, 10, 11)] == [*range(7)]
        apart = {
            w.first.name
            for w in found.weights
            if w.first and w.other and w.difference and w.difference.max_abs > 1e-5
        }
        assert apart == unequal
        assert found.summary.startswith("B is A in TensorFlow Lite: ")


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert")
@pytest.mark.parametrize("place", [None, *POISONED])
def test_a_changed_layer_is_the_first_beside_tensorflow_lite(engine, lite, tmp_path, place):
    model = network(POISONED[place] if place is not None else "")
    found = against(engine, tmp_path / "net.onnx", model, OtherRun(model=str(lite)))
    assert found.compared == len(SHOWN)
    if place is None:
        assert found.divergence is None
        return
    group = {0: {0, 1, 2}, 3: {3, 4, 5}, 8: {8}}
    allowed = next((each for each in group.values() if place in each), {place})
    assert place in suspects(found)
    assert suspects(found) <= allowed
    assert not any(step.made for step in found.steps if step.index > max(allowed))


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert")
def test_errors_are_told_apart_from_the_side_of_tensorflow_lite_too(engine, lite, tmp_path):
    other = tmp_path / "net.onnx"
    onnx.save(network(POISONED[3]), other)
    subject = Subject.of(lite, open_model(lite), RunSpec())
    found = walk(engine, subject, OtherRun(model=str(other))).found
    assert found.divergence.name == "depthwise"
    assert [step.name for step in found.steps if step.made] == ["depthwise"]
    assert sum(step.over for step in found.steps) > 1


def test_other_tensors_are_refused_with_the_reason(engine, tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros((3, 7), np.float32))
    way = parse(str(tmp_path / "other.npz"))
    with pytest.raises(BadInput, match=r"other\.npz"):
        against(engine, tmp_path / "net.onnx", network(), way)


def test_a_recorded_input_is_used_in_either_layout(engine, recording, tmp_path):
    arrays = dict(np.load(recording))
    np.savez(tmp_path / "with_input.npz", x=X.transpose(0, 2, 3, 1), **arrays)
    onnx.save(network(), tmp_path / "net.onnx")
    subject = Subject.of(tmp_path / "net.onnx", open_model(tmp_path / "net.onnx"), RunSpec())
    way = parse(str(tmp_path / "with_input.npz"))
    walked = walk(engine, subject, way)
    assert np.array_equal(walked.filled[0].array, X)
    assert walked.found.divergence is None
    (stem,) = (step for step in walked.found.steps if step.index == 2)
    answer = walked.tensor(engine, stem.outputs[0].name)
    assert [value.array.shape for value in answer.outputs] == [(1, 4, 8, 8)] * 2


def bodies(kind: str, names: str, factor: float = 1.0) -> ModelProto:
    """A network whose second half is in the body of an If, a Loop or a Scan.

    names: before each name. factor: of the weights of the product in the body.
    """
    random = np.random.default_rng(4)
    first, inner = (random.standard_normal((6, 6)).astype(np.float32) / 3 for _ in range(2))
    weights = [numpy_helper.from_array(first, f"{names}w"),
               numpy_helper.from_array(inner * np.float32(factor), f"{names}v")]  # fmt: skip

    def node(operator: str, reads: str, gives: str, **more: object) -> onnx.NodeProto:
        reads_, gives_ = ([f"{names}{n}" for n in text.split()] for text in (reads, gives))
        return helper.make_node(operator, reads_, gives_, f"{names}{gives.split()[0]}", **more)

    def value(name: str, shape: tuple[int, ...], dtype: int = onnx.TensorProto.FLOAT):
        return helper.make_tensor_value_info(f"{names}{name}", dtype, shape)

    read = {"If": "start", "Loop": "state", "Scan": "state"}[kind]
    inside = [node("MatMul", f"{read} v", "product"), node("Tanh", "product", "bent"),
              node("Add", f"bent {read}", "next")]  # fmt: skip
    truth = numpy_helper.from_array(np.array(True), f"{names}yes")
    bool_ = onnx.TensorProto.BOOL
    state, after = value("state", (4, 6)), value("next", (4, 6))
    if kind == "If":
        other = [node("Neg", "start", "minus")]
        branches = {
            "then_branch": helper.make_graph(inside, "then", [], [after]),
            "else_branch": helper.make_graph(other, "else", [], [value("minus", (4, 6))]),
        }
        last = node("If", "yes", "end", **branches)
    elif kind == "Loop":
        inside.append(node("Identity", "go", "on"))
        count = value("count", (), onnx.TensorProto.INT64)
        body = helper.make_graph(
            inside,
            "body",
            [count, value("go", (), bool_), state],
            [value("on", (), bool_), after],
        )
        weights.append(numpy_helper.from_array(np.array(3), f"{names}times"))
        last = node("Loop", "times yes start", "end", body=body)
    else:
        inside.append(node("Identity", "row", "same"))
        rows = value("row", (6,)), value("same", (6,))
        body = helper.make_graph(inside, "body", [state, rows[0]], [after, rows[1]])
        last = node("Scan", "start start", "end rest", body=body, num_scan_inputs=1)
    nodes = [helper.make_node("MatMul", ["x", f"{names}w"], [f"{names}start"], f"{names}start")]
    final = helper.make_node("Relu", [f"{names}end"], ["y"], f"{names}y")
    ends = [[models.value(name, (4, 6))] for name in "xy"]
    return models.model([*nodes, last, final], *ends, [*weights, truth], opset=16)


@pytest.mark.parametrize("kind", ["If", "Loop", "Scan"])
def test_a_changed_layer_inside_a_body_is_the_first(engine, tmp_path, kind):
    ours, other = tmp_path / "ours.onnx", tmp_path / "other.onnx"
    onnx.save(bodies(kind, "", 1.3), ours)
    onnx.save(bodies(kind, "other_"), other)
    subject = Subject.of(ours, open_model(ours), RunSpec(optimization="none"))
    found = walk(engine, subject, OtherRun(model=str(other))).found
    matched = {
        step.name: out.counterpart for step in found.steps for out in step.outputs if out.match
    }
    inner = {name: f"other_{name}" for name in ("product", "bent")}
    assert {name: matched.get(name) for name in inner} == inner
    assert found.divergence.name == "product"
