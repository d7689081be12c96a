"""Device support as CSV: a row for each layer on each device or target, with the reason."""

from collections.abc import Iterable

from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.analysis.devices.targets import TargetSupport
from inspector.model.model import Layer, Model
from inspector.render.tables.report_csv import table_csv
from inspector.report.report import Support

_COLUMNS = ("device", "layer", "name", "operator", "mark", "rule", "reason")


def of_devices(answers: PlacementAnswers) -> bytes:
    """Return what each device here does with each layer."""
    return _table(
        (device.id, layer, marks[device.id])
        for device in answers.devices
        for layer, marks in zip(answers.layers, answers.marks, strict=True)
        if device.id in marks
    )


def of_targets(model: Model, results: Iterable[TargetSupport]) -> bytes:
    """Return what each target does with each layer, by the tables."""
    return _table(
        (each.target.id, model.layers[index], answer)
        for each in results
        for index, answer in zip(each.layers, each.answers, strict=True)
    )


def _table(rows: Iterable[tuple[str, Layer, Support]]) -> bytes:
    return table_csv(_COLUMNS, (
        (device, layer.index, layer.name, layer.operator,
         answer.mark.value, answer.rule.value, str(answer.reason))
        for device, layer, answer in rows
    ))  # fmt: skip
