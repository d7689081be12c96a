"""What devices here answered about each layer of a model, from a run or layer by layer."""

from collections.abc import Mapping

from msgspec import Struct

from inspector.model.model import Layer
from inspector.report.report_values import Device, Support
from inspector.wording.support_marks import Mark


class PlacementAnswers(Struct, frozen=True, eq=False):
    """For each layer, in the model's order, its marks by the id of a device.

    ran: a prediction came to its end, with `on_cpu` kept on the CPU; else why not.
    """

    devices: tuple[Device, ...]
    layers: tuple[Layer, ...]
    marks: tuple[Mapping[str, Support], ...]
    on_cpu: tuple[str, ...] = ()
    ran: bool = False
    why: str = ""

    def failed(self, device: str) -> tuple[Layer, ...]:
        """Return the layers that a device claimed, and then failed at."""
        pairs = zip(self.layers, self.marks, strict=True)
        return tuple(
            one
            for one, support_by_device in pairs
            if support_by_device[device].mark is Mark.FAILED
        )
