"""What only a provider's own runtime knows: times inside a part that it compiled.

Asked in a process of its own after the measurement; two builds of one library do not get on in
one process.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import metadata, util

from inspector.errors import Cancelled, InspectorError
from inspector.report.report import LayerUse, PerformanceReport, ProviderProfile
from inspector.report.support_marks import Status

OPENVINO = "OpenVINOExecutionProvider"
_PACKAGE = "openvino"
_INSTALL_NOTE = (
    "OpenVINO compiled a part of this model as a whole; with the package openvino installed "
    '(pip install "onnx-inspector[openvino]") its own runtime tells what layers take.'
)
_NOTE = (
    "Times inside the part that OpenVINO compiled are of {}, its own runtime, in a process of "
    "its own: it compiled the whole model for {} in float32 and may fuse otherwise than the "
    "provider within ONNX Runtime."
)
_FAILED_NOTE = "What the layers inside take was not found out by openvino's own runtime: {}."

Counts = dict[int, ProviderProfile]


@dataclass(frozen=True, slots=True)
class CounterQuery:
    """What the own runtime is asked: the device as it calls it, and the layers to tell of."""

    device: str
    layers: tuple[int, ...]


def counter_query(report: PerformanceReport) -> CounterQuery | None:
    """Find the part that OpenVINO compiled; nothing where there is none."""
    ours = {device.id: device for device in report.devices if device.provider == OPENVINO}
    leads = {layer.index for layer in report.layers if layer.ran_on in ours}
    inner = [layer for layer in report.layers if layer.status is Status.COMPILED]
    layers = {layer.index for layer in inner if layer.into in leads} | leads
    if not layers:
        return None
    options = {each.key: each.value for each in report.spec.provider_options}
    kind = options.get("device_type") or next(iter(ours.values())).kind.upper()
    return CounterQuery(kind, tuple(sorted(layers)))


def with_provider_counters(
    report: PerformanceReport, ask: Callable[[CounterQuery], Counts]
) -> PerformanceReport:
    """Add what the own runtime tells of the layers; a failure costs that, not the report.

    ask: in a process of its own. Raises Cancelled.
    """
    asked = counter_query(report)
    if asked is None:
        return report
    if util.find_spec(_PACKAGE) is None:
        return replace(report, notes=(*report.notes, _INSTALL_NOTE))
    try:
        counts = ask(asked)
    except Cancelled:
        raise
    except InspectorError as error:
        return replace(report, notes=(*report.notes, _FAILED_NOTE.format(error.why)))
    note = _NOTE.format(f"openvino {metadata.version(_PACKAGE)}", asked.device)
    return replace(
        report,
        layers=tuple(_with(layer, counts, asked) for layer in report.layers),
        notes=(*report.notes, note),
    )


def _with(layer: LayerUse, counts: Counts, asked: CounterQuery) -> LayerUse:
    told = counts.get(layer.index) if layer.index in asked.layers else None
    return layer if told is None else replace(layer, inside=told)
