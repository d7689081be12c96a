"""Complete code that calls one model: session, preprocessing of an image, run, best classes.

The settings of the session come from `session_code`; this module adds what is particular to a
model. Python's code is run by the tests.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent

from inspector.export.session_code import literal, session_code
from inspector.model.model import Model, TensorInfo
from inspector.preview.identity import identify
from inspector.preview.inputs.image import check_fit
from inspector.preview.inputs.input_shapes import shape_of
from inspector.preview.preprocessing.recipe import SCALES, ImagePreprocessing, channel_order
from inspector.report.run_spec import RunSpec

_TOP = 5  # classes that the code prints
_MOST_INPUTS, _MOST_OUTPUTS = 20, 20  # named in the code; a decoder has one for each cache


@dataclass(frozen=True, slots=True)
class _Types:
    """The element types that the API of a language can pass, by ONNX name."""

    names: Mapping[str, str]

    def of(self, dtype: str) -> str | None:
        """Return the type's name; None where the API cannot pass it."""
        return self.names.get(dtype)


_PYTHON = _Types({
    name: f"np.{name}" for name in (
        "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
        "uint32", "uint64",
    )
} | {"bool": "np.bool_", "string": "object"})  # fmt: skip
_CPP = _Types({
    "float32": "float", "float64": "double", "float16": "Ort::Float16_t", "int8": "int8_t",
    "int16": "int16_t", "int32": "int32_t", "int64": "int64_t", "uint8": "uint8_t",
    "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t", "bool": "bool",
})  # fmt: skip
_CSHARP = _Types({
    "float32": "float", "float64": "double", "float16": "Float16", "int8": "sbyte",
    "int16": "short", "int32": "int", "int64": "long", "uint8": "byte", "uint16": "ushort",
    "uint32": "uint", "uint64": "ulong", "bool": "bool",
})  # fmt: skip
_JAVASCRIPT = _Types({
    "float32": "Float32Array", "float64": "Float64Array", "int8": "Int8Array",
    "int16": "Int16Array", "int32": "Int32Array", "int64": "BigInt64Array",
    "uint8": "Uint8Array", "uint16": "Uint16Array", "uint32": "Uint32Array",
    "uint64": "BigUint64Array", "bool": "Uint8Array",
})  # fmt: skip
_JAVA = _Types({
    "float32": "FloatBuffer", "float64": "DoubleBuffer", "int32": "IntBuffer",
    "int64": "LongBuffer", "uint8": "ByteBuffer", "int8": "ByteBuffer", "int16": "ShortBuffer",
})  # fmt: skip
_SWIFT = _Types({
    "float32": "Float", "int8": "Int8", "uint8": "UInt8", "int32": "Int32", "uint32": "UInt32",
    "int64": "Int64", "uint64": "UInt64",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Image:
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
class _Call:
    """One model with the inputs, outputs and settings that its code uses.

    scores: type of the first output where it has one score for each class, else "".
    """

    model: Model
    inputs: tuple[tuple[TensorInfo, tuple[int, ...]], ...]
    image: _Image | None
    outputs: tuple[str, ...]
    scores: str
    spec: RunSpec

    @property
    def others(self) -> tuple[tuple[TensorInfo, tuple[int, ...]], ...]:
        """Return the inputs that take no image."""
        return tuple(
            each for each in self.inputs if self.image is None or each[0] is not self.image.info
        )


def call_code(
    model: Model,
    images: Mapping[str, ImagePreprocessing],
    spec: RunSpec,
    language: str,
    classes: bool,
) -> str:
    """Return a program that loads a model, prepares its inputs, runs it and prints its answer.

    images: preprocessing of the inputs that take an image, by name; the first is used. spec:
    settings of the session. language: one of LANGUAGES. classes: whether the first output has
    one score for each class. Raises BadInput: the preprocessing does not fit the input, so that
    the code could not run.
    """
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    inputs = tuple((info, shape_of(info, lengths)) for info in model.inputs[:_MOST_INPUTS])
    taken = next((info for info in model.inputs if info.name in images), None)
    if taken is not None:
        check_fit(images[taken.name], taken)
    image = _image(taken, images[taken.name]) if taken is not None else None
    outputs = tuple(output.name for output in model.outputs[:_MOST_OUTPUTS])
    scores = model.outputs[0].dtype if classes and model.outputs else ""
    call = _Call(model, inputs, image, outputs, scores, spec)
    return _WRITERS[language](call).strip("\n") + "\n"


def has_class_scores(model: Model) -> bool:
    """Return whether the first output is known to have one score for each class."""
    return any(
        each.subject == "task" and each.statement.partition(" (")[0].endswith("classifier")
        for each in identify(model).evidence
    )


def _image(info: TensorInfo, steps: ImagePreprocessing) -> _Image:
    order = channel_order(steps.order)
    low, high = SCALES[steps.scale]
    mean = steps.mean if len(steps.mean) == len(order) else (steps.mean or (0.0,)) * len(order)
    std = steps.std if len(steps.std) == len(order) else (steps.std or (1.0,)) * len(order)
    return _Image(
        info,
        steps,
        steps.width or 224,
        steps.height or 224,
        tuple(order),
        tuple((high - low) / 255 / std[place] for place in order),
        tuple((low - mean[place]) / std[place] for place in order),
    )


def _numbers(values: Sequence[float], suffix: str = "") -> str:
    return ", ".join(f"{value:.9g}{suffix}" for value in values)


def _floats(values: Sequence[float]) -> str:
    """Return numbers as float literals of C, C# and Java: 0.5f, 1.0f."""
    return ", ".join(
        f"{text if any(c in text for c in '.en') else text + '.0'}f"
        for text in (f"{value:.9g}" for value in values)
    )


def _lines(*parts: str) -> str:
    """Join parts as lines; those without text are left out."""
    return "\n".join(part.strip("\n") for part in parts if part.strip("\n"))


def _unsupported(comment: str, info: TensorInfo) -> str:
    return (
        f"{comment} Input {literal(info.name)} takes {info.dtype}, which this API cannot pass. "
        "Convert the input to float32."
    )


# Python


def _python(call: _Call) -> str:
    session = session_code(call.spec, call.model.name, "Python")
    head, _, body = session.partition("\n")
    imports = ["import sys", "", "import numpy as np", head]
    feeds = [_python_feed(call, info, shape) for info, shape in call.inputs]
    parts = [
        "\n".join([*imports, *(["from PIL import Image"] if call.image else [])]),
        body,
        _python_image(call.image) if call.image else "",
        _lines("feeds = {", *(f"    {feed}" for feed in feeds), "}"),
        "outputs = session.run(None, feeds)",
    ]
    text = "\n".join(f"{part.strip(chr(10))}\n" for part in parts if part)
    return text + (_PYTHON_CLASSES if call.scores else _PYTHON_OUTPUTS)


def _python_feed(call: _Call, info: TensorInfo, shape: tuple[int, ...]) -> str:
    name = literal(info.name)
    if call.image is not None and info is call.image.info:
        return f"{name}: image_tensor(sys.argv[1]),"
    kind = _PYTHON.of(info.dtype)
    if kind is None:
        return _unsupported("#", info)
    if info.dtype == "string":
        return f'{name}: np.full({shape}, "", dtype=object),  # put your text here'
    return f"{name}: np.zeros({shape}, dtype={kind}),  # put your values here"


def _python_image(image: _Image) -> str:
    steps = image.steps
    mode = {1: "L", 3: "RGB", 4: "RGBA"}[len(image.channels)]
    filter_name = steps.filter.upper()
    size = f"({image.width}, {image.height})"
    opened = f'image = Image.open(path).convert("{mode}")'
    if steps.resize == "stretch":
        resized = f"image = image.resize({size}, Image.Resampling.{filter_name})"
    elif steps.resize == "crop":
        resized = _lines(
            f"factor = max({image.width} / image.width, {image.height} / image.height)",
            f"width, height = {image.width} / factor, {image.height} / factor",
            "left, top = (image.width - width) / 2, (image.height - height) / 2",
            "box = (left, top, left + width, top + height)",
            f"image = image.resize({size}, Image.Resampling.{filter_name}, box)",
        )
    else:
        place = "(0, 0)"
        if steps.position == "center":
            place = (
                f"(({image.width} - inner.width) // 2, ({image.height} - inner.height) // 2)"
            )
        fill = steps.fill if mode == "L" else (steps.fill,) * len(mode)
        resized = _lines(
            f"factor = min({image.width} / image.width, {image.height} / image.height)",
            "size = round(image.width * factor), round(image.height * factor)",
            f"inner = image.resize(size, Image.Resampling.{filter_name})",
            f'image = Image.new("{mode}", {size}, {fill})',
            f"image.paste(inner, {place})",
        )
    pixels = "pixels = np.asarray(image, dtype=np.float64)"
    if mode == "L":
        pixels += "[:, :, np.newaxis]"
    changed = []
    if steps.gamma == "linear":
        changed.append("pixels = pixels / 255")
        changed.append("linear = ((pixels + 0.055) / 1.055) ** 2.4")
        changed.append("pixels = 255 * np.where(pixels <= 0.04045, pixels / 12.92, linear)")
    if image.channels != tuple(range(len(image.channels))):
        changed.append(
            f"pixels = pixels[:, :, {list(image.channels)}]  # {steps.order.upper()}"
        )
    if any(scale != 1 for scale in image.scale) or any(image.offset):
        changed.append(
            f"pixels = pixels * [{_numbers(image.scale)}] + [{_numbers(image.offset)}]"
        )
    if steps.layout == "nchw":
        changed.append("pixels = pixels.transpose(2, 0, 1)  # channels first")
    kind = _PYTHON.of(image.info.dtype) or "np.float32"
    rounded = "pixels" if "float" in image.info.dtype else "np.rint(pixels)"
    body = _lines(
        opened,
        resized,
        "# height, width, channels; 0 to 255",
        pixels,
        *changed,
        f"return {rounded}.reshape({image.shape}).astype({kind})",
    )
    return (
        _lines(
            "",
            "def image_tensor(path):",
            f'    """Return an image file as {image.info.dtype} {image.shape}."""',
            indent(body, "    "),
        )
        + "\n"
    )


_PYTHON_CLASSES = f"""
scores = outputs[0].astype(np.float64).reshape(-1)
if scores.min() < 0 or scores.max() > 1:  # logits: softmax makes them probabilities
    scores = np.exp(scores - scores.max())
    scores /= scores.sum()
for index in np.argsort(-scores)[:{_TOP}]:
    print(f"class {{index}}: {{scores[index]:.2%}}")
"""
_PYTHON_OUTPUTS = """
for info, value in zip(session.get_outputs(), outputs):
    print(info.name, getattr(value, "shape", type(value)))
"""


# C++, C# and Java share the loop over the pixels; their images come from usual libraries.


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
    "Swift": (
        "func linear(_ v: Float) -> Float {",
        "    255 * (v <= 10.31475 ? v / 255 / 12.92 : pow((v / 255 + 0.055) / 1.055, 2.4))",
        "}",
    ),
}


def _light(image: _Image, pixel: str, language: str) -> tuple[tuple[str, ...], str]:
    """Return the lines that define `linear`, and the pixel in linear light if requested."""
    if image.steps.gamma != "linear":
        return (), pixel
    call = "(float) curve.applyAsDouble" if language == "Java" else "linear"
    return _LINEAR[language], f"{call}({pixel})"


def _pixel_loop(image: _Image, pixel: str, cast: str) -> str:
    """Return the loop of C-like languages that fills `values` from pixels.

    pixel: expression for channel `c` of the pixel at `x`, `y`. cast: of the result.
    """
    count = len(image.channels)
    at = f"(c * {image.height} + y) * {image.width} + x"
    if image.steps.layout == "nhwc":
        at = f"(y * {image.width} + x) * {count} + c"
    return _lines(
        f"for (int y = 0; y < {image.height}; y++)",
        f"    for (int x = 0; x < {image.width}; x++)",
        f"        for (int c = 0; c < {count}; c++)",
        f"            values[{at}] =",
        f"                {cast.format(f'{pixel} * scale[c] + offset[c]')};",
    )


def _cpp(call: _Call) -> str:
    session = session_code(call.spec, call.model.name, "C++").strip("\n").split("\n")
    includes = ["#include <algorithm>", "#include <cmath>", "#include <cstdio>",
                "#include <numeric>", "#include <vector>", "", *session[:1]]  # fmt: skip
    if call.image:
        includes.append("#include <opencv2/opencv.hpp>")
    feeds = [_cpp_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    names = ", ".join(literal(info.name) for info, _ in call.inputs)
    outputs = ", ".join(map(literal, call.outputs))
    run = _lines(
        "auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);",
        "std::vector<Ort::Value> inputs;",
        *feeds,
        f"const char* input_names[] = {{{names}}};",
        f"const char* output_names[] = {{{outputs}}};",
        "auto outputs = session.Run(Ort::RunOptions{nullptr}, input_names, inputs.data(),",
        f"                           inputs.size(), output_names, {len(call.outputs)});",
    )
    body = _lines(*(line for line in session[1:] if line), run,
                  _CPP_CLASSES.replace("FIRST", _CPP_SCORES[call.scores])
        if call.scores in _CPP_SCORES
        else _CPP_OUTPUTS)  # fmt: skip
    return (
        "\n".join(includes)
        + "\n\nint main(int argc, char** argv) {\n"
        + indent(body, "    ")
        + "\n}\n"
    )


def _cpp_feed(call: _Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind = _CPP.of(info.dtype)
    if kind is None:
        return _unsupported("//", info)
    image = call.image
    shown = shape
    name = f"values{place}"
    if image is not None and info is image.info:
        shown = image.shape
    dims = ", ".join(map(str, shown))
    lines = [
        f"std::vector<int64_t> shape{place}{{{dims}}};",
        f"std::vector<{kind}> {name}({_product(shown)});",
    ]
    if kind == "bool":  # std::vector<bool> has no array
        lines[1] = f"auto {name} = std::make_unique<bool[]>({_product(shown)});"
    if image is not None and info is image.info:
        lines += _cpp_image(image, name, kind)
    else:
        lines[-1] += "  // put your values here"
    pointer = f"{name}.get()" if kind == "bool" else f"{name}.data()"
    dims = f"shape{place}.data(), shape{place}.size()"
    lines += [
        f"inputs.push_back(Ort::Value::CreateTensor<{kind}>(",
        f"    memory, {pointer}, {_product(shown)}, {dims}));",
    ]
    return "\n".join(lines)


def _cpp_image(image: _Image, name: str, kind: str) -> list[str]:
    gray = len(image.channels) == 1
    flag = "cv::IMREAD_GRAYSCALE" if gray else "cv::IMREAD_COLOR"
    # OpenCV holds B, G, R.
    places = [0] if gray else [{0: 2, 1: 1, 2: 0}.get(place, 3) for place in image.channels]
    pixel = "image.ptr<uchar>(y)[x]" if gray else "image.ptr<cv::Vec3b>(y)[x][channel[c]]"
    light, pixel = _light(image, pixel, "C++")
    rounded = "{}" if "float" in image.info.dtype else "std::lround({})"
    cast = f"{kind}({rounded})"
    loop = _pixel_loop(image, pixel, cast).replace("values[", f"{name}[")
    return [
        f"cv::Mat image = cv::imread(argv[1], {flag});",
        *_cpp_resize(image),
        *light,
        *([] if gray else [f"const int channel[] = {{{', '.join(map(str, places))}}};"]),
        f"const float scale[] = {{{_floats(image.scale)}}};",
        f"const float offset[] = {{{_floats(image.offset)}}};",
        loop,
    ]


def _cpp_resize(image: _Image) -> list[str]:
    size = f"cv::Size({image.width}, {image.height})"
    if image.steps.resize == "stretch":
        return [f"cv::resize(image, image, {size}, 0, 0, cv::INTER_AREA);"]
    chosen = "std::min" if image.steps.resize == "fit" else "std::max"
    lines = [
        f"double factor = {chosen}({image.width}.0 / image.cols, "
        f"{image.height}.0 / image.rows);",
        "cv::resize(image, image, cv::Size(), factor, factor, cv::INTER_AREA);",
    ]
    if image.steps.resize == "crop":
        return [
            *lines,
            f"image = image(cv::Rect((image.cols - {image.width}) / 2, "
            f"(image.rows - {image.height}) / 2,",
            f"                       {image.width}, {image.height})).clone();",
        ]
    left = top = "0"
    if image.steps.position == "center":
        left, top = f"({image.width} - image.cols) / 2", f"({image.height} - image.rows) / 2"
    return [
        *lines,
        f"int left = {left}, top = {top};",
        f"cv::copyMakeBorder(image, image, top, {image.height} - image.rows - top, left,",
        f"                   {image.width} - image.cols - left, cv::BORDER_CONSTANT,",
        f"                   cv::Scalar::all({image.steps.fill}));",
    ]


_CPP_SCORES = {
    "float32": "const float* first = outputs[0].GetTensorData<float>();\n"
    "std::vector<double> scores(first, first + count);",
    "float16": "const auto* first = outputs[0].GetTensorData<Ort::Float16_t>();\n"
    "std::vector<double> scores(count);\n"
    "std::transform(first, first + count, scores.begin(),\n"
    "               [](Ort::Float16_t score) { return score.ToFloat(); });",
}
_CPP_CLASSES = f"""
size_t count = outputs[0].GetTensorTypeAndShapeInfo().GetElementCount();
FIRST
double highest = *std::max_element(scores.begin(), scores.end());
if (highest > 1 || *std::min_element(scores.begin(), scores.end()) < 0) {{
    // Logits: softmax makes them probabilities.
    for (double& score : scores) score = std::exp(score - highest);
    double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
    for (double& score : scores) score /= sum;
}}
std::vector<size_t> order(count);
std::iota(order.begin(), order.end(), size_t(0));
std::sort(order.begin(), order.end(),
          [&](size_t a, size_t b) {{ return scores[a] > scores[b]; }});
for (size_t k = 0; k < std::min<size_t>({_TOP}, count); k++)
    std::printf("class %zu: %.2f%%\\n", order[k], 100 * scores[order[k]]);
"""
_CPP_OUTPUTS = """
for (size_t k = 0; k < outputs.size(); k++)
    std::printf("%s: %zu elements\\n", output_names[k],
                outputs[k].GetTensorTypeAndShapeInfo().GetElementCount());
"""


# C#


def _csharp(call: _Call) -> str:
    session = session_code(call.spec, call.model.name, "C#").strip("\n").split("\n")
    usings = ["using System;", "using System.Collections.Generic;", "using System.Linq;",
              session[0], "using Microsoft.ML.OnnxRuntime.Tensors;"]  # fmt: skip
    if call.image:
        usings += ["using SixLabors.ImageSharp;", "using SixLabors.ImageSharp.PixelFormats;",
                   "using SixLabors.ImageSharp.Processing;"]  # fmt: skip
    feeds = [_csharp_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    body = _lines(
        *(line for line in session[1:] if line),
        "var inputs = new List<NamedOnnxValue>();",
        *feeds,
        "using var outputs = session.Run(inputs);",
        _CSHARP_CLASSES.replace("FIRST", _CSHARP_SCORES[call.scores])
        if call.scores in _CSHARP_SCORES
        else _CSHARP_OUTPUTS,
    )
    return "\n".join(usings) + "\n\n" + body


def _csharp_feed(call: _Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind, image = _CSHARP.of(info.dtype), call.image
    if kind is None:
        return _unsupported("//", info)
    name = f"values{place}"
    shown = image.shape if image is not None and info is image.info else shape
    lines = [f"var {name} = new {kind}[{_product(shown)}];"]
    if image is not None and info is image.info:
        lines += _csharp_image(image, name, kind)
    else:
        lines[-1] += "  // put your values here"
    dims = ", ".join(map(str, shown))
    lines += [
        "inputs.Add(NamedOnnxValue.CreateFromTensor(",
        f"    {literal(info.name)}, new DenseTensor<{kind}>({name}, new[] {{ {dims} }})));",
    ]
    return "\n".join(lines)


def _csharp_image(image: _Image, name: str, kind: str) -> list[str]:
    gray = len(image.channels) == 1
    pixel_type = "L8" if gray else "Rgba32"
    mode = {"stretch": "Stretch", "crop": "Crop", "fit": "Pad"}[image.steps.resize]
    anchor = ""
    if image.steps.position == "top-left":
        anchor = " Position = AnchorPositionMode.TopLeft,"
    fill = ""
    if image.steps.resize == "fit":
        fill = f" PadColor = Color.FromRgb({', '.join([str(image.steps.fill)] * 3)}),"
    value = "image[x, y].PackedValue" if gray else "channels[c](image[x, y])"
    light, value = _light(image, value, "C#")
    letters = [f"p => p.{'RGBA'[place]}" for place in image.channels]
    rounded = "{}" if "float" in image.info.dtype else "MathF.Round({})"
    loop = _pixel_loop(image, value, f"({kind})({rounded})").replace("values[", f"{name}[")
    return [
        f"using var image = Image.Load<{pixel_type}>(args[0]);",
        "image.Mutate(step => step.Resize(new ResizeOptions {",
        f"    Size = new Size({image.width}, {image.height}), Mode = ResizeMode.{mode},"
        f"{anchor}{fill}",
        "}));",
        *light,
        *(
            []
            if gray
            else [f"var channels = new Func<Rgba32, byte>[] {{ {', '.join(letters)} }};"]
        ),
        f"float[] scale = {{ {_floats(image.scale)} }};",
        f"float[] offset = {{ {_floats(image.offset)} }};",
        loop,
    ]


_CSHARP_SCORES = {
    "float32": "AsEnumerable<float>().Select(value => (double)value)",
    "float16": "AsEnumerable<Float16>().Select(value => (double)(float)value)",
}
_CSHARP_CLASSES = f"""
var scores = outputs.First().FIRST.ToArray();
if (scores.Min() < 0 || scores.Max() > 1) {{
    // Logits: softmax makes them probabilities.
    var highest = scores.Max();
    var powers = scores.Select(score => Math.Exp(score - highest)).ToArray();
    scores = powers.Select(power => power / powers.Sum()).ToArray();
}}
foreach (var (score, index) in scores.Select((score, index) => (score, index))
                                     .OrderByDescending(pair => pair.score).Take({_TOP}))
    Console.WriteLine($"class {{index}}: {{score:P2}}");
"""
_CSHARP_OUTPUTS = """
foreach (var output in outputs)
    Console.WriteLine($"{output.Name}: {output.ElementType}");
"""


# Java, also the API of Android


def _java(call: _Call) -> str:
    session = session_code(call.spec, call.model.name, "Java").strip("\n").split("\n")
    imports = [line for line in session if line.startswith("import ")]
    settings = [line for line in session if line and not line.startswith("import ")]
    imports += ["import java.nio.*;", "import java.util.*;"]
    if call.image:
        imports += ["import java.awt.image.BufferedImage;", "import java.io.File;",
                    "import javax.imageio.ImageIO;"]  # fmt: skip
    feeds = [_java_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    body = _lines(
        *settings,
        "Map<String, OnnxTensor> inputs = new HashMap<>();",
        *feeds,
        "try (OrtSession.Result outputs = session.run(inputs)) {",
        indent(
            (_JAVA_CLASSES if call.scores in ("float16", "float32") else _JAVA_OUTPUTS).strip(
                "\n"
            ),
            "    ",
        ),
        "}",
    )
    return _lines(
        *imports,
        "\npublic class CallModel {",
        "    public static void main(String[] args) throws Exception {",
        indent(body, "        "),
        "    }",
        "}",
    ).replace(";\npublic class", ";\n\npublic class")


def _java_feed(call: _Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind, image = _JAVA.of(info.dtype), call.image
    is_image = image is not None and info is image.info
    if kind is None or (is_image and kind not in ("FloatBuffer", "ByteBuffer")):
        return _unsupported("//", info)
    name = f"values{place}"
    element = kind.removesuffix("Buffer").lower()
    shown = image.shape if image is not None and is_image else shape
    lines = [f"{element}[] {name} = new {element}[{_product(shown)}];"]
    if image is not None and is_image:
        lines += _java_image(image, name, element)
    else:
        lines[-1] += "  // put your values here"
    dims = ", ".join(map(str, shown))
    suffix = ", OnnxJavaType.UINT8" if info.dtype == "uint8" else ""
    if info.dtype == "int8":
        suffix = ", OnnxJavaType.INT8"
    wrapped = f"{kind}.wrap({name})"
    if kind == "ByteBuffer":
        wrapped = f"ByteBuffer.allocateDirect({name}.length).put({name}).rewind()"
    lines += [
        f"inputs.put({literal(info.name, 'Java')}, OnnxTensor.createTensor(",
        f"    environment, {wrapped}, new long[] {{{dims}}}{suffix}));",
    ]
    return "\n".join(lines)


def _java_image(image: _Image, name: str, element: str) -> list[str]:
    gray = len(image.channels) == 1
    shifts = {0: 16, 1: 8, 2: 0, 3: 24}
    pixel = "(image.getRGB(x, y) >> shift[c] & 255)"
    light, pixel = _light(image, pixel, "Java")
    kind = "TYPE_BYTE_GRAY" if gray else "TYPE_INT_RGB"
    rounded = "{}" if element == "float" else "Math.round({})"
    loop = _pixel_loop(image, pixel, f"({element}) ({rounded})").replace("values[", f"{name}[")
    channels = (0,) if gray else image.channels
    return [
        "BufferedImage file = ImageIO.read(new File(args[0]));",
        f"BufferedImage image = new BufferedImage({image.width}, {image.height}, "
        f"BufferedImage.{kind});",
        *_java_resize(image),
        *light,
        f"int[] shift = {{{', '.join(str(shifts[place]) for place in channels)}}};",
        f"float[] scale = {{{_floats(image.scale)}}};",
        f"float[] offset = {{{_floats(image.offset)}}};",
        loop,
    ]


def _java_resize(image: _Image) -> list[str]:
    scaled = "java.awt.Image.SCALE_SMOOTH"
    draw = "image.createGraphics().drawImage"
    if image.steps.resize == "stretch":
        return [
            f"{draw}(",
            f"    file.getScaledInstance({image.width}, {image.height}, {scaled}),",
            "    0, 0, null);",
        ]
    chosen = "Math.min" if image.steps.resize == "fit" else "Math.max"
    lines = [
        f"double factor = {chosen}({image.width}.0 / file.getWidth(), "
        f"{image.height}.0 / file.getHeight());",
        "int width = (int) Math.round(file.getWidth() * factor);",
        "int height = (int) Math.round(file.getHeight() * factor);",
    ]
    left, top = f"({image.width} - width) / 2", f"({image.height} - height) / 2"
    if image.steps.resize == "fit":
        fill = ", ".join([str(image.steps.fill)] * 3)
        lines += [
            "java.awt.Graphics2D canvas = image.createGraphics();",
            f"canvas.setColor(new java.awt.Color({fill}));",
            f"canvas.fillRect(0, 0, {image.width}, {image.height});",
        ]
        if image.steps.position == "top-left":
            left, top = "0", "0"
    return [*lines, f"{draw}(file.getScaledInstance(width, height, {scaled}),",
            f"    {left}, {top}, null);"]  # fmt: skip


_JAVA_CLASSES = f"""
FloatBuffer first = ((OnnxTensor) outputs.get(0)).getFloatBuffer();
double[] scores = new double[first.remaining()];
for (int k = 0; k < scores.length; k++) scores[k] = first.get(k);
double highest = Arrays.stream(scores).max().orElse(0);
if (highest > 1 || Arrays.stream(scores).min().orElse(0) < 0) {{
    // Logits: softmax makes them probabilities.
    double sum = Arrays.stream(scores).map(score -> Math.exp(score - highest)).sum();
    for (int k = 0; k < scores.length; k++) scores[k] = Math.exp(scores[k] - highest) / sum;
}}
Integer[] order = new Integer[scores.length];
Arrays.setAll(order, k -> k);
Arrays.sort(order, Comparator.comparingDouble(k -> -scores[k]));
for (int k = 0; k < Math.min({_TOP}, order.length); k++)
    System.out.printf("class %d: %.2f%%%n", order[k], 100 * scores[order[k]]);
"""
_JAVA_OUTPUTS = """
for (Map.Entry<String, OnnxValue> output : outputs)
    System.out.println(output.getKey() + ": " + output.getValue().getInfo());
"""


# JavaScript, in a browser


def _javascript(call: _Call) -> str:
    session = session_code(call.spec, call.model.name, "JavaScript").strip("\n").split("\n")
    feeds = [_javascript_feed(call, info, shape) for info, shape in call.inputs]
    arguments = "image" if call.image else ""
    body = _lines(
        *session[2:],
        "const feeds = {};",
        *feeds,
        "const outputs = await session.run(feeds);",
        (
            _JAVASCRIPT_CLASSES
            if call.scores in ("float32", "float64")
            else _JAVASCRIPT_OUTPUTS
        ).replace("FIRST", literal(call.outputs[0] if call.outputs else "", "JavaScript")),
    )
    about = "// image: an <img>, <video> or <canvas> element\n" if call.image else ""
    return (
        f"{session[0]}\n\n{about}export async function callModel({arguments}) {{\n"
        + indent(body, "  ")
        + "\n}\n"
    )


def _javascript_feed(call: _Call, info: TensorInfo, shape: tuple[int, ...]) -> str:
    kind, image = _JAVASCRIPT.of(info.dtype), call.image
    if kind is None:
        return _unsupported("//", info)
    name, dims = literal(info.name, "JavaScript"), ", ".join(map(str, shape))
    if image is None or info is not image.info:
        return (
            f"feeds[{name}] = new ort.Tensor({literal(info.dtype)},\n"
            f"  new {kind}({_product(shape)}), [{dims}]);  // put your values here"
        )
    dims = ", ".join(map(str, image.shape))
    return _lines(
        f"const values = new {kind}({_product(image.shape)});",
        *_javascript_image(image),
        f"feeds[{name}] = new ort.Tensor({literal(info.dtype)}, values, [{dims}]);",
    )


def _javascript_image(image: _Image) -> list[str]:
    width, height, count = image.width, image.height, len(image.channels)
    at = f"(c * {height} + y) * {width} + x"
    if image.steps.layout == "nhwc":
        at = f"(y * {width} + x) * {count} + c"
    draw = [f"context.drawImage(image, 0, 0, {width}, {height});"]
    if image.steps.resize != "stretch":
        chosen = "min" if image.steps.resize == "fit" else "max"
        left, top = f"({width} - w) / 2", f"({height} - h) / 2"
        if image.steps.resize == "fit" and image.steps.position == "top-left":
            left, top = "0", "0"
        fill = image.steps.fill
        draw = [
            "const across = image.naturalWidth || image.videoWidth || image.width;",
            "const down = image.naturalHeight || image.videoHeight || image.height;",
            f"const factor = Math.{chosen}({width} / across, {height} / down);",
            "const w = across * factor, h = down * factor;",
            f'context.fillStyle = "rgb({fill}, {fill}, {fill})";',
            f"context.fillRect(0, 0, {width}, {height});",
            f"context.drawImage(image, {left}, {top}, w, h);",
        ]
    pixel = f"pixels[4 * (y * {width} + x) + channel[c]]"
    channels = image.channels
    if count == 1:
        at_pixel = f"4 * (y * {width} + x)"
        pixel = (
            f"(0.299 * pixels[{at_pixel}] + 0.587 * pixels[{at_pixel} + 1]\n"
            f"        + 0.114 * pixels[{at_pixel} + 2])"
        )
    light, pixel = _light(image, pixel, "JavaScript")
    value = f"{pixel} * scale[c] + offset[c]"
    if "float" not in image.info.dtype:
        value = f"Math.round({value})"
    return [
        f"const canvas = new OffscreenCanvas({width}, {height});",
        'const context = canvas.getContext("2d");',
        *draw,
        f"const pixels = context.getImageData(0, 0, {width}, {height}).data;",
        *light,
        *([] if count == 1 else [f"const channel = [{', '.join(map(str, channels))}];"]),
        f"const scale = [{_numbers(image.scale)}], offset = [{_numbers(image.offset)}];",
        f"for (let y = 0; y < {height}; y++)",
        f"  for (let x = 0; x < {width}; x++)",
        f"    for (let c = 0; c < {count}; c++)",
        f"      values[{at}] = {value};",
    ]


_JAVASCRIPT_CLASSES = f"""
let scores = Array.from(outputs[FIRST].data, Number);
const highest = Math.max(...scores);
if (highest > 1 || Math.min(...scores) < 0) {{
  // Logits: softmax makes them probabilities.
  const powers = scores.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((a, b) => a + b);
  scores = powers.map((power) => power / sum);
}}
return scores
  .map((score, index) => ({{ index, score }}))
  .sort((a, b) => b.score - a.score)
  .slice(0, {_TOP});
"""
_JAVASCRIPT_OUTPUTS = "return outputs;"


# Swift, also on iPhone and iPad


def _swift(call: _Call) -> str:
    session = session_code(call.spec, call.model.name, "Swift").strip("\n").split("\n")
    imports = ["import Foundation", session[0]]
    if call.image:
        imports.append("import UIKit")
    feeds = [_swift_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    outputs = ", ".join(literal(name, "Swift") for name in call.outputs)
    arguments = "_ image: UIImage" if call.image else ""
    result = (
        "[(index: Int, score: Double)]" if call.scores == "float32" else "[String: ORTValue]"
    )
    body = _lines(
        *(line for line in session[1:] if line),
        "var inputs: [String: ORTValue] = [:]",
        *feeds,
        "let outputs = try session.run(",
        f"    withInputs: inputs, outputNames: [{outputs}], runOptions: nil)",
        _SWIFT_CLASSES.replace(
            "FIRST", literal(call.outputs[0] if call.outputs else "", "Swift")
        )
        if call.scores == "float32"
        else "return outputs",
    )
    return (
        "\n".join(imports)
        + f"\n\nfunc callModel({arguments}) throws -> {result} {{\n"
        + indent(body, "    ")
        + "\n}\n"
    )


def _swift_feed(call: _Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind, image = _SWIFT.of(info.dtype), call.image
    if kind is None:
        return _unsupported("//", info)
    name = f"values{place}"
    shown = image.shape if image is not None and info is image.info else shape
    lines = [f"var {name} = [{kind}](repeating: 0, count: {_product(shown)})"]
    if image is not None and info is image.info:
        lines += _swift_image(image, name, kind)
    else:
        lines[-1] += "  // put your values here"
    element = {"float32": "float"}.get(info.dtype, info.dtype.replace("uint", "uInt"))
    dims = ", ".join(map(str, shown))
    lines += [
        f"inputs[{literal(info.name, 'Swift')}] = try ORTValue(",
        f"    tensorData: NSMutableData(bytes: &{name}, length: {name}.count * "
        f"MemoryLayout<{kind}>.size),",
        f"    elementType: .{element}, shape: [{dims}])",
    ]
    return "\n".join(lines)


def _swift_image(image: _Image, name: str, kind: str) -> list[str]:
    width, height, count = image.width, image.height, len(image.channels)
    at = f"(c * {height} + y) * {width} + x"
    if image.steps.layout == "nhwc":
        at = f"(y * {width} + x) * {count} + c"
    rect = f"CGRect(x: 0, y: 0, width: {width}, height: {height})"
    draw = [f"context.draw(image.cgImage!, in: {rect})"]
    if image.steps.resize != "stretch":
        chosen = "min" if image.steps.resize == "fit" else "max"
        left, top = f"({width} - w) / 2", f"({height} - h) / 2"
        if image.steps.resize == "fit" and image.steps.position == "top-left":
            left, top = "0", f"{height} - h"  # Core Graphics counts from below
        draw = [
            "let source = image.cgImage!",
            f"let factor = {chosen}({width} / Double(source.width), "
            f"{height} / Double(source.height))",
            "let w = Double(source.width) * factor, h = Double(source.height) * factor",
            f"context.setFillColor(gray: {image.steps.fill / 255:.6g}, alpha: 1)",
            f"context.fill({rect})",
            f"context.draw(source, in: CGRect(x: {left}, y: {top}, width: w, height: h))",
        ]
    pixel = f"Float(pixels[4 * (y * {width} + x) + channel[c]])"
    head = [f"let channel = [{', '.join(map(str, image.channels))}]"]
    if count == 1:
        head = []
        at_pixel = f"4 * (y * {width} + x)"
        pixel = (
            f"(0.299 * Float(pixels[{at_pixel}]) + 0.587 * Float(pixels[{at_pixel} + 1])\n"
            f"                + 0.114 * Float(pixels[{at_pixel} + 2]))"
        )
    light, pixel = _light(image, pixel, "Swift")
    value = f"{pixel} * scale[c] + offset[c]"
    if kind != "Float":
        value = f"{kind}(({value}).rounded())"
    return [
        f"var pixels = [UInt8](repeating: 0, count: {4 * width * height})",
        "let context = CGContext(",
        f"    data: &pixels, width: {width}, height: {height}, bitsPerComponent: 8,",
        f"    bytesPerRow: {4 * width}, space: CGColorSpaceCreateDeviceRGB(),",
        "    bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)!",
        *draw,
        *light,
        *head,
        f"let scale: [Float] = [{_numbers(image.scale)}]",
        f"let offset: [Float] = [{_numbers(image.offset)}]",
        f"for y in 0..<{height} {{",
        f"    for x in 0..<{width} {{",
        f"        for c in 0..<{count} {{",
        f"            {name}[{at}] = {value}",
        "        }",
        "    }",
        "}",
    ]


_SWIFT_CLASSES = f"""
let data = try outputs[FIRST]!.tensorData() as Data
var scores = data.withUnsafeBytes {{ Array($0.bindMemory(to: Float.self)) }}.map(Double.init)
let highest = scores.max() ?? 0
if highest > 1 || (scores.min() ?? 0) < 0 {{
    // Logits: softmax makes them probabilities.
    let powers = scores.map {{ exp($0 - highest) }}
    let sum = powers.reduce(0, +)
    scores = powers.map {{ $0 / sum }}
}}
return scores.enumerated().map {{ (index: $0.offset, score: $0.element) }}
    .sorted {{ $0.score > $1.score }}.prefix({_TOP}).map {{ $0 }}
"""


def _product(shape: Sequence[int]) -> int:
    product = 1
    for length in shape:
        product *= length
    return product


_WRITERS: Mapping[str, Callable[[_Call], str]] = {
    "Python": _python,
    "C++": _cpp,
    "C#": _csharp,
    "Java": _java,
    "JavaScript": _javascript,
    "Swift": _swift,
}
LANGUAGES = tuple(_WRITERS)
# The class in Java's file is called CallModel, as the file must be.
SUFFIXES = {
    "Python": ".py",
    "C++": ".cpp",
    "C#": ".cs",
    "Java": ".java",
    "JavaScript": ".mjs",
    "Swift": ".swift",
}
