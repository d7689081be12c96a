"""ONNX Runtime's entry in the list of backends. Importing this does not load the runtime."""

from typing import TYPE_CHECKING

from inspector.backends.base import BackendInfo, Capability
from inspector.platform.late_modules import LateModule
from inspector.report.run_spec import of_runtime

if TYPE_CHECKING:
    from inspector.backends.onnxruntime.sessions import providers as providers
else:
    # 10 ms: it looks for plugins among the installed packages.
    providers = LateModule("inspector.backends.onnxruntime.sessions.providers")

ONNXRUNTIME = BackendInfo(
    id="onnxruntime",
    name="ONNX Runtime",
    implementation="inspector.backends.onnxruntime.backend:OnnxRuntime",
    shapes="inspector.backends.onnxruntime.shapes_backend:OnnxShapes",
    predictions="inspector.backends.onnxruntime.predictions:OnnxPredictions",
    capabilities=frozenset(Capability),
    settings=of_runtime("onnxruntime"),
    plugins=lambda: providers.installed_plugins(),
    formats=("onnx", "ort"),
)
