"""GenAI's entry in the list of backends. Importing this does not load the runtime."""

from inspector.backends.base import BackendInfo, Capability
from inspector.report.run_spec import of_runtime

GENAI = BackendInfo(
    id="genai",
    name="ONNX Runtime GenAI",
    implementation="inspector.backends.genai.backend:GenAi",
    capabilities=frozenset((Capability.GENERATION,)),
    settings=of_runtime("genai"),
    formats=("onnx",),
    module="onnxruntime_genai",
    extra="genai",
    download="11 MB",  # on Linux x86-64, beside ONNX Runtime
    device_prefix="genai",
    beside="genai_config.json",
)
