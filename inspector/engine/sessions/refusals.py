"""What the runtime says when it refuses, turned into one sentence and a hint."""

import errno
import re
from dataclasses import dataclass

from inspector.errors import EngineFailed
from inspector.units import clip, size


@dataclass(frozen=True, slots=True)
class Rule:
    """A known refusal: the named groups of `pattern` fill in `why` and `hint`."""

    pattern: re.Pattern[str]
    why: str
    hint: str


def _rule(pattern: str, why: str, hint: str) -> Rule:
    return Rule(re.compile(pattern, re.DOTALL | re.IGNORECASE), why, hint)


NO_ROOM = (errno.ENOSPC, errno.EROFS, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
ROOM_HINT = "Make room in the folder for temporary files, or name another one in TMPDIR."
_MEMORY_HINT = "Close other programs, fix free axes to smaller sizes, or use a smaller input."
RULES = (
    _rule(
        r"bad_alloc|failed to allocate memory|unable to allocate|not enough memory"
        r"|out of memory|std::length_error",
        "there was not enough memory",
        _MEMORY_HINT,
    ),
    _rule(
        r"(?P<domain>ai\.onnx\.contrib|com\.microsoft\.extensions):(?P<operator>\w+)\(-?\d+\) "
        r"is not a registered",
        "the runtime does not know its operator {operator} of the domain '{domain}'",
        "Install the package that has it: pip install onnxruntime-extensions.",
    ),
    _rule(
        r"(?<![\w.])(?:ai\.onnx(?:\.\w+)?|com\.microsoft)?:(?P<operator>\w+)\(-?\d+\) "
        r"is not a registered",
        "the runtime does not know its operator {operator}",
        "A later onnxruntime, or its training build, may have it.",
    ),
    _rule(
        r"(?P<domain>[^\s:]*):(?P<operator>\w+)\(-?\d+\) is not a registered",
        "the runtime does not know its operator {operator} of the domain '{domain}'",
        "It is an operator of somebody's own; the library that has it is not loaded.",
    ),
    _rule(
        r"In Node, \([^()]*?, (?P<operator>\w+), .*No opset import for domain "
        r"'(?P<domain>[^']*)'",
        "its operator {operator} is of the domain '{domain}', which it does not import",
        "Export the model again with all operator sets that it uses.",
    ),
    _rule(
        r"No Op registered for (?P<operator>\w+) with domain_version of (?P<version>-?\d+)",
        "there is no operator {operator} in opset {version}",
        "Export the model again for an opset that has it.",
    ),
    _rule(
        r"Could not find an implementation for (?P<operator>\w+)\((?P<version>\d+)\)",
        "no device asked for implements {operator} (opset {version}) for the types it has here",
        "Convert the model to another precision, or choose another device.",
    ),
    _rule(
        r"Opset (?P<version>\d+) is under development.*till opset (?P<latest>\d+)",
        "it needs opset {version}, and this runtime reads up to {latest}",
        "Export it again with opset {latest} or lower, or update onnxruntime.",
    ),
    _rule(
        r"Unsupported model IR version: (?P<version>\d+), max supported IR version: "
        r"(?P<latest>\d+)",
        "it is written as IR version {version}, and this runtime reads up to {latest}",
        "Save it again with an older onnx package, or update onnxruntime.",
    ),
    _rule(
        r"External data path does not exist: \"(?:[^\"]*[\\/])?(?P<file>[^\"\\/]*)\"",
        "its weights file {file} is missing",
        "Put it beside the model, under the name it had when the model was saved.",
    ),
    _rule(
        r"External data path escapes model directory|Absolute path not allowed for external",
        "its weights lie outside the model's folder",
        "Save the model again with its weights beside it.",
    ),
    _rule(
        r"Protobuf parsing failed|model format error|No graph was found in the protobuf",
        "it is not a whole ONNX model",
        "Download or export it again.",
    ),
    _rule(
        r"codec can't decode",
        "its names are not text in UTF-8",
        "Export it again with ordinary names.",
    ),
    _rule(
        r"Failed to get a WebGPU adapter",
        "no graphics driver offers what WebGPU needs (Vulkan, Direct3D 12 or Metal)",
        "Install or update the card's driver; on Linux also the Vulkan loader, libvulkan1.",
    ),
    _rule(
        r"Failed to construct locale with name:(?P<locale>[\w.@-]+?):",
        "it asks for the locale {locale}, which this system does not have",
        "Install the system's language pack of that locale.",
    ),
    _rule(
        r"No space left on device|Disk quota exceeded|Read-only file system|File too large",
        "there was no room for temporary files",
        ROOM_HINT,
    ),
    _rule(
        r"Exiting due to terminate flag",
        "it was stopped",
        "",
    ),
)
# How the runtime names a node: by place and schema, or by name and operator only.
_IN_NODE = re.compile(
    r"In Node, \(\"?(?P<name>[^,\"]*)\"?, (?P<operator>\w+), .*?\) , Error (?P<rest>.*)",
    re.DOTALL,
)
_AT_NODE = re.compile(
    r"Node \((?P<name>[^)]*)\) Op \((?P<operator>\w+)\) (?:\[\w+\] )?(?P<rest>.*)", re.DOTALL
)
# A node with inner graphs (If, Loop) is told first, and the inner node that failed last: the
# greedy start finds the last one, the only one that another device or setting can help.
_RUNNING = re.compile(
    r"\A.*Non-zero status code returned while running (?P<operator>\w+) node\. "
    r"Name:'(?P<name>[^']*)' Status Message: (?P<rest>.*)",
    re.DOTALL,
)
_CODE = re.compile(r"\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ")
_LOADING = re.compile(r"Load model from .*? failed:\s*", re.DOTALL)
# Some messages begin with the runtime's own source file and line, then the whole signature
# of the C++ function where the file has a folder, else with its bare name.
_SOURCE = re.compile(r"(?P<folder>\S*[\\/])?[\w.]+\.(?:cc|cpp|h|cu):\d+ ")
_FUNCTION = re.compile(r"[\w:<>~]+ ")
_SIGNATURE_END = re.compile(r"^(?: const)?(?: \[with [^\]]*\])? ")
_CONDITION = re.compile(r"^.{0,1000}? was false\. ", re.DOTALL)  # WebGPU's has 330 letters
_NOISE = re.compile(
    r"^(?:Exception during initialization: |Fatal error: |Error: |This is an invalid model\. "
    r"|Failed to load model with error: |Type Error: )+"
)
_FOLDER = re.compile(r"(?:\b[A-Za-z]:)?(?:[\\/]+[^\\/\s\"':,]+)+[\\/]+(?=[^\\/\s\"':,]+)")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_IN = re.compile(r" \(in [^()]*(?:\([^()]*\))?[^()]*\)$")
_SENTENCE_END = re.compile(r"\.(?=\s|$)|\n")


_READ = 3000  # a hostile name makes a message of megabytes; the patterns would take hours


def refused(error: Exception, what: str, phase: str) -> EngineFailed:
    """Say why the runtime, or Python around it, refused: `what` did not happen in `phase`."""
    text = f"not enough memory {error}" if isinstance(error, MemoryError) else str(error)
    text = text[:_READ]
    for rule in RULES:
        if found := rule.pattern.search(text):
            parts = {name: clip(value or "", 80) for name, value in found.groupdict().items()}
            why, hint = rule.why.format(**parts), rule.hint.format(**parts)
            return EngineFailed(what, why, hint, phase)
    return EngineFailed(what, first_sentence(text) or type(error).__name__, "", phase)


def out_of_memory(what: str, limit_bytes: int, phase: str) -> EngineFailed:
    """Say that the engine's own limit of memory stopped it."""
    why = f"there was not enough memory (the engine may take {size(limit_bytes)})"
    return EngineFailed(what, why, _MEMORY_HINT, phase)


def out_of_reach(error: OSError, what: str, phase: str) -> EngineFailed:
    """Say that the model's own file, which was there before, cannot be read any more."""
    gone = isinstance(error, FileNotFoundError)
    why = "it was moved or deleted meanwhile" if gone else error.strerror or str(error)
    hint = "Put it back, or choose the file that you mean."
    return EngineFailed(what, f"the model cannot be read any more: {why}", hint, phase)


def no_text(what: str, phase: str) -> EngineFailed:
    """Say that a name in the model is not in UTF-8."""
    why, hint = "its names are not text in UTF-8", "Export it again with ordinary names."
    return EngineFailed(what, why, hint, phase)


@dataclass(frozen=True, slots=True)
class Running:
    """The node that was running when the runtime failed, as the runtime names it."""

    operator: str
    name: str

    @property
    def suffix(self) -> str:
        """How `first_sentence` tells of it."""
        return f" (in {_shown(self.operator, self.name)})"


def running(text: str) -> Running | None:
    """The node that a message of the runtime blames for a prediction; nothing if none."""
    found = _RUNNING.search(text[:_READ])
    return None if found is None else Running(found["operator"], found["name"])


def node(text: str) -> Running | None:
    """The node that a message blames for anything; nothing if none."""
    found = (
        _RUNNING.search(text[:_READ])
        or _IN_NODE.search(text[:_READ])
        or _AT_NODE.search(text[:_READ])
    )
    return None if found is None else Running(found["operator"], found["name"])


def bare(why: str) -> str:
    """What `first_sentence` says, without the node that it names at the end."""
    return _IN.sub("", why)


def first_sentence(text: str) -> str:
    """The part of a runtime's message that means something to its user.

    Without error codes, source files, C++ signatures, folders and addresses; clipped.
    """
    text, node = _LOADING.sub("", _CODE.split(text[:_READ])[-1]).strip(), ""
    if found := _RUNNING.search(text):
        text, node = found["rest"], _node(found)
    while place := _SOURCE.search(text):
        text = _after_function(text[place.end() :], bool(place["folder"]))
    text = _NOISE.sub("", _CONDITION.sub("", text))
    if found := _IN_NODE.match(text) or _AT_NODE.match(text):
        text, node = found["rest"], _node(found)
    text = _ADDRESS.sub("", _FOLDER.sub("", text))
    sentence = " ".join(_SENTENCE_END.split(text, maxsplit=1)[0].split())
    return clip(f"{sentence} (in {node})" if node and sentence else sentence)


def _node(found: re.Match[str]) -> str:
    return _shown(found["operator"], found["name"])


def _shown(operator: str, name: str) -> str:
    return f"{operator} {clip(name, 80)}".strip()


def _after_function(text: str, whole_signature: bool) -> str:
    if not whole_signature or "(" not in text:
        return text[found.end() :] if (found := _FUNCTION.match(text)) else text
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and depth == 0:
            return _SIGNATURE_END.sub("", text[place + 1 :])
    return text
