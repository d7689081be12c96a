"""What is estimated of a model that is not run: shapes and types of values, and cost."""

from collections.abc import Mapping
from pathlib import Path

from inspector.analysis.cost.estimate import Estimate, estimate
from inspector.analysis.facts.shapes import Shapes, allowed_seconds, declared
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model, TensorInfo
from inspector.preview.inputs import default_values
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

    return estimate(model, infer, usual_lengths(model, lengths))


def usual_lengths(model: Model, lengths: Mapping[str, int]) -> dict[str, int]:
    """Return lengths of free axes and usual ones that a cost is estimated for.

    An estimate is for a text, not for the one token that a prediction takes by default: the
    length of a mask over the cache and the text follows.
    """
    text = default_values.text_lengths(model.inputs)
    return default_values.lengths(model.inputs, {**text, **lengths})
