"""Write resources/schemas: what the JSON of this program looks like, for other programs.

Run it from the repository root after a change to the report: `python -m tools.make_schemas`.
"""

from typing import Any

import msgspec

from inspector import files
from inspector.report import SCHEMA, PerformanceReport


def report_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of report/1; fields that it does not name may come."""
    _, components = msgspec.json.schema_components(
        (PerformanceReport,), schema_hook=_column, ref_template="#/$defs/{name}"
    )
    body = components.pop("PerformanceReport")
    body["properties"] = {"schema": {"const": SCHEMA}} | body["properties"]
    body["title"] = f"Performance report of Inspector, {SCHEMA}"
    body["required"] = ["schema", *body["required"]]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return head | body | {"$defs": components}


def _column(kind: type) -> dict[str, Any]:
    """A column of the trace is a list of integers."""
    return {"type": "array", "items": {"type": "integer"}}


def main() -> None:
    """Write the files."""
    body = msgspec.json.format(msgspec.json.encode(report_schema()), indent=2)
    target = files.resource("schemas", "report-1.schema.json")
    target.parent.mkdir(exist_ok=True)
    files.write_atomic(target, body + b"\n")


if __name__ == "__main__":
    main()
