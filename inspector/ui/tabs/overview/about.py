"""A card with the format, origin and requirements of the model."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from inspector import units
from inspector.analysis.facts.model_facts import Facts, shared_weights
from inspector.formats import model_formats
from inspector.model.axes import free_axes
from inspector.model.model import Model
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, Elided, label, tool
from inspector.ui.widgets.theme import Theme

_TELLING = ("description", "model_description", "task", "short_description", "summary")
SHOWN_DIGITS, LINE = 12, 26


def description(model: Model) -> str:
    """Return what the file says it is for: its documentation, or metadata that describe it."""
    metadata = {key.lower().rpartition(".")[2]: value for key, value in model.metadata}
    named = next((metadata[key] for key in _TELLING if metadata.get(key)), "")
    return units.clip(" ".join((model.doc or named).split()), 280)


class AboutCard(Card):
    """Name, description, and one line for each fact of the file."""

    def __init__(self, theme: Theme, model: Model, facts: Facts) -> None:
        super().__init__(theme)
        self._theme = theme
        self.digest = DigestLine(theme)
        self.body.setSpacing(0)
        self.body.addWidget(Elided(model.name, "heading"))
        descriptions = description(model)
        if descriptions:
            self.body.addSpacing(4)
            self.body.addWidget(wrapped(descriptions))
        self.body.addSpacing(8)
        for name, value in (*about(model), *needs(facts)):
            self.body.addWidget(line(name, value))
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


def about(model: Model) -> tuple[tuple[str, str], ...]:
    """Names and values of what the file tells about itself, without what it leaves empty."""
    opsets = ", ".join(f"{o.domain or 'ai.onnx'} {o.version}" for o in model.opsets)
    producer = " ".join(filter(None, (model.producer, model.producer_version)))
    origin = " ".join(
        filter(
            None,
            (
                model.domain,
                tr("version {version}").format(version=model.version) * (model.version != 0),
            ),
        )
    )
    details = model.details
    facts = (
        (tr("File size"), units.size(model.size_bytes)),
        (
            tr("Format"),
            model.format_text,
        ),
        (tr("Opsets"), opsets),
        (tr("Producer"), producer),
        (tr("Model domain"), origin),
        (tr("Graph"), model.graph_name),
        (tr("Dynamic axes"), _dynamic_axes(model)),
        (tr("Functions"), ", ".join(f.name for f in model.functions)),
        (tr("Shared weights"), shared_weights(model)),
        (tr("Runs with"), model_formats.runs_with(model.format)),
        (tr("Needs"), details.needs if details is not None else ""),
        (tr("Required by"), details.reason if details is not None else ""),
        *(details.facts if details is not None else ()),
    )
    return tuple((name, value) for name, value in facts if value)


def _dynamic_axes(model: Model) -> str:
    """Return the names of the dynamic input axes; "none" where all lengths are fixed."""
    axes = free_axes(model.inputs)
    return units.clip(", ".join(axes), 120) if axes else tr("none") * bool(model.inputs)


def needs(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Names and values of what the model asks of the runtime, and what asks for it."""
    if not facts.requirements.needs:  # of a format that is not ONNX Runtime's
        return ()
    needed, by_operators = facts.requirements, facts.requirements.by_operators
    release = needed.runtime or needed.elsewhere
    runtime = f"{needed.program} {release}" if release else tr("not released yet")
    if needed.elsewhere:
        runtime = tr("{runtime}, not on a CPU").format(runtime=runtime)
    lines = [(tr("Minimum runtime"), runtime)]
    if needed.reason:
        lines.append((tr("Required by"), with_opset(needed.reason)))
    if by_operators is not None and by_operators.runtime != needed.runtime:
        since = (
            f"{needed.program} {by_operators.runtime}+"
            if by_operators.runtime
            else tr("none yet")
        )
        lines.append((tr("Newest operator"), f"{with_opset(by_operators.subject)} ({since})"))
    return tuple(lines)


def with_opset(text: str) -> str:
    """Return a requirement in ONNX's notation: "opset 17", "BatchNormalization-15"."""
    text = re.sub(r" \((?:of )?(?:operator set|opset) (\d+)\)", r"-\1", text)
    return text.replace("operator set", "opset")


def line(name: str, value: str) -> QWidget:
    """One line: name at the left, value at the right."""
    made = QWidget()
    shown = Elided(value, "value")
    shown.setAlignment(Qt.AlignmentFlag.AlignRight)
    layout = _two_ends(made, name)
    layout.addWidget(shown, 1)
    return made


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
