"""Coloring of boxes by device, operator family or type, and by any number of a layer."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from itertools import cycle, islice, pairwise

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.cost.latency import Efficiency
from inspector.analysis.facts.layer_cost import LayerCost
from inspector.analysis.facts.symbolic_sizes import Amount
from inspector.analysis.graph_layout.drawing import Body
from inspector.analysis.layer_numbers import (
    arena_numbers,
    cost_numbers,
    error_numbers,
    estimated_times,
    live_numbers,
    sparsity_numbers,
)
from inspector.analysis.measured.executed_graph import ExecutedGraph
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.analysis.measured.layer_sum import unranked
from inspector.model.layer_values import LayerNumbers, Quantity
from inspector.model.model import Model
from inspector.pages.charts import palette as palette_module
from inspector.pages.charts.palette import Palette
from inspector.report.report import LayerUse, PerformanceReport
from inspector.ui import units
from inspector.ui.translate import mark, tr
from inspector.wording.support_marks import Status

FAMILIES = (
    mark("Linear algebra"),
    mark("Activation"),
    mark("Normalization, pooling"),
    mark("Element-wise"),
    mark("Data movement"),
    mark("Other"),
)
_MEMBERS = (  # operators of each family but the last
    """Conv ConvTranspose ConvInteger QLinearConv MatMul Gemm MatMulInteger
        QLinearMatMul Einsum LSTM GRU RNN Attention MultiHeadAttention FusedConv FusedMatMul
        DeformConv MatMulNBits GroupQueryAttention DynamicQuantizeMatMul NhwcConv STFT DFT
        FusedGemm Linear QGemm DynamicQuantizeLSTM TreeEnsembleClassifier TreeEnsembleRegressor
        TreeEnsemble LinearClassifier LinearRegressor""",
    """Relu LeakyRelu PRelu Elu Selu Celu Sigmoid HardSigmoid HardSwish Tanh
        Softmax LogSoftmax Softplus Softsign Gelu FastGelu BiasGelu QuickGelu Swish Mish Clip
        ThresholdedRelu Erf Hardmax QLinearSigmoid QLinearLeakyRelu Shrink""",
    """BatchNormalization LayerNormalization InstanceNormalization
        GroupNormalization SkipLayerNormalization SimplifiedLayerNormalization LRN Dropout
        LpNormalization RMSNormalization MeanVarianceNormalization MaxPool AveragePool
        GlobalAveragePool GlobalMaxPool LpPool ReduceMean ReduceSum ReduceMax ReduceMin
        ReduceProd ReduceL2 ReduceL1 ReduceSumSquare ReduceLogSumExp TopK ArgMax ArgMin""",
    """Add Sub Mul Div Pow Sqrt Exp Log Abs Neg Min Max Mean Sum Floor Ceil
        Round Sign Reciprocal Sin Cos Tan Equal Greater GreaterOrEqual Less LessOrEqual And Or
        Not Xor Where Mod BitShift QLinearAdd QLinearMul IsNaN IsInf CumSum""",
    """Reshape Transpose Concat Split Slice Gather GatherElements GatherND
        Scatter ScatterElements ScatterND Squeeze Unsqueeze Flatten Expand Tile Pad Cast
        CastLike Identity Shape Size DepthToSpace SpaceToDepth Resize Upsample QuantizeLinear
        DequantizeLinear DynamicQuantizeLinear ConstantOfShape Range OneHot Compress
        ReverseSequence Constant QLinearConcat ZipMap EyeLike MemcpyToHost MemcpyFromHost""",
)
# Names that other formats have for them, compared without case and underscores.
_OTHER_NAMES = (
    """convolution conv1d conv2d conv3d convolutionbackpropdata groupconvolution convtranspose2d
        depthwiseconv2d innerproduct linear bmm mm addmm baddbmm batchmatmul batchedmatmul dense
        fullyconnected scaleddotproductattention unidirectionallstm bidirectionallstm
        lstmsequence grusequence rnnsequence glmregressor glmclassifier supportvectorclassifier
        supportvectorregressor neuralnetwork""",
    """silu relu6 hardtanh logistic activation softmax sigmoidhard scaledtanh""",
    """batchnorm instancenorm groupnorm layernorm l2norm mvn maxpool2d avgpool avgpool2d
        averagepool2d adaptiveavgpool2d maxpool1d pooling reduce mean amax amin sum""",
    """multiply subtract divide power realdiv rsqrt pow eq gt lt ge le addbroadcastable
        multiplybroadcastable unary squareddifference""",
    """view permute cat stack splitnd slicebyindex sliceupdate gatheralongaxis expanddims
        reshapestatic constexpraffinedequantize constexprblockwiseshiftscale constexprluttodense
        constexprsparsetodense constexprluttosparse constexprcast clone contiguous tocopy
        stridedslice concatnd convert interpolate upsamplebilinear upsamplenearestneighbor
        upsamplenearest2d readstate coremlupdatestate pad flattento2d select embedding""",
)
_FAMILY = {name: number for number, names in enumerate(_MEMBERS) for name in names.split()}
_OTHER_FAMILY = {name.casefold(): number for name, number in _FAMILY.items()} | {
    name: number for number, names in enumerate(_OTHER_NAMES) for name in names.split()
}
TYPES = (
    "float32",
    "float16",
    mark("8 bits or fewer"),
    mark("Integers of 16 bits or more"),
    "bool",
    mark("Other"),
)

_STEPS = (0.02, 0.1, 0.3, 0.6)
_STEP_WORDS = (
    mark("Negligible time"),
    mark("Under 10%"),
    mark("Under 30%"),
    mark("Under 60%"),
    mark("Slowest"),
)
_DIFFERENCES = (
    mark("Identical"),
    mark("Within tolerance"),
    mark("NaN"),
    mark("Exceeds tolerance"),
    mark("First difference"),
)
_GRADIENT_STEPS = 12  # colors of a gradient; more cannot be told apart on a stripe
_FATES = {
    Status.EXECUTED: 1, Status.COMPILED: 2, Status.FUSED: 2, Status.MERGED: 3, Status.MOVED: 3,
    Status.FOLDED: 4, Status.ELIMINATED: 5, Status.DEAD: 5, Status.NOT_REACHED: 5,
}  # fmt: skip
_FATE_NAMES = (
    mark("Runs as a separate node"),
    mark("Fused into another layer"),
    mark("Merged or moved"),
    mark("Computed during loading"),
    mark("Removed"),
    mark("Unknown"),
)


def family(operator: str) -> int:
    """Index into FAMILIES."""
    known = _FAMILY.get(operator)
    if known is None:
        plain = operator.casefold().replace("_", "")
        known = _OTHER_FAMILY.get(plain, len(FAMILIES) - 1)
    return known


def element_type(dtype: str) -> int:
    """Index into TYPES."""
    if dtype in ("float32", "bool"):
        return TYPES.index(dtype)
    if dtype in ("float16", "bfloat16"):
        return 1
    if dtype.startswith(
        ("int8", "uint8", "int4", "uint4", "int2", "uint2", "float8", "float4")
    ):
        return 2
    return 3 if dtype.startswith(("int", "uint")) else 5


Codes = NDArray[np.int8]


class ColorBy(StrEnum):
    """The quantity that box colors stand for."""

    UNIT = mark("Device")
    FAMILY = mark("Operator family")
    TIME = mark("Time")
    ESTIMATED_TIME = mark("Time (estimated)")
    TYPE = mark("Type")
    DIFFERENCE = mark("Difference")
    MACS = mark("MACs")
    TRAFFIC = mark("Memory traffic")
    WEIGHTS = mark("Weight size")
    OUTPUTS = mark("Output size")
    LIVE = mark("Activations in memory (estimated)")
    ARENA = mark("Arena in use (measured)")
    SPARSITY = mark("Weight sparsity")
    ERROR = mark("Relative error")
    EXECUTED = mark("As executed")


COSTS: dict[ColorBy, tuple[Callable[[LayerCost], Amount | None], Quantity]] = {
    ColorBy.MACS: (lambda cost: cost.macs, Quantity.COUNT),
    ColorBy.TRAFFIC: (lambda cost: cost.moved_bytes, Quantity.BYTES),
    ColorBy.WEIGHTS: (lambda cost: cost.weights_bytes, Quantity.BYTES),
    ColorBy.OUTPUTS: (lambda cost: cost.output_bytes, Quantity.BYTES),
}
# What colors stand for: one of the above, or numbers that came from a file.
ColorChoice = ColorBy | LayerNumbers


class NumberScale(Struct, frozen=True, eq=False):
    """A color scale for numbers. limits: the largest number of each color, rising.

    A number above the last limit has no color, as Model Explorer's thresholds define.
    """

    limits: NDArray[np.float64]
    colors: tuple[str, ...]
    is_gradient: bool

    def codes(self, values: NDArray[np.float64]) -> Codes:
        """Return the color of each number, counted from 1; 0 for NaN and for none."""
        codes = np.searchsorted(self.limits, values, "left") + 1
        if self.is_gradient:  # a sum over a scope may be larger than any layer's number
            codes = np.minimum(codes, len(self.limits))
        codes[np.isnan(values) | (codes > len(self.limits))] = 0
        return codes.astype(np.int8)


class Coloring(Struct, frozen=True, eq=False):
    """Colors with their words; code 0 of a box is no color, code k is the color k - 1.

    codes: int8 (L,), by the layer of the main graph. families: whether colors tell the
        operator's family, so that layers of functions have one as well. numbers, scale: what
        boxes are labeled with, and the color of a number; None where colors stand for kinds.
    signs: of each color, so that color does not stand alone: boxes show them in place of a
        stripe. dashed: codes of boxes whose edges are dashed.
    """

    names: tuple[str, ...]
    colors: tuple[str, ...]
    codes: Codes
    families: bool = False
    numbers: LayerNumbers | None = None
    scale: NumberScale | None = None
    signs: tuple[str, ...] = ()
    dashed: frozenset[int] = frozenset()

    def used(self) -> tuple[int, ...]:
        """Codes that occur, without 0."""
        return tuple(int(code) for code in np.unique(self.codes) if code)


def uses_of(report: PerformanceReport | None, count: int) -> tuple[LayerUse | None, ...]:
    """Return the measured use of each layer, by its index."""
    uses: list[LayerUse | None] = [None] * count
    for use in report.layers if report is not None else ():
        if 0 <= use.index < count:
            uses[use.index] = use
    return tuple(uses)


def ran_on(uses: tuple[LayerUse | None, ...], use: LayerUse | None) -> str | None:
    """Device that a layer ran on, by itself or as part of another."""
    if use is None or use.ran_on is not None or use.into is None:
        return use.ran_on if use is not None else None
    other = uses[use.into] if 0 <= use.into < len(uses) else None
    return other.ran_on if other is not None else None


class ColorSources(Struct, frozen=True):
    """The data from which colors are computed; each part may be missing.

    walk: outputs of layers, maybe against a second run. weight_uses: layers of each weight.
    zeros: zeros and elements of the weights that were read, by their place.
    executed, has_executed: the graph that the runtime makes of the model; whether it tells.
    device: for which times are estimated.
    """

    report: PerformanceReport | None = None
    walk: Stepping | None = None
    estimate: Estimate | None = None
    has_weights: bool = False
    weight_uses: tuple[tuple[int, ...], ...] = ()
    zeros: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    executed: ExecutedGraph | None = None
    has_executed: bool = False
    device: Efficiency | None = None

    def offers(self, color_by: ColorBy) -> bool:
        """Return whether there is what a coloring needs."""
        if color_by in (ColorBy.UNIT, ColorBy.TIME):
            return self.report is not None
        if color_by in (ColorBy.DIFFERENCE, ColorBy.ERROR):
            return self.walk is not None and bool(self.walk.against)
        if color_by is ColorBy.ARENA:
            return self.report is not None and any(
                use.arena_bytes is not None for use in self.report.layers
            )
        if color_by is ColorBy.ESTIMATED_TIME:
            return self.estimate is not None and self.device is not None
        if color_by is ColorBy.LIVE or color_by in COSTS:
            return self.estimate is not None
        if color_by is ColorBy.EXECUTED:
            return self.has_executed
        return self.has_weights if color_by is ColorBy.SPARSITY else True


def numbers(color_by: ColorChoice, model: Model, sources: ColorSources) -> LayerNumbers | None:
    """Return the numbers that a coloring stands for; None for kinds, or if they are unknown."""
    if isinstance(color_by, LayerNumbers):
        return color_by
    title, count = tr(color_by.value), len(model.layers)
    if color_by in COSTS and sources.estimate is not None:
        return cost_numbers(title, model, sources.estimate, *COSTS[color_by])
    estimate, device = sources.estimate, sources.device
    if color_by is ColorBy.ESTIMATED_TIME and estimate is not None and device is not None:
        title = tr("Time (estimated, {device})").format(device=device.title)
        return estimated_times(title, model, estimate, device)
    if color_by is ColorBy.LIVE and sources.estimate is not None:
        return live_numbers(
            tr("Activations in memory (estimated from shapes)"), model, sources.estimate
        )
    if color_by is ColorBy.ARENA and sources.report is not None:
        return arena_numbers(tr("Arena in use (measured)"), count, sources.report)
    if color_by is ColorBy.ERROR and sources.walk is not None:
        return error_numbers(title, count, sources.walk)
    if color_by is ColorBy.SPARSITY:
        return sparsity_numbers(title, count, sources.weight_uses, sources.zeros.get)
    return None


def coloring(
    color_by: ColorChoice, body: Body, model: Model, sources: ColorSources, palette: Palette
) -> Coloring:
    """Work out a color for each layer."""
    report, walk = sources.report, sources.walk
    by_number = numbers(color_by, model, sources)
    if by_number is not None:
        scale = scale_of(by_number, palette)
        codes = scale.codes(by_number.values)
        names = by_number.labels or tuple(
            f"≤ {units.localized(by_number.written(limit))}" for limit in scale.limits
        )
        return Coloring(names, scale.colors, codes, numbers=by_number, scale=scale)
    uses = uses_of(report, len(body.layers))
    if color_by is ColorBy.UNIT and report is not None:
        return _by_unit(report, uses, palette)
    if color_by is ColorBy.TIME and report is not None and not unranked(report):
        times = np.array([use.time_ns or 0 if use else 0 for use in uses], np.float64)
        return by_times(times, palette)
    if color_by is ColorBy.DIFFERENCE and walk is not None:
        return _by_difference(walk, len(body.layers), palette)
    if color_by is ColorBy.EXECUTED and sources.executed is not None:
        return _by_fate(sources.executed, len(body.layers), palette)
    if color_by is ColorBy.TYPE:
        return _by_type(body, model, uses, palette)
    if color_by is ColorBy.FAMILY:
        codes = np.array([family(layer.operator) + 1 for layer in body.layers], np.int8)
        return Coloring(tuple(map(tr, FAMILIES)), palette.series, codes, families=True)
    return Coloring((), (), np.zeros(len(body.layers), np.int8))


def scale_of(numbers: LayerNumbers, palette: Palette) -> NumberScale:
    """Return the colors that numbers came with, else a gradient from pale to strong; of labels
    one for each."""
    low, high = numbers.range
    if numbers.labels:
        kinds = np.arange(len(numbers.labels), dtype=np.float64)
        colors = tuple(islice(cycle(palette.series), len(kinds)))
        return NumberScale(kinds, colors, is_gradient=False)
    if numbers.thresholds and not numbers.gradient:
        limits = np.array([stop.at for stop in numbers.thresholds])
        colors = tuple(_css(stop.color, palette) for stop in numbers.thresholds)
        return NumberScale(limits, colors, is_gradient=False)
    steps = np.linspace(0.0, 1.0, _GRADIENT_STEPS)
    if numbers.gradient:
        stops = [(stop.at, _css(stop.color, palette)) for stop in numbers.gradient]
        colors = tuple(_between(stops, step) for step in steps.tolist())
    elif numbers.diverging:
        most = max(abs(low), abs(high)) or 1.0
        colors = tuple(
            palette_module.mix(
                palette.border,
                palette.data if value > 0 else palette.activity,
                abs(value) / most,
            )
            for value in np.linspace(low, high, _GRADIENT_STEPS).tolist()
        )
    else:
        pale = palette_module.mix(palette.border, palette.data, 0.1)
        colors = tuple(palette_module.mix(pale, palette.data, s) for s in steps.tolist())
    limits = low + (high - low) * np.linspace(0.0, 1.0, _GRADIENT_STEPS + 1)[1:]
    limits[-1] = high
    return NumberScale(limits, colors, is_gradient=True)


def _css(name: str, palette: Palette) -> str:
    """Return a CSS color as #RRGGBB; a gray for one that Qt does not know."""
    color = QColor.fromString(name)
    return color.name().upper() if color.isValid() else palette.tertiary


def _between(stops: list[tuple[float, str]], place: float) -> str:
    """Return the color of a gradient at a place, 0 to 1."""
    for (at, color), (next_at, next_color) in pairwise(stops):
        if place <= next_at:
            part = (place - at) / (next_at - at) if next_at > at else 1.0
            return palette_module.mix(color, next_color, min(1.0, max(0.0, part)))
    return stops[-1][1]


def _by_unit(
    report: PerformanceReport, uses: tuple[LayerUse | None, ...], palette: Palette
) -> Coloring:
    devices = {device.id: place + 1 for place, device in enumerate(report.devices)}
    codes = [devices.get(ran_on(uses, use) or "", 0) for use in uses]
    names = tuple(units.clip(units.device(device.id), 24) for device in report.devices)
    colors = tuple(palette.lane(device.kind) for device in report.devices)
    return Coloring(names, colors, np.array(codes, np.int8))


def by_times(times: NDArray[np.float64], palette: Palette) -> Coloring:
    """Return colors for layers by their times, beside the longest one; 0 for no color."""
    most = times.max(initial=0.0)
    codes = np.searchsorted(_STEPS, times / most) + 1 if most else np.zeros(len(times))
    codes = np.where(times > 0, codes, 0)
    pale = palette.border
    colors = tuple(
        palette_module.mix(pale, palette.data, part) for part in (0.1, 0.3, 0.5, 0.75, 1.0)
    )
    return Coloring(tuple(map(tr, _STEP_WORDS)), colors, codes.astype(np.int8))


def _by_difference(walk: Stepping, count: int, palette: Palette) -> Coloring:
    codes = np.zeros(count, np.int8)
    for step in walk.steps:
        worst = step.worst
        if worst is not None and 0 <= step.index < count:
            codes[step.index] = 4 if step.over else 1 if worst.identical else 2
    first = walk.divergence
    if first is not None:
        codes[first.index] = 5
    for step in walk.steps:  # NaN that both sides have is no difference, but no good either
        if step.nan and codes[step.index] in (1, 2):
            codes[step.index] = 3
    within = palette_module.mix(palette.border, palette.good, 0.55)
    wrong = palette_module.mix(palette.border, palette.bad, 0.55)
    colors = (palette.good, within, palette.caution, wrong, palette.bad)
    return Coloring(tuple(map(tr, _DIFFERENCES)), colors, codes)


def _by_fate(executed: ExecutedGraph, count: int, palette: Palette) -> Coloring:
    codes = np.zeros(count, np.int8)
    for layer, fate in enumerate(executed.fates[:count]):
        codes[layer] = _FATES.get(fate.status, len(_FATE_NAMES))
    colors = (
        palette.cpu,
        palette.activity,
        palette.gpu,
        palette.caution,
        palette.bad,
        palette.tertiary,
    )
    return Coloring(tuple(map(tr, _FATE_NAMES)), colors, codes)


def _by_type(
    body: Body, model: Model, uses: tuple[LayerUse | None, ...], palette: Palette
) -> Coloring:
    dtypes = {v.name: v.dtype for v in (*model.values, *model.inputs, *model.outputs)}
    codes = []
    for layer, use in zip(body.layers, uses, strict=True):
        dtype = next((dtypes[name] for name in layer.outputs if name in dtypes), "")
        dtype = dtype or (use.output.partition(" ")[0] if use else "")
        codes.append(element_type(dtype) + 1 if dtype and dtype != "unknown" else 0)
    return Coloring(tuple(map(tr, TYPES)), palette.series, np.array(codes, np.int8))
