"""Client of a decoder process: started on demand, reused, restarted after a failure.

One for each of `channel.KINDS`, shared by the whole program: it takes a quarter of a second to
start, and no request affects the next one.
"""

import atexit
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from io import BufferedIOBase
from math import prod
from time import sleep
from typing import IO

import msgspec
import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.errors import BadInput, InspectorError, UnreadableFile
from inspector.platform import own_processes
from inspector.platform.work_limits import Allowance
from inspector.sandbox import confinement, windows_limits
from inspector.sandbox.decoding import channel
from inspector.sandbox.decoding.channel import SECONDS, SHORT_SECONDS, Request, Response
from inspector.sandbox.denied_call_log import DeniedCalls

if sys.platform != "win32":
    import fcntl

_LEAST_SECONDS = 0.05  # between two looks at a process that is nearly late
LIMIT_BYTES = 2 << 30
_SIGPROF = 27  # with which the system ends a decoder whose time is over
_PIPE_BYTES = 1 << 20  # the most that Linux grants without privileges
_TYPES = frozenset(
    [
        "uint8",
        "int8",
        "uint16",
        "int16",
        "uint32",
        "int32",
        "uint64",
        "int64",
        "float16",
        "float32",
        "float64",
    ]
)
_ERRORS = {kind.__name__: kind for kind in (BadInput, UnreadableFile)}


class Watch:
    """Calls `end` for a request that takes more than so many seconds of work.

    Its one thread sleeps through many short questions, so that none of them has to wake it or
    to start another; it ends once it finds nothing under way. Questions come one by one.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()  # guards all below
        self._thread: threading.Thread | None = None
        self._allowance, self._pid, self._late = Allowance(seconds), 0, False
        self._end: Callable[[], object] | None = None

    def begin(self, end: Callable[[], object], pid: int) -> None:
        """A question begins; pid: of the process that answers it."""
        with self._lock:
            self._allowance, self._pid = Allowance(self._seconds), pid
            self._allowance.update(pid)
            self._late, self._end = False, end
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="watch", daemon=True)
                self._thread.start()

    def ended(self) -> bool:
        """Return whether the answer came too late; the question has it, or has failed."""
        with self._lock:
            self._end = None
            return self._late

    def _watch(self) -> None:
        while (rest := self._rest()) > 0:
            sleep(rest)

    def _rest(self) -> float:
        """Return seconds until something could be too late; 0 where there is nothing to
        watch."""
        with self._lock:
            self._allowance.update(self._pid)
            rest = max(_LEAST_SECONDS, self._allowance.rest)
            if self._end is not None and self._allowance.exceeded:
                self._late = True
                self._end()
                self._end = None
            if self._end is None:
                self._thread = None
                return 0.0
            return rest


class Decoder:
    """One decoder process; its methods may be called from any thread and wait their turn.

    command: what starts it, for tests of its failures.
    """

    def __init__(
        self, kind: str, command: Sequence[str] = (), seconds: float = SECONDS
    ) -> None:
        own = own_processes.command("inspector.sandbox.decoding", kind, python_options=("-P",))
        self._command, self._seconds = list(command) or own, seconds
        self._watch = Watch(seconds)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._job: windows_limits.JobObject | None = None  # closing it ends the process
        self._log: IO[bytes] | None = None
        self._denied = DeniedCalls(self._note)

    def start(self) -> None:
        """Start it now, so that the first question need not wait for that."""
        with self._lock:
            self._running()

    def ask(
        self, request: Request, body: bytes, what: str
    ) -> tuple[Response, NDArray[np.generic]]:
        """Ask about a file; the array is empty where the answer has none.

        what: says what did not happen if it does not. Raises InspectorError: what the decoder
        refuses; UnreadableFile: that it crashed, took too long or babbled. The next one works.
        """
        request = msgspec.structs.replace(request, size_bytes=len(body))
        with self._lock:
            process = self._running()
            self._watch.begin(process.kill, process.pid)
            try:
                response, array = _exchange(process, request, body)
            except (OSError, EOFError, channel.MalformedMessage, msgspec.MsgspecError) as error:
                late = self._watch.ended()
                raise UnreadableFile(what, self._ended(process, error, not late)) from error
            finally:
                self._watch.ended()
        if response.problem:
            raise _problem(response.problem)
        return response, array

    def close(self) -> None:
        """End the process, also from under a question; another one would start a new one."""
        process = self._process
        if process is not None:
            process.kill()
        with self._lock:
            if self._process is not None:
                self._end(self._process)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        if self._process is not None:
            self._end(self._process)
        self._log = tempfile.TemporaryFile("a+b", 0)  # noqa: SIM115 - as long as the process
        self._denied = DeniedCalls(self._note)
        with self._denied:
            own = confinement.child_environment(
                TOKENIZERS_PARALLELISM="false", **self._denied.variables()
            )
            command, environment = windows_limits.direct_python(self._command, own)
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                env=environment,
                pass_fds=self._denied.inherited(),
                start_new_session=True,  # Ctrl+C is for the parent alone
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            self._denied.follow(self._process.pid)
            self._job = windows_limits.limit_child(self._process, channel.MEMORY_BYTES)
        _widen(self._process)
        return self._process

    def _note(self, line: str) -> None:
        """Append a line to the decoder's log."""
        log = self._log
        if log is not None:
            with suppress(OSError, ValueError):  # full, or closed meanwhile
                log.write(line.encode() + b"\n")

    def _ended(self, process: subprocess.Popen[bytes], error: Exception, in_time: bool) -> str:
        """End the process and return the reason why it gave no answer."""
        if isinstance(error, OSError | EOFError):
            try:
                process.wait(1)  # the pipe ends a moment before the process
            except subprocess.TimeoutExpired:
                in_time = True
        code = process.poll()
        last_line = self._last_log_line()
        self._end(process)
        if not in_time or code == -_SIGPROF:
            return f"it took longer than {self._seconds:g} s of CPU time"
        if isinstance(error, channel.MalformedMessage | msgspec.MsgspecError) or code is None:
            return "the decoder returned an invalid response"
        ended = f"the decoder crashed (exit code {code})" if code else "the decoder exited"
        return f"{ended}; its last output: {last_line}" if last_line else ended

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()
        self._denied.join(1)
        if self._job is not None:
            self._job.close()
        for pipe in (process.stdin, process.stdout, self._log):
            if pipe is not None:
                pipe.close()
        self._process = None

    def _last_log_line(self) -> str:
        if self._log is None:
            return ""
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - 4096))
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        return units.clip(next((line for line in reversed(lines) if line.strip()), ""), 120)


@cache
def decoder(kind: str) -> Decoder:
    """Return the decoder of one of `channel.KINDS` that this program shares."""
    new_decoder = Decoder(kind, seconds=SHORT_SECONDS.get(kind, SECONDS))
    atexit.register(new_decoder.close)
    return new_decoder


def start_together(*kinds: str) -> None:
    """Start decoders that are needed soon, at the same time and without waiting for them."""
    for kind in kinds:
        threading.Thread(target=decoder(kind).start, name=f"start {kind}", daemon=True).start()


def _exchange(
    process: subprocess.Popen[bytes], request: Request, body: bytes
) -> tuple[Response, NDArray[np.generic]]:
    assert process.stdin is not None
    assert isinstance(process.stdout, BufferedIOBase)
    channel.send(process.stdin.fileno(), request, body)
    response = msgspec.json.decode(channel.read_line(process.stdout), type=Response)
    if not response.dtype:
        return response, np.zeros(0, np.uint8)
    kind = np.dtype(response.dtype if response.dtype in _TYPES else np.void)
    size = prod(response.shape) * kind.itemsize
    if kind.kind == "V" or min(response.shape, default=0) < 0 or size > LIMIT_BYTES:
        raise channel.MalformedMessage("the decoder returned an invalid array")
    return response, channel.body(process.stdout, size).view(kind).reshape(response.shape)


def _problem(problem: tuple[str, ...]) -> InspectorError:
    kind, what, why, hint = (*problem, "", "", "", "")[:4]
    return _ERRORS.get(kind, UnreadableFile)(what, why, hint)


def _widen(process: subprocess.Popen[bytes]) -> None:
    """Enlarge the pipes' buffers, so that large images need fewer system calls."""
    if not sys.platform.startswith("linux"):
        return
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        try:
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        except OSError:
            return  # the system allows no more; it only takes longer
