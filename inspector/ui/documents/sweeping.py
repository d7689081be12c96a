"""Sweeps and searches of a document: started here, in the library after each step."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from platformdirs import user_cache_path
from PySide6.QtCore import QObject, Signal

from inspector.analysis.measured.sweep_labels import settings_label
from inspector.app import runner, subjects
from inspector.app.searches import (
    Search,
    engines,
    machines_of,
    run_search,
    run_sweep,
    unattended,
)
from inspector.engine.client.engine import Engine
from inspector.errors import InspectorError
from inspector.model.tensors.element_types import Fed
from inspector.platform import files
from inspector.remote import machines
from inspector.report import sweep as sweeps
from inspector.report.run_spec import InputSource, RunSpec
from inspector.report.sweep import Axis, CellIndex, Sweep
from inspector.report.tuning import Tuning
from inspector.ui.documents.autosave import Autosave
from inspector.ui.translate import tr

_USUAL = RunSpec()
CONFIRM = 3  # more rounds for the best cells of each model


class Swept(Protocol):
    """The part of a document that a sweep needs: model, settings and engine."""

    path: Path | None
    reopen_path: Path | None
    digest: str
    autosave: Autosave
    spec: RunSpec
    feeds: dict[str, Fed]
    sources: dict[str, InputSource]

    def sweep(  # noqa: D102
        self, job: Callable[[Engine, Callable[[], bool]], Any], then: Callable[[Any], None]
    ) -> None: ...

    def tell_stage(self, stage: str) -> None: ...  # noqa: D102


class Sweeping(QObject):
    """The sweep and the search of one document; views wait for `changed` and `tuned`.

    sweep, tuning: as far as they are. Both go into the library after each measurement, so that
    they are still there when the program was not allowed to end.
    """

    changed = Signal()
    tuned = Signal()
    failed = Signal(object)  # InspectorError
    _stepped = Signal(object)
    _stage = Signal(str)
    _left = Signal(object)  # seconds, or None

    def __init__(self, document: Swept, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.sweep: Sweep | None = None
        self.tuning: Tuning | None = None
        self.tuning_now = False
        self.paths: tuple[Path, ...] = (document.path,) if document.path is not None else ()
        self._sweep_id = self._tuning_id = ""  # of their entries in the library
        self.seconds_left: float | None = None
        self._stepped.connect(self._take)
        self._stage.connect(document.tell_stage)
        self._left.connect(self._set_left)
        self.find_earlier()

    @property
    def left(self) -> int:
        """Measurements that a sweep was stopped before."""
        return runner.left(self.sweep) if self.sweep is not None else 0

    def find_earlier(self) -> None:
        """Take up the newest sweep and search that are kept of this model, if anything."""
        document = self._document
        if not document.digest:
            return
        if self.sweep is None:
            stored = document.autosave.latest("sweep", document.digest)
            sweep = stored[0] if stored is not None else _from_cache(document.digest)
            if isinstance(sweep, Sweep) and len(sweep.models) == 1:
                self.sweep, self._sweep_id = sweep, stored[1] if stored is not None else ""
                self.changed.emit()
        if self.tuning is None:
            stored = document.autosave.latest("tuning", document.digest)
            if stored is not None and isinstance(stored[0], Tuning):
                self.tuning, self._tuning_id = stored[0], stored[1]
                self.tuned.emit()

    def add_models(self, paths: tuple[Path, ...]) -> None:
        """Sweep these files, too."""
        self.paths = tuple(dict.fromkeys((*self.paths, *paths)))
        self.changed.emit()

    def drop_model(self, path: Path) -> None:
        """Leave a file out again; the document's own stays."""
        self.paths = tuple(p for p in self.paths if p != path or p == self._document.path)
        self.changed.emit()

    def start(self, axes: tuple[Axis, ...], rounds: int, runs: int, at_once: bool) -> None:
        """Measure every combination; `changed` follows each measurement.

        at_once: measure, too, 1, 2 and 4 predictions at once.
        """
        beside = (1, 2, 4) if at_once else ()
        spec = replace(unattended(self._document.spec), runs=runs, concurrency=beside)

        def plan(models: tuple[subjects.Subject, ...]) -> Sweep:
            identities = [each.identity for each in models]
            return sweeps.plan(identities, spec, axes, rounds, confirm=CONFIRM)

        self._sweep_id = ""
        self._run(plan)

    def resume(self) -> None:
        """Measure what is left; what is there stays as it is."""
        sweep = self.sweep
        assert sweep is not None, "there is something to resume"
        self._run(lambda models: sweep)

    def tune(self, search: Search) -> None:
        """Search the best settings; `tuned` follows each measurement."""
        document, path = self._document, self._document.path
        known_as = document.reopen_path
        assert path is not None, "only a document with a model runs it"
        usual = {name: getattr(_USUAL, name) for name in sweeps.AXES if name != "binding"}
        spec = unattended(replace(document.spec, **usual))
        feeds, sources = dict(document.feeds), tuple(document.sources.values())

        def job(engine: Engine, stopped: Callable[[], bool]) -> None:
            given = subjects.at_hand(feeds, sources)
            (subject,) = subjects.subjects([path], given, spec)
            for now in run_search(engine, subject, search, stopped):
                self._stage.emit(now.step)
                if now.trials:
                    self._tuning_id = document.autosave.keep_step(
                        now, known_as, self._tuning_id
                    )
                self._stepped.emit(now)

        self.tuning, self.tuning_now, self._tuning_id = None, True, ""
        document.sweep(job, self._ended)
        self.tuned.emit()

    def _run(self, plan: Callable[[tuple[subjects.Subject, ...]], Sweep]) -> None:
        document, known_as, paths = self._document, self._document.reopen_path, self.paths
        feeds, sources = dict(document.feeds), tuple(document.sources.values())

        def job(engine: Engine, stopped: Callable[[], bool]) -> None:
            given = subjects.at_hand(feeds, sources)
            models = subjects.subjects(paths, given, self._document.spec)
            planned = plan(models)
            runner.check(planned)
            targets = machines.targets(machines_of(planned)) if machines_of(planned) else ()
            there = engines(targets) if targets else nullcontext([(0, engine)])
            with there as found:
                steps = run_sweep(
                    planned,
                    models,
                    found,
                    self._tell_measurement,
                    stopped,
                    self._tell_comparison,
                )
                for number, step in enumerate(steps):
                    if number:  # something was measured
                        self._sweep_id = document.autosave.keep_step(
                            step.sweep, known_as, self._sweep_id
                        )
                    self._left.emit(step.seconds_left)
                    self._stepped.emit(step.sweep)

        self.tuning_now, self.seconds_left = False, None
        document.sweep(job, self._ended)

    def _tell_comparison(self) -> None:
        self._stage.emit(tr("comparing the models' outputs"))

    def _tell_measurement(self, sweep: Sweep, place: CellIndex) -> None:
        """Show which measurement begins; called on the job's thread."""
        done, left = runner.done(sweep), runner.left(sweep)
        text = settings_label(sweep, sweep.by_place[place])
        template = tr("measurement {done:,} of {done_2:,}: {text}")
        self._stage.emit(template.format(done=done + 1, done_2=done + left, text=text))

    def _set_left(self, seconds: float | None) -> None:
        self.seconds_left = seconds

    def _take(self, now: Sweep | Tuning) -> None:
        if isinstance(now, Sweep):
            self.sweep = now
            self.changed.emit()
        else:
            self.tuning = now
            self.tuned.emit()

    def _ended(self, _: Any) -> None:
        self.changed.emit()
        self.tuned.emit()


def _from_cache(digest: str) -> Sweep | None:
    """Return the sweep that versions before the library kept of a model; None if none."""
    folder = user_cache_path("inspector", appauthor=False) / "sweeps"
    file = folder / f"{digest[:32]}.json"
    if not files.is_file(file):
        return None
    try:
        return sweeps.load(file)
    except InspectorError:  # of another version, or damaged: nothing to take up
        return None
