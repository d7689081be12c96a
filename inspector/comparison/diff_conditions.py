"""Conditions on the differences between two models: "weights.changed>0", "model.size>+10%"."""

from collections.abc import Callable, Iterator, Sequence
from math import inf

from msgspec import Struct

from inspector import units
from inspector.comparison.ci_conditions import Condition, Finding, Form, Outcome, read_condition
from inspector.comparison.model_changes import Change, ModelDiff
from inspector.model.model import Model
from inspector.wording.values import counted

_EXAMPLES = (
    "Use a condition such as 'weights.changed>0', 'layers.added>0' or 'model.size>+10%'."
)

# Names for people; the others are those of JSON.
_ALIASES = {
    f"{kind}.{shown}": f"{kind}.{stored}"
    for kind in ("layers", "weights")
    for shown, stored in (("added", "new"), ("removed", "gone"))
}


class _Count(Struct, frozen=True):
    """A number of things that differ. of_values: known only where weights could be read."""

    value: Callable[[ModelDiff], float | None]
    noun: str
    unit: str | None = None
    of_values: bool = False


class _Size(Struct, frozen=True):
    """A number of each model, whose change can be a condition."""

    value: Callable[[Model], int]
    unit: str


def _layers(state: str) -> _Count:
    return _Count(lambda diff: diff.counts[state], "layer")


def _weights(state: str, of_values: bool = False) -> _Count:
    return _Count(lambda diff: diff.weight_counts[state], "weight", None, of_values)


def _inside(kind: str, noun: str) -> _Count:
    return _Count(lambda diff: diff.layer_changes(kind), noun)


def _properties(kind: str, noun: str) -> _Count:
    return _Count(lambda diff: sum(c.kind == kind for c in diff.properties), noun)


def _worst(
    pick: Callable[[list[float]], float], name: str
) -> Callable[[ModelDiff], float | None]:
    def value(diff: ModelDiff) -> float | None:
        differences = [w.difference for w in diff.weights if w.difference is not None]
        values = [getattr(difference, name) for difference in differences]
        known = [number for number in values if number is not None]
        if known:
            return pick(known)
        return inf if name == "sqnr_db" else 0.0  # nothing differs that could be compared

    return value


def _changes(pick: Callable[[ModelDiff], tuple[Change, ...]], noun: str) -> _Count:
    return _Count(lambda diff: len(pick(diff)), noun)


_METRICS: dict[str, _Count | _Size] = {
    "changes": _Count(lambda diff: diff.total, "change", None, True),
    "layers.new": _layers("new"),
    "layers.gone": _layers("gone"),
    "layers.changed": _Count(lambda diff: diff.counts["changed"], "layer", None, True),
    "layers.moved": _layers("moved"),
    "layers.renamed": _layers("renamed"),
    "operators.changed": _inside("operator", "operator"),
    "attributes.changed": _inside("attribute", "attribute"),
    "types.changed": _inside("type", "type"),
    "shapes.changed": _inside("shape", "shape"),
    "weights.new": _weights("new"),
    "weights.gone": _weights("gone"),
    "weights.changed": _weights("changed", of_values=True),
    "weights.renamed": _weights("renamed"),
    "weights.folded": _weights("folded"),
    "weights.max_abs": _Count(_worst(max, "max_abs"), "", "", True),
    "weights.sqnr": _Count(_worst(min, "sqnr_db"), "", "dB", True),
    "inputs.changed": _changes(lambda diff: diff.inputs, "input"),
    "outputs.changed": _changes(lambda diff: diff.outputs, "output"),
    "opsets.changed": _properties("opset", "opset"),
    "metadata.changed": _properties("metadata", "metadata entry"),
    "properties.changed": _changes(lambda diff: diff.properties, "model property"),
    "model.size": _Size(lambda model: model.whole_bytes, "bytes"),
    "model.parameters": _Size(lambda model: model.parameters, ""),
}
METRICS = tuple(_METRICS)
_SHOWN = (*_ALIASES, *(name for name in METRICS if name not in _ALIASES.values()))


def parse(text: str) -> Condition:
    """Read a condition on two models. Raises BadInput: not understood, and what would be."""
    metrics = {name: metric.unit for name, metric in _METRICS.items()}
    changing = {name for name, metric in _METRICS.items() if isinstance(metric, _Size)}
    return read_condition(text, metrics, changing, _SHOWN, _ALIASES, _EXAMPLES)


def outcomes(conditions: Sequence[Condition], diff: ModelDiff) -> tuple[Finding, ...]:
    """Return the outcome of each condition; inconclusive where values are unknown."""
    return tuple(_outcomes(conditions, diff))


def _outcomes(conditions: Sequence[Condition], diff: ModelDiff) -> Iterator[Finding]:
    for condition in conditions:
        metric = _METRICS[condition.subject]
        value, text = _value(condition, metric, diff)
        outcome = condition.outcome(value)
        if isinstance(metric, _Count) and metric.of_values and outcome is Outcome.FAILS:
            unknown = diff.weight_counts["unknown"]
            if not diff.values_compared and not diff.different_networks:
                outcome, text = Outcome.UNDECIDED, "weight values were not compared"
            elif unknown:
                weights = counted(unknown, "weight")
                outcome, text = Outcome.UNDECIDED, f"{text}; {weights} could not be read"
        yield Finding(condition, "B", outcome, text)


def _value(condition: Condition, metric: _Count | _Size, diff: ModelDiff) -> tuple[float, str]:
    if isinstance(metric, _Count):
        value = metric.value(diff) or 0.0
        if metric.noun:
            return value, counted(int(value), metric.noun)
        return value, f"{value:.4g} {metric.unit}".replace("inf", "∞").strip()
    before, after = metric.value(diff.first), metric.value(diff.other)
    write = units.size if metric.unit == "bytes" else units.count
    text = f"{write(before)} → {write(after)}"
    if condition.form is Form.SHARE:
        return after / max(1, before) - 1, text
    return (after - before if condition.form is Form.CHANGE else after), text
