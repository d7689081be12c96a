"""One engine process from its start to its end, and all the ways it can fail."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import psutil

from inspector import confinement, units
from inspector.allowance import Allowance
from inspector.denied_calls import DeniedCalls
from inspector.engine import endings, folders, protocol, wire
from inspector.engine.memory_budget import WATCH, Watched, kills_for_memory
from inspector.engine.protocol import Beat, FromEngine, Message, Step
from inspector.engine.values import Limits
from inspector.errors import Cancelled, EngineDied, EngineLate

POLL_SECONDS = 0.2
LAST_WORDS_SECONDS = 0.5
JOIN_SECONDS = 5.0
# Without a sign of life for so long, one looks whether it was stopped; the system says so at
# once, but a look at each poll would cost more than it is worth.
STOPPED_SECONDS = 3.0
PAUSED_SECONDS = 10 * POLL_SECONDS
RESUME = "Try again; whatever stopped it, a debugger perhaps, must let it run."
LOG, LOG_BYTES = "engine.log", 64 << 10
# A talkative process may send this much at once, and so much a second on top of it.
BURST_BYTES, BYTES_A_SECOND = 16 << 20, 4 << 20
BURST_MESSAGES, MESSAGES_A_SECOND = 20_000, 500


def engine_command() -> list[str]:
    """What starts an engine process: this Python, without the folder it is started in."""
    return [sys.executable, "-X", "faulthandler", "-P", "-m", "inspector.engine"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why no message can be trusted any more, and what to do where that is known.

    closed: the pipe ended, and so perhaps the process. late: it took longer than allowed.
    """

    text: str
    closed: bool = False
    hint: str = ""
    late: bool = False


class Child:
    """A running engine program.

    folder: shared with it, private to this user; gone after `end`.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._place = folders.private_folder()
        self.folder = Path(self._place.name)
        folders.sweep(self.folder.parent)
        self._denied = DeniedCalls(self._note)
        self._watched: Watched | None = None
        self._too_much = ""  # why the memory watch ended it
        self._memory_kills = kills_for_memory()
        self._messages: queue.SimpleQueue[FromEngine | Trouble] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._lock, self._started = threading.Lock(), threading.Event()
        self._heard = self._seen = self._looked = monotonic()
        self._at_sign = 0.0, 0.0  # spent and idle at the last sign of life
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
        """Whether it can take a job: not killed, and not ended as far as anyone knows."""
        process = self._process
        return not self._killed and (process is None or not _ended(process))

    def send(self, message: Message) -> None:
        """Hand a message over, after those before; never waits, whether anyone reads or not."""
        self._outbox.put(wire.frame(protocol.encode(message)))

    def receive(self, phase: str, allowance: Allowance) -> FromEngine:
        """Wait for the next message that is not a mere sign of life.

        allowance: of the whole job; counted on here. Raises Cancelled: after `kill`.
        EngineLate: the job took longer. EngineDied: it ended, went silent or garbled its
        answer. The process has been ended then.
        """
        self._heard = self._seen = self._looked = monotonic()
        self._at_sign = allowance.spent, allowance.idle
        if self._process is not None and not allowance.begun:
            allowance.look(self._process.pid)
        quiet_since_end = 0.0
        while True:
            try:
                message: FromEngine | Trouble | None = self._messages.get(timeout=POLL_SECONDS)
            except queue.Empty:
                message = self._late(allowance)
                quiet_since_end += POLL_SECONDS if not self.usable else 0
                if quiet_since_end > LAST_WORDS_SECONDS:  # another program holds the pipe
                    message = Trouble("it ended", closed=True)
            if isinstance(message, Step) and allowance.age > POLL_SECONDS:
                message = self._late(allowance) or message  # it may be late in spite of steps
            if isinstance(message, Trouble):
                raise self._failure(message, phase)
            if message is not None:
                return message

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

    def _end_for_memory(self, taken_bytes: int, limit_bytes: int) -> None:
        taken, limit = units.size(taken_bytes), units.size(limit_bytes)
        self._too_much = f"it took {taken} of memory, and engines may take {limit} together"
        if limit_bytes == self._limits.memory_bytes:
            self._too_much = f"it took {taken} of memory, and may take {limit}"
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def _live(self, command: list[str]) -> None:
        try:
            process = self._start(command)
        except OSError as error:
            self._messages.put(Trouble(f"it could not be started: {error.strerror or error}"))
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
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=_environment(self._denied.variables()),
                pass_fds=self._denied.inherited(),
                cwd=self.folder,
                start_new_session=True,  # Ctrl+C is for the parent alone
                creationflags=sum(getattr(subprocess, flag, 0) for flag in flags),
            )
            self._denied.follow(self._process.pid)
            limit = self._limits.memory_bytes
            self._watched = Watched(self._process.pid, limit, self._end_for_memory)
            WATCH.add(self._watched)
            if self._killed:
                self._process.kill()
            return self._process

    def _note(self, line: str) -> None:
        """Append a line to the engine's log."""
        with suppress(OSError), (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(line + "\n")

    def _listen(self, descriptor: int) -> Trouble:
        """Pass messages on until they end, and say how they did."""
        budget = _Budget()
        try:
            for body in wire.read_messages(descriptor):
                if not budget.pays_for(len(body)):
                    return Trouble("it sent far more than it can have to say")
                self._heard = monotonic()
                message = protocol.from_engine(body)
                if not isinstance(message, Beat):
                    self._messages.put(message)
        except wire.Garbled as error:
            return Trouble(f"it sent no proper message: {error}", closed=error.closed)
        except OSError as error:
            return Trouble(f"its channel broke: {error.strerror}", closed=True)
        return Trouble("it closed its channel in the middle of the job", closed=True)

    def _write(self) -> None:
        self._started.wait(self._limits.silence_seconds)
        process = self._process
        if process is None or process.stdin is None:
            return
        try:
            while framed := self._outbox.get():
                wire.write(process.stdin.fileno(), framed)
        except (OSError, ValueError):
            return  # it is gone, and the reader tells that better

    def _late(self, allowance: Allowance) -> Trouble | None:
        """Return what is wrong with a process that has said nothing for a moment, if anything.

        A process that works is not silent before its allowance is over: native code may keep
        Python's lock, and with it the thread that gives signs of life.
        """
        now, process = monotonic(), self._process
        if now - self._looked > PAUSED_SECONDS:
            self._heard = now  # this process stood still itself, as Ctrl+Z makes it
            allowance.pause()
        self._looked = now
        if process is not None:
            allowance.look(process.pid)
        if now - self._heard > STOPPED_SECONDS and self._stopped():
            return Trouble("another program stopped it (SIGSTOP)", hint=RESUME)
        if self._heard != self._seen:
            self._seen, self._at_sign = self._heard, (allowance.spent, allowance.idle)
        spent, idle = allowance.spent - self._at_sign[0], allowance.idle - self._at_sign[1]
        patience = self._limits.silence_seconds
        if idle > patience or spent > max(patience, allowance.seconds):
            return Trouble(f"it gave no sign of life for {now - self._heard:.1f} s")
        if allowance.over:
            hint = "It may never end; if it might, allow more time."
            return Trouble(allowance.text, hint=hint, late=True)
        return None

    def _stopped(self) -> bool:
        try:
            return self._process is not None and (
                psutil.Process(self._process.pid).status() == psutil.STATUS_STOPPED
            )
        except psutil.Error:
            return False

    def _failure(self, trouble: Trouble, phase: str) -> EngineDied | Cancelled:
        if self._killed:
            return Cancelled("Stopped", phase=phase)
        code = self._exit_code(LAST_WORDS_SECONDS if trouble.closed else 0)
        kills = kills_for_memory()
        if self._too_much:
            why, hint = self._too_much, endings.LESS
        else:
            for_memory = None if kills is None else kills != self._memory_kills
            why, hint = endings.explain(code, self._log(), trouble.text, for_memory)
        self._stop()  # the folder stays until `end`: what the process left in it may be wanted
        kind = EngineLate if trouble.late else EngineDied
        return kind("The engine stopped", why, trouble.hint or hint, phase)

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


class _Budget:
    """How much a process may still say: it fills up with time, and every message takes."""

    def __init__(self) -> None:
        self._at = monotonic()
        self._size, self._messages = float(BURST_BYTES), float(BURST_MESSAGES)

    def pays_for(self, size_bytes: int) -> bool:
        """Take one message out; False when there is not enough left."""
        now = monotonic()
        passed, self._at = now - self._at, now
        self._size = min(BURST_BYTES, self._size + passed * BYTES_A_SECOND) - size_bytes
        refill = self._messages + passed * MESSAGES_A_SECOND
        self._messages = min(BURST_MESSAGES, refill) - 1
        return self._size >= 0 and self._messages >= 0


def _environment(added: dict[str, str]) -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return confinement.environment(
        os.environ,
        ORT_DISABLE_TELEMETRY="1",
        OPENBLAS_NUM_THREADS="1",  # threads of numpy's would escape the confinement
        PYTHONPATH=os.pathsep.join(paths),
        PYTHONDONTWRITEBYTECODE="1",
        **added,
    )


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process is over. `poll` says no while the thread that waits for it wakes up."""
    if process.poll() is not None:
        return True
    if not hasattr(os, "waitid"):
        return False
    try:
        told = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # that thread has taken notice already
        return True
    return told is not None
