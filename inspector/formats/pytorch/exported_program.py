"""Exported programs (torch.export.save): a graph as JSON, and weights, in a ZIP archive.

The JSON follows torch/_export/serde/schema.py. No pickle is run: tensors that PyTorch wrote as
pickles have no values here.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.formats.budget import MALFORMED, Parts, json_value, whole_number
from inspector.formats.source import Source
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.formats.zip_members import Members
from inspector.model.model import (
    Attribute,
    Axis,
    FormatDetails,
    InnerGraph,
    Layer,
    Model,
    Place,
    TensorInfo,
    WeightInfo,
    packed_bytes,
    product,
)

DOMAIN = "torch"
_LARGEST_JSON = 256 << 20
_MAX_DEPTH = 60  # of nested graphs
_MOST_ITEMS = 16
_LONGEST = 400
_LONGEST_STACK = 20_000
_TYPES = {
    1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "float16", 7: "float32",
    8: "float64", 10: "complex64", 11: "complex128", 12: "bool", 13: "bfloat16", 28: "uint16",
    29: "float8e4m3fn", 30: "float8e5m2", 31: "float8e4m3fnuz", 32: "float8e5m2fnuz",
    33: "float8e8m0", 34: "uint32", 35: "uint64",
}  # fmt: skip
# Keys under which PyTorch's ONNX exporter leaves the same facts: who reads one reads both.
_SCOPES = "pkg.torch.onnx.name_scopes"
_CLASSES = "pkg.torch.onnx.class_hierarchy"
_STACK = "pkg.torch.onnx.stack_trace"
_PICKLED = "its values are in a pickle, which Inspector does not run"
# SymPy's way of writing a name or a number within an expression.
_SYMBOL = re.compile(r"(?:Symbol\('|Integer\()([\w-]+)'?[^)]*\)")


def read(source: Source, path: Path | None = None) -> Model:
    """Read an exported program. Raises UnreadableFile: damaged, or no such JSON in it.

    path: unused, since all of it is in the archive.
    """
    members = Members(source)
    usual = [n for n in members.names if n.endswith(".json") and "/models/" in n]
    old = [n for n in members.names if n.endswith("serialized_exported_program.json")]
    name = next(iter([n for n in usual if n.endswith("/model.json")] or usual or old))
    body = members.read(name, _LARGEST_JSON)
    try:
        plain = json_value(source, body, f"'{name[:120]}' in it")
        del body  # as large as what is made of it
        return _Program(source, members, name, plain).model()
    except MALFORMED as error:
        why = f"'{name[:120]}' in it is not the graph of an exported program"
        raise source.failure(why, "It is damaged: export the model again.") from error


class _Program:
    """What is read of one archive."""

    def __init__(self, source: Source, members: Members, name: str, plain: Any) -> None:
        self._source, self._members, self._plain = source, members, plain
        self._parts = Parts(source)
        self._root = name.partition("models/")[0] if "models/" in name else ""
        self._layers: list[Layer] = []
        self._graphs: list[InnerGraph] = []
        self._values: list[TensorInfo] = []
        self._renamed: dict[str, str] = {}  # name in the graph -> name of the parameter

    def model(self) -> Model:
        """Return the model value."""
        module = self._plain["graph_module"]
        graph, signature = module["graph"], module["signature"]
        types = dict(self._types(graph))
        weights = [*self._weights(signature, types)]
        self._add_graph(graph, None, "", 0)
        version = self._plain.get("schema_version", {})
        opsets = self._plain.get("opset_version") or {}
        ranges = self._plain.get("range_constraints") or {}
        inputs = [
            _argument(spec["user_input"]["arg"]) for spec in signature["input_specs"]
            if "user_input" in spec
        ]  # fmt: skip
        outputs = [
            _argument(spec["user_output"]["arg"]) for spec in signature["output_specs"]
            if "user_output" in spec
        ]  # fmt: skip
        changed = [spec for spec in signature["output_specs"] if "buffer_mutation" in spec]
        facts = (
            ("Operators", ", ".join(f"{n} {v}" for n, v in opsets.items())),
            ("Dynamic sizes", "; ".join(_range(*each) for each in ranges.items())[:_LONGEST]),
            ("Mutated buffers", f"{len(changed):,}" if changed else ""),
            ("Dialect", ", ".join(map(str, self._plain.get("verifiers") or ())).lower()),
        )
        model = Model(
            name=self._source.name, format="exported program", size_bytes=self._source.size,
            ir_version=0, opsets=(), producer="pytorch",
            producer_version=str(self._plain.get("torch_version", "")), domain="", version=0,
            doc="", graph_name="", metadata=(),
            inputs=tuple(self._declared(name, types) for name in inputs),
            outputs=tuple(self._declared(name, types) for name in outputs),
            layers=tuple(self._layers), weights=tuple(weights), values=tuple(self._values),
            graphs=tuple(self._graphs),
            details=FormatDetails(
                title="PyTorch exported program",
                version=f"schema {version.get('major', '?')}.{version.get('minor', '?')}",
                facts=tuple((name, value) for name, value in facts if value),
            ),
        )  # fmt: skip
        return replace(model, findings=tuple(weight_findings(model)))

    def _types(self, graph: Any) -> Iterator[tuple[str, TensorInfo]]:
        self._parts.add(len(graph["tensor_values"]))
        for name, tensor in graph["tensor_values"].items():
            shape: tuple[Axis, ...] = tuple(_axis(size) for size in tensor["sizes"])
            dtype = _TYPES.get(tensor["dtype"], "unknown")
            yield name, TensorInfo(name, "tensor", dtype, shape)
        for part, dtype in (("sym_int_values", "int64"), ("sym_bool_values", "bool")):
            for name in (graph.get(part) or {}).keys():  # noqa: SIM118 - refuses a list
                yield name, TensorInfo(name, "tensor", dtype, ())

    def _declared(self, name: str, types: dict[str, TensorInfo]) -> TensorInfo:
        return types.get(name) or TensorInfo(name, "unknown", "unknown", None)

    def _weights(self, signature: Any, types: dict[str, TensorInfo]) -> Iterator[WeightInfo]:
        stored = self._stored()
        for spec in signature["input_specs"]:
            self._parts.add()
            kind, entry = _only(spec)
            if kind not in ("parameter", "buffer", "tensor_constant"):
                continue
            own = entry["arg"]["name"]
            [name, *_] = [str(entry[key]) for key in entry if key.endswith("_name")]
            self._renamed[own] = name if name not in types else own
            info = types.get(own) or TensorInfo(own, "unknown", "unknown", ())
            yield self._weight(self._renamed[own], kind, info, stored.get(name))

    def _stored(self) -> dict[str, Any]:
        """Return (folder, entry) of each tensor by its name, of all JSON indices."""
        found: dict[str, Any] = {}
        for ending in ("weights_config.json", "constants_config.json"):
            for name in self._members.names:
                if name.endswith(ending):
                    body = self._members.read(name, _LARGEST_JSON)
                    index = json_value(self._source, body, f"'{name[:120]}' in it")
                    folder = name.rpartition("/")[0]
                    for key, entry in index["config"].items():
                        found[key] = folder, entry
        return found

    def _weight(self, name: str, kind: str, info: TensorInfo, stored: Any) -> WeightInfo:
        shape = tuple(axis for axis in info.shape or () if isinstance(axis, int))
        size = packed_bytes(info.dtype, product(shape) or 0)
        place: Place | None = None
        problem = _PICKLED
        if stored is not None:
            folder, entry = stored
            if not entry.get("use_pickle"):
                place, problem = self._members.place(f"{folder}/{entry['path_name']}")
            meta = entry.get("tensor_meta") or {}
            place, problem = _at(place, problem, meta, info.dtype, shape)
        also = (("kind", kind.replace("_", " ")),)
        return WeightInfo(name, info.dtype, shape, size, place, problem=problem, also=also)

    def _add_graph(self, graph: Any, parent: int | None, branch: str, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        self._values += [
            info for _, info in self._types(graph) if info.name not in self._renamed
        ]
        for node in graph["nodes"]:
            self._add_node(node, parent, branch, depth)

    def _add_node(self, node: Any, parent: int | None, branch: str, depth: int) -> None:
        index = len(self._layers)
        self._parts.add(1 + len(node["inputs"]) + len(node["outputs"]))
        inputs: list[str] = []
        attributes: list[Attribute] = []
        inner: list[tuple[str, Any]] = []
        for number, each in enumerate(node["inputs"]):
            label = each.get("name") or f"argument {number}"
            kind, value = _only(each["arg"])
            if kind == "as_graph":
                inner.append((str(value["name"]), value["graph"]))
            elif kind in ("as_tensor", "as_tensors", "as_optional_tensors"):
                inputs += [self._renamed.get(n, n) for n in _tensor_names(kind, value)]
            elif kind != "as_none":
                attributes.append(
                    Attribute(str(label), kind.removeprefix("as_"), _text(kind, value))
                )
        outputs = [n for each in node["outputs"] for n in _output_names(each)]
        domain, operator, overload = _operator(str(node["target"]))
        metadata = node.get("metadata") or {}
        name = str(node.get("name") or (outputs[0] if outputs else ""))
        self._layers.append(
            Layer(
                index, name, operator, domain, tuple(inputs), tuple(outputs), tuple(attributes),
                parent, branch, "", tuple(_origin(metadata, name, operator)), overload,
            )
        )  # fmt: skip
        for called, graph in inner:
            given = dict(self._types(graph))
            self._graphs.append(
                InnerGraph(
                    index, called, called,
                    tuple(self._declared(_argument(a), given) for a in graph["inputs"]),
                    tuple(self._declared(_argument(a), given) for a in graph["outputs"]),
                )
            )  # fmt: skip
            self._add_graph(graph, index, called, depth + 1)


def _only(union: Any) -> tuple[str, Any]:
    """Return the one entry of a union: its kind and its value."""
    for kind, value in union.items():
        return str(kind), value
    raise ValueError("an empty union")


def _axis(size: Any) -> Axis:
    if "as_int" in size:
        length = whole_number(size["as_int"])
        return length if length >= 0 else None
    expression = str(size.get("as_expr", {}).get("expr_str") or "")
    return _SYMBOL.sub(r"\1", expression)[:_LONGEST] or None


def _at(
    place: Place | None, problem: str, meta: Any, dtype: str, shape: tuple[int, ...]
) -> tuple[Place | None, str]:
    """Return the part of a stored tensor that a weight is, or why it has no values."""
    if place is None:
        return place, problem
    strides = [_axis(each) for each in meta.get("strides") or ()]
    step, in_order = 1, True
    for stride, axis in zip(reversed(strides), reversed(shape), strict=False):
        in_order &= axis <= 1 or stride == step
        step *= max(1, axis)
    if not in_order:
        return None, "its values are not stored in the order of its axes"
    offset = _axis(meta.get("storage_offset") or {"as_int": 0}) or 0
    start = packed_bytes(dtype, offset) if isinstance(offset, int) else None
    length = packed_bytes(dtype, product(shape) or 0)
    if start is None or length is None or start + length > place.length:
        return None, "its values are not where the archive says"
    return Place("", place.offset + start, length), ""


def _argument(argument: Any) -> str:
    """Return the name of a graph's input or output."""
    value = _only(argument)[1]
    if isinstance(value, dict):
        value = value.get("name") or value.get("as_name") or ""
    return str(value)


def _tensor_names(kind: str, value: Any) -> list[str]:
    if kind == "as_tensor":
        return [str(value["name"])]
    if kind == "as_tensors":
        return [str(each["name"]) for each in value]
    return [str(each["as_tensor"]["name"]) for each in value if "as_tensor" in each]


def _output_names(output: Any) -> list[str]:
    kind, value = _only(output)
    if kind in ("as_tensor", "as_tensors", "as_optional_tensors"):
        return _tensor_names(kind, value)
    name = _argument(output)
    return [name] if name and kind.startswith("as_sym") else []


def _text(kind: str, value: Any) -> str:
    """Return a constant argument as text."""
    if kind == "as_scalar_type":
        return _TYPES.get(value, str(value))
    if isinstance(value, list):
        more = f", … ({len(value):,})" if len(value) > _MOST_ITEMS else ""
        return (", ".join(_item(each) for each in value[:_MOST_ITEMS]) + more)[:_LONGEST]
    return _item(value)[:_LONGEST]


def _item(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return str(next(iter(value.values()), ""))[:_LONGEST]
    return str(value)[:_LONGEST]


def _operator(target: str) -> tuple[str, str, str]:
    """Return domain, operator and overload of "torch.ops.aten.conv2d.default"."""
    parts = target.split(".")
    if target.startswith("torch.ops.") and len(parts) >= 4:
        domain = DOMAIN if parts[2] in ("aten", "higher_order", "prim", "prims") else parts[2]
        return domain, parts[3], ".".join(parts[4:])
    return DOMAIN, parts[-1] or target, ""


def _origin(metadata: Any, name: str, operator: str) -> Iterator[tuple[str, str]]:
    """Yield the modules and the lines of source code that a node comes from."""
    paths, classes = [], []
    for entry in str(metadata.get("nn_module_stack") or "").split(";"):
        parts = entry.split(",")
        if len(parts) >= 3:
            paths.append(parts[1])
            classes.append(parts[2])
    if paths:
        yield _SCOPES, repr([*paths, name])
        yield _CLASSES, repr([*classes, operator])
    if metadata.get("stack_trace"):
        yield _STACK, str(metadata["stack_trace"])[-_LONGEST_STACK:]


def _range(name: str, limits: Any) -> str:
    low, high = limits.get("min_val"), limits.get("max_val")
    return f"{name}: {low} or more" if high is None else f"{name}: {low} to {high}"
