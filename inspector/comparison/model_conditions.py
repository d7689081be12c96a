"""Conditions on one model, for `inspector info --fail-if`: "model.size>100MB", "opset<13"."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from inspector import units
from inspector.comparison.ci_conditions import Condition, Finding, Outcome, read_condition
from inspector.model.axes import named_axes
from inspector.model.model import Model
from inspector.wording.values import counted

_EXAMPLES = "Use a condition such as 'model.size>100MB', 'opset<13' or 'operators.Loop>0'."
_OPERATOR = "operators."


class _Metric(Struct, frozen=True):
    """A number of a model. unit: a key of the units of conditions; None for counts."""

    value: Callable[[Model], float]
    unit: str | None = None


def _opset(model: Model) -> float:
    return max((o.version for o in model.opsets if o.domain in ("", "ai.onnx")), default=0)


def _weight_bytes(model: Model) -> float:
    return sum(weight.size_bytes or 0 for weight in model.weights)


def _external_files(model: Model) -> float:
    return len({w.place.file for w in model.weights if w.place is not None and w.place.file})


_METRICS = {
    "model.size": _Metric(lambda model: model.whole_bytes, "bytes"),
    "model.parameters": _Metric(lambda model: model.parameters),
    "weights.size": _Metric(_weight_bytes, "bytes"),
    "external.files": _Metric(_external_files),
    "layers": _Metric(lambda model: len(model.layers)),
    "inputs": _Metric(lambda model: len(model.inputs)),
    "outputs": _Metric(lambda model: len(model.outputs)),
    "axes.dynamic": _Metric(lambda model: len(named_axes(model.inputs))),
    "opset": _Metric(_opset),
    "ir": _Metric(lambda model: model.ir_version or 0),
    "findings": _Metric(lambda model: len(model.findings)),
}
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
    return tuple(_outcomes(conditions, model, name))


def _outcomes(conditions: Sequence[Condition], model: Model, name: str) -> Iterator[Finding]:
    for condition in conditions:
        metric = _METRICS.get(condition.subject)
        if metric is None:
            operator = condition.subject.removeprefix(_OPERATOR)
            value = float(sum(layer.operator == operator for layer in model.layers))
            text: str = counted(int(value), f"{operator} layer")
        else:
            value = metric.value(model)
            text = units.size(int(value)) if metric.unit == "bytes" else f"{value:,.0f}"
        holds = Outcome.HOLDS if condition.true_of(value) else Outcome.FAILS
        yield Finding(condition, name, holds, text)
