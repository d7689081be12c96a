"""The text and JSON of `inspector info --estimate`, `--validate` and `--find`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from inspector import units
from inspector.analysis.devices.support_summary import DeviceSupport, Refusal, summarised
from inspector.analysis.facts.shapes import allowed_seconds
from inspector.analysis.layer_search import HINT, FoundLayers, ValueInfo
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.engine.client.engine_process import EngineProcess, Limits
from inspector.errors import BadInput, InspectorError
from inspector.model.display_names import fit_name
from inspector.model.model import Model, TensorInfo
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.report.compatibility import PROGRAMS, CompatibilityResult, Outcome, summarize
from inspector.report.run_spec import Dimension

_INDENT, _FEWEST_COLUMNS = " " * 11, 40
_LONGEST_OPERATOR, _LONGEST_SHAPES, _SHORTEST_NAME = 32, 48, 24
_MOST_REFUSALS, _MOST_AXES, _MOST_OPERATORS = 12, 4, 3


def requested_devices(text: str, model: Model) -> tuple[str, ...]:
    """Read "cuda,coreml" or "all". Raises BadInput: there is no table for one of them."""
    known = absent_devices.known_for(model)
    names = known if text == "all" else tuple(filter(None, text.split(",")))
    if not names:
        raise BadInput(
            "Could not use --estimate", "no device is given", f"Choose from {', '.join(known)}."
        )
    for name in names:
        absent_devices.device(name)
    return tuple(dict.fromkeys(names))


def supports(
    model: Model,
    path: Path,
    devices: Sequence[str],
    lengths: dict[str, int],
    engine: EngineProcess,
) -> tuple[DeviceSupport, ...]:
    """Return the estimated support of each device. lengths: sizes of dynamic axes."""
    values = known_values(model, path, lengths, engine)
    answers = absent_devices.predict(
        model, devices, values, absent_devices.small_weights(model, path)
    )
    operators = [layer.operator for layer in model.layers]
    return tuple(
        summarised(absent_devices.device(name), operators, support)
        for name, support in answers.items()
    )


def known_values(
    model: Model, path: Path, lengths: Mapping[str, int], engine: EngineProcess
) -> dict[str, TensorInfo]:
    """Return types and shapes of the values of a model by name, inferred where possible."""
    try:
        dimensions = tuple(Dimension(*each) for each in lengths.items())
        values = engine.shapes(path, dimensions, allowed_seconds(model)).values
    except InspectorError:  # use the types and shapes that the file states
        values = (*model.values, *model.inputs, *model.outputs)
    return {value.name: value for value in values}


def lines(model: Model, results: Sequence[DeviceSupport], columns: int) -> Iterator[str]:
    """Yield each device with the layers that it does not support."""
    for support in results:
        device = support.device
        yield ""
        yield f"{device.name}: {support.summary}"
        yield f"  estimated from a {device.source}"
        yield f"  assumes {absent_devices.table(device.id).assumes}"
        yield from _reasons("Not supported", support.refusals, columns)
        yield from _reasons("Unknown", support.unknowns, columns)
    blocked = max((support.axes_in_the_way for support in results), default=0)
    if blocked and fixing(model, {}):
        are = "layer is" if blocked == 1 else "layers are"
        yield ""
        yield (
            f"hint: {blocked:,} {are} not supported because of dynamic axes; try "
            f"{fixing(model, {})}"
        )


def _reasons(title: str, reasons: Sequence[Refusal], columns: int) -> Iterator[str]:
    """Yield each reason with its operators and the number of layers."""
    grouped: dict[str, list[Refusal]] = defaultdict(list)
    for reason in reasons:
        grouped[reason.reason].append(reason)
    ordered = sorted(grouped.items(), key=lambda pair: -DeviceSupport.layers_of(pair[1]))
    for text, own in ordered[:_MOST_REFUSALS]:
        names = [units.clip(reason.operator, 40) for reason in own[:_MOST_OPERATORS]]
        more = len(own) - len(names)
        rest = f" and {units.plural(more, 'more operator')}" if more else ""
        operators = ", ".join(names) + rest
        line = f"{title}: {units.clip(text, 300)}"
        lead = f"  {DeviceSupport.layers_of(own):>6,} × "
        yield from wrap(
            line, max(_FEWEST_COLUMNS, columns), initial_indent=lead, subsequent_indent=_INDENT
        )
        yield f"{_INDENT}{operators}"
    if len(ordered) > _MOST_REFUSALS:
        yield f"  and {len(ordered) - _MOST_REFUSALS:,} more reasons: {title.lower()}"


def fixing(model: Model, given: Mapping[str, int]) -> str:
    """Return the options that fix the dynamic axes, those not `given` at usual lengths."""
    shown = list({**fixed_lengths(model.inputs), **given}.items())[:_MOST_AXES]
    return " ".join(f"--dim {_quoted(units.clip(name, 60))}={length}" for name, length in shown)


def as_plain(results: Sequence[DeviceSupport]) -> dict[str, Any]:
    """Return the value of `devices` in model/1."""
    return {
        support.device.id: {
            "source": support.device.source,
            "assumes": absent_devices.table(support.device.id).assumes,
            "layers": support.layers,
            "taken": support.supported_layers,
            "marks": {mark.value: number for mark, number in support.marks},
            "refusals": [
                {
                    "operator": refusal.operator,
                    "rule": refusal.rule.value,
                    "reason": refusal.reason,
                    "layers": refusal.layers,
                }
                for refusal in support.refusals
            ],
            "unknown": [
                {
                    "operator": unknown.operator,
                    "reason": unknown.reason,
                    "layers": unknown.layers,
                }
                for unknown in support.unknowns
            ],
        }
        for support in results
    }


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"


_NAME, _WHY_INDENT = 30, 4


def check_compatibility(
    path: Path, limits: Limits, libraries: Sequence[str] = ()
) -> tuple[CompatibilityResult, ...]:
    """Load the file with each program, in an engine process of its own.

    libraries: with custom operators, for the runtime.
    """
    with EngineProcess(limits=limits) as engine:
        return tuple(engine.verdict(path, program, libraries=libraries) for program in PROGRAMS)


def compatibility_lines(verdicts: Sequence[CompatibilityResult], columns: int) -> Iterator[str]:
    """Yield a line for each program, with the reason if it failed."""
    yield "Compatibility"
    for verdict in verdicts:
        name = f"{verdict.program} {verdict.version}".strip()
        took = units.duration(verdict.took_ns) if verdict.outcome is Outcome.OPENS else ""
        yield f"  {name:{_NAME}}{verdict.outcome.value:<12}{took}".rstrip()
        for line in wrap(units.clip(verdict.why), columns - _WHY_INDENT):
            yield " " * _WHY_INDENT + line
    yield from (f"  {line}" for line in wrap(summarize(verdicts), columns - 2))


def compatibility_json(verdicts: Sequence[CompatibilityResult]) -> list[dict[str, Any]]:
    """Return `verdicts` of schema model/1."""
    return [
        {
            "program": verdict.program,
            "version": verdict.version or None,
            "outcome": verdict.outcome.value,
            "why": verdict.why,
            "took_ns": verdict.took_ns,
        }
        for verdict in verdicts
    ]


# The layers that --find lists.


def found_lines(name: str, result: FoundLayers, columns: int) -> Iterator[str]:
    """Yield how many layers fit, and one line for each: number, name, operator, outputs."""
    many = f"{len(result.layers):,} of {units.plural(result.total, 'layer')}"
    yield f"{units.clip(name, 80)}: {many} match {units.clip(result.expression, 80)}"
    if not result.layers:
        yield f"  {HINT}."
        return
    operators = [units.clip(layer.operator, _LONGEST_OPERATOR) for layer in result.layers]
    shapes = [", ".join(map(_typed, outputs)) for outputs in result.outputs]
    number = max(len(str(layer.index)) for layer in result.layers)
    operator = max(map(len, operators))
    shape = min(max(map(len, shapes)), _LONGEST_SHAPES)
    width = max(_SHORTEST_NAME, columns - number - operator - shape - 8)
    fitted = (fit_name(units.clip(layer.label, 300), width, len) for layer in result.layers)
    names = ["/".join(filter(None, parts)) for parts in fitted]
    width = max(map(len, names))
    for layer, text, kind, types in zip(result.layers, names, operators, shapes, strict=True):
        line = f"  {layer.index:>{number}}  {text:<{width}}  {kind:<{operator}}  {types}"
        yield line.rstrip()


def _typed(value: ValueInfo) -> str:
    return f"{units.clip(value.dtype, 40)} {units.shape(value.shape)}"


def found_json(result: FoundLayers) -> dict[str, Any]:
    """Return the field `result` of schema model/1."""
    return {
        "expression": result.expression,
        "total": result.total,
        "layers": [
            {
                "index": layer.index,
                "name": layer.label,
                "operator": layer.operator,
                "domain": layer.domain,
                "inputs": list(layer.inputs),
                "outputs": list(layer.outputs),
                "types": [
                    {
                        "name": value.name,
                        "dtype": value.dtype,
                        "shape": None if value.shape is None else list(value.shape),
                    }
                    for value in outputs
                ],
            }
            for layer, outputs in zip(result.layers, result.outputs, strict=True)
        ],
    }
