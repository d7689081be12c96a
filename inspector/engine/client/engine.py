"""What every engine can be asked: one way in, and short forms of what is asked most.

`EngineProcess` answers in a process of this machine, `RemoteEngine` on another one; an engine
of a test answers as the test likes.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from msgspec.structs import replace

from inspector.backends.values import Progress
from inspector.engine import requests
from inspector.engine.requests import Request
from inspector.platform import cancellation
from inspector.platform.work_limits import Limits

if TYPE_CHECKING:
    from inspector.report.report import PerformanceReport

P = ParamSpec("P")
R = TypeVar("R")


def _asks(kind: Callable[P, Request[R]]) -> "Callable[Concatenate[Engine, P], R]":
    """Return the method that asks for a request, given as the parts of it."""

    def ask(self: "Engine", /, *parts: P.args, **named: P.kwargs) -> R:
        return self.call(kind(*parts, **named))

    ask.__doc__ = kind.__doc__
    return ask


class Engine:
    """Answers requests, one at a time; every way to fail is one InspectorError.

    Methods block; call them from any one thread at a time. on_progress: told how a job comes
    along, on the thread that called. partial: what the last measurement had when it failed or
    was stopped; None if it did not or had nothing. waited_seconds: so far, for other
    measurements of this user to end. elsewhere: whether it is on another machine. hello: what
    that machine says of itself; empty for this one. note: on reports, which machine it is.
    """

    elsewhere = False
    hello: Mapping[str, Any] = MappingProxyType({})
    note = ""

    def __init__(
        self,
        on_progress: Callable[[Progress], None] = lambda _: None,
        limits: Limits | None = None,
    ) -> None:
        self._on_progress = on_progress
        self._limits = limits or Limits()
        self._one_job = threading.Lock()
        self._call = cancellation.current()  # that this engine works for
        self.partial: PerformanceReport | None = None
        self.waited_seconds = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, request: Request[R]) -> R:
        """Return the answer to a request; blocks until then."""
        raise NotImplementedError

    def kill(self) -> None:
        """Stop the current job, from any thread: it raises Cancelled."""
        raise NotImplementedError

    def stop(self) -> None:
        """Let the text that is being generated end here, from any thread; its answer is what
        it has. Other jobs go on."""

    @contextmanager
    def listening(self, listener: Callable[[Progress], None]) -> Iterator[None]:
        """Tell a second function of progress, too, as long as a block runs."""
        before = self._on_progress

        def tell(progress: Progress) -> None:
            listener(progress)
            before(progress)

        self._on_progress = tell
        try:
            yield
        finally:
            self._on_progress = before

    def close(self) -> None:
        """Stop the current job, and end what answers."""
        raise NotImplementedError

    def start_for(self, model: Path) -> None:
        """Prepare for a model whose shapes will be asked for, without waiting."""

    def set_limits(self, limits: Limits) -> None:
        """Give later jobs other limits of time; those of a process stay."""
        self._limits = replace(
            self._limits, job_seconds=limits.job_seconds, stall_seconds=limits.stall_seconds
        )

    @property
    def out_of_time(self) -> bool:
        """Return whether the time of all jobs together is over, so that none can begin."""
        return self._limits.out_of_time

    def private_folder(self) -> Path:
        """Return a new folder for models in between, deleted when the engine is closed."""
        raise NotImplementedError

    load = _asks(requests.Load)
    predict = _asks(requests.Predict)
    generate = _asks(requests.Generate)
    measure = _asks(requests.Measure)
    steps = _asks(requests.StepThrough)
    shapes = _asks(requests.InferShapes)
    devices = _asks(requests.ListDevices)
    convert = _asks(requests.Convert)
