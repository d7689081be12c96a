"""The parts that the programs of all languages share: the call, its image, and helpers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from inspector.export.session_code import literal
from inspector.model.model import Model, TensorInfo
from inspector.preview.families.output_structure import LOGITS
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.report.run_spec import RunSpec

TOP = 5  # classes that the code prints
_LIST_LINE = 76  # characters of a line in a list of names


@dataclass(frozen=True, slots=True)
class Types:
    """The element types that the API of a language can pass, by ONNX name."""

    names: Mapping[str, str]

    def of(self, dtype: str) -> str | None:
        """Return the type's name; None where the API cannot pass it."""
        return self.names.get(dtype)


@dataclass(frozen=True, slots=True)
class Image:
    """The preprocessing of an image as numbers for generated code.

    channels: for each channel of the tensor, its place in R, G, B, A. scale, offset: for each
    channel of the tensor; value = pixel * scale + offset, pixel 0 to 255.
    """

    info: TensorInfo
    steps: ImagePreprocessing
    width: int
    height: int
    channels: tuple[int, ...]
    scale: tuple[float, ...]
    offset: tuple[float, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the tensor with a batch of 1."""
        image = (len(self.channels), self.height, self.width)
        if self.steps.layout == "nhwc":
            image = (self.height, self.width, len(self.channels))
        return (1, *image)[-len(self.info.shape or (1, *image)) :]


@dataclass(frozen=True, slots=True)
class Call:
    """One model with the inputs, outputs and settings that its code uses.

    scores: type of the first output where it has one score for each class, else "".
    kind: LOGITS, PROBABILITIES, or "" where the graph does not say which they are.
    names: of the classes, in their order; empty where they are not known.
    runtime: "LiteRT", "OpenVINO", or "" for ONNX Runtime.
    """

    model: Model
    inputs: tuple[tuple[TensorInfo, tuple[int, ...]], ...]
    image: Image | None
    outputs: tuple[str, ...]
    scores: str
    kind: str
    names: tuple[str, ...]
    spec: RunSpec
    runtime: str = ""

    def lines(self, softmax: str, percent: str, plain: str, language: str) -> str:
        """Return the lines that turn scores into what is printed.

        softmax: for logits. percent, plain: print a probability, or a score of unknown scale;
        NAME stands for the expression of a class.
        """
        shown = percent if self.kind else plain
        name = _NAME[language][0 if self.names else 1]
        return join_lines(
            softmax if self.kind == LOGITS else "",
            _NAMES[language].format(_listed([literal(each, language) for each in self.names]))
            if self.names
            else "",
            shown.replace("NAME", name),
        )

    @property
    def others(self) -> tuple[tuple[TensorInfo, tuple[int, ...]], ...]:
        """Return the inputs that take no image."""
        return tuple(
            each for each in self.inputs if self.image is None or each[0] is not self.image.info
        )


def _listed(literals: Sequence[str]) -> str:
    """Return the elements of a list: in one line, or in several where they are long."""
    lines = [""]
    for each in literals:
        if lines[-1] and len(lines[-1]) + len(each) > _LIST_LINE:
            lines.append("")
        lines[-1] += f" {each}," if lines[-1] else f"{each},"
    if len(lines) == 1:
        return lines[0].removesuffix(",")
    return "\n    " + "\n    ".join(lines).removesuffix(",") + "\n"


# The list of class names, and the name or number of class `index`, by language.
_NAMES = {
    "Python": "names = [{}]",
    "C++": "const char* names[] = {{{}}};",
    "C#": "string[] names = {{ {} }};",
    "Java": "String[] names = {{{}}};",
    "JavaScript": "const names = [{}];",
    "Kotlin": "val names = arrayOf({})",
    "Swift": "let names = [{}]",
}
_NAME = {
    "Python": ("{names[index]}", "class {index}"),
    "C++": ("names[order[k]]", "std::to_string(order[k]).c_str()"),
    "C#": ("{names[index]}", "class {index}"),
    "Java": ("names[order[k]]", '"class " + order[k]'),
    "JavaScript": ("names[index]", "`class ${index}`"),
    "Kotlin": ("names[index]", '"class $index"'),
    "Swift": ("names[$0.offset]", '"class \\($0.offset)"'),
}


def numbers(values: Sequence[float], suffix: str = "") -> str:
    """Return numbers separated by commas."""
    return ", ".join(f"{value:.9g}{suffix}" for value in values)


def floats(values: Sequence[float]) -> str:
    """Return numbers as float literals of C, C# and Java: 0.5f, 1.0f."""
    return ", ".join(
        f"{text if any(c in text for c in '.en') else text + '.0'}f"
        for text in (f"{value:.9g}" for value in values)
    )


def join_lines(*parts: str) -> str:
    """Join parts as lines; those without text are left out."""
    return "\n".join(part.strip("\n") for part in parts if part.strip("\n"))


def unsupported(comment: str, info: TensorInfo) -> str:
    """Return the comment on an input of a type that the API of a language cannot pass."""
    return (
        f"{comment} Input {literal(info.name)} takes {info.dtype}, which this API cannot pass. "
        "Convert the input to float32."
    )


# Undoes the curve of sRGB, by language; `linear` takes and returns 0 to 255.
_LINEAR = {
    "C++": (
        "auto linear = [](float v) {",
        "    v /= 255;",
        "    v = v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);",
        "    return 255 * v;",
        "};",
    ),
    "C#": (
        "float linear(float v) => 255 * (v <= 10.31475f ? v / 255 / 12.92f",
        "    : MathF.Pow((v / 255 + 0.055f) / 1.055f, 2.4f));",
    ),
    "Java": (
        "java.util.function.DoubleUnaryOperator curve =",
        "    v -> 255 * (v <= 10.31475 ? v / 255 / 12.92",
        "        : Math.pow((v / 255 + 0.055) / 1.055, 2.4));",
    ),
    "JavaScript": (
        "const linear = (v) => 255 * (v <= 10.31475 ? v / 255 / 12.92",
        "  : ((v / 255 + 0.055) / 1.055) ** 2.4);",
    ),
    "Kotlin": (
        "fun linear(v: Float) = 255 * (if (v <= 10.31475f) v / 255 / 12.92f",
        "    else Math.pow((v / 255 + 0.055) / 1.055, 2.4).toFloat())",
    ),
    "Swift": (
        "func linear(_ v: Float) -> Float {",
        "    255 * (v <= 10.31475 ? v / 255 / 12.92 : pow((v / 255 + 0.055) / 1.055, 2.4))",
        "}",
    ),
}


def in_light(image: Image, pixel: str, language: str) -> tuple[tuple[str, ...], str]:
    """Return the lines that define `linear`, and the pixel in linear light if requested."""
    if image.steps.gamma != "linear":
        return (), pixel
    call = "(float) curve.applyAsDouble" if language == "Java" else "linear"
    return _LINEAR[language], f"{call}({pixel})"


def pixel_loop(image: Image, pixel: str, cast: str) -> str:
    """Return the loop of C-like languages that fills `values` from pixels.

    pixel: expression for channel `c` of the pixel at `x`, `y`. cast: of the result.
    """
    count = len(image.channels)
    at = f"(c * {image.height} + y) * {image.width} + x"
    if image.steps.layout == "nhwc":
        at = f"(y * {image.width} + x) * {count} + c"
    return join_lines(
        f"for (int y = 0; y < {image.height}; y++)",
        f"    for (int x = 0; x < {image.width}; x++)",
        f"        for (int c = 0; c < {count}; c++)",
        f"            values[{at}] =",
        f"                {cast.format(f'{pixel} * scale[c] + offset[c]')};",
    )


def product(shape: Sequence[int]) -> int:
    """Return the number of elements of a shape."""
    return prod(shape)
