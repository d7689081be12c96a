"""One model answered in another way: another level, device or model, or the reference."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from inspector.engine.handover import Fed
from inspector.engine.process import EngineProcess
from inspector.prediction import Prediction
from inspector.report import RunSpec

Once = Callable[[Mapping[str, Fed]], Prediction]


def other_way(engine: EngineProcess, model: Path, spec: RunSpec, kind: str, value: str) -> Once:
    """What predicts once in the other way.

    kind and value: "level" (one of the runtime's), "device" (an id), "model" (a path), or
    "reference", ONNX's own evaluator. All else is as in `spec`.
    """
    match kind:
        case "level":
            other = replace(spec, optimization=value)
            return lambda feeds: engine.predict(model, other, feeds)
        case "device":
            other = replace(spec, devices=(value,))
            return lambda feeds: engine.predict(model, other, feeds)
        case "model":
            other = replace(spec, on_cpu=())  # layers of ours
            return lambda feeds: engine.predict(Path(value), other, feeds)
        case _:
            assert kind == "reference", "there are four ways"
            return lambda feeds: engine.reference(model, feeds)
