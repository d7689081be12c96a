"""ML programs: functions of blocks of operations, constants in the file or in weight.bin.

A `const` operation is no layer: its value is a weight, or an attribute of what takes it.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from inspector.formats.coreml.messages import Message
from inspector.formats.onnx import weight_values
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.protobuf_wire import Malformed
from inspector.formats.source import open_source
from inspector.model.model import (
    Attribute,
    Axis,
    Function,
    InnerGraph,
    Layer,
    Place,
    TensorInfo,
    WeightCompression,
    WeightInfo,
    packed_bytes,
    product,
)

DOMAIN = "coreml"
MAX_DEPTH = 60  # of nested blocks and types
_TYPES = {
    1: "bool", 2: "string", 10: "float16", 11: "float32", 12: "float64", 13: "bfloat16",
    21: "int8", 22: "int16", 23: "int32", 24: "int64", 25: "int4", 31: "uint8", 32: "uint16",
    33: "uint32", 34: "uint64", 35: "uint4", 36: "uint2", 37: "uint1", 38: "uint6", 39: "uint3",
    40: "float8e4m3fn", 41: "float8e5m2",
}  # fmt: skip
# Where an immediate tensor keeps its numbers, and their kind as an attribute.
_VALUES = {
    "floats": "float", "doubles": "float", "ints": "int", "longInts": "int", "bools": "bool",
    "strings": "string",
}  # fmt: skip
_MOST_ITEMS = 16  # of a constant that is shown as an attribute
_LONGEST = 400
MAX_CLASSES = 100_000
_BRANCHES = {"cond": ("true", "false"), "while_loop": ("condition", "body")}
_BLOB_HEAD = 64  # bytes before the values: a mark, the type, the length, and where they begin
_BLOB_MARK = 0xDEADBEEF
_MODEL_PATH = "@model_path/"
# What stands for the weight itself in operations that expand one, and what else they take.
_EXPANDS = {
    "constexpr_affine_dequantize": ("quantized_data", "linear"),
    "constexpr_blockwise_shift_scale": ("data", "linear"),
    "constexpr_sparse_blockwise_shift_scale": ("nonzero_data", "linear"),
    "constexpr_lut_to_dense": ("indices", "lookup table"),
    "constexpr_lut_to_sparse": ("indices_nonzero_data", "lookup table"),
    "constexpr_sparse_to_dense": ("nonzero_data", "sparse"),
    "constexpr_cast": ("source_val", "cast"),
}


# Parameters that take the data an operation works on, in this order before all others.
_FIRST = ("x", "values", "data", "input", "quantized_data", "indices", "nonzero_data", "y",
          "query", "key", "value", "weight", "bias")  # fmt: skip


class _Constant(NamedTuple):
    """A value that the file states: of what type, and where."""

    info: TensorInfo
    value: Message


def type_of(message: Message | None, name: str, depth: int = 0) -> TensorInfo:
    """Describe a ValueType."""
    unknown = TensorInfo(name, "unknown", "unknown", None)
    if message is None or depth > MAX_DEPTH:
        return unknown
    if (tensor := message.child("tensorType")) is not None:
        dtype = _TYPES.get(tensor.number("dataType"), "unknown")
        axes: list[Axis] = []
        for axis in tensor.children("dimensions"):
            constant = axis.child("constant")
            axes.append(None if constant is None else constant.number("size"))
        known = axes or tensor.number("rank") == 0
        return TensorInfo(name, "tensor", dtype, tuple(axes) if known else None)
    if (state := message.child("stateType")) is not None:
        return replace(
            type_of(state.child("wrappedType"), name, depth + 1), metadata=(("state", "yes"),)
        )
    if (items := message.child("listType")) is not None:
        inner = type_of(items.child("type"), name, depth + 1)
        return TensorInfo(name, "sequence", f"sequence({inner.dtype})", None)
    if (pairs := message.child("dictionaryType")) is not None:
        key = type_of(pairs.child("keyType"), "", depth + 1).dtype
        value = type_of(pairs.child("valueType"), "", depth + 1).dtype
        return TensorInfo(name, "map", f"map({key}, {value})", None)
    return unknown


class Blobs:
    """The weight files beside a program; the head of each blob is read and checked."""

    def __init__(self, near: ExternalFiles) -> None:
        self._near = near
        self._places: dict[tuple[str, int], tuple[Place | None, str]] = {}

    def place(self, blob: Message) -> tuple[Place | None, str]:
        """Return where the bytes of a BlobFileValue lie, or why they cannot be reached."""
        name = blob.text("fileName").removeprefix(_MODEL_PATH)
        key = name, blob.number("offset")
        if key not in self._places:
            self._places[key] = self._find(*key)
        return self._places[key]

    def _find(self, name: str, offset: int) -> tuple[Place | None, str]:
        file = self._near.look_up(name)
        shown = f"'{name[:120]}'"
        if file.path is None:
            return None, f"its values are in {shown}, but {file.problem}"
        if offset < 0 or offset + _BLOB_HEAD > file.size_bytes:
            return None, f"its values would begin at byte {offset:,} of {shown}, beyond its end"
        with open_source(file.path) as source:
            head = source.read(offset, _BLOB_HEAD)
        mark, length, at = (
            int.from_bytes(head[start:stop], "little")
            for start, stop in ((0, 4), (8, 16), (16, 24))
        )
        if mark != _BLOB_MARK:
            return None, f"there are no values at byte {offset:,} of {shown}"
        if at + length > file.size_bytes:
            return None, (
                f"it would end at byte {at + length:,} of {shown}, which has only "
                f"{file.size_bytes:,}"
            )
        return Place(name, at, length), ""


class Program:
    """The layers, weights and types of one function of an ML program.

    prefix: of the names of weights, for a function other than the main one.
    """

    def __init__(self, blobs: Blobs, prefix: str = "") -> None:
        self.layers: list[Layer] = []
        self.weights: list[WeightInfo] = []
        self.values: list[TensorInfo] = []
        self.graphs: list[InnerGraph] = []
        self.classes: tuple[str, ...] = ()
        self._blobs, self._prefix = blobs, prefix
        self._constants: dict[str, _Constant] = {}
        self._weighted: dict[str, int] = {}  # name -> place in `weights`

    def add_block(
        self, block: Message, parent: int | None = None, branch: str = "", depth: int = 0
    ) -> None:
        """Take in the operations of a block, and of those inside them."""
        if depth > MAX_DEPTH:
            raise Malformed(f"it is nested deeper than {MAX_DEPTH} levels", "")
        for operation in block.children("operations"):
            if operation.text("type") == "const":
                self._add_constant(operation)
            else:
                self._add_layer(operation, parent, branch, depth)

    def _add_constant(self, operation: Message) -> None:
        value = dict(operation.entries("attributes")).get("val")
        output = next(operation.children("outputs"), None)
        if value is None or output is None:
            return
        info = type_of(output.child("type"), output.text("name"))
        self._constants[info.name] = _Constant(info, value)

    def _add_layer(
        self, operation: Message, parent: int | None, branch: str, depth: int
    ) -> None:
        operator, index = operation.text("type"), len(self.layers)
        outputs = [
            type_of(o.child("type"), o.text("name")) for o in operation.children("outputs")
        ]
        inputs: list[str] = []
        attributes: list[Attribute] = []
        roles: dict[str, str] = {}  # parameter -> name of the tensor it takes
        name = ""
        first = outputs[0].name if outputs else f"{operator} {index}"
        arguments = sorted(operation.entries("inputs"), key=_by_parameter)
        for parameter, argument in arguments:
            bindings = list(argument.children("arguments"))
            if operator == "classify" and parameter == "classes":
                self.classes = self._labels(bindings)
            texts = [self._as_attribute(each) for each in bindings]
            if bindings and all(text is not None for text in texts):
                kind = "list" if len(texts) > 1 else texts[0][0] if texts[0] else ""
                shown = ", ".join(text[1] for text in texts if text)
                attributes.append(Attribute(parameter, kind, shown[:_LONGEST]))
                continue
            for number, each in enumerate(bindings):
                own = f"{first}.{parameter}" + (f".{number}" if len(bindings) > 1 else "")
                bound = self._tensor(each, own)
                inputs.append(bound)
                roles.setdefault(parameter, bound)
        for key, value in sorted(operation.entries("attributes"), key=_by_parameter):
            if key == "name":
                name = _shown(value, _MOST_ITEMS)[1]
                continue
            info = type_of(value.child("type"), f"{first}.{key}")
            if _is_weight(info, value):
                self._add_weight(info, value)
                inputs.append(info.name)
                roles[key] = info.name
            else:
                attributes.append(Attribute(key, *_shown(value, _MOST_ITEMS)))
        self.values += outputs
        self.layers.append(
            Layer(
                index, name, operator, DOMAIN, tuple(inputs), tuple(o.name for o in outputs),
                tuple(attributes), parent, branch,
            )
        )  # fmt: skip
        if operator in _EXPANDS and outputs:
            self._compress(operator, roles, outputs[-1], index)
        for number, block in enumerate(operation.children("blocks")):
            names = _BRANCHES.get(operator, ())
            called = names[number] if number < len(names) else f"block {number}"
            self._add_inner(block, index, called, depth)

    def _add_inner(self, block: Message, index: int, branch: str, depth: int) -> None:
        inputs = tuple(
            type_of(i.child("type"), i.text("name")) for i in block.children("inputs")
        )
        place = len(self.graphs)
        self.graphs.append(InnerGraph(index, branch, "", inputs, ()))
        self.add_block(block, index, branch, depth + 1)
        types = {value.name: value for value in self.values}
        unknown = TensorInfo("", "unknown", "unknown", None)
        outputs = tuple(
            types.get(name, replace(unknown, name=name)) for name in block.texts("outputs")
        )
        self.graphs[place] = InnerGraph(index, branch, "", inputs, outputs)

    def _as_attribute(self, binding: Message) -> tuple[str, str] | None:
        """Return kind and text of a constant that is no weight; None for all else."""
        own = binding.child("value")
        if own is not None:
            info = type_of(own.child("type"), "")
            return None if _is_weight(info, own) else _shown(own, _MOST_ITEMS)
        constant = self._constants.get(binding.text("name"))
        if constant is None or _is_weight(constant.info, constant.value):
            return None
        return _shown(constant.value, _MOST_ITEMS)

    def _labels(self, bindings: list[Message]) -> tuple[str, ...]:
        """Return the names of classes: a constant list, or a tensor of texts."""
        for binding in bindings:
            constant = self._constants.get(binding.text("name"))
            value = binding.child("value") or (constant.value if constant else None)
            immediate = value.child("immediateValue") if value is not None else None
            if immediate is None:
                continue
            if (listed := immediate.child("list")) is not None:
                entries = zip(listed.children("values"), range(MAX_CLASSES), strict=False)
                return tuple(_shown(each, 1)[1] for each, _ in entries)
            tensor = immediate.child("tensor")
            strings = tensor.child("strings") if tensor is not None else None
            if strings is not None:
                return tuple(strings.texts("values")[:MAX_CLASSES])
        return ()

    def _tensor(self, binding: Message, own_name: str) -> str:
        """Return the name of what is bound, which becomes a weight where it is a constant."""
        value, name = binding.child("value"), binding.text("name")
        if value is not None:
            info = type_of(value.child("type"), own_name)
            self._add_weight(info, value)
            return info.name
        constant = self._constants.get(name)
        if constant is not None:
            self._add_weight(constant.info, constant.value)
        return name

    def _add_weight(self, info: TensorInfo, value: Message) -> None:
        if info.name in self._weighted:
            return
        shape = tuple(axis for axis in info.shape or () if isinstance(axis, int))
        blob = value.child("blobFileValue")
        expected = packed_bytes(info.dtype, product(shape) or 0)
        if blob is not None:
            place, problem = self._blobs.place(blob)
        else:
            place, problem = _immediate_place(value), ""
        size = place.length if place else expected
        self._weighted[info.name] = len(self.weights)
        value.charge_text(len(self._prefix))
        self.weights.append(
            WeightInfo(
                f"{self._prefix}{info.name}", info.dtype, shape, size, place, problem=problem
            )
        )

    def _compress(
        self, operator: str, roles: dict[str, str], output: TensorInfo, index: int
    ) -> None:
        """Describe the stored weight with the shape that it expands to, and how."""
        role, kind = _EXPANDS[operator]
        dense = tuple(axis for axis in output.shape or () if isinstance(axis, int))
        mask = self._weighted.get(
            roles.get("mask", roles.get("indices_mask", roles.get("data_mask", "")))
        )
        if mask is not None and operator != "constexpr_sparse_to_dense":
            dense = self.weights[mask].shape
        elements = product(dense)
        if (
            mask is not None
            and elements is not None
            and elements <= 8 * self.weights[mask].elements
            and self.weights[mask].dtype == "uint8"  # one bit an element
        ):
            self.weights[mask] = self.weights[mask]._replace(dtype="uint1", shape=dense)
        stored_at = self._weighted.get(roles.get(role, ""))
        for parameter, name in roles.items():
            place = self._weighted.get(name)
            if parameter != role and place is not None:
                self.weights[place] = self.weights[place]._replace(
                    origin="constant", layer=index
                )
        if stored_at is None or elements is None:
            return
        weight = self.weights[stored_at]
        bits, dtype, shape, stored = _item_bits(weight.dtype), weight.dtype, weight.shape, None
        granularity = ""
        if operator == "constexpr_lut_to_dense" and weight.shape != dense:
            colors = (
                self.weights[self._weighted[roles["lut"]]].elements
                if roles.get("lut") in self._weighted
                else 0
            )
            bits = max(1, (colors - 1).bit_length())
            if weight.size_bytes == packed_bytes(f"uint{bits}", elements):
                dtype, shape = f"uint{bits}", dense
        elif kind == "sparse" or "sparse" in operator:
            shape, stored = dense, weight.elements
        if kind == "linear":
            scale = self._weighted.get(roles.get("scale", ""))
            granularity = self._granularity(weight, scale)
        origin = "sparse initializer" if stored is not None else weight.origin
        expanded = packed_bytes(output.dtype, elements) or 0
        self.weights[stored_at] = weight._replace(
            dtype=dtype, shape=shape, stored=stored, origin=origin,
            compression=WeightCompression(kind, granularity, bits, expanded),
        )  # fmt: skip

    def _granularity(self, weight: WeightInfo, scale: int | None) -> str:
        if scale is None or self.weights[scale].elements <= 1:
            return "per tensor"
        shape = self.weights[scale].shape
        if len(shape) < 2 or len(shape) != len(weight.shape):
            return "per channel"
        whole = all(n in (1, axis) for n, axis in zip(shape, weight.shape, strict=True))
        wide = sum(n > 1 for n in shape)
        return "per channel" if whole and wide == 1 else "per block"


def _by_parameter(entry: tuple[str, Message]) -> tuple[int, str]:
    """Sort the parameters of an operation: the data first; the file has them in any order."""
    name = entry[0]
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def _item_bits(dtype: str) -> int:
    digits = "".join(letter for letter in dtype if letter.isdigit())
    return (
        int(digits)
        if dtype.startswith(("int", "uint")) and digits
        else (packed_bytes(dtype, 1) or 0) * 8
    )


def _is_weight(info: TensorInfo, value: Message) -> bool:
    """Return whether a constant is shown as a tensor: in a file, of fractions, or long."""
    if value.has("blobFileValue"):
        return True
    if info.kind != "tensor" or info.dtype == "string":
        return False
    elements = info.elements or 0
    return elements > _MOST_ITEMS or (elements > 1 and "float" in info.dtype)


def _immediate_place(value: Message) -> Place | None:
    """Return where the packed numbers of a tensor in the file itself lie."""
    immediate = value.child("immediateValue")
    tensor = immediate.child("tensor") if immediate is not None else None
    if tensor is None:
        return None
    for field in tensor.fields():
        numbers = tensor.child(field.name)
        extents = numbers.extents("values") if numbers is not None else []
        if len(extents) == 1:
            fixed = field.name in ("floats", "doubles", "bytes")
            kind = (
                "raw_data"
                if fixed
                else "int64_data"
                if field.name == "longInts"
                else "int32_data"
            )
            return Place("", extents[0].at, extents[0].length, kind)
    return None


def _shown(value: Message, most: int, depth: int = 0) -> tuple[str, str]:
    """Return kind and text of an immediate value."""
    immediate = value.child("immediateValue")
    if immediate is None or depth > MAX_DEPTH:
        return "", ""
    if (tensor := immediate.child("tensor")) is not None:
        for field in tensor.fields():
            values = tensor.child(field.name)
            if values is None:
                continue
            kind = _VALUES.get(field.name, "")
            if kind == "string":
                items = values.texts("values")
            elif field.name == "bytes":
                return _of_bytes(value, values, most)
            else:
                numbers = values.numbers("values", most + 1)
                text = str if kind == "int" else "{:.7g}".format
                items = [
                    ("true" if n else "false") if kind == "bool" else text(n) for n in numbers
                ]
            more = ", …" if len(items) > most else ""
            return kind, (", ".join(items[:most]) + more)[:_LONGEST]
        return "", ""
    if (listed := immediate.child("list")) is not None:
        count = listed.count("values")
        items = [
            _shown(each, most, depth + 1)[1]
            for each, _ in zip(listed.children("values"), range(most), strict=False)
        ]
        return "list", (", ".join(items) + (f", … ({count:,})" if count > most else ""))[
            :_LONGEST
        ]
    return next((field.name for field in immediate.fields()), ""), ""


def _of_bytes(value: Message, values: Message, most: int) -> tuple[str, str]:
    """Return kind and text of numbers kept as bytes: float16 and small integers."""
    dtype = type_of(value.child("type"), "").dtype
    if weight_values.refusal(dtype, "raw_data"):
        return dtype, ""
    body = values.bytes("values", 8 * (most + 1))
    width = weight_values.item_type(dtype).itemsize
    numbers = weight_values.unpacked(body[: len(body) // width * width], dtype, most)
    shown = ", ".join(f"{float(n):.7g}" for n in numbers.astype(np.float64))
    return "float" if "float" in dtype else "int", shown


def function_of(
    name: str, message: Message, blobs: Blobs, prefix: str
) -> tuple[Program, tuple[TensorInfo, ...], tuple[str, ...], str]:
    """Read a function: its program, inputs, names of outputs, and set of operators."""
    opset = message.text("opset")
    blocks = dict(message.entries("block_specializations"))
    block = blocks.get(opset) or next(iter(blocks.values()), None)
    program = Program(blobs, prefix)
    inputs = tuple(type_of(i.child("type"), i.text("name")) for i in message.children("inputs"))
    if block is None:
        return program, inputs, (), opset
    program.add_block(block)
    return program, inputs, tuple(block.texts("outputs")), opset


def as_function(
    name: str, program: Program, inputs: tuple[TensorInfo, ...], outputs: tuple[str, ...]
) -> Function:
    """Return a function beside the main one as the model value has it."""
    return Function(
        name=name, domain=DOMAIN, overload="", inputs=tuple(i.name for i in inputs),
        outputs=outputs, layers=tuple(program.layers), values=(*inputs, *program.values),
        graphs=tuple(program.graphs),
    )  # fmt: skip
