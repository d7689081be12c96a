"""JavaScript in a browser, with onnxruntime-web."""

from textwrap import indent

from inspector.export.code.parts import (
    TOP,
    Call,
    Image,
    Types,
    in_light,
    join_lines,
    numbers,
    product,
    unsupported,
)
from inspector.export.session_code import literal, session_code
from inspector.model.model import TensorInfo

_JAVASCRIPT = Types({
    "float32": "Float32Array", "float64": "Float64Array", "int8": "Int8Array",
    "int16": "Int16Array", "int32": "Int32Array", "int64": "BigInt64Array",
    "uint8": "Uint8Array", "uint16": "Uint16Array", "uint32": "Uint32Array",
    "uint64": "BigUint64Array", "bool": "Uint8Array",
})  # fmt: skip


def program(call: Call) -> str:
    """Return the program in JavaScript."""
    session = session_code(call.spec, call.model.name, "JavaScript").strip("\n").split("\n")
    feeds = [_javascript_feed(call, info, shape) for info, shape in call.inputs]
    arguments = "image" if call.image else ""
    body = join_lines(
        *session[2:],
        "const feeds = {};",
        *feeds,
        "const outputs = await session.run(feeds);",
        _javascript_classes(call)
        if call.scores in ("float32", "float64")
        else _JAVASCRIPT_OUTPUTS,
    )
    about = "// image: an <img>, <video> or <canvas> element\n" if call.image else ""
    return (
        f"{session[0]}\n\n{about}export async function callModel({arguments}) {{\n"
        + indent(body, "  ")
        + "\n}\n"
    )


def _javascript_feed(call: Call, info: TensorInfo, shape: tuple[int, ...]) -> str:
    kind, image = _JAVASCRIPT.of(info.dtype), call.image
    if kind is None:
        return unsupported("//", info)
    name, dims = literal(info.name, "JavaScript"), ", ".join(map(str, shape))
    if image is None or info is not image.info:
        return (
            f"feeds[{name}] = new ort.Tensor({literal(info.dtype)},\n"
            f"  new {kind}({product(shape)}), [{dims}]);  // put your values here"
        )
    dims = ", ".join(map(str, image.shape))
    return join_lines(
        f"const values = new {kind}({product(image.shape)});",
        *_javascript_image(image),
        f"feeds[{name}] = new ort.Tensor({literal(info.dtype)}, values, [{dims}]);",
    )


def _javascript_image(image: Image) -> list[str]:
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
    light, pixel = in_light(image, pixel, "JavaScript")
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
        f"const scale = [{numbers(image.scale)}], offset = [{numbers(image.offset)}];",
        f"for (let y = 0; y < {height}; y++)",
        f"  for (let x = 0; x < {width}; x++)",
        f"    for (let c = 0; c < {count}; c++)",
        f"      values[{at}] = {value};",
    ]


def _javascript_classes(call: Call) -> str:
    best = (
        "return scores\n"
        "  .map((score, index) => ({ name: NAME, index, score }))\n"
        "  .sort((a, b) => b.score - a.score)\n"
        f"  .slice(0, {TOP});"
    )
    name = literal(call.outputs[0], "JavaScript")
    return join_lines(
        f"let scores = Array.from(outputs[{name}].data, Number);",
        call.lines(_JAVASCRIPT_SOFTMAX, best, best, "JavaScript"),
    )


_JAVASCRIPT_SOFTMAX = """
// Softmax makes logits probabilities.
const highest = scores.reduce((a, b) => Math.max(a, b));
const powers = scores.map((score) => Math.exp(score - highest));
const sum = powers.reduce((a, b) => a + b);
scores = powers.map((power) => power / sum);
"""
_JAVASCRIPT_OUTPUTS = "return outputs;"
