"""Generated programs of each language, built and run: what they return, to the bit.

    python -m benchmarks.generated_code --java onnxruntime.jar --kotlin kotlin-stdlib.jar
        --cpp HEADERS:LIBRARY.so --node FOLDER --only float32,names

makes a model for each type that returns its inputs, fills in the values of its generated
program as a reader would, builds it with the compiler of this machine, and compares what its
session returns with what was passed. FOLDER has onnxruntime-web in its node_modules. C# and
Swift are parsed by a grammar where tree-sitter has it. The last lines are a table for
`docs/tried_on.md`; status 1 if a program fails or returns something else.
"""

import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from inspector.backends import type_names
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.plugins.code.apis import RARE
from inspector.render.code_languages import languages
from inspector.report.run_spec import RunSpec

TYPES = (
    "float32", "float64", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32",
    "int64", "uint64", "bool", "string", "bfloat16", "float8e4m3fn", "float8e4m3fnuz",
    "float8e5m2", "float8e5m2fnuz", "float8e8m0", "int4", "uint4", "int2", "uint2",
)  # fmt: skip
OTHERS = ("sequence", "optional", "map", "classes", "names", "emoji", "sparse")
# Numbers that each type has; those of 1 and 2 bits have fewer.
NUMBERS = {
    "float": (1.5, -0.25, 2, 1, 3, -1),
    "int": (1, 0, -2, 1, 3, -1),
    "uint": (1, 0, 2, 1, 3, 1),
    "float8e8m0": (1, 2, 4, 8, 1, 2),
    "int2": (1, 0, -2, 1, -1, 0),
    "bool": (1, 0, 1, 1, 0, 1),
}
TEXTS = ("a", "é", "", '"q" $x', "b\\", "c")
# Names of inputs that are alike once cleaned, keywords, or dangerous inside of quotes.
HOSTILE = (
    "a-b",
    "a_b",
    "class",
    '"q" $x {y} %s \\',
    "é",
    "line\nbreak\t\x07",
    "__proto__",
    "0",
)
SPARSE = np.array([[0, 1.5], [0, 0]], np.float32)
NAMED = {"float32": "FLOAT", "float64": "DOUBLE"}
GRAMMARS = {"C#": "tree_sitter_c_sharp", "Swift": "tree_sitter_swift"}
Outputs = dict[str, str]


@dataclass(frozen=True)
class Case:
    """A model, the values of its inputs in order (the keys of a map apart), and its outputs.

    text: its program with these values.
    """

    model: Path
    given: Sequence[Any]
    wanted: Outputs
    text: str = ""


def main() -> int:
    """Run all; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    for language in ("java", "kotlin", "cpp", "node"):
        parser.add_argument(f"--{language}", default="")
    parser.add_argument("--only", default=",".join((*TYPES, *OTHERS)))
    options = parser.parse_args()
    builders: dict[str, Callable[[Path, Mapping[str, Case]], Iterable[tuple[str, str]]]] = {}
    builders["Python"] = python
    if options.cpp:
        builders["C++"] = lambda place, made: cpp(place, made, *options.cpp.split(":"))
    if options.java:
        builders["Java"] = lambda place, made: java(place, made, options.java)
    if options.java and options.kotlin:
        library = f"{options.java}:{options.kotlin}"
        builders["Kotlin"] = lambda place, made: kotlin(place, made, library)
    if options.node:
        builders["JavaScript"] = javascript
    kinds = options.only.split(",")
    results: dict[str, dict[str, str]] = {}
    for name in languages():
        with tempfile.TemporaryDirectory(dir=options.node or None) as made:
            place = Path(made)
            results[name] = tried(name, kinds, place, builders.get(name))
        for kind, result in results[name].items():
            print(f"{name:11} {kind:15} {result}", flush=True)
    print("\n".join(table(kinds, results)))
    return int(any("FAILED" in each for of in results.values() for each in of.values()))


def tried(
    name: str,
    kinds: Sequence[str],
    place: Path,
    build: Callable[[Path, Mapping[str, Case]], Iterable[tuple[str, str]]] | None,
) -> dict[str, str]:
    """Return what each program of a language does: a word, or why there is none.

    Where the language cannot pass a type, a model is tried that only returns it.
    """
    results, programs = {}, {}
    for kind in kinds:
        for returned in (False, True) if kind in TYPES else (False,):
            made = case(place, kind, returned)
            try:
                text = languages()[name].program_code(open_model(made.model), {}, RunSpec())
            except BadInput as error:
                results[kind] = f"refused: {error.why}"
                continue
            given = text if name == "Python" else filled(name, text, made.given)
            programs[kind] = replace(made, text=given)
            errors = parse_errors(name, text)
            parsed = "written" if errors is None else "parsed" if not errors else "FAILED"
            results[kind] = parsed + " as output only" * returned
            break
    for kind, said in build(place, programs) if build else ():
        wanted = programs[kind].wanted
        back = dict(re.findall(r"^DUMP (\S+) (\S*)$", said, re.MULTILINE))
        equal = back and back.items() <= wanted.items()
        left = "" if back.keys() == wanted.keys() else " as input only"
        kept = results[kind].replace("written", "ran").replace("parsed", "ran") + left
        results[kind] = kept if equal else f"FAILED: {said[-500:]}, not {wanted}"
    return results


def table(kinds: Sequence[str], results: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the lines of a Markdown table: a row for each type."""
    head = ["| Type | " + " | ".join(results) + " |", "|---" * (len(results) + 1) + "|"]
    rows = [
        f"| {kind} | "
        + " | ".join(of[kind].partition(":")[0] for of in results.values())
        + " |"
        for kind in kinds
    ]
    return head + rows


def parse_errors(language: str, text: str) -> int | None:
    """Return how many errors a grammar finds in a program; None without the grammar."""
    if language not in GRAMMARS:
        return None
    try:
        tree_sitter = importlib.import_module("tree_sitter")
        grammar = importlib.import_module(GRAMMARS[language])
    except ImportError:
        return None
    parser: Any = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    nodes, errors = [parser.parse(text.encode()).root_node], 0
    while nodes:
        node = nodes.pop()
        errors += node.is_error or node.is_missing
        nodes += node.children
    return errors


def case(place: Path, kind: str, returned: bool = False) -> Case:
    """Save a model of a kind that returns its inputs; returned: it makes them of float32."""
    path = place / f"{kind}.onnx"
    if kind in TYPES:
        return of_type(path, kind, returned)
    pair = np.array([1.5, -2], np.float32)
    inner = helper.make_tensor_type_proto(TensorProto.FLOAT, [2])
    node, made = helper.make_node, helper.make_value_info
    if kind in ("names", "emoji"):
        names = HOSTILE if kind == "names" else ("😀", "x")
        count = len(names)
        one = helper.make_tensor_type_proto(TensorProto.FLOAT, [1])
        whole = helper.make_tensor_type_proto(TensorProto.FLOAT, [count])
        save(path, [node("Concat", names, ['"out" $\\\n'], axis=0)],
             [made(name, one) for name in names], [made('"out" $\\\n', whole)])  # fmt: skip
        given = [np.array([place], np.float32) for place in range(count)]
        return Case(path, given, {shown_name('"out" $\\\n'): shown(np.concatenate(given))})
    if kind in ("sequence", "optional"):
        wrap = getattr(helper, f"make_{kind}_type_proto")(inner)
        save(path, [node("Identity", ["x"], ["y"])], [made("x", wrap)], [made("y", wrap)])
        back = f"[{shown(pair)}]" if kind == "sequence" else shown(pair)
        return Case(path, [pair], {shown_name("y"): back})
    if kind == "sparse":
        sparse = helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [2, 2])
        square = helper.make_tensor_type_proto(TensorProto.FLOAT, [2, 2])
        save(path, [node("SparseToDenseMatMul", ["x", "e"], ["y"], domain="com.microsoft"),
                    node("EyeLike", ["d"], ["e"])],
             [made("x", sparse), made("d", square)], [made("y", square)])  # fmt: skip
        values = [np.array([1.5], np.float32), np.array([0, 1]), np.zeros(4, np.float32)]
        return Case(path, values, {shown_name("y"): shown(SPARSE)})
    number = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    if kind == "map":
        table = helper.make_map_type_proto(TensorProto.STRING, number)
        words = {"domain": "ai.onnx.ml", "string_vocabulary": ["b", TEXTS[1]]}
        floats = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
        save(path, [node("DictVectorizer", ["x"], ["y"], **words)], [made("x", table)],
             [made("y", floats)])  # fmt: skip
        back = shown(np.array([0, 1.5], np.float32))
        return Case(path, [np.array([TEXTS[1]], object), pair[:1]], {shown_name("y"): back})
    two = helper.make_tensor_type_proto(TensorProto.FLOAT, [1, 2])
    rows = helper.make_sequence_type_proto(
        helper.make_map_type_proto(TensorProto.INT64, number)
    )
    save(path, [node("ZipMap", ["x"], ["z"], domain="ai.onnx.ml", classlabels_int64s=[3, 4]),
                node("Identity", ["x"], ["y"])],
         [made("x", two)], [made("y", two), made("z", rows)])  # fmt: skip
    zipped = f"[{{{shown(np.array([3, 4]))}:{shown(pair)}}}]"
    return Case(path, [pair], {shown_name("y"): shown(pair), shown_name("z"): zipped})


def of_type(path: Path, kind: str, returned: bool) -> Case:
    """Save a model that returns tensors of a type, and as float32."""
    number = getattr(TensorProto, NAMED.get(kind, kind.upper()))
    value, node = helper.make_tensor_value_info, helper.make_node
    if kind == "string":
        given = np.array(TEXTS, object)
        save(path, [node("Identity", ["x"], ["y"])], [value("x", number, [6])],
             [value("y", number, [6])])  # fmt: skip
        return Case(path, [given], {shown_name("y"): shown(given)})
    family = re.match(r"u?int|", kind)
    numbers = NUMBERS.get(kind) or NUMBERS[(family and family[0]) or "float"]
    given = np.array(numbers).astype(type_names.numpy_type(kind))
    save(path, [node("Cast", ["x"], ["f"], to=TensorProto.FLOAT),
                node("Cast", ["f"], ["y"], to=number)],
         [value("x", number, [6])],
         [value("y", number, [6]), value("f", TensorProto.FLOAT, [6])])  # fmt: skip
    wide = given.astype(np.float32)
    if returned:
        save(path, [node("Cast", ["f"], ["y"], to=number)],
             [value("f", TensorProto.FLOAT, [6])], [value("y", number, [6])])  # fmt: skip
        return Case(path, [wide], {shown_name("y"): shown(given)})
    return Case(path, [given], {shown_name("y"): shown(given), shown_name("f"): shown(wide)})


def save(
    path: Path, nodes: Sequence[Any], inputs: Sequence[Any], outputs: Sequence[Any]
) -> None:
    """Save a model of the oldest version that has all types."""
    sets = [
        helper.make_opsetid(*each)
        for each in (("", 25), ("ai.onnx.ml", 3), ("com.microsoft", 1))
    ]
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    onnx.save(helper.make_model(graph, opset_imports=sets, ir_version=12), path)


def shown_name(name: str) -> str:
    """Return a name as programs print it."""
    return name.encode().hex()


def shown(value: Any) -> str:
    """Return a value as programs print it: the bits of numbers, texts in UTF-8."""
    if isinstance(value, dict):
        keys = [*value]
        kind = object if isinstance(keys[0], str) else np.int64
        values = np.array([*value.values()], np.float32)
        return f"{{{shown(np.array(keys, kind))}:{shown(values)}}}"
    if isinstance(value, list):
        return "[" + "|".join(map(shown, value)) + "]"
    if value.dtype == object:
        return ",".join(str(each).encode().hex() for each in value.reshape(-1))
    if type_names.type_name(value) in RARE:
        value = type_names.packed(value)
    return str(value.tobytes().hex())


def stored(array: np.ndarray[Any, Any]) -> tuple[str, list[Any]]:
    """Return the type of an array, and its elements as most languages hold them."""
    kind = type_names.type_name(array)
    if kind == "string":
        return kind, list(array.reshape(-1))
    if kind in ("float16", "bfloat16"):
        return kind, [int(each) for each in array.reshape(-1).view(np.uint16)]
    if kind in RARE:
        return kind, [int(each) for each in type_names.packed(array)]
    return kind, [each.item() for each in array.reshape(-1)]


def filled(language: str, text: str, given: Sequence[Any]) -> str:
    """Return a program with assignments behind each line that asks for values."""
    arrays = iter(given)

    def more(match: re.Match[str]) -> str:
        kind, values = stored(next(arrays))
        write = LITERALS.get(language, unwritten)
        assigned = (
            f"{match[2]}[{place}] = {write(kind, value)}{'' if language == 'Kotlin' else ';'}"
            for place, value in enumerate(values)
        )
        return "\n".join((match[0], *assigned))

    pattern = r"^(.*?\b((?:keys|values|places)\d+)\b.*// put your.*)$"
    changed, count = re.subn(pattern, more, text, flags=re.MULTILINE)
    assert count == len(given), text
    return changed


def unwritten(kind: str, value: object) -> str:
    """Return a value in a language that is only parsed."""
    return "0"


def cpp_literal(kind: str, value: Any) -> str:
    """Return a value in C++."""
    if kind == "string":
        return json.dumps(value, ensure_ascii=False)
    half = {"float16": "Float16_t", "bfloat16": "BFloat16_t"}.get(kind)
    return f"Ort::{half}::FromBits({value})" if half else str(value).lower()


def java_literal(kind: str, value: Any) -> str:
    """Return a value in Java."""
    if kind == "string":
        return json.dumps(value)
    kept = {"float64": "double", "float32": "float", "int32": "int", "int64": "long"}
    small = "byte" if kind in ("int8", "uint8", "bool") else "short"
    return f"({kept.get(kind, small)}) {int(value) if kind == 'bool' else value}"


def kotlin_literal(kind: str, value: Any) -> str:
    """Return a value in Kotlin."""
    if kind == "string":
        return json.dumps(value).replace("$", "\\$")
    kept = {"float64": "Double", "float32": "Float", "int32": "Int", "int64": "Long"}
    small = "Byte" if kind in ("int8", "uint8", "bool") else "Short"
    return f"({int(value) if kind == 'bool' else value}).to{kept.get(kind, small)}()"


def javascript_literal(kind: str, value: Any) -> str:
    """Return a value in JavaScript."""
    return f"{value}n" if kind in ("int64", "uint64") else json.dumps(value)


LITERALS: dict[str, Callable[[str, Any], str]] = {
    "C++": cpp_literal,
    "Java": java_literal,
    "Kotlin": kotlin_literal,
    "JavaScript": javascript_literal,
}


def dumping(text: str, pattern: str, call: str) -> str:
    """Return a program that prints what its session returns."""
    changed, count = re.subn(pattern, lambda match: f"{match[0]}\n{call}", text)
    assert count == 1, text
    return changed


def ran(*command: object, place: Path) -> str:
    """Run a program; return what it prints, the error too if it fails."""
    run = subprocess.run([*map(str, command)], cwd=place, capture_output=True, text=True)
    return run.stdout + (run.stderr if run.returncode else "")


def python(place: Path, programs: Mapping[str, Case]) -> Iterable[tuple[str, str]]:
    """Run Python programs in this process."""
    for kind, each in programs.items():
        special: dict[str, Sequence[Any]] = {
            "map": [{TEXTS[1]: 1.5}],
            "sparse": [SPARSE, np.zeros((2, 2), np.float32)],
        }
        given = iter(special.get(kind, each.given))
        text = re.sub(r"np\.(?:zeros|full)\(.*?\), .*?\)|{(?:\"\"|0): 0.0}",
                      lambda _: "next(GIVEN)", each.text)  # fmt: skip
        text = text.replace(f'"{each.model.name}"', repr(str(each.model)))
        names: dict[str, Any] = {"GIVEN": (shaped(value, kind) for value in given)}
        try:
            exec(compile(text, kind, "exec"), names)
        except Exception as error:  # noqa: BLE001 - whatever a generated program raises
            yield kind, f"{type(error).__name__}: {error}"
            continue
        pairs = zip(names["session"].get_outputs(), names["outputs"], strict=True)
        yield kind, "\n".join(f"DUMP {shown_name(i.name)} {shown(value)}" for i, value in pairs)


def shaped(value: Any, kind: str) -> Any:
    """Return a value in the shape of the input."""
    return value.reshape(1, 2) if kind == "classes" else value


def cpp(
    place: Path, programs: Mapping[str, Case], headers: str, library: str
) -> Iterable[tuple[str, str]]:
    """Compile and run C++."""
    (place / "dump.h").write_text(DUMP_CPP)
    link = place / "libonnxruntime.so.1"
    link.symlink_to(Path(library).absolute())
    for kind, each in programs.items():
        text = dumping(each.text, r"auto outputs = session\.Run\([^;]*\);",
                       "dump_all(output_names, outputs);")  # fmt: skip
        (place / f"{kind}.cpp").write_text('#include "dump.h"\n' + text)
        said = ran("g++", "-std=c++17", f"-I{headers}", f"{kind}.cpp", link, "-Wl,-rpath,.",
                   "-o", kind, place=place)  # fmt: skip
        yield kind, said or ran(f"./{kind}", place=place)


def java(place: Path, programs: Mapping[str, Case], library: str) -> Iterable[tuple[str, str]]:
    """Compile and run Java."""
    (place / "Dump.java").write_text(DUMP_JAVA)
    for kind, each in programs.items():
        text = dumping(each.text, r"Result outputs = session\.run\(inputs[^{]*\{",
                       "Dump.all(outputs);")  # fmt: skip
        name = f"Call_{kind}"
        (place / f"{name}.java").write_text(text.replace("class CallModel", f"class {name}"))
    said = ran("javac", "-cp", library, *(each.name for each in place.glob("*.java")),
               place=place)  # fmt: skip
    for kind in programs:
        yield kind, said or ran("java", "-cp", f"{library}:.", f"Call_{kind}", place=place)


def kotlin(
    place: Path, programs: Mapping[str, Case], library: str
) -> Iterable[tuple[str, str]]:
    """Compile and run Kotlin, with what it needs of Android."""
    stand_in = place / "android" / "content" / "Context.java"
    stand_in.parent.mkdir(parents=True)
    stand_in.write_text(ANDROID)
    (place / "Dump.java").write_text(DUMP_JAVA)
    said = ran("javac", "-cp", library, stand_in, "Dump.java", "-d", place, place=place)
    calls = "".join(f'    if (args[0] == "{kind}") call_{kind}(context)\n' for kind in programs)
    (place / "Main.kt").write_text(
        "fun main(args: Array<String>) {\n    val context = android.content.Context()\n"
        f"{calls}}}\n"
    )
    for kind, each in programs.items():
        text = dumping(
            each.text, r"session\.run\(inputs[^{]*\{ outputs ->", "Dump.all(outputs)"
        )
        (place / f"{kind}.kt").write_text(text.replace("fun callModel", f"fun call_{kind}"))
    sources = [each.name for each in place.glob("*.kt")]
    classes = ("-nowarn", "-cp", f"{library}:.", "-d", "out")
    said += ran("kotlinc", *classes, *sources, place=place)
    for kind in programs:
        yield kind, said or ran("java", "-cp", f"{library}:.:out", "MainKt", kind, place=place)


def javascript(place: Path, programs: Mapping[str, Case]) -> Iterable[tuple[str, str]]:
    """Run JavaScript in Node.js."""
    for kind, each in programs.items():
        text = dumping(
            each.text, r"const outputs = await session\.run\([^;]*\);", "dump(outputs);"
        )
        (place / f"{kind}.mjs").write_text(DUMP_JAVASCRIPT + text + "\nawait callModel();\n")
        yield kind, ran("node", f"{kind}.mjs", place=place)


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
DUMP_CPP = r"""#include <onnxruntime_cxx_api.h>
#include <cstdio>
#include <string>
#include <vector>
inline std::string hex(const void* data, size_t size) {
    std::string text;
    char digits[3];
    for (size_t k = 0; k < size; k++) {
        std::snprintf(digits, 3, "%02x", static_cast<const unsigned char*>(data)[k]);
        text += digits;
    }
    return text;
}
inline std::string shown(const Ort::Value& value) {
    Ort::AllocatorWithDefaultOptions allocator;
    std::string text;
    if (!value.IsTensor()) {
        bool map = value.GetTypeInfo().GetONNXType() == ONNX_TYPE_MAP;
        for (size_t k = 0; k < (map ? 2 : value.GetCount()); k++)
            text += (k ? map ? ":" : "|" : "") + shown(value.GetValue(int(k), allocator));
        return (map ? "{" : "[") + text + (map ? "}" : "]");
    }
    auto info = value.GetTensorTypeAndShapeInfo();
    if (info.GetElementType() != ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING)
        return hex(value.GetTensorRawData(), value.GetTensorSizeInBytes());
    for (size_t k = 0; k < info.GetElementCount(); k++) {
        std::string each = value.GetStringTensorElement(k);
        text += (k ? "," : "") + hex(each.data(), each.size());
    }
    return text;
}
template <class Names, class Values> void dump_all(const Names& names, const Values& values) {
    for (size_t k = 0; k < values.size(); k++)
        std::printf("DUMP %s %s\n", hex(names[k], std::string(names[k]).size()).c_str(),
                    shown(values[k]).c_str());
}
"""
DUMP_JAVA = r"""import ai.onnxruntime.*;
import java.nio.*;
import java.util.*;
import java.util.stream.*;
public class Dump {
    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) text.append(String.format("%02x", each));
        return text.toString();
    }
    static String one(Object value) {
        ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        if (value instanceof Long) return hex(buffer.putLong((Long) value).array());
        if (value instanceof Float)
            return hex(Arrays.copyOf(buffer.putFloat((Float) value).array(), 4));
        return hex(value.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    static String shown(OnnxValue value) throws Exception {
        if (value instanceof OnnxMap) {
            Map<?, ?> map = new TreeMap<>(((OnnxMap) value).getValue());
            return "{" + map.keySet().stream().map(Dump::one).collect(Collectors.joining())
                + ":" + map.values().stream().map(Dump::one).collect(Collectors.joining())
                + "}";
        }
        if (value instanceof OnnxSequence) {
            StringJoiner parts = new StringJoiner("|", "[", "]");
            for (OnnxValue each : ((OnnxSequence) value).getValue()) parts.add(shown(each));
            return parts.toString();
        }
        OnnxTensor tensor = (OnnxTensor) value;
        if (tensor.getInfo().type == OnnxJavaType.STRING)
            return Arrays.stream((String[]) tensor.getValue()).map(Dump::one)
                .collect(Collectors.joining(","));
        ByteBuffer buffer = tensor.getByteBuffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return hex(bytes);
    }
    static void all(OrtSession.Result outputs) {
        for (Map.Entry<String, OnnxValue> output : outputs)
            try {
                System.out.println(
                    "DUMP " + one(output.getKey()) + " " + shown(output.getValue()));
            } catch (Exception error) {
                throw new RuntimeException(error);
            }
    }
}
"""
DUMP_JAVASCRIPT = r"""
const dump = (outputs) => {
  for (const [name, tensor] of Object.entries(outputs)) {
    const hex = (bytes) => Buffer.from(bytes).toString("hex");
    const { data } = tensor;
    const bits = tensor.type === "string" ? data.map((each) => hex(each)).join(",")
      : hex(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    console.log(`DUMP ${hex(name)} ${bits}`);
  }
};
"""


if __name__ == "__main__":
    sys.exit(main())
