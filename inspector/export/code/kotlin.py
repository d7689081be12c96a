"""Kotlin for Android."""

from textwrap import indent

from inspector.export.code.parts import (
    TOP,
    Call,
    Image,
    Types,
    floats,
    in_light,
    join_lines,
    product,
    unsupported,
)
from inspector.export.session_code import literal, session_code
from inspector.model.model import TensorInfo

_KOTLIN = Types({
    "float32": "Float", "float64": "Double", "int32": "Int", "int64": "Long", "int16": "Short",
    "int8": "Byte", "uint8": "Byte",
})  # fmt: skip


def program(call: Call) -> str:
    """Return the program in Kotlin."""
    session = session_code(call.spec, call.model.name, "Kotlin").strip("\n").split("\n")
    imports = [line for line in session if line.startswith("import ")]
    settings = [line for line in session if line and not line.startswith("import ")]
    imports.append("import android.content.Context")
    imports += ["import android.graphics.*"] if call.image else []
    imports.append("import java.nio.*")
    feeds = [_kotlin_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    scores = call.scores in ("float16", "float32")
    body = join_lines(
        *settings,
        "val inputs = HashMap<String, OnnxTensor>()",
        *feeds,
        "return session.run(inputs).use { outputs ->",
        indent(_kotlin_classes(call) if scores else _KOTLIN_OUTPUTS.strip("\n"), "    "),
        "}",
    )
    arguments = "context: Context, picture: Bitmap" if call.image else "context: Context"
    result = "List<Pair<String, Double>>" if scores else "List<String>"
    return (
        "\n".join(imports)
        + f"\n\nfun callModel({arguments}): {result} {{\n"
        + indent(body, "    ")
        + "\n}\n"
    )


def _kotlin_feed(call: Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind, image = _KOTLIN.of(info.dtype), call.image
    is_image = image is not None and info is image.info
    if kind is None or (is_image and kind not in ("Float", "Byte")):
        return unsupported("//", info)
    name = f"values{place}"
    shown = image.shape if image is not None and is_image else shape
    lines = [f"val {name} = {kind}Array({product(shown)})"]
    if image is not None and is_image:
        lines += _kotlin_image(image, name, kind)
    else:
        lines[-1] += "  // put your values here"
    wrapped = f"{kind}Buffer.wrap({name})"
    suffix = ""
    if kind == "Byte":
        wrapped = f"ByteBuffer.allocateDirect({name}.size).apply {{ put({name}); rewind() }}"
        suffix = f", OnnxJavaType.{info.dtype.upper()}"
    dims = ", ".join(map(str, shown))
    lines += [
        f"inputs[{literal(info.name, 'Kotlin')}] = OnnxTensor.createTensor(",
        f"    environment, {wrapped}, longArrayOf({dims}){suffix})",
    ]
    return "\n".join(lines)


def _kotlin_image(image: Image, name: str, kind: str) -> list[str]:
    width, height, count = image.width, image.height, len(image.channels)
    at = f"(c * {height} + y) * {width} + x"
    if image.steps.layout == "nhwc":
        at = f"(y * {width} + x) * {count} + c"
    shifts = {0: 16, 1: 8, 2: 0, 3: 24}
    pixel, head = "(color shr shift[c] and 255).toFloat()", [
        f"val shift = intArrayOf({', '.join(str(shifts[place]) for place in image.channels)})"
    ]  # fmt: skip
    if count == 1:
        head = []
        pixel = (
            "(0.299f * Color.red(color) + 0.587f * Color.green(color)\n"
            "                    + 0.114f * Color.blue(color))"
        )
    light, pixel = in_light(image, pixel, "Kotlin")
    value = f"{pixel} * scale[c] + offset[c]"
    if kind == "Byte":
        value = f"Math.round({value}).toByte()"
    return [
        *_kotlin_resize(image),
        *light,
        *head,
        f"val scale = floatArrayOf({floats(image.scale)})",
        f"val offset = floatArrayOf({floats(image.offset)})",
        f"for (y in 0 until {height})",
        f"    for (x in 0 until {width}) {{",
        "        val color = image.getPixel(x, y)",
        f"        for (c in 0 until {count})",
        f"            {name}[{at}] =",
        f"                {value}",
        "    }",
    ]


def _kotlin_resize(image: Image) -> list[str]:
    width, height, steps = image.width, image.height, image.steps
    smooth = "false" if steps.filter == "nearest" else "true"
    if steps.resize == "stretch":
        return [f"val image = Bitmap.createScaledBitmap(picture, {width}, {height}, {smooth})"]
    chosen = "minOf" if steps.resize == "fit" else "maxOf"
    left, top = f"({width} - scaled.width) / 2f", f"({height} - scaled.height) / 2f"
    if steps.resize == "fit" and steps.position == "top-left":
        left, top = "0f", "0f"
    fill = ", ".join([str(steps.fill)] * 3)
    return [
        f"val factor = {chosen}({width}f / picture.width, {height}f / picture.height)",
        "val scaled = Bitmap.createScaledBitmap(",
        "    picture, Math.round(picture.width * factor), Math.round(picture.height * factor), "
        f"{smooth})",
        f"val image = Bitmap.createBitmap({width}, {height}, Bitmap.Config.ARGB_8888)",
        "val canvas = Canvas(image)",
        f"canvas.drawColor(Color.rgb({fill}))",
        f"canvas.drawBitmap(scaled, {left}, {top}, null)",
    ]


def _kotlin_classes(call: Call) -> str:
    best = (
        "scores.indices.sortedByDescending { scores[it] }"
        f".take({TOP})\n"
        "    .map { index -> NAME to scores[index] }"
    )
    return join_lines(
        "val first = (outputs[0] as OnnxTensor).floatBuffer",
        "val scores = DoubleArray(first.remaining()) { first[it].toDouble() }",
        call.lines(_KOTLIN_SOFTMAX, best, best, "Kotlin"),
    )


_KOTLIN_SOFTMAX = """
// Softmax makes logits probabilities.
val highest = scores.maxOrNull() ?: 0.0
val sum = scores.sumOf { Math.exp(it - highest) }
for (k in scores.indices) scores[k] = Math.exp(scores[k] - highest) / sum
"""
_KOTLIN_OUTPUTS = """
outputs.map { (name, value) -> "$name: ${value.info}" }
"""
