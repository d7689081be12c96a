"""Starts at most one engine process and runs at most one job in it.

`EngineProcessOwner` owns the process; `run_job` sends a job and follows it to its answer.

While a job makes no progress, `Suspects` names layers that may be the cause. ONNX Runtime
does not say which layer it computes before a call of the whole graph ends: a release build logs
no layer at any level, and the profile is written afterwards. The model only shows which layers
can run forever at all.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from inspector.backends import base, registry
from inspector.backends.values import ComparisonRun, Progress
from inspector.engine.client.engine import Engine
from inspector.engine.client.supervision import (
    TIME_LIMIT_HINT,
    SupervisedProcess,
    engine_command,
)
from inspector.engine.payloads import UnreadableAnswer, fetched_answer, stored_request
from inspector.engine.progress_text import suspects_text
from inspector.engine.protocol import (
    Answered,
    Ask,
    Begin,
    Body,
    Failure,
    FromEngine,
    Go,
    Step,
    Tokens,
    Yields,
)
from inspector.engine.requests import InferShapes, Request, RunLayer
from inspector.errors import (
    BadInput,
    DeviceFailed,
    EngineDied,
    EngineFailed,
    EngineLate,
    InspectorError,
    UnreadableFile,
)
from inspector.formats import opening
from inspector.formats.source import clean
from inspector.platform.memory_budget import WATCH
from inspector.platform.work_limits import Allowance, Limits
from inspector.report.device_ids import is_cpu
from inspector.report.run_spec import RunSpec, cache_folder
from inspector.units import clip

# The body of a Loop runs until its condition is false; Scan and If end with their inputs.
SHAPES_BYTES = 2 << 30  # of a process that infers shapes only, which nobody asked for
_LOG = logging.getLogger("inspector.engine")  # shown by `inspector -v`
_ENDLESS = ("", "Loop")
_FAULT = 200  # characters of what is wrong with an answer
# layers in a message, and characters of each name
_MOST_NAMED = 3
_NAME = 60
_LARGEST_BYTES = 256 << 20  # a larger graph takes seconds to read, which the job has not
R = TypeVar("R")
LATEST_SAMPLES = 20_000  # enough to draw; a long measurement takes millions
MAX_SAMPLES = 1_000_000  # as many as a measurement takes; a process that babbles tells no more
# What a child may raise here; it cannot say that it died or was cancelled.
_ERROR_KINDS = {kind.__name__: kind for kind in (BadInput, EngineFailed, UnreadableFile)}


class Suspects:
    """The layers of a request's model that may run for a long time, computed on first use."""

    def __init__(self, request: Request[Any]) -> None:
        self._request = request
        self._model: Path | None = getattr(request, "model", None)

    @cached_property
    def text(self) -> str:
        """Return the sentence on what may never end; empty where no model runs."""
        return suspects_text(self.layers) if self._model else ""

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Return at most three, as "'name' (Loop)"; empty where none can be named."""
        if isinstance(self._request, InferShapes):  # infers a Loop's body once, runs nothing
            return ()
        try:
            if not self._model or self._model.stat().st_size > _LARGEST_BYTES:
                return ()
            layers = opening.open_model(self._model).layers
        except (OSError, InspectorError):
            return ()
        if isinstance(self._request, RunLayer):
            named = [layer for layer in layers if layer.index == self._request.layer]
        else:
            named = [each for each in layers if (each.domain, each.operator) == _ENDLESS]
        return tuple(
            f"'{clip(layer.label, _NAME)}' ({clip(layer.operator, _NAME)})"
            for layer in named[:_MOST_NAMED]
        )


def run_job(
    child: SupervisedProcess,
    request: Request[R],
    allowance: Allowance | None = None,
    report_progress: Callable[[Progress], None] = lambda _: None,
    pass_on: Callable[[], int] = lambda: 0,
    heard_ns: list[int] | None = None,
) -> R:
    """Give a request to a process, and wait for its answer.

    allowance: what it may take; None: no limit. report_progress: called at each step. pass_on:
    lets others compute, and returns the number of the next turn. heard_ns: collects every
    sample that is reported, up to MAX_SAMPLES, for a partial report if it ends early.
    Raises InspectorError.
    """
    with stored_request(child.folder, request) as body:
        child.send(Ask(type(request).__name__, body))
        answer, phase = _followed(
            child, request, allowance or Allowance(), report_progress, pass_on, heard_ns
        )
    try:
        return fetched_answer(child.folder, type(request), answer)
    except UnreadableAnswer as error:
        why = f"the engine process returned an unexpected response ({clip(str(error), _FAULT)})"
        raise EngineDied(request.what, why, "Try again.", phase) from error


def _followed(
    child: SupervisedProcess,
    request: Request[Any],
    allowance: Allowance,
    report_progress: Callable[[Progress], None],
    pass_on: Callable[[], int],
    heard_ns: list[int] | None,
) -> tuple[Body, str]:
    """Follow a request to its answer, and to the phase it was in then."""
    phase = "start"
    share = -1.0
    samples: tuple[int, ...] = ()
    suspects = Suspects(request)

    def stalled(seconds: float) -> None:
        layer = child.layer
        layers = () if layer else suspects.layers
        report_progress(Progress(phase, share, samples, "", seconds, layers, layer))

    while True:
        match _next_message(child, phase, allowance, request.what, stalled, suspects):
            case Step() as step:
                phase, share = clip(step.step, 80), step.done
                if heard_ns is not None and len(heard_ns) < MAX_SAMPLES:
                    heard_ns.extend(step.samples_ns)
                samples = (samples + step.samples_ns)[-LATEST_SAMPLES:]
                report_progress(Progress(phase, step.done, samples))
            case Tokens() if child.job_is_stopped:
                pass  # nobody waits for what the engine wrote before it heard of the stop
            case Tokens(tokens, share):
                phase = "generation"
                report_progress(Progress(phase, share, samples, tokens=tokens))
            case Yields():
                child.send(Go(pass_on()))
            case Failure() as failure:
                raise _error(failure, request.what)
            case Answered(body):
                return body, phase


def _next_message(
    child: SupervisedProcess,
    phase: str,
    allowance: Allowance,
    what: str,
    stalled: Callable[[float], None],
    suspects: Suspects,
) -> FromEngine:
    """Return the next message; an error names the failed action and a possible reason."""
    try:
        return child.receive(phase, allowance, stalled)
    except EngineDied as error:
        hint = error.hint
        if isinstance(error, EngineLate):
            suspect = suspects_text((child.layer,)) if child.layer else suspects.text
            hint = f"{suspect} {hint}".strip()
        died = type(error)(what, error.why, hint, error.phase)
        died.crash = error.crash
        raise died from None


def _error(failure: Failure, what: str) -> InspectorError:
    """Return what a process refused; what: did not happen, where the process does not say."""
    parts = failure.what or what, failure.why, failure.hint, failure.phase
    if failure.kind == DeviceFailed.__name__:
        return DeviceFailed(*parts, failure.device, failure.layers, failure.reason)
    error = _ERROR_KINDS.get(failure.kind, EngineFailed)(*parts)
    if isinstance(error, EngineFailed):
        error.layer = failure.layer
    return error


class EngineProcessOwner(Engine):
    """Starts a process when a job needs one, binds it to what the job may read, and ends it.

    command: what starts the engine program, for tests of its failures.
    reads: models of later jobs; a process that may read their folders, with all folders
        inside, serves them all.
    backend: id of the runtime; empty: the one for the format of each model. Raises BadInput:
        there is no such backend.
    shapes_first: the first job asks for shapes, and maybe no other does: start a process that
        loads no runtime, and another one for the first job that needs it.
    """

    def __init__(
        self,
        on_progress: Callable[[Progress], None] = lambda _: None,
        limits: Limits | None = None,
        command: Sequence[str] = (),
        reads: Sequence[Path] = (),
        backend: str = "",
        shapes_first: bool = False,
    ) -> None:
        super().__init__(on_progress, limits)
        self._shapes_first = shapes_first
        self.backend = registry.info(backend or registry.DEFAULT)
        self._by_model = not backend
        whole = (path.absolute() for path in reads)
        # A name that is no text cannot be told to the process; its job says so.
        self._reads = tuple(path for path in whole if clean(str(path)) == str(path))
        self._command = tuple(command)
        self._environment = ""  # id of that of the next process; empty: the Python of Inspector
        self._state = threading.Lock()  # guards the three below, which `kill` looks at
        self._working, self._stopped = False, False
        self._child: SupervisedProcess | None = None
        self._flushes = False  # subnormals, in the next process
        self._bound_to: object = None  # what the child's confinement lets it read

    def kill(self) -> None:
        """Stop the current job, from any thread: it raises Cancelled."""
        with self._state:
            if self._working:
                self._stopped = True
                if self._child is not None:
                    self._child.kill()

    def stop(self) -> None:
        """Let the text that is being generated end here, from any thread; its answer is what
        it has. Other jobs go on."""
        with self._state:
            if self._working and self._child is not None:
                self._child.stop_job()

    def close(self) -> None:
        """End the process; a later job would start a new one."""
        self.kill()
        with self._one_job:
            self._end_child()

    @contextmanager
    def _job(self, *specs: RunSpec) -> Iterator[None]:
        """Reserve the engine for one job; a failure that may leave it unsound ends it."""
        base.check_thread_count(*specs)
        with self._one_job:
            with self._state:
                self._working, self._stopped = True, False
            try:
                with self._call.ending(self.kill):
                    yield
            except BadInput:
                raise
            except BaseException:  # Ctrl+C and our own bugs as well: raised on, in any case
                self._end_child()
                raise
            finally:
                with self._state:
                    self._working = False

    def _ask(self, request: Request[R], seconds: float = 0.0, clock_seconds: float = 0.0) -> R:
        """Have the process answer; seconds, clock_seconds: as of `Limits.allowance`."""
        assert self._child is not None
        limits = self._limits
        allowance = limits.allowance(seconds, clock_seconds) if seconds else self._of_the_user()
        began = monotonic()
        try:
            return run_job(self._child, request, allowance, self._on_progress)
        finally:
            _LOG.info("%s took %.3f s", type(request).__name__, monotonic() - began)

    def _of_the_user(self) -> Allowance:
        """Return a fresh allowance for a job with the limit that the user set, if any."""
        limits = self._limits
        return Allowance(limits.rest_seconds, wall=True, user_seconds=limits.job_seconds)

    def _bind(
        self,
        model: Path,
        spec: RunSpec,
        against: ComparisonRun | None = None,
        runs: bool = True,
        shapes: bool = False,
    ) -> SupervisedProcess:
        """Reuse or start a process that may read a model on the requested devices.

        runs: whether it runs the model, and not only changes it, which needs no other runtime
        than the default one, unless that has a way of its own to change models. shapes: whether
        it only infers shapes. Raises EngineFailed: the model's runtime is not installed.
        """
        if self._by_model:
            chosen = (
                registry.for_run(model, spec.devices) if runs else registry.for_model(model)
            )
            default = registry.info(registry.DEFAULT)
            changes = runs or chosen.conversion != default.conversion
            self.backend = chosen if changes else default
            registry.check_installed(self.backend, model)
        # A driver of a GPU opens devices, sockets and caches; only the CPU needs none, without
        # a folder in which OpenVINO keeps what it compiles for it.
        other = against.spec.devices if against is not None and against.spec else ()
        alone = all(map(is_cpu, (*spec.devices, *other))) and not cache_folder(spec)
        models = (model, Path(against.model)) if against and against.model else (model,)
        if any(model.is_relative_to(one.parent) for one in self._reads):
            models = (*models, *self._reads)
        models = (*models, *(Path(library).absolute() for library in spec.custom_ops))
        lies_in = {f for m in models for f in (m.parent, m.resolve().parent)}
        # A folder inside another one is readable with it.
        outer = {str(f) for f in lies_in if lies_in.isdisjoint(f.parents)}
        readable = tuple(sorted(outer)) if alone else None
        child = self._child
        self._environment = registry.environment_for(self.backend, (*spec.devices, *other))
        only_shapes = shapes and self._shapes_first and bool(self.backend.shapes)
        # ONNX Runtime takes it from the first session of a process, for all that follow.
        self._flushes = spec.flush_subnormals
        bound_to = self.backend.id, self._environment, readable, self._flushes
        fitting = {(*bound_to, False), (*bound_to, only_shapes)}
        if child is None or not child.usable or self._bound_to not in fitting:
            self._end_child()
            child = self._start(readable, only_shapes)
        return child

    def _start(
        self, readable: tuple[str, ...] | None, only_shapes: bool = False
    ) -> SupervisedProcess:
        if self.out_of_time:
            why = f"the time limit of {self._limits.job_seconds:g} s is over"
            raise EngineLate(
                "Could not start the engine process", why, TIME_LIMIT_HINT, "start"
            )
        try:
            command = self._command or engine_command(self._environment)
            child = SupervisedProcess(command, self._limits)
        except OSError as error:
            why = error.strerror or str(error)
            raise EngineDied(
                "Could not start the engine process", why, phase="start"
            ) from error
        with self._state:
            self._child = child
            self._bound_to = (
                self.backend.id, self._environment, readable, self._flushes, only_shapes,
            )  # fmt: skip
            if self._stopped:
                child.kill()
        memory = self._limits.memory_bytes or WATCH.budget()
        memory = min(memory, SHAPES_BYTES) if only_shapes else memory
        confined = readable is not None
        folder = str(child.folder)
        backend = self.backend.id
        begin = Begin(
            folder, os.getpid(), memory, confined, readable or (), backend, only_shapes
        )
        child.send(begin)
        _LOG.info(
            "started %s%s", self.backend.id, "" if confined else ", which may use devices"
        )
        return child

    def _end_child(self) -> None:
        with self._state:
            child, self._child = self._child, None
        if child is not None:
            child.end()
