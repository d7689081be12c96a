"""The search language for layers: graph, tables and command line all understand the same text.

conv1 relu             every word is in the name, operator, tensors or type of a layer
block*conv             a word in which * stands for any characters
"two words"  -relu     a phrase; not this
op:Conv  name:head*    the operator, the name; * stands for any characters
type:float16           type of an output or a weight
1x*x122x122            shape of an output or a weight; * is any size, ... any number of axes
conv 3x3               a kernel of that size, too
group=32  axis!=1      an attribute; also <, <=, > and >=
/conv\\d+$/             a regular expression
MatMul -> * -> Softmax layers in a row; * is any layer, ... any number of layers
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, repeat
from operator import contains

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector.model.model import Axis, Layer, Model, TensorInfo, WeightInfo
from inspector.platform.cooperative_yielding import polite
from inspector.units import clip
from inspector.wording import search_terms
from inspector.wording.search_terms import Term, fits, holds, problem

_ARROW = re.compile(r"(?:^|\s)(?:->|→)(?=\s|$)")
_PREFIX = re.compile(r"(name|op|type|shape|tensor|domain):(.*)", re.DOTALL)
_SHAPE = re.compile(r"(?:\d+|\*|\?|\.\.\.)(?:[x×](?:\d+|\*|\?|\.\.\.))+")
_ATTRIBUTE = re.compile(r"([A-Za-z_]\w*)(!=|<=|>=|=|<|>)(.+)")
_TYPE_ALIASES = {
    "fp32": "float32", "float": "float32", "fp16": "float16", "half": "float16",
    "bf16": "bfloat16", "fp64": "float64", "double": "float64",
}  # fmt: skip
# Operators with a kernel, and which input is the weight that it can be told from.
_CONVOLUTIONS = {
    "Conv": 1, "ConvTranspose": 1, "FusedConv": 1, "ConvInteger": 1, "NhwcConv": 1,
    "QLinearConv": 3,
}  # fmt: skip
HINT = "Try conv 3x3, op:Conv, type:float16, 1x*x112x112, group=32 or Conv -> Relu"
_ANY_LAYER = "*"
_ANY_LAYERS = "..."

ValueInfo = TensorInfo | WeightInfo
Mask = NDArray[np.bool_]
_Test = Callable[["LayerIndex", int], bool]
_EXAMPLES = {
    "name": "Example: name:head*",
    "op": "Example: op:Conv",
    "type": "Example: type:float16",
    "shape": "Example: shape:batch,3,224,224",
    "tensor": "Example: tensor:logits",
    "domain": "Example: domain:com.microsoft",
}


def values_by_name(model: Model, inferred: Iterable[TensorInfo] = ()) -> dict[str, ValueInfo]:
    """Return types and shapes of tensors by name: inferred and declared ones, and weights.

    A weight that is also a graph input counts as weight.
    """
    declared = (*model.values, *model.defaults, *model.inputs, *model.outputs)
    values: dict[str, ValueInfo] = {
        value.name: value for value in polite((*inferred, *declared)) if value.dtype
    }
    values |= {weight.name: weight for weight in polite(model.weights)}
    return values


class FoundLayers(Struct, frozen=True):
    """Layers that fit a search, with their outputs as far as their type is known."""

    expression: str
    total: int
    layers: tuple[Layer, ...]
    outputs: tuple[tuple[ValueInfo, ...], ...]


def search(model: Model, expression: str, inferred: Iterable[TensorInfo] = ()) -> FoundLayers:
    """Return the layers of a model that fit. Raises BadInput: the text makes no sense."""
    values = values_by_name(model, inferred)
    places = LayerIndex(model.layers, values).find(expression)
    layers = tuple(model.layers[place] for place in places)
    outputs = (
        tuple(values[name] for name in layer.outputs if name in values) for layer in layers
    )
    return FoundLayers(expression, len(model.layers), layers, tuple(outputs))


class _Term(Struct, frozen=True):
    """One condition. word: text that a layer must hold; without one, `test` decides."""

    word: str = ""
    test: _Test | None = None
    negated: bool = False


class _Step(Struct, frozen=True):
    """A layer of a chain. skips: whether any number of layers may come before it."""

    terms: tuple[_Term, ...]
    skips: bool = False


class LayerIndex(Struct, eq=False):
    """Layers prepared for being searched.

    values: types and shapes of tensors by name. texts: what a word is looked up in, one for
        each layer, with folded case; by default name, operator, domain, tensors and types.
    """

    layers: Sequence[Layer]
    values: Mapping[str, ValueInfo] = field(default_factory=dict)
    texts: Sequence[str] = ()
    _operators: frozenset[str] = frozenset()
    _edges: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None

    def prepare(self) -> None:
        """Collect the text of every layer, unless that has been done."""
        if len(self.texts) != len(self.layers):
            self.texts = tuple(map(self._text_of, polite(self.layers)))
        if not self._operators:
            self._operators = frozenset(layer.operator.casefold() for layer in self.layers)

    def find(self, text: str) -> tuple[int, ...]:
        """Return the places of the layers that fit a text, in order.

        Of a chain, all layers that are part of one. Raises BadInput: the text makes no sense.
        """
        self.prepare()
        if not text.strip():
            return ()
        steps = parse(text)
        if len(steps) == 1:
            return tuple(self._fitting(steps[0].terms))
        return tuple(np.flatnonzero(self._in_chain(steps)).tolist())

    def _fitting(self, terms: tuple[_Term, ...]) -> list[int]:
        """Return layers that meet all conditions.

        Words come first: they are looked up by functions written in C, a tenth of a
        microsecond for each layer; long search terms are rare.
        """
        text_terms = sorted((t for t in terms if t.test is None), key=_cost)
        places = list(range(len(self.texts)))
        for term in text_terms:
            texts = map(self.texts.__getitem__, places)
            hits = map(contains, texts, repeat(term.word))
            if term.negated:
                hits = (not hit for hit in hits)  # type: ignore[assignment]
            places = [*compress(places, hits)]
        for term in terms:
            test = term.test
            if test is not None:
                places = [p for p in polite(places) if test(self, p) != term.negated]
        return places

    def _in_chain(self, steps: tuple[_Step, ...]) -> Mask:
        """Return which layers are part of a chain: bool (layers,)."""
        ahead: list[Mask] = []
        for step in steps:
            mask = np.zeros(len(self.layers), np.bool_)
            mask[self._fitting(tuple(map(self._as_operator, step.terms)))] = True
            if ahead:
                mask &= self._reached(ahead[-1], step.skips, forward=True)
            ahead.append(mask)
        result = last = ahead[-1]
        for step, mask in zip(reversed(steps[1:]), reversed(ahead[:-1]), strict=True):
            last = mask & self._reached(last, step.skips, forward=False)
            result = result | last
        return result

    def _as_operator(self, term: _Term) -> _Term:
        """In a chain, a word that is an operator of the model means that operator."""
        if term.test is None and term.word in self._operators:
            return _Term(test=_operator(term.word), negated=term.negated)
        return term

    def _reached(self, start: Mask, far: bool, forward: bool) -> Mask:
        """Return the layers that lie one edge away from others, or any number of edges."""
        if self._edges is None:
            self._edges = _edges(self.layers)
        source, target = self._edges if forward else self._edges[::-1]
        result = np.zeros_like(start)
        if not far:
            result[target[start[source]]] = True
            return result
        # Edges are in the order of the layers, which ONNX requires to be topological, so that
        # one pass is enough; what a broken file has in another order takes further ones.
        pairs = list(zip(source.tolist(), target.tolist(), strict=True))
        pairs = pairs if forward else pairs[::-1]
        active, reached = start.tolist(), [False] * len(start)
        changed = True
        while changed:
            changed = False
            for one, other in pairs:
                if active[one] and not reached[other]:
                    active[other] = reached[other] = changed = True
        return np.array(reached, np.bool_)

    def _text_of(self, layer: Layer) -> str:
        names = (self.values.get(name) for name in layer.outputs)
        types = {value.dtype for value in names if value is not None}
        parts = (
            layer.label, layer.operator, layer.domain, *layer.inputs, *layer.outputs, *types,
        )  # fmt: skip
        return "\n".join(parts).casefold()

    def tensors_of(self, place: int) -> list[ValueInfo]:
        """Return what is known of a layer's outputs and weights."""
        layer = self.layers[place]
        outputs = (self.values.get(name) for name in layer.outputs)
        inputs = (self.values.get(name) for name in layer.inputs)
        weights = (value for value in inputs if isinstance(value, WeightInfo))
        return [value for value in (*outputs, *weights) if value is not None]


def _cost(term: _Term) -> tuple[bool, int]:
    return term.negated, -len(term.word)


def parse(text: str) -> tuple[_Step, ...]:
    """Return the steps of a search, one if it is no chain. Raises BadInput."""
    parts = [part.strip() for part in _ARROW.split(text)]
    if len(parts) > 1 and not all(parts):
        raise problem("A chain needs a layer on both sides of '->'", "Try: Conv -> Relu")
    steps: list[_Step] = []
    skips = False
    for part in parts:
        if len(parts) > 1 and part == _ANY_LAYERS:
            skips = True
            continue
        any_layer = len(parts) > 1 and part == _ANY_LAYER
        steps.append(_Step(() if any_layer else _terms(part), skips))
        skips = False
    if skips or (steps and steps[0].skips):
        raise problem("'...' needs a layer before and after it", "Try: Conv -> ... -> Softmax")
    return tuple(steps)


def _terms(text: str) -> tuple[_Term, ...]:
    return tuple(map(_term, search_terms.terms(text)))


def _term(term: Term) -> _Term:
    """Return the condition that a term of the text stands for."""
    body, negated = term.text, term.negated
    if term.pattern is not None:
        return _Term(test=_expression(term.pattern), negated=negated)
    if term.phrase:
        return _Term(body.casefold(), negated=negated)
    prefixed = _PREFIX.fullmatch(body)
    if prefixed:
        kind, value = prefixed[1], prefixed[2].strip('"')
        if not value:
            raise problem(f"'{kind}:' needs a value after the colon", _EXAMPLES[kind])
        return _Term(test=_PREFIXES[kind](value), negated=negated)
    if _SHAPE.fullmatch(body):
        return _Term(test=_shape_or_text(body), negated=negated)
    attribute = _ATTRIBUTE.fullmatch(body)
    if attribute:
        return _Term(test=_attribute(*attribute.groups()), negated=negated)
    if "*" in body:
        return _Term(test=_expression(search_terms.with_wildcards(body)), negated=negated)
    return _Term(body.casefold(), negated=negated)


def _expression(pattern: re.Pattern[str]) -> _Test:
    """Match a regular expression within one name, operator or type."""

    def test(index: LayerIndex, place: int) -> bool:
        return any(map(pattern.search, index.texts[place].split("\n")))

    return test


def _operator(value: str) -> _Test:
    pattern = value.casefold()
    cache: dict[str, bool] = {}

    def test(index: LayerIndex, place: int) -> bool:
        operator = index.layers[place].operator
        if operator not in cache:
            cache[operator] = fits(operator.casefold(), pattern)
        return cache[operator]

    return test


def _name(value: str) -> _Test:
    """Match part of a name; a pattern with * has to be the whole name."""
    pattern = value.casefold()

    def test(index: LayerIndex, place: int) -> bool:
        name = index.layers[place].label.casefold()
        return holds(name, pattern)

    return test


def _tensor(value: str) -> _Test:
    pattern = value.casefold()

    def test(index: LayerIndex, place: int) -> bool:
        layer = index.layers[place]
        names = (name.casefold() for name in (*layer.inputs, *layer.outputs))
        return any(holds(each, pattern) for each in names)

    return test


def _domain(value: str) -> _Test:
    pattern = value.casefold()

    def test(index: LayerIndex, place: int) -> bool:
        return fits((index.layers[place].domain or "ai.onnx").casefold(), pattern)

    return test


def _type(value: str) -> _Test:
    pattern = _TYPE_ALIASES.get(value.casefold(), value.casefold())

    def test(index: LayerIndex, place: int) -> bool:
        return any(fits(each.dtype, pattern) for each in index.tensors_of(place))

    return test


def _shape(value: str) -> _Test:
    parted = re.split(r"\s*[,×]\s*" if re.search("[,×]", value) else "x", value.strip("[]() "))
    pattern = tuple(part.casefold() for part in parted)
    cache: dict[tuple[Axis, ...] | None, bool] = {}

    def test(index: LayerIndex, place: int) -> bool:
        for each in index.tensors_of(place):
            if each.shape not in cache:
                cache[each.shape] = each.shape is not None and _has_shape(each.shape, pattern)
            if cache[each.shape]:
                return True
        return False

    return test


def _shape_or_text(value: str) -> _Test:
    """Match a shape or a kernel; or the text itself, since names like 'conv_3x3' are common."""
    shape, text = _shape(value), value.casefold()
    kernel = tuple(re.split("[x×]", text))
    is_size = all(map(str.isdecimal, kernel))

    def test(index: LayerIndex, place: int) -> bool:
        return (
            text in index.texts[place]
            or shape(index, place)
            or (is_size and _has_shape(_kernel(index, place), kernel))
        )

    return test


def _kernel(index: LayerIndex, place: int) -> tuple[Axis, ...]:
    """Return the size of a layer's kernel: as declared, or that of a convolution's weight."""
    layer = index.layers[place]
    for each in layer.attributes:
        if each.name == "kernel_shape":
            return tuple(int(n) for n in _plain(each.text).split(",") if n.isdecimal())
    weight_place = _CONVOLUTIONS.get(layer.operator, len(layer.inputs))
    if weight_place >= len(layer.inputs):
        return ()
    weight = index.values.get(layer.inputs[weight_place])
    return weight.shape[2:] if weight is not None and weight.shape is not None else ()


def _has_shape(shape: tuple[Axis, ...], pattern: tuple[str, ...]) -> bool:
    """Return whether a shape fits: '*' is any size, '?' a dynamic one, '...' any axes."""
    if "..." in pattern:
        place = pattern.index("...")
        before, after = pattern[:place], pattern[place + 1 :]
        if len(shape) < len(before) + len(after):
            return False
        end = len(shape) - len(after)
        if "..." in after:
            rest = (_has_shape(shape[i:], after) for i in range(place, len(shape) + 1))
            return _has_shape(shape[:place], before) and any(rest)
        return _has_shape(shape[:place], before) and _has_shape(shape[end:], after)
    return len(shape) == len(pattern) and all(map(_is_axis, shape, pattern))


def _is_axis(axis: Axis, pattern: str) -> bool:
    if pattern == "*":
        return True
    if pattern == "?":
        return not isinstance(axis, int)
    return str(axis).casefold() == pattern


def _attribute(name: str, sign: str, value: str) -> _Test:
    """Compare an attribute; names that a layer does not have fit only '!='."""
    wanted_name, wanted = name.casefold(), _plain(value)

    def test(index: LayerIndex, place: int) -> bool:
        for each in index.layers[place].attributes:
            if each.name.casefold() == wanted_name:
                return _compared(_plain(each.values), sign, wanted)
        return sign == "!="

    return test


def _plain(text: str) -> str:
    """Return '3,3' for '[3, 3]' and '3x3': how an attribute may be written."""
    plain = re.sub(r"[\s\[\]()\"']", "", text).casefold()
    return re.sub(r"(?<=\d)[x×](?=\d)", ",", plain)


def _compared(text: str, sign: str, wanted: str) -> bool:
    if sign in ("=", "!="):
        return _equal(text, wanted) == (sign == "=")
    limit = _number(wanted)
    if limit is None:
        raise problem(
            f"'{clip(wanted, 40)}' after '{sign}' is not a number", "Example: group>1"
        )
    numbers = [number for number in map(_number, text.split(",")) if number is not None]
    return any(
        {"<": n < limit, "<=": n <= limit, ">": n > limit, ">=": n >= limit}[sign]
        for n in numbers
    )


def _equal(text: str, wanted: str) -> bool:
    """Return whether values are equal; '3' also stands for '3,3'."""
    if fits(text, wanted):
        return True
    number = _number(wanted)
    return number is not None and all(_number(part) == number for part in text.split(","))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


_PREFIXES: dict[str, Callable[[str], _Test]] = {
    "name": _name,
    "op": _operator,
    "type": _type,
    "shape": _shape,
    "tensor": _tensor,
    "domain": _domain,
}


def _edges(layers: Sequence[Layer]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return which layer hands a tensor to which: int32 (edges,) of sources and of targets.

    Two branches of one If may use the same name; then the one in an enclosing graph counts.
    """
    makers: dict[str, list[int]] = {}
    for place, layer in enumerate(polite(layers)):
        for name in layer.outputs:
            if name:
                makers.setdefault(name, []).append(place)
    pairs: list[tuple[int, int]] = []
    for place, layer in enumerate(polite(layers)):
        for name in dict.fromkeys(layer.inputs):
            sources = makers.get(name, ())
            if len(sources) > 1:
                graphs = _graphs_around(layers, layer)
                inside = [s for s in sources if _graph_of(layers[s]) in graphs]
                sources = inside or sources
            pairs.extend((source, place) for source in sources)
    pairs.sort()
    table = np.array(pairs, np.int32).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _graph_of(layer: Layer) -> tuple[int | None, str]:
    return layer.parent, layer.branch


def _graphs_around(layers: Sequence[Layer], layer: Layer) -> set[tuple[int | None, str]]:
    graphs = {_graph_of(layer)}
    while layer.parent is not None and 0 <= layer.parent < len(layers):
        layer = layers[layer.parent]
        graphs.add(_graph_of(layer))
    return graphs
