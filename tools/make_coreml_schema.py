"""Write the fields of Core ML's messages into `inspector/formats/coreml/schema.json`.

Needs coremltools, whose protobuf classes carry the public schema:
`python -m tools.make_coreml_schema` in an environment that has it.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "inspector/formats/coreml/schema.json"
_NUMBERS = {
    1: "double", 2: "float", 3: "int", 4: "uint", 5: "int", 8: "bool", 9: "text", 12: "bytes",
    13: "uint", 14: "enum", 11: "message",
}  # fmt: skip


def schema() -> dict[str, dict[str, Any]]:
    """Return (name, type, repeated) of the fields of each message, and the names of enums."""
    model = import_module("coremltools.proto.Model_pb2").Model.DESCRIPTOR
    messages: dict[str, Any] = {}
    enums: dict[str, Any] = {}
    left = [model]
    while left:
        message = left.pop()
        if message.full_name in messages:
            continue
        fields = messages[message.full_name] = {}
        for field in message.fields:
            kind = _NUMBERS[field.type]
            if kind == "message":
                kind = _short(field.message_type)
                left.append(field.message_type)
            elif kind == "enum":
                kind = f"={_short(field.enum_type)}"
                enums[_short(field.enum_type)] = {
                    v.number: v.name for v in field.enum_type.values
                }
            many = "*" if field.is_repeated else ""
            fields[field.number] = f"{field.name} {kind}{many}"
    return {
        "messages": {_name(name): messages[name] for name in sorted(messages)},
        "enums": dict(sorted(enums.items())),
    }


def _short(descriptor: Any) -> str:
    return _name(descriptor.full_name)


def _name(full: str) -> str:
    return full.removeprefix("CoreML.Specification.").removeprefix("CoreML.")


def main() -> None:
    """Write the file."""
    parts = []
    for part, entries in schema().items():
        rows = [f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in entries.items()]
        parts.append(f'"{part}": {{\n' + ",\n".join(rows) + "\n}")
    TARGET.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
