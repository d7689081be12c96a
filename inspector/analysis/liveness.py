"""How much memory the values of a prediction take at once, by when each is last needed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from inspector.analysis.cost import stored_bytes, value_bytes
from inspector.analysis.expressions import Amount, number, total
from inspector.analysis.shapes import Shapes, by_name
from inspector.model import Layer, Model

_VIEWS = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"}
_IN_PLACE = {
    "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Clip", "Add", "Mul", "Sub", "Div", "Sum", "Elu",
    "Erf", "Exp", "Sqrt", "Neg", "Abs", "HardSigmoid", "HardSwish", "Softmax", "Selu", "Gelu",
    "BatchNormalization", "Softplus", "PRelu",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Peak:
    """The moment when the values of a prediction take the most memory.

    bytes: of values that are not weights; a formula where free axes are open. layer: index of
    the layer that runs then; None where there is nothing. unknown: values whose size is not
    known, which count for nothing.
    """

    bytes: Amount
    layer: int | None
    unknown: int


def peak(model: Model, shapes: Shapes, lengths: Mapping[str, int]) -> Peak:
    """Estimate the most memory that values take at once, layers one by one in their order.

    A value lives from the layer that makes it to the last one that takes it; inputs and
    outputs live throughout. Views take nothing, and a layer that may work in place does so. The
    runtime plans alike, but may keep more for patterns of memory and for operators' own needs.
    lengths: which moment it is depends on the free axes; those not given count as 1.
    """
    return _Planning(model, shapes, lengths).peak


class _Planning:
    def __init__(self, model: Model, shapes: Shapes, lengths: Mapping[str, int]) -> None:
        self._lengths = lengths
        self._weights = {w.name: stored_bytes(w) for w in model.weights}
        self._types = by_name(shapes.values)
        self._numbers: dict[str, int] = {}
        self._kinds: dict[object, tuple[Amount | None, int]] = {}
        self._unknown: set[str] = set()
        self._inner: dict[int, tuple[int, tuple[str, ...]]] = {}
        graphs: dict[tuple[int, str], list[Layer]] = {}
        for layer in model.layers:
            parent = -1 if layer.parent is None else layer.parent
            graphs.setdefault((parent, layer.branch), []).append(layer)
        inside = _taken_inside(model.layers)
        best: tuple[int, tuple[str, ...], int | None] = (0, (), None)
        lasting = [v.name for v in (*model.inputs, *model.outputs)]
        # Inner graphs first: their own peak counts while the layer that holds them runs.
        for (parent, _), layers in sorted(graphs.items(), key=lambda entry: -entry[0][0]):
            kept = lasting if parent < 0 else []
            found = self._graph(layers, kept, [v.name for v in model.inputs], inside)
            if parent < 0:
                best = found
            elif found[0] > self._inner.get(parent, (0, ()))[0]:
                self._inner[parent] = found[:2]
        asked = {name for layer in model.layers for name in layer.inputs} | {*lasting}
        unknown = len(self._unknown & asked)  # nobody misses a mask that nobody takes
        self.peak = Peak(total(map(self._size, best[1])), best[2], unknown)

    def _graph(
        self,
        layers: Sequence[Layer],
        lasting: Iterable[str],
        given: Iterable[str],
        inside: Mapping[int, frozenset[str]],
    ) -> tuple[int, tuple[str, ...], int | None]:
        """Run through one graph; returns bytes, the values that take them, and the layer."""
        root = _owners(layers, set(self._weights))
        last: dict[str, int] = {}
        for place, layer in enumerate(layers):
            for name in (*layer.inputs, *layer.outputs, *inside.get(layer.index, ())):
                last[root.get(name, name)] = place
        last |= {root.get(name, name): len(layers) for name in lasting}
        made = {name for layer in layers for name in layer.outputs}
        live = {root.get(name, name) for name in given if name in last} if lasting else set()
        now = sum(map(self._plain, live))
        best: tuple[int, tuple[str, ...], int | None] = (0, (), None)
        for place, layer in enumerate(layers):
            new = {root.get(n, n) for n in layer.outputs if n} - live
            ends = {
                name
                for name in {root.get(n, n) for n in (*layer.inputs, *layer.outputs)}
                if last.get(name) == place and (name in made or name in live)
            }
            replaced = self._replaced(layer, ends & live, new)
            live = (live | new) - replaced
            now += sum(map(self._plain, new)) - sum(map(self._plain, replaced))
            extra = self._inner.get(layer.index, (0, ()))
            if now + extra[0] > best[0]:
                best = now + extra[0], (*live, *extra[1]), layer.index
            gone = (ends - replaced) & live
            live -= gone
            now -= sum(map(self._plain, gone))
        return best

    def _replaced(self, layer: Layer, ends: set[str], new: set[str]) -> set[str]:
        """The value whose place the layer's output takes; none, mostly."""
        if layer.operator not in _IN_PLACE or len(new) != 1:
            return set()
        size = self._plain(next(iter(new)))
        return set([name for name in ends if self._plain(name) == size][:1])

    def _plain(self, name: str) -> int:
        size = self._numbers.get(name)
        if size is None:
            size = self._numbers[name] = self._of_kind(name)[1]
        return size

    def _size(self, name: str) -> Amount:
        return self._of_kind(name)[0]

    def _of_kind(self, name: str) -> tuple[Amount, int]:
        """Bytes of a value as a formula and with the lengths; worked out once a type."""
        value = self._types.get(name)
        if name in self._weights:
            return 0, 0
        key = None if value is None else (value.kind, value.dtype, value.shape)
        if key not in self._kinds:
            size = None if value is None else value_bytes(value)
            self._kinds[key] = size, number(size or 0, self._lengths)
        size, plain = self._kinds[key]
        if size is None:
            self._unknown.add(name)
        return size or 0, plain


def _owners(layers: Iterable[Layer], weights: set[str]) -> dict[str, str]:
    """View -> the value whose memory it shows."""
    root: dict[str, str] = {}
    for layer in layers:
        if layer.operator in _VIEWS and layer.inputs and layer.outputs:
            source = layer.inputs[0]
            if source not in weights:
                root[layer.outputs[0]] = root.get(source, source)
    return root


def _taken_inside(layers: Sequence[Layer]) -> dict[int, frozenset[str]]:
    """Node -> all names that the layers in its bodies take, of outer values among others."""
    found: dict[int, set[str]] = {}
    for layer in reversed(layers):
        if layer.parent is not None:
            taken = found.setdefault(layer.parent, set())
            taken.update(layer.inputs, found.get(layer.index, ()))
    return {index: frozenset(names) for index, names in found.items()}
