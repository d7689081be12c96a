"""Which of two runtimes, or of two formats of one network, is faster on this machine, with the
same outputs."""

from collections.abc import Sequence

from inspector import units
from inspector.model.tensors.agreement import CheckedOutput, summary_text
from inspector.report.report import PerformanceReport
from inspector.statistics.significance import RatioVerdict, Verdict
from inspector.wording.values import Sentence

_ALIKE = "Their outputs agree"
_UNKNOWN = "Whether their outputs agree is unknown"


def engine_name(report: PerformanceReport) -> str:
    """Return a runtime with its version and the device that it used."""
    devices = " + ".join(units.device(device) for device in report.spec.devices)
    return Sentence("{runtime_text} on {devices}", report.environment.runtime_text, devices)


def engine_verdict(
    pair: tuple[PerformanceReport, PerformanceReport],
    judgement: RatioVerdict | None,
    names: Sequence[str] = (),
    outputs: str = "",
) -> str:
    """Return which of two runtimes is faster and whether their outputs agree, in sentences.

    judgement: the second one's latency over the first one's. Outputs agree if both agree with
    those of the run that they were checked against. names: of the models, where each runtime
    runs a file of its own; outputs: a sentence that compares their outputs directly.
    """
    runtimes = [report.environment.runtime_text for report in pair]
    first, second = (
        [
            Sentence("{name} on {one}", name, one)
            for name, one in zip(names, runtimes, strict=True)
        ]
        if names
        else runtimes
    )
    verdict = judgement.verdict if judgement is not None else None
    if judgement is None or verdict is None:
        speed: str = Sentence(
            "No faster runtime could be determined ({first}, {second}): unknown", first, second
        )
    elif verdict is Verdict.SAME:
        speed = Sentence(
            "No difference in speed between {first} and {second} could be shown", first, second
        )
    elif verdict not in (Verdict.FASTER, Verdict.SLOWER):
        speed = Sentence(
            "No faster runtime could be determined ({first}, {second}): {label}",
            first,
            second,
            verdict.label,
        )
    else:
        faster, slower = (second, first) if verdict is Verdict.FASTER else (first, second)
        ratio = max(judgement.ratio, 1 / judgement.ratio)
        speed = Sentence(
            "Fastest on this machine: {faster}, {ratio} times as fast as {slower}",
            faster,
            f"{ratio:.2f}",
            slower,
        )
        if judgement.low is not None and judgement.high is not None:
            ends = sorted((1 / judgement.low, 1 / judgement.high))
            if verdict is Verdict.SLOWER:
                ends = [judgement.low, judgement.high]
            speed += f" (95% CI {ends[0]:.2f} to {ends[1]:.2f})"
    return f"{speed}. {outputs or f'{_outputs(pair)}.'}"


def _outputs(pair: tuple[PerformanceReport, PerformanceReport]) -> str:
    checked: list[CheckedOutput] = []
    for report in pair:
        if not report.outputs or all(each.difference is None for each in report.outputs):
            return _UNKNOWN
        over = [each for each in report.outputs if each.over]
        if over:
            name = report.environment.runtime_text
            return Sentence(
                "Outputs of {name} differ beyond the tolerance: {summary_text}",
                name,
                summary_text(over),
            )
        checked += report.outputs
    return f"{_ALIKE}: {summary_text(checked)}"
