"""What a measurement leaves open: how its layers relate to devices that did not run them.

Asked in a process of its own, after the measurement: a crash of a driver loses an answer, never
the report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from inspector import readers
from inspector.engine.graphs.naming import rename
from inspector.engine.graphs.tensor_types import described, is_exact
from inspector.engine.graphs.typed_graphs import typed_graphs
from inspector.engine.placing import placement, tables
from inspector.engine.placing.placement import Answers
from inspector.engine.sessions import devices
from inspector.engine.sessions.devices import Unit
from inspector.errors import InspectorError
from inspector.report import Mark, RunSpec, Support

Shapes = Mapping[str, tuple[int, ...]]


def answer(
    model: Path, spec: RunSpec, shapes: Shapes, asked: Mapping[str, Sequence[int]]
) -> dict[str, Answers]:
    """Ask the devices, and for `spec.predict` those that are here, or else their tables.

    Runs in an engine process.

    shapes: of the inputs that the model was run with. Raises BadInput, EngineFailed,
    UnreadableFile.
    """
    renamed, naming = rename(readers.skeleton(model))
    graphs = typed_graphs(renamed, spec, {}, readers.home(model))
    free = any(shape and not is_exact(graphs[0].types.get(n)) for n, shape in shapes.items())
    fixed = typed_graphs(renamed, spec, shapes, readers.home(model)) if free else graphs
    question = placement.Question(renamed, graphs, fixed, spec, readers.home(model))
    found = placement.ask(question, asked, devices.resolve(asked))
    absent = []
    for name in spec.predict:
        unit = _here(name)
        if unit is None:
            absent.append(name)
        else:
            found[name] = placement.ask_unasked(question, unit)
    puzzling = {device: kind for device in found if (kind := _untold(device, found[device]))}
    if absent or puzzling:
        values = {
            naming.tensor(name): described(naming.tensor(name), kind)
            for graph in reversed(graphs)
            for name, kind in graph.types.items()
        }
        wanted = dict.fromkeys((*absent, *puzzling.values()))
        opened = readers.open_model(model)
        weights = tables.small_weights(opened, model)
        predicted = tables.predict(opened, wanted, values, weights)
        for device, kind in puzzling.items():
            found[device] = explained(found[device], predicted[kind])
        found |= {name: dict(enumerate(predicted[name])) for name in absent}
    return found


def _here(name: str) -> Unit | None:
    """Find a device that a table is of, where this machine has it after all."""
    try:
        return next(iter(devices.resolve([name])))
    except InspectorError:
        return None


def _untold(device: str, answers: Answers) -> str:
    """Name the table that may say why a device refuses what it gives no reason for."""
    kind = device.partition(":")[0]
    silent = any(a.mark is Mark.UNSUPPORTED and not a.rule for a in answers.values())
    return kind if silent and kind in tables.KNOWN else ""


def explained(answers: Answers, table: Sequence[Support]) -> Answers:
    """Take the rule from the table where a device refuses without a reason of its own."""
    found = {}
    for layer, answer in answers.items():
        told = table[layer]
        if answer.mark is Mark.UNSUPPORTED and not answer.rule and told.rule:
            why = f"{answer.reason} What is published may say why: {told.reason}"
            answer = replace(answer, rule=told.rule, reason=why)
        found[layer] = answer
    return found
