"""The recipe: its steps, test data and the goal."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inspector.app.changing.sensitivity import can_rank
from inspector.app.language.quality import shipped_text
from inspector.conversion.action import Step
from inspector.conversion.registry import ACTIONS
from inspector.report.improvement import MIN_INPUTS, convert_code, convert_command
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.improving import SAVE, Improving
from inspector.ui.documents.improving_inputs import CALIBRATION, TEST
from inspector.ui.tabs.improve.action_dialog import ActionDialog
from inspector.ui.tabs.improve.lists import StepList, step_line
from inspector.ui.tabs.improve.other_results import may_replace_results
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import (
    Card,
    add_to,
    button,
    column_of,
    explain_entries,
    grid_of,
    hairline,
    label,
    row,
    set_available,
    set_role,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Theme

_STRIP_GAP = 20  # px, between its parts
_NAME_PX = 72  # of the fields below the list
_GOALS = {"p50": mark("Lowest latency"), "size": mark("Smallest file")}
_LIMITS = {  # how much accuracy may drop
    "0": mark("No loss"),
    "0.001": mark("At most 0.1 points lower"),
    "0.005": mark("At most 0.5 points lower"),
    "0.01": mark("At most 1 point lower"),
    "0.02": mark("At most 2 points lower"),
    "0.05": mark("At most 5 points lower"),
    "": mark("No limit"),
}
_RISES = {  # how much the perplexity of a language model may rise
    "0": mark("No rise"),
    "0.01": mark("At most 1% higher"),
    "0.03": mark("At most 3% higher"),
    "0.1": mark("At most 10% higher"),
    "": mark("No limit"),
}
_RECIPES = mark("Recipes (*.json);;All files (*)")


class RecipeCard(Card):
    """Edits the recipe of a document."""

    def __init__(self, theme: Theme, improving: Improving) -> None:
        super().__init__(theme)
        self._theme, self._improving = theme, improving
        self._flat = False
        self._columns, self._lines = list[QWidget](), list[QWidget]()
        self.count = label("", "secondary")
        self.undo = tool(theme, "undo", tr("Undo the last change to the recipe"))
        self.redo = tool(theme, "redo", tr("Redo"))
        self.menu_button = tool(
            theme, "more", tr("Load or save the recipe, or save the results")
        )
        self.steps = StepList(theme)
        self.actions_button = button(theme, tr("Add an action…"), "plus")
        self.options = tool(theme, "settings", tr("Step options"))
        self.up, self.down = (
            tool(theme, "up", tr("Move the step up")),
            tool(theme, "down", tr("Move the step down")),
        )
        self.remove = tool(theme, "close", tr("Remove this step"))
        self.rank = tool(theme, "table", tr("Rank the layers by the output error they cause"))
        self.data = DataFields(theme, improving)
        self._lay_out()
        self._wire()
        self.refresh()

    def _lay_out(self) -> None:
        self.body.setSpacing(0)
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self.body.addLayout(self._parts)
        self._parts.setSpacing(6)
        body = self._column()
        heading = label(tr("Recipe"), "heading")
        head = row(heading, self.count, None, self.undo, self.redo, self.menu_button, spacing=6)
        head.setContentsMargins(0, -4, -6, 0)
        add_to(body, head, self.steps)
        self._tools = QWidget()
        self._tools.setLayout(
            row(self.options, self.rank, self.up, self.down, self.remove, None, spacing=2)
        )
        add_to(body, self._tools, self.actions_button, None)
        body = self._column()
        add_to(body, self.data, None)
        self._parts.addStretch(1)
        menu = QMenu(self)
        explain_entries(menu)
        self.load_action = menu.addAction(tr("Load recipe…"), self._ask_load)
        self.save_action = menu.addAction(tr("Save recipe…"), self._ask_save)
        self.copy_actions = (
            menu.addAction(tr("Copy as command"), partial(self._copy, convert_command)),
            menu.addAction(tr("Copy as Python code"), partial(self._copy, convert_code)),
        )
        self.results_action = menu.addAction(tr("Save results…"), self._ask_results)
        menu.addSeparator()
        self.clear_action = menu.addAction(
            tr("Remove all steps"), lambda: self._improving.set_steps(())
        )
        self.menu_button.setMenu(menu)
        self.menu_button.setPopupMode(self.menu_button.ToolButtonPopupMode.InstantPopup)

    def _column(self) -> QVBoxLayout:
        """Return the layout of a further part, with a line before it."""
        if self._parts.count():
            self._lines.append(hairline())
            self._parts.addWidget(self._lines[-1])
        part = QWidget()
        layout = column_of(on=part, spacing=6)
        self._parts.addWidget(part, 0)
        self._columns.append(part)
        return layout

    def lie_flat(self, flat: bool) -> None:
        """Lay steps, actions and data side by side, or one below the other."""
        if flat == self._flat:
            return
        self._flat = flat
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._parts.setDirection(across if flat else down)
        self._parts.setSpacing(_STRIP_GAP if flat else 6)
        for part in self._columns:
            self._parts.setStretchFactor(part, 1 if flat else 0)
        self._parts.setStretch(self._parts.count() - 1, 0 if flat else 1)
        for line in self._lines:
            line.setVisible(not flat)

    def _wire(self) -> None:
        improving = self._improving
        self.undo.clicked.connect(improving.undo)
        self.redo.clicked.connect(improving.redo)
        self.steps.moved.connect(self._move)
        self.steps.removal_asked.connect(improving.remove)
        self.steps.options_asked.connect(self.edit)
        self.steps.currentRowChanged.connect(self._show_tools)
        self.options.clicked.connect(lambda: self.edit(self.steps.currentRow()))
        self.rank.clicked.connect(lambda: improving.rank(self.steps.currentRow()))
        self.up.clicked.connect(lambda: self._step_by(-1))
        self.down.clicked.connect(lambda: self._step_by(1))
        self.remove.clicked.connect(lambda: improving.remove(self.steps.currentRow()))
        for signal in (improving.changed, improving.worked, improving.proved):
            signal.connect(self.refresh)

    def refresh(self) -> None:
        """Show the recipe and what can be added to it."""
        improving = self._improving
        count, idle = len(improving.steps), not improving.work
        candidate = improving.candidate
        ran, made = candidate is not None, candidate.size_bytes if candidate else 0
        lines = [
            step_line(
                n + 1, step, improving.effect(n), ran, count > 1, made if count == 1 else 0
            )
            for n, step in enumerate(improving.steps)
        ]
        self.steps.show_lines(lines)
        if count and self.steps.currentRow() < 0:
            self.steps.setCurrentRow(count - 1)
        self.count.setText(plural(count, "step") if count else "")
        self.undo.setEnabled(improving.can_undo and idle)
        self.redo.setEnabled(improving.can_redo and idle)
        now = improving.improvement
        ran = now is not None and bool(now.candidates)
        empty, busy = tr("The recipe has no steps"), tr("Wait until the run has finished")
        for action in (self.save_action, *self.copy_actions):
            set_available(action, "" if count else empty)
        set_available(self.results_action, "" if ran else tr("No recipe has been run yet"))
        set_available(self.clear_action, empty if not count else "" if idle else busy)
        set_available(self.load_action, "" if idle else busy)
        self._show_tools()
        for part in (self.steps, self.actions_button):
            part.setEnabled(idle)
        self.data.refresh()

    def edit(self, place: int) -> None:
        """Show the options of a step."""
        steps = self._improving.steps
        if 0 <= place < len(steps) and ACTIONS[steps[place].action].options:
            self._open(steps[place], place, partial(self._improving.replace, place))

    def offer(self, step: Step) -> None:
        """Show the options of a step that is not in the recipe, to add it."""
        if not self._improving.work:
            self._open(step, len(self._improving.steps), self._improving.add)

    def _open(self, step: Step, place: int, taken: Callable[[Step], object]) -> None:
        ActionDialog(self._theme, self._improving, step, place, taken, self.window()).open()

    def _move(self, place: int, to: int) -> None:
        self._improving.move(place, to)

    def _step_by(self, by: int) -> None:
        place = self.steps.currentRow()
        self.steps.setCurrentRow(place + by)
        self._improving.move(place, place + by)

    def _show_tools(self) -> None:
        place, count = self.steps.currentRow(), len(self._improving.steps)
        chosen, idle = 0 <= place < count, not self._improving.work
        self._tools.setVisible(bool(count))
        step = self._improving.steps[place] if chosen else None
        options = step is not None and bool(ACTIONS[step.action].options)
        self.options.setEnabled(chosen and options and idle)
        rankable = step is not None and can_rank(step)
        self.rank.setVisible(rankable)
        self.rank.setEnabled(idle)
        self.up.setEnabled(chosen and place > 0 and idle)
        self.down.setEnabled(chosen and place < count - 1 and idle)
        self.remove.setEnabled(chosen and idle)

    def add(self, name: str) -> None:
        """Add an action as it is, or ask for options that it needs."""
        effect, step = self._improving.offers.get(name), Step(name)
        if effect is None or self._improving.work:
            return
        if effect.applicable:
            self._improving.add(step)
            self.steps.setCurrentRow(len(self._improving.steps) - 1)
        elif ACTIONS[name].options:
            self._open(step, len(self._improving.steps), self._improving.add)

    def _ask_load(self) -> None:
        if path := file_dialogs.ask_file(self, tr("Load recipe"), tr(_RECIPES)):
            self._improving.load_recipe(path)

    def _ask_save(self) -> None:
        proposed = f"{self._improving.path.stem}.recipe.json"
        if path := file_dialogs.ask_place(self, tr("Save recipe"), proposed, tr(_RECIPES)):
            self._improving.save_recipe(path)

    def _copy(
        self, written: Callable[[str, tuple[str, ...], str, str, tuple[str, ...]], str]
    ) -> None:
        """Copy the recipe for use outside of the window."""
        improving = self._improving
        chosen = map(improving.folders.get, (CALIBRATION, TEST))
        calibration, test = ("" if each is None else each.data.folder for each in chosen)
        steps = tuple(step.text for step in improving.steps)
        text = written(str(improving.path), steps, calibration, test, improving.custom_ops)
        QGuiApplication.clipboard().setText(text)

    def _ask_results(self) -> None:
        chosen, exporter = self._improving.chosen, file_dialogs.Exporter(self.window())
        exporter.failed.connect(self._improving.failed)
        exporter.done.connect(self._tell_saved)
        if chosen is not None:
            exporter.ask_for_improvement(chosen, self._improving.path.stem)

    def _tell_saved(self, text: str, path: str) -> None:
        self._improving.saved_steps = None
        self._improving.saved.emit(text, path)


def _named(*fields: tuple[str, QWidget]) -> QGridLayout:
    """Return a layout of fields with their names at the left, all equally wide."""
    grid = grid_of(6, 6)
    grid.setColumnMinimumWidth(0, _NAME_PX)
    grid.setColumnStretch(1, 1)
    for line, (name, field) in enumerate(fields):
        grid.addWidget(label(name, "secondary"), line, 0)
        grid.addWidget(field, line, 1)
    return grid


class DataFields(QWidget):
    """Chooses the two folders, the goal and the limit, and starts a search."""

    def __init__(self, theme: Theme, improving: Improving) -> None:
        super().__init__()
        self._improving = improving
        self.buttons = {purpose: self._choice(purpose) for purpose in (CALIBRATION, TEST)}
        self.goal = ChoiceField(tr("Goal"), [*_GOALS], [*_GOALS.values()])
        by_text = improving.by_text
        limits, name = (_RISES, tr("Perplexity")) if by_text else (_LIMITS, tr("Accuracy"))
        self._limit_name = name
        title = tr("Perplexity limit") if by_text else tr("Accuracy limit")
        self.limit = ChoiceField(title, [*limits], [*limits.values()])
        self.search = button(theme, tr("Find the best recipe"), "search", then=self._search)
        self.search.setToolTip(
            tip(
                tr("Tries common recipes one by one and compares each with the original."),
                tr("You can cancel at any time; finished results are kept."),
            )
        )
        self._theme = theme
        self._sign, self.state = QLabel(), label("", "secondary")
        self.state.setWordWrap(True)
        self._lay_out()
        self.goal.activated.connect(self._set_goal)
        self.limit.activated.connect(self._set_goal)
        theme.changed.connect(self.refresh)

    def _lay_out(self) -> None:
        column = column_of(on=self, spacing=6, margins=(0, 4, 0, 0))
        column.addWidget(label(tr("Test data"), "section"))
        column.addLayout(
            _named(
                (tr("Calibration"), self.buttons[CALIBRATION]),
                (tr("Text") if self._improving.by_text else tr("Test"), self.buttons[TEST]),
            )
        )
        self._state_row = QWidget()
        self._state_row.setLayout(row(self._sign, self.state, stretch=1))
        column.addWidget(self._state_row)
        column.addWidget(label(tr("Goal"), "section"))
        column.addLayout(_named((tr("Objective"), self.goal), (self._limit_name, self.limit)))
        column.addWidget(self.search)

    def _choice(self, purpose: str) -> QPushButton:
        made = QPushButton()
        made.setProperty("role", "choice")
        made.setSizePolicy(made.sizePolicy().Policy.Ignored, made.sizePolicy().Policy.Fixed)
        menu = QMenu(made)
        if purpose == TEST and self._improving.by_text:
            menu.addAction(tr("Shipped text"), partial(self._improving.use_text, None))
            menu.addAction(tr("Another text file…"), self._ask_text)
            made.setMenu(menu)
            return made
        menu.addAction(tr("Choose a folder…"), partial(self._ask, purpose))
        if purpose == TEST:
            menu.addAction(tr("Labels from CSV file…"), self._ask_classes)
        menu.addSeparator()
        menu.addAction(tr("No folder"), partial(self._improving.use_folder, purpose, None))
        made.setMenu(menu)
        return made

    def refresh(self) -> None:
        """Show the folders, whether they have files in common, and the goal."""
        improving = self._improving
        idle = not improving.work and not improving.reading_folder
        names = {CALIBRATION: tr("Calibration folder"), TEST: tr("Test folder")}
        names |= {TEST: tr("Text")} if improving.by_text else {}
        for purpose, field in self.buttons.items():
            held = improving.folders.get(purpose)
            text = tr("none")
            if improving.reading_folder == purpose:
                text = tr("reading…")
            elif purpose == TEST and improving.by_text:
                text = units.clip((improving.text or shipped_text()).name, 30)
            elif held is not None:
                number = units.number(len(held.files))
                text = f"{units.clip(held.path.name, 24)} · {number}"
            field.setText(f"  {text}")
            field.setAccessibleName(f"{names[purpose]}: {text}")
            field.setToolTip(tip(str(held.path)) if held is not None else "")
            field.setEnabled(idle)
        good, text = self._folder_state()
        self._state_row.setVisible(bool(text))
        self.state.setText(text)
        sign = ("check", "good") if good else ("warning", "caution")
        self._sign.setPixmap(self._theme.pixmap(*sign))
        self.goal.show_value(improving.goal)
        value = "" if improving.limit is None else f"{improving.limit:g}"
        if self.limit.findData(value) < 0:  # of a report that another program made
            self.limit.addItem(
                tr("At most {points} points lower").format(
                    points=units.number(improving.limit or 0, ".3g")
                ),
                value,
            )
        self.limit.show_value(value)
        for part in (self.goal, self.limit):
            part.setEnabled(improving.work in ("", SAVE))
        self.search.setEnabled(idle)
        self._fill_search()

    def _fill_search(self) -> None:
        """Fill the button that searches while nothing else is there to press."""
        now = self._improving.improvement
        first = not self._improving.steps and (now is None or not now.candidates)
        role = "primary" if first and self.search.isEnabled() else ""
        set_role(self.search, role)
        self.search.setIcon(self._theme.icon("search", "on_fill" if role else "secondary"))

    def _folder_state(self) -> tuple[bool, str]:
        """Return whether the folders are as they should be, and a sentence about them."""
        if self._improving.by_text:
            return True, tr("Judged by how well it predicts this text, token by token")
        held, shared = self._improving.folders, self._improving.shared_files
        if shared:
            return False, tr("{files} in both folders; use different files").format(
                files=plural(shared, "file")
            )
        test = held.get(TEST)
        if test is None:
            return False, tr("Choose a test folder to measure the accuracy")
        if len(test.files) < MIN_INPUTS:
            return False, tr("A verdict needs at least {count} test inputs").format(
                count=MIN_INPUTS
            )
        why, with_original = written(test.unlabeled), tr("compared with the original's results")
        labeled = tr("labeled: {count:,}").format(count=test.labeled)
        both = tr("No file is in both folders") if CALIBRATION in held else ""
        parts = (both, labeled, why) if test.labeled else (both, why, with_original)
        # A part of the labels is left out: most likely a folder has a wrong name.
        return not (test.labeled and why), " · ".join(filter(None, parts))

    def _ask(self, purpose: str) -> None:
        titles = {CALIBRATION: tr("Calibration folder"), TEST: tr("Test folder")}
        if path := file_dialogs.ask_folder(self, titles[purpose]):
            self._improving.use_folder(purpose, path)

    def _ask_text(self) -> None:
        path = file_dialogs.ask_file(
            self, tr("Text to predict"), tr("Texts (*.txt *.md);;All files (*)")
        )
        if path:
            self._improving.use_text(path)

    def _ask_classes(self) -> None:
        """Take the labels of the test inputs from a table, after the folder is chosen."""
        held = self._improving.folders.get(TEST)
        if held is None:
            self._ask(TEST)
            return
        if path := file_dialogs.ask_file(self, tr("Labels"), tr("Tables (*.csv)")):
            self._improving.use_folder(TEST, held.path, str(path))

    def _search(self) -> None:
        if may_replace_results(self._improving, self):
            self._improving.search()

    def _set_goal(self) -> None:
        limit = self.limit.value
        self._improving.set_goal(self.goal.value, float(limit) if limit else None)
