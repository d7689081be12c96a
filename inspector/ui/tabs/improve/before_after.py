"""Before and after: each number of the original beside that of the changed model."""

from inspector.pages.lists.before_after import before_after
from inspector.report.improvement import Candidate, Improvement
from inspector.ui import units
from inspector.ui.translate import tr
from inspector.ui.widgets.table_card import PageTableCard
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Sentence


class BeforeAfterCard(PageTableCard):
    """The table in a card; says what is measured on what."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Before and after"), tr("Before and after"))

    def show_candidate(
        self, now: Improvement, candidate: Candidate, again: bool = False
    ) -> None:
        """Show the numbers of a candidate beside the original's. again: it is run anew."""
        device = units.device(now.device)
        outdated = Sentence("{device} · previous run", device)
        self.show_table(before_after(now, candidate, again), outdated if again else device)
