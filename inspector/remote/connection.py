"""This end of a line to an agent: a program whose standard input and output it speaks on.

The program is the system's `ssh`, with the keys, known hosts and configuration that the user
has, or the agent itself where it runs on this machine.
"""

import itertools
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from inspector.errors import Cancelled, EngineDied, InspectorError
from inspector.remote import blobs, messages
from inspector.remote.messages import End, Job, Piece
from inspector.remote.other_machine import Event, OnEvent, OtherMachine
from inspector.units import clip

PING_SECONDS = 3.0
SILENT_SECONDS = 10.0  # without a word, the line counts as cut
START_SECONDS = 30.0  # until an agent has said hello: a board takes seconds to start Python
_GIVE_UP_SECONDS = 120.0  # without reaching a machine
_RETRY_SECONDS = (0.2, 1.0, 2.0, 5.0)
_STOP_SECONDS = 1.0  # for a job to end that Ctrl+C stopped
_END_SECONDS = 2.0  # for the program to end after its line
# For what a program said before it ended. Its output stays open where a process that it started
# has it, too.
_LAST_WORDS_SECONDS = 2.0
_TELL_SECONDS = 0.1  # between two events of an upload
_MOST_LOG = 40  # lines of standard error that are kept


class LineLost(Exception):
    """Raised when a line is cut or cannot be made; the text says why."""


class Line:
    """One connection to one agent. Raises LineLost from every method once it is cut.

    kills: whether the program is killed if it does not end with the line. That is for `ssh`;
    an agent on this machine ends with its job.
    """

    def __init__(
        self, command: Sequence[str], start_seconds: float = START_SECONDS, kills: bool = True
    ) -> None:
        self._kills = kills
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl+C is for this program, which cancels
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise LineLost(f"{command[0]}: {error.strerror or error}") from error
        self._log: deque[str] = deque(maxlen=_MOST_LOG)
        self._arrived: queue.Queue[Any] = queue.Queue()
        self._writing = threading.Lock()
        self.heard = time.monotonic()
        self._why = ""
        self._reader = threading.Thread(target=self._read, name="line", daemon=True)
        self._log_reader = threading.Thread(target=self._read_log, name="log", daemon=True)
        self._log_reader.start()  # first: the other one waits for it
        self._reader.start()
        self.hello: Event = {}
        try:
            self.send({"type": "hello", "protocol": messages.PROTOCOL})
            self.hello = self.wait_for("hello", start_seconds)
        except BaseException:
            self.close()
            raise
        threading.Thread(target=self._ping, name="ping", daemon=True).start()

    @property
    def cut(self) -> bool:
        """Return whether the line is cut."""
        return bool(self._why)

    def send(self, message: Any) -> None:
        """Send an object or a Piece."""
        if self._why:
            raise LineLost(self._why)
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(messages.frame(message))
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            self._reader.join(_LAST_WORDS_SECONDS)  # it finds out why
            raise LineLost(self._why or str(error)) from error

    def next(self, seconds: float = 0.2) -> Any:
        """Return what arrived next; None if nothing did in so many seconds."""
        try:
            return self._arrived.get(timeout=seconds)
        except queue.Empty:
            pass
        if self._why and self._arrived.empty():
            raise LineLost(self._why)
        if self.hello and time.monotonic() - self.heard > SILENT_SECONDS:
            self._why = f"nothing was heard for {SILENT_SECONDS:.0f} s"
            raise LineLost(self._why)
        return None

    def wait_for(self, kind: str, seconds: float, others: Callable[[Any], None] | None = None
    ) -> Event:  # fmt: skip
        """Return the next object of a type; others: take what else arrives. Raises LineLost."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            message = self.next()
            if isinstance(message, dict) and message.get("type") == kind:
                return message
            if message is not None and others is not None:
                others(message)
        raise LineLost(f"there was no answer for {seconds:.0f} s")

    def close(self) -> None:
        """End the line."""
        self._why = self._why or "the line was closed"
        process = self._process
        assert process.stdin is not None
        with suppress(OSError):  # what could not be sent
            process.stdin.close()

        def end() -> None:
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                if self._kills:
                    process.kill()
                process.wait()

        threading.Thread(target=end, name="end", daemon=True).start()

    def abort(self) -> None:
        """End the line at once, also while another thread writes to it."""
        self._why = self._why or "the line was closed"
        self._process.kill()

    def _read(self) -> None:
        assert self._process.stdout is not None
        why = ""
        with self._process.stdout as stream:
            try:
                messages.skip_to_greeting(stream)
                for message in messages.frames(stream):
                    self.heard = time.monotonic()
                    if not (isinstance(message, dict) and message.get("type") == "pong"):
                        self._arrived.put(message)
            except messages.BrokenLine as error:
                why = str(error)
        ended = self._ended()
        said = "" if self._log else why
        self._why = self._why or said or ended or why or "the line was cut"

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            for line in stream:
                self._log.append(line.decode("utf-8", "replace").rstrip())

    def _ended(self) -> str:
        """Return the last words of the program; empty while it runs or if there were none."""
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return ""
        self._log_reader.join(_LAST_WORDS_SECONDS)
        said = [line for line in self._log if line.strip()]
        return clip("; ".join(said[-2:]), 300) if said else f"the connection ended ({code})"

    def _ping(self) -> None:
        while not self._why:
            time.sleep(PING_SECONDS)
            try:
                self.send({"type": "ping"})
            except LineLost:
                return


class Machine(OtherMachine):
    """An agent that is reached again after the line was cut; runs one job at a time.

    name: what the user calls it. command: what makes a line to it. kills: as in Line.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        give_up_seconds: float = _GIVE_UP_SECONDS,
        start_seconds: float = START_SECONDS,
        kills: bool = True,
    ) -> None:
        super().__init__(name)
        self._command, self._kills = tuple(command), kills
        self._give_up, self._start = give_up_seconds, start_seconds
        self._line: Line | None = None
        self._cancelled = self._stopped = self._running = self._sending = False

    def connect(self) -> Event:
        """Make a line if there is none, and return the agent's hello. Raises EngineDied."""
        try:
            return self._connected().hello
        except LineLost as error:
            raise self._unreachable(str(error)) from error

    def run(
        self,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent = lambda _: None,
    ) -> End:
        """Run a job. A line that is cut is made again; what ended meanwhile is fetched."""
        self._cancelled, self._stopped, self._running = False, False, True
        seen = time.monotonic()
        try:
            for attempt in itertools.count():
                line = None
                try:
                    line = self._connected()
                    return self._run(line, job, own_files, target, on_event)
                except KeyboardInterrupt:
                    if line is not None:
                        self._stop(line, job, target)
                    raise
                except LineLost as error:
                    self._disconnect()
                    seen = line.heard if line is not None else seen
                    offline = time.monotonic() - seen
                    never = not self.hello
                    if self._cancelled:
                        raise Cancelled("Stopped") from error
                    if never or offline > self._give_up:
                        raise self._unreachable(str(error)) from error
                    on_event({"type": "offline", "why": str(error), "seconds": offline})
                    pause = _RETRY_SECONDS[min(attempt, len(_RETRY_SECONDS) - 1)]
                    until = time.monotonic() + pause
                    while time.monotonic() < until and not self._cancelled:
                        time.sleep(0.05)
        finally:
            self._running = False
        raise AssertionError("the loop only ends by return or raise")

    def cancel(self) -> None:
        """Stop the job that runs, from any thread; `run` raises Cancelled."""
        if self._running:
            self._cancelled = True
            line = self._line
            if self._sending and line is not None:
                line.abort()  # a write to a dead line would wait for it

    def stop(self) -> None:
        """Let the text that is being generated end with what it has, from any thread."""
        self._stopped = self._running

    def close(self) -> None:
        """End the line."""
        self._disconnect()

    def _connected(self) -> Line:
        if self._line is None or self._line.cut:
            self._disconnect()
            self._line = Line(self._command, self._start, self._kills)
            self.hello = self._line.hello
            if self.hello.get("protocol") != messages.PROTOCOL:
                found = self.hello.get("inspector", "unknown")
                raise EngineDied(
                    f"Could not use {self.name}",
                    f"its agent (Inspector {found}) speaks another protocol",
                    "Install the same version on both machines.",
                )
        return self._line

    def _disconnect(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _unreachable(self, why: str) -> EngineDied:
        hint = f"Check that the machine is on, and try: inspector devices --test {self.name}"
        if not self._kills:  # an agent on this machine
            program = self._command[0]
            hint = (
                "Inspector has to be installed there, which needs Python 3.11 or later: "
                f"{program} -m pip install onnx-inspector"
            )
            return EngineDied(
                f"Could not run Inspector in {self.name}", why, hint, "connection"
            )
        return EngineDied(f"Could not reach {self.name}", why, hint, "connection")

    def _run(
        self,
        line: Line,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent,
    ) -> End:
        kinds, settings = line.hello.get("kinds", ()), line.hello.get("settings", ())
        unknown = [name for name in (*job.spec, *(job.other or ())) if name not in settings]
        if job.kind not in kinds:
            unknown = [job.kind]
        if unknown:
            found = line.hello.get("inspector", "unknown")
            raise EngineDied(
                f"Could not use {self.name}",
                f"its Inspector {found} does not know '{unknown[0]}'",
                "Install the same version there, or omit that option.",
                "job",
            )
        if own_files:
            self._sending = True
            try:
                self._upload(line, own_files, on_event)
            finally:
                self._sending = False
        line.send({"type": "run", "job": job})
        told_at = 0.0
        while True:
            if self._cancelled and not told_at:
                line.send({"type": "cancel", "id": job.id})
                told_at = time.monotonic()
            if told_at and time.monotonic() - told_at > _STOP_SECONDS:
                self._disconnect()  # it hears of it when it hears anything again
                raise Cancelled("Stopped")
            if self._stopped:
                self._stopped = False
                line.send({"type": "stop", "id": job.id})
            message = line.next(0.05)
            if not isinstance(message, dict) or message.get("id") not in (job.id, ""):
                continue
            if message.get("type") != "end":
                on_event(message)
                continue
            end = msgspec.convert(message, End)
            self._fetched(line, end, target)
            if end.state == messages.CANCELLED or self._cancelled:
                raise Cancelled("Stopped")
            return end

    def _stop(self, line: Line, job: Job, target: Path) -> None:
        """Cancel a job, and fetch what it had, if that takes but a moment."""
        until = time.monotonic() + _STOP_SECONDS
        with suppress(LineLost, InspectorError):
            line.send({"type": "cancel", "id": job.id})
            while time.monotonic() < until:
                message = line.next(0.05)
                if isinstance(message, dict) and message.get("type") == "end":
                    self._fetched(line, msgspec.convert(message, End), target)
                    return

    def _fetched(self, line: Line, end: End, target: Path) -> End:
        for file in end.files:
            if not messages.is_plain_name(file.name) or "/" in file.name:
                raise EngineDied(
                    f"Could not use {self.name}", "it named a file outside the folder"
                )
            path = target / file.name
            offset = 0
            with path.open("wb") as opened:
                line.send({"type": "get", "sha256": file.sha256, "offset": 0})
                while True:
                    message = line.next(0.2)
                    if isinstance(message, Piece) and message.sha256 == file.sha256:
                        if (
                            message.offset == offset
                            and offset + len(message.data) <= file.size_bytes
                        ):
                            opened.write(message.data)
                            offset += len(message.data)
                    elif isinstance(message, dict):
                        if message.get("type") == "got":
                            break
                        self._raise_refused(message)
            found, _ = blobs.hash_of(path)
            if found != file.sha256:
                why = "a file that it sent does not have the SHA-256 that it named"
                raise EngineDied(f"Could not use {self.name}", why, "Run the job again.")
        line.send({"type": "forget", "id": end.id})
        return end

    def _upload(self, line: Line, own_files: Mapping[str, Path], on_event: OnEvent) -> None:
        sizes = {sha256: path.stat().st_size for sha256, path in own_files.items()}
        line.send({"type": "have", "blobs": sizes})
        missing = line.wait_for("have", SILENT_SECONDS, self._raise_refused)["missing"]
        total = sum(sizes[sha256] - there for sha256, there in missing.items())
        sent, told = 0, time.monotonic()
        for sha256, there in missing.items():
            for piece in blobs.pieces_of(own_files[sha256], sha256, there):
                if self._cancelled:
                    raise Cancelled("Stopped")
                line.send(piece)
                sent += len(piece.data)
                if time.monotonic() - told > _TELL_SECONDS:
                    told = time.monotonic()
                    on_event({"type": "sending", "sent": sent, "total": total})
        stored: set[str] = set()
        while len(stored) < len(missing):
            message = line.next(0.2)
            if self._cancelled:
                raise Cancelled("Stopped")
            if isinstance(message, dict) and message.get("type") == "stored":
                stored.add(message["sha256"])
            elif message is not None:
                self._raise_refused(message)

    def _raise_refused(self, message: Any) -> None:
        if isinstance(message, dict) and message.get("type") == "refused":
            problem = msgspec.convert(message.get("problem"), messages.Problem)
            error: InspectorError = messages.error_of(problem)
            raise error
