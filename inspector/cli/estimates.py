"""The estimate of a model's cost on the terminal, and the options that fix its axes."""

import sys
from collections.abc import Mapping
from pathlib import Path

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.app.estimates import cost_at
from inspector.backends.values import Progress as Step
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.model.model import Model
from inspector.preview.inputs.default_values import fixed_lengths

_MOST_AXES = 4  # that a hint names


def estimated(model: Model, path: Path, lengths: Mapping[str, int], engine: Engine) -> Estimate:
    """Return the cost of a model, and show that it is worked out."""
    with Progress(sys.stderr) as progress:
        progress.show(Step("shapes and cost", -1))
        return cost_at(engine, path, model, lengths)


def fixing(model: Model, given: Mapping[str, int]) -> str:
    """Return the options that fix the dynamic axes, those not `given` at usual lengths."""
    shown = list({**fixed_lengths(model.inputs), **given}.items())[:_MOST_AXES]
    return " ".join(f"--dim {_quoted(units.clip(name, 60))}={length}" for name, length in shown)


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"
