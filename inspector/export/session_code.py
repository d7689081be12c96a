"""The settings of a session as code, for Python, C++ and C#."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inspector.report.run_spec import RunSpec
from inspector.units import clip

_USUAL = RunSpec()
_VALUES = {
    "none": "ORT_DISABLE_ALL",
    "basic": "ORT_ENABLE_BASIC",
    "extended": "ORT_ENABLE_EXTENDED",
    "all": "ORT_ENABLE_ALL",
    "sequential": "ORT_SEQUENTIAL",
    "parallel": "ORT_PARALLEL",
}
_SPINNING = ("session.intra_op.allow_spinning", "session.inter_op.allow_spinning")


@dataclass(frozen=True, slots=True)
class _Language:
    """How a language says it: lines around the settings, and a template for each of them.

    settings: field of RunSpec -> template of the value in `_VALUES` or as it is. entry: of a
    key of the session that is "0". length: of a free axis. session: its first line takes the
    model's name.
    """

    head: tuple[str, ...]
    settings: Mapping[str, str]
    entry: str
    length: tuple[str, ...]
    comment: str
    session: tuple[str, ...]


_LANGUAGES = {
    "Python": _Language(
        ("import onnxruntime as ort", "", "options = ort.SessionOptions()"),
        {
            "optimization": "options.graph_optimization_level = ort.GraphOptimizationLevel.{}",
            "threads": "options.intra_op_num_threads = {}",
            "execution_mode": "options.execution_mode = ort.ExecutionMode.{}",
            "inter_threads": "options.inter_op_num_threads = {}",
            "arena": "options.enable_cpu_mem_arena = False",
            "memory_pattern": "options.enable_mem_pattern = False",
        },
        'options.add_session_config_entry("{}", "0")',
        ("options.add_free_dimension_override_by_name({name}, {size})",),
        "#",
        (
            "session = ort.InferenceSession(",
            '    {}, options, providers=["CPUExecutionProvider"]',
            ")",
        ),
    ),
    "C++": _Language(
        (
            "#include <onnxruntime_cxx_api.h>",
            "",
            "Ort::Env environment;",
            "Ort::SessionOptions options;",
        ),
        {
            "optimization": "options.SetGraphOptimizationLevel({});",
            "threads": "options.SetIntraOpNumThreads({});",
            "execution_mode": "options.SetExecutionMode({});",
            "inter_threads": "options.SetInterOpNumThreads({});",
            "arena": "options.DisableCpuMemArena();",
            "memory_pattern": "options.DisableMemPattern();",
        },
        'options.AddConfigEntry("{}", "0");',
        (
            "Ort::ThrowOnError(Ort::GetApi().AddFreeDimensionOverrideByName(",
            "    options, {name}, {size}));",
        ),
        "//",
        ("Ort::Session session(environment, ORT_TSTR({}), options);",),
    ),
    "C#": _Language(
        (
            "using Microsoft.ML.OnnxRuntime;",
            "",
            "using var options = new SessionOptions();",
        ),
        {
            "optimization": "options.GraphOptimizationLevel = GraphOptimizationLevel.{};",
            "threads": "options.IntraOpNumThreads = {};",
            "execution_mode": "options.ExecutionMode = ExecutionMode.{};",
            "inter_threads": "options.InterOpNumThreads = {};",
            "arena": "options.EnableCpuMemArena = false;",
            "memory_pattern": "options.EnableMemoryPattern = false;",
        },
        'options.AddSessionConfigEntry("{}", "0");',
        ("options.AddFreeDimensionOverrideByName({name}, {size});",),
        "//",
        ("using var session = new InferenceSession({}, options);",),
    ),
}
LANGUAGES = tuple(_LANGUAGES)


def session_code(spec: RunSpec, model: str, language: str) -> str:
    """Lines that make a session like that of a spec; what is the runtime's own is not set.

    model: the file's name. language: one of LANGUAGES. Devices other than the CPU are named
    in a comment: how they are added depends on their package.
    """
    return "\n".join(_lines(spec, model, _LANGUAGES[language])) + "\n"


def _lines(spec: RunSpec, model: str, language: _Language) -> Iterator[str]:
    yield from language.head
    for name, template in language.settings.items():
        value = getattr(spec, name)
        if value != getattr(_USUAL, name):
            yield template.format(_VALUES.get(value, value))
    for key in () if spec.spinning else _SPINNING:
        yield language.entry.format(key)
    for dimension in spec.dimensions:
        for template in language.length:
            yield template.format(name=_quoted(dimension.name), size=dimension.size)
    yield from _devices(spec, language.comment)
    for template in language.session:
        yield template.format(_quoted(model))


def _devices(spec: RunSpec, comment: str) -> Iterator[str]:
    others = [clip(device, 60) for device in spec.devices if device != "cpu"]
    if others:
        names = ", ".join(others)
        yield f"{comment} Add the execution provider of {names} here, as its package says."


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
