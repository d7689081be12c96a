"""What follows from the shapes of a model's tensors: types, cost, peak memory, structure."""

from collections.abc import Iterator, Mapping

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.cost.scopes import Scope
from inspector.analysis.facts.quantization import Quantization
from inspector.analysis.facts.symbolic_sizes import in_words
from inspector.analysis.facts.weight_compression import stored_form
from inspector.model.display_names import fit_lines
from inspector.pages.blocks import Fact, Facts, Section, Text
from inspector.pages.model.file import compute_types, few
from inspector.wording.values import (
    Amount,
    Count,
    Joined,
    Name,
    Number,
    Sentence,
    Size,
    Tone,
    Value,
    joined,
)

_MOST_ALIVE = 3
_MOST_REPEATED = 2
# letters
_MOST_NAMED = 3  # contradictions
_NAME = 40
_AXIS = 24
SCHEMES = {
    "QDQ": "QDQ: quantize and dequantize nodes around float operators",
    "QOperator": "QOperator: integer operators",
    "integer": "integer: layers compute with integers",
    "dynamic": "dynamic: activations are quantized in every run",
    "weight-only": "weight-only: activations stay float",
}


def computed(estimate: Estimate) -> Section:
    """Return what shape inference makes known; nothing of it is measured."""
    facts = tuple(fact for fact in _facts(estimate) if fact.value)
    said = [each.text for each in estimate.contradictions[:_MOST_NAMED]]
    if (every := len(estimate.contradictions)) > len(said):
        text = "Sizes that the file declares and the layers contradict: {count}."
        said.append(Sentence(text, Count(every)))
    wrong = tuple(Text(each, Tone.CAUTION) for each in said)
    aside = "from the tensor shapes, not measured"
    return Section("computed", "Computed", (Facts(facts), *wrong), aside=aside, half=True)


def _facts(estimate: Estimate) -> Iterator[Fact]:
    yield Fact("Compute type", compute_types(estimate.precision.compute))
    if estimate.of_graph:
        yield Fact("MACs", _macs(estimate))
        if intensity := estimate.cost.intensity(estimate.lengths):
            yield Fact("Arithmetic intensity", Number(intensity, "FLOP/byte"))
        yield Fact("Peak activation memory", _peak(estimate))
    alive = estimate.memory.at_peak
    names = fit_lines([each.name for each in alive[:_MOST_ALIVE]], _NAME, len)
    shown: list[Value] = [
        Joined((Name(name), Size(each.bytes)), " ")
        for name, each in zip(names, alive, strict=False)
    ]
    shown += [""] * (len(alive) - len(shown))  # which are counted
    yield Fact("Tensors at the peak", few(shown, _MOST_ALIVE) if alive else "")
    yield from quantization(estimate.quantization)
    yield Fact("Scopes", _scopes(estimate.structure))
    yield Fact("Shapes", estimate.shapes.note, tone=Tone.CAUTION)


def _macs(estimate: Estimate) -> Value:
    formula, unknown = estimate.macs_formula, estimate.cost.unknown
    given = {"macs": Amount(estimate.macs), "given": _lengths(estimate.lengths)}
    if isinstance(formula, int):
        value: Value = given["macs"]
    elif formula is None:
        value = Sentence("{macs} with {given}", **given)
    else:
        text = in_words(formula, units.count)
        value = Sentence("{formula} ({macs} with {given})", **{"formula": text, **given})
    if not unknown:
        return value
    layers = {"macs": value, "layers": Count(unknown, "layer")}
    known = "at least {macs}; unknown for {layers}"
    return Sentence(known if estimate.macs else "unknown for {layers}", **layers)


def _lengths(lengths: Mapping[str, int]) -> Value:
    """Return the lengths of dynamic axes that numbers hold for: "batch = 1, length = 128"."""
    return ", ".join(
        f"{units.axis_size(units.clip(name, _AXIS))} = {length:,}"
        for name, length in lengths.items()
    )


def _peak(estimate: Estimate) -> Value:
    parts: dict[str, Value] = {"peak": estimate.peak_text, "given": _lengths(estimate.lengths)}
    if not estimate.lengths:
        return estimate.peak_text
    is_range = not estimate.peak.unknown  # else the formula says the same once more
    if estimate.formula and is_range and not isinstance(estimate.peak.bytes, int):
        parts["formula"] = in_words(estimate.peak.bytes, units.size)
        return Sentence("{peak} with {given}; at least {formula}", **parts)
    return Sentence("{peak} with {given}", **parts)


def quantization(found: Quantization) -> Iterator[Fact]:
    """Yield how a model is quantized, how its weights are packed, what its edges convert."""
    schemes = Joined(tuple(SCHEMES.get(name, name) for name, _ in found.schemes), "; ")
    packed = tuple(
        Sentence("{tensors} {form}: {stored} instead of {expanded}",
                 Count(each.tensors, "tensor"),
                 stored_form(each.kind, each.bits, each.granularity),
                 Size(each.stored_bytes), Size(each.expanded_bytes))
        for each in found.compressions
    )  # fmt: skip
    yield Fact("Quantization", schemes if found.schemes else "")
    yield Fact("Compressed weights", Joined(packed, "; ") if packed else "")
    if found.edges:
        first, count = found.edges[0], len(found.edges)
        casts = all(edge.operator.startswith("Cast") for edge in found.edges)
        template = "{inside} inside the model, {outside} outside: {conversions} per run"
        values: dict[str, Value] = {
            "inside": first.inside,
            "outside": first.outside,
            "conversions": Count(count, "cast" if casts else "conversion"),
        }
        yield Fact("Inputs and outputs", Sentence(template, **values))


def _scopes(whole: Scope) -> Value:
    if not whole.children:
        return ""
    depth = Sentence("{count} levels deep", Count(whole.depth))
    repeated = (
        Sentence("{count} identical blocks from {scope}",
                 Count(each.alike), Name(units.clip(each.path, _NAME)))
        for each in _repeated(whole)[:_MOST_REPEATED]
    )  # fmt: skip
    top = Sentence("{count} at the top level", Count(len(whole.children)))
    return joined(top, depth if whole.depth > 1 else "", *repeated)


def _repeated(whole: Scope) -> list[Scope]:
    """Return scopes that stand for several equal ones, the most layers first."""
    scopes, waiting = [], [whole]
    while waiting:
        scope = waiting.pop()
        waiting += scope.children
        if scope.alike > 1:
            scopes.append(scope)
    return sorted(scopes, key=lambda scope: -scope.alike * len(scope.layers))
