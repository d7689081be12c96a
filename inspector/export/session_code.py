"""The settings of a session as code, for Python, C++ and C#."""

from collections.abc import Callable, Iterator

from inspector.report import RunSpec
from inspector.units import clip

LANGUAGES = ("Python", "C++", "C#")
_LEVELS = {
    "none": "ORT_DISABLE_ALL",
    "basic": "ORT_ENABLE_BASIC",
    "extended": "ORT_ENABLE_EXTENDED",
    "all": "ORT_ENABLE_ALL",
}
_MODES = {"sequential": "ORT_SEQUENTIAL", "parallel": "ORT_PARALLEL"}
_SPINNING = ("session.intra_op.allow_spinning", "session.inter_op.allow_spinning")


def session_code(spec: RunSpec, model: str, language: str) -> str:
    """Lines that make a session like that of a spec; what is the runtime's own is not set.

    model: the file's name. language: one of LANGUAGES. Devices other than the CPU are named
    in a comment: how they are added depends on their package.
    """
    write: dict[str, Callable[[RunSpec, str], Iterator[str]]] = {
        "Python": _python,
        "C++": _cpp,
        "C#": _csharp,
    }
    return "\n".join(write[language](spec, model)) + "\n"


def _python(spec: RunSpec, model: str) -> Iterator[str]:
    yield "import onnxruntime as ort"
    yield ""
    yield "options = ort.SessionOptions()"
    if spec.optimization != "all":
        level = _LEVELS[spec.optimization]
        yield f"options.graph_optimization_level = ort.GraphOptimizationLevel.{level}"
    if spec.threads:
        yield f"options.intra_op_num_threads = {spec.threads}"
    if spec.execution_mode != "sequential":
        yield f"options.execution_mode = ort.ExecutionMode.{_MODES[spec.execution_mode]}"
    if spec.inter_threads:
        yield f"options.inter_op_num_threads = {spec.inter_threads}"
    if not spec.arena:
        yield "options.enable_cpu_mem_arena = False"
    if not spec.memory_pattern:
        yield "options.enable_mem_pattern = False"
    for key in () if spec.spinning else _SPINNING:
        yield f'options.add_session_config_entry("{key}", "0")'
    for name, size in _free(spec):
        yield f"options.add_free_dimension_override_by_name({_quoted(name)}, {size})"
    yield from _devices(spec, "#")
    yield "session = ort.InferenceSession("
    yield f'    {_quoted(model)}, options, providers=["CPUExecutionProvider"]'
    yield ")"


def _cpp(spec: RunSpec, model: str) -> Iterator[str]:
    yield "#include <onnxruntime_cxx_api.h>"
    yield ""
    yield "Ort::Env environment;"
    yield "Ort::SessionOptions options;"
    if spec.optimization != "all":
        yield f"options.SetGraphOptimizationLevel({_LEVELS[spec.optimization]});"
    if spec.threads:
        yield f"options.SetIntraOpNumThreads({spec.threads});"
    if spec.execution_mode != "sequential":
        yield f"options.SetExecutionMode({_MODES[spec.execution_mode]});"
    if spec.inter_threads:
        yield f"options.SetInterOpNumThreads({spec.inter_threads});"
    if not spec.arena:
        yield "options.DisableCpuMemArena();"
    if not spec.memory_pattern:
        yield "options.DisableMemPattern();"
    for key in () if spec.spinning else _SPINNING:
        yield f'options.AddConfigEntry("{key}", "0");'
    for name, size in _free(spec):
        yield "Ort::ThrowOnError(Ort::GetApi().AddFreeDimensionOverrideByName("
        yield f"    options, {_quoted(name)}, {size}));"
    yield from _devices(spec, "//")
    yield f"Ort::Session session(environment, ORT_TSTR({_quoted(model)}), options);"


def _csharp(spec: RunSpec, model: str) -> Iterator[str]:
    yield "using Microsoft.ML.OnnxRuntime;"
    yield ""
    yield "using var options = new SessionOptions();"
    if spec.optimization != "all":
        level = _LEVELS[spec.optimization]
        yield f"options.GraphOptimizationLevel = GraphOptimizationLevel.{level};"
    if spec.threads:
        yield f"options.IntraOpNumThreads = {spec.threads};"
    if spec.execution_mode != "sequential":
        yield f"options.ExecutionMode = ExecutionMode.{_MODES[spec.execution_mode]};"
    if spec.inter_threads:
        yield f"options.InterOpNumThreads = {spec.inter_threads};"
    if not spec.arena:
        yield "options.EnableCpuMemArena = false;"
    if not spec.memory_pattern:
        yield "options.EnableMemoryPattern = false;"
    for key in () if spec.spinning else _SPINNING:
        yield f'options.AddSessionConfigEntry("{key}", "0");'
    for name, size in _free(spec):
        yield f"options.AddFreeDimensionOverrideByName({_quoted(name)}, {size});"
    yield from _devices(spec, "//")
    yield f"using var session = new InferenceSession({_quoted(model)}, options);"


def _free(spec: RunSpec) -> Iterator[tuple[str, int]]:
    for dimension in spec.dimensions:
        yield dimension.name, dimension.size


def _devices(spec: RunSpec, comment: str) -> Iterator[str]:
    others = [clip(device, 60) for device in spec.devices if device != "cpu"]
    if others:
        yield f"{comment} Add the provider of {', '.join(others)} here, as its package says."


def _quoted(text: str) -> str:
    """A literal that all three languages read alike; whatever a file put into a name."""
    return '"' + "".join(map(_escaped, clip(text, 500))) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if letter.isascii():
        return letter
    code = ord(letter)
    return f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"
