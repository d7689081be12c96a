"""Changes of a model in groups, largest effect first, and the sentence that sums them up."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import inf, isfinite

from inspector import units
from inspector.comparison.folding import CLAMPING
from inspector.comparison.layer_pairs.families import CONVERSIONS
from inspector.comparison.model_changes import (
    Change,
    ChangeGroup,
    LayerPair,
    ModelDiff,
    State,
    weight_change,
)
from inspector.model.model import Layer
from inspector.model.tensors.difference import Difference
from inspector.wording.values import Count, Joined, Name, Real, Sentence, counted, joined

_MOST_PHRASES = 3  # of the summary: more is a list
_MOST_TITLES = 3  # of one phrase
_MOST_NEIGHBORS = 2
_KINDS = ("operator", "weight", "attribute", "type", "shape", "inputs")


def groups_of(whole: ModelDiff) -> tuple[ChangeGroup, ...]:
    """Return changes of inputs and outputs, then of layers, then of model properties."""
    groups = [*_layer_groups(whole), *_weight_groups(whole)]
    groups.sort(key=lambda g: (-g.parameters, -len(g.pairs), g.title))
    interface = [
        _model_group(kind, changes)
        for kind, changes in (("input", whole.inputs), ("output", whole.outputs))
        if changes
    ]
    rest = [_model_group("model property", whole.properties)] if whole.properties else []
    return (*interface, *groups, *rest)


def _model_group(noun: str, changes: tuple[Change, ...]) -> ChangeGroup:
    title = counted(len(changes), noun)
    texts = [change.text for change in changes if change.kind not in ("metadata", "function")]
    texts += _kinds_of(changes)
    detail = units.clip(", ".join(texts), 160)
    # Runtimes declare opsets that no layer uses: not worth a place in the sentence.
    opsets = [c.text for c in changes if c.kind == "opset" and c.before and c.after]
    phrase = (", ".join(opsets), "") if opsets else ("", "")
    return ChangeGroup(State.CHANGED, title, detail, changes=changes, phrase=phrase)


def _kinds_of(changes: Iterable[Change]) -> Iterator[str]:
    counts = Counter(change.kind for change in changes)
    if counts["metadata"]:
        yield counted(counts["metadata"], "metadata entry")
    if counts["function"]:
        yield counted(counts["function"], "function")


def _layer_groups(whole: ModelDiff) -> Iterator[ChangeGroup]:
    members: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for place, pair in enumerate(whole.pairs):
        if pair.state is not State.SAME:
            members[_group_key(whole, pair)].append(place)
    sides = whole.first, whole.other
    elements = [{w.name: w.elements for w in model.weights} for model in sides]
    for places in members.values():
        sizes = {place: _parameters(whole, whole.pairs[place], elements) for place in places}
        places.sort(key=lambda place: (_worst_db(whole.pairs[place]), -sizes[place]))
        yield _layer_group(whole, places, sum(sizes.values()))


def _group_key(whole: ModelDiff, pair: LayerPair) -> tuple[object, ...]:
    layer = _layer(whole, pair)
    if pair.state is not State.CHANGED:
        return pair.state, layer.operator, pair.folded, pair.folded_equal
    changes = {
        (c.kind, c.name, *((c.before.split()[0], c.after.split()[0])
                           if c.kind in ("weight", "type") and c.before and c.after
                           else (bool(c.before), bool(c.after))))
        for c in pair.changes
    }  # fmt: skip
    operator = "" if pair.other is None else whole.other.layers[pair.other].operator
    return pair.state, layer.operator, operator, frozenset(changes)


def _layer(whole: ModelDiff, pair: LayerPair) -> Layer:
    """Return the layer of A, or that of B where it is new."""
    if pair.first is not None:
        return whole.first.layers[pair.first]
    assert pair.other is not None, "a pair has a side"
    return whole.other.layers[pair.other]


def _parameters(whole: ModelDiff, pair: LayerPair, elements: Sequence[dict[str, int]]) -> int:
    """Return how many numbers of weights a changed, new or gone layer concerns."""
    if pair.state is State.CHANGED and all(change.kind != "weight" for change in pair.changes):
        return 0
    if _layer(whole, pair).operator in CONVERSIONS:  # their weights are other layers'
        return 0
    side = 0 if pair.first is not None else 1
    return sum(elements[side].get(name, 0) for name in _layer(whole, pair).inputs)


def _worst_db(pair: LayerPair) -> float:
    values = [c.difference.sqnr_db for c in pair.changes if c.difference is not None]
    if pair.folded_difference is not None and not pair.folded_equal:
        values.append(pair.folded_difference.sqnr_db)
    return min((value for value in values if value is not None), default=inf)


def sqnr_text(pairs: Iterable[LayerPair]) -> str:
    """Return the range of SQNR over layers with changed values: 'SQNR 24 to 38 dB'."""
    values = [value for value in map(_worst_db, pairs) if isfinite(value)]
    if not values:
        return ""
    low, high = (f"{value:.0f}".replace("-", "−") for value in (min(values), max(values)))
    return f"SQNR {low} dB" if low == high else Sentence("SQNR {low} to {high} dB", low, high)


def _change_name(change: Change) -> str:
    """Return the name of a change of the model; a metadata key may equal a property's name."""
    return (
        Sentence("metadata {name}", change.name) if change.kind == "metadata" else change.name
    )


def layer_rows(whole: ModelDiff, group: ChangeGroup) -> list[tuple[str, str]]:
    """Return name and text of each layer, or of each change of the model, in a group."""
    rows = [(_change_name(change), _alone(change)) for change in group.changes]
    shared = group.detail.split("; ")
    for place in group.pairs:
        pair = whole.pairs[place]
        texts = [
            change.text
            for change in sorted(pair.changes, key=_rank)
            if change.text not in shared and change.kind != "weight"
        ]
        texts += [
            Sentence("{name}: {values}", c.name, values_text(c))
            for c in pair.changes
            if values_text(c)
        ]
        if pair.folded:
            texts.append(_folded_text(pair, pair.state) + _equality([pair]))
        rows.append(
            (units.clip(_layer(whole, pair).label, 120), joined(*texts, separator="; "))
        )
    return rows


def _alone(change: Change) -> str:
    """Return what changed, without the name."""
    if change.before == change.after:
        return values_text(change) or "renamed"
    if change.before and change.after:
        return Sentence("{before} → {after}", Name(change.before), Name(change.after))
    return change.text.removeprefix(change.name).removeprefix(":").removeprefix(" ")


def values_text(change: Change) -> str:
    """Return how far values of a weight are apart, or why that is unknown."""
    if change.problem:
        return Sentence("values not compared: {problem}", units.clip(change.problem, 120))
    difference = change.difference
    if difference is None or difference.max_abs is None:
        return ""
    text, sqnr = (
        Sentence("max difference {max_abs}", Real(difference.max_abs, 3)),
        decibels(difference),
    )
    return Sentence("{text}, SQNR {sqnr}", text, sqnr) if sqnr else text


def decibels(difference: Difference) -> str:
    """Return the SQNR of a difference: '41.3 dB', "" where there is none."""
    if difference.sqnr_db is None or not isfinite(difference.sqnr_db):
        return ""
    return f"{difference.sqnr_db:.1f} dB".replace("-", "−")


def _layer_group(whole: ModelDiff, places: list[int], parameters: int) -> ChangeGroup:
    pairs = [whole.pairs[place] for place in places]
    pair = pairs[0]
    layer, state = _layer(whole, pair), pair.state
    operator = Name(units.clip(layer.operator, 60))
    title = Joined((Count(len(places)), operator), " ")
    if state is State.CHANGED:
        detail = joined(*_shared_texts(pairs), separator="; ")
        predicate = _predicate(min(pair.changes, key=_rank))
    elif state is State.MOVED:
        detail, predicate = "reads different layers than before", "reconnected"
    elif pair.folded:
        predicate = _folded_text(pair, state)
        detail = joined(predicate, _equality(pairs), separator="")
    else:
        detail = _neighborhood(whole, pairs, state)
        predicate = "added" if state is State.NEW else "removed"
    return ChangeGroup(state, title, detail, tuple(places), (), parameters, (title, predicate))


def _folded_text(pair: LayerPair, state: State) -> str:
    """Return where the work of a layer of one side alone went, or came from."""
    if state is State.NEW:
        return Sentence("split out of {layer}", pair.folded)
    if pair.folded == CLAMPING:
        return Sentence("replaced by {layer}, which clamps at 0", pair.folded)
    if pair.folded_difference is None:
        return Sentence("fused into {layer}", pair.folded)
    return Sentence("folded into {layer}", pair.folded)


def _equality(pairs: Iterable[LayerPair]) -> str:
    """Return how far folded weights are apart where they are equal but for rounding."""
    apart = [
        pair.folded_difference.max_abs or 0.0
        for pair in pairs
        if pair.folded_equal and pair.folded_difference is not None
    ]
    return Sentence(", equal within {max}", f"{max(apart):.1g}") if apart else ""


def _predicate(change: Change) -> str:
    """Return what the summary says of layers with this change: 'in int8'."""
    if change.kind == "weight":
        before, after = change.before.split(), change.after.split()
        if before and after and before[0] != after[0]:
            return Sentence("in {type}", after[0])
        return Sentence("with different {name}", change.name)
    if change.kind == "operator":
        return Sentence("as {operator}", Name(change.after))
    if change.kind == "attribute":
        return Sentence("with different {name}", Name(change.name))
    return Sentence("with a different output {kind}", change.kind)


def _shared_texts(pairs: Sequence[LayerPair]) -> Iterator[str]:
    """Yield what changed in all of them; values only where they are the same in all."""
    for place, change in enumerate(sorted(pairs[0].changes, key=_rank)):
        texts = {sorted(p.changes, key=_rank)[place].text for p in pairs}
        if len(texts) == 1:
            yield change.text
        elif change.kind == "weight" and change.before and change.after:
            types = [text.split()[0] for text in (change.before, change.after)]
            same = Sentence("shape of {name}", change.name)
            yield same if types[0] == types[1] else f"{change.name} {types[0]} → {types[1]}"
        elif not change.before or not change.after:
            done = "{name} removed" if change.before else "{name} added"
            yield Sentence(done, Name(change.name))
        else:
            shape = "{name} shape" if change.kind == "shape" else "{name}"
            yield Sentence(shape, Name(change.name))


def _rank(change: Change) -> int:
    return _KINDS.index(change.kind)


def _neighborhood(whole: ModelDiff, pairs: Sequence[LayerPair], state: State) -> str:
    """Return what new or gone layers stand next to, where most have one kind of neighbor."""
    side = 1 if state is State.NEW else 0
    model = (whole.first, whole.other)[side]
    makers = {name: layer.operator for layer in model.layers for name in layer.outputs if name}
    inputs = {value.name for value in model.inputs}
    before: Counter[str] = Counter()
    for pair in pairs:
        index = pair.other if side else pair.first
        assert index is not None, "a new or gone layer is of this side"
        name = next(iter(model.layers[index].inputs), "")
        maker = makers.get(name, "Constant" if name else "")
        if name in inputs:
            before["after a model input"] += 1
        elif maker:
            text = Sentence("after {maker}", Name(units.clip(maker, 40)))
            before["after a weight" if maker == "Constant" else text] += 1
    most = before.most_common(_MOST_NEIGHBORS)
    if not most:
        return "without inputs"
    if most[0][1] == len(pairs):
        return most[0][0]
    rest = len(pairs) - sum(count for _, count in most)
    texts = [Sentence("{count} {where}", Count(count), text) for text, count in most]
    return joined(*texts + ([Sentence("{rest} elsewhere", Count(rest))] if rest else []))


def _weight_groups(whole: ModelDiff) -> Iterator[ChangeGroup]:
    """Yield weights that no matched layer reads: new, gone, or changed unread."""
    if all(weight.state is State.SAME for weight in whole.weights):
        return
    models = (whole.first, whole.other)
    read = {name for model in models for layer in model.layers for name in layer.inputs}
    in_functions = {
        f"{function.name}/{name}"
        for model in models
        for function in model.functions
        for layer in function.layers
        for name in layer.inputs
    }
    has_layers = any(model.layers for model in models)
    for state, predicate in (
        (State.CHANGED, "changed"),
        (State.NEW, "added"),
        (State.GONE, "removed"),
    ):
        chosen = [
            weight
            for weight in whole.weights
            if weight.state is state
            and weight.either.name not in read
            and weight.either.layer is None
        ]
        of_functions = [each for each in chosen if each.either.name in in_functions]
        others = [each for each in chosen if each.either.name not in in_functions]
        noun, why = "weight", "the files have no layers"
        if has_layers:
            noun, why = "unused weight", "no layer reads them"
        for weights, name, reason in (
            (of_functions, "function weight", "layers of functions read them"),
            (others, noun, why),
        ):
            if weights:
                title = counted(len(weights), name)
                changes = tuple(map(weight_change, weights))
                yield ChangeGroup(
                    state, title, reason, changes=changes, phrase=(title, predicate)
                )


def summary_of(whole: ModelDiff) -> str:
    """Return what B is in terms of A, in one sentence."""
    if whole.different_networks:
        count = counted(whole.counterparts[1], "layer")
        are = "is" if whole.counterparts[0] == 1 else "are"
        return Sentence(
            "These are different networks: {value} of {count} {are} "
            "similar, so none are paired.",
            Count(whole.counterparts[0]),
            count,
            are,
        )
    interface = "inputs and outputs are the same"
    changed = [
        counted(len(changes), noun)
        for noun, changes in (("input", whole.inputs), ("output", whole.outputs))
        if changes
    ]
    if changed:
        interface = Sentence("{join} changed", joined(*changed, separator=" and "))
    if not whole.first.shares_operators(whole.other):
        return _summary_across(whole, interface)
    phrases = _phrases(whole)
    if not phrases:
        return _summary_of_same(whole, interface)
    more = len(phrases) - _MOST_PHRASES
    if more > 1:
        phrases = [*phrases[:_MOST_PHRASES], Sentence("{more} other kinds of change", more)]
    return Sentence(
        "B is A with {join}; {interface}.", joined(*phrases, separator="; "), interface
    )


def _summary_across(whole: ModelDiff, interface: str) -> str:
    """Return how much of A is in B, which is of another format."""
    paired = sum(pair.first is not None and pair.other is not None for pair in whole.pairs)
    weights = [each for each in whole.weights if each.first and each.other]
    unequal = sum(each.state is not State.SAME for each in weights)
    values = "weight values were not compared"
    if whole.values_compared:
        values = Sentence(
            "{unequal} of {weights} paired weights differ", Count(unequal), Count(len(weights))
        )
    return Sentence(
        "B is A in {format}: {paired} of {layers} have a counterpart; {values}; {interface}.",
        format=Name(whole.other.format_title),
        paired=Count(paired),
        layers=counted(len(whole.first.layers), "layer"),
        values=values,
        interface=interface,
    )


def _phrases(whole: ModelDiff) -> list[str]:
    """Return what changed, once for each predicate: '3 of 5 Conv and 1 Gemm in int8'."""
    operators = Counter(layer.operator for layer in whole.first.layers)
    subjects: dict[str, dict[str, str]] = defaultdict(dict)
    counts: Counter[tuple[str, str]] = Counter()
    for group in whole.groups:
        subject, predicate = group.phrase
        if not subject:
            continue
        if not group.pairs:
            subjects[predicate][subject] = subject
            continue
        operator = _layer(whole, whole.pairs[group.pairs[0]]).operator
        counts[predicate, operator] += len(group.pairs)
        some, of = counts[predicate, operator], Name(units.clip(operator, 60))
        subjects[predicate][operator] = Joined((Count(some), of), " ")
        if group.state is State.CHANGED and operators[operator] > some:
            every = Joined((Count(operators[operator]), of), " ")
            subjects[predicate][operator] = Sentence("{some} of {all}", Count(some), every)
    phrases = []
    for predicate, named in subjects.items():
        names = [*named.values()]
        more = len(names) - _MOST_TITLES
        shown = (
            [*names[:_MOST_TITLES], Sentence("{more} other groups", more)]
            if more > 1
            else names
        )
        phrases.append(joined(_listed(shown), predicate, separator=" "))
    return phrases


def _listed(parts: Sequence[str]) -> str:
    return joined(joined(*parts[:-1]), parts[-1], separator=" and ")


def _summary_of_same(whole: ModelDiff, interface: str) -> str:
    unknown = whole.weight_counts["unknown"]
    names = []
    if whole.counts["renamed"]:
        names.append(counted(whole.counts["renamed"], "layer"))
    if whole.weight_counts["renamed"]:
        names.append(counted(whole.weight_counts["renamed"], "weight"))
    renamed = Sentence("; {join} renamed", joined(*names, separator=" and ")) if names else ""
    if whole.properties or whole.inputs or whole.outputs:
        count = len(whole.properties)
        properties = (
            Sentence("{changed} changed, ", Count(count, "model property")) if count else ""
        )
        return Sentence(
            "A and B have the same layers and weights{renamed}; {properties}{interface}.",
            renamed,
            properties,
            interface,
        )
    if not whole.values_compared:
        return Sentence(
            "A and B have the same layers{renamed}; weight values were not compared.", renamed
        )
    if unknown:
        return Sentence(
            "A and B have the same layers{renamed}; {weights} could not be read.",
            renamed,
            Count(unknown, "weight"),
        )
    if renamed:
        return Sentence("A and B are identical except for names{renamed}.", renamed)
    return "A and B are identical."
