"""The layers of a report: attribution, profile and support brought together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from onnx import TypeProto

from inspector.backends.onnxruntime.attribution.attribution import Attribution, Executed, Fate
from inspector.backends.onnxruntime.graphs.layer_names import Naming
from inspector.backends.onnxruntime.graphs.tensor_types import in_words, is_exact
from inspector.backends.onnxruntime.profiling.kernel_times import (
    KernelUsage,
    SelectedRuns,
    described,
    estimate,
    reached,
)
from inspector.backends.onnxruntime.profiling.profiler_cost import ProfilerCost
from inspector.model.model import Layer, Model
from inspector.report.report import COPIES_BACK, InsertedNode, LayerUse
from inspector.report.support_marks import Status
from inspector.trace.trace import Kind

_SHARE_TIME = (Status.EXECUTED, Status.FUSED)


def final_fates(attribution: Attribution, found: Sequence[KernelUsage]) -> tuple[Fate, ...]:
    """Turn layers of subgraphs that no prediction went through into `NOT_REACHED`."""
    seen = reached(attribution, found)
    inside = {
        layer
        for node in attribution.executed
        if attribution.graphs[node.graph].owner is not None
        for layer in node.layers
    }
    return tuple(
        Fate(Status.NOT_REACHED)
        if fate.status in _SHARE_TIME and layer in inside and layer not in seen
        else fate
        for layer, fate in enumerate(attribution.fates)
    )


def layer_uses(
    model: Model,
    fates: Sequence[Fate],
    attribution: Attribution,
    found: Sequence[KernelUsage],
    chosen: SelectedRuns,
    cost: ProfilerCost,
    homes: Mapping[str, str],
    declared: Mapping[int, TypeProto],
) -> tuple[LayerUse, ...]:
    """Describe each layer but for its marks.

    homes: provider -> id of the device. declared: layer -> type of its first output.
    """
    leading: dict[int, list[KernelUsage]] = defaultdict(list)
    for usage in found:
        lead = None if usage.node is None else attribution.executed[usage.node].lead
        if lead is not None:
            leading[lead].append(usage)
    times = {lead: estimate(some, chosen, cost) for lead, some in leading.items()}
    outputs, reads = _outputs(attribution, found, declared), _reads(model.layers)
    return tuple(
        LayerUse(
            layer.index,
            layer.label,
            layer.operator,
            fate.status,
            ran_on=_device(leading[layer.index], homes),
            time_ns=times[layer.index].time_ns if layer.index in times else None,
            into=fate.into,
            executed_as=_executed_as(leading[layer.index]),
            calls=max((usage.count for usage in leading[layer.index]), default=0) / chosen.runs,
            output=outputs.get(layer.index, ""),
            parent=layer.parent,
            computed_in=_computed_in(leading[layer.index]),
            value=next(iter(layer.outputs), ""),
            reads=reads[layer.index],
            spread=times[layer.index].spread if layer.index in times else None,
        )
        for layer, fate in zip(model.layers, fates, strict=True)
    )


def inserted_nodes(
    attribution: Attribution,
    found: Sequence[KernelUsage],
    chosen: SelectedRuns,
    cost: ProfilerCost,
    homes: Mapping[str, str],
    naming: Naming | None,
    own_clock: frozenset[str] = frozenset(),
) -> tuple[InsertedNode, ...]:
    """Describe each node that no layer asked for, in the order in which they first ran.

    own_clock: ids of devices that work on their own, for which a copy back waits.
    """
    inserted = []
    for usage in found:
        node = None if usage.node is None else attribution.executed[usage.node]
        if node is None or node.lead is None:
            time, home = estimate([usage], chosen, cost), homes[usage.provider]
            waits = home in own_clock
            inserted.append(
                InsertedNode(
                    inserted_name(usage.operator, node, naming, waits),
                    usage.operator,
                    str(inserted_kind(usage.operator, node, waits)),
                    home,
                    time.time_ns,
                    usage.output_bytes,
                    node.after if node else None,
                    node.before if node else None,
                    time.spread,
                )
            )
    return tuple(inserted)


def inserted_name(
    operator: str, node: Executed | None, naming: Naming | None, own_clock: bool = False
) -> str:
    """Name an inserted node by what it works on, in the words of the file.

    own_clock: it is of a device that works on its own, for which a copy back waits.
    """
    waits = own_clock and operator in COPIES_BACK
    if node is None or not node.tensor:
        return f"wait, then {operator}" if waits else operator
    tensor = naming.tensor(node.tensor) if naming else node.tensor
    return f"wait, then copy {tensor}" if waits else f"{operator} of {tensor}"


def inserted_kind(operator: str, node: Executed | None, own_clock: bool) -> Kind:
    """Return what an inserted node does; own_clock: as of `inserted_name`."""
    if own_clock and operator in COPIES_BACK:
        return Kind.WAIT
    return node.kind if node else Kind.CALL


def _reads(layers: Sequence[Layer]) -> list[tuple[int, ...]]:
    """The layers whose outputs each one takes."""
    makers = {name: layer.index for layer in layers for name in layer.outputs if name}
    taken = ((makers.get(name) for name in layer.inputs) for layer in layers)
    return [tuple(dict.fromkeys(i for i in found if i is not None)) for found in taken]


def _device(some: Sequence[KernelUsage], homes: Mapping[str, str]) -> str | None:
    """The device where most of a layer's time went."""
    most = max(some, key=lambda usage: usage.total_ns, default=None)
    return None if most is None else homes[most.provider]


def _computed_in(some: Sequence[KernelUsage]) -> str:
    """Type of the first output where most of a layer's time went."""
    most = max(some, key=lambda usage: usage.total_ns, default=None)
    return described(most.outputs[0]).partition(" ")[0] if most and most.outputs else ""


def _executed_as(some: Sequence[KernelUsage]) -> str:
    return " + ".join(dict.fromkeys(usage.operator for usage in some))


def _outputs(
    attribution: Attribution, found: Sequence[KernelUsage], declared: Mapping[int, TypeProto]
) -> dict[int, str]:
    """Type and shape of the first output of each layer, as far as known.

    What the model itself says comes first: a kernel may keep another type and layout.
    """
    outputs = {layer: in_words(kind) for layer, kind in declared.items()}
    for usage in found:
        lead = None if usage.node is None else attribution.executed[usage.node].lead
        if lead is not None and usage.outputs and not is_exact(declared.get(lead)):
            outputs[lead] = described(usage.outputs[0])
    return outputs
