"""Kernels of a profile -> nodes of the optimised graph."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from inspector.backends.onnxruntime.attribution.attribution import Attribution, Body, Executed
from inspector.backends.onnxruntime.profiling.profile import Kernel


def match_kernels(
    kernels: Sequence[Kernel], attribution: Attribution
) -> tuple[int | None, ...]:
    """Find for each kernel its place in `attribution.executed`; None where there is none.

    Names decide. Nodes of the same name, or of none, ran in the order in which they stand in
    the file of the optimised graph, which is the one the runtime goes by.
    """
    found: list[int | None] = [None] * len(kernels)
    children: dict[int | None, list[int]] = defaultdict(list)
    for index, kernel in enumerate(kernels):
        children[kernel.parent].append(index)
    owned: dict[int | None, list[Body]] = defaultdict(list)
    for graph in attribution.graphs:
        owned[graph.owner].append(graph)
    # A node with subgraphs ends after the nodes in them: backwards, it comes first.
    waiting: list[tuple[int | None, list[int]]] = [(None, children[None])]
    while waiting:
        owner, members = waiting.pop()
        for graph, indices in _by_graph(members, kernels, owned[owner], attribution):
            for index, node in _pairs(indices, kernels, graph, attribution):
                found[index] = node
        below: dict[int | None, list[int]] = defaultdict(list)
        for index in members:
            if children[index] and found[index] is not None:
                below[found[index]] += children[index]
        waiting += below.items()
    return tuple(found)


def _by_graph(
    members: list[int],
    kernels: Sequence[Kernel],
    graphs: list[Body],
    attribution: Attribution,
) -> Iterable[tuple[Body, list[int]]]:
    """Share out the kernels inside one node among its subgraphs, call by call."""
    if len(graphs) <= 1:
        return [(graph, members) for graph in graphs]
    names = [{_key(attribution.executed[i]) for i in graph.nodes} for graph in graphs]
    calls: dict[int | None, list[int]] = defaultdict(list)
    for index in members:
        calls[kernels[index].parent].append(index)
    shares: list[list[int]] = [[] for _ in graphs]
    for indices in calls.values():
        seen = {_spoken(kernels[index], names) for index in indices}
        best = max(range(len(graphs)), key=lambda i: len(seen & names[i]))
        shares[best] += indices
    return zip(graphs, shares, strict=True)


def _pairs(
    indices: list[int], kernels: Sequence[Kernel], graph: Body, attribution: Attribution
) -> Iterable[tuple[int, int]]:
    nodes: dict[str, list[int]] = defaultdict(list)
    for place in graph.nodes:
        nodes[_key(attribution.executed[place])].append(place)
    order: dict[str, dict[int, int]] = defaultdict(dict)
    keys = {}
    for index in sorted(indices, key=lambda i: kernels[i].start_ns):
        keys[index] = key = _spoken(kernels[index], [nodes.keys()])
        numbers = order[key]
        numbers.setdefault(kernels[index].number, len(numbers))
    for index, key in keys.items():
        alike, place = nodes.get(key, []), order[key][kernels[index].number]
        if place < len(alike):
            yield index, alike[place]


def _key(node: Executed) -> str:
    return node.name or f"an unnamed {node.operator}"


def _spoken(kernel: Kernel, names: Sequence[Iterable[str]]) -> str:
    """The key of the node that a kernel's name means; an unnamed node shows as "Mul_6"."""
    if any(kernel.name in known for known in names):
        return kernel.name
    if kernel.name in ("", f"{kernel.operator}_{kernel.number}"):
        return f"an unnamed {kernel.operator}"
    return kernel.name


def unmatched(kernels: Sequence[Kernel], found: Sequence[int | None]) -> Counter[str]:
    """Count by operator the kernels that no node of the optimised graph explains."""
    pairs = zip(kernels, found, strict=True)
    return Counter(kernel.operator for kernel, node in pairs if node is None)
