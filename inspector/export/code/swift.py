"""Swift, also on iPhone and iPad."""

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
from inspector.preview.families.output_structure import LOGITS

_SWIFT = Types({
    "float32": "Float", "int8": "Int8", "uint8": "UInt8", "int32": "Int32", "uint32": "UInt32",
    "int64": "Int64", "uint64": "UInt64",
})  # fmt: skip


def program(call: Call) -> str:
    """Return the program in Swift."""
    session = session_code(call.spec, call.model.name, "Swift").strip("\n").split("\n")
    imports = session[:2]
    if call.image:
        imports.append("import UIKit")
    feeds = [_swift_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    outputs = ", ".join(literal(name, "Swift") for name in call.outputs)
    arguments = "_ image: UIImage" if call.image else ""
    result = (
        "[(name: String, index: Int, score: Double)]"
        if call.scores == "float32"
        else "[String: ORTValue]"
    )
    body = join_lines(
        *session[2:],
        "var inputs: [String: ORTValue] = [:]",
        *feeds,
        "let outputs = try session.run(",
        f"    withInputs: inputs, outputNames: [{outputs}], runOptions: nil)",
        _swift_classes(call) if call.scores == "float32" else "return outputs",
    )
    return (
        "\n".join(imports)
        + f"\n\nfunc callModel({arguments}) throws -> {result} {{\n"
        + indent(body, "    ")
        + "\n}\n"
    )


def _swift_feed(call: Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind, image = _SWIFT.of(info.dtype), call.image
    if kind is None:
        return unsupported("//", info)
    name = f"values{place}"
    shown = image.shape if image is not None and info is image.info else shape
    lines = [f"var {name} = [{kind}](repeating: 0, count: {product(shown)})"]
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


def _swift_image(image: Image, name: str, kind: str) -> list[str]:
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
            f"(0.299 * Float(pixels[{at_pixel}])\n"
            f"                    + 0.587 * Float(pixels[{at_pixel} + 1])\n"
            f"                    + 0.114 * Float(pixels[{at_pixel} + 2]))"
        )
    light, pixel = in_light(image, pixel, "Swift")
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
        f"let scale: [Float] = [{numbers(image.scale)}]",
        f"let offset: [Float] = [{numbers(image.offset)}]",
        f"for y in 0..<{height} {{",
        f"    for x in 0..<{width} {{",
        f"        for c in 0..<{count} {{",
        f"            {name}[{at}] =",
        f"                {value}",
        "        }",
        "    }",
        "}",
    ]


def _swift_classes(call: Call) -> str:
    best = (
        "return scores.enumerated().sorted { $0.element > $1.element }"
        f".prefix({TOP})\n"
        "    .map { (name: NAME, index: $0.offset, score: $0.element) }"
    )
    return join_lines(
        f"let data = try outputs[{literal(call.outputs[0], 'Swift')}]!.tensorData() as Data",
        _SWIFT_SCORES if call.kind != LOGITS else _SWIFT_SCORES.replace("let", "var"),
        call.lines(_SWIFT_SOFTMAX, best, best, "Swift"),
    )


_SWIFT_SCORES = (
    "let scores = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }\n"
    "    .map(Double.init)"
)
_SWIFT_SOFTMAX = """
// Softmax makes logits probabilities.
let highest = scores.max() ?? 0
let powers = scores.map { exp($0 - highest) }
let sum = powers.reduce(0, +)
scores = powers.map { $0 / sum }
"""
