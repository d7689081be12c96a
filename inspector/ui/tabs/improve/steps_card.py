"""What each step of a recipe did: layers, size, time and error of the model after it."""

from inspector.pages.recipe_steps import AFTER_STEPS, STEPS_ASIDE, step_table
from inspector.report.improvement import Candidate
from inspector.ui.translate import tr
from inspector.ui.widgets.table_card import PageTableCard
from inspector.ui.widgets.theme import Theme


class StepsCard(PageTableCard):
    """Hidden where a recipe has a single step."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr(AFTER_STEPS), tr(AFTER_STEPS))
        self.hide()

    def show_candidate(self, candidate: Candidate | None) -> None:
        """Show the steps of a candidate; None: of none."""
        table = step_table(candidate.after_steps if candidate is not None else ())
        self.setVisible(bool(table.rows))
        if table != self.model.table:
            self.show_table(table, STEPS_ASIDE)
