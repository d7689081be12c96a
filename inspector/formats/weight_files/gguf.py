"""GGUF: typed metadata, then weights in blocks of several kinds, as llama.cpp reads them.

The layout is that of docs/gguf.md in ggml's repository; `gguf_kinds` says what a block is. A
model may be split into several files, which are read as one.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from inspector.errors import UnreadableFile
from inspector.formats.budget import Parts
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.shard_names import part_name
from inspector.formats.source import Source, open_source
from inspector.formats.weight_files.gguf_kinds import BY_NAME, KINDS, file_type
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import (
    Finding,
    FormatDetails,
    Model,
    Place,
    WeightCompression,
    WeightInfo,
    product,
)

MOST_TENSORS = 1_000_000
MOST_KEYS = 1_000_000
_MOST_FILES = 1_000  # of one model; the largest ones have some 100
_MOST_NAMED = 3  # missing files that are named
_MOST_ITEMS = 10_000_000  # of all arrays of the metadata
_LONGEST_TEXT = 64 << 20
_WINDOW = 1 << 20
_SHOWN_ITEMS = 8  # of an array; of one with a number for each layer all
_MOST_LAYERS = 512  # of such an array
_SHOWN = 2_000
_STRING = 8
_ARRAY = 9
_CODES = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
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
            raise _Damaged(f"{self.at + length - self._source.size:,} B are missing at its end")
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
            kind, count = self.number("I"), self.number("Q")
            self._items += count
            if self._items > _MOST_ITEMS or depth > 4:
                raise _Damaged(f"its metadata has more than {_MOST_ITEMS:,} values")
            code = _CODES.get(kind)
            by_layer = code is not None and count <= _MOST_LAYERS
            many = count if by_layer else min(count, _SHOWN_ITEMS)
            shown = [self.value(kind, depth + 1) for _ in range(many)]
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
        code = _CODES.get(kind)
        if code is None:
            raise _Damaged(f"its metadata has a value of the unknown type {kind}")
        number = self.number(code)
        return f"{number:.7g}" if isinstance(number, float) else str(number).lower()


def read(source: Source, path: Path | None = None) -> Model:
    """Read the metadata and the directory of tensors of a GGUF file. Raises UnreadableFile.

    path: of the file. Of a model in several files, the first one stands for the whole, and the
    others lie beside it.
    """
    first = contents(source)
    number, count = first.part
    weights, findings, missing = list(first.weights), [], 0
    size, data_bytes = source.size, first.data_bytes
    if count > 1 and number == 1:
        parts, near = Parts(source), ExternalFiles(path)
        parts.add(len(weights) + len(first.metadata))
        for other in range(2, min(count, _MOST_FILES) + 1):
            name = part_name(source.name, other)
            why, shard = _part(name, near)
            if shard is None:
                missing += 1
                if missing <= _MOST_NAMED:
                    said = f"part {other:,} of {count:,} is missing: {why}"
                    findings.append(Finding(name, said))
                continue
            parts.add(len(shard.weights) + len(shard.metadata))
            weights += shard.weights
            size, data_bytes = size + shard.size_bytes, data_bytes + shard.data_bytes
        if missing > _MOST_NAMED:
            findings.append(Finding("", f"{missing:,} parts of {count:,} are missing"))
        total = first.metadata.get("split.tensors.count", "")
        if total.isdecimal() and int(total) != len(weights):
            why = f"the model has {int(total):,} tensors, and {len(weights):,} were found"
            findings.append(Finding("split.tensors.count", why))
    model = Model(
        name=source.name, format="gguf", size_bytes=size, ir_version=0, opsets=(),
        producer="", producer_version="", domain="", version=0,
        doc=first.metadata.get("general.description", ""), graph_name="",
        metadata=tuple(first.metadata.items()), inputs=(), outputs=(), layers=(),
        weights=tuple(weights),
        details=FormatDetails(
            title="GGUF, weights only",
            version=f"version {first.version}",
            facts=tuple(_facts(first, source.name, weights, data_bytes)),
        ),
    )  # fmt: skip
    return replace(model, findings=(*findings, *weight_findings(model)))


class Contents(NamedTuple):
    """What one file holds.

    part: which of how many files of the model it is, from 1. data_bytes: of all tensors, with
    what lies between them.
    """

    version: int
    metadata: dict[str, str]
    weights: tuple[WeightInfo, ...]
    size_bytes: int
    data_bytes: int

    @property
    def part(self) -> tuple[int, int]:
        """Return the number of the file and how many there are: (1, 1) for a single one."""
        number, count = (self.metadata.get(f"split.{key}", "") for key in ("no", "count"))
        if number.isdecimal() and count.isdecimal() and int(number) < int(count):
            return int(number) + 1, int(count)
        return 1, 1


def contents(source: Source, file: str = "") -> Contents:
    """Read one file. file: its name beside the model that it is a part of.

    Raises UnreadableFile: damaged.
    """
    try:
        if source.head(4) != b"GGUF":
            raise _Damaged("it is not a GGUF file")
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
        weights = tuple(_weight(*entry, start, source.size, swapped, file) for entry in entries)
        return Contents(version, metadata, weights, source.size, max(0, source.size - start))
    except _Damaged as error:
        raise source.failure(str(error), "It is damaged: download it again.") from error


def _part(name: str, near: ExternalFiles) -> tuple[str, Contents | None]:
    """Return another file of a model, or why it cannot be read."""
    if not name:
        return "its name is not known, since this file is not NAME-00001-of-00002.gguf", None
    file = near.look_up(name)
    if file.path is None:
        return file.problem, None
    try:
        with open_source(file.path) as source:
            return "", contents(source, name)
    except UnreadableFile as error:
        return error.why, None


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
    swapped: bool, file: str,
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
    place: Place | None = Place(file, start + offset, length)
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
    first: Contents, name: str, weights: list[WeightInfo], data_bytes: int
) -> Iterator[tuple[str, str]]:
    """Yield what is said of a model. data_bytes: of all its tensors."""
    metadata, (number, count) = first.metadata, first.part
    if count > 1 and number > 1:
        whole = part_name(name, 1) or "the first one"
        yield "Part", f"{number:,} of {count:,}; {whole} stands for the whole model"
    elif count > 1:
        present = 1 + len({w.place.file for w in weights if w.place and w.place.file})
        yield "Files", f"{count:,}" if present == count else f"{present:,} of {count:,}"
    architecture = metadata.get("general.architecture", "")
    for title, key in _FACTS:
        value = metadata.get(key.format(architecture), "")
        if value:
            numbers = value.split(", ")  # one for each layer, where these differ
            yield title, numbers[0] if len({*numbers}) == 1 else value
    number_of_type = metadata.get("general.file_type", "")
    if number_of_type.isdecimal():
        yield "Quantization", file_type(int(number_of_type))
    yield from _bits_per_weight(weights, data_bytes)
    counts = Counter(weight.dtype for weight in weights).most_common()
    yield "Tensors by type", ", ".join(f"{name} {count:,}" for name, count in counts)
    for kind in (BY_NAME[name] for name, _ in counts if name in BY_NAME):
        if kind.bits:
            each = 8 * kind.block_bytes / kind.numbers
            size = f"{kind.block_bytes} B for a block of {kind.numbers} numbers"
            yield kind.name, f"{size}, {each:.4g} bits each"


def _bits_per_weight(weights: list[WeightInfo], data_bytes: int) -> Iterator[tuple[str, str]]:
    """Yield the bits that a number takes; where the size of a type is not known, all bytes of
    the tensors are counted, with those between them."""
    numbers = sum(weight.elements for weight in weights)
    if not numbers:
        return
    unknown = sorted({weight.dtype for weight in weights if weight.size_bytes is None})
    if unknown:
        size, note = data_bytes, f" (from the file's size; unknown: {', '.join(unknown)})"
    else:
        size, note = sum(weight.size_bytes or 0 for weight in weights), ""
    yield "Bits per weight", f"{8 * size / numbers:.2f}{note[:_SHOWN]}"
