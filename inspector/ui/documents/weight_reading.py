"""Statistics of a weight, a plane of its values, and which layers use it."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from math import prod
from pathlib import Path
from threading import Event
from time import monotonic

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from inspector.analysis.facts.weight_compression import WeightForm, WeightForms
from inspector.errors import Cancelled, InspectorError
from inspector.formats.onnx import weight_values
from inspector.formats.onnx.real_values import RealValues, quantized, real_values
from inspector.formats.onnx.weight_values import NUMBERS, STRINGS, Values
from inspector.model.model import Layer, Model, WeightInfo
from inspector.model.tensors.tensor_statistics import Statistics, statistics
from inspector.model.tensors.value_patterns import PatternReader, ValuePattern
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.translate import tr

MOST_LENGTH = 384  # elements along an axis of a plane; of more, every n-th is taken
FIRST = 40
LIMIT_BYTES = 256 << 20  # of a weight that is shown as a whole
_WIDE = 1.6  # width of a mosaic for each unit of its height
_BETWEEN_S = 0.1


def uses(model: Model) -> tuple[tuple[int, ...], ...]:
    """For each of `Model.weights` the indices of the layers that use it, in their order.

    A value of a subgraph is used within it only; that of a Constant by who takes its output;
    any other tensor attribute by its own layer. Weights of functions have none.
    """
    taking: dict[str, list[int]] = defaultdict(list)
    for layer in model.layers:
        for name in dict.fromkeys(layer.inputs):
            taking[name].append(layer.index)
    return tuple(_uses(weight, model.layers, taking) for weight in model.weights)


def _uses(
    weight: WeightInfo, layers: Sequence[Layer], taking: dict[str, list[int]]
) -> tuple[int, ...]:
    holder = layers[weight.layer] if weight.layer is not None else None
    if weight.origin == "constant":
        if holder is None:
            return ()
        if holder.operator != "Constant" or not holder.outputs:
            return (holder.index,)
        return tuple(taking.get(holder.outputs[0], ())) if holder.outputs[0] else ()
    users = taking.get(weight.name, ()) if weight.name else ()
    if holder is None:
        return tuple(users)
    return tuple(index for index in users if _inside(layers, index, holder.index))


def _inside(layers: Sequence[Layer], index: int, holder: int) -> bool:
    """Return whether a layer lies in a subgraph of another one."""
    parent = layers[index].parent
    while parent is not None:
        if parent == holder:
            return True
        parent = layers[parent].parent
    return False


class TensorSummary(Struct, frozen=True):
    """The results of one pass over a weight.

    digest: equal for weights of equal type, shape and values. first: values in words.
    pattern: zeros, distinct values and structure.
    """

    statistics: Statistics
    digest: bytes
    first: str
    pattern: ValuePattern | None = None


class WeightContents(Struct, frozen=True, eq=False):
    """A weight that was read as a whole. real: what it stands for, if it is quantized."""

    stored: Values
    real: RealValues | None


class View(Struct, frozen=True):
    """A plane of a tensor: the axes that go down and across, and the index on the others.

    at: an index for each axis; those of the two axes do not matter. A vector has down None.
    """

    down: int | None
    across: int
    at: tuple[int, ...]


class Plane(Struct, frozen=True):
    """A plane of a weight: float64 (rows, columns), every `steps`-th of each axis."""

    index: int
    view: View
    values: NDArray[np.float64]
    steps: tuple[int, int]


def gather(
    path: Path, weight: WeightInfo, stamps: weight_values.Stamps, heard: Callable[[int], None]
) -> TensorSummary:
    """Read a weight once. Raises UnreadableFile, and what `heard` raises.

    heard: is told the number of elements read so far, after each piece.
    """
    kept = PatternReader(weight.stored_shape)
    digest = blake2b(repr((weight.dtype, weight.shape)).encode(), digest_size=16)
    first: list[str] = []

    def pieces() -> Iterator[Values]:
        done = 0
        for values in weight_values.chunks(path, weight, expected_stamps=stamps):
            digest.update(_bytes(values))
            if len(first) < FIRST:
                first.extend(_words(values[: FIRST - len(first)]))
            yield values
            done += len(values)
            heard(done)

    result = statistics(kept.passed_on(pieces()))
    text = "  ".join(first)
    return TensorSummary(result, digest.digest(), text, kept.pattern(result))


def plane(
    path: Path, index: int, weight: WeightInfo, view: View, stamps: weight_values.Stamps
) -> Plane:
    """Read a plane of a weight of numbers. Raises UnreadableFile."""
    indices, steps = _cut(weight.stored_shape, view)
    return _plane(index, view, weight_values.part(path, weight, indices, stamps), steps)


def plane_of(array: Values, index: int, view: View) -> Plane:
    """A plane of a tensor of numbers that is at hand."""
    indices, steps = _cut(array.shape, view)
    return _plane(index, view, array[tuple(indices)], steps)


def _cut(shape: Sequence[int], view: View) -> tuple[list[weight_values.Index], tuple[int, int]]:
    """Return what to take of each axis, and every how many-th of the two that are seen."""
    indices: list[weight_values.Index] = list(view.at)
    steps = [1, 1]
    for place, axis in enumerate((view.down, view.across)):
        if axis is not None:
            steps[place] = -(-shape[axis] // MOST_LENGTH)
            indices[axis] = slice(None, None, steps[place])
    return indices, (steps[0], steps[1])


def _plane(index: int, view: View, values: Values, steps: tuple[int, int]) -> Plane:
    if view.down is not None and view.down > view.across:
        values = values.T
    if values.dtype.kind == "c":
        values = np.abs(values)
    with np.errstate(invalid="ignore"):
        return Plane(index, view, np.atleast_2d(values).astype(np.float64), steps)


def first_view(shape: Sequence[int]) -> View | None:
    """The plane with most to see: along the two longest axes, the earlier one down."""
    if not shape or not prod(shape):
        return None
    at = (0,) * len(shape)
    if len(shape) == 1:
        return View(None, 0, at)
    longest = sorted(range(len(shape)), key=lambda axis: -shape[axis])[:2]
    return View(min(longest), max(longest), at)


def last_view(shape: Sequence[int]) -> View | None:
    """The plane along the last two axes, as most libraries print tensors."""
    if not shape or not prod(shape):
        return None
    at = (0,) * len(shape)
    return View(None, 0, at) if len(shape) == 1 else View(len(shape) - 2, len(shape) - 1, at)


def whole_plane(array: Values, view: View) -> Values:
    """The values of a plane of a tensor (rows, columns), all of them."""
    axes = (view.down, view.across)
    plane = array[tuple(slice(None) if a in axes else view.at[a] for a in range(array.ndim))]
    if view.down is None:
        return np.atleast_2d(plane)
    return plane.T if view.down > view.across else plane


def mosaic(array: Values, view: View, most_cells: int) -> tuple[NDArray[np.float64], int, int]:
    """Lay all planes of a tensor out in a grid, parted by one cell of NaN.

    view: the axes of a plane. Returns the picture, the planes in a row of it, and how many are
    shown: as many as have room in `most_cells`.
    """
    down, across = view.down, view.across
    if down is None:
        return np.atleast_2d(array).astype(np.float64), 1, 1
    planes = np.moveaxis(array, (down, across), (-2, -1))
    rows, columns = planes.shape[-2:]
    planes = planes.reshape(-1, rows, columns)
    shown = max(1, min(len(planes), most_cells // ((rows + 1) * (columns + 1))))
    in_row = max(1, min(shown, round((shown * (rows + 1) / (columns + 1) * _WIDE) ** 0.5)))
    lines = -(-shown // in_row)
    picture = np.full((lines * (rows + 1) - 1, in_row * (columns + 1) - 1), np.nan)
    for place in range(shown):
        top, left = place // in_row * (rows + 1), place % in_row * (columns + 1)
        picture[top : top + rows, left : left + columns] = planes[place]
    return picture, in_row, shown


def is_cheap(weight: WeightInfo, view: View, limit_bytes: int) -> bool:
    """Return whether a plane lies in one stretch of the file, no longer than the limit."""
    place, shape = weight.place, weight.stored_shape
    if place is None or place.field in (*NUMBERS, STRINGS):
        return False
    last = {len(shape) - 1, len(shape) - 2}
    plane = prod(shape[axis] for axis in (view.down, view.across) if axis is not None)
    size = place.length * plane // max(1, prod(shape))
    return {view.down, view.across} - {None} <= last and size <= limit_bytes


def _bytes(values: Values) -> bytes | memoryview:
    if values.dtype.kind == "O":
        return b"".join(b"%d:%b" % (len(text), text) for text in values.tolist())
    return np.ascontiguousarray(values).view(np.uint8).data


def _words(values: Values) -> list[str]:
    if values.dtype.kind == "O":
        return [units.clip(text.decode("utf-8", "replace"), 40) for text in values.tolist()]
    if values.dtype.kind in "iub":
        return [str(value) for value in values.tolist()]
    if values.dtype.kind == "c":
        return [units.number(value, ".4g") for value in values.tolist()]
    return [units.number(value, ".5g") for value in values.astype(np.float64).tolist()]


Outcome = TensorSummary | InspectorError


class WeightLoader(QObject):
    """Statistics and uses of a document's weights, read on request.

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
        stamps: Mapping[str, weight_values.Stamp],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._path, self._weights, self._known = path, model.weights, stamps
        self._model = model
        self._jobs = TaskRunner(self)
        self.uses: tuple[tuple[int, ...], ...] | None = None
        self._forms: WeightForms | None = None
        self._has_patterns = False
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

        def look() -> tuple[tuple[tuple[int, ...], ...], WeightForms]:
            return uses(model), WeightForms(model)

        self._jobs.start(look, self._show_uses, self.failed.emit)

    @property
    def has_forms(self) -> bool:
        """Return whether a weight, as far as is known, is stored in other than plain values."""
        return self._has_patterns or (self._forms is not None and self._forms.has_packed)

    def form(self, index: int, optimized: Model | None = None) -> WeightForm | None:
        """Return how a weight is stored, as far as is known; None before `uses_found`."""
        if self._forms is None:
            return None
        known = self.found.get(index)
        pattern = known.pattern if isinstance(known, TensorSummary) else None
        return self._forms.form(index, pattern, optimized)

    def read(self, index: int) -> None:
        """Read one weight; `found_changed` follows. Ends the reading of another one."""
        self._stop_one.set()
        if isinstance(self.found.get(index), TensorSummary):
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
            loaded = {i for i in every if isinstance(self.found.get(i), TensorSummary)}
            self._start(tuple(i for i in every if i not in loaded), stop)

    def cancel(self) -> None:
        """Stop reading one; what is known stays."""
        self._stop_one.set()

    def cancel_all(self) -> None:
        """Stop reading all; what is known stays."""
        self._stop_all.set()

    def read_plane(self, index: int, view: View) -> None:
        """Read a plane of a weight; `plane_read` follows, for the last one asked only."""
        self._view = request = index, view
        weight = self._weights[index]

        def job() -> Plane:
            return plane(self._path, index, weight, view, self._known)

        def show(plane_values: Plane) -> None:
            if self._view == request:
                self.plane_read.emit(plane_values)

        def refuse(error: InspectorError) -> None:
            if self._view == request:
                self.found[index] = error
                self.found_changed.emit(frozenset((index,)))

        self._jobs.start(job, show, refuse)

    def contents(self, index: int) -> WeightContents:
        """Read a whole weight, in the caller's thread. Raises UnreadableFile, also if large."""
        weight = self._weights[index]
        stored = weight_values.tensor(self._path, weight, LIMIT_BYTES, self._known)
        found = quantized(self._model, index)
        real = None
        if found is not None:
            real = real_values(self._path, found, LIMIT_BYTES, self._known)
        return WeightContents(stored, real)

    def save(self, index: int, target: Path) -> None:
        """Write a weight to an .npy file; `saved` or `failed` follows."""
        weight = self._weights[index]

        def job() -> Path:
            weight_values.save(self._path, weight, target, self._known)
            return target

        # Functions that hold this object: a signal's own `emit` does not keep it alive.
        self._jobs.start(job, lambda path: self.saved.emit(path), lambda e: self.failed.emit(e))

    def alike(self, index: int) -> tuple[int, ...]:
        """Places of the other weights with the same values, as far as they are read."""
        gathered = self.found.get(index)
        group = self._groups[gathered.digest] if isinstance(gathered, TensorSummary) else ()
        return tuple(other for other in group if other != index)

    def _start(self, places: tuple[int, ...], stop: Event) -> None:
        total = max(1, sum(self._weights[i].elements for i in places))

        def job() -> None:
            self._read_each(places, total, stop)

        def end(_: object) -> None:
            self._take(stop, 1.0, {}, ended=True)

        self.progressed.emit()
        self._jobs.start(job, end, end)

    def _read_each(self, places: tuple[int, ...], total: int, stop: Event) -> None:
        """Read in a thread, and tell now and then what is known."""
        told, before, fresh = monotonic(), 0, dict[int, Outcome]()

        def hear(elements: int) -> None:
            nonlocal told, fresh
            if stop.is_set():
                raise Cancelled(tr("Reading stopped"))
            if monotonic() - told > _BETWEEN_S:
                self._heard.emit(stop, (before + elements) / total, fresh)
                told, fresh = monotonic(), {}

        try:
            for index in places:
                fresh[index] = self._outcome(index, hear)
                before += self._weights[index].elements
                hear(0)
        finally:
            self._heard.emit(stop, before / total, fresh)

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
            if isinstance(outcome, TensorSummary) and index not in self.found:
                group = self._groups[outcome.digest]
                if group:
                    self.repeated += 1
                    self.repeated_bytes += self._weights[index].size_bytes or 0
                group.append(index)
                self.read_ones += 1
            self.found[index] = outcome
            form = None if self._has_patterns else self.form(index)
            self._has_patterns |= form is not None and bool(form.kind)
        if stop is self._stop_all and self.all_done is not None:
            self.all_done = None if ended else done
        elif stop is self._stop_one:
            self.done = done
            if ended:
                self.reading = None
        if fresh:
            self.found_changed.emit(frozenset(fresh))
        self.progressed.emit()

    def _show_uses(self, found: tuple[tuple[tuple[int, ...], ...], WeightForms]) -> None:
        self.uses, self._forms = found
        self.uses_found.emit()
