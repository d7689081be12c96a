"""The outputs of the layers of A beside their counterparts in B: which layer makes an error."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inspector.analysis.measured.layer_outputs import LayerStep, Stepping, summary
from inspector.errors import InspectorError
from inspector.pages.outputs.layer_outputs import chain_section, layer_outputs_page
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import LEVELS
from inspector.ui import commands
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.tabs.activations.step_progress import StepProgress
from inspector.ui.translate import tr, tr_message
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import BESIDE_BAR, Flow, scroll_down
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.page_view import PageView, SectionCard
from inspector.ui.widgets.parts import PADDING, Card, add_to, button, column_of, label
from inspector.ui.widgets.theme import Theme

_SECTIONS = ("summary", "layers", "unpaired", "notes")


class LayerOutputsPanel(QScrollArea):
    """The verdict, the selected layer between its inputs and readers, and all layers.

    compared: there are other outputs, or none any more. chosen: a layer of A, to be selected.
    graph_asked: the selected layer was chosen once more, to go on in the graph. found: what is
    shown; None before the first run.
    """

    compared = Signal()
    chosen = Signal(int)
    graph_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._document: Document | None = None
        self._other = Path()
        self.found: Stepping | None = None
        self._steps: dict[int, LayerStep] = {}
        self.step: LayerStep | None = None
        self.verdict = label("", "heading", selectable=True, wraps=True)
        self.begin = button(theme, tr("Compare layer outputs"), "play", primary=True)
        self.begin.clicked.connect(self.run)
        self.again = button(theme, tr("Compare again"), "play", then=self.run)
        self.first = button(theme, tr("Show first difference"), "right", then=self.go_to_first)
        self.progress = StepProgress(theme)
        self.progress.cancel.clicked.connect(self._cancel)
        self.failure = Failure(theme)
        self.failure.again.clicked.connect(self.run)
        self.chain: SectionCard | None = None
        self.page = PageView(theme)
        self.page.chosen.connect(self._choose)
        head = Card(theme)
        head.body.setSpacing(10)
        head.body.addWidget(self.verdict)
        buttons = Flow(8, 8)
        for each in (self.begin, self.first, self.again):
            buttons.addWidget(each)
        head.body.addLayout(buttons)
        self._place = QVBoxLayout()  # of the chain
        page = QWidget()
        column = column_of(on=page, spacing=12, margins=(PADDING, 4, BESIDE_BAR, PADDING))
        add_to(column, head, self.progress, self.failure, self._place, self.page, None)
        scroll_down(self)
        self.setWidget(page)
        self.setAccessibleName(tr("Layer outputs"))
        self._refresh()

    def use(self, document: Document | None, other: Path) -> None:
        """Compare the layers of a document, None where A is not open, with another model."""
        if document is not self._document and document is not None:
            document.watch(self._follow_work, Topic.WORK)
            document.progressed.connect(self.progress.follow)
            document.failed.connect(self._show_failure)
            document.stepping.changed.connect(self._refresh)
        self._document, self._other = document, other
        self._refresh()

    def run(self) -> None:
        """Run both models layer by layer, on the inputs of Preview if there are some."""
        if self._document is not None and self._document.work is None:
            self.failure.hide()
            way = OtherRun(model=str(self._other))
            self._document.stepping.run(LEVELS[0], way, None)

    def go_to_first(self) -> None:
        """Select the layer that makes the first error, and go on there with the keyboard."""
        first = self.found.divergence if self.found is not None else None
        if first is not None:
            self.chosen.emit(first.index)
            self.take_focus()

    def take_focus(self) -> None:
        """Go on with the keyboard at the selected layer, among its inputs and readers."""
        if self.chain is not None and self.chain.table is not None and self.step is not None:
            self.chain.table.show_key(str(self.step.index))
            self.chain.table.take_focus()

    def show_layer(self, layer: int | None) -> None:
        """Show a layer of A between its inputs and readers; None for none."""
        step = self._steps.get(layer) if layer is not None else None
        if step is self.step:
            return
        self.step = step
        keyboard = self.window().focusWidget()
        focused = self.chain is not None and self.chain.isAncestorOf(keyboard)
        self._show_chain()
        if focused and self.chain is not None:
            self.take_focus()
        elif focused:
            self.first.setFocus()
        if step is not None:
            for table in self.page.findChildren(PageTable):
                table.show_key(str(step.index))

    def _choose(self, key: str) -> None:
        if self.step is not None and int(key) == self.step.index:
            self.graph_asked.emit()
        else:
            self.chosen.emit(int(key))

    def _cancel(self) -> None:
        if self._document is not None:
            self._document.cancel()

    def _follow_work(self) -> None:
        stepping = self._document is not None and self._document.work is Work.STEPPING
        if stepping and not self.progress.isVisibleTo(self):
            self.progress.begin()
        self._refresh()

    def _show_failure(self, error: InspectorError) -> None:
        document = self._document
        if document is not None and document.failed_work is Work.STEPPING:
            self.failure.show_error(error)

    def _refresh(self) -> None:
        """Show what is known now."""
        document, keyboard = self._document, self.window().focusWidget()
        known = document.stepping if document is not None and document.model else None
        fits = known is not None and known.other_model == self._other.absolute()
        found = known.found if known is not None and fits else None
        work = document.work if document is not None else None
        self.progress.setVisible(work is Work.STEPPING)
        if work is Work.STEPPING and keyboard in (self.begin, self.again):
            self.progress.cancel.setFocus()  # what hides would pass it on, out of the panel
        for each, shown in ((self.begin, found is None), (self.again, found is not None)):
            each.setVisible(shown and work is not Work.STEPPING)
            each.setEnabled(known is not None and work is None)
        if work is not Work.STEPPING and keyboard is self.progress.cancel:
            (self.begin if found is None else self.again).setFocus()
        self.first.setVisible(found is not None and found.divergence is not None)
        same, self.found = found is self.found, found
        self.verdict.setText(self._sentence())
        self.page.setVisible(found is not None)
        if same:
            return
        self.step = None
        self._steps = {step.index: step for step in found.steps} if found is not None else {}
        if found is not None:
            assert known is not None, "what is found is of a document"
            self.page.show_page(layer_outputs_page(found, known.inputs), _SECTIONS)
        self._show_chain()
        self.compared.emit()
        if found is not None and found.divergence is not None:
            self.chosen.emit(found.divergence.index)
        # What began or could stop the run is gone.
        if found is not None and keyboard in (self.begin, self.progress.cancel):
            (self.again if self.chain is None else self.first).setFocus()

    def _sentence(self) -> str:
        if self.found is not None:
            return " ".join(map(tr_message, summary(self.found)[:1]))
        if self._document is None:
            return tr("Open both models to compare the outputs of their layers.")
        return tr(
            "Run both models layer by layer on the same input, and see which layer makes the "
            "first difference."
        )

    def _show_chain(self) -> None:
        if self.chain is not None:
            self._place.removeWidget(self.chain)
            self.chain.hide()
            self.chain.deleteLater()
            self.chain = None
        step, found = self.step, self.found
        if step is None or found is None:
            return
        self.chain = SectionCard(self._theme, chain_section(found, step))
        self.chain.chosen.connect(self._choose)
        buttons = Flow(14, 0)
        for text, tab in (
            (tr("Show tensor"), "activations"),
            (tr("Show weights"), "weights"),
            (tr("Show in graph"), "graph"),
        ):
            link = button(self._theme, text, role="link")
            link.clicked.connect(lambda _=False, tab=tab: self._show_in(tab))
            buttons.addWidget(link)
        self.chain.body.addLayout(buttons)
        self._place.addWidget(self.chain)

    def _show_in(self, tab: str) -> None:
        """Show the selected layer in a tab of A."""
        document, step = self._document, self.step
        if document is not None and document.path is not None and step is not None:
            commands.run(self, "compare/counterpart", document.path, step.index, tab)
