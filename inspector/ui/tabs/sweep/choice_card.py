"""Models of a sweep, and reports beside them: which one to take."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt

from inspector.analysis.measured.sweep_results import Candidate
from inspector.errors import InspectorError
from inspector.pages.blocks import Chart
from inspector.pages.charts.sweep_plot import choice_plot
from inspector.report import report as reports
from inspector.ui.documents import file_dialogs
from inspector.ui.translate import tr
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.parts import Card, Elided, button, label, row
from inspector.ui.widgets.theme import Theme


class ChoiceCard(Card):
    """Models and reports by size, latency and agreement; filled ones lie on the front."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.others: tuple[Candidate, ...] = ()
        self.mine: tuple[Candidate, ...] = ()
        self.words = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.add = button(theme, tr("Add reports…"), "plus", role="link", then=self._choose)
        self.view = ChartView(theme)
        self.body.addLayout(
            row(label(tr("Compare models"), "heading"), 4, self.words, self.add, stretch=2)
        )
        self.body.addWidget(self.view)

    def show_candidates(self, own: Sequence[Candidate]) -> None:
        """Show the models of a sweep, beside the reports that were added."""
        self.mine = tuple(own)
        self._draw()

    def add_reports(self, paths: Sequence[Path]) -> None:
        """Add what reports say; one that is none says so in the line above."""
        try:
            loaded = [reports.load(path) for path in paths]
        except InspectorError as error:
            self.words.set_text(f"{error.what}: {error.why}")
            return
        self.words.set_text("")
        self.others += tuple(
            Candidate(one.model.name, one.model.size_bytes, one.median_ns)
            for one in loaded
            if one.prediction_ns
        )
        self._draw()

    def _choose(self) -> None:
        paths = file_dialogs.ask_files(self, tr("Add reports"), tr("Reports (*.json)"))
        self.add_reports(paths)

    def _draw(self) -> None:
        every = (*self.mine, *self.others)
        if every:
            draw = partial(choice_plot, every)
            self.view.show_chart(Chart("choice", draw, "Latency by model size"))
