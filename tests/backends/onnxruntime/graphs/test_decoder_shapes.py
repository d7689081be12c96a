"""Shapes and cost of decoders, compared with a run by ONNX Runtime and with a count by hand."""

from pathlib import Path

import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from inspector.analysis.facts.shapes import by_name
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import ImageOptions, feeds_by_name, fill_all
from inspector.report.run_spec import Dimension
from sample_models.making.decoder import DecoderSize, Form, head_size
from tests.analysis.inferred import known, save
from tests.language_folders import genai_folder, optimum_folder, transformers_js_folder

SIZE = DecoderSize()
LENGTHS = {"batch_size": 1, "sequence_length": 3, "past_sequence_length": 5}


def decoders(folder: Path) -> list[Path]:
    forms = {
        "plain": Form(), "int4": Form("int4"), "tied": Form(tied=True),
        "cache": Form(cache="float16"), "float16": Form("float16", "float16"),
    }  # fmt: skip
    paths = [genai_folder(folder / n, form) / "model.onnx" for n, form in forms.items()]
    paths += optimum_folder(folder / "optimum").glob("*.onnx")
    paths += (transformers_js_folder(folder / "js") / "onnx").glob("*.onnx")
    return paths


def test_inferred_shapes_are_those_of_a_run(tmp_path):
    for path in decoders(tmp_path):
        inputs = {axis for value in open_model(path).inputs for axis in value.shape or ()}
        lengths = {name: length for name, length in LENGTHS.items() if name in inputs}
        total = lengths["sequence_length"] + lengths.get("past_sequence_length", 0)
        dimensions = {**lengths, "total_sequence_length": total}
        found = by_name(infer(path, [Dimension(*each) for each in dimensions.items()]).values)
        proto = onnx.load(path)
        declared = {output.name for output in proto.graph.output}
        made = [name for node in proto.graph.node for name in node.output if name]
        proto.graph.output.extend(
            onnx.ValueInfoProto(name=name) for name in made if name not in declared
        )
        model = open_model(path)
        feeds = feeds_by_name(fill_all(model.inputs, {}, lengths, ImageOptions.of(model, ())))
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            proto.SerializeToString(), options, ["CPUExecutionProvider"]
        )
        names = [each.name for each in session.get_outputs()]
        for name, array in dict(zip(names, session.run(names, feeds), strict=True)).items():
            assert found[name].shape == array.shape, (path, name)


def test_macs_of_a_decoder_are_its_matrices_and_its_attention(tmp_path):
    hidden, kv = SIZE.hidden, SIZE.kv_heads * head_size(SIZE)
    block = 2 * hidden * hidden + 2 * hidden * kv + 3 * hidden * SIZE.feed_forward
    token = SIZE.layers * block + hidden * SIZE.vocabulary
    past, new = 40, 7
    attention = 2 * SIZE.layers * SIZE.heads * head_size(SIZE) * (past + new)
    lengths = {"batch_size": 1, "sequence_length": new, "past_sequence_length": past}
    lengths["total_sequence_length"] = past + new
    for form in (Form(), Form("int4"), Form(tied=True), Form(cache="float16")):
        path = genai_folder(tmp_path / f"{form}", form) / "model.onnx"
        _, _, cost = known(path, **lengths)
        assert (cost.macs, cost.unknown) == (new * (token + attention), 0)


def test_parameters_are_the_same_however_they_are_stored(tmp_path):
    plain, packed, tied = (
        open_model(genai_folder(tmp_path / f"{form}", form) / "model.onnx")
        for form in (Form(), Form("int4"), Form(tied=True))
    )
    assert plain.parameters == packed.parameters
    assert plain.parameters - tied.parameters == SIZE.hidden * SIZE.vocabulary
    whole = sum(path.stat().st_size for path in (tmp_path / f"{Form()}").glob("model.onnx*"))
    assert plain.size_bytes < plain.whole_bytes <= whole


def test_queries_packed_with_keys_and_values_keep_their_share(tmp_path):
    heads, pairs, size = 4, 2, 16
    node = helper.make_node(
        "GroupQueryAttention", ["x", "", "", "k", "v", "n", "t"], ["y", "pk", "pv"],
        domain="com.microsoft", num_heads=heads, kv_num_heads=pairs,
    )  # fmt: skip
    cache = ["batch", pairs, "past", size]
    inputs = {"x": ["batch", "new", (heads + 2 * pairs) * size], "k": cache, "v": cache}
    kinds = dict.fromkeys("nt", TensorProto.INT32)
    path = save(tmp_path / "m.onnx", [node], {**inputs, "n": ["batch"], "t": [1]}, {}, **kinds)
    assert by_name(infer(path, ()).values)["y"].shape == ("batch", "new", heads * size)


def test_queries_beside_keys_and_values_keep_their_size(tmp_path):
    heads, pairs, size = 4, 2, 16
    node = helper.make_node(
        "GroupQueryAttention", ["x", "a", "b", "k", "v", "n", "t"], ["y", "pk", "pv"],
        domain="com.microsoft", num_heads=heads, kv_num_heads=pairs,
    )  # fmt: skip
    cache, apart = ["batch", pairs, "past", size], ["batch", "new", pairs * size]
    inputs = {"x": ["batch", "new", heads * size], "a": apart, "b": apart}
    inputs |= {"k": cache, "v": cache}
    kinds = dict.fromkeys("nt", TensorProto.INT32)
    path = save(tmp_path / "m.onnx", [node], {**inputs, "n": ["batch"], "t": [1]}, {}, **kinds)
    assert by_name(infer(path, ()).values)["y"].shape == ("batch", "new", heads * size)


@pytest.mark.parametrize(("bits", "packed"), [(4, 2), (8, 1)])
def test_rows_of_a_matrix_of_few_bits_have_their_full_width(tmp_path, bits, packed):
    node = helper.make_node(
        "GatherBlockQuantized", ["w", "ids", "s"], ["y"], domain="com.microsoft", bits=bits,
        block_size=32, gather_axis=0, quantize_axis=1,
    )  # fmt: skip
    path = save(
        tmp_path / "m.onnx", [node], {"ids": ["batch", "tokens"]},
        {"w": [10, 64 // packed], "s": [10, 2]}, ids=TensorProto.INT64, w=TensorProto.UINT8,
    )  # fmt: skip
    assert by_name(infer(path, ()).values)["y"].shape == ("batch", "tokens", 64)


def test_a_token_of_a_mixture_takes_the_weights_of_its_experts(tmp_path):
    experts, chosen, hidden, inner = 8, 2, 32, 64
    node = helper.make_node(
        "MoE", ["x", "router", "up", "", "down"], ["y"], domain="com.microsoft", k=chosen
    )
    weights = {"up": [experts, inner, hidden], "down": [experts, hidden, inner]}
    inputs = {"x": ["tokens", hidden], "router": ["tokens", experts]}
    path = save(tmp_path / "m.onnx", [node], inputs, weights)
    _, _, cost = known(path, tokens=5)
    assert cost.macs == 5 * chosen * 2 * hidden * inner
