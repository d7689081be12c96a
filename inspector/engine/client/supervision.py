"""Supervise one engine process from start to end: limits, private folder, ways it can fail."""

import os
import queue
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic

from msgspec import Struct

from inspector import units
from inspector.backends import environments
from inspector.engine import protocol
from inspector.engine.progress_text import while_text
from inspector.engine.protocol import Ask, Beat, FromEngine, Message, Step, Stop, Tokens
from inspector.errors import BadInput, Cancelled, EngineDied, EngineKilled, EngineLate
from inspector.formats.opening import not_run
from inspector.platform import files, own_processes
from inspector.platform.memory_budget import WATCH, Watched, kills_for_memory
from inspector.platform.process_states import STOPPED, work_of
from inspector.platform.work_limits import Allowance, Limits
from inspector.report.compatibility import CompatibilityResult, Outcome
from inspector.sandbox import confinement, windows_limits
from inspector.sandbox.denied_call_log import DeniedCalls
from inspector.units import clip

# Python on Windows, about the runtime's own libraries or those of Visual C++ that they need.
_MISSING_LIBRARY = "DLL load failed while importing"
# What a crash is called on Windows: an NTSTATUS as exit code.
_WINDOWS = {
    0xC0000005: "an access violation",
    0xC0000017: "out of memory",
    0xC000001D: "an instruction that this CPU does not support",
    0xC0000094: "a division by zero",
    0xC00000FD: "a stack overflow",
    0xC0000374: "a corrupted heap",
    0xC0000409: "a corrupted stack, or an abort",
}
_KILLED = -9  # exit code of a process that SIGKILL ended; never one on Windows
_SIGKILL_BIT = 1 << 8  # in masks of pending signals: proc_pid_status(5); signal 9
_NO_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out of memory|cannot allocate|failed to allocate memory",
    re.IGNORECASE,
)
_NO_IMPORT = ("ModuleNotFoundError", "ImportError")  # a package is damaged or half gone
_ANSI_COLORS = re.compile(r"\x1b?\[[0-9;]*m")
# What Python's fault handler writes: where Python was, not what went wrong.
_TRACE = re.compile(
    r"^(?:Fatal Python error|Current thread|Thread 0x|Extension modules|  File |  \.\.\.|\s*$"
    r"|Traceback|<no Python frame>|  Garbage-collecting|    )"
)
OTHER_DEVICE_HINT = (
    "Try another device or a lower optimization level; other models are not affected."
)
RETRY_HINT = "Try again."
MEMORY_HINT = "Close other programs, set dynamic axes to smaller sizes, or use a smaller input."
POLL_SECONDS = 0.2  # between polls of the engine
DRAIN_SECONDS = 0.5  # for the last messages of a process that has ended
JOIN_SECONDS = 5.0  # for threads that read or write pipes
# Without a sign of life for so long, one looks whether it was stopped; the system says so at
# once, but a look at each poll would cost more than it is worth.
STOPPED_SECONDS = 3.0
# Since the last poll: this program was stopped itself, which is no fault of the engine.
PAUSED_SECONDS = 10 * POLL_SECONDS
# A step that takes longer is said to be still running, again each second: most people wait for
# ten seconds before they wonder (J. Nielsen, "Usability Engineering", 1993, chapter 5).
STALL_NOTICE_SECONDS = 10.0
STALL_REPEAT_SECONDS = 1.0
TIME_LIMIT_HINT = "To allow more time, use --time-limit."
RESUME_HINT = (
    "Resume the engine process in the program that paused it, such as a debugger, then try "
    "again."
)
_MAX_LAYER_CHARS = 200
_remove_stale = cache(files.remove_stale)  # many files may lie beside the folders
LOG = "engine.log"
LOG_BYTES = 64 << 10
# A talkative process may send this much at once, and so much a second on top of it.
BURST_BYTES = 16 << 20
BYTES_PER_SECOND = 4 << 20
BURST_MESSAGES = 20_000
MESSAGES_PER_SECOND = 500


def printable_path(model: Path, what: str) -> Path:
    """Return the absolute path of a model that a backend runs.

    Raises BadInput: it is of a format that none runs, or cannot be sent in a message.
    """
    path = model.absolute()
    refusal = not_run(path)
    if refusal is not None:
        raise BadInput(what, *refusal)
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        why = "the name of the file or its folder is not valid text"
        raise BadInput(what, why, "Rename it.") from error
    return path


def diagnose_exit(
    exit_code: int | None,
    log: str,
    trouble: str,
    for_memory: bool | None = None,
    engine_id: str = "",
) -> tuple[str, str]:
    """Return why a process cannot be used any more, and what to do about it.

    exit_code: as subprocess has it, negative for a signal; None while it lives.
    log: all it printed. trouble: what is wrong with it when it lives. for_memory: whether
    the system ended a process for lack of memory meanwhile; None where it does not say.
    engine_id: of an engine with an environment of its own, which can be installed again.
    """
    last_line = last_log_line(log)
    if exit_code == _KILLED and for_memory:
        return "the system killed the engine process because it ran out of memory", MEMORY_HINT
    if exit_code == _KILLED and for_memory is None:
        return (
            "the engine process was killed (SIGKILL), possibly by the system because it ran "
            "out of memory",
            MEMORY_HINT,
        )
    if exit_code == _KILLED:
        return (
            "another program killed the engine process (SIGKILL); memory was not exhausted",
            RETRY_HINT,
        )
    if exit_code and _NO_MEMORY.search(log):
        return "the engine process ran out of memory", MEMORY_HINT
    if crash := crash_name(exit_code):
        return _with_last_line(f"the runtime crashed ({crash})", last_line), OTHER_DEVICE_HINT
    if exit_code and _MISSING_LIBRARY in last_line:
        return _with_last_line("a library that the runtime needs is missing", last_line), (
            "Install the latest Microsoft Visual C++ Redistributable (x64): "
            "https://aka.ms/vs/17/release/vc_redist.x64.exe"
        )
    if exit_code is not None:
        why = f"the engine process exited without a result (exit code {exit_code})"
        hint = OTHER_DEVICE_HINT
        if engine_id and last_line.startswith(_NO_IMPORT):
            hint = f"Install it again: inspector engines --install {engine_id}"
        return _with_last_line(why, last_line), hint
    return f"the engine process failed: {trouble}", OTHER_DEVICE_HINT


def compatibility_after_failure(
    program: str, why: str, seconds: float, late: bool
) -> CompatibilityResult:
    """Return the compatibility result of a program whose process did not answer.

    why: as `explain` tells it. seconds: it took. late: whether it was given no more time.
    """
    took_ns = round(seconds * 1e9)
    if late:
        return CompatibilityResult(
            program, Outcome.SILENT, f"no response after {seconds:.0f} s", took_ns
        )
    it = why.replace("the runtime", "it", 1).replace("the engine process", "it", 1)
    return CompatibilityResult(program, Outcome.DIED, it, took_ns)


def last_log_line(log: str) -> str:
    """Return the last line that is neither empty nor part of a trace of Python's fault
    handler."""
    for line in reversed(log.splitlines()):
        if not _TRACE.match(line):
            return clip(_ANSI_COLORS.sub("", line).strip())
    return ""


def _with_last_line(why: str, line: str) -> str:
    return f"{why}; its last output: {line}" if line else why


def crash_name(exit_code: int | None) -> str:
    """Return what the system calls the crash that a process ended with; "" for none."""
    if exit_code is None or exit_code >= 0 or exit_code == _KILLED:
        return _WINDOWS.get(exit_code or 0, "")
    try:
        return signal.Signals(-exit_code).name
    except ValueError:
        return f"signal {-exit_code}"


def engine_command(environment: str = "") -> list[str]:
    """Return what starts an engine process: this Python, without the folder it is started
    in. environment: id of the one that it runs in, if it has its own."""
    if environment:
        return environments.command(environment)
    options = ("-X", "faulthandler", "-P")
    return own_processes.command("inspector.engine", python_options=options)


class ProcessFault(Struct, frozen=True):
    """The reason for not trusting further messages, with a hint where there is one.

    closed: the pipe ended, and so perhaps the process. late: it took longer than allowed.
    """

    text: str
    closed: bool = False
    hint: str = ""
    late: bool = False


class SupervisedProcess:
    """A running engine program.

    folder: shared with it, private to this user; gone after `end`.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._engine = environments.engine_of(command)
        self._place = files.private_folder()
        self.folder = Path(self._place.name)
        _remove_stale(self.folder.parent)
        self._denied = DeniedCalls(self._note)
        self._watched: Watched | None = None
        self._too_much = ""  # why the memory watch ended it
        self._memory_kills = kills_for_memory()
        self.layer = ""  # that it is at, in words, where it tells
        self._messages: queue.SimpleQueue[FromEngine | ProcessFault] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._job: windows_limits.JobObject | None = None  # closing it ends the process
        self._killed = False
        self._asked = 0  # requests sent so far
        self._stopped_job = -1  # the last one that was asked to end early
        self._lock, self._started = threading.Lock(), threading.Event()
        self._heard = self._last_checked_sign = self._looked = monotonic()
        self._at_sign = 0.0, 0.0  # spent and idle at the last sign of life
        self._waiting_since = (
            self._heard
        )  # when the last message but signs of life was waited for
        self._at_first_question = 0.0, 0.0  # spent and idle then
        self._outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        # This thread starts the process and lives as long as it: Linux ends a child with
        # the thread that started it, and the caller's thread may go before the next job.
        self._reader = threading.Thread(
            target=self._live, args=(list(command),), name="engine", daemon=True
        )
        # It stays: a new thread for each message would wait for its first turn.
        self._writer = threading.Thread(target=self._write, name="engine pipe", daemon=True)
        self._writer.start()
        self._reader.start()

    @property
    def usable(self) -> bool:
        """Return whether it can take a job: neither ended nor being killed, as far as anyone
        knows."""
        process = self._process
        return not self._ended and (process is None or not _is_dying(process.pid))

    @property
    def _ended(self) -> bool:
        process = self._process
        return self._killed or (process is not None and _has_ended(process))

    def send(self, message: Message) -> None:
        """Hand a message over, after those before; never waits, whether anyone reads or not."""
        self._asked += isinstance(message, Ask)
        self._outbox.put(protocol.frame(protocol.encode(message)))

    def stop_job(self) -> None:
        """Ask the job that was sent last to end early with what it has, from any thread."""
        self._stopped_job = self._asked
        self.send(Stop(self._asked))

    @property
    def job_is_stopped(self) -> bool:
        """Return whether the job that was sent last has been asked to end early."""
        return self._stopped_job == self._asked

    def receive(
        self,
        phase: str,
        allowance: Allowance,
        stalled: Callable[[float], None] = lambda _: None,
    ) -> FromEngine:
        """Wait for the next message that is not a mere sign of life.

        allowance: of the whole job; counted on here. stalled: hears each second for how many
        seconds there has been none, once these are STALL_NOTICE_SECONDS.
        Raises Cancelled: after `kill`. EngineLate: the job took longer, or came along no more.
        EngineDied: it ended, went silent or garbled its answer. The process has ended then.
        """
        self._heard = self._last_checked_sign = self._looked = self._waiting_since = monotonic()
        self._at_sign = self._at_first_question = allowance.spent, allowance.idle
        reported_at = -STALL_REPEAT_SECONDS  # the first is told as soon as it counts as a stall
        if self._process is not None and not allowance.started:
            allowance.update(self._process.pid)
        quiet_since_end = 0.0
        while True:
            try:
                message: FromEngine | ProcessFault | None = self._messages.get(
                    timeout=POLL_SECONDS
                )
            except queue.Empty:
                message = self._late(allowance, phase)
                quiet_since_end += POLL_SECONDS if self._ended else 0
                if quiet_since_end > DRAIN_SECONDS:  # another program holds the pipe
                    message = ProcessFault("it exited", closed=True)
            if isinstance(message, Step | Tokens) and allowance.age > POLL_SECONDS:
                message = self._late(allowance, phase) or message  # late in spite of steps
            if isinstance(message, ProcessFault):
                raise self._failure(message, phase)
            if message is not None:
                return message
            waited = monotonic() - self._waiting_since
            if waited >= max(STALL_NOTICE_SECONDS, reported_at + STALL_REPEAT_SECONDS):
                reported_at = waited
                stalled(waited)

    def kill(self) -> None:
        """End the process now, from any thread; whoever waits for it hears of it."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """End the process if it lives, wait for it, and remove the folder."""
        self._stop()
        self._place.cleanup()

    def _stop(self) -> None:
        """End the process if it lives, and wait for it."""
        self.kill()
        process = self._process
        ended = process is not None and process.poll() is not None
        # A process it left behind may hold the pipe; its reader then waits alone.
        self._reader.join(POLL_SECONDS if ended else JOIN_SECONDS)
        self._denied.join(JOIN_SECONDS)
        if self._watched is not None:
            WATCH.remove(self._watched)
        if self._job is not None:
            self._job.close()

    def _end_for_memory(self, used_bytes: int, limit_bytes: int) -> None:
        used, limit = units.size(used_bytes), units.size(limit_bytes)
        self._too_much = (
            f"the engine process used {used} of memory, but all engine processes together are "
            f"limited to {limit}"
        )
        if limit_bytes == self._limits.memory_bytes:
            self._too_much = (
                f"the engine process used {used} of memory, but is limited to {limit}"
            )
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def _live(self, command: list[str]) -> None:
        try:
            process = self._start(command)
        except OSError as error:
            self._messages.put(
                ProcessFault(f"it could not be started: {error.strerror or error}")
            )
            return
        finally:
            self._started.set()
        assert process.stdin is not None
        assert process.stdout is not None
        self._messages.put(self._listen(process.stdout.fileno()))
        process.wait()
        self._outbox.put(b"")
        self._writer.join(timeout=JOIN_SECONDS)
        process.stdin.close()
        process.stdout.close()

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        flags = ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP")
        with self._lock, self._denied, (self.folder / LOG).open("ab") as log:
            own = confinement.child_environment(
                ORT_DISABLE_TELEMETRY="1", **self._denied.variables()
            )
            command, environment = windows_limits.direct_python(command, own)
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                pass_fds=self._denied.inherited(),
                cwd=self.folder,
                start_new_session=True,  # Ctrl+C is for the parent alone
                creationflags=sum(getattr(subprocess, flag, 0) for flag in flags),
            )
            self._denied.follow(self._process.pid)
            limit = self._limits.memory_bytes
            self._job = windows_limits.limit_child(self._process, limit or WATCH.budget())
            self._watched = Watched(self._process.pid, limit, self._end_for_memory)
            WATCH.add(self._watched)
            if self._killed:
                self._process.kill()
            return self._process

    def _note(self, line: str) -> None:
        """Append a line to the engine's log."""
        with suppress(OSError), (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(line + "\n")

    def _listen(self, descriptor: int) -> ProcessFault:
        """Pass on messages until they end, and return how they ended."""
        budget = _MessageBudget()
        try:
            for body in protocol.read_messages(descriptor):
                if not budget.pays_for(len(body)):
                    return ProcessFault("it sent more data than allowed")
                self._heard = monotonic()
                message = protocol.from_engine(body)
                if isinstance(message, Beat):
                    self.layer = clip(message.layer, _MAX_LAYER_CHARS)
                else:
                    self._messages.put(message)
        except protocol.MalformedMessage as error:
            return ProcessFault(f"it sent an invalid message: {error}", closed=error.closed)
        except OSError as error:
            return ProcessFault(f"its pipe failed: {error.strerror}", closed=True)
        return ProcessFault("it closed its pipe during the job", closed=True)

    def _write(self) -> None:
        self._started.wait(self._limits.silence_seconds)
        process = self._process
        if process is None or process.stdin is None:
            return
        try:
            while framed := self._outbox.get():
                protocol.write(process.stdin.fileno(), framed)
        except (OSError, ValueError):
            return  # it is gone, and the reader tells that better

    def _late(self, allowance: Allowance, phase: str) -> ProcessFault | None:
        """Return what is wrong with a process that has been silent for a moment, if anything.

        A process that works is not silent before its allowance is over: native code may keep
        Python's lock, and with it the thread that gives signs of life.
        """
        now, process = monotonic(), self._process
        if now - self._looked > PAUSED_SECONDS:
            self._waiting_since += now - self._looked
            self._heard = now  # this process stood still itself, as Ctrl+Z makes it
            allowance.pause()
        self._looked = now
        if process is not None:
            allowance.update(process.pid)
        if now - self._heard > STOPPED_SECONDS and self._stopped():
            return ProcessFault("another program paused it (SIGSTOP)", hint=RESUME_HINT)
        if self._heard != self._last_checked_sign:
            self._last_checked_sign, self._at_sign = (
                self._heard,
                (allowance.spent, allowance.idle),
            )
        spent, idle = allowance.spent - self._at_sign[0], allowance.idle - self._at_sign[1]
        patience = self._limits.silence_seconds
        if idle > patience or spent > max(patience, allowance.seconds):
            return ProcessFault(f"it did not respond for {now - self._heard:.1f} s")
        if allowance.exceeded:
            text = allowance.text + while_text(phase, self.layer)
            hint = TIME_LIMIT_HINT if allowance.by_user else ""
            return ProcessFault(text, hint=hint, late=True)
        stall = self._limits.stall_seconds
        if stall and allowance.spent - self._at_first_question[0] > stall:
            text = f"it made no progress for {stall:g} s{while_text(phase, self.layer)}"
            return ProcessFault(text, hint=TIME_LIMIT_HINT, late=True)
        return None

    def _stopped(self) -> bool:
        work = None if self._process is None else work_of(self._process.pid)
        return work is not None and work[1] == STOPPED

    def _failure(self, trouble: ProcessFault, phase: str) -> EngineDied | Cancelled:
        if self._killed:
            return Cancelled("Stopped", phase=phase)
        code = self._exit_code(DRAIN_SECONDS if trouble.closed else 0)
        kills = kills_for_memory()
        kind: type[EngineDied] = EngineLate if trouble.late else EngineDied
        if self._too_much:
            why, hint = self._too_much, MEMORY_HINT
        else:
            for_memory = None if kills is None else kills != self._memory_kills
            if code == _KILLED and not for_memory:
                kind = EngineKilled
            log, fault = self._log(), trouble.text
            why, hint = diagnose_exit(code, log, fault, for_memory, self._engine)
        self._stop()  # the folder stays until `end`: what the process left in it may be wanted
        hint = trouble.hint if trouble.late or trouble.hint else hint
        failure = kind("The engine process stopped", why, hint, phase)
        failure.crash = crash_name(code)
        return failure

    def _exit_code(self, seconds: float) -> int | None:
        if self._process is None:
            return None
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def _log(self) -> str:
        try:
            with (self.folder / LOG).open("rb") as log:
                log.seek(max(0, log.seek(0, os.SEEK_END) - LOG_BYTES))
                return log.read().decode("utf-8", "replace")
        except OSError:
            return ""


class _MessageBudget:
    """A rate limit on messages of a process: a budget that grows with time."""

    def __init__(self) -> None:
        self._at = monotonic()
        self._size, self._messages = float(BURST_BYTES), float(BURST_MESSAGES)

    def pays_for(self, size_bytes: int) -> bool:
        """Take one message out; False when there is not enough left."""
        now = monotonic()
        passed, self._at = now - self._at, now
        self._size = min(BURST_BYTES, self._size + passed * BYTES_PER_SECOND) - size_bytes
        refill = self._messages + passed * MESSAGES_PER_SECOND
        self._messages = min(BURST_MESSAGES, refill) - 1
        return self._size >= 0 and self._messages >= 0


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a process is over. `poll` says no while the thread that waits for it wakes
    up."""
    if process.poll() is not None:
        return True
    if not hasattr(os, "waitid"):
        return False
    try:
        status = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # that thread has taken notice already
        return True
    return status is not None


def _is_dying(pid: int) -> bool:
    """Return whether a process was killed and takes its time to end (Linux; elsewhere False).

    The threads of a runtime and its memory need some milliseconds to go. Until then the system
    does not report the end, and a job that is sent to such a process is lost.
    """
    try:
        text = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    except OSError:
        return False
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    pending = int(fields.get("ShdPnd", "0"), 16) | int(fields.get("SigPnd", "0"), 16)
    has_exited = fields.get("State", "").startswith(("Z", "X"))  # its first thread is, at least
    return has_exited or bool(pending & _SIGKILL_BIT)
