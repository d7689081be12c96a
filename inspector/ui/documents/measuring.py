"""One measurement as the window asks for it; runs on a job's thread, knows no widget."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from inspector.analysis.advice.rules import with_advice
from inspector.analysis.facts.model_facts import facts
from inspector.backends import array_files, machine
from inspector.engine.client import ceilings
from inspector.engine.client.engine_process import EngineProcess
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.preview.identity import measured_model
from inspector.preview.inputs import feeds as inputs
from inspector.preview.inputs import input_shapes
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import InputSource, RunSpec


def measure(
    engine: EngineProcess,
    path: Path,
    model: Model,
    spec: RunSpec,
    feeds: Mapping[str, Fed],
    sources: dict[str, InputSource],
) -> PerformanceReport:
    """Fill the inputs that have no value yet, and measure. Raises InspectorError."""
    filled, named = fill(model, spec, feeds, sources)
    spec = replace(spec, inputs=tuple(named[value.name] for value in model.inputs))
    report = engine.measure(path, measured_model(path, model), spec, filled)
    if spec.roofline and not engine.elsewhere:  # an agent has measured it there
        report = ceilings.with_roofline(engine, path, report, array_files.shapes_of(filled))
    return add_advice(report, model)


def add_peak(
    engine: EngineProcess,
    path: Path,
    model: Model,
    report: PerformanceReport,
    feeds: Mapping[str, Fed],
    sources: dict[str, InputSource],
) -> PerformanceReport:
    """Return a report of this machine with the peak rates of its devices; the rest stays.

    feeds: of the present inputs, from which the lengths of free axes are taken unless the
    report was measured with other inputs and the default ones are those. Raises InspectorError.
    """
    filled, named = fill(model, report.spec, feeds, sources)
    default, default_named = fill(model, report.spec, {}, {})
    of_report = {source.name: source for source in report.spec.inputs}
    if named != of_report and default_named == of_report:
        filled = default
    shapes = array_files.shapes_of(filled)
    return add_advice(ceilings.add_roofline(engine, path, report, shapes), model)


def is_of_this_machine(report: PerformanceReport) -> bool:
    """Return whether a report was measured here, as far as the name of the CPU tells."""
    return report.environment.cpu == machine.processor_name()


def add_advice(report: PerformanceReport, model: Model) -> PerformanceReport:
    """Return a report with what the model says about it."""
    return with_advice(report, model, facts(model))


def fill(
    model: Model,
    spec: RunSpec,
    feeds: Mapping[str, Fed],
    sources: dict[str, InputSource],
) -> tuple[dict[str, Fed], dict[str, InputSource]]:
    """Values for all inputs, and what they are: those chosen, and ours for the others."""
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    lengths |= input_shapes.lengths_of(model.inputs, feeds)
    chosen = inputs.defaults(model.inputs, lengths)
    named = {default.name: InputSource(default.name, default.value) for default in chosen}
    return inputs.feeds_by_name(chosen) | dict(feeds), named | sources
