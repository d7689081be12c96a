"""The contents of a model file without the bytes of its weights, as plain values."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from math import prod
from typing import NamedTuple, TypeVar
from weakref import ref

from inspector.platform.data_struct import DataStruct
from inspector.wording.values import Name, Sentence

Axis = int | str | None

TFLITE = "tflite"  # id of the format, and the domain of its built-in operators
ONNX_RUNTIME = "onnxruntime"  # id of its backend
EVERY_RUNTIME = "*"  # in place of the id of one
# Domains of operators that are named without their domain.
UNNAMED_DOMAINS = ("", "ai.onnx", TFLITE, "coreml", "torch", "openvino", "keras", "tensorrt")
FORMAT_TITLES = {"onnx": "ONNX", "ort": "ORT", TFLITE: "TensorFlow Lite"}
_SIZED_ALONE = ("onnx", TFLITE)  # formats whose `Model.size_bytes` is that of one file

ITEM_BITS = {
    "float64": 64, "float32": 32, "float16": 16, "bfloat16": 16,
    "float8e4m3fn": 8, "float8e4m3fnuz": 8, "float8e5m2": 8, "float8e5m2fnuz": 8,
    "float8e8m0": 8, "float4e2m1": 4, "int64": 64, "int32": 32, "int16": 16, "int8": 8,
    "int4": 4, "int2": 2, "uint64": 64, "uint32": 32, "uint16": 16, "uint8": 8, "uint7": 7,
    "uint6": 6, "uint5": 5, "uint4": 4, "uint3": 3, "uint2": 2, "uint1": 1, "bool": 8,
    "complex64": 64, "complex128": 128,
}  # fmt: skip
_WEIGHT_TYPES = ("float", "bfloat", "int8", "uint8", "int4", "uint4", "int2", "uint2")
# Operators of ONNX Runtime whose weights come as bytes that hold several numbers: the bits of
# a number where no attribute tells them, and which inputs are packed.
# Source: the operators' schemas in ONNX Runtime's docs/ContribOperators.md.
_PACKED_WEIGHTS = {
    "MatMulNBits": (4, (1,)),
    "GatherBlockQuantized": (4, (0,)),
    "MatMulBnb4": (4, (1,)),
    "QMoE": (4, (2, 5, 8)),
}
# Inputs that are stored but not learned: scales and zero points of quantized weights, tables of
# cosines and sines of positions. Source: the operators' schemas in ONNX and ONNX Runtime.
_NOT_LEARNED = {
    "MatMulNBits": (2, 3),
    "GatherBlockQuantized": (2, 3),
    "MatMulBnb4": (2,),
    "QMoE": (3, 6, 9, 11, 12, 13),
    "DequantizeLinear": (1, 2),
    "QuantizeLinear": (1, 2),
    "GroupQueryAttention": (7, 8, 12, 13),
    "RotaryEmbedding": (2, 3),
}
_COUNTING_TYPES = ("int64", "uint64", "bool")  # of shapes, axes and indices; no weight has them
_BIT_NAMES = ("expert_weight_bits",)
_MACHINE_LEARNING = "ai.onnx.ml"
# Its operators keep what they learned in lists that are attributes: thresholds and values of
# leaves, coefficients, support vectors. Source: the operators' schemas in ONNX.
_LEARNED_LISTS = {
    "TreeEnsembleClassifier": ("nodes_values", "class_weights"),
    "TreeEnsembleRegressor": ("nodes_values", "target_weights"),
    "LinearClassifier": ("coefficients", "intercepts"),
    "LinearRegressor": ("coefficients", "intercepts"),
    "SVMClassifier": ("coefficients", "support_vectors", "rho", "prob_a", "prob_b"),
    "SVMRegressor": ("coefficients", "support_vectors", "rho"),
    "Scaler": ("offset", "scale"),
    "Imputer": ("imputed_value_floats", "imputed_value_int64s"),
}
# Tensors among the attributes of trees that were learned; the others are their structure.
_LEARNED_TENSORS = {
    "TreeEnsemble": ("nodes_splits", "leaf_weights", "membership_values"),
    "TreeEnsembleClassifier": ("nodes_values_as_tensor", "class_weights_as_tensor"),
    "TreeEnsembleRegressor": ("nodes_values_as_tensor", "target_weights_as_tensor"),
}
# How `Layer.branch` begins for what a layer consists of: a model inside another one, what a
# composite operator of TensorFlow Lite or a wrapper of PyTorch stands for. Each runs once.
_PARTS = ("model", "decomposition", "submod", "repeated_subgraph")


def product(shape: tuple[int, ...]) -> int | None:
    """Elements of a shape; None for one that cannot be: negative, or 2**63 and more."""
    elements = prod(shape)  # a file may ask for thousands of digits
    return elements if min(shape, default=0) >= 0 and elements < 1 << 63 else None


def packed_bytes(dtype: str, elements: int) -> int | None:
    """Return the bytes that `elements` of a type take when packed; None for strings and unknown
    types."""
    bits = ITEM_BITS.get(dtype)
    return None if bits is None else (elements * bits + 7) // 8


class TensorInfo(DataStruct, frozen=True):
    """A value as the model declares it: an input, an output or something in between.

    kind: "tensor", "sequence", "map", "optional", "sparse tensor", "opaque" or "unknown".
    dtype: type of one element ("float16"); of other kinds the full type as text
        ("sequence(map(int64, float32))"); "unknown" when the file does not tell.
    shape: outermost axis first. An int is a length in elements, a str is a length that the
        caller chooses ("batch"), None is one the file does not tell. The whole is None when
        not even the rank is known.
    denotation: what ONNX calls the meaning of the value ("IMAGE"); mostly empty.
    full_type: the whole type, where it tells more than these do: shapes of what a sequence
        holds, meanings of axes ("float32[n: DATA_BATCH, 3: DATA_CHANNEL]"); mostly empty.
    """

    name: str
    kind: str
    dtype: str
    shape: tuple[Axis, ...] | None
    denotation: str = ""
    doc: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    full_type: str = ""

    @property
    def elements(self) -> int | None:
        """Return the number of elements; None as long as an axis is open."""
        axes = self.shape
        if axes is None or not all(isinstance(axis, int) for axis in axes):
            return None
        return prod(axis for axis in axes if isinstance(axis, int))


class Attribute(DataStruct, frozen=True):
    """An attribute of a node: its ONNX type ("ints") and its value as text, clipped.

    digest: of the whole value where the text is clipped, so that two can be distinguished.
    refers: whether the value is that of an attribute of the function around the node.
    """

    name: str
    kind: str
    text: str
    doc: str = ""
    digest: str = ""
    refers: bool = False

    @property
    def values(self) -> str:
        """Return the value alone: of a tensor its elements, without type and shape."""
        tensor = self.kind in ("tensor", "sparse tensor")
        return self.text.partition(" = ")[2] if tensor else self.text

    @property
    def length(self) -> int:
        """Return the number of items of a list, of which the text has the first: '1, … (9)'."""
        _, clipped, number = self.text.rpartition(", … (")
        if clipped:
            return int(number.rstrip(")…").replace(",", "") or 0)
        return self.text.count(", ") + 1 if self.text else 0


class Layer(NamedTuple):
    """One node of the graph, of a subgraph or of a function's body.

    Not a dataclass, since a model has up to a million: a frozen one takes four times as long
    to make.

    index: place in `Model.layers` (in `Function.layers` for a body): the file's order, a
        control-flow node directly before the nodes of its subgraphs.
    name: as the file says; may be empty or a duplicate. `label` always says something.
    operator, domain: "Conv", ""; the empty domain is ai.onnx, TFLITE that of another format.
    parent, branch: for a node of a subgraph, the index of the If, Loop or Scan and the
        attribute that holds the subgraph ("then_branch"); None and "" at the top. See
        `is_part` for layers that no control flow runs.
    overload: which of several functions of one name a call means.
    placement: (name of a device configuration, what it asks for this node).
    """

    index: int  # type: ignore[assignment]  # tuple's own method is of no use here
    name: str
    operator: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[Attribute, ...] = ()
    parent: int | None = None
    branch: str = ""
    doc: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    overload: str = ""
    placement: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """Return the name, or operator and index where the file gives none."""
        return self.name or f"{self.operator} {self.index}"

    @property
    def learned_numbers(self) -> int:
        """Return how many numbers in its attributes were learned, as in ai.onnx.ml."""
        if self.domain != _MACHINE_LEARNING or self.operator not in _LEARNED_LISTS:
            return 0
        names = _LEARNED_LISTS[self.operator]
        return sum(each.length for each in self.attributes if each.name in names)

    @property
    def is_part(self) -> bool:
        """Return whether it is a part of its parent, which runs it once: no control flow."""
        return self.parent is not None and self.branch.startswith(_PARTS)


class Place(NamedTuple):
    """Position of the bytes of a tensor; no dataclass, as `Layer` is none.

    file: name of a file next to the model; empty for the model file itself.
    offset, length: in bytes, within that file.
    field: how they are packed: "raw_data", or ONNX's typed field ("int64_data").
    records: in how many records of that field; of several, the bytes are the whole records,
        with all that lies between them.
    """

    file: str
    offset: int
    length: int
    field: str = "raw_data"
    records: int = 1


class WeightCompression(NamedTuple):
    """How a weight is stored in a smaller form than the one that layers work in.

    kind: "linear" (a scale), "lookup table" or "sparse". granularity: "per tensor",
        "per channel", "per block", or empty. bits: of one stored element.
    expanded_bytes: what the weight takes in the form that layers work in.
    """

    kind: str
    granularity: str
    bits: int
    expanded_bytes: int


class WeightInfo(NamedTuple):
    """A tensor that the file carries: initializer, Constant value or other attribute.

    No dataclass, as `Layer` is none.

    size_bytes: what its bytes take in the file; None when only its type could tell.
    place: where the bytes lie; None when they cannot be reached, and `problem` says why.
    origin: "initializer", "sparse initializer" or "constant" (with `layer`, its index).
    stored: of a sparse tensor, the number of values that the file keeps; None for a dense one.
    also: what else the file says of it: a checksum, the name of a sparse tensor's indices, ...
    compression: where the format says so of the weight itself; ONNX says it by operators.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    size_bytes: int | None
    place: Place | None
    origin: str = "initializer"
    layer: int | None = None
    problem: str = ""
    stored: int | None = None
    doc: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    compression: WeightCompression | None = None

    @property
    def elements(self) -> int:
        """Return the number of elements; 1 for a scalar, 0 for a shape that cannot be."""
        return product(self.shape) or 0

    @property
    def stored_shape(self) -> tuple[int, ...]:
        """Shape of what the file keeps: one axis for a sparse tensor, else `shape`."""
        return self.shape if self.stored is None else (self.stored,)


class Annotation(DataStruct, frozen=True):
    """Tensors that quantize a value: ("SCALE_TENSOR", name of a tensor), ..."""

    value: str
    parameters: tuple[tuple[str, str], ...]


class QuantizedValue(NamedTuple):
    """A value that the format itself stores as integers: scale * (integer - zero point).

    No dataclass, as `Layer` is none.

    granularity: "per tensor", "per channel" (along `axis`) or "per block" (of `block` numbers).
    scales: how many there are; the least and the greatest follow. 0 where tensors hold them.
    tensors: names of the tensors that hold scales and zero points, "" for none.
    scale_place, zero_point_place: of scales (float32) and zero points (int64) beside the value.
    """

    value: str
    granularity: str
    axis: int | None
    block: int
    scales: int
    least_scale: float
    greatest_scale: float
    least_zero_point: int
    greatest_zero_point: int
    tensors: tuple[str, ...] = ()
    scale_place: Place | None = None
    zero_point_place: Place | None = None


class Signature(DataStruct, frozen=True):
    """An entry point of a model, with the names that callers use.

    inputs, outputs: (name for callers, name of the value). function: the name of the function
    that it calls; empty for the main graph.
    """

    name: str
    inputs: tuple[tuple[str, str], ...]
    outputs: tuple[tuple[str, str], ...]
    function: str = ""


class InnerGraph(DataStruct, frozen=True):
    """A graph inside a layer: a branch of an If, the body of a Loop.

    layer, branch: the layer's index, and the attribute that holds the graph, as `Layer.parent`
        and `Layer.branch` of the layers in it; None for a graph of `Training`.
    values: types of its inner values.
    """

    layer: int | None
    branch: str
    name: str
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    values: tuple[TensorInfo, ...] = ()
    doc: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    annotations: tuple[Annotation, ...] = ()


class Function(DataStruct, frozen=True):
    """A function that the model defines, with its body.

    attributes: those that a call gives; one with a default has its kind and text, the others
        only a name. values: types of inner values as far as the file tells.
    defaults: layers of the graphs that are such defaults; `Layer.branch` is the attribute, and
        their inputs and outputs are among `graphs`.
    """

    name: str
    domain: str
    overload: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    layers: tuple[Layer, ...]
    doc: str = ""
    attributes: tuple[Attribute, ...] = ()
    opsets: tuple["Opset", ...] = ()
    values: tuple[TensorInfo, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    graphs: tuple[InnerGraph, ...] = ()
    defaults: tuple[Layer, ...] = ()


class Training(DataStruct, frozen=True):
    """One graph pair with which a model is trained, as the file declares it.

    initialization: layers that give state its first values; algorithm: layers of one step.
    weights, graphs: tensors and graphs of both; these two come without a layer.
    bindings, updates: (name of a state, output that it takes), before the first step and after
        each.
    """

    initialization: tuple[Layer, ...]
    algorithm: tuple[Layer, ...]
    weights: tuple[WeightInfo, ...]
    bindings: tuple[tuple[str, str], ...]
    updates: tuple[tuple[str, str], ...]
    graphs: tuple[InnerGraph, ...] = ()


class DeviceConfiguration(DataStruct, frozen=True):
    """Devices among which a model may be divided; their names may be missing."""

    name: str
    number: int
    devices: tuple[str, ...]


class Opset(DataStruct, frozen=True):
    """Version of an operator set that the model imports; the empty domain is ai.onnx."""

    domain: str
    version: int


class OutsideProblem(str):
    """Why values cannot be read that are not in the model's folder."""

    __slots__ = ()


class LinkedProblem(OutsideProblem):
    """The same of a file that has another name elsewhere, which runtimes read."""

    __slots__ = ()


def unreadable(problem: str) -> str:
    """Return why values of a weight cannot be read, and what to do about it."""
    if isinstance(problem, OutsideProblem):
        return f"{problem}; save the model again with its weights next to it"
    return f"{problem}; download the model again with all its files, or export it again"


class Finding(DataStruct, frozen=True):
    """Something a reader noticed: what is odd, and about what it is.

    invalid: whether it breaks a rule of the format, so that runtimes may refuse the file.
    refused_by: id of the runtime that is known to refuse it; EVERY_RUNTIME for all that
        Inspector has.
    repairable: whether an action saves a copy without the flaw.
    """

    subject: str
    text: str
    invalid: bool = False
    refused_by: str = ""
    repairable: bool = False


class CompiledPart(DataStruct, frozen=True):
    """A layer that holds a network which an execution provider compiled for one device.

    layer: its index.
    provider, sdk, hardware, partition: as the layer names it ("QNN"), the version of the
        software that compiled it, the chip as the provider writes it, and the name that the
        provider gave to the network; each may be empty.
    file: of the binary, beside the model; "" for one inside it.
    size_bytes: of the binary; None where it is unknown.
    shared: whether it uses the binary of another part.
    problem: why the binary cannot be used.
    """

    layer: int
    provider: str
    sdk: str = ""
    hardware: str = ""
    partition: str = ""
    file: str = ""
    size_bytes: int | None = None
    shared: bool = False
    problem: str = ""


class FormatDetails(DataStruct, frozen=True):
    """What a file says of itself where its format is not one of ONNX's.

    title: the format, and the kind of model within it ("Core ML, ML program").
    version: of the format, as people write it ("specification version 7"); may be empty.
    needs: the oldest systems or releases that can load it ("iOS 16, macOS 13"); empty where
        the file does not tell. reason: what asks for them.
    facts: (name, value) of all else that the format declares, in the order to show.
    classes: names of the classes that a classifier tells apart.
    kind: of the model within its format, where it is no network ("pipeline regressor").
    parts: kinds of the models in a pipeline, in order.
    texts: (name, text) of whole files in the model, such as the code of TorchScript.
    weights_known: whether the file's weights are listed; otherwise their number is unknown.
    """

    title: str
    version: str = ""
    needs: str = ""
    reason: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    classes: tuple[str, ...] = ()
    kind: str = ""
    parts: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    weights_known: bool = True


class Model(DataStruct, frozen=True, dict=True, weakref=True):
    """A model without its weights: small enough to send anywhere.

    name: the file's name without its folder.
    inputs: what a caller must give; graph inputs with an initializer are `defaults`.
    layers: every node, subgraphs included; function bodies are in `functions`.
    values: types of inner values as far as the file tells (value_info).
    graph_doc, graph_metadata: what the file says of its main graph.
    graphs: those inside layers, in the order of the file.
    quantized: values that the format stores as integers, where it says so beside the layers.
    signatures: entry points with the names that callers use.
    examples: values with free axes once more, with the lengths for which the converter knew the
        shapes of all values.
    details: of a format other than ONNX's; None for ONNX and for ONNX Runtime's own format.
    compiled: layers that an execution provider compiled.
    """

    name: str
    format: str
    size_bytes: int
    ir_version: int
    opsets: tuple[Opset, ...]
    producer: str
    producer_version: str
    domain: str
    version: int
    doc: str
    graph_name: str
    metadata: tuple[tuple[str, str], ...]
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    layers: tuple[Layer, ...]
    weights: tuple[WeightInfo, ...]
    values: tuple[TensorInfo, ...] = ()
    functions: tuple[Function, ...] = ()
    defaults: tuple[TensorInfo, ...] = ()
    findings: tuple[Finding, ...] = ()
    graph_doc: str = ""
    graph_metadata: tuple[tuple[str, str], ...] = ()
    training: tuple[Training, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    configurations: tuple[DeviceConfiguration, ...] = ()
    graphs: tuple[InnerGraph, ...] = ()
    quantized: tuple[QuantizedValue, ...] = ()
    signatures: tuple[Signature, ...] = ()
    examples: tuple[TensorInfo, ...] = ()
    details: FormatDetails | None = None
    compiled: tuple[CompiledPart, ...] = ()

    @property
    def format_title(self) -> str:
        """Return the format by its name: "TensorFlow Lite"."""
        if self.details is not None:
            return self.details.title
        return FORMAT_TITLES.get(self.format, self.format)

    def shares_operators(self, other: "Model") -> bool:
        """Return whether another model names operators and attributes as this one does, and has
        weights in the same layout."""
        formats = {self.format, other.format}
        return len(formats) == 1 or formats == {"onnx", "ort"}

    @property
    def format_text(self) -> str:
        """Return the format with its version: "ONNX, IR version 10"."""
        name = self.format_title
        if self.details is not None:
            return ", ".join(filter(None, (name, self.details.version)))
        tflite = self.format == TFLITE
        template = "{name}, schema version {ir}" if tflite else "{name}, IR version {ir}"
        return Sentence(template, Name(name), self.ir_version)

    @cached_property
    def distinct_weights(self) -> tuple[WeightInfo, ...]:
        """Return each byte of the files once: of a weight that overlaps others only the part
        that none before it has, and nothing of one that lies within another."""
        own = self._overlaps.own
        if not own:
            return self.weights
        return tuple(
            _shortened(weight, own.get(index))
            for index, weight in enumerate(self.weights)
            if own.get(index) != 0
        )

    @cached_property
    def external_bytes(self) -> int:
        """Return the bytes of weights in files next to the model, which `size_bytes` leaves
        out; 0 for formats whose size has them."""
        if self.format not in _SIZED_ALONE:
            return 0
        places = (weight.place for weight in self.distinct_weights)
        return sum(place.length for place in places if place is not None and place.file)

    @property
    def refused(self) -> bool:
        """Return whether no runtime that Inspector has loads the file."""
        return self.refusal() is not None

    def refusal(self, runtime: str = EVERY_RUNTIME) -> Finding | None:
        """Return why a runtime, by its id, is known not to load the file."""
        known = (EVERY_RUNTIME, runtime)
        return next((each for each in self.findings if each.refused_by in known), None)

    @property
    def repairable(self) -> bool:
        """Return whether an action saves a copy without one of the flaws."""
        return any(each.repairable for each in self.findings)

    @property
    def whole_bytes(self) -> int:
        """Return the size of the model with the weights in files next to it."""
        return self.size_bytes + self.external_bytes

    @cached_property
    def shared_weights(self) -> tuple[int, int]:
        """Return how many weights share bytes with another, and how many bytes they share."""
        return self._overlaps.number, self._overlaps.shared_bytes

    @cached_property
    def _overlaps(self) -> "_Overlaps":
        places = ((each.place, index) for index, each in enumerate(self.weights))
        return _overlaps(
            sorted(
                (place.file, place.offset, -place.length, index)
                for place, index in places
                if place is not None and place.length
            )
        )

    @cached_property
    def parameters(self) -> int:
        """Return how many numbers the model learned: elements of all initializers, without
        scales and zero points of quantized weights and tables of positions.

        Of a model without initializers, elements of those Constant values and tensor
        attributes that are weights by type and shape, in functions as well. Weights that
        operators take packed, two or more to a byte, count one by one. Of trees and other
        operators of ai.onnx.ml, the lists of numbers that they learned.
        """
        apart = self.not_learned
        shapes = Counter(
            w.shape
            for w in self.distinct_weights
            if w.origin != "constant" and w.name not in apart
        )
        stored = sum((product(shape) or 0) * number for shape, number in shapes.items())
        constants = sum(w.elements for w in self.constant_weights)
        return stored + constants + self._packed_more + self._learned_lists

    @cached_property
    def learned(self) -> Mapping[str, int]:
        """How many numbers of each weight were learned; without weights that were not."""
        packed, apart = self.packed, self.not_learned
        return {
            weight.name: packed[weight.name][0] if weight.name in packed else weight.elements
            for weight in self.weights
            if weight.name not in apart and weight.origin != "constant"
        }

    def parameters_of(self, layer: "Layer") -> int:
        """Return how many numbers a layer learned; other layers may have the same ones."""
        return sum(self.learned.get(name, 0) for name in dict.fromkeys(layer.inputs))

    @cached_property
    def not_learned(self) -> frozenset[str]:
        """Names of weights that only say how others are stored, where a token stands, or what
        is counted: shapes, axes, indices."""
        bodies = (self.layers, *(function.layers for function in self.functions))
        names: set[str] = set()
        learned: set[str] = set()
        for body in bodies:
            for layer in body:
                places = _NOT_LEARNED.get(layer.operator)
                if places is not None:
                    for place, name in enumerate(layer.inputs):
                        (names if place in places else learned).add(name)
            # A table that is stored in one type and taken in another.
            names.update(
                layer.inputs[0]
                for layer in body
                if layer.operator == "Cast" and layer.inputs and names.issuperset(layer.outputs)
            )
        counted = (weight.name for weight in self.weights if weight.dtype in _COUNTING_TYPES)
        return frozenset((names - learned).union(counted))

    @cached_property
    def _learned_lists(self) -> int:
        """Numbers in list attributes of the operators of ai.onnx.ml."""
        bodies = (self.layers, *(function.layers for function in self.functions))
        return sum(layer.learned_numbers for body in bodies for layer in body)

    @cached_property
    def numbers(self) -> tuple[int, str]:
        """Return how many numbers it carries and what each is: a parameter, or else a
        constant."""
        if self.parameters or not self.constants:
            return self.parameters, "parameter"
        return self.constants, "constant"

    @cached_property
    def constants(self) -> int:
        """Return the number of elements of Constant values and other attributes that are no
        parameters."""
        all_ = sum(w.elements for w in self.distinct_weights if w.origin == "constant")
        return all_ - sum(w.elements for w in self.constant_weights)

    @cached_property
    def constant_weights(self) -> tuple[WeightInfo, ...]:
        """Constants that are the weights of a model without initializers.

        They have a type that weights have, and are no single number.
        """
        learned = {
            f"{layer.label}.{name}"
            for layer in self.layers
            if layer.domain == _MACHINE_LEARNING
            for name in _LEARNED_TENSORS.get(layer.operator, ())
        }
        if learned:
            return tuple(w for w in self.distinct_weights if w.name in learned)
        if any(w.origin != "constant" for w in self.weights):
            return ()
        return tuple(
            w
            for w in self.distinct_weights
            if w.origin == "constant" and w.elements > 1 and w.dtype.startswith(_WEIGHT_TYPES)
        )

    @property
    def _packed_more(self) -> int:
        """Parameters of packed weights beyond their bytes."""
        elements = {weight.name: weight.elements for weight in self.weights}
        return sum(
            max(0, numbers - elements[name])
            for name, (numbers, _) in self.packed.items()
            if numbers
        )

    @cached_property
    def packed(self) -> Mapping[str, tuple[int, int]]:
        """How many numbers each weight holds that an operator takes packed, several to a byte,
        and the bits of one; of what stands beside it, such as scales, 0 and its bits."""
        bodies = (self.layers, *(function.layers for function in self.functions))
        taking = [
            layer for body in bodies for layer in body if layer.operator in _PACKED_WEIGHTS
        ]
        if not taking:
            return {}
        weights = {w.name: w for w in self.weights}
        found: dict[str, tuple[int, int]] = {}  # two layers may share a weight
        for layer in taking:
            default, places = _PACKED_WEIGHTS[layer.operator]
            attributes = {attribute.name: attribute.text for attribute in layer.attributes}
            text = next(
                (attributes[name] for name in ("bits", *_BIT_NAMES) if name in attributes),
                str(default),
            )
            bits = int(text) if text.isdecimal() and 0 < int(text[:9]) <= 8 else 8
            # K times N of a product: its last block may be filled up.
            sides = [attributes.get(name, "")[:12] for name in ("K", "N")]
            product_size = prod(map(int, sides)) if all(map(str.isdecimal, sides)) else 0
            beside = _NOT_LEARNED.get(layer.operator, ())
            for place, name in enumerate(layer.inputs):
                weight = weights.get(name)
                if weight is None:
                    continue
                if place in places and weight.dtype in ("uint8", "int8"):
                    found[name] = product_size or 8 // bits * weight.elements, bits
                elif place in beside:
                    found.setdefault(name, (0, bits))
        return found


class _Overlaps(NamedTuple):
    """Which bytes several weights have.

    own: of each weight that begins within others, by its index, the bytes behind them.
    number: of weights that share bytes. shared_bytes: of those that two or more have.
    """

    own: dict[int, int]
    number: int
    shared_bytes: int


def _overlaps(places: Sequence[tuple[str, int, int, int]]) -> _Overlaps:
    """Compare places (file, offset, length below zero, index) in their order."""
    own: dict[int, int] = {}
    sharing: set[int] = set()
    shared_bytes = covered = covered_twice = 0
    before: tuple[str, int, int, int] | None = None
    for place in places:
        file, start, negative, index = place
        end = start - negative
        if before is None or before[0] != file:
            covered = covered_twice = 0
        if start < covered:
            assert before is not None
            own[index] = max(0, end - covered)
            sharing.add(index)
            if start < before[1] - before[2]:
                sharing.add(before[3])
            both = min(end, covered)
            shared_bytes += max(0, both - max(start, covered_twice))
            covered_twice = max(covered_twice, both)
        covered = max(covered, end)
        before = place
    return _Overlaps(own, len(sharing), shared_bytes)


def _shortened(weight: WeightInfo, length: int | None) -> WeightInfo:
    """Return the last bytes of a weight as one of its own; the weight itself for None."""
    place = weight.place
    if length is None or place is None:
        return weight
    size = weight.size_bytes
    return weight._replace(
        shape=(weight.elements * length // place.length,),
        size_bytes=None if size is None else size * length // place.length,
        place=place._replace(offset=place.offset + place.length - length, length=length),
    )


Result = TypeVar("Result")


def cached_by_model(function: Callable[[Model], Result]) -> Callable[[Model], Result]:
    """Return a function that calls `function` once for each model object, while it lives.

    By identity: the hash of a model reads all its layers.
    """
    results: dict[int, tuple[ref[Model], Result]] = {}

    def forget(key: int) -> None:
        results.pop(key, None)

    @wraps(function)
    def cached(model: Model) -> Result:
        key = id(model)
        entry = results.get(key)
        if entry is not None and entry[0]() is model:
            return entry[1]
        result = function(model)
        results[key] = ref(model, lambda _: forget(key)), result
        return result

    return cached
