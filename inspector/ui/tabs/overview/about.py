"""A card with what the file of the model says of itself."""

import re

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from inspector.analysis.facts.model_facts import Facts
from inspector.model.model import Model
from inspector.pages.model import file
from inspector.ui.translate import tr
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import label, tool
from inspector.ui.widgets.theme import Theme

SHOWN_DIGITS = 12  # of the SHA-256
LINE = 26  # px, height


class FileCard(SectionCard):
    """What the file says of itself, and its digest, which can be copied."""

    def __init__(self, theme: Theme, model: Model, facts: Facts) -> None:
        super().__init__(theme, file.facts_section(model, facts, with_types=False))
        self.digest = DigestLine(theme)
        self.body.addWidget(self.digest)
        self.body.addStretch(1)


class DigestLine(QWidget):
    """The sha256: its beginning, and a button that copies the whole."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._digest = ""
        self.value = label(tr("Computing…"), "mono")
        self.copy: QToolButton = tool(theme, "copy", tr("Copy the full SHA-256"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._digest))
        self.copy.setEnabled(False)
        layout = _two_ends(self, tr("SHA-256"))
        layout.addWidget(self.value)
        layout.addWidget(self.copy)
        layout.setContentsMargins(0, 0, 0, 0)

    def show_digest(self, digest: str) -> None:
        """Show it once it is known."""
        self._digest = digest
        self.value.setText(f"{digest[:SHOWN_DIGITS]}…")
        self.value.setToolTip(digest)
        self.copy.setEnabled(True)


def with_opset(text: str) -> str:
    """Return a requirement in ONNX's notation: "opset 17", "BatchNormalization-15"."""
    text = re.sub(r" \((?:of )?(?:operator set|opset) (\d+)\)", r"-\1", text)
    return text.replace("operator set", "opset")


def wrapped(text: str, role: str = "secondary") -> QLabel:
    """Return a label that wraps its text; a very long word cannot widen the page."""
    made = label(text, role, selectable=True)
    made.setWordWrap(True)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made


def _two_ends(widget: QWidget, name: str) -> QHBoxLayout:
    widget.setFixedHeight(LINE)
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    key = label(name, "secondary")
    layout.addWidget(key)
    layout.addStretch(0)
    return layout
