"""Which layers hold words: name, operator, values, and the types of what they make."""

from collections.abc import Mapping
from itertools import compress, repeat
from operator import contains

from inspector.analysis.estimate import Estimate
from inspector.courtesy import polite
from inspector.model import Layer, Model


class Index:
    """The words of every layer in small letters.

    types: element types of values by name; a layer is found by those of its outputs.
    """

    def __init__(self, layers: tuple[Layer, ...], types: Mapping[str, str]) -> None:
        self._layers, self._types = layers, types
        self._words: tuple[str, ...] = ()

    def prepare(self) -> None:
        """Put the words together, unless that has been done."""
        if not self._words:
            self._words = tuple(map(self._told, polite(self._layers)))

    def find(self, text: str) -> tuple[int, ...]:
        """Layers that hold every word of a text, in order.

        Each is asked, by functions that are no Python: a tenth of a microsecond.
        """
        self.prepare()
        wanted = sorted(set(text.lower().split()), key=len, reverse=True)  # long ones are rare
        if not wanted:
            return ()
        words = self._words
        found = [*compress(range(len(words)), map(contains, words, repeat(wanted[0])))]
        for word in wanted[1:]:
            held = map(words.__getitem__, found)
            found = [*compress(found, map(contains, held, repeat(word)))]
        return tuple(found)

    def _told(self, layer: Layer) -> str:
        types = {self._types.get(name, "") for name in layer.outputs}
        parts = (
            layer.label,
            layer.operator,
            layer.domain,
            *layer.inputs,
            *layer.outputs,
            *types,
        )
        return "\n".join(parts).lower()


def types_of(model: Model, found: Estimate | None) -> dict[str, str]:
    """Element types of values by name: what the file declares, and what was inferred."""
    inferred = found.shapes.values if found is not None else ()
    declared = (*model.values, *model.defaults, *model.inputs, *model.outputs)
    return {value.name: value.dtype for value in polite((*inferred, *declared)) if value.dtype}
