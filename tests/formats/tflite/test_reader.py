import random
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from inspector.analysis.cost.model_cost import cost
from inspector.analysis.facts.model_facts import facts
from inspector.analysis.facts.quantization import quantization
from inspector.analysis.facts.shapes import declared
from inspector.errors import UnreadableFile
from inspector.formats.flatbuffer import Buffer, Damaged
from inspector.formats.onnx.weight_values import chunks
from inspector.formats.opening import open_bytes, open_model, skeleton
from inspector.formats.source import of_bytes
from inspector.formats.tflite.reader import with_valid_axes
from inspector.preview.families.label_text import of_output
from inspector.preview.outputs import labels
from tests.formats.tflite import build
from tests.formats.tflite.build import Number, Union, code, i4, ints, operator, subgraph, tensor


def attributes(layer: Any) -> dict[str, str]:
    return {attribute.name: attribute.text for attribute in layer.attributes}


def test_a_graph_is_read_with_types_shapes_options_and_versions():
    found = open_bytes(build.adding(2), "m.tflite")
    assert (found.format, found.format_text) == ("tflite", "TensorFlow Lite, schema version 3")
    assert [(v.name, v.dtype, v.shape) for v in found.inputs] == [
        ("a", "float32", (2, 3)),
        ("b", "float32", (2, 3)),
    ]
    (layer,) = found.layers
    assert (layer.name, layer.operator, layer.inputs) == ("sum", "ADD", ("a", "b"))
    assert attributes(layer)["fused_activation_function"] == "RELU"
    assert attributes(layer)["pot_scale_int16"] == "true"  # a default of the schema
    needed = facts(found).requirements
    assert (needed.program, needed.runtime) == ("TensorFlow Lite", "1.14")
    assert needed.reason == "ADD, version 2"
    assert cost(found, declared(found)).operations == 12


def test_more_parts_than_any_model_has_are_refused():
    buffer = Buffer(of_bytes(b"", "m.tflite"), most_parts=2)
    buffer.charge(2)
    with pytest.raises(Damaged, match="more than 2 tables"):
        buffer.charge(1)


def test_old_files_have_one_byte_for_the_operator_and_later_ones_both():
    for fields, operator_name in (
        ({0: Number("i1", 3)}, "CONV_2D"),
        ({0: Number("i1", 127), 3: i4(150)}, "GELU"),
        ({3: i4(3)}, "CONV_2D"),
        ({3: i4(9999)}, "operator 9999"),
    ):
        graph = subgraph([tensor("x", (1,))], (0,), (0,), [operator(0, (0,), (0,))])
        assert open_bytes(build.model([fields], [graph])).layers[0].operator == operator_name


def test_custom_operators_keep_their_name_and_say_what_they_need():
    codes = [code(32, custom="FlexErf"), code(32, custom="Mfcc"), code(32, custom="mine")]
    layers = [operator(place, (0, -1), (0,)) for place in range(3)]
    found = open_bytes(build.model(codes, [subgraph([tensor("x", (1,))], (0,), (0,), layers)]))
    assert [layer.domain for layer in found.layers] == ["custom"] * 3
    assert found.layers[0].inputs == ("x", "")
    libraries = facts(found).requirements.libraries
    assert [(each.package, each.operators) for each in libraries] == [
        ("TensorFlow's Flex delegate", ("FlexErf",)),
        ("", ("mine",)),
    ]


def test_quantization_is_read_by_tensor_by_channel_and_by_block(tmp_path):
    path = tmp_path / "conv.tflite"
    path.write_bytes(build.convolving())
    found = open_model(path)
    by_value = {each.value: each for each in found.quantized}
    assert by_value["image"][1:10] == ("per tensor", None, 0, 1, 0.5, 0.5, -3, -3, ())
    assert by_value["kernel"][1:10] == ("per channel", 0, 0, 2, 0.125, 0.25, 0, 0, ())
    assert quantization(found).schemes == (("integer", 1),)
    (compressed,) = quantization(found).compressions
    assert (compressed.granularity, compressed.stored_bytes, compressed.expanded_bytes) == (
        "per channel", 18, 72,
    )  # fmt: skip
    assert cost(found, declared(found)).macs == 6 * 6 * 2 * 9
    kernel = found.weights[0]
    assert np.concatenate([*chunks(path, kernel)]).tolist() == list(range(18))
    assert found.parameters == 20


def test_an_axis_of_quantization_that_a_tensor_does_not_have_is_told():
    assert open_bytes(build.convolving(), "m.tflite").findings == ()
    (found,) = open_bytes(build.convolving(bias_axis=3), "m.tflite").findings
    assert (found.subject, found.invalid, found.refused_by) == ("bias", True, "*")
    assert found.text.startswith("quantized along axis 3, but it has only 1 dimension; ")


def test_axes_of_quantization_are_repaired_and_nothing_else_is_touched(tmp_path):
    path = tmp_path / "m.tflite"
    path.write_bytes(body := build.convolving(bias_axis=3))
    repaired = with_valid_axes(path)
    assert open_bytes(repaired, "m.tflite").findings == ()
    assert [b for a, b in zip(body, repaired, strict=True) if a != b] == [0]
    path.write_bytes(repaired)
    assert with_valid_axes(path) == repaired


def test_blocks_name_the_tensors_of_their_scales():
    details = Union(2, {0: i4(1), 1: i4(-1), 2: i4(32)})
    tensors = [
        tensor("w", (2, 64), 17, 1, quantization={4: details}),
        tensor("scales", (2, 2), 1, 2),
    ]
    body = build.model([], [subgraph(tensors, (), (0,), [])], (bytes(64), bytes(8)))
    found = open_bytes(body)
    assert found.quantized[0][:4] == ("w", "per block", None, 32)
    assert found.quantized[0].tensors == ("scales", "")
    assert [w.dtype for w in found.weights] == ["int4", "float16"]


def test_a_sparse_tensor_tells_what_is_stored():
    dense, sparse = {1: i4(4)}, {0: Number("i1", 1)}
    sparsity = {0: ints(0, 1), 2: [dense, sparse]}
    tensors = [tensor("w", (4, 4), 0, 1, sparsity=sparsity)]
    (weight,) = open_bytes(
        build.model([], [subgraph(tensors, (), (0,), [])], (bytes(12),))
    ).weights
    assert (weight.shape, weight.stored, weight.origin) == ((4, 4), 3, "sparse initializer")
    assert dict(weight.also)["sparsity"] == "compressed along axis 1"


def test_a_weight_whose_bytes_do_not_fit_its_shape_says_so():
    tensors = [tensor("w", (4, 4), 0, 1)]
    found = open_bytes(build.model([], [subgraph(tensors, (), (0,), [])], (bytes(12),)))
    assert found.weights[0].place is None
    assert "its type and shape need 64 B, but the file has 12 B" in found.findings[0].text


def test_branches_lie_in_their_layer_and_further_entry_points_are_functions():
    def branch(name: str) -> Any:
        tensors = [tensor("x", (1,)), tensor("y", (1,))]
        return subgraph(tensors, (0,), (1,), [operator(1, (0, 0), (1,))], name)

    tensors = [
        tensor("c", (), 6, has_rank=Number("?", 1)),
        tensor("x", (1,)),
        tensor("y", (1,)),
    ]
    options = Union(92, {0: i4(1), 1: i4(2)})
    main = subgraph(tensors, (0, 1), (2,), [operator(0, (0, 1), (2,), options)])
    signature = {0: [{0: "in", 1: build.u4(0)}], 1: [{0: "out", 1: build.u4(1)}], 2: "second",
                 4: build.u4(3)}  # fmt: skip
    body = build.model(
        [code(build.IF), code(build.ADD)],
        [main, branch("yes"), branch("no"), branch("other")],
        signatures=[signature],
    )
    found = open_bytes(body)
    assert [(layer.operator, layer.parent, layer.branch) for layer in found.layers] == [
        ("IF", None, ""), ("ADD", 0, "then"), ("ADD", 0, "else"),
    ]  # fmt: skip
    assert not attributes(found.layers[0])
    assert len({layer.outputs for layer in found.layers}) == 3  # though all are named y
    assert [graph.name for graph in found.graphs] == ["yes", "no"]
    (function,) = found.functions
    assert (function.name, len(function.layers)) == ("second", 1)
    assert found.signatures[0].function == "second"
    assert found.signatures[0].inputs == (("in", function.inputs[0]),)
    assert cost(found, declared(found)).operations == 1  # one branch, not both


def test_the_parts_of_a_composite_operator_run_once_and_are_no_control_flow():
    tensors = [tensor("x", (1, 4)), tensor("y", (1, 4))]
    parts = subgraph(tensors, (0,), (1,), [operator(1, (0, 0), (1,))], "norm")
    options = Union(21, {0: "odml.rms_norm", 1: i4(1)})
    composite = operator(0, (0,), (1,)) | {11: options}
    main = subgraph(tensors, (0,), (1,), [composite])
    found = open_bytes(build.model([code(206), code(build.ADD)], [main, parts]))
    assert [(layer.operator, layer.parent, layer.is_part) for layer in found.layers] == [
        ("STABLEHLO_COMPOSITE", None, False), ("ADD", 0, True),
    ]  # fmt: skip
    assert attributes(found.layers[0])["name"] == "odml.rms_norm"
    assert cost(found, declared(found)).operations == 4  # not 4 for each of unknown iterations


def test_a_subgraph_that_runs_itself_is_refused():
    loop = operator(0, (0,), (0,), Union(93, {0: i4(0), 1: i4(0)}))
    body = build.model([code(119)], [subgraph([tensor("x", (1,))], (0,), (0,), [loop])])
    with pytest.raises(UnreadableFile, match="nested deeper than 100 levels"):
        open_bytes(body)


def test_free_axes_are_free_and_the_converters_lengths_are_known():
    from inspector.analysis.cost.estimate import estimate

    tensors = [
        tensor("x", (1, 4), signature=ints(-1, 4)),
        tensor("w", (2, 4), 0, 1),
        tensor("y", (1, 2), signature=ints(-1, 2)),
    ]
    graph = subgraph(tensors, (0,), (2,), [operator(0, (0, 1, -1), (2,))])
    found = open_bytes(build.model([code(9)], [graph], (bytes(32),)))
    assert found.inputs[0].shape == (None, 4)

    def infer(lengths: object) -> Any:
        raise UnreadableFile("Could not infer shapes", "there is no runtime")

    estimated = estimate(found, infer, {})
    assert (estimated.macs, estimated.shapes.note) == (8, "")
    assert "there is no runtime" in estimate(found, infer, {"x[0]": 3}).shapes.note


def test_labels_in_the_archive_behind_the_model_become_metadata():
    labels = {0: "labels.txt", 2: Number("i1", 2)}
    normalization = {0: Union(1, {0: np.array([127.5], np.float32),
                                  1: np.array([127.5], np.float32)})}  # fmt: skip
    about = {
        0: "Pets",
        1: "Cats and dogs.",
        3: [{2: [{0: "picture", 3: {0: Union(2, {0: Number("i1", 1)})}, 4: [normalization]}],
             3: [{0: "score", 6: [labels]}]}],
    }  # fmt: skip
    metadata = [{0: "TFLITE_METADATA", 1: build.u4(1)}]
    graph = subgraph([tensor("x", (1, 2))], (0,), (0,), [])
    body = build.model([], [graph], (build.written(about, b"M001"),), metadata=metadata)
    found = open_bytes(build.with_files(body, labels="cat\ndog\n"))
    assert dict(found.metadata) == {"name": "Pets", "score.labels": "cat\ndog\n"}
    assert found.doc == "Cats and dogs."
    entries = dict(found.inputs[0].metadata)
    assert (entries["content"], entries["normalization_mean"]) == ("image", "127.5")
    assert "score.labels" not in dict(open_bytes(body).metadata)  # without the archive
    facts = "{'task': 'pose', 'stride': 32, 'imgsz': [640, 640], 'names': {0: 'person'}}"
    entries = dict(open_bytes(build.with_files(body, labels=facts)).metadata)
    assert (entries["task"], entries["names"]) == ("pose", "{0: 'person'}")
    assert "score.labels" not in entries
    damaged = dict(open_bytes(build.with_files(body, labels="{'names': {0:")).metadata)
    assert damaged["score.labels"] == "{'names': {0:"


def test_two_heads_have_the_labels_of_their_own_files():
    """Both have two classes, so that a wrong list would be as long as the right one."""
    heads = [
        {0: name, 6: [{0: f"{name}.txt", 2: Number("i1", 2)}]} for name in ("gender", "mask")
    ]
    metadata = [{0: "TFLITE_METADATA", 1: build.u4(1)}]
    tensors = [tensor(name, (1, 2)) for name in ("x", "Identity", "Identity_1", "Identity_2")]
    main = subgraph(tensors, (0,), (1, 2, 3), [])
    about = build.written({3: [{2: [{}], 3: [*heads, {0: "other"}]}]}, b"M001")
    body = build.model([], [main], (about,), metadata=metadata)
    found = open_bytes(build.with_files(body, gender="female\nmale\n", mask="off\non\n"))
    known = labels.of_model(found)
    names = ("Identity", "Identity_1", "Identity_2")
    assert [of_output(known, name) for name in names] == [("female", "male"), ("off", "on"), ()]


@pytest.mark.parametrize(
    ("unit", "entries"),
    [
        (Union(4, {0: [{0: "words.txt"}]}), {"tokenizer.kind": "bert"}),
        (
            Union(6, {0: "[^a-z]+", 1: [{0: "words.txt"}]}),
            {"tokenizer.kind": "regex", "tokenizer.pattern": "[^a-z]+"},
        ),
        (Union(5, {1: [{0: "words.txt"}]}), {"tokenizer.kind": "sentencepiece"}),
    ],
)
@pytest.mark.parametrize("of_graph", [False, True])
def test_the_vocabulary_of_a_tokenizer_becomes_metadata(unit, entries, of_graph):
    """A tokenizer is said of an input, or of the graph."""
    graph = {2: [{0: "ids"}], 5: [{0: unit}]} if of_graph else {2: [{0: "ids", 4: [{0: unit}]}]}
    graph[3] = [{0: "scores"}]
    metadata = [{0: "TFLITE_METADATA", 1: build.u4(1)}]
    main = subgraph([tensor("x", (1, 2))], (0,), (0,), [])
    about = build.written({3: [graph]}, b"M001")
    body = build.model([], [main], (about,), metadata=metadata)
    found = open_bytes(build.with_files(body, words="[PAD]\na\n"))
    words = (
        {}
        if entries["tokenizer.kind"] == "sentencepiece"
        else {"tokenizer.vocabulary": "[PAD]\na\n"}
    )
    assert dict(found.metadata) == entries | words
    assert ("tokenizer" in dict(found.inputs[0].metadata)) is not of_graph


@pytest.mark.parametrize(
    ("about", "producer", "entries"),
    [
        ({0: {0: "2.19.0", 2: i4(2)}}, ("TensorFlow", "2.19.0"), {"converted_from": "Keras"}),
        ({0: {2: i4(7)}}, ("PyTorch", ""), {"converted_from": "PyTorch"}),
        ({0: {2: i4(99)}}, ("", ""), {}),
        ({1: {0: ints(1001, 3, 3003)}}, ("", ""),
         {"optimization": "float16 quantization, 3, structured sparsity"}),
        ({}, ("", ""), {}),
    ],
)  # fmt: skip
def test_the_converter_and_its_optimizations_are_told(about, producer, entries):
    metadata = [{0: "CONVERSION_METADATA", 1: build.u4(1)}]
    graph = subgraph([tensor("x", (1, 2))], (0,), (0,), [])
    body = build.model([], [graph], (build.written(about, b"M001"),), metadata=metadata)
    found = open_bytes(body)
    assert (found.producer, found.producer_version) == producer
    assert dict(found.metadata) == entries
    assert found.findings == ()


def test_buffers_behind_the_tables_are_found_by_offset_and_size(tmp_path):
    graph = subgraph([tensor("w", (2,), 0, 1)], (), (0,), [])

    def file(offset: int) -> bytes:
        buffers = [{}, {1: Number("u8", offset), 2: Number("u8", 8)}]
        return build.model([], [graph], raw_buffers=buffers)

    path, length = tmp_path / "m.tflite", len(file(1 << 20))
    path.write_bytes(file(length) + np.array([1.5, -2], np.float32).tobytes())
    (weight,) = open_model(path).weights
    assert np.concatenate([*chunks(path, weight)]).tolist() == [1.5, -2]
    path.write_bytes(file(length))
    with pytest.raises(UnreadableFile, match="8 B are missing at its end"):
        open_model(path)


@pytest.mark.parametrize("make", [build.adding, build.convolving])
def test_damaged_files_open_or_are_refused(make):
    body, chance = make(), random.Random(4)
    for _ in range(300):
        damaged = bytearray(body)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(8, len(damaged))] = chance.choice((0, 1, 127, 255))
        with suppress(UnreadableFile):
            open_bytes(bytes(damaged[: chance.choice((len(body), chance.randrange(9, 400)))]))


def test_what_needs_an_onnx_model_says_so(tmp_path):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    with pytest.raises(UnreadableFile) as refused:
        skeleton(path)
    assert refused.value.why == "this requires an ONNX model, but it is a TensorFlow Lite model"


@pytest.mark.parametrize(
    ("dtype", "scale", "mean"), [("float32", "255", (127.5,)), ("uint8", "255", ())]
)
def test_normalization_in_the_metadata_prepares_images(dtype, scale, mean):
    from inspector.model.model import TensorInfo
    from inspector.preview.preprocessing.guess import guess

    entries = (
        ("content", "image"),
        ("normalization_mean", "127.5"),
        ("normalization_std", "127.5"),
    )
    found = guess(TensorInfo("x", "tensor", dtype, (1, 300, 200, 3), metadata=entries))
    assert (found.layout, found.scale, found.mean, found.std) == ("nhwc", scale, mean, mean)
