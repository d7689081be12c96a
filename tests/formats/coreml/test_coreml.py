"""Core ML models are read without coremltools; `files` has what coremltools 9.0 wrote.

The expected numbers are those that coremltools itself gives for these files.
"""

import json
import shutil
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.analysis.cost.model_cost import cost
from inspector.analysis.facts.model_facts import facts
from inspector.analysis.facts.quantization import quantization
from inspector.analysis.facts.shapes import declared
from inspector.errors import UnreadableFile
from inspector.formats.coreml.messages import File
from inspector.formats.coreml.package import all_files
from inspector.formats.folders.expanding import expanded
from inspector.formats.model_formats import model_suffixes
from inspector.formats.onnx import weight_values
from inspector.formats.opening import digest, not_run, open_bytes, open_model
from inspector.formats.protobuf_wire import Malformed, framed
from inspector.formats.source import of_bytes
from inspector.model.model import Model
from inspector.preview.identity import identify
from tests import command_line

FILES = Path(__file__).parent / "files"


def values(name: str, model: Model, ending: str) -> NDArray[np.generic]:
    weight = next(w for w in model.weights if w.name.endswith(ending))
    found = np.concatenate([*weight_values.chunks(FILES / name, weight)])
    assert len(found) == np.prod(weight.stored_shape)
    return found


def test_a_package_has_the_layers_weights_and_facts_of_its_program():
    model = open_model(FILES / "palettized.mlpackage")
    details = model.details
    assert (model.format, model.name) == ("coreml", "palettized.mlpackage")
    assert (details.title, details.version) == (
        "Core ML, ML program",
        "specification version 7",
    )
    assert details.needs.startswith("iOS 16, macOS 13")
    assert dict(details.facts) == {"Author": "Ada", "License": "MIT", "Operator set": "CoreML6"}
    operators = [layer.operator for layer in model.layers]
    assert operators == [
        "constexpr_lut_to_dense", "cast", "conv", "relu", "reduce_mean",
        "constexpr_lut_to_dense", "linear", "softmax", "cast",
    ]  # fmt: skip
    conv = model.layers[2]
    assert conv.inputs[0] == "image_to_fp16"
    assert {a.name: a.text for a in conv.attributes}["strides"] == "2, 2"
    assert model.inputs[0].shape == (1, 3, 8, 8)
    assert model.parameters == 8 * 3 * 9 + 8 + 16 * 8 + 16
    known = facts(model)
    assert dict(known.precision.compute)["float16"] == 6
    assert model.size_bytes == sum(
        f.stat().st_size for f in (FILES / "palettized.mlpackage").rglob("*") if f.is_file()
    )


def test_compressed_weights_have_the_values_that_coremltools_expands():
    name = "palettized.mlpackage"
    model = open_model(FILES / name)
    table = values(name, model, "conv1_weight_0_to_fp16_palettized.lut")
    places = values(name, model, "conv1_weight_0_to_fp16_palettized.indices")
    expanded = table[places.astype(int)].astype(np.float64)
    assert expanded[:3].tolist() == [0.11328125, -0.20068359375, 0.7412109375]
    assert expanded.sum() == 4.36767578125
    [table_of_16, *_] = quantization(model).compressions
    assert (table_of_16.kind, table_of_16.bits, table_of_16.tensors) == ("lookup table", 4, 2)

    name = "joint.mlpackage"
    model = open_model(FILES / name)
    mask = values(
        name,
        model,
        "conv1_weight_0_to_fp16_sparsified_nonzero_data_0_palettized_0.indices_mask",
    )
    kept = values(
        name,
        model,
        "conv1_weight_0_to_fp16_sparsified_nonzero_data_0_palettized_0.indices_nonzero_data",
    )
    table = values(
        name, model, "conv1_weight_0_to_fp16_sparsified_nonzero_data_0_palettized_0.lut"
    )
    assert mask.sum() == len(kept) == 100
    assert table[kept.astype(int)].astype(np.float64).sum() == 5.7490234375

    name = "blocks.mlpackage"
    model = open_model(FILES / name)
    stored = values(name, model, "quantized.data").astype(np.float64).reshape(16, 2, 4)
    scales = values(name, model, "quantized.scale").astype(np.float64).reshape(16, 2, 1)
    assert (stored * scales).sum() == pytest.approx(-18.31366, abs=0.01)
    [blocks] = quantization(model).compressions
    assert (blocks.kind, blocks.granularity, blocks.bits) == ("linear", "per block", 4)


def test_a_compiled_model_has_what_its_package_has(tmp_path):
    package, compiled = (
        open_model(FILES / "palettized.mlpackage"),
        FILES / "palettized.mlmodelc",
    )
    model = open_model(compiled)
    assert model.details.title == "Core ML, compiled ML program"
    assert dict(model.metadata)["coremlc-version"] == "3402.4.1"
    assert (model.layers, model.values, model.inputs) == (
        package.layers, package.values, package.inputs,
    )  # fmt: skip
    for ours, theirs in zip(model.weights, package.weights, strict=True):
        assert ours._replace(place=None) == theirs._replace(place=None)
        assert [chunk.tolist() for chunk in weight_values.chunks(compiled, ours)] == [
            chunk.tolist() for chunk in weight_values.chunks(FILES / package.name, theirs)
        ]
    assert open_model(compiled / "model.mil").name == compiled.name

    copy = tmp_path / "model0"  # as the parts of a compiled pipeline are called
    shutil.copytree(compiled, copy)
    assert open_model(copy).layers == package.layers
    text = (copy / "model.mil").read_text()
    (copy / "model.mil").write_text(text[:-200])
    with pytest.raises(UnreadableFile, match=r"damaged \(line \d+: unexpected"):
        open_model(copy)
    (copy / "model.mil").unlink()
    pipeline = copy.rename(tmp_path / "tree.mlmodelc")
    with pytest.raises(UnreadableFile, match="without model") as refused:
        open_model(pipeline)
    assert "from which it was compiled" in refused.value.hint
    shutil.copytree(compiled, pipeline / "model1")
    with pytest.raises(UnreadableFile) as refused:
        open_model(pipeline)
    assert refused.value.hint == "Open one of its parts, for example model1."


def compiled_network(folder: Path, **changed: object) -> Path:
    folder.mkdir()
    conv = {
        "type": "convolution", "name": "c", "bottom": "x", "top": "h", "C": 4, "K": 6,
        "n_groups": 2, "Nx": 3, "Ny": 1, "fused_relu": 1, "blob_weights": 3, "blob_biases": 1,
    }  # fmt: skip
    clip = {"type": "elementwise", "operation": 119, "bottom": "h", "top": "i", "beta": 6}
    odd = {"type": "elementwise", "operation": 77, "bottom": "i,h", "top": "j", "weights": {}}
    last = {
        "type": "inner_product", "name": "f", "bottom": "j", "top": "y", "nB": 4, "nC": 2,
        "weights": {"W_U8": 4, "per_ch_qscale": 9},
    }  # fmt: skip
    net = {"storage": "model.espresso.weights", "layers": [conv, clip, odd, last]} | changed
    (folder / "model.espresso.net").write_text(json.dumps(net))
    shapes = {
        "x": {"n": 1, "k": 6, "h": 5, "w": 7, "_rank": 4},
        "h": {"n": 1, "k": 4, "h": 5, "w": 7, "_rank": 4},
        "y": {"h": 1, "w": 2, "_rank": 2},
    }
    (folder / "model.espresso.shape").write_text(json.dumps({"layer_shapes": shapes}))
    blobs = {0: b"meta", 1: FOUR.tobytes(), 2: b"", 3: KERNEL.tobytes(), 4: bytes(range(32))}
    table = b"".join(struct.pack("<qq", key, len(blob)) for key, blob in blobs.items())
    whole = struct.pack("<q", len(blobs)) + table + b"".join(blobs.values())
    (folder / "model.espresso.weights").write_bytes(whole)
    vector = {"type": "MultiArray", "dataType": "Float32"}
    metadata = {
        "specificationVersion": 4, "modelType": {"name": "MLModelType_neuralNetworkRegressor"},
        "inputSchema": [{
            "name": "x", "shape": "[1, 6, 5, 7]", **vector,
            "enumeratedShapes": "[[1, 6, 5, 7], [1, 6, 9, 7]]",
        }],
        "outputSchema": [{"name": "y", "shape": "[1, 2]", "shapeRange": "[[1, 1], [2, 8]]",
                          **vector}],
    }  # fmt: skip
    (folder / "metadata.json").write_text(json.dumps([metadata]))
    return folder


FOUR = np.arange(4, dtype=np.float32)
KERNEL = np.arange(36, dtype=np.float32)  # 4 × 3 × 1 × 3


def test_a_compiled_network_has_layers_weights_and_shapes(tmp_path):
    folder = compiled_network(tmp_path / "net.mlmodelc")
    model = open_model(folder)
    assert model.details.title == "Core ML, compiled neural network regressor"
    assert [layer.operator for layer in model.layers] == [
        "convolution", "clip", "elementwise", "linear",
    ]  # fmt: skip
    assert (model.inputs[0].shape, model.outputs[0].shape) == (
        (1, 6, "5 or 9", 7),
        (1, "2 to 8"),
    )
    assert model.layers[0].inputs == ("x", "c.weights", "c.biases")
    assert model.layers[2].inputs == ("i", "h")
    kernel, bias, table, missing = model.weights
    assert (kernel.shape, bias.shape, table.shape, table.dtype) == (
        (4, 3, 1, 3), (4,), (2, 4), "uint8",
    )  # fmt: skip
    for weight, expected in ((kernel, KERNEL), (bias, FOUR), (table, np.arange(8))):
        read = np.concatenate([*weight_values.chunks(folder, weight)])
        assert read.tolist() == expected.tolist()
    assert missing.problem == "'model.espresso.weights' has no blob 9"
    assert {value.name: value.shape for value in model.values}["y"] == (1, 2)
    assert cost(model, declared(model)).macs >= 4 * 5 * 7 * 9
    assert open_model(folder / "model.espresso.net").name == folder.name


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("net", b"pbze\0\0", "are compressed, as in Apple's own systems"),
        ("net", b'{"layers": 1}', "is damaged"),
        ("net", b'{"storage": "a", "layers": [[]]}', "is damaged"),
        ("weights", struct.pack("<q", 1 << 60), "cannot have"),
        ("weights", struct.pack("<qqq", 1, 0, 1 << 40), "ends before its last blob"),
        ("shape", b'{"layer_shapes": {"x": 3}}', "is damaged"),
    ],
)
def test_a_damaged_network_says_what_is_wrong(file, content, why, tmp_path):
    folder = compiled_network(tmp_path / "net.mlmodelc")
    (folder / f"model.espresso.{file}").write_bytes(content)
    with pytest.raises(UnreadableFile, match=why):
        open_model(folder)


def test_weights_of_a_network_are_looked_for_beside_it_alone(tmp_path):
    (tmp_path / "other").write_bytes(b"secret")
    model = open_model(compiled_network(tmp_path / "net.mlmodelc", storage="../other"))
    assert all(weight.place is None and weight.problem for weight in model.weights)


def test_the_text_of_a_program_may_have_blocks_states_and_lists(tmp_path):
    folder = tmp_path / "loop.mlmodelc"
    folder.mkdir()
    (folder / "model.mil").write_text(
        """program(1.3)
[buildInfo = dict<string, string>({{"coremlc-version", "3520.5.1"}})]
{
  func main<ios18>(tensor<fp16, [1, ?]> x, state<tensor<fp16, [4]>> kept)
      [FlexibleShapeInformation = tuple<tuple<string, dict<string, tensor<int32, [?]>>>>(
        (("DefaultShapes", {{"x", [1, 3]}})))] {
    fp16 half = const()[name = string("half"), val = fp16(-0x1.8p-1)];
    bool yes = const()[name = string("yes"), val = bool(true)];
    tensor<fp16, [1, ?]> a, tensor<fp16, [1, ?]> b = split(axis = int32(1), x = x);
    tensor<fp16, [1, ?]> c = concat(values = (a, b), axis = int32(1))[name = string("joined")];
    tensor<fp16, [1, ?]> d = while_loop(loop_vars = (c))
      (tensor<fp16, [1, ?]> e) { bool f = logical_not(x = yes); } -> (f)
      (tensor<fp16, [1, ?]> g) { tensor<fp16, [1, ?]> h = add(x = g, y = half); } -> (h);
    string label = classify(probabilities = d, classes = list<string, 2>(("a \\"b\\"", "c")));
  } -> (d);
}
"""
    )
    model = open_model(folder)
    names = [layer.operator for layer in model.layers]
    assert names == ["split", "concat", "while_loop", "logical_not", "add", "classify"]
    assert model.layers[1].inputs == ("a", "b")
    assert {graph.branch for graph in model.graphs} == {"condition", "body"}
    add = model.layers[4]
    assert {each.name: each.text for each in add.attributes} == {"y": "-0.75"}
    assert model.details.classes == ('a "b"', "c")


def test_networks_show_quantized_weights_and_what_can_be_trained():
    name = "quantized_4_bits.mlmodel"
    model = open_model(FILES / name)
    assert [layer.operator for layer in model.layers[:2]] == ["convolution", "activation"]
    weight = next(w for w in model.weights if w.name == "conv.weights")
    assert (weight.dtype, weight.shape) == ("uint4", (8, 3, 3, 3))
    assert values(name, model, "conv.weights").max() == 15
    updatable = open_model(FILES / "updatable.mlmodel").details
    told = dict(updatable.facts)
    assert (told["Updatable layers"], told["Optimizer"], told["Epochs"]) == ("fc", "SGD", "3")
    tree = open_model(FILES / "tree.mlmodel")
    assert tree.details.classes == ("a", "b")
    counts = {a.name: a.text for a in tree.layers[0].attributes}
    assert (counts["trees"], counts["nodes"], counts["leaves"]) == ("1", "3", "2")


def test_a_package_opens_by_its_manifest_and_changes_its_digest_with_the_weights(tmp_path):
    package = tmp_path / "copy.mlpackage"
    shutil.copytree(FILES / "blocks.mlpackage", package)
    assert open_model(package / "Manifest.json").name == "copy.mlpackage"
    inner = open_model(package / "Data/com.apple.CoreML/model.mlmodel")
    assert not any(weight.problem for weight in inner.weights)
    before = digest(package)
    weights = package / "Data/com.apple.CoreML/weights/weight.bin"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x07")
    assert digest(package) != before
    weights.unlink()
    problems = {weight.problem for weight in open_model(package).weights if weight.problem}
    assert problems == {
        "its values are in 'weights/weight.bin', but it is not next to the model"
    }


def test_flexible_inputs_and_images_are_described():
    sizes = framed(1, b"\x08\x20\x10\x40") + framed(
        2, b"\x08\x20\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
    )
    image = b"\x08\x20\x10\x20\x18\x14" + framed(31, sizes)
    feature = framed(1, b"photo") + framed(3, framed(4, image))
    ranges = framed(31, framed(1, b"\x08\x01\x10\x01") + framed(1, b"\x08\x10\x10\x40"))
    array = framed(1, b"\x01\x10") + b"\x10\x90\x80\x04" + ranges
    other = framed(1, b"sound") + framed(3, framed(5, array) + b"\xc0\x3e\x01")
    body = b"\x08\x04" + framed(2, framed(1, feature) + framed(1, other)) + framed(900, b"")
    model = open_bytes(body, "m.mlmodel")
    photo, sound = model.inputs
    assert (photo.dtype, photo.shape) == ("RGB image", ("32 or more", "32 to 64"))
    assert (sound.dtype, sound.shape) == ("float16", (1, "16 to 64"))
    assert sound.metadata == (("optional", "yes"),)


def test_a_pipeline_says_what_its_parts_are():
    number = framed(3, framed(2, b""))
    described = framed(
        2, framed(1, framed(1, b"a") + number) + framed(1, framed(1, b"b") + number)
    )
    parts = framed(1, b"\x08\x01" + framed(602, b"")) + framed(
        1, b"\x08\x01" + framed(300, b"")
    )
    model = open_bytes(b"\x08\x01" + described + framed(201, framed(1, parts)), "m.mlmodel")
    made = identify(model)
    assert made.headline == "Pipeline regressor: feature vectorizer, linear regressor"
    assert made.details == "2 numbers (float64)"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            b"\x08\x04" + framed(2, b"input and output") + framed(300, b"a regressor"),
            "not valid in a protobuf",
        ),
        (b"\x08\x63" + framed(2, b"") + framed(999, b""), "does not support this kind"),
        (b"\x08\x04" + framed(502, b"\xff" * 30), "longer than 10 bytes"),
    ],
)
def test_damaged_models_are_refused_with_the_reason(body, why):
    with pytest.raises(UnreadableFile, match=why):
        open_bytes(body, "m.mlmodel")


def test_deep_nesting_is_refused():
    model = b"\x08\x01" + framed(900, b"")
    for _ in range(80):
        model = b"\x08\x01" + framed(202, framed(1, model))
    with pytest.raises(UnreadableFile, match="nested deeper"):
        open_bytes(model, "m.mlmodel")


def test_names_that_are_made_of_names_count_as_text_and_have_a_limit():
    message = File(of_bytes(b"", "m.mlmodel")).root("Model")
    message.charge_text(64 << 20)
    with pytest.raises(Malformed, match="more text than any valid model"):
        message.charge_text(1)


def test_commands_show_it_and_say_what_would_run_it():
    path = FILES / "palettized.mlpackage"
    refusal = not_run(path)
    assert refusal[0] == "Inspector does not run Core ML models"
    shown = command_line.run("info", path)
    assert shown.returncode == 0
    assert "Core ML, ML program, specification version 7" in shown.stdout
    assert "2 tensors lookup table 4-bit" in shown.stdout
    run = command_line.run("predict", path)
    assert run.returncode == 1
    assert "They run with Core ML, on Apple systems only" in run.stderr
    difference = command_line.run("diff", path, FILES / "blocks.mlpackage")
    assert "conv1_weight_0_to_fp16_palettized" in difference.stdout


def test_a_package_in_a_folder_of_models_is_one_model():
    listed, several = expanded([FILES], model_suffixes())
    assert several
    assert [path.name for path in listed] == [
        "blocks.mlpackage", "joint.mlpackage", "palettized.mlmodelc", "palettized.mlpackage",
        "quantized_4_bits.mlmodel", "tree.mlmodel", "updatable.mlmodel",
    ]  # fmt: skip
    assert expanded([FILES / "joint.mlpackage"], model_suffixes())[0] == [
        FILES / "joint.mlpackage"
    ]


def test_the_multiply_adds_of_a_program_are_counted_by_its_shapes():
    model = open_model(FILES / "palettized.mlpackage")
    total = cost(model, declared(model))
    assert total.macs == 8 * 3 * 3 * (3 * 9) + 16 * 8
    assert total.unknown == 0


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_package_of_links_into_a_download_cache_is_whole(tmp_path):
    store, package = tmp_path / "blobs", tmp_path / "linked.mlpackage"
    store.mkdir()
    for number, file in enumerate(all_files(FILES / "blocks.mlpackage")):
        kept = store / str(number)
        shutil.copy(file, kept)
        link = package / file.relative_to(FILES / "blocks.mlpackage")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(kept)
    model = open_model(package)
    assert not any(weight.problem for weight in model.weights)
    assert model.size_bytes == open_model(FILES / "blocks.mlpackage").size_bytes
    assert digest(package) == digest(FILES / "blocks.mlpackage")
