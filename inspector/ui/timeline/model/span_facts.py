"""Facts on one span, for the hover card and for screen readers."""

from inspector.trace.trace import Kind, Lane, NamedLayer, Span, TraceSource, Track
from inspector.ui import units
from inspector.ui.translate import mark, plural, tr

Facts = tuple[tuple[str, str], ...]
NOTHING = mark("No event selected; press [ or ] to step through events")
_KINDS = {
    Kind.CALL: mark("Runtime call"),
    Kind.CHECK: mark("Check"),
    Kind.COPY: mark("Copy"),
    Kind.CAST: mark("Cast"),
    Kind.LAYOUT: mark("Layout conversion"),
    Kind.KERNEL: mark("Kernel"),
    Kind.PARTITION: mark("Partition"),
    Kind.EVENT: mark("Event"),
    Kind.WAIT: mark("Device wait and copy"),
}


def title(span: Span) -> str:
    """The name of a span, short enough for one line."""
    return units.clip_name(span.name, 80) or tr(_KINDS[span.kind])


def facts(span: Span, traced: TraceSource, others: int = 0) -> Facts:
    """Return pairs of label and value; `others` are spans too close to be told apart."""
    layer = layer_of(traced, span.layer)
    rows = [(tr("Duration"), units.duration(span.duration_ns))]
    if layer is not None and layer.time_ns and span.kind is Kind.KERNEL:
        rows.append((tr("Median of the layer"), units.duration(layer.time_ns)))
    rows += [(tr("Start"), units.duration(span.start_ns)), (tr("Kind"), tr(_KINDS[span.kind]))]
    if layer is not None:
        rows.append(
            (
                tr("Layer"),
                f"{layer.index} · {units.clip_name(layer.name or layer.operator, 80)}",
            )
        )
        rows.append((tr("Operator"), units.clip(layer.operator, 40)))
    if span.track.lane is Lane.COMPUTE:
        rows.append((tr("Device"), units.clip(_device(span.track), 40)))
    elif span.kind is Kind.EVENT:
        rows.append((tr("Track"), units.clip(span.track.name, 40)))
    if span.size_bytes:
        rows.append((tr("Copied"), units.size(span.size_bytes)))
    if span.run is not None:
        rows.append((tr("Run"), units.number(span.run + 1)))
    if span.track.model:
        rows.append((tr("Model"), units.clip(span.track.model, 60)))
    if others > 0:
        rows.append((tr("Overlaps"), plural(others, "shorter event")))
    return tuple(rows)


def _device(track: Track) -> str:
    """Return the device of a track, without the model's name."""
    return track.name.rpartition(" · ")[2] if track.model else track.name


def sentence(span: Span, traced: TraceSource) -> str:
    """Return the facts on a span as one line, for screen readers."""
    text = ", ".join(f"{name} {value}" for name, value in facts(span, traced))
    return f"{title(span)}: {text}"


def layer_of(traced: TraceSource, index: int | None) -> NamedLayer | None:
    """The layer with an index of the model; None for none."""
    layers = traced.layers
    if index is None:
        return None
    if index < len(layers) and layers[index].index == index:
        return layers[index]
    return next((layer for layer in layers if layer.index == index), None)
