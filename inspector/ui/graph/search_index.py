"""Which layers hold words: name, operator, values, and the types of what they make."""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

from inspector.analysis.estimate import Estimate
from inspector.model import Layer, Model

_BETWEEN = "\0"  # stands in no word that anybody can type
_OFTEN = 8  # a word in more than each eighth layer: to look at each is quicker


class Index:
    """The words of every layer in small letters, one after the other in one text.

    One text, because looking through it once is ten times faster than through 100,000.
    types: element types of values by name; a layer is found by those of its outputs.
    """

    def __init__(self, layers: tuple[Layer, ...], types: Mapping[str, str]) -> None:
        self._layers, self._types = layers, types
        self._words: tuple[str, ...] = ()
        self._starts: tuple[int, ...] = ()
        self._text = ""

    def prepare(self) -> None:
        """Put the words together, unless that has been done."""
        if not self._words:
            words = tuple(self._told(layer) for layer in self._layers)
            self._starts = (0, *accumulate(len(each) + 1 for each in words))
            self._text = _BETWEEN.join(words)
            self._words = words

    def find(self, text: str) -> tuple[int, ...]:
        """Layers that hold every word of a text, in order."""
        self.prepare()
        wanted, words = sorted(set(text.lower().split()), key=self._text.count), self._words
        if not wanted:
            return ()
        return tuple(
            place
            for place in self._holding(wanted[0])
            if all(word in words[place] for word in wanted[1:])
        )

    def _holding(self, word: str) -> list[int]:
        """Layers that hold one word; the rest of a layer is skipped once it is found there."""
        text, starts, found = self._text, self._starts, list[int]()
        if text.count(word) > len(starts) // _OFTEN:
            return [place for place, words in enumerate(self._words) if word in words]
        at, place = text.find(word), -1
        while at >= 0:
            place += 1
            if starts[place + 1] <= at:  # not simply the next layer
                place = bisect_right(starts, at, place) - 1
            found.append(place)
            at = text.find(word, starts[place + 1])
        return found

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
        return "\n".join(parts).lower().replace(_BETWEEN, " ")


def types_of(model: Model, found: Estimate | None) -> dict[str, str]:
    """Element types of values by name: what the file declares, and what was inferred."""
    inferred = found.shapes.values if found is not None else ()
    declared = (*model.values, *model.defaults, *model.inputs, *model.outputs)
    return {value.name: value.dtype for value in (*inferred, *declared) if value.dtype}
