"""What a profiled pass says in terms of the model: layers, inserted nodes, trace."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from onnx import ModelProto, TypeProto

from inspector import units
from inspector.analysis.ran_precision import changes
from inspector.engine.attribution.compiled import explain_by_names
from inspector.engine.attribution.matching import match, unmatched
from inspector.engine.attribution.whole import Attribution, explain
from inspector.engine.graphs.naming import Naming
from inspector.engine.measuring import provider_profile
from inspector.engine.measuring.layers import final_fates, inserted_nodes, layer_uses
from inspector.engine.measuring.profiled_pass import ProfiledPass
from inspector.engine.measuring.tracks import build_trace
from inspector.engine.measuring.usage import Runs, typical_runs, usages
from inspector.engine.placing.support import Marks, measured, strayed
from inspector.engine.sessions import providers
from inspector.model import Model
from inspector.report import Device, InsertedNode, LayerUse
from inspector.trace import Trace


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Fields as in PerformanceReport; `layers` have the marks that the session shows."""

    devices: tuple[Device, ...]
    layers: tuple[LayerUse, ...]
    inserted: tuple[InsertedNode, ...]
    kernel_ns: int
    trace: Trace
    notes: tuple[str, ...]


def evaluate(
    model: Model,
    proto: ModelProto,
    naming: Naming | None,
    done: ProfiledPass,
    devices: Sequence[Device],
    types: Mapping[str, TypeProto],
    staying: frozenset[int] = frozenset(),
) -> Evaluation:
    """Attribute all kernels of a profiled pass.

    proto: the model as the profiled pass loaded it. naming: of its names, when they are ours.
    devices: those of the session, the CPU included. types: of tensors, by their new names.
    staying: layers that were to stay on the CPU.
    """
    kernels, attribution = done.profile.kernels, _attribution(proto, done)
    nodes = match(kernels, attribution)
    first = len(done.profile.runs) - done.runs
    typical = typical_runs(kernels, first)
    found = usages(kernels, nodes, first, typical)
    devices = _with_strangers(devices, {kernel.provider for kernel in kernels})
    homes = {device.provider: device.id for device in reversed(devices)}
    declared = _declared(proto, types) if naming else {}
    over = Runs(done.runs, max(1, len(typical)))
    fates = final_fates(attribution, found)
    uses = layer_uses(model, fates, attribution, found, over, homes, declared)
    assigned = {name: homes.get(owner, "") for owner, part in done.assigned for name in part}
    marks = measured(uses, attribution, found, assigned, devices, staying)
    put_in = inserted_nodes(attribution, found, over, homes, naming)
    counted = sum(kernel.self_ns for kernel in kernels if kernel.run in typical)
    said = _notes(done, nodes, devices, {usage.provider for usage in found})
    said += (*strayed(uses, staying, homes.get(providers.CPU, "")), *changes(uses, put_in))
    return Evaluation(
        tuple(devices),
        _marked(uses, marks, done),
        put_in,
        round(counted / over.typical),
        build_trace(done, nodes, attribution, model.layers, devices, homes, naming),
        said,
    )


def _attribution(proto: ModelProto, done: ProfiledPass) -> Attribution:
    if done.optimised is not None:
        return explain(proto, done.optimised)
    kernels = ((k.name, k.operator, k.provider) for k in done.profile.kernels)
    return explain_by_names(proto, kernels, done.assigned)


def _declared(renamed: ModelProto, types: Mapping[str, TypeProto]) -> dict[int, TypeProto]:
    first = ((int(node.name[1:]), node.output[0]) for node in renamed.graph.node if node.output)
    return {layer: types[name] for layer, name in first if name in types}


def _with_strangers(devices: Sequence[Device], seen: Iterable[str]) -> tuple[Device, ...]:
    """Add the devices of providers that nobody asked for and that ran kernels all the same."""
    known = {device.provider for device in devices}
    named = ((provider, providers.builtin(provider)) for provider in sorted({*seen} - known))
    return *devices, *(
        Device(b.id, b.name, b.kind, provider, b.vendor) for provider, b in named
    )


def _notes(
    done: ProfiledPass,
    nodes: Sequence[int | None],
    devices: Sequence[Device],
    used: set[str],
) -> tuple[str, ...]:
    found = []
    for device in devices:
        if device.asynchronous and device.provider in used:
            found.append(
                f"Times of layers on {units.device(device.id)} are times of submission: the "
                "device works on while the next one is submitted, and a copy back waits for "
                "all before it."
            )
        elif device.provider not in used:
            found.append(f"No layer ran on {units.device(device.id)}.")
    missing = unmatched(done.profile.kernels, nodes)
    if missing:
        names = ", ".join(sorted(missing))
        found.append(
            f"{units.plural(missing.total(), 'kernel execution')} could not be brought "
            f"together with the optimised graph ({names}); they count as inserted."
        )
    return (*found, provider_profile.NOTE) if done.inside else tuple(found)


def _marked(
    uses: Sequence[LayerUse], marks: Sequence[Marks], done: ProfiledPass
) -> tuple[LayerUse, ...]:
    """Layers with their marks, and what a provider's own profiler saw inside of them."""
    within = provider_profile.inside(done.inside, [use.operator for use in uses])
    return tuple(
        replace(use, devices=mark, inside=within.get(use.index))
        for use, mark in zip(uses, marks, strict=True)
    )
