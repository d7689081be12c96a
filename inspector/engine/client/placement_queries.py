"""Device support of each layer, from a short measurement or from queries to the devices."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.backends import array_files, registry
from inspector.backends.base import Capability
from inspector.engine.client import report_completion
from inspector.engine.client.engine import Engine
from inspector.engine.requests import CheckSupport, Feeds
from inspector.errors import Cancelled, DeviceFailed, EngineDied, EngineFailed
from inspector.formats import opening
from inspector.model.model import Layer
from inspector.report.report_values import ModelIdentity, Support
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Source

_ALONE = "The provider supports the layer when tested alone; no run confirmed it."
_SILENT = "The device did not respond: {}."
_NONE = Support(Mark.UNKNOWN, Source.PROBED, "Support was not tested.")


def query_placement(
    engine: Engine, model: Path, identity: ModelIdentity, spec: RunSpec, feeds: Feeds
) -> PlacementAnswers:
    """Predict around what devices fail at, and mark layers; ask devices alone if none works.

    Raises BadInput: a device, a setting, a feed. Cancelled. UnreadableFile.
    """
    retries = Capability.RETRIES in registry.for_run(model, spec.devices).capabilities
    short = replace(
        spec, runs=1, warmup=0, seconds=0.0, steady=0.0, profiled_runs=1,
        around_failures=retries,
    )  # fmt: skip
    layers = opening.open_model(model).layers
    try:
        report = engine.measure(model, identity, short, feeds)
    except Cancelled:
        raise
    except (EngineFailed, EngineDied) as error:
        if engine.out_of_time:
            raise
        return _query_alone(engine, model, layers, spec, feeds, error)
    marks = tuple(use.devices for use in report.layers)
    return PlacementAnswers(
        report.requested_devices, layers, marks, report.spec.on_cpu, ran=True
    )


def _query_alone(
    engine: Engine,
    model: Path,
    layers: Sequence[Layer],
    spec: RunSpec,
    feeds: Feeds,
    error: EngineFailed | EngineDied,
) -> PlacementAnswers:
    """Query each device about each single layer, one process per device."""
    shapes = array_files.shapes_of(feeds)
    devices_by_id = {device.id: device for device in engine.devices()}
    marks: list[dict[str, Support]] = [{} for _ in layers]
    devices = [devices_by_id[name] for name in (*spec.devices, "cpu") if name in devices_by_id]
    devices = list(dict.fromkeys(devices))
    indices = tuple(range(len(layers)))
    for device in devices:
        try:
            request = CheckSupport(model, spec, shapes, {device.id: indices})
            answers = engine.call(request)[device.id]
        except Cancelled:
            raise
        except (EngineFailed, EngineDied) as silent:
            if engine.out_of_time:
                raise
            nothing = Support(Mark.UNKNOWN, Source.PROBED, _SILENT.format(silent.why))
            answers = dict.fromkeys(range(len(layers)), nothing)
        for layer, support_by_device in enumerate(marks):
            support_by_device[device.id] = _alone(answers.get(layer, _NONE))
    for failure in (*error.before, error) if isinstance(error, DeviceFailed) else ():
        for layer in failure.layers:
            marks[layer][failure.device] = report_completion.failure_mark(failure)
    return PlacementAnswers(tuple(devices), tuple(layers), tuple(marks), why=error.why)


def _alone(support: Support) -> Support:
    return replace(support, reason=_ALONE) if support.mark is Mark.SUPPORTED else support
