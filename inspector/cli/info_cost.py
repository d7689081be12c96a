"""What `inspector info` tells of cost, memory and structure: lines for people, and JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector import units
from inspector.analysis.estimate import Estimate
from inspector.analysis.expressions import Amount, evaluated, in_words, number
from inspector.analysis.layer_cost import LayerCost
from inspector.analysis.quantization import Quantization
from inspector.analysis.scopes import Scope
from inspector.model import TensorInfo


def lines(found: Estimate) -> Iterator[tuple[str, str]]:
    """Yield names and values, the ones that there is something to say about."""
    yield "Multiply-adds", _multiply_adds(found)
    yield "Activations", f"{in_words(found.peak.bytes, units.size)} at the peak (estimated)"
    yield "Quantised", quantised(found.quantization)
    yield "At the edges", edges(found.quantization)
    yield "Structure", _structure(found.structure)
    if found.shapes.note:
        yield "Shapes", found.shapes.note


def _multiply_adds(found: Estimate) -> str:
    cost, formula = found.cost, found.macs_formula
    given = ", ".join(f"{units.clip(n, 24)} = {v:,}" for n, v in found.lengths.items())
    count = units.count(found.macs)
    if formula is None or isinstance(formula, int):
        words = [f"{count} with {given}" if formula is None else count]
    else:
        words = [f"{in_words(formula, units.count)} ({count} with {given})"]
    if cost.unknown:
        more = f"unknown for {units.plural(cost.unknown, 'layer')}"
        return f"at least {words[0]}, {more}" if found.macs else more
    intensity = cost.intensity(found.lengths)
    if intensity:
        words.append(f"{units.significant(intensity)} operations a byte")
    return ", ".join(words)


def quantised(quantization: Quantization) -> str:
    """Say the scheme and how small the weights are: 'QDQ; 53 tensors linear 8 bit …'."""
    parts = [" + ".join(name for name, _ in quantization.schemes)]
    for each in quantization.compressions:
        kind = f"{each.kind} {each.bits} bit {each.granularity}".strip()
        sizes = f"{units.size(each.stored_bytes)} for {units.size(each.expanded_bytes)}"
        parts.append(f"{units.plural(each.tensors, 'tensor')} {kind}, {sizes}")
    return "; ".join(filter(None, parts))


def edges(quantization: Quantization) -> str:
    """Say what is converted: 'float16 inside, float32 outside: 2 conversions a prediction'."""
    if not quantization.edges:
        return ""
    first = quantization.edges[0]
    casts = all(edge.operator.startswith("Cast") for edge in quantization.edges)
    noun = units.plural(len(quantization.edges), "cast" if casts else "conversion")
    return f"{first.inside} inside, {first.outside} outside: {noun} a prediction"


def _structure(whole: Scope) -> str:
    if not whole.children:
        return ""
    scopes = units.plural(len(whole.children), "scope")
    deep = f", {whole.depth} deep" if whole.depth > 1 else ""
    alike = [
        f"{scope.alike} identical blocks from {units.clip(scope.path, 40)}"
        for scope in repeated(whole)
    ]
    return "; ".join([scopes + deep, *alike[:2]])


def repeated(whole: Scope) -> list[Scope]:
    """List the scopes that stand for a row of equal ones, the longest rows first."""
    found, waiting = [], [whole]
    while waiting:
        scope = waiting.pop()
        waiting += scope.children
        if scope.alike > 1:
            found.append(scope)
    return sorted(found, key=lambda scope: -scope.alike * len(scope.layers))


def as_plain(found: Estimate) -> dict[str, Any]:
    """Return the fields of schema model/1 that need shapes."""
    cost, lengths = found.cost, found.lengths
    return {
        "cost": {
            "dimensions": dict(lengths),
            "macs": found.macs,
            "operations": number(cost.operations, lengths),
            "moved_bytes": number(cost.moved_bytes, lengths),
            "weights_bytes": cost.weights_bytes,
            "peak_activations_bytes": found.peak_bytes,
            "operations_per_byte": cost.intensity(lengths),
            "macs_formula": _terms(found.macs_formula),
            "unknown_layers": cost.unknown,
            "unknown_operators": dict(cost.operators),
            "layers": [_layer(each, lengths) for each in cost.layers],
        },
        "free_axes": list(found.free),
        "shapes": {value.name: _value(value) for value in found.shapes.values},
        "shapes_note": found.shapes.note,
        "quantization": _quantization(found.quantization),
        "structure": _scope(found.structure, lengths),
    }


def _layer(each: LayerCost, lengths: Mapping[str, int]) -> dict[str, Any]:
    return {
        "macs": _plain(each.macs, lengths),
        "operations": _plain(each.operations, lengths),
        "weights_bytes": each.weights_bytes,
        "moved_bytes": _plain(each.moved_bytes, lengths),
        "counted": each.counted,
    }


def _plain(amount: Amount | None, lengths: Mapping[str, int]) -> int | None:
    left = None if amount is None else evaluated(amount, lengths)
    return left if isinstance(left, int) else None


def _terms(amount: Amount | None) -> dict[str, int] | None:
    """Write a formula as factors of products: {"batch": 3, "batch*length": 5, "": 7}."""
    if amount is None or isinstance(amount, int):
        return None if amount is None else {"": amount}
    return {"*".join(term): factor for term, factor in amount.terms.items()}


def _value(value: TensorInfo) -> dict[str, Any]:
    shape = None if value.shape is None else list(value.shape)
    return {"kind": value.kind, "dtype": value.dtype, "shape": shape}


def _quantization(found: Quantization) -> dict[str, Any]:
    return {
        "schemes": dict(found.schemes),
        "compressions": [
            {name: getattr(each, name) for name in each.__slots__}
            for each in found.compressions
        ],
        "edges": [
            {name: getattr(edge, name) for name in edge.__slots__} for edge in found.edges
        ],
    }


def _scope(scope: Scope, lengths: Mapping[str, int]) -> dict[str, Any]:
    return {
        "path": scope.path,
        "layers": len(scope.layers),
        "macs": number(scope.macs, lengths),
        "weights_bytes": scope.weights_bytes,
        "alike": scope.alike,
        "children": [_scope(child, lengths) for child in scope.children],
    }
