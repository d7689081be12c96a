"""Small models that ONNX Runtime refuses to load or to run, each for another reason."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper
from onnx import numpy_helper as arrays

FLOAT, INT64, STRING, BOOL = (
    TensorProto.FLOAT,
    TensorProto.INT64,
    TensorProto.STRING,
    TensorProto.BOOL,
)
Value = tuple[str, int, Sequence[int | str | None] | None]
X: Value = ("x", FLOAT, [2, 3])
Y: Value = ("y", FLOAT, None)


@dataclass(frozen=True, slots=True)
class RefusedModel:
    """A model's file and what to feed it.

    body: of the file. feeds: arrays by input; empty where the model is not even loaded.
    """

    body: bytes
    feeds: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def save(self, path: Path) -> Path:
        """Write the file."""
        path.write_bytes(self.body)
        return path


def _value(value: Value) -> onnx.ValueInfoProto:
    name, dtype, shape = value
    return helper.make_tensor_value_info(name, dtype, shape)


def _graph(
    nodes: Sequence[NodeProto],
    inputs: Sequence[Value] = (X,),
    outputs: Sequence[Value] = (Y,),
    weights: Mapping[str, Any] = MappingProxyType({}),
) -> GraphProto:
    initializers = [arrays.from_array(np.asarray(w), name) for name, w in weights.items()]
    return helper.make_graph(
        nodes, "g", [*map(_value, inputs)], [*map(_value, outputs)], initializers
    )


def _model(
    nodes: Sequence[NodeProto],
    inputs: Sequence[Value] = (X,),
    outputs: Sequence[Value] = (Y,),
    weights: Mapping[str, Any] = MappingProxyType({}),
    opset: int = 17,
    **domains: int,
) -> ModelProto:
    names = {"microsoft": "com.microsoft", "ml": "ai.onnx.ml", "extensions": "ai.onnx.contrib"}
    opsets = [helper.make_opsetid("", opset)]
    opsets += [helper.make_opsetid(names.get(name, name), n) for name, n in domains.items()]
    graph = _graph(nodes, inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def _node(operator: str, inputs: str, outputs: str = "y", **attributes: Any) -> NodeProto:
    """Return a node called "layer"; names of tensors are separated by blanks, "-" is none."""
    names = ["" if name == "-" else name for name in inputs.split()]
    attributes.setdefault("name", "layer")
    return helper.make_node(operator, names, outputs.split(), **attributes)


def _loads_not(model: ModelProto) -> RefusedModel:
    return RefusedModel(model.SerializeToString())


def _runs_not(model: ModelProto, **feeds: Any) -> RefusedModel:
    given = {name: np.asarray(value) for name, value in feeds.items()}
    if not feeds:
        given = {"x": np.ones((2, 3), np.float32)}
    return RefusedModel(model.SerializeToString(), given)


def _floats(*shape: int) -> NDArray[np.float32]:
    return np.ones(shape, np.float32)


def _one(operator: str, **attributes: Any) -> RefusedModel:
    return _loads_not(_model([_node(operator, "x", **attributes)]))


def _run_with(operator: str, second: Any, x: Any = None, **attributes: Any) -> RefusedModel:
    first = _floats(2, 3) if x is None else np.asarray(x)
    kind = helper.np_dtype_to_tensor_dtype(first.dtype)
    inputs: Value = ("x", kind, [None] * first.ndim)
    out: Value = ("y", kind, None)
    array = np.asarray(second)
    free: Value = ("second", helper.np_dtype_to_tensor_dtype(array.dtype), [None] * array.ndim)
    node = _node(operator, "x second", **attributes)
    return _runs_not(_model([node], [inputs, free], [out]), x=first, second=array)


def _duplicate_output() -> RefusedModel:
    nodes = [_node("Relu", "x", "y", name="a"), _node("Neg", "x", "y", name="b")]
    return _loads_not(_model(nodes))


def _duplicate_names() -> RefusedModel:
    nodes = [_node("Relu", "x", "h", name="a"), _node("Neg", "h", "y", name="a")]
    return _loads_not(_model(nodes))


def _cycle() -> RefusedModel:
    nodes = [_node("Add", "x b", "a", name="a"), _node("Relu", "a", "b", name="b")]
    return _loads_not(_model([*nodes, _node("Neg", "b", "y", name="c")]))


def _unfed() -> RefusedModel:
    return _loads_not(_model([_node("Add", "x nobody")]))


def _output_missing() -> RefusedModel:
    return _loads_not(_model([_node("Relu", "x", "h")]))


def _no_opset() -> RefusedModel:
    model = _model([_node("Relu", "x")])
    del model.opset_import[:]
    return _loads_not(model)


def _no_ir() -> RefusedModel:
    model = _model([_node("Relu", "x")])
    model.ClearField("ir_version")
    return _loads_not(model)


def _with_ir(version: int) -> RefusedModel:
    model = _model([_node("Relu", "x")])
    model.ir_version = version
    return _loads_not(model)


def _weight(change: Callable[[TensorProto], object]) -> RefusedModel:
    model = _model([_node("Add", "x w")], weights={"w": _floats(2, 3)})
    change(model.graph.initializer[0])
    return _loads_not(model)


def _external(location: str, **more: str) -> RefusedModel:
    def change(weight: TensorProto) -> None:
        weight.ClearField("raw_data")
        weight.data_location = TensorProto.EXTERNAL
        for key, value in {"location": location, **more}.items():
            weight.external_data.add(key=key, value=value)

    return _weight(change)


def _recursive_function() -> RefusedModel:
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("loc", 1)]
    call = helper.make_node("F", ["a"], ["b"], domain="loc")
    function = helper.make_function("loc", "F", ["a"], ["b"], [call], opsets)
    model = _model([_node("F", "x", domain="loc")], loc=1)
    model.functions.append(function)
    return _loads_not(model)


def _duplicate_function() -> RefusedModel:
    opsets = [helper.make_opsetid("", 17)]
    call = helper.make_node("Relu", ["a"], ["b"])
    function = helper.make_function("loc", "F", ["a"], ["b"], [call], opsets)
    model = _model([_node("F", "x", domain="loc")], loc=1)
    model.functions.extend([function, function])
    return _loads_not(model)


def _branches_differ() -> RefusedModel:
    branches = [
        _graph([_node("Relu", "x", "b")], (), [("b", FLOAT, [2, 3])]),
        _graph([_node("Cast", "x", "b", to=INT64)], (), [("b", INT64, [2, 3])]),
    ]
    node = _node("If", "c", then_branch=branches[0], else_branch=branches[1])
    return _loads_not(_model([node], [X, ("c", BOOL, [])]))


def _branch_lacks_output() -> RefusedModel:
    branch = _graph([_node("Relu", "x", "b")], (), [("b", FLOAT, [2, 3])])
    node = _node("If", "c", "y z", then_branch=branch, else_branch=branch)
    outputs: list[Value] = [Y, ("z", FLOAT, None)]
    return _loads_not(_model([node], [X, ("c", BOOL, [])], outputs))


def _loop(body: GraphProto) -> RefusedModel:
    node = _node("Loop", "n c x", body=body)
    weights = {"n": np.int64(2), "c": np.bool_(True)}
    return _loads_not(_model([node], weights=weights))


def _loop_inputs() -> RefusedModel:
    return _loop(_graph([_node("Relu", "h", "k")], [("h", FLOAT, [2, 3])], [("k", FLOAT, [2])]))


def _loop_changes_type() -> RefusedModel:
    nodes = [_node("Identity", "c", "d", name="a"), _node("Cast", "h", "k", name="b", to=INT64)]
    inputs: list[Value] = [("i", INT64, []), ("c", BOOL, []), ("h", FLOAT, [2, 3])]
    return _loop(_graph(nodes, inputs, [("d", BOOL, []), ("k", INT64, [2, 3])]))


def _scan_lengths() -> RefusedModel:
    body = _graph(
        [_node("Add", "a b", "s")],
        [("a", FLOAT, None), ("b", FLOAT, None)],
        [("s", FLOAT, None)],
    )
    node = _node("Scan", "x z", num_scan_inputs=2, body=body)
    model = _model([node], [("x", FLOAT, [None, 2]), ("z", FLOAT, [None, 2])])
    return _runs_not(model, x=_floats(3, 2), z=_floats(4, 2))


def _text_to_number() -> RefusedModel:
    model = _model([_node("Cast", "x", to=FLOAT)], [("x", STRING, [1])])
    return _runs_not(model, x=np.array(["twelve"], object))


def _wrong_attribute() -> RefusedModel:
    node = _node("Softmax", "x", axis=1)
    node.attribute[0].type = AttributeProto.FLOAT
    return _loads_not(_model([node]))


def _lstm(model_change: Callable[[NodeProto], object], **feeds: Any) -> RefusedModel:
    node = _node("LSTM", "x w r", hidden_size=2)
    model_change(node)
    weights = {"w": _floats(1, 8, 3), "r": _floats(1, 8, 2)}
    model = _model([node], [("x", FLOAT, [None, None, None])], weights=weights)
    given = feeds or {"x": _floats(1, 1, 3)}
    return _runs_not(model, **given)


def _clip_of_rnn() -> RefusedModel:
    return _lstm(lambda node: node.attribute.append(helper.make_attribute("clip", -1.0)))


def _lstm_width() -> RefusedModel:
    return _lstm(lambda node: None, x=_floats(1, 1, 5))


def _sequence_place() -> RefusedModel:
    nodes = [_node("SequenceConstruct", "x", "s", name="a"), _node("SequenceAt", "s i")]
    model = _model(nodes, [X, ("i", INT64, [])])
    return _runs_not(model, x=_floats(2, 3), i=np.int64(7))


def _tree() -> RefusedModel:
    node = _node(
        "TreeEnsembleRegressor", "x", domain="ai.onnx.ml", n_targets=1,
        nodes_treeids=[0], nodes_nodeids=[0], nodes_featureids=[0, 1],
        nodes_modes=["LEAF"], nodes_values=[0.0],
    )  # fmt: skip
    return _loads_not(_model([node], ml=3))


def _labels() -> RefusedModel:
    node = _node("ZipMap", "x", domain="ai.onnx.ml", classlabels_int64s=[0, 1])
    model = _model([node], [("x", FLOAT, [None, None])], [], ml=1)
    kind = helper.make_map_type_proto(INT64, helper.make_tensor_type_proto(FLOAT, None))
    info = helper.make_value_info("y", helper.make_sequence_type_proto(kind))
    model.graph.output.append(info)
    return _runs_not(model, x=_floats(2, 3))


def _memory() -> RefusedModel:
    node = _node("ConstantOfShape", "n")
    model = _model([node], [("n", INT64, [None])])
    return _runs_not(model, n=np.array([1 << 20, 1 << 20], np.int64))


def _untyped_input() -> RefusedModel:
    model = _model([_node("Relu", "x")])
    model.graph.input[0].ClearField("type")
    return _loads_not(model)


# What is refused, and the model; each is made when it is asked for.
MODELS: Mapping[str, Callable[[], RefusedModel]] = MappingProxyType({
    # Loading: the file.
    "no protobuf": lambda: RefusedModel(b"\x0a\xff\xff\xff\x7fnonsense"),
    "no graph": lambda: RefusedModel(ModelProto(ir_version=8).SerializeToString()),
    "no opset": _no_opset,
    "no IR version": _no_ir,
    "IR version too new": lambda: _with_ir(99),
    "opset too new": lambda: _loads_not(_model([_node("Relu", "x")], opset=99)),
    # Loading: operators.
    "unknown operator": lambda: _one("Frobnicate"),
    "contrib operator without its domain": lambda: _one("FastGelu"),
    "machine learning operator without its domain": lambda: _one("Scaler"),
    "operator of a later opset": lambda: _loads_not(
        _model([_node("Gelu", "x")], opset=17)
    ),
    "deprecated operator": lambda: _loads_not(
        _model([_node("Upsample", "x s")], [X, ("s", FLOAT, [2])], opset=13)
    ),
    "unknown contrib operator": lambda: _loads_not(
        _model([_node("Frobnicate", "x", domain="com.microsoft")], microsoft=1)
    ),
    "unknown domain": lambda: _loads_not(
        _model([_node("Frobnicate", "x", domain="acme")], acme=1)
    ),
    "domain not imported": lambda: _loads_not(
        _model([_node("Frobnicate", "x", domain="nobody")])
    ),
    "operator of onnxruntime-extensions": lambda: _loads_not(
        _model([_node("Frobnicate", "x", domain="ai.onnx.contrib")], extensions=1)
    ),
    "type without an implementation": lambda: _loads_not(
        _model([_node("Sin", "x")], [("x", TensorProto.BFLOAT16, [2])],
               [("y", TensorProto.BFLOAT16, [2])], opset=22)
    ),
    # Loading: attributes, types and shapes.
    "unknown attribute": lambda: _one("Relu", nonsense=1),
    "attribute of another type": _wrong_attribute,
    "missing attribute": lambda: _one("Cast"),
    "attribute out of range": lambda: _loads_not(_model(
        [_node("Conv", "x w", strides=[0, 0])], [("x", FLOAT, [1, 1, 4, 4])],
        weights={"w": _floats(1, 1, 2, 2)},
    )),
    "too few inputs": lambda: _one("Add"),
    "too many outputs": lambda: _loads_not(
        _model([_node("Relu", "x", "y z")], outputs=[Y, ("z", FLOAT, None)])
    ),
    "type not allowed": lambda: _loads_not(
        _model([_node("Relu", "x")], [("x", STRING, [2])], [("y", STRING, None)])
    ),
    "types differ": lambda: _loads_not(
        _model([_node("Add", "x z")], [X, ("z", INT64, [2, 3])])
    ),
    "declared type differs": lambda: _loads_not(
        _model([_node("Relu", "x")], outputs=[("y", INT64, None)])
    ),
    "shapes do not fit": lambda: _loads_not(
        _model([_node("MatMul", "x z")], [X, ("z", FLOAT, [7, 3])])
    ),
    "axis out of range": lambda: _one("Softmax", axis=9),
    "data type 0": lambda: _loads_not(_model([_node("Relu", "x")], [("x", 0, [2])])),
    "input without a type": _untyped_input,
    # Loading: the graph.
    "duplicate tensor": _duplicate_output,
    "duplicate layer name": _duplicate_names,
    "cycle": _cycle,
    "input of nowhere": _unfed,
    "output of nowhere": _output_missing,
    "duplicate graph input": lambda: _loads_not(_model([_node("Relu", "x")], [X, X])),
    "recursive function": _recursive_function,
    "duplicate function": _duplicate_function,
    "branches of different types": _branches_differ,
    "branch with too few outputs": _branch_lacks_output,
    "loop with too few inputs": _loop_inputs,
    "loop that changes a type": _loop_changes_type,
    # Loading: weights.
    "weight too short": lambda: _weight(lambda w: setattr(w, "raw_data", b"1234")),
    "weight with a negative length": lambda: _weight(lambda w: w.dims.__setitem__(0, -2)),
    "weight of an unknown type": lambda: _weight(lambda w: setattr(w, "data_type", 77)),
    "weights file missing": lambda: _external("nowhere.bin"),
    "weights file elsewhere": lambda: _external("../nowhere.bin"),
    "weights file by absolute path": lambda: _external("/nowhere.bin"),
    # Loading: what kernels check.
    "clip of an LSTM": _clip_of_rnn,
    "tree with lists of different lengths": _tree,
    "pads beyond the kernel": lambda: _loads_not(_model(
        [_node("MaxPool", "x", kernel_shape=[2, 2], pads=[5, 5, 5, 5])],
        [("x", FLOAT, [1, 1, 8, 8])],
    )),
    # Running.
    "reshape": lambda: _run_with("Reshape", np.array([5, 5])),
    "reshape with two unknown lengths": lambda: _run_with("Reshape", np.array([-1, -1])),
    "broadcast": lambda: _run_with("Add", _floats(5, 7)),
    "matrix product": lambda: _run_with("MatMul", _floats(5, 7)),
    "gather out of range": lambda: _run_with("Gather", np.array([9])),
    "concat": lambda: _run_with("Concat", _floats(5, 7), axis=0),
    "concat of different ranks": lambda: _run_with("Concat", _floats(5), axis=0),
    "division by zero": lambda: _run_with("Div", np.array([0]), np.array([1])),
    "modulo zero": lambda: _run_with("Mod", np.array([0]), np.array([1])),
    "expand": lambda: _run_with("Expand", np.array([5, 7])),
    "tile": lambda: _run_with("Tile", np.array([1])),
    "split": lambda: _run_with("Split", np.array([1, 9]), axis=0),
    "squeeze": lambda: _run_with("Squeeze", np.array([0])),
    "unsqueeze": lambda: _run_with("Unsqueeze", np.array([0, 0])),
    "top k": lambda: _runs_not(
        _model([_node("TopK", "x k", "y i")], [X, ("k", INT64, [1])], [Y, ("i", INT64, None)]),
        x=_floats(2, 3), k=np.array([99]),
    ),
    "scatter": lambda: _runs_not(
        _model([_node("ScatterElements", "x i u")],
               [X, ("i", INT64, [1, 1]), ("u", FLOAT, [1, 1])]),
        x=_floats(2, 3), i=np.array([[99]]), u=_floats(1, 1),
    ),
    "convolution of another depth": lambda: _runs_not(
        _model([_node("Conv", "x w")], [("x", FLOAT, [None] * 4)],
               weights={"w": _floats(1, 3, 2, 2)}),
        x=_floats(1, 1, 4, 4),
    ),
    "convolution larger than its input": lambda: _runs_not(
        _model([_node("Conv", "x w")], [("x", FLOAT, [None] * 4)],
               weights={"w": _floats(1, 1, 5, 5)}),
        x=_floats(1, 1, 1, 1),
    ),
    "LSTM of another width": _lstm_width,
    "slice with step 0": lambda: _runs_not(
        _model([_node("Slice", "x a b - s")],
               [X, ("a", INT64, [1]), ("b", INT64, [1]), ("s", INT64, [1])]),
        x=_floats(2, 3), a=np.array([0]), b=np.array([1]), s=np.array([0]),
    ),
    "range without a step": lambda: _runs_not(
        _model(
            [_node("Range", "a b s")], [(n, INT64, []) for n in "abs"], [("y", INT64, None)]
        ),
        a=np.int64(0), b=np.int64(4), s=np.int64(0),
    ),
    "one hot with a negative depth": lambda: _runs_not(
        _model([_node("OneHot", "i d v")],
               [("i", INT64, [1]), ("d", INT64, []), ("v", FLOAT, [2])]),
        i=np.array([0]), d=np.int64(-3), v=_floats(2),
    ),
    "text that is no number": _text_to_number,
    "scan of different lengths": _scan_lengths,
    "place in a sequence": _sequence_place,
    "number of labels": _labels,
    "memory": _memory,
})  # fmt: skip
