"""The search language for events: timeline and command line understand the same text.

conv copy              every word is in the name, operator or layer of an event
"two words"  -copy     a phrase; not this
/^Run|copy$/           a regular expression
op:Conv  layer:head*   the operator, the layer; * stands for any characters
track:gpu  kind:copy   where an event lies, what it is; also thread, process, model, lane, name
dur>1ms  size>=64KiB   a duration, the bytes that were copied; also start, end, run, depth
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.platform.data_struct import DataStruct
from inspector.trace.grouping import look_up
from inspector.trace.trace import KINDS, NamedLayer, Trace, TraceSource
from inspector.wording import search_terms
from inspector.wording.search_terms import Term, holds, problem

HINT = "Try dur>1ms, op:Conv, track:gpu, size>1MiB or /^Run/"
_SHOWN = 40  # letters of a mistake
_FIELD = re.compile(r"(name|op|layer|track|thread|process|model|lane|kind):(.*)", re.DOTALL)
_NUMBER = re.compile(r"(duration|dur|start|end|size|run|depth)(!=|<=|>=|=|<|>)(.+)", re.DOTALL)
_TIMES = frozenset(("duration", "dur", "start", "end"))
_SIZED = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")
_COMPARED: dict[str, Callable[..., NDArray[np.bool_]]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
Mask = NDArray[np.bool_]
_Fits = Callable[[str], bool]


def find(traced: TraceSource, text: str) -> Mask | None:
    """Return which events fit every term of a text: bool (N,); None for an empty text.

    Raises BadInput: the text makes no sense.
    """
    every = tuple(search_terms.terms(text))
    if not every:
        return None
    events = _Events(traced.trace, traced.layers)
    mask = np.ones(len(traced.trace), np.bool_)
    for term in every:
        fitting = _fitting(events, term)
        mask &= ~fitting if term.negated else fitting
    return mask


class _Events(DataStruct, frozen=True, eq=False, dict=True, weakref=True):
    """A trace with what its events are searched by. Texts have folded case."""

    trace: Trace
    layers: Sequence[NamedLayer]

    @cached_property
    def names(self) -> list[str]:
        """The names of the trace."""
        return [name.casefold() for name in self.trace.names]

    @cached_property
    def layer(self) -> NDArray[np.int64]:
        """The place of each event in the texts of layers; 0 for no layer: int64 (N,)."""
        places = {index: place for place, index in enumerate(self._by_index, 1)}
        return look_up(self.trace.layer, places, 0)

    @cached_property
    def layer_names(self) -> list[str]:
        """The names of layers, after that of no layer."""
        return ["", *(layer.name.casefold() for layer in self._by_index.values())]

    @cached_property
    def operators(self) -> list[str]:
        """The operators of layers, after that of no layer."""
        return ["", *(layer.operator.casefold() for layer in self._by_index.values())]

    @cached_property
    def _by_index(self) -> dict[int, NamedLayer]:
        return {layer.index: layer for layer in self.layers}

    def any_text(self, fits: _Fits) -> Mask:
        """Return which events have a name, a layer or an operator that fits: bool (N,)."""
        of_layers = _each(fits, self.layer_names) | _each(fits, self.operators)
        return _each(fits, self.names)[self.trace.name] | of_layers[self.layer]

    def field(self, name: str, fits: _Fits) -> Mask:
        """Return which events have a fitting text in one field: bool (N,)."""
        trace = self.trace
        match name:
            case "name":
                return _each(fits, self.names)[trace.name]
            case "op":
                return _each(fits, self.operators)[self.layer]
            case "layer":
                return _each(fits, self.layer_names)[self.layer]
            case "kind":
                return _each(fits, [kind.value for kind in KINDS])[trace.kind]
        key = "name" if name == "track" else name
        texts = [str(getattr(track, key)).casefold() for track in trace.tracks]
        return _each(fits, texts)[trace.track]

    def number(self, name: str) -> NDArray[np.signedinteger]:
        """Return a number of each event; times in nanoseconds, runs from 1: int (N,)."""
        trace = self.trace
        match name:
            case "start":
                return trace.start_ns
            case "end":
                return trace.start_ns + trace.duration_ns
            case "size":
                return trace.size_bytes
            case "run":
                return trace.run + 1
            case "depth":
                return trace.depth
        return trace.duration_ns


def _fitting(events: _Events, term: Term) -> Mask:
    """Return which events fit a term, whether it is negated or not: bool (N,)."""
    if term.pattern is not None:
        return events.any_text(_searches(term.pattern))
    word = term.text.casefold()
    if term.phrase:
        return events.any_text(lambda text: word in text)
    if number := _NUMBER.fullmatch(term.text):
        name, sign, value = number.groups()
        return _COMPARED[sign](events.number(name), _wanted(name, value))
    if field := _FIELD.fullmatch(term.text):
        return events.field(field[1], _text_test(field[1], field[2]))
    return events.any_text(lambda text: holds(text, word))


def _text_test(name: str, value: str) -> _Fits:
    """Return the test of one field: a part of it, a pattern with *, or an expression."""
    if search_terms.is_expression(value):
        return _searches(search_terms.expression(value[1:-1]))
    wanted = value.strip('"').casefold()
    if not wanted:
        raise problem(f"'{name}:' needs a value after the colon", HINT)
    return lambda text: holds(text, wanted)


def _searches(pattern: re.Pattern[str]) -> _Fits:
    return lambda text: pattern.search(text) is not None


def _wanted(name: str, text: str) -> float:
    """Return the number that a field is compared with; times in ns, sizes in bytes."""
    sized = _SIZED.fullmatch(text.strip())
    if name in _TIMES:
        wanted = units.nanoseconds(text)
    elif name == "size":
        factors = {unit.casefold(): factor for unit, factor in units.BYTES.items()} | {"": 1.0}
        known = sized is not None and sized[2].casefold() in factors
        wanted = float(sized[1]) * factors[sized[2].casefold()] if sized and known else None
    else:
        wanted = float(sized[1]) if sized is not None and not sized[2] else None
    if wanted is not None:
        return wanted
    kind = "a time such as 1.5ms" if name in _TIMES else "a number"
    kind = "a size such as 64KiB" if name == "size" else kind
    raise problem(f"'{units.clip(text, _SHOWN)}' after '{name}' is not {kind}", HINT)


def _each(fits: _Fits, texts: Sequence[str]) -> Mask:
    return np.fromiter(map(fits, texts), np.bool_, len(texts))
