"""Tiny models that would take for ever, or all memory: each is a few hundred bytes to some kB.

They are made here, not kept as files. Each function returns a whole model; `MODELS` has them by
name. None of them needs an input: what they compute is theirs alone.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

FLOAT, INT64, BOOL, STRING = (
    TensorProto.FLOAT,
    TensorProto.INT64,
    TensorProto.BOOL,
    TensorProto.STRING,
)
node = helper.make_node
Shape = Sequence[int | str] | None


def value(name: str, kind: int = FLOAT, shape: Shape = None):
    return helper.make_tensor_value_info(name, kind, shape)


def weight(name: str, kind: int, shape: Sequence[int], values: Sequence[object]) -> TensorProto:
    return helper.make_tensor(name, kind, shape, values)


def model(
    nodes: Sequence[NodeProto],
    kind: int = FLOAT,
    weights: Sequence[TensorProto] = (),
    functions: Sequence[FunctionProto] = (),
    opset: int = 17,
    rank: int | None = None,
) -> ModelProto:
    """A model without inputs whose output is "y"."""
    shape = None if rank is None else [f"n{axis}" for axis in range(rank)]
    graph = helper.make_graph(nodes, "killer", [], [value("y", kind, shape)], weights)
    opsets = [helper.make_opsetid("", opset)]
    opsets += [helper.make_opsetid("own", 1)] if functions else []
    ir_version = 8 if opset < 19 else 10
    return helper.make_model(
        graph, opset_imports=opsets, functions=functions, ir_version=ir_version
    )


YES = weight("yes", BOOL, [], [True])
ONE = weight("x", FLOAT, [1], [1.0])


def body(
    nodes: Sequence[NodeProto],
    carried: Sequence[tuple[str, str, int]],
    shape: Shape = None,
    scanned: Sequence[str] = (),
) -> GraphProto:
    """The body of a Loop that always goes on. carried: (before, after, element type)."""
    befores = [value(before, kind, shape) for before, _, kind in carried]
    afters = [value(after, kind, shape) for _, after, kind in carried]
    afters += [value(name) for name in scanned]
    return helper.make_graph(
        [node("Identity", ["on"], ["still"]), *nodes],
        "body",
        [value("turn", INT64, []), value("on", BOOL, []), *befores],
        [value("still", BOOL, []), *afters],
    )


def endless_loop() -> ModelProto:
    inner = body([node("Identity", ["v"], ["w"])], [("v", "w", FLOAT)])
    loop = node("Loop", ["", "yes", "x"], ["y"], "loop", body=inner)
    return model([loop], weights=[YES, ONE])


def loop_of_2_to_62_turns() -> ModelProto:
    inner = body([node("Sin", ["v"], ["w"])], [("v", "w", FLOAT)])
    loop = node("Loop", ["many", "yes", "x"], ["y"], "loop", body=inner)
    return model([loop], weights=[YES, ONE, weight("many", INT64, [], [2**62])])


def nested_loops() -> ModelProto:
    many = weight("many", INT64, [], [1_000_000])
    inner = body([node("Sin", ["v0"], ["w0"])], [("v0", "w0", FLOAT)])
    for level in range(1, 4):
        before, after = f"v{level}", f"w{level}"
        step = node("Loop", ["many", "yes", before], [after], f"loop {level}", body=inner)
        inner = helper.make_graph(
            [node("Identity", [f"on{level}"], [f"still{level}"]), step],
            f"body {level}",
            [value(f"turn{level}", INT64, []), value(f"on{level}", BOOL, []), value(before)],
            [value(f"still{level}", BOOL, []), value(after)],
        )
    loop = node("Loop", ["many", "yes", "x"], ["y"], "loop", body=inner)
    return model([loop], weights=[YES, ONE, many])


def loop_that_collects() -> ModelProto:
    """Every turn adds a row of 1 MB to a scan output."""
    nodes = [
        node("Identity", ["v"], ["w"]),
        node("ConstantOfShape", ["row"], ["part"]),
    ]
    inner = body(nodes, [("v", "w", FLOAT)], scanned=["part"])
    loop = node("Loop", ["", "yes", "x"], ["last", "y"], "loop", body=inner)
    return model([loop], weights=[YES, ONE, weight("row", INT64, [1], [1 << 18])])


def loop_that_doubles() -> ModelProto:
    inner = body([node("Concat", ["v", "v"], ["w"], axis=0)], [("v", "w", FLOAT)])
    loop = node("Loop", ["", "yes", "x"], ["y"], "loop", body=inner)
    return model([loop], weights=[YES, ONE])


def loop_with_a_growing_sequence() -> ModelProto:
    sequence = helper.make_tensor_sequence_value_info
    inner = helper.make_graph(
        [
            node("Identity", ["on"], ["still"]),
            node("ConstantOfShape", ["row"], ["part"]),
            node("SequenceInsert", ["v", "part"], ["w"]),
        ],
        "body",
        [value("turn", INT64, []), value("on", BOOL, []), sequence("v", FLOAT, None)],
        [value("still", BOOL, []), sequence("w", FLOAT, None)],
    )
    nodes = [
        node("SequenceEmpty", [], ["empty"]),
        node("Loop", ["", "yes", "empty"], ["all"], "loop", body=inner),
        node("SequenceLength", ["all"], ["y"]),
    ]
    return model(nodes, INT64, [YES, weight("row", INT64, [1], [1 << 18])])


def loop_with_growing_text() -> ModelProto:
    """The text doubles in each turn."""
    inner = body([node("StringConcat", ["v", "v"], ["w"])], [("v", "w", STRING)])
    loop = node("Loop", ["", "yes", "t"], ["y"], "loop", body=inner)
    text = weight("t", STRING, [1], [b"long live the loop"])
    return model([loop], STRING, [YES, text], opset=20)


def einsum_of_dots() -> ModelProto:
    """Shape inference of ONNX and of the runtime never end on the equation."""
    return model([node("Einsum", ["x", "x"], ["y"], equation="." * 60 + "->")], weights=[ONE])


def einsum_outer_product() -> ModelProto:
    row = weight("row", INT64, [1], [400])
    nodes = [
        node("ConstantOfShape", ["row"], ["v"]),
        node("Einsum", ["v"] * 5, ["y"], equation="a,b,c,d,e->abcde"),
    ]
    return model(nodes, weights=[row])


def expand() -> ModelProto:
    shape = weight("shape", INT64, [2], [1 << 17, 1 << 17])
    return model([node("Expand", ["x", "shape"], ["y"])], weights=[ONE, shape])


def constant_of_shape() -> ModelProto:
    shape = weight("shape", INT64, [1], [1 << 34])
    return model([node("ConstantOfShape", ["shape"], ["y"])], weights=[shape])


def several_of_1_gigabyte() -> ModelProto:
    """Each is small enough alone; together they are 12 GB, all alive at once."""
    shape = weight("shape", INT64, [1], [1 << 28])
    names = [f"part{i}" for i in range(12)]
    nodes = [node("RandomUniform", [], [name], shape=[1 << 28]) for name in names]
    return model([*nodes, node("Sum", names, ["y"])], weights=[shape])


def tile() -> ModelProto:
    repeats = weight("repeats", INT64, [1], [1 << 36])
    return model([node("Tile", ["x", "repeats"], ["y"])], weights=[ONE, repeats])


def range_of_2_to_40() -> ModelProto:
    ends = [weight(n, INT64, [], [v]) for n, v in (("a", 0), ("b", 1 << 40), ("c", 1))]
    return model([node("Range", ["a", "b", "c"], ["y"])], INT64, ends)


def resize() -> ModelProto:
    image = weight("image", FLOAT, [1, 1, 2, 2], [1.0] * 4)
    scales = weight("scales", FLOAT, [4], [1.0, 1.0, 100_000.0, 100_000.0])
    return model([node("Resize", ["image", "", "scales"], ["y"])], weights=[image, scales])


def pad() -> ModelProto:
    pads = weight("pads", INT64, [2], [1 << 33, 1 << 33])
    return model([node("Pad", ["x", "pads"], ["y"])], weights=[ONE, pads])


def one_hot() -> ModelProto:
    weights = [
        weight("i", INT64, [4], [0, 1, 2, 3]),
        weight("depth", INT64, [], [1 << 33]),
        weight("values", FLOAT, [2], [0.0, 1.0]),
    ]
    return model([node("OneHot", ["i", "depth", "values"], ["y"])], weights=weights)


def random_normal() -> ModelProto:
    return model([node("RandomNormal", [], ["y"], shape=[1 << 20, 1 << 16])])


def non_zero() -> ModelProto:
    """512 MB of ones have 1 GB of indices for each axis."""
    ones = helper.make_tensor("value", FLOAT, [1], [1.0])
    shape = weight("shape", INT64, [3], [512, 512, 512])
    nodes = [
        node("ConstantOfShape", ["shape"], ["ones"], value=ones),
        node("NonZero", ["ones"], ["y"]),
    ]
    return model(nodes, INT64, [shape])


def long_scan() -> ModelProto:
    """A Scan over 100 million steps."""
    inner = helper.make_graph(
        [node("Add", ["state", "step"], ["next"]), node("Identity", ["next"], ["seen"])],
        "body",
        [value("state", FLOAT, []), value("step", FLOAT, [])],
        [value("next", FLOAT, []), value("seen", FLOAT, [])],
    )
    nodes = [
        node("ConstantOfShape", ["length"], ["steps"]),
        node("Scan", ["zero", "steps"], ["y", "all"], "scan", body=inner, num_scan_inputs=1),
    ]
    length = weight("length", INT64, [1], [100_000_000])
    return model(nodes, weights=[length, weight("zero", FLOAT, [], [0.0])])


def deep_ifs() -> bytes:
    """2,000 Ifs, each in the branch of the one before: more than protobuf itself will write."""
    small = model([node("If", ["yes"], ["y"])], weights=[YES, ONE])
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
    return model(list(top.node), weights=[YES, ONE])


def weight_without_data() -> ModelProto:
    empty = TensorProto(name="w", data_type=FLOAT, dims=[1 << 40])
    return model([node("Identity", ["w"], ["y"])], weights=[empty])


def weight_of_overflowing_shape() -> ModelProto:
    empty = TensorProto(name="w", data_type=FLOAT, dims=[1 << 32, 1 << 32], raw_data=b"")
    return model([node("Identity", ["w"], ["y"])], weights=[empty])


def recursive_function() -> ModelProto:
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    call = node("again", ["a"], ["b"], domain="own")
    function = helper.make_function("own", "again", ["a"], ["b"], [call], opsets)
    start = node("again", ["x"], ["y"], domain="own")
    return model([start], weights=[ONE], functions=[function])


def doubling_functions() -> ModelProto:
    """Each of 32 functions calls the next one twice: 2 to the 32nd layers when inlined."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    functions = [
        helper.make_function(
            "own",
            f"f{level}",
            ["a"],
            ["c"],
            [
                node(f"f{level + 1}", ["a"], ["b"], domain="own"),
                node(f"f{level + 1}", ["b"], ["c"], domain="own"),
            ],
            opsets,
        )
        for level in range(32)
    ]
    last = helper.make_function("own", "f32", ["a"], ["c"], [node("Sin", ["a"], ["c"])], opsets)
    start = node("f0", ["x"], ["y"], domain="own")
    return model([start], weights=[ONE], functions=[*functions, last])


def split_to_sequence() -> ModelProto:
    """100 million tensors of one element."""
    nodes = [
        node("ConstantOfShape", ["length"], ["v"]),
        node("SplitToSequence", ["v"], ["parts"]),
        node("SequenceLength", ["parts"], ["y"]),
    ]
    return model(nodes, INT64, [weight("length", INT64, [1], [100_000_000])])


def matmul_outer_product() -> ModelProto:
    tall, wide = (
        weight("tall", INT64, [2], [1 << 17, 1]),
        weight("wide", INT64, [2], [1, 1 << 17]),
    )
    nodes = [
        node("ConstantOfShape", ["tall"], ["a"]),
        node("ConstantOfShape", ["wide"], ["b"]),
        node("MatMul", ["a", "b"], ["y"]),
    ]
    return model(nodes, weights=[tall, wide])


def slow_matmul() -> ModelProto:
    """12,000 multiplications of matrices of 2,048 by 2,048: 0.2 PFLOP."""
    shape = weight("shape", INT64, [2], [2048, 2048])
    inner = body([node("MatMul", ["v", "m"], ["w"])], [("v", "w", FLOAT)])
    nodes = [
        node("ConstantOfShape", ["shape"], ["m"]),
        node("Loop", ["many", "yes", "m"], ["y"], "loop", body=inner),
    ]
    return model(nodes, weights=[shape, YES, weight("many", INT64, [], [12_000])])


def long_dft() -> ModelProto:
    """A Fourier transform of a prime length, which takes its square."""
    shape = weight("shape", INT64, [3], [1, 2_097_143, 1])
    nodes = [
        node("ConstantOfShape", ["shape"], ["v"]),
        node("DFT", ["v"], ["y"], axis=1),
    ]
    return model(nodes, weights=[shape])


def cast_to_text() -> ModelProto:
    """100 million numbers as texts of 32 bytes or more each."""
    shape = weight("shape", INT64, [1], [100_000_000])
    nodes = [
        node("ConstantOfShape", ["shape"], ["v"]),
        node("Cast", ["v"], ["t"], to=STRING),
        node("Shape", ["t"], ["y"]),
    ]
    return model(nodes, INT64, [shape])


def doubled_35_times() -> ModelProto:
    """1 kB that becomes 137 GB, and is constant, so that loading folds it."""
    nodes = [node("Concat", [f"v{i}", f"v{i}"], [f"v{i + 1}"], axis=0) for i in range(35)]
    nodes[0].input[:] = ["x", "x"]
    return model([*nodes, node("Identity", ["v35"], ["y"])], weights=[ONE])


def conv_transpose() -> ModelProto:
    image = weight("image", FLOAT, [1, 1, 2, 2], [1.0] * 4)
    kernel = weight("kernel", FLOAT, [1, 1, 1, 1], [1.0])
    step = node("ConvTranspose", ["image", "kernel"], ["y"], strides=[1 << 17, 1 << 17])
    return model([step], weights=[image, kernel])


def multinomial() -> ModelProto:
    chances = weight("chances", FLOAT, [1, 4], [1.0] * 4)
    draw = node("Multinomial", ["chances"], ["y"], sample_size=2_000_000_000)
    return model([draw], TensorProto.INT32, [chances])


MODELS: dict[str, Callable[[], ModelProto | bytes]] = {
    make.__name__: make
    for make in (
        endless_loop,
        loop_of_2_to_62_turns,
        nested_loops,
        loop_that_collects,
        loop_that_doubles,
        loop_with_a_growing_sequence,
        loop_with_growing_text,
        einsum_of_dots,
        einsum_outer_product,
        expand,
        constant_of_shape,
        several_of_1_gigabyte,
        tile,
        range_of_2_to_40,
        resize,
        pad,
        one_hot,
        random_normal,
        non_zero,
        long_scan,
        deep_ifs,
        tree_of_ifs,
        weight_without_data,
        weight_of_overflowing_shape,
        recursive_function,
        doubling_functions,
        split_to_sequence,
        matmul_outer_product,
        slow_matmul,
        long_dft,
        cast_to_text,
        doubled_35_times,
        conv_transpose,
        multinomial,
    )
}


def write(name: str, folder: Path) -> Path:
    """Write one of `MODELS` into a folder, and return its path."""
    path = folder / f"{name}.onnx"
    made = MODELS[name]()
    path.write_bytes(made if isinstance(made, bytes) else made.SerializeToString())
    return path
