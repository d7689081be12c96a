"""What a measurement leaves open: how its layers relate to devices that did not run them.

Asked in a process of its own, after the measurement: a crash of a driver loses an answer, never
the report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.backends.onnxruntime.graphs.tensor_types import described, is_exact, typed_graphs
from inspector.backends.onnxruntime.placement import absent_devices, placement
from inspector.backends.onnxruntime.placement.placement import Answers
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.report.report import Support
from inspector.report.run_spec import RunSpec
from inspector.report.support_marks import Mark

Shapes = Mapping[str, tuple[int, ...]]


def answer_support_query(
    model: Path, spec: RunSpec, shapes: Shapes, asked: Mapping[str, Sequence[int]]
) -> dict[str, Answers]:
    """Ask the devices, and for `spec.predict` those that are here, or else their tables.

    Runs in an engine process.

    shapes: of the inputs that the model was run with. Raises BadInput, EngineFailed,
    UnreadableFile.
    """
    renamed, naming = rename(opening.skeleton(model))
    graphs = typed_graphs(renamed, spec, {}, opening.home(model))
    free = any(shape and not is_exact(graphs[0].types.get(n)) for n, shape in shapes.items())
    fixed = typed_graphs(renamed, spec, shapes, opening.home(model)) if free else graphs
    question = placement.PlacementQuery(renamed, graphs, fixed, spec, opening.home(model))
    found = placement.query_devices(question, asked, devices.resolve(asked))
    absent = []
    for name in spec.predict:
        unit = _present_device(name)
        if unit is None:
            absent.append(name)
        else:
            found[name] = placement.query_unused_device(question, unit)
    puzzling = {
        device: kind for device in found if (kind := _unexplained_kind(device, found[device]))
    }
    if absent or puzzling:
        values = {
            naming.tensor(name): described(naming.tensor(name), kind)
            for graph in reversed(graphs)
            for name, kind in graph.types.items()
        }
        wanted = dict.fromkeys((*absent, *puzzling.values()))
        opened = opening.open_model(model)
        weights = absent_devices.small_weights(opened, model)
        predicted = absent_devices.predict(opened, wanted, values, weights)
        for device, kind in puzzling.items():
            found[device] = with_table_reasons(found[device], predicted[kind])
        found |= {name: dict(enumerate(predicted[name])) for name in absent}
    return found


def _present_device(name: str) -> DeviceHandle | None:
    """Find a device that a table is of, where this machine has it after all."""
    try:
        return next(iter(devices.resolve([name])))
    except InspectorError:
        return None


def _unexplained_kind(device: str, answers: Answers) -> str:
    """Name the table that may say why a device refuses what it gives no reason for."""
    kind = device.partition(":")[0]
    silent = any(a.mark is Mark.UNSUPPORTED and not a.rule for a in answers.values())
    return kind if silent and kind in absent_devices.KNOWN else ""


def with_table_reasons(answers: Answers, table: Sequence[Support]) -> Answers:
    """Take the rule from the table where a device refuses without a reason of its own."""
    found = {}
    for layer, answer in answers.items():
        told = table[layer]
        if answer.mark is Mark.UNSUPPORTED and not answer.rule and told.rule:
            why = f"{answer.reason} What is published may say why: {told.reason}"
            answer = replace(answer, rule=told.rule, reason=why)
        found[layer] = answer
    return found
