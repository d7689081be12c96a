"""Write down the defaults of attributes of standard operators, from the schemas of `onnx`.

`inspector.comparison` may not load onnx; it reads this table instead. Run it again with a new
release of onnx: `python tools/make_attribute_defaults.py`.
"""

import json
from pathlib import Path

import onnx
from onnx.defs import get_all_schemas_with_history

from inspector.formats.onnx.attributes import attribute_text

FOLDER = Path(__file__).parent.parent / "inspector" / "comparison" / "layer_pairs"
TABLE = FOLDER / "attribute_defaults.json"


def table() -> dict[str, object]:
    """Return operator -> attribute -> default as text, where all versions agree on it.

    Where they do not, as on the axis of Softmax, leaving the attribute out has no one meaning.
    """
    values: dict[str, dict[str, set[str | None]]] = {}
    for schema in get_all_schemas_with_history():
        if schema.domain:
            continue
        for name, attribute in schema.attributes.items():
            default = attribute.default_value
            value = attribute_text(default).text if default.name else None
            values.setdefault(schema.name, {}).setdefault(name, set()).add(value)
    operators = {}
    for operator, attributes in sorted(values.items()):
        one = {name: next(iter(known)) for name, known in sorted(attributes.items())
               if len(known) == 1 and None not in known}  # fmt: skip
        if one:
            operators[operator] = one
    return {"onnx": onnx.__version__, "operators": operators}


def written(content: dict[str, object]) -> str:
    """Lay the table out with one operator a line, so that changes read well."""
    operators = content["operators"]
    assert isinstance(operators, dict)
    lines = ",\n".join(f"    {json.dumps(n)}: {json.dumps(of)}" for n, of in operators.items())
    return f'{{\n  "onnx": "{content["onnx"]}",\n  "operators": {{\n{lines}\n  }}\n}}\n'


if __name__ == "__main__":
    TABLE.write_text(written(table()), "utf-8")
