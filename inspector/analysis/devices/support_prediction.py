"""Answers about a device that is not here: whether it would take a layer, and if not, why.

An answer is "supported" only when every condition that the provider's source states was checked
and holds. One that cannot be checked here makes the answer "unknown", with the condition.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from inspector.analysis.devices.node_conditions import evaluate
from inspector.analysis.devices.node_view import Node, Numbers, is_fixed
from inspector.analysis.devices.support_tables import (
    EVERY_OPERATOR,
    Kernel,
    SupportTable,
    takes,
)
from inspector.analysis.facts.requirements import since
from inspector.model.model import TFLITE, Axis, Layer, Model, TensorInfo
from inspector.model.operator_traits import CONTROL_FLOW, OF_SHAPE, RANDOM
from inspector.report.report_values import Support
from inspector.units import capitalized, clip
from inspector.wording.support_marks import Mark, Rule, Source
from inspector.wording.values import Capital, Sentence

_STANDARD = ("", "ai.onnx", TFLITE)
# The runtime keeps them for fusion.
_NEVER_FOLDED = frozenset({"QuantizeLinear", "DequantizeLinear"})
_PLURALS = (
    "activation", "conditions", "leading", "operators", "other", "scales",
    "shapes", "sizes", "types", "values",
)  # fmt: skip
_OVERRIDABLE_IR = 4  # from this IR version on, callers may replace a weight that is an input
Group = Sequence[int]  # indices of layers


class _Verdict(NamedTuple):
    """Predicted support of a layer: mark, rule that forbids it, sentence, source file."""

    mark: Mark
    rule: Rule
    reason: str
    file: str


class Oracle:
    """Answers for the layers of one model.

    values: types and shapes by name, as far as known. numbers: the elements of a small weight
    by its name, None for others.
    """

    def __init__(
        self,
        table: SupportTable,
        model: Model,
        values: Mapping[str, TensorInfo],
        numbers: Callable[[str], Numbers | None] = lambda _: None,
    ) -> None:
        self._table, self._model, self._values = table, model, values
        self._numbers = numbers
        self._weights = {weight.name: weight for weight in model.weights}
        self._opsets = {o.domain or "ai.onnx": o.version for o in model.opsets}
        self._functions = {(f.domain, f.name) for f in model.functions}
        self._folded, self._constants = _folded(model, self._shape)
        self._producers = {name: layer for layer in model.layers for name in layer.outputs}
        self._readers: dict[str, list[Layer]] = defaultdict(list)
        for layer in model.layers:
            for name in dict.fromkeys(layer.inputs):
                self._readers[name].append(layer)
        self._shape_work = (
            _shape_work(model, self._constants) if table.shape_computation else set()
        )
        self._free = tuple(
            f"'{clip(value.name, 40)}'"
            for value in model.inputs
            if any(not isinstance(a, int) for a in values.get(value.name, value).shape or ())
        )

    def answers(self) -> list[Support]:
        """Predict how each layer relates to the device."""
        verdicts = [self._verdict(layer) for layer in self._model.layers]
        return [self._to_support(verdict) for verdict in self._partitioned(verdicts)]

    def _to_support(self, verdict: _Verdict) -> Support:
        folder = self._table.folder if "/" in verdict.file and verdict.file else ""
        file = verdict.file.removeprefix(folder)
        where = f"{file} in {self._table.source}" if file else self._table.source
        reason = Sentence("{reason} Estimated from a table: {where}.", verdict.reason, where)
        return Support(verdict.mark, Source.TABLE, reason, verdict.rule)

    def _verdict(self, layer: Layer) -> _Verdict:
        """Return the verdict on a layer by itself, without its neighbors."""
        table = self._table
        if layer.index in self._folded:
            return _Verdict(
                Mark.FOLDED, Rule.NONE, "It does not depend on the values of any input.", ""
            )
        if (layer.domain, layer.operator) in self._functions:
            return _unknown("the operators inside the model's function", "")
        if table.quantized_groups and self._in_quantized_group(layer):
            why = "the conditions for layers between DequantizeLinear and QuantizeLinear"
            return _unknown(why, table.quantized_groups)
        name = self._entry(layer)
        if name is None:
            called = _qualified(layer)
            if called in table.unsettled or layer.operator in table.unsettled:
                why = table.unsettled.get(called) or table.unsettled[layer.operator]
                return _unknown(f"{called} ({why})", table.registry)
            if inner := table.functions.get(called):
                reason = Sentence("It would run as {join}.", ", ".join(inner))
                return _Verdict(Mark.DECOMPOSED, Rule.NONE, reason, table.registry)
            reason = Sentence("{name} does not have this operator.", table.name)
            return _Verdict(Mark.UNSUPPORTED, Rule.OPERATOR, reason, table.registry)
        if layer.parent is not None and table.subgraphs != "yes":
            if table.subgraphs == "never":
                reason = Sentence(
                    "{name} does not support layers inside If, Loop or Scan.", table.name
                )
                return _Verdict(Mark.UNSUPPORTED, Rule.OPERATOR, reason, table.registry)
            return _unknown("support for layers inside If, Loop or Scan", table.registry)
        return self._by_conditions(name, layer)

    def _entry(self, layer: Layer) -> str | None:
        """Return the name that the table lists an operator under; None when it does not."""
        operators, name = self._table.operators, _qualified(layer)
        for candidate in (name, layer.operator if self._table.by_name else name):
            if candidate in operators:
                return candidate
        return EVERY_OPERATOR if EVERY_OPERATOR in operators else None

    def _by_conditions(self, name: str, layer: Layer) -> _Verdict:
        """Return the verdict of kernels and conditions on a layer whose operator is listed."""
        table, unchecked = self._table, None
        kernels = table.kernels.get(name)
        if kernels is not None:
            verdict = self._by_kernels(kernels, layer)
            if verdict.mark is Mark.UNSUPPORTED:
                return self._decomposed(name, verdict)
            unchecked = verdict if verdict.mark is Mark.UNKNOWN else None
        node = self._node(layer)
        own = table.rules.get(name)
        for rule in (*table.every, *([] if own is None else [own])):
            for check in rule.checks:
                answer = evaluate(node, check)
                if answer.holds is False:
                    return self._refusal(answer.rule, answer.reason, answer.file or rule.file)
                if answer.holds is None and unchecked is None:
                    unchecked = _unknown(answer.reason, answer.file or rule.file)
        if unchecked is None and layer.index in self._shape_work:
            why = "whether the runtime keeps this shape computation on the CPU"
            unchecked = _unknown(why, table.shape_computation)
        if unchecked is not None:
            return unchecked
        verb = "has a kernel for" if kernels is not None and own is None else "supports"
        reason = Sentence(
            "{name} {verb} {qualified} as used here.", table.name, verb, _qualified(layer)
        )
        file = table.registry if own is None else own.file
        return _Verdict(Mark.SUPPORTED, Rule.NONE, reason, file)

    def _decomposed(self, name: str, verdict: _Verdict) -> _Verdict:
        inner = self._table.functions.get(name)
        if verdict.rule is Rule.OPSET and inner:
            reason = Sentence("It would run as {join}.", ", ".join(inner))
            return _Verdict(Mark.DECOMPOSED, Rule.NONE, reason, verdict.file)
        return verdict

    def _refusal(self, rule: Rule, reason: str, file: str) -> _Verdict:
        if rule is Rule.DYNAMIC_SHAPE and self._free:
            names = ", ".join(self._free[:3])
            reason += Sentence(", but the model has dynamic axes: {names}", names)
        elif rule is Rule.DYNAMIC_SHAPE:
            rule = Rule.DATA_SHAPE
            reason += ", but a size depends on the data"
        sentence = f"{capitalized(reason)}."
        return _Verdict(Mark.UNSUPPORTED, rule, sentence, file)

    def _by_kernels(self, kernels: Sequence[Kernel], layer: Layer) -> _Verdict:
        opset = self._opsets.get(layer.domain or "ai.onnx", 1)
        changed = self._since(layer)
        fitting = [k for k in kernels if k.since == changed or k.since < changed <= k.until]
        called = Sentence(
            "{name} has no kernel for {qualified}", self._table.name, _qualified(layer)
        )
        file = self._table.registry
        if not fitting:
            return _Verdict(
                Mark.UNSUPPORTED,
                Rule.OPSET,
                Sentence("{called} in opset {opset}.", called, opset),
                file,
            )
        inputs, outputs = (tuple(map(self._type, s)) for s in (layer.inputs, layer.outputs))
        results = {_both(takes(k.inputs, inputs), takes(k.outputs, outputs)) for k in fitting}
        if True in results:
            return _Verdict(Mark.SUPPORTED, Rule.NONE, "", file)
        if None in results:
            return _unknown("the types of all inputs and outputs", file)
        types_text = ", ".join(dict.fromkeys(kind for kind in inputs if kind))
        return _Verdict(
            Mark.UNSUPPORTED,
            Rule.TYPE,
            Sentence("{called} with inputs of type {types_text}.", called, types_text),
            file,
        )

    def _in_quantized_group(self, layer: Layer) -> bool:
        """Return whether a layer may be joined with what quantizes its values.

        A group is a layer that the table lists, what dequantizes its inputs and what quantizes
        its outputs; quantizing a model's input or dequantizing its output stands alone.
        """
        if layer.parent is not None and self._table.subgraphs == "never":
            return False
        if layer.operator == "DequantizeLinear":
            near = [reader for name in layer.outputs for reader in self._readers[name]]
        elif layer.operator == "QuantizeLinear":
            maker = self._producers.get(layer.inputs[0]) if layer.inputs else None
            near = [] if maker is None else [maker]
        else:
            near = [layer]
        return any(self._is_quantized(other) for other in near)

    def _is_quantized(self, layer: Layer) -> bool:
        """Return whether a listed layer reads dequantized values and its own are quantized."""
        if layer.operator in _NEVER_FOLDED or self._entry(layer) is None:
            return False
        dequantized = any(self._produced_by(n) == "DequantizeLinear" for n in layer.inputs)
        readers = (reader for name in layer.outputs for reader in self._readers[name])
        return dequantized and any(reader.operator == "QuantizeLinear" for reader in readers)

    def _partitioned(self, verdicts: list[_Verdict]) -> list[_Verdict]:
        """Return verdicts that also know what happens to groups of layers."""
        ways = self._table.partitioning
        if not ways.file:
            return verdicts
        if ways.refused:
            return self._between_refused(verdicts)
        if ways.groups is not None:
            return self._in_largest_groups(verdicts)
        layers = self._model.layers
        supported = [v.mark is Mark.SUPPORTED for v in verdicts]
        open_ones = [v.mark in (Mark.SUPPORTED, Mark.FOLDED) for v in verdicts]
        if all(open_ones):
            most, first = ways.small
            if len(layers) <= most and layers and layers[0].operator in first:
                why = "whether the provider leaves such a small model to the CPU"
                return [_unknown(why, ways.file) if t else v
                        for t, v in zip(supported, verdicts, strict=True)]  # fmt: skip
        results = list(verdicts)
        near = [self._neighbors(layer) for layer in layers]
        anchored = self._anchored(supported, near)
        at_edge, left = self._edges(verdicts, near)
        for place, layer in enumerate(layers):
            if not supported[place]:
                continue
            neighbors = [
                other for other in near[place] if verdicts[other].mark is not Mark.FOLDED
            ]
            if layer.operator in ways.trivial and not anchored[place]:
                if not any(anchored):
                    reason = (
                        "The provider leaves a partition of only such operators to the CPU."
                    )
                    results[place] = _Verdict(
                        Mark.UNSUPPORTED, Rule.OPERATOR, reason, ways.file
                    )
                else:
                    results[place] = _unknown("the other layers of its partition", ways.file)
            elif not all(open_ones) and layer.operator in ways.whole:
                reason = "It is supported only if all layers of the model are supported."
                results[place] = _Verdict(Mark.UNSUPPORTED, Rule.OPERATOR, reason, ways.file)
            elif not all(open_ones) and ways.lone and not any(supported[o] for o in neighbors):
                why = "whether the provider leaves a partition of only one layer to the CPU"
                results[place] = _unknown(why, ways.file)
            elif place in left:
                reason = "The provider leaves a partition to the CPU where it ends with this."
                results[place] = _Verdict(Mark.UNSUPPORTED, Rule.OPERATOR, reason, ways.file)
            elif place in at_edge:
                why = "whether the provider leaves its partition, which may end with "
                why += " or ".join(sorted(ways.border))
                results[place] = _unknown(why, ways.file)
        return results

    def _between_refused(self, verdicts: list[_Verdict]) -> list[_Verdict]:
        """Return verdicts of a provider that splits a model only at a few refused layers.

        It leaves a part without a heavy layer; the runtime's order of layers decides the parts.
        """
        ways, layers = self._table.partitioning, self._model.layers
        pairs = list(zip(verdicts, layers, strict=True))
        marks = [verdict.mark for verdict, layer in pairs if layer.parent is None]
        refused, unknown = marks.count(Mark.UNSUPPORTED), marks.count(Mark.UNKNOWN)
        if not refused + unknown:
            return verdicts
        heavy = [v.mark is Mark.SUPPORTED and self._is_heavy(layer) for v, layer in pairs]
        computed = any(  # the layers that compute a shape may lie in another part
            layer.operator == "Reshape" and not self._constants.issuperset(layer.inputs[1:])
            for layer in layers
        )
        reason = ""
        if refused > ways.refused:
            reason = (
                f"The provider leaves a model with more than {ways.refused} refused layers."
            )
        elif refused and not any(heavy):
            reason = "The provider leaves a model with a refused layer and no heavy ones."
        left = _Verdict(Mark.UNSUPPORTED, Rule.OPERATOR, reason, ways.file)
        if not reason:
            left = _unknown("whether its part of the model has a heavy layer", ways.file)
        sure = not reason and not computed and refused + unknown <= ways.refused
        return [
            left if v.mark is Mark.SUPPORTED and not (sure and heavy[place]) else v
            for place, v in enumerate(verdicts)
        ]

    def _in_largest_groups(self, verdicts: list[_Verdict]) -> list[_Verdict]:
        """Return verdicts of a delegate that takes the largest groups, or no small ones."""
        most, fewest = self._table.partitioning.groups or (0, 0)
        layers, file = self._model.layers, self._table.partitioning.file
        counted = [
            place
            for place, verdict in enumerate(verdicts)
            if verdict.mark is not Mark.FOLDED and layers[place].parent is None
        ]
        if all(verdicts[place].mark is Mark.SUPPORTED for place in counted):
            return verdicts
        sure, possible = set(counted), set[int]()
        for marks in ((Mark.SUPPORTED,), (Mark.SUPPORTED, Mark.UNKNOWN)):
            supported = {place for place in counted if verdicts[place].mark in marks}
            taken = chosen(groups(layers, counted, supported), most, fewest)
            sure, possible = sure & taken[0], possible | taken[1]
        reason = f"The delegate takes no group of fewer than {fewest} connected layers."
        if most:
            largest = "the largest group" if most == 1 else f"the {most} largest groups"
            reason = f"The delegate takes only {largest} of connected layers."
        results = list(verdicts)
        for place in counted:
            if verdicts[place].mark is Mark.SUPPORTED and place not in sure:
                results[place] = _Verdict(Mark.UNSUPPORTED, Rule.OPERATOR, reason, file)
                if place in possible:
                    results[place] = _unknown("whether its group of layers is taken", file)
        return results

    def _is_heavy(self, layer: Layer) -> bool:
        """Return whether an input of a layer makes the part of the model around it heavy."""
        most = self._table.partitioning.heavy.get(layer.operator)
        sizes = (
            prod(axis if isinstance(axis, int) else 1 for axis in self._shape(name) or ())
            for name in layer.inputs
            if name
        )
        return most is not None and any(size > most for size in sizes)

    def _edges(
        self, verdicts: Sequence[_Verdict], near: Sequence[Sequence[int]]
    ) -> tuple[set[int], set[int]]:
        """Return layers whose partition may end with a border operator, and those that do.

        A partition ends at a layer that a refused one reads, and may at one whose reader waits
        for a refused one, which may come between them.
        """
        layers, border = self._model.layers, self._table.partitioning.border
        supported = [v.mark is Mark.SUPPORTED for v in verdicts]
        refused_before: list[int] = []  # a bit for each layer that is not supported
        for place, layer in enumerate(layers):
            bits = 0
            for name in layer.inputs:
                maker = self._producers.get(name)
                if maker is not None and maker.index < place:
                    bits |= refused_before[maker.index]
            is_open = not supported[place] and verdicts[place].mark is not Mark.FOLDED
            refused_before.append(bits | (is_open << place))
        ends: set[int] = set()
        left: set[int] = set()
        for place, layer in enumerate(layers):
            if not supported[place] or layer.operator not in border:
                continue
            readers = [r.index for name in layer.outputs for r in self._readers[name]]
            if any(refused_before[r] & ~refused_before[place] for r in readers):
                ends.add(place)
            if any(verdicts[r].mark is Mark.UNSUPPORTED for r in readers):
                left.add(place)
        waiting = [*ends]
        while waiting:
            for other in near[waiting.pop()]:
                if supported[other] and other not in ends:
                    ends.add(other)
                    waiting.append(other)
        return ends, left

    def _anchored(self, supported: Sequence[bool], near: Sequence[Sequence[int]]) -> list[bool]:
        """Return which layers are taken for sure, since real work is connected to them."""
        layers, ways = self._model.layers, self._table.partitioning
        work = [t and layers[p].operator not in ways.trivial for p, t in enumerate(supported)]
        if ways.alone:  # then any second layer will do
            return [
                w or (supported[place] and any(supported[other] for other in near[place]))
                for place, w in enumerate(work)
            ]
        waiting = [place for place, is_work in enumerate(work) if is_work]
        while waiting:
            for other in near[waiting.pop()]:
                if supported[other] and not work[other]:
                    work[other] = True
                    waiting.append(other)
        return work

    def _neighbors(self, layer: Layer) -> list[int]:
        makers = (self._producers.get(name) for name in layer.inputs)
        readers = (reader for name in layer.outputs for reader in self._readers[name])
        return [other.index for other in (*makers, *readers) if other is not None]

    def _node(self, layer: Layer) -> Node:
        return Node(
            layer,
            self._since(layer),
            self._table.options,
            self._type,
            self._shape,
            self._constants.__contains__,
            self._known_numbers,
            self._producers.get,
            lambda name: self._readers[name],
        )

    def _since(self, layer: Layer) -> int:
        if layer.domain == TFLITE:
            return int(dict(layer.metadata).get("version", "1"))
        opset = self._opsets.get(layer.domain or "ai.onnx", 1)
        return since(layer.domain, layer.operator, opset) or opset

    def _produced_by(self, name: str) -> str:
        layer = self._producers.get(name)
        return "" if layer is None else layer.operator

    def _known_numbers(self, name: str) -> Numbers | None:
        return self._numbers(name) if name in self._constants else None

    def _type(self, name: str) -> str:
        weight, value = self._weights.get(name), self._values.get(name)
        if weight is not None:
            return weight.dtype
        if value is None or value.kind != "tensor" or value.dtype == "unknown":
            return ""
        return value.dtype

    def _shape(self, name: str) -> Sequence[Axis] | None:
        weight, value = self._weights.get(name), self._values.get(name)
        if weight is not None:
            return weight.shape
        return None if value is None else value.shape


def _unknown(condition: str, file: str) -> _Verdict:
    subject = condition.removeprefix("the ").partition(" ")[0]
    one, many = "{condition} was not checked.", "{condition} were not checked."
    sentence = Sentence(many if subject in _PLURALS else one, Capital(condition))
    return _Verdict(Mark.UNKNOWN, Rule.NONE, sentence, file)


def _both(one: bool | None, two: bool | None) -> bool | None:
    if one is False or two is False:
        return False
    return None if one is None or two is None else True


def _folded(
    model: Model, shape: Callable[[str], Sequence[Axis] | None]
) -> tuple[set[int], set[str]]:
    """Find the layers that the runtime computes while it loads the model, and what is constant.

    Quantised weights count as constant behind what dequantises them, too; so does a Shape of a
    value whose axes are all fixed, as ConstantFoldShapeNode of ONNX Runtime folds it.
    """
    constant = {weight.name for weight in model.weights}
    if model.ir_version >= _OVERRIDABLE_IR:
        constant -= {value.name for value in model.defaults}
    folded = set()
    for layer in model.layers:
        never_folded = layer.operator in CONTROL_FLOW | RANDOM | _NEVER_FOLDED
        inputs = layer.inputs or (() if layer.operator == "Constant" else ("",))
        inputs = tuple(filter(None, inputs)) if any(inputs) else inputs
        axes = shape(inputs[0]) if layer.operator == "Shape" and any(inputs) else None
        is_fixed_shape = axes is not None and all(map(is_fixed, axes))
        if layer.domain not in _STANDARD or not (is_fixed_shape or constant.issuperset(inputs)):
            continue
        if layer.operator == "DequantizeLinear" or not never_folded:
            constant |= set(layer.outputs)
        if not never_folded:
            folded.add(layer.index)
    return folded, constant


def _shape_work(model: Model, constants: set[str]) -> set[int]:
    """Find the layers that compute with nothing but shapes, which runtimes like on the CPU."""
    shapes: set[str] = set()
    shape_layers = set()
    for layer in model.layers:
        computed_inputs = {name for name in layer.inputs if name and name not in constants}
        if computed_inputs and computed_inputs <= shapes:
            shape_layers.add(layer.index)
            shapes |= set(layer.outputs)
        elif layer.operator in OF_SHAPE:
            shapes |= set(layer.outputs)
    return shape_layers


def _qualified(layer: Layer) -> str:
    standard = layer.domain in _STANDARD
    return layer.operator if standard else f"{layer.domain}.{layer.operator}"


def groups(layers: Sequence[Layer], places: Iterable[int], supported: set[int]) -> list[Group]:
    """Return the groups of supported layers, each of those that can run one after another, as
    LiteRT's graph_info.cc forms independent subsets. places: of the layers that count, in the
    order in which they run; others are always ready."""
    waiting = list(places)
    missing = {name for place in waiting for name in layers[place].outputs if name}
    parts: list[Group] = []
    while waiting:
        part: list[int] = []
        is_supported: bool | None = None
        before = -1
        while len(part) > before:
            before, skipped = len(part), []
            for place in waiting:
                ready = missing.isdisjoint(layers[place].inputs)
                if ready and is_supported is None:
                    is_supported = place in supported
                if ready and (place in supported) == is_supported:
                    part.append(place)
                    missing.difference_update(layers[place].outputs)
                else:
                    skipped.append(place)
            waiting = skipped
        if not part:
            break
        if is_supported:
            parts.append(part)
    return parts


def chosen(parts: Sequence[Group], most: int, fewest: int) -> tuple[set[int], set[int]]:
    """Return the layers of the groups that are taken for sure, and of those that may be.
    most: how many of the largest groups are taken, 0 for all. fewest: layers of a group. Where
    groups of one size compete for the last place, nothing says which of them is taken."""
    ranked = sorted((part for part in parts if len(part) >= fewest), key=len, reverse=True)
    possible = ranked
    if most and len(ranked) > most:
        last = len(ranked[most - 1])
        possible = [part for part in ranked if len(part) >= last]
        if len(possible) > most:
            ranked = [part for part in ranked if len(part) > last]
        ranked = ranked[:most]
    return ({p for part in ranked for p in part}, {p for part in possible for p in part})
