"""Reading weights off the window's thread: one, all of them, a plane, or into a file."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from time import monotonic

from PySide6.QtCore import QObject, Signal

from inspector.analysis.tensor_uses import uses
from inspector.errors import Cancelled, InspectorError
from inspector.model import Model
from inspector.readers import payload, payload_npy
from inspector.ui.documents.jobs import Jobs
from inspector.ui.weights.gathering import Gathered, Plane, View, gather, plane

_BETWEEN_S = 0.1
Outcome = Gathered | InspectorError


class WeightsWork(QObject):
    """What is known of a document's weights beyond the file's own words; grows when asked.

    uses: for each weight the layers that take it; None until `uses_found`.
    found: by place in `Model.weights`, what reading gave, or why it failed.
    read_ones: number of weights whose values are known. repeated, repeated_bytes: of those, the
        ones that hold the same as an earlier one.
    reading: place of the weight being read alone; None for none. done: share of it, 0 to 1.
    all_done: share of all that is read; None while not all are being read.
    """

    uses_found = Signal()
    found_changed = Signal(object)  # frozenset of places
    progressed = Signal()
    plane_read = Signal(object)  # Plane
    saved = Signal(object)  # Path
    failed = Signal(object)  # InspectorError
    _heard = Signal(object, float, object)

    def __init__(
        self,
        path: Path,
        model: Model,
        known: Mapping[str, payload.Stamp],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._path, self._weights, self._known = path, model.weights, known
        self._jobs = Jobs(self)
        self.uses: tuple[tuple[int, ...], ...] | None = None
        self._stop_one = self._stop_all = Event()
        self._view: tuple[int, View] | None = None
        self._groups: dict[bytes, list[int]] = defaultdict(list)  # by digest
        self.found: dict[int, Outcome] = {}
        self.read_ones = 0
        self.repeated = self.repeated_bytes = 0
        self.reading: int | None = None
        self.done = 0.0
        self.all_done: float | None = None
        self._heard.connect(self._take)
        self._jobs.start(lambda: uses(model), self._show_uses, self.failed.emit)

    def read(self, index: int) -> None:
        """Read one weight; `found_changed` follows. Ends the reading of another one."""
        self._stop_one.set()
        if isinstance(self.found.get(index), Gathered):
            self.reading = None
            return
        self._stop_one = stop = Event()
        self.reading, self.done = index, 0.0
        self._start((index,), stop)

    def read_all(self) -> None:
        """Read all that is not known yet."""
        if self.all_done is None:
            self._stop_all = stop = Event()
            self.all_done = 0.0
            every = range(len(self._weights))
            known = {i for i in every if isinstance(self.found.get(i), Gathered)}
            self._start(tuple(i for i in every if i not in known), stop)

    def cancel(self) -> None:
        """Stop reading one; what is known stays."""
        self._stop_one.set()

    def cancel_all(self) -> None:
        """Stop reading all; what is known stays."""
        self._stop_all.set()

    def read_plane(self, index: int, view: View) -> None:
        """Read a plane of a weight; `plane_read` follows, for the last one asked only."""
        self._view = asked = index, view
        weight = self._weights[index]

        def job() -> Plane:
            return plane(self._path, index, weight, view, self._known)

        def show(found: Plane) -> None:
            if self._view == asked:
                self.plane_read.emit(found)

        def refuse(error: InspectorError) -> None:
            if self._view == asked:
                self.found[index] = error
                self.found_changed.emit(frozenset((index,)))

        self._jobs.start(job, show, refuse)

    def save(self, index: int, target: Path) -> None:
        """Write a weight to an .npy file; `saved` or `failed` follows."""
        weight = self._weights[index]

        def job() -> Path:
            payload_npy.save(self._path, weight, target, self._known)
            return target

        def told(path: Path) -> None:
            self.saved.emit(path)

        def refused(error: InspectorError) -> None:
            self.failed.emit(error)

        # Functions that hold this object: a signal's own `emit` does not keep it alive.
        self._jobs.start(job, told, refused)

    def alike(self, index: int) -> tuple[int, ...]:
        """Places of the other weights with the same values, as far as they are read."""
        one = self.found.get(index)
        group = self._groups[one.digest] if isinstance(one, Gathered) else ()
        return tuple(other for other in group if other != index)

    def _start(self, places: tuple[int, ...], stop: Event) -> None:
        whole = max(1, sum(self._weights[i].elements for i in places))

        def job() -> None:
            self._read_each(places, whole, stop)

        def end(_: object) -> None:
            self._take(stop, 1.0, {}, ended=True)

        self.progressed.emit()
        self._jobs.start(job, end, end)

    def _read_each(self, places: tuple[int, ...], whole: int, stop: Event) -> None:
        """Read in a thread, and tell now and then what is known."""
        told, before, fresh = monotonic(), 0, dict[int, Outcome]()

        def hear(elements: int) -> None:
            nonlocal told, fresh
            if stop.is_set():
                raise Cancelled("Stopped reading")
            if monotonic() - told > _BETWEEN_S:
                self._heard.emit(stop, (before + elements) / whole, fresh)
                told, fresh = monotonic(), {}

        try:
            for index in places:
                fresh[index] = self._outcome(index, hear)
                before += self._weights[index].elements
                hear(0)
        finally:
            self._heard.emit(stop, before / whole, fresh)

    def _outcome(self, index: int, hear: Callable[[int], None]) -> Outcome:
        try:
            return gather(self._path, self._weights[index], self._known, hear)
        except Cancelled:
            raise
        except InspectorError as error:
            return error

    def _take(
        self, stop: Event, done: float, fresh: Mapping[int, Outcome], ended: bool = False
    ) -> None:
        for index, outcome in fresh.items():
            self._learn(index, outcome)
        if stop is self._stop_all and self.all_done is not None:
            self.all_done = None if ended else done
        elif stop is self._stop_one:
            self.done = done
            if ended:
                self.reading = None
        if fresh:
            self.found_changed.emit(frozenset(fresh))
        self.progressed.emit()

    def _show_uses(self, found: tuple[tuple[int, ...], ...]) -> None:
        self.uses = found
        self.uses_found.emit()

    def _learn(self, index: int, outcome: Outcome) -> None:
        if isinstance(outcome, Gathered) and index not in self.found:
            group = self._groups[outcome.digest]
            if group:
                self.repeated += 1
                self.repeated_bytes += self._weights[index].size_bytes or 0
            group.append(index)
            self.read_ones += 1
        self.found[index] = outcome
