"""Complete code that calls one model: session, preprocessing of an image, run, best classes.

The templates of this plugin say what is in each language, and `apis.py` which types its API
passes: for a model with another one there is no code, since a program without it could not
run. Python's code is run by the tests, and that of C++, Java, Kotlin and JavaScript by
`benchmarks/generated_code.py` where their compilers are. C#'s and Swift's was only parsed.
"""

from collections.abc import Mapping, Sequence
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from inspector.errors import BadInput
from inspector.model.model import ITEM_BITS, TFLITE, Model, TensorInfo, packed_bytes
from inspector.plugins.code.apis import APIS, NUMPY, RARE, Api, Parts, returned, why_not
from inspector.plugins.code.writing import write
from inspector.preview.families.output_structure import LOGITS, score_kind
from inspector.preview.identity import identify
from inspector.preview.inputs.image import check_fit
from inspector.preview.inputs.input_shapes import shape_of
from inspector.preview.preprocessing.recipe import SCALES, ImagePreprocessing, channel_order
from inspector.render.code_languages import PYTHON, CodeLanguage
from inspector.render.session_code import LONGEST
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import RunSpec

OPENVINO = "openvino"  # the format, and the runtime in ids of devices
BYTE = 8  # bits
_MOST_OUTPUTS = 20  # named in the code; a decoder has one for each cache
_TOP = 5  # classes that the code prints


class _Image(Struct, frozen=True):
    """The preprocessing of an image as numbers for generated code.

    channels: for each channel of the tensor, its place in R, G, B, A. scale, offset: for each
    channel of the tensor; value = pixel * scale + offset, pixel 0 to 255. element: what the
    language calls an element of the tensor.
    """

    info: TensorInfo
    steps: ImagePreprocessing
    channels: tuple[int, ...]
    scale: tuple[float, ...]
    offset: tuple[float, ...]
    element: str

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


class _Input(Struct, frozen=True):
    """An input as the templates see it.

    kind: tensor, sequence of tensors, map, or sparse tensor. dtype: of the elements, of a map's
    values. key: the type of a map's keys. shape: of a tensor, and of one of a sequence.
    optional: it may be left out. image: it takes the image. api: of the program's language.
    """

    name: str
    api: Api
    kind: str
    dtype: str
    shape: tuple[int, ...]
    key: str = ""
    optional: bool = False
    image: bool = False

    @property
    def sequence(self) -> bool:
        return self.kind == "sequence"

    @property
    def count(self) -> int:
        """Return the number of elements; of a sparse tensor, of those in a program: one."""
        return 1 if self.kind == "sparse" else prod(self.shape)

    @property
    def bytes(self) -> int:
        """Return what the elements take in memory; types of 4 bits share bytes."""
        return packed_bytes(self.dtype, self.count) or 0

    @property
    def bits(self) -> int:
        """Return the bits of an element; 0 for texts and unknown types."""
        return ITEM_BITS.get(self.dtype, 0)

    @property
    def number(self) -> int:
        """Return ONNX's number of a type that NumPy lacks; 0 for others."""
        return RARE.get(self.dtype, (0, 0))[0]

    @property
    def element(self) -> str:
        """Return what the language calls an element; "" for a type that is passed as bytes."""
        return self.api.elements.get(self.dtype, "")

    @property
    def raw(self) -> str:
        """Return what the language calls a type that is passed as bytes; "" for others."""
        return self.api.bits.get(self.dtype, "")

    @property
    def of_keys(self) -> "_Input":
        """Return the keys of a map, which the templates write as a tensor."""
        return replace(self, dtype=self.key)

    @property
    def note(self) -> str:
        return "" if self.image else f"  // {self.asked_for}"

    @property
    def asked_for(self) -> str:
        """Return what the reader of the program has to do."""
        what = "text" if self.dtype == "string" else "values"
        packed = {2: ", four in a byte", 4: ", two in a byte"}.get(self.bits, "")
        half = "float16" in self.dtype and "loat16" not in self.element
        raw = f": the bits of {self.dtype}{packed}" if half or self.raw else ""
        more = "; add more tensors" if self.sequence else ""
        less = ", or leave it out" if self.optional else ""
        basic = "; emoji arrive changed" if self.api.basic and self.dtype == "string" else ""
        return f"put your {what} here{raw}{more}{less}{basic}"


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
    BadInput: the preprocessing does not fit the input, or the language cannot pass its type,
    so that the code could not run.
    """
    runtime = _runtime(model, spec)
    if runtime and language.name != PYTHON.name:
        why = f"code for {runtime} is available in Python only"
        raise BadInput(f"Could not generate code for {model.name}", why, "Choose Python.")
    if any(len(info.name) > LONGEST for info in (*model.inputs, *model.outputs)):
        what = f"Could not generate code for {model.name}"
        raise BadInput(what, f"a name has more than {LONGEST:,} characters", "Rename it.")
    api = replace(NUMPY, name=f"code for {runtime}") if runtime else APIS[language.id]
    refusal = why_not(api, model)
    if refusal is not None:
        raise BadInput(f"Could not generate {language.name} code for {model.name}", *refusal)
    able = (info for info in model.inputs if info.dtype in api.elements)
    taken = next((info for info in able if info.name in images), None)
    if taken is not None:
        check_fit(images[taken.name], taken)
    image = _image(taken, images[taken.name], api) if taken is not None else None
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    inputs = [
        _Input(info.name, api, "tensor", info.dtype, image.shape, image=True)
        if image is not None and info is taken
        else _input(info, api, lengths)
        for info in model.inputs
    ]
    outputs = returned(api, model)
    scores = model.outputs[0].dtype if model.outputs and has_class_scores(model) else ""
    if scores not in ("float16", "float32", "float64"):
        scores = ""  # such as the number of the class, which another output has scores for
    kind = score_kind(model, model.outputs[0].name) if scores else ""
    count = _class_count(model.outputs[0]) if scores else 0
    rare = {
        f"tensor({info.dtype})": (api.elements[info.dtype], ITEM_BITS[info.dtype])
        for info in model.outputs
        if info.dtype in RARE and info.dtype in api.elements
    }
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
        outputs=[output.name for output in outputs[:_MOST_OUTPUTS]],
        api=api,
        left=[output.name for output in model.outputs if output not in outputs],
        scores=scores,
        kind=kind,
        logits=kind == LOGITS,
        names=tuple(names) if scores and len(names) == count else (),
        top=_TOP,
        rare=rare,
        small=any(0 < bits < BYTE for _, bits in rare.values())
        or any(0 < each.bits < BYTE for each in inputs),
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


def _image(info: TensorInfo, steps: ImagePreprocessing, api: Api) -> _Image:
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
        api.elements[info.dtype],
    )


def _input(info: TensorInfo, api: Api, lengths: Mapping[str, int]) -> _Input:
    parts = Parts.of(info)
    inner = TensorInfo(info.name, "tensor", parts.dtype, parts.shape)
    return _Input(
        info.name,
        api,
        parts.kind,
        parts.dtype,
        shape_of(inner, lengths),
        parts.key,
        parts.optional,
    )
