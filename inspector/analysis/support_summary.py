"""How much of a model each device takes, and what it refuses, in numbers and sentences."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from inspector.report import Device, Mark, PerformanceReport, Rule, Source, Support

_TAKEN = (Mark.RAN, Mark.SUPPORTED, Mark.CAST, Mark.DECOMPOSED, Mark.FUSED, Mark.FOLDED)
_REFUSED = (Mark.UNSUPPORTED, Mark.FAILED)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Layers of one operator that a device refuses for one reason; `layers` counts them."""

    operator: str
    rule: Rule
    reason: str
    layers: int


@dataclass(frozen=True, slots=True)
class DeviceSupport:
    """What a device says of a model: layers by mark, and refusals, the most frequent first.

    axes_in_the_way: whether free axes are a reason, so that fixed ones may change the answer.
    """

    device: Device
    layers: int
    taken: int
    marks: tuple[tuple[Mark, int], ...]
    refusals: tuple[Refusal, ...]

    @property
    def axes_in_the_way(self) -> int:
        """Number of layers that are refused because an axis is free."""
        free = (r.layers for r in self.refusals if r.rule is Rule.DYNAMIC_SHAPE)
        return sum(free)


def summarised(
    device: Device, operators: Iterable[str], answers: Sequence[Support]
) -> DeviceSupport:
    """Count what a device says of each layer. operators: of the layers, in their order."""
    marks = Counter(support.mark for support in answers)
    refused = Counter(
        (operator, support.rule, support.reason.partition(" Predicted: ")[0])
        for operator, support in zip(operators, answers, strict=True)
        if support.mark in _REFUSED
    )
    return DeviceSupport(
        device,
        len(answers),
        sum(marks[mark] for mark in _TAKEN),
        tuple(marks.most_common()),
        tuple(Refusal(*key, layers) for key, layers in refused.most_common()),
    )


def of_report(report: PerformanceReport, device: Device) -> DeviceSupport:
    """Count what a report says of its layers on a device; one it says nothing of is unknown."""
    nothing = Support(Mark.UNKNOWN, Source.TABLE)
    answers = [layer.devices.get(device.id, nothing) for layer in report.layers]
    found = summarised(device, (layer.operator for layer in report.layers), answers)
    # What nobody asked for could take them, which is what is told of it.
    could = dict(found.marks).get(Mark.EXCLUDED, 0) if device in report.predicted else 0
    return replace(found, taken=found.taken + could)


def axes_in_the_way(report: PerformanceReport) -> int:
    """Count the layers that some device refuses because an axis is free."""
    return sum(
        any(support.rule is Rule.DYNAMIC_SHAPE for support in layer.devices.values())
        for layer in report.layers
    )
