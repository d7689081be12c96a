"""Models in the ORT format as ONNX files: ONNX Runtime reads the one and writes the other."""

from pathlib import Path

from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.report.run_spec import RunSpec


def as_onnx(model: Path, target: Path) -> None:
    """Write a model in the ORT format as an ONNX file. Raises EngineFailed: it does not
    open."""
    spec = RunSpec(optimization="none")
    config = {"session.save_model_format": "ONNX"}
    units = devices.resolve(spec.devices)
    create_session(model, spec, units, optimized_path=target, config=config)
