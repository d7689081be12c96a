"""Documentation of an operator in the ONNX standard: description, inputs, attributes,
versions."""

import re
import textwrap
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from inspector.formats.onnx.late_onnx import onnx

if TYPE_CHECKING:
    from onnx.defs import OpSchema

_LIST_ITEM = re.compile(r"[*+-] |\d+[.)] ")


class ParameterDocs(Struct, frozen=True):
    """An input, an output or an attribute of an operator.

    types: "float16, float32" for a tensor, "ints" for an attribute. note: "optional",
    "variadic", "required" or "default 1"; may be empty.
    """

    name: str
    types: str
    note: str
    text: str


class OperatorDocs(Struct, frozen=True):
    """Documentation of an operator as a model uses it.

    since: the opset that brought this version. versions: all opsets that changed it. changes:
    what this version has that the one before had not, and the other way round, in sentences.
    """

    name: str
    domain: str
    since: int
    versions: tuple[int, ...]
    text: str
    inputs: tuple[ParameterDocs, ...]
    outputs: tuple[ParameterDocs, ...]
    attributes: tuple[ParameterDocs, ...]
    changes: tuple[str, ...]
    deprecated: bool


@lru_cache(maxsize=64)
def operator_docs(operator: str, domain: str, opset: int) -> OperatorDocs | None:
    """Return the documentation of an operator; None if the standard does not know it.

    Imports onnx at the first call, which takes half a second: call it on another thread.
    """
    domain = "" if domain == "ai.onnx" else domain
    try:
        schema = onnx.defs.get_schema(operator, opset, domain)
    except onnx.defs.SchemaError:
        return None
    history = _versions()[domain, operator]
    before = [each for each in history if each.since_version < schema.since_version]
    return OperatorDocs(
        schema.name,
        domain or "ai.onnx",
        schema.since_version,
        tuple(each.since_version for each in history),
        _cleaned(schema.doc),
        _values(schema, schema.inputs),
        _values(schema, schema.outputs),
        tuple(map(_attribute, schema.attributes.values())),
        tuple(_changes(before[-1], schema)) if before else (),
        schema.deprecated,
    )


@cache
def _versions() -> "dict[tuple[str, str], list[OpSchema]]":
    """Return all versions of each operator, by domain and name, the oldest first."""
    versions = defaultdict[tuple[str, str], "list[OpSchema]"](list)
    schemas = onnx.defs.get_all_schemas_with_history()
    for schema in sorted(schemas, key=lambda each: each.since_version):
        versions[schema.domain, schema.name].append(schema)
    return versions


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a description, each without line breaks.

    Blank lines separate them; items of lists, indented lines and those of code stay alone.
    """
    found: list[str] = []
    joins = code = False
    for line in text.expandtabs(4).split("\n"):
        stripped = line.strip()
        fence = stripped.startswith("```")
        code ^= fence
        alone = code or line.startswith("  ") or _LIST_ITEM.match(stripped) is not None
        if stripped and not fence:
            if joins and not alone:
                found[-1] += f" {stripped}"
            else:
                found.append(line.rstrip() if code else stripped)
        joins = bool(stripped) and not fence and not code
    return tuple(found)


def _cleaned(text: str | None) -> str:
    return textwrap.dedent(text or "").strip().replace("\r", "")


def _values(
    schema: "OpSchema", parameters: "list[OpSchema.FormalParameter]"
) -> tuple[ParameterDocs, ...]:
    notes = {"Optional": "optional", "Variadic": "variadic"}
    return tuple(
        ParameterDocs(
            each.name,
            ", ".join(_types(schema, each)),
            notes.get(each.option.name, ""),
            _cleaned(each.description),
        )
        for each in parameters
    )


def _types(schema: "OpSchema", parameter: "OpSchema.FormalParameter") -> list[str]:
    """Return the types that a parameter may have, as in 'float16'; tensors without the word."""
    types = sorted(parameter.types) or [parameter.type_str]
    names = {"float": "float32", "double": "float64"}
    plain = (
        t.removeprefix("tensor(").removesuffix(")") if "tensor(" in t[:7] else t for t in types
    )
    return [names.get(name, name) for name in plain]


def _attribute(attribute: "OpSchema.Attribute") -> ParameterDocs:
    default = _default(attribute)
    note = "required" if attribute.required else f"default {default}" if default else "optional"
    return ParameterDocs(
        attribute.name, attribute.type.name.lower(), note, _cleaned(attribute.description)
    )


def _default(attribute: "OpSchema.Attribute") -> str:
    """Return a default value as text; '' for none."""
    if not attribute.default_value.name:
        return ""
    value = onnx.helper.get_attribute_value(attribute.default_value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else f"{value}"


def _changes(before: "OpSchema", now: "OpSchema") -> "list[str]":
    """Describe how attributes, inputs and types differ from the previous version."""
    changes = []
    for kind, old, new in (
        ("attribute", set(before.attributes), set(now.attributes)),
        ("input", {i.name for i in before.inputs}, {i.name for i in now.inputs}),
        ("type", _all_types(before), _all_types(now)),
    ):
        for verb, names in (("new", new - old), ("no longer", old - new)):
            if names:
                noun = kind if len(names) == 1 else f"{kind}s"
                changes.append(f"{verb} {noun} {', '.join(sorted(names))}")
    return changes


def _all_types(schema: "OpSchema") -> set[str]:
    parameters = (*schema.inputs, *schema.outputs)
    return {name for each in parameters for name in _types(schema, each)}
