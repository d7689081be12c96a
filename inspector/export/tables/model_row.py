"""One model as a row of the table: its size, cost, precision and task."""

from collections.abc import Sequence
from pathlib import Path

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.devices.support_summary import DeviceSupport
from inspector.analysis.facts.model_facts import storage
from inspector.analysis.facts.quantization import number_types
from inspector.export.tables.model_table import ModelRow
from inspector.model.model import Model
from inspector.preview.identity import UNREADABLE_WEIGHTS, identify


def model_row(
    path: Path,
    model: Model,
    sha256: str,
    estimate: Estimate | None,
    p50_ns: int | None,
    support: Sequence[DeviceSupport] = (),
) -> ModelRow:
    """Return the row of a model. path: how the user named it."""
    stored, identity = storage(model.distinct_weights), identify(model)
    task = identity.headline if identity.known else ""
    if any(each.statement == UNREADABLE_WEIGHTS for each in identity.evidence):
        task = f"{task}; {UNREADABLE_WEIGHTS}" if task else UNREADABLE_WEIGHTS
    unknown = (
        estimate is None
        or not estimate.of_graph
        or estimate.macs_formula is None
        or (estimate.cost.unknown and not estimate.macs)
    )
    return ModelRow(
        str(path),
        model.whole_bytes,
        model.parameters,
        None if estimate is None or unknown else estimate.macs,
        len(model.layers),
        number_types(model, stored[0][0]) if stored else "",
        next((opset.version for opset in model.opsets if not opset.domain), None),
        task,
        p50_ns,
        sha256,
        support="; ".join(f"{s.device.id} {s.supported_layers}/{s.layers}" for s in support),
    )
