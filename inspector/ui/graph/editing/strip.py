"""The strip below the graph in edit mode: how many edits, whether they run, and saving."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector.app.changing.editing import EditState
from inspector.ui import commands, units
from inspector.ui.documents.edits.editing import Editing
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import Elided, add_to, button, follow, label
from inspector.ui.widgets.theme import Painted, Theme, qt_color

HEIGHT_PX = 48
_NOTE_PX = 40  # of the strip, for the note beside buttons with words
_SIGN_PX = 16
_TEXTS = {
    EditState.UNEDITED: "",
    EditState.CHECKING: mark("Checking…"),
    EditState.RUNS: mark("Checked: loads and runs"),
    EditState.LOADS: mark("Loads; run not checked"),
    EditState.STOPS: mark("Loads but does not run"),
    EditState.FAILS: mark("Does not load"),
    EditState.UNCHECKED: mark("Not checked"),
}
_CHECK = (QPointF(3.4, 6.8), QPointF(5.6, 9.0), QPointF(9.6, 4.4))
_CROSS = ((QPointF(4, 4), QPointF(9, 9)), (QPointF(9, 4), QPointF(4, 9)))
# The sign of each state: how it is drawn, and its color.
_SIGNS = {
    EditState.RUNS: ("check", "good"), EditState.LOADS: ("check", "secondary"),
    EditState.STOPS: ("cross", "bad"), EditState.FAILS: ("cross", "bad"),
    EditState.CHECKING: ("ring", "accent"), EditState.UNCHECKED: ("ring", "caution"),
}  # fmt: skip


def verdict_text(editing: Editing) -> str:
    """Return what is known of the edited model, with the layer that fails."""
    verdict, layers = editing.verdict, editing.model.layers
    text = tr(_TEXTS[verdict.state])
    if verdict.layer is not None and verdict.layer < len(layers):
        name = units.clip_name(layers[verdict.layer].label, 60)
        text = tr("{text}: {name}").format(text=text, name=name)
    if verdict.before:
        text = tr("{text}, as before the edits").format(text=text)
    return text


class CheckSign(Painted):
    """A disc with a check or a cross, or a dashed ring, for what is known of an edit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._sign = ("", "")
        self.setFixedSize(_SIGN_PX, _SIGN_PX)

    def show_state(self, state: EditState) -> None:
        """Show another state; nothing of an unedited model."""
        self._sign = _SIGNS.get(state, ("", ""))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sign."""
        sign, role = self._sign
        if not sign:
            return
        look = self._theme.palette
        tint = qt_color(getattr(look, role))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        if sign == "ring":
            pen = QPen(tint, 1.6)
            pen.setDashPattern([2.0, 1.6])
            painter.setPen(pen)
            painter.drawEllipse(disc)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint)
        painter.drawEllipse(disc)
        painter.setPen(QPen(qt_color(look.on_unit), 1.6))
        if sign == "check":
            painter.drawPolyline([disc.topLeft() + p for p in _CHECK])
        else:
            (a, b), (c, d) = _CROSS
            painter.drawLine(disc.topLeft() + a, disc.topLeft() + b)
            painter.drawLine(disc.topLeft() + c, disc.topLeft() + d)


class EditStrip(QWidget):
    """Shows the verdict on all edits, and what can be done with them.

    remedy_asked: the button beside the verdict was pressed: it checks, or undoes what fails.
    """

    remedy_asked = Signal()
    compare_asked = Signal()

    def __init__(self, theme: Theme, editing: Editing) -> None:
        super().__init__()
        self._theme, self._editing = theme, editing
        self._preview = ""
        self.setObjectName("edits")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT_PX)
        self.count = label("", "heading")
        self.sign = CheckSign(theme)
        self.verdict = Elided("", "value")
        self.verdict.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.note = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.open = button(theme, tr("Open the copy"))
        self.remedy = button(theme, "", then=self.remedy_asked)
        self.compare = button(theme, tr("Compare"), "compare", then=self.compare_asked)
        self.undo = button(theme, tr("Undo"), "undo", then=commands.runner(self, "undo"))
        self.redo = button(theme, tr("Redo"), "redo", then=commands.runner(self, "redo"))
        self.save = button(theme, tr("Save a copy as…"), primary=True)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self.count)
        add_to(row, self.sign, self.verdict, (self.note, 1))
        add_to(row, self.remedy, self.open, self.compare, self.undo, self.redo, self.save)
        self.open.clicked.connect(lambda: commands.run(self, "open", editing.copy))
        self.save.clicked.connect(commands.runner(self, "save-copy"))
        follow(theme, self, self._dress)
        self.refresh()

    def show_preview(self, text: str) -> None:
        """Say what the preview is, or why something cannot be done; "" for no preview."""
        self._preview = text
        self.refresh()

    def refresh(self) -> None:
        """Show what is known of the edits now."""
        editing = self._editing
        verdict, count = editing.verdict, len(editing.steps)
        self.count.setText(plural(count, "edit") if count else tr("No edits yet"))
        self.sign.setVisible(bool(count))
        self.sign.show_state(verdict.state)
        text = verdict_text(editing) if count else ""
        self.sign.setAccessibleName(text)
        self.verdict.set_text(text)
        self.verdict.setVisible(bool(text))
        copy = editing.copy
        hint = "" if count else tr("Right-click a layer, an input or an output")
        if copy is not None:
            hint = tr("Saved as {name}").format(name=units.clip(copy.name, 60))
        self.note.set_text(self._preview or hint)
        self.open.setVisible(copy is not None)
        remedy = ""
        if verdict.state in (EditState.STOPS, EditState.FAILS):
            remedy = tr("Undo edit {number}").format(number=count)
        elif verdict.state in (EditState.UNCHECKED, EditState.LOADS):
            remedy = tr("Check now")
        elif verdict.state is EditState.CHECKING:
            remedy = tr("Stop checking")
        self.remedy.setText(remedy)
        self.remedy.setVisible(bool(remedy) and bool(count))
        self.compare.setEnabled(bool(count))
        self.undo.setEnabled(editing.can_undo)
        self.redo.setEnabled(editing.can_redo)
        self.save.setEnabled(bool(count))
        self._fit_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the words of all buttons where there is room."""
        super().resizeEvent(event)
        self._fit_words()

    def _fit_words(self) -> None:
        """Leave out the words beside signs where buttons need more room in a language."""
        worded = (
            (self.compare, tr("Compare")),
            (self.undo, tr("Undo")),
            (self.redo, tr("Redo")),
        )
        for wide in (True, False):
            for made, text in worded:
                made.setText(text if wide else "")
                made.setAccessibleName(text)
                made.setToolTip("" if wide else text)
            if self._row.minimumSize().width() + _NOTE_PX <= self.width():
                break

    def _dress(self) -> None:
        look = self._theme.palette
        self.setStyleSheet(
            f"#edits {{ background: {look.bar}; border-top: 1px solid {look.border}; }}"
        )
