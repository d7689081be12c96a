"""The kernels that a runtime makes of layers: what each reads, makes, and needs for itself."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from math import prod
from types import MappingProxyType

from msgspec import Struct, field

from inspector.analysis.facts.symbolic_sizes import number, product
from inspector.model.model import ITEM_BITS, Layer, TensorInfo
from inspector.model.operator_traits import OF_SHAPE, WITHOUT_EFFECT

FLOAT_BYTES = 4
# Channels of a block on x86 CPUs, to which channels are filled up: a vector of floats (MLAS).
AVX512 = 16
AVX2 = 8
# The shape of their result follows from the values of other inputs than the first.
_SHAPED = frozenset({"Reshape", "Expand", "Tile", "Resize", "Upsample", "Slice", "Pad"})
_IN_LAYOUT = "#"  # behind the name of a value, before that of the layout
_NUMBER = re.compile(r"-?\d+")
Shape = tuple[int, ...]
# The name of a block with its bytes where it is taken, with 0 where it is given back.
Step = tuple[str, int]
DeclaredShape = tuple[int | str | None, ...] | None


class Kernel(Struct, eq=False):
    """A kernel: its operator, the names of what it reads and makes.

    order: what decides between kernels that may run next; new ones come later. layer: that it
    was made of. scratch: bytes of each of its own blocks. inside: what a graph in it takes.
    summed: a value that it adds, whose buffer its output may take over; "" for none.
    activated: whether an activation is fused with it. quantized: whether it runs on 8-bit
    integers.
    """

    operator: str
    inputs: list[str]
    outputs: list[str]
    order: int
    layer: Layer | None = None
    scratch: list[int] = field(default_factory=list)
    inside: tuple[Step, ...] = ()
    summed: str = ""
    activated: bool = False
    quantized: bool = False

    def input(self, place: int) -> str:
        """Return the name of an input; "" where there is none."""
        return self.inputs[place] if place < len(self.inputs) else ""

    @property
    def output(self) -> str:
        """Return the name of the first output; "" where there is none."""
        return self.outputs[0] if self.outputs else ""

    @property
    def groups(self) -> int:
        """Return the number of groups of a convolution."""
        return max((1, *self.numbers("group")[:1]))

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return an attribute that is one or several integers; none where it is not given."""
        return tuple(map(int, _NUMBER.findall(self.text(name))))

    def text(self, name: str) -> str:
        """Return an attribute as text; "" where it is not given."""
        attributes = self.layer.attributes if self.layer is not None else ()
        return next((each.values for each in attributes if each.name == name), "").strip("'")


class KernelGraph:
    """Kernels and the shapes of their values, as optimizers change them.

    constants: names of weights, and of what follows from them. inputs, outputs: of the graph.
    """

    def __init__(
        self,
        layers: Iterable[Layer],
        types: Mapping[str, TensorInfo],
        weights: Mapping[str, Shape],
        lengths: Mapping[str, int],
        folded: set[str],
        inputs: Iterable[str],
        outputs: Iterable[str],
        inside: Mapping[int, frozenset[str]],
        bodies: Mapping[int, tuple[Step, ...]],
        fixed: Container[str] = (),
        declared: Mapping[str, DeclaredShape] = MappingProxyType({}),
        block: int = AVX512,
    ) -> None:
        """Make a kernel of each layer.

        folded: values that follow from weights. inside: names that the bodies of a layer read;
        bodies: the steps of those that take most. fixed: values whose shape no run changes.
        declared: shapes of values as the file has them, with names of axes. block: channels
        of a block.
        """
        self.constants = folded | weights.keys()
        self.inputs = [name for name in inputs if name not in weights]
        self.outputs = frozenset(outputs)
        self.fixed, self.block, self._declared = fixed, block, declared
        self._weights, self._types, self._lengths = weights, types, lengths
        self._shapes: dict[str, Shape] = {}
        self._items: dict[str, float] = {}
        self._open = set[str]()
        self.kernels: list[Kernel] = []
        self._last = 0
        same: dict[str, str] = {}  # what has no effect -> its input
        quantized = set[str]()  # weights that are converted to floats whenever it runs
        for layer in layers:
            self._last = max(self._last, layer.index)
            outputs_of = [*layer.outputs]
            if layer.operator == "DequantizeLinear":
                quantized.update(outputs_of)
            elif all(name in self.constants for name in filter(None, outputs_of)):
                continue
            read = [same.get(name, name) for name in layer.inputs]
            goes = layer.operator in WITHOUT_EFFECT and outputs_of[0] not in self.outputs
            if goes and read and read[0] not in self.constants:
                same[outputs_of[0]] = read[0]
                continue
            read += sorted(same.get(name, name) for name in inside.get(layer.index, ()))
            kernel = Kernel(layer.operator, read, outputs_of, layer.index, layer)
            kernel.inside = bodies.get(layer.index, ())
            self.kernels.append(kernel)
        self.constants -= quantized

    def shape(self, name: str) -> Shape:
        """Return the shape of a value or weight; () where it is not known."""
        known = self._weights.get(name) or self._shapes.get(name)
        if known is None:
            value = self._types.get(name)
            axes = () if value is None or value.shape is None else value.shape
            known = self._shapes[name] = tuple(map(self._length, axes))
        return known

    def _length(self, axis: int | str | None) -> int:
        if isinstance(axis, int):
            return axis
        amount = product((axis,))
        return number(1 if amount is None else amount, self._lengths)

    def _item(self, name: str) -> float:
        if name not in self._items:
            value = self._types.get(name)
            bits = ITEM_BITS.get(value.dtype) if value is not None else None
            tensor = value is not None and value.kind == "tensor" and value.shape is not None
            self._items[name] = (bits or 0) / 8 if tensor else 0.0
        return self._items[name]

    def bytes(self, name: str) -> int:
        """Return the bytes of a value; 0 where they are not known."""
        return prod(self.shape(name)) * round(8 * self._item(name)) // 8

    def kind(self, name: str) -> tuple[object, ...]:
        """Return what two values must have in common to share a buffer: type and shape, where
        the shape is known before a run."""
        if name in self._open:
            return self._item(name), name
        declared = self._declared.get(_source(name)) if self._declared else None
        return self._item(name), self.shape(name), declared

    def find_open_shapes(self, kernels: Iterable[Kernel]) -> None:
        """Note the values whose shape follows from values of a run. kernels: in their order.

        An axis that the file declares without a length or a name is one that no inference
        could tell, and a runtime does not know it either.
        """
        for kernel in kernels:
            told = kernel.outputs if self._declared else ()
            told = [each for each in told if _source(each) in self._declared]
            self._open.update(e for e in told if not _is_told(self._declared[_source(e)]))
            if told:
                continue
            by_values = kernel.operator in _SHAPED and any(
                name not in self.constants for name in filter(None, kernel.inputs[1:])
            )
            is_open = by_values or not self._open.isdisjoint(kernel.inputs)
            if is_open and kernel.operator not in OF_SHAPE:
                self._open.update(kernel.outputs)

    def value(self, of: str, suffix: str, shape: Shape, item: float = 0.0) -> str:
        """Add a value with the contents of another one in another layout or type."""
        name = f"{of}{_IN_LAYOUT}{suffix}"
        self._shapes[name], self._items[name] = shape, item or self._item(of)
        return name

    def values_of(self, dtype: str) -> set[str]:
        """Return the values of a type."""
        return {name for name, value in self._types.items() if value.dtype == dtype}

    def widen(self, name: str) -> None:
        """Let a value be of float32."""
        self._items[name] = FLOAT_BYTES

    def next_order(self) -> int:
        """Return the place of a new kernel."""
        self._last += 1
        return self._last

    def add(self, operator: str, source: str, target: str) -> None:
        """Add a kernel that turns a value into another one."""
        self.kernels.append(Kernel(operator, [source], [target], self.next_order()))

    @property
    def around(self) -> set[str]:
        """Return what kernels read that none of them makes, constants left out."""
        read = {name for kernel in self.kernels for name in kernel.inputs if name}
        return read - self.makers().keys() - self.constants

    def readers(self) -> Mapping[str, Sequence[Kernel]]:
        """Return the kernels that read each value, once for each time."""
        found: dict[str, list[Kernel]] = defaultdict(list)
        for kernel in self.kernels:
            for name in filter(None, kernel.inputs):
                found[name].append(kernel)
        return found

    def makers(self) -> dict[str, Kernel]:
        """Return the kernel that makes each value."""
        return {name: kernel for kernel in self.kernels for name in kernel.outputs if name}

    def only_reader(
        self, kernel: Kernel, readers: Mapping[str, Sequence[Kernel]]
    ) -> Kernel | None:
        """Return the only kernel that reads what another one makes; None for several."""
        name = kernel.outputs[0] if kernel.outputs else ""
        found = readers.get(name, ())
        return found[0] if len(found) == 1 and name not in self.outputs else None

    def drop(self, gone: set[Kernel]) -> None:
        """Remove kernels."""
        if gone:
            self.kernels = [kernel for kernel in self.kernels if kernel not in gone]

    def is_scalar(self, name: str) -> bool:
        """Return whether a value is one constant number."""
        return name in self.constants and prod(self.shape(name)) == 1

    def ordered(self) -> list[Kernel]:
        """Return the kernels as they run: from the last ones back to what they need, of which
        that with the highest order comes first (graph_viewer.cc of ONNX Runtime)."""
        makers, read = self.makers(), {n for kernel in self.kernels for n in kernel.inputs}
        ends = [k for k in self.kernels if read.isdisjoint(filter(None, k.outputs))]
        stack = [(kernel, False) for kernel in sorted(ends, key=_order)]
        seen, found = set[Kernel](), list[Kernel]()
        while stack:
            kernel, is_ready = stack.pop()
            if is_ready:
                found.append(kernel)
            elif kernel not in seen:
                seen.add(kernel)
                stack.append((kernel, True))
                needed = {makers[name] for name in kernel.inputs if name in makers} - seen
                stack.extend((each, False) for each in sorted(needed, key=_order))
        return found


def _source(name: str) -> str:
    """Return the value that another one has the contents of, in another layout."""
    return name.partition(_IN_LAYOUT)[0]


def _is_told(shape: DeclaredShape) -> bool:
    return shape is not None and None not in shape


def _order(kernel: Kernel) -> int:
    return kernel.order
