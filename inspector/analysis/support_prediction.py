"""Answers about a device that is not here: whether it would take a layer, and if not, why."""

from collections.abc import Callable, Mapping, Sequence

from inspector.analysis.requirements import since
from inspector.analysis.support_tables import Kernel, SupportTable, takes
from inspector.model import Axis, Layer, Model, TensorInfo
from inspector.report import Mark, Rule, Source, Support
from inspector.units import clip

_CONTROL = ("If", "Loop", "Scan")
_STANDARD = ("", "ai.onnx")
_NEVER_FOLDED = ("QuantizeLinear", "DequantizeLinear")  # the runtime keeps them for fusion
_FITS = (Rule.NONE, "")

Objection = tuple[Rule, str]


class Oracle:
    """Answers for the layers of one model.

    name: what people call the device. values: types and shapes by name, as far as known.
    """

    def __init__(
        self, table: SupportTable, name: str, model: Model, values: Mapping[str, TensorInfo]
    ) -> None:
        self._table, self._name, self._values = table, name, values
        self._weights = {weight.name: weight for weight in model.weights}
        self._opsets = {o.domain or "ai.onnx": o.version for o in model.opsets}
        self._functions = {(f.domain, f.name) for f in model.functions}
        self._folded, self._constants = _folded(model)
        self._free = tuple(
            f"'{clip(value.name, 40)}'"
            for value in model.inputs
            if any(not isinstance(a, int) for a in values.get(value.name, value).shape or ())
        )

    def answer(self, layer: Layer) -> Support:
        """Predict how a layer relates to the device."""
        if layer.index in self._folded:
            return self._told(Mark.FOLDED, "It depends on no input.")
        if (layer.domain, layer.operator) in self._functions:
            return self._told(Mark.UNKNOWN, "It calls a function that the model defines.")
        name = _qualified(layer)
        rule, objection = self._objection(name, layer)
        inner = self._table.functions.get(name)
        if rule in (Rule.OPERATOR, Rule.OPSET) and inner:
            return self._told(Mark.DECOMPOSED, f"It would run as {', '.join(inner)}.")
        if rule:
            return self._told(Mark.UNSUPPORTED, objection, rule)
        return self._told(Mark.SUPPORTED, self._promise(name, layer))

    def _told(self, mark: Mark, reason: str, rule: Rule = Rule.NONE) -> Support:
        said = f"{reason} Predicted: table, {self._table.source}."
        return Support(mark, Source.TABLE, said, rule)

    def _promise(self, name: str, layer: Layer) -> str:
        notes = [
            rule.removeprefix("note ")
            for rule in self._table.rules.get(name, ())
            if rule.startswith("note ")
        ]
        if notes:
            return f"{self._name} takes {layer.operator} if {' and if '.join(notes)}."
        listed = "lists" if not self._table.kernels[name] else "has a kernel for"
        return f"{self._name} {listed} {layer.operator}."

    def _objection(self, name: str, layer: Layer) -> Objection:
        """What forbids the layer, and a sentence for it; nothing when nothing does."""
        kernels = self._table.kernels.get(name)
        if kernels is None:
            return Rule.OPERATOR, f"{self._name} does not have {layer.operator}."
        found = self._no_kernel(kernels, layer) if kernels else _FITS
        if found[0]:
            return found
        for rule in self._table.rules.get(name, ()):
            found = self._broken(rule, layer)
            if found[0]:
                return found
        return self._shapes(layer)

    def _no_kernel(self, kernels: Sequence[Kernel], layer: Layer) -> Objection:
        opset = self._opsets.get(layer.domain or "ai.onnx", 1)
        changed = since(layer.domain, layer.operator, opset) or opset
        fitting = [k for k in kernels if k.since == changed or k.since < changed <= k.until]
        called = f"{self._name} has no kernel for {layer.operator}"
        if not fitting:
            return Rule.OPSET, f"{called} of opset {opset}."
        inputs, outputs = (tuple(map(self._type, s)) for s in (layer.inputs, layer.outputs))
        if any(takes(k.inputs, inputs) and takes(k.outputs, outputs) for k in fitting):
            return _FITS
        words = ", ".join(dict.fromkeys(kind for kind in inputs if kind))
        return Rule.TYPE, f"{called} with {words}."

    def _shapes(self, layer: Layer) -> Objection:
        if self._table.fixed_shapes and layer.operator not in _CONTROL:
            for name in layer.inputs:
                shape = self._shape(name)
                if shape is not None and not all(isinstance(axis, int) for axis in shape):
                    return self._free_axis()
        most = self._table.most_axes
        axes = max((len(self._shape(name) or ()) for name in layer.inputs), default=0)
        if most and axes > most:
            return (
                Rule.RANK,
                f"{self._name} takes at most {most} axes, and an input has {axes}.",
            )
        return _FITS

    def _free_axis(self) -> Objection:
        needs = f"{self._name} needs fixed shapes, and"
        if not self._free:
            return Rule.DATA_SHAPE, f"{needs} a length here depends on the data."
        names = ", ".join(self._free[:3])
        return Rule.DYNAMIC_SHAPE, f"{needs} an input of the model has a free axis: {names}."

    def _broken(self, rule: str, layer: Layer) -> Objection:
        kind, _, rest = rule.partition(" ")
        checks: dict[str, Callable[[str, Layer], Objection]] = {
            "axes": self._axes,
            "constant": self._constant,
            "type": self._types,
            "attribute": self._attribute,
            "given": self._given,
            "last": self._last,
        }
        found, why = checks[kind](rest, layer) if kind in checks else _FITS
        return found, f"{self._name} takes {layer.operator} only {why}." if found else ""

    def _axes(self, rest: str, layer: Layer) -> Objection:
        slot, allowed = _split(rest)
        shape = self._shape(_at(layer, int(slot)))
        if shape is None or str(len(shape)) in allowed:
            return _FITS
        return Rule.RANK, f"with {' or '.join(allowed)} axes, and here are {len(shape)}"

    def _constant(self, rest: str, layer: Layer) -> Objection:
        names = {_at(layer, int(slot)) for slot in rest.split()} - {""}
        if self._constants.issuperset(names):
            return _FITS
        return Rule.CONSTANT, "with constant weights and parameters, and here one is computed"

    def _types(self, rest: str, layer: Layer) -> Objection:
        slot, allowed = _split(rest)
        kind = self._type(_at(layer, int(slot)))
        if not kind or kind in allowed:
            return _FITS
        return Rule.TYPE, f"with {' or '.join(allowed)}, not with {kind}"

    def _attribute(self, rest: str, layer: Layer) -> Objection:
        name, allowed = _split(rest)
        given = next((a.text for a in layer.attributes if a.name == name), None)
        if given is None or given in allowed:
            return _FITS
        return (
            Rule.ATTRIBUTE,
            f"with {name} {' or '.join(allowed)}, and here it is {clip(given, 40)}",
        )

    def _given(self, rest: str, layer: Layer) -> Objection:
        name, allowed = _split(rest)
        given = next((a.text for a in layer.attributes if a.name == name), "")
        if given in allowed:
            return _FITS
        return Rule.ATTRIBUTE, f"with {name} {' or '.join(allowed)}"

    def _last(self, name: str, layer: Layer) -> Objection:
        opset = self._opsets.get(layer.domain or "ai.onnx", 1)
        shape = self._shape(_at(layer, 0))
        given = next((a.text for a in layer.attributes if a.name == name), "-1")
        last = shape is None or int(given) in (-1, len(shape) - 1)
        if opset < 13 or last:
            return _FITS
        return Rule.ATTRIBUTE, "over the last axis"

    def _type(self, name: str) -> str:
        weight, value = self._weights.get(name), self._values.get(name)
        if weight is not None:
            return weight.dtype
        return value.dtype if value is not None and value.kind == "tensor" else ""

    def _shape(self, name: str) -> Sequence[Axis] | None:
        weight, value = self._weights.get(name), self._values.get(name)
        if weight is not None:
            return weight.shape
        return None if value is None else value.shape


def _folded(model: Model) -> tuple[set[int], set[str]]:
    """Find the layers that the runtime computes while it loads the model, and what is constant.

    Quantised weights count as constant behind what dequantises them, too.
    """
    constant = {weight.name for weight in model.weights}
    found = set()
    for layer in model.layers:
        kept = layer.operator in (*_CONTROL, *_NEVER_FOLDED) or layer.operator[:6] == "Random"
        given = layer.inputs or (() if layer.operator == "Constant" else ("",))
        if layer.domain not in _STANDARD or not constant.issuperset(given):
            continue
        if layer.operator == "DequantizeLinear" or not kept:
            constant |= set(layer.outputs)
        if not kept:
            found.add(layer.index)
    return found, constant


def _qualified(layer: Layer) -> str:
    standard = layer.domain in _STANDARD
    return layer.operator if standard else f"{layer.domain}.{layer.operator}"


def _at(layer: Layer, slot: int) -> str:
    return layer.inputs[slot] if slot < len(layer.inputs) else ""


def _split(rest: str) -> tuple[str, list[str]]:
    name, _, allowed = rest.partition(" = ")
    return name, allowed.split()
