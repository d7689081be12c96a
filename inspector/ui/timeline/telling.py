"""What the pointer is told about a place of the lanes: a title and facts."""

from inspector import units
from inspector.ui.timeline import gutter, span_facts
from inspector.ui.timeline.gaps import gap_at
from inspector.ui.timeline.layout import Band, Scale
from inspector.ui.timeline.state import TimelineState

Told = tuple[str, span_facts.Facts]


def of_span(state: TimelineState, index: int, others: int) -> Told:
    """The facts of a span, or of a step of all predictions; `others` share its pixel."""
    span = state.traced.trace.span(index)
    overlaid = state.overlaid
    if overlaid is None:
        return span_facts.title(span), span_facts.facts(span, state.traced, others)
    return span_facts.title(span), overlaid.facts(state.place(index))


def of_band(state: TimelineState, band: Band, scale: Scale, x: float) -> Told | None:
    """A name that was cut, what a counter holds, or how long nothing happens; else nothing.

    What lies between the medians of all predictions was never measured.
    """
    title = units.clip(band.title, 80)
    if x < scale.left:
        what = "Highest here" if band.counter is not None else "Busy here"
        words = ((what, gutter.busy_words(band, scale)),)
        return (title, words) if gutter.is_cut(band, scale) else None
    instant = scale.instant(x)
    if band.counter is not None:
        value = band.counter.at(instant)
        held = "–" if value is None else gutter.counted(value, band.counter.unit)
        return title, (("Value", held), ("At", units.duration(instant)))
    measured = band.work if state.overlaid is None else None
    gap = None if measured is None else gap_at(measured, instant)
    if gap is None or gap[1] - gap[0] < 2 * scale.step_ns:
        return None
    begin, end = gap
    facts = (("From", units.duration(begin)), ("Until", units.duration(end)))
    return f"Nothing for {units.duration(end - begin)}", facts
