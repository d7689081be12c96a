"""The layers that add most to the error of a candidate, with everything changed at once."""

from inspector.pages.improvement import layer_errors
from inspector.report.improvement import Candidate
from inspector.ui.translate import tr
from inspector.ui.widgets.table_card import PageTableCard
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Count, Sentence

_FIRST_ROWS = 5


class LayerErrorsCard(PageTableCard):
    """Hidden where a candidate's layers were not compared or none differs."""

    def __init__(self, theme: Theme) -> None:
        title = tr("Layers with the largest errors")
        super().__init__(theme, title, title, first_rows=_FIRST_ROWS)
        self.hide()

    def show_candidate(self, candidate: Candidate | None) -> None:
        """Show the layers of a candidate; None: of none."""
        table = layer_errors(candidate)
        self.setVisible(bool(table.rows))
        if candidate is None or table == self.model.table:
            return
        every = Count(len(candidate.layers), "layer")
        aside = Sentence(
            "{worst} of {every} compared with the original", Count(len(table.rows)), every
        )
        self.show_table(table, aside)
