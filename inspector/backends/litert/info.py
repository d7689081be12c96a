"""LiteRT's entry in the list of backends. Importing this does not load the runtime."""

from inspector.backends.base import THREADS, BackendInfo, Capability, Setting, SettingKind

LITERT = BackendInfo(
    id="litert",
    name="LiteRT",
    implementation="inspector.backends.litert.backend:LiteRt",
    capabilities=frozenset((Capability.SHAPES, Capability.STEPPING)),
    settings=(
        THREADS,
        Setting(
            "xnnpack",
            "XNNPACK",
            SettingKind.SWITCH,
            hint="Run supported layers with XNNPACK instead of LiteRT's own kernels",
            option_help="LiteRT: run its own kernels instead of the XNNPACK delegate",
        ),
    ),
    formats=("tflite",),
    module="ai_edge_litert",
    extra="litert",
    with_extras=("quantizer",),
    download="75 MB",  # on Linux x86-64
    conversion="inspector.conversion.litert_quantization",
)
