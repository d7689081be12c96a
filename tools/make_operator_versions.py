"""Write down when each standard operator came and changed, from the schemas of `onnx`.

`inspector.analysis.facts` may not load onnx; it reads this table instead. Run it again with a
new release of onnx: `python tools/make_operator_versions.py`.
"""

import json
from pathlib import Path

import onnx
from onnx.defs import get_all_schemas_with_history, onnx_opset_version

TABLE = (
    Path(__file__).parent.parent / "inspector" / "analysis" / "facts" / "operator_versions.json"
)


def table() -> dict[str, object]:
    """Return operator -> versions of its operator set in which it came or changed."""
    versions: dict[str, set[int]] = {}
    for schema in get_all_schemas_with_history():
        name = f"{schema.domain}.{schema.name}" if schema.domain else schema.name
        versions.setdefault(name, set()).add(schema.since_version)
    operators = {name: sorted(numbers) for name, numbers in sorted(versions.items())}
    return {"onnx": onnx.__version__, "opset": onnx_opset_version(), "operators": operators}


def written(content: dict[str, object]) -> str:
    """Lay the table out with one operator a line, so that changes read well."""
    operators = content["operators"]
    assert isinstance(operators, dict)
    lines = ",\n".join(f"    {json.dumps(name)}: {since}" for name, since in operators.items())
    head = f'{{\n  "onnx": "{content["onnx"]}",\n  "opset": {content["opset"]},'
    return f'{head}\n  "operators": {{\n{lines}\n  }}\n}}\n'


if __name__ == "__main__":
    TABLE.write_text(written(table()), "utf-8")
