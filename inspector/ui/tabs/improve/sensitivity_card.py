"""The layers that a step harms most, and what keeping the worst of them in float gains."""

from inspector.conversion.registry import ACTIONS
from inspector.pages.sensitivity import sensitivity_table
from inspector.report.sensitivity import Sensitivity, decibels
from inspector.ui import units
from inspector.ui.documents.improving import Improving
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.page_table import EMPTY
from inspector.ui.widgets.parts import PADDING, Elided, button, label, row
from inspector.ui.widgets.table_card import PageTableCard
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Count, Sentence

_FIRST_ROWS = 8
_COUNTS = (1, 2, 4, 8, 16)  # of layers to keep, while nothing is known of their gain
_FIELD_PX = 190


class SensitivityCard(PageTableCard):
    """Hidden until layers are ranked; fills while they are."""

    def __init__(self, theme: Theme, improving: Improving) -> None:
        self._improving = improving
        self.title = Elided("", "heading")
        self.verdict = label("", "secondary", selectable=True, wraps=True)
        self.kept = ChoiceField(tr("Layers to keep in float"), (), ())
        self.kept.setFixedWidth(_FIELD_PX)
        self.keep_button = button(theme, tr("Keep in float"))
        name, fields = tr("Ranked layers"), (self.kept, self.keep_button)
        super().__init__(theme, self.title, name, EMPTY, None, *fields, first_rows=_FIRST_ROWS)
        text = row(self.verdict, margins=(PADDING - 1, 0, PADDING - 1, 8))
        self.body.insertLayout(1, text)
        self.keep_button.clicked.connect(self._keep)
        improving.ranked.connect(self._show)
        for signal in (improving.worked, improving.changed):
            signal.connect(self._show_states)
        self._show()

    def _show(self) -> None:
        state = self._improving.sensitivity
        self.setVisible(state is not None)
        if state is None:
            return
        action = tr(ACTIONS[state.action].title)
        self.title.set_text(tr("Layers most affected by {action}").format(action=action))
        counts = {"done": Count(len(state.layers)), "total": Count(state.total)}
        self.show_table(sensitivity_table(state), Sentence("{done} of {total}", **counts))
        inputs = plural(state.inputs, "calibration input")
        about = tr(
            "Each layer is quantized by itself, and the outputs are compared on {inputs}."
        )
        self.verdict.setText(
            " ".join((state.verdict or about.format(inputs=inputs), *state.notes))
        )
        self._fill_counts(state)
        self._show_states()

    def _fill_counts(self, state: Sensitivity) -> None:
        levels = {point.kept: point.sqnr_db for point in state.curve if point.kept}
        counts = [*levels] or [count for count in _COUNTS if count <= len(state.layers)]
        chosen = self.kept.value if self.kept.count() else ""
        self.kept.clear()
        for count in counts:
            text = plural(count, "layer")
            level = f" · {units.localized(decibels(levels[count]))}" if count in levels else ""
            self.kept.addItem(f"{text}{level}", str(count))
        best = str(max(1, state.best_kept)) if state.curve else chosen
        self.kept.setCurrentIndex(max(0, self.kept.findData(best)))

    def _show_states(self) -> None:
        improving, state = self._improving, self._improving.sensitivity
        fits = state is not None and any(s.action == state.action for s in improving.steps)
        able = fits and not improving.work and self.kept.count() > 0
        self.kept.setEnabled(able)
        self.keep_button.setEnabled(able)

    def _keep(self) -> None:
        self._improving.keep_in_float(int(self.kept.value))
