"""The text of `inspector info`: sections of aligned columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any
from unicodedata import combining, east_asian_width

from msgspec.structs import asdict, replace

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.cost.scopes import Scope
from inspector.analysis.facts.declarations import declarations
from inspector.analysis.facts.layer_cost import LayerCost
from inspector.analysis.facts.model_facts import Facts, optional_inputs, shared_weights
from inspector.analysis.facts.quantization import Quantization
from inspector.analysis.facts.requirements import Requirements
from inspector.analysis.facts.symbolic_sizes import Amount, evaluated, in_words, number
from inspector.formats.model_formats import runs_with
from inspector.model.model import Finding, Model, TensorInfo
from inspector.preview.identity import Identity


def cost_lines(estimate: Estimate) -> Iterator[tuple[str, str]]:
    """Yield names and values of the cost estimate; a value is empty if there is none."""
    if estimate.of_graph:
        yield "MACs", _macs(estimate)
        yield "Peak activation memory", f"{_peak(estimate)} (estimated)"
    yield "Tensors at the peak", alive_at_peak(estimate)
    yield "Quantization", quantised(estimate.quantization)
    yield "Conversions", edges(estimate.quantization)
    yield "Scopes", _structure(estimate.structure)
    if estimate.shapes.note:
        yield "Shapes", estimate.shapes.note


def _peak(estimate: Estimate) -> str:
    """Return '12.0 to 18.0 MiB with batch = 1; at least 12.0 MiB × batch'."""
    text = estimate.peak_text
    if estimate.lengths:
        text += f" with {_given(estimate)}"
        is_range = not estimate.peak.unknown  # else the formula says the same once more
        if estimate.formula and is_range and not isinstance(estimate.peak.bytes, int):
            text += f"; at least {in_words(estimate.peak.bytes, units.size)}"
    return text


def _given(estimate: Estimate) -> str:
    return ", ".join(
        f"{units.axis_size(units.clip(n, 24))} = {v:,}" for n, v in estimate.lengths.items()
    )


def alive_at_peak(estimate: Estimate) -> str:
    """Return the largest tensors of the fullest moment: 'conv1 1.5 MiB, pool1 378 KiB'."""
    alive = estimate.memory.at_peak
    return _few(
        [f"{units.clip(each.name, 40)} {units.size(each.bytes)}" for each in alive], _MOST_ALIVE
    )


def _macs(estimate: Estimate) -> str:
    cost, formula = estimate.cost, estimate.macs_formula
    given = _given(estimate)
    count = units.count(estimate.macs)
    if formula is None or isinstance(formula, int):
        texts = [f"{count} with {given}" if formula is None else count]
    else:
        texts = [f"{in_words(formula, units.count)} ({count} with {given})"]
    if cost.unknown:
        more = f"unknown for {units.plural(cost.unknown, 'layer')}"
        return f"at least {texts[0]}, {more}" if estimate.macs else more
    intensity = cost.intensity(estimate.lengths)
    if intensity:
        texts.append(f"{units.significant(intensity)} FLOP/byte")
    return ", ".join(texts)


def quantised(quantization: Quantization) -> str:
    """Return the scheme and the compression: 'QDQ; 53 tensors linear 8 bit ...'."""
    parts = [" + ".join(name for name, _ in quantization.schemes)]
    for each in quantization.compressions:
        kind = f"{each.kind} {each.bits}-bit {each.granularity}".strip()
        sizes = f"{units.size(each.stored_bytes)} for {units.size(each.expanded_bytes)}"
        parts.append(f"{units.plural(each.tensors, 'tensor')} {kind}, {sizes}")
    return "; ".join(filter(None, parts))


def edges(quantization: Quantization) -> str:
    """Return 'float16 inside, float32 outside: 2 conversions per run'."""
    if not quantization.edges:
        return ""
    first = quantization.edges[0]
    casts = all(edge.operator.startswith("Cast") for edge in quantization.edges)
    noun = units.plural(len(quantization.edges), "cast" if casts else "conversion")
    return f"{first.inside} inside, {first.outside} outside: {noun} per run"


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
    """Return scopes that stand for several equal ones, the most layers first."""
    scopes, waiting = [], [whole]
    while waiting:
        scope = waiting.pop()
        waiting += scope.children
        if scope.alike > 1:
            scopes.append(scope)
    return sorted(scopes, key=lambda scope: -scope.alike * len(scope.layers))


def as_plain(estimate: Estimate) -> dict[str, Any]:
    """Return the fields of schema model/1 that need shape inference.

    What is counted over the layers of a graph is null for a file without one.
    """
    cost, lengths, counted = estimate.cost, estimate.lengths, estimate.of_graph
    return {
        "cost": {
            "dimensions": dict(lengths),
            "macs": estimate.macs if counted else None,
            "operations": number(cost.operations, lengths) if counted else None,
            "moved_bytes": number(cost.moved_bytes, lengths) if counted else None,
            "weights_bytes": cost.weights_bytes,
            "peak_activations_bytes": estimate.peak_bytes if counted else None,
            "peak_activations_most_bytes": estimate.most_peak_bytes if counted else None,
            "operations_per_byte": cost.intensity(lengths) if counted else None,
            "macs_formula": _terms(estimate.macs_formula) if counted else None,
            "unknown_layers": cost.unknown,
            "unknown_operators": dict(cost.operators),
            "layers": [
                _layer(each, lengths, live)
                for each, live in zip(cost.layers, estimate.memory.live.tolist(), strict=False)
            ],
            "peak": {
                "layer": estimate.peak.layer,
                "unknown_tensors": estimate.peak.unknown,
                "tensors": [each._asdict() for each in estimate.memory.at_peak],
            },
        },
        "free_axes": list(estimate.free),
        "shapes": {value.name: _value(value) for value in estimate.shapes.values},
        "shapes_note": estimate.shapes.note,
        "shape_contradictions": [asdict(each) for each in estimate.contradictions],
        "quantization": _quantization(estimate.quantization),
        "structure": _scope(estimate.structure, lengths),
    }


def _layer(each: LayerCost, lengths: Mapping[str, int], live_bytes: int) -> dict[str, Any]:
    return {
        "macs": _plain(each.macs, lengths),
        "operations": _plain(each.operations, lengths),
        "weights_bytes": each.weights_bytes,
        "moved_bytes": _plain(each.moved_bytes, lengths),
        "output_bytes": _plain(each.output_bytes, lengths),
        "live_bytes": live_bytes,
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


def _quantization(quantization: Quantization) -> dict[str, Any]:
    return {
        "schemes": dict(quantization.schemes),
        "compressions": [asdict(each) for each in quantization.compressions],
        "edges": [asdict(edge) for edge in quantization.edges],
    }


def _scope(scope: Scope, lengths: Mapping[str, int]) -> dict[str, Any]:
    return {
        "path": scope.path,
        "layers": len(scope.layers),
        "macs": number(scope.macs, lengths) if scope.layers else None,
        "weights_bytes": scope.weights_bytes,
        "alike": scope.alike,
        "children": [_scope(child, lengths) for child in scope.children],
    }


_BAR = 24
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_MOST_VALUES, _MOST_OPERATORS, _MOST_METADATA, _MOST_FINDINGS = 6, 10, 4, 4
_MOST_ALIVE = 3
_MOST_TYPES, _MOST_NEEDS, _MOST_NAMES = 4, 3, 4
_NAME, _LABEL, _SENTENCE = 48, 15, 220
_COMPUTED_LABEL = 24  # holds "Peak activation memory"
_STATEMENT, _CONFIDENCE = 34, 7  # columns of the evidence
_NARROWEST, _WIDEST = 60, 120

Rows = Iterable[Sequence[str]]


def text(
    model: Model,
    facts: Facts,
    identity: Identity,
    columns: int,
    bold: bool,
    precision: bool,
) -> str:
    """Return the facts of a model file, laid out for the columns of a terminal.

    precision: include the compute types, as far as the file states them.
    """
    width = _within(columns)
    title = _fit(model.name, width)
    sections = [
        _section(title, _identity(identity, width), bold),
        _section("Recognized by", _evidence(identity, width), bold),
        _section("File", _about(model, facts, width, precision), bold),
        _section("Format details", _of_format(model, width), bold),
        _section("Inputs", _values(model.inputs), bold),
        _section("Inputs with defaults (optional)", _defaults(model), bold),
        _section("Outputs", _values(model.outputs), bold),
        _section("Operators", _operators(facts.operators), bold),
        _section("Also declared", _declared(model, width), bold),
        _section("Metadata", _metadata(model.metadata, width), bold),
        _section("Findings", _findings(model.findings, width), bold),
    ]
    return "\n\n".join(section for section in sections if section)


def _identity(identity: Identity, width: int) -> list[str]:
    """Return headline and details, each wrapped to the width."""
    rows: list[str] = []
    for each in (identity.headline, units.capitalized(identity.details)):
        rows += wrap(each, width - 2) if each else []
    return rows


def _evidence(identity: Identity, width: int) -> list[str]:
    statements = [_fit(each.statement, _STATEMENT) for each in identity.evidence]
    used = 2 + _CONFIDENCE + 3 + max(map(_width, statements), default=0) + 3
    return _aligned(
        [
            (each.confidence, statement, _fit(each.reason, max(20, width - used)))
            for each, statement in zip(identity.evidence, statements, strict=True)
        ]
    )


def heading(title: str, bold: bool) -> str:
    """Return the title of a section."""
    return f"\033[1m{title}\033[0m" if bold else title


def computed(known: Facts, estimate: Estimate, columns: int) -> list[str]:
    """Return the lines that need shape inference, which runs in an engine process."""
    precise = replace(known, precision=estimate.precision)
    facts = (("Compute type", _compute(precise)), *cost_lines(estimate))
    width = _within(columns)
    wrong = tuple(Finding("", each.text) for each in estimate.contradictions)
    rows = [*_labeled(facts, width, _COMPUTED_LABEL), *_findings(wrong, width)]
    return [f"  {row}" for row in rows]


def checksum(sha256: str) -> list[str]:
    """Return the line with the SHA-256 of the file."""
    return [f"  {'SHA-256':{_COMPUTED_LABEL}}{sha256}"]


def _within(columns: int) -> int:
    return min(max(columns, _NARROWEST), _WIDEST)


def _labeled(
    facts: Iterable[tuple[str, str]], width: int, label_width: int = _LABEL
) -> list[str]:
    shown = width - label_width - 2
    return [f"{name:{label_width}}{_fit(value, shown)}" for name, value in facts if value]


def _section(title: str, rows: list[str], bold: bool) -> str:
    if not rows:
        return ""
    return "\n".join([heading(title, bold), *(f"  {row}".rstrip() for row in rows)])


def _about(model: Model, known: Facts, width: int, precision: bool) -> list[str]:
    producer = f"{model.producer} {model.producer_version}".strip()
    opsets = (f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in model.opsets)
    details = model.details
    requires = known.requirements.text if details is None else ""
    if details is not None:
        because = f" ({details.reason})" if details.reason else ""
        requires = f"{details.needs} or later{because}" if details.needs else ""
    facts = (
        ("Format", model.format_text),
        ("Producer", producer),
        ("Size", _size(model.size_bytes)),
        ("Opsets", ", ".join(opsets)),
        ("Requires", requires),
        ("Runs with", runs_with(model.format)),
        *(("Needs", need) for need in _needs(known.requirements)[:_MOST_NEEDS]),
        ("Layers", _layers(model)),
        ("Parameters", _parameters(model, known)),
        ("Stored as", _storage(known)),
        ("Shared", shared_weights(model)),
        ("Compute type", _compute(known) if precision else ""),
        ("Description", model.doc or model.graph_name),
    )
    return _labeled(facts, width)


def _of_format(model: Model, width: int) -> list[str]:
    """Return what only formats other than ONNX's say of a model."""
    return (
        [] if model.details is None else _labeled(model.details.facts, width, _COMPUTED_LABEL)
    )


def _size(size_bytes: int) -> str:
    exact = f" ({size_bytes:,} bytes)" if size_bytes >= 1024 else ""
    return units.size(size_bytes) + exact


def _needs(required: Requirements) -> list[str]:
    needs = []
    for library in required.libraries:
        operators = _few(library.operators, 3)
        source = library.package or (
            "a custom operator library from the author of the model (--custom-ops)"
        )
        needs.append(f"{source}: {operators} {_of_domain(library.domain)}")
    return needs + list(required.notes)


def _of_domain(domain: str) -> str:
    """Name a domain; "custom" is what TensorFlow Lite calls every operator it does not know."""
    return "(custom)" if domain == "custom" else f"of {domain or 'an unnamed domain'}"


def _layers(model: Model) -> str:
    inner = sum(layer.parent is not None for layer in model.layers)
    inside = sum(layer.is_part for layer in model.layers)
    parts = [f"{len(model.layers):,}"]
    if inner > inside:
        parts.append(f"{inner - inside:,} of them inside control flow (If, Loop, Scan)")
    parts += [f"{inside:,} of them inside composite layers"] if inside else []
    parts += [units.plural(len(model.functions), "function")] if model.functions else []
    return ", ".join(parts)


def _parameters(model: Model, facts: Facts) -> str:
    if model.details is not None and not model.details.weights_known:
        return "unknown"
    total = units.count(model.parameters)
    exact = f" ({model.parameters:,})" if model.parameters >= 10_000 else ""
    more = f", and {units.count(facts.constants)} constants" if facts.constants else ""
    return total + exact + more


def _storage(facts: Facts) -> str:
    whole = facts.weights_bytes
    types = [(t, size) for t, size in facts.precision.storage if size]
    parts = [f"{t} {units.size(size)} ({units.share(size, whole)})" for t, size in types]
    return _few(parts, _MOST_TYPES)


def _compute(facts: Facts) -> str:
    return _few([f"{t} {number:,}" for t, number in facts.precision.compute], _MOST_TYPES)


def _values(values: tuple[TensorInfo, ...]) -> list[str]:
    rows = [
        (_fit(v.name, _NAME), _kind(v), _shape(v), v.denotation) for v in values[:_MOST_VALUES]
    ]
    return _aligned(rows) + _more(len(values) - len(rows))


def _defaults(model: Model) -> list[str]:
    """Return the inputs that a caller may leave out, with the shape of their default."""
    optional = optional_inputs(model)
    shapes = {weight.name: weight.shape for weight in model.weights}
    rows = [
        (
            _fit(value.name, _NAME),
            _kind(value),
            _shape(value),
            f"default: {units.shape(shapes.get(value.name))}",
        )
        for value in optional[:_MOST_VALUES]
    ]
    return _aligned(rows) + _more(len(optional) - len(rows))


def _kind(value: TensorInfo) -> str:
    dtype = _fit(value.dtype, _NAME)
    return f"sparse {dtype}" if value.kind == "sparse tensor" else dtype


def _shape(value: TensorInfo) -> str:
    return units.shape(value.shape) if value.kind in ("tensor", "sparse tensor") else ""


def _operators(operators: tuple[tuple[str, int], ...]) -> list[str]:
    most = max((number for _, number in operators), default=1)
    digits = len(f"{most:,}")
    rows = [
        (_fit(name, _NAME), f"{number:>{digits},}", _bar(number / most))
        for name, number in operators[:_MOST_OPERATORS]
    ]
    return _aligned(rows) + _more(len(operators) - len(rows))


def _declared(model: Model, width: int) -> list[str]:
    rows = []
    for title, texts in declarations(model):
        (name, text), *others = texts
        names = _few([name for name, _ in texts], _MOST_NAMES)
        rows.append((title, names if others else f"{name}: {_first_line(text)}"))
    shown = width - max((len(title) for title, _ in rows), default=0) - 5
    return _aligned((title, _fit(words, shown)) for title, words in rows)


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _bar(share: float) -> str:
    eighths = max(1, round(share * _BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _metadata(metadata: tuple[tuple[str, str], ...], width: int) -> list[str]:
    names = [_fit(name, _NAME // 2) for name, _ in metadata[:_MOST_METADATA]]
    shown = width - max((_width(name) for name in names), default=0) - 6
    values = [_fit(" ".join(value[:500].split()), shown) for _, value in metadata]
    return _aligned(zip(names, values, strict=False)) + _more(len(metadata) - len(names))


def _findings(findings: tuple[Finding, ...], width: int) -> list[str]:
    lines = []
    for finding in findings[:_MOST_FINDINGS]:
        subject = _fit(finding.subject, _NAME)
        sentence = _fit(f"{subject}: {finding.text}" if subject else finding.text, _SENTENCE)
        first, *rest = wrap(sentence, width - 4) or [""]
        lines += [f"! {first}", *(f"  {line}" for line in rest)]
    return lines + _more(len(findings) - _MOST_FINDINGS)


def _aligned(rows: Rows) -> list[str]:
    table = [list(row) for row in rows]
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    return ["   ".join(map(_padded, row, widths)) for row in table]


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(cell: str) -> int:
    wide = sum(east_asian_width(character) in "WF" for character in cell)
    return len(cell) + wide - sum(map(bool, map(combining, cell)))


def _fit(value: str, width: int) -> str:
    shown = units.clip(value, width)  # which writes hidden characters longer
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


def _few(parts: Sequence[str], most: int) -> str:
    more = f" and {len(parts) - most} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + more


def _more(number: int) -> list[str]:
    return [f"and {number:,} more"] if number > 0 else []
