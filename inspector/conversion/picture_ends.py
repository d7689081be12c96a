"""Preprocessing and postprocessing inside the model, with ONNX's own operators.

The input becomes an 8-bit image as image libraries decode it: batch, height, width, channels,
in the order R, G, B. The output becomes probabilities, the best class, or the best few.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from inspector.conversion.action import Effect, Picture
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.edits.graph_edits import nothing, refused, to_opset
from inspector.conversion.plan import Context, Plan, refill
from inspector.conversion.preparation import all_names, unused_name
from inspector.formats import opening
from inspector.model.model import Model, TensorInfo
from inspector.model.operator_traits import VIEWS
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.recipe import ImagePreprocessing, channel_order
from inspector.units import clip

_CLASSES_OPSET = 13  # whose Softmax, ArgMax and TopK have the forms below
_RESIZE_OPSET = 18  # whose Resize has antialiasing and keeps the aspect ratio
_FILTERS = {"bilinear": "linear", "bicubic": "cubic", "nearest": "nearest"}
_CUBIC_A = -0.5  # as Pillow has it
_FLOATS = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}
_USUAL_K = 5
# Layers whose results are probabilities, and those that only move, round or quantize values.
_SQUASHING = frozenset(
    ("Softmax", "Sigmoid", "HardSigmoid", "QLinearSoftmax", "QLinearSigmoid")
)
_SAME_VALUES = VIEWS | {"Cast", "Transpose", "QuantizeLinear", "DequantizeLinear"}
AS_FOUND = "found"
FIXED = "none"


def image_input(
    model: EditableModel,
    input_name: str = "",
    resize: str = AS_FOUND,
    interpolation: str = AS_FOUND,
) -> Plan:
    """Plan to put the preprocessing of a picture, as Preview finds it, into the model.

    input_name: the first one that looks like a picture if empty. resize: AS_FOUND, or FIXED
    for pictures that already have the model's size. interpolation: another one than found.
    """
    opened = opening.open_model(model.path)
    found = _picture_input(model, opened, input_name)
    if found is None:
        return nothing(model, "no input looks like a float image with a fixed size")
    info, how = found
    how = how if interpolation == AS_FOUND else replace(how, filter=interpolation)
    if how.gamma != "srgb":
        return refused(model, "the preprocessing converts sRGB to linear values")
    resizes = resize == AS_FOUND
    if resizes and how.filter not in _FILTERS:
        hint = "Use interpolation=bilinear, which differs a little, or resize=none."
        return refused(model, f"ONNX cannot resize with the filter '{how.filter}'", hint)
    size = model.size_bytes()
    sized = f", resize ({how.resize}, {how.filter}) to {how.width}×{how.height}"
    order = "" if how.order in ("rgb", "gray", "rgba") else f", {how.order.upper()}"
    scaling = f", scale {how.scale}" + (", mean and std" if how.mean or how.std else "")
    touches = f"input '{clip(info.name, 40)}' becomes an 8-bit image"
    touches += f"{sized if resizes else ''}{order}{scaling}"
    caution = (
        "Values resized in the model may differ from those of Pillow by 1 (of 255)."
        if resizes
        else ""
    )

    def apply(context: Context) -> None:
        if resizes and model.opset < _RESIZE_OPSET:
            to_opset(model, _RESIZE_OPSET)
        name = _Ends(model.proto.graph).add_picture(info, how, resizes)
        table = how.table()
        context.pictures.append(
            Picture(
                name,
                info.name,
                tuple(float(each) for each in (table[255] - table[0]) / 255),
                tuple(float(each) for each in table[0]),
                tuple(channel_order(how.order)),
                how.layout,
            )
        )

    return Plan(Effect(touches, 0, size, size, caution=caution), apply)


def class_output(
    model: EditableModel, kind: str = "top-k", k: int = _USUAL_K, output: str = ""
) -> Plan:
    """Plan to end the model in probabilities, the best class, or the best few with theirs.

    output: name of the output with a score for each class in its last axis that is longer than
    1; the first output if empty.
    """
    graph = model.proto.graph
    names = [value.name for value in graph.output]
    name = output or (names[0] if names else "")
    if name not in names:
        return refused(model, f"the model has no output '{clip(name, 60)}'")
    value = graph.output[names.index(name)]
    lengths = [each.dim_value for each in value.type.tensor_type.shape.dim]
    axis = next((n for n in reversed(range(len(lengths))) if lengths[n] != 1), 0)
    is_float = value.type.tensor_type.elem_type in _FLOATS.values()
    if not is_float or not lengths or lengths[axis] < 2:
        return refused(model, f"output '{clip(name, 40)}' has no fixed number of float scores")
    if k == _USUAL_K:  # of a model with few classes all of them
        k = min(k, lengths[axis])
    if kind == "top-k" and not 0 < k <= lengths[axis]:
        return refused(model, f"k must be from 1 to {lengths[axis]:,}, the number of classes")
    made = {"softmax": "probabilities", "argmax": "best class"}.get(
        kind, "best class and its score" if k == 1 else f"best {k} classes"
    )
    maker = _squashing(graph, name) if kind == "softmax" else ""
    if maker:
        why = f"output '{clip(name, 40)}' already has probabilities: {maker} makes them"
        return nothing(model, why)
    size = model.size_bytes()

    def apply(_: Context) -> None:
        if model.opset < _CLASSES_OPSET:
            to_opset(model, _CLASSES_OPSET)
        _Ends(model.proto.graph).end_in_classes(name, kind, k, axis)

    return Plan(Effect(f"output '{clip(name, 40)}' becomes the {made}", 0, size, size), apply)


def _squashing(graph: GraphProto, name: str) -> str:
    """Return what makes a value a probability, such as "Softmax 'prob'"; "" if nothing does.

    Layers that only move, round or quantize values are passed.
    """
    makers = {output: node for node in graph.node for output in node.output if output}
    node = makers.get(name)
    while node is not None and node.op_type in _SAME_VALUES:
        node = makers.get(node.input[0])
    if node is None:
        return ""
    if node.op_type in _SQUASHING:
        return f"{node.op_type} '{clip(node.name or name, 40)}'"
    if node.op_type != "Div":  # exp(x) / sum(exp(x)), as older exporters write it
        return ""
    top, bottom = (makers.get(each) for each in node.input)
    if top is None or bottom is None or (top.op_type, bottom.op_type) != ("Exp", "ReduceSum"):
        return ""
    if bottom.input[0] != top.output[0]:
        return ""
    return f"Exp, ReduceSum and Div '{clip(node.name or name, 40)}'"


def _picture_input(
    model: EditableModel, opened: Model, wanted: str
) -> tuple[TensorInfo, ImagePreprocessing] | None:
    there = {value.name for value in model.proto.graph.input}
    kept = dict(saved.load(model.path, opened.metadata).pictures)
    options = ImageOptions.of(opened)
    for info in opened.inputs:
        if info.name not in there or wanted not in ("", info.name) or info.dtype not in _FLOATS:
            continue
        how = kept.get(info.name) or options.preparation(info)
        if how is not None and how.width and how.height:
            return info, how
    return None


class _Ends:
    """Adds nodes at the start or the end of a graph."""

    def __init__(self, graph: GraphProto) -> None:
        self._graph, self._names = graph, all_names(graph)
        self._body = list[NodeProto]()

    def add_picture(self, info: TensorInfo, how: ImagePreprocessing, resizes: bool) -> str:
        """Put preprocessing before an input; return the name of the new one."""
        graph = self._graph
        place = [value.name for value in graph.input].index(info.name)
        batch = graph.input[place].type.tensor_type.shape.dim[0]
        sides = ("height", "width") if resizes else (how.height, how.width)
        channels = how.channels
        name = unused_name("image", self._names)
        shape = [batch.dim_value or batch.dim_param or None, *sides, channels]
        value = helper.make_tensor_value_info(name, TensorProto.UINT8, shape)
        values = [*graph.input]
        values[place] = value
        refill(graph.input, values)

        now = self._node("Cast", name, to=TensorProto.FLOAT)
        now = self._node("Transpose", now, perm=[0, 3, 1, 2])
        if resizes:
            now = self._resized(now, how)
        order = channel_order(how.order)
        if order != sorted(order):
            now = self._node("Gather", now, self._constant(np.array(order)), axis=1)
        table = how.table().astype(np.float64)
        factors, offsets = (table[255] - table[0]) / 255, table[0]
        if (factors != 1).any():
            now = self._node("Mul", now, self._by_channel(factors))
        if offsets.any():
            now = self._node("Add", now, self._by_channel(offsets))
        if how.layout == "nhwc":
            now = self._node("Transpose", now, perm=[0, 2, 3, 1])
        kind = _FLOATS[info.dtype]
        self._body.append(helper.make_node("Cast", [now], [info.name], to=kind))
        rest = [*graph.node]
        refill(graph.node, [*self._body, *rest])
        return name

    def _resized(self, value: str, how: ImagePreprocessing) -> str:
        """Return a value that is resized as Preview does it with Pillow."""
        sides = self._constant(np.array([how.height, how.width]))
        shape = self._constant(np.array([-1, how.channels, how.height, how.width]))
        if how.resize == "stretch":
            return self._node("Reshape", self._scaled_to(value, sides, how), shape)
        two, four = (self._constant(np.array([each])) for each in (2, 4))
        own = self._node("Slice", self._node("Shape", value), two, four)
        own_floats = self._node("Cast", own, to=TensorProto.FLOAT)
        side_floats = self._constant(np.array([how.height, how.width], np.float32))
        ratios = self._node("Div", side_floats, own_floats)
        if how.resize == "crop":  # the middle, in whole pixels of the picture
            factor = self._node("ReduceMax", ratios)
            wanted = self._node("Round", self._node("Div", side_floats, factor))
            part = self._integers(self._node("Min", own_floats, wanted))
            start = self._node("Div", self._node("Sub", own, part), two)
            axes = self._constant(np.array([2, 3]))
            middle = self._node("Slice", value, start, self._node("Add", start, part), axes)
            return self._node("Reshape", self._scaled_to(middle, sides, how), shape)
        product = self._node("Mul", own_floats, self._node("ReduceMin", ratios))
        one = self._constant(np.float32(1))
        inner = self._integers(self._node("Max", self._node("Round", product), one))
        now = self._scaled_to(value, inner, how)
        rest, zeros = self._node("Sub", sides, inner), self._constant(np.array([0, 0]))
        before = self._node("Div", rest, two) if how.position == "center" else zeros
        pads = self._node(
            "Concat", zeros, before, zeros, self._node("Sub", rest, before), axis=0
        )
        now = self._node("Pad", now, pads, self._constant(np.float32(how.fill)))
        return self._node("Reshape", now, shape)  # so that it is known

    def _scaled_to(self, value: str, sides: str, how: ImagePreprocessing) -> str:
        options: dict[str, Any] = {
            "mode": _FILTERS[how.filter],
            "coordinate_transformation_mode": "half_pixel",
        }
        if how.filter != "nearest":
            options |= {"antialias": 1, "exclude_outside": 1}  # as Pillow
        if how.filter == "bicubic":
            options["cubic_coeff_a"] = _CUBIC_A
        # All four lengths: ONNX Runtime 1.32 loses the sizes of a Resize with `axes` where it
        # moves a Transpose behind it, as it does in quantized models.
        zero, two = (self._constant(np.array([each])) for each in (0, 2))
        outer = self._node("Slice", self._node("Shape", value), zero, two)
        lengths = self._node("Concat", outer, sides, axis=0)
        now = self._node("Resize", value, "", "", lengths, **options)
        low, high = (self._constant(np.float32(each)) for each in (0, 255))
        return self._node("Clip", self._node("Round", now), low, high)

    def _integers(self, value: str) -> str:
        return self._node("Cast", value, to=TensorProto.INT64)

    def end_in_classes(self, name: str, kind: str, k: int, axis: int) -> None:
        """Replace an output by what follows from it. axis: that of the classes."""
        graph = self._graph
        place = [value.name for value in graph.output].index(name)
        old = graph.output[place]
        element, shape = old.type.tensor_type.elem_type, old.type.tensor_type.shape
        axes: list[int | str | None] = [d.dim_value or d.dim_param or None for d in shape.dim]
        made: list[ValueInfoProto] = []

        def output(title: str, element: int, last: int | str | None) -> str:
            new = unused_name(title, self._names)
            classes = [] if last is None else [last]
            lengths = [*axes[:axis], *classes, *axes[axis + 1 :]]
            made.append(helper.make_tensor_value_info(new, element, lengths))
            return new

        if kind == "argmax":
            inputs, outputs = [name], [output("class", TensorProto.INT64, None)]
            node = helper.make_node("ArgMax", inputs, outputs, axis=axis, keepdims=0)
        elif kind == "softmax":
            outputs = [output("probabilities", element, axes[axis])]
            node = helper.make_node("Softmax", [name], outputs, axis=axis)
        else:
            outputs = [output("scores", element, k), output("classes", TensorProto.INT64, k)]
            count = self._constant(np.array([k]))
            node = helper.make_node("TopK", [name, count], outputs, axis=axis)
        values = [each for each in graph.output if each.name != name]
        refill(graph.output, [*values[:place], *made, *values[place:]])
        graph.node.extend([*self._body, node])

    def _node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        output = unused_name(f"preprocessing_{operator}", self._names)
        self._body.append(helper.make_node(operator, inputs, [output], output, **attributes))
        return output

    def _by_channel(self, values: np.ndarray[Any, Any]) -> str:
        return self._constant(values.astype(np.float32).reshape(1, -1, 1, 1))

    def _constant(self, values: Any) -> str:
        name = unused_name("preprocessing_constant", self._names)
        self._graph.initializer.append(numpy_helper.from_array(np.asarray(values), name))
        return name
