"""What is odd about a model's structure, found before any runtime sees it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from operator import attrgetter

import onnx
from onnx.defs import onnx_opset_version

from inspector.model import Finding, Layer, Model, TensorInfo
from inspector.readers.calls import call_findings

_DEEP = 16
_SHOWN = 3
_PART = 4096
_FLOW = attrgetter("inputs", "outputs")


def findings(model: Model) -> tuple[Finding, ...]:
    """List everything odd, the gravest kinds first; each kind once, with its number."""
    return (
        *weight_findings(model),
        *call_findings(model),
        *_nesting(model.layers),
        *_versions(model),
        *_domains(model),
        *_duplicates(model),
        *_values(model),
        *_names(model),
    )


def weight_findings(model: Model) -> Iterator[Finding]:
    """Tell of tensors whose values cannot be had, one finding for each reason."""
    problems: dict[str, list[str]] = {}
    for weight in model.weights:
        if weight.problem:
            problems.setdefault(weight.problem, []).append(weight.name)
    for problem, names in problems.items():
        yield Finding(_few(names), problem)


def _nesting(layers: tuple[Layer, ...]) -> Iterator[Finding]:
    if {*map(attrgetter("parent"), layers)} <= {None}:
        return
    depth = [0] * len(layers)
    for layer in layers:
        if layer.parent is not None:
            depth[layer.index] = depth[layer.parent] + 1
    deepest = max(depth, default=0)
    if deepest > _DEEP:
        subject = layers[depth.index(deepest)].label
        yield Finding(subject, f"control flow is nested {deepest} deep: loading may not end")


def _versions(model: Model) -> Iterator[Finding]:
    if model.ir_version > onnx.IR_VERSION:
        yield _newer("IR version", model.ir_version, onnx.IR_VERSION)
    if model.ir_version < 1:
        yield Finding("IR version", f"the file gives {model.ir_version}; the first is 1")
    for opset in model.opsets:
        name = f"operator set {opset.domain or 'ai.onnx'}"
        if opset.version < 1:
            yield Finding(name, f"the file asks for version {opset.version}; the first is 1")
        elif not opset.domain and opset.version > onnx_opset_version():
            yield _newer(name, opset.version, onnx_opset_version())


def _domains(model: Model) -> Iterator[Finding]:
    imported = {opset.domain for opset in model.opsets}
    domains = map(attrgetter("domain"), model.layers)
    used = Counter(domain for domain in domains if domain not in imported)
    for domain, number in used.items():
        nodes = "1 node uses" if number == 1 else f"{number:,} nodes use"
        yield Finding(domain or "ai.onnx", f"{nodes} this operator set without importing it")


def _duplicates(model: Model) -> Iterator[Finding]:
    values = (value.name for value in (*model.inputs, *model.defaults))
    weights = (w.name for w in model.weights if w.origin != "constant" and w.layer is None)
    functions = (f"{f.domain}.{f.name} {f.overload}".strip() for f in model.functions)
    top = [layer.outputs for layer in model.layers if layer.parent is None]
    made = chain.from_iterable(top)
    yield from _repeated(values, "inputs have the same name")
    yield from _repeated(weights, "weights have the same name")
    yield from _repeated(functions, "functions have the same name")
    yield from _repeated(made, "values are made by more than one node")
    yield from _repeated(map(attrgetter("name"), model.layers), "layers have the same name")


def _values(model: Model) -> Iterator[Finding]:
    given = {value.name for value in (*model.inputs, *model.defaults, *model.values)}
    given.update(weight.name for weight in model.weights)
    known = given | {""}
    if not _in_order(model.layers, known):
        yield from _out_of_order(model.layers, given)
    outputs = [value.name for value in model.outputs if value.name not in known]
    if outputs:
        yield Finding(_few(outputs), "this output is made by nothing")


def _in_order(layers: tuple[Layer, ...], known: set[str]) -> bool:
    """Add what layers make to what is known; tell whether each uses only what was known."""
    add, hold, flow = known.update, known.issuperset, map(_FLOW, layers)
    for inputs, outputs in flow:
        if not hold(inputs):
            break
        add(outputs)
    else:
        return True
    add(outputs)
    for _, outputs in flow:
        add(outputs)
    return False


def _out_of_order(layers: tuple[Layer, ...], given: set[str]) -> Iterator[Finding]:
    made = {name for layer in layers for name in layer.outputs}
    used = (name for layer in layers for name in layer.inputs)
    nowhere = dict.fromkeys(name for name in used if name not in made and name not in given)
    if unknown := [name for name in nowhere if name]:
        yield Finding(_few(unknown), "this is used, but nothing makes it")
    top = [layer for layer in layers if layer.parent is None]
    first = {name: layer.index for layer in reversed(top) for name in layer.outputs if name}
    uses = ((name, layer.index) for layer in top for name in layer.inputs)
    late = dict.fromkeys(name for name, index in uses if first.get(name, -1) >= index)
    if late:
        yield Finding(_few([*late]), "this is used before it is made: nodes are out of order")


def _names(model: Model) -> Iterator[Finding]:
    values: Iterable[TensorInfo] = (*model.inputs, *model.outputs)
    names = [*map(attrgetter("name"), (*model.layers, *values))]
    if not "".join(names).isprintable():
        odd = [name for name in names if not name.isprintable()]
        yield Finding(_few(odd), "this name has characters that cannot be seen")
    overridden = [f.name for f in model.functions if not f.domain]
    if overridden:
        yield Finding(_few(overridden), "a function takes the place of a standard operator")


def _repeated(names: Iterable[str], text: str) -> Iterator[Finding]:
    remaining, several, seen = iter(names), list[str](), set[str]()
    while part := [*islice(remaining, _PART)]:  # a set of all at once holds other threads up
        several += filter(None, part)
        seen.update(part)
    if len(seen) - ("" in seen) < len(several):
        twice = [name for name, number in Counter(several).items() if number > 1]
        yield Finding(_few(twice), text)


def _newer(subject: str, version: int, known: int) -> Finding:
    text = f"the file uses {version}; Inspector knows versions up to {known}"
    return Finding(subject, text)


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(name[:200] or "(no name)" for name in names[:_SHOWN]) + more
