"""A node of a model as the conditions of support tables see it, and what they answer."""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite

from msgspec import Struct

from inspector.model.model import Axis, Layer
from inspector.wording.support_marks import Rule

_CLIPPED = "…"  # the readers cut long lists of an attribute

Numbers = Sequence[float]


class Answer(Struct, frozen=True):
    """The result of a condition; where it does not hold, the rule and the reason as text.

    holds: None when the model does not tell. file: of the source, where it is not the rule's.
    """

    holds: bool | None
    rule: Rule = Rule.NONE
    reason: str = ""
    file: str = ""


HOLDS = Answer(True)


class Node(Struct, frozen=True):
    """A layer as conditions see it, with what is known of its tensors.

    since: version of the operator's definition. options: of the provider, as the table's
    device sets them ("MLProgram"). dtype: "" when unknown. shape: None when the rank is
    unknown. constant: whether the value is fixed when the session starts. numbers: the
    elements of a small constant in their order, None for others. maker: layer that
    computes a value, None for inputs and weights. read_by: layers that read it.
    """

    layer: Layer
    since: int
    options: frozenset[str]
    dtype: Callable[[str], str]
    shape: Callable[[str], Sequence[Axis] | None]
    constant: Callable[[str], bool]
    numbers: Callable[[str], Numbers | None]
    maker: Callable[[str], Layer | None]
    read_by: Callable[[str], Sequence[Layer]]

    def input(self, place: int) -> str:
        """Return the name of an input; "" for one that is left out."""
        inputs = self.layer.inputs
        return inputs[place] if place < len(inputs) else ""

    def output(self, place: int) -> str:
        """Return the name of an output; "" for one that is left out."""
        outputs = self.layer.outputs
        return outputs[place] if place < len(outputs) else ""

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
        """Return an attribute's finite numbers; None without it, when cut or of other kinds."""
        text = self.attribute(name)
        if text is None or _CLIPPED in text:
            return None
        try:
            numbers = [float(part) for part in text.split(",") if part.strip()]
        except ValueError:
            return None
        return numbers if all(map(isfinite, numbers)) else None


def undecided(reason: str) -> Answer:
    """Return the answer to a condition that the model does not decide; reason: what is open."""
    return Answer(None, Rule.NONE, reason)


def fails(rule: Rule, reason: str) -> Answer:
    """Return the answer to a condition that does not hold."""
    return Answer(False, rule, reason)


def combine(answers: Iterable[Answer]) -> Answer:
    """Return the first answer that fails, or else the first open one, or else yes."""
    listed = list(answers)
    failed = next((a for a in listed if a.holds is False), None)
    return failed or next((a for a in listed if a.holds is None), HOLDS)


def is_fixed(axis: Axis) -> bool:
    """Return whether an axis has a length that no caller chooses."""
    return isinstance(axis, int)
