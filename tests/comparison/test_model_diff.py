"""What differs between two model files, made by changing one of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.comparison.layer_pairs.model_graph import ModelGraph
from inspector.comparison.model_changes import ModelDiff, State
from inspector.comparison.model_diff import diff
from inspector.comparison.model_matching import _Matching
from inspector.errors import Cancelled
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from inspector.model.model import Model, TensorInfo
from inspector.pages.model_diff import model_diff_page
from inspector.render.tables.model_diff_json import as_plain
from tests import models
from tests.analysis.build import layers
from tests.analysis.build import model as plain
from tests.analysis.build import weight as stored
from tests.conversion.conversions import converted, outputs, saved

SAMPLES = Path(__file__).parent.parent.parent / "sample_models"
DIGITS = SAMPLES / "digits_float32.onnx"


def compared(first: Path, other: Path, **more: Any) -> ModelDiff:
    with WeightReader(first) as one, WeightReader(other) as two:
        return diff(open_model(first), open_model(other), one.read, two.read, **more)


def changed(tmp_path: Path, change: Callable[[Any], None], source: Path = DIGITS) -> ModelDiff:
    proto = onnx.load(source)
    change(proto)
    path = tmp_path / "changed.onnx"
    onnx.save(proto, path)
    return compared(source, path)


def node(proto: Any, operator: str) -> Any:
    return next(node for node in proto.graph.node if node.op_type == operator)


def rename(proto: Any) -> None:
    graph = proto.graph
    fixed = {value.name for value in (*graph.input, *graph.output)}
    names: dict[str, str] = {name: name for name in fixed} | {"": ""}

    def new(name: str) -> str:
        return names.setdefault(name, f"v{len(names)}")

    for number, each in enumerate(graph.node):
        each.name = f"n{number}"
        for list_ in (each.input, each.output):
            renamed = [new(name) for name in list_]
            del list_[:]
            list_.extend(renamed)
    for tensor in graph.initializer:
        tensor.name = new(tensor.name)
    for value in graph.value_info:
        value.name = new(value.name)


@pytest.mark.parametrize("name", ["digits_float32", "digits_int8_qdq", "language_bert"])
def test_names_alone_are_no_change(tmp_path, name):
    found = changed(tmp_path, rename, SAMPLES / f"{name}.onnx")
    assert found.total == 0
    assert found.groups == ()
    assert {each["renamed"] for each in as_plain(found)["weights"]} == {True}
    assert found.counts["renamed"] == sum(pair.first is not None for pair in found.pairs) > 10
    assert found.summary.startswith("A and B are identical except for names; ")


def residual(path: Path) -> Path:
    """Blocks of two convolutions, each added to what it reads, with one activation of two."""
    random = np.random.default_rng(0)
    weights = random.standard_normal((6, 16, 16, 3, 3)).astype(np.float32)
    nodes, at = [helper.make_node("Conv", ["x", "w0"], ["a0"], "stem", pads=[1] * 4)], "a0"
    for block in range(1, 5, 2):
        one, two, end = f"one{block}", f"two{block}", f"a{block}"
        nodes += [
            helper.make_node("Conv", [at, f"w{block}"], [one], f"c{one}", pads=[1] * 4),
            helper.make_node("HardSigmoid", [one], [f"h{one}"], f"h{one}"),
            helper.make_node("Mul", [one, f"h{one}"], [f"m{one}"], f"m{one}"),
            helper.make_node(
                "Conv", [f"m{one}", f"w{block + 1}"], [two], f"c{two}", pads=[1] * 4
            ),
            helper.make_node("Add", [at, two], [end], f"add{block}"),
        ]
        at = end
    nodes.append(helper.make_node("GlobalAveragePool", [at], ["y"], "pool"))
    stored = [numpy_helper.from_array(each, f"w{n}") for n, each in enumerate(weights[:5])]
    return models.save(path, nodes, [models.value("x", (1, 16, 8, 8))],
                       [models.value("y", (1, 16, 1, 1))], stored, opset=13)  # fmt: skip


def test_what_an_optimizer_fused_is_paired_without_names(tmp_path):
    source = SAMPLES / "language_bert.onnx"
    fused = optimized(source, tmp_path / "fused.onnx", "ORT_ENABLE_EXTENDED")
    named = compared(source, fused)
    proto = onnx.load(fused)
    rename(proto)
    onnx.save(proto, tmp_path / "renamed.onnx")
    found = compared(source, tmp_path / "renamed.onnx")
    assert [pair[:2] for pair in found.pairs] == [pair[:2] for pair in named.pairs]
    places = {output: layer.index for layer in named.other.layers for output in layer.outputs}
    outputs = [layer.outputs[0] for layer in named.first.layers]
    both = {first: other for first, other, *_ in named.pairs if first is not None}
    same = {at: places[name] for at, name in enumerate(outputs) if name in places and both[at]}
    assert len(same) > 50
    assert {at: both[at] for at in same} == same


def test_layers_in_blocks_of_channels_that_add_are_paired(tmp_path):
    source = residual(tmp_path / "net.onnx")
    found = compared(source, optimized(source, tmp_path / "all.onnx", "ORT_ENABLE_ALL"))
    convolutions = [
        [layer.index for layer in model.layers if "Conv" in layer.operator]
        for model in (found.first, found.other)
    ]
    pairs = dict(pair[:2] for pair in found.pairs)
    assert [pairs[at] for at in convolutions[0]] == convolutions[1]
    assert not found.different_networks


def test_equal_files_are_the_same():
    found = compared(DIGITS, DIGITS)
    assert (found.total, found.summary) == (0, "A and B are identical.")


def test_a_changed_attribute_is_named(tmp_path):
    def change(proto: Any) -> None:
        for attribute in node(proto, "Conv").attribute:
            if attribute.name == "dilations":
                proto_of = helper.make_attribute("dilations", [2, 2])
                attribute.CopyFrom(proto_of)
                return
        node(proto, "Conv").attribute.append(helper.make_attribute("dilations", [2, 2]))

    found = changed(tmp_path, change)
    (group,) = found.groups
    assert (group.title, group.detail.rpartition(" → ")[2]) in [
        ("1 Conv", "2, 2"), ("1 Conv", "dilations added (2, 2)"),
    ]  # fmt: skip
    assert found.layer_changes("attribute") == found.total == 1
    assert "1 of 3 Conv with different dilations" in found.summary


def test_a_long_list_that_differs_behind_what_is_shown_is_a_change(tmp_path):
    ends = [[models.value(name, [1])] for name in "xy"]
    paths = []
    for last in (1.0, 2.0):
        tree = helper.make_node("Fake", ["x"], ["y"], "tree", domain="ours",
                                values=[0.0] * 40 + [last])  # fmt: skip
        paths.append(models.save(tmp_path / f"{last}.onnx", [tree], *ends))
    assert compared(*paths).layer_changes("attribute") == 1


def test_a_weight_times_one_and_a_half_is_measured(tmp_path):
    def change(proto: Any) -> None:
        name = node(proto, "Gemm").input[1]
        tensor = next(t for t in proto.graph.initializer if t.name == name)
        values = numpy_helper.to_array(tensor)
        tensor.CopyFrom(numpy_helper.from_array((values * 1.5).astype(values.dtype), name))

    found = changed(tmp_path, change)
    assert found.weight_counts["changed"] == found.total == 1
    (group,) = found.groups
    assert (group.title, group.detail) == ("1 Gemm", "values of weights")
    (change_,) = found.pairs[group.pairs[0]].changes
    assert change_.difference.sqnr_db == pytest.approx(20 * np.log10(2), abs=0.01)
    weights = onnx.load(DIGITS).graph.initializer
    largest = max(
        float(np.abs(numpy_helper.to_array(w)).max())
        for w in weights
        if w.name == node(onnx.load(DIGITS), "Gemm").input[1]
    )
    assert change_.difference.max_abs == pytest.approx(largest / 2, rel=1e-5)


@pytest.mark.parametrize("also_renamed", [False, True])
def test_an_inserted_layer_is_the_only_change(tmp_path, also_renamed):
    def change(proto: Any) -> None:
        graph = proto.graph
        relu = node(proto, "Relu")
        cast = helper.make_node("Cast", [relu.input[0]], ["cast"], "cast", to=TensorProto.FLOAT)
        relu.input[0] = "cast"
        graph.node.insert([*graph.node].index(relu), cast)
        if also_renamed:
            rename(proto)

    found = changed(tmp_path, change)
    (group,) = found.groups
    assert (group.state, group.title) == (State.NEW, "1 Cast")
    if also_renamed:
        return
    assert found.total == 1
    assert group.detail == "after BatchNormalization"
    assert found.summary == "B is A with 1 Cast added; inputs and outputs are the same."


def test_a_new_opset_is_named(tmp_path):
    def change(proto: Any) -> None:
        proto.opset_import[0].version += 1

    found = changed(tmp_path, change)
    old = onnx.load(DIGITS).opset_import[0].version
    (property_,) = found.properties
    assert (property_.kind, property_.text) == ("opset", f"opset {old} → {old + 1}")
    assert f"opset {old} → {old + 1}" in found.summary


def test_metadata_inputs_and_outputs_are_compared(tmp_path):
    def change(proto: Any) -> None:
        helper.set_model_props(proto, {"author": "me"})
        name = proto.graph.input[0].name
        proto.graph.input[0].name = "image"
        for each in proto.graph.node:
            each.input[:] = ["image" if one == name else one for one in each.input]
        proto.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 4

    found = changed(tmp_path, change)
    assert "author Inspector → me" in [each.text for each in found.properties]
    assert [each.text for each in found.inputs] == ["picture → image"]
    assert [each.text for each in found.outputs] == [
        "probabilities float32 batch×10 → float32 4×10"
    ]
    assert found.summary.endswith("1 input and 1 output changed.")
    assert found.counts["changed"] + found.counts["moved"] == 0


def test_a_layer_that_reads_another_one_has_moved(tmp_path):
    def change(proto: Any) -> None:
        relus = [each for each in proto.graph.node if each.op_type == "Relu"]
        relus[0].input[0], relus[1].input[0] = relus[1].input[0], relus[0].input[0]

    found = changed(tmp_path, change)
    assert found.counts["moved"] == found.total == 2


def test_quantized_weights_are_compared_as_real_numbers():
    found = compared(DIGITS, SAMPLES / "digits_int8_qdq.onnx")
    assert found.summary.startswith("B is A with 3 Conv and 1 Gemm in int8; ")
    gemm = next(group for group in found.groups if group.title == "1 Gemm")
    weights = found.pairs[gemm.pairs[0]].changes[0]
    # The step of symmetric int8 is 1/127 of the largest weight; rounding is half of it.
    peak, error = weights.difference.peak, weights.difference.max_abs
    assert peak is not None
    assert 0 < error <= peak / 127 * 0.51
    assert found.counts["moved"] == 0
    # Their zero points are the least int8: what was below 0 is 0 after them, as after a Relu.
    replaced = "3 Relu replaced by QuantizeLinear, which clamps at 0"
    assert replaced in found.summary


def test_a_quantization_that_keeps_values_below_0_replaces_no_relu(tmp_path):
    proto = onnx.load(SAMPLES / "digits_int8_qdq.onnx")
    for each in proto.graph.initializer:
        if each.name.endswith("relu_output_zero_point"):
            each.CopyFrom(numpy_helper.from_array(np.array(-127, np.int8), each.name))
    other = tmp_path / "other.onnx"
    onnx.save(proto, other)
    assert "3 Relu removed" in compared(DIGITS, other).summary


def test_float16_weights_differ_by_rounding_alone():
    found = compared(DIGITS, SAMPLES / "digits_float16.onnx")
    differences = [w.difference for w in found.weights if w.difference is not None]
    assert len(differences) == 18
    assert all((d.sqnr_db or 0) > 60 for d in differences)


def test_unrelated_networks_are_said_to_be_different():
    found = compared(SAMPLES / "wine_tabular.onnx", SAMPLES / "language_bert.onnx")
    assert found.different_networks
    layers = min(len(model.layers) for model in (found.first, found.other))
    assert found.summary == (
        f"These are different networks: 0 of {layers} layers are similar, so none are paired."
    )
    assert found.counts["same"] == found.counts["changed"] == 0


def test_the_runtime_s_optimized_graph_says_what_was_fused(tmp_path):
    path = optimized(DIGITS, tmp_path / "optimized.onnx", "ORT_ENABLE_EXTENDED")
    found = compared(DIGITS, path)
    gone = {group.title for group in found.groups if group.state is State.GONE}
    assert gone == {"3 BatchNormalization", "3 Relu"}
    conv = next(group for group in found.groups if group.title == "3 Conv")
    assert conv.detail == "operator Conv → FusedConv; activation added (Relu)"
    assert found.counts["new"] == 0


def test_layers_of_branches_are_matched_within_their_branch(shared):
    model = shared / "real" / "silero_vad_op16_if.onnx"
    found = compared(model, model)
    assert found.total == 0
    assert len(found.pairs) > 300


def test_without_readers_types_and_shapes_alone_are_compared():
    found = diff(open_model(DIGITS), open_model(DIGITS))
    assert not found.values_compared
    assert found.summary == ("A and B have the same layers; weight values were not compared.")
    found = diff(open_model(DIGITS), open_model(SAMPLES / "digits_float16.onnx"))
    assert (found.weight_counts["changed"], found.weight_counts["same"]) == (18, 0)


def test_the_same_integers_with_another_scale_are_other_weights(tmp_path):
    def change(proto: Any) -> None:
        scales = [t for t in proto.graph.initializer if t.name.endswith("scale") and t.dims]
        (tensor, values) = scales[0], numpy_helper.to_array(scales[0])
        tensor.CopyFrom(numpy_helper.from_array(values * np.float32(1.5), tensor.name))

    found = changed(tmp_path, change, SAMPLES / "digits_int8_qdq.onnx")
    (weight,) = (weight for weight in found.weights if weight.state is State.CHANGED)
    assert weight.difference.sqnr_db == pytest.approx(6, abs=0.1)  # a half of each value


@pytest.mark.parametrize(
    ("operator", "weight", "elements", "certain"),
    [
        ("MatMul", "w", 8, 1), ("MatMul", "v", 8, 1), ("MatMul", "v", 9, 0),
        ("Gemm", "v", 8, 0), ("MatMul", "none", 8, 0),
    ],
)  # fmt: skip
def test_layers_between_others_count_as_counterparts_where_their_weights_are_alike(
    operator, weight, elements, certain
):
    def net(before: str, operator: str, name: str, elements: int, after: str) -> Model:
        return plain(
            layers((before, "x", "1"), (operator, f"1 {name}", "2"), (after, "2", "y")),
            weights=() if name == "none" else (stored(name, "float32", elements, 4),),
            outputs=(TensorInfo("y", "tensor", "float32", None),),
        )

    first = "none" if weight == "none" else "w"
    one = net("Neg", "MatMul", first, 8, "Relu")
    found = diff(one, net("Exp", operator, weight, elements, "Sigmoid"))
    assert found.counterparts == (certain, 3)


def test_values_that_cannot_be_read_are_unknown(tmp_path):
    tensor = helper.make_tensor(
        "w", TensorProto.FLOAT, [4], np.ones(4, "f").tobytes(), raw=True
    )
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="missing.bin")
    add = helper.make_node("Add", ["x", "w"], ["y"], "add")
    ends = [[models.value(name, [4])] for name in "xy"]
    path = models.save(tmp_path / "model.onnx", [add], *ends, [tensor])
    found = compared(path, path)
    assert found.weight_counts["unknown"] == 1
    assert found.summary == "A and B have the same layers; 1 weight could not be read."
    assert (found.weight_counts["same"], found.unread_same) == (1, 1)


def test_a_long_comparison_can_be_stopped():
    def stop(share: float) -> None:
        raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        compared(DIGITS, DIGITS, progress=stop)


def test_each_layer_has_a_state_on_each_side(tmp_path):
    found = compared(DIGITS, SAMPLES / "digits_int8_qdq.onnx")
    for side, model in enumerate((found.first, found.other)):
        states = found.states(side)
        assert len(states) == len(model.layers)
        alone = State.NEW if side else State.GONE
        assert states.count(alone) == found.counts[alone.value]


def optimized(source: Path, target: Path, level: str) -> Path:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    options.optimized_model_filepath = str(target)
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
    return target


@pytest.mark.parametrize("forward", [True, False])
def test_folded_normalization_is_no_change_of_weights(tmp_path, forward):
    paths = [DIGITS, optimized(DIGITS, tmp_path / "basic.onnx", "ORT_ENABLE_BASIC")]
    found = compared(*(paths if forward else reversed(paths)))
    text = "folded into" if forward else "split out of"
    assert found.summary.startswith(f"B is A with 3 BatchNormalization {text} Conv; ")
    assert found.counts["changed"] == found.weight_counts["changed"] == 0
    assert found.weight_counts["folded"] == 4 * 3 + 3  # of BatchNormalization; the new biases
    assert found.weight_counts["new"] == found.weight_counts["gone"] == 0
    (group,) = (group for group in found.groups if group.pairs)
    state = State.GONE if forward else State.NEW
    assert group.state is state
    assert group.detail.startswith(f"{text} Conv, equal within ")
    assert 0 < float(group.detail.rpartition(" ")[2]) < 1e-5


def test_weights_that_changed_besides_being_folded_are_measured(tmp_path):
    path = optimized(DIGITS, tmp_path / "basic.onnx", "ORT_ENABLE_BASIC")
    proto = onnx.load(path)
    name = node(proto, "Conv").input[1]
    tensor = next(t for t in proto.graph.initializer if t.name == name)
    values = numpy_helper.to_array(tensor)
    tensor.CopyFrom(numpy_helper.from_array((values * 1.1).astype("f"), name))
    onnx.save(proto, path)
    found = compared(DIGITS, path)
    assert found.weight_counts["changed"] == 1
    (changed,) = (weight for weight in found.weights if weight.state is State.CHANGED)
    assert changed.difference.sqnr_db == pytest.approx(20, abs=0.1)  # 1.1 against 1


def test_weights_that_no_folding_explains_are_changed(tmp_path):
    path = optimized(DIGITS, tmp_path / "basic.onnx", "ORT_ENABLE_BASIC")
    proto = onnx.load(path)
    noise = np.random.default_rng(1)
    for tensor in proto.graph.initializer:
        shape = tuple(tensor.dims)
        if len(shape) == 4:
            values = noise.standard_normal(shape).astype("f")
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(proto, path)
    found = compared(DIGITS, path)
    assert found.weight_counts["changed"] == 3
    assert found.weight_counts["folded"] == 0
    assert "3 BatchNormalization removed" in found.summary


def test_scale_and_offset_by_channel_are_folded_into_a_product(tmp_path):
    noise = np.random.default_rng(2)
    weight, scale, offset = (
        noise.standard_normal(shape).astype("f") for shape in ((8, 4), (4,), (1, 4))
    )
    ends = [models.value("x", [1, 8])], [models.value("y", [1, 4])]
    apart = [helper.make_node("MatMul", ["x", "w"], ["a"], "dense"),
             helper.make_node("Mul", ["s", "a"], ["b"], "scale"),
             helper.make_node("Sub", ["b", "o"], ["y"], "offset")]  # fmt: skip
    folded = [helper.make_node("Gemm", ["x", "v", "c"], ["y"], "dense")]
    paths = [
        models.save(tmp_path / "0.onnx", apart, *ends, {"w": weight, "s": scale, "o": offset}),
        models.save(tmp_path / "1.onnx", folded, *ends, {"v": weight * scale, "c": -offset[0]}),
    ]
    found = compared(*paths)
    assert found.weight_counts["changed"] == 0
    assert [p.folded for p in found.pairs if p.other is None] == ["Gemm", "Gemm"]


def test_attributes_with_their_default_value_are_no_change(tmp_path):
    def change(proto: Any) -> None:
        conv = node(proto, "Conv")
        conv.attribute.append(helper.make_attribute("group", 1))
        conv.attribute.append(helper.make_attribute("auto_pad", "NOTSET"))
        node(proto, "Gemm").attribute.append(helper.make_attribute("alpha", 1.0))

    assert changed(tmp_path, change).total == 0


def test_the_table_of_defaults_is_what_its_script_makes_of_onnx():
    from tools import make_attribute_defaults

    stored = make_attribute_defaults.TABLE.read_text("utf-8")
    table = json.loads(stored)
    assert make_attribute_defaults.written(table) == stored
    made = make_attribute_defaults.table()
    assert made["onnx"] != table["onnx"] or made == table


@pytest.mark.parametrize("name", ["digits_int8_qdq", "language_bert"])
def test_other_names_alone_are_matched_as_by_hashes_of_structure(tmp_path, monkeypatch, name):
    source = SAMPLES / f"{name}.onnx"
    at_once = changed(tmp_path, rename, source)
    hashed: list[str] = []
    before = ModelGraph.before

    def counted(self: ModelGraph, exact: bool) -> dict[int, int]:
        hashed.append("")
        return before(self, exact)

    monkeypatch.setattr(ModelGraph, "before", counted)
    assert changed(tmp_path, rename, source).pairs == at_once.pairs
    assert not hashed, "models with the same structure need no hashes"
    monkeypatch.setattr(_Matching, "_by_lockstep", lambda self: None)
    slow = changed(tmp_path, rename, source)
    assert hashed
    assert [pair[:2] for pair in slow.pairs] == [pair[:2] for pair in at_once.pairs]


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    """A product, a convolution and an embedding with weights of which rows differ in scale."""
    random = np.random.default_rng(3)
    shapes = {"w": (96, 64), "kernel": (32, 8, 3, 3), "table": (64, 48)}
    weights = {name: random.standard_normal(shape) for name, shape in shapes.items()}
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[n, 96] x, float[1, 8, 5, 5] image, int64[m] ids)
        => (float[n, 64] y, float[1, 32, 3, 3] map, float[m, 48] rows) {
      y = MatMul (x, w)
      map = Conv (image, kernel)
      rows = Gather (table, ids)
    }"""
    folder = tmp_path_factory.mktemp("net")
    return saved(folder, text, **{n: each.astype(np.float32) for n, each in weights.items()})


@pytest.mark.parametrize(
    ("step", "names"),
    [
        ("palettize", ("w", "kernel", "table")),
        ("mxfp4", ("w", "kernel", "table")),
        ("float8", ("w", "kernel", "table")),
        ("float8:kind=e5m2,expand=run", ("w", "kernel", "table")),
        ("weights-4bit:block=16", ("w",)),
        ("nf4", ("w",)),
        ("embeddings-4bit", ("table",)),
    ],
)
def test_compressed_weights_are_compared_as_the_numbers_that_layers_get(
    net, tmp_path, step, names
):
    new, _ = converted(net, tmp_path, step)
    image = np.zeros((1, 8, 5, 5), np.float32)
    feeds = {"x": np.eye(96, dtype=np.float32), "image": image, "ids": np.arange(64)}
    old, made = (outputs(path, feeds) for path in (net, new))
    values = {"w": "y", "table": "rows"}  # outputs that are these weights
    result = compared(net, new)
    added = [result.other.layers[p.other].operator for p in result.pairs if p.first is None]
    assert {*added} <= {"DequantizeLinear"}
    found = {pair.either.name: pair.difference for pair in result.weights if pair.difference}
    assert found.keys() == {*names}
    for name in {*names} - {"kernel"}:
        before = old[values[name]].astype(np.float64)
        error = made[values[name]] - before
        assert found[name].max_abs == pytest.approx(np.abs(error).max(), rel=1e-4)
        ratio = 10 * np.log10((before**2).sum() / (error**2).sum())
        assert found[name].sqnr_db == pytest.approx(ratio, abs=0.01)
    rows = next(s for s in model_diff_page(result).sections if s.id == "weights").blocks[0].rows
    worst = [float(row.cells[5].removesuffix(" dB")) for row in rows]
    assert worst == sorted(worst)


def test_two_compressions_of_the_same_values_are_the_same(net, tmp_path):
    few = onnx.load(net)
    for tensor in few.graph.initializer:
        values = np.sign(numpy_helper.to_array(tensor)) * np.float32(0.5)
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(few, tmp_path / "few.onnx")
    new, _ = converted(tmp_path / "few.onnx", tmp_path / "new", "palettize:bits=1")
    result = compared(tmp_path / "few.onnx", new)
    assert all(pair.difference.identical for pair in result.weights)
