"""Outputs of each layer in one run, and the first layer where two runs differ."""

from msgspec import Struct

from inspector.model.tensors.difference import Difference
from inspector.model.tensors.tensor_statistics import Statistics
from inspector.wording.values import Count, Sentence, Share


class LayerOutput(Struct, frozen=True):
    """One output of a layer.

    statistics: None for a value that is not a tensor; `description` then says what it is.
    difference: from its counterpart on the other side, which is the reference.
    counterpart: that one's name where it is another. over: it is beyond the tolerance.
    kept_in: type that the runtime keeps the tensor in where it is another than `dtype`.
    broken: of a model's output, the part that is wrong though larger values hide it, as a
    clause. match: of a counterpart in another format.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    statistics: Statistics | None
    description: str = ""
    difference: Difference | None = None
    counterpart: str = ""
    over: bool = False
    kept_in: str = ""
    broken: str = ""
    match: "Match | None" = None


class Match(Struct, frozen=True):
    """How a tensor and its counterpart in another format were paired.

    basis: "values", "structure", "name", "output" or "order". shape: of the counterpart. axes:
    order of its axes in ours. layer: index of its layer; None where the other side has no
    graph. correlation: of the values, for the worst of the inputs. own_error: of the layer
    alone, when it gets the other side's values; None where it was not computed. merged: layers
    of the other side that it computes as one with `layer`. ns, other_ns: latency of our layer
    with those merged into it, and of the other side's; None where it was not measured, or is
    part of another layer's time.
    """

    basis: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    layer: int | None
    layer_name: str
    operator: str
    correlation: float
    own_error: Difference | None = None
    merged: tuple[int, ...] = ()
    ns: int | None = None
    other_ns: int | None = None


class UnpairedLayer(Struct, frozen=True):
    """A layer of the other side that has no counterpart, and why. index: None for a tensor
    without a layer."""

    index: int | None
    name: str
    operator: str
    reason: str


class LayerStep(Struct, frozen=True):
    """One layer of a prediction.

    index: its place in Model.layers. inputs: indices of the layers whose outputs it takes.
    gets_nan, gets_infinite: whether such elements were in what it took, weights not looked at.
    problem: why nothing is known of it. remark: why the other side is not, or is not its own.
    merged: layers before it that are one layer with it on the other side. made: whether the
    error comes from this layer and not from what it is given; None where nobody knows.
    """

    index: int
    name: str
    operator: str
    outputs: tuple[LayerOutput, ...] = ()
    inputs: tuple[int, ...] = ()
    gets_nan: bool = False
    gets_infinite: bool = False
    problem: str = ""
    remark: str = ""
    merged: tuple[int, ...] = ()
    made: bool | None = None

    @property
    def nan(self) -> int:
        """NaN elements of all its outputs."""
        return sum(each.statistics.nan for each in self.outputs if each.statistics)

    @property
    def infinite(self) -> int:
        """Infinite elements of all its outputs."""
        return sum(each.statistics.infinite for each in self.outputs if each.statistics)

    @property
    def over(self) -> bool:
        """Whether an output differs by more than the tolerance."""
        return any(each.over for each in self.outputs)

    @property
    def worst(self) -> Difference | None:
        """The difference of the output that differs most, in parts of its largest value."""
        compared_outputs = [each for each in self.outputs if each.difference is not None]
        worst_output = max(compared_outputs, key=_rank, default=None)
        return None if worst_output is None else worst_output.difference


class Stepping(Struct, frozen=True):
    """One run layer by layer, alone or compared with another backend.

    steps: in an order in which each layer comes after those it needs.
    devices, optimization, threads: as requested. against: the other side as
        text; empty without one. tolerance: None for the defaults of the types, of which none
        is below `least`.
    sessions: how many were needed to keep the tensors within memory. unpaired: layers that
    only the other side has, where it is another format. verdict: which side is faster, and
    whether their outputs agree, where both were measured.
    """

    model: str
    devices: tuple[str, ...]
    optimization: str
    threads: int
    steps: tuple[LayerStep, ...]
    against: str = ""
    tolerance: float | None = None
    sessions: int = 1
    notes: tuple[str, ...] = ()
    unpaired: tuple[UnpairedLayer, ...] = ()
    verdict: str = ""
    least: float = 0.0

    @property
    def divergence(self) -> LayerStep | None:
        """The first layer that differs by more than the tolerance, by an error of its own."""
        return next((step for step in self.steps if step.over and step.made is not False), None)

    @property
    def first_nan(self) -> LayerStep | None:
        """The first layer that gave NaN though it was given none."""
        return next((step for step in self.steps if step.nan and not step.gets_nan), None)

    @property
    def first_infinite(self) -> LayerStep | None:
        """The first layer that gave infinity though it was given none."""
        first_sources = (
            step for step in self.steps if step.infinite and not step.gets_infinite
        )
        return next(first_sources, None)

    @property
    def across(self) -> bool:
        """Whether the other side is another form of the network, with layers of its own."""
        return any(output.match for step in self.steps for output in step.outputs)

    @property
    def compared(self) -> int:
        """Layers that have a difference."""
        return sum(step.worst is not None for step in self.steps)


class Alone(Struct, frozen=True):
    """One layer run by itself, again and again, on the inputs it has in the model.

    samples_ns: each run, in the order taken. given: name, type and shape of its inputs.
    """

    index: int
    samples_ns: tuple[int, ...]
    devices: tuple[str, ...]
    given: tuple[tuple[str, str, tuple[int, ...]], ...]
    notes: tuple[str, ...] = ()


def summary(stepping: Stepping) -> tuple[str, ...]:
    """Sentences: where the sides part, where NaN comes from, or that all is well."""
    sentences = list[str]()
    first_nan = stepping.first_nan
    if first_nan is not None:
        sentences.append(
            Sentence(
                "The first NaN is in layer {index}, '{name}' ({operator}).",
                first_nan.index,
                first_nan.name,
                first_nan.operator,
            )
        )
    elif any(step.nan for step in stepping.steps):
        sentences.append("The inputs contain NaN.")
    if stepping.across:
        sentences += _across(stepping)
    elif stepping.against:
        parts = stepping.divergence
        if parts is not None:
            sentences.append(
                Sentence(
                    "The first difference above the tolerance is in layer {index}, "
                    "'{name}' ({operator}).",
                    parts.index,
                    parts.name,
                    parts.operator,
                )
            )
            sentences += _broken_parts(stepping)
        elif stepping.compared:
            sentences.append(
                Sentence(
                    "All {compared} compared layers are within the tolerance.",
                    Count(stepping.compared),
                )
            )
        else:
            sentences.append("No layer could be compared.")
    return tuple(sentences)


def _broken_parts(stepping: Stepping) -> list[str]:
    return [
        Sentence("In layer {index}, '{name}', {broken}.", step.index, step.name, output.broken)
        for step in stepping.steps
        for output in step.outputs
        if output.broken
    ]


def _across(stepping: Stepping) -> list[str]:
    """Return where an error is made first, and how far it goes on, of another form."""
    over = [step for step in stepping.steps if step.over]
    made = stepping.divergence
    if not over:
        return [Sentence("All {compared} compared layers are within the tolerance.",
                         Count(stepping.compared))]  # fmt: skip
    if made is None:
        return [
            Sentence(
                "The error grows over several layers: none exceeds the tolerance where both "
                "sides get the same values. It is first above it in layer {index}, '{name}' "
                "({operator}).",
                over[0].index,
                _head(over[0]),
                over[0].operator,
            )
        ]
    by_index = {step.index: step for step in stepping.steps}
    merged = ", ".join(f"{i} ({by_index[i].operator})" for i in made.merged if i in by_index)
    place = made.index, _head(made), made.operator
    if merged:
        sentences: list[str] = [
            Sentence(
                "The error is first made in layer {index}, '{name}' ({operator}), or in layers "
                "that the other side does not have by themselves: {merged}.",
                *place,
                merged,
            )
        ]
    else:
        sentences = [
            Sentence("The error is first made in layer {index}, '{name}' ({operator}).", *place)
        ]
    alone = [
        output.match.own_error.relative
        for output in made.outputs
        if output.match is not None and output.match.own_error is not None
    ]
    known = [each for each in alone if each is not None]
    later = len(over) - 1
    if known:
        sentences.append(
            Sentence(
                "Where both sides get the same values, its error is {share} of the largest "
                "value.",
                Share(max(known)),
            )
        )
    if later:
        sentences.append(
            Sentence("Later layers that also exceed the tolerance: {count}.", Count(later))
        )
    return [*sentences, *_broken_parts(stepping)]


def _head(step: LayerStep) -> str:
    """Return a layer's name; of those that TensorFlow Lite joins, that of the output."""
    return step.name.partition(";")[0]


def _rank(output: LayerOutput) -> tuple[bool, float]:
    difference = output.difference
    assert difference is not None
    return bool(difference.problem or difference.unmatched), difference.relative or 0.0
