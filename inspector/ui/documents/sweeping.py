"""Sweeps and searches of a document: started here, kept here, and on disk after each step."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from platformdirs import user_cache_path
from PySide6.QtCore import QObject, Signal

from inspector import files
from inspector import sweep as sweeps
from inspector.errors import InspectorError, NotSaved
from inspector.report import RunSpec
from inspector.sweep import Axis, Sweep
from inspector.sweeping import runner, subjects, tuner
from inspector.sweeping.agreement import agreements
from inspector.tuning import Tuning

if TYPE_CHECKING:
    from inspector.engine.process import EngineProcess
    from inspector.preview.elements import Fed
    from inspector.report import InputSource


class Swept(Protocol):
    """What a sweep asks of a document: its model and settings, and to let the engine work."""

    path: Path | None
    digest: str
    spec: "RunSpec"
    feeds: "dict[str, Fed]"
    sources: "dict[str, InputSource]"

    def sweep(  # noqa: D102
        self,
        job: "Callable[[EngineProcess, Callable[[], bool]], Any]",
        then: Callable[[Any], None],
    ) -> None: ...


class Sweeping(QObject):
    """The sweep and the search of one document; views wait for `changed` and `tuned`.

    sweep, tuning: as far as they are. A sweep is saved after each measurement under the hash
    of its model, so that it is still there when the program was not allowed to end.
    """

    changed = Signal()
    tuned = Signal()
    failed = Signal(object)  # InspectorError
    _stepped = Signal(object)

    def __init__(self, document: Swept, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.sweep: Sweep | None = None
        self.tuning: Tuning | None = None
        self.tuning_now = False
        self.paths: tuple[Path, ...] = (document.path,) if document.path is not None else ()
        self._stepped.connect(self._take)
        self.find_earlier()

    @property
    def file(self) -> Path | None:
        """Where the sweep is kept; None as long as the hash of the model is not known."""
        digest = self._document.digest
        folder = user_cache_path("inspector", appauthor=False) / "sweeps"
        return folder / f"{digest[:32]}.json" if digest else None

    @property
    def left(self) -> int:
        """Measurements that a sweep was stopped before."""
        return runner.left(self.sweep) if self.sweep is not None else 0

    def find_earlier(self) -> None:
        """Take up what an earlier run of the program kept of this model, if anything."""
        file = self.file
        if self.sweep is not None or file is None or not files.is_file(file):
            return
        try:
            found = sweeps.load(file)
        except InspectorError:  # of another version, or damaged: nothing to take up
            return
        if len(found.models) == 1:
            self.sweep = found
            self.changed.emit()

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
        spec = replace(
            self._document.spec,
            runs=runs,
            seconds=0.0,
            steady=sweeps.STEADY,
            profiled_runs=0,
            loads=1,
            phases=False,
            predict=(),
            concurrency=(1, 2, 4) if at_once else (),
        )

        def plan(models: tuple[subjects.Subject, ...]) -> Sweep:
            identities = [each.identity for each in models]
            return sweeps.plan(identities, spec, axes, rounds, confirm=_CONFIRM)

        self._run(plan)

    def resume(self) -> None:
        """Measure what is left; what is there stays as it is."""
        kept = self.sweep
        assert kept is not None, "there is something to resume"
        self._run(lambda models: kept)

    def tune(self, seconds: float) -> None:
        """Search the best settings; `tuned` follows each measurement."""
        document, path = self._document, self._document.path
        assert path is not None, "only a document with a model runs it"
        spec = replace(
            document.spec,
            **{name: getattr(_USUAL, name) for name in sweeps.SETTINGS if name != "binding"},
            seconds=0.0,
            steady=sweeps.STEADY,
            profiled_runs=0,
            loads=1,
            phases=False,
            predict=(),
        )
        feeds, sources = dict(document.feeds), tuple(document.sources.values())

        def job(engine: "EngineProcess", stopped: Callable[[], bool]) -> None:
            models = subjects.subjects([path])
            given = subjects.Inputs({}, spec.cast, feeds, sources)
            alone = subjects.measuring(engine, models, given)
            pair = subjects.pairing(engine, models[0], given)
            bounds = tuner.Bounds(seconds, clock=lambda: monotonic() - engine.waited_seconds)
            for now in tuner.tune(
                models[0].identity, spec, lambda one: alone(0, one), pair, bounds, stopped
            ):
                self._stepped.emit(now)

        self.tuning, self.tuning_now = None, True
        document.sweep(job, self._ended)
        self.tuned.emit()

    def _run(self, plan: Callable[[tuple[subjects.Subject, ...]], Sweep]) -> None:
        document, file, paths = self._document, self.file, self.paths
        feeds, sources = dict(document.feeds), tuple(document.sources.values())

        def job(engine: "EngineProcess", stopped: Callable[[], bool]) -> None:
            models = subjects.subjects(paths)
            planned = plan(models)
            runner.check(planned)
            cast = planned.spec.cast
            if len(models) > 1 and not planned.agreements:
                found = agreements(engine, models, planned.spec, {}, cast)
                planned = replace(planned, agreements=found)
            self._stepped.emit(planned)
            given = subjects.Inputs({}, cast, feeds, sources)
            measure = subjects.measuring(engine, models, given)
            for now in runner.run(planned, measure, stopped):
                if file is not None:
                    _keep(now, file)
                self._stepped.emit(now)

        self.tuning_now = False
        document.sweep(job, self._ended)

    def _take(self, now: "Sweep | Tuning") -> None:
        if isinstance(now, Sweep):
            self.sweep = now
            self.changed.emit()
        else:
            self.tuning = now
            self.tuned.emit()

    def _ended(self, _: Any) -> None:
        self.changed.emit()
        self.tuned.emit()


def _keep(now: Sweep, file: Path) -> None:
    """Save a sweep for the next time; a home that takes nothing is no reason to stop it."""
    with suppress(OSError, NotSaved):
        file.parent.mkdir(parents=True, exist_ok=True)
        sweeps.save(now, file)


_USUAL, _CONFIRM = RunSpec(), 3
