"""The kind of machine of this plugin."""

from inspector.remote.machine_kinds import MachineKind

MACHINES = (
    MachineKind(
        "android",
        "inspector.plugins.phones.phone:line_to",
        host="android:SERIAL",
        title="a phone connected by adb",
        program="onnxruntime_perf_test or benchmark_model built for Android, or of a folder "
        "with them and their libraries",
    ),
)
