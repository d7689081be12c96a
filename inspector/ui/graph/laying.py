"""Lays a model out and dresses the drawing, off the window's thread where there is much."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from inspector.analysis import layout
from inspector.analysis.layout_drawing import Body, Drawing, Key
from inspector.courtesy import wanted
from inspector.errors import InspectorError
from inspector.model import Model
from inspector.ui.documents.document import Document
from inspector.ui.documents.jobs import Jobs
from inspector.ui.graph.colouring import ColourBy, colouring
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.staging import staged
from inspector.ui.kit.theme import Theme

AT_ONCE = 50  # layers; what takes longer would hold the window up


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A body, which of its frames are open, and what is drawn of it then."""

    body: Body
    opened: frozenset[Key]
    scene: Scene


class Laying(QObject):
    """Keeps which frames are open; of several wishes while one is under way the last counts.

    done: a Scene and the key of the frame that is to stay in its place: None to bring the
        selection into view, () to leave everything where it is.
    """

    done = Signal(object, object)
    failed = Signal(object)  # InspectorError

    def __init__(self, document: Document, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._theme = document, theme
        self._jobs = Jobs(self)
        self._laid: _Laid | None = None
        self._next: Callable[[], None] | None = None
        self.by = ColourBy.FAMILY
        self.working = False

    @property
    def opened(self) -> frozenset[Key]:
        """Frames that are open."""
        return self._laid.opened if self._laid is not None else frozenset()

    def read(self, model: Model) -> None:
        """Begin with a model."""
        dress = self._dress(model)

        def work() -> _Laid:
            found = layout.body(model)
            first, drawing = layout.first_drawn(found)
            return _Laid(found, first, dress(drawing))

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

    def colour_by(self, by: ColourBy) -> None:
        """Let colours tell something else."""
        self.by = by
        self.colour()

    def colour(self) -> None:
        """Dress the same drawing anew: in other colours, or with another report."""
        laid, model = self._laid, self._document.model
        if self.working:
            self._next = self.colour
        elif laid is not None and model is not None:
            dress = self._dress(model)

            def work() -> _Laid:
                return _Laid(laid.body, laid.opened, dress(laid.scene.drawing))

            self._begin(len(model.layers), work, ())

    def _lay(
        self, choose: "Callable[[_Laid], frozenset[Key]]", held: Key | None = None
    ) -> None:
        laid, model = self._laid, self._document.model
        if self.working:
            self._next = lambda: self._lay(choose, held)
        elif laid is not None and model is not None:
            dress, body, opened = self._dress(model), laid.body, choose(laid)
            more = sum(body.tree.counts[key[0]] for key in opened - laid.opened)

            def work() -> _Laid:
                return _Laid(body, opened, dress(layout.draw(body, opened)))

            self._begin(len(laid.scene.drawing) + more, work, held)

    def _dress(self, model: Model) -> Callable[[Drawing], Scene]:
        """What makes a scene of a drawing, with the present report and colours."""
        by, report, palette = self.by, self._document.report, self._theme.palette
        walk = self._document.stepping.found

        def dress(drawing: Drawing) -> Scene:
            chosen = colouring(by, drawing.bodies[0], model, report, palette, walk)
            return staged(drawing, model, report, chosen)

        return dress

    def _begin(self, size: int, work: Callable[[], _Laid], held: Key | None) -> None:
        """Work now when it is quick, else elsewhere; then tell, and see to the last wish."""
        self.working = True

        def then(made: _Laid) -> None:
            self.working, self._laid = False, made
            self.done.emit(made.scene, held)
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


def _at_once(work: Callable[[], _Laid]) -> _Laid:
    """Do what somebody looks for before what only prepares."""
    with wanted():
        return work()
