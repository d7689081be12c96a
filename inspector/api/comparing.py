"""Reports are read and compared, models are compared, and held against tables of devices."""

from __future__ import annotations

from pathlib import Path

from inspector.analysis.devices import targets as known
from inspector.api.compared import ModelComparison, Support
from inspector.api.measured import Measurement, ReportComparison
from inspector.api.models import ModelOrPath, open_model
from inspector.api.python_words import says_parameters
from inspector.app.target_support import check_targets
from inspector.comparison import comparison
from inspector.comparison.model_diff import diff as compare_models
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.onnx.weight_values import WeightReader
from inspector.report import report as reports


def load_report(path: str | Path) -> Measurement:
    """Read a saved report. Raises InspectorError: it is not one."""
    return Measurement(reports.load(Path(path)))


@says_parameters
def compare(*reports: Measurement | str | Path) -> ReportComparison:
    """Compare two or more reports with the first. Raises InspectorError."""
    loaded = [r if isinstance(r, Measurement) else load_report(r) for r in reports]
    values = tuple(each.report for each in loaded)
    return ReportComparison(comparison.compare(values), values)


@says_parameters
def diff(first: ModelOrPath, other: ModelOrPath, *, values: bool = True) -> ModelComparison:
    """Compare two models: layers, attributes, shapes, types and weights.

    values: whether the values of weights are read and compared. Raises InspectorError.
    """
    one, two = open_model(first), open_model(other)
    if not values:
        return ModelComparison(compare_models(one.model, two.model))
    with WeightReader(one.path) as first_weights, WeightReader(two.path) as other_weights:
        return ModelComparison(
            compare_models(one.model, two.model, first_weights.read, other_weights.read)
        )


@says_parameters
def support(model: ModelOrPath, targets: str = "all") -> Support:
    """Estimate which targets would run a model, from support tables; nothing is run.

    targets: "all", or names such as "apple,android,nvidia". Raises InspectorError.
    """
    opened = open_model(model)
    chosen = known.chosen(targets, opened.model)
    with EngineProcess() as engine:
        found = check_targets(engine, opened.path, opened.model, chosen, {})
    return Support(opened.model.name, tuple(found))
