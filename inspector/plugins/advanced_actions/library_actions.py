"""Files that ONNX Runtime writes: its optimized graph, and its format for minimal builds."""

from pathlib import Path
from tempfile import mkdtemp

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as native

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import LONGEST_FILE, EditableModel
from inspector.conversion.edits.graph_edits import refused
from inspector.conversion.plan import Context, Plan, graphs, nodes
from inspector.errors import EngineFailed
from inspector.units import clip, plural

_LEVELS = {
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}
_CAUTIONS = {
    "basic": "",
    "extended": "Only ONNX Runtime can run the result: it uses fused operators of its own.",
    "all": "Only ONNX Runtime can run the result, which is optimized for CPUs like this one.",
}
_SUFFIX = ".ort"  # by which ONNX Runtime recognizes the format
# Of operators that ONNX Runtime has without a library for more.
_OWN_DOMAINS = ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training")
_MICROSOFT = ("com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc")
_REFUSALS = (
    native.Fail, native.InvalidArgument, native.InvalidGraph, native.NotImplemented,
    native.RuntimeException, native.NoSuchFile, native.InvalidProtobuf,
)  # fmt: skip


def optimize(model: EditableModel, level: str) -> Plan:
    """Plan to take the graph as ONNX Runtime's optimizer leaves it at a level."""
    size = model.size_bytes()
    if size > LONGEST_FILE:
        return refused(model, "ONNX Runtime cannot write optimized models of 2 GiB or more")
    if domain := _foreign(model):
        return refused(model, f"operators of '{clip(domain, 40)}' come from another library")
    layers = sum(len(graph.node) for graph in graphs(model.proto.graph))
    touches = f"{plural(layers, 'layer')}, optimized at level {level}"

    def apply(context: Context) -> None:
        # The file stays until the model is written: its weights are read from there.
        folder = Path(mkdtemp(prefix="optimized-", dir=context.folder))
        source = folder / model.write(folder, "source.onnx", external=False)[0]
        target = folder / "optimized.onnx"
        _saved(source, target, _LEVELS[level])
        source.unlink()
        model.reload(target)

    return Plan(Effect(touches, layers, size, None, caution=_CAUTIONS[level]), apply)


def ort_format(model: EditableModel, level: str) -> Plan:
    """Plan to write the model in the ORT format, which small builds of the runtime open."""
    size = model.size_bytes()
    if size > LONGEST_FILE:
        return refused(model, "files in the ORT format must be smaller than 2 GiB")
    if domain := _foreign(model):
        return refused(model, f"operators of '{clip(domain, 40)}' come from another library")
    touches = f"one file in the ORT format, optimized at level {level}"
    caution = "Only ONNX Runtime can run the result, and no other actions can be applied to it."

    def apply(_: Context) -> None:
        def finish(path: Path) -> Path:
            source = path.replace(path.with_name(f"{path.name}.source"))
            target = path.with_suffix(_SUFFIX)
            _saved(source, target, _LEVELS[level], ("session.save_model_format", "ORT"))
            source.unlink()
            return target

        model.external, model.finish = False, finish

    return Plan(Effect(touches, 0, size, None, caution=caution), apply)


def _foreign(model: EditableModel) -> str:
    """Return the domain of operators that ONNX Runtime lacks; empty if it has all."""
    own = {function.domain for function in model.proto.functions}
    for node in nodes(model.proto):
        if node.domain not in (*_OWN_DOMAINS, *_MICROSOFT, *own):
            return str(node.domain)
    return ""


def _saved(
    source: Path,
    target: Path,
    level: onnxruntime.GraphOptimizationLevel,
    *entries: tuple[str, str],
) -> None:
    """Open a model and have the runtime write it. Raises EngineFailed with what it says."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    options.optimized_model_filepath = str(target)
    options.log_severity_level = 4  # that the result fits one kind of CPU is said before
    for name, value in entries:
        options.add_session_config_entry(name, value)
    try:
        onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except _REFUSALS as error:
        what = f"Could not write {target.name}"
        text = " ".join(str(error).replace(str(source), "the model").split())
        why = f"onnxruntime {onnxruntime.__version__} failed: {clip(text, 300)}"
        raise EngineFailed(what, why, phase="convert") from error
