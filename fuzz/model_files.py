"""Model files of formats that mutated bytes rarely fit: written from mutated trees.

A tree is JSON. Where the file is JSON itself, inside an archive or not, the mutated text is
used as it is, so that damaged JSON is tried as well.
"""

import io
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from inspector.formats.protobuf_wire import framed

_WEIGHTS = bytes(range(256)) * 4
_CORE_ML = b"\x08\x01\x12\x00" + framed(500, framed(1, framed(1, b"layer")))
_HDF5 = b"\x89HDF\r\n\x1a\n"
_GGUF_CODES = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING, _ARRAY = 8, 9


def write(kind: str, body: bytes, folder: Path) -> Path:
    """Write a file of a kind into a folder, with those beside it, and return its path."""
    name, writer = _WRITERS[kind]
    path = folder / name
    writer(body, path)
    return path


def _archive(members: dict[str, bytes], path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    path.write_bytes(stream.getvalue())


def _keras(body: bytes, path: Path) -> None:
    metadata = b'{"keras_version": "3.9.2"}'
    _archive({"metadata.json": metadata, "config.json": body}, path)


def _hdf5(body: bytes, path: Path) -> None:
    path.write_bytes(_HDF5 + bytes(88) + body + bytes(64))


def _exported(body: bytes, path: Path) -> None:
    tree = _tree(body)
    parts = tree if isinstance(tree, dict) and "model" in tree else {"model": body}
    members = {"m/data/weights/weight_0": _WEIGHTS, "m/version": b"3"}
    for part, name in (
        ("model", "m/models/model.json"),
        ("weights", "m/data/weights/model_weights_config.json"),
    ):
        if part in parts:
            text = parts[part]
            members[name] = text if isinstance(text, bytes) else json.dumps(text).encode()
    _archive(members, path)


def _torch_script(body: bytes, path: Path) -> None:
    tree = _tree(body)
    files = tree if isinstance(tree, dict) else {"code/__torch__/a.py": body.decode("latin-1")}
    members = {"m/version": b"3", "m/data.pkl": b"x", "m/data/0": _WEIGHTS}
    members |= {
        f"m/{name}": str(text).encode("utf-8", "replace") for name, text in files.items()
    }
    _archive(members, path)


def _safetensors(body: bytes, path: Path) -> None:
    path.write_bytes(struct.pack("<Q", len(body)) + body + _WEIGHTS[:64])


def _index(body: bytes, path: Path) -> None:
    for number in (1, 2):
        header = {f"w{number}": {"dtype": "F32", "shape": [4, 4], "data_offsets": [0, 64]}}
        shard = path.with_name(f"model-0000{number}-of-00002.safetensors")
        if not shard.exists():
            _safetensors(json.dumps(header).encode(), shard)
    path.write_bytes(body)


def _package(body: bytes, path: Path) -> None:
    inner = path / "Data" / "com.apple.CoreML"
    inner.mkdir(parents=True, exist_ok=True)
    (inner / "model.mlmodel").write_bytes(_CORE_ML)
    (path / "Manifest.json").write_bytes(body)


def _openvino(body: bytes, path: Path) -> None:
    tree = _tree(body)
    text = body if tree is None else b'<?xml version="1.0"?>' + _element(tree).encode("utf-8")
    path.write_bytes(text)
    path.with_suffix(".bin").write_bytes(_WEIGHTS)


def _element(tree: Any) -> str:
    """Return the XML of [tag, attributes, children or text]; of anything else, its text."""
    if not (isinstance(tree, list) and len(tree) == 3 and isinstance(tree[1], dict)):
        return escape(str(tree))
    tag, attributes, content = tree
    shown = "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())
    inner = (
        "".join(map(_element, content)) if isinstance(content, list) else escape(str(content))
    )
    return f"<{tag}{shown}>{inner}</{tag}>"


def _gguf(body: bytes, path: Path) -> None:
    tree = _tree(body)
    path.write_bytes(_gguf_bytes(tree) if isinstance(tree, dict) else b"GGUF" + body)


def _gguf_bytes(tree: dict[str, Any]) -> bytes:
    keys = [each for each in _list(tree.get("keys")) if len(_list(each)) == 3]
    tensors = [each for each in _list(tree.get("tensors")) if len(_list(each)) == 4]
    counts = tree.get("counts", [len(tensors), len(keys)])
    out = b"GGUF" + _number("I", tree.get("version"))
    out += b"".join(_number("Q", count) for count in _list(counts)[:2])
    for name, kind, value in keys:
        out += _text(name) + _number("I", kind) + _value(kind, value)
    for name, shape, kind, offset in tensors:
        axes = _list(shape)[:64]
        out += _text(name) + _number("I", len(axes))
        out += b"".join(_number("Q", axis) for axis in axes)
        out += _number("I", kind) + _number("Q", offset)
    return out + bytes(-len(out) % 32) + _WEIGHTS


def _value(kind: Any, value: Any) -> bytes:
    if kind == _STRING:
        return _text(value)
    if kind == _ARRAY:
        inner, *items = _list(value) or [4]
        head = _number("I", inner) + _number("Q", len(items))
        return head + b"".join(_value(inner, item) for item in items[:1000])
    return _number(_GGUF_CODES.get(kind if isinstance(kind, int) else -1, "I"), value)


def _number(code: str, value: Any) -> bytes:
    if code in "fd":
        try:
            return struct.pack("<" + code, float(value))
        except (TypeError, ValueError, OverflowError):
            return bytes(struct.calcsize(code))
    width = struct.calcsize("<" + code)
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = 0
    return (number % (1 << 8 * width)).to_bytes(width, "little")


def _text(value: Any) -> bytes:
    encoded = str(value).encode("utf-8", "replace")
    return struct.pack("<Q", len(encoded)) + encoded


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _plain(body: bytes, path: Path) -> None:
    path.write_bytes(body)


def _tree(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _keras_layer(kind: str, name: str, inbound: Any = (), **config: Any) -> dict[str, Any]:
    own = {"name": name, "dtype": {"class_name": "DTypePolicy", "config": {"name": "float32"}}}
    return {
        "class_name": kind,
        "module": "keras.layers",
        "name": name,
        "config": own | config,
        "inbound_nodes": list(inbound),
        "registered_name": None,
    }


def _keras_trees() -> list[Any]:
    def tensor(name: str, call: int = 0, output: int = 0) -> dict[str, Any]:
        history = [name, call, output]
        own = {"shape": [None, 8], "dtype": "float32", "keras_history": history}
        return {"class_name": "__keras_tensor__", "config": own}

    entry = _keras_layer("InputLayer", "in", batch_shape=[None, 8])
    inner = {
        "layers": [entry, _keras_layer("Dense", "d", [{"args": [tensor("in")]}])],
        "input_layers": [["in", 0, 0]],
        "output_layers": [["d", 0, 0]],
    }
    twice = [{"args": [tensor("in")], "kwargs": {"training": False}}, {"args": [tensor("a")]}]
    layers = [
        entry,
        _keras_layer("Dense", "a", twice, units=8),
        _keras_layer("Functional", "b", [{"args": [[tensor("a", 1)]]}], **inner),
        _keras_layer("Add", "c", [[["b", 0, 0, {"y": ["a", 0, 0]}], ["in", 0, 0]]]),
    ]
    config = {
        "name": "net",
        "layers": layers,
        "input_layers": [["in", 0, 0]],
        "output_layers": {"y": ["c", 0, 0]},
    }
    chain = [_keras_layer("Dense", "a", batch_input_shape=[None, 4]), _keras_layer("ReLU", "b")]
    return [
        {"class_name": "Functional", "config": config},
        {"class_name": "Sequential", "config": {"name": "s", "layers": chain}},
        {"class_name": "Own", "module": "my", "registered_name": "my>Own", "config": {"w": 4}},
    ]


def _exported_tree() -> Any:
    def meta(*sizes: Any) -> dict[str, Any]:
        return {
            "dtype": 7,
            "sizes": [{"as_int": s} if isinstance(s, int) else s for s in sizes],
            "strides": [{"as_int": 4}, {"as_int": 1}],
            "storage_offset": {"as_int": 0},
            "device": {"type": "cpu", "index": None},
            "layout": 7,
        }

    free = {"as_expr": {"expr_str": "2*s0 + 1", "hint": {"as_int": 3}}}
    argument = {"as_tensor": {"name": "x"}}
    inner = {
        "inputs": [argument],
        "outputs": [argument],
        "tensor_values": {"x": meta(4, 4)},
        "nodes": [],
        "sym_int_values": {},
        "sym_bool_values": {},
    }
    nodes = [
        {
            "target": "torch.ops.aten.linear.default",
            "name": "linear",
            "inputs": [
                {"name": "input", "arg": argument},
                {"name": "weight", "arg": {"as_tensor": {"name": "p_w"}}},
                {"name": "flags", "arg": {"as_ints": [1, 2]}},
                {"name": "none", "arg": {"as_none": True}},
            ],
            "outputs": [{"as_tensor": {"name": "y"}}],
            "metadata": {
                "stack_trace": "File a.py, line 3",
                "nn_module_stack": "L,a.b,torch.Linear",
            },
        },
        {
            "target": "torch.ops.higher_order.cond",
            "inputs": [
                {"name": "t", "arg": {"as_graph": {"name": "true_graph_0", "graph": inner}}},
                {"name": "s", "arg": {"as_sym_int": {"as_name": "s0"}}},
            ],
            "outputs": [{"as_tensors": [{"name": "z"}]}],
            "metadata": {},
        },
    ]
    signature = {
        "input_specs": [
            {"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
            {"user_input": {"arg": argument}},
        ],
        "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "y"}}}}],
    }
    graph = {
        "inputs": [argument],
        "outputs": [argument],
        "nodes": nodes,
        "tensor_values": {"x": meta(free, 4), "p_w": meta(4, 4), "y": meta(free, 4)},
        "sym_int_values": {"s0": {"as_expr": {"expr_str": "s0"}}},
        "sym_bool_values": {},
    }
    model = {
        "graph_module": {"graph": graph, "signature": signature},
        "opset_version": {"aten": 10},
        "range_constraints": {"s0": {"min_val": 2, "max_val": 9}},
        "schema_version": {"major": 8, "minor": 20},
        "torch_version": "2.9.1",
    }
    entry = {
        "path_name": "weight_0",
        "is_param": True,
        "use_pickle": False,
        "tensor_meta": meta(4, 4),
    }
    return {"model": model, "weights": {"config": {"w": entry}}}


def _openvino_tree() -> Any:
    def port(number: int, *axes: Any, precision: str = "FP32") -> Any:
        return ["port", {"id": number, "precision": precision}, [["dim", {}, a] for a in axes]]

    def layer(number: int, kind: str, data: dict[str, Any], takes: Any, makes: Any) -> Any:
        content = [["data", data, []], ["input", {}, takes], ["output", {}, makes]]
        own = {"id": number, "name": f"l{number}", "type": kind, "version": "opset1"}
        return ["layer", own, content]

    body = [
        "body",
        {},
        [["layers", {}, [layer(0, "ReLU", {}, [], [port(0, 2)])]], ["edges", {}, []]],
    ]
    layers = [
        layer(0, "Parameter", {"shape": "1,2", "element_type": "f32"}, [], [port(0, 1, 2)]),
        layer(
            1,
            "Const",
            {"element_type": "f32", "shape": "1,2", "offset": 0, "size": 8},
            [],
            [port(0, 1, 2)],
        ),
        layer(
            2,
            "Add",
            {"auto_broadcast": "numpy"},
            [port(0, 1, 2), port(1, 1, 2)],
            [port(2, "-1", 2)],
        ),
        layer(3, "Result", {}, [port(0, 1, 2)], []),
        [
            "layer",
            {"id": 4, "name": "loop", "type": "TensorIterator", "version": "opset1"},
            [body],
        ],
    ]
    edges = [
        ["edge", {"from-layer": a, "from-port": p, "to-layer": b, "to-port": q}, []]
        for a, p, b, q in ((0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0))
    ]
    info = ["rt_info", {}, [["MO_version", {"value": "2026.1"}, []]]]
    return [
        "net",
        {"name": "n", "version": 11},
        [["layers", {}, layers], ["edges", {}, edges], info],
    ]


def _gguf_trees() -> list[Any]:
    keys = [
        ["general.architecture", 8, "llama"],
        ["general.alignment", 4, 32],
        ["llama.context_length", 4, 4096],
        ["general.file_type", 4, 7],
        ["x", 6, 0.5],
        ["tokens", 9, [8, "a", "b"]],
        ["deep", 9, [9, [4, 1, 2], [4, 3]]],
        ["flag", 7, True],
    ]
    tensors = [
        ["a", [32, 2], 8, 0],
        ["b", [4], 0, 96],
        ["c", [256], 16, 128],
        ["d", [8], 99, 0],
    ]
    split = [["split.no", 2, 0], ["split.count", 2, 2], ["split.tensors.count", 5, 2]]
    return [
        {"version": 3, "keys": keys, "tensors": tensors},
        {"version": 3, "keys": split, "tensors": tensors[:1], "counts": [1, 3]},
    ]


def trees() -> dict[str, list[Any]]:
    """Return whole trees of every kind."""
    tensor = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
    header = {
        "__metadata__": {"format": "pt"},
        "a": tensor,
        "b": {"dtype": "F8_E4M3FNUZ", "shape": [8], "data_offsets": [24, 32]},
        "c": {"dtype": "BF16", "shape": [16], "data_offsets": [32, 64]},
    }
    shards = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
    listed = {"w1": shards[0], "w2": shards[1], "lost": shards[1]}
    value = {"Name": "v", "Format/Datatype": "Row major linear FP32", "Dimensions": [1, 8]}
    made = {
        "Name": "l",
        "LayerType": "Conv",
        "Inputs": [value],
        "Outputs": [value | {"Name": "w"}],
        "ParameterType": "Convolution",
        "Kernel": [3, 3],
        "TacticName": "t",
        "StreamId": 0,
        "Metadata": "[ONNX Layer: a]",
        "Weights": {"Type": "Half", "Count": 9},
    }
    code = "def forward(self: X,\n    x: Tensor) -> Tensor:\n  return torch.relu(x)"
    items = {"A": {"path": "com.apple.CoreML/model.mlmodel", "author": "x"}}
    return {
        "keras": _keras_trees(),
        "hdf5": _keras_trees()[:2],
        "exported": [_exported_tree()],
        "torchscript": [
            {"code/__torch__/a.py": code, "code/__torch__/b/c.py": "x = ops.q.f(1)"}
        ],
        "safetensors": [header],
        "index": [{"metadata": {"total_size": 128}, "weight_map": listed}],
        "gguf": _gguf_trees(),
        "openvino": [_openvino_tree()],
        "tensorrt": [{"Layers": [made, "named"], "Bindings": ["v", "w"]}],
        "manifest": [{"itemInfoEntries": items, "rootModelIdentifier": "A"}],
    }


_WRITERS: dict[str, tuple[str, Callable[[bytes, Path], None]]] = {
    "keras": ("a.keras", _keras),
    "hdf5": ("a.h5", _hdf5),
    "exported": ("a.pt2", _exported),
    "torchscript": ("a.pt", _torch_script),
    "safetensors": ("a.safetensors", _safetensors),
    "index": ("model.safetensors.index.json", _index),
    "gguf": ("a-00001-of-00002.gguf", _gguf),
    "openvino": ("a.xml", _openvino),
    "tensorrt": ("a.json", _plain),
    "manifest": ("a.mlpackage", _package),
}
KINDS = tuple(_WRITERS)
