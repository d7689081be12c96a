"""safetensors: a JSON header that says where each tensor lies, then the tensors."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.formats.budget import MALFORMED, Parts, json_value, whole_number
from inspector.formats.shard_names import part_of, whole
from inspector.formats.source import Source
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import (
    Finding,
    FormatDetails,
    Model,
    Place,
    WeightInfo,
    packed_bytes,
    product,
)

METADATA = "__metadata__"
_LARGEST_HEADER = 100 << 20  # as the format allows
_TYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64",
    "I32": "int32", "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32",
    "U16": "uint16", "U8": "uint8", "BOOL": "bool", "F8_E4M3": "float8e4m3fn",
    "F8_E5M2": "float8e5m2", "F8_E8M0": "float8e8m0", "F8_E4M3FNUZ": "float8e4m3fnuz",
    "F8_E5M2FNUZ": "float8e5m2fnuz", "F6_E2M3": "float6e2m3", "F6_E3M2": "float6e3m2",
    "F4": "float4e2m1", "C64": "complex64",
}  # fmt: skip
_SIX_BITS = ("float6e2m3", "float6e3m2")
_WRITERS = {"pt": "PyTorch", "tf": "TensorFlow", "flax": "Flax", "np": "NumPy", "mlx": "MLX"}
_AGAIN = "It is damaged: download it again."
_REFUSED = "the safetensors library refuses such a file"
_MOST_FINDINGS = 3  # of one kind that are listed


def read(source: Source, path: Path | None = None) -> Model:
    """Read the header of a safetensors file. Raises UnreadableFile: damaged.

    path: of the file; one of several has an index beside it.
    """
    weights, metadata, findings = contents(source)
    listed = facts(weights, metadata)
    part = part_of(source.name)
    if part is not None:
        index = whole(path) if path is not None else None
        more = f"; {index.name} stands for the whole model" if index not in (path, None) else ""
        listed = (("Part", f"{part[0]:,} of {part[1]:,}{more}"), *listed)
    model = Model(
        name=source.name, format="safetensors", size_bytes=source.size, ir_version=0, opsets=(),
        producer="", producer_version="", domain="", version=0, doc="", graph_name="",
        metadata=metadata, inputs=(), outputs=(), layers=(), weights=weights,
        details=FormatDetails(title="safetensors, weights only", facts=listed),
    )  # fmt: skip
    return replace(model, findings=(*weight_findings(model), *findings))


def facts(
    weights: tuple[WeightInfo, ...], metadata: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """Return what is said of a set of tensors."""
    written = _WRITERS.get(dict(metadata).get("format", ""), "")
    listed = ("Tensors", f"{len(weights):,}"), ("Framework", written)
    return tuple((name, value) for name, value in listed if value)


def contents(
    source: Source, file: str = ""
) -> tuple[tuple[WeightInfo, ...], tuple[tuple[str, str], ...], tuple[Finding, ...]]:
    """Return the tensors of a file, its metadata, and what is wrong with its layout.

    file: its name beside the model that it is a shard of. Raises UnreadableFile: damaged.
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
            _weight(str(name), entry, 8 + length, source.size, file)
            for name, entry in header.items()
            if name != METADATA
        )
        plain = header.get(METADATA) or {}
        metadata = tuple((str(key), str(value)) for key, value in plain.items())
    except MALFORMED as error:
        why = "its header is not that of a safetensors file"
        raise source.failure(why, _AGAIN) from error
    findings = _layout(weights, 8 + length, source.size) if source.size else ()
    return weights, metadata, tuple(findings)


def _weight(name: str, entry: Any, start: int, size: int, file: str) -> WeightInfo:
    dtype = _TYPES.get(str(entry["dtype"]), str(entry["dtype"])[:80])
    shape = tuple(map(whole_number, entry["shape"]))
    first, last = map(whole_number, entry["data_offsets"])
    elements = product(shape) or 0
    six = dtype in _SIX_BITS
    expected = (elements * 6 + 7) // 8 if six else packed_bytes(dtype, elements)
    place: Place | None = None
    problem = ""
    if not 0 <= first <= last or start + last > size:
        problem = f"its values would end at byte {start + last:,}, beyond the end of the file"
    elif min(shape, default=0) < 0:
        problem = "its shape has a negative axis size"
    elif expected is not None and expected != last - first:
        place = Place(file, start + first, last - first)
        problem = f"it has {last - first:,} B of values, but its shape needs {expected:,} B"
    elif six:
        problem = (
            "its values are not shown: the format does not say how numbers of 6 bits are packed"
        )
    else:
        place = Place(file, start + first, last - first)
    return WeightInfo(name, dtype, shape, max(0, last - first), place, problem=problem)


def _layout(weights: tuple[WeightInfo, ...], start: int, size: int) -> Iterator[Finding]:
    """Yield where tensors overlap, and bytes that belong to none: start: of the first one."""
    placed = sorted(
        (each.place.offset, each.place.offset + each.place.length, each.name)
        for each in weights
        if each.place is not None
    )
    if len(placed) < len(weights):
        return  # some lie beyond the end, or nobody knows where: that is said of them
    end, before = start, ""
    overlaps, holes = [], []
    for first, last, name in placed:
        if first < end:
            overlaps.append((before, name, min(end, last) - first))
        elif first > end:
            holes.append((before, name, first - end))
        if last >= end:
            end, before = last, name
    for one, other, count in overlaps[:_MOST_FINDINGS]:
        yield Finding(f"{one}, {other}", f"they overlap by {count:,} B; {_REFUSED}")
    for one, other, count in holes[:_MOST_FINDINGS]:
        where = f"between '{one[:80]}' and it" if one else "before it"
        yield Finding(other, f"{count:,} B {where} belong to no tensor; {_REFUSED}")
    for kind, found in (("overlaps", overlaps), ("gaps", holes)):
        if len(found) > _MOST_FINDINGS:
            yield Finding("", f"{len(found):,} {kind} of tensors in all")
    if size > end:
        rest = f"the last {size - end:,} B of the file belong to no tensor"
        yield Finding("", f"{rest}; {_REFUSED}")
