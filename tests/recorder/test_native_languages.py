"""The same bad habits in several languages: what is found is what the Python twin gets.

Node.js needs onnxruntime-node in the folder `NODE_PATH`, Java the jar of ONNX Runtime that
`ONNXRUNTIME_JAR` names.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import onnxruntime
import pytest

from inspector.analysis.advice.trace_rules import program_findings
from inspector.formats.traces.detection import open_trace
from inspector.recorder import native_programs
from tests import command_line
from tests.recorder.recorded import DIGITS, PROGRAMS, expect_runs_within

RUNS = 4
SOURCES = Path(native_programs.__file__).parent / "native"
LIBRARY = next(Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so.1.*"), None)
HABITS = {  # other findings are a matter of times, or of native.c alone
    "load-per-prediction", "model-twice", "provider-missing", "more-threads-than-cores",
    "optimization-disabled", "tensor-per-run",
}  # fmt: skip
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(
        sys.platform != "linux" or LIBRARY is None or shutil.which("cc") is None,
        reason="programs in C are built and recorded on Linux",
    ),
]


def in_c(folder):
    made = folder / "program"
    source = PROGRAMS / "native.c"
    subprocess.run(["cc", "-O2", f"-I{SOURCES}", "-o", made, source, "-ldl"], check=True)
    return made, LIBRARY, DIGITS, RUNS, "habits"


def in_cpp(folder):
    made, library = folder / "program", folder / "libonnxruntime.so.1"
    library.symlink_to(LIBRARY)
    source, places = PROGRAMS / "native.cpp", f"-I{SOURCES}"
    command = ["c++", "-std=c++17", places, "-o", made, source, library, "-pthread"]
    subprocess.run([*command, f"-Wl,-rpath,{folder}"], check=True)
    return made, DIGITS, RUNS


def in_rust(folder):
    if subprocess.run(["rustc", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("rustc has no toolchain")  # rustup's stand-in answers to the name, too
    made, variables = folder / "program", os.environ | {"PLACES": str(SOURCES / "places.def")}
    subprocess.run(["rustc", "-o", made, PROGRAMS / "native.rs"], check=True, env=variables)
    return made, LIBRARY, DIGITS, RUNS


def in_node(folder):
    if not Path(os.environ.get("NODE_PATH", "/nowhere"), "node_modules").is_dir():
        pytest.skip("NODE_PATH names no folder with onnxruntime-node")
    return "node", PROGRAMS / "native.mjs", DIGITS, RUNS


def in_java(folder):
    jar = os.environ.get("ONNXRUNTIME_JAR", "")
    if not Path(jar).is_file():
        pytest.skip("ONNXRUNTIME_JAR names no jar")
    subprocess.run(["javac", "-cp", jar, "-d", folder, PROGRAMS / "Native.java"], check=True)
    return "java", "-cp", f"{jar}:{folder}", "Native", DIGITS, RUNS


def recorded(target, *command):
    """Return the trace of a program, its findings' rules, and what it printed."""
    done = command_line.run("record", "-o", target, "--", *command)
    opened = open_trace(target)
    rules = {each.rule for each in program_findings(opened.trace, opened.layers)}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return opened.trace, rules, json.loads(lines[-1]) if lines else {}


@pytest.fixture(scope="module")
def rules_of_twin(tmp_path_factory):
    found = {}

    def rules(*what):
        if what not in found:
            target = tmp_path_factory.mktemp("twin") / "a.json"
            command = (sys.executable, PROGRAMS / "twin.py", DIGITS, RUNS, *what)
            found[what] = recorded(target, *command)[1]
        return found[what]

    return rules


@pytest.mark.parametrize(
    ("compiler", "made", "habits"),
    [
        ("cc", in_c, ("copies",)),
        pytest.param("c++", in_cpp, ("copies",), marks=pytest.mark.slow),
        *(
            pytest.param(compiler, made, (), marks=pytest.mark.slow)
            for compiler, made in (("rustc", in_rust), ("node", in_node), ("javac", in_java))
        ),
    ],
)  # fmt: skip
def test_each_language_gets_its_runs_and_the_findings_of_the_python_twin(
    tmp_path, rules_of_twin, compiler, made, habits
):
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    trace, rules, told = recorded(tmp_path / "a.json", *made(tmp_path))
    assert rules & HABITS == rules_of_twin(*habits) & HABITS
    assert len(rules & HABITS) == 5 + len(habits)
    expect_runs_within(trace, told["times"])
