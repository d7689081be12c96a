"""What a TensorFlow Lite file says of itself beside its graph: metadata, and files behind it.

Two schemas: tflite-support's metadata_schema.fbs (name, author, what inputs and outputs mean,
label files) and LiteRT's conversion_metadata.fbs (who converted it). The label files are in a
ZIP archive at the end of the file.
"""

import ast
import base64
import zipfile
from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import Struct

from inspector.errors import UnreadableFile
from inspector.formats.flatbuffer import Buffer, Damaged, Table
from inspector.formats.onnx.types import LONGEST
from inspector.formats.source import Source, of_bytes
from inspector.formats.zip_members import DAMAGE, directory_bytes, open_zip
from inspector.model.metadata_keys import (
    CALIBRATION_DEFAULT,
    CALIBRATION_FILE,
    CALIBRATION_TEXT,
    CALIBRATION_TRANSFORMATION,
    TOKENIZER_KIND,
    TOKENIZER_MODEL,
    TOKENIZER_PATTERN,
    TOKENIZER_VOCABULARY,
)
from inspector.model.model import Finding

MOST_METADATA_BYTES = 16 << 20
_MOST_ENTRIES = 1000  # of the list of metadata; models have three or four
_MOST_PARTS = 100_000  # tables, texts and numbers of one of them
_MOST_LABEL_BYTES = 4 << 20  # of one file, and of all that are read
_MOST_FACTS_BYTES = 1 << 20  # of a label file that is a dictionary of an export's facts
_MODEL = "TFLITE_METADATA"
_CONVERSION = "CONVERSION_METADATA"
_TEXTS = ("min_runtime_version",)
# AssociatedFileType
_AXIS_LABELS = 2
_VALUE_LABELS = 3
_CALIBRATION_FILE = 4
_VOCABULARY = 5
# ProcessUnitOptions that make numbers of a text, and the field with their vocabulary.
_TOKENIZERS = {4: ("bert", 0), 5: ("sentencepiece", None), 6: ("regex", 1)}
_FILE_TYPES = {
    1: "description", 2: "labels", 3: "labels", 4: CALIBRATION_FILE, 5: "vocabulary",
}  # fmt: skip
_CONTENTS = {1: "feature", 2: "image", 3: "bounding box"}
_COLORS = {1: "RGB", 2: "grayscale"}
# ProcessUnitOptions
_NORMALIZATION = 1
_CALIBRATION = 2
_THRESHOLD = 3
_TRANSFORMATIONS = {0: "identity", 1: "log", 2: "inverse logistic"}  # ScoreTransformationType
_OPTIMIZATIONS = {
    1001: "float16 quantization", 1002: "dynamic-range quantization",
    1003: "full-integer quantization", 1004: "int16 activations",
    2000: "quantization-aware training", 3001: "random sparsity", 3002: "block sparsity",
    3003: "structured sparsity",
}  # fmt: skip
_FRAMEWORKS = {6: "JAX", 7: "PyTorch"}  # ModelType; the others are TensorFlow's
_SOURCES = {
    1: "SavedModel", 2: "Keras", 3: "concrete functions", 4: "GraphDef", 5: "session",
    6: "JAX", 7: "PyTorch",
}  # fmt: skip


class Described(Struct, frozen=True):
    """What metadata say of an input or an output."""

    doc: str
    entries: tuple[tuple[str, str], ...]


class About(Struct, frozen=True):
    """What metadata say of a model; inputs and outputs in the order of the main graph."""

    producer: str = ""
    producer_version: str = ""
    doc: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    inputs: tuple[Described, ...] = ()
    outputs: tuple[Described, ...] = ()
    findings: tuple[Finding, ...] = ()


def described(source: Source, root: Table, extent: Callable[[int], tuple[int, int]]) -> About:
    """Return what the metadata of a model say. extent: of a buffer by its number."""
    entries: list[tuple[str, str]] = []
    findings: list[Finding] = []
    producer = version = doc = ""
    inputs: tuple[Described, ...] = ()
    outputs: tuple[Described, ...] = ()
    seen: set[str] = set()
    for number, table in enumerate(root.tables(6)):
        if number >= _MOST_ENTRIES:
            findings.append(Finding("", f"it has more than {_MOST_ENTRIES:,} metadata entries"))
            break
        name, (offset, length) = table.text(0), extent(table.number(1, "<I"))
        if name in seen:
            continue  # the first one counts: all of them may name the same bytes
        seen.add(name)
        if length > MOST_METADATA_BYTES:
            findings.append(Finding(name[:200], "this metadata is too long"))
            continue
        is_read = name in (_MODEL, _CONVERSION, *_TEXTS)
        body = source.read(offset, length) if is_read and length else b""
        try:
            if name == _MODEL:
                archive = _Files(source)
                doc, more, inputs, outputs = _of_model(_root(body), archive)
                entries += more
            elif name == _CONVERSION:
                producer, version, more = _of_conversion(_root(body))
                entries += more
            elif name in _TEXTS:
                text = body.split(b"\0")[0].decode("utf-8", "replace")
                entries.append((name, text[:200]))
            else:
                entries.append((name[:200], f"{length:,} B"))
        except Damaged as error:
            findings.append(Finding(name, f"this metadata is damaged: {error}"))
    return About(producer, version, doc, tuple(entries), inputs, outputs, tuple(findings))


def _root(body: bytes) -> Table:
    return Buffer(of_bytes(body, "metadata"), _MOST_PARTS).root()


def _of_conversion(root: Table) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the producer, its version and entries of a ConversionMetadata."""
    environment, options = root.table(0), root.table(1)
    producer = version = ""
    entries = []
    if environment is not None:
        version, kind = environment.text(0)[:200], environment.number(2, "<i")
        producer = "TensorFlow" if version else _FRAMEWORKS.get(kind, "")
        if kind in _SOURCES:
            entries.append(("converted_from", _SOURCES[kind]))
    if options is not None:
        modes = options.numbers(0, "<i")
        if modes:
            names = (_OPTIMIZATIONS.get(mode, str(mode)) for mode in modes[:16])
            entries.append(("optimization", ", ".join(names)))
    return producer, version, entries


_Parts = tuple[str, list[tuple[str, str]], tuple[Described, ...], tuple[Described, ...]]


def _of_model(root: Table, archive: "_Files") -> _Parts:
    """Return description, entries, inputs and outputs of a ModelMetadata."""
    names = ("name", 0), ("version", 2), ("author", 4), ("license", 5)
    entries = [(key, root.text(field)[:LONGEST]) for key, field in names if root.text(field)]
    graph = next(iter(root.tables(3)), None)
    inputs: tuple[Described, ...] = ()
    outputs: tuple[Described, ...] = ()
    if graph is not None:
        inputs = tuple(_tensor(table, archive, entries) for table in graph.tables(2))
        outputs = tuple(_tensor(table, archive, entries) for table in graph.tables(3))
        for unit in graph.tables(5):
            _tokenizer(unit, archive, entries)
    listed = list(root.tables(6))
    for table in listed:
        kind = _FILE_TYPES.get(table.number(2, "<b"), "file")
        entries.append((f"associated_file.{table.text(0)[:200]}", kind))
    return root.text(1)[:LONGEST], entries, inputs, outputs


def _tensor(table: Table, archive: "_Files", entries: list[tuple[str, str]]) -> Described:
    """Return what is said of a tensor; its labels become an entry of the model."""
    name, doc = table.text(0)[:200], table.text(1)[:LONGEST]
    own = [("name", name)] if name else []
    if axes := table.texts(2):
        own.append(("dimension_names", ", ".join(axes)[:LONGEST]))
    own += _content(table.table(3))
    for unit in table.tables(4):
        own += _process(unit)
        if tokenizer := _tokenizer(unit, archive, entries):
            own.append(("tokenizer", tokenizer))
    for file in table.tables(6):
        kind, file_name = file.number(2, "<b"), file.text(0)
        own.append((_FILE_TYPES.get(kind, "file"), file_name[:200]))
        if kind == _VOCABULARY:
            _vocabulary(file_name, archive, entries)
        key = f"{CALIBRATION_TEXT}{file_name[:200]}"
        if kind == _CALIBRATION_FILE and key not in dict(entries):
            text = archive.text(file_name)
            entries += [(key, text)] if text else []
        if kind in (_AXIS_LABELS, _VALUE_LABELS) and not file.text(3).strip("en"):
            text = archive.text(file_name)
            facts = _facts(text)
            if facts:
                entries += facts
            elif text:
                entries.append((f"{name or 'output'}.labels", text))
    return Described(doc, tuple(own))


def _facts(text: str) -> list[tuple[str, str]]:
    """Return the entries of a dictionary of an export's facts; empty for a list of labels.

    Ultralytics stores its metadata (names, task, stride, imgsz, ...) as the label file; the
    keys are those of its ONNX exports.
    """
    if not text.lstrip().startswith("{") or len(text) > _MOST_FACTS_BYTES:
        return []
    try:
        facts = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return []
    if not isinstance(facts, dict) or not isinstance(facts.get("names"), dict | list):
        return []
    return [(str(key)[:200], str(value)) for key, value in facts.items()]


def _content(content: Table | None) -> Iterator[tuple[str, str]]:
    if content is None:
        return
    kind, properties = content.number(0, "<B"), content.table(1)
    if kind in _CONTENTS:
        yield "content", _CONTENTS[kind]
    if kind == 2 and properties is not None and properties.number(0, "<b") in _COLORS:
        yield "color_space", _COLORS[properties.number(0, "<b")]


def _process(unit: Table) -> Iterator[tuple[str, str]]:
    kind, options = unit.number(0, "<B"), unit.table(1)
    if options is None:
        return
    if kind == _NORMALIZATION:
        for name, field in (("mean", 0), ("std", 1)):
            values = options.reals(field, "<f", 16)
            yield f"normalization_{name}", ", ".join(f"{value:.7g}" for value in values)
    elif kind == _CALIBRATION:
        number = options.number(0, "<b")
        yield CALIBRATION_TRANSFORMATION, _TRANSFORMATIONS.get(number, str(number))
        yield CALIBRATION_DEFAULT, f"{options.real(1, '<f'):.9g}"
    elif kind == _THRESHOLD:
        yield "score_threshold", f"{options.real(0, '<f'):.7g}"


def _tokenizer(unit: Table, archive: "_Files", entries: list[tuple[str, str]]) -> str:
    """Add what makes numbers of a text: the kind, which is returned, its pattern, vocabulary
    and model; return "" for other units."""
    kind, options = unit.number(0, "<B"), unit.table(1)
    if options is None or kind not in _TOKENIZERS:
        return ""
    name, place = _TOKENIZERS[kind]
    if TOKENIZER_KIND not in dict(entries):
        entries.append((TOKENIZER_KIND, name))
        if name == "regex" and options.text(0):
            entries.append((TOKENIZER_PATTERN, options.text(0)[:LONGEST]))
        model = next(iter(options.tables(0)), None) if name == "sentencepiece" else None
        if model is not None and (body := archive.body(model.text(0))):
            entries.append((TOKENIZER_MODEL, base64.b64encode(body).decode()))
    for file in options.tables(place) if place is not None else ():
        _vocabulary(file.text(0), archive, entries)
    return name


def _vocabulary(name: str, archive: "_Files", entries: list[tuple[str, str]]) -> None:
    """Add the text of the first vocabulary."""
    if TOKENIZER_VOCABULARY not in dict(entries):
        text = archive.text(name)
        if text:
            entries.append((TOKENIZER_VOCABULARY, text))


class _Files:
    """Label files in the archive at the end of a model; read when one is asked for."""

    def __init__(self, source: Source) -> None:
        self._source, self._room = source, _MOST_LABEL_BYTES

    def text(self, name: str) -> str:
        """Return the text of a file; empty where it is missing, too long or damaged."""
        return self.body(name).decode("utf-8", "replace")

    def body(self, name: str) -> bytes:
        """Return a file; empty where it is missing, too long or damaged."""
        try:
            if self._archive is None:
                return b""
            info = self._archive.getinfo(name)
            if info.file_size > self._room or info.flag_bits & 1:
                return b""
            with self._archive.open(info) as packed:
                body = packed.read(self._room)
            self._room -= len(body)
            return body
        except (KeyError, UnreadableFile, *DAMAGE):
            return b""

    @cached_property
    def _archive(self) -> zipfile.ZipFile | None:
        if not directory_bytes(self._source):
            return None
        return open_zip(self._source)
