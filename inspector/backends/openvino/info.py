"""OpenVINO's entry in the list of backends. Importing this does not load the runtime."""

from inspector.backends.base import THREADS, BackendInfo, Capability, Setting, SettingKind

OPENVINO = BackendInfo(
    id="openvino",
    name="OpenVINO",
    implementation="inspector.backends.openvino.backend:OpenVino",
    capabilities=frozenset((Capability.SHAPES, Capability.STEPPING)),
    settings=(
        THREADS,
        Setting(
            "inference_precision",
            "Inference precision",
            SettingKind.CHOICE,
            ("f32", "bf16", "f16", "device"),
            titles=("float32", "bfloat16", "float16", "Device default"),
            hint="Data type in which floating-point layers are computed. OpenVINO's default "
            "depends on the device and may round to 16 bits; float32 does not.",
            option_help="OpenVINO: data type in which floating-point layers are computed; "
            "'device' is the default of the device, which may round to 16 bits",
            common=True,
        ),
        Setting(
            "performance_hint",
            "Performance hint",
            SettingKind.CHOICE,
            ("latency", "throughput", "none"),
            titles=("Latency", "Throughput", "None"),
            hint="Whether OpenVINO uses all cores for one run (latency), or divides them among "
            "several concurrent runs (throughput)",
            option_help="OpenVINO: use all cores for one run (latency), or divide them among "
            "concurrent runs (throughput; see --concurrency)",
        ),
        Setting(
            "streams",
            "Streams",
            SettingKind.COUNT,
            hint="Number of runs that OpenVINO performs at the same time",
            zero="default",
            option_help="OpenVINO: number of runs that it performs at the same time",
        ),
        Setting(
            "load_from",
            "Load from",
            SettingKind.CHOICE,
            ("path", "compiled"),
            reopens=False,  # measurements open the model themselves
            titles=("File", "Compiled"),
            hint="Whether OpenVINO compiles the model, or loads what it compiled and exported "
            "earlier",
        ),
    ),
    formats=("openvino", "onnx", "tflite"),
    module="openvino",
    extra="openvino",
    download="75 MB",  # on Linux x86-64
    device_prefix="openvino",
)
