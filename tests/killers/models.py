"""Tiny models that would take for ever, or all memory: each is a few hundred bytes to some kB.

They are made here, not kept as files; `MODELS` has them by name. None of them needs an input:
what they compute is theirs alone.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, parser

from tests import models

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
SEQUENCE = helper.make_tensor_sequence_value_info
node = helper.make_node


def value(name: str, kind: int = FLOAT, shape: Sequence[int | str] | None = None):
    return models.value(name, shape, kind)


def _loop(start: str, step: str, times: str = '""', kind: str = "float", more: str = "") -> str:
    """Text of a Loop that always goes on. more: a further output, of its body and of itself."""
    outputs, scanned = ("last, y", f", {kind} {more}") if more else ("y", "")
    return (
        f"[loop] {outputs} = Loop ({times}, yes, {start}) <body = body (int64 turn, bool on,"
        f" {kind} v) => (bool still, {kind} w{scanned}) {{ still = Identity (on) {step} }}>"
    )


_LOOPED = "bool yes = {1}, float[1] x = {1}"
_DOUBLED = " ".join(f"v{i + 1} = Concat <axis = 0> (v{i}, v{i})" for i in range(35))
_PARTS = [f"part{i}" for i in range(12)]
# Name: weights and nodes in ONNX's text form. The output is y, of floats.
_TEXTS: dict[str, tuple[str, str]] = {
    "endless_loop": (_LOOPED, _loop("x", "w = Identity (v)")),
    "loop_of_2_to_62_turns": (
        f"{_LOOPED}, int64 many = {{{2**62}}}", _loop("x", "w = Sin (v)", "many"),
    ),
    # Every turn adds a row of 1 MB to a scan output.
    "loop_that_collects": (
        f"{_LOOPED}, int64[1] row = {{{1 << 18}}}",
        _loop("x", "w = Identity (v) part = ConstantOfShape (row)", more="part"),
    ),
    "loop_that_doubles": (_LOOPED, _loop("x", "w = Concat <axis = 0> (v, v)")),
    # Shape inference of ONNX and of the runtime never end on the equation.
    "einsum_of_dots": (
        "float[1] x = {1}", f'y = Einsum <equation = "{"." * 60}->"> (x, x)',
    ),
    "einsum_outer_product": (
        "int64[1] row = {400}",
        'v = ConstantOfShape (row) y = Einsum <equation = "a,b,c,d,e->abcde"> (v, v, v, v, v)',
    ),
    "expand": (
        f"float[1] x = {{1}}, int64[2] shape = {{{1 << 17}, {1 << 17}}}",
        "y = Expand (x, shape)",
    ),
    "constant_of_shape": (f"int64[1] shape = {{{1 << 34}}}", "y = ConstantOfShape (shape)"),
    # Each is small enough alone; together they are 12 GB, all alive at once.
    "several_of_1_gigabyte": (
        "", " ".join(f"{part} = RandomUniform <shape = [{1 << 28}]> ()" for part in _PARTS)
        + f" y = Sum ({', '.join(_PARTS)})",
    ),
    "tile": (f"float[1] x = {{1}}, int64[1] repeats = {{{1 << 36}}}", "y = Tile (x, repeats)"),
    "resize": (
        "float[1,1,2,2] image = {1, 1, 1, 1}, float[4] scales = {1, 1, 100000, 100000}",
        'y = Resize (image, "", scales)',
    ),
    "pad": (
        f"float[1] x = {{1}}, int64[2] pads = {{{1 << 33}, {1 << 33}}}", "y = Pad (x, pads)",
    ),
    "one_hot": (
        f"int64[4] i = {{0, 1, 2, 3}}, int64 depth = {{{1 << 33}}}, float[2] values = {{0, 1}}",
        "y = OneHot (i, depth, values)",
    ),
    "random_normal": ("", f"y = RandomNormal <shape = [{1 << 20}, {1 << 16}]> ()"),
    # A Scan over 100 million steps.
    "long_scan": (
        "int64[1] length = {100000000}, float zero = {0}",
        """steps = ConstantOfShape (length)
        [scan] y, all = Scan <num_scan_inputs = 1, body = body (float state, float step)
          => (float next, float seen) { next = Add (state, step) seen = Identity (next) }>
          (zero, steps)""",
    ),
    "matmul_outer_product": (
        f"int64[2] tall = {{{1 << 17}, 1}}, int64[2] wide = {{1, {1 << 17}}}",
        "a = ConstantOfShape (tall) b = ConstantOfShape (wide) y = MatMul (a, b)",
    ),
    # 12,000 multiplications of matrices of 2,048 by 2,048: 0.2 PFLOP.
    "slow_matmul": (
        "int64[2] shape = {2048, 2048}, bool yes = {1}, int64 many = {12000}",
        "m = ConstantOfShape (shape) " + _loop("m", "w = MatMul (v, m)", "many"),
    ),
    # A Fourier transform of a prime length, which takes its square.
    "long_dft": (
        "int64[3] shape = {1, 2097143, 1}",
        "v = ConstantOfShape (shape) y = DFT <axis = 1> (v)",
    ),
    # 1 kB that becomes 137 GB, and is constant, so that loading folds it.
    "doubled_35_times": ("float[1] v0 = {1}", f"{_DOUBLED} y = Identity (v35)"),
    "conv_transpose": (
        "float[1,1,2,2] image = {1, 1, 1, 1}, float[1,1,1,1] kernel = {1}",
        f"y = ConvTranspose <strides = [{1 << 17}, {1 << 17}]> (image, kernel)",
    ),
}  # fmt: skip
_OF_OTHER_TYPES: dict[str, tuple[str, str, str]] = {
    "range_of_2_to_40": (
        f"int64 a = {{0}}, int64 b = {{{1 << 40}}}, int64 c = {{1}}",
        "y = Range (a, b, c)", "int64",
    ),
    # 512 MB of ones have 1 GB of indices for each axis.
    "non_zero": (
        "int64[3] shape = {512, 512, 512}",
        "ones = ConstantOfShape <value = float[1] {1}> (shape) y = NonZero (ones)", "int64",
    ),
    # 100 million tensors of one element.
    "split_to_sequence": (
        "int64[1] length = {100000000}",
        "v = ConstantOfShape (length) parts = SplitToSequence (v) y = SequenceLength (parts)",
        "int64",
    ),
    # 100 million numbers as texts of 32 bytes or more each.
    "cast_to_text": (
        "int64[1] shape = {100000000}",
        "v = ConstantOfShape (shape) t = Cast <to = 8> (v) y = Shape (t)", "int64",
    ),
    "multinomial": (
        "float[1,4] chances = {1, 1, 1, 1}",
        "y = Multinomial <sample_size = 2000000000> (chances)", "int32",
    ),
    "loop_with_growing_text": (  # it doubles in each turn
        'bool yes = {1}, string[1] t = {"long live the loop"}',
        _loop("t", "w = StringConcat (v, v)", kind="string"), "string",
    ),
}  # fmt: skip


def from_text(weights: str, nodes: str, kind: str = "float") -> ModelProto:
    """Make a model without inputs. The text has scalars where shapes are to stay unknown."""
    ir_version, opset = (10, 20) if kind == "string" else (8, 17)
    made = parser.parse_model(
        f'<ir_version: {ir_version}, opset_import: ["" : {opset}]>'
        f" killer () => ({kind} y) <{weights}> {{ {nodes} }}"
    )
    attributes = [each for step in made.graph.node for each in step.attribute]
    for graph in (made.graph, *(each.g for each in attributes if each.HasField("g"))):
        for each in (*graph.input, *graph.output):
            if each.name not in ("turn", "on", "still"):
                each.type.tensor_type.ClearField("shape")
    return made


def model(
    nodes: Sequence[NodeProto],
    weights: Sequence[TensorProto],
    functions: Sequence[FunctionProto] = (),
    kind: int = FLOAT,
) -> ModelProto:
    """A model without inputs whose output is "y"."""
    made = models.model(nodes, [], [value("y", kind)], weights)
    made.functions.extend(functions)
    return made


YES = helper.make_tensor("yes", BOOL, [], [True])
ONE = helper.make_tensor("x", FLOAT, [1], [1.0])


def nested_loops() -> ModelProto:
    many = helper.make_tensor("many", INT64, [], [1_000_000])
    step, before, after = node("Sin", ["v0"], ["w0"]), "v0", "w0"
    for level in range(1, 5):
        turn, goes_on, still = (f"{each}{level}" for each in ("turn", "on", "still"))
        inner = helper.make_graph(
            [node("Identity", [goes_on], [still]), step],
            f"body {level}",
            [value(turn, INT64, []), value(goes_on, BOOL, []), value(before)],
            [value(still, BOOL, []), value(after)],
        )
        before, after = (f"v{level}", f"w{level}") if level < 4 else ("x", "y")
        name = f"loop {level}" if level < 4 else "loop"
        step = node("Loop", ["many", "yes", before], [after], name, body=inner)
    return model([step], [YES, ONE, many])


def loop_with_a_growing_sequence() -> ModelProto:
    inner = helper.make_graph(
        [
            node("Identity", ["on"], ["still"]),
            node("ConstantOfShape", ["row"], ["part"]),
            node("SequenceInsert", ["v", "part"], ["w"]),
        ],
        "body",
        [value("turn", INT64, []), value("on", BOOL, []), SEQUENCE("v", FLOAT, None)],
        [value("still", BOOL, []), SEQUENCE("w", FLOAT, None)],
    )
    nodes = [
        node("SequenceEmpty", [], ["empty"]),
        node("Loop", ["", "yes", "empty"], ["all"], "loop", body=inner),
        node("SequenceLength", ["all"], ["y"]),
    ]
    row = helper.make_tensor("row", INT64, [1], [1 << 18])
    return model(nodes, [YES, row], kind=INT64)


def deep_ifs() -> bytes:
    """2,000 Ifs, each in the branch of the one before: more than protobuf itself will write."""
    small = model([node("If", ["yes"], ["y"])], [YES, ONE])
    end = helper.make_graph([node("Identity", ["x"], ["z"])], "end", [], [value("z")])
    branch = end.SerializeToString()
    for level in range(2_000):
        name = b"y" if level == 1_999 else b"r%d" % level
        attribute = _field(1, b"then_branch") + _field(6, branch) + _field(20, 5)
        step = _field(1, b"yes") + _field(2, name) + _field(4, b"If") + _field(5, attribute)
        output = value(name.decode()).SerializeToString()
        branch = _field(1, step) + _field(2, b"then") + _field(12, output)
    weights = b"".join(_field(5, each.SerializeToString()) for each in (YES, ONE))
    del small.graph.node[:]
    small.ClearField("graph")
    return small.SerializeToString() + _field(7, branch + weights)


def _field(number: int, content: bytes | int) -> bytes:
    """Write a field of a protobuf message: a number, or bytes."""
    if isinstance(content, int):
        return _varint(number << 3) + _varint(content)
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + _varint(rest) if rest else bytes([low])


def tree_of_ifs(depth: int = 10) -> ModelProto:
    """Both branches of each If hold another one: 2 to the `depth`-th Ifs in all."""

    def branch(level: int, name: str) -> GraphProto:
        if not level:
            nodes = [node("Identity", ["x"], [f"{name}"])]
        else:
            then = branch(level - 1, f"{name}t")
            other = branch(level - 1, f"{name}e")
            nodes = [node("If", ["yes"], [name], then_branch=then, else_branch=other)]
        return helper.make_graph(nodes, name, [], [value(name)])

    top = branch(depth, "y")
    return model(list(top.node), [YES, ONE])


def without_data(*dims: int, **more: bytes) -> ModelProto:
    """A model of a weight that has a shape, but no values."""
    empty = TensorProto(name="w", data_type=FLOAT, dims=dims, **more)
    return model([node("Identity", ["w"], ["y"])], [empty])


def _function(name: str, *called: str) -> FunctionProto:
    """A function that calls others, one after the other."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    steps = [
        node(each, [f"v{place}"], [f"v{place + 1}"], domain="" if each == "Sin" else "own")
        for place, each in enumerate(called)
    ]
    return helper.make_function("own", name, ["v0"], [f"v{len(called)}"], steps, opsets)


def calling(*functions: FunctionProto) -> ModelProto:
    """A model that calls the first of its functions."""
    return model([node(functions[0].name, ["x"], ["y"], domain="own")], [ONE], functions)


MODELS: dict[str, Callable[[], ModelProto | bytes]] = {
    **{name: partial(from_text, *text) for name, text in _TEXTS.items()},
    **{name: partial(from_text, *text) for name, text in _OF_OTHER_TYPES.items()},
    "nested_loops": nested_loops,
    "loop_with_a_growing_sequence": loop_with_a_growing_sequence,
    "deep_ifs": deep_ifs,
    "tree_of_ifs": tree_of_ifs,
    "weight_without_data": partial(without_data, 1 << 40),
    "weight_of_overflowing_shape": partial(without_data, 1 << 32, 1 << 32, raw_data=b""),
    "recursive_function": partial(calling, _function("again", "again")),
    # Each of 32 functions calls the next one twice: 2 to the 32nd layers when inlined.
    "doubling_functions": partial(
        calling,
        *(_function(f"f{level}", *[f"f{level + 1}"] * 2) for level in range(32)),
        _function("f32", "Sin"),
    ),
}


def write(name: str, folder: Path) -> Path:
    """Write one of `MODELS` into a folder, and return its path."""
    path = folder / f"{name}.onnx"
    made = MODELS[name]()
    path.write_bytes(made if isinstance(made, bytes) else made.SerializeToString())
    return path
