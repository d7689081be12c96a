"""A kind of machine: this file is all that it takes."""

from inspector.remote.machine_kinds import MachineKind
from inspector.remote.machines import Saved
from inspector.remote.other_machine import Event, MeasuringMachine
from inspector.report.report_values import Device


class Board(MeasuringMachine):
    """A board that lists its devices."""

    def connect(self) -> Event:
        """Return what it is."""
        return self.described("Toy OS", "Toy chip", ())

    def devices(self) -> list[Device]:
        """Return the devices that it has."""
        return [Device("toy", "Toy device", "npu", "toy")]


def line_to(machine: Saved) -> Board:
    """Return the board."""
    return Board(machine.name)


MACHINES = (MachineKind("toy", f"{__name__}:line_to", host="toy:NUMBER", title="a toy board"),)
