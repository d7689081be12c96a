"""The tensors of one network in one form, in the order in which they are computed."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from inspector.comparison.layer_pairs.families import family
from inspector.comparison.layer_pairs.model_graph import ModelGraph
from inspector.comparison.tensor_pairs.likeness import Array
from inspector.model.model import Layer, Model

# Attributes of TensorFlow Lite and of ONNX Runtime's fused layers.
_FUSED = ("fused_activation_function", "activation")
_NO_ACTIVATION = ("NONE", "")
_BLOCKS = "com.microsoft.nchwc"  # domain whose tensors have their channels in blocks
_OUT_OF_BLOCKS = "ReorderOutput"


class Tensor(Struct, frozen=True, eq=False):
    """A tensor of a run, or one that was recorded.

    arrays: its value for each input of the model. layer: index of the layer that makes it; None
    where no graph is known. families: of what this layer computes, "Conv" and "Relu" where the
    activation is part of it. needs: names of the tensors that the layer reads. in_blocks:
    whether its channels are in blocks, so that no order of axes gives another side's values.
    """

    name: str
    arrays: tuple[Array, ...]
    layer: int | None = None
    families: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    in_blocks: bool = False

    @property
    def varies(self) -> bool:
        """Return whether it depends on the input, as far as that can be seen."""
        first, *others = self.arrays
        if not others:
            return True
        return any(
            each.shape != first.shape or not np.array_equal(each, first) for each in others
        )


class Side(Struct, frozen=True, eq=False):
    """All tensors by name, in the order in which they are computed.

    inputs: of the model, by name; empty where only tensors are known. graph: of the model.
    """

    tensors: Mapping[str, Tensor]
    inputs: Collection[str] = ()
    layers: Sequence[Layer] = ()
    outputs: Collection[str] = field(default_factory=tuple)
    graph: ModelGraph | None = None

    @property
    def has_graph(self) -> bool:
        """Return whether it is known which tensor is computed of which."""
        return bool(self.layers)

    def sources(self, paired: Mapping[str, str]) -> dict[str, frozenset[str]]:
        """Return the nearest paired tensors, or inputs, that each tensor is computed of.

        paired: the paired tensor by the name of each with its values.
        """
        found: dict[str, frozenset[str]] = {}
        for name, tensor in self.tensors.items():
            nearest: set[str] = set()
            for need in tensor.needs:
                if need in paired or need in self.inputs:
                    nearest.add(paired.get(need, need))
                else:
                    nearest |= found.get(need, frozenset())
            found[name] = frozenset(nearest)
        return found

    def groups(self, paired: Collection[str]) -> dict[str, frozenset[int]]:
        """Return the layers that compute each tensor of its nearest paired ones."""
        found: dict[str, frozenset[int]] = {}
        for name, tensor in self.tensors.items():
            own = {tensor.layer} if tensor.layer is not None else set()
            for need in tensor.needs:
                if need not in paired and need not in self.inputs:
                    own |= found.get(need, frozenset())
            found[name] = frozenset(own)
        return found

    def families(self, layers: Collection[int]) -> Counter[str]:
        """Return how often each family of operators is in some layers."""
        counted: Counter[str] = Counter()
        for index in layers:
            counted.update(families_of(self.layers[index]))
        return counted

    def readers(self, name: str) -> list[Tensor]:
        """Return the tensors that are computed of a tensor directly."""
        return [tensor for tensor in self.tensors.values() if name in tensor.needs]


def families_of(layer: Layer) -> tuple[str, ...]:
    """Return the families of what a layer computes: of its operator and of its activation."""
    operator = family(layer.operator)
    fused = next((a.text for a in layer.attributes if a.name in _FUSED), "")
    return (operator,) if fused in _NO_ACTIVATION else (operator, family(fused))


def side_of(model: Model, runs: Sequence[Mapping[str, Array]]) -> Side:
    """Return the tensors of a model, those inside its layers too. runs: their values for each
    input."""
    graph = ModelGraph(model)
    inputs = {info.name for info in (*model.inputs, *model.defaults)}
    waiting = [layer for layer in model.layers if layer.parent is None]
    inner: dict[int, list[Layer]] = {}  # by the layer around them, those within them first
    for layer in reversed(model.layers):
        if layer.parent is not None:
            inner.setdefault(layer.parent, []).append(layer)

    def with_inner(layer: Layer) -> Iterator[Layer]:
        for each in reversed(inner.get(layer.index, [])):
            yield from with_inner(each)
        yield layer

    tensors, blocked = dict[str, Tensor](), set[str]()
    for layer in (each for top in in_order(waiting, graph.maker) for each in with_inner(top)):
        # What is computed inside a layer, it gives on.
        body = inner.get(layer.index, ())
        within = {name for each in body for name in (*each.inputs, *each.outputs)}
        needs = (*layer.inputs, *sorted(within))
        families = families_of(layer)
        in_blocks = layer.operator != _OUT_OF_BLOCKS and (
            layer.domain == _BLOCKS or not blocked.isdisjoint(layer.inputs)
        )
        blocked.update(layer.outputs if in_blocks else ())
        for name in layer.outputs:
            arrays = tuple(run[name] for run in runs if name in run)
            if len(arrays) == len(runs) and name not in tensors and name not in inputs:
                tensors[name] = Tensor(name, arrays, layer.index, families, needs, in_blocks)
    outputs = [info.name for info in model.outputs]
    return Side(tensors, inputs, model.layers, outputs, graph)


def in_order(layers: Sequence[Layer], maker: Callable[[str, Layer], int | None]) -> list[Layer]:
    """Return layers, each after those that it needs, else as in the file."""
    by_index = {layer.index: layer for layer in layers}
    ordered: dict[int, Layer] = {}
    for layer in layers:
        waiting, begun = [layer], set[int]()
        while waiting:
            top = waiting[-1]
            before = [
                by_index[made]
                for name in top.inputs
                if (made := maker(name, top)) in by_index and made not in ordered
            ]
            if before and top.index not in begun:
                begun.add(top.index)
                waiting += before[::-1]
                continue
            waiting.pop()
            ordered.setdefault(top.index, top)
    return list(ordered.values())
