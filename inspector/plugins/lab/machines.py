"""The kind of machine of this plugin."""

from inspector.remote.machine_kinds import MachineKind

MACHINES = (
    MachineKind(
        "lab",
        "inspector.plugins.lab.machine:line_to",
        pool="inspector.plugins.lab.machine:POOL",
        help="'lab' or 'lab/NAME' (see 'inspector lab')",
    ),
)
