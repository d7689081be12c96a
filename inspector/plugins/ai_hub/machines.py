"""The kind of machine of this plugin."""

from inspector.remote.machine_kinds import MachineKind

MACHINES = (
    MachineKind(
        "aihub",
        "inspector.plugins.ai_hub.hub_device:line_to",
        host="aihub:DEVICE",
        title="a device of Qualcomm AI Hub",
        uploads_to="Qualcomm AI Hub",
    ),
)
