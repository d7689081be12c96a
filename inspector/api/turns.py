"""A model measured alone, and two in turns: of one format, or of two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.analysis.advice.rules import with_advice
from inspector.analysis.facts.model_facts import facts
from inspector.analysis.verdicts.engines import engine_verdict
from inspector.app.output_agreement import FormatAgreement, format_agreement
from inspector.backends import interleaving, registry
from inspector.backends.array_files import shapes_of
from inspector.backends.values import Progress
from inspector.engine.client import ceilings, machine_lock
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.process_repetitions import measure_interleaved, with_part
from inspector.errors import Cancelled, InspectorError
from inspector.preview.inputs.feeds import feeds_by_name, input_kind
from inspector.preview.runs import parity
from inspector.preview.runs.model_comparison import comparison_of
from inspector.report.run_spec import InputSource
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.analysis.verdicts.interleaved import PrecisionGoal
    from inspector.app.output_agreement import FormatAgreement
    from inspector.backends.interleaving import Pair, TurnHolder
    from inspector.backends.values import Progress
    from inspector.comparison.comparison import Comparison
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import Model
    from inspector.model.tensors.prediction import Prediction
    from inspector.platform.work_limits import Limits
    from inspector.preview.inputs.feeds import Filled
    from inspector.remote.machines import Target
    from inspector.report.report import ModelIdentity, PerformanceReport
    from inspector.report.run_spec import RunSpec


STARTS = 5  # on each side, where nobody says how many


@dataclass(frozen=True, slots=True)
class Subject:
    """A model to measure: its inputs, its settings, and the limits of its engine.

    on: the other machine that measures it; None for this one. started: the engines so far.
    """

    path: Path
    model: Model
    feeds: tuple[Filled, ...]
    identity: ModelIdentity
    spec: RunSpec
    limits: Limits | None = None
    on: Target | None = None
    started: list[EngineProcess] = field(default_factory=list)

    def engine(
        self,
        show: Callable[[Progress], None] = lambda _: None,
        seat: TurnHolder | None = None,
    ) -> EngineProcess:
        """Return an engine here, or where it is measured."""
        limits = self.limits
        there = self.on.engine(show, limits) if self.on is not None else None
        self.started.append(there or EngineProcess(show, limits, seat=seat))
        return self.started[-1]

    def cancel(self) -> None:
        """Stop what is measured, from any thread."""
        for engine in self.started:
            engine.kill()

    def advised(self, report: PerformanceReport) -> PerformanceReport:
        """Return the suggestions for a report and its model."""
        return with_advice(report, self.model, facts(self.model))


def measured_in_turns(
    subject: Subject,
    spec: RunSpec,
    wait: bool,
    show: Callable[[Progress], None],
    seat: TurnHolder | None = None,
    ends: list[BaseException] | None = None,
) -> PerformanceReport:
    """Measure a model, with the roofline if `spec` requests it.

    ends: takes what ended the measurement early if something was measured before; what was is
    returned then. Without it, it is raised.
    """
    arrays = feeds_by_name(subject.feeds)
    with subject.engine(show, seat) as engine:
        try:
            done = engine.measure(subject.path, subject.identity, spec, arrays, wait)
        except (KeyboardInterrupt, InspectorError) as error:
            if ends is None or engine.partial is None:
                raise
            ends.append(error)
            return engine.partial
        if not spec.roofline or engine.elsewhere:  # an agent has measured it there
            return done
        return ceilings.with_roofline(engine, subject.path, done, shapes_of(arrays))


def both(
    subjects: tuple[Subject, Subject],
    times: int,
    wait: bool,
    show: Callable[[Progress], None],
    goal: PrecisionGoal | None = None,
    ends: list[BaseException] | None = None,
) -> Pair:
    """Measure two models in turns, in so many times the starts of their specs.

    Both are loaded at once and predict in turns, where memory has room for that; else, and on
    another machine, one start follows the other. goal: go on until it is reached, in at most
    so many times its starts. ends: as `measured_in_turns` takes it.
    """

    def alone(subject: Subject) -> interleaving.Measure:
        return lambda spec, step: measured_in_turns(subject, spec, wait, with_part(step, show))

    def seated(subject: Subject) -> interleaving.Seated:
        return lambda spec, step, seat: measured_in_turns(
            subject, spec, wait, with_part(step, show), seat
        )

    one, other = subjects
    specs = _more(one.spec, times), _more(other.spec, times)
    scaled_goal = replace(goal, starts=times * goal.starts) if goal else None
    sizes = (_size_bytes(subject.model) for subject in subjects)
    if one.on is not None or not interleaving.fits_in_memory(sizes):
        return measure_interleaved(
            interleaving.run_sequentially((alone(one), alone(other))),
            specs,
            scaled_goal,
            ends=ends,
        )

    def waiting() -> None:
        show(Progress("waiting", -1))

    with machine_lock.exclusive_use(
        machine_lock.default_file(), wait, waiting, lambda: False, "Could not measure"
    ):
        return measure_interleaved(
            interleaving.run_interleaved((seated(one), seated(other))),
            specs,
            scaled_goal,
            ends=ends,
        )


def _more(spec: RunSpec, times: int) -> RunSpec:
    return replace(spec, starts=times * spec.starts)


def _size_bytes(model: Model) -> int:
    """Return the size of the model file, or of its weights if they are larger."""
    return max(model.size_bytes, sum(weight.size_bytes or 0 for weight in model.weights))


def with_inputs_of(subject: Subject, other: Subject) -> tuple[Subject, str]:
    """Return a model of another format with the inputs of the first, and a note on them.

    Only the layout of channels may differ. It keeps its own inputs where it takes other
    tensors, and the note says so. A model of the same format keeps them, too, without a note.
    """
    if subject.model.format == other.model.format:
        return other, ""
    same = parity.for_model(subject.feeds, other.model.inputs)
    if same is None:
        return other, "The models take inputs of different shapes or types."
    sources = tuple(InputSource(each.name, each.value) for each in same)
    spec = replace(other.spec, inputs=sources)
    layout = parity.layout_note(subject.feeds, same)
    note = f"{layout[0].upper()}{layout[1:]}." if layout else ""
    return replace(other, feeds=same, spec=spec), note


def fitted(subject: Subject) -> Subject:
    """Return a model without the settings that its runtime lacks: another format's may."""
    runtime = registry.for_run(subject.path, subject.spec.devices)
    return replace(subject, spec=runtime.fitted(subject.spec))


def output_agreement(
    subject: Subject,
    other: Subject,
    note: str,
    show: Callable[[Progress], None] = lambda _: None,
) -> FormatAgreement | None:
    """Predict with each of two models of two formats; None if both are of one.

    note: on their inputs, from `with_inputs_of`. A failure is the result. Raises Cancelled.
    """
    if subject.model.format == other.model.format:
        return None
    if parity.for_model(subject.feeds, other.model.inputs) is None:
        return FormatAgreement(why=note)
    answers: list[list[Prediction]] = []
    for one, runs in ((subject, 2), (other, 1)):  # whether the first one repeats its outputs
        feeds = feeds_by_name(one.feeds)
        try:
            with one.engine(show) as engine:
                answers.append([engine.predict(one.path, one.spec, feeds) for _ in range(runs)])
        except Cancelled:
            raise
        except InspectorError as error:
            return FormatAgreement(why=f"{one.model.name}: {error.why or error.what}.")
    comparison = comparison_of(subject.path, subject.model, feeds_by_name(subject.feeds))
    (first, again), (second,) = answers
    kind = input_kind(subject.feeds)
    return format_agreement(comparison, first, second, again, kind, note)


def with_agreement(
    report: PerformanceReport, agreement: FormatAgreement, other: Subject
) -> PerformanceReport:
    """Return a report with a note on whether the model's outputs agree with another's."""
    note = f"Compared with {clip(other.model.name, 80)}: {agreement.sentence}"
    return replace(report, notes=(*report.notes, note))


def format_verdict(
    measured: tuple[PerformanceReport, PerformanceReport, Comparison],
    subjects: tuple[Subject, Subject],
    agreement: FormatAgreement,
) -> str:
    """Return which of two formats is faster, and whether their outputs agree, in sentences.

    measured: both reports and their comparison, in the order of the subjects.
    """
    first, second, comparison = measured
    names = [clip(subject.model.name, 80) for subject in subjects]
    judgement = comparison.judgements[1]
    return engine_verdict((first, second), judgement, names, agreement.sentence)
