"""Evaluate the conditions of a support table for one node of a model.

A condition is a list: the name of a check, then its arguments, as the data files write them:

    ["rank", 0, [3, 4]]      ["any", ["constant", 1], ["attribute", "transB", 0, [1]]]

A check answers True (it holds), False (it does not) or None (the model does not tell). `any`,
`all`, `not` and `if` combine answers with the three-valued logic of Kleene, so that nothing is
promised that was not checked. `CHECKS` is the whole vocabulary, with the arguments of each.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from inspector.marking import Rule
from inspector.model import Axis, Layer
from inspector.units import clip

_CLIPPED = "…"  # the readers cut long lists of an attribute
_MOST_TEXT = 60  # characters of a value in a sentence

Numbers = Sequence[float]


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a condition holds, and for one that does not: which rule, and why in words.

    holds: None when the model does not tell. file: of the source, where it is not the rule's.
    """

    holds: bool | None
    rule: Rule = Rule.NONE
    reason: str = ""
    file: str = ""


YES = Answer(True)


@dataclass(frozen=True, slots=True)
class Node:
    """What conditions look at: a layer with what is known of its values.

    since: version of the operator's definition. options: of the provider, as the table's
    device sets them ("MLProgram"). dtype: "" when unknown. shape: None when the rank is
    unknown. constant: whether the value is fixed when the session starts. numbers: the
    elements of a small constant in their order, None for others. produced_by: operator
    that makes a value, "" for inputs and weights. read_by: operators that read it.
    """

    layer: Layer
    since: int
    options: frozenset[str]
    dtype: Callable[[str], str]
    shape: Callable[[str], Sequence[Axis] | None]
    constant: Callable[[str], bool]
    numbers: Callable[[str], Numbers | None]
    produced_by: Callable[[str], str]
    read_by: Callable[[str], Sequence[Layer]]

    def input(self, place: int) -> str:
        """Return the name of an input; "" for one that is left out."""
        inputs = self.layer.inputs
        return inputs[place] if place < len(inputs) else ""

    def inputs(self) -> list[tuple[str, str]]:
        """Return the inputs that are given: their names, and what a sentence calls them."""
        return [(n, f"input {place}") for place, n in enumerate(self.layer.inputs) if n]

    def outputs(self) -> list[tuple[str, str]]:
        """Return the outputs that are given: their names, and what a sentence calls them."""
        return [(n, f"output {place}") for place, n in enumerate(self.layer.outputs) if n]

    def attribute(self, name: str) -> str | None:
        """Return an attribute as text; None without it."""
        return next((a.text for a in self.layer.attributes if a.name == name), None)

    def attribute_numbers(self, name: str) -> list[float] | None:
        """Return an attribute's list of numbers; None without it or when it was cut."""
        text = self.attribute(name)
        if text is None or _CLIPPED in text:
            return None
        return [float(part) for part in text.split(",") if part.strip()]


def evaluate(node: Node, condition: Sequence[Any]) -> Answer:
    """Return whether a condition holds for a node."""
    name, *arguments = condition
    return CHECKS[name](node, *arguments)


def _open(reason: str) -> Answer:
    return Answer(None, Rule.NONE, reason)


def _no(rule: Rule, reason: str) -> Answer:
    return Answer(False, rule, reason)


def _all(node: Node, *conditions: Sequence[Any]) -> Answer:
    """Hold when every condition does."""
    return _together([evaluate(node, condition) for condition in conditions])


def _any(node: Node, *conditions: Sequence[Any]) -> Answer:
    """Hold when one condition does; the last one that fails says why."""
    answers = [evaluate(node, condition) for condition in conditions]
    if any(a.holds for a in answers):
        return YES
    return next((a for a in answers if a.holds is None), answers[-1])


def _if(node: Node, condition: Sequence[Any], *then: Sequence[Any]) -> Answer:
    """Hold when the first condition does not, or else all that follow do."""
    asked = evaluate(node, condition)
    if asked.holds is False:
        return YES
    answer = _all(node, *then)
    if asked.holds or answer.holds is not False:
        return answer
    return asked


def _not(node: Node, condition: Sequence[Any], reason: str = "") -> Answer:
    """Hold when the condition does not."""
    answer = evaluate(node, condition)
    if answer.holds is None:
        return answer
    return _no(Rule.ATTRIBUTE, reason) if answer.holds else YES


def _at(node: Node, file: str, *conditions: Sequence[Any]) -> Answer:
    """Hold as all conditions do, which another file of the source states."""
    return replace(_all(node, *conditions), file=file)


def _say(node: Node, rule: str, reason: str, condition: Sequence[Any]) -> Answer:
    """Hold as the condition does, with a rule and a sentence of the table's own."""
    answer = evaluate(node, condition)
    return _no(Rule(rule), reason) if answer.holds is False else answer


def _unchecked(_node: Node, reason: str) -> Answer:
    """Stay open: nothing here can check it."""
    return _open(reason)


def _refused(_node: Node, rule: str, reason: str) -> Answer:
    """Never hold."""
    return _no(Rule(rule), reason)


def _option(node: Node, name: str) -> Answer:
    """Hold when the device's options have a name."""
    return YES if name in node.options else _no(Rule.OPERATOR, f"it needs {name}")


def _opset(node: Node, first: int, last: int) -> Answer:
    """Hold when the operator's version lies in a range, both ends included."""
    if first <= node.since <= last:
        return YES
    asked = f"version {first} or later" if node.since < first else f"version {last} or earlier"
    name = node.layer.operator
    return _no(Rule.OPSET, f"{name} must be of {asked}, and it is of {node.since}")


def _operator(node: Node, *names: str) -> Answer:
    """Hold for operators of these names."""
    return YES if node.layer.operator in names else _no(Rule.OPERATOR, "another operator")


def _type(node: Node, place: int, allowed: str) -> Answer:
    """Hold when an input is left out or has one of these types."""
    return _type_of(node, node.input(place), f"input {place}", allowed)


def _output_type(node: Node, place: int, allowed: str) -> Answer:
    """Hold when an output is left out or has one of these types."""
    outputs = node.layer.outputs
    name = outputs[place] if place < len(outputs) else ""
    return _type_of(node, name, f"output {place}", allowed)


def _types(node: Node, computed: str, constant: str = "") -> Answer:
    """Hold when all inputs and outputs have one of these types; constants of others."""
    answers = []
    for name, called in node.inputs():
        allowed = constant if constant and node.constant(name) else computed
        answers.append(_type_of(node, name, called, allowed))
    answers += [_type_of(node, name, called, computed) for name, called in node.outputs()]
    return _together(answers)


def _type_of(node: Node, name: str, called: str, allowed: str) -> Answer:
    if not name:
        return YES
    dtype = node.dtype(name)
    if not dtype:
        return _open(f"the type of {called}")
    if dtype in allowed.split():
        return YES
    words = " or ".join(allowed.split())
    return _no(Rule.TYPE, f"{called} must be {words}, and it is {dtype}")


def _same_type(node: Node, *places: int) -> Answer:
    """Hold when these inputs have one type."""
    names = [node.input(place) for place in places]
    kinds = [node.dtype(name) for name in names if name]
    if "" in kinds:
        return _open(f"the types of inputs {_listed(places)}")
    if len(set(kinds)) <= 1:
        return YES
    words = " and ".join(dict.fromkeys(kinds))
    return _no(Rule.TYPE, f"inputs {_listed(places)} must have one type, and have {words}")


def _rank(node: Node, place: int, allowed: Sequence[int]) -> Answer:
    """Hold when an input is left out or has one of these numbers of axes."""
    return _rank_of(node, node.input(place), f"input {place}", allowed)


def _ranks(node: Node, most: int) -> Answer:
    """Hold when no input has more axes."""
    asked = range(most + 1)
    return _together(_rank_of(node, name, called, asked) for name, called in node.inputs())


def _rank_of(node: Node, name: str, called: str, allowed: Sequence[int]) -> Answer:
    if not name:
        return YES
    shape = node.shape(name)
    if shape is None:
        return _open(f"the number of axes of {called}")
    if len(shape) in allowed:
        return YES
    span = _span(allowed)
    return _no(Rule.RANK, f"{called} must have {span} axes, and it has {len(shape)}")


def _known(node: Node, place: int) -> Answer:
    """Hold when the rank of an input is known."""
    return _rank(node, place, range(1 << 16))


def _output_known(node: Node) -> Answer:
    """Hold when the rank of the first output is known."""
    return _rank_of(node, node.layer.outputs[0], "the output", range(1 << 16))


def _fixed(node: Node, *places: int) -> Answer:
    """Hold when no axis of these inputs is free; without places, of any input."""
    asked = [(node.input(place), f"input {place}") for place in places] or node.inputs()
    return _together(_fixed_of(node, name, called, None) for name, called in asked)


def _fixed_axes(node: Node, place: int, axes: Sequence[int]) -> Answer:
    """Hold when these axes of an input are not free."""
    return _fixed_of(node, node.input(place), f"input {place}", axes)


def _fixed_outputs(node: Node) -> Answer:
    """Hold when no axis of an output is free."""
    return _together(_fixed_of(node, name, called, None) for name, called in node.outputs())


def _fixed_of(node: Node, name: str, called: str, axes: Sequence[int] | None) -> Answer:
    shape = node.shape(name) if name else ()
    if shape is None:
        return _open(f"the shape of {called}")
    places = range(len(shape)) if axes is None else axes
    free = [p for p in places if -len(shape) <= p < len(shape) and not _is_fixed(shape[p])]
    if not free:
        return YES
    return _no(Rule.DYNAMIC_SHAPE, f"{called} must have a fixed shape")


def _is_fixed(axis: Axis) -> bool:
    return isinstance(axis, int)


def _no_empty_axis(node: Node, kinds: str = "inputs") -> Answer:
    """Hold when no axis has length 0: of "inputs", or of "values" but for constants."""
    asked = node.inputs()
    if kinds == "values":
        asked = [pair for pair in (*asked, *node.outputs()) if not node.constant(pair[0])]
    for name, called in asked:
        if 0 in (node.shape(name) or ()):
            return _no(Rule.RANK, f"{called} must not have an axis of length 0")
    return YES


def _no_scalar(node: Node) -> Answer:
    """Hold when neither an output nor an input but a constant is a scalar."""
    opened = YES
    for name, called in (*node.inputs(), *node.outputs()):
        shape = node.shape(name)
        if not node.constant(name) and shape is None:
            opened = _open(f"the number of axes of {called}")
        elif not node.constant(name) and not shape:
            return _no(Rule.RANK, f"{called} must not be a scalar")
    return opened


def _longest(node: Node, most: int, *places: int) -> Answer:
    """Hold when no axis of these inputs and of the first output is longer."""
    for name in (*(node.input(place) for place in places), node.layer.outputs[0]):
        axes = [axis for axis in (node.shape(name) or ()) if isinstance(axis, int)]
        if axes and max(axes) > most:
            reason = f"an axis may have at most {most:,} elements, and one has {max(axes):,}"
            return _no(Rule.RANK, reason)
    return YES


def _length(node: Node, place: int, axis: int, allowed: Sequence[int]) -> Answer:
    """Hold when one axis of an input has one of these lengths; -1 counts from the end."""
    shape = node.shape(node.input(place))
    if shape is None or not -len(shape) <= axis < len(shape) or not _is_fixed(shape[axis]):
        return _open(f"the length of axis {axis} of input {place}")
    if shape[axis] in allowed:
        return YES
    called = f"axis {axis} of input {place}"
    return _no(Rule.RANK, f"{called} must have length {_span(allowed)}, not {shape[axis]}")


def _elements(node: Node, place: int, first: int, last: int) -> Answer:
    """Hold when an input has a number of elements from first to last."""
    shape = node.shape(node.input(place))
    if shape is None or not all(map(_is_fixed, shape)):
        return _open(f"the number of elements of input {place}")
    count = prod(axis for axis in shape if isinstance(axis, int))
    if first <= count <= last:
        return YES
    asked = f"{first}" if first == last else f"{first} to {last}"
    return _no(Rule.RANK, f"input {place} must have {asked} elements, and it has {count}")


def _equal_axes(node: Node, place: int, axis: int, other: int, other_axis: int) -> Answer:
    """Hold when an axis of an input is as long as one of another input."""
    one, two = (node.shape(node.input(p)) for p in (place, other))
    if one is None or two is None:
        return _open(f"the shapes of inputs {place} and {other}")
    if not (-len(one) <= axis < len(one) and -len(two) <= other_axis < len(two)):
        return _no(Rule.RANK, f"input {place} or {other} has too few axes")
    if not (_is_fixed(one[axis]) and _is_fixed(two[other_axis])):
        return _open(f"the lengths of axes of inputs {place} and {other}")
    if one[axis] == two[other_axis]:
        return YES
    words = f"axis {axis} of input {place} must be as long as "
    words += f"axis {other_axis} of input {other}"
    return _no(Rule.RANK, words)


def _equal_leading(node: Node, place: int, other: int, but: int) -> Answer:
    """Hold when two inputs have the same rank and axes, but for so many last ones."""
    one, two = (node.shape(node.input(p)) for p in (place, other))
    if one is None or two is None:
        return _open(f"the shapes of inputs {place} and {other}")
    if len(one) != len(two) or tuple(one[:-but]) != tuple(two[:-but]):
        return _no(Rule.RANK, f"inputs {place} and {other} must have the same leading axes")
    return YES


def _kernel_matches(node: Node, place: int) -> Answer:
    """Hold when kernel_shape is left out or what the weights' last axes say."""
    asked, shape = node.attribute_numbers("kernel_shape"), node.shape(node.input(place))
    if asked is None:
        return YES
    if shape is None or not all(map(_is_fixed, shape)):
        return _open(f"the shape of input {place}")
    if asked == [float(axis or 0) for axis in shape[2:]]:
        return YES
    return _no(Rule.ATTRIBUTE, "kernel_shape must be that of the weights")


def _constant(node: Node, *places: int) -> Answer:
    """Hold when these inputs are constants or left out."""
    for place in places:
        name = node.input(place)
        if name and not node.constant(name):
            return _no(Rule.CONSTANT, f"input {place} must be constant, and it is computed")
    return YES


def _constant_from(node: Node, first: int) -> Answer:
    """Hold when all inputs from one on are constants or left out."""
    return _constant(node, *range(first, len(node.layer.inputs)))


def _given(node: Node, *places: int) -> Answer:
    """Hold when these inputs are not left out."""
    for place in places:
        if not node.input(place):
            return _no(Rule.ATTRIBUTE, f"input {place} must be given")
    return YES


def _absent(node: Node, *places: int) -> Answer:
    """Hold when these inputs are left out."""
    for place in places:
        if node.input(place):
            return _no(Rule.ATTRIBUTE, f"input {place} must be left out, and it is given")
    return YES


def _absent_outputs(node: Node, *places: int) -> Answer:
    """Hold when these outputs are left out."""
    outputs = node.layer.outputs
    for place in places:
        if place < len(outputs) and outputs[place]:
            return _no(Rule.ATTRIBUTE, f"output {place} must not be asked for")
    return YES


def _input_count(node: Node, first: int, last: int) -> Answer:
    """Hold when the number of inputs lies in a range, both ends included."""
    return _counted(len(node.layer.inputs), "inputs", first, last)


def _output_count(node: Node, first: int, last: int) -> Answer:
    """Hold when the number of outputs lies in a range, both ends included."""
    return _counted(len(node.layer.outputs), "outputs", first, last)


def _counted(count: int, of_what: str, first: int, last: int) -> Answer:
    if first <= count <= last:
        return YES
    asked = f"{first}" if first == last else f"at least {first}" if count < first else f"{last}"
    asked = f"at most {last}" if count > last > first else asked
    return _no(Rule.ATTRIBUTE, f"it must have {asked} {of_what}, and it has {count}")


def _attribute(node: Node, name: str, default: Any, allowed: Sequence[Any]) -> Answer:
    """Hold when an attribute, or else its default, is one of these values."""
    text = node.attribute(name)
    given = str(default) if text is None else text
    if any(_same(given, value) for value in allowed):
        return YES
    asked = " or ".join(str(value) for value in allowed)
    shown = clip(given, _MOST_TEXT) or "left out"
    return _no(Rule.ATTRIBUTE, f"{name} must be {asked}, and it is {shown}")


def _same(text: str, value: Any) -> bool:
    if isinstance(value, str):
        return text == value
    try:
        return float(text) == float(value)
    except ValueError:
        return False


def _no_attribute(node: Node, *names: str) -> Answer:
    """Hold when none of these attributes is given."""
    for name in names:
        if node.attribute(name) is not None:
            return _no(Rule.ATTRIBUTE, f"{name} must be left out, and it is given")
    return YES


def _attribute_each(node: Node, name: str, value: float) -> Answer:
    """Hold when every number of an attribute has one value; without it, too."""
    text = node.attribute(name)
    numbers = node.attribute_numbers(name)
    if text is None or (numbers is not None and all(n == value for n in numbers)):
        return YES
    if numbers is None:
        return _open(f"the values of {name}")
    shown = clip(text, _MOST_TEXT)
    return _no(Rule.ATTRIBUTE, f"{name} must be {value} for each axis, and it is {shown}")


def _attribute_count(node: Node, name: str, count: int) -> Answer:
    """Hold when an attribute is left out or has so many numbers."""
    numbers = node.attribute_numbers(name)
    if numbers is None or len(numbers) == count:
        return YES
    return _no(Rule.ATTRIBUTE, f"{name} must have {count} numbers, and it has {len(numbers)}")


def _attribute_alike(node: Node, name: str) -> Answer:
    """Hold when all numbers of an attribute are one."""
    numbers = node.attribute_numbers(name)
    if numbers is None:
        return _open(f"what {name} stands for when it is left out")
    if len(set(numbers)) <= 1:
        return YES
    return _no(Rule.ATTRIBUTE, f"all values of {name} must be one number")


def _attribute_symmetric(node: Node, name: str) -> Answer:
    """Hold when the first half of an attribute's numbers is the second, or it is left out."""
    numbers = node.attribute_numbers(name) or []
    half = len(numbers) // 2
    if numbers[:half] == numbers[half:]:
        return YES
    return _no(Rule.ATTRIBUTE, f"{name} must be the same at the beginning and at the end")


def _attribute_words(node: Node, name: str, allowed: Sequence[str]) -> Answer:
    """Hold when an attribute is left out or its words are the first of these; case is free."""
    text = node.attribute(name)
    if text is None:
        return YES
    words = [word.strip().lower() for word in text.split(",")]
    if words == list(allowed[: len(words)]):
        return YES
    return _no(Rule.ATTRIBUTE, f"{name} must be {', '.join(allowed[: len(words)])}")


def _no_input_named(node: Node, name: str) -> Answer:
    """Hold when no input has a name."""
    if name in node.layer.inputs:
        return _no(Rule.ATTRIBUTE, f"an input must not have the name '{name}'")
    return YES


def _last_axis(node: Node, name: str, default: int) -> Answer:
    """Hold when an attribute means the last axis of input 0."""
    shape, numbers = node.shape(node.input(0)), node.attribute_numbers(name)
    axis = int(numbers[0]) if numbers else default
    if axis == -1 or (shape is not None and axis == len(shape) - 1):
        return YES
    if shape is None:
        return _open("the number of axes of input 0")
    return _no(Rule.ATTRIBUTE, f"{name} must be the last axis, and it is {axis}")


def _axis_from_end(node: Node, name: str, default: int, from_end: int) -> Answer:
    """Hold when an attribute means the axis so many places before the end."""
    shape, numbers = node.shape(node.input(0)), node.attribute_numbers(name)
    if shape is None:
        return _open("the number of axes of input 0")
    axis = int(numbers[0]) if numbers else default
    axis += len(shape) if axis < 0 else 0
    if axis == len(shape) - from_end:
        return YES
    asked = len(shape) - from_end
    return _no(Rule.ATTRIBUTE, f"{name} must be {asked} here, and it is {axis}")


def _values(node: Node, place: int, kind: str, value: float = 0) -> Answer:
    """Hold when every element of a constant input fits: "at least", "not" or "is" a value."""
    name = node.input(place)
    numbers = node.numbers(name) if name else ()
    if numbers is None:
        return _open(f"the values of input {place}")
    fits: dict[str, Callable[[float], bool]] = {
        "at least": lambda n: n >= value,
        "not": lambda n: n != value,
        "is": lambda n: n == value,
    }
    odd = [n for n in numbers if not fits[kind](n)]
    if not odd:
        return YES
    asked = {"at least": "at least", "not": "other than", "is": "exactly"}[kind]
    reason = f"the values of input {place} must be {asked} {value:g}, and one is {odd[0]:g}"
    return _no(Rule.CONSTANT, reason)


def _values_alike(node: Node, place: int) -> Answer:
    """Hold when all elements of a constant input are one number."""
    numbers = node.numbers(node.input(place))
    if numbers is None:
        return _open(f"the values of input {place}")
    if len(set(numbers)) <= 1:
        return YES
    return _no(Rule.CONSTANT, f"all values of input {place} must be equal")


def _clip_bounds(node: Node) -> tuple[float, float] | Answer:
    lowest, highest = float("-inf"), float("inf")
    if node.since < 11:
        low, high = (node.attribute_numbers(name) for name in ("min", "max"))
        return low[0] if low else lowest, high[0] if high else highest
    found = [lowest, highest]
    for place in (1, 2):
        name = node.input(place)
        numbers = node.numbers(name) if name else None
        if name and not numbers:
            return _open(f"the value of input {place}")
        if numbers:
            found[place - 1] = numbers[0]
    return found[0], found[1]


def _bounds_differ(node: Node) -> Answer:
    """Hold when the bounds of a Clip are not one number."""
    bounds = _clip_bounds(node)
    if isinstance(bounds, Answer):
        return bounds
    if bounds[0] != bounds[1]:
        return YES
    return _no(Rule.CONSTANT, "the lower bound must not be the upper one")


def _bounds_in(node: Node, allowed: Sequence[Sequence[float]]) -> Answer:
    """Hold when the bounds of a Clip are one of these pairs."""
    bounds = _clip_bounds(node)
    if isinstance(bounds, Answer):
        return bounds
    if list(bounds) in [list(pair) for pair in allowed]:
        return YES
    asked = " or ".join(f"{low:g} to {high:g}" for low, high in allowed)
    shown = f"{bounds[0]:g} to {bounds[1]:g}"
    return _no(Rule.CONSTANT, f"it must clip to {asked}, and it clips to {shown}")


def _slice_not_empty(node: Node) -> Answer:
    """Hold when every axis that a Slice cuts keeps an element; starts and ends are inputs."""
    shape = node.shape(node.input(0))
    starts, ends = node.numbers(node.input(1)), node.numbers(node.input(2))
    if shape is None or starts is None or ends is None:
        return _open("which elements the slice takes")
    axes = node.numbers(node.input(3)) if node.input(3) else range(len(starts))
    steps = node.numbers(node.input(4)) if node.input(4) else [1] * len(starts)
    if axes is None or steps is None:
        return _open("which elements the slice takes")
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=False):
        length = shape[int(axis)]
        if not isinstance(length, int):
            return _open("which elements the slice takes")
        if not len(range(length)[slice(int(start), int(end), int(step))]):
            return _no(Rule.CONSTANT, f"it must keep an element of axis {int(axis)}")
    return YES


def _split_fits(node: Node, fewest: int, equal: bool = False) -> Answer:
    """Hold when a Split gives so many parts that fill the axis; equal: all of one length."""
    shape = node.shape(node.input(0))
    axis = int((node.attribute_numbers("axis") or [0])[0])
    if shape is None or not -len(shape) <= axis < len(shape):
        return _open("the length of the axis that is split")
    length, outputs = shape[axis], len(node.layer.outputs)
    parts: Numbers | None = node.attribute_numbers("split")
    if node.input(1):
        parts = node.numbers(node.input(1))
        if parts is None:
            return _open("the values of input 1")
    if parts is None and node.since >= 18 and node.attribute("num_outputs") is None:
        return _no(Rule.ATTRIBUTE, "num_outputs or the lengths of the parts must be given")
    count = len(parts) if parts is not None else outputs
    if count < fewest:
        return _no(Rule.ATTRIBUTE, f"it must give at least {fewest} parts, not {count}")
    if not isinstance(length, int):
        if parts is None and node.since >= 18 and not equal:
            return _open("the length of the axis that is split")
        return _no(Rule.DYNAMIC_SHAPE, "the axis that is split must be fixed, and it is free")
    if parts is not None:
        if sum(parts) != length or any(part <= 0 for part in parts):
            return _no(Rule.CONSTANT, "the parts must fill the axis, each with an element")
        if equal and len(set(parts)) > 1:
            return _no(Rule.CONSTANT, "the parts must be equally long")
        return YES
    uneven = length % outputs != 0 and (equal or node.since < 18)
    if uneven or outputs > length:
        return _no(Rule.CONSTANT, f"{length} elements must be split into {outputs} equal parts")
    return YES


def _resize_factors(node: Node) -> tuple[list[float], list[int]] | Answer:
    """Return how much each axis of a Resize grows, and the lengths of the input's axes."""
    shape = node.shape(node.input(0))
    if shape is None or not all(map(_is_fixed, shape[-2:])):
        return _open("the lengths of the axes that are resized")
    if node.attribute("axes") is not None:
        return _open("which axes are resized")
    place = 3 if node.input(3) else 1 if node.since < 11 else 2
    numbers = node.numbers(node.input(place))
    if numbers is None or len(numbers) != len(shape):
        return _open(f"the values of input {place}")
    lengths = [axis if isinstance(axis, int) else 0 for axis in shape]
    if place == 3:
        pairs = zip(numbers, lengths, strict=True)
        return [new / length if length else 1 for new, length in pairs], lengths
    return list(numbers), lengths


def _resize_only_last(node: Node, count: int) -> Answer:
    """Hold when a Resize changes only so many last axes."""
    found = _resize_factors(node)
    if isinstance(found, Answer):
        return found
    if all(factor == 1 for factor in found[0][:-count]):
        return YES
    return _no(Rule.CONSTANT, f"it may resize only the last {count} axes")


def _resize_whole(node: Node, downsampling: str) -> Answer:
    """Hold when a Resize grows its last two axes by whole numbers.

    downsampling: "no", or "divisors" to let both shrink by a divisor of their length.
    """
    found = _resize_factors(node)
    if isinstance(found, Answer):
        return found
    factors, lengths = found[0][-2:], found[1][-2:]
    if all(factor >= 1 for factor in factors):
        if all(round(factor) == factor for factor in factors):
            return YES
        return _no(Rule.CONSTANT, "it must grow by a whole number of times")
    if downsampling == "divisors" and all(factor <= 1 for factor in factors):
        return _divides(factors, lengths)
    return _no(Rule.CONSTANT, "it must not shrink")


def _resize_divides(node: Node) -> Answer:
    """Hold when a Resize shrinks its last two axes, if at all, by divisors of their length."""
    found = _resize_factors(node)
    if isinstance(found, Answer):
        return found
    factors, lengths = found[0][-2:], found[1][-2:]
    return YES if all(f >= 1 for f in factors) else _divides(factors, lengths)


def _divides(factors: Sequence[float], lengths: Sequence[int]) -> Answer:
    inverse = [1 / factor if factor > 0 else 0 for factor in factors]
    pairs = list(zip(inverse, lengths, strict=True))
    if all(times and round(times) == times and length % times == 0 for times, length in pairs):
        return YES
    return _no(Rule.CONSTANT, "it must shrink by a divisor of the length of the axis")


def _resize_keeps_channels(node: Node) -> Answer:
    """Hold when a Resize leaves axis 1 as it is."""
    found = _resize_factors(node)
    if isinstance(found, Answer):
        return found
    if len(found[0]) > 1 and found[0][1] == 1:
        return YES
    return _no(Rule.CONSTANT, "it must not resize axis 1")


def _pads(node: Node) -> tuple[list[float], list[int]] | Answer:
    """Return the two pads of each axis of a Pad one after another, and the axes' lengths."""
    shape, pads = node.shape(node.input(0)), node.numbers(node.input(1))
    if shape is None or pads is None:
        return _open("how much each axis is padded")
    rank = len(shape)
    axes: Numbers | None = range(rank)
    if node.input(3):
        axes = node.numbers(node.input(3))
    if axes is None or len(pads) != 2 * len(axes):
        return _open("which axes are padded")
    sides = [0.0] * (2 * rank)
    for place, axis in enumerate(axes):
        at = int(axis) % rank
        sides[2 * at], sides[2 * at + 1] = pads[place], pads[place + len(axes)]
    return sides, [axis if isinstance(axis, int) else -1 for axis in shape]


def _pads_only_last(node: Node, count: int) -> Answer:
    """Hold when a Pad adds only to so many last axes."""
    found = _pads(node)
    if isinstance(found, Answer):
        return found
    if not any(found[0][: -2 * count]):
        return YES
    return _no(Rule.CONSTANT, f"it may pad only the last {count} axes")


def _pads_shorter(node: Node) -> Answer:
    """Hold when a Pad adds less to each side of an axis than its length."""
    found = _pads(node)
    if isinstance(found, Answer):
        return found
    sides, lengths = found
    for axis, length in enumerate(lengths):
        most = max(sides[2 * axis : 2 * axis + 2])
        if length < 0 and most:
            return _open(f"the length of axis {axis}")
        if most >= length >= 0 and most:
            return _no(Rule.CONSTANT, f"it must pad axis {axis} by less than its length")
    return YES


def _output_rank(node: Node, first: int, last: int) -> Answer:
    """Hold when the first output has a number of axes from first to last."""
    return _rank_of(node, node.layer.outputs[0], "the output", range(first, last + 1))


def _follows(node: Node, place: int, operator: str) -> Answer:
    """Hold when an operator computes an input."""
    if node.produced_by(node.input(place)) == operator:
        return YES
    return _no(Rule.OPERATOR, f"it must follow {operator}")


def _not_shared_with_cast(node: Node, dtype: str) -> Answer:
    """Hold unless several layers read the output and one of them casts it to a type."""
    readers = node.read_by(node.layer.outputs[0])
    casts = [
        any(a.name == "to" and a.text == dtype for a in reader.attributes)
        for reader in readers
        if reader.operator == "Cast"
    ]
    if len(readers) > 1 and any(casts):
        return _no(Rule.OPERATOR, f"a Cast to {dtype} must be all that reads its output")
    return YES


def _together(answers: Iterable[Answer]) -> Answer:
    """Return the first answer that fails, or else the first open one, or else yes."""
    listed = list(answers)
    failed = next((a for a in listed if a.holds is False), None)
    return failed or next((a for a in listed if a.holds is None), YES)


def _span(allowed: Sequence[int]) -> str:
    if isinstance(allowed, range):
        low, high = allowed.start, allowed.stop - 1
        return f"at most {high}" if low == 0 else f"{low} to {high}"
    return " or ".join(map(str, allowed))


def _listed(places: Sequence[int]) -> str:
    return " and ".join(map(str, places))


CHECKS: Mapping[str, Callable[..., Answer]] = {
    "all": _all,
    "any": _any,
    "if": _if,
    "not": _not,
    "say": _say,
    "at": _at,
    "unchecked": _unchecked,
    "refused": _refused,
    "option": _option,
    "opset": _opset,
    "operator": _operator,
    "type": _type,
    "output type": _output_type,
    "types": _types,
    "same type": _same_type,
    "rank": _rank,
    "ranks": _ranks,
    "known": _known,
    "output known": _output_known,
    "fixed": _fixed,
    "fixed axes": _fixed_axes,
    "fixed outputs": _fixed_outputs,
    "no empty axis": _no_empty_axis,
    "no scalar": _no_scalar,
    "longest": _longest,
    "length": _length,
    "elements": _elements,
    "equal axes": _equal_axes,
    "equal leading axes": _equal_leading,
    "kernel matches": _kernel_matches,
    "constant": _constant,
    "constant from": _constant_from,
    "given": _given,
    "absent": _absent,
    "absent outputs": _absent_outputs,
    "input count": _input_count,
    "output count": _output_count,
    "attribute": _attribute,
    "no attribute": _no_attribute,
    "attribute each": _attribute_each,
    "attribute count": _attribute_count,
    "attribute alike": _attribute_alike,
    "attribute symmetric": _attribute_symmetric,
    "attribute words": _attribute_words,
    "no input named": _no_input_named,
    "last axis": _last_axis,
    "axis from end": _axis_from_end,
    "values": _values,
    "values alike": _values_alike,
    "bounds differ": _bounds_differ,
    "bounds in": _bounds_in,
    "slice not empty": _slice_not_empty,
    "split fits": _split_fits,
    "resize only last": _resize_only_last,
    "resize whole": _resize_whole,
    "resize divides": _resize_divides,
    "resize keeps channels": _resize_keeps_channels,
    "pads only last": _pads_only_last,
    "pads shorter than axes": _pads_shorter,
    "output rank": _output_rank,
    "follows": _follows,
    "not shared with cast": _not_shared_with_cast,
}
