"""Complete code that calls one model: session, preprocessing of an image, run, best classes.

The templates of this plugin say what is in each language. Python's code is run by the tests,
Java's and C++'s are compiled and JavaScript's is run where a compiler is installed; C#'s,
Kotlin's and Swift's were never compiled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from inspector.errors import BadInput
from inspector.export.code_languages import PYTHON, CodeLanguage
from inspector.export.session_code import literal
from inspector.model.model import TFLITE, Model, TensorInfo
from inspector.plugins.code.writing import write
from inspector.preview.families.output_structure import LOGITS, score_kind
from inspector.preview.identity import identify
from inspector.preview.inputs.image import check_fit
from inspector.preview.inputs.input_shapes import shape_of
from inspector.preview.preprocessing.recipe import SCALES, ImagePreprocessing, channel_order
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import RunSpec

OPENVINO = "openvino"  # the format, and the runtime in ids of devices
_MOST_INPUTS = 20  # named in the code; a decoder has one for each cache
_MOST_OUTPUTS = 20  # named in the code; a decoder has one for each cache
_TOP = 5  # classes that the code prints


@dataclass(frozen=True, slots=True)
class _Image:
    """The preprocessing of an image as numbers for generated code.

    channels: for each channel of the tensor, its place in R, G, B, A. scale, offset: for each
    channel of the tensor; value = pixel * scale + offset, pixel 0 to 255.
    """

    info: TensorInfo
    steps: ImagePreprocessing
    channels: tuple[int, ...]
    scale: tuple[float, ...]
    offset: tuple[float, ...]

    @property
    def width(self) -> int:
        return self.steps.width or 224

    @property
    def height(self) -> int:
        return self.steps.height or 224

    @property
    def count(self) -> int:
        return len(self.channels)

    @property
    def gray(self) -> bool:
        return self.count == 1

    @property
    def dtype(self) -> str:
        return self.info.dtype

    @property
    def float(self) -> bool:
        return "float" in self.info.dtype

    @property
    def linear(self) -> bool:
        """Return whether the pixels are brought to linear light."""
        return self.steps.gamma == "linear"

    @property
    def scaled(self) -> bool:
        return any(scale != 1 for scale in self.scale) or any(self.offset)

    @property
    def at_corner(self) -> bool:
        """Return whether the picture stands at the top left, not in the middle."""
        return self.steps.resize == "fit" and self.steps.position == "top-left"

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the tensor with a batch of 1."""
        image = (self.count, self.height, self.width)
        if self.steps.layout == "nhwc":
            image = (self.height, self.width, self.count)
        return (1, *image)[-len(self.info.shape or (1, *image)) :]

    @property
    def index(self) -> str:
        """Return the expression for the place of channel `c` of the pixel at `x`, `y`."""
        if self.steps.layout == "nhwc":
            return f"(y * {self.width} + x) * {self.count} + c"
        return f"(c * {self.height} + y) * {self.width} + x"

    def places(self, words: Sequence[object]) -> str:
        """Return what a language calls each channel of the tensor; words: of R, G, B, A."""
        return ", ".join(str(words[place]) for place in self.channels)


@dataclass(frozen=True, slots=True)
class _Input:
    """An input as the templates see it; image: whether it takes the image."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    image: bool

    @property
    def count(self) -> int:
        return prod(self.shape)

    @property
    def note(self) -> str:
        what = "text" if self.dtype == "string" else "values"
        return "" if self.image else f"  // put your {what} here"


def call_code(
    language: CodeLanguage,
    model: Model,
    images: Mapping[str, ImagePreprocessing],
    spec: RunSpec,
    names: Sequence[str] = (),
) -> str:
    """Return a program that loads a model, prepares its inputs, runs it and prints its answer.

    images: preprocessing of the inputs that take an image, by name; the first is used. spec:
    settings of the session. names: of the classes; used where there is one for each. Raises
    BadInput: the preprocessing does not fit the input, so that the code could not run.
    """
    runtime = _runtime(model, spec)
    if runtime and language.name != PYTHON.name:
        raise BadInput(
            f"Could not generate code for {model.name}",
            f"code for {runtime} is available in Python only",
            "Choose Python.",
        )
    taken = next((info for info in model.inputs if info.name in images), None)
    if taken is not None:
        check_fit(images[taken.name], taken)
    image = _image(taken, images[taken.name]) if taken is not None else None
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    inputs = [
        _Input(info.name, info.dtype, image.shape, True)
        if image is not None and info is taken
        else _Input(info.name, info.dtype, shape_of(info, lengths), False)
        for info in model.inputs[:_MOST_INPUTS]
    ]
    scores = model.outputs[0].dtype if model.outputs and has_class_scores(model) else ""
    if scores not in ("float16", "float32", "float64"):
        scores = ""  # such as the number of the class, which another output has scores for
    kind = score_kind(model, model.outputs[0].name) if scores else ""
    count = _class_count(model.outputs[0]) if scores else 0
    targets = [device.partition(":")[2] or device for device in spec.devices]
    return write(
        language,
        spec,
        model.name,
        call=True,
        runtime=runtime,
        openvino_device=("HETERO:" if len(targets) > 1 else "") + ",".join(targets).upper(),
        inputs=inputs,
        image=image,
        outputs=[output.name for output in model.outputs[:_MOST_OUTPUTS]],
        scores=scores,
        kind=kind,
        logits=kind == LOGITS,
        names=tuple(names) if scores and len(names) == count else (),
        top=_TOP,
        unsupported=_unsupported,
    )


def has_class_scores(model: Model) -> bool:
    """Return whether the first output is known to have one score for each class."""
    return any(
        each.subject == "task" and each.statement.partition(" (")[0].endswith("classifier")
        for each in identify(model).evidence
    )


def _runtime(model: Model, spec: RunSpec) -> str:
    """Return the runtime of the program if it is not ONNX Runtime."""
    if model.format == OPENVINO or own_runtime(spec.devices[0]) == OPENVINO:
        return "OpenVINO"
    return "LiteRT" if model.format == TFLITE else ""


def _class_count(output: TensorInfo) -> int:
    """Return the number of scores of one input; 0 where the shape does not say it."""
    lengths = [axis for axis in (output.shape or ())[1:] if isinstance(axis, int)]
    return prod(lengths) if len(lengths) == len(output.shape or ()) - 1 else 0


def _image(info: TensorInfo, steps: ImagePreprocessing) -> _Image:
    order = channel_order(steps.order)
    low, high = SCALES[steps.scale]
    mean = steps.mean if len(steps.mean) == len(order) else (steps.mean or (0.0,)) * len(order)
    std = steps.std if len(steps.std) == len(order) else (steps.std or (1.0,)) * len(order)
    return _Image(
        info,
        steps,
        tuple(order),
        tuple((high - low) / 255 / std[place] for place in order),
        tuple((low - mean[place]) / std[place] for place in order),
    )


def _unsupported(each: _Input) -> str:
    """Return the comment on an input of a type that the API of a language cannot pass."""
    return (
        f"Input {literal(each.name)} takes {each.dtype}, which this API cannot pass. "
        "Convert the input to float32."
    )
