"""The latency of a model's layers beside that of their counterparts in another format."""

from dataclasses import replace
from pathlib import Path

from msgspec import structs

from inspector.analysis.measured.layer_outputs import LayerOutput, Stepping
from inspector.app.interleaved import Interleaved
from inspector.app.layers.across_formats import other_spec
from inspector.app.layers.walking import Walk
from inspector.app.measure import Show, setup, unheard
from inspector.app.subjects import Subject
from inspector.comparison.comparison import compare
from inspector.formats import opening
from inspector.platform.work_limits import Limits
from inspector.preview.runs.other_run import OtherRun
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec

Times = dict[int, int]


def timed(
    walked: Walk, way: OtherRun, limits: Limits | None = None, show: Show = unheard
) -> Walk:
    """Return a walk with the latency of each layer on both sides, and which side is faster.

    Both models are measured as they usually run: optimized, in turns. Raises InspectorError.
    """
    subject, path = walked.subject, Path(way.model)
    given = {each.name: each for each in walked.filled}
    spec = replace(subject.spec, optimization=RunSpec().optimization)
    own = setup(structs.replace(subject.with_given(given), spec=spec), limits)
    model = opening.open_model(path)
    theirs = replace(other_spec(subject, way), runs=spec.runs)
    other = setup(Subject.of(path, model, theirs), limits)
    both = Interleaved(other, own, show=show)
    pair = both.measured()
    agreement, names = both.agreement(), (model.name, subject.model.name)
    verdict = ""
    if agreement is not None:
        verdict = both.verdict(compare(pair, names), pair, agreement)
    ours, there = _times(pair[1]), _times(pair[0])
    return structs.replace(walked, found=_with_times(walked.found, ours, there, verdict))


def _times(report: PerformanceReport) -> Times:
    return {use.index: use.time_ns for use in report.layers if use.time_ns is not None}


def _with_times(stepping: Stepping, ours: Times, theirs: Times, verdict: str) -> Stepping:
    steps = []
    for step in stepping.steps:
        own = _sum(ours, (step.index, *step.merged))
        outputs = tuple(_output(each, own, theirs) for each in step.outputs)
        steps.append(structs.replace(step, outputs=outputs))
    return structs.replace(stepping, steps=tuple(steps), verdict=verdict)


def _output(output: LayerOutput, own_ns: int | None, theirs: Times) -> LayerOutput:
    match = output.match
    if match is None or match.layer is None:
        return output
    other_ns = _sum(theirs, (match.layer, *match.merged))
    return structs.replace(output, match=structs.replace(match, ns=own_ns, other_ns=other_ns))


def _sum(times: Times, layers: tuple[int, ...]) -> int | None:
    """Return the time of some layers; None where none has a time of its own."""
    known = [times[layer] for layer in layers if layer in times]
    return sum(known) if known else None
