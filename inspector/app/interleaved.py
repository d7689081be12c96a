"""Two models measured in turns: which is faster, and whether two formats of one agree."""

from dataclasses import replace

from msgspec import structs

from inspector.analysis.verdicts.engines import engine_verdict
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.app.measure import Setup, Show, measure_once, unheard
from inspector.app.output_agreement import FormatAgreement, format_agreement
from inspector.backends import interleaving, registry
from inspector.backends.interleaving import Pair, TurnHolder
from inspector.backends.values import Progress
from inspector.comparison.comparison import Comparison
from inspector.engine.client import machine_lock
from inspector.engine.client.process_repetitions import measure_interleaved, with_part
from inspector.errors import Cancelled, EngineFailed, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.prediction import Prediction
from inspector.preview.inputs.feeds import feeds_by_name, input_kind
from inspector.preview.inputs.guessed_axes import of_shapes
from inspector.preview.runs import parity
from inspector.preview.runs.model_comparison import comparison_of
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.units import clip

STARTS = 5  # processes on each side, where nobody says how many


class Interleaved:
    """Two models, or one in two runtimes, that are measured in turns.

    own, other: what is judged, and what it is judged beside, which comes first in each pair. A
    model of another format gets the inputs of `own` where it takes them, and each has the
    settings that its runtime knows. ends: what ended a measurement early.
    """

    def __init__(
        self,
        other: Setup,
        own: Setup,
        wait: bool = True,
        show: Show = unheard,
        goal: PrecisionGoal | None = None,
    ) -> None:
        """goal: go on until it is reached, in at most so many times its starts."""
        self.own, self._wait, self._show, self._goal = own, wait, show, goal
        self.ends: list[BaseException] = []
        self.two_formats = own.model.format != other.model.format
        self.other, self._note = with_inputs_of(own, other) if self.two_formats else (other, "")
        if self.two_formats:
            self.own, self.other = _fitted(self.own), _fitted(self.other)

    def measured(self, times: int = 1) -> Pair:
        """Measure both, in so many times the starts of their settings.

        Where one fails at its shapes, both are measured with lengths of free axes at which they
        run. Raises InspectorError, KeyboardInterrupt: nothing was measured.
        """
        try:
            pair = self._both(times)
        except EngineFailed as error:
            before = self.own, self.other
            if any(each.note for each in before) or not of_shapes(error):
                raise
            with self.own.engine(self._show) as engine:
                self.own = self.own.at_lengths_that_run(engine)
            with self.other.engine(self._show) as engine:
                self.other = self.other.at_lengths_that_run(engine)
            if self.two_formats:
                self.other, self._note = with_inputs_of(self.own, self.other)
            if (self.own, self.other) == before:
                raise
            pair = self._both(times)
        return self.other.with_note(pair[0]), self.own.with_note(pair[1])

    def agreement(self) -> FormatAgreement | None:
        """Predict with both, and compare the outputs; None if they are of one format, or the
        measurement was stopped.

        A failure is the result. Raises Cancelled.
        """
        if not self.two_formats or self.ends:
            return None
        own, other = self.own, self.other
        if parity.for_model(own.feeds, other.model.inputs) is None:
            return FormatAgreement(why=self._note)
        answers: list[list[Prediction]] = []
        for one, runs in ((own, 2), (other, 1)):  # whether the first one repeats its outputs
            try:
                with one.engine(self._show) as engine:
                    answers.append([one.predict(engine, one.feeds) for _ in range(runs)])
            except Cancelled:
                raise
            except InspectorError as error:
                return FormatAgreement(why=f"{one.model.name}: {error.why or error.what}.")
        (first, again), (second,) = answers
        comparison = comparison_of(own.subject.path, own.model, feeds_by_name(own.feeds))
        kind = input_kind(own.feeds)
        return format_agreement(comparison, first, second, again, kind, self._note)

    def verdict(self, comparison: Comparison, pair: Pair, agreement: FormatAgreement) -> str:
        """Return which of two formats is faster, and whether their outputs agree, in sentences.

        comparison: of the pair.
        """
        names = [clip(setup.model.name, 80) for setup in (self.other, self.own)]
        return engine_verdict(pair, comparison.judgements[1], names, agreement.sentence)

    def _both(self, times: int) -> Pair:
        """Load both at once and let them predict in turns, where memory has room for that.

        Else, and on another machine, one start follows the other.
        """
        goal, sides = self._goal, (self.other, self.own)
        goal = structs.replace(goal, starts=times * goal.starts) if goal else None
        first, second = (
            replace(setup.spec, starts=times * setup.spec.starts) for setup in sides
        )
        specs = first, second
        sizes = (_size_bytes(setup.model) for setup in sides)
        if self.other.on is not None or not interleaving.fits_in_memory(sizes):
            one, two = map(self._alone, sides)
            turn = interleaving.run_sequentially((one, two))
            return measure_interleaved(turn, specs, goal, ends=self.ends)
        file, waiting = machine_lock.default_file(), Progress("waiting", -1)
        with machine_lock.exclusive_use(
            file,
            self._wait,
            lambda: self._show(waiting),
            lambda: False,
            "Could not measure",
            f"measure {self.own.model.name} and {self.other.model.name} in turns",
        ):
            seated = self._seated(self.other), self._seated(self.own)
            turn = interleaving.run_interleaved(seated)
            return measure_interleaved(turn, specs, goal, ends=self.ends)

    def _alone(self, setup: Setup) -> interleaving.Measure:
        return lambda spec, step: self._start(setup, spec, step)

    def _seated(self, setup: Setup) -> interleaving.Seated:
        return lambda spec, step, seat: self._start(setup, spec, step, seat)

    def _start(
        self, setup: Setup, spec: RunSpec, step: str, seat: TurnHolder | None = None
    ) -> PerformanceReport:
        return measure_in_turn(
            setup.with_spec(spec), self._wait, with_part(step, self._show), seat
        )


def measure_in_turn(
    setup: Setup, wait: bool, show: Show, seat: TurnHolder | None = None
) -> PerformanceReport:
    """Measure one start of a model, in its own process. seat: where it waits for its turn."""
    with setup.engine(show, seat) as engine:
        return measure_once(engine, setup, wait)


def with_inputs_of(setup: Setup, other: Setup) -> tuple[Setup, str]:
    """Return a model of another format with the inputs of the first, and a note on them.

    Only the layout of channels may differ. It keeps its own inputs where it takes other
    tensors, and the note says so.
    """
    same = parity.for_model(setup.feeds, other.model.inputs)
    if same is None:
        return other, "The models take inputs of different shapes or types."
    layout = parity.layout_note(setup.feeds, same)
    note = f"{layout[0].upper()}{layout[1:]}." if layout else ""
    return structs.replace(other, feeds=same), note


def with_agreement(
    report: PerformanceReport, agreement: FormatAgreement, other: Setup
) -> PerformanceReport:
    """Return a report with a note on whether the model's outputs agree with another's."""
    note = f"Compared with {clip(other.model.name, 80)}: {agreement.sentence}"
    return replace(report, notes=(*report.notes, note))


def _fitted(setup: Setup) -> Setup:
    """Return a model without the settings that its runtime lacks: another format's may."""
    runtime = registry.for_run(setup.subject.path, setup.spec.devices)
    return setup.with_spec(runtime.fitted(setup.subject.spec))


def _size_bytes(model: Model) -> int:
    """Return the size of the model file, or of its weights if they are larger."""
    return max(model.size_bytes, sum(weight.size_bytes or 0 for weight in model.weights))
