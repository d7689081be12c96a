"""Kernels of the profiled predictions added up: what each executed node took, and where."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from inspector.engine.attribution.whole import Attribution
from inspector.engine.measuring.profile import Kernel, Shaped
from inspector.engine.sessions import element_types
from inspector.units import shape


@dataclass(frozen=True, slots=True)
class Usage:
    """What one node of the optimised graph did in the profiled predictions.

    node: its place in `Attribution.executed`; None for kernels that no node explains.
    total_ns: self time in the typical ones together. count: executions in all of them.
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


@dataclass(frozen=True, slots=True)
class Runs:
    """How many profiled predictions there are, and how many of them times are taken from."""

    all: int
    typical: int


def typical_runs(kernels: Sequence[Kernel], first_run: int) -> frozenset[int]:
    """The middle half, by kernel time, of the runs from `first_run` on.

    One kernel that other work of the machine held up for 30 ms would otherwise lead the list.
    Whole runs are left out, so that times of layers still add up to that of the kernels.
    """
    totals: Counter[int] = Counter()
    for kernel in kernels:
        if kernel.run >= first_run:
            totals[kernel.run] += kernel.self_ns
    ordered = sorted(totals, key=lambda run: totals[run])
    edge = len(ordered) // 4
    return frozenset(ordered[edge : len(ordered) - edge])


def usages(
    kernels: Sequence[Kernel],
    nodes: Sequence[int | None],
    first_run: int,
    typical: frozenset[int],
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
            sum(kernel.self_ns for kernel in some if kernel.run in typical),
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
