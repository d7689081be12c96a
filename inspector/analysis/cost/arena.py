"""The memory that the values of a run take in the arena of ONNX Runtime, planned without a run.

Its planner lets a value take over the buffer of a dead one of the same type and shape, and its
arena rounds blocks, splits large ones and grows by powers of two (allocation_planner.cc and
bfc_arena.cc of onnxruntime 1.32). Held against the arena of its first run, on x86 CPUs with
AVX-512 and with AVX2, by benchmarks/arenas.py.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from inspector.analysis.cost.fusing import add_scratch, fuse
from inspector.analysis.cost.kernels import Kernel, KernelGraph, Step
from inspector.analysis.cost.layouts import block_channels, packed_bytes, quantize
from inspector.model.operator_traits import VIEWS

# Kernels that write over their input, by the memory in use after each operator alone. Those of
# Add, Mul, Exp, Sqrt and BatchNormalization are not among them.
IN_PLACE = frozenset({
    "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Clip", "Elu", "HardSigmoid", "Softmax", "Selu",
    "LogSoftmax", "Softplus", "Softsign", "ThresholdedRelu", "Celu", "Cast", "Trilu",
})  # fmt: skip
LEAST_BLOCK = 256  # bytes, to which the arena rounds
FIRST_BYTES = 1 << 20  # of the arena; each extension is twice as large as the one before
MOST_BYTES = 1 << 30  # of an extension, unless a block needs more
MOST_SPARE = 128 << 20  # bytes that a block may be larger than asked for
_MOST_REPEATED = 20_000  # steps; a judgment: 10 ms to plan


class Arena:
    """Blocks of memory, as the arena of ONNX Runtime hands them out.

    used, peak: bytes of blocks in use, now and at most. held: bytes of all its regions.
    """

    def __init__(self) -> None:
        self.used = self.peak = self.held = 0
        self._next_bytes = FIRST_BYTES
        self._sizes: dict[int, int] = {}  # of blocks by their address
        self._free: list[tuple[int, int]] = []  # size and address, sorted
        self._after: dict[int, int] = {}  # the next block of the same region
        self._before: dict[int, int] = {}

    def take(self, size: int) -> int:
        """Return the address of a block of at least as many bytes."""
        size = max(LEAST_BLOCK, -(-size // LEAST_BLOCK) * LEAST_BLOCK)
        place = bisect_left(self._free, (size, -1))
        if place == len(self._free):
            self._extend(size)
            place = bisect_left(self._free, (size, -1))
        whole, address = self._free.pop(place)
        if whole >= 2 * size or whole - size >= MOST_SPARE:
            rest, after = address + size, self._after.pop(address, None)
            self._sizes[address], self._sizes[rest] = size, whole - size
            self._join(address, rest)
            if after is not None:
                self._join(rest, after)
            insort(self._free, (whole - size, rest))
        self.used += self._sizes[address]
        self.peak = max(self.peak, self.used)
        return address

    def give_back(self, address: int) -> None:
        """Free a block, and unite it with free neighbors."""
        self.used -= self._sizes[address]
        after, before = self._after.get(address), self._before.get(address)
        if after is not None and self._is_free(after):
            self._unite(address, after)
        if before is not None and self._is_free(before):
            self._unite(before, address)
            address = before
        insort(self._free, (self._sizes[address], address))

    def _extend(self, size: int) -> None:
        enough = size <= self._next_bytes
        while size > self._next_bytes:
            self._next_bytes *= 2
        region = self._next_bytes
        if enough:
            self._next_bytes = min(2 * region, MOST_BYTES)
        address = self.held * 2 + 1  # no two regions touch
        self.held += region
        self._sizes[address] = region
        insort(self._free, (region, address))

    def _is_free(self, address: int) -> bool:
        each = (self._sizes[address], address)
        place = bisect_left(self._free, each)
        return place < len(self._free) and self._free[place] == each

    def _join(self, first: int, second: int) -> None:
        self._after[first], self._before[second] = second, first

    def _unite(self, first: int, second: int) -> None:
        """Make one block of two; those of them that are free leave the list."""
        for each in (first, second):
            if self._is_free(each):
                del self._free[bisect_left(self._free, (self._sizes[each], each))]
        self._sizes[first] += self._sizes.pop(second)
        del self._before[second]
        after = self._after.pop(second, None)
        self._after.pop(first)
        if after is not None:
            self._join(first, after)


def planned_steps(graph: KernelGraph) -> tuple[Step, ...]:
    """Return what the kernels of a graph take and give back, in order; optimizes the graph."""
    quantize(graph)
    fuse(graph)
    add_scratch(graph)
    block_channels(graph)
    kernels = graph.ordered()
    graph.find_open_shapes(kernels)
    buffers = _buffers(graph, kernels)
    last = dict[str, int]()  # place of the last kernel that needs a buffer
    for place, kernel in enumerate(kernels):
        for name in (*kernel.inputs, *kernel.outputs):
            last[buffers.get(name, name)] = place
    last |= {buffers.get(name, name): len(kernels) for name in graph.outputs}
    ends: dict[int, list[str]] = defaultdict(list)
    for name, place in last.items():
        ends[place].append(name)
    steps, taken = list[Step](), set[str]()
    for place, kernel in enumerate(kernels):
        steps += kernel.inside
        for name in filter(None, kernel.outputs):
            if buffers.get(name, name) == name and (size := graph.bytes(name)):
                steps.append((name, size))
                taken.add(name)
        scratch = [(f"{place}#{n}", size) for n, size in enumerate(kernel.scratch) if size]
        steps += [*scratch, *((name, 0) for name, _ in scratch)]
        steps += [(name, 0) for name in ends[place] if name in taken]
    return tuple(steps)


def inside_steps(steps: Sequence[Step], repeats: bool) -> tuple[Step, ...]:
    """Return the steps of a graph inside of a layer, which leaves nothing behind.

    repeats: whether the layer runs it several times, with what a run before left. A second run
        is planned for up to `_MOST_REPEATED` steps: loops inside of loops double them.
    """
    rounds = range(2 if repeats and len(steps) <= _MOST_REPEATED else 1)
    found = [(f"{number}/{name}", size) for number in rounds for name, size in steps]
    left = dict(found)
    return (*found, *((name, 0) for name, size in left.items() if size))


def most_bytes(steps: Sequence[Step], before: Iterable[int] = ()) -> int:
    """Return the most bytes in use by steps. before: blocks that weights take already."""
    arena, taken = Arena(), dict[str, int]()
    for size in before:
        arena.take(size)
    weights, arena.peak = arena.used, 0
    for name, size in steps:
        if size:
            taken[name] = arena.take(size)
        else:
            arena.give_back(taken.pop(name))
    return max(arena.peak - weights, 0)


def planned_bytes(graph: KernelGraph) -> int:
    """Return the most bytes in use during a run, with those of the inputs."""
    steps = planned_steps(graph)
    weights = sorted((each.order, packed_bytes(graph, each)) for each in graph.kernels)
    most = most_bytes(steps, [size for _, size in weights if size])
    return most + sum(map(graph.bytes, graph.inputs))


def _buffers(graph: KernelGraph, kernels: list[Kernel]) -> Mapping[str, str]:
    """Return the value whose buffer each one takes over: an input's, or a dead one's."""
    left: dict[str, int] = defaultdict(int)  # readers to come, of all that lies in a buffer
    for kernel in kernels:
        for name in kernel.inputs:
            left[name] += 1
    for name in (*graph.inputs, *graph.outputs):
        left[name] += 1
    buffers: dict[str, str] = {}
    free: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for name in graph.around:  # belongs to the graph around it, which may need it again
        left[name] += 1
    for kernel in kernels:
        for place, name in enumerate(kernel.outputs):
            if not name or name in graph.outputs:
                continue
            known = _taken_over(graph, kernel, name, buffers, left) if not place else None
            if known is None and (same := free[graph.kind(name)]):
                known = same.pop()
            if known is not None:
                buffers[name] = known
                left[known] += left[name]
        for name in filter(None, kernel.inputs):
            owner = buffers.get(name, name)
            left[owner] -= 1
            if not left[owner] and owner not in graph.constants:
                free[graph.kind(owner)].append(owner)
        for name in filter(None, kernel.outputs):
            if not left[name] and name not in buffers:
                free[graph.kind(name)].append(name)
    return buffers


def _taken_over(
    graph: KernelGraph,
    kernel: Kernel,
    name: str,
    buffers: Mapping[str, str],
    left: Mapping[str, int],
) -> str | None:
    """Return the buffer of an input that the first output lies in; None if in none."""
    source = kernel.summed or kernel.input(0)
    if not source or source in graph.constants:
        return None
    owner = buffers.get(source, source)
    if kernel.operator in VIEWS:
        return owner
    if kernel.summed:
        return owner if left[owner] == 1 and graph.kind(owner) == graph.kind(name) else None
    in_place = kernel.operator in IN_PLACE and not kernel.quantized and left[owner] == 1
    return owner if in_place and graph.kind(source) == graph.kind(name) else None
