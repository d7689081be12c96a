"""ONNX Runtime's entry in the list of backends. Importing this does not load the runtime."""

from inspector.backends.base import BackendInfo, Capability, Setting, SettingKind
from inspector.backends.onnxruntime.sessions import providers

ONNXRUNTIME = BackendInfo(
    id="onnxruntime",
    name="ONNX Runtime",
    implementation="inspector.backends.onnxruntime.backend:OnnxRuntime",
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
            hint="Threads that share the work of one operator (intra-op)",
            zero="auto",
            common=True,
        ),
        Setting(
            "execution_mode",
            "Execution mode",
            SettingKind.CHOICE,
            ("sequential", "parallel"),
            titles=("Sequential", "Parallel"),
            hint="Run one operator at a time, or independent operators in parallel",
        ),
        Setting(
            "inter_threads",
            "Inter-op threads",
            SettingKind.COUNT,
            hint="Operators that run at the same time; only in the parallel execution mode",
            zero="auto",
        ),
        Setting(
            "spinning",
            "Thread spinning",
            SettingKind.SWITCH,
            hint="Idle threads busy-wait for work: lower latency, but a core stays busy",
        ),
        Setting(
            "arena",
            "Memory arena",
            SettingKind.SWITCH,
            hint="Allocate from the runtime's memory arena instead of the system",
        ),
        Setting(
            "memory_pattern",
            "Memory pattern",
            SettingKind.SWITCH,
            hint="Preallocate memory for the shapes of earlier runs",
        ),
        Setting(
            "binding",
            "I/O binding",
            SettingKind.CHOICE,
            ("plain", "inputs", "outputs", "device"),
            reopens=False,
            titles=("None", "Inputs", "Inputs, outputs", "On device"),
            hint="Pass inputs with each call (None), bind inputs to memory once, bind outputs "
            "as well, or keep both in device memory",
        ),
        Setting(
            "load_from",
            "Load from",
            SettingKind.CHOICE,
            ("path", "bytes", "reader", "compiled"),
            reopens=False,  # measurements open the model themselves
            titles=("File", "Bytes", "Re-serialized", "Compiled"),
            hint="How the model is passed to the runtime: as a file, as its bytes, "
            "re-serialized by Inspector, or as compiled earlier by the device",
        ),
        Setting(
            "provider_options",
            "Execution provider options",
            SettingKind.OPTIONS,
            hint="Options of the device's execution provider, separated by semicolons",
            for_devices=True,
            off_hint="The CPU provider has no options; choose another device",
        ),
        Setting(
            "on_cpu",
            "Forced to CPU",
            SettingKind.NAMES,
            hint="Layers that always run on the CPU, by name, number or pattern like "
            "'/head/*', separated by semicolons: to raise accuracy or to isolate a failure",
            for_devices=True,
            off_hint="The CPU runs all layers; choose another device to force some to the CPU",
        ),
    ),
    plugins=providers.installed_plugins,
)
