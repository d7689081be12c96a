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
            "Graph optimization",
            SettingKind.CHOICE,
            ("none", "basic", "extended", "all"),
        ),
        Setting("threads", "Threads per operator", SettingKind.COUNT),
        Setting("inter_threads", "Threads across operators", SettingKind.COUNT),
        Setting(
            "execution_mode", "Execution mode", SettingKind.CHOICE, ("sequential", "parallel")
        ),
        Setting("spinning", "Thread spinning", SettingKind.SWITCH),
        Setting("arena", "Memory arena", SettingKind.SWITCH),
        Setting("memory_pattern", "Memory pattern", SettingKind.SWITCH),
        Setting("provider_options", "Provider options", SettingKind.OPTIONS),
        Setting("on_cpu", "Layers forced to CPU", SettingKind.NAMES),
        Setting(
            "binding",
            "I/O binding",
            SettingKind.CHOICE,
            ("plain", "inputs", "outputs", "device"),
            reopens=False,
        ),
        Setting(
            "load_from",
            "Load from",
            SettingKind.CHOICE,
            ("path", "bytes", "reader", "compiled"),
            reopens=False,  # measurements open the model themselves
        ),
    ),
    plugins=providers.installed_plugins,
)
