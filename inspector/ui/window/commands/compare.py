"""Commands that compare what is open: two models, reports, outputs, layers."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.ui.documents.document import Document
from inspector.ui.graph.view_link import ViewLink
from inspector.ui.translate import mark
from inspector.ui.widgets.comparison_links import (
    ACCURACY,
    COMPARISONS,
    LAYERS,
    MODELS,
    OUTPUTS,
    REPORTS,
)
from inspector.ui.window.commands.conditions import (
    can_run,
    has_model,
    has_trace,
    has_two_reports,
    is_idle,
)
from inspector.ui.window.commands.registry import command
from inspector.ui.window.host import Window
from inspector.ui.window.tabs import Tab, TabEntry

if TYPE_CHECKING:  # numpy comes with the first document
    from inspector.preview.runs.other_run import OtherRun
    from inspector.report.report import PerformanceReport
    from inspector.ui.documents.improving import MadeModel

COMPARE = "model/compare"


@runtime_checkable
class Comparing(Protocol):
    """A tab that compares the run it shows with another one."""

    def show_comparison(self, other: Path | None = None) -> None: ...  # noqa: D102


@runtime_checkable
class LayerFinder(Protocol):
    """A tab that finds the first layer whose outputs differ from those of another run."""

    def find_first(self, way: "OtherRun") -> None: ...  # noqa: D102


@runtime_checkable
class FolderShower(Protocol):
    """A tab that runs the files of a folder."""

    def show_folder(self) -> None: ...  # noqa: D102


command(f"compare/{MODELS}", COMPARISONS[MODELS].command, COMPARE, refusal=has_model)(
    lambda window: window.dialogs.compare_models()
)


@command(f"compare/{REPORTS}", COMPARISONS[REPORTS].command, COMPARE, refusal=has_two_reports)
def compare_reports(window: Window, *reports: "PerformanceReport") -> None:
    """Put reports side by side: these, or else open ones.

    Those of the two models that are compared, or of models with the inputs of the one in
    front, if there are several; else all.
    """
    if reports:
        window.show_reports(reports)
        return
    opened, diff = window.workspace.documents, window.diff
    if diff is not None:
        order = {side.path: number for number, side in enumerate(diff.document.sides)}
        placed = [(order[d.path], d) for d in opened if d.path is not None and d.path in order]
        chosen = [each for _, each in sorted(placed, key=lambda pair: pair[0])]
    else:
        front = window.document
        chosen = [each for each in opened if front is not None and _alike(each, front)]
    for documents in (chosen, opened):
        those = [report for each in documents for report in each.reports]
        if len(those) > 1:
            window.show_reports(those)
            return


@command(
    f"compare/{OUTPUTS}",
    COMPARISONS[OUTPUTS].command,
    COMPARE,
    refusal=lambda window: can_run(_first_side(window)[0]),
)
def compare_outputs(window: Window) -> None:
    """Show where the outputs of the model in front are compared with another run."""
    _compare_within(window, Tab.PREVIEW)


@command(
    f"compare/{LAYERS}",
    COMPARISONS[LAYERS].command,
    COMPARE,
    refusal=lambda window: can_run(_first_side(window)[0]),
)
def compare_layers(window: Window) -> None:
    """Show where the values of all layers are compared with another run: of two models that
    are compared beside their graphs."""
    if window.diff is not None and window.diff.diff is not None:
        window.diff.show_layer_outputs()
        return
    _compare_within(window, Tab.ACTIVATIONS)


@command("compare/first-layer", refusal=is_idle)
def find_first_layer(window: Window, way: "OtherRun") -> None:
    """Find the first layer of the model in front that differs from another run."""
    tab = window.opened_tab(Tab.ACTIVATIONS)
    if isinstance(tab, LayerFinder):
        tab.find_first(way)


@command(
    f"compare/{ACCURACY}",
    COMPARISONS[OUTPUTS].command,
    refusal=lambda window: can_run(_first_side(window)[0]),
)
def compare_accuracy(window: Window) -> None:
    """Show where the outputs of two models are compared for all files of a folder."""
    tab = _compare_within(window, Tab.PREVIEW)
    if isinstance(tab, FolderShower):
        tab.show_folder()


@command("compare/traces", mark("Compare recordings…"), COMPARE, refusal=has_trace)
def compare_traces(window: Window) -> None:
    """Compare the trace in front with one of a file."""
    chosen = window.dialogs.choose_files()
    if window.trace is not None and chosen:
        window.trace.compare_with(chosen[0])


@command("compare/made")
def compare_made(window: Window, made: "MadeModel") -> None:
    """Compare the model in front with what was made of it."""
    if window.document is not None:
        window.workspace.compare_made(window.document, made)


@command("compare/selected")
def select_counterpart(window: Window, path: Path, layer: int) -> None:
    """Select a layer of another model, too, if that is open: its graph follows."""
    for document in window.workspace.documents:
        if document.path == path and document.model is not None:
            document.selection.choose(layer)


@command("compare/counterpart")
def show_counterpart(window: Window, path: Path, layer: int, tab: str = Tab.GRAPH.id) -> None:
    """Show a layer of another model in its graph or another tab; open that model first."""
    link = ViewLink(tab, f"#{layer}")
    opened = next((d for d in window.workspace.documents if d.path == path), None)
    if opened is not None:
        window.show_document(opened)
        link.show(opened, window.pages())
        return

    def show(document: Document) -> None:
        link.show(document, window.pages())

    once = Qt.ConnectionType.SingleShotConnection
    window.workspace.opened.connect(show, once)
    window.workspace.open(path)


def _compare_within(window: Window, place: TabEntry) -> QWidget | None:
    """Show a tab that compares runs; with the second model where a comparison is in front."""
    document, other = _first_side(window)
    assert document is not None, "the command is refused where no model is open"
    if document is not window.document:
        window.show_document(document)
    tab = window.opened_tab(place)
    if isinstance(tab, Comparing):
        tab.show_comparison(other)
    return tab


def _first_side(window: Window) -> tuple[Document | None, Path | None]:
    """Return the document whose runs are compared, and the other model if it is known."""
    opened = window.workspace.documents
    if window.document is not None or not opened:
        return window.document, None
    sides = [side.path for side in window.diff.document.sides] if window.diff else []
    by_path = {document.path: document for document in opened}
    first = next((by_path[path] for path in sides if path in by_path), opened[-1])
    return first, next((path for path in sides if path != first.path), None)


def _alike(one: Document, other: Document) -> bool:
    """Return whether the models of two documents have the same inputs."""
    if one is other or one.model is None or other.model is None:
        return one is other
    return one.model.inputs == other.model.inputs


command(
    "compare/layer-times",
    mark("Layer latencies in another format…"),
    COMPARE,
    about=mark("Compare the outputs and latency of each layer with another format's model"),
    refusal=is_idle,
)(lambda window: window.dialogs.ask("layer-times"))
