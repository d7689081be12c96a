"""The layers that an action such as quantization harms most, and what keeping some helps."""

from inspector.pages.blocks import (
    Column,
    Item,
    Items,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.report.sensitivity import GOOD_DB, LayerSensitivity, Sensitivity, decibels
from inspector.wording.values import Count, Name, Noted, Sentence, Tone, Toned, Value

_NO_LOSS_DB = 1e9  # sorts behind every loss
_CURVE = Limits(terminal=40, document=40)


def sensitivity_page(sensitivity: Sensitivity) -> Page:
    """Return the page of the layers that were ranked until now."""
    values: dict[str, Value] = {
        "model": Name(sensitivity.model),
        "action": sensitivity.action,
        "inputs": Count(sensitivity.inputs, "input"),
    }
    title = Sentence("{model}: sensitivity of its layers to {action}", **values)
    aside = Sentence("each layer quantized alone, over {inputs}, worst first", **values)
    layers = (sensitivity_table(sensitivity),) if sensitivity.layers else ()
    notes = tuple(Item(note) for note in sensitivity.notes)
    sections = (
        Section("layers", "Output SQNR by layer", layers, aside=aside),
        _curve(sensitivity),
        Section("notes", "Notes", (Items(notes),) if notes else ()),
    )
    verdict = Text(sensitivity.verdict, strong=True) if sensitivity.verdict else None
    return Page("sensitivity", title, sections, verdict)


def _curve(sensitivity: Sensitivity) -> Section:
    columns = (
        Column("kept", "Layers in float", Side.RIGHT),
        Column("sqnr", "SQNR", Side.RIGHT),
    )
    rows = tuple(
        Row((f"{point.kept:,} of {sensitivity.total:,}", sqnr(point.sqnr_db)))
        for point in sensitivity.curve
    )
    title = "Output SQNR with the worst layers in float"
    table = (Table(columns, rows, _CURVE, "step"),) if rows else ()
    return Section("curve", title, table, aside="all others quantized")


def sensitivity_table(sensitivity: Sensitivity) -> Table:
    """Return a row for each layer that was measured until now, the worst first."""
    columns = (
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator", keep=6),
        Column("sqnr", "SQNR", Side.RIGHT, falling=False,
               help="Signal-to-quantization-noise ratio of the outputs "
                    "if only this layer is quantized"),
        Column("weights", "Weights only", Side.RIGHT, keep=2, falling=False,
               help="SQNR if only the weights of this layer are quantized"),
        Column("values", "Activations only", Side.RIGHT, keep=1, falling=False,
               help="SQNR if only the activations that this layer produces are quantized"),
        Column("lost", "Rounded to zero", keep=5,
               help="Channels or weights that are too small for the quantization step size"),
    )  # fmt: skip
    rows = tuple(map(_row, sensitivity.layers))
    return Table(columns, rows, Limits(20, 20, 2000), "layer", sensitivity.total)


def _row(layer: LayerSensitivity) -> Row:
    lost = Toned(layer.lost_text, Tone.CAUTION) if layer.lost_text else ""
    apart = (sqnr(layer.weights_db), sqnr(layer.values_db)) if layer.apart else ("", "")
    return Row((Name(layer.name), Name(layer.operator), sqnr(layer.sqnr_db), *apart, lost))


def sqnr(ratio_db: float | None) -> Value:
    """Return an SQNR, noticeable where it is low; None: nothing differs."""
    if ratio_db is None:
        return Noted(decibels(None), order=_NO_LOSS_DB)
    text: Value = decibels(ratio_db)
    return Noted(Toned(text, Tone.CAUTION) if ratio_db < GOOD_DB else text, order=ratio_db)
