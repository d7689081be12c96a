"""Conditions on one model, for `inspector info --fail-if`: "model.size>100MB", "opset<13"."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from inspector import units
from inspector.comparison.ci_conditions import Condition, Finding, read_condition
from inspector.model.axes import named_axes
from inspector.model.model import Model
from inspector.wording.values import counted

_EXAMPLES = "Use a condition such as 'model.size>100MB', 'opset<13' or 'operators.Loop>0'."
_OPERATOR = "operators."


class _Metric(Struct, frozen=True):
    """A number of a model. unit: a key of the units of conditions; None for counts."""

    value: Callable[[Model], float]
    unit: str | None = None


_METRICS = {
    "model.size": _Metric(lambda model: model.whole_bytes, "bytes"),
    "model.parameters": _Metric(lambda model: model.parameters),
    "weights.size": _Metric(lambda m: sum(w.size_bytes or 0 for w in m.weights), "bytes"),
    "external.files": _Metric(
        lambda model: len({w.place.file for w in model.weights if w.place and w.place.file})
    ),
    "layers": _Metric(lambda model: len(model.layers)),
    "inputs": _Metric(lambda model: len(model.inputs)),
    "outputs": _Metric(lambda model: len(model.outputs)),
    "axes.dynamic": _Metric(lambda model: len(named_axes(model.inputs))),
    "opset": _Metric(lambda model: max(
        (o.version for o in model.opsets if o.domain in ("", "ai.onnx")), default=0
    )),
    "ir": _Metric(lambda model: model.ir_version or 0),
    "findings": _Metric(lambda model: len(model.findings)),
}  # fmt: skip
METRICS = (*_METRICS, f"{_OPERATOR}NAME")


def parse(text: str) -> Condition:
    """Read a condition on a model. Raises BadInput: not understood, and what would be."""
    known = {name: metric.unit for name, metric in _METRICS.items()}
    subject = text.strip().split("<")[0].split(">")[0].strip()
    if subject.startswith(_OPERATOR) and subject != _OPERATOR:
        known[subject] = None
    return read_condition(text, known, (), METRICS, {}, _EXAMPLES)


def outcomes(conditions: Sequence[Condition], model: Model, name: str) -> tuple[Finding, ...]:
    """Return the outcome of each condition. name: of the model, where there are several."""
    return tuple(_finding(condition, model, name) for condition in conditions)


def _finding(condition: Condition, model: Model, name: str) -> Finding:
    metric = _METRICS.get(condition.subject)
    if metric is None:
        operator = condition.subject.removeprefix(_OPERATOR)
        value = float(sum(layer.operator == operator for layer in model.layers))
        text: str = counted(int(value), f"{operator} layer")
    else:
        value = metric.value(model)
        text = units.size(int(value)) if metric.unit == "bytes" else f"{value:,.0f}"
    return Finding(condition, name, condition.outcome(value), text)
