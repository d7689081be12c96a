"""Inputs with which a model runs: usual ones, or others where the runtime fails with them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from inspector.engine.client.engine_process import EngineProcess
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import Prediction
from inspector.preview.inputs.feeds import Filled, feeds_by_name
from inspector.preview.inputs.guessed_axes import Guessed, first_that_runs
from inspector.report.run_spec import RunSpec

Inputs = tuple[Filled, ...]


def inputs_that_run(
    engine: EngineProcess,
    path: Path,
    spec: RunSpec,
    fill: Callable[[Mapping[str, int]], Inputs],
    inputs: Sequence[TensorInfo],
    sizes: Mapping[str, int],
) -> Guessed[Inputs, Prediction]:
    """Return values of inputs with which an engine runs a model, and the sizes it guessed.

    fill: makes the values for sizes of dynamic axes, by name. sizes: those that were given.
    Raises InspectorError: the model runs with none.
    """

    def run(filled: Inputs) -> Prediction:
        return engine.predict(path, spec, feeds_by_name(filled))

    return first_that_runs(fill, run, inputs, sizes)
