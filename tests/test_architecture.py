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
    "layer_timing",
    "report",
    "verdicts",
    "advised",
    "turns",
    "fitted_names",
}
MAY_IMPORT = {
    "__init__": {"instrument"},
    "errors": set(),
    "units": set(),
    "fitted_names": {"units"},
    "collector": set(),
    "courtesy": set(),
    "files": {"errors"},
    "confinement": {"files"},
    "denied_calls": {"confinement"},
    "allowance": set(),
    "decoding": {"errors", "units", "files", "confinement", "denied_calls", "allowance"},
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
    "advised": set(),
    "progress_texts": {"units"},
    "throughput": set(),
    "machine": set(),
    "run_spec": set(),
    "pace": {"resampling", "starts"},
    "turns": set(),
    "layer_timing": set(),
    "roofline": set(),
    "inside": {"units"},
    "report": {
        "layer_timing",
        "advised",
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
        "turns",
    },
    "sweep": VALUES | {"files"},
    "tuning": VALUES | {"files", "sweep", "paired"},
    "library": VALUES | {"files", "sweep", "tuning"},
    "sweeping": VALUES
    | {"sweep", "tuning", "readers", "preview", "analysis", "engine", "difference"}
    | {"judge", "paired", "starts", "narrowing"},
    "look": {"marking"},
    "resampling": set(),
    "starts": {"resampling"},
    "judge": {"resampling", "starts", "pace"},
    "equal_pace": VALUES,
    "paired": VALUES | {"judge", "equal_pace", "resampling", "starts"},
    "narrowing": VALUES | {"paired"},
    "tally": VALUES | {"judge", "equal_pace", "resampling", "starts"},
    "difference": {"units"},
    "agreement": {"units", "difference"},
    "alignment": VALUES,
    "layer_judge": {"judge", "starts"},
    "layer_changes": VALUES | {"judge", "layer_judge", "alignment"},
    "compare": VALUES
    | {"judge", "resampling", "starts", "alignment", "layer_changes", "analysis"}
    | {"equal_pace", "paired"},
    "conditions": VALUES | {"resampling", "starts", "compare", "equal_pace", "paired"},
    "analysis": VALUES
    | {"judge", "resampling", "starts", "collector", "sweep", "tuning", "equal_pace"}
    | {"numbering", "courtesy", "paired"},
    "readers": {"errors", "model", "counters", "trace", "trace_file", "files", "collector"},
    "preview": {"errors", "model", "prediction", "files", "units", "difference", "decoding"},
    "export": VALUES
    | {"files", "judge", "compare", "conditions", "analysis", "detail", "strip", "look"}
    | {"sweep", "alignment", "layer_changes"},
    "engine": VALUES
    | {
        "files",
        "allowance",
        "readers",
        "analysis",
        "resampling",
        "confinement",
        "denied_calls",
        "narrowing",
        "tally",
    }
    | {"paired"},
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
    | {"export", "engine", "sweep", "tuning", "sweeping", "alignment", "layer_changes"}
    | {"narrowing", "progress_texts"},
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
        "layer_judge",
        "compare",
        "equal_pace",
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
        "courtesy",
        "sweep",
        "tuning",
        "sweeping",
        "progress_texts",
        "library",
    },
    "__main__": {"cli", "ui"},
}
PLAIN = {
    "__init__",
    "__main__",
    "progress_texts",
    "errors",
    "units",
    "fitted_names",
    "collector",
    "courtesy",
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
MOST_LINES, MOST_OF_FUNCTION = 1000, 80
MODULES = sorted(PACKAGE.rglob("*.py"))
# The rooms within a room, each with those it may know beside its own; "" is a room's own
# modules. Where two know each other, one of them is about to be parted: let it be no more.
WITHIN = {
    "engine": {
        "graphs": {"sessions"},
        "sessions": {"", "graphs"},
        "attribution": {"graphs", "sessions", "measuring"},
        "placing": {"attribution", "graphs", "measuring", "sessions"},
        "measuring": {"", "attribution", "graphs", "placing", "sessions"},
        "walking": {"", "graphs", "sessions"},
    },
    "ui": {
        "kit": {"documents"},
        "documents": {"trace", "weights"},
        "overview": {"documents", "kit"},
        "graph": {"documents", "kit"},
        "timeline": {"documents", "kit"},
        "weights": {"documents", "kit"},
        "trace": {"", "documents", "kit", "timeline"},
        "values": {"documents", "kit", "performance", "weights"},
        "preview": {"", "documents", "kit", "overview", "weights"},
        "sweep": {"", "documents", "kit", "performance", "preview"},
        "performance": {"", "documents", "kit", "preview", "sweep", "timeline"},
        "comparison": {"", "documents", "kit", "window"},
        "window": {"", "comparison", "documents", "kit", "overview", "trace"},
    },
}
# The end of the pipe that asks. The child's end, which answers, knows nothing of it;
# `ways` asks two of them.
ASKS = {
    "claims", "completion", "conversation", "detours", "endings", "folders", "one_child",
    "in_turns", "process", "restarting", "supervision", "turn",
}  # fmt: skip
ASKED_BY = {"walking/ways.py", "roofs.py"}


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


def within(name: str, house: str) -> str | None:
    """The room of `house` that a name lies in; "" for its own modules, None for elsewhere."""
    top, *rest = name.split(".")
    if top != "inspector" or rest[:1] != [house] or len(rest) < 2:
        return None
    return rest[1] if (PACKAGE / house / rest[1]).is_dir() else ""


@pytest.mark.parametrize("house", WITHIN)
def test_a_room_within_a_room_knows_only_those_it_may(house: str) -> None:
    rooms = {path.parent.name for path in (PACKAGE / house).glob("*/__init__.py")}
    assert rooms - {"__pycache__"} == WITHIN[house].keys()
    for here, may in WITHIN[house].items():
        for path in sorted((PACKAGE / house / here).rglob("*.py")):
            known = {within(name, house) for name in imported(path)} - {None, here}
            assert known <= may, f"{path.relative_to(PACKAGE)} must not know {known - may}"


def test_what_answers_in_the_engine_knows_nothing_of_what_asks() -> None:
    home = PACKAGE / "engine"
    for path in sorted(home.rglob("*.py")):
        here = str(path.relative_to(home).as_posix())
        names = {name.removeprefix("inspector.engine.") for name in imported(path)}
        known = {name.partition(".")[0] for name in names} & ASKS
        assert path.stem in ASKS or here in ASKED_BY or not known, f"{here} knows {known}"


def test_no_module_and_no_function_is_too_long() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert text.count("\n") <= MOST_LINES, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                assert lines <= MOST_OF_FUNCTION, f"{path.relative_to(PACKAGE)}: {node.name}"


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
