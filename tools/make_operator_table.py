"""Write down the operators of ONNX with inputs and attributes, from the schemas of `onnx`.

The window lists them for a layer that is to be inserted or changed; it does not load onnx. Run
it again with a new release of onnx: `python -m tools.make_operator_table`.
"""

import json
import re
from operator import attrgetter
from pathlib import Path
from typing import Any

import onnx
from onnx.defs import OpSchema, get_all_schemas_with_history

TABLE = Path(__file__).parent.parent / "inspector" / "conversion" / "edits" / "operators.json"
_LONGEST = 160  # characters of a description
_SENTENCE = re.compile(r"(?<=[a-z0-9\)\]`'\"])\.(?:\s|$)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
# Kinds of attributes that can be written as JSON.
_KINDS = {"FLOAT", "INT", "STRING", "FLOATS", "INTS", "STRINGS"}


def table() -> dict[str, Any]:
    """Return operator -> versions that differ in what is written down, the oldest first."""
    operators: dict[str, list[dict[str, Any]]] = {}
    for schema in sorted(get_all_schemas_with_history(), key=lambda each: each.since_version):
        if not schema.domain:
            versions, made = operators.setdefault(schema.name, []), _version(schema)
            if not versions or versions[-1] | {"since": 0} != made | {"since": 0}:
                versions.append(made)
    return {"onnx": onnx.__version__, "operators": dict(sorted(operators.items()))}


def _version(schema: OpSchema) -> dict[str, Any]:
    one: dict[str, Any] = {"since": schema.since_version}
    if schema.deprecated:
        return one | {"deprecated": True}
    one["summary"] = _summary(schema.doc)
    one["inputs"] = [
        each.name + {"Optional": "?", "Variadic": "*"}.get(each.option.name, "")
        for each in schema.inputs
    ]
    one["outputs"] = [each.name for each in schema.outputs]
    one["attributes"] = {
        each.name: _attribute(each)
        for each in sorted(schema.attributes.values(), key=attrgetter("name"))
        if each.type.name in _KINDS
    }
    attributes = schema.attributes.values()
    needed = [a.name for a in attributes if a.required and a.type.name not in _KINDS]
    if needed:
        one["needs"] = needed
    return one


def _attribute(attribute: OpSchema.Attribute) -> dict[str, Any]:
    made: dict[str, Any] = {
        "kind": attribute.type.name.lower(),
        "text": _summary(attribute.description),
    }
    if attribute.required:
        made["required"] = True
    if attribute.default_value.name:
        value = onnx.helper.get_attribute_value(attribute.default_value)
        made["default"] = _plain(value)
    return made


def _plain(value: Any) -> Any:
    """Return a default as JSON has it; a float with the digits of float32."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bytes):
        return value.decode()
    return float(f"{value:.7g}") if isinstance(value, float) else value


def _summary(text: str | None) -> str:
    """Return the first sentence of a description."""
    words = " ".join(_LINK.sub(r"\1", text or "").replace("`", "").split())
    first = _SENTENCE.split(words, maxsplit=1)[0].rstrip(".")
    if len(first) > _LONGEST:
        first = first[: first.rfind(" ", 0, _LONGEST)] + " …"
    return first


def written(content: dict[str, Any]) -> str:
    """Lay the table out with one version of an operator a line, so that changes read well."""
    lines = ",\n".join(
        f"    {json.dumps(name)}: [\n"
        + ",\n".join(f"      {json.dumps(each, ensure_ascii=False)}" for each in versions)
        + "\n    ]"
        for name, versions in content["operators"].items()
    )
    return f'{{\n  "onnx": "{content["onnx"]}",\n  "operators": {{\n{lines}\n  }}\n}}\n'


if __name__ == "__main__":
    TABLE.write_text(written(table()), "utf-8")
