"""Write resources/schemas and docs/json.md: what our JSON looks like, for other programs.

Run it from the repository root after a change to the report: `python -m tools.make_schemas`.
"""

import inspect
from typing import Any

import msgspec

from inspector.analysis.devices import known_devices
from inspector.conversion import action
from inspector.platform import files
from inspector.report import improvement, report, sensitivity, sweep, tuning
from inspector.report.language import quality
from inspector.report.run_spec import SETTINGS
from inspector.report.settings import Setting, SettingKind
from tools import make_json_page

PUBLISHED: dict[str, tuple[type, str]] = {
    report.SCHEMA: (report.PerformanceReport, "Performance report"),
    sweep.SCHEMA: (sweep.Sweep, "Sweep"),
    tuning.SCHEMA: (tuning.Tuning, "Search for the best settings"),
    improvement.SCHEMA: (improvement.Improvement, "Search for a smaller or faster model"),
    sensitivity.SCHEMA: (sensitivity.Sensitivity, "Loss from quantization by layer"),
    quality.SCHEMA: (quality.Quality, "Quality of a language model on a text"),
    action.SCHEMA: (action.Recipe, "Recipe of a conversion"),
    known_devices.SCHEMA: (known_devices.DeviceFile, "Devices to estimate for"),
}


# Fields that are printed beside those of the saved file, which is read without them.
PRINTED: dict[str, dict[str, Any]] = {
    report.SCHEMA: {
        "derived": {
            "type": "object",
            "description": "What follows from the rest: latency, advice, summary.",
        },
        "comparison": {
            "type": "object",
            "description": "With --against or --baseline: the object comparison/1.",
        },
        "conditions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "name": {"type": "string"},
                    "outcome": {"enum": ["holds", "does not hold", "undecided"]},
                    "verdict": {"enum": ["fail", "pass", "inconclusive"]},
                    "words": {"type": "string"},
                },
                "required": ["text", "name", "outcome", "verdict", "words"],
            },
            "description": "With --fail-if: each condition, its verdict and its numbers.",
        },
    }
}


def schema_of(name: str) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one of PUBLISHED; other fields may come."""
    kind, title = PUBLISHED[name]
    _, components = msgspec.json.schema_components(
        (kind,), schema_hook=_column, ref_template="#/$defs/{name}"
    )
    body: dict[str, Any] = components.pop(kind.__name__)
    if "Counter" in components:  # its values are no integers; the hook is not told of what
        components["Counter"]["properties"]["values"]["items"] = {"type": "number"}
    own = {key: each for key, each in body["properties"].items() if key != "schema"}
    own |= PRINTED.get(name, {})
    body["properties"] = {"schema": {"const": name}} | own
    body["title"] = f"{title} of Inspector, {name}"
    body["required"] = list(dict.fromkeys(("schema", *body.get("required", ()))))
    for each in (body, *components.values()):
        if "description" in each:  # before Python 3.13 with the indentation of the code
            each["description"] = inspect.cleandoc(each["description"])
    for field, each in components.get("RunSpec", {"properties": {}})["properties"].items():
        each["description"] = meaning(SETTINGS[field])
    whole: dict[str, Any] = _null_last(head(name) | body | {"$defs": components})
    return whole


def head(name: str) -> dict[str, Any]:
    """Return how a schema begins: its dialect, its name as a URI, and the version in it."""
    kind, version = name.split("/")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:onnx-inspector:schema:{kind}:{version}",
        "version": int(version),
    }


def meaning(setting: Setting) -> str:
    """Return what the value of a setting means, in sentences."""
    parts = [setting.about.rstrip(".")]
    if setting.choices:
        parts.append(f"One of {', '.join(setting.choices)}")
    if setting.kind is SettingKind.SECONDS:
        parts.append("In seconds")
    if setting.kind is SettingKind.SHARE:
        parts.append("A share of 1")
    if setting.zero:
        parts.append(f"0: {setting.zero.lower()}")
    return "".join(f"{part}. " for part in parts).rstrip()


def _null_last(body: Any) -> Any:
    """Return a schema whose alternatives end with null, which msgspec 0.21 puts first."""
    if isinstance(body, list):
        return [_null_last(each) for each in body]
    if not isinstance(body, dict):
        return body
    whole = {key: _null_last(each) for key, each in body.items()}
    if "anyOf" in whole:
        whole["anyOf"].sort(key=lambda each: each == {"type": "null"})
    return whole


def file_name(schema: str) -> str:
    """Return the file name of a schema: 'report/1' -> 'report-1.schema.json'."""
    return f"{schema.replace('/', '-')}.schema.json"


def _column(kind: type) -> dict[str, Any]:
    """A column of the trace is a list of integers."""
    return {"type": "array", "items": {"type": "integer"}}


def main() -> None:
    """Write the files, and the page about their fields."""
    for name in PUBLISHED:
        body = msgspec.json.format(msgspec.json.encode(schema_of(name)), indent=2)
        target = files.resource("schemas", file_name(name))
        target.parent.mkdir(exist_ok=True)
        files.write_atomic(target, body + b"\n")
    make_json_page.write({name: schema_of(name) for name in PUBLISHED})


if __name__ == "__main__":
    main()
