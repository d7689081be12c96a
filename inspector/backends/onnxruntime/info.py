"""ONNX Runtime's entry in the list of backends. Importing this does not load the runtime."""

from typing import TYPE_CHECKING

from inspector.backends.base import BackendInfo, Capability, Setting, SettingKind

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
    capabilities=frozenset(Capability),
    settings=(
        Setting(
            "optimization",
            "Optimization",
            SettingKind.CHOICE,
            ("all", "extended", "basic", "none"),
            titles=("All", "Extended", "Basic", "None"),
            hint="Graph optimization level: how far ONNX Runtime rewrites and fuses layers",
            common=True,
        ),
        Setting(
            "threads",
            "Threads",
            SettingKind.COUNT,
            hint="Number of intra-op threads that share the work of one operator",
            zero="default",
            option_help="number of intra-op threads that share the work of one operator",
            common=True,
        ),
        Setting(
            "execution_mode",
            "Execution mode",
            SettingKind.CHOICE,
            ("sequential", "parallel"),
            titles=("Sequential", "Parallel"),
            option="execution",
            hint="Run one operator at a time, or independent operators in parallel",
        ),
        Setting(
            "inter_threads",
            "Inter-op threads",
            SettingKind.COUNT,
            hint="Number of operators that run at the same time in the parallel execution mode",
            zero="default",
            option_help="number of operators that run at the same time, with "
            "--execution parallel",
        ),
        Setting(
            "spinning",
            "Thread spinning",
            SettingKind.SWITCH,
            hint="Idle threads busy-wait for work: lower latency, but a core stays busy",
            option_help="idle threads sleep instead of spinning",
        ),
        Setting(
            "arena",
            "Memory arena",
            SettingKind.SWITCH,
            hint="Allocate from the runtime's memory arena instead of the system",
            option_help="disable the CPU memory arena",
        ),
        Setting(
            "memory_pattern",
            "Memory pattern",
            SettingKind.SWITCH,
            hint="Preallocate memory for the shapes of earlier runs",
            option_help="disable memory-pattern preallocation",
        ),
        Setting(
            "binding",
            "I/O binding",
            SettingKind.CHOICE,
            ("plain", "inputs", "outputs", "device"),
            reopens=False,
            titles=("None", "Inputs", "Inputs and outputs", "On device"),
            hint="Pass inputs with each call (None), bind inputs to memory once, also bind "
            "outputs, or keep both in device memory",
            option_help="I/O binding: none (plain), bind the inputs once, also bind the "
            "outputs, or keep both in device memory",
        ),
        Setting(
            "load_from",
            "Load from",
            SettingKind.CHOICE,
            ("path", "bytes", "reader", "compiled"),
            reopens=False,  # measurements open the model themselves
            titles=("File", "Bytes", "Re-serialized copy", "Compiled"),
            hint="How the model is passed to the runtime: as a file, as its bytes, "
            "re-serialized by Inspector, or in the form that the device compiled earlier",
            option_help="create the session from the file path, its bytes, the model parsed by "
            "Inspector (reader), or the compiled model of the execution provider",
        ),
        Setting(
            "provider_options",
            "Execution provider options",
            SettingKind.OPTIONS,
            hint="Options of the device's execution provider, separated by semicolons",
            for_devices=True,
            option="provider-option",
            option_help="option for the execution provider of the first non-CPU device",
            metavar="KEY=VALUE",
            off_hint="The CPU provider has no options; choose another device",
        ),
        Setting(
            "on_cpu",
            "Forced to CPU",
            SettingKind.NAMES,
            hint="Layers that always run on the CPU, by name, index or pattern such as "
            "'/head/*', separated by semicolons: to raise accuracy or to isolate a failure",
            for_devices=True,
            option_help="force layers to the CPU, by name, index or pattern such as '/head/*'",
            metavar="LAYER[,LAYER]",
            off_hint="The CPU runs all layers. To force layers onto the CPU, choose another "
            "device first.",
        ),
        Setting(
            "custom_ops",
            "Custom operators",
            SettingKind.PATHS,
            hint="Libraries that provide custom operators of this model, separated by "
            "semicolons. Their code runs in the engine process: choose only those you trust",
            option="custom-ops",
            option_help="library that provides custom operators of the model; its code runs in "
            "the engine process, so give only one you trust",
            metavar="PATH",
        ),
    ),
    plugins=_plugins,
    formats=("onnx", "ort"),
)
