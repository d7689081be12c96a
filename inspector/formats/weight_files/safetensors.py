"""safetensors: a JSON header that says where each tensor lies, then the tensors."""

from pathlib import Path
from typing import Any

from inspector.formats.budget import MALFORMED, Parts, json_value, whole_number
from inspector.formats.onnx.structure_checks import weight_findings
from inspector.formats.source import Source
from inspector.model.model import FormatDetails, Model, Place, WeightInfo, packed_bytes, product

_LARGEST_HEADER = 100 << 20  # as the format allows
_TYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64",
    "I32": "int32", "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32",
    "U16": "uint16", "U8": "uint8", "BOOL": "bool", "F8_E4M3": "float8e4m3fn",
    "F8_E5M2": "float8e5m2", "F8_E8M0": "float8e8m0", "F4": "float4e2m1", "C64": "complex64",
}  # fmt: skip
_WRITERS = {"pt": "PyTorch", "tf": "TensorFlow", "flax": "Flax", "np": "NumPy", "mlx": "MLX"}
_AGAIN = "It is damaged: download it again."
_METADATA = "__metadata__"


def read(source: Source, path: Path | None = None) -> Model:
    """Read the header of a safetensors file. Raises UnreadableFile: damaged.

    path: unused, since such a file has no others beside it.
    """
    length = int.from_bytes(source.head(8), "little")
    if length > _LARGEST_HEADER:
        raise source.failure(f"its header is larger than {_LARGEST_HEADER >> 20} MiB")
    if 8 + length > source.size:
        missing = 8 + length - source.size
        raise source.failure(f"{missing:,} B of its safetensors header are missing", _AGAIN)
    try:
        header = json_value(source, source.read(8, length), "its header")
        Parts(source).add(len(header))
        weights = tuple(
            _weight(str(name), entry, 8 + length, source.size)
            for name, entry in header.items()
            if name != _METADATA
        )
        plain = header.get(_METADATA) or {}
        metadata = tuple((str(key), str(value)) for key, value in plain.items())
    except MALFORMED as error:
        why = "its header is not that of a safetensors file"
        raise source.failure(why, _AGAIN) from error
    written = _WRITERS.get(str(plain.get("format", "")), "")
    facts = (("Tensors", f"{len(weights):,}"), ("Framework", written))
    model = Model(
        name=source.name, format="safetensors", size_bytes=source.size, ir_version=0, opsets=(),
        producer="", producer_version="", domain="", version=0, doc="", graph_name="",
        metadata=metadata, inputs=(), outputs=(), layers=(), weights=weights,
        details=FormatDetails(
            title="safetensors, weights only",
            facts=tuple((name, value) for name, value in facts if value),
        ),
    )  # fmt: skip
    return replace_findings(model)


def replace_findings(model: Model) -> Model:
    """Return a model of weights with what is odd about them."""
    from dataclasses import replace

    return replace(model, findings=tuple(weight_findings(model)))


def _weight(name: str, entry: Any, start: int, size: int) -> WeightInfo:
    dtype = _TYPES.get(str(entry["dtype"]), str(entry["dtype"]))
    shape = tuple(map(whole_number, entry["shape"]))
    first, last = map(whole_number, entry["data_offsets"])
    expected = packed_bytes(dtype, product(shape) or 0)
    place: Place | None = None
    problem = ""
    if not 0 <= first <= last or start + last > size:
        problem = f"its values would end at byte {start + last:,}, beyond the end of the file"
    elif min(shape, default=0) < 0:
        problem = "its shape has a negative axis size"
    else:
        place = Place("", start + first, last - first)
        if expected is not None and expected != last - first:
            problem = f"it has {last - first:,} B of values, but its shape needs {expected:,} B"
    return WeightInfo(name, dtype, shape, max(0, last - first), place, problem=problem)
