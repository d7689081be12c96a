"""Who may know whom. An import inside a function counts like any other."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "inspector"
VALUES = {
    "errors",
    "units",
    "model",
    "counters",
    "trace",
    "trace_file",
    "prediction",
    "marking",
    "difference",
    "agreement",
    "throughput",
    "machine",
    "run_spec",
    "pace",
    "roofline",
    "inside",
    "report",
    "verdicts",
}
MAY_IMPORT = {
    "__init__": {"instrument"},
    "errors": set(),
    "units": set(),
    "collector": set(),
    "files": {"errors"},
    "confinement": set(),
    "decoding": {"errors", "units", "files", "confinement"},
    "model": {"errors", "units"},
    "counters": set(),
    "numbering": set(),
    "nesting": {"numbering"},
    "trace_file": {"errors", "files", "trace"},
    "tracks": set(),
    "spans": {"counters", "tracks"},
    "columns": {"counters", "tracks", "spans"},
    "trace_builder": {"counters", "nesting", "tracks", "spans", "columns"},
    "trace": {"counters", "nesting", "tracks", "spans", "columns", "trace_builder"},
    "bins": set(),
    "strip": {"trace", "bins"},
    "detail": {"trace", "strip", "bins", "numbering"},
    "prediction": {"errors", "units"},
    "marking": set(),
    "memory": set(),
    "verdicts": set(),
    "throughput": set(),
    "machine": set(),
    "run_spec": set(),
    "pace": {"resampling", "starts"},
    "roofline": set(),
    "inside": {"units"},
    "report": {
        "inside",
        "errors",
        "units",
        "model",
        "memory",
        "trace",
        "trace_file",
        "marking",
        "difference",
        "agreement",
        "files",
        "throughput",
        "machine",
        "roofline",
        "run_spec",
        "pace",
    },
    "sweep": VALUES | {"files"},
    "tuning": VALUES | {"sweep"},
    "sweeping": VALUES
    | {"sweep", "tuning", "readers", "preview", "analysis", "engine", "difference"},
    "look": {"marking"},
    "resampling": set(),
    "starts": {"resampling"},
    "judge": {"resampling", "starts", "pace"},
    "equal_pace": VALUES,
    "difference": {"units"},
    "agreement": {"units", "difference"},
    "alignment": VALUES,
    "layer_changes": VALUES | {"judge", "alignment", "equal_pace"},
    "compare": VALUES
    | {"judge", "resampling", "starts", "alignment", "layer_changes", "analysis"}
    | {"equal_pace"},
    "conditions": VALUES | {"resampling", "starts", "compare", "equal_pace"},
    "analysis": VALUES
    | {"judge", "resampling", "starts", "collector", "sweep", "tuning", "equal_pace"}
    | {"numbering"},
    "readers": {"errors", "model", "counters", "trace", "trace_file", "files", "collector"},
    "preview": {"errors", "model", "prediction", "files", "units", "difference", "decoding"},
    "export": VALUES
    | {"files", "judge", "compare", "conditions", "analysis", "detail", "strip", "look"}
    | {"sweep", "alignment", "layer_changes"},
    "engine": VALUES | {"files", "readers", "analysis", "resampling", "confinement"},
    "instrument": {"errors", "units", "trace", "trace_file", "files", "export"},
    "cli": VALUES
    | {
        "instrument",
        "files",
        "judge",
        "resampling",
        "starts",
        "compare",
        "conditions",
        "analysis",
        "readers",
        "preview",
    }
    | {"export", "engine", "sweep", "tuning", "sweeping", "alignment", "layer_changes"},
    "ui": VALUES
    | {
        "instrument",
        "decoding",
        "files",
        "judge",
        "resampling",
        "starts",
        "alignment",
        "layer_changes",
        "compare",
        "analysis",
        "readers",
        "preview",
        "export",
        "engine",
        "detail",
        "strip",
        "bins",
        "numbering",
        "look",
        "collector",
        "sweep",
        "tuning",
        "sweeping",
    },
    "__main__": {"cli", "ui"},
}
PLAIN = {
    "__init__",
    "__main__",
    "errors",
    "units",
    "collector",
    "files",
    "confinement",
    "model",
    "marking",
    "look",
    "verdicts",
}
LIVES_IN = {
    "PySide6": {"ui"},
    "shiboken6": {"ui"},
    "pyqtgraph": {"ui"},
    "onnxruntime": {"engine"},
    "openvino": {"engine"},
    "onnx": {"readers", "engine"},
    "ml_dtypes": {"readers", "engine", "preview"},
    "PIL": {"decoding", "preview", "export"},
    "fpdf": {"export"},
    "fontTools": {"export"},
    "tokenizers": {"decoding"},
    "soundfile": {"decoding"},
    "jinja2": {"export"},
    "numpy": set(MAY_IMPORT) - PLAIN,
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_knows_only_the_rooms_it_may(path: Path) -> None:
    here = room(path)
    for name in imported(path):
        top, *rest = name.split(".")
        if top == "inspector" and rest and rest[0] not in ("__version__",):
            assert rest[0] in MAY_IMPORT[here] | {here}, f"{here} must not know {name}"
        assert here in LIVES_IN.get(top, {here}), f"{top} is not for {here}"


def modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*sys.modules)"
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_the_door_loads_nothing_heavy() -> None:
    loaded = modules_after("import inspector.__main__")
    assert not loaded & {"numpy", "onnx", "onnxruntime", "PySide6", "pyqtgraph", "msgspec"}


def test_the_command_line_loads_neither_window_nor_runtime() -> None:
    rooms = sorted(path.stem for path in (PACKAGE / "cli").glob("[!_]*.py"))
    loaded = modules_after("".join(f"import inspector.cli.{room}\n" for room in rooms))
    assert not loaded & {"PySide6", "pyqtgraph", "onnxruntime"}


def test_no_import_cycle_between_modules() -> None:
    graph = {}
    names = {".".join(p.relative_to(PACKAGE.parent).with_suffix("").parts): p for p in MODULES}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    for name, path in names.items():
        found = set(imported(path))
        # `from a import b` needs module a.b where there is one, else a itself.
        found = {one if one in names else one.rpartition(".")[0] for one in found}
        graph[name] = (found & names.keys()) - {name, "inspector"}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name not in done:
            for target in graph[name]:
                visit(target, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())
