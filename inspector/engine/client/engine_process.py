"""An engine whose process is on this machine: the client's end of the pipe.

What only measurements need is imported by them: a command that asks one question of a small
model would spend a third of its time on those imports.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from inspector.analysis.facts.shapes import Shapes, joined
from inspector.backends import array_files, registry
from inspector.backends.base import Capability
from inspector.backends.onnxruntime.info import providers
from inspector.backends.values import ComparisonRun, Loaded, Plugin, Progress
from inspector.conversion.action import Converted
from inspector.conversion.edits.changes import Edited
from inspector.engine import payloads, requests
from inspector.engine.client import machine_lock, supervision
from inspector.engine.client.engine import Engine
from inspector.engine.client.single_child import EngineProcessOwner, run_job
from inspector.engine.client.supervision import SupervisedProcess
from inspector.engine.requests import SUPPORT_SECONDS, Feeds, Reference, Request
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
from inspector.model.tensors.prediction import Prediction
from inspector.platform import files
from inspector.platform.busy_cores import keep_busy
from inspector.platform.late_modules import LateModule
from inspector.platform.work_limits import Limits
from inspector.report.compatibility import CompatibilityResult
from inspector.report.report_values import LIMIT_BYTES, CompiledModel, Device, Support
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import RunSpec

if TYPE_CHECKING:
    from inspector.backends.interleaving import Pair, TurnHolder
    from inspector.engine.client import measuring
    from inspector.engine.client.report_completion import CounterQuery, Counts
    from inspector.preview.runs.other_run import OtherRun
    from inspector.preview.runs.steps import Predict
    from inspector.report.report import PerformanceReport
else:
    # Reports and what completes them, 100 ms: a prediction needs none.
    measuring = LateModule("inspector.engine.client.measuring")

__all__ = ["ComparisonRun", "EngineProcess", "Limits", "Loaded", "Progress"]
_PIECE_BYTES = 4 << 20
R = TypeVar("R")
Place = Callable[[Sequence[tuple[Path, Path]]], None]  # puts files into their places
# Times the seconds of work: shapes are given up sooner on a busy machine, for nobody asked for
# them, and others wait.
_SHAPES_CLOCK = 2.0


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


def _copy(made: Sequence[tuple[Path, Path]]) -> None:
    """Put files into a folder of the user: all of them, or none. Raises NotSaved."""
    files.write_together([(to, _pieces(one)) for one, to in made])


def _move(made: Sequence[tuple[Path, Path]]) -> None:
    """Let files be those of a private folder, which need not be safe from a lack of power.

    Raises Cancelled: the folder has gone with what it was for. NotSaved: no room.
    """
    for one, to in made:
        if one.is_symlink():
            raise EngineDied("", "the engine process gave a link instead of a file")
        try:
            shutil.move(one, to)
        except OSError as error:
            if not (one.exists() and to.parent.is_dir()):
                raise Cancelled("Stopped") from error
            raise files.not_saved(to, error) from error


class EngineProcess(EngineProcessOwner):
    """Runs models in a process of its own; starts it when first needed, one job at a time.

    Every way to fail is one InspectorError: BadInput (a feed, a setting), EngineFailed (the
    runtime refused), EngineDied (the process ended, hung or babbled), Cancelled (`kill`).
    The next job then works.

    command: what starts the engine program, for tests of its failures.
    lock: file on which measurements wait for each other; None for that of this user.
    reads: models of later jobs; a process that may read their folders serves them all.
    backend: id of the runtime, one of `registry.BACKENDS`; empty: that of each model's format.
    shapes_first: the first job asks for shapes, and maybe no other does.
    seat: at the floor of two that measure in turns, who hold the lock together.
    """

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
        self._pair: list[EngineProcess] = []  # the two of a MeasurePair, for `kill`
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

    def call(self, request: Request[R]) -> R:
        """Return the answer to a request. Raises InspectorError."""
        model: Path | None = getattr(request, "model", None)
        if model is not None:
            model = supervision.printable_path(model, request.what)
            request = msgspec.structs.replace(request, model=model)
        procedure = _PROCEDURES.get(type(request))
        if procedure is not None:
            answer: R = procedure(self, request)
            return answer
        assert model is not None, "a request without a model has a procedure"
        against: ComparisonRun | None = getattr(request, "against", None)
        spec: RunSpec = getattr(request, "spec", RunSpec())
        others = (against.spec,) if against is not None and against.spec is not None else ()
        for other in others:
            runtimes = {registry.with_device(each) for each in other.devices}
            if runtimes != {registry.with_device(each) for each in spec.devices}:
                why = "the outputs of layers of two runtimes cannot be compared in one run"
                device = next((each for each in other.devices if each not in spec.devices), "")
                command = f"inspector parity {model} --against {device}"
                hint = f"Compare the outputs of the model instead: {command}"
                raise BadInput(request.what, why, hint, "devices")
        with self._job(spec, *others):
            self._bind(model, spec, against, request.runs)
            return self._ask(request, getattr(request, "seconds", 0.0))

    def kill(self) -> None:
        """Stop the current job, from any thread: it raises Cancelled."""
        super().kill()
        for engine in tuple(self._pair):
            engine.kill()

    def start_for(self, model: Path) -> None:
        """Start the process for a model whose shapes will be asked for, without waiting.

        It loads what it needs while the caller reads the model. The job itself says what is
        wrong with the model or the runtime.
        """
        with suppress(InspectorError), self._job():
            self._bind(supervision.printable_path(model, ""), RunSpec(), shapes=True)

    def _devices(self, _: requests.ListDevices) -> tuple[Device, ...]:
        """Ask a process of its own for each plugin, so that its crash is its own problem."""
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

    def _measure(self, request: requests.Measure) -> "PerformanceReport":
        """Measure in one process or several, and have the report completed in others."""
        self.partial = None
        path, spec, identity = request.model, request.spec, request.identity
        for name in spec.predict:
            measuring.absent_devices.device(name)

        def once(requested: RunSpec, step: str, known_ns: int) -> "PerformanceReport":
            self._end_child()
            child, seat, samples_ns = self._bind(path, spec), self._seat, list[int]()
            tell = measuring.with_part(step, self._on_progress)
            together = "" if seat is None else seat.id
            pass_on = seat.pass_on if seat is not None else lambda: 0
            asked = msgspec.structs.replace(
                request, spec=requested, known_ns=known_ns, together=together
            )
            try:
                return run_job(child, asked, self._of_the_user(), tell, pass_on, samples_ns)
            except BaseException:  # raised on: the end of this is the end of the job
                self.partial = measuring.partial_reports.read(child.folder, samples_ns)
                raise

        def keep(report: "PerformanceReport") -> None:
            self.partial = report

        def in_processes(requested: RunSpec) -> "PerformanceReport":
            full_speed_ns = measuring.cpu_speed_history.full_speed_probe_ns(
                spec, identity.sha256
            )
            return measuring.measure_in_processes(once, requested, full_speed_ns, keep)

        def refuse_absent_devices() -> None:
            if spec.devices == RunSpec().devices:
                return
            self._bind(path, spec)
            listed = {device.id for device in self._ask(requests.ListDevices())}
            if not listed.issuperset(spec.devices):
                self._ask(requests.Load(path, spec))  # its error says which there are
            self._end_child()

        with (
            self._job(spec),
            self._turn(request.what, request.wait, refuse_absent_devices),
            model_unchanged(path, identity.sha256, request.what),
        ):
            try:
                with keep_busy(spec.busy_cores):
                    report = measuring.measure_with_retries(in_processes, spec, path)
                self.partial = report  # in case that the questions after it are stopped
                measuring.cpu_speed_history.save(report.pace, spec, identity.sha256)
                self._end_child()
                report = self._with_answers(path, report, spec, request.feeds)
                self.partial = None
                return report
            except BaseException as error:  # raised on: Ctrl+C leaves what it had as well
                if self.partial is not None:
                    self.partial = measuring.partial_reports.mark_incomplete(
                        self.partial, error
                    )
                raise
            finally:
                self._end_child()

    def _measure_pair(self, request: requests.MeasurePair) -> "Pair":
        def tell(progress: Progress) -> None:
            if self._stopped:  # `kill` came before the other process had its job
                raise Cancelled("Stopped", phase=progress.step)
            self._on_progress(progress)

        def side(
            feeds: Feeds, spec: RunSpec, step: str, seat: "TurnHolder"
        ) -> "PerformanceReport":
            backend = "" if self._by_model else self.backend.id
            engine = EngineProcess(
                tell, self._limits, self._command, self._lock, seat, backend=backend
            )
            self._pair.append(engine)
            with engine:
                return engine.measure(request.model, request.identity, spec, feeds)

        others = request.feeds if request.other_feeds is None else request.other_feeds
        sides = partial(side, request.feeds), partial(side, others)
        with self._job(*request.specs), self._turn(request.what, wait=True):
            self._end_child()
            try:
                return measuring.run_interleaved(sides)(request.specs, "", request.first)
            finally:
                self._pair.clear()

    def _changed(
        self,
        request: requests.Convert | requests.EditModel | requests.CompileModel,
        place: Place = _move,
    ) -> Converted | Edited | CompiledModel:
        """Move the files of the result to the request's folder."""
        spec, folder = getattr(request, "spec", RunSpec()), request.folder
        asked: Request[Any] = request
        with self._job(spec):
            shared = self._bind(request.model, spec, runs=request.runs).folder
            result: Converted | Edited | CompiledModel = self._ask(asked)
            if any(Path(name).name != name for name in result.files):
                raise EngineDied(
                    request.what, "the engine process named a file outside of its folder"
                )
            made = [(shared / name, folder / name) for name in result.files]
            try:
                place(made)
            finally:
                for one, _ in made:
                    one.unlink(missing_ok=True)
            return result

    def _with_answers(
        self, path: Path, report: "PerformanceReport", spec: RunSpec, feeds: Feeds
    ) -> "PerformanceReport":
        """Complete the report with everything but times, which this can no longer disturb."""
        able = self.backend.capabilities
        if Capability.SUPPORT in able:
            report = self._completed(path, report, array_files.shapes_of(feeds))
        if Capability.COUNTERS in able:

            def ask(query: "CounterQuery") -> "Counts":
                self._end_child()
                child = self._bind(path, RunSpec())
                answer = self._ask_after(
                    child, requests.ProfileCompiled(path, query.device, feeds)
                )
                self._end_child()
                return answer

            report = measuring.with_provider_counters(report, ask)
        if Capability.PREPACKING in able and spec.phases:
            report = self._with_packing(path, report)
        return self._checked(path, report, feeds) if spec.check else report

    def _check_support(self, request: requests.CheckSupport) -> dict[str, dict[int, Support]]:
        """Ask a new process."""
        with self._job(request.spec):
            self._end_child()
            self._bind(request.model, replace(request.spec, devices=tuple(request.layers)))
            return self._ask(request, request.seconds)

    def _shapes(self, request: requests.InferShapes) -> Shapes:
        """Infer shapes, in pieces where the process hangs or crashes."""
        with self._job():
            self._bind(request.model, RunSpec(), shapes=True)
            try:
                return self._ask(request, request.seconds, _SHAPES_CLOCK * request.seconds)
            except EngineDied as error:
                self._end_child()
                if self.out_of_time:
                    raise
                return self._shapes_in_pieces(request, error)

    def _shapes_in_pieces(self, request: requests.InferShapes, first: EngineDied) -> Shapes:
        """Return the shapes inferred within the limit; raises `first` if there are none."""
        child = self._bind(request.model, RunSpec(), shapes=True)
        parts: list[Shapes] = []
        share = 0.0

        def take(progress: Progress) -> None:
            nonlocal share
            if progress.step == requests.piece_step(len(parts)):
                piece = child.folder / requests.piece_file(len(parts))
                try:
                    parts.append(payloads.shapes(files.read_capped(piece, LIMIT_BYTES)))
                except (UnreadableFile, ValueError, RecursionError) as error:
                    raise EngineDied(request.what, str(error), "Try again.") from error
                share = progress.done

        try:
            seconds = request.seconds
            allowance = self._limits.allowance(seconds, _SHAPES_CLOCK * seconds)
            run_job(child, msgspec.structs.replace(request, pieces=True), allowance, take)
        except EngineDied:
            self._end_child()
        if not parts:
            raise first
        note = (
            f"Partial: inferred only for the first {share:.0%} of the layers, because "
            f"inference of the whole model failed ({first.why})."
        )
        return joined(parts, note)

    def _open_with(self, request: requests.OpenWith) -> CompatibilityResult:
        """Open it; that the process hangs or dies is an answer, too."""
        with self._job():
            began = monotonic()
            try:
                self._bind(request.model, RunSpec(custom_ops=request.libraries))
                return self._ask(request, request.seconds)
            except EngineDied as error:
                self._end_child()
                took = monotonic() - began
                late = isinstance(error, EngineLate)
                return supervision.compatibility_after_failure(
                    request.program, error.why, took, late
                )

    def _ceiling(self, request: requests.MeasureCeiling) -> Ceiling:
        """Measure it in a process of its own."""
        with self._job(RunSpec(threads=request.threads)), self._turn(request.what, wait=True):
            self._end_child()
            self._start(None)
            return self._ask(request)

    @contextmanager
    def _turn(
        self, what: str, wait: bool, refuse: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Let no other measurement run meanwhile; waiting for them is counted.

        refuse: called before waiting; raises what would be raised after it.
        """
        if self._seat is not None:
            yield
            return

        def waiting() -> None:
            behind = machine_lock.owner(self._lock)
            part = f"queued behind {behind}" if behind else ""
            refuse()
            self._on_progress(Progress("waiting", -1, part=part))

        began = monotonic()
        with machine_lock.exclusive_use(self._lock, wait, waiting, lambda: self._stopped, what):
            self.waited_seconds += monotonic() - began
            yield

    def _completed(
        self, path: Path, report: "PerformanceReport", shapes: dict[str, tuple[int, ...]]
    ) -> "PerformanceReport":
        """Add which devices could run each layer. A failure costs the marks, not the report."""
        missing = measuring.layers_without_marks(report)
        if not missing and not report.spec.predict:
            return report
        request = requests.CheckSupport(path, report.spec, shapes, missing)
        try:
            child = self._bind(path, measuring.with_predicted_devices(report.spec))
            answers = self._ask_after(child, request, "support")
        except Cancelled:
            raise
        except InspectorError as error:
            note = f"Device support could not be determined: {error.why}."
            return measuring.with_support_marks(report, {}, note)
        return measuring.with_support_marks(report, answers)

    def _with_packing(self, path: Path, report: "PerformanceReport") -> "PerformanceReport":
        """Find out what kernels prepacked. A failure costs the answer, not the report."""
        try:
            self._end_child()
            child = self._bind(path, report.spec)
            request = requests.ListPrepacked(path, report.spec)
            packing = self._ask_after(child, request, "packing")
        except Cancelled:
            raise
        except InspectorError as error:
            note = f"Prepacked weights could not be counted: {error.why}."
            return replace(report, notes=(*report.notes, note))
        return replace(report, memory=replace(report.memory, packing=packing))

    def _ask_after(self, child: SupervisedProcess, request: Request[R], step: str = "") -> R:
        """Ask what completes a report; it is told as progress of the step, or not at all."""

        def tell(progress: Progress) -> None:
            if step:
                self._on_progress(msgspec.structs.replace(progress, step=step))

        return run_job(child, request, self._limits.allowance(SUPPORT_SECONDS), tell)

    def _checked(
        self, path: Path, report: "PerformanceReport", feeds: Feeds
    ) -> "PerformanceReport":
        """Hold the outputs against the CPU's. A failure costs the answer, not the report."""

        def predict(spec: RunSpec) -> Prediction:
            self._on_progress(Progress("check", -1))
            self._bind(path, spec)
            own = self.backend.fitted(spec)  # no runtime has all settings of the reference
            return self._ask(requests.Predict(path, own, feeds))

        opened = opening.open_model(path)
        report = measuring.check_outputs(report, opened, predict)
        if not measuring.has_float16(opened):
            return report
        self._on_progress(Progress("check", -1))
        with EngineProcess(self._on_progress, self._limits, reads=(path,)) as engine:
            return measuring.check_float16(report, path, feeds, engine)

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
        devices = self._ask(requests.ListDevices(plugin))
        self._end_child()
        return devices


def second_prediction(engine: Engine, model: Path, spec: RunSpec, run: "OtherRun") -> "Predict":
    """Return what predicts once in another run; what `run` does not name is as in `spec`.

    Raises BadInput: it is a recording, which predicts nothing.
    """
    if run.recorded:
        why = "these are recorded tensors, which predict nothing"
        hint = (
            f"Compare the layers with them: inspector layers {model} --against {run.recorded}"
        )
        raise BadInput("Could not compare the outputs", why, hint)
    if run.reference:
        return lambda feeds, steps=None: engine.call(Reference(model, feeds, steps=steps))
    if run.float16:
        return measuring.Float16Run(engine, model, spec).predict
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


# Requests that take more than one question to a process that reads the model.
_PROCEDURES: dict[type[Request[Any]], Callable[[EngineProcess, Any], Any]] = {
    requests.Measure: EngineProcess._measure,
    requests.MeasurePair: EngineProcess._measure_pair,
    requests.ListDevices: EngineProcess._devices,
    requests.InferShapes: EngineProcess._shapes,
    requests.CheckSupport: EngineProcess._check_support,
    requests.OpenWith: EngineProcess._open_with,
    requests.MeasureCeiling: EngineProcess._ceiling,
    requests.Convert: partial(EngineProcess._changed, place=_copy),
    requests.EditModel: EngineProcess._changed,
    requests.CompileModel: EngineProcess._changed,
}
