"""Before and after: each number of the original beside that of the changed model."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent

from inspector import units
from inspector.experiments.conversion import KERNELS
from inspector.report.improvement import (
    FEWER,
    MORE,
    Accuracy,
    Candidate,
    Improvement,
    Latency,
    TargetLayers,
    value_text,
)
from inspector.statistics.significance import Verdict
from inspector.ui.translate import mark, plural, tr, tr_message
from inspector.ui.widgets.parts import PADDING, Card, Elided, label, row, tip
from inspector.ui.widgets.table import INSET, Cells, Table
from inspector.ui.widgets.table_model import Keys, TableModel
from inspector.ui.widgets.theme import Theme, font

GOOD, CAUTION = "good", "caution"
_MOST_ROWS = 18
_ALWAYS_NAMED, _MOST_TARGETS = 2, 4  # other devices: phones come first
_NOTICEABLE = 0.01  # a change that is smaller than this has no color
_NUMBER_PX, _CHANGE_PX, _NAME_PX = 66, 90, 110  # at least
_NONE = "–"
_LATENCY_HINT = mark("Interleaved runs, which cancel out changes in CPU speed: {verdict}.")
_SQNR_HINT = mark(
    "Signal-to-quantization-noise ratio: how much larger the original's outputs are than the "
    "error of the new ones. 20 dB is an error of 10%, 40 dB one of 1%."
)
_LOAD_HINT = mark(
    "The first load in a new process, measured once per model. Preview shows a shorter time "
    "because its process has already loaded the runtime and read the file."
)


class Column(StrEnum):
    """A column of the table."""

    NAME = mark("Metric")
    ORIGINAL = mark("Original")
    RECIPE = mark("Recipe")
    CHANGE = mark("Change")

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self is not Column.NAME

    @property
    def largest_first(self) -> bool:
        """Whether a first click sorts downwards; the rows are never sorted."""
        return False


@dataclass(frozen=True, slots=True)
class Pair:
    """One number before and after; tone: GOOD, CAUTION or "" of the change.

    hint: what a cell has no room for.
    """

    name: str
    original: str
    recipe: str
    change: str = ""
    tone: str = ""
    hint: str = ""


def pairs(now: Improvement, candidate: Candidate) -> tuple[Pair, ...]:
    """Return the rows for a candidate: accuracy, latency, size, memory, levels, devices."""
    rows = [_accuracy(measure) for measure in candidate.accuracy]
    after = candidate.latency
    if after is not None:
        before = after.original
        rows += _latencies(after, before)
        load = before.load_ns if before is not None else None
        loads = _ratio(tr("Load in a new process"), load, after.load_ns, units.duration)
        # Measured once, so nothing says how sure it is: it has no color.
        rows += [replace(pair, tone="", hint=tr(_LOAD_HINT)) for pair in loads]
    size = candidate.size_bytes
    sizes = _ratio(tr("File size"), now.original.size_bytes, size, units.size)
    rows += [replace(pair, change=_whole_percent(now, candidate)) for pair in sizes]
    peaks = candidate.original_peak_bytes, candidate.peak_bytes
    rows += _ratio(tr("Peak process memory"), *peaks, units.size)
    both = (tr("{count} of {every}").format(count=each.levels, every=each.of_levels)
            for each in (now.original, candidate))  # fmt: skip
    of_litert = candidate.of_levels == len(KERNELS)
    title = (
        tr("Runs with and without XNNPACK") if of_litert else tr("Runs at optimization levels")
    )
    rows.append(Pair(title, *both))
    fewer = (each for each in candidate.targets[_ALWAYS_NAMED:] if each.change == FEWER)
    targets = (*candidate.targets[:_ALWAYS_NAMED], *fewer)[:_MOST_TARGETS]
    return (*rows, *map(_target, targets))


def _latencies(after: Latency, before: Latency | None) -> list[Pair]:
    """Return the rows of the latency; the verdict is that of interleaved runs."""
    p50, p95 = (before.p50_ns, before.p95_ns) if before is not None else (None, None)
    rows = _ratio(tr("Latency, median"), p50, after.p50_ns, units.duration)
    judgement = after.judgement
    if judgement is not None and after.known_change is None:
        rows = [replace(each, change=tr("inconclusive"), tone="") for each in rows]
    elif judgement is not None:
        sure = judgement.verdict in (Verdict.FASTER, Verdict.SLOWER)
        hint = tr(_LATENCY_HINT).format(verdict=tr_message(judgement.text()))
        tone = _tone(judgement.ratio) if sure else ""
        rows = [replace(rows[0], tone=tone, hint=hint)]
    # Nothing says how sure this is, so it has no color.
    late = _ratio(tr("Latency, p95 of all runs"), p95, after.p95_ns, units.duration)
    return rows + [replace(pair, tone="") for pair in late]


def _target(layers: TargetLayers) -> Pair:
    unknown = tr("unknown")
    words = {FEWER: tr("fewer layers"), MORE: tr("more layers")}
    tone = {FEWER: CAUTION, MORE: GOOD}.get(layers.change, "")
    hint = tr("Layers that are known to run there, from support tables; nothing was run.")
    if layers.unchecked:
        text = tr("{layers} could not be checked.")
        hint += " " + text.format(layers=plural(layers.unchecked, "layer"))
    both = layers.before or unknown, layers.after or unknown
    return Pair(layers.target, *both, words.get(layers.change, ""), tone, hint)


def _accuracy(measure: Accuracy) -> Pair:
    value = value_text(measure)
    if measure.original is None:
        hint = tr(_SQNR_HINT) if measure.id == "sqnr_db" else ""
        return Pair(measure.name, _NONE, value, plural(measure.count, "input"), hint=hint)
    points = f"{100 * (measure.change or 0.0):+.2f}".replace("-", "−")
    change = tr("{points} points").format(points=points)
    return Pair(measure.name, value_text(measure, measure.original), value, change)


def _ratio(
    name: str, before: float | None, after: float | None, write: Callable[[float], str]
) -> list[Pair]:
    if not after:
        return []
    if not before:
        return [Pair(name, _NONE, write(after))]
    ratio = after / before
    return [Pair(name, write(before), write(after), units.change(ratio), _tone(ratio))]


def _whole_percent(now: Improvement, candidate: Candidate) -> str:
    """Return the change of the size as the headline gives it, without decimals."""
    before = now.original.size_bytes
    change = candidate.size_bytes / before - 1 if before else 0.0
    return f"{change:+.0%}".replace("-", "−") if before else ""


def _tone(ratio: float | None) -> str:
    """Return the color of a change of something that should be small."""
    if ratio is None or abs(ratio - 1) < _NOTICEABLE:
        return ""
    return GOOD if ratio < 1 else CAUTION


class _Model(TableModel[Column]):
    """The rows, always in one order."""

    def __init__(self) -> None:
        super().__init__(tuple(Column), 0)
        self.pairs: tuple[Pair, ...] = ()
        self.outdated = False

    def show_pairs(self, shown: Sequence[Pair], outdated: bool = False) -> None:
        """Show other rows. outdated: whether the recipe is being run again."""
        self.pairs, self.outdated = tuple(shown), outdated
        self.start_over(len(shown))

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        pair = self.pairs[row]
        return {
            Column.NAME: pair.name,
            Column.ORIGINAL: pair.original,
            Column.RECIPE: pair.recipe,
            Column.CHANGE: pair.change,
        }[column]

    def hint(self, row: int, column: Column) -> str:
        """Return what a row has no room for."""
        pair = self.pairs[row]
        return tip(pair.name, pair.hint) if pair.hint else super().hint(row, column)

    def keys(self, column: Column) -> Keys:
        """Return the places: the order of the rows says what matters most."""
        return np.arange(len(self.pairs))

    def turn(self, column: int) -> None:
        """Change nothing."""

    def haystack(self) -> Sequence[str]:
        """Return the names."""
        return [pair.name.casefold() for pair in self.pairs]

    def widths(self) -> tuple[int, int, int]:
        """Return the pixels that the columns of numbers need."""
        bold = QFontMetrics(font(12, 600))

        def needed(least: int, texts: Iterable[str]) -> int:
            return max(least, *(bold.horizontalAdvance(text) + 2 * INSET + 1 for text in texts))

        return (
            needed(_NUMBER_PX, (tr(Column.ORIGINAL), *(each.original for each in self.pairs))),
            needed(_NUMBER_PX, (tr(Column.RECIPE), *(each.recipe for each in self.pairs))),
            needed(_CHANGE_PX, (tr(Column.CHANGE), *(each.change for each in self.pairs))),
        )


class _Cells(Cells[Column]):
    """Draws the new value in semibold, and its change by what it means."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: _Model) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw one cell."""
        look, pair = self._theme.palette, self._model.pairs[row]
        strong = column is Column.RECIPE or (column is Column.CHANGE and bool(pair.tone))
        tint = look.secondary if column is Column.ORIGINAL else look.text
        if column is Column.CHANGE:
            tint = {GOOD: look.good, CAUTION: look.caution}.get(pair.tone, look.secondary)
        if self._model.outdated:
            tint, strong = look.tertiary, False
        painter.setFont(font(12, 600 if strong else 400))
        text = self._model.text(row, column)
        self.draw_text(painter, box, text, look.on_selection if chosen else tint, column)


class BeforeAfterCard(Card):
    """The table in a card; says what is measured on what."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=1)
        self.model = _Model()
        self.table = Table(theme, tr("Before and after"), self.model, _Cells(theme, self.model))
        self.table.horizontalHeader().setSectionsClickable(False)
        self.table.lay_flat(_MOST_ROWS)
        self.about = Elided("", "secondary")
        head = row(label(tr("Before and after"), "heading"), 4, self.about, stretch=2)
        head.setContentsMargins(PADDING - 1, 10, PADDING - 1, 10)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self.table)
        self.body.addStretch(1)
        self.body.setContentsMargins(1, 1, 1, 8)

    def show_candidate(
        self, now: Improvement, candidate: Candidate, again: bool = False
    ) -> None:
        """Show the numbers of a candidate beside the original's. again: it is run anew."""
        self.model.show_pairs(pairs(now, candidate), again)
        self._fit()
        device = units.device(now.device)
        text = tr("{device} · previous run").format(device=device) if again else device
        self.about.set_text(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names what is over."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        numbers = self.model.widths()
        self.table.place_columns((max(_NAME_PX, self.width() - 2 - sum(numbers)), *numbers))
