"""Reads LiteRT-LM bundles: sections with TensorFlow Lite models, a tokenizer and settings.

The header is a FlatBuffer (schema/core/litertlm_header_schema.fbs of LiteRT-LM), the settings
are a message of protocol buffers (runtime/proto/llm_metadata.proto).
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from inspector import units
from inspector.errors import UnreadableFile
from inspector.formats.flatbuffer import Buffer, Damaged, Table
from inspector.formats.onnx.types import text
from inspector.formats.protobuf_wire import PADDING, Malformed, records, varint
from inspector.formats.source import Source
from inspector.formats.tflite import reader as tflite
from inspector.model.model import Finding, FormatDetails, Model, WeightInfo

_VERSION_AT = 8  # three numbers of 4 bytes
_HEADER_END_AT = 24  # one number of 8 bytes
_HEADER_AT = 32
_LARGEST_HEADER = 16 << 20  # bytes; real ones have some 2 kB
_LARGEST_SETTINGS = 16 << 20  # bytes of the message; its chat template has the most
_MOST_SECTIONS = 1_000
_MOST_ITEMS = 100  # of what is said of a section
_SHOWN = 300  # characters of a text
_MOST_STOPS = 8  # tokens that are shown
_TEXT_VALUE = 9  # number of the type of a value that is a text
# Titles of what the settings say.
TEMPLATE = "chat template"
TYPE = "Model type"
CONTEXT = "Context length"
START = "Starts a text"
STOPS = "Ends an answer"
# Kinds of sections that hold a tokenizer.
SENTENCE_PIECE = "SentencePiece tokenizer"
TOKENIZER_JSON = "tokenizer.json, compressed"
# Kinds of sections by their numbers in the schema.
_MODEL = 3
_SETTINGS = 5
_KINDS = {
    1: "data", 2: "no longer used", _MODEL: "TensorFlow Lite model",
    4: SENTENCE_PIECE, _SETTINGS: "settings", 6: TOKENIZER_JSON,
    7: "weights", 8: "executor settings",
}  # fmt: skip
# Fields of the settings.
_START = 1
_STOP = 2
_MOST_TOKENS = 5
_TYPE = 6
_JINJA = 7
_LEAST_RUNTIME = 14
# Fields of a token in them.
_IDS = 1
_TEXT = 2
_MODEL_TYPES = {
    1: "generic", 2: "Gemma 3n", 3: "FunctionGemma", 4: "Gemma 3", 5: "Qwen3", 7: "Qwen2.5",
    8: "Gemma 4", 9: "FastVLM", 11: "LFM2", 12: "MiniCPM5", 13: "Gemma 3 270M",
}  # fmt: skip
_NAME_KEYS = ("model_type", "name")  # of what is said of a section
_MAIN = "prefill_decode"  # in the name of the model that generates


class _Section(NamedTuple):
    """A part of the file. about: what the header says of it, by key."""

    kind: int
    begin: int
    end: int
    about: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """Return what the header calls it; "" where it does not."""
        found = (dict(self.about).get(key, "") for key in _NAME_KEYS)
        return next(filter(None, found), "").removeprefix("tf_lite_")


class _Settings(NamedTuple):
    """What the message with the settings says."""

    model_type: str = ""
    context: int = 0
    start: str = ""
    stops: tuple[str, ...] = ()
    template: str = ""
    needs: str = ""


def read(source: Source, path: Path | None = None) -> Model:
    """Read a bundle: its sections, settings, and the graphs in it. Raises UnreadableFile.

    path: unused, since all is in the file. The graph is that of the model that generates; the
    weights are those of all models in the bundle.
    """
    try:
        version = ".".join(_number(source, _VERSION_AT + 4 * n, 4) for n in range(3))
        sections = _sections(source)
        settings = _settings(source, sections)
    except (Damaged, Malformed, IndexError) as error:
        why = str(error) if not isinstance(error, IndexError) else "its settings are damaged"
        raise source.failure(why, "It is damaged: download it again.") from error
    findings: list[Finding] = []
    models = dict(_models(source, sections, findings))
    main = next((s for s in models if _MAIN in s.name), None) or max(
        models, key=lambda section: section.end - section.begin, default=None
    )
    weights = [
        weight
        if section is main
        else weight._replace(name=f"{section.name or section.begin}: {weight.name}", layer=None)
        for section, model in models.items()
        for weight in _moved(model, section.begin)
    ]
    details = FormatDetails(
        title="LiteRT-LM bundle",
        version=f"version {version}",
        needs=f"LiteRT-LM {settings.needs}" if settings.needs else "",
        facts=tuple(_facts(settings, sections, models)),
        texts=((TEMPLATE, settings.template),) if settings.template else (),
    )
    graph = models.get(main) if main is not None else None
    if graph is None:
        graph = Model(
            name="", format="", size_bytes=0, ir_version=0, opsets=(), producer="",
            producer_version="", domain="", version=0, doc="", graph_name="", metadata=(),
            inputs=(), outputs=(), layers=(), weights=(),
        )  # fmt: skip
    return replace(
        graph, name=source.name, format="litertlm", size_bytes=source.size,
        weights=tuple(weights), details=details, findings=(*findings, *graph.findings),
    )  # fmt: skip


def _number(source: Source, at: int, length: int) -> str:
    if at + length > source.size:
        raise Damaged("it is shorter than its header")
    return str(int.from_bytes(source.read(at, length), "little"))


def _sections(source: Source) -> tuple[_Section, ...]:
    end = int(_number(source, _HEADER_END_AT, 8))
    if not _HEADER_AT < end <= min(source.size, _LARGEST_HEADER):
        raise Damaged(f"its header would end at byte {end:,}")
    root = Buffer(_part(source, _HEADER_AT, end)).root()
    listed = root.table(1)
    found: list[_Section] = []
    for table in listed.tables(0) if listed is not None else ():
        if len(found) >= _MOST_SECTIONS:
            raise Damaged(f"it has more than {_MOST_SECTIONS:,} sections")
        begin, stop = table.number(1, "<Q"), table.number(2, "<Q")
        if not end <= begin <= stop <= source.size:
            number = len(found) + 1
            raise Damaged(f"section {number:,} lies outside of the file")
        found.append(_Section(table.number(3, "<B"), begin, stop, tuple(_items(table))))
    return tuple(found)


def _items(section: Table) -> Iterator[tuple[str, str]]:
    """Yield the texts that the header says of a section, by key."""
    for number, item in enumerate(section.tables(0)):
        if number >= _MOST_ITEMS:
            return
        value = item.table(2)
        if item.number(1, "<B") == _TEXT_VALUE and value is not None:
            yield item.text(0)[:_SHOWN], value.text(0)[:_SHOWN]


def _settings(source: Source, sections: tuple[_Section, ...]) -> _Settings:
    section = next((s for s in sections if s.kind == _SETTINGS), None)
    if section is None:
        return _Settings()
    length = section.end - section.begin
    if length > _LARGEST_SETTINGS:
        raise Damaged(f"its settings have {length:,} B")
    body = source.read(section.begin, length) + PADDING
    model_type = start = template = needs = ""
    context, stops = 0, list[str]()
    for field, _, _, at, stop in records(body, 0, length):
        value = body[at:stop]
        if field == _START:
            start = _token(value)
        elif field == _STOP and len(stops) < _MOST_STOPS:
            stops.append(_token(value))
        elif field == _MOST_TOKENS:
            context = varint(body, at)[0]
        elif field == _TYPE:
            inner = next(iter(records(value + PADDING, 0, len(value))), None)
            if inner is not None:
                model_type = _MODEL_TYPES.get(inner[0], f"type {inner[0]}")
        elif field == _JINJA:
            template = text(value)
        elif field == _LEAST_RUNTIME:
            needs = text(value)[:_SHOWN]
    return _Settings(model_type, context, start, tuple(stops), template, needs)


def _token(body: bytes) -> str:
    """Return a token: its text, or its numbers."""
    for field, _, _, at, stop in records(body + PADDING, 0, len(body)):
        if field == _TEXT:
            return text(body[at:stop])[:_SHOWN]
        if field == _IDS:
            return ", ".join(map(str, _ids(body[at:stop])))[:_SHOWN]
    return ""


def _ids(body: bytes) -> Iterator[int]:
    """Yield the numbers of a token: packed into one record, or a record for each."""
    padded = body + PADDING
    for field, wire, _, at, stop in records(padded, 0, len(body)):
        if field != 1:
            continue
        if wire == 0:
            yield varint(padded, at)[0]
            continue
        while at < stop:
            number, at = varint(padded, at)
            yield number


def _models(
    source: Source, sections: tuple[_Section, ...], findings: list[Finding]
) -> Iterator[tuple[_Section, Model]]:
    """Yield the models of a bundle; one that is damaged is a finding."""
    for number, section in enumerate(sections, 1):
        if section.kind != _MODEL:
            continue
        name = section.name or f"section {number:,}"
        part = _part(source, section.begin, section.end, f"{source.name}: {name}")
        try:
            yield section, tflite.read(part)
        except UnreadableFile as error:
            findings.append(Finding(name, error.why))


def _part(source: Source, begin: int, end: int, name: str = "") -> Source:
    """Return a part of a file as a file of its own."""

    def read_at(length: int, offset: int) -> bytes:
        return source.read(begin + offset, min(length, end - begin - offset))

    return Source(name or source.name, read_at, end - begin)


def _moved(model: Model, begin: int) -> Iterator[WeightInfo]:
    """Yield the weights of a model by their places in the bundle."""
    for weight in model.weights:
        place = weight.place
        if place is None or place.file:
            yield weight
        else:
            yield weight._replace(place=place._replace(offset=place.offset + begin))


def _facts(
    settings: _Settings, sections: tuple[_Section, ...], models: dict[_Section, Model]
) -> Iterator[tuple[str, str]]:
    if settings.model_type:
        yield TYPE, settings.model_type
    if settings.context:
        yield CONTEXT, f"{settings.context:,}"
    if settings.start:
        yield START, settings.start
    if settings.stops:
        yield STOPS, "; ".join(settings.stops)
    for number, section in enumerate(sections, 1):
        parts = [_KINDS.get(section.kind, f"kind {section.kind}"), section.name]
        if section in models:
            parts.append(units.plural(len(models[section].layers), "layer"))
        parts.append(units.size(section.end - section.begin))
        yield f"Section {number:,}", ", ".join(filter(None, parts))
