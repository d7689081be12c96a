"""Ask a release of ONNX Runtime that does not list its kernels which it has on a CPU.

It opens a model of one node for each version of an operator and each element type, and for the
combinations of them. That no implementation is there is one answer, that it opens the other;
what else it says is about the made-up node, and leaves the question open.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from onnx import AttributeProto, ModelProto, TensorProto, TypeProto, defs, helper

from tools import runtime_releases

_LACKS = re.compile(
    "Could not find an implementation|Failed to find kernel|is not currently registered"
)
_MOST_COMBINED = 5_000  # combinations of types of one operator; OneHot has 1,815
_OPENS = "Exception during initialization"  # a kernel that does not like the attributes
# Types of the other inputs of a node, of which one goes with the type that is asked for.
_USUAL = ("tensor(float)", "tensor(int64)", "tensor(int32)", "tensor(bool)", "tensor(string)")
_CHOOSING = {"to", "dtype", "output_dtype"}  # attributes that are the type of the output
_NAMES = {"float": "FLOAT", "double": "DOUBLE"}
_MADE_UP: Mapping[int, Any] = {
    AttributeProto.INT: 1, AttributeProto.FLOAT: 1.0, AttributeProto.STRING: "a",
    AttributeProto.INTS: [1], AttributeProto.FLOATS: [1.0], AttributeProto.STRINGS: ["a"],
}  # fmt: skip

Key = tuple[str, str, int]  # domain, name and version of an operator


Types = Mapping[str, str]  # kind of an operator -> element type


class _Asked(NamedTuple):
    """What one model asks: an operator, and the type of one of its kinds beside the others; of
    no single kind where a combination is asked."""

    key: Key
    kind: str
    types: Types


class Kinds(NamedTuple):
    """What a release says of the kinds of an operator: types and combinations of types that it
    opens, and that it lacks; of the others nothing is known."""

    opens: set[tuple[str, str]]
    lacks: set[tuple[str, str]]
    lacks_combined: set[frozenset[tuple[str, str]]]


class Probes:
    """The models for all versions of some operators, written once."""

    def __init__(self, operators: Iterable[Key], folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._asked: dict[Path, _Asked] = {}
        for key in operators:
            for kind, types, model in _models(*key):
                path = folder / f"{len(self._asked)}.onnx"
                path.write_bytes(model.SerializeToString())
                self._asked[path] = _Asked(key, kind, types)

    def kinds(self, python: Path, home: Path, known: Iterable[Key]) -> dict[Key, Kinds]:
        """Return by operator what a release says. known: the operators of its opsets."""
        found = {key: Kinds(set(), set(), set()) for key in known}
        paths = [path for path, asked in self._asked.items() if asked.key in found]
        answers = runtime_releases.refusals(python, home, paths, self._folder)
        for path in paths:
            asked, refusal = self._asked[path], answers[str(path)]
            kinds = found[asked.key]
            if _LACKS.search(refusal) and asked.kind:
                kinds.lacks.add((asked.kind, asked.types[asked.kind]))
            elif _LACKS.search(refusal):
                kinds.lacks_combined.add(frozenset(asked.types.items()))
            elif not refusal or _OPENS in refusal:
                kinds.opens.update(asked.types.items())
        for kinds in found.values():
            kinds.lacks.difference_update(kinds.opens)  # beside other types
        return found


def _models(domain: str, name: str, version: int) -> Iterator[tuple[str, Types, ModelProto]]:
    """Yield kind, types and model: each type of each kind beside usual types of the others, and
    without a kind each combination, and of functions each type with all inputs, since they
    compute something else with them."""
    schema = defs.get_schema(name, version, domain)
    places = [*schema.inputs, *schema.outputs]
    kinds = {each.type_str: sorted(each.types) for each in places}
    usual = {kind: next((t for t in _USUAL if t in types), types[0])
             for kind, types in kinds.items()}  # fmt: skip
    for kind, types in kinds.items():
        for asked in types:
            beside = [usual]
            for other in (asked, *_USUAL):
                chosen = {k: other if other in kinds[k] else usual[k] for k in kinds}
                beside += [chosen] if chosen not in beside else []
            tried: list[dict[str, str]] = []
            for others in beside:
                chosen = others | {kind: asked}
                if chosen not in tried:
                    tried.append(chosen)
                    model = _model(schema, kind, chosen)
                    if model is not None:
                        yield kind, chosen, model
    plain = {k: [t for t in types if t.startswith("tensor(")] for k, types in kinds.items()}
    several = {k: types for k, types in plain.items() if len(types) > 1}
    if schema.has_function or schema.has_context_dependent_function:
        for kind, asked in ((kind, t) for kind, types in several.items() for t in types):
            model = _model(schema, "", usual | {kind: asked}, all_inputs=True)
            if model is not None:
                yield "", {kind: asked}, model
    if len(several) < 2 or prod(map(len, several.values())) > _MOST_COMBINED:
        return
    for each in product(*several.values()):
        combined = dict(zip(several, each, strict=True))
        model = _model(schema, "", usual | combined)
        if model is not None:
            yield "", combined, model


def _model(
    schema: Any, kind: str, types: Mapping[str, str], all_inputs: bool = False
) -> ModelProto | None:
    """Return a model of one node; None where a type or an attribute cannot be written here."""
    ins = [place for place, each in enumerate(schema.inputs) if each.type_str == kind]
    outs = [place for place, each in enumerate(schema.outputs) if each.type_str == kind]
    if not kind:  # of all: where a kind is that of optional inputs only, these are there
        first: dict[str, int] = {}
        for place, each in enumerate(schema.inputs):
            first.setdefault(each.type_str, place)
        ins = [len(schema.inputs) - 1 if all_inputs else max(first.values(), default=0)]
    inputs = schema.inputs[: max(schema.min_input, ins[0] + 1 if ins else 0)]
    outputs = schema.outputs[
        : max(schema.min_output, 1, outs[0] + 1 if outs and not ins else 0)
    ]
    values = [_value(f"x{n}", types[each.type_str]) for n, each in enumerate(inputs)]
    results = [_value(f"y{n}", types[each.type_str]) for n, each in enumerate(outputs)]
    if None in values or None in results:
        return None
    attributes = {}
    made = _element(types[outputs[0].type_str]) if outputs else 0
    for attribute in schema.attributes.values():
        kind_number = int(attribute.type.value)
        if attribute.name in _CHOOSING:
            attributes[attribute.name] = made
        elif attribute.required and kind_number in _MADE_UP:
            attributes[attribute.name] = _MADE_UP[kind_number]
        elif attribute.required and kind_number == AttributeProto.TENSOR:
            tensor = helper.make_tensor("t", TensorProto.FLOAT, [1], [1.0])
            attributes[attribute.name] = tensor
        elif attribute.required:
            return None
    node = helper.make_node(
        schema.name, [v.name for v in values], [v.name for v in results],
        domain=schema.domain, **attributes,
    )  # fmt: skip
    graph = helper.make_graph([node], "g", values, results)
    opset = helper.make_opsetid(schema.domain, schema.since_version)
    least = 3 if schema.domain else helper.find_min_ir_version_for([opset], True)
    return helper.make_model(graph, opset_imports=[opset], ir_version=max(least, 3))


def _value(name: str, text: str) -> Any:
    made = _type(text)
    return None if made is None else helper.make_value_info(name, made)


def _type(text: str) -> TypeProto | None:
    """Return a type by its name in a schema; None for maps and sparse tensors."""
    outer, _, inner = text.removesuffix(")").partition("(")
    if outer == "tensor":
        element = _element(text)
        return helper.make_tensor_type_proto(element, None) if element else None
    part = _type(inner) if outer in ("seq", "optional") else None
    if part is None:
        return None
    make = (
        helper.make_sequence_type_proto if outer == "seq" else helper.make_optional_type_proto
    )
    return make(part)


def _element(text: str) -> int:
    """Return the number of an element type, 0 for one that is none."""
    plain = text.removeprefix("tensor(").removesuffix(")")
    numbers = dict(TensorProto.DataType.items())
    return int(numbers.get(_NAMES.get(plain, plain.upper()), 0))
