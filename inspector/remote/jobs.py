"""Runs a job that arrived on this machine in an engine process, and keeps its end.

The engine is confined as for a model that was opened here, and may read nothing but a folder
with the files of the model. What is measured waits for all other measurements of this user.
"""

import shutil
import subprocess
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from inspector.backends import array_files
from inspector.engine import payloads
from inspector.engine.client import machine_lock
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import answered_elsewhere
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats.opening import open_model
from inspector.platform import files
from inspector.platform.late_modules import LateModule
from inspector.platform.work_limits import Limits
from inspector.preview.runs.steps import Steps
from inspector.remote import job_forms, messages
from inspector.remote.blobs import Blobs
from inspector.remote.messages import CANCELLED, DONE, FAILED, LOST, End, Job, ResultFile
from inspector.report.report_values import ModelIdentity
from inspector.units import clip
from inspector.wording import stored

if TYPE_CHECKING:
    from inspector.remote import answers
else:
    # Analysis and preprocessing, 130 ms: an agent starts without.
    answers = LateModule("inspector.remote.answers")

KEEP_SECONDS = 7 * 86_400.0  # of an end that nobody fetched
MOST_SECONDS = 6 * 3_600.0  # of a job; a measurement that takes longer keeps the machine
_MOST_SPOOLED = 2_000
_MOST_TRIES = 2  # of a job whose agent died with it
_EVENT_SECONDS = 0.1  # between two events of progress
_POLL_SECONDS = 0.05

Event = dict[str, Any]
Emit = Callable[[Event], None]


class Spool:
    """The ends of jobs, each in a folder until the client has it.

    A folder is locked by the process that runs its job, so that any other one knows whether the
    job is still running, has ended, or was lost with its process.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def folder(self, job_id: str) -> Path:
        """Return the folder of a job."""
        return self._folder / job_id

    def end(self, job_id: str) -> End | None:
        """Return the end of a job; None where it has not ended."""
        try:
            body = files.read_capped(self.folder(job_id) / "end.json", 64 << 20)
            return stored.decode(body, msgspec.json.Decoder(End))
        except (InspectorError, ValueError):
            return None

    def keep(self, end: End) -> None:
        """Store the end of a job. Raises NotSaved."""
        files.write_atomic(self.folder(end.id) / "end.json", stored.encode(end))

    @contextmanager
    def running(self, job_id: str) -> Iterator[bool]:
        """Hold the lock of a job meanwhile; yields False where another process runs it."""
        folder = self.folder(job_id)
        opened = files.open_lock(folder / "running.lock")
        if opened is None:
            why = f"{self._folder} cannot be written"
            raise BadInput("Could not run the job on the other machine", why)
        with opened:
            mine = files.try_lock(opened)
            if mine:
                (folder / "cancel").unlink(missing_ok=True)
            yield mine

    def begin(self, job_id: str) -> bool:
        """Count one more try to run a job; returns False after too many, which all died."""
        path = self.folder(job_id) / "tries"
        tries = path.stat().st_size + 1 if path.exists() else 1
        path.write_bytes(b"." * tries)
        return tries <= _MOST_TRIES

    def request_cancel(self, job_id: str) -> None:
        """Ask the process that runs a job to stop it."""
        with suppress(OSError):
            (self.folder(job_id) / "cancel").touch()

    def cancel_requested(self, job_id: str) -> bool:
        """Return whether another process asked for that."""
        return files.exists(self.folder(job_id) / "cancel")

    def forget(self, job_id: str) -> None:
        """Delete what is kept of a job."""
        shutil.rmtree(self.folder(job_id), ignore_errors=True)

    def clean(self) -> None:
        """Delete ends that nobody fetched, after a time or if there are too many."""
        found = []
        for folder in self._folder.iterdir():
            with suppress(OSError):
                found.append((folder.stat().st_mtime, folder))
        found.sort(reverse=True)
        now = time.time()
        for number, (changed, folder) in enumerate(found):
            if number < _MOST_SPOOLED and now - changed < KEEP_SECONDS:
                continue
            with self.running(folder.name) as mine:
                if mine:
                    self.forget(folder.name)


class JobRunner:
    """Runs jobs one after the other, in an engine process that stays for the next one.

    folder: of its own, for the files of models; it is deleted by `close`.
    """

    def __init__(self, blobs: Blobs, folder: Path) -> None:
        self._blobs, self._folder = blobs, folder
        self._laid_out: dict[tuple[messages.ModelFile, ...], Path] = {}
        self._emit: Emit = lambda _: None
        self._lock = threading.Lock()  # guards the two below
        self._running, self._cancelled = "", False
        self._engine = EngineProcess(self._tell)
        self._last_event, self._sent = 0.0, 0
        self._step = ("", "")
        self._child: subprocess.Popen[bytes] | None = None

    def cancel(self, job_id: str) -> bool:
        """Stop a job, from any thread; False where it is not the one that runs."""
        with self._lock:
            if self._running != job_id:
                return False
            self._cancelled = True
        self._engine.kill()
        self._stop_child()
        return True

    def stop(self, job_id: str) -> None:
        """Let the text that a job generates end with what it has, from any thread."""
        with self._lock:
            if self._running == job_id:
                self._engine.stop()

    def _stop_child(self) -> None:
        child = self._child
        if child is not None:
            child.terminate()

    def close(self) -> None:
        """End the engine, and delete the files that were laid out for it."""
        self._engine.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, job: Job, emit: Emit, stopped: Callable[[], bool] = lambda: False) -> End:
        """Run a job and return its end; no exception is the client's fault but `stopped`.

        stopped: asked from another thread whether another process wants the job to stop.
        """
        self._emit = emit
        self._last_event, self._sent, self._step = 0.0, 0, ("", "")
        with self._lock:
            self._running, self._cancelled = job.id, False
        before = self._engine.waited_seconds
        watching = threading.Event()
        watch = threading.Thread(
            target=self._watch, args=(job.id, watching, stopped), name="watch", daemon=True
        )
        watch.start()
        found: tuple[tuple[ResultFile, ...], Any] = ((), None)
        try:
            self._expect_not_cancelled()
            found = self._done(job)
            state, problem = DONE, None
        except Cancelled as error:
            state, problem = CANCELLED, messages.problem_of(error)
        except InspectorError as error:
            state, problem = FAILED, messages.problem_of(error)
        except OSError as error:
            what, why = "Could not run the job on the other machine", error.strerror
            state, problem = FAILED, messages.Problem("NotSaved", what, why or str(error))
        except Exception as error:  # noqa: BLE001, or the client would wait forever
            traceback.print_exc()  # into the agent's log
            what = "Could not run the job on the other machine"
            why = clip(f"an internal error in Inspector: {type(error).__name__}: {error}", 300)
            hint = "The log of the agent there has the details; please report it."
            state, problem = FAILED, messages.Problem("EngineFailed", what, why, hint)
        finally:
            watching.set()
            watch.join()
            with self._lock:
                self._running = ""
        files_, answer = found
        if problem is not None:
            files_ = self._partial()
        waited = self._engine.waited_seconds - before
        return End(job.id, state, files_, answer, problem, waited)

    def _watch(self, job_id: str, done: threading.Event, stopped: Callable[[], bool]) -> None:
        """Stop a job that was cancelled before its engine ran, or that takes too long."""
        until = time.monotonic() + MOST_SECONDS
        while not done.wait(_POLL_SECONDS):
            if self._cancelled:
                self._engine.kill()
                self._stop_child()
            elif stopped() or time.monotonic() > until:
                self.cancel(job_id)

    def _expect_not_cancelled(self) -> None:
        if self._cancelled:
            raise Cancelled("Stopped")

    def _done(self, job: Job) -> tuple[tuple[ResultFile, ...], Any]:
        """Run a job: files of its result, and small values."""
        engine = self._engine
        engine.set_limits(Limits(job_seconds=job.job_seconds, stall_seconds=job.stall_seconds))
        engine.partial = None
        spec = messages.read_spec(job.spec)
        other = None if job.other is None else messages.read_spec(job.other)
        model = self._model(job.model) if job.model else None
        if job.folder is not None and model is not None:
            unpacked = self._folder / "files"
            unpacked.mkdir(parents=True)

            def began(child: subprocess.Popen[bytes]) -> None:
                self._child = child

            try:
                archive = self._blobs.path(job.folder.sha256)
                rows = answers.predict_folder(model, archive, job.options, unpacked, began)
            except InspectorError:
                self._expect_not_cancelled()
                raise
            finally:
                self._child = None
                shutil.rmtree(unpacked, ignore_errors=True)
                self._blobs.delete(job.folder.sha256)  # nobody asks for the same files again
            return (self._stored(answers.ROWS, rows),), None
        kind = answered_elsewhere()[job.kind]
        feeds, steps = self._feeds(job)
        self._expect_not_cancelled()

        def identity() -> ModelIdentity:
            assert model is not None
            return answers.measured_model(model, open_model(model), job.model[0].sha256)

        request = job_forms.request_of(kind, job, (spec, other), model, identity, feeds, steps)
        folder = self._folder / "outputs"
        folder.mkdir(parents=True, exist_ok=True)
        bodies, answer = job_forms.stored_result(
            kind, answers.answer(self._engine, request), folder
        )
        arrays = [
            ResultFile(path.name, *self._blobs.add(path)) for path in sorted(folder.iterdir())
        ]
        stored = (self._stored(name, body) for name, body in bodies.items())
        return (*arrays, *stored), answer

    def _model(self, listed: tuple[messages.ModelFile, ...]) -> Path:
        """Return the path of a model whose files are laid out in a folder of their own."""
        folder = self._laid_out.get(listed)
        if folder is None:
            folder = self._folder / f"model-{len(self._laid_out)}"
            folder.mkdir(parents=True)
            self._blobs.lay_out(((file.name, file.sha256) for file in listed), folder)
            self._laid_out[listed] = folder
        return folder / listed[0].name

    def _feeds(self, job: Job) -> tuple[dict[str, array_files.Feed], Steps | None]:
        folder = self._folder / "feeds"
        folder.mkdir(parents=True, exist_ok=True)
        stored = []
        for number, feed in enumerate(job.feeds):
            name = f"feed-{number}.bin"
            self._blobs.lay_out([(name, feed.sha256)], folder)
            stored.append(msgspec.structs.replace(feed.array, file=name))
        try:
            feeds, frames = payloads.fetched_feeds(folder, stored)
        except array_files.InvalidArray as error:
            raise BadInput("Could not read one of the job's inputs", str(error)) from error
        return feeds, Steps(frames, job.states) if frames else None

    def _partial(self) -> tuple[ResultFile, ...]:
        partial = self._engine.partial
        if partial is None:
            return ()
        return (self._stored("partial", payloads.report_body(partial)),)

    def _stored(self, name: str, body: bytes) -> ResultFile:
        path = self._folder / f"result-{name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        return ResultFile(name, *self._blobs.add(path))

    def _tell(self, progress: Any) -> None:
        """Pass progress on, with the samples that are new, at most ten times a second."""
        if progress.step == "waiting":
            owner = machine_lock.owner(machine_lock.default_file())
            self._emit({"type": "waiting", "id": self._running, "behind": owner})
            return
        if progress.tokens:  # each counts: none is left out to save messages
            tokens = msgspec.to_builtins(progress.tokens)
            told = {"id": self._running, "tokens": tokens, "done": progress.done}
            self._emit({"type": "tokens", **told})
            return
        now, step = time.monotonic(), (progress.step, progress.part)
        new_step = step != self._step
        if not new_step and now - self._last_event < _EVENT_SECONDS and progress.done < 1:
            return
        count = len(progress.samples_ns)
        again = count < self._sent
        samples = progress.samples_ns[0 if again else self._sent :]
        self._last_event, self._sent, self._step = now, count, step
        event: Event = {
            "type": "progress",
            "id": self._running,
            "step": progress.step,
            "done": progress.done,
            "part": progress.part,
            "samples_ns": samples,
        }
        if again:
            event["again"] = True
        if progress.stalled_seconds:
            event["stalled_seconds"] = progress.stalled_seconds
            event["layer"], event["layers"] = progress.layer, progress.layers
        self._emit(event)


def lost(job_id: str) -> End:
    """Return the end of a job whose process is gone."""
    why = f"the agent that ran it died {_MOST_TRIES} times before it was done"
    hint = "The machine may lack memory for it."
    problem = messages.Problem("EngineDied", "The job was lost", why, hint)
    return End(job_id, LOST, problem=problem)
