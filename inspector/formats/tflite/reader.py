"""Read TensorFlow Lite models: subgraphs, signatures, quantization, weights left in the file.

The schema is LiteRT's tflite/converter/schema/schema.fbs; numbers are its fields in order. In
this format tensors have numbers, and names that need not differ: here each value gets a name
of its own, and tensors that share a constant buffer are one value.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from inspector.formats.flatbuffer import Buffer, Damaged, Table
from inspector.formats.onnx.types import LONGEST
from inspector.formats.source import Source, open_source
from inspector.formats.tflite import operators
from inspector.formats.tflite.metadata import Described, described
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import (
    EVERY_RUNTIME,
    ITEM_BITS,
    TFLITE,
    Attribute,
    Axis,
    Finding,
    Function,
    InnerGraph,
    Layer,
    Model,
    Place,
    QuantizedValue,
    Signature,
    TensorInfo,
    WeightInfo,
    packed_bytes,
    product,
)

# TensorType of the schema.
ELEMENTS = {
    0: "float32", 1: "float16", 2: "int32", 3: "uint8", 4: "int64", 5: "string", 6: "bool",
    7: "int16", 8: "complex64", 9: "int8", 10: "float64", 11: "complex128", 12: "uint64",
    13: "resource", 14: "variant", 15: "uint32", 16: "uint16", 17: "int4", 18: "bfloat16",
    19: "int2", 20: "uint4", 21: "float8e4m3fn", 22: "float8e5m2",
}  # fmt: skip
CUSTOM_DOMAIN = "custom"
SUBGRAPH_DOMAIN = "subgraph"  # of functions that stand for further subgraphs
_MAX_DEPTH = 100  # of nested subgraphs
# members of the union QuantizationDetails
_BLOCKWISE = 2
_MULTI_AXIS = 3
_CSR = 1  # DimensionType: only coordinates of values that are kept
_OPAQUE = {"resource", "variant"}
_STRINGS = "Inspector cannot show strings of TensorFlow Lite models"
# Where an option of the schema is a subgraph: no attribute then, since the graph says it.
_SUBGRAPH_SUFFIXES = ("_subgraph_index", "_subgraph_indices")
_NOTHING = TensorInfo("", "unknown", "unknown", None)


def read(source: Source, path: Path | None = None) -> Model:
    """Read a TensorFlow Lite model. Raises UnreadableFile: damaged.

    path: unused, since all weights that can be read are in the file itself.
    """
    try:
        return _File(source).model()
    except Damaged as error:
        hint = "It is damaged: download it again, or convert the original model again."
        raise source.failure(str(error), hint) from error


def value_names(path: Path) -> tuple[str, ...]:
    """Return the names of the values of the main graph, by the numbers of its tensors."""
    with open_source(path) as source:
        file = _File(source)
        file.model()
        return tuple(value.name for value in file.read[0])


def with_valid_axes(path: Path) -> bytes:
    """Return a file whose tensors are quantized along axes that they have.

    A tensor with one axis has as many scales as elements, so that this is the axis that is
    meant. Raises UnreadableFile: damaged.
    """
    with open_source(path) as source:
        body, file = bytearray(source.read(0, source.size)), _File(source)
        for place in file.subgraphs:
            for tensor in file.buffer.table(place).tables(0):
                table = tensor.table(4)
                at = table.place(6) if table is not None else None
                shape = tensor.numbers(0, "<i")
                if table is None or at is None or table.range(2, "<f")[0] < 2:
                    continue
                if len(shape) == 1:
                    body[at : at + 4] = bytes(4)
    return bytes(body)


def with_fixed_axes(path: Path) -> bytes:
    """Return a file of which all inputs and outputs have a known size, with the same layers.

    Free axes get the lengths that the converter wrote beside them. An output that a RESHAPE
    makes, whose size the runtime finds out while it runs, is taken before that.
    """
    with open_source(path) as source:
        body, file = bytearray(source.read(0, source.size)), _File(source)
        for place in file.subgraphs:
            for tensor in file.buffer.table(place).tables(0):
                free, taken = tensor.extent(7, 4), tensor.extent(0, 4)
                if free[1] and free[1] == taken[1]:
                    body[free[0] : sum(free)] = body[taken[0] : sum(taken)]
        for at, number in file.outputs_before_reshape():
            body[at : at + 4] = number.to_bytes(4, "little")
    return bytes(body)


class _Constant(NamedTuple):
    """The bytes of a tensor's constant value, and its buffer's number; both empty for none."""

    place: Place | None
    buffer: int


class _Graph(NamedTuple):
    """A subgraph as part of the model: layers are appended elsewhere."""

    name: str
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    values: tuple[TensorInfo, ...]


class _File:
    """A file, and what was read of it so far."""

    def __init__(self, source: Source) -> None:
        self.source, self.buffer = source, Buffer(source)
        self.root = self.buffer.root()
        self.codes = tuple(self.root.tables(1))
        self.subgraphs = self.root.places(2)
        self.buffers = self.root.places(4)
        self.external = tuple(self.root.tables(9))
        self.groups = tuple(table.text(0) for table in self.root.tables(8))
        self.operators = [self._operator(code) for code in self.codes]
        self.names: set[str] = set()
        self.weights: dict[str, WeightInfo] = {}
        self.shared: dict[tuple[object, ...], str] = {}  # a constant -> the name of its value
        self.quantized: dict[str, QuantizedValue] = {}
        self.wrong_axes: list[TensorInfo] = []  # quantized along an axis that they do not have
        self.graphs: list[InnerGraph] = []
        self.examples: list[TensorInfo] = []
        self.read: dict[int, list[TensorInfo]] = {}  # subgraphs read so far, and their values

    def model(self) -> Model:
        """Return the whole model."""
        if not self.subgraphs:
            raise Damaged("it has no graph")
        about = described(self.source, self.root, self._metadata_buffer)
        layers: list[Layer] = []
        main = self.graph(0, layers, None, "", 1)
        functions, signatures = self._entry_points()
        version = self.root.number(0, "<I")
        findings = [*self._axis_findings()]
        findings += [] if version == 3 else [_version_finding(version)]
        model = Model(
            name=self.source.name,
            format=TFLITE,
            size_bytes=self.source.size,
            ir_version=version,
            opsets=(),
            producer=about.producer,
            producer_version=about.producer_version,
            domain="",
            version=0,
            doc=about.doc or self.root.text(3)[:LONGEST],
            graph_name=main.name,
            metadata=about.entries,
            inputs=_annotated(main.inputs, about.inputs),
            outputs=_annotated(main.outputs, about.outputs),
            layers=tuple(layers),
            weights=tuple(self.weights.values()),
            values=(*main.values, *(value for graph in self.graphs for value in graph.values)),
            functions=functions,
            graphs=tuple(self.graphs),
            quantized=tuple(self.quantized.values()),
            signatures=signatures,
            examples=tuple(self.examples),
        )
        return replace(model, findings=(*findings, *about.findings, *weight_findings(model)))

    def _axis_findings(self) -> Iterator[Finding]:
        """Yield what is wrong with axes of quantization."""
        if self.wrong_axes:
            first, more = self.wrong_axes[0], len(self.wrong_axes) - 1
            axis, axes = self.quantized[first.name].axis, len(first.shape or ())
            also = f" and {more:,} more" if more else ""
            text = (
                f"quantized along axis {axis}, but it has only "
                f"{axes} dimension{'s' * (axes != 1)}; only the runtime for "
                "microcontrollers loads such files"
            )
            yield Finding(f"{first.name}{also}", text, True, EVERY_RUNTIME, True)

    def outputs_before_reshape(self) -> Iterator[tuple[int, int]]:
        """Yield (byte, number of a tensor) where the main graph names what RESHAPE makes.

        The tensor is the one that is reshaped, to a shape that is computed.
        """
        main = self.buffer.table(self.subgraphs[0])
        tensors = tuple(main.tables(0))
        reshaped = {}
        for operator in main.tables(3):
            inputs, outputs = operator.numbers(1, "<i"), operator.numbers(2, "<i")
            name = self.operators[operator.number(0, "<I")][0]
            if name != "RESHAPE" or len(inputs) < 2 or not outputs:
                continue
            if self._constant(tensors[inputs[1]]).place is None:
                reshaped[outputs[0]] = inputs[0]
        start, _ = main.extent(2, 4)
        for at, number in enumerate(main.numbers(2, "<i")):
            if number in reshaped:
                yield start + 4 * at, reshaped[number]
        for signature in self.root.tables(7):
            for entry in signature.tables(1):
                place, number = entry.place(1), entry.number(1, "<I")
                if not signature.number(4, "<I") and place and number in reshaped:
                    yield place, reshaped[number]

    def graph(
        self, index: int, layers: list[Layer], parent: int | None, branch: str, depth: int
    ) -> _Graph:
        """Take in a subgraph: its layers are appended, a layer that runs others before them."""
        if depth > _MAX_DEPTH:
            raise Damaged(f"it is nested deeper than {_MAX_DEPTH} levels")
        if not 0 <= index < len(self.subgraphs):
            raise Damaged(f"it refers to subgraph {index:,}, but has {len(self.subgraphs):,}")
        table = self.buffer.table(self.subgraphs[index])
        inputs, outputs = table.numbers(1, "<i"), table.numbers(2, "<i")
        values = self._tensors(tuple(table.tables(0)), frozenset(inputs))
        self.read[index] = infos = [value[0] for value in values]
        for operator in table.tables(3):
            self._layer(operator, infos, layers, parent, branch, depth)
        constant = [value[1] for value in values]
        return _Graph(
            table.text(4)[:LONGEST],
            tuple(_at(infos, number) for number in inputs),
            tuple(_at(infos, number) for number in outputs),
            tuple(info for info, is_constant in zip(infos, constant, strict=True)
                  if not is_constant),
        )  # fmt: skip

    def _entry_points(self) -> tuple[tuple[Function, ...], tuple[Signature, ...]]:
        """Return the subgraphs that no layer runs as functions, and the signatures."""
        declared = tuple(self.root.tables(7))
        keys = {each.number(4, "<I"): each.text(2) for each in reversed(declared)}
        functions: dict[int, Function] = {}
        for index in range(1, len(self.subgraphs)):
            if index in self.read:
                continue
            inner: list[Layer] = []
            before = len(self.graphs)
            graph = self.graph(index, inner, None, "", 1)
            graphs = tuple(self.graphs[before:])
            del self.graphs[before:]
            functions[index] = Function(
                name=keys.get(index) or graph.name or f"subgraph {index}",
                domain=SUBGRAPH_DOMAIN,
                overload="",
                inputs=tuple(value.name for value in graph.inputs),
                outputs=tuple(value.name for value in graph.outputs),
                layers=tuple(inner),
                values=graph.values,
                graphs=graphs,
            )
        signatures = tuple(self._signature(each, functions) for each in declared)
        return tuple(functions.values()), signatures

    def _signature(self, table: Table, functions: dict[int, Function]) -> Signature:
        subgraph = table.number(4, "<I")
        function, values = functions.get(subgraph), self.read.get(subgraph, [])
        inputs, outputs = (
            tuple(
                (entry.text(0), _at(values, entry.number(1, "<I")).name)
                for entry in table.tables(field)
            )
            for field in (0, 1)
        )
        return Signature(table.text(2), inputs, outputs, function.name if function else "")

    def _operator(self, code: Table) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        """Return name, domain and metadata of an OperatorCode.

        The first writers had 127 operators and one byte for them; later ones write both fields.
        """
        number = max(code.number(0, "<b"), code.number(3, "<i"))
        version = (("version", str(code.number(2, "<i", 1))),)
        if number == operators.CUSTOM:
            return code.text(1) or "custom operator", CUSTOM_DOMAIN, version
        return operators.operator_name(number), TFLITE, version

    def _layer(
        self,
        table: Table,
        values: list[TensorInfo],
        layers: list[Layer],
        parent: int | None,
        branch: str,
        depth: int,
    ) -> None:
        number = table.number(0, "<I")
        if number >= len(self.operators):
            raise Damaged(
                f"it refers to operator {number:,}, but lists {len(self.operators):,}"
            )
        name, domain, version = self.operators[number]
        inputs = tuple(_at(values, at).name for at in table.numbers(1, "<i"))
        outputs = tuple(_at(values, at).name for at in table.numbers(2, "<i"))
        index = len(layers)
        options = [
            (table.table(field + 1), union, table.number(field, "<B"))
            for field, union in ((3, "BuiltinOptions"), (11, "BuiltinOptions2"))
        ]
        layers.append(
            Layer(
                index,
                outputs[0] if outputs else "",
                name,
                domain,
                inputs,
                outputs,
                (*self._attributes(options), *_custom_options(table)),
                parent,
                branch,
                metadata=version,
            )
        )
        for option in options:
            for attribute, subgraph in operators.subgraphs(*option):
                graph = self.graph(subgraph, layers, index, attribute, depth + 1)
                self.graphs.append(
                    InnerGraph(
                        index, attribute, graph.name, graph.inputs, graph.outputs, graph.values
                    )
                )

    def _attributes(self, options: Iterable[tuple[Table | None, str, int]]) -> list[Attribute]:
        listed = [each for option in options for each in operators.attributes(*option)]
        return [each for each in listed if not each.name.endswith(_SUBGRAPH_SUFFIXES)]

    def _tensors(
        self, tables: tuple[Table, ...], inputs: frozenset[int]
    ) -> list[tuple[TensorInfo, bool]]:
        """Return each tensor of a subgraph as a value, and whether it is constant."""
        values: list[tuple[TensorInfo, bool]] = []
        for number, table in enumerate(tables):
            constant = self._constant(table)
            name = self._name(table, number, constant)
            dtype = _element(table)
            value = self._value(table, name, dtype, constant, number in inputs)
            if constant.place is not None and name not in self.weights:
                self.weights[name] = _weight(table, value, constant)
            values.append((value, constant.place is not None))
        for (value, _), table in zip(values, tables, strict=True):
            if value.name not in self.quantized:
                quantized = _quantization(table.table(4), value.name, [v for v, _ in values])
                if quantized is not None:
                    self.quantized[value.name] = quantized
                    axis, rank = quantized.axis, len(value.shape or ())
                    if axis is not None and value.shape and not 0 <= axis < rank:
                        self.wrong_axes.append(value)
        return values

    def _name(self, table: Table, number: int, constant: _Constant) -> str:
        """Return a name for a tensor that no other value has; shared constants have one."""
        key = (constant.buffer, _element(table), table.numbers(0, "<i"))
        if constant.place is not None and key in self.shared:
            return self.shared[key]
        given = table.text(3) or f"tensor {number}"
        name, more = given, number
        while name in self.names:
            name, more = f"{given}:{more}", more + 1
        self.names.add(name)
        if constant.place is not None:
            self.shared[key] = name
        return name

    def _value(
        self, table: Table, name: str, dtype: str, constant: _Constant, is_input: bool
    ) -> TensorInfo:
        kind = "opaque" if dtype in _OPAQUE else "tensor"
        known = constant.place is not None or is_input
        notes = (("variable", "kept between runs"),) if table.number(5, "<?") else ()
        value = TensorInfo(name, kind, dtype, _shape(table, known), metadata=notes)
        if value.shape is not None and None in value.shape:
            lengths = tuple(max(0, length) for length in table.numbers(0, "<i"))
            self.examples.append(replace(value, shape=lengths))
        return value

    def _constant(self, table: Table) -> _Constant:
        """Return where a tensor's value is in the file; none for one that is computed."""
        outside = table.number(10, "<I")
        if outside:
            return _Constant(self._external(outside), -outside)
        number = table.number(2, "<I")
        if not number:
            return _Constant(None, 0)
        if number >= len(self.buffers):
            raise Damaged(f"it refers to buffer {number:,}, but has {len(self.buffers):,}")
        offset, length = self._extent(number)
        return _Constant(Place("", offset, length) if length else None, number)

    def _extent(self, number: int) -> tuple[int, int]:
        """Return offset and length of a buffer; those beyond 2 GB lie behind the tables."""
        buffer = self.buffer.table(self.buffers[number])
        offset, length = buffer.number(1, "<Q"), buffer.number(2, "<Q")
        if offset > 1 and length:  # 1 is what a converter writes before it knows the place
            if offset + length > self.source.size:
                missing = offset + length - self.source.size
                raise Damaged(f"{missing:,} B are missing at its end")
            return offset, length
        return buffer.extent(0, 1)

    def _external(self, number: int) -> Place | None:
        for each in self.external:
            if each.number(0, "<I") == number:
                group = each.number(1, "<I")
                file = self.groups[group] if group < len(self.groups) else ""
                return Place(file or "?", each.number(2, "<Q"), each.number(3, "<Q"))
        raise Damaged(f"it refers to external buffer {number:,}, which it does not list")

    def _metadata_buffer(self, number: int) -> tuple[int, int]:
        return self._extent(number) if 0 <= number < len(self.buffers) else (0, 0)


def _at(values: list[TensorInfo], number: int) -> TensorInfo:
    """Return the value with a number; -1 is an input that is left out."""
    if number == -1:
        return _NOTHING
    if not 0 <= number < len(values):
        raise Damaged(f"it refers to tensor {number:,}, but has {len(values):,}")
    return values[number]


def _element(table: Table) -> str:
    number = table.number(1, "<b")
    return ELEMENTS.get(number, f"type {number}")


def _shape(table: Table, known: bool) -> tuple[Axis, ...] | None:
    """Return the axes of a tensor, None for a free one.

    The format writes no axes for a scalar and for a shape that is not known, too; a constant
    or an input without axes is a scalar.
    """
    signature = table.numbers(7, "<i") if table.has(7) else ()
    shape = table.numbers(0, "<i")
    if not shape and not known and not table.number(8, "<?"):
        return None
    axes = signature if len(signature) == len(shape) else shape
    return tuple(length if length >= 0 else None for length in axes)


def _weight(table: Table, value: TensorInfo, constant: _Constant) -> WeightInfo:
    shape = tuple(max(0, length) for length in table.numbers(0, "<i"))
    place = constant.place
    assert place is not None
    sparsity, stored = table.table(6), None
    also: tuple[tuple[str, str], ...] = ()
    if sparsity is not None and value.dtype in ITEM_BITS:
        stored = 8 * place.length // ITEM_BITS[value.dtype]
        axes, blocks = sparsity.numbers(0, "<i"), sparsity.numbers(1, "<i")
        metadata = tuple(sparsity.tables(2))
        pairs = list(zip(axes, metadata, strict=False))
        rows = [str(axis) for axis, each in pairs if each.number(0, "<b") == _CSR]
        dense = [str(each.number(1, "<i")) for _, each in pairs[len(axes) - len(blocks) :]]
        size = f", blocks of {'×'.join(dense)}" if blocks and dense else ""
        also = (("sparsity", f"compressed along axis {', '.join(rows) or 'none'}{size}"),)
    problem = ""
    if value.dtype == "string":
        place, problem = None, _STRINGS
    elif stored is None:
        needed = packed_bytes(value.dtype, product(shape) or 0)
        if needed is not None and needed != place.length:
            problem = (
                f"its type and shape need {needed:,} B, but the file has {place.length:,} B"
            )
    return WeightInfo(
        value.name,
        value.dtype,
        shape,
        constant.place.length if constant.place else None,
        None if problem else place,
        "initializer" if stored is None else "sparse initializer",
        None,
        problem,
        stored,
        also=also,
    )


def _quantization(
    table: Table | None, name: str, values: list[TensorInfo]
) -> QuantizedValue | None:
    """Return how a tensor is quantized; None where the file says nothing of it."""
    if table is None:
        return None
    kind, details = table.number(4, "<B"), table.table(5)
    if details is not None and kind in (_BLOCKWISE, _MULTI_AXIS):
        block = details.number(2, "<i")
        numbers = (details.number(0, "<i", -1), details.number(1, "<i", -1))
        tensors = tuple(_at(values, n).name if n >= 0 else "" for n in numbers)
        granularity = "per block" if block > 0 else "per channel"
        return QuantizedValue(name, granularity, None, block, 0, 0.0, 0.0, 0, 0, tensors)
    scales, least, greatest = table.range(2, "<f")
    if not scales:
        return None
    zeros, low, high = table.range(3, "<q")
    axis = table.number(6, "<i") if scales > 1 else None
    granularity = "per tensor" if scales == 1 else "per channel"
    return QuantizedValue(
        name, granularity, axis, 0, scales, least, greatest, int(low), int(high),
        scale_place=Place("", *table.extent(2, 4)),
        zero_point_place=Place("", *table.extent(3, 8)) if zeros == scales else None,
    )  # fmt: skip


def _custom_options(table: Table) -> Iterator[Attribute]:
    length = table.extent(5, 1)[1] or table.number(10, "<Q")
    if length:
        yield Attribute("custom_options", "bytes", f"{length:,} B")


def _annotated(
    values: tuple[TensorInfo, ...], about: tuple[Described, ...]
) -> tuple[TensorInfo, ...]:
    """Return values with what the model's metadata say of them, in the same order."""
    if len(values) != len(about):
        return values
    return tuple(
        replace(value, doc=each.doc, metadata=(*value.metadata, *each.entries))
        for value, each in zip(values, about, strict=True)
    )


def _version_finding(version: int) -> Finding:
    return Finding("schema version", f"the file uses version {version}; Inspector reads 3")
