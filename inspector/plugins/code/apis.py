"""What ONNX Runtime's API of each language passes: one table, which every refusal is read from.

Sources: the lists of types in ONNX Runtime 1.24 and 1.30: the data types of TensorProto in
Python, ONNXTensorElementDataType in C++, TensorElementType in C#, OnnxJavaType in Java and
Kotlin, the types of a tensor in onnxruntime-web, and ORTTensorElementDataType in Swift.
`benchmarks/generated_code.py` builds and runs programs of every type against this table.
"""

import re
from collections.abc import Mapping

from msgspec import Struct, field

from inspector.model.model import Axis, Model, TensorInfo
from inspector.render.code_languages import own_languages
from inspector.units import clip

# Types that NumPy and most languages lack: their numbers in ONNX and in the runtime's C API.
RARE = {
    "bfloat16": (16, 16),
    "float8e4m3fn": (17, 17),
    "float8e4m3fnuz": (18, 18),
    "float8e5m2": (19, 19),
    "float8e5m2fnuz": (20, 20),
    "uint4": (21, 21),
    "int4": (22, 22),
    "float4e2m1": (23, 23),
    "uint2": (25, 24),
    "int2": (26, 25),
    "float8e8m0": (24, 26),
}
_NAMED = 22  # the last number whose name the headers of ONNX Runtime 1.17 have
# Types that the runtime itself lacks: it loads no model with one.
UNLOADED = ("complex64", "complex128", "float6e2m3", "float6e3m2")
RUNTIME = "ONNX Runtime"
_FLOAT8 = 20  # the last number of bfloat16 and the four float8
_BASIC = 0xFFFF  # the last letter of two bytes
_NAME = 80  # letters of a name in a message
_TYPE = re.compile(
    r"(?P<optional>optional\()?(?:(?P<sequence>sequence)\(|map\((?P<key>\w+), )?"
    r"(?P<dtype>\w+)\)*"
)
_SWIFT = ("float32", "int8", "uint8", "int32", "uint32", "int64", "uint64", "string")
# Types that operators take as sparse tensors, in ONNX Runtime's ContribOperators.md.
_SPARSE = ("float32", "float64", "int32", "int64", "uint32", "uint64")
_WORDS = re.compile(r"\w+")
_AXES = re.compile(r"\w+\[([^\[\]]*)\]\)*")
_MAP_VALUES = ("string", "int64", "float32", "float64")
_MAPS = tuple((key, value) for key in ("string", "int64") for value in _MAP_VALUES)


class Api(Struct, frozen=True):
    """What the API of a language passes.

    name: of the API. elements: what the language calls an element of each type. bits: what it
    calls types whose elements are passed as bytes. sequences, sparse: types of their tensors,
    and of sparse ones. maps: types of keys and values. reads: types of elements of outputs, all
    if empty. tensors: of outputs it reads tensors only. strict: it makes no session with an
    output that it cannot read. basic: it changes letters beyond those of two bytes, such as
    emoji, in texts and names of inputs, as JNI's UTF-8 is another one.
    """

    name: str
    elements: Mapping[str, str]
    bits: Mapping[str, str] = field(default_factory=dict)
    sequences: tuple[str, ...] = ()
    sparse: tuple[str, ...] = ()
    maps: tuple[tuple[str, str], ...] = ()
    reads: tuple[str, ...] = ()
    tensors: bool = False
    strict: bool = False
    basic: bool = False

    def passes(self, dtype: str) -> bool:
        """Return whether a tensor of a type is passed."""
        return dtype in self.elements or dtype in self.bits


def _called(**elements: str) -> dict[str, str]:
    """Return types by what a language calls them, sparing quotes."""
    return elements


# Of other runtimes than ONNX Runtime; call_code.py names them.
NUMPY = Api(
    "",
    _called(
        float32="np.float32", float64="np.float64", float16="np.float16", int8="np.int8",
        int16="np.int16", int32="np.int32", int64="np.int64", uint8="np.uint8",
        uint16="np.uint16", uint32="np.uint32", uint64="np.uint64", bool="np.bool_",
        string="object",
    ),
)  # fmt: skip
PYTHON = Api(
    "ONNX Runtime's Python API",
    {
        **NUMPY.elements,
        **_called(
            bfloat16="ml_dtypes.bfloat16",
            float8e4m3fn="ml_dtypes.float8_e4m3fn",
            float8e4m3fnuz="ml_dtypes.float8_e4m3fnuz",
            float8e5m2="ml_dtypes.float8_e5m2",
            float8e5m2fnuz="ml_dtypes.float8_e5m2fnuz",
            float8e8m0="ml_dtypes.float8_e8m0fnu",
            float4e2m1="ml_dtypes.float4_e2m1fn",
            int4="ml_dtypes.int4",
            uint4="ml_dtypes.uint4",
            int2="ml_dtypes.int2",
            uint2="ml_dtypes.uint2",
        ),
    },
    sequences=tuple(NUMPY.elements),
    sparse=_SPARSE,
    maps=(("string", "float32"), ("int64", "float32")),
)
_EVERY = (*NUMPY.elements, *RARE)
CPP = Api(
    "ONNX Runtime's C++ API",
    _called(
        float32="float", float64="double", float16="Ort::Float16_t", bfloat16="Ort::BFloat16_t",
        int8="int8_t", int16="int16_t", int32="int32_t", int64="int64_t", uint8="uint8_t",
        uint16="uint16_t", uint32="uint32_t", uint64="uint64_t", bool="bool",
        string="const char*",
    ),
    bits={
        name: f"ONNX_TENSOR_ELEMENT_DATA_TYPE_{name.upper()}"
        if number <= _NAMED
        else f"ONNXTensorElementDataType({number})"
        for name, (_, number) in RARE.items()
        if name != "bfloat16"
    },
    sequences=_EVERY,
    sparse=_SPARSE,
    maps=_MAPS,
)  # fmt: skip
CSHARP = Api(
    "ONNX Runtime's C# API",
    _called(
        float32="float", float64="double", float16="Float16", bfloat16="BFloat16",
        int8="sbyte", int16="short", int32="int", int64="long", uint8="byte", uint16="ushort",
        uint32="uint", uint64="ulong", bool="bool", string="string",
    ),
    sequences=tuple(NUMPY.elements),
    maps=_MAPS,
    reads=(*NUMPY.elements, "bfloat16"),
    strict=True,
)  # fmt: skip
_JAVA = tuple(NUMPY.elements) + tuple(
    name for name, (_, code) in RARE.items() if code <= _FLOAT8
)
JAVA = Api(
    "ONNX Runtime's Java API",
    _called(
        float32="float", float64="double", float16="short", bfloat16="short", int8="byte",
        int16="short", int32="int", int64="long", uint8="byte", bool="byte", string="String",
    ),
    sparse=_SPARSE[:4],
    reads=_JAVA,
    basic=True,
)  # fmt: skip
KOTLIN = Api(
    JAVA.name,
    _called(
        float32="Float", float64="Double", float16="Short", bfloat16="Short", int8="Byte",
        int16="Short", int32="Int", int64="Long", uint8="Byte", bool="Byte", string="String",
    ),
    sparse=_SPARSE[:4],
    reads=_JAVA,
    basic=True,
)  # fmt: skip
JAVASCRIPT = Api(
    "onnxruntime-web",
    _called(
        float32="Float32Array", float64="Float64Array", float16="Uint16Array",
        int8="Int8Array", int16="Int16Array", int32="Int32Array", int64="BigInt64Array",
        uint8="Uint8Array", uint16="Uint16Array", uint32="Uint32Array",
        uint64="BigUint64Array", bool="Uint8Array", string="Array",
    ),
    bits=_called(int4="Uint8Array", uint4="Uint8Array"),
    reads=tuple(NUMPY.elements),
    tensors=True,
)  # fmt: skip
SWIFT = Api(
    "onnxruntime-objc",
    _called(
        float32="Float", int8="Int8", uint8="UInt8", int32="Int32", uint32="UInt32",
        int64="Int64", uint64="UInt64", string="String",
    ),
    reads=_SWIFT,
    tensors=True,
)  # fmt: skip
# By the ids of the languages.
APIS = {
    "python": PYTHON,
    "cpp": CPP,
    "csharp": CSHARP,
    "java": JAVA,
    "kotlin": KOTLIN,
    "javascript": JAVASCRIPT,
    "swift": SWIFT,
}


class Parts(Struct, frozen=True):
    """What a value consists of; kind: tensor, sequence, map or sparse, "" for any other."""

    kind: str
    dtype: str
    shape: tuple[Axis, ...] | None = None
    key: str = ""
    optional: bool = False

    @classmethod
    def of(cls, info: TensorInfo) -> "Parts":
        """Return the parts of a value; of a sequence or an optional, those of its tensors."""
        match = _TYPE.fullmatch(info.dtype)
        if info.kind in ("tensor", "sparse tensor"):
            return cls(info.kind.removesuffix(" tensor"), info.dtype, info.shape)
        if match is None or info.kind not in ("sequence", "map", "optional"):
            return cls("", info.dtype)
        kind = match["sequence"] or ("map" if match["key"] else "tensor")
        axes = _AXES.search(info.full_type)
        shape = None
        if axes is not None and kind != "map":
            lengths = [axis.partition(":")[0].strip() for axis in axes[1].split(",")]
            shape = tuple(int(each) if each.isdigit() else each for each in lengths if each)
        return cls(kind, match["dtype"], shape, match["key"] or "", bool(match["optional"]))


def why_not(api: Api, model: Model) -> tuple[str, str] | None:
    """Return why an API cannot run a model, with a hint; None where it can."""
    why = _reason(api, model)
    if not why:
        return None
    if api not in APIS.values():  # of another runtime, in Python only
        return why, ""
    able = {key for key, each in APIS.items() if not _reason(each, model)}
    names = ", ".join(each.name for key, each in own_languages().items() if key in able)
    return why, f"Choose another language: {names}." if names else ""


def _reason(api: Api, model: Model) -> str:
    """Return what an API cannot pass of a model; "" where it passes all."""
    for info in model.inputs:
        lacking = _lacking(api, Parts.of(info))
        if lacking:
            sparse = "sparse " * (info.kind == "sparse tensor")
            name, dtype = clip(info.name, _NAME), clip(sparse + info.dtype, _NAME)
            return f"input '{name}' takes {dtype}, and {lacking}"
        if api.basic and any(ord(letter) > _BASIC for letter in info.name):
            name = clip(info.name, _NAME)
            return f"the name of input '{name}' has a letter that {api.name} cannot pass"
    read = returned(api, model)
    for info in model.outputs:
        parts, name, dtype = Parts.of(info), clip(info.name, _NAME), clip(info.dtype, _NAME)
        lacking = ""
        if _element(info) in UNLOADED:
            lacking = f"{RUNTIME} has no such type"
        elif not read or (api.strict and info not in read):
            lacking = f"{api.name} cannot read it"
        if lacking:
            return f"output '{name}' is {dtype}, and {lacking}"
        if api is PYTHON and parts.dtype in RARE and not _all_numbers(model):
            return (
                f"output '{name}' is {dtype}, which {api.name} returns only where all inputs "
                "are tensors of numbers and all outputs are tensors"
            )
    return ""


def returned(api: Api, model: Model) -> list[TensorInfo]:
    """Return the outputs that an API reads; a run leaves out the others."""
    return [
        info
        for info in model.outputs
        if not (api.reads and _element(info) not in api.reads)
        and not (api.tensors and Parts.of(info).kind != "tensor")
    ]


def _element(info: TensorInfo) -> str:
    """Return the type of the elements at the bottom of a value."""
    return str(_WORDS.findall(info.dtype)[-1])


def _lacking(api: Api, parts: Parts) -> str:
    """Return what an API lacks to pass a value; "" where it passes it."""
    if parts.dtype in UNLOADED:
        return f"{RUNTIME} has no such type"
    if parts.kind == "map":
        made = (parts.key, parts.dtype) in api.maps
        return "" if made else f"{api.name} makes no such maps"
    if parts.kind == "sequence" and not api.sequences:
        return f"{api.name} has tensors only"
    if parts.kind == "sparse":
        made = parts.dtype in api.sparse
        return "" if made else f"{api.name} makes no such sparse tensors"
    tensor = parts.kind == "tensor" and api.passes(parts.dtype)
    sequence = parts.kind == "sequence" and parts.dtype in api.sequences
    return "" if tensor or sequence else f"{api.name} has no such type"


def _all_numbers(model: Model) -> bool:
    inputs = (Parts.of(info) for info in model.inputs)
    return all(each.kind == "tensor" and each.dtype != "string" for each in inputs) and all(
        Parts.of(info).kind == "tensor" for info in model.outputs
    )
