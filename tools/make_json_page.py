"""Write the second half of docs/json.md: the fields of saved files, from the types of the code.

`python -m tools.make_schemas` runs it, too, because both change with the same types.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

ENUMS: dict[str, tuple[str, ...]] = {}  # values of enumerations, by name; filled by `generated`
PAGE = Path(__file__).parents[1] / "docs" / "json.md"
MARK = "<!-- Generated below: run python -m tools.make_schemas -->\n"


def _lines(schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    shared: dict[str, Mapping[str, Any]] = {}
    yield "## Saved files\n"
    yield "Reports, sweeps and searches are saved as they are printed. A field that has a"
    yield "default may be absent in a file.\n"
    for name, schema in schemas.items():
        yield f"### {name}\n"
        yield from _object_lines(schema)
        shared |= {key: body for key, body in schema["$defs"].items() if body.get("properties")}
    yield "## Objects inside\n"
    for name, body in sorted(shared.items()):
        yield f"### {name}\n"
        yield from _object_lines(body)


def _object_lines(schema: Mapping[str, Any]) -> Iterator[str]:
    description = str(schema.get("description", ""))
    meanings = meanings_of(description, schema["properties"])
    if summary := description.partition("\n")[0]:
        yield f"{summary}\n"
    for name, body in schema["properties"].items():
        described = str(body.get("description", ""))
        told = described or meanings.get(name, "")
        meaning = f": {told}" if told else ""
        yield f"- `{name}` ({type_text(body)}{_default(body)}){meaning}"
    yield ""


def meanings_of(description: str, names: Collection[str]) -> dict[str, str]:
    """Return what a docstring says of each name, as "name, other: text." anywhere in it."""
    name = "|".join(map(re.escape, names))
    fields = re.compile(
        rf"(?:^|(?<=\. )|(?<=\.\n))[ \t]*((?:{name})(?:, (?:{name}))*):\s", re.M
    )
    # The first line is the summary; an empty line ends a field. Where lines that continue a
    # field are indented, one that is not ends it, too.
    body = description.partition("\n")[2]
    if re.search(r"^[ \t]+\S", body, re.M):
        body = re.sub(r"\n(?=\S)(?!(?:" + name + r")\b)", "\n\n", body)
    starts = list(fields.finditer(body))
    meanings: dict[str, str] = {}
    for match, following in zip_longest(starts, starts[1:]):
        end = following.start() if following else len(body)
        text = " ".join(body[match.end() : end].partition("\n\n")[0].split())
        meanings |= dict.fromkeys(match[1].split(", "), text)
    return meanings


def _default(body: Mapping[str, Any]) -> str:
    value = body.get("default")
    if isinstance(value, bool):
        return f", default {str(value).lower()}"
    return f", default {value}" if isinstance(value, int | float) or value else ""


def type_text(body: Mapping[str, Any]) -> str:
    """Return the text of a JSON Schema's type, with links to the objects of the page."""
    if "$ref" in body:
        name = str(body["$ref"]).rpartition("/")[2]
        if name in ENUMS:
            return "one of " + ", ".join(f"`{value}`" for value in ENUMS[name])
        return f"[{name}](#{name.lower()})"
    if "anyOf" in body:
        return " or ".join(type_text(each) for each in body["anyOf"])
    if "const" in body:
        return f"`{body['const']}`"
    if "enum" in body:
        return "one of " + ", ".join(f"`{value}`" for value in body["enum"])
    if body.get("type") == "array":
        if items := body.get("prefixItems"):
            return "list of " + ", ".join(type_text(each) for each in items)
        items = body.get("items")
        return f"list of {type_text(items)}" if items else "list"
    if body.get("type") == "object" and isinstance(body.get("additionalProperties"), Mapping):
        return f"object of {type_text(body['additionalProperties'])}"
    return str(body.get("type", "any value"))


def generated(schemas: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the generated half, with enumerations written out where they are used."""
    for schema in schemas.values():
        for name, body in schema["$defs"].items():
            if "enum" in body:
                ENUMS[name] = tuple(map(str, body["enum"]))
    return MARK + "\n" + "\n".join(_lines(schemas))


def write(schemas: Mapping[str, Mapping[str, Any]]) -> None:
    """Replace the generated half of the page."""
    head = PAGE.read_text("utf-8").partition(MARK)[0]
    PAGE.write_text(head + generated(schemas), "utf-8")
