"""Write down TensorFlow Lite's operators, their options and versions, from LiteRT's sources.

Inspector reads .tflite files without the runtime; it has these tables instead. In a clone of
google-ai-edge/LiteRT, run it again with a new release:
`python tools/make_tflite_tables.py CLONE`.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "inspector"
OPTIONS = PACKAGE / "formats" / "tflite" / "operators.json"
VERSIONS = PACKAGE / "analysis" / "facts" / "tflite_versions.json"
_SCHEMA = "tflite/converter/schema/schema.fbs"
_RUNTIMES = "tflite/converter/tools/versioning/runtime_version.cc"
# Types of FlatBuffers -> codes of the module struct.
_CODES = {
    "bool": "?", "byte": "b", "int8": "b", "ubyte": "B", "uint8": "B", "short": "h",
    "ushort": "H", "int": "i", "int32": "i", "uint": "I", "long": "q", "int64": "q",
    "ulong": "Q", "float": "f", "double": "d",
}  # fmt: skip
_DEFAULTS = {"true": "1", "false": "0", "": "0"}
_UNIONS = ("BuiltinOptions", "BuiltinOptions2")
_VERSION = re.compile(r"\{\{BuiltinOperator_(\w+),\s*(\d+)\},\s*\"([\d.]+)\"\}")


def _text(clone: Path, path: str) -> str:
    command = ["git", "-C", str(clone), "show", f"HEAD:{path}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _blocks(schema: str, kind: str) -> dict[str, tuple[str, str]]:
    """Return name -> (what follows the name, body) of all enums, unions or tables."""
    schema = re.sub(r"//[^\n]*", "", schema)
    found = re.finditer(rf"^{kind}\s+(\w+)([^{{]*)\{{([^}}]*)\}}", schema, re.MULTILINE)
    return {match[1]: (match[2], match[3]) for match in found}


def _members(body: str) -> list[tuple[str, int]]:
    """Return the members of an enum with their numbers."""
    members, number = [], 0
    for entry in filter(None, (part.strip() for part in body.split(","))):
        name, _, value = entry.partition("=")
        number = int(re.sub(r"\(.*", "", value)) if value.strip() else number
        members.append((name.strip().split()[0], number))
        number += 1
    return members


def _fields(
    body: str, enums: dict[str, tuple[str, str]], unions: set[str]
) -> list[list[object]]:
    """Return [number, name, code of the type, enum] of a table's fields; a vector is "[i]"."""
    fields: list[list[object]] = []
    number = 0
    for entry in filter(None, (part.strip() for part in body.split(";"))):
        name, _, rest = (part.strip() for part in entry.partition(":"))
        kind, _, default = (part.strip() for part in re.sub(r"\(.*", "", rest).partition("="))
        inner = kind.strip("[] ")
        number += inner in unions  # its type comes before it
        code = "s" if inner == "string" else _CODES.get(_base(enums, inner), "")
        if code and "deprecated" not in entry:
            code = f"[{code}]" if kind.startswith("[") else code
            members = dict(_members(enums[inner][1])) if inner in enums else {}
            value = members[default] if default in members else _DEFAULTS.get(default, default)
            fields.append([number, name, code, inner if inner in enums else "", int(value)])
        number += 1
    return fields


def _base(enums: dict[str, tuple[str, str]], name: str) -> str:
    """Return the type of an enum's numbers; of another type, itself."""
    return enums[name][0].strip(" :\n") if name in enums else name


def options(clone: Path) -> dict[str, object]:
    """Return operators by number, their options and the enums that these use."""
    schema = _text(clone, _SCHEMA)
    enums, unions, tables = (_blocks(schema, kind) for kind in ("enum", "union", "table"))
    listed = {
        union: [entry.split()[0] for entry in unions[union][1].split(",") if entry.strip()]
        for union in _UNIONS
    }
    fields = {
        name: _fields(tables[name][1], enums, set(unions))
        for name in sorted({name for names in listed.values() for name in names})
    }
    used = sorted({str(row[3]) for rows in fields.values() for row in rows if row[3]})
    return {
        "operators": dict(
            sorted((number, name) for name, number in _members(enums["BuiltinOperator"][1]))
        ),
        "unions": listed,
        "enums": {
            name: {number: member for member, number in _members(enums[name][1])}
            for name in used
        },
        "options": fields,
    }


def versions(clone: Path) -> dict[str, object]:
    """Return operator -> version -> first runtime that has it."""
    found: dict[str, dict[str, str]] = {}
    for operator, version, runtime in _VERSION.findall(_text(clone, _RUNTIMES)):
        found.setdefault(operator, {})[version] = runtime.removesuffix(".0")
    return {"operators": dict(sorted(found.items()))}


def _written(content: dict[str, object], commit: str, path: str) -> str:
    """Lay a table out with one entry a line, so that changes read well."""
    parts = [f'  "source": "google-ai-edge/LiteRT {commit[:12]}, {path}"']
    for section, entries in content.items():
        assert isinstance(entries, dict)
        lines = (f"    {json.dumps(str(k))}: {json.dumps(v)}" for k, v in entries.items())
        parts.append(f"  {json.dumps(section)}: {{\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    clone = Path(sys.argv[1])
    command = ["git", "-C", str(clone), "rev-parse", "HEAD"]
    commit = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    OPTIONS.write_text(_written(options(clone), commit, _SCHEMA), "utf-8")
    VERSIONS.write_text(_written(versions(clone), commit, _RUNTIMES), "utf-8")
