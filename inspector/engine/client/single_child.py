"""At most one engine process at a time, and at most one job in it."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

from inspector.backends import registry
from inspector.backends.onnxruntime.sessions import thread_limit
from inspector.backends.values import ComparisonRun, Limits, Progress
from inspector.engine.client.conversation import run_job
from inspector.engine.client.supervision import SupervisedProcess, engine_command
from inspector.engine.protocol import Begin, FromEngine, Job
from inspector.errors import BadInput, EngineDied
from inspector.formats.source import clean
from inspector.platform.memory_budget import WATCH
from inspector.platform.work_limits import Allowance
from inspector.report.run_spec import RunSpec

A = TypeVar("A", bound=FromEngine)


class EngineProcessOwner:
    """Starts a process when a job needs one, binds it to what the job may read, and ends it.

    on_progress: told how a job comes along, on the thread that called.
    command: what starts the engine program, for tests of its failures.
    reads: models of later jobs; a process that may read their folders serves them all.
    backend: id of the runtime. Raises BadInput: there is no such backend.
    """

    def __init__(
        self,
        on_progress: Callable[[Progress], None] = lambda _: None,
        limits: Limits | None = None,
        command: Sequence[str] = (),
        reads: Sequence[Path] = (),
        backend: str = registry.DEFAULT,
    ) -> None:
        self.backend = registry.info(backend)
        whole = (path.absolute() for path in reads)
        # A name that is no text cannot be told to the process; its job says so.
        self._reads = tuple(path for path in whole if clean(str(path)) == str(path))
        self._on_progress = on_progress
        self._limits = limits or Limits()
        self._command = tuple(command) or engine_command()
        self._one_job = threading.Lock()
        self._state = threading.Lock()  # guards the three below, which `kill` looks at
        self._working, self._stopped = False, False
        self._child: SupervisedProcess | None = None
        self._bound_to: object = None  # what the child's confinement lets it read

    def kill(self) -> None:
        """Stop the job under way, from any thread: it raises Cancelled."""
        with self._state:
            if self._working:
                self._stopped = True
                if self._child is not None:
                    self._child.kill()

    def close(self) -> None:
        """End the process; a later job would start a new one."""
        self.kill()
        with self._one_job:
            self._end_child()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _job(self, *specs: RunSpec) -> Iterator[None]:
        """Hold the engine for one job. A failure that may leave it unsound ends the process."""
        thread_limit.check(*specs)
        with self._one_job:
            with self._state:
                self._working, self._stopped = True, False
            try:
                yield
            except BadInput:
                raise
            except BaseException:  # Ctrl+C and our own bugs as well: raised on, in any case
                self._end_child()
                raise
            finally:
                with self._state:
                    self._working = False

    def _ask(self, job: Job, kind: type[A], what: str, seconds: float = 0.0) -> A:
        assert self._child is not None
        allowance = self._at_most(seconds) if seconds else self._of_the_user()
        return run_job(self._child, job, kind, what, allowance, self._on_progress)

    def _at_most(self, seconds: float) -> Allowance:
        """Return so many seconds of work, by the clock no more than the user allows."""
        return Allowance(seconds, clock_seconds=self._limits.job_seconds)

    def _of_the_user(self) -> Allowance:
        """Return a fresh allowance for a job with the limit that the user set, if any."""
        return Allowance(self._limits.job_seconds, wall=True)

    def _bind(
        self, model: Path, spec: RunSpec, against: ComparisonRun | None = None
    ) -> SupervisedProcess:
        """Find or start a process that may read a model on the devices asked for."""
        # A driver of a GPU opens devices, sockets and caches; only the CPU needs none.
        other = against.spec.devices if against is not None and against.spec else ()
        alone = all(device == "cpu" for device in (*spec.devices, *other))
        models = (model, Path(against.model)) if against and against.model else (model,)
        if model in self._reads:
            models = (*models, *self._reads)
        lies_in = {str(f) for m in models for f in (m.parent, m.resolve().parent)}
        readable = tuple(sorted(lies_in)) if alone else None
        child = self._child
        if child is None or not child.usable or self._bound_to != readable:
            self._end_child()
            child = self._start(readable)
        return child

    def _start(self, readable: tuple[str, ...] | None) -> SupervisedProcess:
        try:
            child = SupervisedProcess(self._command, self._limits)
        except OSError as error:
            why = error.strerror or str(error)
            raise EngineDied("Could not start the engine", why, phase="start") from error
        with self._state:
            self._child, self._bound_to = child, readable
            if self._stopped:
                child.kill()
        memory = self._limits.memory_bytes or WATCH.budget()
        confined = readable is not None
        folder = str(child.folder)
        begin = Begin(folder, os.getpid(), memory, confined, readable or (), self.backend.id)
        child.send(begin)
        return child

    def _end_child(self) -> None:
        with self._state:
            child, self._child = self._child, None
        if child is not None:
            child.end()
