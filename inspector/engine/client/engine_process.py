"""Calls into the engine process as plain methods: the client's end of the pipe.

What only measurements need is imported by them: a command that asks one question of a small
model would spend a third of its time on those imports.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import msgspec

from inspector.analysis.facts.shapes import Shapes, joined
from inspector.analysis.measured.layer_outputs import Alone, Stepping
from inspector.backends import array_files, registry
from inspector.backends.array_files import StoredArray
from inspector.backends.base import Capability
from inspector.backends.values import ComparisonRun, Loaded, Plugin, Progress
from inspector.conversion.action import Converted, Effect
from inspector.conversion.action import Step as RecipeStep
from inspector.engine import payloads, protocol
from inspector.engine.client import machine_lock, supervision
from inspector.engine.client.single_child import EngineProcessOwner, run_job
from inspector.engine.client.supervision import SupervisedProcess
from inspector.errors import (
    BadInput,
    Cancelled,
    EngineDied,
    EngineLate,
    InspectorError,
    UnreadableFile,
)
from inspector.formats import opening
from inspector.formats.opening import digest
from inspector.model.model import Model
from inspector.model.tensors.prediction import Prediction
from inspector.platform import files
from inspector.platform.busy_cores import keep_busy
from inspector.platform.work_limits import Limits
from inspector.report.compatibility import CompatibilityResult
from inspector.report.report_values import Device, ModelIdentity, Support
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import Dimension, RunSpec
from inspector.units import clip
from inspector.wording.stored import text_only

if TYPE_CHECKING:
    from inspector.analysis.measured.executed_graph import ExecutedGraph
    from inspector.backends.interleaving import Pair, TurnHolder
    from inspector.engine.client.report_completion import CounterQuery, Counts
    from inspector.preview.runs.other_run import OtherRun
    from inspector.preview.runs.steps import Predict, Steps
    from inspector.report.report import PerformanceReport

__all__ = ["ComparisonRun", "EngineProcess", "Limits", "Loaded", "Progress"]
_PIECE_BYTES = 4 << 20
D = TypeVar("D", bound=protocol.Done)
_SHAPES_CLOCK = 2.0  # times the seconds of work: on a busy machine, shapes are given up sooner
_SUPPORT_SECONDS = 120.0  # of work, for all questions about support after a measurement


@contextmanager
def model_unchanged(model: Path, sha256: str, what: str) -> Iterator[None]:
    """Let a job be done that opens a model more than once, each start anew.

    sha256: of the file that the result is about. Raises UnreadableFile: it is another one by
    now, so that the result would mix two. One that is gone is no matter to what is done.
    """
    before = _file_state(model)
    yield
    after = _file_state(model)
    if after and after != before and digest(model) != sha256:  # it may have been touched only
        why = "the model file changed during the measurement"
        raise UnreadableFile(what, why, "Measure again when the file is no longer changing.")


def _file_state(model: Path) -> tuple[int, int, int] | None:
    try:
        status = model.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece


Feeds = Mapping[str, array_files.Feed]


class EngineProcess(EngineProcessOwner):
    """Runs models in a process of its own; starts it when first needed, one job at a time.

    Every way to fail is one InspectorError: BadInput (a feed, a setting), EngineFailed (the
    runtime refused), EngineDied (the process ended, hung or babbled), Cancelled (`kill`).
    The next job then works. Methods block; call them from any one thread at a time.

    on_progress: told how a job comes along, on the thread that called.
    command: what starts the engine program, for tests of its failures.
    lock: file on which measurements wait for each other; None for that of this user.
    reads: models of later jobs; a process that may read their folders serves them all.
    backend: id of the runtime, one of `registry.BACKENDS`; empty: that of each model's format.
    shapes_first: the first job asks for shapes, and maybe no other does.
    seat: at the floor of two that measure in turns, who hold the lock together.
    partial: what the last measurement had when it failed or was stopped; None if it did not
    or had nothing.
    waited_seconds: so far, for other measurements of this user to end.
    elsewhere: whether its process is on another machine.
    """

    elsewhere = False

    def __init__(
        self,
        on_progress: Callable[[Progress], None] = lambda _: None,
        limits: Limits | None = None,
        command: Sequence[str] = (),
        lock: Path | None = None,
        seat: "TurnHolder | None" = None,
        reads: Sequence[Path] = (),
        backend: str = "",
        shapes_first: bool = False,
    ) -> None:
        super().__init__(on_progress, limits, command, reads, backend, shapes_first)
        self._lock, self._seat = lock or machine_lock.default_file(), seat
        self.partial: PerformanceReport | None = None
        self._pair: list[EngineProcess] = []  # those of `measure_pair`, for `kill`
        self.waited_seconds = 0.0
        self._at_close = ExitStack()
        if seat is not None:
            seat.kill = self.kill

    def close(self) -> None:
        """End the process, and delete its folders; a later job would start a new one."""
        super().close()
        self._at_close.close()

    def private_folder(self) -> Path:
        """Return a new folder for models in between, deleted when the engine is closed."""
        return Path(self._at_close.enter_context(files.private_folder()))

    def devices(self) -> tuple[Device, ...]:
        """List the devices of this machine, each tried out, the usable ones first.

        Every plugin has a process of its own, so that a crash of one is its own problem.
        """
        from inspector.backends.onnxruntime.sessions import providers

        with self._job():
            if self._by_model:
                self.backend = registry.info(registry.DEFAULT)
            listed = list(self._list_devices(None))
            if self._by_model:
                listed += self._devices_of_other_backends()
                self.backend = registry.info(registry.DEFAULT)
                listed += self._devices_of_other_builds({device.id for device in listed})
            for plugin in self.backend.plugins():
                try:
                    listed += self._list_devices(plugin)
                except Cancelled:
                    raise
                except InspectorError as error:
                    listed.append(providers.unusable(plugin, error))
        return tuple(sorted(listed, key=lambda device: bool(device.problem)))

    def run(
        self, job: protocol.Job, answer: type[D], model: Path, what: str, seconds: float = 0.0
    ) -> D:
        """Run any job of `protocol.JOBS` in a process that may read a model.

        what: the start of the message if it fails. seconds: of work that it may take; 0: as the
        limits say.
        """
        with self._job():
            printable = supervision.printable_path(model, what)
            self._bind(printable, RunSpec(), runs=not isinstance(job, protocol.ConvertJob))
            return self._ask(job, answer, what, seconds)

    def load(self, model: Path, spec: RunSpec) -> Loaded:
        """Make a model ready on its devices; the next prediction finds it so."""
        what = f"Could not load {clip(model.name)}"
        path = supervision.printable_path(model, what)
        with self._job(spec):
            self._bind(path, spec)
            return self._ask(protocol.LoadJob(str(path), spec), protocol.LoadDone, what).loaded

    def predict(
        self,
        model: Path,
        spec: RunSpec,
        feeds: Mapping[str, array_files.Feed],
        warm: bool = False,
        steps: "Steps | None" = None,
    ) -> Prediction:
        """Predict once; a tuple is a sequence of tensors whose shapes differ.

        The session stays warm for the next call with the same model. warm: after the first call
        of a session, make a few more for its warm latency, up to 60 ms in all. steps: predict
        once for each of them instead, in the engine; progress says how many are done.
        """
        what = f"Could not run {clip(model.name)}"
        path = supervision.printable_path(model, what)
        with self._job(spec):
            folder = self._bind(path, spec).folder
            with payloads.stored_feeds(folder, feeds, steps) as stored:
                states = {} if steps is None else dict(steps.states)
                job = protocol.PredictJob(str(path), spec, stored, warm, states)
                answer = self._ask(job, protocol.PredictDone, what)
            return payloads.prediction(folder, answer)

    def reference(
        self,
        model: Path,
        feeds: Feeds,
        seconds: float = 120.0,
        steps: "Steps | None" = None,
    ) -> Prediction:
        """Run ONNX's reference evaluator: slow, but correct. EngineFailed: it lacks an
        operator."""
        what = f"Could not run the reference evaluator on {clip(model.name)}"
        path = supervision.printable_path(model, what)
        with self._job():
            folder = self._bind(path, RunSpec()).folder
            with payloads.stored_feeds(folder, feeds, steps) as stored:
                states = {} if steps is None else dict(steps.states)
                job = protocol.ReferenceJob(str(path), stored, states)
                answer = self._ask(job, protocol.PredictDone, what, seconds)
            return payloads.prediction(folder, answer)

    def measure(
        self,
        model: Path,
        identity: ModelIdentity,
        spec: RunSpec,
        feeds: Feeds,
        wait: bool = True,
    ) -> "PerformanceReport":
        """Measure a model in a fresh process, so that load time and memory are its own.

        What devices could run besides is asked in another one, so that nothing measured can
        be lost. Measurements of this user wait for each other, or with `wait` False raise
        MachineBusy. Raises BadInput: no table for a device of `spec.predict`; UnreadableFile:
        the model became another one meanwhile.
        """
        from inspector.backends import partial_reports
        from inspector.backends.onnxruntime.placement import absent_devices
        from inspector.engine.client import (
            cpu_speed_history,
            process_repetitions,
            report_completion,
        )

        self.partial = None
        what = f"Could not measure {clip(model.name)}"
        path = supervision.printable_path(model, what)
        for name in spec.predict:
            absent_devices.device(name)

        def once(requested: RunSpec, step: str, known_ns: int) -> "PerformanceReport":
            self._end_child()
            child = self._bind(path, spec)
            report_progress, samples_ns = (
                process_repetitions.with_part(step, self._on_progress),
                list[int](),
            )
            with payloads.stored_feeds(child.folder, feeds) as stored:
                job = protocol.MeasureJob(str(path), identity, requested, stored, known_ns)
                try:
                    answer = self._measured(child, job, what, report_progress, samples_ns)
                except BaseException:  # raised on: the end of this is the end of the job
                    self.partial = partial_reports.read(child.folder, samples_ns)
                    raise
            return payloads.performance_report(child.folder, answer.report)

        def keep(report: "PerformanceReport") -> None:
            self.partial = report

        def in_processes(requested: RunSpec) -> "PerformanceReport":
            full_speed_ns = cpu_speed_history.full_speed_probe_ns(spec, identity.sha256)
            return process_repetitions.measure_in_processes(
                once, requested, full_speed_ns, keep
            )

        with (
            self._job(spec),
            self._turn(what, wait),
            model_unchanged(path, identity.sha256, what),
        ):
            try:
                with keep_busy(spec.busy_cores):
                    report = report_completion.measure_with_retries(in_processes, spec, path)
                self.partial = report  # in case that the questions after it are stopped
                cpu_speed_history.save(report.pace, spec, identity.sha256)
                self._end_child()
                report = self._with_answers(path, report, spec, feeds)
                self.partial = None
                return report
            except BaseException as error:  # raised on: Ctrl+C leaves what it had as well
                if self.partial is not None:
                    self.partial = partial_reports.mark_incomplete(self.partial, error)
                raise
            finally:
                self._end_child()

    def measure_pair(
        self,
        model: Path,
        identity: ModelIdentity,
        specs: tuple[RunSpec, RunSpec],
        feeds: Feeds,
        first: int = 0,
    ) -> "Pair":
        """Measure a model with two settings at once, with interleaved predictions.

        Each has a fresh process, both are loaded at the same time. first: which of them
        begins, 0 or 1. Raises what either raises.
        """
        from inspector.backends.interleaving import run_interleaved

        what = f"Could not measure {clip(model.name)}"

        def tell(progress: Progress) -> None:
            if self._stopped:  # `kill` came before the other process had its job
                raise Cancelled("Stopped", phase=progress.step)
            self._on_progress(progress)

        def side(spec: RunSpec, step: str, seat: "TurnHolder") -> "PerformanceReport":
            backend = "" if self._by_model else self.backend.id
            engine = EngineProcess(
                tell, self._limits, self._command, self._lock, seat, backend=backend
            )
            self._pair.append(engine)
            with engine:
                return engine.measure(model, identity, spec, feeds)

        with self._job(*specs), self._turn(what, wait=True):
            self._end_child()
            try:
                return run_interleaved((side, side))(specs, "", first)
            finally:
                self._pair.clear()

    def effects(
        self, model: Path, steps: Sequence[RecipeStep], others: Sequence[RecipeStep]
    ) -> tuple[Effect, ...]:
        """Return what each of other steps would do to a model after the steps of a recipe."""
        what = f"Could not check actions for {clip(model.name)}"
        path = supervision.printable_path(model, what)
        job = protocol.ConvertJob(str(path), tuple(steps), tuple(others))
        return self.run(job, protocol.ConvertDone, model, what).converted.effects

    def convert(
        self,
        model: Path,
        steps: Sequence[RecipeStep],
        folder: Path,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        name: str = "model.onnx",
    ) -> Converted:
        """Run a recipe on a model, and put the files of the result into a folder.

        name: of the new file. ranges: of tensors, for steps that calibrate; without them such a
        recipe ends early, with a model that has outputs for `Converted.observe`. Raises
        InspectorError: NotSaved if the folder has no room.
        """
        what = f"Could not convert {clip(model.name)}"
        path = supervision.printable_path(model, what)
        with self._job():
            shared = self._bind(path, RunSpec(), runs=False).folder
            if ranges is not None:
                body = msgspec.json.encode(dict(ranges), enc_hook=text_only)
                (shared / protocol.RANGES_FILE).write_bytes(body)
            given = ranges is not None
            job = protocol.ConvertJob(str(path), tuple(steps), ranges=given, name=name)
            converted = self._ask(job, protocol.ConvertDone, what).converted
            if any(Path(name).name != name for name in converted.files):
                raise EngineDied(what, "the engine named a file outside of its folder")
            made = [(shared / name, folder / name) for name in converted.files]
            try:
                files.write_together([(to, _pieces(one)) for one, to in made])
            finally:
                for one, _ in made:
                    one.unlink(missing_ok=True)
            return converted

    def kill(self) -> None:
        """Stop the current job, from any thread: it raises Cancelled."""
        super().kill()
        for engine in tuple(self._pair):
            engine.kill()

    def _measured(
        self,
        child: SupervisedProcess,
        job: protocol.MeasureJob,
        what: str,
        report_progress: Callable[[Progress], None],
        samples_ns: list[int],
    ) -> protocol.MeasureDone:
        """Run the measurement, interleaved with others that share its turn order."""
        allowance, seat = self._of_the_user(), self._seat
        if seat is None:
            return run_job(
                child,
                job,
                protocol.MeasureDone,
                what,
                allowance,
                report_progress,
                heard_ns=samples_ns,
            )
        job = msgspec.structs.replace(job, together=seat.id)
        passing = seat.pass_on
        return run_job(
            child,
            job,
            protocol.MeasureDone,
            what,
            allowance,
            report_progress,
            passing,
            samples_ns,
        )

    def _with_answers(
        self, path: Path, report: "PerformanceReport", spec: RunSpec, feeds: Feeds
    ) -> "PerformanceReport":
        """Complete the report with everything but times, which this can no longer disturb."""
        able = self.backend.capabilities
        if Capability.SUPPORT in able:
            report = self._completed(path, report, array_files.shapes_of(feeds))
        if Capability.COUNTERS in able:
            report = self._looked_inside(path, report, feeds)
        if Capability.PREPACKING in able and spec.phases:
            report = self._with_packing(path, report)
        return self._checked(path, report, feeds) if spec.check else report

    def probe(
        self, model: Path, spec: RunSpec, shapes: dict[str, tuple[int, ...]], device: str
    ) -> dict[int, Support]:
        """Query the support of a device for each single layer, in a new process. shapes: of the
        inputs."""
        what = f"Could not check the support of {clip(device, 40)} for {clip(model.name)}"
        path = supervision.printable_path(model, what)
        layers = tuple(range(len(opening.open_model(path).layers)))
        with self._job(spec):
            self._end_child()
            folder = self._bind(path, replace(spec, devices=(device,))).folder
            job = protocol.SupportJob(str(path), spec, shapes, {device: layers})
            answer = self._ask(job, protocol.SupportDone, what, _SUPPORT_SECONDS)
            return payloads.answers(folder, answer.answers)[device]

    def start_for(self, model: Path) -> None:
        """Start the process for a model whose shapes will be asked for, without waiting.

        It loads what it needs while the caller reads the model. The job itself says what is
        wrong with the model or the runtime.
        """
        with suppress(InspectorError), self._job():
            self._bind(supervision.printable_path(model, ""), RunSpec(), shapes=True)

    def shapes(
        self, model: Path, dimensions: tuple[Dimension, ...] = (), seconds: float = 10.0
    ) -> Shapes:
        """Infer types and shapes of values, within so many seconds of work: some files hang it.

        Of all time it may take _SHAPES_CLOCK times as long: others wait for it, and it was not
        asked for.

        Where it hangs or crashes, it is done again piece by piece, and what was inferred until
        then is returned with a note that it is partial. Raises InspectorError.
        """
        what = f"Could not infer the shapes of {clip(model.name)}"
        path = supervision.printable_path(model, what)
        with self._job():
            folder = self._bind(path, RunSpec(), shapes=True).folder
            job, clock = protocol.ShapesJob(str(path), dimensions), _SHAPES_CLOCK * seconds
            try:
                answer = self._ask(job, protocol.ShapesDone, what, seconds, clock)
                return payloads.shapes(folder, answer.shapes)
            except EngineDied as error:
                self._end_child()
                if self.out_of_time:
                    raise
                return self._shapes_in_pieces(path, dimensions, seconds, error)

    def _shapes_in_pieces(
        self, path: Path, dimensions: tuple[Dimension, ...], seconds: float, first: EngineDied
    ) -> Shapes:
        """Return the shapes inferred within the limit; raises `first` if there are none."""
        child = self._bind(path, RunSpec(), shapes=True)
        parts: list[Shapes] = []
        share = 0.0

        def take(progress: Progress) -> None:
            nonlocal share
            if progress.step == protocol.piece_step(len(parts)):
                parts.append(payloads.shapes(child.folder, protocol.piece_file(len(parts))))
                share = progress.done

        job = protocol.ShapesJob(str(path), dimensions, pieces=True)
        try:
            allowance = self._limits.allowance(seconds, _SHAPES_CLOCK * seconds)
            run_job(child, job, protocol.ShapesDone, first.what, allowance, take)
        except EngineDied:
            self._end_child()
        if not parts:
            raise first
        note = (
            f"Partial: inferred only for the first {share:.0%} of the layers, because "
            f"inference of the whole model failed ({first.why})."
        )
        return joined(parts, note)

    def verdict(
        self,
        model: Path,
        program: str,
        seconds: float = 20.0,
        libraries: Sequence[str] = (),
    ) -> CompatibilityResult:
        """Find out whether one of `compatibility.PROGRAMS` opens a model, and if not, why.

        seconds: of work that it may take. That it hangs or dies is an answer, too. libraries:
        with custom operators, for the runtime.
        Raises Cancelled.
        """
        what = f"Could not open {clip(model.name)} with {program}"
        path = supervision.printable_path(model, what)
        with self._job():
            began = monotonic()
            try:
                self._bind(path, RunSpec(custom_ops=tuple(libraries)))
                job = protocol.VerdictJob(str(path), program, tuple(libraries))
                return self._ask(job, protocol.VerdictDone, what, seconds).verdict
            except EngineDied as error:
                self._end_child()
                took = monotonic() - began
                late = isinstance(error, EngineLate)
                return supervision.compatibility_after_failure(program, error.why, took, late)

    def ceiling(
        self, device: str, threads: int, dtype: str, bytes_per_second: float = 0.0
    ) -> Ceiling:
        """Measure the peak rates of a device. bytes_per_second: 0 to measure it as well."""
        what = f"Could not measure the peak rates of {clip(device, 40)}"
        with self._job(RunSpec(threads=threads)), self._turn(what, wait=True):
            self._end_child()
            self._start(None)
            return self._ask(
                protocol.CeilingJob(device, threads, dtype, bytes_per_second),
                protocol.CeilingDone,
                what,
            ).ceiling

    def steps(
        self,
        model: Path,
        spec: RunSpec,
        feeds: Feeds,
        against: ComparisonRun | None = None,
        tolerance: float | None = None,
    ) -> Stepping:
        """Predict layer by layer, and hold each layer against another side if there is one."""
        what = f"Could not run {clip(model.name)} layer by layer"
        with self._stepping(model, spec, feeds, against, what) as (path, folder, stored):
            job = protocol.StepsJob(path, spec, stored, against, tolerance)
            return payloads.steps(folder, self._ask(job, protocol.StepsDone, what).steps)

    def value(
        self,
        model: Path,
        spec: RunSpec,
        feeds: Feeds,
        tensor: str,
        against: ComparisonRun | None,
    ) -> Prediction:
        """Return one inner tensor: ours, then the other side's if it has one; notes say why
        not."""
        what = f"Could not get the tensor '{clip(tensor, 80)}' of {clip(model.name)}"
        with self._stepping(model, spec, feeds, against, what) as (path, folder, stored):
            job = protocol.ValueJob(path, spec, stored, tensor, against)
            return payloads.prediction(folder, self._ask(job, protocol.PredictDone, what))

    def alone(self, model: Path, spec: RunSpec, feeds: Feeds, layer: int) -> Alone:
        """Run one layer by itself, `spec.runs` times, on what it gets in the whole model."""
        what = f"Could not run layer {layer} of {clip(model.name)} alone"
        with self._stepping(model, spec, feeds, None, what) as (path, _, stored):
            return self._ask(
                protocol.AloneJob(path, spec, stored, layer), protocol.AloneDone, what
            ).alone

    def executed_graph(
        self, path: Path, model: Model, spec: RunSpec
    ) -> "tuple[Model, ExecutedGraph]":
        """Return the graph that the runtime makes of a model, with the model's own names."""
        from inspector.analysis.measured.executed_graph import with_original_names

        what = f"Could not get the optimized graph of {clip(path.name)}"
        readable = supervision.printable_path(path, what)
        with self._job(spec):
            folder = self._bind(readable, spec).folder
            job = protocol.ExecutedGraphJob(str(readable), spec)
            written = [folder / name for name in protocol.EXECUTED_FILES]
            try:
                done = self._ask(job, protocol.ExecutedGraphDone, what)
                executed = payloads.executed_graph(folder, done.graph)
                optimized = opening.open_model(written[0])
            finally:
                for file in written:
                    file.unlink(missing_ok=True)
        if len(optimized.layers) != len(executed.nodes):
            raise EngineDied(what, "the engine described a different graph than it wrote")
        return with_original_names(optimized, executed, model), executed

    @contextmanager
    def _stepping(
        self, model: Path, spec: RunSpec, feeds: Feeds, against: ComparisonRun | None, what: str
    ) -> Iterator[tuple[str, Path, tuple[StoredArray, ...]]]:
        """Hold a process that may read both sides' models: path, folder, feeds laid down."""
        path = supervision.printable_path(model, what)
        others = (against.spec,) if against is not None and against.spec is not None else ()
        runtimes = {registry.with_device(each) for one in others for each in one.devices}
        if others and runtimes != {registry.with_device(each) for each in spec.devices}:
            why = "the outputs of layers of two runtimes cannot be compared in one run"
            other = next((each for each in others[0].devices if each not in spec.devices), "")
            command = f"inspector parity {model} --against {other}"
            hint = f"Compare the outputs of the model instead: {command}"
            raise BadInput(what, why, hint, "devices")
        with self._job(spec, *others):
            folder = self._bind(path, spec, against).folder
            with payloads.stored_feeds(folder, feeds) as stored:
                yield str(path), folder, stored

    @contextmanager
    def _turn(self, what: str, wait: bool) -> Iterator[None]:
        """Let no other measurement run meanwhile; waiting for them is counted."""
        if self._seat is not None:
            yield
            return

        def waiting() -> None:
            behind = machine_lock.owner(self._lock)
            part = f"queued behind {behind}" if behind else ""
            self._on_progress(Progress("waiting", -1, part=part))

        began = monotonic()
        with machine_lock.exclusive_use(self._lock, wait, waiting, lambda: self._stopped, what):
            self.waited_seconds += monotonic() - began
            yield

    def _completed(
        self, path: Path, report: "PerformanceReport", shapes: dict[str, tuple[int, ...]]
    ) -> "PerformanceReport":
        """Add which devices could run each layer. A failure costs the marks, not the report."""
        from inspector.engine.client import report_completion

        missing = report_completion.layers_without_marks(report)
        if not missing and not report.spec.predict:
            return report
        job = protocol.SupportJob(str(path), report.spec, shapes, missing)
        what = f"Could not determine device support of {clip(path.name)}"

        def tell(progress: Progress) -> None:
            self._on_progress(msgspec.structs.replace(progress, step="support"))

        try:
            child = self._bind(path, report_completion.with_predicted_devices(report.spec))
            allowance = self._limits.allowance(_SUPPORT_SECONDS)
            answer = run_job(child, job, protocol.SupportDone, what, allowance, tell)
            answers = payloads.answers(child.folder, answer.answers)
        except Cancelled:
            raise
        except InspectorError as error:
            note = f"Device support could not be determined: {error.why}."
            return report_completion.with_support_marks(report, {}, note)
        return report_completion.with_support_marks(report, answers)

    def _looked_inside(
        self, path: Path, report: "PerformanceReport", feeds: Feeds
    ) -> "PerformanceReport":
        """Return the layer times of compiled partitions, measured by the provider's own
        runtime."""
        from inspector.engine.client import report_completion

        what = f"Could not profile the compiled partitions of {clip(path.name)}"

        def ask(query: "CounterQuery") -> "Counts":
            self._end_child()
            child = self._bind(path, RunSpec())
            with payloads.stored_feeds(child.folder, feeds) as stored:
                job = protocol.InsideJob(str(path), query.device, stored)
                answer = run_job(
                    child,
                    job,
                    protocol.InsideDone,
                    what,
                    self._limits.allowance(_SUPPORT_SECONDS),
                )
            self._end_child()
            return answer.layers

        return report_completion.with_provider_counters(report, ask)

    def _with_packing(self, path: Path, report: "PerformanceReport") -> "PerformanceReport":
        """Find out what kernels prepacked. A failure costs the answer, not the report."""
        what = f"Could not count the prepacked weights of {clip(path.name)}"
        try:
            self._end_child()
            child = self._bind(path, report.spec)

            def tell(progress: Progress) -> None:
                self._on_progress(msgspec.structs.replace(progress, step="packing"))

            job = protocol.PackingJob(str(path), report.spec)
            allowance = self._limits.allowance(_SUPPORT_SECONDS)
            answer = run_job(child, job, protocol.PackingDone, what, allowance, tell)
        except Cancelled:
            raise
        except InspectorError as error:
            note = f"Prepacked weights could not be counted: {error.why}."
            return replace(report, notes=(*report.notes, note))
        return replace(report, memory=replace(report.memory, packing=answer.packing))

    def _checked(
        self, path: Path, report: "PerformanceReport", feeds: Feeds
    ) -> "PerformanceReport":
        """Hold the outputs against the CPU's. A failure costs the answer, not the report."""
        from inspector.engine.client import report_completion

        def predict(spec: RunSpec) -> Prediction:
            self._on_progress(Progress("check", -1))
            folder = self._bind(path, spec).folder
            own = self.backend.fitted(spec)  # no runtime has all settings of the reference
            with payloads.stored_feeds(folder, feeds) as stored:
                answer = self._ask(
                    protocol.PredictJob(str(path), own, stored), protocol.PredictDone, ""
                )
            return payloads.prediction(folder, answer)

        opened = opening.open_model(path)
        report = report_completion.check_outputs(report, opened, predict)
        if not report_completion.has_float16(opened):
            return report
        self._on_progress(Progress("check", -1))
        with EngineProcess(self._on_progress, self._limits, reads=(path,)) as engine:
            return report_completion.check_float16(report, path, feeds, engine)

    def _devices_of_other_backends(self) -> Iterator[Device]:
        """Yield the devices of backends that have ids of their own, such as "openvino:cpu"."""
        for backend in registry.BACKENDS.values():
            if not backend.device_prefix:
                continue
            problem, hint = backend.missing or ("", "")
            if not problem:
                self.backend = backend
                self._environment = registry.environment_for(backend, ())
                try:
                    yield from self._list_devices(None)
                    continue
                except Cancelled:
                    raise
                except InspectorError as error:
                    problem, hint = error.why, error.hint
                finally:
                    self._environment = ""
            name = f"{backend.device_prefix}:cpu"
            yield Device(name, backend.name, "cpu", backend.name, problem=problem, hint=hint)

    def _devices_of_other_builds(self, known: set[str]) -> Iterator[Device]:
        """Yield the devices that other builds of ONNX Runtime add, in their environments."""
        for build in registry.runtimes():
            self._environment = build.id
            try:
                found = self._list_devices(None)
            except Cancelled:
                raise
            except InspectorError as error:
                device = Device(build.devices[0], build.name, "gpu", build.package)
                yield replace(device, problem=error.why or error.what, hint=error.hint)
                continue
            finally:
                self._environment = ""
            yield from (
                device
                for device in found
                if device.id not in known and device.id.partition(":")[0] in build.devices
            )

    def _list_devices(self, plugin: Plugin | None) -> tuple[Device, ...]:
        self._end_child()
        self._start(None)
        what = f"Could not list the devices of {plugin.id if plugin else 'this machine'}"
        devices = self._ask(protocol.DevicesJob(plugin), protocol.DevicesDone, what).devices
        self._end_child()
        return devices


def second_prediction(
    engine: EngineProcess, model: Path, spec: RunSpec, run: "OtherRun"
) -> "Predict":
    """Return what predicts once in another run; what `run` does not name is as in `spec`."""
    if run.reference:
        return lambda feeds, steps=None: engine.reference(model, feeds, steps=steps)
    if run.float16:
        from inspector.engine.client.exact_float16 import Float16Run

        return Float16Run(engine, model, spec).predict
    if run.device and registry.with_device(run.device) != registry.with_device(spec.devices[0]):
        runtime = registry.with_device(run.device) or registry.for_model(model)
        spec = runtime.fitted(spec)  # what `run` itself asks for is for that runtime to check
    other = run.spec(spec)
    if not run.model:
        return lambda feeds, steps=None: engine.predict(model, other, feeds, steps=steps)
    other, path = replace(other, on_cpu=()), Path(run.model)  # layers of the first model
    runtime = registry.for_model(path)
    if runtime.id != registry.for_model(model).id and not run.device:
        other = replace(runtime.fitted(other), devices=RunSpec().devices)
    return lambda feeds, steps=None: engine.predict(path, other, feeds, steps=steps)
