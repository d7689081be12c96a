"""Cards beside the answer: usual preparations side by side, and expected outputs."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector import units
from inspector.preview import scores
from inspector.preview.image import ImagePreparation
from inspector.ui.kit.parts import Card, Elided, button, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.overview.about import wrapped
from inspector.ui.preview.filling import words_of
from inspector.ui.preview.trials import Checked, Tried


class TriesCard(Card):
    """What the model says to each usual preparation; one click takes it."""

    used = Signal(str, object)  # input, ImagePreparation

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._name = ""
        self._home = QWidget()
        self.uses: list[QWidget] = []
        close = button(theme, "Close")
        close.clicked.connect(self.hide)
        head = row(label("The usual preparations", "heading"), None, close)
        self.body.addLayout(head)
        self.body.addWidget(self._home)
        self.hide()

    def show_tried(self, name: str, found: Sequence[Tried]) -> None:
        """Show other trials, of the input of that name."""
        self._name = name
        self._home.deleteLater()
        self._home, self.uses = QWidget(), []
        grid = QGridLayout(self._home)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 3)
        for line, tried in enumerate(found):
            way, answer = Elided(tried.name, "value"), Elided(tried.verdict.words)
            way.setToolTip(words_of(tried.preparation))
            share = scores.share(tried.verdict.share) if tried.verdict.share else ""
            use = button(self._theme, "Use")
            use.setAccessibleName(f"Use {tried.name}")
            use.clicked.connect(partial(self._use, tried.preparation))
            self.uses.append(use)
            for column, part in enumerate((way, answer, label(share, "mono"), use)):
                grid.addWidget(part, line, column)
        self.body.addWidget(self._home)
        self.show()

    def _use(self, preparation: ImagePreparation) -> None:
        self.used.emit(self._name, preparation)


class ExpectedCard(Card):
    """Data sets that lie beside the model; whether its answers are theirs."""

    asked = Signal()

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__(theme)
        self.check = button(theme, "Check")
        self.verdict = Elided(f"{units.plural(len(names), 'data set')} beside the model")
        self.lines = wrapped("", "caption")
        head = row(label("Expected outputs", "heading"), self.verdict, self.check)
        head.setStretch(1, 1)
        self.body.addLayout(head)
        self.body.addWidget(self.lines)
        self.lines.hide()
        self.check.clicked.connect(self.asked)
        self.setHidden(not names)

    def show_checked(self, found: Sequence[Checked]) -> None:
        """Show how it went: what failed first."""
        failed = sum(not checked.passed for checked in found)
        sets = units.plural(len(found), "data set")
        self.verdict.set_text(f"{failed} of {sets} differ" if failed else f"Passed: {sets}")
        lines = [
            f"{'Passed' if checked.passed else 'Differs'} · {checked.name} · {line}"
            for checked in sorted(found, key=lambda checked: checked.passed)
            for line in checked.lines
        ]
        self.lines.setText(units.clip("\n".join(lines[:12]), 2000))
        self.lines.show()
