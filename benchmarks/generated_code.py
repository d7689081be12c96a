"""Generated programs of each language, built and run: do they answer as the model does?

    python -m benchmarks.generated_code --java onnxruntime.jar --kotlin kotlin-stdlib.jar:...
        --cpp HEADERS:LIBRARY.so --node FOLDER

makes a classifier for each type of input, fills in the values of its generated program as a
reader would, builds it with the compiler of this machine, and compares the classes it prints
with those of onnxruntime. FOLDER has onnxruntime-web in its node_modules. What a language
refuses is listed; status 1 if an answer differs.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest import mock

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.render.code_languages import languages
from inspector.report.run_spec import RunSpec

NAMES = ("cat", "dog", '"q" $x', "bird")
VALUES = (1, 0, 2, 1, 3, 1)
TYPES = ("float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "uint16",
         "int32", "uint32", "int64", "uint64", "bool", "string", "float8e4m3fn", "float8e5m2",
         "int4", "uint4")  # fmt: skip
BITS = {
    "float16": np.float16, "bfloat16": ml_dtypes.bfloat16,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn, "float8e5m2": ml_dtypes.float8_e5m2,
}  # fmt: skip
Answer = Sequence[str]


def main() -> int:
    """Run all; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    for language in ("java", "kotlin", "cpp", "node"):
        parser.add_argument(f"--{language}", default="")
    options = parser.parse_args()
    runs: dict[str, Callable[[Path, str, str], Answer]] = {}
    if options.java:
        runs["Java"] = lambda place, text, kind: java(place, text, kind, options.java)
    if options.java and options.kotlin:
        library = f"{options.java}:{options.kotlin}"
        runs["Kotlin"] = lambda place, text, kind: kotlin(place, text, kind, library)
    if options.cpp:
        runs["C++"] = lambda place, text, kind: cpp(place, text, kind, *options.cpp.split(":"))
    if options.node:
        runs["JavaScript"] = javascript
    failed = 0
    with tempfile.TemporaryDirectory(dir=options.node or None) as made:
        for name, run in runs.items():
            for kind in TYPES:
                place = Path(made) / f"{name}-{kind}"
                place.mkdir()
                result = outcome(name, run, place, kind)
                failed += result.startswith("DIFFERS")
                print(f"{name:11} {kind:13} {result}", flush=True)
    return int(failed > 0)


def outcome(name: str, run: Callable[[Path, str, str], Answer], place: Path, kind: str) -> str:
    """Return what a program of a language does with an input of a type."""
    path = classifier(place / "model.onnx", kind)
    try:
        with mock.patch("inspector.plugins.code.call_code.has_class_scores", return_value=True):
            text = languages()[name].program_code(open_model(path), {}, RunSpec(), NAMES)
    except BadInput as error:
        return f"refused: {error.why}"
    said, wanted = run(place, text, kind), expected(path, kind)
    return "equal" if [*said] == [*wanted] else f"DIFFERS: {said}, not {wanted}"


def classifier(path: Path, kind: str) -> Path:
    """Save a model with six values of a type and four classes."""
    weight = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32) / 2
    first = helper.make_node("Cast", ["in put"], ["f"], to=TensorProto.FLOAT)
    if kind == "string":
        keys = [str(number) for number in range(4)]
        first = helper.make_node(
            "LabelEncoder", ["in put"], ["f"], domain="ai.onnx.ml", keys_strings=keys,
            values_floats=[*map(float, keys)],
        )  # fmt: skip
    nodes = [first, helper.make_node("MatMul", ["f", "W"], ["l"]),
             helper.make_node("Softmax", ["l"], ["probabilities"])]  # fmt: skip
    ends = [
        helper.make_tensor_value_info("in put", getattr(TensorProto, kind.upper().replace(
            "FLOAT32", "FLOAT").replace("FLOAT64", "DOUBLE")), (1, 6)),
        helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, (1, 4)),
    ]  # fmt: skip
    graph = helper.make_graph(
        nodes, "g", ends[:1], ends[1:], [numpy_helper.from_array(weight, "W")]
    )
    # The oldest versions that have the type: an old runtime of a language reads them, too.
    opset, version = (21, 10) if "int4" in kind else (19, 9) if "float8" in kind else (17, 8)
    sets = [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", 3)]
    onnx.save(helper.make_model(graph, opset_imports=sets, ir_version=version), path)
    return path


def expected(path: Path, kind: str) -> Answer:
    """Return the lines that the program should print: of float32, which has all the values."""
    model = classifier(path.with_name("float.onnx"), "float32")
    values = [float(bool(value) if kind == "bool" else value) for value in VALUES]
    session = onnxruntime.InferenceSession(model)
    scores = session.run(None, {"in put": np.array([values], np.float32)})[0][0]
    order = np.argsort(-scores)
    return [f"{NAMES[place]}: {100 * scores[place]:.2f}%" for place in order]


def written(kind: str) -> list[int]:
    """Return the values as a program holds them: bits of small floats, two of int4 a byte."""
    if kind in BITS:
        bits = np.array(VALUES).astype(BITS[kind])
        return [int(each) for each in bits.view(f"i{bits.itemsize}")]
    if "int4" in kind:
        return [low | high << 4 for low, high in zip(VALUES[::2], VALUES[1::2], strict=True)]
    return [int(bool(value)) if kind == "bool" else value for value in VALUES]


def filled(text: str, pattern: str, assign: Callable[[re.Match[str], int, int], str],
           kind: str) -> str:  # fmt: skip
    """Return a program with the values behind the line that a pattern finds."""
    values = written(kind)

    def more(match: re.Match[str]) -> str:
        return match[0] + "".join(assign(match, *each) for each in enumerate(values))

    changed, count = re.subn(pattern, more, text)
    assert count == 1, text
    return changed


def lines(*command: object, place: Path) -> list[str]:
    """Run a program; return its lines. Raises CalledProcessError."""
    run = subprocess.run([*map(str, command)], cwd=place, capture_output=True, text=True)
    return run.stdout.splitlines() if not run.returncode else [run.stderr[-400:]]


def java(place: Path, text: str, kind: str, library: str) -> Answer:
    """Compile and run Java."""
    pattern = r"(\w+)\[\] values0 = new \w+\[\d+\];"
    if kind == "string":
        pattern = r'(Arrays)\.fill\(values0, ""\);'
    text = filled(text, pattern, lambda found, place, value: (
        f' values0[{place}] = "{value}";' if kind == "string"
        else f" values0[{place}] = ({found[1]}) {value};"), kind)  # fmt: skip
    (place / "CallModel.java").write_text(text)
    said = lines("javac", "-cp", library, "CallModel.java", place=place)
    return said or lines("java", "-cp", f"{library}:.", "CallModel", place=place)


ANDROID = """package android.content;
public class Context {
    public Assets getAssets() { return new Assets(); }
    public static class Assets {
        public java.io.InputStream open(String name) throws java.io.IOException {
            return new java.io.FileInputStream(name);
        }
    }
}
"""
KOTLIN_MAIN = """fun main() {
    for ((name, score) in callModel(android.content.Context()))
        println(name + ": " + String.format("%.2f", 100 * score) + "%")
}
"""


def kotlin(place: Path, text: str, kind: str, library: str) -> Answer:
    """Compile and run Kotlin, with what it needs of Android."""
    pattern = r'val values0 = (\w*)Array\(\d+\)(?: \{ "" \})?'
    text = filled(text, pattern, lambda found, place, value: (
        f'; values0[{place}] = "{value}"' if kind == "string"
        else f"; values0[{place}] = {value}.to{found[1]}()"), kind)  # fmt: skip
    (place / "Call.kt").write_text(text)
    (place / "Main.kt").write_text(KOTLIN_MAIN)
    stand_in = place / "android" / "content" / "Context.java"
    stand_in.parent.mkdir(parents=True)
    stand_in.write_text(ANDROID)
    lines("javac", stand_in, "-d", place, place=place)
    said = lines("kotlinc", "-nowarn", "-cp", f"{library}:.", "Call.kt", "Main.kt", "-d", "out",
                 place=place)  # fmt: skip
    return said or lines("java", "-cp", f"{library}:.:out", "MainKt", place=place)


def cpp(place: Path, text: str, kind: str, headers: str, library: str) -> Answer:
    """Compile and run C++."""
    pattern = r"std::vector<([^>]*)> values0\([^;]*\);"
    if kind == "bool":
        pattern = r"auto values0 = std::make_unique<(bool)\[\]>\(\d+\);"

    def assign(found: re.Match[str], place: int, value: int) -> str:
        number = f"{found[1]}::FromBits({value & 0xFFFF})" if "16_t" in found[1] else value
        return f" values0[{place}] = {json.dumps(str(value)) if kind == 'string' else number};"

    half = kind in ("float16", "bfloat16")
    text = filled(text, pattern, assign if half or kind == "string" else (
        lambda _, place, value: f" values0[{place}] = {value};"), kind)  # fmt: skip
    (place / "call.cpp").write_text(text)
    link = place / "libonnxruntime.so.1"
    link.symlink_to(Path(library).absolute())
    said = lines("g++", "-std=c++17", f"-I{headers}", "call.cpp", link, "-Wl,-rpath,.", "-o",
                 "call", place=place)  # fmt: skip
    return said or lines("./call", place=place)


def javascript(place: Path, text: str, kind: str) -> Answer:
    """Run JavaScript in Node.js."""
    values = json.dumps(
        written(kind) if kind != "float16" else [v & 0xFFFF for v in written(kind)]
    )
    if kind == "string":
        text = text.replace('new Array(6).fill("")', json.dumps([*map(str, VALUES)]))
    else:
        big = ".map(BigInt)" if "64Array(" in text and "Big" in text else ""
        text = re.sub(r"new (\w+Array)\(\d+\)", rf"\1.from({values}{big})", text)
    text += "\nfor (const { name, score } of await callModel())"
    (place / "call.mjs").write_text(
        text + " console.log(`${name}: ${(100 * score).toFixed(2)}%`);"
    )
    return lines("node", "call.mjs", place=place)


if __name__ == "__main__":
    sys.exit(main())
