"""Check device support: which targets would run the open model, answered from tables."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QModelIndex, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QCheckBox, QDialog, QHeaderView, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.devices.support_summary import reason_and_source
from inspector.backends.onnxruntime.placement import absent_devices, targets
from inspector.backends.onnxruntime.placement.targets import Answer, TargetSupport, Verdict
from inspector.conversion.action import Step
from inspector.errors import InspectorError
from inspector.model.model import Layer, Model
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.report.report import Support
from inspector.report.support_marks import Mark
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import FIX_AXES, Document
from inspector.ui.documents.estimating import size_list
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import GAP, PADDING, button, label, row, tip
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.table import ROW, Cells, Table, draw_bar, draw_name
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

_MARKER_PX, _BAR_PX = 14, 72
_WIDTH_PX, _LEAST_WIDTH_PX, _MARGIN_PX = 1280, 960, 40
NEED_FIXED = mark(
    "Many phones and NPUs run only models with fixed shapes. Clear the check box to see "
    "support with "
    "dynamic axes."
)
_SHOWN_TARGETS = 10  # rows of the upper table that are visible without scrolling
_MARKS = {
    Answer.YES: Mark.SUPPORTED,
    Answer.PARTLY: Mark.UNSUPPORTED,
    Answer.NO: Mark.UNSUPPORTED,
    Answer.NOT_KNOWN: Mark.UNKNOWN,
}
_TINTS = {
    Answer.YES: "good",
    Answer.PARTLY: "caution",
    Answer.NO: "bad",
    Answer.NOT_KNOWN: "secondary",
}
_NOT_SURE = (Mark.UNSUPPORTED, Mark.FAILED, Mark.UNKNOWN)


class TargetColumn(StrEnum):
    """A column of the targets; the value is its title."""

    TARGET = mark("Target")
    ANSWER = mark("Runs there?")
    UNITS = mark("Runs on")
    PROVIDER = mark("Execution provider")
    LAYERS = mark("Layers supported")
    VERDICT = mark("Verdict")

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return False

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return self is TargetColumn.LAYERS


class TargetRows(TableModel[TargetColumn]):
    """Targets in the order of their registry, or sorted."""

    def __init__(self) -> None:
        super().__init__(tuple(TargetColumn), 0)
        self.found: Sequence[TargetSupport] = ()

    def show_found(self, results: Sequence[TargetSupport]) -> None:
        """Show other answers."""
        self.found = results
        self.start_over(len(results))

    def text(self, row: int, column: TargetColumn) -> str:
        """Return the text of a cell."""
        return self._text(self.found[self.place_of(row)], column)

    def keys(self, column: TargetColumn) -> Keys:
        """Return the sort keys of a column."""
        if column is TargetColumn.LAYERS:
            return np.array([each.summary.supported_layers for each in self.found], np.int64)
        return ranks([self._text(each, column) for each in self.found])

    def haystack(self) -> Sequence[str]:
        """Return the text that a filter searches."""
        return [f"{each.target.title} {each.target.provider}".casefold() for each in self.found]

    @staticmethod
    def _text(result: TargetSupport, column: TargetColumn) -> str:
        if column is TargetColumn.TARGET:
            return tr(result.target.title)
        if column is TargetColumn.ANSWER:
            return tr(result.answer_text)
        if column is TargetColumn.UNITS:
            return result.target.units
        if column is TargetColumn.PROVIDER:
            return result.target.provider
        if column is TargetColumn.LAYERS:
            return result.count or tr("not checked")
        return in_window(result.sentence)


class TargetCells(Cells[TargetColumn]):
    """Draws a marker before the target, and a bar before the number of layers."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, rows: TargetRows) -> None:
        super().__init__(theme, rows)
        self._rows = rows

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: TargetColumn, chosen: bool
    ) -> None:
        """Draw a cell."""
        look, result = self._theme.palette, self._rows.found[self._rows.place_of(row)]
        tint = look.on_selection if chosen else look.secondary
        painter.setFont(font(12))
        if column is TargetColumn.TARGET:
            place = QRectF(box.left(), box.center().y() - _MARKER_PX / 2, *[_MARKER_PX] * 2)
            draw_mark(painter, place, _MARKS[result.answer], look.lane("cpu"), look)
            painter.setFont(font(12, 500))
            tint = look.on_selection if chosen else look.text
            box = box.adjusted(_MARKER_PX + 8, 0, 0, 0)
        elif column is TargetColumn.ANSWER:
            painter.setFont(font(12, 600))
            tint = look.on_selection if chosen else getattr(look, _TINTS[result.answer])
        elif column is TargetColumn.LAYERS:
            track = QRectF(box.left(), box.center().y() - 3, _BAR_PX, 6)
            unknown = result.verdict is Verdict.UNKNOWN
            part = result.summary.supported_layers / max(1, result.summary.layers)
            draw_bar(painter, track, None if unknown or not part else part, look.accent, look,
                     chosen)  # fmt: skip
            box = box.adjusted(_BAR_PX + 10, 0, 0, 0)
        self.draw_text(painter, box, self._rows.text(row, column), tint, column)


class AnswerColumn(StrEnum):
    """A column of the layers of one target; the value is its title."""

    NUMBER = "#"
    LAYER = mark("Layer")
    OPERATOR = mark("Operator")
    SUPPORT = mark("Support")
    REASON = mark("Reason")
    SOURCE = mark("Source")

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return self is AnswerColumn.NUMBER

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return False


class AnswerRows(TableModel[AnswerColumn]):
    """Layers with what one target does with each."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        super().__init__(tuple(AnswerColumn), 0)
        self._layers = layers
        self.answers: Sequence[tuple[Layer, Support]] = ()

    def show_answers(self, result: TargetSupport | None, only_not_sure: bool) -> None:
        """Show the layers of a target, or only those that it does not surely run."""
        pairs = zip(result.layers, result.answers, strict=True) if result is not None else ()
        self.answers = [
            (self._layers[index], answer)
            for index, answer in pairs
            if not only_not_sure or answer.mark in _NOT_SURE
        ]
        self.start_over(len(self.answers))

    def text(self, row: int, column: AnswerColumn) -> str:
        """Return the text of a cell."""
        return self._text(*self.answers[self.place_of(row)], column)

    def keys(self, column: AnswerColumn) -> Keys:
        """Return the sort keys of a column."""
        if column is AnswerColumn.NUMBER:
            return np.array([layer.index for layer, _ in self.answers], np.int64)
        return ranks([self._text(*pair, column) for pair in self.answers])

    def haystack(self) -> Sequence[str]:
        """Return the text that a filter searches."""
        return [f"{layer.label} {layer.operator}".casefold() for layer, _ in self.answers]

    @staticmethod
    def _text(layer: Layer, answer: Support, column: AnswerColumn) -> str:
        reason, source = reason_and_source(answer.reason)
        return {
            AnswerColumn.NUMBER: f"{layer.index:,}",
            AnswerColumn.LAYER: layer.label,
            AnswerColumn.OPERATOR: layer.operator,
            AnswerColumn.SUPPORT: tr(answer.mark.label),
            AnswerColumn.REASON: reason,
            AnswerColumn.SOURCE: source,
        }[column]


class AnswerCells(Cells[AnswerColumn]):
    """Draws a marker before the support of a layer."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, rows: AnswerRows) -> None:
        super().__init__(theme, rows)
        self._rows = rows

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: AnswerColumn, chosen: bool
    ) -> None:
        """Draw a cell."""
        look = self._theme.palette
        layer, answer = self._rows.answers[self._rows.place_of(row)]
        painter.setFont(font(12))
        if column is AnswerColumn.LAYER:
            painter.setFont(font(12, 500))
            draw_name(painter, box, layer.label, look, chosen)
            return
        if column is AnswerColumn.SUPPORT:
            place = QRectF(box.left(), box.center().y() - _MARKER_PX / 2, *[_MARKER_PX] * 2)
            draw_mark(painter, place, answer.mark, look.lane("cpu"), look)
            box = box.adjusted(_MARKER_PX + 8, 0, 0, 0)
        tint = look.on_selection if chosen else look.secondary
        self.draw_text(painter, box, self._rows.text(row, column), tint, column)


class SupportDialog(QDialog):
    """Targets with a verdict each; below, the layers of the selected target with reasons."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        assert document.model is not None
        self._model, self._document = document.model, document
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Check device support — {model}").format(model=document.name))
        room = parent.width() - _MARGIN_PX if parent is not None else _WIDTH_PX
        self.resize(min(_WIDTH_PX, max(room, _LEAST_WIDTH_PX)), 720)
        self.state = label("", "secondary")
        self.state.setWordWrap(True)
        self.targets, self.answers = TargetRows(), AnswerRows(self._model.layers)
        self.table = Table(theme, tr("Targets"), self.targets, TargetCells(theme, self.targets))
        self.layers = Table(
            theme,
            tr("Layers on the target device"),
            self.answers,
            AnswerCells(theme, self.answers),
        )
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
        self._jobs = TaskRunner(self)
        self._lay_out(theme)
        self._wire()
        self._check()

    def _lay_out(self, theme: Theme) -> None:
        close = button(theme, tr("Close"), primary=True)
        close.clicked.connect(self.close)
        _place(self.table, TargetColumn.VERDICT, {TargetColumn.TARGET: 214,
               TargetColumn.ANSWER: 94, TargetColumn.UNITS: 176,
               TargetColumn.PROVIDER: 130, TargetColumn.LAYERS: 176})  # fmt: skip
        _place(self.layers, AnswerColumn.REASON, {AnswerColumn.NUMBER: 56,
               AnswerColumn.LAYER: 200, AnswerColumn.OPERATOR: 120,
               AnswerColumn.SUPPORT: 130, AnswerColumn.SOURCE: 220})  # fmt: skip
        self.table.setFixedHeight(ROW * (1 + _SHOWN_TARGETS) + 2)
        self.phones.setWordWrap(True)
        self.phones.hide()
        lengths = fixed_lengths(self._model.inputs)
        if not lengths:
            self.fixed.hide()
        self.fixed.setChecked(bool(lengths))
        self.fixed.setText(tr("Assume {sizes}").format(sizes=size_list(lengths)))
        self.fixed.setToolTip(tip(tr(NEED_FIXED)))
        self._lengths: Mapping[str, int] = lengths
        page = QVBoxLayout(self)
        page.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        page.setSpacing(GAP)
        page.addLayout(row(self.state, self.fixed, self.fix, stretch=0))
        page.addWidget(self.phones)
        page.addWidget(self.table)
        page.addWidget(self.verdict)
        page.addWidget(self.about)
        page.addWidget(self.source)
        page.addWidget(self.layers, 1)
        page.addLayout(row(self.only_not_sure, None, self.copy, close))

    def _wire(self) -> None:
        self.fixed.toggled.connect(self._check)
        self.only_not_sure.toggled.connect(self._show_layers)
        self.copy.clicked.connect(self._copy)
        self.fix.clicked.connect(self._offer_fixing)
        self.table.selectionModel().currentRowChanged.connect(self._choose)

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
        self.targets.show_found(results)
        self.copy.setEnabled(True)
        phones = targets.overall(results)
        said = [*map(in_window, phones)]
        assumed = bool(self._lengths) and self.fixed.isChecked()
        if assumed:
            said.insert(
                0,
                tr("The file has dynamic axes. After you set {sizes} in it:").format(
                    sizes=size_list(self._lengths)
                ),
            )
        self.fix.setVisible(assumed and self._document.offers(FIX_AXES))
        self.phones.setText("\n".join(said))
        self.phones.setEnabled(True)
        self.phones.setVisible(bool(phones))
        every = sum(each.verdict is Verdict.ALL for each in results)
        self.state.setText(
            tr(
                "{every} of {total} targets support every layer. Estimated from the source "
                "code of the execution providers; nothing was run."
            ).format(every=every, total=len(results))
        )
        self.table.show_row(max(0, chosen))

    def _fail(self, error: InspectorError) -> None:
        self.state.setText(f"{error.what}: {error.why}")

    @property
    def _chosen(self) -> TargetSupport | None:
        index = self.table.currentIndex()
        return (
            self.targets.found[self.targets.place_of(index.row())] if index.isValid() else None
        )

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
                tr("Source: {source}; other versions may differ").format(
                    source=result.summary.device.source
                ),
                removed,
            )
            self.source.setText(" · ".join(filter(None, parts)))
        self._show_layers()

    def _show_layers(self) -> None:
        self.answers.show_answers(self._chosen, self.only_not_sure.isChecked())

    def _offer_fixing(self) -> None:
        """Offer in Improve to set the sizes that are assumed here."""
        pairs = tuple((name, str(length)) for name, length in self._lengths.items())
        self._document.step_asked.emit(Step(FIX_AXES, pairs))
        self.close()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_markdown(self._model, self.targets.found))


def as_markdown(model: Model, results: Sequence[TargetSupport]) -> str:
    """Return the targets as a Markdown table, for an issue or a pull request."""
    lines = [
        f"Device support of {units.clip(model.name, 80)}, estimated from support tables:",
        "",
        *(f"- {line}" for line in targets.overall(results)),
        "",
        "| Target | Runs there? | Runs on | Execution provider | Layers supported | Verdict |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {each.target.title} | {each.answer_text} | {each.target.units} "
        f"| {each.target.provider} | {each.count or 'not checked'} "
        f"| {each.sentence.replace('|', chr(92) + '|')} |"
        for each in results
    ]
    return "\n".join(lines) + "\n"


def _place(table: Table, stretched: StrEnum, widths: Mapping[StrEnum, int]) -> None:
    columns = table.rows.columns
    for column, width in widths.items():
        table.setColumnWidth(columns.index(column), width)
    table.horizontalHeader().setSectionResizeMode(
        columns.index(stretched), QHeaderView.ResizeMode.Stretch
    )
