"""Kernels of the profiled predictions added up: what each executed node took, and where."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from inspector.engine import element_types
from inspector.engine.attribution.whole import Attribution
from inspector.engine.profile import Kernel, Shaped
from inspector.units import shape


@dataclass(frozen=True, slots=True)
class Usage:
    """What one node of the optimised graph did in the profiled predictions.

    node: its place in `Attribution.executed`; None for kernels that no node explains.
    total_ns: self time of all of them together. count: executions of all of them.
    provider: the execution provider. output_bytes: given out by one execution.
    """

    node: int | None
    name: str
    operator: str
    provider: str
    total_ns: int
    count: int
    output_bytes: int
    inputs: tuple[Shaped, ...]
    outputs: tuple[Shaped, ...]


def usages(
    kernels: Sequence[Kernel], nodes: Sequence[int | None], first_run: int
) -> tuple[Usage, ...]:
    """Add up the kernels of the runs from `first_run` on, node by node."""
    groups: dict[tuple[int | None, str], list[Kernel]] = defaultdict(list)
    for kernel, node in zip(kernels, nodes, strict=True):
        if kernel.run >= first_run:
            groups[node, "" if node is not None else kernel.name].append(kernel)
    return tuple(
        Usage(
            node,
            some[0].name,
            some[0].operator,
            some[0].provider,
            sum(kernel.self_ns for kernel in some),
            len(some),
            some[0].output_bytes,
            some[0].inputs,
            some[0].outputs,
        )
        for (node, _), some in groups.items()
    )


def reached(attribution: Attribution, found: Sequence[Usage]) -> frozenset[int]:
    """Layers that were carried out at least once in the profiled predictions."""
    places = {usage.node for usage in found if usage.node is not None}
    return frozenset(layer for place in places for layer in attribution.executed[place].layers)


def described(shaped: Shaped) -> str:
    """Write type and shape as reports show them: "float32 1×64×56×56"."""
    name, axes = shaped
    _, dtype = element_types.kind_and_dtype(f"tensor({name})")
    return f"{dtype} {shape(axes)}"
