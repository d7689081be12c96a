"""Parts of ONNX models that an execution provider compiled: for which device, and their binary.

https://onnxruntime.ai/docs/execution-providers/EP-Context-Design.html
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from inspector.formats.model_formats import HEAD_BYTES
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.onnx.types import text
from inspector.model.model import CompiledPart, Layer

COMPILED = "EPContext"  # the operator of a network that an execution provider compiled
_PROVIDER = "ExecutionProvider"  # ends the full names of execution providers
_CLIPPED = 120  # characters of a text of the file
_POINTER = b"version https://git-lfs"  # begins a file that stands for one in other storage
_POINTER_SIZE = b"\nsize "
_BINARY_SUFFIXES = ".bin", ".engine", ".blob", ".xml", ".onnx", ".ctx", ".cache"


def compiled_for(layers: Iterable[Layer]) -> tuple[str, ...]:
    """Return the execution providers that compiled parts of a model, as far as it names
    them: ("QNN",)."""
    makers = (maker(layer) for layer in layers if layer.operator == COMPILED)
    return tuple(dict.fromkeys(filter(None, makers)))


def maker(layer: Layer) -> str:
    """Return the execution provider that an EPContext node names: its `source`, or the start
    of the name that the provider gave to the part or to the node; "" if it names none."""
    named = _texts(layer)
    if source := named.get("source", "").strip():
        return source.removesuffix(_PROVIDER)
    for name in (named.get("partition_name", ""), layer.name):
        provider, suffix, _ = name.partition(_PROVIDER)
        if suffix and provider.isidentifier():
            return provider
    return named.get("partition_name", "")


def compiled_parts(
    layers: Sequence[Layer], nodes: Iterable[Any], sizes: Mapping[str, int], near: ExternalFiles
) -> tuple[CompiledPart, ...]:
    """Return what each layer is that holds a compiled network, and whether its binary is there.

    nodes: the onnx.NodeProto values among which the layers are. sizes: bytes of a binary that
    was left in the file, by the first output of its node. near: the files next to the model.
    """
    compiled = [layer for layer in layers if layer.operator == COMPILED]
    if not compiled:
        return ()
    contexts = {
        text(node.output[0]): each.s
        for node in nodes
        if node.op_type == COMPILED and node.output
        for each in node.attribute
        if each.name == "ep_cache_context"
    }
    main = {maker(layer) for layer in compiled if not _shared(layer)}
    parts = []
    for layer in compiled:
        output = layer.outputs[0] if layer.outputs else ""
        context = contexts.get(output, b"")
        binary = context, sizes.get(output, len(context))
        parts.append(_part(layer, *binary, near, maker(layer) in main))
    return tuple(parts)


def _texts(layer: Layer) -> dict[str, str]:
    return {attribute.name: attribute.text for attribute in layer.attributes}


def _shared(layer: Layer) -> bool:
    return _texts(layer).get("main_context") == "0"


def _part(
    layer: Layer, context: bytes, inside: int, near: ExternalFiles, has_main: bool
) -> CompiledPart:
    """Return a part. inside: bytes that `context` begins. has_main: whether a layer of the
    same provider holds a binary."""
    named = _texts(layer)
    file, problem = "", ""
    size: int | None = None
    if _shared(layer):
        if not has_main:
            problem = "no layer of this file holds the binary; another file may share it"
    elif named.get("embed_mode") == "0":
        file = text(context)[:_CLIPPED]
        size, problem = _beside(text(context), near)
    else:
        size = inside
        if not inside:
            problem = "the compiled binary in it is empty; compile the model again"
        elif inside <= _CLIPPED and PurePath(text(context)).suffix in _BINARY_SUFFIXES:
            name = text(context)
            problem = f"it holds the name '{name}' in place of a binary; set embed_mode to 0"
    return CompiledPart(
        layer.index,
        maker(layer)[:_CLIPPED],
        named.get("ep_sdk_version", "")[:_CLIPPED],
        named.get("hardware_architecture", "")[:_CLIPPED],
        named.get("partition_name", "")[:_CLIPPED],
        file,
        size,
        _shared(layer),
        problem,
    )


def _beside(name: str, near: ExternalFiles) -> tuple[int | None, str]:
    """Return the bytes of a binary next to the model, and why it cannot be used."""
    file = near.look_up(name)
    shown = f"'{name[:_CLIPPED]}'"
    if file.problem or file.path is None:
        return None, f"its binary is missing: it needs {shown}, but {file.problem}"
    if not file.size_bytes:
        return 0, f"its binary {shown} is empty; copy or compile it again"
    try:
        with file.path.open("rb") as opened:
            head = opened.read(HEAD_BYTES)
    except OSError as error:
        return file.size_bytes, f"its binary {shown} cannot be read ({error.strerror})"
    if head.startswith(_POINTER):
        whole = head.partition(_POINTER_SIZE)[2].split(b"\n")[0]
        of = f" of {int(whole):,} bytes" if whole.isdigit() else ""
        return (
            file.size_bytes,
            f"its binary {shown} is a Git LFS pointer to a file{of}; run 'git lfs pull'",
        )
    if not any(head):
        return file.size_bytes, f"its binary {shown} begins with zeros; copy it again"
    return file.size_bytes, ""
