"""The agent: runs jobs of other machines on this one. `python -m inspector.remote.agent`.

It speaks on standard input and output, so that `ssh HOST python -m inspector.remote.agent` is a
line to it, and a key can be limited to this command. It listens nowhere, and writes below one
folder only.

`Agent` knows no transport. One has to

- give each object that arrives to `Agent.receive`, and each piece of a file as well, in the
  order in which they were sent, on one thread;
- send what the agent passes to `send` (dicts and Pieces), which is called from any thread;
- call `Agent.leave` when the other side is gone: what runs then goes on, and its end is kept
  until somebody runs the same job, which has the same id; then `Agent.close`.

A transport with a store of its own for files may put them into `Agent.blobs` itself, and take
the files that an end names from there.
"""

import argparse
import os
import platform
import queue
import shutil
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from inspector import __version__
from inspector.backends.machine import load_average, processor_name
from inspector.engine.client import machine_lock
from inspector.errors import InspectorError
from inspector.platform import own_processes
from inspector.platform.late_modules import platformdirs, psutil
from inspector.remote import messages
from inspector.remote.blobs import KEEP_SECONDS, QUOTA_BYTES, Blobs
from inspector.remote.jobs import JobRunner, Spool, lost
from inspector.remote.messages import REFUSED, End, Job, Piece

SILENT_SECONDS = 30.0  # after which the other side counts as gone; it pings every few seconds
_FOLLOW_SECONDS = 0.05
_RUNTIMES = ("onnxruntime", "onnxruntime-gpu", "onnxruntime-directml", "ai-edge-litert",
             "openvino")  # fmt: skip

Send = Callable[[Any], None]


def default_folder() -> Path:
    """Return the folder that an agent of this user keeps everything in."""
    return platformdirs.user_data_path("inspector", appauthor=False) / "agent"


class Agent:
    """Runs jobs one after the other, and answers while one runs.

    folder: all that it writes is below it. labels: what its owner calls it ("gpu").
    """

    def __init__(
        self,
        send: Send,
        folder: Path,
        labels: Sequence[str] = (),
        quota_bytes: int = QUOTA_BYTES,
        keep_seconds: float = KEEP_SECONDS,
    ) -> None:
        self._send, self._labels = send, tuple(labels)
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):
            folder.chmod(0o700)
        self.blobs = Blobs(folder / "files", quota_bytes, keep_seconds)
        self.spool = Spool(folder / "jobs")
        self._runner = JobRunner(self.blobs, _own_folder(folder / "work"))
        self._waiting: queue.Queue[Job | None] = queue.Queue()
        self._cancelled: set[str] = set()
        self._now = ""
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._work, name="jobs", daemon=True)
        self._thread.start()

    def hello(self) -> dict[str, Any]:
        """Return what this agent is and can do."""
        found = []
        for name in _RUNTIMES:
            with suppress(metadata.PackageNotFoundError):
                found.append((name, metadata.version(name)))
        return {
            "type": "hello",
            "protocol": messages.PROTOCOL,
            "schema": messages.SCHEMA,
            "inspector": __version__,
            "python": platform.python_version(),
            "runtimes": dict(found),
            "kinds": messages.kinds(),
            "settings": messages.SENT,
            "system": f"{platform.system()} {platform.machine()}",
            "cpu": processor_name(),
            "cores": os.cpu_count() or 1,
            "memory_bytes": psutil.virtual_memory().total,
            "labels": self._labels,
            **self.load(),
        }

    def load(self) -> dict[str, Any]:
        """Return how busy this machine is, and who measures on it; empty if nobody does."""
        busy = machine_lock.owner(machine_lock.default_file())
        return {"load": round(load_average(), 2), "busy": busy}

    def receive(self, message: Any) -> None:
        """Take an object or a Piece that arrived; answers go to `send`."""
        if isinstance(message, Piece):
            try:
                if self.blobs.write(message):
                    self._send({"type": "stored", "sha256": message.sha256})
            except InspectorError as error:
                self._refuse_file(message.sha256, error)
            return
        job_id = message.get("id")
        match message.get("type"):
            case "hello":
                self._send(self.hello())
            case "have":
                self._have(message.get("blobs"))
            case "run":
                self._accept(message.get("job"))
            case "cancel" if messages.is_id(job_id):
                self._cancel(job_id)
            case "stop" if messages.is_id(job_id):
                self._runner.stop(job_id)
            case "get":
                self._get(message.get("sha256"), message.get("offset", 0))
            case "forget" if messages.is_id(job_id):
                end = self.spool.end(job_id)
                for file in end.files if end is not None else ():
                    self.blobs.delete(file.sha256)
                self.spool.forget(job_id)
            case "ping":
                self._send({"type": "pong", **self.load()})
            case other:
                shown = other if isinstance(other, str) else "a message without a type"
                self._send({"type": "unknown", "what": shown[:40]})

    def leave(self) -> None:
        """Take no further job, since the other side is gone; the one that runs goes on."""
        self._left.set()
        self._waiting.put(None)

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the job that runs has ended; only after `leave`."""
        self._thread.join(seconds)

    def close(self) -> None:
        """Stop what runs, and end the engine."""
        self.leave()
        if self._now:
            self._cancel(self._now)
        self._thread.join(10)
        self._runner.close()
        self.blobs.close()

    def _refuse_file(self, sha256: str, error: InspectorError) -> None:
        problem = msgspec.structs.asdict(messages.problem_of(error))
        self._send({"type": "refused", "sha256": sha256, "problem": problem})

    def _have(self, wanted: object) -> None:
        try:
            listed = wanted if isinstance(wanted, dict) else {"": 0}
            self._send({"type": "have", "missing": self.blobs.missing(listed)})
        except InspectorError as error:
            self._refuse_file("", error)

    def _get(self, sha256: object, offset: object) -> None:
        if not messages.is_sha256(sha256) or type(offset) is not int or offset < 0:
            return
        assert isinstance(sha256, str)
        try:
            for piece in self.blobs.pieces(sha256, offset):
                self._send(piece)
            self._send({"type": "got", "sha256": sha256})
        except InspectorError as error:
            self._refuse_file(sha256, error)

    def _accept(self, value: Any) -> None:
        """Queue a job, or end it at once if it is not allowed or has ended before."""
        try:
            job = messages.read_job(value)
        except InspectorError as error:
            named = value.get("id") if isinstance(value, dict) else None
            job_id = str(named) if messages.is_id(named) else ""
            self._end(End(job_id, REFUSED, problem=messages.problem_of(error)))
            return
        end = self._known_end(job.id)
        if end is not None:
            self._end(end)
            return
        if self._now and self._now != job.id:
            behind = "another job of the same client"
            self._send({"type": "waiting", "id": job.id, "behind": behind})
        self._cancelled.discard(job.id)
        self._waiting.put(job)

    def _cancel(self, job_id: str) -> None:
        self._cancelled.add(job_id)
        if not self._runner.cancel(job_id):
            self.spool.request_cancel(job_id)

    def _work(self) -> None:
        """Run what was accepted, until the other side is gone."""
        while (job := self._waiting.get()) is not None and not self._left.is_set():
            self._now = job.id
            model = f" {job.model[0].name}" if job.model else ""
            machine_lock.PURPOSE.set(f"{job.kind}{model} for {job.client or 'another machine'}")
            try:
                self._end(self._ended(job))
            except InspectorError as error:
                problem = messages.problem_of(error)
                self._end(End(job.id, messages.FAILED, problem=problem))
            finally:
                self._now = ""

    def _ended(self, job: Job) -> End:
        """Run a job, or wait for an agent of an earlier line that runs it."""
        told = False
        while True:
            with self.spool.running(job.id) as mine:
                if mine:
                    end = self._known_end(job.id)
                    if end is not None:
                        return end
                    if job.id in self._cancelled:
                        return End(job.id, messages.CANCELLED)
                    if not self.spool.begin(job.id):
                        return lost(job.id)
                    end = self._runner.run(
                        job, self._send, lambda: self.spool.cancel_requested(job.id)
                    )
                    self.spool.keep(end)
                    return end
            if self._left.is_set():
                return End(job.id, messages.LOST)  # nobody is there to hear it
            if not told:
                told = True
                self._send({"type": "running", "id": job.id})
            time.sleep(_FOLLOW_SECONDS)

    def _known_end(self, job_id: str) -> End | None:
        """Return the end of a job that was not fetched; None where it has to run."""
        end = self.spool.end(job_id)
        if end is None or end.state not in (messages.DONE, messages.FAILED):
            return None
        if not all(self.blobs.has(file.sha256) for file in end.files):
            return None
        return msgspec.structs.replace(end, spooled=True)

    def _end(self, end: End) -> None:
        self._send({"type": "end", **msgspec.structs.asdict(end)})


def _own_folder(parent: Path) -> Path:
    """Return a new folder for this process, and delete those of processes that are gone."""
    parent.mkdir(parents=True, exist_ok=True)
    for folder in parent.iterdir():
        pid = folder.name.partition("-")[0]
        if not pid.isdigit() or not psutil.pid_exists(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)
    own = parent / f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
    own.mkdir()
    return own


def serve(source: Any, target: Any, options: argparse.Namespace) -> None:
    """Serve one line until the other side is gone and what runs has ended."""
    try:
        target.write(messages.GREETING)
        target.flush()
    except OSError:  # nobody is there any more
        return
    outgoing: queue.Queue[Any] = queue.Queue(maxsize=64)
    gone = threading.Event()
    heard = [time.monotonic()]

    def send(message: Any) -> None:
        progress = isinstance(message, dict) and message.get("type") == "progress"
        while not gone.is_set():
            try:
                outgoing.put(message, timeout=0.2)
                return
            except queue.Full:
                if progress:  # a slow line may miss some of it
                    return

    def write() -> None:
        while (message := outgoing.get()) is not None:
            try:
                target.write(messages.frame(message))
                target.flush()
            except (OSError, ValueError):
                gone.set()
                return

    folder = options.folder or default_folder()
    try:
        agent = Agent(send, folder, options.label, options.quota << 30, options.keep * 86_400.0)
    except OSError as error:  # the other side shows the last line
        raise SystemExit(f"cannot write to {folder}: {error.strerror or error}") from error
    agent.spool.clean()
    agent.blobs.clean()
    threading.Thread(target=write, name="write", daemon=True).start()

    def read() -> None:
        try:
            for message in messages.frames(source):
                heard[0] = time.monotonic()
                agent.receive(message)
        except messages.BrokenLine:
            pass
        finally:
            gone.set()

    threading.Thread(target=read, name="read", daemon=True).start()
    while not gone.wait(1.0):
        if time.monotonic() - heard[0] > SILENT_SECONDS:  # a pulled cable ends no stream
            gone.set()
    agent.leave()
    agent.wait()
    agent.close()


def parser() -> argparse.ArgumentParser:
    """Return the options of the agent."""
    made = argparse.ArgumentParser(prog="inspector.remote.agent", description=__doc__)
    made.add_argument(
        "--folder", type=Path, help="folder in which the agent keeps models and results"
    )
    made.add_argument(
        "--label", action="append", default=[], help="label of this machine; repeatable"
    )
    made.add_argument("--quota", type=int, default=QUOTA_BYTES >> 30, metavar="GIB")
    made.add_argument("--keep", type=float, default=KEEP_SECONDS / 86_400, metavar="DAYS")
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Speak on the two pipes; what anyone prints goes to standard error."""
    options = parser().parse_args(arguments)
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    own_processes.exchange_bytes(source, target)
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the end of a line is no end of a job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the client, who cancels
    serve(os.fdopen(source, "rb"), os.fdopen(target, "wb"), options)
    os._exit(0)


if __name__ == "__main__":
    main()
