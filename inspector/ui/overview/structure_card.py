"""Scopes of a model with sums: where its layers, arithmetic and weights are."""

from PySide6.QtCore import Signal

from inspector import units
from inspector.ui.estimating import Estimating
from inspector.ui.kit.parts import Card, Segmented, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.overview.scope_tree import ScopeTree


class StructureCard(Card):
    """The tree of scopes; a click on a name looks for its layers."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, work: Estimating) -> None:
        super().__init__(theme)
        self._work = work
        self.measure = Segmented(theme, ("MACs", "Weights"), 72)
        self.measure.setAccessibleName("What the bars show")
        self._caption = label("", "caption")
        self.tree = ScopeTree(theme)
        self.body.setSpacing(4)
        self.body.addLayout(
            row(label("Structure", "heading"), self._caption, None, self.measure)
        )
        self.body.addSpacing(2)
        self.body.addWidget(self.tree)
        self.body.addStretch(1)
        self.measure.chosen.connect(self.tree.show_measure)
        self.tree.chosen.connect(self.chosen)
        work.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        found = self._work.estimate
        whole = found.structure if found is not None else None
        if found is not None and whole is not None:
            alike = [child for child in whole.children if child.alike > 1]
            rows = f" · {units.plural(len(alike), 'row')} of identical blocks" if alike else ""
            self._caption.setText(f"{units.plural(len(whole.children), 'scope')}{rows}")
            self.tree.show_tree(whole, found.lengths)
        self.setVisible(whole is not None and bool(whole.children))
