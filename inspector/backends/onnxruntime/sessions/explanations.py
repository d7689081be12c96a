"""Turn an error of ONNX Runtime into a message: the cause, the layer, and what to do.

Loaded once there is an error: to compile all patterns takes 25 ms.
"""

import re
from collections.abc import Iterable

from msgspec import Struct

from inspector.analysis.facts.requirements import first_opset, other_domains
from inspector.backends.onnxruntime.sessions import known_refusals
from inspector.errors import EngineFailed
from inspector.formats.onnx.element_types import ELEMENTS
from inspector.units import capitalized, clip

# For a message that no rule knows, by what was under way.
_OTHERWISE = {
    "load": "Check the layers in the Graph tab; `inspector info MODEL --validate` shows "
    "which programs can load the model.",
    "devices": (
        "Update its driver and its package; `inspector devices` lists the installed ones."
    ),
}
_WHEN_RUNNING = (
    "Check the layer's inputs in the Graph tab; other values (--input NAME=VALUE), other "
    "sizes of dynamic axes (--dim NAME=N) or the CPU may work."
)
_CHECK_FAILED = "a check inside ONNX Runtime failed"
# How the runtime names a node: by place and schema, or by name and operator only.
_IN_NODE = re.compile(
    r"In Node, \(\"?(?P<name>[^,\"]*)\"?, (?P<operator>\w+), .*?\) , Error (?P<rest>.*)",
    re.DOTALL,
)
_AT_NODE = re.compile(
    r"Node \((?P<name>[^)]*)\) Op \((?P<operator>\w+)\) (?:\[\w+\] )?(?P<rest>.*)", re.DOTALL
)
_OF_TYPES = re.compile(
    r"(?:of operator|of Optype) \((?P<operator>\w+)\).{0,300}?in node \((?P<name>[^)]*)\)",
    re.DOTALL,
)
_MAKING = re.compile(r"\b(?P<kernel>\w+)(?:<[^<>]*>)?::(?P=kernel)\(")
_NO_OPERATOR = re.compile(
    r"No Op registered for (?P<operator>\w+) with domain_version of (?P<version>-?\d{1,9})"
)
# A node with inner graphs (If, Loop) is told first, and the inner node that failed last: the
# greedy start finds the last one, the only one that another device or setting can help.
_RUNNING = re.compile(
    r"\A.*Non-zero status code returned while running (?P<operator>\w+) node\. "
    r"Name:'(?P<name>[^']*)' Status Message: ?(?P<rest>.*)",
    re.DOTALL,
)
_CODE = re.compile(r"\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ")
_LOADING = re.compile(r"Load model from .*? failed:\s*", re.DOTALL)
# Some messages begin with the runtime's own source file and line, then the whole signature
# of the C++ function where the file has a folder, else with its bare name.
_SOURCE = re.compile(r"(?P<folder>\S*[\\/])?[\w.]+\.(?:cc|cpp|cxx|h|hpp|inc|cu|cuh|mm):\d+ ")
_FUNCTION = re.compile(r"[\w:<>~]+(?:\(\))? ")
_SIGNATURE_END = re.compile(r"^(?: const)?(?: \[with [^\]]*\])? ")
_CONDITION = re.compile(
    r"^.{0,1000}? was false\.(?: |\s*\Z)", re.DOTALL
)  # WebGPU's has 330 letters
_NOISE = re.compile(
    r"^(?:Exception during initialization: |Fatal error: |Error: |This is an invalid model\. "
    r"|Failed to load model with error: |Type Error: )+"
)
_FOLDER = re.compile(r"(?:\b[A-Za-z]:)?(?:[\\/]+[^\\/\s\"':,]+)+[\\/]+(?=[^\\/\s\"':,]+)")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_IN = re.compile(r" \(in [^()]*(?:\([^()]*\))?[^()]*\)$")
_SENTENCE_END = re.compile(r"\.(?=\s|$)|\n")
# What only a reader of C++ understands; a sentence that holds it is not passed on.
_CODE_LIKE = re.compile(
    r"::|->|&&|\|\||[=!<>]=|\bstd\b|nullptr|\boperator\(\)|\w+\(\)|<lambda|\[with|\bconst\b"
    r"|\b[a-z]\w*_(?!\w)|\.(?:cc|cpp|h|cu):\d|static_cast|unordered_map|was false"
)
_MEMBER = re.compile(r"\b([a-z][a-z0-9_]{2,}?)_(?!\w)")  # kernels keep an attribute so
_ONE_OF_SEVERAL = re.compile(
    r"(?<![-.,×\w])1 (values|channels|bytes|inputs|outputs|labels|axes)\b"
)
_SINGULAR = {"axes": "axis"}  # the others lose their s
_MAX_CHARS = 3000  # a hostile name makes a message of megabytes; the patterns would take hours


def explain_missing_operator(name: str, opset: int) -> tuple[str, str]:
    """Return why there is no operator of that name in the default domain, and a hint.

    opset: that the model imports of the default domain.
    """
    missing = f"opset {opset} has no operator {name[:80]}"
    first, domains = first_opset(name), other_domains(name)
    move = (
        ""
        if not domains
        else (f"set the domain of its node to '{domains[0]}' and import that domain")
    )
    if first is not None and first > opset:
        later = f"Export the model again with opset {first} or later"
        return missing, f"{later}, or {move}." if move else f"{later}."
    if move:
        why = (
            f"the operator {name[:80]} belongs to the domain '{domains[0]}', but the "
            "node has no domain"
        )
        return why, f"{capitalized(move)}, or export the model again."
    if first is not None:
        return missing, "Export the model again with an opset that has it."
    return f"{missing}, and neither does any other opset", (
        "If it is a custom operator, set the domain of its node to that of its library; "
        "otherwise export the model again."
    )


def operator_of_kernel(name: str) -> str:
    """Return the operator of a C++ class that computes it ('LSTMBase'); empty if unknown."""
    plain = name.removeprefix("DeepCpu")
    for end in ("", "Base", "Op", "Attributes"):
        candidate = plain.removesuffix(end)
        if candidate and (other_domains(candidate) or first_opset(candidate) is not None):
            return candidate
    upper = plain.removesuffix("Op").upper()  # DeepCpuGruOp
    return upper if first_opset(upper) is not None else ""


class Explanation(Struct, frozen=True):
    """The plain explanation of a runtime error.

    matched_rule: a rule tells of it. of_values: other values or lengths may do; the model is
    sound.
    """

    why: str
    hint: str
    matched_rule: bool = True
    of_values: bool = False


def compiled_for(providers: Iterable[str], what: str) -> EngineFailed:
    """Return why a model did not load whose parts were compiled for some providers."""
    listed = clip(" and ".join(providers), 80)
    why = known_refusals.COMPILED_FOR.format(provider=listed)
    return EngineFailed(what, why, known_refusals.COMPILED_HINT, "load")


def is_unnamed_compiled_part(text: str) -> bool:
    """Return whether a message refuses a compiled part without the provider that it is for."""
    return known_refusals.COMPILED_PART.pattern.search(text[:_MAX_CHARS]) is not None


def is_lack_of_memory(text: str) -> bool:
    """Return whether a message of the runtime says that memory ran out."""
    return known_refusals.NO_MEMORY.pattern.search(text[:_MAX_CHARS]) is not None


def explain(text: str, phase: str = "", kind: str = "") -> Explanation:
    """Explain a message of the runtime; `why` ends with the layer that it names.

    kind: of the error, for a message without words.
    """
    text = text[:_MAX_CHARS]
    blamed = failed_node(text) or _named_elsewhere(text)
    if (operator := _NO_OPERATOR.search(text)) is not None:
        reason_and_hint = explain_missing_operator(
            operator["operator"], int(operator["version"])
        )
        return Explanation(_with_node(reason_and_hint[0], blamed), reason_and_hint[1])
    for rule in known_refusals.RULES:
        if match := rule.pattern.search(text):
            parts = {name: _part(name, value) for name, value in match.groupdict().items()}
            why, hint = rule.why.format(**parts), rule.hint.format(**parts)
            why = _ONE_OF_SEVERAL.sub(_singular, why)
            if rule.of_values and phase == "load":  # then they are the model's own
                hint = known_refusals.LAYER
            return Explanation(_with_node(why, blamed), hint, of_values=rule.of_values)
    hint = _OTHERWISE.get(phase, _WHEN_RUNNING)
    return Explanation(
        _reported(text, blamed) or kind or _CHECK_FAILED, hint, matched_rule=False
    )


def _singular(match: re.Match[str]) -> str:
    return f"1 {_SINGULAR.get(match[1], match[1][:-1])}"


def _reported(text: str, blamed: "FailedNode | None") -> str:
    """Return the runtime's own message as far as it is no C++, marked as its own."""
    whole = first_sentence(text)
    sentence = (
        without_node(whole).rstrip(" :,;") if blamed is not None else whole.rstrip(" :,;")
    )
    if sentence and not _CODE_LIKE.search(sentence):
        ours = _CODE.search(text) is None and _RUNNING.search(text) is None
        return whole if ours else _with_node(f'ONNX Runtime reports "{sentence}"', blamed)
    if not text.strip():
        return ""
    members = dict.fromkeys(_MEMBER.findall(text.partition(" was false")[0][-200:]))
    of_what = "".join(f" (of '{clip(name, 40)}')" for name in [*members][:1])
    return _with_node(f"{_CHECK_FAILED}{of_what}", blamed)


def _with_node(why: str, blamed: "FailedNode | None") -> str:
    """Add the layer, unless it has no name and its operator is already mentioned."""
    if blamed is None or (not blamed.name and re.search(rf"\b{blamed.operator}\b", why)):
        return why
    return f"{why}{blamed.suffix}"


def _named_elsewhere(text: str) -> "FailedNode | None":
    """Return the node of an error of types, or the operator whose kernel could not be made."""
    if (match := _OF_TYPES.search(text)) is not None:
        return FailedNode(match["operator"], match["name"])
    kernel = _MAKING.search(text)
    operator = "" if kernel is None else operator_of_kernel(kernel["kernel"])
    return FailedNode(operator, "") if operator else None


def _part(name: str, value: str | None) -> str:
    """Return what a group of a rule found, as people write it."""
    if name.endswith("type"):
        text = value or ""
        if text.isdecimal():
            text = ELEMENTS.get(int(text), text)
        inner = text[len("tensor(") : -1] if text.startswith("tensor(") else text
        return clip({"float": "float32", "double": "float64"}.get(inner, inner), 80)
    if name.endswith("shape"):
        return "×".join((value or "").split(",")) or "a scalar"
    return clip(value or "", 80)


class FailedNode(Struct, frozen=True):
    """The node that was running when the runtime failed, as the runtime names it."""

    operator: str
    name: str

    @property
    def suffix(self) -> str:
        """Return the layer as `first_sentence` appends it."""
        return f" (in {_shown(self.operator, self.name)})"


def running_node(text: str) -> FailedNode | None:
    """Return the node that a message of the runtime blames for a prediction; nothing if
    none."""
    match = _RUNNING.search(text[:_MAX_CHARS])
    return None if match is None else FailedNode(match["operator"], match["name"])


def failed_node(text: str) -> FailedNode | None:
    """Return the node that a message blames for anything; nothing if none."""
    match = (
        _RUNNING.search(text[:_MAX_CHARS])
        or _IN_NODE.search(text[:_MAX_CHARS])
        or _AT_NODE.search(text[:_MAX_CHARS])
    )
    return None if match is None else FailedNode(match["operator"], match["name"])


def without_node(why: str) -> str:
    """Return what `first_sentence` says, without the node that it names at the end."""
    return _IN.sub("", why)


def first_sentence(text: str) -> str:
    """Return the part of a runtime's message that means something to its user.

    Without error codes, source files, C++ signatures, folders and addresses; clipped.
    """
    text, node = _LOADING.sub("", _CODE.split(text[:_MAX_CHARS])[-1]).strip(), ""
    if match := _RUNNING.search(text):
        text, node = match["rest"], _node(match)
    while place := _SOURCE.search(text):
        text = _after_function(text[place.end() :], bool(place["folder"]))
    text = _NOISE.sub("", _CONDITION.sub("", text))
    if match := _IN_NODE.match(text) or _AT_NODE.match(text):
        text, node = match["rest"], _node(match)
    text = _ADDRESS.sub("", _FOLDER.sub("", text))
    sentence = " ".join(_SENTENCE_END.split(text, maxsplit=1)[0].split())
    return clip(f"{sentence} (in {node})" if node and sentence else sentence)


def _node(match: re.Match[str]) -> str:
    return _shown(match["operator"], match["name"])


def _shown(operator: str, name: str) -> str:
    return f"{operator} {clip(name, 80)}".strip()


def _after_function(text: str, whole_signature: bool) -> str:
    if not whole_signature or "(" not in text:
        return text[match.end() :] if (match := _FUNCTION.match(text)) else text
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and depth == 0:
            return _SIGNATURE_END.sub("", text[place + 1 :])
    return text
