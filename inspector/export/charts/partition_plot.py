"""The partitions of a model as a bar: a segment for each, as long as it has layers."""

from inspector import units
from inspector.analysis.measured.partitions import Island, partition
from inspector.export.charts.drawing import Box, Drawing, Label, Shape, text_width
from inspector.report.report import PerformanceReport

WIDTH = 720.0
_MARGIN, _TOP, _TALL, _GAP = 16.0, 14.0, 14.0, 1.5


def partition_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Draw the partitions in the order of the model, in the colors of their devices."""
    islands = partition(report).islands
    kinds = {device.id: device.kind for device in report.devices}
    total = sum(len(island.layers) for island in islands) or 1
    shapes = list[Shape]()
    x = _MARGIN
    for island in islands:
        wide = (width - 2 * _MARGIN) * len(island.layers) / total
        shown = wide - min(_GAP, wide / 4)
        first, tint = str(island.layers[0]), _tint(kinds, island.device)
        shapes.append(Box(x, _TOP, shown, _TALL, tint, 1, _said(island), 2, key=first))
        x += wide
    x, y = _MARGIN, _TOP + _TALL + 18
    for device in dict.fromkeys(island.device for island in islands):
        name = units.device(device)
        shapes.append(Box(x, y - 8, 8, 8, _tint(kinds, device), radius=2))
        shapes.append(Label(x + 13, y, name, "secondary"))
        x += text_width(name) + 31
    return Drawing("Partitions", width, y + 8, tuple(shapes))


def _tint(kinds: dict[str, str], device: str) -> str:
    kind = kinds.get(device, "cpu")
    return kind if kind in ("cpu", "gpu") else "npu"


def _said(island: Island) -> str:
    """Return a partition in a line: "CPU: 1 layer from #9, 802 µs; 2 copies, 4.00 KiB"."""
    text = f"{units.device(island.device)}: {units.plural(len(island.layers), 'layer')}"
    text += f" from #{island.layers[0]}, {units.duration(island.time_ns)}"
    if island.copies:
        copies = units.plural(len(island.copies), "copy")
        text += f"; {copies}, {units.size(island.copied_bytes)}"
    return text
