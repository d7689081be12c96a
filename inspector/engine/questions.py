"""What a measurement leaves open: how its layers relate to devices that did not run them.

Asked in a process of its own, after the measurement: a crash of a driver loses an answer, never
the report.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector import readers
from inspector.engine import devices, placement, tables
from inspector.engine.naming import rename
from inspector.engine.placement import Answers
from inspector.engine.tensor_types import described, is_exact
from inspector.engine.typed_graphs import typed_graphs
from inspector.report import RunSpec

Shapes = Mapping[str, tuple[int, ...]]


def answer(
    model: Path, spec: RunSpec, shapes: Shapes, asked: Mapping[str, Sequence[int]]
) -> dict[str, Answers]:
    """Ask the devices, and the tables for `spec.predict`; runs in an engine process.

    shapes: of the inputs that the model was run with. Raises BadInput, EngineFailed,
    UnreadableFile.
    """
    renamed, naming = rename(readers.skeleton(model))
    graphs = typed_graphs(renamed, spec, {}, readers.home(model))
    free = any(shape and not is_exact(graphs[0].types.get(n)) for n, shape in shapes.items())
    fixed = typed_graphs(renamed, spec, shapes, readers.home(model)) if free else graphs
    question = placement.Question(renamed, graphs, fixed, spec, readers.home(model))
    found = placement.ask(question, asked, devices.resolve(asked))
    if spec.predict:
        values = {
            naming.tensor(name): described(naming.tensor(name), kind)
            for graph in reversed(graphs)
            for name, kind in graph.types.items()
        }
        predicted = tables.predict(readers.open_model(model), spec.predict, values)
        found |= {name: dict(enumerate(said)) for name, said in predicted.items()}
    return found
