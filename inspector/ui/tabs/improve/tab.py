"""The Improve tab: a recipe, its verdict, before and after, and all candidates."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QScrollArea, QVBoxLayout, QWidget

from inspector.comparison.measured_pair import measured_pair
from inspector.conversion.action import Step
from inspector.errors import InspectorError
from inspector.pages.language.quality import quality_page
from inspector.preview.inputs import sample_inputs
from inspector.report.improvement import Improvement
from inspector.ui import commands
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.documents.improving import RUN, SEARCH, Improving, MadeModel
from inspector.ui.documents.improving_inputs import TEST
from inspector.ui.tabs.improve.actions_card import ActionsCard
from inspector.ui.tabs.improve.before_after import BeforeAfterCard
from inspector.ui.tabs.improve.layer_errors_card import LayerErrorsCard
from inspector.ui.tabs.improve.pareto_card import ParetoCard
from inspector.ui.tabs.improve.recipe_card import RecipeCard
from inspector.ui.tabs.improve.sensitivity_card import SensitivityCard
from inspector.ui.tabs.improve.steps_card import StepsCard
from inspector.ui.tabs.improve.verdict_card import VerdictCard, proposed_name
from inspector.ui.tabs.improve.worst_inputs import WorstInputsCard
from inspector.ui.translate import tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import BESIDE_BAR, scroll_down
from inspector.ui.widgets.notice import show_in_folder
from inspector.ui.widgets.page_view import PageView
from inspector.ui.widgets.parts import GAP, PADDING, add_to, label, row
from inspector.ui.widgets.theme import Theme

_RECIPE_PX = 292
_STACKED_PX = 900  # of the tab: below, the recipe is a strip above the verdict
_PAIR_PX = 800  # of the right column: below, no name would fit into tables side by side


class ImproveTab(QScrollArea):
    """Shows the recipe of a document once its model is open."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.document = theme, document
        self._improving: Improving | None = None
        self._offered_folders = False
        self._lists_actions = False  # also where there are results
        self._focused: QWidget | None = None
        self.failure = Failure(theme)
        self.failure.again.hide()
        scroll_down(self)
        self.setAccessibleName(tr("Improve"))
        document.changed(Topic.MODEL).connect(self._show)
        document.changed(Topic.WORK).connect(self._show_waiting)
        self._show()

    def _show(self) -> None:
        if self.document.model is None:
            self._show_waiting()
            return
        if self._improving is not None:
            return
        theme, improving = self._theme, self.document.improving
        self._improving = improving
        improving.worked.connect(self._note_focus)  # before a button goes that has it
        self.recipe, self.verdict = RecipeCard(theme, improving), VerdictCard(theme, improving)
        self.action_list = ActionsCard(theme, improving)
        self.numbers, self.plot = BeforeAfterCard(theme), ParetoCard(theme)
        self.layers = SensitivityCard(theme, improving)
        self.quality = PageView(theme)  # of a language model, on a text
        self.steps, self.errors = StepsCard(theme), LayerErrorsCard(theme)
        self.worst = WorstInputsCard(theme)
        self._lay_out()
        improving.failed.connect(self._show_error)
        for signal in (improving.proved, improving.changed, improving.worked):
            signal.connect(self._refresh)
        improving.worked.connect(self._pass_focus)
        self.plot.chosen.connect(improving.use_candidate)
        self.worst.chosen.connect(show_in_folder)
        self.verdict.diff_asked.connect(self._show_diff)
        self.action_list.asked.connect(self.recipe.add)
        self.recipe.actions_button.clicked.connect(self._show_actions)
        self._refresh()
        if self.isVisible():
            improving.check()

    def _show_actions(self) -> None:
        """Show the actions beside the results, and look for one of them."""
        self._lists_actions = True
        self.action_list.show()
        self.action_list.search.setFocus()
        self.action_list.search.selectAll()
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(self.action_list.search))

    def offer_step(self, step: Step) -> None:
        """Show the options of a step that another view suggests; one click adds it."""
        if self._improving is not None:
            self.recipe.offer(step)

    def showEvent(self, event: QShowEvent) -> None:
        """Find out what actions would do, the first time that somebody looks."""
        super().showEvent(event)
        if self._improving is not None:
            self._improving.check()
            self._use_sample_folders(self._improving)

    def _use_sample_folders(self, improving: Improving) -> None:
        """Fill in the folders that come with a sample model, the first time it is shown."""
        if self._offered_folders or improving.folders or improving.improvement is not None:
            return
        self._offered_folders = True
        for purpose, place in sample_inputs.folders(improving.path).items():
            improving.use_folder(purpose, place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the recipe above the verdict in a narrow window."""
        super().resizeEvent(event)
        if self._improving is not None:
            self._arrange()

    def _lay_out(self) -> None:
        page = QWidget()
        self.setWidget(page)
        self._columns = row(
            self.recipe, on=page, spacing=GAP, margins=(PADDING, PADDING, BESIDE_BAR, PADDING)
        )
        right = QVBoxLayout()
        self._columns.addLayout(right, 1)
        right.setSpacing(GAP)
        self._pair = row(spacing=GAP)
        add_to(right, self.failure, self.verdict, self.action_list, self._pair)
        add_to(self._pair, (self.numbers, 17), (self.plot, 16))
        add_to(right, self.quality, self.steps, self.errors, self.layers, self.worst, None)
        self._arrange()

    def _arrange(self) -> None:
        width = self.viewport().width()
        stacked = width < _STACKED_PX
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._columns.setDirection(down if stacked else across)
        self.recipe.lie_flat(stacked)
        if stacked:
            self.recipe.setMinimumWidth(0)
            self.recipe.setMaximumWidth(width)
        else:
            self.recipe.setFixedWidth(_RECIPE_PX)
        room = width - PADDING - BESIDE_BAR - (0 if stacked else _RECIPE_PX + GAP)
        way = down if room < _PAIR_PX else across
        if way != self._pair.direction():
            self._pair.setDirection(way)
            self._columns.invalidate()  # Qt would keep the least width of those around it
            self._columns.activate()

    def _refresh(self) -> None:
        """Show what is known of the recipe, and all candidates."""
        improving = self._improving
        assert improving is not None, "it is wired when there is one"
        now, candidate = improving.improvement, improving.candidate
        usable = candidate is not None and not candidate.problem
        self.numbers.setVisible(usable)
        has_results = now is not None and bool(now.candidates)
        if improving.work:
            self._lists_actions = False
        lists = self._lists_actions or not has_results
        self.action_list.setVisible(lists and improving.work not in (RUN, SEARCH))
        self.plot.setVisible(has_results)
        if now is not None:
            busy = bool(improving.work)
            self.plot.show_improvement(now, candidate, busy, improving.goal)
            if candidate is not None and usable:
                self.numbers.show_candidate(now, candidate, improving.work == RUN)
        quality = candidate.quality if candidate is not None and usable else None
        self.quality.setVisible(quality is not None)
        if quality is not None:
            self.quality.show_page(quality_page(quality), ("quality", "parts", "text"))
        for card in (self.steps, self.errors):
            card.show_candidate(candidate if usable else None)
        self.worst.show_candidate(candidate, self._test_folder(now))

    def _note_focus(self) -> None:
        self._focused = QApplication.focusWidget()

    def _pass_focus(self) -> None:
        """Give the focus of a button that starts or ends work to what comes next.

        Else Qt would give it to the first button of the window.
        """
        verdict, focused = self.verdict, self._focused
        begins = (self.recipe.data.search, verdict.run_button, verdict.again_button)
        if self._improving is not None and self._improving.work:
            if focused in begins:
                verdict.cancel_button.setFocus()
        elif focused is verdict.cancel_button:
            QTimer.singleShot(0, self, self._focus_result)  # once the result is in view

    def _focus_result(self) -> None:
        for made in (
            self.verdict.save_button,
            self.verdict.run_button,
            self.recipe.data.search,
        ):
            if made.isVisible() and made.isEnabled():
                made.setFocus()
                return

    def _test_folder(self, now: Improvement | None) -> Path | None:
        held = self._improving.folders.get(TEST) if self._improving is not None else None
        if held is not None:
            return held.path
        return Path(now.test.folder) if now is not None and now.test is not None else None

    def _show_error(self, error: InspectorError) -> None:
        self.failure.show_error(error)
        self.failure.again.hide()
        self.ensureWidgetVisible(self.failure)

    def _show_diff(self) -> None:
        """Compare the layers of the original and of the candidate side by side."""
        improving = self._improving
        candidate = improving.candidate if improving is not None else None
        now = improving.improvement if improving is not None else None
        if improving is None or candidate is None or now is None:
            return
        saved, made = improving.saved_file(candidate), improving.converted(candidate)
        path = saved or made
        if path is None:
            return
        title = "" if saved is not None else proposed_name(improving.path, candidate)
        measured = measured_pair(now, candidate)
        compared = MadeModel(path, saved is not None, title, measured)
        commands.run(self, "compare/made", compared)

    def _show_waiting(self) -> None:
        """Show what is being read, as long as there is no model."""
        if self.document.model is None:
            name = self.document.name
            reading = self.document.work is Work.OPENING
            text = (
                tr("Reading {name}…").format(name=name)
                if reading
                else tr("{name} is not open.").format(name=name)
            )
            empty = label(text, "secondary")
            empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self.setWidget(empty)
