"""LiteRT's entry in the list of backends. Importing this does not load the runtime."""

from inspector.backends.base import BackendInfo, Capability
from inspector.report.run_spec import of_runtime

LITERT = BackendInfo(
    id="litert",
    name="LiteRT",
    implementation="inspector.backends.litert.backend:LiteRt",
    predictions="inspector.backends.litert.predictions:LiteRtPredictions",
    capabilities=frozenset((Capability.SHAPES, Capability.STEPPING)),
    settings=of_runtime("litert"),
    formats=("tflite",),
    module="ai_edge_litert",
    extra="litert",
    with_extras=("quantizer",),
    download="75 MB",  # on Linux x86-64
    conversion="inspector.conversion.litert_quantization",
)
