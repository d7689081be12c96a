"""Complete code that calls one model: session, preprocessing of an image, run, best classes.

The settings of the session come from `session_code`; `inspector/export/code` has one file for
each language. Python's code is run by the tests, Java's and C++'s are compiled and JavaScript's
is run where a compiler is installed; C#'s and Swift's were never compiled.
"""

from collections.abc import Callable, Mapping, Sequence

from inspector.errors import BadInput
from inspector.export.code import cpp, csharp, java, javascript, kotlin, python, swift
from inspector.export.code.parts import Call, Image, product
from inspector.model.model import TFLITE, Model, TensorInfo
from inspector.preview.families.output_structure import score_kind
from inspector.preview.identity import identify
from inspector.preview.inputs.image import check_fit
from inspector.preview.inputs.input_shapes import shape_of
from inspector.preview.preprocessing.recipe import SCALES, ImagePreprocessing, channel_order
from inspector.report.run_spec import RunSpec, own_runtime

OPENVINO = "openvino"  # the format, and the runtime in ids of devices
_MOST_INPUTS, _MOST_OUTPUTS = 20, 20  # named in the code; a decoder has one for each cache


def call_code(
    model: Model,
    images: Mapping[str, ImagePreprocessing],
    spec: RunSpec,
    language: str,
    classes: bool,
    names: Sequence[str] = (),
) -> str:
    """Return a program that loads a model, prepares its inputs, runs it and prints its answer.

    images: preprocessing of the inputs that take an image, by name; the first is used. spec:
    settings of the session. language: one of LANGUAGES. classes: whether the first output has
    one score for each class. names: of the classes; used where there is one for each. Raises
    BadInput: the preprocessing does not fit the input, so that
    the code could not run.
    """
    runtime = _runtime(model, spec)
    if runtime and language != "Python":
        raise BadInput(
            f"Could not generate code for {model.name}",
            f"code for {runtime} is available in Python only",
            "Choose Python.",
        )
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    inputs = tuple((info, shape_of(info, lengths)) for info in model.inputs[:_MOST_INPUTS])
    taken = next((info for info in model.inputs if info.name in images), None)
    if taken is not None:
        check_fit(images[taken.name], taken)
    image = _image(taken, images[taken.name]) if taken is not None else None
    outputs = tuple(output.name for output in model.outputs[:_MOST_OUTPUTS])
    scores = model.outputs[0].dtype if classes and model.outputs else ""
    if scores not in ("float16", "float32", "float64"):
        scores = ""  # such as the number of the class, which another output has scores for
    kind = score_kind(model, model.outputs[0].name) if scores else ""
    count = _class_count(model.outputs[0]) if scores else 0
    used = tuple(names) if len(names) == count else ()
    call = Call(model, inputs, image, outputs, scores, kind, used, spec, runtime)
    return _WRITERS[language](call).strip("\n") + "\n"


def _runtime(model: Model, spec: RunSpec) -> str:
    """Return the runtime of the program if it is not ONNX Runtime."""
    if model.format == OPENVINO or own_runtime(spec.devices[0]) == OPENVINO:
        return "OpenVINO"
    return "LiteRT" if model.format == TFLITE else ""


def _class_count(output: TensorInfo) -> int:
    """Return the number of scores of one input; 0 where the shape does not say it."""
    lengths = [axis for axis in (output.shape or ())[1:] if isinstance(axis, int)]
    return product(lengths) if len(lengths) == len(output.shape or ()) - 1 else 0


def has_class_scores(model: Model) -> bool:
    """Return whether the first output is known to have one score for each class."""
    return any(
        each.subject == "task" and each.statement.partition(" (")[0].endswith("classifier")
        for each in identify(model).evidence
    )


def _image(info: TensorInfo, steps: ImagePreprocessing) -> Image:
    order = channel_order(steps.order)
    low, high = SCALES[steps.scale]
    mean = steps.mean if len(steps.mean) == len(order) else (steps.mean or (0.0,)) * len(order)
    std = steps.std if len(steps.std) == len(order) else (steps.std or (1.0,)) * len(order)
    return Image(
        info,
        steps,
        steps.width or 224,
        steps.height or 224,
        tuple(order),
        tuple((high - low) / 255 / std[place] for place in order),
        tuple((low - mean[place]) / std[place] for place in order),
    )


_WRITERS: Mapping[str, Callable[[Call], str]] = {
    "Python": python.program,
    "C++": cpp.program,
    "C#": csharp.program,
    "Java": java.program,
    "Kotlin": kotlin.program,
    "JavaScript": javascript.program,
    "Swift": swift.program,
}
LANGUAGES = tuple(_WRITERS)
# The class in Java's file is called CallModel, as the file must be.
SUFFIXES = {
    "Python": ".py",
    "C++": ".cpp",
    "C#": ".cs",
    "Java": ".java",
    "Kotlin": ".kt",
    "JavaScript": ".mjs",
    "Swift": ".swift",
}
