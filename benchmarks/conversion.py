"""What each action does to each model: done, nothing to do, or refused and why.

Run: python -m benchmarks.conversion [MODEL ...] [--action ID ...]
By default the sample models. An action is tried with its default options, or with options that
fit the model. Done means: it opens and runs at four optimization levels with finite outputs.
Size and the worst SQNR of an output are printed.

    python -m benchmarks.conversion --memory [--gib N]

makes a model with weights of N GiB (2.2 by default), converts it to float16 in processes of
their own, with Inspector and with converters that are installed, and prints peak memory and
time of each.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import onnx

from inspector.app.changing import conversion as conversions
from inspector.app.changing.calibration import usual_values
from inspector.app.subjects import Subject
from inspector.backends.array_files import Feed
from inspector.conversion.action import Step
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import ListEffects
from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.preview.inputs import feeds as feeding
from inspector.preview.runs import parity
from inspector.units import size
from tests.conversion.conversions import both_outputs

SAMPLES = Path(__file__).parent.parent / "sample_models"
_LAYER_BYTES = 64 << 20  # of each weight of the large model
_OURS = """
import sys
from pathlib import Path
from inspector.conversion.action import Step
from inspector.conversion.apply import convert
convert(Path(sys.argv[1]), [Step("float16")], Path(sys.argv[2]))
"""
_OTHER = """
import sys, onnx
from {module} import convert_float_to_float16
model = convert_float_to_float16(onnx.load(sys.argv[1]), keep_io_types=True, {options})
onnx.save(model, sys.argv[2] + "/other.onnx", save_as_external_data=True, location="other.data")
"""
_PEAK = """
import resource, runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak * (1 if sys.platform == "darwin" else 1024))
"""
CONVERTERS = {
    "Inspector": _OURS,
    "onnxruntime.transformers": _OTHER.format(
        module="onnxruntime.transformers.float16", options="disable_shape_infer=True"
    ),
    "onnxconverter_common": _OTHER.format(
        module="onnxconverter_common.float16", options="disable_shape_infer=True"
    ),
}


def main() -> None:
    """Print the table, or the memory of converters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--action", action="append", choices=ACTIONS)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--gib", type=float, default=2.2)
    options = parser.parse_args()
    if options.memory:
        print_memory(options.gib)
        return
    models = options.models or sorted(SAMPLES.glob("*.onnx"))
    counts: dict[str, dict[str, int]] = {}
    for path in models:
        for action, outcome in outcomes(path, options.action or [*ACTIONS]):
            kind = outcome.partition(":")[0]
            counts.setdefault(action, {}).setdefault(kind, 0)
            counts[action][kind] += 1
            print(f"{path.stem[:34]:<34} {action:<20} {outcome}", flush=True)
    print()
    for action, kinds in counts.items():
        print(f"{action:<20} {', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}")


def outcomes(path: Path, actions: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Yield what comes of each action on a model."""
    # A process may read one folder only: with all files in one, it is not started again.
    with tempfile.TemporaryDirectory() as folder, EngineProcess() as engine:
        path = Path(shutil.copy(path, folder))
        try:
            inputs = _inputs(engine, path, opening.open_model(path))
        except InspectorError as error:
            yield "", f"does not run itself: {error.why or error.what}"
            return
        steps = {name: Step(name, options_for(name, path, inputs)) for name in actions}
        effects = engine.call(ListEffects(path, (), tuple(steps.values())))
        for (name, step), effect in zip(steps.items(), effects, strict=True):
            if not effect.applicable:
                yield name, effect.text
                continue
            try:
                yield name, _outcome(engine, path, step, inputs)
            except InspectorError as error:
                yield name, f"failed: {error.why or error.what}"


def _outcome(engine: EngineProcess, path: Path, step: Step, inputs: Mapping[str, Feed]) -> str:
    name = f"converted-{step.action}.onnx"
    made = conversions.convert(engine, path, (step,), path.parent, (inputs,), name=name)
    files = [path.parent / file for file in made.files]
    try:
        made = conversions.checked(engine, made, (inputs,))
        if made.problem:
            return f"does not run: {made.problem}"
        outputs = parity.outputs(*both_outputs(engine, made, inputs))
        worst = [
            (o.difference.sqnr_db, o.difference.max_abs)
            for o in outputs
            if o.differs and o.difference and o.difference.sqnr_db is not None
        ]
        after = sum(file.stat().st_size for file in files)
        ratio = after / path.stat().st_size
        accuracy = "identical"
        if worst:
            ratio_db, largest = min(worst, key=lambda pair: pair[0] or 0.0)
            accuracy = f"worst SQNR {ratio_db:.0f} dB (max abs error {largest:.2g})"
        return f"done: {size(after)} ({ratio:.2f} of it), {accuracy}"
    finally:
        for file in files:
            file.unlink(missing_ok=True)


def _inputs(engine: EngineProcess, path: Path, model: Model) -> Mapping[str, Feed]:
    """Return values with which a model runs."""
    return feeding.feeds_by_name(usual_values(engine, Subject(path, model)).filled)


def options_for(
    action: str, path: Path, inputs: Mapping[str, Feed]
) -> tuple[tuple[str, str], ...]:
    """Return options with which an action has something to do on a model; none by default."""
    graph = opening.skeleton(path).graph
    weights = {tensor.name for tensor in graph.initializer}
    given = [value for value in graph.input if value.name not in weights]
    axes = [
        (f"{value.name}[{index}]", axis, inputs.get(value.name))
        for value in given
        for index, axis in enumerate(value.type.tensor_type.shape.dim)
    ]
    fixed = [place for place, axis, _ in axes if axis.HasField("dim_value")]
    named = [axis.dim_param for _, axis, _ in axes if axis.dim_param]
    layer = graph.node[len(graph.node) // 2].output[0]
    simple = next((n.output[0] for n in graph.node if n.op_type in ("Relu", "Sigmoid")), "")
    exact = next((n for n in graph.node for a in n.attribute if a.name == "epsilon"), None)
    lengths = {
        axis.dim_param or place: str(np.shape(feed)[int(place[place.rindex("[") + 1 : -1])])
        for place, axis, feed in axes
        if isinstance(feed, np.ndarray) and not axis.HasField("dim_value")
    }
    options: dict[str, Any] = {
        "fix-axes": lengths,
        "free-axes": {fixed[0]: "free_axis"} if fixed else {},
        "rename": {given[0].name: "renamed_input"} if given else {},
        "rename-axes": {named[0]: "renamed_axis"} if named else {},
        "rename-layers": next(({n.name: "renamed_layer"} for n in graph.node if n.name), {}),
        "metadata": {"benchmark": "yes"},
        "extract": {"outputs": layer},
        "split": {"at": layer, "part": "second"},
        "insert-layer": {"operator": "Identity", "after": layer},
        "delete-layer": {"layer": simple},
        "replace-layer": {"layer": simple, "operator": "Tanh"} if simple else {},
        "set-attribute": {"layer": exact.output[0], "name": "epsilon", "value": "0.01"}
        if exact is not None
        else {},
    }
    return tuple(options.get(action, {}).items())


def print_memory(gib: float) -> None:
    """Convert a large model with each converter, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        model = large_model(Path(folder), int(gib * (1 << 30)))
        total = sum(path.stat().st_size for path in Path(folder).iterdir())
        print(f"{size(total)}, weights of {size(_LAYER_BYTES)} each")
        (Path(folder) / "peak.py").write_text(_PEAK)
        for name, code in CONVERTERS.items():
            target = Path(folder) / "made"
            target.mkdir()
            script = Path(folder) / "script.py"
            script.write_text(code)
            command = [sys.executable, str(Path(folder) / "peak.py"), str(script)]
            start = perf_counter()
            done = subprocess.run(
                [*command, str(model), str(target)], capture_output=True, text=True, check=False
            )
            seconds = perf_counter() - start
            if done.returncode:
                last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
                print(f"{name:<26} failed after {seconds:.0f} s: {last[:120]}")
            else:
                peak = int(done.stdout.split()[-1])
                print(f"{name:<26} {size(peak)} peak, {seconds:.0f} s", flush=True)
            for path in target.iterdir():
                path.unlink()
            target.rmdir()


def large_model(folder: Path, weight_bytes: int) -> Path:
    """Write a chain of matrix products whose weights lie in a file beside the model."""
    side = int((_LAYER_BYTES // 4) ** 0.5)
    count = max(1, weight_bytes // _LAYER_BYTES)
    random = np.random.default_rng(0)
    block = random.standard_normal((side, side), np.float32) / side
    graph = onnx.helper.make_graph(
        [
            onnx.helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"], f"layer{i}")
            for i in range(count)
        ],
        "large",
        [onnx.helper.make_tensor_value_info("x0", onnx.TensorProto.FLOAT, [1, side])],
        [onnx.helper.make_tensor_value_info(f"x{count}", onnx.TensorProto.FLOAT, [1, side])],
    )
    with (folder / "large.data").open("wb") as file:
        for index in range(count):
            tensor = graph.initializer.add(name=f"w{index}", data_type=onnx.TensorProto.FLOAT)
            tensor.dims.extend((side, side))
            tensor.data_location = onnx.TensorProto.EXTERNAL
            place = ("location", "large.data"), ("offset", str(file.tell()))
            for key, value in (*place, ("length", str(block.nbytes))):
                tensor.external_data.add(key=key, value=value)
            file.write(block.tobytes())
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8
    )
    onnx.save(model, folder / "large.onnx")
    return folder / "large.onnx"


if __name__ == "__main__":
    main()
