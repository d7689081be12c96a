"""The engine process at work: takes a job, tells how it comes along, answers, waits."""

import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import msgspec

from inspector import confinement
from inspector.engine import protocol, wire
from inspector.engine.protocol import (
    Answer,
    Beat,
    Begin,
    Failure,
    FromEngine,
    Go,
    Job,
    Ready,
    Step,
    Yields,
)
from inspector.engine.sessions import refusals
from inspector.errors import DeviceFailed, InspectorError
from inspector.units import clip

BEAT_SECONDS = 0.25
STEP_SECONDS = 0.05
STEP_SAMPLES = 50_000


def serve(told: int, answers: int) -> None:
    """Answer jobs until the other end hangs up."""
    pipe = _Pipe(answers)
    messages = wire.read_messages(told)
    begin = protocol.to_engine(next(messages, b""))
    assert isinstance(begin, Begin)
    level = confinement.live_and_die_with(begin.parent, begin.memory_bytes)
    pipe.send(Step("start", -1))
    from inspector.engine.engine import Engine  # loads the runtime

    if begin.confined:
        level = confinement.close_the_doors(begin.readable, begin.folder)
    pipe.send(Ready(level))
    steps = Steps(pipe.send)

    def pass_on() -> int:
        pipe.send(Yields())
        go = protocol.to_engine(next(messages, b'{"type":"Go","number":0}'))
        assert isinstance(go, Go)
        return go.number

    engine = Engine(Path(begin.folder), level, steps.tell, pass_on)
    heart = _Heart(pipe)
    for body in messages:
        job = protocol.to_engine(body)
        assert not isinstance(job, Begin | Go)
        steps.begin()
        with heart.beating():
            answer = _carry_out(engine.carry_out, job, begin.memory_bytes, steps)
        pipe.send(answer)


class Steps:
    """Tells how a job comes along, not more often than anyone can look."""

    def __init__(self, send: Callable[[FromEngine], None]) -> None:
        self._send = send
        self.begin()

    def begin(self) -> None:
        """Start anew, with the next job."""
        self.step, self._at, self._samples = "", 0.0, 0

    def tell(self, step: str, done: float, samples_ns: tuple[int, ...] = ()) -> None:
        """Pass a step on; `samples_ns` are all so far, and only the new ones travel."""
        now = monotonic()
        if step == self.step and done != 1 and now - self._at < STEP_SECONDS:
            return
        self.step, self._at = step, now
        while True:
            new = samples_ns[self._samples : self._samples + STEP_SAMPLES]
            self._samples += len(new)
            self._send(Step(step, done, new))
            if self._samples >= len(samples_ns):
                return


def _carry_out(
    work: Callable[[Job], Answer], job: Job, memory_bytes: int, steps: Steps
) -> Answer:
    """Do a job; whatever goes wrong becomes its answer."""
    what = f"Could not finish the job {type(job).__name__.removesuffix('Job').lower()}"
    try:
        return work(job)
    except InspectorError as error:
        return _failure(error, steps.step)
    except MemoryError:
        return _failure(refusals.out_of_memory(what, memory_bytes, steps.step), steps.step)
    except UnicodeDecodeError:  # protobuf reads names late
        _log_trace()
        return _failure(refusals.no_text(what, steps.step), steps.step)
    except Exception as error:  # noqa: BLE001 - a fault is told, and its trace is in the log
        _log_trace()
        if isinstance(error, OSError) and error.errno in refusals.NO_ROOM:
            return _failure(refusals.refused(error, what, steps.step), steps.step)
        if isinstance(error, OSError) and str(error.filename) == getattr(job, "model", ""):
            return _failure(refusals.out_of_reach(error, what, steps.step), steps.step)
        why = clip(f"a fault in Inspector: {type(error).__name__}: {error}")
        return Failure("EngineFailed", what, why, "Please report it.", steps.step)


def _log_trace() -> None:
    """Write down where the exception in hand came from; a full disk takes no log."""
    with suppress(OSError):
        traceback.print_exc(file=sys.stderr)


def _failure(error: InspectorError, step: str) -> Failure:
    kind = type(error).__name__
    told = Failure(kind, error.what, error.why, error.hint, error.phase or step)
    if isinstance(error, DeviceFailed):
        claimed = {"device": error.device, "layers": error.layers, "reason": error.reason}
        return msgspec.structs.replace(told, **claimed)
    return told


class _Pipe:
    """The way out, for the job and for the heart."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._lock = descriptor, threading.Lock()

    def send(self, message: FromEngine) -> None:
        """Write a message; when nobody listens any more there is nothing left to do."""
        body = protocol.encode(message)
        if len(body) > wire.MESSAGE_BYTES:
            why = f"the answer takes {len(body) >> 20} MiB of names"
            message = Failure("EngineFailed", "Could not pass the answer on", why, "", "answer")
            body = protocol.encode(message)
        with self._lock:
            try:
                wire.write(self._descriptor, wire.frame(body))
            except OSError:
                os._exit(0)


class _Heart:
    """Shows during a job that the process lives, from a thread of its own."""

    def __init__(self, pipe: _Pipe) -> None:
        self._pipe, self._busy = pipe, threading.Event()
        threading.Thread(target=self._beat, name="heart", daemon=True).start()

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Beat as long as the block lasts."""
        self._busy.set()
        try:
            yield
        finally:
            self._busy.clear()

    def _beat(self) -> None:
        pause = threading.Event()
        while True:
            self._busy.wait()
            self._pipe.send(Beat())
            pause.wait(BEAT_SECONDS)
