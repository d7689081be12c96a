"""What is planned for the arena is what ONNX Runtime has in use in it, by its profile."""

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import NodeProto, helper

from benchmarks import arenas
from benchmarks.corpus import later
from inspector.analysis.cost.arena import Arena, inside_steps
from inspector.analysis.cost.estimate import Estimate, estimate
from inspector.analysis.cost.folding import folded
from inspector.analysis.cost.kernels import AVX2, AVX512
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.report.run_spec import Dimension
from tests.analysis.build import layers
from tests.analysis.inferred import save

_CPU = Path("/proc/cpuinfo")
BLOCK = AVX512 if _CPU.exists() and "avx512f" in _CPU.read_text("ascii") else AVX2


def estimated(path: Path) -> Estimate:
    return estimate(
        open_model(path),
        lambda lengths: infer(path, [Dimension(*d) for d in lengths.items()]),
        {},
    )


def in_use(path: Path) -> int:
    """Return the most bytes of the arena in use in the first run, plus those of the inputs."""
    options = onnxruntime.SessionOptions()
    options.enable_profiling, options.intra_op_num_threads = True, 1
    options.profile_file_prefix = str(path.with_suffix(""))
    options.log_severity_level = 4
    proto = onnx.load(path)
    proto.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    body = proto.SerializeToString()
    session = onnxruntime.InferenceSession(body, options, ["CPUExecutionProvider"])
    feeds = {
        each.name: np.ones([n if isinstance(n, int) else 1 for n in each.shape], np.float32)
        for each in session.get_inputs()
    }
    session.run(None, feeds)
    events = json.loads(Path(session.end_profiling()).read_text("utf-8"))
    nodes = [e["args"] for e in events if e["name"].endswith("_kernel_time")]
    start = int(nodes[0]["mem_bytes_in_use"]) - int(nodes[0]["mem_in_use_delta"])
    most = max(max(int(a["mem_in_use_peak"]), int(a["mem_bytes_in_use"])) for a in nodes)
    return most - start + sum(array.nbytes for array in feeds.values())


def node(operator: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


PADS = [1, 1, 1, 1]
ATTENTION = [
    each
    for n in range(3)
    for each in (
        node("MatMul", f"x{n} k", f"s{n}"), node("Mul", f"s{n} f", f"m{n}"),
        node("Softmax", f"m{n}", f"p{n}"), node("MatMul", f"p{n} v", f"x{n + 1}"),
    )
]  # fmt: skip
CHAIN = [
    node("Exp", "x0", "a"), node("Exp", "a", "b"), node("Exp", "b", "c"),
    node("ReduceMax", "c", "x3"),
]  # fmt: skip
CONVS = [
    node("Conv", "x0 a", "b", pads=PADS), node("MaxPool", "b", "c", kernel_shape=[2, 2]),
    node("Conv", "c d", "e", pads=PADS), node("Relu", "e", "x3"),
]  # fmt: skip
LRN = [node("Conv", "x0 a", "b", pads=PADS), node("LRN", "b", "c", size=5),
       node("MaxPool", "c", "x3", kernel_shape=[2, 2], strides=[2, 2])]  # fmt: skip
RESIDUAL = [
    node("Conv", "x0 a", "b", pads=PADS), node("Conv", "b d", "c", pads=PADS),
    node("Add", "b c", "e"), node("Relu", "e", "f"), node("GlobalAveragePool", "f", "x3"),
]  # fmt: skip
LSTM = [node("LSTM", "x0 w r", "y x3", hidden_size=64)]


FUSED = [
    node("MatMul", "x0 w", "a"), node("Add", "a b", "c"), node("Sigmoid", "c", "d"),
    node("Mul", "c d", "e"), node("MatMul", "e k", "x3"),
]  # fmt: skip
FALSE_SHAPE = [
    node("Exp", "x0", "a"), node("Shape", "a", "n"), node("Exp", "a", "b"),
    node("Reshape", "b n", "c"), node("Exp", "c", "d"), node("Exp", "d", "x3"),
]  # fmt: skip
MASKED = [
    node("Exp", "x0", "e"), node("Shape", "e", "n"), node("Reshape", "e n", "a"),
    node("Exp", "a", "b"), node("Softmax", "b", "c"), node("ReduceMax", "c", "x3"),
]  # fmt: skip
REVERSED = [
    node("LSTM", "x0 w r", "y", hidden_size=64, direction="bidirectional"),
    node("ReduceMax", "y", "x3"),
]  # fmt: skip
EINSUM = [node("Einsum", "x0 a", "b", equation="btd,dhk->bthk"), node("Exp", "b", "x3")]
SUMS = [
    node("Exp", "x0", "a"), node("Sqrt", "x0", "b"), node("Neg", "x0", "c"),
    node("Sum", "a b c", "d"), node("ReduceMax", "d", "x3"),
]  # fmt: skip
RESIZED = [
    node("Constant", "", "s", value_floats=[1.0, 1.0, 2.0, 2.0]),
    node("Conv", "x0 a", "b", pads=PADS), node("Resize", "b s s", "c", mode="linear"),
    node("Conv", "c d", "e", pads=PADS), node("GlobalAveragePool", "e", "x3"),
]  # fmt: skip
RESIZED[2].input[1] = ""
SIDES = [
    node("Conv", "x0 a", "b", pads=PADS), node("MaxPool", "b", "c", kernel_shape=[2, 2]),
    node("Conv", "c d", "e", pads=PADS), node("Relu", "e", "f"),
    node("Conv", "c g", "h", pads=PADS), node("Relu", "h", "i"),
    node("Concat", "f i", "j", axis=1), node("GlobalAveragePool", "j", "x3"),
]  # fmt: skip
UPWARD = [node("ConvTranspose", "x0 a", "b", strides=[2, 2]), node("Relu", "b", "x3")]
SMALL = [node("Conv", "x0 a", "b", pads=PADS), node("MaxPool", "b", "x3", kernel_shape=[2, 2])]


@pytest.mark.parametrize(
    ("nodes", "shape", "weights"),
    [
        (CHAIN, [1, 200_000], {}),
        (ATTENTION, [300, 48], {"k": [48, 900], "f": [], "v": [900, 48]}),
        (CONVS, [1, 3, 96, 96], {"a": [16, 3, 3, 3], "d": [48, 16, 3, 3]}),
        (LRN, [1, 3, 96, 96], {"a": [32, 3, 3, 3]}),
        (RESIDUAL, [1, 3, 96, 96], {"a": [32, 3, 3, 3], "d": [32, 32, 3, 3]}),
        (LSTM, [50, 2, 16], {"w": [1, 256, 16], "r": [1, 256, 64]}),
        (FUSED, [1, 200, 64], {"w": [64, 256], "b": [256], "k": [256, 64]}),
        (FALSE_SHAPE, [1, 200_000], {}),
        (SMALL, [1, 3, 64, 64], {"a": [3, 3, 3, 3]}),
        (MASKED, [1, 200_000], {}),
        (REVERSED, [50, 2, 16], {"w": [2, 256, 16], "r": [2, 256, 64]}),
        (EINSUM, [1, 48, 64], {"a": [64, 4, 16]}),
        (SUMS, [1, 200_000], {}),
        (RESIZED, [1, 3, 48, 48], {"a": [24, 3, 3, 3], "d": [32, 24, 3, 3]}),
        (SIDES, [1, 3, 96, 96],
         {"a": [32, 3, 3, 3], "d": [48, 32, 3, 3], "g": [16, 32, 3, 3]}),
        (UPWARD, [1, 96, 32, 32], {"a": [96, 48, 4, 4]}),
    ],
    ids=["not in place", "one shape", "blocks of channels", "squares", "sum", "gates",
         "fused", "shape of a run", "columns", "known shape", "both ways", "einsum",
         "sum of many", "resized blocks", "sides", "packed weights"],
)  # fmt: skip
def test_what_the_arena_has_in_use_is_planned(tmp_path, nodes, shape, weights):
    path = save(tmp_path / "m.onnx", list(nodes), {"x0": shape}, weights, "x3")
    found = estimated(path)
    measured = in_use(path)
    assert found.arena_bytes_on(open_model(path), BLOCK) == pytest.approx(measured, rel=0.02)
    assert found.peak_bytes <= measured <= found.most_peak_bytes


def test_integers_between_quantizing_layers_are_no_floats(tmp_path):
    def both(name: str, value: str) -> list[NodeProto]:
        return [
            node("QuantizeLinear", f"{value} one zero", f"{name}_q"),
            node("DequantizeLinear", f"{name}_q one zero", name),
        ]

    nodes = [
        *both("a", "x0"), node("MatMul", "a w", "b"), *both("c", "b"), node("Relu", "c", "x3"),
    ]  # fmt: skip
    weights = {"w": [64, 50_000], "one": [], "zero": []}
    path = save(tmp_path / "m.onnx", nodes, {"x0": [1, 64]}, weights, "x3", zero=3)
    plan = estimated(path).memory
    # c is a float, since its Relu does not run on integers; a and b never are.
    assert {each.name for each in plan.tensors} == {"x0", "a_q", "c_q", "c", "x3"}


def test_what_follows_from_weights_is_computed_at_loading_and_random_numbers_are_not():
    chain = layers(
        ("Constant", "", "one"), ("Mul", "one w", "two"), ("RandomNormal", "", "noise"),
        ("Add", "two noise", "three"), ("Add", "two x", "y"),
    )  # fmt: skip
    assert folded(chain, ["w"]) == {"one", "two"}


def test_an_arena_splits_large_blocks_and_unites_free_ones():
    arena = Arena()
    first, second = arena.take(1), arena.take(300)
    assert (arena.used, arena.held) == (256 + 512, 1 << 20)
    rest = arena.take(600 << 10)  # more than half of what is left is not split
    assert arena.used == arena.held
    for each in (second, first, rest):
        arena.give_back(each)
    whole = arena.take(1 << 20)
    assert (arena.used, arena.held, arena.peak) == (1 << 20, 1 << 20, 1 << 20)
    arena.take(3 << 20)
    assert arena.held == 5 << 20, "regions are powers of two"
    arena.give_back(whole)


@pytest.mark.parametrize("kind", ["forked", "scanned", "causal", "temporal", "biased"])
def test_graphs_inside_of_layers_and_masks_of_a_free_length_are_planned(tmp_path, kind):
    ((_, path),) = later.write(tmp_path, [kind])
    found = estimated(path)
    measured = arenas.in_use(path, dict(found.lengths))
    assert found.arena_bytes_on(open_model(path), BLOCK) == pytest.approx(measured, rel=0.03)


def test_a_range_is_one_text_and_a_lower_bound_where_sizes_are_not_known(tmp_path, samples):
    whole = estimated(samples / "digits_float32.onnx")
    assert whole.peak_text == "12.2 to 14.1 KiB"
    nodes = [node("NonZero", "x0", "i"), node("Cast", "i", "x3", to=1)]
    path = save(tmp_path / "m.onnx", nodes, {"x0": [1000]}, {}, "x3")
    assert estimated(path).peak_text == "at least 3.91 KiB"


def test_loops_inside_of_loops_stay_short():
    steps = (("x", 4),)
    for _ in range(60):
        steps = inside_steps(steps, repeats=True)
    assert len(steps) < 200_000
