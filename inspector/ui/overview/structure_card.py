"""Scopes of a model with sums: where its layers, arithmetic and weights are."""

from PySide6.QtCore import Qt, Signal

from inspector import units
from inspector.ui.documents.document import Document
from inspector.ui.kit.parts import Card, Elided, Segmented, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.overview.scope_tree import TIME, ScopeTree


class StructureCard(Card):
    """The tree of scopes; a click on a name looks for its layers."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._document, self._work = document, document.estimating
        self.measure = Segmented(theme, ("MACs", "Weights", "Time"), 68)
        self.measure.setAccessibleName("What the bars show")
        self._caption = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.tree = ScopeTree(theme)
        self.body.setSpacing(4)
        self.body.addLayout(
            row(label("Structure", "heading"), self._caption, self.measure, stretch=1)
        )
        self.body.addSpacing(2)
        self.body.addWidget(self.tree)
        self.body.addStretch(1)
        self.measure.chosen.connect(self.tree.show_measure)
        self.tree.chosen.connect(self.chosen)
        self._work.changed.connect(self._show)
        document.report_chosen.connect(self._show)
        self._show()

    def _show(self) -> None:
        found = self._work.estimate
        whole = found.structure if found is not None else None
        if found is not None and whole is not None:
            alike = [child for child in whole.children if child.alike > 1]
            rows = f" · {units.plural(len(alike), 'row')} of identical blocks" if alike else ""
            self._caption.set_text(f"{units.plural(len(whole.children), 'scope')}{rows}")
            self.tree.show_tree(whole, found.lengths)
        report = self._document.report
        self.tree.show_times({u.index: u.time_ns or 0 for u in report.layers} if report else {})
        self.measure.switch_off(frozenset() if report else frozenset({TIME}))
        self.setVisible(whole is not None and bool(whole.children))
