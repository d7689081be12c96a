"""All that follows from types and shapes: cost, peak memory, structure, quantisation."""

import re
from collections.abc import Callable, Mapping

from msgspec import Struct, structs

from inspector import units
from inspector.analysis.cost.memory_plan import MemoryPlan, Peak, memory_plan
from inspector.analysis.cost.model_cost import Cost, cost
from inspector.analysis.cost.scopes import Scope, scopes
from inspector.analysis.facts.model_facts import Precision, precision
from inspector.analysis.facts.quantization import Quantization, quantization
from inspector.analysis.facts.shapes import (
    Contradiction,
    Shapes,
    as_converted,
    by_name,
    declared,
    with_shapes,
)
from inspector.analysis.facts.symbolic_sizes import Amount, fitted, number
from inspector.errors import Cancelled, InspectorError
from inspector.model.axes import axis_names, expression, free_axes, of_symbols, symbols_of
from inspector.model.model import TFLITE, Model, TensorInfo
from inspector.wording.values import Sentence, Size, SizeRange

# How far planned arenas may be off, as benchmarks/arenas.py found for 9 of 10 networks.
ARENA_ERROR = 0.15
_FITTED = (1, 2, 3, 5)
_MOST_FITTED = 5_000
SEQUENCE = 128
_MOST_PROBED = 2_000  # layers of a model without expressions: inference takes below a second
_PROBES = (60, 84, 132, 156, 204, 228)  # lengths: multiples of 12, as shapes are often divided
_OF_WORDS = re.compile(r"(^|[^a-z])(seq|sequence|tokens?)([^a-z]|$)|seqlen|seq_len")
Infer = Callable[[Mapping[str, int]], Shapes]


class Estimate(Struct, frozen=True):
    """The estimated cost of one run, from tensor shapes alone; nothing here is measured.

    lengths: what free axes, and open numbers of iterations, count as. shapes: what cost and
    memory are of. formula: whether cost and memory hold for all lengths, as formulas; otherwise
    for these alone. free: names that lengths can be given to.
    types: the values of `shapes` by name. contradictions: sizes that the file declares wrong.
    """

    lengths: Mapping[str, int]
    shapes: Shapes
    cost: Cost
    memory: MemoryPlan
    formula: bool
    macs_formula: Amount | None
    free: tuple[str, ...]
    precision: Precision
    quantization: Quantization
    structure: Scope
    types: Mapping[str, TensorInfo]
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def peak(self) -> Peak:
        """Return the moment when values take the most memory."""
        return self.memory.peak

    @property
    def of_graph(self) -> bool:
        """Return whether there are layers to count: files of weights alone have none."""
        return bool(self.cost.layers)

    @property
    def macs(self) -> int:
        """MACs with these lengths, as far as they are known."""
        return number(self.cost.macs, self.lengths)

    @property
    def peak_bytes(self) -> int:
        """Bytes of the values that are alive at the peak, with these lengths: the least."""
        return number(self.peak.bytes, self.lengths)

    @property
    def most_peak_bytes(self) -> int:
        """Bytes that a runtime may take at the peak, with these lengths."""
        return max(int(self.memory.arena * (1 + ARENA_ERROR)), self.peak_bytes)

    @property
    def arena_bytes(self) -> int | None:
        """Bytes in use in ONNX Runtime's arena at the peak, as its planner would on a CPU with
        AVX-512, with these lengths; None where unknown sizes leave that open."""
        return self._closed(self.memory)

    def arena_bytes_on(self, model: Model, block: int) -> int | None:
        """Return `arena_bytes` on a CPU with other vectors: `AVX2`."""
        return self._closed(memory_plan(model, self.shapes, self.lengths, block))

    def _closed(self, plan: MemoryPlan) -> int | None:
        is_open = plan.peak.unknown or not self.of_graph
        return None if is_open else plan.arena

    @property
    def peak_ends(self) -> tuple[str, str]:
        """Return the range of bytes at the peak as text, with these lengths; the end is empty
        where sizes of values are unknown, so that the begin is only a lower bound."""
        if self.peak.unknown:
            return units.size(self.peak_bytes), ""
        return units.size_ends(self.peak_bytes, self.most_peak_bytes)

    @property
    def peak_text(self) -> str:
        """Return that range as a text: '12.0 to 18.0 MiB'."""
        high = self.peak_ends[1]
        if not high and not self.peak_bytes:
            return "unknown"
        if not high:
            return Sentence("at least {size}", Size(self.peak_bytes))
        if units.size(self.peak_bytes) == units.size(self.most_peak_bytes):
            return Sentence("{size}", Size(self.peak_bytes))
        return Sentence("{range}", SizeRange(self.peak_bytes, self.most_peak_bytes))

    def at(self, model: Model, lengths: Mapping[str, int]) -> "Estimate":
        """Return the same for other lengths; only where it is a formula."""
        assert self.formula, "for other sizes, run shape inference again"
        all_lengths = {**self.lengths, **lengths}
        memory = memory_plan(model, self.shapes, all_lengths)
        return structs.replace(self, lengths=all_lengths, memory=memory)


def estimate(model: Model, infer: Infer, lengths: Mapping[str, int]) -> Estimate:
    """Estimate with lengths of free axes; those not given count as 1, sequences as 128.

    infer: finds the shapes with some axes set. Inference that fails is a note in `shapes`, and
    what the file declares then has to do. Raises Cancelled.
    """
    first = _inferred(model, infer, {})
    general = cost(model, first)
    free = tuple(dict.fromkeys((*free_axes(model.inputs), *general.symbols)))
    lengths = {**_of_defaults(model), **lengths}
    all_lengths = _filled(free, lengths)
    chosen, estimated_cost, formula = first, general, True
    macs: Amount | None = general.macs
    contradictions = first.contradictions
    if not first.note and not contradictions:
        contradictions = _contradictions(model, infer, free)
    if not first.note and free and (_open(general) or contradictions):
        settled = _inferred(model, infer, all_lengths)
        special = cost(model, settled)
        if contradictions or settled.note or not _same(special, general, all_lengths):
            chosen, estimated_cost, formula = settled, special, False
            reliable = None if contradictions else general
            wrong = {name for each in contradictions for name in symbols_of(each.declared)}
            derived = (wrong & {*free}).difference(free_axes(model.inputs), special.symbols)
            free = tuple(dict.fromkeys((*free, *special.symbols)))
            free = tuple(name for name in free if name not in derived)
            # A name that no input has is of an exporter; it can mean whatever the layers make.
            contradictions = tuple(
                each for each in contradictions if derived.isdisjoint(symbols_of(each.declared))
            )
            all_lengths = _filled(free, lengths)
            macs = _formula(model, infer, reliable, special, all_lengths)
    shaped = with_shapes(model, chosen)
    return Estimate(
        lengths=all_lengths,
        shapes=chosen,
        cost=estimated_cost,
        memory=memory_plan(model, chosen, all_lengths),
        formula=formula,
        macs_formula=macs,
        free=free,
        precision=precision(shaped),
        quantization=quantization(shaped),
        structure=scopes(shaped, estimated_cost),
        types=by_name(chosen.values),
        contradictions=contradictions,
    )


def _contradictions(
    model: Model, infer: Infer, free: tuple[str, ...]
) -> tuple[Contradiction, ...]:
    """Return the declared sizes that inference contradicts for some lengths of free axes.

    The lengths differ, so that a wrong expression is not right by chance.
    """
    values = (*model.values, *model.outputs)
    declared = {axis for value in values for axis in value.shape or ()}
    derived = any(isinstance(axis, str) and expression(axis) is not None for axis in declared)
    if not free or not (derived or (model.values and len(model.layers) <= _MOST_PROBED)):
        return ()
    lengths = {name: _PROBES[place % len(_PROBES)] for place, name in enumerate(free)}
    return _inferred(model, infer, lengths).contradictions


def _of_defaults(model: Model) -> dict[str, int]:
    """Return the lengths that the defaults of optional inputs give to their free axes."""
    shapes = {weight.name: weight.shape for weight in model.weights}
    lengths: dict[str, int] = {}
    for value in model.defaults:
        pairs = zip(axis_names(value), shapes.get(value.name, ()), strict=False)
        lengths |= of_symbols({name: length for name, length in pairs if name is not None})
    return lengths


def _filled(free: tuple[str, ...], lengths: Mapping[str, int]) -> dict[str, int]:
    return {name: lengths.get(name, usual_length(name)) for name in free}


def usual_length(name: str) -> int:
    """Return the length that a free axis counts as where nobody gave one."""
    return SEQUENCE if _OF_WORDS.search(name.lower()) else 1


def _open(general: Cost) -> bool:
    """Return whether some of it may become known when free axes get a length."""
    return any(
        each.macs is None or each.operations is None or each.moved_bytes is None
        for each in general.layers
    )


def _same(special: Cost, general: Cost, lengths: Mapping[str, int]) -> bool:
    """Return whether formulas say all that is known with lengths given."""
    return special.unknown == general.unknown and all(
        number(one, lengths) == number(other, lengths)
        for one, other in (
            (special.macs, general.macs),
            (special.operations, general.operations),
            (special.moved_bytes, general.moved_bytes),
        )
    )


def _formula(
    model: Model, infer: Infer, general: Cost | None, special: Cost, lengths: Mapping[str, int]
) -> Amount | None:
    """MACs for all lengths, by inference with symbols or through a few lengths.

    general: the cost with symbols; None where the file's own symbols are wrong.
    """
    if (
        general is not None
        and special.unknown == general.unknown
        and number(general.macs, lengths) == special.macs
    ):
        return general.macs
    if len(lengths) != 1 or len(model.layers) > _MOST_FITTED:
        return None
    name = next(iter(lengths))
    sizes = [lengths[name] * factor for factor in _FITTED]
    totals = [cost(model, _inferred(model, infer, {name: size})) for size in sizes]
    if any(
        each.unknown != special.unknown or not isinstance(each.macs, int) for each in totals
    ):
        return None
    return fitted(name, sizes, [number(each.macs, {}) for each in totals])


def _as_converted(model: Model, lengths: Mapping[str, int]) -> bool:
    """Return whether lengths of free axes are those whose shapes the converter wrote down."""
    examples = {value.name: value.shape or () for value in model.examples}
    taken = {
        axis or f"{value.name}[{place}]": examples.get(value.name, ())[place : place + 1]
        for value in model.inputs
        for place, axis in enumerate(value.shape or ())
        if not isinstance(axis, int)
    }
    return all((length,) == taken.get(name, (length,)) for name, length in lengths.items())


def _inferred(model: Model, infer: Infer, lengths: Mapping[str, int]) -> Shapes:
    # ONNX Runtime has written down all that it inferred; of other formats nothing infers it.
    if model.format == "ort" or model.details is not None:
        return declared(model)
    if model.format == TFLITE and _as_converted(model, lengths):
        return as_converted(model, lengths) if lengths else declared(model)
    try:
        return infer(lengths)
    except Cancelled:
        raise
    except InspectorError as error:
        return declared(model, f"{error.what}: {error.why or 'no reason was given'}.")
