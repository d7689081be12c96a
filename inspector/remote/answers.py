"""What an agent needs for a job, and not to start: analysis, preprocessing, ceilings."""

from typing import Any

from inspector.backends.array_files import shapes_of
from inspector.engine.client import ceilings
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import Measure, MeasureCeiling, Request
from inspector.preview.identity import measured_model
from inspector.remote.shards import ROWS
from inspector.remote.shards import answer as predict_folder

__all__ = ["ROWS", "answer", "measured_model", "predict_folder"]


def answer(engine: EngineProcess, request: Request[Any]) -> Any:
    """Answer a request, with what this machine knows of itself. Raises InspectorError."""
    match request:
        case MeasureCeiling(device, threads, dtype):
            return ceilings.ceiling(engine, device, threads, dtype)
        case Measure() if request.spec.roofline:
            report, shapes = engine.call(request), shapes_of(request.feeds)
            return ceilings.with_roofline(engine, request.model, report, shapes)
    return engine.call(request)
