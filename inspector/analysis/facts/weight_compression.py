"""How each weight is stored: linear, palettized, sparse; what it saves; what becomes of it.

The form follows from the layers that read a weight. Values that were read tell more: a weight
stored as float may have few distinct values (palettized) or many zeros (sparse), perhaps N in
every M (structured).
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from inspector import units
from inspector.analysis.facts.layer_cost import stored_bytes
from inspector.analysis.facts.quantization import Packed, packed_weights
from inspector.model.model import ITEM_BITS, Model, WeightInfo
from inspector.model.tensors.value_patterns import ValuePattern
from inspector.wording.values import Joined, Sentence

_LEAST_ELEMENTS = 64  # fewer values repeat by chance
_FEW_PER_VALUE = 4  # elements for each distinct value, at least, to speak of a lookup table
_LEAST_SPARSE = 0.3  # share of zeros from which a weight counts as sparse
_MOST_BITS = 8  # of an index into a lookup table
# Inputs of operators that hold scales and zero points of the weight, by the weight's place.
# Source: the operators' schemas in ONNX and in ONNX Runtime's docs/ContribOperators.md.
_BESIDE: dict[str, dict[int, tuple[int, ...]]] = {
    "DequantizeLinear": {0: (1, 2)},
    "QLinearConv": {3: (4, 5)},
    "QLinearMatMul": {3: (4, 5)},
    "QGemm": {3: (4, 5)},
    "ConvInteger": {1: (3,)},
    "MatMulInteger": {1: (3,)},
    "DynamicQuantizeMatMul": {1: (2, 3)},
    "MatMulNBits": {1: (2, 3)},
    "MatMulBnb4": {1: (2,)},
    "MatMulFpQ4": {1: ()},
    "GatherBlockQuantized": {0: (2, 3)},
    "Gather": {1: (0,)},  # indices into a lookup table
}
_EXPANDING = {
    "DequantizeLinear",
    "Gather",
    "Cast",
    "Mul",
}  # they read a small form to make a large
KEPT = "used as stored"
ONCE = "expanded during loading"
EACH_RUN = "expanded in every run"


class WeightForm(Struct, frozen=True):
    """How one weight is stored.

    kind: "linear" (a scale), "lookup table", "sparse", "structured sparse"; empty for plain
    values. granularity: "per tensor", "per channel", "per block" or empty. bits: of one stored
    element. stored_bytes: with scales, zero points and tables. expanded_bytes: in the form that
    layers work in. is_stored_so: whether the file keeps it in this form; False where plain
    values have a pattern that a smaller form could keep, which would take `expanded_bytes`
    down to `could_take_bytes`. when_loaded: what the runtime makes of it; empty if not known.
    pattern: of the values; None if they were not read.
    """

    weight: int
    kind: str = ""
    granularity: str = ""
    bits: int = 0
    stored_bytes: int = 0
    expanded_bytes: int = 0
    is_stored_so: bool = True
    could_take_bytes: int | None = None
    layer: int | None = None
    when_loaded: str = ""
    pattern: ValuePattern | None = None

    @property
    def text(self) -> str:
        """Return the form in words: "linear 8-bit per channel", "2:4 sparse", "plain"."""
        pattern = self.pattern
        if self.kind == "lookup table":
            count = f" of {pattern.distinct} values" if pattern and pattern.distinct else ""
            return Joined((f"lookup table{count}", Sentence("{bits}-bit", self.bits)))
        if self.kind in ("sparse", "structured sparse"):
            zeros = f"{pattern.zero_share:.0%} zeros" if pattern else "zeros left out"
            groups = f"{pattern.structure} " if pattern and pattern.structure else ""
            return f"{groups}sparse, {zeros}"
        if self.kind:
            return stored_form(self.kind, self.bits, self.granularity)
        return "plain"

    @property
    def short_text(self) -> str:
        """Return the form in few words: "8-bit per channel", "4-bit table", "2:4 sparse"."""
        if self.kind == "linear":
            return stored_form("", self.bits, self.granularity)
        if self.kind == "lookup table":
            return Sentence("{bits}-bit table", self.bits)
        structure = self.pattern.structure if self.pattern is not None else ""
        return f"{structure} sparse".strip() if self.kind else ""

    @property
    def saving_text(self) -> str:
        """Return what the form saves, or could save: "75.0% smaller", "could save 84%"."""
        if not self.kind or not self.expanded_bytes:
            return ""
        taken = self.stored_bytes if self.is_stored_so else self.could_take_bytes
        if taken is None:
            return ""
        share = f"{1 - taken / self.expanded_bytes:.1%}"
        return (
            Sentence("{share} smaller", share)
            if self.is_stored_so
            else Sentence("could be {share} smaller", share)
        )


class WeightForms:
    """The forms of a model's weights, with what layers say of them worked out once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._packed = {id(each.weight): each for each in packed_weights(model)}
        self._weights = {weight.name: weight for weight in model.weights}

    @property
    def has_packed(self) -> bool:
        """Return whether the file keeps a weight in a smaller form."""
        return bool(self._packed)

    def form(
        self, place: int, pattern: ValuePattern | None = None, optimized: Model | None = None
    ) -> WeightForm:
        """Return the form of the weight at a place.

        pattern: of its values, if they were read. optimized: the model as the runtime made it,
        with the names of the model; None leaves open what becomes of the weight.
        """
        weight = self._model.weights[place]
        packed = self._packed.get(id(weight))
        if packed is None:
            return _plain_form(place, weight, pattern)
        if weight.stored is not None and pattern is not None:  # zeros are not stored
            zeros = weight.elements - weight.stored
            pattern = ValuePattern(weight.elements, zeros, pattern.distinct)
        layer = packed.layer
        return WeightForm(
            place,
            packed.kind,
            packed.granularity,
            packed.bits,
            stored_bytes(weight) + self._beside(packed),
            packed.expanded_bytes,
            layer=layer.index if layer is not None else None,
            when_loaded=_when_loaded(packed, optimized) if optimized is not None else "",
            pattern=pattern,
        )

    def _beside(self, packed: Packed) -> int:
        """Return the bytes of scales and zero points, or of the lookup table."""
        layer = packed.layer
        if packed.parts:
            return sum(stored_bytes(self._weights[name]) for name in packed.parts)
        if layer is None:
            return 0
        own = 1 if layer.operator == "Gather" else -1
        for place, name in enumerate(layer.inputs):
            own = place if name == packed.weight.name else own
        places = _BESIDE.get(layer.operator, {}).get(own, ())
        names = [layer.inputs[place] for place in places if place < len(layer.inputs)]
        return sum(stored_bytes(self._weights[n]) for n in names if n in self._weights)


def weight_forms(
    model: Model,
    patterns: Mapping[int, ValuePattern] | None = None,
    optimized: Model | None = None,
) -> tuple[WeightForm, ...]:
    """Return the form of each weight; patterns: of those whose values were read, by place."""
    forms, patterns = WeightForms(model), patterns or {}
    return tuple(
        forms.form(place, patterns.get(place), optimized) for place in range(len(model.weights))
    )


def _plain_form(place: int, weight: WeightInfo, pattern: ValuePattern | None) -> WeightForm:
    """Find palettes and zeros among plain values."""
    size = stored_bytes(weight)
    plain = WeightForm(place, stored_bytes=size, expanded_bytes=size, pattern=pattern)
    bits = ITEM_BITS.get(weight.dtype, 0)
    if pattern is None or pattern.elements < _LEAST_ELEMENTS or bits < _MOST_BITS:
        return plain
    if "float" not in weight.dtype:
        return plain
    found: list[tuple[int, WeightForm]] = []
    if pattern.distinct and pattern.elements >= _FEW_PER_VALUE * pattern.distinct:
        needed = max(1, (pattern.distinct - 1).bit_length())
        table_bytes = pattern.distinct * bits // 8
        taken = (pattern.elements * needed + 7) // 8 + table_bytes
        if needed <= _MOST_BITS and needed * 2 <= bits:
            found.append((taken, _could(plain, "lookup table", needed, taken)))
    if pattern.zero_share >= _LEAST_SPARSE or pattern.structure:
        kept = pattern.elements - pattern.zeros
        mask_bytes = (pattern.elements + 7) // 8  # which elements are kept
        taken = kept * bits // 8 + mask_bytes
        kind = "structured sparse" if pattern.structure else "sparse"
        found.append((taken, _could(plain, kind, bits, taken)))
    return min(found, key=lambda each: each[0])[1] if found else plain


def _could(plain: WeightForm, kind: str, bits: int, taken_bytes: int) -> WeightForm:
    return WeightForm(
        plain.weight,
        kind,
        "",
        bits,
        plain.stored_bytes,
        plain.expanded_bytes,
        is_stored_so=False,
        could_take_bytes=taken_bytes,
        pattern=plain.pattern,
    )


def _when_loaded(packed: Packed, optimized: Model) -> str:
    """Return what the optimized graph does with a weight in a smaller form."""
    weight = packed.weight
    if packed.kind == "sparse":  # ONNX Runtime makes all sparse initializers dense
        return ONCE
    for other in optimized.weights:
        is_same = other.name == weight.name or other.name.startswith(f"{weight.name}_")
        if not is_same or other.dtype != weight.dtype:
            continue
        readers = {each.operator for each in optimized.layers if other.name in each.inputs}
        kernels = sorted(readers - _EXPANDING)
        if kernels:
            return f"{KEPT} by {', '.join(kernels)}"
        return EACH_RUN if readers else ""
    return ONCE


class FormGroup(Struct, frozen=True):
    """Weights of one form: how many, and their bytes as stored and expanded."""

    text: str
    tensors: int
    stored_bytes: int
    expanded_bytes: int
    when_loaded: tuple[tuple[str, int], ...]


def grouped(forms: Sequence[WeightForm]) -> tuple[FormGroup, ...]:
    """Return the forms that the file keeps, those of most bytes first."""
    groups: dict[tuple[str, str, int], list[WeightForm]] = {}
    for form in forms:
        if form.kind and form.is_stored_so:
            groups.setdefault((form.kind, form.granularity, form.bits), []).append(form)
    result = []
    for (kind, granularity, bits), some in groups.items():
        loaded: dict[str, int] = {}
        for form in some:
            if form.when_loaded:
                loaded[form.when_loaded] = loaded.get(form.when_loaded, 0) + 1
        width = f" {bits}-bit" if kind != "sparse" else ""
        result.append(
            FormGroup(
                f"{kind}{width} {granularity}".strip(),
                len(some),
                sum(form.stored_bytes for form in some),
                sum(form.expanded_bytes for form in some),
                tuple(sorted(loaded.items(), key=lambda each: -each[1])),
            )
        )
    return tuple(sorted(result, key=lambda group: -group.expanded_bytes))


def stored_form(kind: str, bits: int, granularity: str) -> str:
    """Return how weights are stored, in words: "linear 8-bit per channel"."""
    parts = (kind, Sentence("{bits}-bit", bits), granularity)
    return Joined(tuple(part for part in parts if part), " ")


def group_text(group: FormGroup) -> str:
    """Return '53 tensors linear 8-bit per channel, 1 MiB instead of 4 MiB, used as stored'."""
    sizes = f"{units.size(group.stored_bytes)} instead of {units.size(group.expanded_bytes)}"
    loaded = [
        text if count == group.tensors else f"{count:,} {text}"
        for text, count in group.when_loaded
    ]
    return ", ".join([f"{units.plural(group.tensors, 'tensor')} {group.text}", sizes, *loaded])
