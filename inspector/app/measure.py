"""A model measured: with its tensors, on its machine, at lengths of free axes that run; the
report of one that fails; and a series of lengths in one session.

Two models in turns are in `interleaved.py`, several machines at once in `at_once.py`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert, field, structs

from inspector.analysis.advice.rules import with_advice
from inspector.analysis.devices import compile_targets
from inspector.analysis.facts.model_facts import facts
from inspector.analysis.measured.noise import disturbances
from inspector.app.language.speed import name_of, prompt_feeds, with_prompt
from inspector.app.subjects import Subject, sources_of
from inspector.backends import machine, registry
from inspector.backends.array_files import shapes_of
from inspector.backends.values import Progress
from inspector.engine.client import ceilings
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import RunShape
from inspector.errors import BadInput, EngineDied, EngineFailed, InspectorError
from inspector.model.axes import free_axes
from inspector.model.model import Model
from inspector.preview.inputs.feeds import Filled, feeds_by_name
from inspector.preview.inputs.guessed_axes import guess_text, of_shapes
from inspector.report.environment import Environment, MemoryUse
from inspector.report.report import PerformanceReport
from inspector.report.report_values import ShapeRun
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import COLUMNS, from_columns
from inspector.wording.values import Sentence

if TYPE_CHECKING:
    from inspector.backends.interleaving import TurnHolder
    from inspector.model.tensors.prediction import Prediction
    from inspector.platform.work_limits import Limits
    from inspector.remote.machines import Target

SERIES_SCHEMA = "shapes/1"
_OWN_MODULE = "onnxruntime"  # of the backend that needs no package of another name
# What was under way, by the phase of an error.
_STAGES = {
    "load": "The measurement failed while the model was loaded: {error}",
    "prediction": "The measurement failed in a run: {error}",
    "profile": "The measurement failed in a profiled run: {error}",
    "start": "The measurement failed when the engine process started: {error}",
}
_ANY_STAGE = "The measurement failed: {error}"
Show = Callable[[Progress], None]
Lengths = Mapping[str, int]


class _Hello(Struct, frozen=True):
    """What another machine says of itself; fields that it leaves out are empty."""

    inspector: str = ""
    python: str = ""
    system: str = ""
    cpu: str = ""
    cores: int = 0
    memory_bytes: int = 0
    runtimes: dict[str, str] = {}


def unheard(_: Progress) -> None:
    """Take no notice of progress."""


class Setup(Struct, frozen=True, eq=False):
    """A model with what it is measured with: tensors for all inputs, limits and a machine.

    on: the other machine that measures it; None for this one. note: which lengths of free axes
    were guessed; options: whether it names those of the command that set them. started: the
    engines so far.
    """

    subject: Subject
    feeds: tuple[Filled, ...]
    limits: "Limits | None" = None
    on: "Target | None" = None
    note: str = ""
    options: bool = True
    started: list[Engine] = field(default_factory=list)

    @property
    def model(self) -> Model:
        """Return the model."""
        return self.subject.model

    @property
    def spec(self) -> RunSpec:
        """Return the settings, with the sources of the tensors."""
        return replace(self.subject.spec, inputs=sources_of(self.feeds))

    def with_spec(self, spec: RunSpec) -> "Setup":
        """Return it with other settings, and the same tensors."""
        return structs.replace(self, subject=structs.replace(self.subject, spec=spec))

    def with_starts(self, starts: int) -> "Setup":
        """Return it measured in so many processes."""
        return self.with_spec(replace(self.subject.spec, starts=starts))

    def engine(self, show: Show = unheard, seat: "TurnHolder | None" = None) -> Engine:
        """Return an engine here, or where it is measured."""
        there = self.on.engine(show, self.limits) if self.on is not None else None
        self.started.append(there or EngineProcess(show, self.limits, seat=seat))
        return self.started[-1]

    def cancel(self) -> None:
        """Stop what is measured, from any thread."""
        for engine in self.started:
            engine.kill()

    def predict(self, engine: Engine, filled: tuple[Filled, ...]) -> "Prediction":
        """Predict once with tensors. Raises InspectorError."""
        return engine.predict(self.subject.path, self.spec, feeds_by_name(filled))

    def at_lengths_that_run(self, engine: Engine) -> "Setup":
        """Return it at lengths of free axes with which it predicts; itself where these do, or
        where all are given.

        Raises EngineFailed: it predicts with none.
        """
        given = {
            name for name, value in self.subject.given.items() if isinstance(value, Filled)
        }
        if not free_axes([info for info in self.subject.inputs if info.name not in given]):
            return self
        ran = self.subject.run(lambda filled: self.predict(engine, filled))
        if not ran.note:
            return self
        note = ran.note if self.options else f"{guess_text(ran.guessed)}."
        return structs.replace(self, subject=ran.subject, feeds=ran.filled, note=note)

    def with_advice(self, report: PerformanceReport) -> PerformanceReport:
        """Return a report with what the model says about it."""
        return with_advice(report, self.model, facts(self.model))

    def with_note(self, report: PerformanceReport) -> PerformanceReport:
        """Return a report with the lengths of free axes, a note on those that were guessed, and
        the text that was measured, if one was."""
        report = with_prompt(report, self.subject)
        if not report.spec.generates:
            given = shapes_of(feeds_by_name(self.feeds))
            free = (info.name for info in self.subject.inputs if free_axes((info,)))
            shapes = {name: given[name] for name in free if name in given}
            report = replace(report, input_shapes=shapes)
        return replace(report, notes=(*report.notes, self.note)) if self.note else report


def setup(
    subject: Subject,
    limits: "Limits | None" = None,
    on: "Target | None" = None,
    options: bool = True,
    sha256: str = "",
) -> Setup:
    """Fill the inputs of a model that is measured. Raises BadInput, UnreadableFile.

    sha256: of its file, where it is known: reading two gigabytes again takes a second.
    """
    compile_targets.expect_here(subject.spec.devices)
    subject = subject.with_first_steps()
    name = name_of(subject) if subject.spec.generates else ""
    identified = subject.identified(name, sha256)
    feeds = prompt_feeds(subject) if subject.spec.generates else subject.filled()
    return Setup(identified, feeds, limits, on, options=options)


def measure_once(
    engine: Engine, measured: Setup, wait: bool = True, ends: list[BaseException] | None = None
) -> PerformanceReport:
    """Measure a model as it is, with the roofline if its settings request it.

    wait: for other measurements of this machine. ends: takes what ended the measurement early
    if something was measured before; what was is returned then. Without it, it is raised.
    """
    subject, arrays = measured.subject, feeds_by_name(measured.feeds)
    try:
        done = engine.measure(subject.path, subject.identity, measured.spec, arrays, wait)
    except (KeyboardInterrupt, InspectorError) as error:
        if ends is None or engine.partial is None:
            raise
        ends.append(error)
        return engine.partial
    if subject.spec.roofline and not (
        subject.spec.generates or engine.elsewhere
    ):  # an agent has measured it there
        return ceilings.with_roofline(engine, subject.path, done, shapes_of(arrays))
    return done


def measure(
    engine: Engine, measured: Setup, wait: bool = True, ends: list[BaseException] | None = None
) -> tuple[Setup, PerformanceReport]:
    """Measure a model; where it fails at its shapes, with other lengths of its free axes.

    Returns what was measured in the end, and a report with a note on the lengths. wait, ends:
    as `measure_once` takes them.
    """
    try:
        done = measure_once(engine, measured, wait, ends)
    except EngineFailed as error:
        if measured.note or measured.spec.generates or not of_shapes(error):
            raise
        try:
            guessed = measured.at_lengths_that_run(engine)
        except EngineFailed:
            if measured.options:
                raise
            raise error from None  # no hint at options of the command
        if guessed is measured:
            raise
        measured, done = guessed, measure_once(engine, guessed, wait, ends)
    if measured.spec.generates and done.complete and wait and not engine.elsewhere:
        # Not by its own engine, which may be one of a runtime that has no peak of its own; and
        # not beside another measurement, whose turn it would wait for.
        with measured.engine() as fresh:
            done = ceilings.with_peak(fresh, done)
    return measured, measured.with_note(done)


def measure_or_tell(
    engine: Engine,
    measured: Setup,
    keep: Callable[[PerformanceReport], object],
    wait: bool = True,
    ends: list[BaseException] | None = None,
) -> tuple[Setup, PerformanceReport]:
    """Measure as `measure` does; where nothing was measured, `keep` gets a report that says
    why, before it raises."""
    try:
        return measure(engine, measured, wait, ends)
    except (EngineFailed, EngineDied) as error:
        keep(failed(engine, measured, error))
        raise


def add_peak(engine: Engine, subject: Subject, report: PerformanceReport) -> PerformanceReport:
    """Return a report of this machine with the peak rates of its devices; the rest stays.

    subject: with the present inputs, from which the lengths of free axes are taken unless the
    report was measured with other inputs and the default ones are those. Raises InspectorError.
    """
    subject = subject.at(report.spec)
    present, usual = subject.filled(), subject.with_given({}).filled()
    named, usually = ({*sources_of(filled)} for filled in (present, usual))
    fed = usual if usually == {*report.spec.inputs} != named else present
    shapes = shapes_of(feeds_by_name(fed))
    whole = ceilings.add_roofline(engine, subject.path, report, shapes)
    return with_advice(whole, subject.model, facts(subject.model))


def with_known_peak(
    engine: Engine, measured: Setup, report: PerformanceReport
) -> PerformanceReport:
    """Return a report of this machine with the peak rates of its devices as they are saved.

    They are measured where they are not saved, or were measured beside load that is gone. The
    report is returned as it is where that fails or is canceled.
    """
    alone = not (measured.spec.generates or engine.elsewhere or report.roofline.ceilings)
    if not alone or not report.kernel_ns or not report.complete:
        return report
    shapes = shapes_of(feeds_by_name(measured.feeds))
    path = measured.subject.path
    try:
        busy = bool(disturbances(report))
        return ceilings.add_roofline(engine, path, report, shapes, saved_suffices=busy)
    except InspectorError:  # nobody asked for it
        return report


def is_of_this_machine(report: PerformanceReport) -> bool:
    """Return whether a report was measured here, as far as the name of the CPU tells."""
    return report.environment.cpu == machine.processor_name()


def series(
    engine: Engine, subject: Subject, shapes: Sequence[Lengths]
) -> Iterator[tuple[Lengths, ShapeRun]]:
    """Yield each choice of lengths with its runs, in one session, and the first once more.

    Raises BadInput: an axis that is not free; InspectorError: a shape does not run.
    """
    free = set(free_axes(subject.inputs))
    for name in {name for lengths in shapes for name in lengths} - free:
        known = ", ".join(sorted(free)) or "none"
        why = f"the model has no free axis '{name}' (free: {known})"
        raise BadInput("Could not run the series of shapes", why)
    for lengths in (*shapes, shapes[0]):
        own = subject.with_lengths(lengths)
        feeds = feeds_by_name(own.filled())
        yield lengths, engine.call(RunShape(own.path, own.spec, feeds))


def lengths_of(axes: Sequence[tuple[str, Sequence[int]]]) -> list[Lengths]:
    """Return the lengths of each run of a series from those of each axis. Raises BadInput."""
    if len({len(sizes) for _, sizes in axes}) > 1:
        why = "different axes have different numbers of lengths"
        raise BadInput("Could not run the series of shapes", why, "Give each axis as many.")
    names, columns = [name for name, _ in axes], zip(*(s for _, s in axes), strict=True)
    return [dict(zip(names, sizes, strict=True)) for sizes in columns]


def series_json(model: str, runs: Sequence[tuple[Lengths, ShapeRun]]) -> dict[str, Any]:
    """Return the runs as JSON has them (schema shapes/1)."""
    listed = [{"lengths": dict(lengths), **asdict(run)} for lengths, run in runs]
    held = runs[-1][1].after_bytes - runs[0][1].after_bytes
    return {"schema": SERIES_SCHEMA, "model": model, "held_bytes": held, "runs": listed}


def failed(engine: Engine, measured: Setup, error: InspectorError) -> PerformanceReport:
    """Return the report of a measurement without any run."""
    said = str(error).replace("\n", ". ")
    reason = Sentence(_STAGES.get(error.phase, _ANY_STAGE), said)
    report = PerformanceReport(
        model=measured.subject.identity,
        spec=measured.spec,
        environment=_environment(engine, measured),
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        load_ns=0,
        first_prediction_ns=0,
        prediction_ns=(),
        prediction_cpu_ns=(),
        memory=MemoryUse(0, 0, 0, 0, 0, 0),
        devices=(),
        layers=(),
        inserted=(),
        kernel_ns=0,
        trace=from_columns((), (), dict.fromkeys(COLUMNS, ())),
        complete=False,
        early_end_reason=reason,
        notes=(*filter(None, (engine.note,)), reason),
    )
    return measured.with_note(report)


def _environment(engine: Engine, measured: Setup) -> Environment:
    """Return the machine of an engine, and the runtime that was to run a model there."""
    backend = registry.for_run(measured.subject.path, measured.spec.devices)
    module = backend.module or _OWN_MODULE
    if engine.elsewhere:
        there = convert(dict(engine.hello), _Hello, strict=False)
        version = there.runtimes.get(module, "")
        return Environment(
            there.inspector,
            "" if backend.module else version,
            (),
            there.python,
            there.system,
            there.cpu,
            there.cores,
            there.memory_bytes,
            runtime=f"{backend.name} {version}".strip(),
        )
    packages = metadata.packages_distributions().get(module, [])
    version = metadata.version(packages[0]) if packages else ""
    used = [f"{packages[0]} {version}"] if packages else []
    of_onnx = "" if backend.module else version
    return machine.environment(used, f"{backend.name} {version}".strip(), of_onnx)
