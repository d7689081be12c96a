"""Write the schemas of what commands print, from what they print for the sample models.

    python -m tools.make_output_schemas     # a minute

Commands build these objects from plain values, so that no type of the code describes them. This
runs the examples below and writes down what their outputs have in common: types of fields, and
the fields that are always there. A number may always be null: what is not known is null. The
tests hold outputs of all commands against the result. Nothing depends on the machines and the
history of whoever runs this: a folder of its own has made-up ones. `ceilings/1` is written by
hand, since `inspector roofline` takes long and needs a quiet machine, and so are
`measurements/1` and `lab/1`, which need other machines, and `compiled/1`, which needs a
provider that compiles.
Saved files have types; `tools.make_schemas` writes theirs.
"""

import json
import os
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import onnx
from onnx import helper

from inspector.platform import files
from tools import make_schemas

ROOT = Path(__file__).parents[1]
# What is printed in each schema, by commands on copies of the sample models.
D, H, Q = "digits_float32.onnx", "digits_float16.onnx", "digits_int8_qdq.onnx"
W, G, E = "weights.safetensors", "language.gguf", "compiled.onnx"
EXAMPLES: dict[str, tuple[str, ...]] = {
    "model/1": (
        f"info {D}",
        f"info {D} --no-shapes --no-hash",
        f"info {D} --everything",
        f"info {Q} --everything",
        "info sequence_loop.onnx --everything",
        f"info {D} --estimate coreml,nnapi --dim batch=1 --find op:Conv --weights --validate",
        "info language_bert.onnx unsupported_elsewhere.onnx wine_tabular.onnx",
        "info alice --no-shapes --no-hash",  # a folder that is one model
        f"info {W} --everything",  # no graph: what is counted over its layers is null
        f"info {E}",  # compiled for a device
        f"info {G}",  # a language model in one file, without a tokenizer
    ),
    "models/1": ("info . --table", f"info {D} {H} --table --estimate coreml --no-hash"),
    "conversion/1": (
        f"convert {D} float16 -o half.onnx",
        f"convert {D} simplify opset:21 -o newer.onnx",
        "convert alice weights-8bit -o small.onnx",  # judged by a text
    ),
    "diff/1": (
        "diff alice small.onnx --text --text-tokens 512 --fail-if quality.perplexity>+50%",
        f"diff {D} {Q}",
        f"diff {D} {H} --fail-if layers.changed<0",
        f"diff {D} {D}",
        f"diff {D} sequence_loop.onnx",
        "diff language_bert.onnx clothes_float32.onnx --no-values",
    ),
    "diffs/1": ("diff a b",),
    "environments/1": (
        f"parity {D} --python {sys.executable},link",
        f"measure {D} --python {sys.executable},link --runs 5 --no-layers",
    ),
    "shapes/1": (f"measure {D} --shapes batch=1,2",),
    "prediction/1": (
        f"predict {D} --input picture=inputs/digit_3.png",
        f"predict {D}",
        "predict wine_tabular.onnx",
        "predict sequence_loop.onnx",
        "predict sharpen_float16.onnx",
        "predict tones_sound.onnx",
        "predict language_bert.onnx --input text:hello",
    ),
    "estimate/1": (
        f"estimate {D} --target raspberry-pi-5,nano-33-ble",
        f"estimate {Q} --target nvidia-t4,cpu-1",
        "estimate language_bert.onnx --target esp32-s3",
    ),
    "memory/1": (
        "memory alice --fits 8GB --fits 1MB",
        "memory alice --context 100 --batch 1,2 --cache int8",
    ),
    "chat/1": (
        "chat alice --prompt Hello --max-tokens 8",
        "chat alice --prompt Hello --system Briefly. --max-tokens 1 --context 64 --top-p 0.5",
        "chat alice --prompt Hello --max-tokens 8 --against alice --template none",
    ),
    "folder/1": ("predict clothes_float32.onnx --folder clothes/calibration",),
    "evaluation/1": (
        "evaluate clothes_float32.onnx --test clothes/calibration --fail-if top1<1%",
        f"evaluate clothes_float32.onnx --test clothes/calibration --against {D}",
    ),
    "parity/1": (
        f"parity {D} --against reference",
        f"parity {D} --against level=none --fail-if output.psnr>1",
        f"parity {D} --against model={H}",
    ),
    "preparation/1": (
        f"prepare {D}",
        "prepare tones_sound.onnx",
        "prepare wine_tabular.onnx",
        "prepare clothes_float32.onnx",
    ),
    "verification/1": (f"verify {D} expected.npz", f"verify {D} wrong.npz"),
    "layers/1": (f"layers {D}", f"layers {D} --against reference", "layers sequence_loop.onnx"),
    "devices/1": ("devices",),  # and the machine of `make_configuration`
    "support/1": (f"support {D}",),
    "targets/1": (
        f"support {D} --target all",
        "support unsupported_elsewhere.onnx --target all",
    ),
    "timeline/1": (
        "trace report.json",
        "trace report.json --by operator --from 0 --to 1ms",
        "trace report.json --find conv",
    ),
    "trace_comparison/1": (
        "trace report.json --against report.json",
        "trace report.json --by operator --against report.json",
    ),
    "comparison/1": (
        "compare report.json slow.json",
        "compare slow.json report.json",
        "compare report.json other.json int8.json --fail-if latency.p50>+10%",
    ),
    "conversion_plan/1": (f"convert {D} --plan", f"convert {D} float16 --plan"),
    "actions/1": ("convert --list",),
    "compile_targets/1": ("compile --list",),
    "samples/1": ("sample", f"sample {D} -o copies"),
    "plugins/1": ("plugins",),
    "config/1": ("config",),
    "history/1": (
        "history --add history --tag history/0.json=nightly --note history/0.json=first",
        "history",
        f"history {D}",
    ),
    "engines/1": ("engines",),
    "error/1": ("info none.onnx", f"measure {D} --runs 0", "inf"),
}
# Objects whose keys are names out of a model or a machine, and not fields.
_MAP_NAMES = (
    "attributes axes both by_name compute_layers counts declared devices dimensions distances "
    "domains environment fields graph_metadata hello imports input_types kernels layer_counts "
    "lengths macs_formula marks metadata needs operations_per_second operators opsets "
    "options pictures quantization quantization_annotations runtimes schemes settings shapes "
    "similar sounds storage_bytes texts weight_counts"
)
MAPS = frozenset(_MAP_NAMES.split())
# Fields that are null for models and folders unlike the examples.
_MAY_BE_NULL = {
    "environments/1": ("environments/*/verdict/worst",),
    "model/1": (
        "cost/macs_formula",
        "identity/family",
        "identity/task",
        "requires/minimum",
        "requires/onnxruntime",
    ),
    "estimate/1": ("devices/*/memory", "devices/*/rates", "devices/*/validation"),
    "memory/1": ("runtime",),
    "compile_targets/1": ("install",),
    "folder/1": ("confusion", "rows/*/correct", "rows/*/correct_in_top5", "rows/*/right"),
    "evaluation/1": (
        "confusion",
        "rows/*/agreement/correct",
        "rows/*/agreement/right",
        "rows/*/agreement/same",
        "rows/*/correct",
        "rows/*/correct_in_top5",
        "rows/*/right",
    ),
    "conversion/1": ("verdict",),
    "diffs/1": ("models/*/a", "models/*/b"),
    "parity/1": ("outputs/*/difference/place",),
}
# Fields that are null in some objects and not in others.
_NULL_ANYWHERE = {
    "model/1": ("shape",),
    "layers/1": ("histogram", "statistics", "difference"),
    "prediction/1": ("histogram", "statistics"),
    "diff/1": ("before", "after", "matched_by", "folded", "folded_equal", "sqnr_db"),
}
# Lists that may be nested to any depth: `values` of an output have its shape.
_NESTED = {
    "prediction/1": "outputs/*/values/*/*",
    "environments/1": "environments/*/report",  # report/1 has a schema of its own
}
_MOST_VALUES = 200  # of a list that are looked at


@dataclass(slots=True)
class Shape:
    """What is known of the values at one place."""

    types: set[str] = field(default_factory=set)
    fields: dict[str, "Shape"] = field(default_factory=dict)
    seen: int = 0  # objects
    present: dict[str, int] = field(default_factory=dict)
    inner: "Shape | None" = None  # of the items of a list, or the values of a map

    def add(self, value: object, name: str = "") -> None:
        """Take a value into account. name: of the field that it is in."""
        if value is None:
            self.types.add("null")
        elif isinstance(value, bool):
            self.types.add("boolean")
        elif isinstance(value, int | float):
            self.types.add("integer" if isinstance(value, int) else "number")
        elif isinstance(value, str):
            self.types.add("string")
        elif isinstance(value, list):
            self.types.add("array")
            for item in value[:_MOST_VALUES]:
                self._inside().add(item)
        elif isinstance(value, Mapping):
            self.types.add("object")
            self._add_object(value, name in MAPS)

    def _add_object(self, value: Mapping[str, object], is_map: bool) -> None:
        if is_map:
            for key, each in value.items():
                self._inside().add(each, key)
            return
        self.seen += 1
        for key, each in value.items():
            self.fields.setdefault(key, Shape()).add(each, key)
            self.present[key] = self.present.get(key, 0) + 1

    def _inside(self) -> "Shape":
        if self.inner is None:
            self.inner = Shape()
        return self.inner

    def schema(self) -> dict[str, Any]:
        """Return a JSON Schema that all values fit; objects may have more fields."""
        types = set(self.types)
        if types & {"integer", "number"}:
            types |= {"null"}
        if "number" in types:
            types -= {"integer"}
        body: dict[str, Any] = {}
        if types and types != {"null"}:  # of a field that was always null, nothing is known
            body["type"] = sorted(types) if len(types) > 1 else next(iter(types))
        if "array" in types and self.inner is not None:
            body["items"] = self.inner.schema()
        if self.fields:
            body["properties"] = {key: each.schema() for key, each in self.fields.items()}
            always = [key for key in self.fields if self.present[key] == self.seen]
            if always:
                body["required"] = always
        elif "object" in types and self.inner is not None:
            body["additionalProperties"] = self.inner.schema()
        return body


def outputs(folder: Path, line: str) -> Iterator[dict[str, Any]]:
    """Run a command, and yield the objects that it prints."""
    command = [sys.executable, "-m", "inspector", *shlex.split(line), "--json"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    lines = done.stdout.splitlines()
    if not lines:
        raise SystemExit(f"inspector {line}: {done.stderr}")
    try:
        yield json.loads(done.stdout)
    except ValueError:  # one object in each line
        yield from map(json.loads, lines)


def environment(folder: Path) -> dict[str, str]:
    """Return the variables of a command that must not see this user's machines and reports."""
    own = folder.with_name(f"{folder.name}-settings")
    places = {
        "INSPECTOR_LIBRARY": own / "library",
        "XDG_CONFIG_HOME": own / "config",
        "XDG_DATA_HOME": own / "data",
    }
    return os.environ | {name: str(place) for name, place in places.items()}


def make_configuration(folder: Path) -> None:
    """Add machines: this Python with a device, and one that is not there; and reports, with a
    change of latency among them."""
    script = (
        "import sys\n"
        "from inspector.remote.machines import LOCAL, Saved, keep\n"
        "from inspector.report.report import Device\n"
        "device = Device('cpu', 'A processor', 'cpu', 'CPUExecutionProvider', 'A vendor')\n"
        "keep(Saved('bench', LOCAL, sys.executable, ('quiet',), devices=(device,)))\n"
        "keep(Saved('gone', 'gone.invalid'))\n"
    )
    variables = environment(folder)
    subprocess.run([sys.executable, "-c", script], cwd=folder, env=variables, check=True)
    (folder / "history").mkdir(exist_ok=True)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    # Whether a measured layer is slower than in another run is chance; that of this one is not.
    slow = report | {"layers": [_slower(layer) for layer in report["layers"]]}
    (folder / "slow.json").write_text(json.dumps(slow), "utf-8")
    for day in range(24):
        median_ns = 40_000 + 5_000 * (day >= 12) + 20 * (day % 3)
        numbers = {"prediction_ns": [median_ns] * 30, "created": f"2026-01-{day + 1:02}T00:00Z"}
        body = json.dumps(report | numbers)
        (folder / "history" / f"{day}.json").write_text(body, "utf-8")


def _slower(value: Any, name: str = "") -> Any:
    """Return a value with all durations inside three times as long."""
    if isinstance(value, dict):
        return {key: _slower(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_slower(each, name) for each in value]
    return 3 * value if name.endswith("_ns") and isinstance(value, int) else value


def safetensors(path: Path) -> Path:
    """Write a file of one weight and no graph, and return its path."""
    header = json.dumps({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    return path


def gguf(path: Path) -> Path:
    """Write a GGUF file of one weight that says it is a Llama, and return its path."""

    def text(words: str) -> bytes:
        return struct.pack("<Q", len(words)) + words.encode()

    said = text("general.architecture") + struct.pack("<I", 8) + text("llama")
    weight = text("w") + struct.pack("<IQIQ", 1, 2, 0, 0)  # one axis, 2 float32 at 0
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + said + weight
    path.write_bytes(head + bytes(-len(head) % 32) + bytes(8))
    return path


def compiled(path: Path) -> Path:
    """Write a model of two parts that share a binary, of a provider that is nowhere, and
    return its path."""
    common = {"domain": "com.microsoft", "source": "QNN", "embed_mode": 0}
    nodes = [
        helper.make_node("EPContext", ["x"], ["h"], ep_cache_context="gone.bin", **common),
        helper.make_node("EPContext", ["h"], ["y"], main_context=0, **common),
    ]
    ends = [[helper.make_tensor_value_info(name, 1, [1, 4])] for name in ("x", "y")]
    graph = helper.make_graph(nodes, "parts", *ends)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets), path)
    return path


def prepare(folder: Path) -> None:
    """Fill a folder with what the examples name."""
    ignored = shutil.ignore_patterns("making", "__pycache__")
    shutil.copytree(ROOT / "sample_models", folder, ignore=ignored, dirs_exist_ok=True)
    for name, models in (("a", (D, H)), ("b", (D, Q))):
        (folder / name).mkdir()
        for place, model in enumerate(models):
            shutil.copy(folder / model, folder / name / f"net{place}.onnx")
    safetensors(folder / W)
    gguf(folder / G)
    compiled(folder / E)
    program = folder / "link" / "bin" / "python"  # this Python under another name
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    script = (
        "import numpy, onnxruntime\n"
        f"x = numpy.zeros((1, 1, 8, 8), 'float32')\ns = onnxruntime.InferenceSession({D!r})\n"
        "y = s.run(None, {'picture': x})[0]\n"
        "numpy.savez('expected.npz', picture=x, probabilities=y)\n"
        "numpy.savez('wrong.npz', picture=x, probabilities=y + 1)\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True)
    for name, model in (("report", D), ("other", D), ("int8", Q)):
        for _ in outputs(folder, f"measure {model} --runs 30 -o {name}.json"):
            pass
    make_configuration(folder)


def schema_of(name: str, folder: Path) -> dict[str, Any]:
    """Return the schema of what the examples of a schema print."""
    shape = Shape()
    for line in EXAMPLES[name]:
        for body in outputs(folder, line):
            if body.get("schema") != name:
                raise SystemExit(f"inspector {line} prints {body.get('schema')}, not {name}")
            shape.add(body)
    body = shape.schema()
    for path in _MAY_BE_NULL.get(name, ()):
        _allow_null(_at(body, path))
    _allow_null_fields(body, _NULL_ANYWHERE.get(name, ()))
    if name in _NESTED:
        _at(body, _NESTED[name]).clear()
    body["properties"]["schema"] = {"const": name}
    commands = " and ".join(dict.fromkeys(f"inspector {e.split()[0]}" for e in EXAMPLES[name]))
    head = make_schemas.head(name) | {
        "title": f"What {commands} prints, {name}",
        "description": "More fields may come. docs/json.md says what they mean.",
    }
    return head | body


def _allow_null(place: dict[str, Any]) -> None:
    types = place.get("type", "string")
    types = types if isinstance(types, list) else [types]
    place["type"] = sorted({"null", *types})


def _allow_null_fields(schema: dict[str, Any], names: Collection[str]) -> None:
    """Allow null for all fields of some names, in whichever objects they are."""
    for name, place in schema.get("properties", {}).items():
        if name in names:
            _allow_null(place)
        _allow_null_fields(place, names)
    for inner in ("items", "additionalProperties"):
        if inner in schema:
            _allow_null_fields(schema[inner], names)


def _at(schema: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the part of a schema for a field; `*` stands for the items of a list."""
    for name in path.split("/"):
        schema = schema["items"] if name == "*" else schema["properties"][name]
    return schema


def main() -> None:
    """Write all schemas, or those that are named."""
    wanted = sys.argv[1:] or list(EXAMPLES)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "models"
        prepare(folder)
        for name in wanted:
            path = files.resource("schemas", f"{name.replace('/', '-')}.schema.json")
            path.write_text(json.dumps(schema_of(name, folder), indent=1) + "\n", "utf-8")
            sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
