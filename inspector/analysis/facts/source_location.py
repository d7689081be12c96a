"""The place in the source code that a layer comes from, where the exporter left it."""

import re

from msgspec import Struct

from inspector.model.model import Layer

# Keys of PyTorch's exporter (torch.onnx, since 2.5). Each value is the repr of a Python list,
# or the text of a traceback.
_SCOPES = "pkg.torch.onnx.name_scopes"
_CLASSES = "pkg.torch.onnx.class_hierarchy"
_STACK = "pkg.torch.onnx.stack_trace"
_MOST_TEXT = 20_000  # characters of a traceback that are looked at
_QUOTED = re.compile(r"'([^']*)'")
_TRACEBACK = re.compile(r'File "([^"\n]+)", line (\d+)(?:, in (\S+))?')
# How TorchScript's exporter wrote each frame into the description of a node.
_FRAME = re.compile(
    r"^[ \t]*(?:#[ \t]*)?(\S[^\n:(]*\.py)(?:\((\d+)\)|:(\d+))(?::\d+)?(?:: (\S+))?", re.M
)
_LIBRARIES = (
    "site-packages",
    "dist-packages",
    "/torch/nn/",
    "/torch/onnx/",
    "<frozen",
    "<eval_with_key>",
)  # what PyTorch makes up while it traces


class SourceLocation(Struct, frozen=True):
    """Module, class, file and line of a layer; empty, and 0, as far as they are unknown."""

    module: str = ""
    module_class: str = ""
    file: str = ""
    line: int = 0
    function: str = ""


def source_location(layer: Layer) -> SourceLocation | None:
    """Return where a layer comes from; None if the file does not say."""
    metadata = dict(layer.metadata)
    scopes = [scope for scope in _QUOTED.findall(metadata.get(_SCOPES, "")) if scope]
    classes = _QUOTED.findall(metadata.get(_CLASSES, ""))
    module = scopes[-2] if len(scopes) > 1 else ""
    module_class = classes[-2] if len(classes) > 1 else ""
    # A traceback ends with it; TorchScript's description begins with it.
    frames = [
        (f, int(n), name)
        for f, n, name in _TRACEBACK.findall(metadata.get(_STACK, "")[-_MOST_TEXT:])
    ][::-1]
    frames = frames or [
        (f, int(n or m), name) for f, n, m, name in _FRAME.findall(layer.doc[:_MOST_TEXT])
    ]
    own = (frame for frame in frames if not any(part in frame[0] for part in _LIBRARIES))
    file, line, function = next(own, frames[0] if frames else ("", 0, ""))
    if not (module or module_class or file):
        return None
    return SourceLocation(module, module_class, file, line, function)
