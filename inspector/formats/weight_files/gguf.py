"""GGUF: typed metadata, then weights in blocks of several kinds, as llama.cpp reads them.

The layout is that of docs/gguf.md in ggml's repository; a block's size follows from its kind.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inspector.formats.source import Source
from inspector.formats.weight_files.safetensors import replace_findings
from inspector.model.model import (
    FormatDetails,
    Model,
    Place,
    WeightCompression,
    WeightInfo,
    product,
)

MOST_TENSORS, MOST_KEYS = 1_000_000, 1_000_000
_MOST_ITEMS = 10_000_000  # of all arrays of the metadata
_LONGEST_TEXT = 64 << 20
_WINDOW = 1 << 20
_SHOWN_ITEMS, _SHOWN = 8, 2_000
_STRING, _ARRAY = 8, 9
_CODES = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of storage: how many numbers a block has, and how many bytes it takes.

    bits: of a stored number, without the scales of its block; 0 where it is not quantized.
    """

    name: str
    numbers: int
    block_bytes: int
    bits: int = 0


# Numbers of ggml_type; sizes are those of the block structures in ggml-common.h.
KINDS = {
    0: Kind("float32", 1, 4), 1: Kind("float16", 1, 2), 2: Kind("Q4_0", 32, 18, 4),
    3: Kind("Q4_1", 32, 20, 4), 6: Kind("Q5_0", 32, 22, 5), 7: Kind("Q5_1", 32, 24, 5),
    8: Kind("Q8_0", 32, 34, 8), 9: Kind("Q8_1", 32, 36, 8), 10: Kind("Q2_K", 256, 84, 2),
    11: Kind("Q3_K", 256, 110, 3), 12: Kind("Q4_K", 256, 144, 4), 13: Kind("Q5_K", 256, 176, 5),
    14: Kind("Q6_K", 256, 210, 6), 15: Kind("Q8_K", 256, 292, 8),
    16: Kind("IQ2_XXS", 256, 66, 2), 17: Kind("IQ2_XS", 256, 74, 2),
    18: Kind("IQ3_XXS", 256, 98, 3), 19: Kind("IQ1_S", 256, 50, 1),
    20: Kind("IQ4_NL", 32, 18, 4),
    21: Kind("IQ3_S", 256, 110, 3), 22: Kind("IQ2_S", 256, 82, 2),
    23: Kind("IQ4_XS", 256, 136, 4),
    24: Kind("int8", 1, 1), 25: Kind("int16", 1, 2), 26: Kind("int32", 1, 4),
    27: Kind("int64", 1, 8), 28: Kind("float64", 1, 8), 29: Kind("IQ1_M", 256, 56, 1),
    30: Kind("bfloat16", 1, 2), 34: Kind("TQ1_0", 256, 54, 1), 35: Kind("TQ2_0", 256, 66, 2),
    39: Kind("MXFP4", 32, 17, 4), 40: Kind("NVFP4", 64, 36, 4), 41: Kind("Q1_0", 128, 18, 1),
}  # fmt: skip
# What the number in general.file_type stands for (enum llama_ftype).
_FILE_TYPES = {
    0: "all float32", 1: "mostly float16", 2: "mostly Q4_0", 3: "mostly Q4_1", 7: "mostly Q8_0",
    8: "mostly Q5_0", 9: "mostly Q5_1", 10: "Q2_K", 11: "Q3_K, small", 12: "Q3_K, medium",
    13: "Q3_K, large", 14: "Q4_K, small", 15: "Q4_K, medium", 16: "Q5_K, small",
    17: "Q5_K, medium", 18: "Q6_K", 32: "mostly bfloat16",
}  # fmt: skip
# Keys whose values are facts; "{}" is the architecture.
_FACTS = (
    ("Architecture", "general.architecture"), ("Name", "general.name"),
    ("Author", "general.author"), ("License", "general.license"),
    ("Size label", "general.size_label"), ("Context length", "{}.context_length"),
    ("Blocks", "{}.block_count"), ("Embedding length", "{}.embedding_length"),
    ("Attention heads", "{}.attention.head_count"),
    ("Key and value heads", "{}.attention.head_count_kv"), ("Experts", "{}.expert_count"),
    ("Tokenizer", "tokenizer.ggml.model"),
)  # fmt: skip


class _Damaged(Exception):
    """Bytes that are no GGUF, or more than any model has."""


class _Cursor:
    """Reads a file from front to back, a window at a time."""

    def __init__(self, source: Source, at: int) -> None:
        self._source, self.at = source, at
        self._start, self._body = 0, b""
        self.order = "<"
        self._items = self._text_bytes = 0

    def take(self, length: int) -> bytes:
        """Return the next bytes."""
        if self.at + length > self._source.size:
            raise _Damaged(f"{self.at + length - self._source.size:,} B of it are missing")
        start = self.at - self._start
        if start + length > len(self._body) or start < 0:
            self._start = self.at
            room = self._source.size - self.at
            self._body = self._source.read(self.at, min(room, max(_WINDOW, length)))
            start = 0
        self.at += length
        return self._body[start : start + length]

    def number(self, code: str) -> int:
        """Return the next number; code: as of the module struct."""
        layout = self.order + code
        return struct.unpack(layout, self.take(struct.calcsize(layout)))[0]  # type: ignore[no-any-return]

    def text(self, shown: int = _SHOWN) -> str:
        """Return the next text, clipped."""
        length = self.number("Q")
        self._text_bytes += length
        if self._text_bytes > _LONGEST_TEXT:
            raise _Damaged("it has more text than any valid model")
        return self.take(length)[: 4 * shown].decode("utf-8", "replace")[:shown]

    def value(self, kind: int, depth: int = 0) -> str:
        """Return the next value as text, and the first items of an array."""
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY:
            return self._array(depth)
        code = _CODES.get(kind)
        if code is None:
            raise _Damaged(f"its metadata has a value of the unknown type {kind}")
        number = self.number(code)
        return f"{number:.7g}" if isinstance(number, float) else str(number).lower()

    def _array(self, depth: int) -> str:
        kind, count = self.number("I"), self.number("Q")
        self._items += count
        if self._items > _MOST_ITEMS or depth > 4:
            raise _Damaged(f"its metadata has more than {_MOST_ITEMS:,} values")
        code = _CODES.get(kind)
        shown = [self.value(kind, depth + 1) for _ in range(min(count, _SHOWN_ITEMS))]
        rest = count - len(shown)
        if code is not None:
            width = struct.calcsize("<" + code)
            for _ in range(0, rest * width, _WINDOW):
                step = min(_WINDOW, rest * width)
                self.take(step)
                rest -= step // width
        else:
            for _ in range(rest):
                self.value(kind, depth + 1)
        more = f", … ({count:,})" if count > len(shown) else ""
        return ", ".join(shown)[:_SHOWN] + more


def read(source: Source, path: Path | None = None) -> Model:
    """Read the metadata and the directory of tensors of a GGUF file. Raises UnreadableFile.

    path: unused, since such a file has no others beside it.
    """
    try:
        return _read(source)
    except _Damaged as error:
        raise source.failure(str(error), "It is damaged: download it again.") from error


def _read(source: Source) -> Model:
    cursor = _Cursor(source, 4)
    version = cursor.number("I")
    if version > 0xFFFF:  # written on a machine of the other byte order
        cursor.order = ">"
        version = int.from_bytes(version.to_bytes(4, "little"), "big")
    if version not in (2, 3):
        raise source.failure(
            f"it is a GGUF file of version {version:,}; Inspector reads versions 2 and 3",
            "Convert it with a current llama.cpp.",
        )
    tensors, keys = cursor.number("Q"), cursor.number("Q")
    if tensors > MOST_TENSORS or keys > MOST_KEYS:
        raise _Damaged(f"it has {tensors:,} tensors and {keys:,} metadata entries")
    metadata = {}
    for _ in range(keys):
        key = cursor.text()
        metadata[key] = cursor.value(cursor.number("I"))
    entries = [_entry(cursor) for _ in range(tensors)]
    alignment = metadata.get("general.alignment", "32")
    step = int(alignment) if alignment.isdecimal() and 0 < int(alignment) < 1 << 20 else 32
    start = -(-cursor.at // step) * step
    swapped = cursor.order == ">"
    weights = tuple(_weight(*entry, start, source.size, swapped) for entry in entries)
    model = Model(
        name=source.name, format="gguf", size_bytes=source.size, ir_version=0, opsets=(),
        producer="", producer_version="", domain="", version=0,
        doc=metadata.get("general.description", ""), graph_name="",
        metadata=tuple(metadata.items()), inputs=(), outputs=(), layers=(), weights=weights,
        details=FormatDetails(
            title="GGUF, weights only",
            version=f"version {version}",
            facts=tuple(_facts(metadata, entries, weights)),
        ),
    )  # fmt: skip
    return replace_findings(model)


_Entry = tuple[str, tuple[int, ...], int, int]


def _entry(cursor: _Cursor) -> _Entry:
    """Return name, shape (outermost axis first), kind and offset of a tensor."""
    name, rank = cursor.text(), cursor.number("I")
    if rank > 16:
        raise _Damaged(f"'{name[:80]}' has {rank:,} axes")
    shape = tuple(cursor.number("Q") for _ in range(rank))[::-1]
    return name, shape, cursor.number("I"), cursor.number("Q")


def _weight(
    name: str, shape: tuple[int, ...], number: int, offset: int, start: int, size: int,
    swapped: bool,
) -> WeightInfo:  # fmt: skip
    kind = KINDS.get(number)
    if kind is None:
        problem = "Inspector does not know the size of its values"
        return WeightInfo(name, f"type {number}", shape, None, None, problem=problem)
    elements = product(shape)
    if elements is None:
        problem = "its shape has too many elements for any file"
        return WeightInfo(name, kind.name, shape, None, None, problem=problem)
    length = -(-elements // kind.numbers) * kind.block_bytes
    place: Place | None = Place("", start + offset, length)
    problem = ""
    if start + offset + length > size:
        place, problem = (
            None,
            f"it would end at byte {start + offset + length:,}, beyond the file",
        )
    elif swapped and kind.block_bytes > kind.numbers:
        problem = "its values have a different byte order"
    compression = None
    if kind.bits:
        compression = WeightCompression("linear", "per block", kind.bits, 4 * elements)
        if kind.name.startswith("IQ"):
            compression = compression._replace(kind="lookup table")
    return WeightInfo(
        name, kind.name, shape, length, place, problem=problem, compression=compression
    )


def _facts(
    metadata: dict[str, str], entries: list[_Entry], weights: tuple[WeightInfo, ...]
) -> Iterator[tuple[str, str]]:
    architecture = metadata.get("general.architecture", "")
    for title, key in _FACTS:
        value = metadata.get(key.format(architecture), "")
        if value:
            yield title, value
    file_type = metadata.get("general.file_type", "")
    if file_type.isdecimal():
        yield "Quantization", _FILE_TYPES.get(int(file_type), f"file type {file_type}")
    sized = [w for w in weights if w.size_bytes is not None]
    numbers = sum(w.elements for w in sized)
    if numbers:
        bits = 8 * sum(w.size_bytes or 0 for w in sized) / numbers
        yield "Bits per weight", f"{bits:.2f}"
    counts: dict[str, int] = {}
    for _, _, number, _ in entries:
        kind = KINDS.get(number)
        name = kind.name if kind is not None else f"type {number}"
        counts[name] = counts.get(name, 0) + 1
    by_number = sorted(counts.items(), key=lambda entry: -entry[1])
    yield "Tensors by type", ", ".join(f"{name} {count:,}" for name, count in by_number)
    for name in counts:
        kind = next((k for k in KINDS.values() if k.name == name and k.bits), None)
        if kind is not None:
            each = 8 * kind.block_bytes / kind.numbers
            size = f"{kind.block_bytes} B for a block of {kind.numbers} numbers"
            yield name, f"{size}, {each:.4g} bits each"
