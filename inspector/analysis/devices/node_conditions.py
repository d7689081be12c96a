"""Evaluate the conditions of a support table for one node of a model.

A condition is a list: the name of a check, then its arguments, as the data files write them:

    ["rank", 0, [3, 4]]      ["any", ["constant", 1], ["attribute", "transB", 0, [1]]]

A check answers True (it holds), False (it does not) or None (the model does not tell). `any`,
`all`, `not` and `if` combine answers with the three-valued logic of Kleene, so that nothing is
promised that was not checked. The public functions of this module and of `constant_conditions`
are the whole vocabulary; `CHECKS` has them by name.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from inspect import isfunction
from math import prod
from typing import Any

from msgspec.structs import replace

from inspector.analysis.devices import constant_conditions
from inspector.analysis.devices.node_view import (
    HOLDS,
    Answer,
    Node,
    combine,
    fails,
    is_fixed,
    undecided,
)
from inspector.units import clip
from inspector.wording.support_marks import Rule
from inspector.wording.values import Count, Name, Sentence

_MOST_TEXT = 60  # characters of a value in a sentence


def evaluate(node: Node, condition: Sequence[Any]) -> Answer:
    """Return whether a condition holds for a node."""
    name, *arguments = condition
    return CHECKS[name](node, *arguments)


def all_(node: Node, *conditions: Sequence[Any]) -> Answer:
    """Check that every condition does."""
    return combine([evaluate(node, condition) for condition in conditions])


def any_(node: Node, *conditions: Sequence[Any]) -> Answer:
    """Check that one condition does; the last one that fails says why."""
    answers = [evaluate(node, condition) for condition in conditions]
    if any(a.holds for a in answers):
        return HOLDS
    return next((a for a in answers if a.holds is None), answers[-1])


def if_(node: Node, condition: Sequence[Any], *then: Sequence[Any]) -> Answer:
    """Check that the conditions after the first hold wherever the first does."""
    required = evaluate(node, condition)
    if required.holds is False:
        return HOLDS
    answer = all_(node, *then)
    if required.holds or answer.holds is not False:
        return answer
    return required


def not_(node: Node, condition: Sequence[Any], reason: str = "") -> Answer:
    """Check that the condition does not."""
    answer = evaluate(node, condition)
    if answer.holds is None:
        return answer
    return fails(Rule.ATTRIBUTE, reason) if answer.holds else HOLDS


def at(node: Node, file: str, *conditions: Sequence[Any]) -> Answer:
    """Check that all conditions hold, and name the source file that states them."""
    return replace(all_(node, *conditions), file=file)


def say(node: Node, rule: str, reason: str, condition: Sequence[Any]) -> Answer:
    """Check one condition; if it fails, give the rule and the sentence of the table."""
    answer = evaluate(node, condition)
    return fails(Rule(rule), reason) if answer.holds is False else answer


def unchecked(_node: Node, reason: str) -> Answer:
    """Leave the condition unchecked."""
    return undecided(reason)


def refused(_node: Node, rule: str, reason: str) -> Answer:
    """Refuse every node."""
    return fails(Rule(rule), reason)


def option(node: Node, name: str) -> Answer:
    """Check that the device's options have a name."""
    return HOLDS if name in node.options else fails(Rule.OPERATOR, f"the layer requires {name}")


def opset(node: Node, first: int, last: int) -> Answer:
    """Check that the operator's version lies in a range, both ends included."""
    if first <= node.since <= last:
        return HOLDS
    first_or_last = Count(first if node.since < first else last)
    template = "{version} or later" if node.since < first else "{version} or earlier"
    required = Sentence(template, first_or_last)
    name = node.layer.operator
    return fails(
        Rule.OPSET,
        Sentence(
            "{operator} must be of version {required}, but it is of version {given}",
            operator=Name(name), required=required, given=Count(node.since),
        ),
    )  # fmt: skip


def operator(node: Node, *names: str) -> Answer:
    """Hold for operators of these names."""
    if node.layer.operator in names:
        return HOLDS
    return fails(Rule.OPERATOR, f"the operator must be {' or '.join(names)}")


def type_(node: Node, place: int, allowed: str) -> Answer:
    """Check that an input is left out or has one of these types."""
    return _type_of(node, node.input(place), f"input {place}", allowed)


def output_type(node: Node, place: int, allowed: str) -> Answer:
    """Check that an output is left out or has one of these types."""
    return _type_of(node, node.output(place), f"output {place}", allowed)


def types(node: Node, computed: str, constant: str = "") -> Answer:
    """Check that inputs and outputs have one of these types; constants one of others."""
    answers = []
    for name, called in node.inputs():
        allowed = constant if constant and node.constant(name) else computed
        answers.append(_type_of(node, name, called, allowed))
    answers += [_type_of(node, name, called, computed) for name, called in node.outputs()]
    return combine(answers)


def computed_types(node: Node, inputs: str, outputs: str) -> Answer:
    """Check that inputs other than constants, and outputs, have one of these types."""
    answers = [
        _type_of(node, name, called, inputs)
        for name, called in node.inputs()
        if not node.constant(name)
    ]
    answers += [_type_of(node, name, called, outputs) for name, called in node.outputs()]
    return combine(answers)


def _type_of(node: Node, name: str, called: str, allowed: str) -> Answer:
    if not name:
        return HOLDS
    dtype = node.dtype(name)
    if not dtype:
        return undecided(f"the type of {called}")
    if dtype in allowed.split():
        return HOLDS
    allowed_types = " or ".join(allowed.split())
    return fails(Rule.TYPE, f"{called} must be {allowed_types}, but it is {dtype}")


def same_type(node: Node, *places: int) -> Answer:
    """Check that these inputs have one type."""
    names = [node.input(place) for place in places]
    kinds = [node.dtype(name) for name in names if name]
    if "" in kinds:
        return undecided(f"the types of inputs {_listed(places)}")
    if len(set(kinds)) <= 1:
        return HOLDS
    type_names = " and ".join(dict.fromkeys(kinds))
    return fails(
        Rule.TYPE,
        f"inputs {_listed(places)} must have the same type, but they are {type_names}",
    )


def rank(node: Node, place: int, allowed: Sequence[int]) -> Answer:
    """Check that an input is left out or has one of these numbers of axes."""
    return _rank_of(node, node.input(place), f"input {place}", allowed)


def ranks(node: Node, most: int) -> Answer:
    """Check that no input has more axes."""
    required = range(most + 1)
    return combine(_rank_of(node, name, called, required) for name, called in node.inputs())


def output_ranks(node: Node, most: int) -> Answer:
    """Check that no output has more axes."""
    required = range(most + 1)
    return combine(_rank_of(node, name, called, required) for name, called in node.outputs())


def _rank_of(node: Node, name: str, called: str, allowed: Sequence[int]) -> Answer:
    if not name:
        return HOLDS
    shape = node.shape(name)
    if shape is None:
        return undecided(f"the number of axes of {called}")
    if len(shape) in allowed:
        return HOLDS
    span = _span(allowed)
    return fails(Rule.RANK, f"{called} must have {span} axes, but it has {len(shape)}")


def known(node: Node, place: int) -> Answer:
    """Check that the rank of an input is known."""
    return rank(node, place, range(1 << 16))


def output_known(node: Node) -> Answer:
    """Check that the rank of the first output is known."""
    return _rank_of(node, node.output(0), "the output", range(1 << 16))


def fixed(node: Node, *places: int) -> Answer:
    """Check that these inputs, or without places all inputs, have no dynamic axis."""
    required = [(node.input(place), f"input {place}") for place in places] or node.inputs()
    return combine(_fixed_of(node, name, called, None) for name, called in required)


def fixed_axes(node: Node, place: int, axes: Sequence[int]) -> Answer:
    """Check that these axes of an input are not dynamic."""
    return _fixed_of(node, node.input(place), f"input {place}", axes)


def fixed_outputs(node: Node) -> Answer:
    """Check that no output has a dynamic axis."""
    return combine(_fixed_of(node, name, called, None) for name, called in node.outputs())


def _fixed_of(node: Node, name: str, called: str, axes: Sequence[int] | None) -> Answer:
    shape = node.shape(name) if name else ()
    if shape is None:
        return undecided(f"the shape of {called}")
    places = range(len(shape)) if axes is None else axes
    free = [p for p in places if -len(shape) <= p < len(shape) and not is_fixed(shape[p])]
    if not free:
        return HOLDS
    return fails(Rule.DYNAMIC_SHAPE, Sentence("{called} must have a fixed shape", called))


def fixed_leading_axes(node: Node, place: int, other: int) -> Answer:
    """Check that as many leading axes of an input are fixed as another's last axis is long."""
    shape = node.shape(node.input(other))
    if not shape or not is_fixed(shape[-1]):
        return undecided(f"how many axes of input {place} are indexed")
    return _fixed_of(node, node.input(place), f"input {place}", range(int(shape[-1] or 0)))


def no_empty_axis(node: Node, kinds: str = "inputs") -> Answer:
    """Check that no axis has length 0: of "inputs", or of "values" other than constants."""
    required = node.inputs()
    if kinds == "values":
        required = [pair for pair in (*required, *node.outputs()) if not node.constant(pair[0])]
    for name, called in required:
        if 0 in (node.shape(name) or ()):
            return fails(Rule.RANK, f"{called} must not have an axis of size 0")
    return HOLDS


def no_scalar(node: Node) -> Answer:
    """Check that neither an output nor an input but a constant is a scalar."""
    answer = HOLDS
    for name, called in (*node.inputs(), *node.outputs()):
        shape = node.shape(name)
        if not node.constant(name) and shape is None:
            answer = undecided(f"the number of axes of {called}")
        elif not node.constant(name) and not shape:
            return fails(Rule.RANK, f"{called} must not be a scalar")
    return answer


def longest(node: Node, most: int, *places: int) -> Answer:
    """Check that no axis of these inputs and of the first output is longer."""
    for name in (*(node.input(place) for place in places), node.output(0)):
        axes = [axis for axis in (node.shape(name) or ()) if isinstance(axis, int)]
        if axes and max(axes) > most:
            reason = f"the size of an axis must be at most {most:,}, but one is {max(axes):,}"
            return fails(Rule.RANK, reason)
    return HOLDS


def length(node: Node, place: int, axis: int, allowed: Sequence[int]) -> Answer:
    """Check that one axis of an input has one of these lengths; -1 counts from the end."""
    shape = node.shape(node.input(place))
    if shape is None or not -len(shape) <= axis < len(shape) or not is_fixed(shape[axis]):
        return undecided(f"the size of axis {axis} of input {place}")
    if shape[axis] in allowed:
        return HOLDS
    called = f"axis {axis} of input {place}"
    return fails(Rule.RANK, f"{called} must have size {_span(allowed)}, not {shape[axis]}")


def elements(node: Node, place: int, first: int, last: int) -> Answer:
    """Check that an input has a number of elements from first to last."""
    shape = node.shape(node.input(place))
    if shape is None or not all(map(is_fixed, shape)):
        return undecided(f"the number of elements of input {place}")
    count = prod(axis for axis in shape if isinstance(axis, int))
    if first <= count <= last:
        return HOLDS
    required = f"{first}" if first == last else f"{first} to {last}"
    return fails(Rule.RANK, f"input {place} must have {required} elements, but it has {count}")


def output_longer(node: Node, axes: Sequence[int], than: int) -> Answer:
    """Check that these axes of the first output are fixed and longer."""
    name = node.output(0)
    shape = node.shape(name)
    if shape is None:
        return undecided("the shape of the output")
    answer = _fixed_of(node, name, "the output", axes)
    lengths = [shape[axis] for axis in axes if -len(shape) <= axis < len(shape)]
    short = [axis for axis in lengths if isinstance(axis, int) and axis <= than]
    if answer.holds and short:
        reason = f"the resized axes of the output must be longer than {than}"
        return fails(Rule.RANK, reason)
    return answer


def shape_not_empty(node: Node) -> Answer:
    """Check that the attributes start and end of a Shape leave an axis."""
    shape = node.shape(node.input(0))
    if shape is None:
        return undecided("the number of axes of input 0")
    start, end = (node.attribute_numbers(name) for name in ("start", "end"))
    bounds = (start or [0])[0], (end or [len(shape)])[0]
    first, last = (axis + len(shape) if axis < 0 else axis for axis in bounds)
    if first != last:
        return HOLDS
    return fails(Rule.ATTRIBUTE, "start and end must leave at least one axis")


def equal_axes(node: Node, place: int, axis: int, other: int, other_axis: int) -> Answer:
    """Check that an axis of an input is as long as one of another input."""
    one, two = (node.shape(node.input(p)) for p in (place, other))
    if one is None or two is None:
        return undecided(f"the shapes of inputs {place} and {other}")
    if not (-len(one) <= axis < len(one) and -len(two) <= other_axis < len(two)):
        return fails(Rule.RANK, f"input {place} or {other} has too few axes")
    if not (is_fixed(one[axis]) and is_fixed(two[other_axis])):
        return undecided(f"the sizes of axes of inputs {place} and {other}")
    if one[axis] == two[other_axis]:
        return HOLDS
    requirement = f"axis {axis} of input {place} must have the same size as "
    requirement += f"axis {other_axis} of input {other}"
    return fails(Rule.RANK, requirement)


def equal_leading_axes(node: Node, place: int, other: int, but: int) -> Answer:
    """Check that two inputs agree in rank and in all axes but the last `count`."""
    one, two = (node.shape(node.input(p)) for p in (place, other))
    if one is None or two is None:
        return undecided(f"the shapes of inputs {place} and {other}")
    if len(one) != len(two) or tuple(one[:-but]) != tuple(two[:-but]):
        return fails(Rule.RANK, f"inputs {place} and {other} must have the same leading axes")
    return HOLDS


def same_rank(node: Node, place: int, other: int) -> Answer:
    """Check that two inputs have the same number of axes."""
    one, two = (node.shape(node.input(p)) for p in (place, other))
    if one is None or two is None:
        return undecided(f"the number of axes of inputs {place} and {other}")
    if len(one) == len(two):
        return HOLDS
    reason = f"inputs {place} and {other} must have the same number of axes"
    return fails(Rule.RANK, reason)


def kernel_matches(node: Node, place: int) -> Answer:
    """Check that kernel_shape is left out or what the weights' last axes say."""
    required, shape = node.attribute_numbers("kernel_shape"), node.shape(node.input(place))
    if required is None:
        return HOLDS
    if shape is None or not all(map(is_fixed, shape)):
        return undecided(f"the shape of input {place}")
    if required == [float(axis or 0) for axis in shape[2:]]:
        return HOLDS
    return fails(Rule.ATTRIBUTE, "kernel_shape must match the shape of the weights")


def constant(node: Node, *places: int) -> Answer:
    """Check that these inputs are constants or left out."""
    for place in places:
        name = node.input(place)
        if name and not node.constant(name):
            return fails(Rule.CONSTANT, f"input {place} must be constant, but it is computed")
    return HOLDS


def constant_from(node: Node, first: int) -> Answer:
    """Check that all inputs from one on are constants or left out."""
    return constant(node, *range(first, len(node.layer.inputs)))


def computable(node: Node, *places: int) -> Answer:
    """Check that only weights and shapes decide these inputs, not what the model reads."""
    for place in places:
        if not _is_computable(node, node.input(place)):
            return fails(Rule.CONSTANT, f"input {place} must not depend on an input's values")
    return HOLDS


def computable_from(node: Node, first: int) -> Answer:
    """Check that only weights and shapes decide all inputs from one on."""
    return computable(node, *range(first, len(node.layer.inputs)))


def _is_computable(node: Node, name: str) -> bool:
    waiting, visited = [name], {name}
    while waiting:
        name = waiting.pop()
        if node.constant(name):
            continue
        maker = node.maker(name)
        if maker is None:
            return False
        if maker.operator != "Shape":
            waiting += [each for each in maker.inputs if each not in visited]
            visited.update(maker.inputs)
    return True


def given(node: Node, *places: int) -> Answer:
    """Check that these inputs are present."""
    for place in places:
        if not node.input(place):
            return fails(Rule.ATTRIBUTE, f"input {place} is required")
    return HOLDS


def absent(node: Node, *places: int) -> Answer:
    """Check that these inputs are left out."""
    for place in places:
        if node.input(place):
            return fails(Rule.ATTRIBUTE, f"input {place} must be omitted")
    return HOLDS


def absent_outputs(node: Node, *places: int) -> Answer:
    """Check that these outputs are left out."""
    for place in places:
        if node.output(place):
            return fails(Rule.ATTRIBUTE, f"output {place} must be omitted")
    return HOLDS


def input_count(node: Node, first: int, last: int) -> Answer:
    """Check that the number of inputs lies in a range, both ends included."""
    return _counted(len(node.layer.inputs), "inputs", first, last)


def computed_count(node: Node, first: int, last: int) -> Answer:
    """Check that the number of given inputs that are no constants lies in a range."""
    count = sum(not node.constant(name) for name, _ in node.inputs())
    return _counted(count, "computed inputs", first, last)


def constant_count(node: Node, first: int, last: int) -> Answer:
    """Check that the number of constant inputs lies in a range, both ends included."""
    count = sum(node.constant(name) for name, _ in node.inputs())
    return _counted(count, "constant inputs", first, last)


def output_count(node: Node, first: int, last: int) -> Answer:
    """Check that the number of outputs lies in a range, both ends included."""
    return _counted(len(node.layer.outputs), "outputs", first, last)


def _counted(count: int, of_what: str, first: int, last: int) -> Answer:
    if first <= count <= last:
        return HOLDS
    required = (
        f"{first}" if first == last else f"at least {first}" if count < first else f"{last}"
    )
    required = f"at most {last}" if count > last > first else required
    return fails(
        Rule.ATTRIBUTE, f"the layer must have {required} {of_what}, but it has {count}"
    )


def attribute(node: Node, name: str, default: Any, allowed: Sequence[Any]) -> Answer:
    """Check that an attribute, or else its default, is one of these values."""
    text = node.attribute(name)
    actual = str(default) if text is None else text
    if any(_same(actual, value) for value in allowed):
        return HOLDS
    required = " or ".join(str(value) for value in allowed)
    actual_text = clip(actual, _MOST_TEXT) or "omitted"
    return fails(Rule.ATTRIBUTE, f"{name} must be {required}, but it is {actual_text}")


def _same(text: str, value: Any) -> bool:
    if isinstance(value, str):
        return text == value
    try:
        return float(text) == float(value)
    except ValueError:
        return False


def no_attribute(node: Node, *names: str) -> Answer:
    """Check that none of these attributes is given."""
    for name in names:
        if node.attribute(name) is not None:
            return fails(Rule.ATTRIBUTE, f"{name} must be omitted")
    return HOLDS


def attribute_each(node: Node, name: str, value: float) -> Answer:
    """Check that every number of an attribute has one value, or that it is absent."""
    text = node.attribute(name)
    numbers = node.attribute_numbers(name)
    if text is None or (numbers is not None and all(n == value for n in numbers)):
        return HOLDS
    if numbers is None:
        return undecided(f"the values of {name}")
    actual_text = clip(text, _MOST_TEXT)
    return fails(
        Rule.ATTRIBUTE, f"{name} must be {value} for each axis, but it is {actual_text}"
    )


def attribute_count(node: Node, name: str, count: int) -> Answer:
    """Check that an attribute is left out or has so many numbers."""
    numbers = node.attribute_numbers(name)
    if numbers is None or len(numbers) == count:
        return HOLDS
    return fails(Rule.ATTRIBUTE, f"{name} must have {count} values, but it has {len(numbers)}")


def attribute_at_least(node: Node, name: str, least: float) -> Answer:
    """Check that no number of an attribute is less, or that it is absent."""
    if node.attribute(name) is None:
        return HOLDS
    numbers = node.attribute_numbers(name)
    if numbers is None:
        return undecided(f"the values of {name}")
    if min(numbers, default=least) >= least:
        return HOLDS
    reason = f"the values of {name} must be at least {least:g}, but one is {min(numbers):g}"
    return fails(Rule.ATTRIBUTE, reason)


def attribute_divisible(node: Node, name: str, by: str) -> Answer:
    """Check that an attribute is a multiple of another one."""
    one, two = node.attribute_numbers(name), node.attribute_numbers(by)
    if not one or not two or not two[0]:
        return undecided(f"whether {name} is a multiple of {by}")
    if one[0] % two[0] == 0:
        return HOLDS
    reason = f"{name} must be a multiple of {by}, but it is {one[0]:g} and {by} is {two[0]:g}"
    return fails(Rule.ATTRIBUTE, reason)


def attribute_lacks(node: Node, name: str, text: str) -> Answer:
    """Check that an attribute does not contain a text."""
    if text not in (node.attribute(name) or ""):
        return HOLDS
    return fails(Rule.ATTRIBUTE, f"{name} must not contain '{text}'")


def attribute_order(node: Node, first: str, last: str) -> Answer:
    """Check that no number of an attribute is above the one at its place in another."""
    if node.attribute(first) is None or node.attribute(last) is None:
        return HOLDS
    one, two = node.attribute_numbers(first), node.attribute_numbers(last)
    if one is None or two is None:
        return undecided(f"the values of {first} and {last}")
    if all(low <= high for low, high in zip(one, two, strict=False)):
        return HOLDS
    return fails(Rule.ATTRIBUTE, f"no value of {first} may be greater than that of {last}")


def attribute_alike(node: Node, name: str) -> Answer:
    """Check that all numbers of an attribute are equal."""
    numbers = node.attribute_numbers(name)
    if numbers is None:
        return undecided(f"the default of {name}")
    if len(set(numbers)) <= 1:
        return HOLDS
    return fails(Rule.ATTRIBUTE, f"all values of {name} must be equal")


def attribute_symmetric(node: Node, name: str) -> Answer:
    """Check that both halves of an attribute's numbers are equal, or that it is absent."""
    numbers = node.attribute_numbers(name) or []
    half = len(numbers) // 2
    if numbers[:half] == numbers[half:]:
        return HOLDS
    return fails(Rule.ATTRIBUTE, f"{name} must be equal at the start and the end of each axis")


def attribute_words(node: Node, name: str, allowed: Sequence[str]) -> Answer:
    """Check that an attribute is absent or starts with these names, ignoring case."""
    text = node.attribute(name)
    if text is None:
        return HOLDS
    values = [word.strip().lower() for word in text.split(",")]
    if values == list(allowed[: len(values)]):
        return HOLDS
    return fails(Rule.ATTRIBUTE, f"{name} must be {', '.join(allowed[: len(values)])}")


def attribute_members(node: Node, name: str, allowed: Sequence[str]) -> Answer:
    """Check that an attribute is absent or lists nothing but these names."""
    text = node.attribute(name)
    listed = [] if text is None else [word.strip() for word in text.split(",")]
    odd = next((word for word in listed if word not in allowed), None)
    if odd is None:
        return HOLDS
    required = " or ".join(allowed)
    return fails(Rule.ATTRIBUTE, f"each of {name} must be {required}, but one is {odd}")


def no_input_named(node: Node, name: str) -> Answer:
    """Check that no input has a name."""
    if name in node.layer.inputs:
        return fails(Rule.ATTRIBUTE, f"no input may be named '{name}'")
    return HOLDS


def last_axis(node: Node, name: str, default: int) -> Answer:
    """Check that an attribute means the last axis of input 0."""
    shape, numbers = node.shape(node.input(0)), node.attribute_numbers(name)
    axis = int(numbers[0]) if numbers else default
    if axis == -1 or (shape is not None and axis == len(shape) - 1):
        return HOLDS
    if shape is None:
        return undecided("the number of axes of input 0")
    return fails(Rule.ATTRIBUTE, f"{name} must be the last axis, but it is {axis}")


def axis_from_end(node: Node, name: str, default: int, from_end: int) -> Answer:
    """Check that an attribute means the axis so many places before the end."""
    shape, numbers = node.shape(node.input(0)), node.attribute_numbers(name)
    if shape is None:
        return undecided("the number of axes of input 0")
    axis = int(numbers[0]) if numbers else default
    axis += len(shape) if axis < 0 else 0
    if axis == len(shape) - from_end:
        return HOLDS
    required = len(shape) - from_end
    return fails(Rule.ATTRIBUTE, f"{name} must be {required} here, but it is {axis}")


def output_rank(node: Node, first: int, last: int) -> Answer:
    """Check that the first output has a number of axes from first to last."""
    return _rank_of(node, node.output(0), "the output", range(first, last + 1))


def follows(node: Node, place: int, operator: str) -> Answer:
    """Check that an operator computes an input; "" for one that no layer computes."""
    maker = node.maker(node.input(place))
    if ("" if maker is None else maker.operator) == operator:
        return HOLDS
    return fails(Rule.OPERATOR, Sentence("the layer must follow {operator}", operator))


def not_shared_with_cast(node: Node, dtype: str) -> Answer:
    """Check that no Cast to a type shares the output with other readers."""
    readers = node.read_by(node.output(0))
    casts = [
        any(a.name == "to" and a.text == dtype for a in reader.attributes)
        for reader in readers
        if reader.operator == "Cast"
    ]
    if len(readers) > 1 and any(casts):
        return fails(
            Rule.OPERATOR, f"if a Cast to {dtype} reads its output, no other layer may read it"
        )
    return HOLDS


def _span(allowed: Sequence[int]) -> str:
    if isinstance(allowed, range):
        low, high = allowed.start, allowed.stop - 1
        return f"at most {high}" if low == 0 else Sentence("{low} to {high}", low, high)
    low, high = min(allowed, default=0), max(allowed, default=0)
    if high - low > 1 and sorted(allowed) == [*range(low, high + 1)]:
        return Sentence("{low} to {high}", low, high)
    return " or ".join(map(str, allowed))


def _listed(places: Sequence[int]) -> str:
    return " and ".join(map(str, places))


# The vocabulary: what each function above checks, by its name with spaces.
CHECKS: Mapping[str, Callable[..., Answer]] = {
    name.rstrip("_").replace("_", " "): function
    for module in (sys.modules[__name__], constant_conditions)
    for name, function in vars(module).items()
    if isfunction(function) and function.__module__ == module.__name__
    if not name.startswith("_") and function is not evaluate
}
