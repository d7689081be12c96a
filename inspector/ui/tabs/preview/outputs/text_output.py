"""An output that is text in numbers: the text, what may follow, and a button to write on."""

from statistics import median

from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.results import Class, Classes
from inspector.preview.runs.generation import MOST, Generated, Token
from inspector.ui import commands, units
from inspector.ui.tabs.preview.outputs.class_bars import ClassBars
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import button, label, row, wrapped
from inspector.ui.widgets.theme import Theme

FIRST = 24


class GeneratedTextBody(QWidget):
    """Lets the model write a number of tokens on, and cancels while it does."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._writing = False
        self._tokens: list[Token] = []
        self.text = wrapped("", "title")
        self._note = wrapped("", "caption")
        self._following = label(tr("Likely next tokens"), "section")
        self.bars = ClassBars(theme)
        self.write = button(theme, tr("Continue text"), "play", then=self._write_or_stop)
        self.count = NumberField(tr("Tokens to generate"), MOST)
        self.count.setValue(FIRST)
        self.count.setMinimum(1)
        self.written, self.pace = wrapped(""), wrapped("", "caption")
        self._line = QWidget()
        row(self.write, self.count, label(tr("tokens"), "secondary"), None, on=self._line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.text, self._note, self._following, self.bars, self._line,
                     self.written, self.pace):  # fmt: skip
            column.addWidget(part)
        self._show_written("")

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        decoded = reading.decoded_text
        assert decoded is not None, "only an output that reads as text gets here"
        shown = "\n".join(line or "(nothing)" for line in decoded.lines)
        self.text.setText(units.clip(shown, 4000))
        self._note.setText(units.capitalized(decoded.note))
        self._note.setVisible(bool(decoded.note))
        top = tuple(Class(n, text, share, share) for n, text, share in decoded.following)
        for part in (self._following, self.bars):
            part.setVisible(bool(top))
        if top:
            self.bars.show_classes((Classes(top, len(top), False, shares=True),), False)
        self._line.setVisible(reading.writes)
        if not self._writing:
            self._show_written("")

    def add(self, token: Token) -> None:
        """Show one more token."""
        self._tokens.append(token)
        self._show_written("".join(_spaced(token.text) for token in self._tokens).strip())

    def end(self, outcome: Generated | InspectorError | None) -> None:
        """Show all that was written, or why it ended; None: it was stopped."""
        self._writing = False
        self.write.setText(tr(" Continue text"))
        if isinstance(outcome, InspectorError):
            self.pace.setText(f"{outcome.what}: {outcome.why}. {outcome.hint}")
        elif outcome is not None:
            self._show_written(outcome.text)
            # The first one took the whole prompt.
            further = [token.prediction_ns for token in outcome.tokens[1:]]
            each = units.duration(round(median(further)) if further else outcome.first_token_ns)
            text = (
                tr("with a key-value cache")
                if outcome.cached
                else tr("without a key-value cache")
            )
            over = tr("; end of text") if outcome.ended else ""
            number = plural(len(outcome.tokens), "token")
            self.pace.setText(
                tr("{number}, {each} each, {value}{over}").format(
                    number=number, each=each, value=text, over=over
                )
            )
        else:
            self.pace.setText(
                tr("Stopped after {token_count}").format(
                    token_count=plural(len(self._tokens), "token")
                )
            )
        self.pace.show()

    def _write_or_stop(self) -> None:
        """Ask for a continuation of the text, or cancel the one that is being written."""
        if self._writing:
            commands.run(self, "cancel")
            return
        self._writing, self._tokens = True, []
        self.write.setText(tr(" Stop"))
        self._show_written("…")
        commands.run(self, "preview/write", self.count.value())

    def _show_written(self, text: str) -> None:
        self.written.setText(units.clip(text, 20_000))
        self.written.setVisible(bool(text))
        self.pace.setVisible(False)


def _spaced(piece: str) -> str:
    """A piece as it follows others; whole words that begin with a letter stand apart."""
    return piece if piece[:1].isspace() or not piece[:1].isalnum() else f" {piece}"
