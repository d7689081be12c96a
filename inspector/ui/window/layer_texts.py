"""What a file says of one layer in its own words: description, devices, metadata."""

from PySide6.QtWidgets import QVBoxLayout

from inspector.analysis.declarations import function_text, graph_text
from inspector.model import Layer, Model
from inspector.ui.kit.parts import label
from inspector.ui.kit.theme import Theme
from inspector.ui.overview.texts import TextLine

MANY = 24


def layer_texts(
    model: Model, layer: Layer
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return (heading, texts with their names) of what there is."""
    calls = tuple(
        ("Function", function_text(function))
        for function in model.functions
        if (function.domain, function.name, function.overload)
        == (layer.domain, layer.operator, layer.overload)
    )
    inside = tuple(
        (graph.branch, graph_text(graph))
        for graph in model.graphs
        if graph.layer == layer.index
    )
    attributes = tuple((each.name, each.doc) for each in layer.attributes if each.doc)
    told = (
        (("Description", layer.doc),) if layer.doc else (),
        attributes,
        (("Overload", layer.overload),) if layer.overload else (),
        calls,
    )
    found = (
        ("In the file's words", tuple(text for texts in told for text in texts)),
        ("Graphs inside", inside),
        ("Devices asked for", layer.placement),
        ("Metadata", layer.metadata),
    )
    return tuple((heading, texts) for heading, texts in found if texts)


def add_layer_texts(column: QVBoxLayout, theme: Theme, model: Model, layer: Layer) -> None:
    """Add a heading and a line for each text; a long one opens below its line."""
    for heading, texts in layer_texts(model, layer):
        lines = QVBoxLayout()
        lines.setSpacing(0)
        for name, words in texts[:MANY]:
            lines.addWidget(TextLine(theme, name, words))
        column.addSpacing(8)
        column.addWidget(label(heading, "section"))
        column.addLayout(lines)
        if len(texts) > MANY:
            column.addWidget(label(f"and {len(texts) - MANY} more", "caption"))
