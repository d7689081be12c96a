"""Check device support: which targets would run the open model, answered from tables."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QWidget

from inspector.analysis.devices import targets
from inspector.analysis.devices.targets import Answer, TargetSupport
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.conversion.action import Step
from inspector.errors import InspectorError
from inspector.model.model import Layer
from inspector.pages.on_devices.support import layer_table, target_table, targets_page
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.render.documents import document
from inspector.report.report import Support
from inspector.ui import commands
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import FIX_AXES, Document
from inspector.ui.documents.estimating import size_list
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.parts import button, label, page_of, row, tip
from inspector.ui.widgets.table import ROW
from inspector.ui.widgets.theme import Theme
from inspector.wording.support_marks import Mark

_WIDTH_PX = 1280
_LEAST_WIDTH_PX = 960
_MARGIN_PX = 40  # to the edges of the window behind it
NEED_FIXED = mark(
    "Many phones and NPUs run only models with fixed shapes. Clear the check box to see "
    "support with "
    "dynamic axes."
)
_SHOWN_TARGETS = 10  # rows of the upper table that are visible without scrolling
_NOT_SURE = (Mark.UNSUPPORTED, Mark.FAILED, Mark.UNKNOWN)


class SupportDialog(QDialog):
    """Targets with a verdict each; below, the layers of the selected target with reasons."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        assert document.model is not None
        self._model, self._document = document.model, document
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Check device support — {model}").format(model=document.name))
        room = parent.window().width() - _MARGIN_PX if parent is not None else _WIDTH_PX
        resize_on_screen(self, min(_WIDTH_PX, max(room, _LEAST_WIDTH_PX)), 720)
        self.state = label("", "secondary")
        self.state.setWordWrap(True)
        self.found: Sequence[TargetSupport] = ()
        self.answers: Sequence[tuple[Layer, Support]] = ()
        self.table = PageTable(theme, tr("Targets"), target_table(()), first_rows=0)
        name = tr("Layers on the target device")
        self.layers = PageTable(theme, name, layer_table(()), first_rows=0)
        self.phones = label("", "value", selectable=True)
        self.verdict, self.source = label("", "heading"), label("", "caption")
        self.about = label("", "secondary", selectable=True)
        for text in (self.verdict, self.about, self.source):
            text.setWordWrap(True)
        self.fixed = QCheckBox("")
        self.only_not_sure = QCheckBox(tr("Only unsupported or unchecked layers"))
        self.copy = button(theme, tr("Copy as Markdown"), "copy")
        self.fix = button(theme, tr("Fix dynamic axes…"))
        self.fix.setToolTip(tip(tr("Set these sizes in a copy of the model, in Improve")))
        self.fix.hide()
        self.opset = button(theme, tr("Update the opset…"))
        self.opset.setToolTip(tip(tr("Update the opset of a copy of the model, in Improve")))
        self.opset.hide()
        self._jobs = TaskRunner(self)
        self._lay_out(theme)
        self.fixed.toggled.connect(self._check)
        self.only_not_sure.toggled.connect(self._show_layers)
        self.copy.clicked.connect(self._copy)
        self.fix.clicked.connect(self._offer_fixing)
        self.opset.clicked.connect(lambda: self._offer(Step("opset")))
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        self._check()

    def _lay_out(self, theme: Theme) -> None:
        close = button(theme, tr("Close"), primary=True)
        close.clicked.connect(self.close)
        self.table.setMaximumHeight(ROW * (1 + _SHOWN_TARGETS) + 2)
        self.phones.setWordWrap(True)
        self.phones.hide()
        lengths = fixed_lengths(self._model.inputs)
        if not lengths:
            self.fixed.hide()
        self.fixed.setChecked(bool(lengths))
        self.fixed.setText(tr("Assume {sizes}").format(sizes=size_list(lengths)))
        self.fixed.setToolTip(tip(tr(NEED_FIXED)))
        self._lengths: Mapping[str, int] = lengths
        page = page_of(self)
        page.addWidget(self.phones)
        page.addLayout(row(self.state, self.fixed, self.fix, self.opset, stretch=0))
        page.addWidget(self.table, 3)
        page.addWidget(self.verdict)
        page.addWidget(self.about)
        page.addWidget(self.source)
        page.addWidget(self.layers, 2)
        page.addLayout(row(self.only_not_sure, None, self.copy, close))

    def _check(self) -> None:
        """Ask the tables, on another thread; shapes are inferred first."""
        self.state.setText(tr("Checking…"))
        self.phones.setEnabled(False)  # of the other assumption until the answers are there
        self.copy.setEnabled(False)
        lengths = self._lengths if self.fixed.isChecked() else {}
        check = self._document.estimating.check_targets
        self._jobs.start(
            lambda: check(targets.for_model(self._model), lengths), self._show, self._fail
        )

    def _show(self, results: Sequence[TargetSupport]) -> None:
        chosen = self.table.currentIndex().row()
        self.found = results
        self.table.show_table(target_table(results))
        self.copy.setEnabled(True)
        phones = targets.overall(results)
        said = [*map(in_window, phones)]
        assumed = bool(self._lengths) and self.fixed.isChecked()
        if assumed:
            text = tr("The file has dynamic axes. After you set {sizes} in it:")
            said.insert(0, text.format(sizes=size_list(self._lengths)))
        self.fix.setVisible(assumed and self._document.offers(FIX_AXES))
        outdated = any(each.needs_opset for each in results)
        self.opset.setVisible(outdated and self._document.offers("opset"))
        self.phones.setText("\n".join(said))
        self.phones.setEnabled(True)
        self.phones.setVisible(bool(phones))
        every = sum(each.answer is Answer.YES for each in results)
        self.state.setText(
            tr(
                "{every} of {total} targets run every layer. Estimated from the source "
                "code of the execution providers; nothing was run."
            ).format(every=every, total=len(results))
        )
        self.table.show_row(max(0, chosen))

    def _fail(self, error: InspectorError) -> None:
        self.state.setText(f"{error.what}: {error.why}")

    @property
    def _chosen(self) -> TargetSupport | None:
        index = self.table.currentIndex()
        place = self.table.rows.place_of
        return self.found[place(index.row())] if index.isValid() else None

    def _choose(self, current: QModelIndex, previous: QModelIndex) -> None:
        result = self._chosen
        self.verdict.setText("")
        self.source.setText("")
        self.about.hide()
        if result is not None:
            table = absent_devices.table(result.table)
            removed = (
                tr("not counting {layers} that ONNX Runtime removes").format(
                    layers=plural(result.removed, "layer")
                )
                if result.removed
                else ""
            )
            self.verdict.setText(f"{tr(result.target.title)}: {in_window(result.text)}")
            self.about.setText(in_window(result.explanation))
            self.about.setVisible(bool(result.explanation))
            parts = (
                tr("Assumes {assumes}").format(assumes=table.assumes),
                tr("Source: {source}; other versions may differ").format(source=table.program),
                removed,
            )
            self.source.setText(" · ".join(filter(None, parts)))
        self._show_layers()

    def _show_layers(self) -> None:
        result, only_not_sure = self._chosen, self.only_not_sure.isChecked()
        pairs = zip(result.layers, result.answers, strict=True) if result is not None else ()
        self.answers = [
            (self._model.layers[index], answer)
            for index, answer in pairs
            if not only_not_sure or answer.mark in _NOT_SURE
        ]
        self.layers.show_table(layer_table(self.answers, result.target if result else None))

    def _offer_fixing(self) -> None:
        """Offer in Improve to set the sizes that are assumed here."""
        pairs = tuple((name, str(length)) for name, length in self._lengths.items())
        self._offer(Step(FIX_AXES, pairs))

    def _offer(self, step: Step) -> None:
        """Offer a step in Improve, where it is seen."""
        commands.run(self, "improve/offer", step, self._document)
        self.close()

    def _copy(self) -> None:
        page = targets_page(self._model.name, len(self._model.layers), self.found)
        QGuiApplication.clipboard().setText(document(page, "md").decode())
