"""Small .tflite files, written by the official encoder of FlatBuffers.

A table is a dict: number of a field -> its value, of which the type says how it is written.
"""

import io
import zipfile
from dataclasses import dataclass
from typing import Any

import flatbuffers
import numpy as np

FLOAT32, INT32, UINT8, INT8 = 0, 2, 3, 9
ADD, CONV_2D, FULLY_CONNECTED, CUSTOM, IF, GELU = 0, 3, 9, 32, 118, 150
Fields = dict[int, Any]


@dataclass(frozen=True)
class Number:
    """A scalar: code is that of NumPy ("i4")."""

    code: str
    value: float


@dataclass(frozen=True)
class Union:
    """A table and the number of its member; it takes two fields, this is the first."""

    member: int
    fields: Fields


def written(fields: Fields, identifier: bytes = b"TFL3") -> bytes:
    builder = flatbuffers.Builder(1024)
    builder.Finish(_table(builder, fields), file_identifier=identifier)
    return bytes(builder.Output())


def _table(builder: Any, fields: Fields) -> int:
    slots: dict[int, Any] = {}
    for field, value in fields.items():
        if isinstance(value, Union):
            slots[field] = Number("u1", value.member)
            slots[field + 1] = _table(builder, value.fields)
        else:
            slots[field] = value if isinstance(value, Number) else _offset(builder, value)
    builder.StartObject(max(slots, default=-1) + 1)
    for field, value in slots.items():
        if isinstance(value, Number):
            prepend = {"u1": builder.PrependUint8Slot, "i1": builder.PrependInt8Slot,
                       "u4": builder.PrependUint32Slot, "i4": builder.PrependInt32Slot,
                       "u8": builder.PrependUint64Slot, "?": builder.PrependBoolSlot,
                       "f4": builder.PrependFloat32Slot}[value.code]  # fmt: skip
            builder.ForceDefaults(True)
            prepend(field, value.value, 0)
            builder.ForceDefaults(False)
        else:
            builder.PrependUOffsetTRelativeSlot(field, value, 0)
    return int(builder.EndObject())


def _offset(builder: Any, value: Any) -> int:
    if isinstance(value, str):
        return int(builder.CreateString(value))
    if isinstance(value, bytes):
        return int(builder.CreateByteVector(value))
    if isinstance(value, dict):
        return _table(builder, value)
    if isinstance(value, np.ndarray):
        return int(builder.CreateNumpyVector(value))
    offsets = [_offset(builder, each) for each in value]
    builder.StartVector(4, len(offsets), 4)
    for each in reversed(offsets):
        builder.PrependUOffsetTRelative(each)
    return int(builder.EndVector())


def ints(*values: int) -> Any:
    return np.array(values, np.int32)


def i4(value: int) -> Number:
    return Number("i4", value)


def u4(value: int) -> Number:
    return Number("u4", value)


def tensor(
    name: str, shape: tuple[int, ...], dtype: int = FLOAT32, buffer: int = 0, **more: Any
) -> Fields:
    fields: Fields = {0: ints(*shape), 1: Number("i1", dtype), 2: u4(buffer), 3: name}
    numbers = {"quantization": 4, "sparsity": 6, "signature": 7, "has_rank": 8}
    return fields | {numbers[key]: value for key, value in more.items()}


def code(number: int, version: int = 1, custom: str = "") -> Fields:
    fields: Fields = {0: Number("i1", min(number, 127)), 2: i4(version), 3: i4(number)}
    return fields | ({1: custom} if custom else {})


def operator(
    place: int, inputs: tuple[int, ...], outputs: tuple[int, ...], options: Union | None = None
) -> Fields:
    fields: Fields = {0: u4(place), 1: ints(*inputs), 2: ints(*outputs)}
    return fields | ({3: options} if options else {})


def subgraph(
    tensors: list[Fields],
    inputs: tuple[int, ...],
    outputs: tuple[int, ...],
    operators: list[Fields],
    name: str = "main",
) -> Fields:
    return {0: tensors, 1: ints(*inputs), 2: ints(*outputs), 3: operators, 4: name}


def model(
    codes: list[Fields], subgraphs: list[Fields], buffers: tuple[bytes, ...] = (), **more: Any
) -> bytes:
    tables: list[Fields] = [{}] + [{0: body} if body else {} for body in buffers]
    fields = {0: u4(3), 1: codes, 2: subgraphs, 3: "made", 4: tables}
    numbers = {"metadata": 6, "signatures": 7, "raw_buffers": 4}
    return written(fields | {numbers[key]: value for key, value in more.items()})


def with_files(body: bytes, **files: str | bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.txt", text)
    return body + packed.getvalue()


def adding(version: int = 1) -> bytes:
    tensors = [tensor(name, (2, 3)) for name in ("a", "b", "sum")]
    options = Union(11, {0: Number("i1", 1)})  # AddOptions: RELU
    graph = subgraph(tensors, (0, 1), (2,), [operator(0, (0, 1), (2,), options)])
    return model([code(ADD, version)], [graph])


def convolving(bias_axis: int | None = None) -> bytes:
    """Return a quantized convolution with weights of one scale for each output channel.

    bias_axis: that the bias is quantized along, which has one axis; None: it is not quantized.
    """
    weights = np.arange(2 * 3 * 3 * 1, dtype=np.int8).tobytes()
    bias = np.array([5, -5], np.int32).tobytes()
    one = {2: np.array([0.5], np.float32), 3: np.array([-3], np.int64)}
    channels = {2: np.array([0.25, 0.125], np.float32), 3: np.zeros(2, np.int64)}
    of_bias = {**channels, 6: i4(bias_axis)} if bias_axis is not None else None
    biases = {"quantization": of_bias} if of_bias is not None else {}
    tensors = [
        tensor("image", (1, 8, 8, 1), INT8, quantization=one),
        tensor("kernel", (2, 3, 3, 1), INT8, 1, quantization=channels),
        tensor("bias", (2,), INT32, 2, **biases),
        tensor("made", (1, 6, 6, 2), INT8, quantization=one),
    ]
    options = Union(1, {0: Number("i1", 1), 1: i4(4), 2: i4(1), 3: Number("i1", 3)})
    graph = subgraph(tensors, (0,), (3,), [operator(0, (0, 1, 2), (3,), options)])
    return model([code(CONV_2D, 3)], [graph], (weights, bias))


def two_signatures() -> bytes:
    graphs = [
        subgraph(
            [tensor(f"{name}_x", (4,)), tensor(f"{name}_y", (4,))],
            (0,), (1,), [operator(place, (0, 0), (1,))],
        )
        for place, name in enumerate(("add", "mul"))
    ]  # fmt: skip
    signatures = [
        {0: [{0: "x", 1: u4(0)}], 1: [{0: "y", 1: u4(1)}], 2: name, 4: u4(place)}
        for place, name in enumerate(("add", "mul"))
    ]
    return model([code(ADD), code(18)], graphs, signatures=signatures)
