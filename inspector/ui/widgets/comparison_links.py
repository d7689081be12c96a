"""Links between the ways to compare, which answer different questions."""

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from inspector.ui import commands
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import button, label, row
from inspector.ui.widgets.theme import Theme

MODELS = "models"
REPORTS = "reports"
OUTPUTS = "outputs"
LAYERS = "layers"
ACCURACY = "accuracy"  # of outputs, for the files of a folder


class ComparisonKind(Struct, frozen=True):
    """A way to compare: its command in the menu, the link to it, and what it answers."""

    command: str
    link: str
    answers: str


COMPARISONS = {
    MODELS: ComparisonKind(
        mark("Compare models…"),
        mark("Models"),
        mark("Graphs, weights and metadata of two models, side by side"),
    ),
    REPORTS: ComparisonKind(
        mark("Compare measurements…"),
        mark("Reports"),
        mark("Measured latency of two open reports, in total and layer by layer"),
    ),
    OUTPUTS: ComparisonKind(
        mark("Compare outputs…"),
        mark("Outputs"),
        mark("Outputs for the same input with another device, model or setting"),
    ),
    LAYERS: ComparisonKind(
        mark("Compare layers…"),
        mark("Layer outputs"),  # Compare measurements has a tab "Layers", of times
        mark("Output of every layer, to find the first one that differs between two runs"),
    ),
}


class ComparisonLinks(QWidget):
    """One line: "Compare instead: Models, Reports", without the way that is shown."""

    def __init__(self, theme: Theme, here: str) -> None:
        super().__init__()
        self.links = {}
        line = row(label(tr("Compare instead:"), "caption"), on=self, spacing=10)
        for id_, kind in COMPARISONS.items():
            if id_ == here:
                continue
            link = self.links[id_] = button(theme, tr(kind.link))
            link.setProperty("role", "link")
            link.setToolTip(tr(kind.answers))
            link.setAccessibleName(tr(kind.command).removesuffix("…").rstrip())
            link.clicked.connect(commands.runner(self, f"compare/{id_}"))
            line.addWidget(link)
        line.addStretch(1)
