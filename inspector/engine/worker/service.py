"""The engine process: receives a job, reports progress, answers, waits for the next."""

import errno
import gc
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import msgspec

from inspector.backends import base, registry
from inspector.backends.base import CURRENT, Part, StopSignal
from inspector.backends.measuring.machine_load import open_gauges
from inspector.engine import protocol
from inspector.engine.protocol import (
    Answered,
    Ask,
    Beat,
    Begin,
    Failure,
    FromEngine,
    Go,
    Ready,
    Step,
    Stop,
    Tokens,
    Yields,
)
from inspector.engine.worker.handlers import Worker
from inspector.errors import DeviceFailed, EngineFailed, InspectorError
from inspector.platform.memory_budget import has_room
from inspector.report.language.generation import GeneratedToken
from inspector.sandbox import confinement
from inspector.units import clip

BEAT_SECONDS = 0.25  # between signs of life; far below `Limits.silence_seconds`
STEP_SECONDS = 0.05  # between messages about one step: 20 a second look continuous
# Less than this free at a failure: some allocation failed. The largest library that is loaded
# late, onnx's, takes 10 MiB.
ROOM_BYTES = 64 << 20
TOKEN_SECONDS = 0.005  # between messages with tokens: 200 a second, of 500 that are allowed
# A quarter to a half of what the client allows a process to send.
TOKEN_BURST_BYTES = 4 << 20
TOKEN_BYTES_PER_SECOND = 2 << 20
TOKEN_BYTES = 160  # as JSON: of a token at most, and of an alternative
MESSAGE_TOKENS = 1_000  # in one message: far below `MESSAGE_BYTES`
STEP_SAMPLES = 50_000  # in one message: far below `MESSAGE_BYTES`


def serve(requests: int, answers: int) -> None:
    """Answer jobs until the other end hangs up."""
    pipe = _Pipe(answers)
    messages = protocol.read_messages(requests)
    begin = protocol.to_engine(next(messages, b""))
    assert isinstance(begin, Begin)
    level = confinement.limit_memory_and_lifetime(begin.parent, begin.memory_bytes)
    pipe.send(Step("start", -1))
    # Loads the runtime, before files are confined.
    part = Part.SHAPES if begin.only_shapes else Part.PREDICTIONS
    backend = registry.load(begin.backend, part)
    open_gauges()  # with the energy counters, before files are confined
    if begin.confined:
        level = confinement.confine_this_process(begin.readable, begin.folder)
    gc.freeze()  # what is loaded stays: no collection goes through all of it again
    pipe.send(Ready(level))
    steps = ProgressReporter(pipe.send)
    inbox = _Inbox(messages)

    def pass_on() -> int:
        pipe.send(Yields())
        return inbox.next_turn()

    worker = Worker(backend, Path(begin.folder), level, steps.report, pass_on)
    if part is Part.PREDICTIONS and backend.info.starts_with:
        worker.load_whole = lambda: registry.load(begin.backend)
    heart = _Heartbeat(pipe)
    for asked, stop in inbox.jobs():
        steps.begin()
        CURRENT.clear()
        tokens = TokenReporter(pipe.send)
        worker.stop, worker.report_token = stop, tokens.report
        with heart.beating():
            answer = _answer(worker, asked, begin.memory_bytes, steps)
        tokens.flush()
        pipe.send(answer)


class _Inbox:
    """What arrives from the client, read by a thread of its own: a job hears Stop at once."""

    def __init__(self, messages: Iterator[bytes]) -> None:
        self._queue: queue.SimpleQueue[Go | tuple[Ask, StopSignal] | BaseException | None]
        self._queue = queue.SimpleQueue()
        arguments = (messages,)
        threading.Thread(target=self._read, args=arguments, name="inbox", daemon=True).start()

    def jobs(self) -> Iterator[tuple[Ask, StopSignal]]:
        """Yield requests, each with what says that it should end early, until the other end
        hangs up."""
        while (received := self._received()) is not None:
            assert isinstance(received, tuple)
            yield received

    def next_turn(self) -> int:
        """Wait for Go, and return its number; 0 when nobody is there any more."""
        go = self._received()
        assert go is None or isinstance(go, Go)
        return 0 if go is None else go.number

    def _received(self) -> Go | tuple[Ask, StopSignal] | None:
        received = self._queue.get()
        if isinstance(received, BaseException):
            raise received
        return received

    def _read(self, messages: Iterator[bytes]) -> None:
        count, stop = 0, StopSignal()
        try:
            for body in messages:
                match protocol.to_engine(body):
                    case Ask() as asked:
                        count, stop = count + 1, StopSignal()
                        self._queue.put((asked, stop))
                    case Stop(job):
                        if job == count:  # else it was over before the message came
                            stop.request()
                    case Go() as go:
                        self._queue.put(go)
        except Exception as error:  # noqa: BLE001 - raised on, by the thread that waits for it
            self._queue.put(error)
            return
        self._queue.put(None)


class TokenReporter:
    """Passes tokens on as they come; more than a screen can show go together.

    A tiny model makes more than the client takes from a process that might babble: what is over
    that waits, and what still waits at the end is only in the answer.
    """

    def __init__(self, send: Callable[[FromEngine], None]) -> None:
        self._send = send
        self._at = self._began = monotonic() - TOKEN_SECONDS
        self._tokens: list[GeneratedToken] = []
        self._done = 0.0
        self._sent_bytes = 0

    def report(self, token: GeneratedToken, done: float) -> None:
        """Pass a token on, unless one was passed on just now."""
        self._tokens.append(token)
        self._done = done
        if monotonic() - self._at >= TOKEN_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Pass on what is held back, as far as it may go."""
        now = monotonic()
        allowed = TOKEN_BURST_BYTES + (now - self._began) * TOKEN_BYTES_PER_SECOND
        if not self._tokens or self._sent_bytes > allowed:
            return
        some = self._tokens[:MESSAGE_TOKENS]
        self._send(Tokens(tuple(some), self._done))
        each = TOKEN_BYTES * (1 + len(some[0].alternatives))
        self._sent_bytes += each * len(some)
        self._tokens, self._at = self._tokens[MESSAGE_TOKENS:], now


class ProgressReporter:
    """Reports progress of a job, throttled to what a person can see."""

    def __init__(self, send: Callable[[FromEngine], None]) -> None:
        self._send = send
        self.begin()

    def begin(self) -> None:
        """Start anew, with the next job."""
        self.step, self._at, self._samples = "", 0.0, 0

    def report(self, step: str, share: float, samples_ns: tuple[int, ...] = ()) -> None:
        """Pass a step on; `samples_ns` are all so far, and only the new ones travel."""
        now = monotonic()
        if step == self.step and share != 1 and now - self._at < STEP_SECONDS:
            return
        self.step, self._at = step, now
        while True:
            new = samples_ns[self._samples : self._samples + STEP_SAMPLES]
            self._samples += len(new)
            self._send(Step(step, share, new))
            if self._samples >= len(samples_ns):
                return


def _answer(
    worker: Worker, asked: Ask, memory_bytes: int, steps: ProgressReporter
) -> Answered | Failure:
    """Answer a request; any failure becomes its answer."""
    try:
        return worker.answer(asked)
    except InspectorError as error:
        return _failure(error, steps.step)
    except MemoryError:
        return _failure(base.out_of_memory(memory_bytes, steps.step), steps.step)
    except UnicodeDecodeError:  # protobuf reads names late
        _log_trace()
        return _failure(base.names_not_utf8(steps.step), steps.step)
    except Exception as error:  # noqa: BLE001 - a fault is told, and its trace is in the log
        no_memory = _memory_ran_out(error)  # first: what follows allocates as well
        _log_trace()
        if no_memory:
            return _failure(base.out_of_memory(memory_bytes, steps.step), steps.step)
        if isinstance(error, OSError) and error.errno in base.DISK_ERRORS:
            return _failure(base.disk_full(steps.step), steps.step)
        if isinstance(error, OSError) and str(error.filename) == worker.model:
            return _failure(base.model_unreadable(error, steps.step), steps.step)
        why = clip(f"an internal error in Inspector: {type(error).__name__}: {error}")
        return Failure("EngineFailed", "", why, "Please report it.", steps.step)


def _memory_ran_out(error: BaseException | None) -> bool:
    """Return whether an error comes from a failed allocation, whatever type it has.

    Bindings in C that cannot allocate raise what they like: SystemError without a message,
    ImportError for a library that cannot be mapped.
    """
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        error = error.__cause__ or error.__context__
    return not has_room(ROOM_BYTES)


def _log_trace() -> None:
    """Write down where the exception in hand came from; a full disk takes no log."""
    with suppress(OSError):
        traceback.print_exc(file=sys.stderr)


def _failure(error: InspectorError, step: str) -> Failure:
    kind = type(error).__name__
    message = Failure(kind, error.what, error.why, error.hint, error.phase or step)
    if isinstance(error, DeviceFailed):
        claimed = {"device": error.device, "layers": error.layers, "reason": error.reason}
        return msgspec.structs.replace(message, **claimed)
    if isinstance(error, EngineFailed) and error.layer:
        return msgspec.structs.replace(message, layer=error.layer)
    return message


class _Pipe:
    """The output pipe, shared by the job and the heartbeat."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._lock = descriptor, threading.Lock()

    def send(self, message: FromEngine) -> None:
        """Write a message; when nobody listens any more there is nothing left to do."""
        body = protocol.encode(message)
        with self._lock:
            try:
                protocol.write(self._descriptor, protocol.frame(body))
            except OSError:
                os._exit(0)


class _Heartbeat:
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
            self._pipe.send(Beat(CURRENT.name))
            pause.wait(BEAT_SECONDS)
