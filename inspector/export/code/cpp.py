"""C++ with OpenCV."""

from textwrap import indent

from inspector.export.code.parts import (
    TOP,
    Call,
    Image,
    Types,
    floats,
    in_light,
    join_lines,
    pixel_loop,
    product,
    unsupported,
)
from inspector.export.session_code import literal, session_code
from inspector.model.model import TensorInfo

_CPP = Types({
    "float32": "float", "float64": "double", "float16": "Ort::Float16_t", "int8": "int8_t",
    "int16": "int16_t", "int32": "int32_t", "int64": "int64_t", "uint8": "uint8_t",
    "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t", "bool": "bool",
})  # fmt: skip


def program(call: Call) -> str:
    """Return the program in C++."""
    session = session_code(call.spec, call.model.name, "C++").strip("\n").split("\n")
    includes = ["#include <algorithm>", "#include <cmath>", "#include <cstdio>",
                "#include <memory>", "#include <numeric>", "#include <string>",
                "#include <vector>", "", *session[:1]]  # fmt: skip
    if call.image:
        includes += ["#include <opencv2/imgcodecs.hpp>", "#include <opencv2/imgproc.hpp>"]
    feeds = [_cpp_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    names = ", ".join(literal(info.name) for info, _ in call.inputs)
    outputs = ", ".join(map(literal, call.outputs))
    run = join_lines(
        "auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);",
        "std::vector<Ort::Value> inputs;",
        *feeds,
        f"const char* input_names[] = {{{names}}};",
        f"const char* output_names[] = {{{outputs}}};",
        "auto outputs = session.Run(Ort::RunOptions{nullptr}, input_names, inputs.data(),",
        f"                           inputs.size(), output_names, {len(call.outputs)});",
    )
    body = join_lines(*(line for line in session[1:] if line), run,
                  _cpp_classes(call)
        if call.scores in _CPP_SCORES
        else _CPP_OUTPUTS)  # fmt: skip
    return (
        "\n".join(includes)
        + "\n\nint main(int argc, char** argv) {\n"
        + indent(body, "    ")
        + "\n}\n"
    )


def _cpp_feed(call: Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind = _CPP.of(info.dtype)
    if kind is None:
        return unsupported("//", info)
    image = call.image
    shown = shape
    name = f"values{place}"
    if image is not None and info is image.info:
        shown = image.shape
    dims = ", ".join(map(str, shown))
    lines = [
        f"std::vector<int64_t> shape{place}{{{dims}}};",
        f"std::vector<{kind}> {name}({product(shown)});",
    ]
    if kind == "bool":  # std::vector<bool> has no array
        lines[1] = f"auto {name} = std::make_unique<bool[]>({product(shown)});"
    if image is not None and info is image.info:
        lines += _cpp_image(image, name, kind)
    else:
        lines[-1] += "  // put your values here"
    pointer = f"{name}.get()" if kind == "bool" else f"{name}.data()"
    dims = f"shape{place}.data(), shape{place}.size()"
    lines += [
        f"inputs.push_back(Ort::Value::CreateTensor<{kind}>(",
        f"    memory, {pointer}, {product(shown)}, {dims}));",
    ]
    return "\n".join(lines)


def _cpp_image(image: Image, name: str, kind: str) -> list[str]:
    gray = len(image.channels) == 1
    flag = "cv::IMREAD_GRAYSCALE" if gray else "cv::IMREAD_COLOR"
    # OpenCV holds B, G, R.
    places = [0] if gray else [{0: 2, 1: 1, 2: 0}.get(place, 3) for place in image.channels]
    pixel = "image.ptr<uchar>(y)[x]" if gray else "image.ptr<cv::Vec3b>(y)[x][channel[c]]"
    light, pixel = in_light(image, pixel, "C++")
    rounded = "{}" if "float" in image.info.dtype else "std::lround({})"
    cast = f"{kind}({rounded})"
    loop = pixel_loop(image, pixel, cast).replace("values[", f"{name}[")
    return [
        f"cv::Mat image = cv::imread(argv[1], {flag});",
        *_cpp_resize(image),
        *light,
        *([] if gray else [f"const int channel[] = {{{', '.join(map(str, places))}}};"]),
        f"const float scale[] = {{{floats(image.scale)}}};",
        f"const float offset[] = {{{floats(image.offset)}}};",
        loop,
    ]


def _cpp_resize(image: Image) -> list[str]:
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


def _cpp_classes(call: Call) -> str:
    first = f"for (size_t k = 0; k < std::min<size_t>({TOP}, count); k++)"
    return join_lines(
        "size_t count = outputs[0].GetTensorTypeAndShapeInfo().GetElementCount();",
        _CPP_SCORES[call.scores],
        _CPP_ORDER,
        call.lines(
            _CPP_SOFTMAX,
            f'{first}\n    std::printf("%s: %.2f%%\\n", NAME, 100 * scores[order[k]]);',
            f'{first}\n    std::printf("%s: score %.4g\\n", NAME, scores[order[k]]);',
            "C++",
        ),
    )


_CPP_SOFTMAX = """
// Softmax makes logits probabilities.
double highest = scores[order[0]];
for (double& score : scores) score = std::exp(score - highest);
double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
for (double& score : scores) score /= sum;
"""
_CPP_ORDER = """
std::vector<size_t> order(count);
std::iota(order.begin(), order.end(), size_t(0));
std::sort(order.begin(), order.end(),
          [&](size_t a, size_t b) { return scores[a] > scores[b]; });
"""
_CPP_OUTPUTS = """
for (size_t k = 0; k < outputs.size(); k++)
    std::printf("%s: %zu elements\\n", output_names[k],
                outputs[k].GetTensorTypeAndShapeInfo().GetElementCount());
"""
