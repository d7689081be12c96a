"""Edit mode of the Graph tab: graph, map and strip, and what keys, menu and pane ask for."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from inspector.analysis.graph_layout.drawing import Key
from inspector.analysis.layer_search import values_by_name
from inspector.app.changing.editing import EditState, Preview
from inspector.conversion.action import Step
from inspector.conversion.edits import choices
from inspector.errors import InspectorError, NotSaved
from inspector.model.model import Model
from inspector.ui import commands, units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.edits.editing import Editing
from inspector.ui.documents.improving import MadeModel
from inspector.ui.graph.edit_marks import EditMarks, no_marks
from inspector.ui.graph.editing.canvas import (
    APPLY,
    ATTRIBUTES,
    BYPASS,
    DELETE,
    INSERT,
    LEAVE,
    RENAME,
    EditGraphView,
)
from inspector.ui.graph.editing.insert_dialog import InsertDialog
from inspector.ui.graph.editing.menu import EditMenu, Entry, steps_of
from inspector.ui.graph.editing.offers import (
    Forms,
    bypass_step,
    delete_step,
    entries,
    explained,
    waiting,
)
from inspector.ui.graph.editing.pane import EditPane
from inspector.ui.graph.editing.previewing import (
    Connections,
    Passed,
    applied,
    passed_by,
    previewed,
    with_passed,
)
from inspector.ui.graph.editing.same import (
    bypassed,
    held_layer,
    same_layer,
    same_place,
    same_target,
)
from inspector.ui.graph.editing.strip import HEIGHT_PX, EditStrip
from inspector.ui.graph.graph_loading import GraphLayout
from inspector.ui.graph.minimap import WIDTH, MiniMap
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.view import Place
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.theme import Theme

_PATIENCE_MS = 200  # that the menu waits for what can be done
_ARRAYS = mark("NumPy arrays (*.npy);;All files (*)")
_RECIPES = mark("Recipes (*.json);;All files (*)")
_MODELS = mark("ONNX models (*.onnx);;All files (*)")


class EditView(QWidget):
    """Shows the model as edited; the model of the document stays as it is.

    left: edit mode is to end. drawn: another graph is shown.
    """

    left = Signal()
    drawn = Signal()
    failed = Signal(object)  # InspectorError

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self.document = theme, document
        self.editing: Editing = document.editing
        self.selection = Selection(self)
        self.view = EditGraphView(theme, self.selection)
        self.map = MiniMap(theme, self.view.camera)
        self.strip = EditStrip(theme, self.editing)
        self.pane = EditPane(theme, self.editing, document.name)
        self.destroyed.connect(self.pane.deleteLater)  # it lives in the window by then
        self.laying = GraphLayout(document, theme, self, plain=True)
        for part in (self.view, self.map, self.strip):
            part.setParent(self)
        self._model: Model | None = None  # that is drawn, or is being drawn
        self._base: Scene | None = None  # without a preview
        self._passed: tuple[Passed, ...] = ()  # layers that are bypassed, in the base
        self._links: Connections | None = None
        self._wanted: Step | None = None  # whose preview is shown or on its way
        self.preview: Preview | None = None
        self._pinned = False
        self._place_given = Place(QPointF(0, 0), 1.0)  # for the first drawing
        self._menu: EditMenu | None = None
        self._asked_menu = 0
        self._wire()

    def _wire(self) -> None:
        view, editing = self.view, self.editing
        self.laying.done.connect(self._show)
        self.laying.failed.connect(self.failed)
        view.toggled.connect(self.laying.toggle)
        view.layer_requested.connect(self.laying.open_for)
        view.menu_asked.connect(self._open_menu)
        view.asked.connect(self._act)
        view.target_changed.connect(self._follow_target)
        self.document.changed(Topic.EDITS).connect(self._follow_edits)
        editing.failed.connect(self._refuse)
        self.strip.remedy_asked.connect(self._remedy)
        self.strip.compare_asked.connect(self._compare)
        self.pane.asked.connect(self.apply)
        self.pane.remove_asked.connect(self.remove)
        self.pane.recipe_asked.connect(self._save_recipe)
        self.pane.weight_asked.connect(self._replace_weight)
        self.pane.target_asked.connect(view.choose_target)
        self._theme.changed.connect(self.laying.color)

    @property
    def working(self) -> bool:
        """Return whether a layout is under way."""
        return self.laying.working

    def begin(self, other: GraphLayout, place: Place, layer: int | None) -> None:
        """Show the graph as another view shows it: its frames, place, zoom and layer.

        What is edited already is drawn first.
        """
        self.editing.start()
        model, before = self.editing.model, self.document.model
        assert before is not None, "only a model is edited"
        self._model = model
        shown = self._base.model if self._base is not None else model
        self._place_given = same_place(before, place, shown)
        if layer is not None:
            self.selection.choose(same_layer(before, layer, shown))
        self.place()
        if self._base is not None:
            self.view.look_at(self._place_given)
        if self._base is None or self._base.model is not model:
            self.laying.adopt(other)
            if model is before:
                self.laying.color()
            else:
                self.laying.read(model, like_before=True)
        self.strip.refresh()
        self.pane.show_edits()

    def end(self) -> tuple[Place, int | None]:
        """Drop the preview; return place and selected layer as the document counts them."""
        self.drop_preview()
        layer, model = self.selection.now.layer, self.document.model
        place = self.view.place
        if model is None or self._base is None:
            return replace(place, layer=None), None
        shown = self._base.model
        chosen = same_layer(shown, layer, model) if layer is not None else None
        return same_place(shown, place, model), chosen

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give each part its place."""
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        """Lay out graph, map and strip."""
        width, height = self.width(), self.height() - HEIGHT_PX
        self.strip.setGeometry(0, height, width, HEIGHT_PX)
        if self.map.sideways:
            self.view.setGeometry(0, 0, width, height - WIDTH)
            self.map.setGeometry(0, height - WIDTH, width, WIDTH)
        else:
            self.view.setGeometry(0, 0, width - WIDTH, height)
            self.map.setGeometry(width - WIDTH, 0, WIDTH, height)

    # The graph.

    def _follow_edits(self) -> None:
        """Show the model as it is edited now, with the verdict on it."""
        model = self.editing.model
        self.strip.refresh()
        if model is not self._model:
            self._model = model
            self.laying.read(model, like_before=True)
        elif self._base is not None and self.preview is None:
            self._mark()
        self.pane.show_edits()

    def _show(self, scene: Scene, anchor: Key | None) -> None:
        """Show a graph that is laid out; what is selected stays where it is."""
        if scene.model is not self._model:
            return
        before = self._base
        self._links = Connections(scene.model, scene.values)
        gone = bypassed(self.editing.opened, scene.model, self.editing.steps)
        self._passed = passed_by(scene, gone, self._links)
        self._base = scene = with_passed(scene, self._passed)
        self._wanted = self.preview = None
        self._pinned = False
        self.view.edits, self.view.has_preview = None, False
        if before is None:
            self.place()
            self.view.begin_at(scene, self._place_given)
        elif before.model is scene.model:
            self.view.show_scene(scene, anchor)
        else:
            target = same_target(before.model, self.view.target, scene.model)
            self.pane.follow(target)
            held = held_layer(before.model, scene.model)
            self.view.keep_place(scene, target, held)
        self.place()
        self._mark()
        self._infer()
        self.pane.show_preview(None)
        self.strip.show_preview("")
        self._follow_target()
        self.drawn.emit()

    def _infer(self) -> None:
        """Find out types and shapes of the edited graph, for its lines and the pane."""
        estimating = self.editing.estimating or self.document.estimating
        estimating.changed.connect(self._take_types, Qt.ConnectionType.UniqueConnection)
        estimating.begin()
        self._take_types()

    @Slot()  # a unique connection needs a slot
    def _take_types(self) -> None:
        scene, links = self._base, self._links
        estimating = self.editing.estimating or self.document.estimating
        if scene is None or links is None:
            return
        if estimating.estimate is None or scene.model is not self.editing.model:
            return
        values = values_by_name(scene.model, estimating.estimate.shapes.values)
        if values == links.values:
            return
        links.values = self.laying.values = values
        for shown in (scene, self.view.scene):
            if shown is not None:
                shown.values = values
        self.view.update()
        self.pane.show_target(self.view.target, links, anew=True)

    def _mark(self) -> None:
        """Mark what was changed, without a preview."""
        scene = self._base
        if scene is not None:
            marks = self._applied()
            self.view.show_marks(scene, marks, preview=False)
            self.map.show_scene(scene, marks)

    def _applied(self) -> EditMarks:
        scene = self._base
        assert scene is not None, "marks are on what is shown"
        if self.editing.model is not scene.model:
            return no_marks(scene.drawing)
        verdict = self.editing.verdict
        failing = verdict.layer if verdict.state is EditState.STOPS else None
        return applied(scene, self.editing.marks, failing, self._passed)

    def _follow_target(self) -> None:
        """Show the form of what is selected; the preview of something else is dropped."""
        if self._pinned:
            self.drop_preview()
        if self._links is not None and self._links.model is self.editing.model:
            self.pane.show_target(self.view.target, self._links)

    # Previews.

    def show_step(self, step: Step | None, pinned: bool = False) -> None:
        """Preview a step in the graph; None drops the preview."""
        if step is None:
            if not self._pinned:
                self.drop_preview()
            return
        self._wanted = step
        self.editing.previews((step,), partial(self._show_preview, step, pinned))

    def _show_preview(self, step: Step, pinned: bool, previews: tuple[Preview, ...]) -> None:
        scene, links = self._base, self._links
        if step != self._wanted or scene is None or links is None or not previews:
            return
        preview = previews[0]
        if preview.refused:
            self.drop_preview()
            self.strip.show_preview(_reason(preview))
            return
        self.preview, self._pinned = preview, pinned
        shown, marks = previewed(scene, preview, links, self._applied(), self._passed)
        self.view.show_marks(shown, marks, preview=True)
        self.map.show_scene(shown, marks)
        self.pane.show_preview(preview, pinned)
        pinned_text = tr("Enter applies the preview, Esc drops it")
        self.strip.show_preview(pinned_text if pinned else tr("preview not included"))

    def drop_preview(self) -> None:
        """Show the graph without a preview."""
        had = self.preview is not None
        self._wanted = self.preview = None
        self._pinned = False
        self.strip.show_preview("")
        if had:
            self._mark()
            self.pane.show_preview(None)

    # Edits.

    def apply(self, step: Step) -> None:
        """Apply an edit; the preview stays in sight until the graph is drawn anew."""
        self.pane.show_problem("")
        self._pinned = False
        self.editing.apply(step)

    def remove(self, place: int) -> None:
        """Undo one edit; ask first where later ones need it."""
        self.editing.dependents(place, partial(self._remove, place))

    def _remove(self, place: int, dependents: Sequence[int]) -> None:
        if dependents:
            edits = self.editing.edits
            names = "\n".join(
                f"{number + 1}  {units.clip(written(edits[number].title), 80)}"
                for number in dependents
            )
            text = tr("{edits} need edit {number} and are undone with it:").format(
                edits=plural(len(dependents), "later edit"), number=place + 1
            )
            box = QMessageBox(self)
            box.setWindowTitle(tr("Undo edit {number}").format(number=place + 1))
            box.setText(text)
            box.setInformativeText(names)
            accept = box.addButton(tr("Undo them"), QMessageBox.ButtonRole.AcceptRole)
            box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
            box.exec()
            if box.clickedButton() is not accept:
                return
        self.editing.remove(place)

    def _refuse(self, error: InspectorError) -> None:
        """Say why an edit was refused where it was asked for."""
        self.drop_preview()
        text = " ".join(map(_sentence, filter(None, (error.why or error.what, error.hint))))
        self.pane.show_problem(text)
        self.strip.show_preview(text)

    def _remedy(self) -> None:
        """Undo the edit that fails, check now, or stop checking."""
        state = self.editing.verdict.state
        if state in (EditState.STOPS, EditState.FAILS):
            self.editing.undo()
        elif state is EditState.CHECKING:
            self.editing.stop_check()
        else:
            self.editing.check_now()

    def _act(self, what: str) -> None:
        """Do what a key asks for."""
        target, model = self.view.target, self.editing.model
        if what == LEAVE:
            if self.preview is not None or self._wanted is not None:
                self.drop_preview()
            else:
                self.left.emit()
        elif what == APPLY and self._wanted is not None:
            self.apply(self._wanted)
        elif what == RENAME:
            self._rename()
        elif what == INSERT:
            self._insert()
        elif what == ATTRIBUTES:
            self._edit_attributes()
        else:
            steps = {DELETE: delete_step, BYPASS: bypass_step}
            step = steps[what](model, target) if what in steps else None
            if step is None:
                self.strip.show_preview(tr("Select a layer first."))
            elif step == self._wanted and self.preview is not None:
                self.apply(step)
            else:
                self.show_step(step, pinned=True)

    def _open_menu(self, point: QPoint) -> None:
        """Open the menu of what is selected, as soon as it is known what can be done."""
        forms = Forms(
            self._rename,
            self._insert,
            self._edit_attributes,
            self._replace_weight,
            self._extract,
        )
        self.drop_preview()
        listed = entries(self.editing.model, self.view.target, forms)
        steps = steps_of(listed)
        self._asked_menu += 1
        asked = self._asked_menu

        def show(previews: tuple[Preview, ...]) -> None:
            if asked != self._asked_menu:
                return
            known = dict(zip(steps, previews, strict=False))
            if self._menu is None:
                self._pop_up(tuple(explained(each, known) for each in listed), point)
            else:
                self._menu.explain(lambda entry: explained(entry, known))

        def be_quick() -> None:
            if asked == self._asked_menu and self._menu is None:
                self._pop_up(waiting(listed), point)

        self._menu = None
        if steps:
            self.editing.previews(steps, show)
            QTimer.singleShot(_PATIENCE_MS, self, be_quick)
        else:
            show(())

    def _pop_up(self, listed: Sequence[Entry], point: QPoint) -> None:
        menu = self._menu = EditMenu(self._theme, listed, self)
        menu.previewed.connect(self.show_step)
        menu.applied.connect(self.apply)
        menu.refused.connect(self._tell_refused)
        menu.aboutToHide.connect(self._end_menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)

    def _tell_refused(self, reason: str) -> None:
        """Say in full why the entry under the pointer cannot be done."""
        if reason:
            self.strip.show_preview(_sentence(reason))

    def _end_menu(self) -> None:
        self._menu = None
        self._asked_menu += 1
        self.view.setFocus()

    # Forms.

    def _rename(self) -> None:
        """Ask for another name of what is selected."""
        target, model = self.view.target, self.editing.model
        if len(target.layers) == 1:
            layer = target.layers[0]
            old, make = model.layers[layer].name, partial(choices.rename_layer, model, layer)
        elif target.tensor:
            old, make = target.tensor, partial(choices.rename_value, target.tensor)
        else:
            self.strip.show_preview(tr("Select one layer or tensor first."))
            return
        new, accepted = QInputDialog.getText(self, tr("Rename"), tr("New name"), text=old)
        if accepted and new.strip() and new.strip() != old:
            self.apply(make(new.strip()))

    def _insert(self) -> None:
        """Ask which operator to insert after what is selected."""
        target, model = self.view.target, self.editing.model
        where: int | str | None = target.layers[0] if target.layers else target.tensor or None
        if where is None:
            self.strip.show_preview(tr("Select a layer or tensor first."))
            return
        name = model.layers[where].label if isinstance(where, int) else where

        def make(
            operator: str, attributes: Mapping[str, str], inputs: tuple[str, ...], name: str
        ) -> Step:
            return choices.insert(model, operator, where, attributes, inputs, name)

        def check(step: Step, then: Callable[[str], None]) -> None:
            self.editing.previews((step,), lambda made: then(_reason(made[0])))

        dialog = InsertDialog(
            self._theme, choices.operators(model), name, make, check, self.window()
        )
        if dialog.exec() and dialog.chosen is not None:
            self.apply(dialog.chosen)

    def _edit_attributes(self) -> None:
        """Show the details pane, and put the cursor into its first field."""
        commands.run(self, "details/show")
        self.pane.focus_form()

    def _replace_weight(self, name: str) -> None:
        if path := file_dialogs.ask_file(self, tr("Replace weight"), tr(_ARRAYS)):
            self.apply(choices.set_weight(name, path))

    def _extract(self, step: Step) -> None:
        """Make the selected part the whole model: an edit like any other."""
        self.show_step(step, pinned=True)

    def _save_recipe(self) -> None:
        proposed = f"{self.document.stem}.recipe.json"
        if path := file_dialogs.ask_place(self, tr("Save recipe"), proposed, tr(_RECIPES)):
            self.editing.save_recipe(path)

    def save_copy(self, then: Callable[[Path], object]) -> None:
        """Ask where the edited model is saved to. then: gets the copy."""
        proposed = f"{self.document.stem}-edited.onnx"
        if path := file_dialogs.ask_place(self, tr("Save a copy as"), proposed, tr(_MODELS)):
            path = path if path.suffix else path.with_suffix(".onnx")
            self.editing.save(path, True, then)  # the dialog has asked whether to overwrite

    def _compare(self) -> None:
        """Compare the layers of the model with those of the edited one."""
        try:
            path = self.editing.file_for_comparison()
        except OSError as error:
            what = tr("Could not compare with {name}").format(name=self.document.name)
            self.failed.emit(NotSaved(what, str(error)))
            return
        if path is not None:
            title = f"{self.document.stem}-edited.onnx"
            made = MadeModel(path, saved=False, title=title, measured=None)
            commands.run(self, "compare/made", made)


def _reason(preview: Preview) -> str:
    """Return why an edit cannot be done, with what helps; "" where it can."""
    texts = map(written, filter(None, (preview.refused, preview.hint)))
    return " ".join(map(_sentence, texts)) if preview.refused else ""


def _sentence(text: str) -> str:
    return f"{units.capitalized(text).rstrip('.')}."
