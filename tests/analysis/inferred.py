"""Models of a few nodes with their types, shapes and cost, all in this process."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from onnx import NodeProto, TensorProto, helper

from inspector.analysis.cost.model_cost import Cost, cost
from inspector.analysis.facts.layer_cost import LayerCost
from inspector.analysis.facts.shapes import Shapes, with_shapes
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.report.run_spec import Dimension
from tests import models

Shape = Sequence[int | str | None]


def save(
    path: Path,
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, Shape],
    weights: Mapping[str, Shape],
    output: str = "y",
    kind: int = TensorProto.FLOAT,
    functions: Sequence[Any] = (),
    opset: int = 20,
    **kinds: int,
) -> Path:
    """kinds: element types of inputs and weights that are not `kind`."""
    given = [models.value(n, s, kinds.get(n, kind)) for n, s in inputs.items()]
    stored = [_zeros(name, shape, kinds.get(name, kind)) for name, shape in weights.items()]
    made = [models.value(output, None, TensorProto.UNDEFINED)]
    model = models.model(nodes, given, made, stored, opset, **{"com.microsoft": 1, "local": 1})
    model.functions.extend(functions)
    path.write_bytes(model.SerializeToString())
    return path


def _zeros(name: str, shape: Shape, kind: int) -> TensorProto:
    elements = 1
    for axis in shape:
        assert isinstance(axis, int)
        elements *= axis
    bits = {TensorProto.INT4: 4, TensorProto.FLOAT16: 16, TensorProto.INT64: 64}
    bits |= {TensorProto.INT8: 8, TensorProto.UINT8: 8, TensorProto.FLOAT: 32}
    raw = bytes((elements * bits[kind] + 7) // 8)
    return helper.make_tensor(name, kind, list(shape), raw, raw=True)


def known(path: Path, **lengths: int) -> tuple[Model, Shapes, Cost]:
    shapes = infer(path, [Dimension(*each) for each in lengths.items()])
    model = with_shapes(open_model(path), shapes)
    return model, shapes, cost(model, shapes)


def layer(
    path: Path,
    operator: str,
    inputs: Mapping[str, Shape],
    weights: Mapping[str, Shape],
    domain: str = "",
    names: str = "",
    kinds: Mapping[str, int] | None = None,
    **attributes: Any,
) -> LayerCost:
    """Cost of a model of one layer, which takes its inputs, then its weights."""
    taken = names.split() or [*inputs, *weights]
    taken = ["" if name == "-" else name for name in taken]
    node = helper.make_node(operator, taken, ["y"], domain=domain, **attributes)
    saved = save(path / "m.onnx", [node], inputs, weights, **(kinds or {}))
    return known(saved)[2].layers[0]
