"""What is estimated of a model that is not run: shapes and types of values, and cost."""

from collections.abc import Mapping
from pathlib import Path

from inspector.analysis.cost.estimate import Estimate, estimate
from inspector.analysis.facts.shapes import Shapes, allowed_seconds, declared
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model, TensorInfo
from inspector.preview.inputs.default_values import lengths as usual_lengths
from inspector.report.run_spec import Dimension


def shapes_at(engine: Engine, path: Path, model: Model, lengths: Mapping[str, int]) -> Shapes:
    """Infer types and shapes of all values. lengths: of free axes, by name.

    Raises InspectorError: inference failed.
    """
    dimensions = tuple(Dimension(*each) for each in lengths.items())
    return engine.shapes(path, dimensions, allowed_seconds(model))


def values_at(
    engine: Engine, path: Path, model: Model, lengths: Mapping[str, int]
) -> dict[str, TensorInfo]:
    """Return all values by name: inferred where possible, else those that the file states.

    Raises Cancelled.
    """
    try:
        values = shapes_at(engine, path, model, lengths).values
    except Cancelled:
        raise
    except InspectorError:
        values = declared(model).values
    return {value.name: value for value in values}


def cost_at(engine: Engine, path: Path, model: Model, lengths: Mapping[str, int]) -> Estimate:
    """Return the cost from inferred shapes; what cannot be inferred becomes a note.

    lengths: of free axes; the others get usual ones.
    """

    def infer(given: Mapping[str, int]) -> Shapes:
        return shapes_at(engine, path, model, given)

    return estimate(model, infer, usual_lengths(model.inputs, lengths))
