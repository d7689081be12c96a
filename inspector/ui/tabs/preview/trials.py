"""Cards beside the answer: usual preprocessing, and expected outputs."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.app.verify import Verified
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.runs.predicted import TriedPreset
from inspector.ui import units
from inspector.ui.tabs.preview.fill_inputs import preprocessing_text
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    grid_of,
    label,
    row,
    show_in_place,
    wrapped,
)
from inspector.ui.widgets.theme import Theme
from inspector.wording import class_scores


class PresetsCard(Card):
    """The top result with each common preset; one click uses the preset."""

    used = Signal(str, object)  # input, ImagePreprocessing

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._name = ""
        self._home = QWidget()
        self.uses: list[QWidget] = []
        close = button(theme, tr("Close"), then=self.hide)
        head = row(label(tr("Common presets"), "heading"), None, close)
        add_to(self.body, head, self._home)
        self.hide()

    def show_tried(self, name: str, trials: Sequence[TriedPreset]) -> None:
        """Show other trials, of the input of that name."""
        self._name = name
        self._home.deleteLater()
        self._home, self.uses = QWidget(), []
        grid = grid_of(10, 4, (3, 3), on=self._home)
        for column, title in enumerate((tr("Preset"), tr("Top result"), tr("Score"))):
            grid.addWidget(label(title, "caption"), 0, column)
        for line, trial in enumerate(trials, 1):
            name_label, answer = Elided(trial.name, "value"), Elided(trial.result.text)
            name_label.setToolTip(preprocessing_text(trial.preprocessing))
            share = class_scores.share(trial.result.share) if trial.result.share else ""
            score = label(units.localized(share), "mono")
            use = button(self._theme, tr("Use"), then=partial(self._use, trial.preprocessing))
            use.setAccessibleName(tr("Use {name}").format(name=trial.name))
            self.uses.append(use)
            for column, part in enumerate((name_label, answer, score, use)):
                grid.addWidget(part, line, column)
        self.body.addWidget(self._home)
        self.show()

    def _use(self, preparation: ImagePreprocessing) -> None:
        self.used.emit(self._name, preparation)


class ExpectedCard(Card):
    """Data sets that lie beside the model; whether its answers are theirs."""

    requested = Signal()

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__(theme)
        self.check = button(theme, tr("Check"), then=self.requested)
        self.verdict = Elided(
            tr("{set_count} next to the model").format(set_count=plural(len(names), "data set"))
        )
        self.lines = wrapped("", "caption")
        head = row(label(tr("Expected outputs"), "heading"), (self.verdict, 1), self.check)
        add_to(self.body, head, self.lines)
        self.lines.hide()
        show_in_place(self, bool(names))

    def show_checked(self, found: Verified) -> None:
        """Show how it went: what failed first."""
        differ = [data for data in found.checked if not data.passed]
        failed = len(differ) + len(found.failed)
        sets = plural(len(found.checked) + len(found.failed), "data set")
        self.verdict.set_text(
            tr("{failed} of {sets} failed").format(failed=failed, sets=sets)
            if failed
            else tr("Passed: {sets}").format(sets=sets)
        )
        lines = [f"Differs · {name} · {error}" for name, error in found.failed]
        lines += [
            f"{'Passed' if data.passed else 'Differs'} · {data.name} · "
            f"{output.output}: {output.text()}"
            for data in sorted(found.checked, key=lambda data: data.passed)
            for output in data.outputs
        ]
        self.lines.setText(units.clip("\n".join(lines[:12]), 2000))
        self.lines.show()
