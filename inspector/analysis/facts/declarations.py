"""Declarations of a model file besides its graph, as text: functions, training, ..."""

from collections.abc import Iterable, Sequence
from itertools import compress, islice
from operator import attrgetter

from inspector.model.model import (
    Annotation,
    DeviceConfiguration,
    Function,
    InnerGraph,
    Layer,
    Model,
    Signature,
    TensorInfo,
    Training,
)
from inspector.units import plural
from inspector.units import shape as shape_in_words
from inspector.wording.values import Count, Sentence, counted

Texts = tuple[tuple[str, str], ...]

DOC_STRINGS = "Doc strings"  # of values; those of inputs and outputs stand beside them too
_MOST_LINES = 200
_MOST_NAMES = 12
_MOST_ENTRIES = 500


def declarations(model: Model) -> tuple[tuple[str, Texts], ...]:
    """Return (title, entries) of what there is; the first line of a text says the most."""
    sections = (
        ("Signatures", tuple((s.name, _signature(s)) for s in model.signatures)),
        ("Functions", tuple((qualified(f), function_text(f)) for f in model.functions)),
        ("Training", tuple(_numbered(map(_training, model.training)))),
        ("Quantized values", tuple((a.value, _pairs(a.parameters)) for a in model.annotations)),
        ("Subgraphs", tuple(_inner_graphs(model))),
        (DOC_STRINGS, tuple(_described(model))),
        ("Device configurations", tuple(_configurations(model))),
    )
    return tuple((title, texts) for title, texts in sections if texts)


def _signature(signature: Signature) -> str:
    """Write what callers pass and get back, and what it runs."""
    inputs, outputs = (
        [name for name, _ in each] for each in (signature.inputs, signature.outputs)
    )
    runs = f"function {signature.function}" if signature.function else "main graph"
    pairs = (f"{name} is {value}" for name, value in (*signature.inputs, *signature.outputs))
    return "\n".join((f"{_names(inputs)} → {_names(outputs)}, {runs}", *pairs))


def qualified(function: Function) -> str:
    """Name a function with its domain and, where it has one, its overload."""
    name = f"{function.domain}.{function.name}" if function.domain else function.name
    return f"{name} ({function.overload})" if function.overload else name


def function_text(function: Function) -> str:
    """Write a function with its body, a line for each layer."""
    opsets = [f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in function.opsets]
    lines = [
        f"{_names(function.inputs)} → {_names(function.outputs)}, "
        f"{plural(len(function.layers), 'layer')}",
        *([function.doc] if function.doc else []),
        *(_attribute(a.name, a.text, a.doc) for a in function.attributes),
        *([f"opsets {', '.join(opsets)}"] if opsets else []),
        *(f"{v.name} is {describe_value(v)}" for v in function.values[:_MOST_NAMES]),
        *_body(function.layers),
        *(f"{g.branch}: {graph_text(g)}" for g in function.graphs if g.layer is None),
        *_body(function.defaults),
        *(f"{key}: {value}" for key, value in function.metadata),
    ]
    return "\n".join(lines)


def describe_value(value: TensorInfo) -> str:
    """Return the type, description and metadata of a tensor as text."""
    shape = f" {shape_in_words(value.shape)}" if value.kind.endswith("tensor") else ""
    meaning = f" ({value.denotation})" if value.denotation else ""
    first = (value.full_type or f"{value.dtype}{shape}") + meaning
    parts = (first, value.doc, _pairs(value.metadata))
    return "\n".join(part for part in parts if part)


def _described(model: Model) -> Iterable[tuple[str, str]]:
    """Yield the values of which the file says more than type and shape."""
    values = (*model.inputs, *model.defaults, *model.outputs, *model.values)
    described_values = (v for v in values if v.doc or v.metadata or v.full_type)
    return (
        (value.name, describe_value(value)) for value in islice(described_values, _MOST_ENTRIES)
    )


def _inner_graphs(model: Model) -> Iterable[tuple[str, str]]:
    """Yield the graphs inside layers of which the file says more than what is in them."""
    described_graphs = (g for g in model.graphs if g.doc or g.metadata or g.annotations)
    for graph in islice(described_graphs, _MOST_ENTRIES):
        label = "" if graph.layer is None else model.layers[graph.layer].label
        yield f"{label} · {graph.branch}", graph_text(graph)


def graph_text(graph: InnerGraph) -> str:
    """Write a graph inside a layer: what goes in and out, and what the file says of it."""
    ins, outs = ([value.name for value in values] for values in (graph.inputs, graph.outputs))
    lines = [
        f"{graph.name}: {_names(ins)} → {_names(outs)}",
        *([graph.doc] if graph.doc else []),
        *(_quantised(annotation) for annotation in graph.annotations),
        *(f"{key}: {value}" for key, value in graph.metadata),
    ]
    return "\n".join(lines)


def _quantised(annotation: Annotation) -> str:
    return f"{annotation.value} is quantized with {_pairs(annotation.parameters)}"


def _attribute(name: str, default: str, doc: str) -> str:
    text = f"attribute {name} = {default}" if default else f"attribute {name}"
    return f"{text} ({doc})" if doc else text


def _body(layers: Sequence[Layer]) -> list[str]:
    lines = [f"{_call(layer)} → {_names(layer.outputs)}" for layer in layers[:_MOST_LINES]]
    more = len(layers) - len(lines)
    return lines + ([Sentence("and {more} more", Count(more))] if more > 0 else [])


def _call(layer: Layer) -> str:
    attributes = (f"{a.name}={a.text}" for a in layer.attributes)
    return f"{layer.operator}({', '.join((*layer.inputs, *attributes))})"


def _training(training: Training) -> str:
    states = counted(len(training.updates), "state")
    lines = [
        f"{plural(len(training.algorithm), 'layer')} per step, {states}, "
        f"{plural(len(training.initialization), 'layer')} for initialization",
        *(f"{state} starts as {value}" for state, value in training.bindings),
        *(f"{state} becomes {value}" for state, value in training.updates),
        *(f"{graph.branch}: {graph_text(graph)}" for graph in training.graphs[:2]),
        *_body(training.initialization),
        *_body(training.algorithm),
    ]
    return "\n".join(lines[:_MOST_LINES])


def _numbered(texts: Iterable[str]) -> Iterable[tuple[str, str]]:
    return ((f"Part {number}", text) for number, text in enumerate(texts, 1))


def _configurations(model: Model) -> Iterable[tuple[str, str]]:
    """Yield those that the file declares, then others that its nodes name."""
    requests: dict[str, list[str]] = {}
    placements = map(attrgetter("placement"), model.layers)
    for layer in compress(model.layers, placements):  # of 100,000, few ask
        for name, sharding in layer.placement:
            requests.setdefault(name, []).append(f"{layer.label}: {sharding}")
    for configuration in model.configurations:
        yield (
            configuration.name,
            _asking(_devices(configuration), requests.get(configuration.name, [])),
        )
    declared = {one.name for one in model.configurations}
    for name in islice(sorted(requests.keys() - declared), _MOST_ENTRIES):
        yield name, _asking("not declared in the file", requests[name])


def _devices(configuration: DeviceConfiguration) -> str:
    devices = f" ({_names(configuration.devices)})" if configuration.devices else ""
    return f"{plural(configuration.number, 'device')}{devices}"


def _asking(first: str, lines: list[str]) -> str:
    requested_by = f", requested by {plural(len(lines), 'layer')}" if lines else ""
    return "\n".join([first + requested_by, *lines[:_MOST_LINES]])


def _pairs(pairs: Texts) -> str:
    return ", ".join(f"{key} = {value}" for key, value in pairs)


def _names(names: Sequence[str]) -> str:
    more = f", … ({len(names):,})" if len(names) > _MOST_NAMES else ""
    return (", ".join(names[:_MOST_NAMES]) or "nothing") + more
