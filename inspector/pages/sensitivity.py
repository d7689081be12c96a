"""The layers that an action such as quantization harms most, as a table."""

from inspector.pages.blocks import Column, Limits, Row, Side, Table
from inspector.report.sensitivity import GOOD_DB, LayerSensitivity, Sensitivity, decibels
from inspector.wording.values import Name, Noted, Tone, Toned, Value

_NO_LOSS_DB = 1e9  # sorts behind every loss


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
