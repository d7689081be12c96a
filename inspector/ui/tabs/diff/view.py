"""Two models side by side: their graphs, grouped changes, and the chosen pair of layers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QScrollArea, QVBoxLayout, QWidget

from inspector.comparison.measured_pair import MeasuredPair
from inspector.comparison.model_changes import ModelDiff, State
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import InspectorError
from inspector.preview.language.decoders import why_no_text
from inspector.render.registry import Subject, formats_of
from inspector.ui import commands, units
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.documents.language.judging import StartEngine, TextJudging
from inspector.ui.documents.pair_results import PairResults
from inspector.ui.selection import Selection
from inspector.ui.tabs.diff.changes import ChangeList, PairDetail, SearchField, counted
from inspector.ui.tabs.diff.glance import Glance
from inspector.ui.tabs.diff.graphs import NAMES, SIGNS, DiffGraphs, state_color
from inspector.ui.tabs.diff.layer_outputs_panel import LayerOutputsPanel
from inspector.ui.tabs.diff.pair_measuring import PairMeasuring
from inspector.ui.tabs.diff.text_view import TextView
from inspector.ui.translate import mark, plural, tr, with_ellipsis
from inspector.ui.widgets.comparison_links import ACCURACY, MODELS, ComparisonLinks
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.notice import Notice
from inspector.ui.widgets.parts import (
    PADDING,
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    follow,
    hairline,
    label,
    row,
    set_role,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Painted, Theme, qt_color

_SIDE_PX = 400  # width of the list and the details, and of the layer outputs
# Width below which they are a drawer over the graphs, which would else have no 390 pixels each.
_DRAWER_BELOW = 1180
_LEAST_GRAPHS_PX = 340  # height with tools and names of both models
_LOW_PX = 560  # height below which a shorter head leaves room to the graphs
_ZOOM = 0.7


class DiffView(QWidget):
    """Shows a comparison of two models.

    others: returns the models that can be compared instead. documents: returns those that are
    open, which know what was measured. diff: None until `compared`.
    """

    compared = Signal()
    task_changed = Signal(str)  # while it is in front

    def __init__(
        self,
        theme: Theme,
        document: DiffDocument,
        others: Callable[[], Sequence[ComparedModel]] = tuple,
        documents: Callable[[], Sequence[Document]] = tuple,
        start_engine: StartEngine = EngineProcess,
    ) -> None:
        super().__init__()
        self._theme, self.document, self._others = theme, document, others
        self._documents, self._start_engine = documents, start_engine
        self.judging: TextJudging | None = None  # of language models
        self.text_view: TextView | None = None
        self.views = Segmented(theme, (mark("Layers"), mark("Text")), 84)
        self.views.setAccessibleName(tr("What is compared"))
        self.views.hide()
        self.views.chosen.connect(self.show_view)
        self.glance: Glance | None = None
        self.diff: ModelDiff | None = None
        self.summary = label("", "title", selectable=True, wraps=True)
        self.facts = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.swap = button(theme, tr("Swap A and B"), then=document.swap)
        self.export = button(theme, tr("Export…"))
        self.export.setMenu(self._formats())
        self.changes_button = button(theme, tr("Changes"))
        self.changes_button.setCheckable(True)
        self.changes_button.toggled.connect(self._place_side)
        self.notice = Notice(theme, self)
        self.failure = Failure(theme)
        self.failure.again.clicked.connect(document.reload)
        self._body = QVBoxLayout()
        self._content: _Content | None = None
        text = column_of(self.summary, self.facts, spacing=3)
        self.links = ComparisonLinks(theme, MODELS)
        text.addWidget(self.links)
        head = row(16, self.views, self.changes_button, self.swap, self.export)
        head.insertLayout(0, text, 1)
        head.setContentsMargins(PADDING, 12, PADDING, 12)
        page = QWidget()
        column = column_of(head, on=page, spacing=0)
        self._table = column_of(margins=(PADDING, 0, PADDING, 12))
        add_to(column, self._table, hairline(), self.failure, (self._body, 1))
        self.failure.hide()
        scroll = QScrollArea()  # in a low window the graphs keep their height
        scroll.setAccessibleName(tr("Compare models"))
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        column_of(scroll, on=self)
        document.changed.connect(self._show_waiting)
        document.compared.connect(self._show)
        document.failed.connect(self._show_failure)
        self._show_waiting()
        if document.diff is not None:
            self._show()

    @property
    def task(self) -> str:
        """Return the step under way as text, "" for none."""
        measuring = self.glance.measuring if self.glance is not None else None
        return measuring.running if measuring is not None else ""

    @property
    def content(self) -> "_Content":
        """The graphs and lists, once there is something to show."""
        assert self._content is not None, "it is compared"
        return self._content

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put list and details beside the graphs where there is room, else over them."""
        super().resizeEvent(event)
        self._place_side()
        low = self.height() < _LOW_PX
        narrow = self.width() < _DRAWER_BELOW
        role = "value" if low else "heading" if narrow else "title"
        if self.summary.property("role") != role:
            set_role(self.summary, role)
            for part in (self.facts, self.links):
                part.setVisible(not low)

    @property
    def selection(self) -> Selection | None:
        """The selected layer of A, and those before; None before both are compared."""
        return self._content.graphs.sides[0].selection if self._content is not None else None

    def export_as(self, form: str) -> None:
        """Let the user save the differences in a format."""
        if self.diff is None:
            return
        exporter = Exporter(self, self.notice)
        known = self.glance.known() if self.glance is not None else None
        quality = self.judging.quality if self.judging is not None else None
        exporter.ask_for_model_diff(self.diff, form, known, quality)

    def show_layer_outputs(self) -> None:
        """Show which layer makes the first difference, beside the graphs; the panel gets the
        keyboard."""
        self.show_view(0)
        self.changes_button.setChecked(True)  # of a narrow window, where the panel is a drawer
        self.content.show_panel(1)
        self.content.panels.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_view(self, view: int) -> None:
        """Show layers and weights, or how well both models predict a text."""
        if self.views.current != view:
            self.views.choose(view)
        if view and self.text_view is None and self.judging is not None:
            self.text_view = TextView(self._theme, self.judging, self.document.sides[1].name)
            self._body.addWidget(self.text_view, 1)
        if self.text_view is not None:
            self.text_view.setVisible(bool(view))
        if self._content is not None:
            self._content.setVisible(not view)
        self._place_side()

    def _judge_anew(self) -> None:
        """Offer to judge both by a text where both generate some."""
        if self.judging is not None:
            self.judging.close()
            self.judging.deleteLater()
            self.judging = None
        if self.text_view is not None:
            self._body.removeWidget(self.text_view)
            self.text_view.hide()
            self.text_view.deleteLater()
            self.text_view = None
        models = [side.model for side in self.document.sides]
        able = all(model is not None and not why_no_text(model) for model in models)
        self.views.setVisible(able)
        if able:
            first, other = (side.path for side in self.document.sides)
            known = self.document.results
            quality = known.quality if known is not None else None
            self.judging = TextJudging((first, other), self._start_engine, quality, self)
            self.judging.changed.connect(self._keep_quality)
        self.show_view(self.views.current if able else 0)

    def _keep_quality(self) -> None:
        judging = self.judging
        if judging is not None and not judging.running and judging.quality is not None:
            self.document.keep_quality(judging.quality)

    def _formats(self) -> QMenu:
        menu = QMenu(self)
        for each in formats_of(Subject.MODEL_DIFF):
            menu.addAction(
                with_ellipsis(tr(each.title)), partial(self.export_as, each.id)
            ).setData(each.id)
        return menu

    def _place_side(self) -> None:
        """Show list and details beside the graphs, or as a drawer where it is opened."""
        beside = self.width() >= _DRAWER_BELOW
        layers = self.diff is not None and not self.views.current
        self.changes_button.setVisible(not beside and layers)
        if self._content is not None:
            self._content.place_side(beside, self.changes_button.isChecked())

    def _show_waiting(self) -> None:
        self.diff = None
        self.export.setEnabled(False)
        self.failure.hide()
        self._drop_glance()
        names = [units.clip(side.name, 80) for side in self.document.sides]
        self.summary.setText(tr("Comparing layers and weights…"))
        self.facts.set_text(tr("A {first} · B {other}").format(first=names[0], other=names[1]))

    def _show_failure(self, error: InspectorError) -> None:
        self.summary.setText(self.document.name)
        self.facts.set_text("")
        self.failure.show_error(error)
        if self._content is not None:
            self._content.hide()

    def _show(self) -> None:
        result = self.diff = self.document.diff
        assert result is not None, "it is compared"
        self.export.setEnabled(True)
        self.summary.setText(result.summary)
        self.facts.set_text(_facts(result))
        if self._content is not None:
            self._body.removeWidget(self._content)
            self._content.hide()
            self._content.deleteLater()
        self._content = _Content(self._theme, result)
        self._content.setMinimumHeight(_LEAST_GRAPHS_PX)
        self._content.outputs.compared.connect(self._tell_layers)
        for number, side in enumerate(self._content.graphs.sides):
            menu = QMenu(side.other)
            menu.aboutToShow.connect(partial(self._list_others, menu, number))
            side.other.setMenu(menu)
        self._body.addWidget(self._content, 1)
        self._judge_anew()
        self._show_glance()
        self._place_side()
        chosen = self.focusWidget()
        if chosen is None or chosen in self.links.links.values():  # nobody chose a link
            self._content.graphs.sides[0].view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.compared.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Follow what was opened or measured elsewhere in the meantime."""
        super().showEvent(event)
        if self.glance is not None:
            if self.glance.measuring is None:
                self._show_glance()
            else:
                self.glance.refresh()
                self._keep_results()

    def _show_glance(self) -> None:
        """Show both models in one table, with what their documents know."""
        if self.diff is None:
            return
        self._drop_glance()
        paths = [side.path for side in self.document.sides]
        opened = [each for each in self._documents() if each.path in paths]
        for each in opened:
            if each.model is None:  # of a session that is being restored
                each.changed(Topic.MODEL).connect(
                    self._follow_model, Qt.ConnectionType.UniqueConnection
                )
        by_path = {each.path: each for each in opened if each.model is not None}
        both = [by_path[path] for path in paths if path in by_path]
        self.content.outputs.use(by_path.get(paths[0]), paths[1])
        results = self.document.results
        measuring = PairMeasuring(both, self, results) if len(both) == 2 else None
        names = [side.name for side in self.document.sides]
        measured = self._measured
        self.glance = Glance(
            self._theme, self.diff, (paths, names), measuring, measured, self._results
        )
        self._tell_layers()
        self.glance.accuracy_asked.connect(commands.runner(self, f"compare/{ACCURACY}"))
        self._table.addWidget(self.glance)
        if measuring is not None:
            measuring.changed.connect(self._tell_task)
            measuring.changed.connect(self._keep_results)
        self._tell_task()
        self._keep_results()

    def _tell_layers(self) -> None:
        """Let the table say what the outputs of the layers showed."""
        if self.glance is not None:
            self.glance.show_layers(self.content.outputs.found)

    def _follow_model(self) -> None:
        if self.glance is not None and self.glance.measuring is None:
            self._show_glance()

    def _measured(self) -> MeasuredPair | None:
        """Return what Improve measured, until both are measured here."""
        measuring = self.glance.measuring if self.glance is not None else None
        return None if measuring is not None and measuring.begun else self.document.measured

    def _results(self) -> PairResults | None:
        """Return what was compared earlier, and when, where that was in another session."""
        results = self.document.results
        return (
            results if results is None or self.document.restored else replace(results, made="")
        )

    def _keep_results(self) -> None:
        """Let the next session show what is known now."""
        glance = self.glance
        if glance is not None and glance.measuring is not None and not glance.measuring.running:
            measuring, folder = glance.measuring, glance.folder()
            begun = measuring.begun and measuring.complete
            if measuring.outputs is not None or folder is not None:
                self.document.keep(
                    measuring.outputs, measuring.chosen_input, folder, begun, measuring.verdict
                )

    def _tell_task(self) -> None:
        if self.isVisible():
            self.task_changed.emit(self.task)

    def _drop_glance(self) -> None:
        if self.glance is not None:
            self._table.removeWidget(self.glance)
            self.glance.hide()
            self.glance.deleteLater()
            self.glance = None

    def _list_others(self, menu: QMenu, number: int) -> None:
        """List the models that can stand on one side instead."""
        menu.clear()
        used = {side.path for side in self.document.sides}
        models = [each for each in self._others() if each.path not in used]
        for each in models:
            text = units.clip(each.name, 80).replace("&", "&&")
            menu.addAction(text, partial(self._take, number, each))
        if not models:
            menu.addAction(tr("No other model is open")).setEnabled(False)

    def _take(self, number: int, model: ComparedModel) -> None:
        first, other = self.document.sides
        self.document.replace(*((first, model) if number else (model, other)))


class _Content(QWidget):
    """Counts as filters, both graphs, the changes, and the chosen pair."""

    def __init__(self, theme: Theme, result: ModelDiff) -> None:
        super().__init__()
        self._theme = theme
        self.graphs = DiffGraphs(theme, result)
        self.list = ChangeList(theme, result)
        self.detail = PairDetail(theme, result)
        self.search = SearchField()
        self.search.textChanged.connect(self._find)
        self.chips = {state: self._chip(state, result.counts[state.value]) for state in State}
        self.together = QCheckBox(tr("Pan and zoom together"))
        self.together.setChecked(True)
        self.together.toggled.connect(self._set_together)
        out, into = (
            tool(theme, "minus", tr("Zoom out (S)")),
            tool(theme, "plus", tr("Zoom in (W)")),
        )
        fit = tool(theme, "fit", tr("Zoom to fit (F)"), then=self.graphs.fit)
        out.clicked.connect(lambda: self.graphs.scale(_ZOOM))
        into.clicked.connect(lambda: self.graphs.scale(1 / _ZOOM))
        self.graphs.chosen.connect(self._show_pair)
        self.list.chosen.connect(self.graphs.choose)
        self.outputs = LayerOutputsPanel(theme)
        self.outputs.chosen.connect(self.graphs.sides[0].selection.choose)
        self.outputs.graph_asked.connect(self.graphs.sides[0].view.setFocus)
        self.outputs.compared.connect(self._color)
        self.graphs.sides[0].selection.changed.connect(self._follow_layer)
        tools = row(*self.chips.values(), 8, self.together, None, out, into, fit)
        tools.setContentsMargins(PADDING, 8, PADDING, 8)
        left = column_of(tools, hairline(), (self.graphs, 1), spacing=0)
        self.side = _Side(theme)
        self.count = label(counted(result), "secondary")
        column = column_of(on=self.side, spacing=0, margins=(1, 0, 0, 0))
        self.panels = Segmented(theme, (mark("Changes"), mark("Layer outputs")), 0)
        self.panels.setAccessibleName(tr("What is listed"))
        self.panels.chosen.connect(self.show_panel)
        head = row(self.panels, None, self.count, margins=(PADDING, 10, PADDING, 8))
        find = row(self.search, margins=(PADDING, 0, PADDING, 10))
        self._changes = QWidget()
        listed = row(self.list, margins=(PADDING - 6, 0, 0, 0))  # arrows below the search
        column_of(find, (listed, 1), hairline(), self.detail, on=self._changes, spacing=0)
        add_to(column, head, (self._changes, 1), (self.outputs, 1))
        self.outputs.hide()
        self._total, self._diff = counted(result), result
        self._across = row((left, 1), on=self, spacing=0)

    def show_panel(self, panel: int) -> None:
        """Show the changes, or the outputs of the layers."""
        self.panels.choose(panel)
        self._changes.setVisible(not panel)
        self.count.setVisible(not panel)
        self.outputs.setVisible(bool(panel))
        self._color()

    def _color(self) -> None:
        found = self.outputs.found if self.panels.current else None
        self.graphs.show_errors(found)
        for state, chip in self.chips.items():  # colors then say where errors are
            able = state is not State.SAME and bool(self._diff.counts[state.value])
            chip.setEnabled(able and found is None)

    def _follow_layer(self) -> None:
        self.outputs.show_layer(self.graphs.sides[0].selection.now.layer)

    def place_side(self, beside: bool, opened: bool) -> None:
        """Put list and details beside the graphs, or over their right part if opened."""
        if beside and self._across.indexOf(self.side) < 0:
            self._across.addWidget(self.side)
        elif not beside and self._across.indexOf(self.side) >= 0:
            self._across.removeWidget(self.side)
        if self.side.parentWidget() is not self:
            self.side.setParent(self)
        self.side.setVisible(beside or opened)
        self._across.activate()  # at once: the graphs would be drawn at two widths
        if not beside:
            self._cover()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the drawer at the right edge."""
        super().resizeEvent(event)
        if self._across.indexOf(self.side) < 0:
            self._cover()

    def _cover(self) -> None:
        width = self.side.width()
        self.side.setGeometry(self.width() - width, 0, width, self.height())
        self.side.raise_()

    def _chip(self, state: State, count: int) -> QPushButton:
        made = QPushButton(f"{SIGNS[state]} {tr(NAMES[state])} {units.number(count)}")
        made.setAccessibleName(plural(count, "layer") + f" {tr(NAMES[state]).lower()}")
        made.setToolTip(tip(tr("Show these layers in the list and color them in the graphs")))
        made.setCheckable(True)
        made.setChecked(state is not State.SAME)
        made.setEnabled(bool(count) and state is not State.SAME)
        if not count and state is State.MOVED:
            made.hide()
        made.toggled.connect(self._filter)
        theme = self._theme

        def dress() -> None:
            look, tint = theme.palette, state_color(theme.palette, state)
            made.setStyleSheet(
                f"QPushButton {{ color: {look.tertiary}; padding: 0 10px; }}"
                f"QPushButton:checked {{ color: {tint}; border-color: {tint}; }}"
                f"QPushButton:disabled {{ color: {look.secondary}; }}"
            )

        follow(theme, made, dress)
        return made

    def _filter(self) -> None:
        states = frozenset(state for state, chip in self.chips.items() if chip.isChecked())
        self.graphs.show_states(states)
        self.list.show_states(states)

    def _find(self, text: str) -> None:
        count = self.list.search(text)
        found = tr("{count} found").format(count=units.number(count))
        self.count.setText(found if text.strip() else self._total)

    def _set_together(self, together: bool) -> None:
        self.graphs.together = together

    def _show_pair(self, place: int) -> None:
        self.detail.show_pair(place)
        self.list.mark_pair(place)


class _Side(Painted):
    """The surface of list and details, with a line at its left."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setFixedWidth(_SIDE_PX)
        self.setAccessibleName(tr("Changes and layer outputs"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface and the line."""
        painter, look = QPainter(self), self._theme.palette
        painter.fillRect(self.rect(), qt_color(look.surface))
        painter.fillRect(QRectF(0, 0, 1, self.height()), qt_color(look.border))


def _facts(result: ModelDiff) -> str:
    """Return layers and opset of both, which the table leaves out: 'Layers 15 → 33'."""
    one, two = result.first, result.other
    layers = _change(units.number(len(one.layers)), units.number(len(two.layers)))
    opsets = [next((str(o.version) for o in m.opsets if not o.domain), "") for m in (one, two)]
    parts = [tr("Layers {change}").format(change=layers)]
    if all(opsets):
        parts.append(tr("Opset {change}").format(change=_change(opsets[0], opsets[1])))
    return " · ".join(parts)


def _change(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"
