"""OpenVINO's entry in the list of backends. Importing this does not load the runtime."""

from inspector.backends.base import BackendInfo, Capability
from inspector.report.run_spec import of_runtime

OPENVINO = BackendInfo(
    id="openvino",
    name="OpenVINO",
    implementation="inspector.backends.openvino.backend:OpenVino",
    predictions="inspector.backends.openvino.predictions:OpenVinoPredictions",
    capabilities=frozenset((Capability.SHAPES, Capability.STEPPING)),
    settings=of_runtime("openvino", load_from=("path", "compiled")),
    formats=("openvino", "onnx", "tflite"),
    module="openvino",
    extra="openvino",
    download="75 MB",  # on Linux x86-64
    device_prefix="openvino",
)
