"""Predict with a second configuration: another level, device or model, or the reference."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from inspector.backends.array_files import Feed
from inspector.engine.client.engine_process import EngineProcess
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import RunSpec
from inspector.tensors.prediction import Prediction

Once = Callable[[Mapping[str, Feed]], Prediction]


def second_prediction(engine: EngineProcess, model: Path, spec: RunSpec, run: OtherRun) -> Once:
    """Return what predicts once in another run; what `run` does not name is as in `spec`."""
    if run.reference:
        return lambda feeds: engine.reference(model, feeds)
    other = run.spec(spec)
    if not run.model:
        return lambda feeds: engine.predict(model, other, feeds)
    other = replace(other, on_cpu=())  # layers of the first model
    return lambda feeds: engine.predict(Path(run.model), other, feeds)
