"""Build the layers of a report from attribution, profile and support marks.

The marks say how each layer relates to each device, as far as the measured session shows.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from onnx import TypeProto

from inspector.backends.onnxruntime.attribution.attribution import (
    Attribution,
    Executed,
    LayerOutcome,
)
from inspector.backends.onnxruntime.graphs.layer_names import Naming
from inspector.backends.onnxruntime.graphs.tensor_types import in_words, is_exact
from inspector.backends.onnxruntime.profiling.kernel_times import (
    KernelUsage,
    SelectedRuns,
    described,
    estimate,
    reached,
)
from inspector.backends.onnxruntime.profiling.profile import Kernel
from inspector.backends.onnxruntime.profiling.profiler_cost import ProfilerCost
from inspector.model.model import Model
from inspector.report.report import COPIES_BACK, Device, InsertedNode, LayerUse, Support
from inspector.trace.trace import Kind
from inspector.units import clip
from inspector.units import device as device_text
from inspector.wording.support_marks import Mark, Source, Status
from inspector.wording.values import Sentence

_FOR_PRECISION = "InsertedPrecisionFreeCast_"
_GONE = {
    Status.FOLDED: "The layer does not depend on any input, so its result was computed "
    "during loading.",
    Status.MERGED: "Another layer computes the same value, so the optimizer merged the two.",
    Status.MOVED: "The optimizer moved the computation to another layer.",
    Status.ELIMINATED: "The layer has no effect, so the optimizer removed it.",
    Status.DEAD: "No other layer or output uses the result.",
}
_NOT_TAKEN = "The branch of this layer was not taken with these inputs."
_COMPILED = "The layer ran inside a partition that the device compiled as a whole."
_STAYED = "This configuration forces the layer to the CPU."
_UNEXPLAINED = "ONNX Runtime reported nothing about this layer."

Marks = dict[str, Support]
_SHARE_TIME = (Status.EXECUTED, Status.FUSED)


def observed_marks(
    uses: Sequence[LayerUse],
    attribution: Attribution,
    usages: Sequence[KernelUsage],
    assigned: Mapping[str, str],
    devices: Sequence[Device],
    staying: frozenset[int] = frozenset(),
) -> tuple[Marks, ...]:
    """Mark for each layer what the session shows, by device id.

    A device is left out where only asking it can tell. assigned: name of a node -> id of the
    device that the runtime gave it to. staying: layers that were to stay on the CPU.
    """
    operators: dict[int, list[str]] = defaultdict(list)
    for usage in usages:
        lead = None if usage.node is None else attribution.executed[usage.node].lead
        if lead is not None:
            operators[lead].append(usage.operator)
    several = {
        lead: Sentence(
            "The layer ran as several operators: {join}.", ", ".join(dict.fromkeys(names))
        )
        for lead, names in operators.items()
        if len(set(names)) > 1
    }
    reasons = several | _through_casts(attribution, usages)
    planned = {
        layer: assigned[name]
        for node in attribution.executed
        for layer in node.layers
        for name in (node.name, f"L{layer}")
        if name in assigned
    }
    found_marks = (
        _marks(use, uses, reasons.get(use.index, ""), planned.get(use.index), devices)
        for use in uses
    )
    return tuple(
        _kept_away(marks, devices) if use.index in staying else marks
        for use, marks in zip(uses, found_marks, strict=True)
    )


def layers_off_cpu(
    uses: Sequence[LayerUse], staying: frozenset[int], cpu: str
) -> tuple[str, ...]:
    """Return notes on layers that were to stay on the CPU and ran elsewhere, and with which
    one."""
    layers = []
    for use in (uses[index] for index in sorted(staying)):
        lead = use if use.into is None else uses[use.into]
        if lead.ran_on is not None and lead.ran_on != cpu:
            where = device_text(lead.ran_on)
            with_it = f", fused into '{clip(lead.name, 80)}'" if lead is not use else ""
            hint = " Force that layer to the CPU as well." if lead is not use else ""
            layers.append(
                f"'{clip(use.name, 80)}' should have been forced to the CPU, but ran on "
                f"{where}{with_it}.{hint}"
            )
    return tuple(layers)


def _kept_away(marks: Marks, devices: Sequence[Device]) -> Marks:
    """Add why the others did not run a layer that stayed on the CPU."""
    away = Support(Mark.EXCLUDED, Source.MEASURED, _STAYED)
    return {device.id: away for device in devices if device.id not in marks} | marks


def _marks(
    use: LayerUse,
    uses: Sequence[LayerUse],
    reason: str,
    planned: str | None,
    devices: Sequence[Device],
) -> Marks:
    if use.status in _GONE:
        gone = Support(Mark.FOLDED, Source.MEASURED, _GONE[use.status])
        return {device.id: gone for device in devices}
    if use.status is Status.NOT_REACHED:
        not_taken = Support(Mark.UNKNOWN, Source.MEASURED, _NOT_TAKEN)
        marks = {device.id: not_taken for device in devices}
        if planned is not None:
            marks[planned] = Support(Mark.SUPPORTED, Source.MEASURED, _NOT_TAKEN)
        return marks
    home = use.ran_on if use.into is None else uses[use.into].ran_on
    if home is None:
        unknown = Support(Mark.UNKNOWN, Source.MEASURED, _UNEXPLAINED)
        return {device.id: unknown for device in devices}
    if use.status is Status.COMPILED:
        return {home: Support(Mark.RAN, Source.MEASURED, _COMPILED)}
    if use.into is not None:
        reason = Sentence("The time is included in '{name}'.", uses[use.into].name)
        return {home: Support(Mark.FUSED, Source.MEASURED, reason)}
    return {home: Support(Mark.RAN, Source.MEASURED, reason)}


def _through_casts(attribution: Attribution, usages: Sequence[KernelUsage]) -> dict[int, str]:
    """Find the layers that the runtime put casts around for want of a kernel for their type."""
    by_node = {usage.node: usage for usage in usages}
    reasons = {}
    for node in attribution.executed:
        usage = by_node.get(node.index)
        if node.kind is not Kind.CAST or not node.name.startswith(_FOR_PRECISION):
            continue
        if usage is None or not usage.inputs or not usage.outputs:
            continue
        # A cast before the layer leads from its own type, the one behind it leads back.
        given, requested = usage.inputs[0][0], usage.outputs[0][0]
        if node.before is not None and given == "float16":
            reasons[node.before] = _ran_wider(given, requested)
        elif node.after is not None and requested == "float16":
            reasons[node.after] = _ran_wider(requested, given)
    return reasons


def _ran_wider(own: str, used: str) -> str:
    wider = {"float": "float32", "double": "float64"}.get(used, used)
    return Sentence(
        "The layer ran in {wider} between casts, because there is no {own} kernel.", wider, own
    )


def final_outcomes(
    attribution: Attribution, usages: Sequence[KernelUsage]
) -> tuple[LayerOutcome, ...]:
    """Turn layers of subgraphs that no prediction went through into `NOT_REACHED`."""
    reached_layers = reached(attribution, usages)
    inside = {
        layer
        for node in attribution.executed
        if attribution.graphs[node.graph].owner is not None
        for layer in node.layers
    }
    return tuple(
        LayerOutcome(Status.NOT_REACHED)
        if fate.status in _SHARE_TIME and layer in inside and layer not in reached_layers
        else fate
        for layer, fate in enumerate(attribution.outcomes)
    )


def layer_uses(
    model: Model,
    fates: Sequence[LayerOutcome],
    attribution: Attribution,
    usages: Sequence[KernelUsage],
    chosen: SelectedRuns,
    cost: ProfilerCost,
    homes: Mapping[str, str],
    declared: Mapping[int, TypeProto],
) -> tuple[LayerUse, ...]:
    """Describe each layer but for its marks.

    homes: provider -> id of the device. declared: layer -> type of its first output.
    """
    leading: dict[int, list[KernelUsage]] = defaultdict(list)
    for usage in usages:
        lead = None if usage.node is None else attribution.executed[usage.node].lead
        if lead is not None:
            leading[lead].append(usage)
    times = {lead: estimate(some, chosen, cost) for lead, some in leading.items()}
    makers = {name: layer.index for layer in model.layers for name in layer.outputs if name}
    sources = ((makers.get(name) for name in layer.inputs) for layer in model.layers)
    # What the model itself says comes first: a kernel may keep another type and layout.
    outputs = {layer: in_words(kind) for layer, kind in declared.items()}
    for usage in usages:
        lead = None if usage.node is None else attribution.executed[usage.node].lead
        if lead is not None and usage.outputs and not is_exact(declared.get(lead)):
            outputs[lead] = described(usage.outputs[0])
    reads = [tuple(dict.fromkeys(i for i in indices if i is not None)) for indices in sources]
    return tuple(
        LayerUse(
            layer.index,
            layer.label,
            layer.operator,
            fate.status,
            ran_on=_device(leading[layer.index], homes),
            time_ns=times[layer.index].time_ns if layer.index in times else None,
            into=fate.into,
            executed_as=" + ".join(
                dict.fromkeys(usage.operator for usage in leading[layer.index])
            ),
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


def with_arena_bytes(
    uses: Sequence[LayerUse],
    attribution: Attribution,
    kernels: Sequence[Kernel],
    nodes: Sequence[int | None],
) -> tuple[LayerUse, ...]:
    """Return the layers with the arena's bytes in use after each, of the first run.

    Later runs take one block for all activations, so that the figure no longer changes.
    """
    taken: dict[int, int] = {}
    for kernel, node in zip(kernels, nodes, strict=True):
        lead = None if node is None else attribution.executed[node].lead
        if kernel.run == 0 and lead is not None and kernel.arena_bytes > 0:
            taken[lead] = max(taken.get(lead, 0), kernel.arena_bytes)
    return tuple(
        replace(use, arena_bytes=taken[use.index]) if use.index in taken else use
        for use in uses
    )


def inserted_nodes(
    attribution: Attribution,
    usages: Sequence[KernelUsage],
    chosen: SelectedRuns,
    cost: ProfilerCost,
    homes: Mapping[str, str],
    naming: Naming | None,
    own_clock: frozenset[str] = frozenset(),
) -> tuple[InsertedNode, ...]:
    """Describe each node that belongs to no layer, in the order in which they first ran.

    own_clock: ids of devices that work on their own, for which a copy back waits.
    """
    inserted = []
    for usage in usages:
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
    """Return a name for an inserted node, after the tensor it works on.

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


def _device(some: Sequence[KernelUsage], homes: Mapping[str, str]) -> str | None:
    """Return the device where most of a layer's time went."""
    most = max(some, key=lambda usage: usage.total_ns, default=None)
    return None if most is None else homes[most.provider]


def _computed_in(some: Sequence[KernelUsage]) -> str:
    """Type of the first output where most of a layer's time went."""
    most = max(some, key=lambda usage: usage.total_ns, default=None)
    return described(most.outputs[0]).partition(" ")[0] if most and most.outputs else ""
