"""Who may import whom. Imports inside functions count as well."""

import ast
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools import draw_imports
from tools.draw_imports import ImportGraph, imported_names, read_imports, to_svg

PACKAGE = Path(__file__).parent.parent / "inspector"

# Each name may import those above it, and none below. docs/architecture.md says what each is.
LAYERS = (
    # values
    "errors",
    "units",
    "platform",
    "wording",
    "model",
    "trace",
    "statistics",
    "report",
    # pure logic
    "analysis",
    "comparison",
    # files in and out
    "sandbox",
    "formats",
    "preview",
    "conversion",
    "pages",
    "render",
    # work
    "backends",
    "engine",
    "recorder",
    "remote",
    # what one asks
    "app",
    # people
    "api",
    "cli",
    "ui",
    "plugin_api",
    "plugins",
    "__main__",
    "__init__",  # re-exports the public API, lazily
)
# Which packages may import a library; every other library is free.
LIBRARIES = {
    "PySide6": {"ui"},
    "shiboken6": {"ui"},
    "onnxruntime": {
        "backends/onnxruntime",
        "plugins/advanced_actions",
        "conversion/library_quantization",
    },
    "openvino": {"backends/onnxruntime", "backends/openvino"},
    "ai_edge_litert": {"backends/litert", "conversion/litert_quantization"},
    "ai_edge_quantizer": {"conversion/litert_quantization"},
    "onnx": {"formats", "conversion", "backends/onnxruntime", "plugins/advanced_actions"},
    "ml_dtypes": {"formats", "conversion", "model/tensors", "preview", "backends"},
    "PIL": {"sandbox", "preview", "render"},
    "fpdf": {"render"},
    "fontTools": {"render"},
    "jinja2": {"render", "sandbox"},
    "tokenizers": {"sandbox"},
    "soundfile": {"sandbox"},
    "nats": {"plugins/lab"},
    "cryptography": {"plugins/lab"},
}
MOST_FILES = 20  # of one folder; about fifteen is what a reader can take in
MOST_COMMANDS = 30  # one file each, found by the name of the command
MOST_NODES, MOST_LEVELS = 28, 13  # the architecture page promises both
MOST_LINES = 1000  # of one file; 600 is a reason to look
MODULES = sorted(PACKAGE.rglob("*.py"))


def test_imports_only_go_up():
    wrong = []
    for path in MODULES:
        place = path.relative_to(PACKAGE).as_posix()
        layer = place.partition("/")[0].removesuffix(".py")
        for name in imported_names(path):
            top, *rest = name.split(".")
            if top == "inspector" and rest not in ([], ["__version__"]):
                upward = LAYERS.index(rest[0]) <= LAYERS.index(layer)
                wrong += [] if upward else [f"{place} imports {name}"]
            allowed = LIBRARIES.get(top, {""})
            free = any(place.startswith(one) for one in allowed)
            wrong += [] if free else [f"{place} may not use {top}"]
    assert wrong == []


def test_the_core_names_no_module_of_the_plugins():
    outside = [path for path in MODULES if "plugins" not in path.relative_to(PACKAGE).parts]
    named = [path for path in outside if "inspector.plugins" in path.read_text("utf-8")]
    # The list of our plugins, and the processes that a frozen program may run.
    assert named == [
        PACKAGE / "platform" / f"{name}.py" for name in ("own_processes", "plugins")
    ]


def test_every_package_has_its_place_and_says_what_it_is_for():
    tops = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES}
    assert tops == set(LAYERS)
    for path in PACKAGE.rglob("__init__.py"):
        if path.parent.name != "bootstrap":
            assert ast.get_docstring(ast.parse(path.read_text("utf-8"))), path


def test_folders_and_files_can_be_taken_in():
    for folder in {path.parent for path in MODULES}:
        by_command = folder.match("cli/commands") or folder.match("cli/runs")
        limit = MOST_COMMANDS if by_command else MOST_FILES
        assert len(list(folder.glob("[!_]*.py"))) <= limit, folder
    for path in MODULES:
        assert path.read_text("utf-8").count("\n") <= MOST_LINES, path


def modules_after(code: str) -> set[str]:
    return {name.partition(".")[0] for name in all_modules_after(code)}


def all_modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*sys.modules)"
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_starting_loads_nothing_heavy():
    loaded = modules_after("import inspector.__main__")
    assert not loaded & {"numpy", "onnx", "onnxruntime", "PySide6", "msgspec"}


def test_a_command_s_help_loads_no_window_no_runtime_and_no_numpy():
    every = "for name in command_table.commands(): main.command_parser(name)"
    loaded = modules_after(f"from inspector.cli import command_table, main\n{every}")
    heavy = {"PySide6", "onnxruntime", "numpy", "onnx", "PIL"}
    assert not loaded & heavy


def test_what_short_commands_and_an_opened_model_need_loads_no_more():
    measured = {"inspector.report.report", "inspector.trace.trace", "asyncio", "psutil"}
    info = all_modules_after("import inspector.cli.runs.info")
    assert not info & {*measured, "inspector.app.subjects", "inspector.pages.charts.drawing"}
    assert not all_modules_after("import inspector.cli.runs.predict") & measured
    opened = all_modules_after("import inspector; inspector.open_model")
    assert not opened & {*measured, "inspector.engine.client.engine_process"}


def test_both_ends_of_the_engine_load_no_report_before_a_measurement():
    unneeded = {"inspector.report.report", "inspector.trace.trace", "PIL", "onnxruntime"}
    client = "import inspector.engine.client.engine_process, inspector.pages.model.page"
    assert not all_modules_after(client) & unneeded
    shapes = "registry.load('onnxruntime', registry.Part.SHAPES)"
    shapes = f"from inspector.backends import registry\n{shapes}"
    worker = f"import inspector.engine.worker.service\n{shapes}"
    assert not all_modules_after(worker) & (unneeded | {"onnx.reference"})


def test_an_engine_that_predicts_on_the_cpu_loads_no_onnx_and_no_traces():
    model = PACKAGE.parent / "sample_models" / "digits_float32.onnx"
    worker = f"""
from pathlib import Path
from inspector.backends import registry
from inspector.engine.worker import service
from inspector.report.run_spec import RunSpec
backend = registry.load("onnxruntime", registry.Part.PREDICTIONS)
backend.open(Path({str(model)!r}), RunSpec(), lambda *_: None)
"""
    assert not all_modules_after(worker) & {"onnx", "inspector.trace.trace"}


def test_no_import_cycle_between_modules():
    graph = {}
    names = {".".join(p.relative_to(PACKAGE.parent).with_suffix("").parts): p for p in MODULES}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    for name, path in names.items():
        targets = imported_names(path)
        # `from a import b` needs module a.b where there is one, else a itself.
        targets = {one if one in names else one.rpartition(".")[0] for one in targets}
        graph[name] = (targets & names.keys()) - {name, "inspector"}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name not in done:
            for target in graph[name]:
                visit(target, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return read_imports()


def test_the_package_has_no_upward_arrow_and_no_cycle(graph):
    assert graph.upward == []
    assert graph.cycles == []


def test_the_package_has_few_nodes_and_levels(graph):
    assert len(graph.modules) <= MOST_NODES
    assert max(graph.levels.values()) + 1 <= MOST_LEVELS


def test_the_picture_names_every_node_and_every_arrow(graph):
    root = ElementTree.fromstring(to_svg(graph))
    texts = {element.text for element in root.iter() if element.text}
    assert graph.modules.keys() <= texts
    titles = {text for text in texts if " imports " in text}
    assert len(titles) == len(graph.arrows)


def test_the_stored_picture_has_the_nodes_of_now(graph):
    picture = draw_imports.PICTURE.read_text("utf-8")
    missing = [node for node in graph.modules if f">{node}</text>" not in picture]
    assert not missing, "run python -m tools.draw_imports"


def test_the_window_s_first_frame_loads_no_model_reader_and_no_plots():
    loaded = modules_after("import inspector.ui.app.application")
    assert not loaded & {"numpy", "onnx", "onnxruntime"}
    tab = modules_after("import inspector.ui.tabs.performance.tab")
    assert not tab & {"onnxruntime"}
