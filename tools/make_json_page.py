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
# What a field means where the docstring of its object does not say: by object and field, or by
# field alone where that is the same in all objects.
COMMON = {
    "schema": "name and version of the format",
    "model": "file name of the model",
    "sha256": "SHA-256 of the model file",
    "device": "ID of the device",
    "made_by": "packages that wrote the file, each with its version",
    "notes": "sentences for display",
    "operator": "operator type, such as Conv",
    "action": "ID of the action",
    "size_bytes": "size of the file",
    "sqnr_db": "signal-to-quantization-noise ratio in dB",
    "dtype": "data type",
    "shape": "lengths or names of the axes",
    "low": "lower end of the 95% interval",
    "high": "upper end of the 95% interval",
    "level": "verdict",
    "text_tokens": "number of tokens of the text",
    "not_finite": "tokens whose probability was NaN or infinite",
    "other_not_finite": "such tokens of the other model",
    "agreement_most": "tokens that were compared at most",
    "parts_total": "number of all parts",
    "context": "tokens in the cache",
    "total": "number of all layers that can be changed",
    "Candidate.name": "name for display",
    "Candidate.of_levels": "number of levels that were tried",
    "ConditionOutcome.text": "the condition as it was given",
    "ConditionOutcome.outcome": "whether it is true",
    "ConditionOutcome.words": "the numbers behind the outcome",
    "CurvePoint.median_ns": "median time of a step",
    "CurvePoint.low_ns": "10th percentile",
    "CurvePoint.high_ns": "90th percentile",
    "DeclaredValue.name": "name of the input or output",
    "DataSet.folder": "path of the folder",
    "DataSet.inputs": "number of files",
    "Estimate.value": "the estimate",
    "FileAnswer.of_box": "whether the score is that of a detected box",
    "FileAnswer.problem": "why the file has no answer, or an empty string",
    "InputResult.file": "path within the folder",
    "InputResult.original": "answer of the original",
    "InputResult.candidate": "answer of the candidate",
    "InputResult.original_score": "probability of the original's answer",
    "InputResult.candidate_score": "probability of the candidate's answer",
    "InputResult.truth": "true answer, or an empty string",
    "KeptPoint.kept": "number of layers kept in float",
    "KnownDevice.id": "ID of the device",
    "KnownDevice.title": "name for display",
    "KnownDevice.sources": "pages that state the figures",
    "Latency.p50_ns": "median",
    "Latency.p95_ns": "95th percentile",
    "Latency.load_ns": "time to load the model",
    "Latency.reason": "why the verdict is inconclusive, or an empty string",
    "LayerError.name": "name of the layer",
    "LayerSensitivity.name": "name of the layer",
    "LayerSensitivity.weights_db": "SQNR when only the weights of the layer are quantized",
    "LayerSensitivity.values_db": "SQNR when only the outputs of the layer are quantized",
    "ModelResults.file_count": "number of files in the folder",
    "OutputVerdict.input_kind": "kind of the compared inputs",
    "PhaseLayers.phase": "prefill or decode",
    "PhaseLayers.tokens": "tokens that the phase processes",
    "PreviewedPrediction.pixels": "bytes of the small copy, RGB, row by row",
    "Rates.bytes_per_second": "peak memory bandwidth",
    "RunPart.name": "name of the part",
    "RunPart.time_ns": "mean time in one run",
    "Source.states": "what the page says",
    "Source.url": "address of the page",
    "Source.date": "when the page was read",
    "Step.options": "options as name and value",
    "StepResult.step": "the step as text; empty for the original",
    "StepResult.layers": "number of layers",
    "StepResult.low_ns": "lower end of the 95% interval",
    "StepResult.high_ns": "upper end of the 95% interval",
    "TargetLayers.target": "ID of the target",
}
MARK = "<!-- Generated below: run python -m tools.make_schemas -->\n"


def _lines(schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    shared: dict[str, Mapping[str, Any]] = {}
    yield "## Saved files\n"
    yield "Reports, sweeps and searches are saved as they are printed. A field that has a"
    yield "default may be absent in a file.\n"
    for name, schema in schemas.items():
        yield f"### {name}\n"
        yield from _object_lines(schema, "")
        shared |= {key: body for key, body in schema["$defs"].items() if body.get("properties")}
    yield "## Objects inside\n"
    for name, body in sorted(shared.items()):
        yield f"### {name}\n"
        yield from _object_lines(body, name)


def _object_lines(schema: Mapping[str, Any], kind: str) -> Iterator[str]:
    description = str(schema.get("description", ""))
    meanings = meanings_of(description, schema["properties"])
    if summary := description.partition("\n")[0]:
        yield f"{summary}\n"
    for name, body in schema["properties"].items():
        described = str(body.get("description", ""))
        told = described or meanings.get(name, "")
        told = told or COMMON.get(f"{kind}.{name}", "") or COMMON.get(name, "")
        told = re.sub(r"\bNone\b", "null", told)  # as JSON writes it
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
