"""Read the configuration of Keras models: config.json in .keras files, its text in .h5 files.

Nothing is built and no Python code of a Lambda layer is run. Weights lie in HDF5, whose values
Inspector does not read: it says so.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.formats.budget import MALFORMED, check_json, json_value
from inspector.formats.source import Source
from inspector.formats.zip_members import Members
from inspector.model.model import (
    Attribute,
    Axis,
    Finding,
    FormatDetails,
    Layer,
    Model,
    TensorInfo,
)

DOMAIN = "keras"
_LARGEST_CONFIG = 64 << 20
_SEARCHED = 512 << 20  # bytes of an HDF5 file in which the configuration is searched
_PIECE = 4 << 20
_LONGEST, _MOST_ITEMS, _MAX_DEPTH = 400, 16, 20
_STARTS = (b'{"class_name": "', b'{"module": "keras')
_HDF5 = b"\x89HDF\r\n\x1a\n"
_MODELS = {"Functional", "Sequential", "Model"}
_HIDDEN = {"name", "trainable", "build_input_shape", "layers", "input_layers", "output_layers"}


def read(source: Source, path: Path | None = None) -> Model:
    """Read a Keras model. Raises UnreadableFile: no configuration in it, or damaged.

    path: unused, since all that is read is in the file itself.
    """
    if source.head(8) == _HDF5:
        body, weights = _from_hdf5(source), "in the same HDF5 file"
        version = ""
    else:
        members = Members(source)
        body = members.read("config.json", _LARGEST_CONFIG)
        stored = members.size("model.weights.h5")
        weights = f"in model.weights.h5 ({stored:,} B)" if stored else "not in the archive"
        version = _version(source, members.read("metadata.json", 1 << 20))
    try:
        return _model(source, json_value(source, body, "its configuration"), weights, version)
    except MALFORMED as error:
        why = "its configuration is not that of a Keras model"
        raise source.failure(why, "It is damaged: save the model again.") from error


def _from_hdf5(source: Source) -> bytes:
    """Return the JSON of the configuration, which HDF5 keeps in one piece."""
    tail = b""
    for number, piece in enumerate(source.pieces(_PIECE)):
        body = tail + bytes(piece)
        found = [at for at in (body.find(start) for start in _STARTS) if at >= 0]
        if found:
            at = number * _PIECE - len(tail) + min(found)
            config = _whole_json(source, at)
            if config:
                return config
            break
        tail = body[-64:]
        if (number + 1) * _PIECE > _SEARCHED:
            break
    raise source.failure(
        "it is an HDF5 file without the configuration of a Keras model: only weights, or data",
        "Save the whole model with model.save('model.keras'), or export it as ONNX.",
    )


def _whole_json(source: Source, at: int) -> bytes:
    """Return the JSON that begins at a place, whose end is not known; empty for none."""
    length = _PIECE
    while True:
        length = min(length, _LARGEST_CONFIG, source.size - at)
        body = source.read(at, length)
        check_json(source, body, "its configuration")
        text = body.decode("utf-8", "replace")
        try:
            _, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            if length == min(_LARGEST_CONFIG, source.size - at):
                return b""
            length *= 4
            continue
        return text[:end].encode("utf-8", "replace")


def _version(source: Source, body: bytes) -> str:
    try:
        plain = json_value(source, body, "its metadata")
        return str(plain.get("keras_version", ""))[:40]
    except MALFORMED:
        return ""


def _model(source: Source, plain: Any, weights: str, version: str) -> Model:
    kind = str(plain["class_name"])
    config = plain["config"]
    version = version or str(config.get("keras_version", "") or plain.get("keras_version", ""))
    layers: list[Layer] = []
    inputs: list[TensorInfo] = []
    _add(config, layers, inputs, None, 0)
    made = {name for layer in layers for name in layer.outputs}
    outputs = [n for n in _names(config.get("output_layers")) if n in made] or (
        [layers[-1].outputs[0]] if layers and layers[-1].parent is None else []
    )
    unknown = tuple(TensorInfo(name, "tensor", "unknown", None) for name in outputs)
    facts = (("Kind", kind), ("Weights", f"{weights}; Inspector does not read HDF5"))
    finding = Finding("", "the weights are in HDF5, which Inspector does not read")
    return Model(
        name=source.name, format="keras", size_bytes=source.size, ir_version=0, opsets=(),
        producer="Keras", producer_version=version, domain="", version=0, doc="",
        graph_name=str(config.get("name", ""))[:_LONGEST], metadata=(), inputs=tuple(inputs),
        outputs=unknown, layers=tuple(layers), weights=(), findings=(finding,),
        details=FormatDetails(
            title="Keras", version=version and f"version {version}", facts=facts,
            weights_known=False,
        ),
    )  # fmt: skip


def _add(
    config: Any, layers: list[Layer], inputs: list[TensorInfo], parent: int | None, depth: int
) -> None:
    """Take in the layers of a model, and those of models inside it."""
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    before = ""
    listed = config if isinstance(config, list) else config["layers"]
    for entry in listed:
        kind, own = str(entry["class_name"]), entry["config"]
        name = str(own.get("name") or entry.get("name") or f"{kind} {len(layers)}")
        if kind == "InputLayer":
            if parent is None:
                inputs.append(_input(name, own))
            before = name
            continue
        if not before and not inputs and parent is None:  # a Sequential without an input layer
            inputs.append(_input("input", own))
            before = "input"
        taken = tuple(dict.fromkeys(_inbound(entry.get("inbound_nodes"))))
        index = len(layers)
        layers.append(
            Layer(
                index, name, kind, DOMAIN, taken or ((before,) if before else ()), (name,),
                tuple(_attributes(own)), parent, "model" if parent is not None else "",
            )
        )  # fmt: skip
        before = name
        if kind in _MODELS and isinstance(own, dict) and "layers" in own:
            _add(own, layers, inputs, index, depth + 1)


def _input(name: str, config: Any) -> TensorInfo:
    shape = config.get("batch_shape") or config.get("batch_input_shape")
    dtype = config.get("dtype")
    axes: tuple[Axis, ...] | None = None
    if isinstance(shape, list):
        axes = tuple(a if isinstance(a, int) and a >= 0 else None for a in shape)
        if axes and axes[0] is None:
            axes = ("batch", *axes[1:])
    return TensorInfo(name, "tensor", dtype if isinstance(dtype, str) else "float32", axes)


def _inbound(nodes: Any, depth: int = 0) -> Iterator[str]:
    """Yield the names of the layers whose outputs a layer takes, in Keras 2 or 3's form."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(nodes, dict):
        history = nodes.get("config", {}).get("keras_history") if "config" in nodes else None
        if isinstance(history, list) and history:
            yield str(history[0])
            return
        for each in nodes.values():
            yield from _inbound(each, depth + 1)
    elif isinstance(nodes, list):
        if len(nodes) >= 3 and isinstance(nodes[0], str) and isinstance(nodes[1], int):
            yield nodes[0]
            return
        for each in nodes:
            yield from _inbound(each, depth + 1)


def _names(nodes: Any) -> list[str]:
    if isinstance(nodes, list) and nodes and isinstance(nodes[0], str):
        return [nodes[0]]
    return [n[0] for n in nodes or () if isinstance(n, list) and n and isinstance(n[0], str)]


def _attributes(config: Any) -> Iterator[Attribute]:
    for key, value in config.items():
        if key in _HIDDEN or value is None:
            continue
        if isinstance(value, dict):
            policy = value.get("config") if value.get("class_name") == "DTypePolicy" else None
            named = policy.get("name") if isinstance(policy, dict) else None
            value = named or value.get("class_name") or value.get("name") or "…"
        if isinstance(value, list):
            more = ", …" if len(value) > _MOST_ITEMS else ""
            text = ", ".join(str(each)[:60] for each in value[:_MOST_ITEMS]) + more
        elif isinstance(value, bool):
            text = "true" if value else "false"
        else:
            text = str(value)
        yield Attribute(str(key)[:_LONGEST], type(value).__name__, text[:_LONGEST])
