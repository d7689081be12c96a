"""ONNX Runtime's entry in the list of backends. Importing this does not load the runtime."""

from typing import TYPE_CHECKING

from inspector.backends.base import BackendInfo, Capability
from inspector.report.run_spec import of_runtime

if TYPE_CHECKING:
    from inspector.backends.values import Plugin


def _plugins() -> "tuple[Plugin, ...]":
    from inspector.backends.onnxruntime.sessions import providers

    return providers.installed_plugins()


ONNXRUNTIME = BackendInfo(
    id="onnxruntime",
    name="ONNX Runtime",
    implementation="inspector.backends.onnxruntime.backend:OnnxRuntime",
    shapes="inspector.backends.onnxruntime.shapes_backend:OnnxShapes",
    predictions="inspector.backends.onnxruntime.predictions:OnnxPredictions",
    capabilities=frozenset(Capability),
    settings=of_runtime("onnxruntime"),
    plugins=_plugins,
    formats=("onnx", "ort"),
)
