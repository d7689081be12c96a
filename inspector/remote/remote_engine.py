"""An engine whose process is on another machine: an agent there answers the same requests."""

import getpass
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from inspector.backends.values import ComparisonRun, Progress
from inspector.engine import payloads
from inspector.engine.client.engine import Engine
from inspector.engine.requests import Generate, Measure, MeasurePair, Request
from inspector.errors import BadInput, EngineDied, UnreadableFile
from inspector.formats import opening
from inspector.model.model import Model
from inspector.platform import files
from inspector.platform.work_limits import Limits
from inspector.remote import job_forms, messages
from inspector.remote.blobs import hash_of
from inspector.remote.messages import End, FeedFile, Job, ModelFile
from inspector.remote.other_machine import Event, OtherMachine
from inspector.report.language.generation import GeneratedToken
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.report_values import LIMIT_BYTES
from inspector.report.run_spec import RunSpec
from inspector.units import clip, size

R = TypeVar("R")
# What an error says was under way where a job was lost or refused.
_PHASES = {messages.LOST: "lost", messages.REFUSED: "job"}


class RemoteEngine(Engine):
    """Answers requests on another machine, in place of a process here.

    machine: the line to its agent. device: id of a device there, in place of the first one of
    each job; empty: as the jobs say. python: whether it is this machine with another Python.
    What another machine cannot do raises BadInput.
    """

    elsewhere = True

    def __init__(
        self,
        machine: OtherMachine,
        on_progress: Callable[[Progress], None] = lambda _: None,
        limits: Limits | None = None,
        device: str = "",
        python: bool = False,
    ) -> None:
        super().__init__(on_progress, limits)
        self.machine, self._device, self._python = machine, device, python
        self._model_files: dict[Path, tuple[Any, tuple[ModelFile, ...], dict[str, Path]]] = {}
        self._samples: tuple[int, ...] = ()

    def place(self) -> str:
        """Return the machine that ran the last job."""
        return self.machine.place

    def kill(self) -> None:
        """Stop the current job, from any thread: it raises Cancelled."""
        self.machine.cancel()

    def stop(self) -> None:
        """Let the text that is being generated end here, from any thread."""
        self.machine.stop()

    def close(self) -> None:
        """Stop the current job, and end the line."""
        self.kill()
        with self._one_job:
            self.machine.close()

    def private_folder(self) -> Path:
        """Raise BadInput: what lies in it would be for this machine."""
        raise self._only_here("a conversion")

    def call(self, request: Request[R]) -> R:
        """Return the answer of the other machine; one that has to be given here is refused."""
        if not request.kind:
            raise self._only_here(request.noun)
        against: ComparisonRun | None = getattr(request, "against", None)
        if against is not None and against.model:
            raise self._only_here("a comparison with another model")
        if isinstance(request, Generate) and (request.continuation or request.encoder):
            raise self._only_here("generation with several graphs")
        self.partial = None
        with self._done(request) as (end, folder):
            answer: Any = job_forms.fetched_result(type(request), end.answer, folder)
        if isinstance(request, Measure):
            answer = self._named(answer, request.identity, request.spec)
        elif isinstance(request, MeasurePair):
            sides = zip(answer, request.specs, strict=True)
            answer = tuple(self._named(one, request.identity, spec) for one, spec in sides)
        result: R = answer
        return result

    def _only_here(self, noun: str) -> BadInput:
        why = f"{noun} is only possible on this machine"
        option = "--python" if self._python else "--on"
        return BadInput(f"Could not use {self.machine.name}", why, f"Omit {option}.")

    def _there(self, spec: RunSpec) -> RunSpec:
        """Return settings with the device of the other machine."""
        if not self._device:
            return spec
        return replace(spec, devices=tuple(dict.fromkeys((self._device, *spec.devices[1:]))))

    @contextmanager
    def _done(self, request: Request[Any]) -> Iterator[tuple[End, Path]]:
        """Run a job, and give its end and the folder with its files to the block.

        Raises InspectorError: what the job ended with, or its answer is not one.
        """
        limits = self._limits
        told = job_forms.fields_of(
            request, lambda spec: messages.settings_of(self._there(spec))
        )
        job = Job(
            "",
            client=client(),
            job_seconds=limits.rest_seconds,
            stall_seconds=limits.stall_seconds,
            **told,
        )
        model: Path | None = getattr(request, "model", None)
        steps = getattr(request, "steps", None)
        what = f"Could not run the job on {self.machine.name}"
        with self._one_job, files.temporary_folder("inspector-", what) as made:
            sent, found = Path(made) / "sent", Path(made) / "found"
            sent.mkdir()
            found.mkdir()
            with payloads.stored_feeds(sent, getattr(request, "feeds", {}), steps) as stored:
                own: dict[str, Path] = {}
                if model is not None:
                    listed, paths = self._files_of(model)
                    job = msgspec.structs.replace(job, model=listed)
                    own |= paths
                fed = tuple(FeedFile(array, *hash_of(sent / array.file)) for array in stored)
                own |= {feed.sha256: sent / feed.array.file for feed in fed}
                job = msgspec.structs.replace(job, feeds=fed)
                job = msgspec.structs.replace(job, id=messages.job_id(job, self.machine.name))
                self._samples = ()
                try:
                    with self._call.ending(self.kill):
                        end = self.machine.run(job, own, found, self._tell)
                finally:
                    self._take_partial(found)
            self.waited_seconds += end.waited_seconds
            if end.state != messages.DONE:
                problem = end.problem or messages.Problem("EngineDied", "The job failed")
                error = messages.error_of(problem)
                error.phase = _PHASES.get(end.state, error.phase)
                raise error
            try:
                yield end, found
            except (UnreadableFile, ValueError, RecursionError) as error:
                raise self._unreadable(getattr(error, "why", "") or str(error)) from error

    def _take_partial(self, found: Path) -> None:
        """Keep what a measurement had that failed or was stopped."""
        if (found / "partial").exists():
            with suppress(UnreadableFile):
                partial = payloads.report(files.read_capped(found / "partial", LIMIT_BYTES))
                self.partial = replace(partial, notes=(self.note, *partial.notes))

    def _files_of(self, model: Path) -> tuple[tuple[ModelFile, ...], dict[str, Path]]:
        """List the files of a model with their SHA-256, which is computed once for each."""
        state = files.state(model)
        known = self._model_files.get(model)
        if known is not None and known[0] == state:
            return known[1], known[2]
        paths = files_of(model, opening.open_model(model))
        listed, by_hash = [], {}
        for name, path in paths.items():
            if not messages.is_plain_name(name):
                why = f"'{clip(name, 80)}' is not a file name that all systems have"
                raise BadInput(f"Could not send {clip(model.name)}", why, "Rename the file.")
            self._on_progress(Progress("hash", -1))
            sha256, count = hash_of(path)
            listed.append(ModelFile(name, sha256, count))
            by_hash[sha256] = path
        self._model_files[model] = state, tuple(listed), by_hash
        return tuple(listed), by_hash

    def _named(
        self, report: PerformanceReport, identity: ModelIdentity, spec: RunSpec
    ) -> PerformanceReport:
        """Return a report whose inputs are called what they are called here, and share it."""
        if report.model.sha256 != identity.sha256:
            raise self._unreadable("the report is about another model")
        named = replace(report.spec, inputs=spec.inputs)
        note = self.note
        if self._python:
            note = f"{note.removesuffix('.')} with {clip(report.environment.runtime_text, 60)}."
        notes = (note, *report.notes)
        report = replace(report, spec=named, model=identity, notes=notes)
        self.machine.share(report)
        return report

    @property
    def hello(self) -> Mapping[str, Any]:  # type: ignore[override]
        """Return what the machine says of itself."""
        return self.machine.hello

    @property
    def note(self) -> str:  # type: ignore[override]
        """Return which machine it is."""
        if self._python:
            version = self.machine.hello.get("python", "unknown version")
            return f"Measured in another Python on this machine ({clip(str(version), 20)})."
        return f"Measured on another machine, '{self.machine.place}'."

    def _unreadable(self, why: str) -> EngineDied:
        what = f"Could not read the answer of {self.machine.name}"
        return EngineDied(what, clip(why, 200), "Install the same version on both machines.")

    def _tell(self, event: Event) -> None:
        """Pass on what a machine says, as progress of this engine."""
        name = self.machine.name
        if self._call.cancelled:  # before the machine had the job
            self.kill()
        match event.get("type"):
            case "progress":
                samples = tuple(event.get("samples_ns", ()))
                self._samples = samples if event.get("again") else self._samples + samples
                self._on_progress(
                    Progress(
                        str(event.get("step", "")),
                        float(event.get("done", -1)),
                        self._samples,
                        str(event.get("part", "")),
                        float(event.get("stalled_seconds", 0.0)),
                        tuple(event.get("layers", ())),
                        str(event.get("layer", "")),
                    )
                )
            case "tokens":
                with suppress(msgspec.ValidationError):  # the answer has them all once more
                    tokens = msgspec.convert(event.get("tokens"), tuple[GeneratedToken, ...])
                    done = float(event.get("done", -1))
                    self._on_progress(
                        Progress("generation", done, self._samples, tokens=tokens)
                    )
            case "waiting":
                behind = clip(str(event.get("behind", "")), 120)
                part = f"{name}: queued behind {behind}" if behind else f"{name}: queued"
                self._on_progress(Progress("waiting", -1, part=part))
            case "sending":
                sent, total = event.get("sent", 0), max(1, event.get("total", 1))
                part = f"{size(sent)} of {size(total)}"
                self._on_progress(Progress("sending", sent / total, part=part))
            case "offline":
                seconds, why = event.get("seconds"), clip(str(event.get("why", "")), 120)
                reason = f": {why}" if seconds is None else f" for {seconds:.0f} s"
                part = f"{name}: unreachable{reason}"
                self._on_progress(Progress("offline", -1, part=part))
            case "running":
                self._on_progress(Progress("following", -1, part=name))


def files_of(path: Path, model: Model) -> dict[str, Path]:
    """Return the files that a model consists of, by their names beside it; itself first."""
    found = {path.name: path}
    home = opening.home(path)
    for weight in model.weights:
        if weight.place is not None and weight.place.file:
            found[weight.place.file.replace(os.sep, "/")] = home / weight.place.file
    return found


def client() -> str:
    """Return who asks, for those who wait behind: 'ada@desk'."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = "somebody"
    return clip(f"{user}@{socket.gethostname()}", 80)
