"""Write support tables of TensorFlow Lite's delegates from LiteRT's sources.

What a delegate asks of an operator is a switch in C++: its versions, types and constant inputs
are read here; a condition that is not becomes "unchecked", so that nothing is promised which
was not checked. In a clone of google-ai-edge/LiteRT:
`python tools/make_delegate_tables.py CLONE`.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.make_support_tables import written

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "resources" / "support"
OPERATORS = ROOT / "inspector" / "formats" / "tflite" / "operators.json"
_REST = "whether further conditions of the delegate hold"
_TYPES = {
    "Float32": "float32", "Float16": "float16", "UInt8": "uint8", "Int8": "int8",
    "Int16": "int16", "Int32": "int32", "Int64": "int64", "Bool": "bool",
}  # fmt: skip
_CASE = re.compile(r"case kTfLiteBuiltin(\w+):")
# What is left of a block that has no further conditions.
_PLAIN = re.compile(r"[{}\s]|return (true|absl::OkStatus\(\));|break;|default:")
Block = tuple[list[str], str]


def _source(clone: Path, *words: str) -> str:
    command = ["git", "-C", str(clone), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _names() -> dict[str, str]:
    """Return an operator's name as C++ spells it, in lower case -> its name in the format."""
    table = json.loads(OPERATORS.read_bytes())["operators"].values()
    return {name.replace("_", "").lower(): name for name in table}


def _blocks(text: str) -> Iterator[Block]:
    """Yield the operators of each block of a switch, and its code without comments."""
    text = re.sub(r"//[^\n]*", "", text)
    names, labels = _names(), list[str]()
    matches = [*_CASE.finditer(text)]
    for place, match in enumerate(matches):
        labels.append(names[match[1].lower()])
        end = matches[place + 1].start() if place + 1 < len(matches) else len(text)
        body = text[match.end() : end].partition("default:")[0]
        if body.strip(" \n{"):
            yield labels, body
            labels = []


def _rule(operators: list[str], checks: list[Any], file: str) -> dict[str, Any]:
    return {"operators": operators, "file": file, "checks": checks}


def _type_lists(body: str) -> tuple[list[Any], str]:
    """Return checks of the types that InputsWithCorrectTypes lists, and the code without."""
    checks: list[Any] = []
    calls = re.findall(r"InputsWithCorrectTypes\(\s*node,\s*context,\s*\{(.*?)\}\)", body, re.S)
    for place, kinds in enumerate(re.findall(r"\{([^}]*)\}", calls[0] + "}")) if calls else ():
        found = [_TYPES[kind] for kind in re.findall(r"kTfLite(\w+)", kinds) if kind in _TYPES]
        if "NoType" not in kinds:
            checks.append(["type", place, " ".join(found)])
    rest = re.sub(
        r"InputsWithCorrectTypes\(\s*node,\s*context,\s*\{.*?\}\)", "", body, flags=re.S
    )
    return checks, rest


_ACTIVATIONS = ["NONE", "RELU", "RELU6", "RELU_N1_TO_1"]
# What is checked in C++ -> the condition. Its parts name an attribute where it has one.
_CHECKED = (
    (r"IsActivationReluOrNone\(\w+->activation\)",
     lambda m: ["attribute", "fused_activation_function", "NONE", _ACTIVATIONS]),
    (r"\w+->activation == kTfLiteActNone",
     lambda m: ["attribute", "fused_activation_function", "NONE", ["NONE"]]),
    (r"\w+->stride_(h|w)\w+ <= 3", lambda m: ["attribute", f"stride_{m[1]}", "1", [1, 2, 3]]),
    (r"\w+->dilation_(h|w)\w+_factor == 1",
     lambda m: ["attribute", f"dilation_{m[1]}_factor", "1", [1]]),
    (r"IsConstantTensor\(GetInput\(context, node, (\d)\)\)",
     lambda m: ["constant", int(m[1])]),
)  # fmt: skip
# What says nothing by itself once the conditions are taken out.
_WORDS = re.compile(
    r"const TfLite\w+\* \w+ =\s*reinterpret_cast<const TfLite\w+\*>\(\s*node->builtin_data\);"
    r"|return false;|return|if|[\s{}();!&|]"
)


def _conditions(body: str) -> list[Any]:
    """Return the conditions of a block, and one that is unchecked if there is more."""
    checks, rest = _type_lists(body)
    for pattern, made in _CHECKED:
        checks += [made(match) for match in re.finditer(pattern, rest)]
        rest = re.sub(pattern, "", rest)
    return [*checks, ["unchecked", _REST]] if _WORDS.sub("", rest) else checks


def hexagon(clone: Path) -> list[dict[str, Any]]:
    """Return the rules of the Hexagon delegate."""
    file = "tflite/delegates/hexagon/utils.cc"
    text = _source(clone, "show", f"HEAD:{file}")
    versions, _, support = text.partition("bool IsNodeSupportedByHexagon(")
    limits: dict[str, tuple[int, int]] = {}
    for operators, body in _blocks(versions.partition("bool CheckOpVersion(")[2]):
        match = re.search(r"version (<=|==) (\d+)", body)
        assert match is not None, "each block limits the version"
        last = int(match[2])
        limits |= dict.fromkeys(operators, (1 if match[1] == "<=" else last, last))
    rules = []
    for operators, body in _blocks(support):
        if re.fullmatch(r"\s*return false;\s*", body):
            continue
        for operator in operators:
            checks = [["opset", *limits.get(operator, (1, 1))], ["ranks", 4]]
            rules.append(_rule([operator], [*checks, *_conditions(body)], file))
    return rules


def core_ml(clone: Path) -> list[dict[str, Any]]:
    """Return the rules of the Core ML delegate, which takes float32 only."""
    file = "tflite/delegates/coreml/coreml_delegate.mm"
    text = _source(clone, "show", f"HEAD:{file}").rpartition(
        "switch (registration->builtin_code)"
    )
    rules = []
    for operators, body in _blocks(text[2].partition("class CoreMlDelegate")[0]):
        place = 2 if operators == ["TRANSPOSE_CONV"] else 0
        checks: list[Any] = [["type", place, "float32"]]
        if "params->activation == kTfLiteActNone" in body:
            checks.append(["attribute", "fused_activation_function", "NONE", ["NONE"]])
        elif "softmax_params->beta == 1.0" in body:
            checks.append(["attribute", "beta", "0", ["1"]])
        elif _PLAIN.sub("", body):
            checks.append(["unchecked", _REST])
        rules.append(_rule(operators, checks, file))
    return rules


def nnapi(clone: Path) -> list[dict[str, Any]]:
    """Return the rules of the NNAPI delegate."""
    file = "tflite/delegates/nnapi/nnapi_delegate.cc"
    text = _source(clone, "show", f"HEAD:{file}").partition(
        "bool NNAPIDelegateKernel::Validate("
    )
    rules = []
    for operators, body in _blocks(text[2].partition("NNAPIDelegateKernel::Map(")[0]):
        checks: list[Any] = []
        found = re.findall(r"Expect(?:Max)?OpVersion\(version, (\d+)", body)
        if found:
            checks.append(["opset", 1, max(map(int, found))])
        if "ExpectIsFloatOrQuant8Operator" in body:
            checks.append(["type", 0, "float32 uint8 int8"])
        elif "ExpectIsFloatOperator" in body:
            checks.append(["type", 0, "float32"])
        rules.append(_rule(operators, [*checks, ["unchecked", _REST]], file))
    return rules


def gpu(clone: Path) -> list[dict[str, Any]]:
    """Return the rules of the GPU delegate; quantized inputs are an option that is on."""
    file = "tflite/tools/versioning/gpu_compatibility.cc"
    text = _source(clone, "show", f"HEAD:{file}")
    start = "absl::Status CheckGpuDelegateCompatibility(const OpSignature& op_sig,"
    rules = []
    for operators, body in _blocks(text.partition(start)[2]):
        checks: list[Any] = [] if not _PLAIN.sub("", body) else [["unchecked", _REST]]
        rules.append(_rule([each for each in operators if each != "CUSTOM"], checks, file))
    return rules


def qnn(clone: Path) -> list[dict[str, Any]]:
    """Return the rules of Qualcomm's plugin, which lists operators; QNN decides on each."""
    file = "litert/vendors/qualcomm/compiler/qnn_compose_graph.cc"
    text, names = _source(clone, "show", f"HEAD:{file}"), _names()
    found = re.findall(r"builders\[kLiteRtOpCodeTfl(\w+)\]", text)
    operators = [names[name.lower()] for name in found if name.lower() in names]
    return [_rule(operators, [["unchecked", "what QNN itself asks of the operator"]], file)]


TABLES = {
    "gpu-delegate": (
        "GPU delegate", "TfLiteGpuDelegate", gpu, "quantized models allowed, the default"
    ),
    "nnapi-delegate": (
        "NNAPI delegate", "StatefulNnApiDelegate", nnapi, "a recent Android release"
    ),
    "coreml-delegate": ("Core ML delegate", "TfLiteCoreMlDelegate", core_ml, "iOS 13 or later"),
    "hexagon-delegate": (
        "Hexagon delegate", "TfLiteHexagonDelegate", hexagon, "a Qualcomm Hexagon DSP"
    ),
    "qnn-delegate": ("QNN plugin", "LiteRtQualcommPlugin", qnn, "a Qualcomm chip with an NPU"),
}  # fmt: skip


def main() -> None:
    """Write one file for each delegate."""
    clone = Path(sys.argv[1])
    commit, date = _source(clone, "log", "-1", "--format=%H %cs").split()
    for device, (name, provider, rules, assumes) in TABLES.items():
        made = [rule for rule in rules(clone) if rule["operators"]]
        head = {
            "schema": "support-table/2", "provider": provider, "source": "LiteRT", "date": date,
            "repository": "google-ai-edge/LiteRT", "commit": commit, "folder": "",
            "devices": {device: {"name": name, "options": [], "assumes": assumes}},
            "registry": made[0]["file"], "subgraphs": "unknown", "quantized_groups": "",
            "every": [], "by_name": True,
        }  # fmt: skip
        (TARGET / f"{device}.json").write_text(written(head | {"rules": made}), "utf-8")


if __name__ == "__main__":
    main()
