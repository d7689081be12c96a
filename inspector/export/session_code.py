"""The settings of a session as code, in the languages of ONNX Runtime's users."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from inspector.report.run_spec import RunSpec
from inspector.units import clip

_USUAL = RunSpec()
_VALUES = {  # of Python, C++ and C#
    "none": "ORT_DISABLE_ALL",
    "basic": "ORT_ENABLE_BASIC",
    "extended": "ORT_ENABLE_EXTENDED",
    "all": "ORT_ENABLE_ALL",
    "sequential": "ORT_SEQUENTIAL",
    "parallel": "ORT_PARALLEL",
}
_JAVA_VALUES = {
    "none": "NO_OPT",
    "basic": "BASIC_OPT",
    "extended": "EXTENDED_OPT",
    "all": "ALL_OPT",
    "sequential": "SEQUENTIAL",
    "parallel": "PARALLEL",
}
_SPINNING = ("session.intra_op.allow_spinning", "session.inter_op.allow_spinning")


@dataclass(frozen=True, slots=True)
class _Language:
    """The syntax of a language: lines around the settings, and a template for each of them.

    settings: field of RunSpec -> template of the value in `values` or as it is; a setting that
    the language's API lacks is left out. entry: of a key of the session that is "0". length: of
    a dynamic axis. session: one of its lines takes the model's name.
    """

    head: tuple[str, ...]
    settings: Mapping[str, str]
    entry: str
    length: tuple[str, ...]
    comment: str
    session: tuple[str, ...]
    values: Mapping[str, str] = field(default_factory=lambda: _VALUES)


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
    "Java": _Language(
        (
            "import ai.onnxruntime.*;",
            "",
            "OrtEnvironment environment = OrtEnvironment.getEnvironment();",
            "OrtSession.SessionOptions options = new OrtSession.SessionOptions();",
        ),
        {
            "optimization": "options.setOptimizationLevel("
            "OrtSession.SessionOptions.OptLevel.{});",
            "threads": "options.setIntraOpNumThreads({});",
            "execution_mode": "options.setExecutionMode("
            "OrtSession.SessionOptions.ExecutionMode.{});",
            "inter_threads": "options.setInterOpNumThreads({});",
            "arena": "options.setCPUArenaAllocator(false);",
            "memory_pattern": "options.setMemoryPatternOptimization(false);",
        },
        'options.addConfigEntry("{}", "0");',
        ("options.setSymbolicDimensionValue({name}, {size});",),
        "//",
        ("OrtSession session = environment.createSession({}, options);",),
        _JAVA_VALUES,
    ),
    "Kotlin": _Language(
        (
            "import ai.onnxruntime.*",
            "",
            "val environment = OrtEnvironment.getEnvironment()",
            "val options = OrtSession.SessionOptions()",
        ),
        {
            "optimization": "options.setOptimizationLevel("
            "OrtSession.SessionOptions.OptLevel.{})",
            "threads": "options.setIntraOpNumThreads({})",
            "execution_mode": "options.setExecutionMode("
            "OrtSession.SessionOptions.ExecutionMode.{})",
            "inter_threads": "options.setInterOpNumThreads({})",
            "arena": "options.setCPUArenaAllocator(false)",
            "memory_pattern": "options.setMemoryPatternOptimization(false)",
        },
        'options.addConfigEntry("{}", "0")',
        ("options.setSymbolicDimensionValue({name}, {size})",),
        "//",
        (
            "// To let NNAPI use the NPU, GPU or DSP of the phone:",
            "// options.addNnapi()",
            "// The model is a file in the folder assets of the app.",
            "val model = context.assets.open({}).readBytes()",
            "val session = environment.createSession(model, options)",
        ),
        _JAVA_VALUES,
    ),
    "JavaScript": _Language(
        (
            'import * as ort from "onnxruntime-web";',
            "",
            "/** @type {ort.InferenceSession.SessionOptions} */",
            'const options = { executionProviders: ["wasm"], extra: {}, '
            "freeDimensionOverrides: {} };",
        ),
        {
            "optimization": 'options.graphOptimizationLevel = "{}";',
            "threads": "ort.env.wasm.numThreads = {};",
            "execution_mode": 'options.executionMode = "{}";',
            "arena": "options.enableCpuMemArena = false;",
            "memory_pattern": "options.enableMemPattern = false;",
        },
        'options.extra["{}"] = "0";',
        ("options.freeDimensionOverrides[{name}] = {size};",),
        "//",
        ("const session = await ort.InferenceSession.create({}, options);",),
        {"none": "disabled"},
    ),
    "Swift": _Language(
        (
            "import Foundation",
            "import onnxruntime_objc",
            "",
            "let environment = try ORTEnv(loggingLevel: .warning)",
            "let options = try ORTSessionOptions()",
        ),
        {
            "optimization": "try options.setGraphOptimizationLevel(.{})",
            "threads": "try options.setIntraOpNumThreads({})",
        },
        'try options.addConfigEntry(withKey: "{}", value: "0")',
        (),
        "//",
        (
            "// To let Core ML use the GPU or the Neural Engine:",
            "// try options.appendCoreMLExecutionProvider(",
            "//     with: ORTCoreMLExecutionProviderOptions())",
            "let path = {}",
            "let session = try ORTSession(",
            "    env: environment, modelPath: path, sessionOptions: options)",
        ),
        {},
    ),
}
LANGUAGES = tuple(_LANGUAGES)
_REGISTER = {  # a library with custom operators
    "Python": "options.register_custom_ops_library({})",
    "C++": "options.RegisterCustomOpsLibrary(ORT_TSTR({}));",
    "C#": "options.RegisterCustomOpLibrary({});",
    "Java": "options.registerCustomOpLibrary({});",
    "Kotlin": "options.registerCustomOpLibrary({})",
}


def session_code(spec: RunSpec, model: str, language: str) -> str:
    """Lines that make a session like that of a spec; what is the runtime's own is not set.

    model: the file's name. language: one of LANGUAGES. Devices other than the CPU are named
    in a comment: how they are added depends on their package.
    """
    return "\n".join(_lines(spec, model, language)) + "\n"


def _lines(spec: RunSpec, model: str, name: str) -> Iterator[str]:
    language = _LANGUAGES[name]
    yield from language.head
    for setting, template in language.settings.items():
        value = getattr(spec, setting)
        if value != getattr(_USUAL, setting):
            yield template.format(language.values.get(value, value))
    for key in () if spec.spinning else _SPINNING:
        yield language.entry.format(key)
    for library in spec.custom_ops:
        line = _REGISTER.get(name, f"{language.comment} Register the custom operators of {{}}.")
        yield line.format(literal(library, name))
    for dimension in spec.dimensions:
        for template in language.length:
            yield template.format(name=literal(dimension.name, name), size=dimension.size)
    yield from _devices(spec, language.comment)
    for template in language.session:
        yield template.format(_path(model, name))


def _path(model: str, language: str) -> str:
    """Return code for where the model is: among the resources of an app in Swift."""
    if language != "Swift":
        return literal(model, language)
    stem, _, suffix = model.rpartition(".")
    parts = literal(stem or suffix, language), literal(suffix, language) if stem else "nil"
    return f"Bundle.main.path(forResource: {parts[0]}, ofType: {parts[1]})!"


def _devices(spec: RunSpec, comment: str) -> Iterator[str]:
    others = [clip(device, 60) for device in spec.devices if device != "cpu"]
    if others:
        names = ", ".join(others)
        yield (
            f"{comment} Add the execution provider of {names} here, as described by its "
            "package."
        )


def literal(text: str, language: str = "Python") -> str:
    """Return a string literal in ASCII, whatever a file put into a name."""
    return '"' + "".join(_escaped(letter, language) for letter in clip(text, 500)) + '"'


def _escaped(letter: str, language: str) -> str:
    if letter in '"\\' or (letter == "$" and language == "Kotlin"):
        return "\\" + letter
    if letter.isascii():
        return letter if letter.isprintable() else " "
    code = ord(letter)
    if language == "Swift":
        return f"\\u{{{code:x}}}"
    if code < 1 << 16:
        return f"\\u{code:04x}"
    if language in ("Java", "JavaScript", "Kotlin"):  # UTF-16 units
        units = letter.encode("utf-16-be")
        return f"\\u{units[:2].hex()}\\u{units[2:].hex()}"
    return f"\\U{code:08x}"
