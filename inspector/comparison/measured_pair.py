"""What a search for a better model measured of the original and of one candidate."""

from dataclasses import replace

from inspector import units
from inspector.platform.data_struct import DataStruct
from inspector.report.improvement import (
    LOWER_IS_BETTER,
    Accuracy,
    Candidate,
    Improvement,
    accuracy_text,
    change_text,
    value_text,
)
from inspector.statistics.significance import RatioVerdict, verdict_for_interval
from inspector.wording.values import counted, joined

_SAME_RATIO = 0.005  # half a percent: both read alike
_SAME_CLASS = "same_class"  # said even where there is an accuracy


class MeasuredPair(DataStruct, frozen=True):
    """Latency, accuracy and agreement of two models A and B.

    p50_ns: medians of both. latency: of B relative to A, measured in turns; None if it was not
    measured. accuracy: of the measure that the verdict is about, where it is an accuracy of
    both. agreement: of B's outputs with A's. device, folder: where and on what. noise: a
    sentence that the latency is noisy, and why; else empty. verdict: on the accuracy of B, as
    the search that measured it says; empty without a limit, or where B is the original.
    """

    p50_ns: tuple[float, float] | None
    latency: RatioVerdict | None
    accuracy: Accuracy | None
    agreement: Accuracy | None
    device: str = ""
    folder: str = ""
    noise: str = ""
    verdict: str = ""

    @property
    def medians_text(self) -> str:
        """Return by how much the medians alone differ; "" if that reads like the latency of B
        relative to A."""
        if self.p50_ns is None or self.latency is None or not self.p50_ns[0]:
            return ""
        ratio = self.p50_ns[1] / self.p50_ns[0]
        near = abs(ratio - self.latency.ratio) < _SAME_RATIO
        return "" if near else units.change(ratio)

    @property
    def accuracy_texts(self) -> tuple[str, str, str]:
        """Return the accuracy of A, of B, and the change with its interval and the inputs."""
        held = self.accuracy
        assert held is not None, "asked only where there is one"
        count = counted(held.count, "input")
        change = joined(change_text(held), count)
        return value_text(held, held.original), value_text(held), change

    @property
    def agreement_text(self) -> str:
        """Return how far the outputs agree: 'same class 99.80%, 500 inputs'."""
        held = self.agreement
        if held is None:
            return ""
        name = units.uncapitalized(held.name).removesuffix(" as the original")
        count = counted(held.count, "input") if held.count else ""
        return joined(f"{name} {value_text(held)}", count)

    @property
    def swapped(self) -> "MeasuredPair":
        """Return it with A and B exchanged."""
        latency, accuracy = self.latency, self.accuracy
        if latency is not None:
            low = None if latency.high is None else 1 / latency.high
            high = None if latency.low is None else 1 / latency.low
            swapped = verdict_for_interval(1 / latency.ratio, low, high)
            undecided = not latency.decided
            latency = replace(
                swapped,
                verdict=latency.verdict if undecided else swapped.verdict,
                reason=latency.reason,
            )
        if accuracy is not None and accuracy.original is not None:
            ends = accuracy.change, accuracy.high, accuracy.low
            change, low, high = (None if end is None else -end for end in ends)
            accuracy = Accuracy(
                accuracy.id, accuracy.name, accuracy.original, accuracy.value,
                change, low, high, accuracy.count,
            )  # fmt: skip
        medians = self.p50_ns and (self.p50_ns[1], self.p50_ns[0])
        return MeasuredPair(
            medians, latency, accuracy, self.agreement, self.device, self.folder, self.noise
        )

    @property
    def more_accurate(self) -> bool | None:
        """Return whether B is more accurate than A; None if both are equal or it is unknown."""
        held = self.accuracy
        if held is None or not held.change:
            return None
        return (held.change > 0) != (held.id in LOWER_IS_BETTER)


def measured_pair(improvement: Improvement, candidate: Candidate) -> MeasuredPair:
    """Return what is known of the original (A) and a candidate (B)."""
    timed, medians, latency = candidate.latency, None, None
    if timed is not None and timed.original is not None:
        medians = timed.original.p50_ns, timed.p50_ns
    if timed is not None:
        latency = timed.judgement
    measures = [candidate.measure(improvement.main), candidate.measure(_SAME_CLASS)]
    known = [each for each in measures if each is not None]
    accuracy = next((each for each in known if each.original is not None), None)
    agreement = next((each for each in known if each.original is None), None)
    folder = "" if improvement.test is None else improvement.test.folder
    return MeasuredPair(
        medians,
        latency,
        accuracy,
        agreement,
        improvement.device,
        folder,
        candidate.noise_note,
        "" if improvement.limit is None else accuracy_text(improvement, candidate),
    )
