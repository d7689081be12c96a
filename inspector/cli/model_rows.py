"""Rows of the table of models: what `info` and `measure` say of each of many models."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.render.model_table import ModelRow

if TYPE_CHECKING:
    from inspector.analysis.cost.estimate import Estimate
    from inspector.analysis.devices.support_summary import DeviceSupport
    from inspector.analysis.facts.shapes import Shapes
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import Model


def model_row(
    path: Path,
    model: "Model",
    sha256: str,
    estimate: "Estimate | None",
    p50_ns: int | None,
    support: "Sequence[DeviceSupport]" = (),
) -> ModelRow:
    """Return the row of a model. path: how the user named it."""
    from inspector.analysis.facts.model_facts import storage
    from inspector.preview.identity import identify

    stored, identity = storage(model.weights), identify(model)
    unknown = estimate is None or estimate.macs_formula is None
    return ModelRow(
        str(path),
        model.size_bytes,
        model.parameters,
        None if estimate is None or unknown else estimate.macs,
        len(model.layers),
        stored[0][0] if stored else "",
        next((opset.version for opset in model.opsets if not opset.domain), None),
        identity.headline if identity.known else "",
        p50_ns,
        sha256,
        support="; ".join(f"{s.device.id} {s.supported_layers}/{s.layers}" for s in support),
    )


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
