"""Compiled Core ML models: folders with the program as text (model.mil) and metadata.json.

Core ML's compiler writes the text of a program where a package has a message, so it is turned
back into that message: all else reads one form. Weights stay in the folder's own files. The
layers of a compiled network have a form of their own (`espresso`); its message has none.
"""

import json
import re
import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from inspector.errors import UnreadableFile
from inspector.formats.budget import MALFORMED
from inspector.formats.coreml.messages import field_number
from inspector.formats.coreml.networks import NETWORKS
from inspector.formats.coreml.package import METADATA, NETWORK
from inspector.formats.protobuf_wire import VARINT, encode_varint, framed
from inspector.platform import files

_MIL = "MILSpec."
_LARGEST_PROGRAM = 256 << 20  # bytes of text; a language model of 8 billion weights has 3 MB
_LARGEST_METADATA = 16 << 20  # bytes; a classifier of 1,000 classes has 40 kB
_MAX_DEPTH = 60  # of types, lists and blocks in each other
_SIGNED = 1 << 64
_TYPES = {
    "bool": 1, "string": 2, "fp16": 10, "fp32": 11, "fp64": 12, "bf16": 13, "int8": 21,
    "int16": 22, "int32": 23, "int64": 24, "int4": 25, "uint8": 31, "uint16": 32, "uint32": 33,
    "uint64": 34, "uint4": 35, "uint2": 36, "uint1": 37, "uint6": 38, "uint3": 39,
    "fp8e4m3fn": 40, "fp8e5m2": 41,
}  # fmt: skip
# The numbers of types that a message keeps as bytes, and how one is stored there.
_AS_BYTES = {
    10: "<f2", 21: "<i1", 22: "<i2", 31: "<u1", 32: "<u2", 33: "<u4", 34: "<u8",
}  # fmt: skip
_BOOL = 1
_STRING = 2
_FP32 = 11
_FP64 = 12
_INT32 = 23
_INT64 = 24
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>-?(?:0[xX][0-9a-fA-F.]+[pP][+-]?\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
    r"|inf\b|nan\b))"
    r"|(?P<name>[A-Za-z_@][\w@./:$]*)|(?P<mark>->|[][(){}<>,;=?]))"
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_ARRAYS = {"Float16": 65552, "Float32": 65568, "Double": 65600, "Float64": 65600,
           "Int32": 131104, "Int8": 131080}  # fmt: skip
_COLORS = {"Grayscale": 10, "RGB": 20, "BGR": 30, "GrayscaleFloat16": 40}
_METADATA_TEXTS = {"shortDescription": "shortDescription", "author": "author",
                   "license": "license", "version": "versionString"}  # fmt: skip


def model_bytes(folder: Path, program: Path) -> bytes:
    """Return the Model message of a compiled model. Raises UnreadableFile: damaged, too large.

    folder: the compiled model. program: its text, or the layers of a network.
    """
    return _model_bytes(folder, program, files.state(program), files.state(folder / METADATA))


@lru_cache(maxsize=2)  # each look at a weight opens the model
def _model_bytes(folder: Path, program: Path, *_states: object) -> bytes:
    what = f"Could not open {folder.name}"
    if program.name == NETWORK:
        stated = _metadata(folder / METADATA)
        kind = str((stated.get("modelType") or {}).get("name", "")).rpartition("_")[2]
        return _model(stated, kind if kind in NETWORKS else "neuralNetwork", b"", {})
    try:
        text = files.read_capped(program, _LARGEST_PROGRAM).decode("utf-8")
        stated = _metadata(folder / METADATA)
        reader = _Reader(text)
        return _model(stated, "mlProgram", reader.program(), reader.build)
    except (OSError, UnicodeDecodeError, RecursionError, *MALFORMED) as error:
        why = f"the text of its program, {program.name}, is damaged ({error})"
        raise UnreadableFile(
            what, why[:300], "Compile the model again, or copy it again."
        ) from error


def _metadata(path: Path) -> dict[str, Any]:
    """Return what the compiler says of the model beside its text; empty where it is missing."""
    try:
        plain = json.loads(files.read_capped(path, _LARGEST_METADATA))
    except (OSError, UnreadableFile, ValueError):
        return {}
    first = plain[0] if isinstance(plain, list) and plain else plain
    return first if isinstance(first, dict) else {}


def _field(kind: str, name: str, value: str | bytes | int) -> bytes:
    number = field_number(kind, name)
    if isinstance(value, int):
        return encode_varint(number << 3 | VARINT) + encode_varint(value % _SIGNED)
    return framed(number, value.encode() if isinstance(value, str) else value)


def _message(kind: str, **fields: str | bytes | int | list[bytes] | list[str]) -> bytes:
    """Write a message by the names of its fields; of a list, one field for each entry."""
    return b"".join(
        _field(kind, name, each)
        for name, value in fields.items()
        for each in (value if isinstance(value, list) else (value,))
    )


def _entry(kind: str, key: str, value: bytes) -> bytes:
    return _message(f"{_MIL}{kind}Entry", key=key, value=value)


def _model(stated: dict[str, Any], kind: str, body: bytes, build: dict[str, str]) -> bytes:
    user = {
        **{str(k): str(v) for k, v in (stated.get("userDefinedMetadata") or {}).items()},
        **{k: v for k, v in build.items() if k.startswith("coremlc")},
    }
    about = {field: str(stated[k]) for k, field in _METADATA_TEXTS.items() if stated.get(k)}
    entries = [_message("Metadata.UserDefinedEntry", key=k, value=v) for k, v in user.items()]
    metadata = _message("Metadata", **about, userDefined=entries)
    functions = [
        _message("FunctionDescription", name=str(each.get("name", "")), **_features(each))
        for each in stated.get("functions") or ()
        if isinstance(each, dict) and each.get("inputSchema")
    ]
    fields: dict[str, Any] = _features(stated)
    if functions:
        fields = {"functions": functions}
        if stated.get("defaultFunctionName"):
            fields["defaultFunctionName"] = str(stated["defaultFunctionName"])
    for key in ("predictedFeatureName", "predictedProbabilitiesName"):
        if stated.get(key):
            fields[key] = str(stated[key])
    description = _message("ModelDescription", **fields, metadata=metadata)
    version = int(stated.get("specificationVersion") or 0)
    return _message(
        "Model", specificationVersion=version, description=description, **{kind: body}
    )


def _features(stated: dict[str, Any]) -> dict[str, list[bytes]]:
    return {
        name: [_feature(each) for each in stated.get(f"{name}Schema") or ()]
        for name in ("input", "output", "state")
    }


def _feature(stated: dict[str, Any]) -> bytes:
    """Write a FeatureDescription of what the compiler lists for an input, output or state."""
    kind = str(stated.get("type", ""))
    if kind == "MultiArray":
        content = {"multiArrayType": _array(stated)}
    elif kind == "State":
        content = {"stateType": _message("StateFeatureType", arrayType=_array(stated))}
    elif kind == "Image":
        color = str(stated.get("colorspace", "")).split("_")[-1]
        image = _message(
            "ImageFeatureType", width=int(stated.get("width") or 0),
            height=int(stated.get("height") or 0), colorSpace=_COLORS.get(color, 0),
        )  # fmt: skip
        content = {"imageType": image}
    elif kind == "Dictionary":
        key = "int64KeyType" if "Int64" in str(stated.get("keyType")) else "stringKeyType"
        content = {"dictionaryType": _message("DictionaryFeatureType", **{key: b""})}
    else:
        content = {{"Int64": "int64Type", "Double": "doubleType"}.get(kind, "stringType"): b""}
    optional = int(str(stated.get("isOptional", "0")) == "1")
    return _message(
        "FeatureDescription", name=str(stated["name"]),
        shortDescription=str(stated.get("shortDescription") or ""),
        type=_message("FeatureType", **content, isOptional=optional),
    )  # fmt: skip


def _array(stated: dict[str, Any]) -> bytes:
    fields: dict[str, Any] = {"shape": _lengths(stated.get("shape"))}
    dtype = _ARRAYS.get(str(stated.get("dataType")), 0)
    if "enumeratedShapes" in stated:
        shapes = [
            _message("ArrayFeatureType.Shape", shape=_lengths(each))
            for each in json.loads(stated["enumeratedShapes"])
        ]
        fields["enumeratedShapes"] = _message(
            "ArrayFeatureType.EnumeratedShapes", shapes=shapes
        )
    elif "shapeRange" in stated:
        sizes = [
            _message("SizeRange", lowerBound=int(low), upperBound=int(high))
            for low, high in json.loads(stated["shapeRange"])
        ]
        fields["shapeRange"] = _message("ArrayFeatureType.ShapeRange", sizeRanges=sizes)
    return _message("ArrayFeatureType", dataType=dtype, **fields)


def _lengths(stated: object) -> bytes:
    """Return a list such as "[1, 10]" as packed numbers."""
    plain: Any = json.loads(stated) if isinstance(stated, str) and stated else stated or ()
    return b"".join(encode_varint(int(axis) % _SIGNED) for axis in plain)


class _Reader:
    """Reads the text of a program and writes its messages.

    build: what the compiler says of itself and of the converter.
    """

    def __init__(self, text: str) -> None:
        self.build: dict[str, str] = {}
        self._text, self._at, self._depth = text, 0, 0
        self._kind = self._token = ""
        self._next()

    def program(self) -> bytes:
        """Return the Program message of the whole text."""
        self._expect("program")
        self._expect("(")
        self._next()
        self._expect(")")
        if self._token == "[":
            self._skip_attributes()
        self._expect("{")
        functions = []
        while self._token != "}":
            self._expect("func")
            name = self._name()
            self._expect("<")
            opset = self._name()
            self._expect(">")
            inputs = list(self._listed("(", ")", self._typed_name))
            if self._token == "[":
                self._skip_attributes()
            # A package names the operator sets of iOS 15 to 18 CoreML5 to CoreML8.
            number = opset.removeprefix("ios")
            label = (
                f"CoreML{int(number) - 10}"
                if number.isdecimal() and int(number) < 19
                else opset
            )
            block = self._block([])
            self._has(";")
            body = _entry("Function.BlockSpecializations", label, block)
            function = _message(
                f"{_MIL}Function", inputs=inputs, opset=label, block_specializations=body
            )
            functions.append(_entry("Program.Functions", name, function))
        return _message(f"{_MIL}Program", version=1, functions=functions)

    def _next(self) -> str:
        """Move to the next token; return the one before."""
        before = self._token
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            if self._text[self._at :].strip():
                self._fail()
            self._kind, self._token = "end", ""
        else:
            self._kind = str(match.lastgroup)
            self._token, self._at = match[self._kind], match.end()
        return before

    def _fail(self) -> NoReturn:
        line = self._text.count("\n", 0, self._at) + 1
        raise ValueError(f"line {line}: unexpected {self._token[:40] or 'text'!r}")

    def _expect(self, token: str) -> None:
        if self._token != token:
            self._fail()
        self._next()

    def _has(self, token: str) -> bool:
        if self._token != token:
            return False
        self._next()
        return True

    def _name(self) -> str:
        if self._kind == "text":
            return self._string()
        if self._kind != "name":
            self._fail()
        return self._next()

    def _string(self) -> str:
        if self._kind != "text":
            self._fail()
        body = self._next()[1:-1]
        return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), body)

    def _listed(self, start: str, stop: str, entry: Callable[[], Any]) -> Iterator[Any]:
        """Yield entries between two marks, with commas between them."""
        self._expect(start)
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail()
        while not self._has(stop):
            yield entry()
            if self._token != stop:
                self._expect(",")
        self._depth -= 1

    def _skip_attributes(self) -> None:
        """Read the attributes of the program or a function; note who compiled it."""
        for _ in self._listed("[", "]", self._program_attribute):
            pass

    def _program_attribute(self) -> None:
        name = self._name()
        self._expect("=")
        value = self._any_value()
        if name == "buildInfo" and isinstance(value, list):
            pairs = [each for each in value if isinstance(each, list) and len(each) == 2]
            self.build = {str(key): str(text) for key, text in pairs}

    def _any_value(self) -> Any:
        """Return a value of any type as plain lists and texts: no layer has it."""
        if self._kind == "name":
            self._type()
            return list(self._listed("(", ")", self._any_value))[0:1].pop()
        for start, stop in ("()", "[]", "{}"):
            if self._token == start:
                return list(self._listed(start, stop, self._any_value))
        return self._string() if self._kind == "text" else self._next()

    def _typed_name(self) -> bytes:
        kind = self._type()[0]
        return _message(f"{_MIL}NamedValueType", name=self._name(), type=kind)

    def _block(self, inputs: list[bytes]) -> bytes:
        self._expect("{")
        operations = []
        while not self._has("}"):
            operations.append(self._operation())
        self._expect("->")
        outputs = list(self._listed("(", ")", self._name))
        return _message(f"{_MIL}Block", inputs=inputs, outputs=outputs, operations=operations)

    def _operation(self) -> bytes:
        outputs = [self._typed_name()]
        while self._has(","):
            outputs.append(self._typed_name())
        self._expect("=")
        operator = self._name()
        arguments = dict(self._listed("(", ")", self._argument))
        inputs = [_entry("Operation.Inputs", key, value) for key, value in arguments.items()]
        attributes: list[bytes] = []
        if self._token == "[":
            attributes = list(self._listed("[", "]", self._attribute))
        blocks = []
        while not self._has(";"):
            if self._kind == "name":  # a block may have a name of its own
                self._next()
            given = []
            if self._token == "(":
                given = list(self._listed("(", ")", self._typed_name))
            blocks.append(self._block(given))
            self._has(",")
        return _message(
            f"{_MIL}Operation", type=operator, inputs=inputs, outputs=outputs, blocks=blocks,
            attributes=attributes,
        )  # fmt: skip

    def _attribute(self) -> bytes:
        name = self._name()
        self._expect("=")
        return _entry("Operation.Attributes", name, self._value())

    def _argument(self) -> tuple[str, bytes]:
        """Return a parameter, and the Argument message of what it is given."""
        name = self._name()
        self._expect("=")
        bindings = (
            list(self._listed("(", ")", self._binding))
            if self._token == "("
            else [self._binding()]
        )
        return name, _message(f"{_MIL}Argument", arguments=bindings)

    def _binding(self) -> bytes:
        if self._kind == "name" and not self._is_type():
            return _message(f"{_MIL}Argument.Binding", name=self._name())
        return _message(f"{_MIL}Argument.Binding", value=self._value())

    def _is_type(self) -> bool:
        """Return whether a value of a type follows, not the name of another value."""
        following = self._text[self._at : self._at + 1]
        return following in ("<", "(") and (
            self._token in _TYPES or self._token in ("tensor", "list", "tuple", "dict", "state")
        )

    def _type(self) -> tuple[bytes, int]:
        """Return a ValueType message and the number of a tensor's element type, else 0."""
        name = self._name()
        kind = f"{_MIL}ValueType"
        if name in _TYPES:
            tensor = _message(f"{_MIL}TensorType", dataType=_TYPES[name], rank=0)
            return _message(kind, tensorType=tensor), _TYPES[name]
        if name == "tensor":
            self._expect("<")
            element = _TYPES.get(self._name(), 0)
            self._expect(",")
            axes = list(self._listed("[", "]", self._axis))
            self._expect(">")
            tensor = _message(
                f"{_MIL}TensorType", dataType=element, rank=len(axes), dimensions=axes
            )
            return _message(kind, tensorType=tensor), element
        inner = [each for each in self._listed("<", ">", self._type_or_length) if each]
        if name == "state":
            state = _message(f"{_MIL}StateType", wrappedType=inner[0])
            return _message(kind, stateType=state), 0
        if name == "list":
            return _message(kind, listType=_message(f"{_MIL}ListType", type=inner[0])), 0
        if name == "dict":
            pair = _message(f"{_MIL}DictionaryType", keyType=inner[0], valueType=inner[1])
            return _message(kind, dictionaryType=pair), 0
        return _message(kind, tupleType=_message(f"{_MIL}TupleType", types=inner)), 0

    def _type_or_length(self) -> bytes:
        if self._kind == "name":
            return self._type()[0]
        self._next()  # the length of a list, or ?
        return b""

    def _axis(self) -> bytes:
        if self._kind == "number":
            size = int(self._next())
            return _message(
                f"{_MIL}Dimension",
                constant=_message(f"{_MIL}Dimension.ConstantDimension", size=size),
            )
        self._next()  # ? or the name of a length that is free
        return _message(f"{_MIL}Dimension", unknown=b"")

    def _value(self) -> bytes:
        """Return the Value message of a typed value, or of where a file has it."""
        kind, element = self._type()
        self._expect("(")
        if self._token == "BLOBFILE":
            self._next()
            place = dict(self._listed("(", ")", self._place_part))
            blob = _message(
                f"{_MIL}Value.BlobFileValue", fileName=place["path"],
                offset=int(place["offset"]),
            )  # fmt: skip
            self._expect(")")
            return _message(f"{_MIL}Value", type=kind, blobFileValue=blob)
        items = [] if self._token == ")" else self._items()
        self._expect(")")
        tensor = _message(f"{_MIL}TensorValue", **_packed(element, items))
        immediate = _message(f"{_MIL}Value.ImmediateValue", tensor=tensor)
        return _message(f"{_MIL}Value", type=kind, immediateValue=immediate)

    def _place_part(self) -> tuple[str, str]:
        name = self._name()
        self._expect("=")
        self._type()
        self._expect("(")
        value = self._string() if self._kind == "text" else self._next()
        self._expect(")")
        return name, value

    def _items(self) -> list[str]:
        """Return the texts of a number, a string, or of lists of them in each other."""
        if self._kind == "text":
            return [self._string()]
        for start, stop in ("[]", "{}", "()"):
            if self._token == start:
                return [t for each in self._listed(start, stop, self._items) for t in each]
        if self._kind == "name" and self._is_type():
            self._type()
            return [t for each in self._listed("(", ")", self._items) for t in each]
        if self._kind not in ("number", "name"):
            self._fail()
        return [self._next()]


def _packed(element: int, items: list[str]) -> dict[str, bytes]:
    """Return the field of a TensorValue that keeps these values, as the package has it."""
    kind = f"{_MIL}TensorValue.Repeated"
    if element in (_STRING, 0):
        return {"strings": _message(f"{kind}Strings", values=items)}
    if element == _BOOL:
        truths = bytes(item == "true" for item in items)
        return {"bools": _message(f"{kind}Bools", values=truths)}
    if element in (_FP32, _FP64):
        code, name = ("f", "floats") if element == _FP32 else ("d", "doubles")
        body = struct.pack(f"<{len(items)}{code}", *map(_number, items))
        return {name: _message(f"{kind}{name.title()}", values=body)}
    if element in (_INT32, _INT64):
        name = "ints" if element == _INT32 else "longInts"
        body = b"".join(encode_varint(int(item) % _SIGNED) for item in items)
        return {name: _message(f"{kind}{name[:1].upper()}{name[1:]}", values=body)}
    if element in _AS_BYTES:
        numbers = np.array([_number(item) for item in items]).astype(_AS_BYTES[element])
        return {"bytes": _message(f"{kind}Bytes", values=numbers.tobytes())}
    return {}


def _number(item: str) -> float:
    return float.fromhex(item) if "x" in item.lower() else float(item)
