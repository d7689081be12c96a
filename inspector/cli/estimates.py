"""What is estimated of a model that is not run: its cost, which layers devices support."""

import sys
from collections.abc import Mapping
from pathlib import Path

from inspector import units
from inspector.analysis.cost.estimate import Estimate, estimate
from inspector.analysis.facts.shapes import Shapes, allowed_seconds
from inspector.backends.values import Progress as Step
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import InspectorError
from inspector.model.model import Model, TensorInfo
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.preview.inputs.default_values import lengths as usual_lengths
from inspector.report.run_spec import Dimension

_MOST_AXES = 4  # that a hint names


def estimated(model: Model, path: Path, lengths: Mapping[str, int], engine: Engine) -> Estimate:
    """Return the cost from shapes that an engine infers; what it cannot do becomes a note."""

    def infer(given: Mapping[str, int]) -> Shapes:
        dimensions = tuple(Dimension(*each) for each in given.items())
        return engine.shapes(path, dimensions, allowed_seconds(model))

    with Progress(sys.stderr) as progress:
        progress.show(Step("shapes and cost", -1))
        return estimate(model, infer, usual_lengths(model.inputs, lengths))


def known_values(
    model: Model, path: Path, lengths: Mapping[str, int], engine: Engine
) -> dict[str, TensorInfo]:
    """Return types and shapes of the values of a model by name, inferred where possible."""
    try:
        dimensions = tuple(Dimension(*each) for each in lengths.items())
        values = engine.shapes(path, dimensions, allowed_seconds(model)).values
    except InspectorError:  # use the types and shapes that the file states
        values = (*model.values, *model.inputs, *model.outputs)
    return {value.name: value for value in values}


def fixing(model: Model, given: Mapping[str, int]) -> str:
    """Return the options that fix the dynamic axes, those not `given` at usual lengths."""
    shown = list({**fixed_lengths(model.inputs), **given}.items())[:_MOST_AXES]
    return " ".join(f"--dim {_quoted(units.clip(name, 60))}={length}" for name, length in shown)


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"
