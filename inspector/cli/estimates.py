"""The cost of a model for a table, from shapes that an engine infers."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.analysis.cost.estimate import Estimate
    from inspector.analysis.facts.shapes import Shapes
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import Model


def estimated(
    model: "Model", path: Path, lengths: Mapping[str, int], engine: "EngineProcess"
) -> "Estimate":
    """Return the cost from shapes that an engine infers; what it cannot do becomes a note."""
    from inspector.analysis.cost.estimate import estimate
    from inspector.analysis.facts.shapes import allowed_seconds
    from inspector.backends.values import Progress as Step
    from inspector.cli.progress import Progress
    from inspector.preview.inputs.default_values import lengths as usual_lengths
    from inspector.report.run_spec import Dimension

    def infer(given: Mapping[str, int]) -> "Shapes":
        dimensions = tuple(Dimension(*each) for each in given.items())
        return engine.shapes(path, dimensions, allowed_seconds(model))

    with Progress(sys.stderr) as progress:
        progress.show(Step("shapes and cost", -1))
        return estimate(model, infer, usual_lengths(model.inputs, lengths))
