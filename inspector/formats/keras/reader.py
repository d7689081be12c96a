"""Read the configuration of Keras models: config.json in .keras files, its text in .h5 files.

Nothing is built and no Python code of a Lambda layer is run. Weights lie in HDF5, whose values
Inspector does not read: it says so.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from inspector.formats.budget import MALFORMED, Parts, check_json, json_value, whole_number
from inspector.formats.source import Source
from inspector.formats.zip_members import Members
from inspector.model.model import (
    Attribute,
    Axis,
    Finding,
    FormatDetails,
    InnerGraph,
    Layer,
    Model,
    TensorInfo,
)

DOMAIN = "keras"
INSIDE = "model"  # `Layer.branch` of the layers of a model inside another one
_LARGEST_CONFIG = 64 << 20
_SEARCHED = 512 << 20  # bytes of an HDF5 file in which the configuration is searched
_PIECE = 4 << 20
_LONGEST = 400
_MOST_ITEMS = 16
_MAX_DEPTH = 20
_NAME_PART = 50  # characters of a name that count as one part of the model
_STARTS = (b'{"class_name": "', b'{"module": "keras')
_HDF5 = b"\x89HDF\r\n\x1a\n"
_MODELS = {"Functional", "Sequential", "Model"}
_HIDDEN = {
    "name", "trainable", "build_input_shape", "layers", "input_layers", "output_layers",
    "keras_version",
}  # fmt: skip


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
    kind = str(plain["class_name"])[:_LONGEST]
    config = plain["config"]
    listed = config if isinstance(config, list) else config.get("layers")
    version = version or _text_of(plain, config, "keras_version")
    reader = _Reader(Parts(source))
    findings = []
    is_known = kind in _MODELS
    if not isinstance(listed, list):
        findings.append(_subclassed(kind))
    else:
        outer = reader.add(config, "", None, 0)
        if not is_known and not outer.has_calls:
            why = (
                "this is a class of its own: its Python code, which the file does not have, "
                "may connect the layers in another way than one after the other"
            )
            findings.append(Finding(kind, why))
    findings.append(Finding("", "the weights are in HDF5, which Inspector does not read"))
    own = plain.get("registered_name") or f"{plain.get('module') or ''}.{kind}".strip(".")
    facts = (
        ("Kind", kind if is_known else f"{kind}, a class of its own"),
        ("Class", "" if is_known else str(own)[:_LONGEST]),
        ("Configuration", "" if isinstance(listed, list) else _settings(config)),
        ("Weights", f"{weights}; Inspector does not read HDF5"),
    )
    name = config.get("name", "") if isinstance(config, dict) else ""
    return Model(
        name=source.name, format="keras", size_bytes=source.size, ir_version=0, opsets=(),
        producer="Keras", producer_version=version, domain="", version=0, doc="",
        graph_name=str(name or "")[:_LONGEST], metadata=(), inputs=reader.inputs,
        outputs=reader.outputs, layers=tuple(reader.layers), weights=(),
        values=tuple(value for value in reader.values.values() if value not in reader.inputs),
        graphs=tuple(reader.graphs),
        findings=tuple(findings),
        details=FormatDetails(
            title="Keras", version=version and f"version {version}",
            facts=tuple((name, value) for name, value in facts if value), weights_known=False,
        ),
    )  # fmt: skip


def _subclassed(kind: str) -> Finding:
    why = (
        "this is a subclassed model: its layers are in its Python code, which the file does "
        "not have; to see them, export the model as ONNX"
    )
    return Finding(kind, why)


def _settings(config: Any) -> str:
    listed = [f"{each.name} {each.text}" for each in _attributes(config)]
    return ", ".join(listed)[:_LONGEST]


def _text_of(plain: Any, config: Any, key: str) -> str:
    own = config.get(key) if isinstance(config, dict) else ""
    return str(own or plain.get(key, "") or "")[:40]


class _Call(Struct):
    """One use of a layer: a layer that is called three times is three layers of the graph.

    number: which call of the layer it is, from 0. inputs: the tensors that it takes.
    """

    name: str
    number: int
    entry: Any
    inputs: list["_Tensor"]
    settings: tuple[Attribute, ...] = ()


class _Tensor(NamedTuple):
    """An output of a call: the layer's name, which call, and which of its outputs."""

    layer: str
    call: int
    output: int


class _Added(NamedTuple):
    """What was read of one model. has_calls: whether the file says how layers are connected."""

    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    has_calls: bool


class _Reader:
    """Layers, values and inner models of one file."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.layers: list[Layer] = []
        self.graphs: list[InnerGraph] = []
        self.values: dict[str, TensorInfo] = {}
        self.inputs: tuple[TensorInfo, ...] = ()
        self.outputs: tuple[TensorInfo, ...] = ()

    def add(self, config: Any, prefix: str, parent: int | None, depth: int) -> _Added:
        """Add the layers of a model. prefix: of all names, those of the models around it."""
        if depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        listed = config if isinstance(config, list) else config["layers"]
        inputs: dict[str, TensorInfo] = {}
        calls: list[_Call] = []
        has_calls, before = False, None
        for entry in listed:
            # Each name is made of those of the models around it.
            self._parts.add(1 + len(prefix) // _NAME_PART)
            kind, own = str(entry["class_name"]), entry["config"]
            name = _name(entry, f"{kind} {len(calls)}")
            if kind == "InputLayer":
                inputs[name] = _input(f"{prefix}{name}", own)
                before = _Tensor(name, 0, 0)
                continue
            if before is None and not inputs:  # a Sequential without an input layer
                inputs["input"] = _input(f"{prefix}input", own)
                before = _Tensor("input", 0, 0)
            found = [*self._calls(name, entry, prefix)]
            has_calls |= any(call.inputs for call in found)
            if not any(call.inputs for call in found):
                found = [_Call(name, 0, entry, [before] if before is not None else [])]
            calls += found
            before = _Tensor(name, len(found) - 1, 0)
        counts = Counter(call.name for call in calls)
        for call in calls:
            # Keras 2 counts the call with which an inner model was made as well.
            call.inputs = [
                each._replace(call=max(0, min(each.call, counts[each.layer] - 1)))
                for each in call.inputs
            ]
        for call in _in_order(calls):
            self._add_call(call, prefix, parent, depth)
        ends = [*_tensors(config.get("output_layers") if isinstance(config, dict) else None)]
        ends = [
            each._replace(call=max(0, min(each.call, counts[each.layer] - 1)))
            for each in ends
            if each.layer in counts or each.layer in inputs
        ] or ([_Tensor(calls[-1].name, calls[-1].number, 0)] if calls else [])
        outputs = tuple(self._value(_value_name(prefix, each)) for each in ends)
        if parent is None:
            self.inputs, self.outputs = tuple(inputs.values()), outputs
        return _Added(tuple(inputs.values()), outputs, has_calls)

    def _calls(self, name: str, entry: Any, prefix: str) -> Iterator[_Call]:
        """Yield the calls of a layer as the file lists them."""
        nodes = entry.get("inbound_nodes") or ()
        for number, node in enumerate(nodes if isinstance(nodes, list) else [nodes]):
            self._parts.add()
            taken = []
            for tensor, info in _with_types(node):
                self._parts.add(1 + len(prefix) // _NAME_PART)
                taken.append(tensor)
                if info is not None:
                    named = f"{prefix}{_value_name('', tensor)}"
                    self.values.setdefault(named, replace(info, name=named))
            keywords = node.get("kwargs") if isinstance(node, dict) else None
            own = tuple(_attributes(keywords, calls=True)) if keywords else ()
            yield _Call(name, number, entry, taken, own)

    def _add_call(self, call: _Call, prefix: str, parent: int | None, depth: int) -> None:
        entry, own = call.entry, call.entry["config"]
        index = len(self.layers)
        value = _value_name(prefix, _Tensor(call.name, call.number, 0))
        attributes = (*_attributes(own), *call.settings)
        self._parts.add(1 + len(attributes))
        again = (("layer", f"{prefix}{call.name}"),) if call.number else ()
        self.layers.append(
            Layer(
                index, value, str(entry["class_name"])[:_LONGEST], DOMAIN,
                tuple(_value_name(prefix, each) for each in call.inputs), (value,), attributes,
                parent, INSIDE if parent is not None else "", metadata=again,
            )
        )  # fmt: skip
        if isinstance(own, dict) and isinstance(own.get("layers"), list) and not call.number:
            place = len(self.graphs)
            self.graphs.append(InnerGraph(index, INSIDE, call.name, (), ()))
            inner = self.add(own, f"{prefix}{call.name}/", index, depth + 1)
            self.graphs[place] = InnerGraph(
                index, INSIDE, call.name, inner.inputs, inner.outputs
            )

    def _value(self, name: str) -> TensorInfo:
        return self.values.get(name) or TensorInfo(name, "tensor", "unknown", None)


def _name(entry: Any, default: str) -> str:
    own = entry["config"]
    named = own.get("name") if isinstance(own, dict) else ""
    return str(named or entry.get("name") or default)[:_LONGEST]


def _value_name(prefix: str, tensor: _Tensor) -> str:
    """Return the name of an output: that of its layer, and which call and output it is."""
    call = f":{tensor.call}" if tensor.call else ""
    return f"{prefix}{tensor.layer}{call}" + (f".{tensor.output}" if tensor.output else "")


def _in_order(calls: list[_Call]) -> list[_Call]:
    """Return calls behind those whose outputs they take, else in the file's order."""
    places = {(call.name, call.number): place for place, call in enumerate(calls)}
    waits = [
        {places[key] for each in call.inputs if (key := (each.layer, each.call)) in places}
        for call in calls
    ]
    followers: dict[int, list[int]] = {}
    for place, needed in enumerate(waits):
        for before in needed:
            followers.setdefault(before, []).append(place)
    counts = [len(needed) for needed in waits]
    ready = [place for place, count in enumerate(counts) if not count]
    ordered = []
    while ready:
        place = heappop(ready)
        ordered.append(place)
        for follower in followers.get(place, ()):
            counts[follower] -= 1
            if not counts[follower]:
                heappush(ready, follower)
    done = set(ordered)  # what feeds itself stays where the file has it
    return [calls[p] for p in (*ordered, *(p for p in range(len(calls)) if p not in done))]


def _input(name: str, config: Any) -> TensorInfo:
    shape = config.get("batch_shape") or config.get("batch_input_shape")
    dtype = config.get("dtype")
    return TensorInfo(
        name, "tensor", dtype if isinstance(dtype, str) else "float32", _axes(shape)
    )


def _axes(shape: Any) -> tuple[Axis, ...] | None:
    if not isinstance(shape, list):
        return None
    axes: tuple[Axis, ...] = tuple(
        whole_number(a) if isinstance(a, int) and a >= 0 else None for a in shape
    )
    return ("batch", *axes[1:]) if axes and axes[0] is None else axes


def _tensors(tree: Any) -> Iterator[_Tensor]:
    return (tensor for tensor, _ in _with_types(tree))


def _with_types(tree: Any, depth: int = 0) -> Iterator[tuple[_Tensor, TensorInfo | None]]:
    """Yield the tensors that a tree names, in Keras 2 or 3's form; types are in the latter."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(tree, dict):
        config = tree.get("config")
        own: dict[str, Any] = config if isinstance(config, dict) else {}
        history = own.get("keras_history")
        if isinstance(history, list) and len(history) >= 3:
            dtype = own.get("dtype")
            info = TensorInfo(
                "", "tensor", dtype if isinstance(dtype, str) else "unknown",
                _axes(own.get("shape")),
            )  # fmt: skip
            yield _tensor(history), info
            return
        for each in tree.values():
            yield from _with_types(each, depth + 1)
    elif isinstance(tree, list):
        if len(tree) >= 3 and isinstance(tree[0], str) and isinstance(tree[1], int):
            if tree[1] >= 0:  # else a constant
                yield _tensor(tree), None
            yield from _with_types(tree[3:], depth + 1)  # further arguments by name
            return
        for each in tree:
            yield from _with_types(each, depth + 1)


def _tensor(history: list[Any]) -> _Tensor:
    call, output = whole_number(history[1]), whole_number(history[2])
    return _Tensor(str(history[0])[:_LONGEST], call, output)


def _attributes(config: Any, calls: bool = False) -> Iterator[Attribute]:
    """Yield the settings of a layer. calls: of one call of it, whose tensors are inputs."""
    for key, value in config.items() if isinstance(config, dict) else ():
        if key in _HIDDEN or value is None or (calls and isinstance(value, dict | list)):
            continue
        if isinstance(value, dict):
            value = _named(value)
        if isinstance(value, list):
            more = ", …" if len(value) > _MOST_ITEMS else ""
            text = ", ".join(str(each)[:60] for each in value[:_MOST_ITEMS]) + more
        elif isinstance(value, bool):
            text = "true" if value else "false"
        else:
            text = str(value)
        yield Attribute(str(key)[:_LONGEST], type(value).__name__, text[:_LONGEST])


def _named(value: dict[str, Any]) -> Any:
    """Return what a setting that is an object is called: of a type, what it says."""
    kind, own = value.get("class_name"), value.get("config")
    if isinstance(own, dict):
        if kind == "QuantizedDTypePolicy" and own.get("mode"):
            source = own.get("source_name")
            return f"{own['mode']} from {source}" if source else own["mode"]
        if kind == "DTypePolicy" and own.get("name"):
            return own["name"]
    return kind or value.get("name") or "…"
