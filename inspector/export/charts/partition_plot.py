"""The partitions of a model as a bar: a segment for each, as long as it has layers."""

from inspector import units
from inspector.analysis.measured.partitions import Island, partition
from inspector.export.charts.bars import Bar, whole
from inspector.export.charts.drawing import Drawing, legend, role
from inspector.report.report import PerformanceReport
from inspector.wording.values import Count, Duration, Joined, Sentence, Size, Value

WIDTH = 720.0
_TOP, _LEGEND = 14.0, 46.0  # of the bar, and the base line of the words below it


def partition_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Draw the partitions in the order of the model, in the colors of their devices."""
    islands = partition(report).islands
    kinds = {device.id: role(device.kind) for device in report.devices}
    bars = [
        Bar(
            units.device(island.device), len(island.layers),
            tint=kinds.get(island.device, "cpu"), title=_said(island),
            key=str(island.layers[0]),
        )
        for island in islands
    ]  # fmt: skip
    names = {bar.name: bar.tint for bar in bars}
    shapes = (*whole(bars, width, _TOP), *legend(tuple(names.items()), width, _LEGEND))
    return Drawing("Partitions", width, _LEGEND + 8, shapes)


def _said(island: Island) -> Value:
    """Return a partition in a line: "CPU: 1 layer from #9, 802 µs; 2 copies, 4.00 KiB"."""
    values: dict[str, Value] = {
        "device": units.device(island.device), "layers": Count(len(island.layers), "layer"),
        "first": f"#{island.layers[0]}", "time": Duration(island.time_ns),
    }  # fmt: skip
    text = Sentence("{device}: {layers} from {first}, {time}", **values)
    if not island.copies:
        return text
    copies = Count(len(island.copies), "copy"), Size(island.copied_bytes)
    return Joined((text, Joined(copies)), "; ")
