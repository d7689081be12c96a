"""Formats that are only shown: PyTorch's archives, OpenVINO, Keras, safetensors and GGUF.

`files` has what torch 2.14, OpenVINO 2026.4 and Keras 3.15 wrote, without what is not read.
"""

import io
import json
import shutil
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from inspector.analysis.facts.quantization import quantization
from inspector.analysis.facts.source_location import source_location
from inspector.errors import UnreadableFile
from inspector.formats.onnx import weight_values
from inspector.formats.opening import open_bytes, open_model
from inspector.model.model import FormatDetails, Model
from inspector.preview.outputs import labels
from tests import command_line
from tests.formats import build

FILES = Path(__file__).parent / "files"


def told(model: Model) -> dict[str, str]:
    assert isinstance(model.details, FormatDetails)
    return dict(model.details.facts)


def first_values(path: Path, model: Model, name: str) -> list[float]:
    weight = next(w for w in model.weights if w.name == name)
    return next(weight_values.chunks(path, weight)).astype(float).tolist()


def test_an_exported_program_shows_layers_with_their_module_and_source_line():
    model = open_model(FILES / "net.pt2")
    assert [(x.operator, x.overload) for x in model.layers] == [
        ("linear", "default"), ("relu", "default"), ("add", "Tensor"), ("linear", "default"),
    ]  # fmt: skip
    assert model.layers[0].inputs == ("x", "block.linear.weight", "block.linear.bias")
    assert model.inputs[0].shape == ("s77", 4)
    assert told(model)["Dynamic sizes"] == "s77: 1 to 64"
    place = source_location(model.layers[1])
    assert (place.module, place.module_class) == ("block", "__main__.Block")
    assert (Path(place.file).name, place.line) == ("mktiny.py", 6)
    assert first_values(FILES / "net.pt2", model, "head.bias") == pytest.approx(
        [-0.31476897, -0.12658262]
    )
    assert model.parameters == 30


def rewritten(name: str, change: Any) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(FILES / name) as old, zipfile.ZipFile(packed, "w") as new:
        for info in old.infolist():
            body = change(info.filename, old.read(info))
            if body is not None:
                new.writestr(info.filename, body)
    return packed.getvalue()


def test_a_pickled_or_transposed_tensor_has_no_values_and_says_why():
    def pickled(name: str, body: bytes) -> bytes:
        return body.replace(b'"use_pickle": false', b'"use_pickle": true')

    model = open_bytes(rewritten("net.pt2", pickled), "a.pt2")
    assert {w.problem for w in model.weights} == {
        "its values are in a pickle, which Inspector does not run"
    }

    def transposed(name: str, body: bytes) -> bytes:
        if not name.endswith("weights_config.json"):
            return body
        plain = json.loads(body)
        meta = plain["config"]["head.weight"]["tensor_meta"]
        meta["strides"] = meta["strides"][::-1]
        return json.dumps(plain).encode()

    model = open_bytes(rewritten("net.pt2", transposed), "a.pt2")
    problems = {w.name: w.problem for w in model.weights if w.problem}
    assert problems == {"head.weight": "its values are not stored in the order of its axes"}


def test_an_axis_of_an_exported_program_may_be_empty():
    def emptied(name: str, body: bytes) -> bytes:
        return body.replace(b'"as_int": 4', b'"as_int": 0') if "model.json" in name else body

    model = open_bytes(rewritten("net.pt2", emptied), "a.pt2")
    assert (model.inputs[0].shape, model.weights[0].shape) == (("s77", 0), (0, 0))


def test_damaged_archives_are_refused():
    def emptied(name: str, body: bytes) -> bytes:
        return b"{}" if name.endswith("model.json") else body

    with pytest.raises(UnreadableFile, match="not the graph of an exported program"):
        open_bytes(rewritten("net.pt2", emptied), "a.pt2")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("a/models/model.json", bytes(257 << 20))
    with pytest.raises(UnreadableFile, match="larger than 256 MiB"):
        open_bytes(bomb.getvalue(), "a.pt2")


def test_torch_script_is_shown_as_code_without_running_a_pickle(tmp_path):
    model = open_model(FILES / "net.pt")
    code = dict(model.details.texts)
    assert "return _0" in code["__torch__.py"]
    assert told(model)["Calls in the code"] == "linear 2, add 1, relu 1"
    assert "Stored tensors" in told(model)
    marker = tmp_path / "ran"
    evil = b"cposix\nsystem\n(S'touch " + str(marker).encode() + b"'\ntR."

    def spoiled(name: str, body: bytes) -> bytes:
        return evil if name.endswith(".pkl") else body

    open_bytes(rewritten("net.pt", spoiled), "a.pt")
    assert not marker.exists()


def test_openvino_has_layers_types_and_weights_from_beside_the_xml(tmp_path):
    model = open_model(FILES / "net.xml")
    assert [x.operator for x in model.layers] == [
        "Convert", "Convolution", "ReLU", "ReduceMean", "Reshape", "Convert", "MatMul",
    ]  # fmt: skip
    assert model.layers[1].inputs == ("x", "w")
    assert (model.inputs[0].dtype, model.inputs[0].shape) == ("float32", (None, 3, 8, 8))
    assert first_values(FILES / "net.xml", model, "Range_3517") == [2.0, 3.0]
    assert told(model)["Operator sets"] == "opset1"
    shutil.copy(FILES / "net.xml", tmp_path)
    alone = open_model(tmp_path / "net.xml")
    assert {w.problem for w in alone.weights} == {
        "its values are in 'net.bin', but it is not next to the model"
    }
    body = (FILES / "net.xml").read_bytes()
    entity = b'<?xml version="1.0"?><!DOCTYPE net [<!ENTITY a "aaaa">]>'
    with pytest.raises(UnreadableFile):
        open_bytes(body.replace(b'<?xml version="1.0"?>', entity), "a.xml")
    late = body.replace(b"?>", b"?>" + b" " * 5000 + b"<!DOCTYPE net [<!ENTITY a 'a'>]>", 1)
    with pytest.raises(UnreadableFile):
        open_bytes(late, "a.xml")


def test_openvino_keeps_the_bounds_of_a_parameter():
    body = b"""<?xml version="1.0"?><net name="m" version="11"><layers>
        <layer id="0" name="x" type="Parameter" version="opset1">
            <data shape="1..8,3,?,16.." element_type="f32"/>
            <output><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim><dim>-1</dim>
                <dim>-1</dim></port></output></layer>
        <layer id="1" name="y" type="Result" version="opset1">
            <input><port id="0"/></input></layer>
        </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>
        </net>"""
    model = open_bytes(body, "m.xml")
    (value,) = model.inputs
    assert value.shape == (None, 3, None, None)
    assert value.full_type == "float32[1..8, 3, ?, 16..]"
    assert told(model)["Flexible shapes"] == "x: float32[1..8, 3, ?, 16..]"


def test_openvino_has_the_labels_that_its_model_api_writes():
    body = b"""<?xml version="1.0"?><net name="m" version="11"><layers>
        <layer id="0" name="x" type="Parameter" version="opset1">
            <data shape="1,2" element_type="f32"/>
            <output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim></port></output>
        </layer>
        <layer id="1" name="y" type="Result" version="opset1">
            <input><port id="0"/></input></layer>
        </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>
        <rt_info><model_info><labels value="traffic_light dog"/>
            <model_type value="Classification"/></model_info></rt_info></net>"""
    model = open_bytes(body, "m.xml")
    entries = {
        "model_info.labels": "traffic_light dog",
        "model_info.model_type": "Classification",
    }
    assert dict(model.metadata) == entries
    assert labels.of_model(model) == ("traffic light", "dog")


def test_keras_shows_layers_and_says_that_the_weights_are_not_read():
    model = open_model(FILES / "net.keras")
    assert [x.operator for x in model.layers] == [
        "Conv2D", "Conv2D", "Add", "GlobalAveragePooling2D", "Dense",
    ]  # fmt: skip
    assert model.layers[2].inputs == ("c1", "c2")
    assert model.inputs[0].shape == ("batch", 8, 8, 3)
    assert "unknown" in command_line.run("info", "--no-hash", FILES / "net.keras").stdout
    with zipfile.ZipFile(FILES / "net.keras") as archive:
        config = archive.read("config.json")
    old = open_bytes(b"\x89HDF\r\n\x1a\n" + bytes(500) + config + bytes(99), "a.h5")
    assert [x.name for x in old.layers] == [x.name for x in model.layers]
    with pytest.raises(UnreadableFile, match="without the configuration of a Keras model"):
        open_bytes(b"\x89HDF\r\n\x1a\n" + bytes(500), "a.h5")


def safetensors(header: Any, body: bytes) -> bytes:
    plain = json.dumps(header).encode()
    return struct.pack("<Q", len(plain)) + plain + body


def test_safetensors_have_weights_and_metadata(tmp_path):
    values = np.arange(6, dtype=np.float16)
    header = {
        "__metadata__": {"format": "pt"},
        "a": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]},
        "b": {"dtype": "F32", "shape": [9], "data_offsets": [12, 48]},
    }
    path = tmp_path / "m.safetensors"
    path.write_bytes(safetensors(header, values.tobytes()))
    model = open_model(path)
    assert first_values(path, model, "a") == values.tolist()
    assert told(model)["Framework"] == "PyTorch"
    assert "beyond the end of the file" in model.weights[1].problem
    assert model.layers == ()
    with pytest.raises(UnreadableFile, match="not that of a safetensors"):
        open_bytes(safetensors({"a": [1]}, b""), "a.safetensors")


def gguf(kind: int, shape: tuple[int, ...], body: bytes, version: int = 3) -> bytes:
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    keys = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("llama.context_length") + struct.pack("<II", 4, 4096),
        text("tokens")
        + struct.pack("<IIQ", 9, 8, 20)
        + b"".join(text(str(i)) for i in range(20)),
    ]
    tensor = text("w") + struct.pack("<I", len(shape))
    tensor += struct.pack(f"<{len(shape)}Q", *shape[::-1]) + struct.pack("<IQ", kind, 0)
    head = b"GGUF" + struct.pack("<IQQ", version, 1, len(keys)) + b"".join(keys) + tensor
    return head + bytes(-len(head) % 32) + body


def test_gguf_has_the_real_sizes_of_its_blocks():
    model = open_bytes(gguf(12, (4, 256), bytes(4 * 144)), "m.gguf")  # Q4_K
    weight = model.weights[0]
    assert (weight.dtype, weight.shape, weight.size_bytes) == ("Q4_K", (4, 256), 576)
    assert told(model)["Context length"] == "4096"
    assert told(model)["Bits per weight"] == "4.50"
    assert told(model)["Q4_K"] == "144 B for a block of 256 numbers, 4.5 bits each"
    assert dict(model.metadata)["tokens"] == "0, 1, 2, 3, 4, 5, 6, 7, … (20)"
    [blocks] = quantization(model).compressions
    assert (blocks.granularity, blocks.bits, blocks.expanded_bytes) == ("per block", 4, 4096)
    assert (
        "beyond the file"
        in open_bytes(gguf(12, (4, 256), bytes(9)), "m.gguf").weights[0].problem
    )
    with pytest.raises(UnreadableFile, match="version 1"):
        open_bytes(gguf(0, (1,), b"", version=1), "m.gguf")
    many = b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 1)
    with pytest.raises(UnreadableFile, match="tensors"):
        open_bytes(many, "m.gguf")


def test_blocks_of_gguf_show_the_numbers_they_stand_for(tmp_path):
    half = struct.pack("<e", 0.5)
    eights = half + bytes(n % 256 for n in range(-16, 16))  # Q8_0
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(8, (1, 32), eights))
    assert first_values(path, open_model(path), "w") == [n / 2 for n in range(-16, 16)]
    # Q4_K: every scale is 2 and every minimum 1, numbers are 1 and 3 by turns of 32.
    scales = bytes([2] * 4 + [1] * 4 + [0x12] * 4)
    fours = struct.pack("<ee", 1, 1) + scales + bytes([0x31] * 128)
    path.write_bytes(gguf(12, (2, 256), fours * 2))
    model = open_model(path)
    assert first_values(path, model, "w") == ([1.0] * 32 + [5.0] * 32) * 8
    part = weight_values.part(path, model.weights[0], [1, slice(30, 34)])
    assert part.tolist() == [1.0, 1.0, 5.0, 5.0]


def test_diff_and_info_take_files_of_weights_alone(tmp_path):
    onnx.save(
        build.model([build.add()], [build.weight("w", np.ones(4, np.float32))]),
        tmp_path / "m.onnx",
    )
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(0, (4,), np.ones(4, np.float32).tobytes()))
    assert command_line.run("diff", tmp_path / "m.onnx", path).returncode == 0
    shown = command_line.run("info", path)
    assert shown.returncode == 0
    assert "llama.cpp" in shown.stdout
    refused = command_line.run("measure", path)
    assert "Inspector does not run GGUF models" in refused.stderr


def test_layer_information_of_a_tensorrt_engine_is_a_graph():
    tensor = {
        "Name": "x",
        "Dimensions": [1, 3, 8, 8],
        "Format/Datatype": "Row major linear FP16",
    }
    made = {**tensor, "Name": "y", "Dimensions": [1, 4, 6, 6]}
    layer = {
        "Name": "conv + relu", "LayerType": "CaskConvolution", "Inputs": [tensor],
        "Outputs": [made], "Kernel": [3, 3], "TacticName": "sm80_xmma", "Metadata": "[conv]",
    }  # fmt: skip
    body = json.dumps({"Layers": [layer], "Bindings": ["x", "y"]}).encode()
    model = open_bytes(body, "layers.json")
    [only] = model.layers
    assert (only.operator, only.inputs, only.outputs) == ("CaskConvolution", ("x",), ("y",))
    assert {a.name: a.text for a in only.attributes}["Kernel"] == "3, 3"
    assert (model.inputs[0].dtype, model.outputs[0].shape) == ("float16", (1, 4, 6, 6))
    names = open_bytes(b'{"Layers": ["a", "b"], "Bindings": []}', "layers.json")
    assert [x.name for x in names.layers] == ["a", "b"]
    with pytest.raises(UnreadableFile, match="not the layer information"):
        open_bytes(b'{"Layers": 5}', "layers.json")


def test_what_needs_onnx_says_so(tmp_path):
    refused = command_line.run("code", FILES / "net.pt2")
    assert "Inspector does not run PyTorch-exported models" in refused.stderr
    refused = command_line.run("info", "--no-hash", FILES / "net.xml", "--devices", "coreml")
    assert "Could not estimate device support" in refused.stderr
    for name in ("net.pt2", "net.xml"):
        refused = command_line.run(
            "convert", FILES / name, "float16", "-o", tmp_path / "o.onnx"
        )
        assert refused.returncode != 0
        assert "this requires an ONNX model" in refused.stderr
