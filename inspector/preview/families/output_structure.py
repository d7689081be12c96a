"""Facts about a model's outputs besides their shapes: operators, names, metadata.

A family of image models is recognized by this and by shapes, never by the values of one answer:
these change when a model is quantized or when nothing is in the picture.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from inspector.model import operator_names
from inspector.model.model import Axis, Layer, Model, TensorInfo, cached_by_model
from inspector.model.operator_traits import VIEWS
from inspector.model.tensors.element_types import holds_scores, is_float, is_integer
from inspector.preview.families import label_text, output_meanings, score_calibration
from inspector.preview.families.data_sets import DATA_SETS
from inspector.preview.families.score_calibration import ScoreCalibration

MOST_COLUMNS = 2_048  # of a table

Shape = Sequence[Axis]

# Learned layers end the head: what lies behind the last one of them only rearranges its values.
_LEARNED = frozenset(
    ("Conv", "ConvTranspose", "Gemm", "MatMul", "FusedConv", "QLinearConv", "ConvInteger",
     "QLinearMatMul", "MatMulInteger", "LSTM", "GRU", "NhwcFusedConv", "FusedMatMul",
     "FusedGemm", "QGemm", "BatchNormalization", "LayerNormalization", "MatMulIntegerToFloat",
     "DynamicQuantizeMatMul", "MatMulNBits", "DynamicQuantizeLSTM",
     "Convolution2DTransposeBias")  # MediaPipe's operator in TensorFlow Lite
)  # fmt: skip
TFLITE_DETECTION = "TFLite_Detection_PostProcess"  # selects boxes; four outputs
# Static int8 without QuantizeLinear around each operator (QOperator): QLinearSigmoid and others
# say the same about a head as the operators that they replace.
_QUANTIZED = "QLinear"
_MOST_HEAD_LAYERS = 600  # looked at from the file's end; heads with NMS have about 200
_MOST_DENSE = 12  # layers from the file's end among which a classifier's matrices are
_MOST_STEPS = 80  # operators of one output's head
_MOST_NAMED = 400  # layers whose operators and names are looked at from the file's begin
# What scores are: they add up to 1, lie within 0 to 1 each by itself, or need a softmax.
PROBABILITIES = "probabilities"
INDEPENDENT = "independent"
LOGITS = "logits"
# These change shape, size or type of scores, and nothing that tells one kind from the other.
_SAME_SCORES = VIEWS | {
    "Transpose", "Cast", "QuantizeLinear", "DequantizeLinear", "Split", "Slice", "Gather",
    "Resize", "Upsample",
}  # fmt: skip
# Between the last learned layer and logits; LogSoftmax gives log probabilities, of which
# softmax makes probabilities, too.
_BEFORE_LOGITS = _SAME_SCORES | frozenset(
    ("Add", "Sub", "Mul", "Relu", "Clip", "GlobalAveragePool", "AveragePool", "ReduceMean",
     "LogSoftmax")
)  # fmt: skip
_SAME_IDS = VIEWS | {"Cast"}
_IDS = {"Gather": 1, "EMBEDDING_LOOKUP": 0}  # which input of an operator the ids are
_IMAGE_CHANNELS = (1, 3, 4)
_SHORTEST_SIDE = 8  # of an image; rows of a sound or of a table have a side of 1
_OF_DETECTORS = frozenset(("NonMaxSuppression", "RoiAlign"))
_NORMALIZING = frozenset(("Sub", "Div"))
_SIGMOIDS = frozenset(("Sigmoid", "HardSigmoid"))


class Codes(NamedTuple):
    """How integers stand for real numbers: scale * (integer - zero point)."""

    scale: float
    zero_point: int


class ModelStructure(Struct, frozen=True):
    """Facts about a model besides names and shapes of its outputs.

    heads: for each output the operators between it and the last learned layers before it;
        empty where no graph is known. scores: for each output PROBABILITIES, INDEPENDENT or
        LOGITS where the graph says which it has. made_by: for each output the operator that
        gives it, and its place among that operator's outputs. operators: of the first layers,
        all by ONNX's names. names: of the first layers and of their values, lower case.
        metadata: as the file says. joined: the most values that one Concat in a head joins.
        detection_scores: numbers of each box's scores that TFLite_Detection_PostProcess takes.
        counted: outputs that have as many numbers as a known data set of images has classes.
    integers: outputs of integers, such as numbers of classes. detects: operators of detectors
    that are anywhere in the model. normalizes: whether it subtracts a mean from an image, or
    divides that, before its first learned layer.
    tabular: whether every input is a row of numbers, such as the columns of a table, and no row
        of ids that the model looks up.
    codes: scale and zero point of each input whose integers the format itself declares.
    image: whether an input has the shape of an image. gray: whether that has one channel.
    meanings: what somebody says that outputs mean, by name; see `output_meanings`.
    dense: shapes of the weights of the last two layers that are matrices, last one last.
    calibrations: of the scores of each output for which the file has one.
    """

    heads: Mapping[str, frozenset[str]] = field(default_factory=dict)
    scores: Mapping[str, str] = field(default_factory=dict)
    made_by: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    operators: frozenset[str] = frozenset()
    names: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    producer: str = ""
    joined: int = 0
    detection_scores: int = 0
    counted: frozenset[str] = frozenset()
    tabular: bool = False
    dense: tuple[tuple[int, ...], ...] = ()
    codes: Mapping[str, Codes] = field(default_factory=dict)
    image: bool = False
    gray: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)
    calibrations: Mapping[str, ScoreCalibration] = field(default_factory=dict)
    integers: frozenset[str] = frozenset()
    detects: frozenset[str] = frozenset()
    normalizes: bool = False

    def head(self, *names: str) -> frozenset[str]:
        """Return the operators in the heads of these outputs together; of all outputs where
        none given."""
        wanted = names or tuple(self.heads)
        return frozenset().union(*(self.heads.get(name, frozenset()) for name in wanted))

    @property
    def has_graph(self) -> bool:
        """Return whether the graph is known."""
        return any(self.heads.values())

    @property
    def task(self) -> str:
        """Return the task that an Ultralytics export names ("detect", "pose", ...), or ''."""
        return self.metadata.get("task", "") if "stride" in self.metadata else ""

    @property
    def classes(self) -> int:
        """Return the number of classes that an Ultralytics export names; 0 where none does."""
        names = label_text.classes((("names", self.metadata.get("names", "")),))
        return len(names.get("names", ()))


UNKNOWN = ModelStructure()


@cached_by_model
def of_model(model: Model) -> ModelStructure:
    """Return the structure of a model; of a large one only both ends of its graph are read."""
    first = model.layers[:_MOST_NAMED]
    texts = (text for layer in first for text in (layer.name, *layer.outputs[:1]))
    layers = model.layers[-_MOST_HEAD_LAYERS:]
    makers = {name: layer for layer in layers for name in layer.outputs if name}
    names = [info.name for info in model.outputs]
    heads = {name: _head(name, makers) for name in names}
    sizes = (size for each in model.inputs for size in _image_sizes(each))
    images = [size for size in sizes if min(size[:2]) >= _SHORTEST_SIDE]
    made_by = {name: _maker(name, makers[name]) for name in names if name in makers}
    of_boxes = [name for name, made in made_by.items() if made[0] == TFLITE_DETECTION]
    shapes = {each.name: tuple(each.shape) for each in model.weights if len(each.shape) == 2}
    inputs = (name for layer in model.layers[-_MOST_DENSE:] for name in layer.inputs)
    return ModelStructure(
        {name: frozenset(map(_operator, head)) for name, head in heads.items()},
        {name: kind for name in names if (kind := _score_kind(name, makers))},
        made_by,
        frozenset(operator_names.in_onnx(each.operator, each.domain) for each in first),
        " ".join(text[:120] for text in texts).lower(),
        dict(model.metadata),
        tuple(info.name for info in model.inputs),
        model.producer.lower(),
        max(
            (
                _joined(layer)
                for head in heads.values()
                for layer in head
                if _operator(layer) == "Concat"
            ),
            default=0,
        ),
        _detection_scores(model, makers),
        _counted(model),
        bool(model.inputs)
        and all(map(is_table_row, model.inputs))
        and not _looks_up(first, model),
        tuple(shapes[name] for name in inputs if name in shapes)[-2:],
        _codes(model),
        bool(images),
        bool(images) and all(channels == 1 for _, _, channels in images),
        output_meanings.of_outputs(model),
        score_calibration.of_model(model, of_boxes),
        frozenset(info.name for info in model.outputs if is_integer(info.dtype)),
        frozenset(each.operator for each in model.layers) & _OF_DETECTORS,
        _normalizes(first, model),
    )


def score_kind(model: Model, output: str) -> str:
    """Return PROBABILITIES, INDEPENDENT or LOGITS where the graph says which an output has, or
    ""."""
    return of_model(model).scores.get(output, "")


def _codes(model: Model) -> dict[str, Codes]:
    """Return what the integers of quantized inputs stand for, where one scale says it."""
    names = {info.name for info in model.inputs}
    return {
        each.value: Codes(each.least_scale, each.least_zero_point)
        for each in model.quantized
        if each.value in names and each.scales == 1 and each.least_scale > 0
    }


def is_table_row(info: TensorInfo) -> bool:
    """Return whether an input takes rows of a fixed number of columns, too few for a sound."""
    shape = info.shape or ()
    columns = shape[1] if len(shape) == 2 else None
    return (
        info.kind == "tensor"
        and is_float(info.dtype)
        and isinstance(columns, int)
        and columns <= MOST_COLUMNS
    )


def _looks_up(first: Sequence[Layer], model: Model) -> bool:
    """Return whether an input is ids of words or items, as numbers of any type: the first
    layers look up the rows of a table with them."""
    ids = {info.name for info in model.inputs}
    for layer in first:
        operator = operator_names.in_onnx(layer.operator, layer.domain)
        if operator in _SAME_IDS and ids & {*layer.inputs[:1]}:
            ids |= {*layer.outputs}
        place = _IDS.get(operator)
        if place is not None and ids & {*layer.inputs[place : place + 1]}:
            return True
    return False


def _normalizes(first: Sequence[Layer], model: Model) -> bool:
    """Return whether an image is normalized before a learned layer reads it."""
    images = {info.name for info in model.inputs if _image_sizes(info)}
    for layer in first:
        if not images.isdisjoint(layer.inputs):
            if layer.operator in _NORMALIZING:
                return True
            if not _is_learned(layer):
                images |= {*layer.outputs}
    return False


def _maker(name: str, layer: Layer) -> tuple[str, int]:
    return layer.operator, layer.outputs.index(name)


def _counted(model: Model) -> frozenset[str]:
    """Return the output of an image model with as many numbers as a data set has classes."""
    output = model.outputs[0] if len(model.outputs) == 1 else None
    columns = [axis for axis in (output.shape or ())[1:] if axis != 1] if output else []
    if output is None or len(columns) != 1 or not holds_scores(output.dtype):
        return frozenset()
    images = [size for info in model.inputs for size in _image_sizes(info)]
    known = any(
        data.count == columns[0] and data.has_images_of(width, height, channels == 1)
        for data in DATA_SETS
        for width, height, channels in images
    )
    return frozenset((output.name,)) if known else frozenset()


def _image_sizes(info: TensorInfo) -> list[tuple[int, int, int]]:
    """Return width, height and channels of an input that may take an image, 0 for free ones."""
    shape = info.shape or ()
    if len(shape) not in (3, 4):
        return []
    first, second, third = (axis if isinstance(axis, int) else 0 for axis in shape[-3:])
    sizes = [(third, second, first), (second, first, third)]
    return [size for size in sizes if size[2] in _IMAGE_CHANNELS]


def _detection_scores(model: Model, makers: Mapping[str, Layer]) -> int:
    """Return how many scores a box has in TensorFlow Lite's operator that selects boxes."""
    layer = next((each for each in makers.values() if each.operator == TFLITE_DETECTION), None)
    if layer is None or len(layer.inputs) < 2:
        return 0
    shapes = (value.shape for value in model.values if value.name == layer.inputs[1])
    shape = next(shapes, None) or ()
    return shape[-1] if shape and isinstance(shape[-1], int) else 0


def _score_kind(output: str, makers: Mapping[str, Layer]) -> str:
    name, allowed = output, _SAME_SCORES
    for _ in range(_MOST_STEPS):
        layer = makers.get(name)
        if layer is None:
            return ""
        operator = _operator(layer)
        if _is_learned(layer):
            return LOGITS
        if operator == "Softmax" and allowed is _SAME_SCORES:
            return PROBABILITIES
        if operator in _SIGMOIDS and allowed is _SAME_SCORES:
            return INDEPENDENT
        if operator not in _BEFORE_LOGITS:
            return ""
        if operator not in allowed:
            allowed = _BEFORE_LOGITS
        name = next((each for each in layer.inputs if each in makers), "")
    return ""


def declared(outputs: Sequence[TensorInfo]) -> dict[str, Shape]:
    """Return the declared shapes of a model's tensor outputs, by name."""
    return {info.name: info.shape or () for info in outputs if info.kind == "tensor"}


def _operator(layer: Layer) -> str:
    """Return the operator of a layer of a head by ONNX's name; of a quantized one that of its
    original."""
    return operator_names.in_onnx(layer.operator, layer.domain).removeprefix(_QUANTIZED)


def _is_learned(layer: Layer) -> bool:
    """Return whether a layer ends a head: convolutions, matrix products and the like."""
    return bool(_LEARNED & {layer.operator, _operator(layer)})


def _joined(layer: Layer) -> int:
    """Return how many values a Concat joins. QLinearConcat has the scale and the zero point of
    its output, then three inputs for each value."""
    quantized = layer.operator.startswith(_QUANTIZED)
    return (len(layer.inputs) - 2) // 3 if quantized else len(layer.inputs)


def _head(output: str, makers: Mapping[str, Layer]) -> list[Layer]:
    """Layers before an output, nearest first, up to learned ones."""
    layers: list[Layer] = []
    waiting, visited = [output], {output}
    for _ in range(_MOST_STEPS):
        if not waiting:
            break
        layer = makers.get(waiting.pop(0))
        if layer is None or _is_learned(layer):
            continue
        layers.append(layer)
        new = [name for name in layer.inputs if name and name not in visited]
        waiting += new
        visited.update(new)
    return layers
