"""The sweep of a window over models and machines; it goes on while its view is closed."""

import threading
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.analysis.measured.machine_matrix import Activity
from inspector.app import runner, subjects
from inspector.app.searches import engines, run_sweep
from inspector.backends.values import Progress
from inspector.errors import Cancelled, InspectorError
from inspector.remote import machines
from inspector.report import sweep as sweeps
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import MACHINE, Axis, Cell, CellIndex, CellState, Sweep
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.documents.workspace import Workspace

ROUNDS = 2  # processes on each machine
RUNS = 30  # of each process
_SOON_MS = 200  # between two pictures; drawing more often would disturb what is measured here


def spec() -> RunSpec:
    """Return the settings of all cells: those of `inspector sweep`."""
    return RunSpec(steady=sweeps.MAX_WAIT_SECONDS, runs=RUNS, profiled_runs=0)


def plan(models: Sequence[ModelIdentity], places: Sequence[str]) -> Sweep:
    """Lay out the cells of models on machines, which are as `--on` takes them."""
    return sweeps.plan(models, spec(), [Axis(MACHINE, tuple(places))], ROUNDS)


class MachineMeasuring(QObject):
    """Measures models on machines; views wait for `changed`.

    sweep: as far as it is; None before the first one. activities: what the machines say about
    the cells that they work on. seconds_left: an estimate while it runs; None if not known.
    """

    changed = Signal()
    failed = Signal(object)  # InspectorError
    _stepped = Signal(object)
    _told = Signal()
    _left = Signal(object)

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._jobs, self._emitter = TaskRunner(self), SafeEmitter(self)
        self._stopping = threading.Event()
        self.destroyed.connect(self._stopping.set)
        self.sweep: Sweep | None = None
        self.activities: dict[CellIndex, Activity] = {}
        self.running = False
        self.seconds_left: float | None = None
        self._at_work: dict[int, CellIndex] = {}  # by thread: each measures one cell at a time
        self._id = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.changed)
        self._stepped.connect(self._take)
        self._told.connect(self._later)
        self._left.connect(self._set_left)

    def find_earlier(self, digests: Sequence[str]) -> None:
        """Take up the newest sweep over machines that is kept of one of these models."""
        if self.sweep is not None:
            return
        autosave = self._workspace.autosave
        for digest in filter(None, digests):
            stored = autosave.latest("sweep", digest)
            if stored is None or not isinstance(stored[0], Sweep):
                continue
            if [axis.name for axis in stored[0].axes if axis.name != sweeps.MODEL] == [MACHINE]:
                self.sweep, self._id = stored[0], stored[1]
                self.changed.emit()
                return

    def start(
        self, paths: Sequence[Path], places: Sequence[str], again: Sequence[CellIndex] = ()
    ) -> None:
        """Measure each model on each machine; what was measured before stays.

        again: cells of this plan that are measured again. `changed` follows each measurement.
        """
        earlier = self.sweep
        self._stopping.clear()
        self.running, self.seconds_left = True, None

        def job() -> None:
            models = subjects.subjects(paths)
            planned = plan([each.identity for each in models], places)
            runner.check(planned)
            if earlier is not None:
                planned = sweeps.resume(planned, earlier)
            for at in again:
                planned = planned.put(Cell(at))
            self._emitter.emit(self._stepped, planned)
            targets = machines.targets(",".join(places))
            with engines(targets, self._show) as found:
                steps = run_sweep(planned, models, found, self._begin, self._stopped)
                for number, step in enumerate(steps):
                    if number:  # something was measured
                        self._id = self._workspace.autosave.keep_step(
                            step.sweep, paths[0], self._id
                        )
                    self._emitter.emit(self._left, step.seconds_left)
                    self._emitter.emit(self._stepped, step.sweep)

        self._id = ""
        self._jobs.start(job, self._end, self._fail)
        self.changed.emit()

    @property
    def stopping(self) -> bool:
        """Return whether it was cancelled and has not ended yet."""
        return self.running and self._stopping.is_set()

    def cancel(self) -> None:
        """Stop; what was measured stays, and the rest can be measured later."""
        self._stopping.set()

    # On the threads that measure.

    def _stopped(self) -> bool:
        return self._stopping.is_set()

    def _begin(self, sweep: Sweep, place: CellIndex) -> None:
        thread = threading.get_ident()
        self.activities.pop(self._at_work.get(thread, ()), None)
        self._at_work[thread] = place
        self.activities[place] = Activity("start")
        self._emitter.emit(self._told)

    def _show(self, progress: Progress) -> None:
        """Take what a machine says; it arrives on the thread that waits for its report."""
        place = self._at_work.get(threading.get_ident())
        if place is None:
            return
        earlier = self.activities.get(place, Activity())
        samples = progress.samples_ns or earlier.samples_ns
        part = progress.part if progress.step in ("waiting", "offline", "sending") else ""
        activity = Activity(progress.step, progress.done, samples, part)
        self.activities[place] = activity
        self._emitter.emit(self._told)

    # On the window's thread.

    def _take(self, now: Sweep) -> None:
        self.sweep = now
        self._later()

    def _later(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _set_left(self, seconds: float | None) -> None:
        self.seconds_left = seconds

    def _end(self, _: object = None) -> None:
        self.running, self.seconds_left = False, None
        self.activities, self._at_work = {}, {}
        self._soon.stop()
        self.changed.emit()

    def _fail(self, error: InspectorError) -> None:
        self._end()
        if not isinstance(error, Cancelled):
            self.failed.emit(error)


def open_count(sweep: Sweep) -> int:
    """Return how many cells have to be measured, those that failed included."""
    return sum(cell.state in (CellState.PENDING, CellState.FAILED) for cell in sweep.cells)
