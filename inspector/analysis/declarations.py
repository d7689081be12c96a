"""What a file declares beside its graph, as names and texts: functions, training, ..."""

from collections.abc import Iterable, Sequence

from inspector.model import DeviceConfiguration, Function, Layer, Model, Training
from inspector.units import plural

Texts = tuple[tuple[str, str], ...]

_MOST_LINES = 200
_MOST_NAMES = 12


def declarations(model: Model) -> tuple[tuple[str, Texts], ...]:
    """Return (title, entries) of what there is; the first line of a text says the most."""
    found = (
        ("Functions", tuple((qualified(f), function_text(f)) for f in model.functions)),
        ("Training", tuple(_numbered(map(_training, model.training)))),
        ("Quantised values", tuple((a.value, _pairs(a.parameters)) for a in model.annotations)),
        (
            "Device configurations",
            tuple(_configuration(model, c) for c in model.configurations),
        ),
    )
    return tuple((title, texts) for title, texts in found if texts)


def qualified(function: Function) -> str:
    """Name a function with its domain and, where it has one, its overload."""
    name = f"{function.domain}.{function.name}" if function.domain else function.name
    return f"{name} ({function.overload})" if function.overload else name


def function_text(function: Function) -> str:
    """Write a function with its body, a line for each layer."""
    lines = [
        f"{_names(function.inputs)} → {_names(function.outputs)}, "
        f"{plural(len(function.layers), 'layer')}",
        *([function.doc] if function.doc else []),
        *(_attribute(a.name, a.text) for a in function.attributes),
        *_body(function.layers),
        *(f"{key}: {value}" for key, value in function.metadata),
    ]
    return "\n".join(lines)


def _attribute(name: str, default: str) -> str:
    return f"attribute {name} = {default}" if default else f"attribute {name}"


def _body(layers: Sequence[Layer]) -> list[str]:
    lines = [f"{_call(layer)} → {_names(layer.outputs)}" for layer in layers[:_MOST_LINES]]
    more = len(layers) - len(lines)
    return lines + ([f"and {more:,} more"] if more > 0 else [])


def _call(layer: Layer) -> str:
    attributes = (f"{a.name}={a.text}" for a in layer.attributes)
    return f"{layer.operator}({', '.join((*layer.inputs, *attributes))})"


def _training(training: Training) -> str:
    states = plural(len(training.updates), "state")
    lines = [
        f"{plural(len(training.algorithm), 'layer')} a step, {states}, "
        f"{plural(len(training.initialization), 'layer')} to begin with",
        *(f"{state} begins as {value}" for state, value in training.bindings),
        *(f"{state} becomes {value}" for state, value in training.updates),
        *_body(training.algorithm),
    ]
    return "\n".join(lines[:_MOST_LINES])


def _numbered(texts: Iterable[str]) -> Iterable[tuple[str, str]]:
    return ((f"Part {number}", text) for number, text in enumerate(texts, 1))


def _configuration(model: Model, configuration: DeviceConfiguration) -> tuple[str, str]:
    asked = [
        f"{layer.label}: {words}"
        for layer in model.layers
        for name, words in layer.placement
        if name == configuration.name
    ]
    devices = f" ({_names(configuration.devices)})" if configuration.devices else ""
    first = f"{plural(configuration.number, 'device')}{devices}"
    by = f", asked for by {plural(len(asked), 'layer')}" if asked else ""
    return configuration.name, "\n".join([first + by, *asked[:_MOST_LINES]])


def _pairs(pairs: Texts) -> str:
    return ", ".join(f"{key} = {value}" for key, value in pairs)


def _names(names: Sequence[str]) -> str:
    more = f", … ({len(names):,})" if len(names) > _MOST_NAMES else ""
    return (", ".join(names[:_MOST_NAMES]) or "nothing") + more
