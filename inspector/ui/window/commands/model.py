"""Commands that run the model in front, look at it, or change it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.analysis.measured.traced_layers import TracedLayers
from inspector.platform import files
from inspector.ui import units
from inspector.ui.documents.document import Bookmark, Document
from inspector.ui.documents.workspace import Opening
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr
from inspector.ui.window.commands.compare import COMPARE
from inspector.ui.window.commands.conditions import (
    has_any,
    has_code,
    has_edits,
    has_model,
    has_report,
    is_busy,
    is_idle,
)
from inspector.ui.window.commands.registry import LINE, Submenu, add, command, submenu
from inspector.ui.window.host import Window
from inspector.ui.window.messages import Measured
from inspector.ui.window.tabs import Tab

if TYPE_CHECKING:  # numpy comes with the first document
    from inspector.conversion.action import Step
    from inspector.pages.charts.drawing import Drawing
    from inspector.trace.trace import NamedLayer

MODEL = "model"  # menu
MEASURING = "bar/measure"  # menu of the bar's button


@runtime_checkable
class Measuring(Protocol):
    """A tab in which measurements are prepared."""

    def open_settings(self, name: str = "") -> None: ...  # noqa: D102
    def open_sweep(self) -> None: ...  # noqa: D102
    def measure_everywhere(self) -> None: ...  # noqa: D102
    def focus_layers(self) -> None: ...  # noqa: D102


@runtime_checkable
class FileTaker(Protocol):
    """A tab that runs the model on files."""

    def try_files(self, paths: Sequence[Path]) -> None:
        """Run the model on each file, and show what it answers."""


@runtime_checkable
class StepTaker(Protocol):
    """A tab that can offer a step of a recipe."""

    def offer_step(self, step: "Step") -> None: ...  # noqa: D102


@runtime_checkable
class GraphShower(Protocol):
    """A tab that shows the graph of the model, and as it is executed."""

    @property
    def seen(self) -> Bookmark | None: ...  # noqa: D102
    def whole(self) -> "Callable[[], Drawing] | None": ...  # noqa: D102
    def when_drawn(self, then: Callable[[], None]) -> None: ...  # noqa: D102
    def search_for(self, text: str) -> None: ...  # noqa: D102
    def go_to(self, mark: Bookmark) -> None: ...  # noqa: D102
    def show_executed(self) -> None: ...  # noqa: D102


@runtime_checkable
class Undoing(Protocol):
    """A tab in which something can be undone; each reason is "" where it can be."""

    def undo_reason(self) -> str: ...  # noqa: D102
    def redo_reason(self) -> str: ...  # noqa: D102
    def undo(self) -> None: ...  # noqa: D102
    def redo(self) -> None: ...  # noqa: D102


@runtime_checkable
class GraphEditor(Protocol):
    """A tab that edits the graph of the model."""

    def set_editing(self, on: bool) -> None: ...  # noqa: D102
    def save_copy(self, then: Callable[[Path], object]) -> None: ...  # noqa: D102


def _tab_in_front(window: Window) -> QWidget | None:
    view = window.view
    return view.useful_tab(view.current) if view is not None else None


def _no_undo(window: Window) -> str:
    tab = _tab_in_front(window)
    return tab.undo_reason() if isinstance(tab, Undoing) else tr("Nothing to undo here")


def _no_redo(window: Window) -> str:
    tab = _tab_in_front(window)
    return tab.redo_reason() if isinstance(tab, Undoing) else tr("Nothing was undone here")


@command(
    "undo",
    mark("Undo"),
    MODEL,
    keys="Ctrl+Z",
    about=mark("Undo the last change in this tab"),
    refusal=_no_undo,
)
def undo(window: Window) -> None:
    """Undo the last change in the tab in front."""
    tab = _tab_in_front(window)
    if isinstance(tab, Undoing):
        tab.undo()


@command(
    "redo",
    mark("Redo"),
    MODEL,
    keys="Ctrl+Shift+Z Ctrl+Y",
    about=mark("Redo the last change that was undone in this tab"),
    refusal=_no_redo,
)
def redo(window: Window) -> None:
    """Make the change again that was undone last in the tab in front."""
    tab = _tab_in_front(window)
    if isinstance(tab, Undoing):
        tab.redo()


@command("edit", mark("Edit graph"), MODEL, about=mark("Change the graph"), refusal=has_model)
def edit_graph(window: Window) -> None:
    """Show the graph in edit mode."""
    tab = window.opened_tab(Tab.GRAPH)
    if isinstance(tab, GraphEditor):
        tab.set_editing(True)


@command(
    "save-copy",
    mark("Save a copy as…"),
    MODEL,
    keys="Ctrl+Shift+S",
    about=mark("Save the edited model"),
    refusal=has_edits,
)
def save_copy(window: Window) -> None:
    """Ask where the model is saved to as it is edited."""
    tab = window.opened_tab(Tab.GRAPH)
    if isinstance(tab, GraphEditor):
        tab.save_copy(lambda _: None)


command(
    "case",
    mark("Test case of a part…"),
    MODEL,
    about=mark("Save what a part of the model gets and gives, such as an extracted one"),
    refusal=is_idle,
)(lambda window: window.dialogs.ask("case"))
command(
    "compile",
    mark("Compile for a device…"),
    MODEL,
    about=mark("Compile the model for a device or a chip that need not be here"),
    refusal=is_idle,
)(lambda window: window.dialogs.ask("compile"))


add(LINE, MODEL)


@command("graph/editing")
def follow_editing(window: Window) -> None:
    """Show which button is the one of the page: that of edit mode, or Measure."""
    window.follow_detail()


@command("details/show")
def show_details(window: Window) -> None:
    """Show the details pane, if it is hidden."""
    if not window.panes.details.on:
        window.panes.details.toggle()


@command(
    "measure",
    mark("Measure"),
    MODEL,
    keys="Ctrl+R",
    about=mark("Measure the latency of the model, its speed"),
    refusal=is_idle,
)
def measure(window: Window) -> None:
    """Measure the model in front with the present settings."""
    document = window.document
    assert document is not None, "the command is refused where no model is open"
    if document.edit_steps:
        asked = window.messages.ask_measured(window.pages().window(), document)
        if asked is Measured.COPY:
            _measure_copy(window, document)
        if asked is not Measured.FILE:
            return
    window.choose_tab(Tab.PERFORMANCE)
    document.measure()


def _measure_copy(window: Window, document: Document) -> None:
    """Open and measure the copy of an edited model, which is saved first if there is none."""

    def measure_file(path: Path) -> None:
        opening = window.workspace.open(path)

        def go_on(ended: Opening) -> None:
            if ended is not opening:
                return
            window.workspace.opening_ended.disconnect(go_on)
            for shown, _ in opening.shown.values():
                window.bring_to_front(shown)
                window.run_command("measure")

        window.workspace.opening_ended.connect(go_on)
        if not opening.left:
            go_on(opening)

    tab, copy = window.opened_tab(Tab.GRAPH), document.edited_copy
    if copy is not None:
        measure_file(copy)
    elif isinstance(tab, GraphEditor):
        tab.save_copy(measure_file)


@command(
    "cancel",
    mark("Cancel"),
    MODEL,
    keys="Ctrl+.",
    about=mark("Cancel the current job"),
    refusal=is_busy,
)
def cancel(window: Window) -> None:
    """Stop the job of the document in front."""
    if window.document is not None:
        window.document.cancel()


add(LINE, MODEL)
submenu(Submenu(COMPARE, mark("Compare")), MODEL)


command("support", mark("Check device support…"), MODEL, refusal=has_model)(
    lambda window: window.dialogs.check_support()
)


command("code", mark("Generate code…"), MODEL, refusal=has_code)(
    lambda window: window.dialogs.show_code()
)


@command("settings", mark("Measurement settings…"), MODEL, MEASURING, refusal=has_model)
def open_settings(window: Window, name: str = "") -> None:
    """Show the settings of the next measurement. name: of the one to begin with."""
    tab = window.opened_tab(Tab.PERFORMANCE)
    if isinstance(tab, Measuring):
        tab.open_settings(name)


@command("sweep", mark("Sweep…"), MODEL, MEASURING, refusal=has_model)
def open_sweep(window: Window) -> None:
    """Show the sweep of settings of the document in front."""
    tab = window.opened_tab(Tab.PERFORMANCE)
    if isinstance(tab, Measuring):
        tab.open_sweep()


@command(
    "devices",
    mark("Measure on all devices…"),
    MODEL,
    MEASURING,
    about=mark("Compare the devices of this machine, and find the best settings on them"),
    refusal=is_idle,
)
def measure_everywhere(window: Window) -> None:
    """Ask how the model is measured on all devices of this machine."""
    tab = window.opened_tab(Tab.PERFORMANCE)
    if isinstance(tab, Measuring):
        tab.measure_everywhere()


command(
    "shapes",
    mark("Series of shapes…"),
    MODEL,
    MEASURING,
    about=mark("Run several lengths of dynamic axes in one session"),
    refusal=is_idle,
)(lambda window: window.dialogs.ask("shapes"))
command(
    "environments",
    mark("Compare Python environments…"),
    MODEL,
    MEASURING,
    about=mark("Compare answers and latency by version of the runtime"),
    refusal=is_idle,
)(lambda window: window.dialogs.ask("environments"))
command(
    "estimate",
    mark("Estimate on other devices…"),
    MODEL,
    MEASURING,
    about=mark("Estimate latency and memory on devices that are not here"),
    refusal=has_model,
)(lambda window: window.dialogs.ask("estimate"))


add("history", MEASURING)


command(
    "problems",
    mark("Problems of all open models…"),
    MODEL,
    about=mark("List what is wrong with the open models"),
    refusal=has_any,
)(lambda window: window.dialogs.show_problems())
command("machines", mark("Measure on several machines…"), MODEL)(
    lambda window: window.dialogs.show_machine_matrix()
)


@command("machines/others")
def show_other_machines(window: Window, changed: Callable[[], object]) -> None:
    """Show the machines that the user reaches. changed: called where one comes or goes."""
    window.dialogs.show_other_machines(changed)


add(LINE, MODEL)


@command(
    "slowest",
    mark("Select slowest layer"),
    MODEL,
    keys="Ctrl+L",
    about=mark("Select the layer that takes most of the time, in Performance"),
    refusal=has_report,
)
def select_slowest(window: Window) -> None:
    """Select the layer with the longest time of the report that is shown."""
    document = window.document
    report = document.report if document is not None else None
    timed = [layer for layer in report.layers if layer.time_ns] if report is not None else []
    tab = window.opened_tab(Tab.PERFORMANCE)
    if document is not None and timed:
        slowest = max(timed, key=lambda layer: layer.time_ns or 0)
        document.selection.choose(layer=slowest.index)
    if isinstance(tab, Measuring):
        tab.focus_layers()


@command(
    "back", mark("Previous selection"), MODEL, keys="Alt+Left", about=mark("Previous selection")
)
def go_back(window: Window) -> None:
    """Select what was selected before."""
    selection = _selection(window)
    if selection is not None:
        selection.back()


@command(
    "forward", mark("Next selection"), MODEL, keys="Alt+Right", about=mark("Next selection")
)
def go_forward(window: Window) -> None:
    """Select again what was selected before `go_back`."""
    selection = _selection(window)
    if selection is not None:
        selection.forward()


def _selection(window: Window) -> Selection | None:
    """Return what is selected in the model in front, or in A of the comparison in front."""
    if window.document is not None:
        return window.document.selection
    return window.diff.selection if window.diff is not None else None


command("install")(lambda window: window.dialogs.install_engine())
command("repair")(lambda window: window.dialogs.repair())
command("signature")(lambda window, name: window.dialogs.run_signature(name))


@command("try")
def try_files(window: Window, *paths: Path) -> None:
    """Run files that were chosen or dropped elsewhere, in Preview."""
    tab = window.opened_tab(Tab.PREVIEW)
    if isinstance(tab, FileTaker):
        tab.try_files(paths)


@command("improve/offer")
def offer_step(window: Window, step: "Step", document: Document | None = None) -> None:
    """Show a step in Improve that would help, with its options, before it is added.

    document: where it is not the one in front.
    """
    if document is not None and document is not window.document:
        window.show_document(document)
    tab = window.opened_tab(Tab.IMPROVE)
    if isinstance(tab, StepTaker):
        tab.offer_step(step)


@command("graph/bookmark")
def show_bookmark(window: Window, bookmark: Bookmark) -> None:
    """Show a place of the graph."""
    tab = window.opened_tab(Tab.GRAPH)
    if isinstance(tab, GraphShower):
        tab.go_to(bookmark)


@command("graph/layer")
def show_layer(window: Window, layer: int) -> None:
    """Select a layer, and show it in the graph."""
    if window.document is not None and window.opened_tab(Tab.GRAPH) is not None:
        window.document.selection.choose(layer)


@command("trace/layer")
def show_traced_layer(window: Window, traced: "NamedLayer", model: str = "") -> None:
    """Show the layer that an event of a trace computes, in the open model that has it.

    model: the name of its file, as the trace has it; "" where it has none.
    """
    document = _model_with(window, traced, model)
    if document is None:
        what = tr("Could not show the layer")
        named = units.clip(model, 80) or tr("the model")
        reason = tr("Open {model} first: no open model has the layer {layer}.")
        layer = units.clip(traced.name or traced.operator, 80)
        window.messages.tell_refused(what, reason.format(model=named, layer=layer))
        return
    window.show_document(document)
    show_layer(window, _place_of(document, traced))


@command("trace/graph")
def show_traced_graph(window: Window) -> None:
    """Show the model whose layers a trace has beside it, and open the model first."""
    tab = window.trace
    if tab is None or not (name := tab.profiled):
        return
    open_already = [
        each
        for each in window.workspace.documents
        if each.name == name and each.model is not None
    ]
    known = (tab.document.models.get(name), *window.workspace.recent)
    named = (each for each in known if each is not None and each.name == name)
    path = next(filter(files.is_file, named), None)

    def show(_: object = None) -> None:
        found = [each for each in window.workspace.documents if each.name == name]
        if found and found[0].model is not None:
            window.bring_to_front(tab.document)
            tab.show_graph(found[0].model)

    if open_already:
        show()
    elif path is not None:
        once = Qt.ConnectionType.SingleShotConnection
        window.workspace.opening_ended.connect(show, once)
        window.workspace.open(path)
    else:
        what, reason = tr("Could not show the graph"), tr("Open {model} first.")
        window.messages.tell_refused(what, reason.format(model=units.clip(name, 80)))


def _model_with(window: Window, traced: "NamedLayer", model: str) -> Document | None:
    """Return the open model with a layer, at best the one whose file has the name."""
    documents = [each for each in window.workspace.documents if _place_of(each, traced) >= 0]
    named = [each for each in documents if each.name == model]
    return next(iter(named or documents), None)


def _place_of(document: Document, traced: "NamedLayer") -> int:
    """Return the index of a layer of a trace in a model; -1 for none.

    By its name; one without a name by its position, if the operator is the same.
    """
    if document.model is None:
        return -1
    layers = document.model.layers
    if traced.name:
        return TracedLayers(document.model).place_of(traced.name)
    has = 0 <= traced.index < len(layers) and layers[traced.index].operator == traced.operator
    return traced.index if has else -1


@command("graph/find")
def find_in_graph(window: Window, text: str) -> None:
    """Search the graph for a text."""
    tab = window.opened_tab(Tab.GRAPH)
    if isinstance(tab, GraphShower):
        tab.search_for(text)


@command("graph/executed")
def show_executed(window: Window) -> None:
    """Show the graph of the model beside the one that is executed."""
    tab = window.opened_tab(Tab.GRAPH)
    if isinstance(tab, GraphShower):
        tab.show_executed()
