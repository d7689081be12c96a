"""Warnings about the structure of a model, without a runtime."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain, islice
from math import prod
from operator import attrgetter

import onnx
from onnx.defs import onnx_opset_version

from inspector.formats.weight_files.weight_findings import few, weight_findings
from inspector.model.attribute_values import values_of
from inspector.model.model import (
    EVERY_RUNTIME,
    ONNX_RUNTIME,
    Attribute,
    Finding,
    Function,
    Layer,
    Model,
    TensorInfo,
    WeightInfo,
    packed_bytes,
)
from inspector.wording.values import Count, Name, Sentence, Size, Value

_MAX_EXPANDED_NODES = 1_000_000  # above, runtimes need minutes or all memory (a judgment)
_Key = tuple[str, str, str]
_MAX_DEPTH = 16  # of control flow; ONNX Runtime takes very long to load deeper nesting
_PART = 4096  # names counted between two chances for other threads
_ATTRIBUTES = attrgetter("attributes")
_FLOW = attrgetter("inputs", "outputs")
_STANDARD = "", "ai.onnx"
_UNTYPED = "unknown"  # as `types.element` names type 0
_TYPED = "tensor", "unknown"  # kinds of inputs whose type is of an element, or not there
_LOST = "\ufffd"  # what a reader puts in place of bytes that are not UTF-8
_STEPS = frozenset({"strides", "dilations"})
# Runtimes check the steps of these at load, whatever their inputs are.
_SLIDING = frozenset({"Conv", "ConvTranspose", "MaxPool", "AveragePool"})
_POSITIVE = frozenset({"strides", "dilations", "kernel_shape", "group"})
# Bytes that a process can have addresses for: 47 bits on x86-64, 48 on Arm.
_ADDRESSABLE = 1 << 48


def call_findings(model: Model) -> list[Finding]:
    """Return warnings about recursive functions and about very large expansions.

    Runtimes replace each call by the body of the function: 24 functions that each call the
    next one twice are a file of 3 kB and 16 million nodes.
    """
    if not model.functions:
        return []
    bodies = {_key(function): function.layers for function in model.functions}
    calls = {key: _calls(layers, bodies) for key, layers in bodies.items()}
    order, recursive = _inner_first(calls)
    if recursive:
        return [
            Finding(
                recursive[1],
                "this function calls itself, directly or through other functions; export the "
                "model again without recursion",
                invalid=True,
                refused_by=EVERY_RUNTIME,
            )
        ]
    sizes: dict[_Key, int] = {}
    for key in order:
        own = len(bodies[key]) - calls[key].total()
        sizes[key] = own + sum(sizes[called] * times for called, times in calls[key].items())
    called = _calls(model.layers, bodies)
    total = len(model.layers) + sum((sizes[key] - 1) * times for key, times in called.items())
    if total <= _MAX_EXPANDED_NODES:
        return []
    number = f"{total:,}" if total < 10**15 else f"10^{len(str(total)) - 1}"
    text = f"with all functions expanded it has {number} nodes, too many for most runtimes"
    return [Finding("", text)]


def _calls(layers: Iterable[Layer], bodies: dict[_Key, tuple[Layer, ...]]) -> Counter[_Key]:
    keys = ((layer.domain, layer.operator, layer.overload) for layer in layers)
    return Counter(key for key in keys if key in bodies)


def _key(function: Function) -> _Key:
    return function.domain, function.name, function.overload


def _inner_first(calls: dict[_Key, Counter[_Key]]) -> tuple[list[_Key], _Key | None]:
    """Return functions sorted so that each comes after those it calls, and a recursive one.

    Iterative, because a chain of functions may be deeper than Python's stack.
    """
    order: list[_Key] = []
    visited: set[_Key] = set()
    for first in calls:
        trail = [] if first in visited else [(first, iter(calls[first]))]
        while trail:
            key, inner = trail[-1]
            called = next((called for called in inner if called not in visited), None)
            if called is None:
                trail.pop()
                visited.add(key)
                order.append(key)
            elif any(called == other for other, _ in trail):
                return order, called
            else:
                trail.append((called, iter(calls[called])))
    return order, None


def findings(model: Model) -> tuple[Finding, ...]:
    """Return all warnings, those first that break rules of the format, one for each kind."""
    noticed = (
        *weight_findings(model),
        *call_findings(model),
        *_nesting(model.layers),
        *_versions(model),
        *_domains(model),
        *_compiled(model),
        *_duplicates(model),
        *_values(model),
        *_attributes(model.layers),
        *_sizes(model),
        *_fixed_values(model.layers),
        *_equations(model),
        *_orders(model),
        *_names(model),
    )
    return tuple(sorted(noticed, key=lambda each: not each.invalid))


def _nesting(layers: tuple[Layer, ...]) -> Iterator[Finding]:
    if {*map(attrgetter("parent"), layers)} <= {None}:
        return
    depth = [0] * len(layers)
    for layer in layers:
        if layer.parent is not None:
            depth[layer.index] = depth[layer.parent] + 1
    deepest = max(depth, default=0)
    if deepest > _MAX_DEPTH:
        subject = layers[depth.index(deepest)].label
        yield Finding(
            subject,
            f"control flow is nested {deepest} levels deep, which may take very long to load",
        )


def _versions(model: Model) -> Iterator[Finding]:
    if model.ir_version > onnx.IR_VERSION:
        yield _newer("IR version", model.ir_version, onnx.IR_VERSION)
    if model.ir_version < 1:
        yield Finding("IR version", _below_first(model.ir_version), invalid=True)
    standard = any(layer.domain in _STANDARD for layer in model.layers)
    for opset in model.opsets:
        name = f"opset {opset.domain or 'ai.onnx'}"
        if opset.version < 1:
            # Runtimes find no operator of the standard; of other domains they take any version.
            by = EVERY_RUNTIME if standard and opset.domain in _STANDARD else ""
            yield Finding(name, _below_first(opset.version), invalid=True, refused_by=by)
        elif not opset.domain and opset.version > onnx_opset_version():
            yield _newer(name, opset.version, onnx_opset_version())


def _below_first(version: int) -> str:
    return (
        f"the file declares version {version}, but the first version is 1; export the model "
        "again"
    )


def _domains(model: Model) -> Iterator[Finding]:
    imported = {opset.domain for opset in model.opsets}
    domains = map(attrgetter("domain"), model.layers)
    used = Counter(domain for domain in domains if domain not in imported)
    for domain, number in used.items():
        nodes = "1 node uses" if number == 1 else f"{number:,} nodes use"
        yield Finding(
            domain or "ai.onnx",
            f"{nodes} operators of this domain, which the model does not import; export the "
            "model again",
            invalid=True,
        )


def _compiled(model: Model) -> Iterator[Finding]:
    """Yield why a part that was compiled for a device cannot be loaded."""
    for part in model.compiled:
        if part.problem:
            yield Finding(model.layers[part.layer].label, part.problem)


def _duplicates(model: Model) -> Iterator[Finding]:
    values = (value.name for value in (*model.inputs, *model.defaults))
    weights = (w.name for w in model.weights if w.origin != "constant" and w.layer is None)
    functions = (f"{f.domain}.{f.name} {f.overload}".strip() for f in model.functions)
    top = [layer for layer in model.layers if layer.parent is None]
    outputs = chain.from_iterable(layer.outputs for layer in top)
    text = "several inputs have this name; export the model again"
    yield from _repeated(values, text, EVERY_RUNTIME)
    yield from _repeated(weights, "several weights have this name; export the model again")
    text = "several functions have this name; export the model again"
    yield from _repeated(functions, text, EVERY_RUNTIME)
    # OpenVINO loads the last two. In graphs of several branches equal names are usual.
    text = "several layers produce a value of this name; export the model again"
    yield from _repeated(outputs, text, ONNX_RUNTIME)
    text = (
        "several layers have this name; to give each its own, use inspector convert MODEL "
        "repair -o FILE"
    )
    yield from _repeated((layer.name for layer in top), text, ONNX_RUNTIME, True)


def _values(model: Model) -> Iterator[Finding]:
    defined = {value.name for value in (*model.inputs, *model.defaults, *model.values)}
    defined.update(weight.name for weight in model.weights)
    available = defined | {""}
    if not _in_order(model.layers, available):
        yield from _out_of_order(model.layers, defined)
    outputs = [value.name for value in model.outputs if value.name not in available]
    untyped = [e.name for e in model.inputs if e.kind in _TYPED and e.dtype == _UNTYPED]
    if untyped:
        text = "this input has no type; export the model again"
        yield Finding(few(untyped), text, invalid=True, refused_by=EVERY_RUNTIME)
    if outputs:
        text = "no node produces this output; export the model again"
        yield Finding(few(outputs), text, invalid=True, refused_by=EVERY_RUNTIME)


def _in_order(layers: tuple[Layer, ...], available: set[str]) -> bool:
    """Add the outputs of layers to `known`; return whether each reads only earlier values."""
    add, hold, flow = available.update, available.issuperset, map(_FLOW, layers)
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


def _out_of_order(layers: tuple[Layer, ...], defined: set[str]) -> Iterator[Finding]:
    outputs = {name for layer in layers for name in layer.outputs}
    used = (name for layer in layers for name in layer.inputs)
    nowhere = dict.fromkeys(
        name for name in used if name not in outputs and name not in defined
    )
    if unknown := [name for name in nowhere if name]:
        text = "this value is read, but no node produces it; export the model again"
        yield Finding(few(unknown), text, invalid=True, refused_by=EVERY_RUNTIME)
    top = [layer for layer in layers if layer.parent is None]
    first = {name: layer.index for layer in reversed(top) for name in layer.outputs if name}
    uses = ((name, layer.index) for layer in top for name in layer.inputs)
    late = dict.fromkeys(name for name, index in uses if first.get(name, -1) >= index)
    if late and (cycle := _cycle(top, first)):
        number = "1 layer" if len(cycle) == 1 else f"{len(cycle):,} layers"
        yield Finding(
            cycle[0].label,
            f"this layer is part of a cycle of {number}: its input depends on its own output, "
            "in any order; export the model again",
            invalid=True,
            refused_by=EVERY_RUNTIME,
        )
    elif late:
        text = (
            "this value is read before it is produced: the nodes are not in topological "
            "order; to sort them: inspector convert MODEL repair -o FILE"
        )
        yield Finding(few([*late]), text, invalid=True, repairable=True)


def _cycle(layers: Sequence[Layer], producers: Mapping[str, int]) -> list[Layer]:
    """Return layers that wait for each other in a circle; none where an order exists.

    producers: index of the layer of each value.
    """
    waits = {
        layer.index: {producers[name] for name in layer.inputs if name in producers}
        for layer in layers
    }
    try:
        TopologicalSorter(waits).prepare()
    except CycleError as error:
        circle = {*error.args[1]}
        return [layer for layer in layers if layer.index in circle]
    return []


def _attributes(layers: tuple[Layer, ...]) -> Iterator[Finding]:
    """Yield what is wrong with values of attributes, whatever the layers get."""
    each = {id(a): a for a in chain.from_iterable(map(_ATTRIBUTES, layers))}  # equal ones share
    wrong = {key: text for key, a in each.items() if (text := _value_problem(a))}
    names: dict[tuple[str, str], list[str]] = {}
    for layer in layers if wrong else ():
        for attribute in layer.attributes:
            if id(attribute) in wrong and (attribute.refers or layer.domain in _STANDARD):
                key = wrong[id(attribute)], _refusing(layer.operator, attribute)
                names.setdefault(key, []).append(layer.label)
    for (text, refused_by), labels in names.items():
        yield Finding(few(labels), text, invalid=True, refused_by=refused_by)


def _refusing(operator: str, attribute: Attribute) -> str:
    """Return what is known to refuse a wrong value: OpenVINO loads some negative steps."""
    if attribute.refers or attribute.name not in _STEPS or operator not in _SLIDING:
        return ""
    return EVERY_RUNTIME if "0" in attribute.text.split(", ") else ONNX_RUNTIME


def _value_problem(attribute: Attribute) -> str:
    if attribute.refers:
        return (
            f"the attribute '{attribute.name}' takes its value from a function's attribute, "
            "but the layer is in no function; export the model again"
        )
    if attribute.name in _POSITIVE and attribute.kind in ("int", "ints"):
        for number in attribute.text.partition(", …")[0].split(", "):
            if number == "0" or number.startswith("-"):
                return (
                    f"the attribute '{attribute.name}' must be positive, but has {number}; "
                    "export the model again"
                )
    return ""


def _sizes(model: Model) -> Iterator[Finding]:
    """Yield inputs and outputs that no computer has memory for."""
    for value in (*model.inputs, *model.outputs):
        lengths = _lengths(value)
        needed = packed_bytes(value.dtype, prod(lengths)) if lengths else None
        if needed is not None and needed > _ADDRESSABLE:
            text = (
                "this shape takes {size}, which no program can allocate; export the model again"
            )
            yield Finding(few([value.name]), Sentence(text, size=Size(needed)))


def _lengths(value: TensorInfo | WeightInfo | None) -> tuple[int, ...]:
    """Return the lengths of all axes; none where one of them is not known."""
    shape = value.shape or () if value is not None else ()
    lengths = tuple(length for length in shape if isinstance(length, int))
    return lengths if len(lengths) == len(shape) else ()


def _fixed_values(layers: tuple[Layer, ...]) -> Iterator[Finding]:
    """Yield attributes with a value that the operator does not know; no checker looks."""
    wrong: dict[tuple[str, str, str], list[str]] = {}
    for layer in layers:
        for attribute in layer.attributes:
            if attribute.kind != "string" or layer.domain not in _STANDARD or attribute.refers:
                continue
            known, given = (
                values_of(layer.operator, attribute.name),
                attribute.text.strip("'\""),
            )
            if known and given and given.casefold() not in map(str.casefold, known):
                key = attribute.name, given, " or ".join((", ".join(known[:-1]), known[-1]))
                wrong.setdefault(key, []).append(layer.label)
    for (name, given, known_values), labels in wrong.items():
        values: dict[str, Value] = {
            "name": Name(name), "given": Name(given), "known": Name(known_values)
        }  # fmt: skip
        text = (
            "the attribute '{name}' must be {known}, but is '{given}'; export the model again"
        )
        yield Finding(few(labels), Sentence(text, **values), invalid=True)


def _orders(model: Model) -> Iterator[Finding]:
    """Yield each Transpose that orders more or fewer axes than its input has."""
    layers = [each for each in model.layers if each.operator == "Transpose"]
    ranks = dict[str, int]()
    for each in (*model.values, *model.inputs) if layers else ():
        if each.shape is not None:
            ranks[each.name] = len(each.shape)
    for layer in layers:
        order = next((a.text for a in layer.attributes if a.name == "perm"), "")
        rank, ordered = ranks.get(layer.inputs[0] if layer.inputs else ""), order.count(",") + 1
        if order and "\u2026" not in order and rank is not None and ordered != rank:
            text = (
                "the attribute 'perm' orders {ordered} axes, but the input has {rank}; export "
                "the model again"
            )
            said = {"ordered": Count(ordered), "rank": Count(rank)}
            yield Finding(layer.label, Sentence(text, **said), invalid=True)


def _equations(model: Model) -> Iterator[Finding]:
    """Yield each Einsum whose inputs give one index of the equation several lengths.

    The checker and shape inference of onnx let it pass, and ONNX Runtime fails at the run.
    """
    layers = [each for each in model.layers if each.operator == "Einsum"]
    known = dict[str, TensorInfo | WeightInfo]()
    if layers:
        known |= {each.name: each for each in (*model.values, *model.inputs)}
        known |= {each.name: each for each in model.weights}
    for layer in layers:
        if (clash := _clash(layer, known)) is not None:
            text = (
                "its equation has the index '{index}' for axes of {one} and {other}; "
                "export the model again"
            )
            index, one, other = clash
            values: dict[str, Value] = {
                "index": Name(index), "one": Count(one), "other": Count(other)
            }  # fmt: skip
            yield Finding(layer.label, Sentence(text, **values), invalid=True)


def _clash(
    layer: Layer, known: Mapping[str, TensorInfo | WeightInfo]
) -> tuple[str, int, int] | None:
    """Return an index of an Einsum's equation with its two lengths; None where none has two."""
    equation = next((a.text for a in layer.attributes if a.name == "equation"), "")
    terms = equation.strip("'\"").replace(" ", "").partition("->")[0].split(",")
    lengths = dict[str, int]()
    for term, name in zip(terms, layer.inputs, strict=False):
        if "." in term:  # stands for any number of axes
            continue
        for index, length in zip(term, _lengths(known.get(name)), strict=False):
            other = lengths.setdefault(index, length)
            if length != other and 1 not in (length, other):  # one is repeated
                return index, other, length
    return None


def _names(model: Model) -> Iterator[Finding]:
    values: Iterable[TensorInfo] = (*model.inputs, *model.outputs)
    names = [*map(attrgetter("name"), (*model.layers, *values))]
    if not "".join(names).isprintable():
        odd = [name for name in names if not name.isprintable()]
        yield Finding(few(odd), "this name contains invisible characters")
    if lost := [name for name in names if _LOST in name]:
        text = "this name contains characters that are not UTF-8; export the model again"
        yield Finding(few(lost), text)
    axes = {axis for value in values for axis in value.shape or () if isinstance(axis, str)}
    numbers = sorted(axis for axis in axes if axis.isdecimal())
    if numbers:
        each = "this axis is" if len(numbers) == 1 else "these axes are"
        subject = few([f'axis "{name}"' for name in numbers])
        yield Finding(subject, f"{each} dynamic: the number is a name, not a size")
    overridden = [f.name for f in model.functions if not f.domain]
    if overridden:
        yield Finding(few(overridden), "a function overrides a standard operator")


def _repeated(
    names: Iterable[str], text: str, refused_by: str = "", repairable: bool = False
) -> Iterator[Finding]:
    remaining, all_names, unique = iter(names), list[str](), set[str]()
    while part := [*islice(remaining, _PART)]:  # one set of all names would block other threads
        all_names += filter(None, part)
        unique.update(part)
    if len(unique) - ("" in unique) < len(all_names):
        repeated = [name for name, number in Counter(all_names).items() if number > 1]
        subject = few([f"'{name}'" for name in repeated])
        yield Finding(subject, text, True, refused_by, repairable)


def _newer(subject: str, version: int, newest: int) -> Finding:
    text = f"the file uses version {version}; Inspector supports versions up to {newest}"
    return Finding(subject, text)
