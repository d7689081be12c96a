"""Replacements for wrong operators of ONNX's reference evaluator, and outputs left out.

The definition is the text of each operator in ONNX. What was found by running every operator
in old and new opsets beside ONNX Runtime, with onnx 1.23, is mended or excluded here: a right
model must not look wrong. ReferenceEvaluator takes the classes as new_ops.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from onnx import AttributeProto, ModelProto, NodeProto, defs, numpy_helper
from onnx.reference.op_run import OpRun
from onnx.reference.ops.op_grid_sample import GridSample as OnnxGridSample
from onnx.reference.ops.op_resize import Resize as OnnxResize
from onnx.reference.ops.op_roi_align import RoiAlign as OnnxRoiAlign

from inspector.model.operator_traits import OF_SHAPE, RANDOM, RECURRENT

Array = NDArray[Any]
# operator sets of Dropout, BatchNormalization
_MASK_DEFINED = 12
_INFERENCE_ALONE = 14
_AXIS_ALONE = 13  # of Softmax, LogSoftmax and Hardmax: from here on over one axis
_ANY_OPSET = 1 << 30
_QK_OUTPUT = 3  # of Attention


class _Flattening(OpRun):  # type: ignore[misc]  # onnx.reference comes without types
    """Below opset 13: over all axes from `axis` on, as if they were one; 1 unless given."""

    def _run(self, x: Array, axis: int = 1) -> tuple[Array]:
        if not x.size:
            return (x,)
        begin = axis + x.ndim if axis < 0 else axis
        rows = x.reshape(int(np.prod(x.shape[:begin], dtype=np.int64)), -1)
        return (self._of_rows(rows).reshape(x.shape).astype(x.dtype),)

    def _of_rows(self, rows: Array) -> Array:
        raise AssertionError("each operator has its own")


class Softmax(_Flattening):
    """Softmax of opset 1 and 11."""

    op_schema = defs.get_schema("Softmax", 11)

    def _of_rows(self, rows: Array) -> Array:
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
        softmax: Array = powers / powers.sum(axis=1, keepdims=True)
        return softmax


class LogSoftmax(_Flattening):
    """LogSoftmax of opset 1 and 11."""

    op_schema = defs.get_schema("LogSoftmax", 11)

    def _of_rows(self, rows: Array) -> Array:
        below = rows - rows.max(axis=1, keepdims=True)
        logarithms: Array = below - np.log(np.exp(below).sum(axis=1, keepdims=True))
        return logarithms


class Hardmax(_Flattening):
    """Hardmax of opset 1 and 11: 1 for the first of the largest elements."""

    op_schema = defs.get_schema("Hardmax", 11)

    def _of_rows(self, rows: Array) -> Array:
        largest = np.zeros_like(rows)
        largest[np.arange(len(rows)), rows.argmax(axis=1)] = 1
        return largest


class BatchNormalization(OpRun):  # type: ignore[misc]
    """BatchNormalization of opset 7 and 9: a prediction takes the stored statistics."""

    op_schema = defs.get_schema("BatchNormalization", 9)

    def _run(
        self,
        x: Array,
        scale: Array,
        bias: Array,
        mean: Array,
        variance: Array,
        epsilon: float = 1e-5,
        **others: Any,
    ) -> tuple[Array, ...]:
        axes = (-1, *(1,) * (x.ndim - 2))
        factor = (scale / np.sqrt(variance + epsilon)).reshape(axes)
        return ((factor * (x - mean.reshape(axes)) + bias.reshape(axes)).astype(x.dtype),)


class MaxPool(OpRun):  # type: ignore[misc]
    """MaxPool with any padding: that of onnx pads other axes, and SAME_LOWER rounds down."""

    op_schema = defs.get_schema("MaxPool", 22)

    def _run(
        self,
        x: Array,
        auto_pad: str = "NOTSET",
        ceil_mode: int = 0,
        dilations: Sequence[int] | None = None,
        kernel_shape: Sequence[int] = (),
        pads: Sequence[int] | None = None,
        storage_order: int = 0,
        strides: Sequence[int] | None = None,
    ) -> tuple[Array, ...]:
        rank, lengths = len(kernel_shape), x.shape[2:]
        dilations, strides = dilations or [1] * rank, strides or [1] * rank
        extents = [(k - 1) * d + 1 for k, d in zip(kernel_shape, dilations, strict=True)]
        starts, counts = list[int](), list[int]()
        for axis, (length, extent, stride) in enumerate(
            zip(lengths, extents, strides, strict=True)
        ):
            before, after = (pads[axis], pads[axis + rank]) if pads else (0, 0)
            if auto_pad.startswith("SAME"):
                count = -(-length // stride)
                missing = max(0, (count - 1) * stride + extent - length)
                before = missing // 2 if auto_pad == "SAME_UPPER" else missing - missing // 2
            else:
                if auto_pad == "VALID":
                    before = after = 0
                room = length + before + after - extent
                count = (-(-room // stride) if ceil_mode else room // stride) + 1
                if ceil_mode and (count - 1) * stride >= length + before:
                    count -= 1  # a window that begins behind the input
            starts.append(before)
            counts.append(count)
        needed = [
            max(0, c - 1) * s + e for c, s, e in zip(counts, strides, extents, strict=True)
        ]
        least = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else x.dtype.type(-np.inf)

        def windows(values: Array, fill: Any) -> Array:
            """Return the elements of each window in the last axis."""
            room = np.full((*values.shape[:2], *needed), fill, values.dtype)
            inside = [min(n - b, n0) for n, b, n0 in zip(needed, starts, lengths, strict=True)]
            both = [slice(None)] * 2  # images and channels
            target = [slice(b, b + n) for b, n in zip(starts, inside, strict=True)]
            room[*both, *target] = values[*both, *(slice(n) for n in inside)]
            view = sliding_window_view(room, extents, tuple(range(2, 2 + rank)))
            steps = [slice(0, max(0, c * s), s) for c, s in zip(counts, strides, strict=True)]
            view = view[*both, *steps, *(slice(None, None, d) for d in dilations)]
            return view.reshape(*view.shape[: 2 + rank], int(np.prod(kernel_shape)))

        if len(self.output) == 1:
            return (windows(x, least).max(axis=-1),)
        elements = np.arange(int(np.prod(lengths)), dtype=np.int64)
        plane = elements.reshape(lengths, order="F" if storage_order else "C")
        planes = np.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], *[1] * rank)
        values, positions = windows(x, least), windows(plane + planes * plane.size, -1)
        values = np.where(positions < 0, least, values)
        place = values.argmax(axis=-1)[..., None]
        return tuple(
            np.take_along_axis(each, place, -1)[..., 0] for each in (values, positions)
        )


class LRN(OpRun):  # type: ignore[misc]
    """LRN over all channels: that of onnx counts images instead."""

    op_schema = defs.get_schema("LRN", 13)

    def _run(
        self,
        x: Array,
        alpha: float = 1e-4,
        beta: float = 0.75,
        bias: float = 1.0,
        size: int = 1,
    ) -> tuple[Array]:
        before, channels = (size - 1) // 2, x.shape[1]
        squares = np.zeros_like(x)
        for channel in range(channels):
            near = slice(max(0, channel - before), channel + size - before)
            squares[:, channel] = np.square(x[:, near]).sum(axis=1)
        return ((x / (bias + alpha / size * squares) ** beta).astype(x.dtype),)


class LpNormalization(OpRun):  # type: ignore[misc]
    """LpNormalization of absolute values: that of onnx adds up signed ones."""

    op_schema = defs.get_schema("LpNormalization", 1)

    def _run(self, x: Array, axis: int = -1, p: int = 2) -> tuple[Array]:
        norm = np.power(np.power(np.abs(x), p).sum(axis=axis, keepdims=True), 1 / p)
        return (np.divide(x, norm, out=np.zeros_like(x), where=norm != 0).astype(x.dtype),)


class Resize(OnnxResize):  # type: ignore[misc]
    """Resize with lengths in whole elements, and to a length of 1 from the first element.

    That of onnx aligns corners with a fractional length where scales are given, as two of its
    tests do, against the text of the operator and against runtimes. It takes the only element
    of `pytorch_half_pixel` from half an element before the input.
    """

    op_schema = defs.get_schema("Resize", 19)

    def _run(
        self,
        x: Array,
        roi: Array | None = None,
        scales: Array | None = None,
        sizes: Array | None = None,
        **attributes: Any,
    ) -> tuple[Array]:
        mode = attributes.get("coordinate_transformation_mode")
        axes = attributes.get("axes") or list(range(x.ndim))
        policy = attributes.get("keep_aspect_ratio_policy") or "stretch"
        if mode == "align_corners" and scales is not None and len(scales):
            lengths = np.array([x.shape[axis] for axis in axes], float)
            sizes, scales = np.floor(lengths * scales).astype(np.int64), None
        elif mode == "pytorch_half_pixel" and policy == "stretch":
            targets = (
                [int(x.shape[axis] * s) for axis, s in zip(axes, scales, strict=True)]
                if scales is not None and len(scales)
                else []
                if sizes is None
                else list(sizes)
            )
            single = [axis for axis, n in zip(axes, targets, strict=False) if n == 1]
            if single and not attributes.get("antialias"):
                x = x[tuple(slice(1 if n in single else None) for n in range(x.ndim))]
                sizes, scales = np.array(targets, np.int64), None
        answer: tuple[Array] = super()._run(x, roi, scales, sizes, **attributes)
        return answer


class RoiAlign(OnnxRoiAlign):  # type: ignore[misc]
    """RoiAlign of opset 10, which has no half pixel."""

    op_schema = defs.get_schema("RoiAlign", 10)

    def _run(self, *inputs: Array, **attributes: Any) -> tuple[Array]:
        mode = {"coordinate_transformation_mode": "output_half_pixel"}
        answer: tuple[Array] = super()._run(*inputs, **attributes, **mode)
        return answer


class GridSample(OnnxGridSample):  # type: ignore[misc]
    """GridSample of opset 16, whose modes "bilinear" and "bicubic" opset 20 renamed."""

    op_schema = defs.get_schema("GridSample", 16)
    _MODES: Mapping[str, str] = {"bilinear": "linear", "bicubic": "cubic"}

    def _run(
        self, x: Array, grid: Array, mode: str = "bilinear", **others: Any
    ) -> tuple[Array]:
        """Run the operator of opset 20 with its name of the mode."""
        answer: tuple[Array] = super()._run(x, grid, mode=self._MODES.get(mode, mode), **others)
        return answer


class _Held(list[Any]):
    """The content of an optional: one value, or None."""


def element(value: Any) -> Any:
    """Return what an optional holds; any other value as it is."""
    return value[0] if isinstance(value, _Held) else value


class Optional(OpRun):  # type: ignore[misc]
    """An Optional operator that is distinguished from a sequence of one element."""

    op_schema = defs.get_schema("Optional", 15)

    def _run(self, x: Any = None, type: Any = None) -> tuple[_Held]:  # noqa: A002
        return (_Held([element(x)]),)


class OptionalGetElement(OpRun):  # type: ignore[misc]
    """The element of an optional, which that of onnx gives as a list."""

    op_schema = defs.get_schema("OptionalGetElement", 18)

    def _run(self, x: Any = None) -> tuple[Any]:
        if element(x) is None:
            raise ValueError("the optional is empty")
        return (element(x),)


class OptionalHasElement(OpRun):  # type: ignore[misc]
    """Whether an optional holds something."""

    op_schema = defs.get_schema("OptionalHasElement", 18)

    def _run(self, x: Any = None) -> tuple[Array]:
        return (np.array(element(x) is not None),)


_REPLACED: Mapping[type[OpRun], int] = {  # below this operator set
    Softmax: _AXIS_ALONE,
    LogSoftmax: _AXIS_ALONE,
    Hardmax: _AXIS_ALONE,
    BatchNormalization: _INFERENCE_ALONE,
    GridSample: 20,
    RoiAlign: 16,
    LRN: _ANY_OPSET,
    LpNormalization: _ANY_OPSET,
    MaxPool: _ANY_OPSET,
    Optional: _ANY_OPSET,
    OptionalGetElement: _ANY_OPSET,
    OptionalHasElement: _ANY_OPSET,
    Resize: _ANY_OPSET,
}


def replacements(model: ModelProto) -> list[type[OpRun]]:
    """Return the classes that the evaluator is to use instead of its own."""
    opset = opset_of(model)
    return [each for each, first in _REPLACED.items() if opset < first]


def mixed(model: ModelProto) -> tuple[str, ...]:
    """Name operators whose version differs between the main graph and a function.

    The evaluator takes one class for both.
    """
    opset, names = opset_of(model), {each.__name__: first for each, first in _REPLACED.items()}
    types = set()
    for function in model.functions:
        own = opset_of(function)
        for node in old_nodes(function.node):
            first = names.get(node.op_type, 0) if not node.domain else 0
            if (own < first) != (opset < first):
                types.add(f"{node.op_type} (opset {own}) in a function")
    return tuple(sorted(types))


def undefined(model: ModelProto, inherited: bool = True) -> dict[str, str]:
    """Return the tensors of the main graph that cannot be judged, and a reason each.

    ONNX leaves them open, or the reference evaluator gets them wrong. inherited: also those
    that are computed of such values. An order of the nodes is taken for granted, as ONNX asks
    for it.
    """
    opset, reasons = opset_of(model), dict[str, str]()
    tensors = [tensor for tensor in model.graph.initializer if tensor.data_type == tensor.BOOL]
    named = {tensor.name: tensor for tensor in tensors}
    for node in model.graph.node:
        for attribute in node.attribute if node.op_type == "Constant" else ():
            if attribute.type == AttributeProto.TENSOR and attribute.t.data_type == 9:  # BOOL
                named[node.output[0]] = attribute.t
    constants = {name: numpy_helper.to_array(tensor) for name, tensor in named.items()}
    bodies = {(each.domain, each.name): list(each.node) for each in model.functions}
    for node in model.graph.node:
        cause = next((reasons[name] for name in node.input if name in reasons), "")
        if inherited and cause and node.op_type not in OF_SHAPE:
            reasons |= dict.fromkeys(filter(None, node.output), cause)
            continue
        inner = [each for each in old_nodes([node]) if each is not node]
        inner += old_nodes(bodies.get((node.domain, node.op_type), []))
        for name, reason in _open(node, inner, opset, constants):
            if name:
                reasons[name] = reason
    return reasons


def _open(
    node: NodeProto, inner: Sequence[NodeProto], opset: int, constants: Mapping[str, Array]
) -> Iterator[tuple[str, str]]:
    """Yield the outputs of one node that cannot be judged. inner: the nodes in its bodies."""
    random = (n.op_type for n in (node, *inner) if _is_random(n, opset, constants))
    of_all = next((f"{name} generates random numbers" for name in random), "")
    of_all = of_all or next((reason for n in inner for _, reason in _disputed(n)), "")
    if of_all:
        yield from ((name, of_all) for name in node.output)
    elif not node.domain:
        yield from _disputed(node)
    if of_all or node.domain:
        return
    if node.op_type == "Dropout" and opset < _MASK_DEFINED:
        reason = f"ONNX does not define the mask of Dropout before opset {_MASK_DEFINED}"
        yield from ((name, reason) for name in node.output[1:])
    elif node.op_type == "BatchNormalization" and opset < _INFERENCE_ALONE:
        reason = "these outputs of BatchNormalization exist only in training"
        yield from ((name, reason) for name in node.output[1:])


def _disputed(node: NodeProto) -> Iterator[tuple[str, str]]:
    """Yield the outputs of a node that the reference evaluator gets wrong, or reads otherwise.

    The mistakes are of onnx 1.23; the readings differ from those of ONNX Runtime 1.32.
    """
    reason, outputs = "", list(node.output)
    if node.domain:
        return
    attributes = {each.name: each.s or each.i for each in node.attribute}
    if node.op_type in RECURRENT and len(node.input) > 4 and node.input[4]:
        reason = f"the reference evaluator ignores the sequence_lens input of {node.op_type}"
    elif node.op_type == "MaxUnpool" and len(node.input) > 2 and node.input[2]:
        reason = (
            "the reference evaluator and ONNX Runtime interpret the indices of MaxUnpool with "
            "an output shape differently"
        )
    elif node.op_type == "Attention":
        reason = (
            "the reference evaluator and ONNX Runtime interpret the qk output of Attention "
            "differently"
        )
        outputs = outputs[_QK_OUTPUT:]
    elif node.op_type == "LpPool" and attributes.get("ceil_mode"):
        reason = (
            "the reference evaluator scales the last windows of LpPool incorrectly with "
            "ceil_mode"
        )
    elif (
        node.op_type == "GridSample"
        and attributes.get("padding_mode") == b"border"
        and attributes.get("mode") in (b"cubic", b"bicubic")
    ):
        reason = (
            "the reference evaluator and ONNX Runtime interpret the border of a cubic "
            "GridSample differently"
        )
    if reason:
        yield from ((name, reason) for name in outputs if name)


def _is_random(node: NodeProto, opset: int, constants: Mapping[str, Array]) -> bool:
    if node.domain:
        return False
    if node.op_type in RANDOM:
        return True
    training = node.input[2] if node.op_type == "Dropout" and len(node.input) > 2 else ""
    if not training or opset < _MASK_DEFINED:
        return False
    constant = constants.get(training)
    return constant is None or bool(constant.any())


def opset_of(part: Any) -> int:
    """Return the version of ai.onnx that a model or a function imports; 1 for none."""
    versions = (o.version for o in part.opset_import if o.domain in ("", "ai.onnx"))
    return next(versions, 1)


def old_nodes(first: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Yield nodes and those of their subgraphs."""
    waiting = list(first)
    while waiting:
        node = waiting.pop()
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                waiting.extend(graph.node)
