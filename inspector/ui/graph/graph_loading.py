"""Lays a model out and dresses the drawing, off the window's thread where there is much."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from inspector.analysis.cost.latency import Efficiency
from inspector.analysis.devices.known_devices import measured_devices
from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.data_flow import Fold
from inspector.analysis.graph_layout.drawing import BOX_HEIGHT, Body, BoxKind, Drawing, Key
from inspector.analysis.layer_search import ValueInfo, values_by_name
from inspector.analysis.measured.layer_sum import unranked
from inspector.engine.client.cpu_speed_history import machine_id
from inspector.errors import InspectorError
from inspector.model.layer_values import LayerNumbers
from inspector.model.model import Model
from inspector.pages.charts.palette import LIGHT, Palette
from inspector.platform.cooperative_yielding import polite, urgent_work
from inspector.report.report import PerformanceReport
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.documents.weight_reading import TensorSummary
from inspector.ui.graph.coloring import (
    ColorBy,
    ColorChoice,
    Coloring,
    ColorSources,
    coloring,
    family,
    ran_on,
    uses_of,
)
from inspector.ui.graph.scene import Scene
from inspector.ui.widgets.theme import Theme

_Number = TypeVar("_Number", np.int64, np.float64)
ATTRIBUTES_HEIGHT = 15.0  # pixels at full size of a third line in a box
AT_ONCE = 50  # layers; what takes longer would hold the window up


def staged(
    drawing: Drawing,
    model: Model,
    report: PerformanceReport | None,
    scheme: Coloring,
    values: Mapping[str, ValueInfo] | None = None,
) -> Scene:
    """Prepare a drawing for being painted. values: types and shapes; None: as declared."""
    body = drawing.bodies[0]
    uses = uses_of(report, len(body.layers))
    times = np.array([(use.time_ns or 0) if use else 0 for use in polite(uses)], np.int64)
    numbers = {device.id: n for n, device in enumerate(report.devices)} if report else {}
    unit = np.array(
        [numbers.get(ran_on(uses, use) or "", -1) for use in polite(uses)], np.int16
    )
    group_ns = _up(body, times[:, None])[:, 0]
    share, device = np.zeros(len(drawing)), np.full(len(drawing), -1, np.int16)
    layers, groups = _of_main(drawing)
    most = max(1, int(times.max(initial=0)))
    ranked = report is None or not unranked(report)
    shown, group_numbers = scheme.numbers, np.zeros(0)
    if shown is None:
        share[layers] = times[drawing.node[layers]] / most * ranked
        share[groups] = np.minimum(1.0, group_ns[drawing.node[groups]] / most) * ranked
    else:
        group_numbers = _numbers_up(body, shown)
        low, high = shown.range
        if low >= 0 and high > 0 and not shown.labels:
            share[layers] = np.nan_to_num(shown.values[drawing.node[layers]] / high)
            part = np.nan_to_num(group_numbers[drawing.node[groups]] / high)
            share[groups] = np.minimum(1.0, part)
    device[layers] = unit[drawing.node[layers]]
    device[groups] = _common(body, unit)[drawing.node[groups]]
    weights = {weight.name: weight for weight in polite(model.weights)}
    measured = report is not None
    line_top = np.minimum(drawing.line[:, 1], drawing.line[:, 3])
    line_bottom = np.maximum(drawing.line[:, 1], drawing.line[:, 3])
    values = values_by_name(model) if values is None else values
    return Scene(
        drawing, model, scheme, uses,
        _codes(drawing, scheme, group_numbers), share, device, group_ns, group_numbers,
        weights, values,
        measured,
        line_top, np.maximum.accumulate(line_bottom), _frames(drawing),
        np.array([stub.y for stub in drawing.stubs]),
        float(drawing.box[:, 3].max(initial=0.0)),
        clock_ns=report.profiling.clock_ns if report is not None else 0,
    )  # fmt: skip


def _of_main(drawing: Drawing) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which boxes are layers of the main graph, and which are groups of it."""
    main = drawing.body == 0
    layers, groups = (drawing.kind == kind for kind in (BoxKind.LAYER, BoxKind.GROUP))
    return main & layers, main & groups


def _codes(
    drawing: Drawing, scheme: Coloring, group_numbers: NDArray[np.float64]
) -> NDArray[np.int8]:
    """The color of each box: int8 (boxes,).

    Of a group that of its number, or that of most of its layers.
    """
    code = np.zeros(len(drawing), np.int8)
    layers, groups = _of_main(drawing)
    code[layers] = scheme.codes[drawing.node[layers]]
    labels = scheme.numbers.labels if scheme.numbers is not None else ()
    if scheme.scale is not None and not labels:
        code[groups] = scheme.scale.codes(group_numbers[drawing.node[groups]])
        return code
    tops = _up(drawing.bodies[0], _one_hot(scheme.codes))
    tops[:, 0] = 0
    best = np.where(tops.any(axis=1), tops.argmax(axis=1), 0)
    code[groups] = best[drawing.node[groups]]
    if scheme.families:  # layers within functions have the color of their operator's family
        inner = np.flatnonzero((drawing.body > 0) & (drawing.kind == BoxKind.LAYER))
        for box in inner.tolist():
            layer = drawing.bodies[drawing.body[box]].layers[drawing.node[box]]
            code[box] = family(layer.operator) + 1
    return code


def _frames(drawing: Drawing) -> NDArray[np.float64]:
    boxes = [(frame.x, frame.y, frame.width, frame.height) for frame in drawing.frames]
    return np.array(boxes, np.float64).reshape(-1, 4)


def _one_hot(codes: NDArray[np.int8]) -> NDArray[np.int64]:
    matrix = np.zeros((len(codes), int(codes.max(initial=0)) + 1), np.int64)
    matrix[np.arange(len(codes)), codes] = 1
    return matrix


def _up(body: Body, values: NDArray[_Number]) -> NDArray[_Number]:
    """Sums over all layers within each group: (G, K) of (L, K)."""
    groups = body.tree.groups
    sums = np.zeros((len(groups), values.shape[1]), values.dtype)
    home = np.array(body.tree.home[: len(values)], np.int64)
    np.add.at(sums, home, values)
    for layer, group in body.tree.holds.items():
        sums[group] += values[layer]
        sums[home[layer]] -= values[layer]
    for index in polite(range(len(groups) - 1, 0, -1)):
        sums[groups[index].parent] += sums[index]
    return sums


def _numbers_up(body: Body, numbers: LayerNumbers) -> NDArray[np.float64]:
    """Return the sum or the largest number within each group, NaN for none: float64 (G,)."""
    count = len(body.layers)
    known = ~np.isnan(numbers.values[:count])
    has_any = _up(body, known[:, None].astype(np.int64))[:, 0] > 0
    if numbers.adds_up:
        result = _up(body, np.where(known, numbers.values[:count], 0.0)[:, None])[:, 0]
    else:
        result = np.full(len(body.tree.groups), -np.inf)
        homes = np.array(body.tree.home[:count], np.int64)
        for layer, group in body.tree.holds.items():
            homes[layer] = group
        np.maximum.at(result, homes[known], numbers.values[:count][known])
        for index in polite(range(len(result) - 1, 0, -1)):
            parent = body.tree.groups[index].parent
            result[parent] = max(result[parent], result[index])
    result[~has_any] = np.nan
    return result


def _common(body: Body, unit: NDArray[np.int16]) -> NDArray[np.int16]:
    """The device that all layers of a group ran on; -1 for none or several: int16 (G,)."""
    ran = _up(body, _one_hot((unit + 1).astype(np.int8)))[:, 1:]
    is_uniform = (ran > 0).sum(axis=1) == 1
    return np.where(is_uniform, ran.argmax(axis=1) if ran.shape[1] else 0, -1).astype(np.int16)


class _Laid(Struct, frozen=True, eq=False):
    """A body, which of its frames are open, and what is drawn of it then."""

    body: Body
    opened: frozenset[Key]
    scene: Scene


class GraphLayout(QObject):
    """Keeps which frames are open; of several wishes while one is under way the last counts.

    plain: without anything that was measured of the document's model, for one that is edited.

    done: a Scene and the key of the frame that is to stay in its place: None to bring the
        selection into view, () to leave everything where it is.
    """

    done = Signal(object, object)
    failed = Signal(object)  # InspectorError

    def __init__(
        self, document: Document, theme: Theme, parent: QObject, plain: bool = False
    ) -> None:
        super().__init__(parent)
        self._document, self._theme, self._plain = document, theme, plain
        self._jobs = TaskRunner(self)
        self._laid: _Laid | None = None
        self._model: Model | None = None
        self._next: Callable[[], None] | None = None
        self.color_by: ColorChoice = ColorBy.FAMILY
        self.values: Mapping[str, ValueInfo] | None = None  # with inferred ones, once known
        self.folds: frozenset[Fold] = frozenset()
        self.attributes = self.sideways = False
        self.working = False

    @property
    def opened(self) -> frozenset[Key]:
        """Frames that are open."""
        return self._laid.opened if self._laid is not None else frozenset()

    def adopt(self, other: "GraphLayout") -> None:
        """Begin with what another layout has drawn, and with its options."""
        self.folds, self.attributes, self.sideways = (
            other.folds, other.attributes, other.sideways
        )  # fmt: skip
        self._laid, self._model, self.values = other._laid, other._model, other.values

    def read(self, model: Model, like_before: bool = False) -> None:
        """Begin with a model. like_before: open the frames that are open in the last one."""
        self.values, self._model = None, model
        laid = self._laid if like_before else None
        if self.working:
            self._next = lambda: self.read(model, like_before)
        else:
            self._read(model, laid)

    def show_options(self, folds: frozenset[Fold], attributes: bool, sideways: bool) -> None:
        """Draw anew without some kinds of layers, with attributes, or from left to right."""
        self.folds, self.attributes, self.sideways = folds, attributes, sideways
        model = self._model
        if self.working:
            self._next = lambda: self.show_options(folds, attributes, sideways)
        elif model is not None:
            self._read(model)

    def _read(self, model: Model, like: _Laid | None = None) -> None:
        dress, folds, sideways = self._dress(model), self.folds, self.sideways
        height = BOX_HEIGHT + (ATTRIBUTES_HEIGHT if self.attributes else 0)

        def work() -> _Laid:
            body = layout.body(model, folds, height, sideways)
            if like is None:
                opened, drawing = layout.first_drawn(body)
            else:
                opened = _open_as_before(like, body)
                drawing = layout.draw(body, opened)
            return _Laid(body, opened, dress(drawing))

        self._begin(len(model.layers), work, None)

    def toggle(self, key: Key) -> None:
        """Open or close a frame."""
        self._lay(lambda laid: laid.opened ^ {key}, key)

    def open_for(self, layer: int) -> None:
        """Open the frames around a layer."""
        self._lay(lambda laid: laid.opened | layout.opened_for(laid.body, layer))

    def open_all(self) -> None:
        """Open every frame."""
        self._lay(lambda laid: laid.opened | layout.all_opened(laid.body))

    def close_all(self) -> None:
        """Close every frame."""
        self._lay(lambda laid: frozenset())

    def choose_colors(self, color_by: ColorChoice) -> None:
        """Let colors tell something else."""
        self.color_by = color_by
        self.color()

    def color(self) -> None:
        """Color the same drawing again: with other colors or another report."""
        laid, model = self._laid, self._model
        if self.working:
            self._next = self.color
        elif laid is not None and model is not None:
            dress = self._dress(model)

            def work() -> _Laid:
                return _Laid(laid.body, laid.opened, dress(laid.scene.drawing))

            self._begin(len(model.layers), work, ())

    def _lay(
        self, choose: "Callable[[_Laid], frozenset[Key]]", anchor: Key | None = None
    ) -> None:
        laid, model = self._laid, self._model
        if self.working:
            self._next = lambda: self._lay(choose, anchor)
        elif laid is not None and model is not None:
            dress, body, opened = self._dress(model), laid.body, choose(laid)
            more = sum(body.tree.counts[key[0]] for key in opened - laid.opened)

            def work() -> _Laid:
                return _Laid(body, opened, dress(layout.draw(body, opened)))

            self._begin(len(laid.scene.drawing) + more, work, anchor)

    def sources(self) -> ColorSources:
        """Return what colors may be computed from at present."""
        document = self._document
        if self._plain:
            return ColorSources()
        if document.model is None:
            return ColorSources(document.report)
        sources = ColorSources(
            document.report,
            document.stepping.found,
            document.estimating.estimate,
            bool(document.model.weights),
            has_executed=document.executed.is_offered,
            device=_device_here(),
        )
        if self.color_by is ColorBy.EXECUTED:
            return replace(sources, executed=document.executed.graph)
        if self.color_by is not ColorBy.SPARSITY:
            return sources  # what reads weights is not even made for other colors
        weights = document.weights
        zeros = {
            i: (each.statistics.zeros, each.statistics.elements)
            for i, each in weights.found.items()
            if isinstance(each, TensorSummary)
        }
        return replace(sources, weight_uses=weights.uses or (), zeros=zeros)

    def on_paper(self) -> Callable[[], Scene] | None:
        """Return what makes the scene in light colors, on any thread; None without a scene.

        Every frame is open in it, whichever are in the window.
        """
        laid, model = self._laid, self._model
        if laid is None or model is None:
            return None
        dress, body, opened = self._dress(model, LIGHT), laid.body, laid.opened
        return lambda: dress(layout.draw(body, opened | layout.all_opened(body)))

    def _dress(
        self, model: Model, palette: Palette | None = None
    ) -> Callable[[Drawing], Scene]:
        """Return a function from a drawing to a scene, with the present report and colors.

        palette: where it is not that of the window.
        """
        sources, values = self.sources(), self.values
        color_by, report = self.color_by, sources.report
        palette = palette or self._theme.palette

        def dress(drawing: Drawing) -> Scene:
            chosen = coloring(color_by, drawing.bodies[0], model, sources, palette)
            return staged(drawing, model, report, chosen, values)

        return dress

    def _begin(self, size: int, work: Callable[[], _Laid], anchor: Key | None) -> None:
        """Lay out now if it is quick, else in the background; then run the latest request."""
        self.working = True

        def then(laid_out: _Laid) -> None:
            self.working, self._laid = False, laid_out
            self.done.emit(laid_out.scene, anchor)
            wish, self._next = self._next, None
            if wish is not None:
                wish()

        if size <= AT_ONCE:
            then(work())
        else:
            self._jobs.start(lambda: _at_once(work), then, self._fail)

    def _fail(self, error: InspectorError) -> None:
        self.working = False
        self.failed.emit(error)


def _open_as_before(before: _Laid, body: Body) -> frozenset[Key]:
    """Return the frames of the main graph of a body that lie under the titles of open ones.

    Of frames that were not there before, those are open that are open in a fresh drawing.
    """
    opened = {_titles(before.body, key[0]) for key in before.opened if len(key) == 1}
    known = {_titles(before.body, group) for group in range(len(before.body.tree.groups))}
    titles = {(group,): _titles(body, group) for group in range(1, len(body.tree.groups))}
    fresh = frozenset[Key]()
    if not known.issuperset(titles.values()):
        fresh, _ = layout.first_drawn(body)
    return frozenset(
        key
        for key, under in titles.items()
        if under in opened or (under not in known and key in fresh)
    )


def _titles(body: Body, group: int) -> tuple[str, ...]:
    """Return the titles of a frame and of those around it."""
    titles = []
    while group > 0:
        titles.append(body.tree.groups[group].title)
        group = body.tree.groups[group].parent
    return tuple(titles)


def _at_once(work: Callable[[], _Laid]) -> _Laid:
    """Lay out the frame that the user asked for before any others."""
    with urgent_work():
        return work()


@cache
def _device_here() -> Efficiency | None:
    """Return the first device that latencies are validated for on this processor."""
    processor = machine_id()[-1]
    return next((e for e in measured_devices().values() if e.processor == processor), None)
