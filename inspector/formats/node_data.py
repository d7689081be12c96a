"""Numbers for layers out of other programs' files, matched by name.

- CSV: a column of names, then one or more of numbers or of a few words; a first row may name
  them.
- Netron's attachment: JSON with the signature "netron:attachment" and a list `metrics` (or
  `metadata`) of `kind` (node, value, tensor), `target`, `name` and `value`.
- Model Explorer's node data: JSON with `results`, by the name of a node or of an output, of
  `value`, and maybe `thresholds` or `gradient`; of one graph or of several by their name.
- A profile of `trtexec --exportProfile`, or a compute plan of Core ML: a JSON list of objects
  with `name`, and numbers or words of each layer.

A name is that of a layer, of a tensor that it writes, or its number in the model. TensorRT's
names of fused layers, such as "conv1 + relu1", mean the first of them.
"""

import csv
import io
import json
import re
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, field

from inspector.errors import UnreadableFile
from inspector.formats import budget
from inspector.model.layer_values import ColorStop, LayerNumbers
from inspector.model.model import Model
from inspector.units import clip

SUFFIXES = (".csv", ".tsv", ".txt", ".json")
_LARGEST_BYTES = 256 << 20  # of a file: 100,000 layers with twenty numbers take a tenth
_NETRON = "netron:attachment"
_EXPECTED = (
    "Use CSV (name,value), a Netron attachment (JSON), or node data of Model Explorer (JSON)."
)

# Columns that hold the names where a table does not begin with them, and such as say nothing.
_NAME_COLUMNS = ("name", "op_name", "output", "layer")
_NUMBER_COLUMNS = ("op_index", "index")
_MOST_LABELS = 16  # different words of a set; more are texts
# What separates names in those that TensorRT gives to layers that it fused.
_JOINTS = re.compile(r"[\s+|(),{}\[\]]|\.\.\.")
# How Core ML's devices are called in Python -> for people.
_DEVICES = {
    "MLCPUComputeDevice": "CPU", "MLGPUComputeDevice": "GPU",
    "MLNeuralEngineComputeDevice": "Neural Engine",
}  # fmt: skip
_KINDS = {"node": "", "value": " (output)", "tensor": " (weight)"}


class _Subject(Struct, frozen=True):
    """What could not be read, for the budget."""

    what: str

    def failure(self, why: str, hint: str = "") -> UnreadableFile:
        """Return the error that says why a file cannot be read."""
        return UnreadableFile(self.what, why, hint)


class _NamedNumbers(Struct):
    """A set of numbers by name, or of words, until `_labelled` numbers them."""

    title: str
    numbers: dict[str, float] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    thresholds: tuple[ColorStop, ...] = ()
    gradient: tuple[ColorStop, ...] = ()


def _add(named: _NamedNumbers, name: str, value: object) -> None:
    """Put in a number or a word; anything else is no value."""
    number = _number(value)
    if number is not None:
        named.numbers[name] = number
    elif isinstance(value, str) and value.strip():
        word = value.strip()
        named.words[name] = clip(_DEVICES.get(word, word), 40)


def _labelled(named: _NamedNumbers) -> _NamedNumbers:
    """Return a set of words as numbers with labels; itself where there are numbers."""
    labels = tuple(sorted(set(named.words.values())))
    if named.numbers or not 1 < len(labels) <= _MOST_LABELS:
        return named
    numbers = {name: float(labels.index(word)) for name, word in named.words.items()}
    return _NamedNumbers(named.title, numbers, labels=labels)


def read(path: Path, model: Model) -> tuple[LayerNumbers, ...]:
    """Return the sets of numbers in a file. Raises UnreadableFile."""
    what = f"Could not read layer values from {clip(path.name, 80)}"
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise UnreadableFile(what, f"it is larger than {_LARGEST_BYTES >> 20} MiB")
        body = path.read_bytes()
        is_json = body.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[")
        check = budget.check_json if is_json else budget.check_table
        check(_Subject(what), body)
        text = body.decode("utf-8-sig")
    except OSError as error:
        raise UnreadableFile(what, error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise UnreadableFile(what, "it is not UTF-8 text", _EXPECTED) from None
    sets = _from_json(what, text, path.stem) if is_json else _from_csv(text, path.stem)
    names = _Names(model)
    matches = [_matched(each, names) for each in map(_labelled, sets) if each.numbers]
    if not matches:
        raise UnreadableFile(what, "it contains no values with layer names", _EXPECTED)
    if not any(each.known for each in matches):
        example = clip(next(iter(matches[0].unmatched), ""), 60)
        raise UnreadableFile(
            what,
            f"none of its names, such as '{example}', matches a layer in "
            f"{clip(model.name, 60)}",
            "Use layer names, layer numbers, or the names of layer outputs.",
        )
    return tuple(each for each in matches if each.known)


class _Names:
    """Layers by the names that a file may call them."""

    def __init__(self, model: Model) -> None:
        self.count = len(model.layers)
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._by_output: dict[str, int] = {}
        self._by_input: dict[str, list[int]] = defaultdict(list)
        for layer in model.layers:
            self._by_name[layer.label].append(layer.index)
            for name in layer.outputs:
                self._by_output.setdefault(name, layer.index)
            for name in layer.inputs:
                self._by_input[name].append(layer.index)

    def find(self, name: str) -> list[int]:
        """Return the layers of a name: by it, by an output, a weight, or by number."""
        name = name.strip()
        if name in self._by_name:
            return self._by_name[name]
        if name in self._by_output:
            return [self._by_output[name]]
        if name in self._by_input:
            return self._by_input[name]
        digits = name.removeprefix("#")
        if digits.isdecimal() and len(digits) < 10 and int(digits) < self.count:
            return [int(digits)]
        parts = (part for part in _JOINTS.split(name) if not part.isdecimal())
        known = (self._by_name.get(part) for part in parts)
        return next(filter(None, known), [])[:1]


def _matched(named: _NamedNumbers, names: _Names) -> LayerNumbers:
    """Return the numbers by layer; of several for one layer, such as its outputs, the sum."""
    values = np.full(names.count, np.nan)
    unmatched = []
    for name, value in named.numbers.items():
        layers = names.find(name)
        if not layers:
            unmatched.append(name)
        for layer in layers:
            again = not (named.labels or np.isnan(values[layer]))
            values[layer] = values[layer] + value if again else value
    return LayerNumbers(
        named.title,
        values,
        thresholds=named.thresholds,
        gradient=named.gradient,
        unmatched=tuple(unmatched),
        labels=named.labels,
        adds_up=not named.labels,
    )


def _number(value: object) -> float | None:
    """Return a finite number, also one that is written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        result = float(value)
    except (ValueError, OverflowError):
        return None
    return result if isfinite(result) else None


def _from_csv(text: str, title: str) -> list[_NamedNumbers]:
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error:
        return []
    if not rows:
        return []
    has_header = all(_number(cell) is None for cell in rows[0][1:])
    width = max(map(len, rows))
    titles = [title if width == 2 else f"{title} {column}" for column in range(width)]
    key = 0
    if has_header:
        heads = [cell.strip() for cell in rows.pop(0)]
        titles = [head or title for head, title in zip(heads, titles, strict=False)]
        lower = [head.lower() for head in heads]
        key = next((lower.index(each) for each in _NAME_COLUMNS if each in lower), 0)
    result = {
        column: _NamedNumbers(titles[column])
        for column in range(len(titles))
        if column != key and titles[column].lower() not in _NUMBER_COLUMNS
    }
    for row in rows:
        for column, named in result.items():
            if max(key, column) < len(row):
                _add(named, row[key].strip(), row[column])
    return list(result.values())


def _from_json(what: str, text: str, title: str) -> list[_NamedNumbers]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(what, f"it is not valid JSON ({error})", _EXPECTED) from None
    if isinstance(body, dict) and body.get("signature") == _NETRON:
        return _attached(body)
    if isinstance(body, list):
        result: dict[str, _NamedNumbers] = {}
        for row in body:
            name = row.get("name") if isinstance(row, dict) else None
            if not isinstance(name, str):
                continue
            for key, value in row.items():
                if key != "name":
                    shown = ", ".join(map(_device, value)) if isinstance(value, list) else value
                    _add(result.setdefault(key, _NamedNumbers(key)), name, shown)
        return list(result.values())
    return list(_node_data(body, title))


def _device(item: object) -> str:
    return _DEVICES.get(str(item), str(item))


def _attached(body: dict[str, Any]) -> list[_NamedNumbers]:
    """Return the metrics of an attachment, by their names; those of tensors on their own."""
    result: dict[str, _NamedNumbers] = {}
    for part in ("metrics", "metadata"):
        items = body.get(part)
        for item in items if isinstance(items, list) else ():
            kind = item.get("kind") if isinstance(item, dict) else None
            if not isinstance(kind, str) or kind not in _KINDS:
                continue
            target = item.get("target", item.get("identifier"))
            value, name = _number(item.get("value")), item.get("name")
            if value is not None and isinstance(name, str) and isinstance(target, str | int):
                title = f"{name}{_KINDS[kind]}"
                named = result.setdefault(title, _NamedNumbers(title))
                named.numbers[str(target)] = value
    return list(result.values())


def _node_data(body: object, title: str) -> Iterator[_NamedNumbers]:
    if not isinstance(body, dict):
        return
    graphs = {title: body} if isinstance(body.get("results"), dict) else body
    for name, graph in graphs.items():
        results = graph.get("results") if isinstance(graph, dict) else None
        if not isinstance(results, dict):
            continue
        values = {
            key: _number(entry.get("value") if isinstance(entry, dict) else entry)
            for key, entry in results.items()
        }
        yield _NamedNumbers(
            title if len(graphs) == 1 else f"{title}: {name}",
            {key: value for key, value in values.items() if value is not None},
            thresholds=tuple(sorted(_stops(graph.get("thresholds"), "value"), key=_at)),
            gradient=tuple(sorted(_stops(graph.get("gradient"), "stop"), key=_at)),
        )


def _at(stop: ColorStop) -> float:
    return stop.at


def _stops(items: object, key: str) -> Iterator[ColorStop]:
    for item in items if isinstance(items, list) else ():
        at = _number(item.get(key)) if isinstance(item, dict) else None
        color = item.get("bgColor") if isinstance(item, dict) else None
        if at is not None and isinstance(color, str):
            yield ColorStop(at, color)
