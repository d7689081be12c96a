"""Estimated coverage of a model by each device: numbers, refusals and sentences."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from inspector.report.report import Device, PerformanceReport, Support
from inspector.wording.support_marks import Mark, Rule, Source
from inspector.wording.values import Count, Sentence, joined

SUPPORTED_MARKS = (
    Mark.RAN,
    Mark.SUPPORTED,
    Mark.CAST,
    Mark.DECOMPOSED,
    Mark.FUSED,
    Mark.FOLDED,
)
_REFUSED = (Mark.UNSUPPORTED, Mark.FAILED)
# Where a reason names its table; reports of before November 2026 say "Predicted: ".
_SOURCE = re.compile(r" (?:Estimated from a table|Predicted): ")


class Refusal(Struct, frozen=True):
    """Layers with one operator that a device refuses, or may refuse, for one reason."""

    operator: str
    rule: Rule
    reason: str
    layers: int


class DeviceSupport(Struct, frozen=True):
    """Coverage of a model by one device: layers by mark, and refusals, most frequent first.

    unknowns: layers whose support is unknown, with what was not checked.
    axes_in_the_way: whether free axes are a reason, so that fixed ones may change the answer.
    assumes: settings of the device for which this holds, "" where there are none.
    """

    device: Device
    layers: int
    supported_layers: int
    marks: tuple[tuple[Mark, int], ...]
    refusals: tuple[Refusal, ...]
    unknowns: tuple[Refusal, ...] = ()
    assumes: str = ""

    @staticmethod
    def layers_of(reasons: Sequence[Refusal]) -> int:
        """Return the number of layers that some reasons count."""
        return sum(reason.layers for reason in reasons)

    @property
    def summary(self) -> str:
        """Return the numbers of layers as text: "9 of 15 layers supported, 6 not checked"."""
        refused, unknown = self.layers_of(self.refusals), self.layers_of(self.unknowns)
        if unknown == self.layers > 0:  # "0 supported" would read as "does not run"
            return Sentence("{layers} not checked", Count(unknown, "layer"))
        parts = (
            Sentence(
                "{supported_layers} of {layers} supported",
                Count(self.supported_layers),
                Count(self.layers, "layer"),
            ),
            Sentence("{refused} not supported", Count(refused)) if refused else "",
            Sentence("{unknown} not checked", Count(unknown)) if unknown else "",
        )
        return joined(*parts)

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
    pairs = list(zip(operators, answers, strict=True))
    return DeviceSupport(
        device,
        len(answers),
        sum(marks[mark] for mark in SUPPORTED_MARKS),
        tuple(marks.most_common()),
        _grouped(pairs, _REFUSED),
        _grouped(pairs, (Mark.UNKNOWN,)),
    )


def reason_and_source(reason: str) -> tuple[str, str]:
    """Split what a table answered into a whole sentence and the table with its source file."""
    sentence, *source = _SOURCE.split(reason, maxsplit=1)
    return sentence if source else reason, "".join(source).rstrip(".")


def _grouped(
    pairs: Iterable[tuple[str, Support]], marks: Sequence[Mark]
) -> tuple[Refusal, ...]:
    """Return the layers with one of some marks by operator and reason, most frequent first."""
    numbers = Counter(
        (operator, support.rule, reason_and_source(support.reason)[0])
        for operator, support in pairs
        if support.mark in marks
    )
    return tuple(Refusal(*key, layers) for key, layers in numbers.most_common())


def of_report(report: PerformanceReport, device: Device) -> DeviceSupport:
    """Count what a report says of its layers on a device; one it says nothing of is unknown."""
    nothing = Support(Mark.UNKNOWN, Source.TABLE)
    answers = [layer.devices.get(device.id, nothing) for layer in report.layers]
    summary = summarised(device, (layer.operator for layer in report.layers), answers)
    # Devices that were not requested could run them; the message says so.
    could = dict(summary.marks).get(Mark.EXCLUDED, 0) if device in report.predicted else 0
    return replace(summary, supported_layers=summary.supported_layers + could)


def layer_counts(report: PerformanceReport) -> tuple[int, int]:
    """Return how many layers the requested device supports, and of how many that is known."""
    requested = report.devices[0].id if report.devices else ""
    marks = [use.devices[requested].mark for use in report.layers if requested in use.devices]
    known = [mark for mark in marks if mark is not Mark.UNKNOWN]
    return sum(mark not in (*_REFUSED, Mark.EXCLUDED) for mark in known), len(known)


def axes_in_the_way(report: PerformanceReport) -> int:
    """Count the layers that some device refuses because an axis is free."""
    return sum(
        any(support.rule is Rule.DYNAMIC_SHAPE for support in layer.devices.values())
        for layer in report.layers
    )
