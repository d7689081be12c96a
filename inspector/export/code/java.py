"""Java, also the API of Android."""

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

_JAVA = Types({
    "float32": "FloatBuffer", "float64": "DoubleBuffer", "int32": "IntBuffer",
    "int64": "LongBuffer", "uint8": "ByteBuffer", "int8": "ByteBuffer", "int16": "ShortBuffer",
})  # fmt: skip


def program(call: Call) -> str:
    """Return the program in Java."""
    session = session_code(call.spec, call.model.name, "Java").strip("\n").split("\n")
    imports = [line for line in session if line.startswith("import ")]
    settings = [line for line in session if line and not line.startswith("import ")]
    imports += ["import java.nio.*;", "import java.util.*;"]
    if call.image:
        imports += ["import java.awt.image.BufferedImage;", "import java.io.File;",
                    "import javax.imageio.ImageIO;"]  # fmt: skip
    feeds = [_java_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    body = join_lines(
        *settings,
        "Map<String, OnnxTensor> inputs = new HashMap<>();",
        *feeds,
        "try (OrtSession.Result outputs = session.run(inputs)) {",
        indent(
            _java_classes(call)
            if call.scores in ("float16", "float32")
            else _JAVA_OUTPUTS.strip("\n"),
            "    ",
        ),
        "}",
    )
    return join_lines(
        *imports,
        "\npublic class CallModel {",
        "    public static void main(String[] args) throws Exception {",
        indent(body, "        "),
        "    }",
        "}",
    ).replace(";\npublic class", ";\n\npublic class")


def _java_feed(call: Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind, image = _JAVA.of(info.dtype), call.image
    is_image = image is not None and info is image.info
    if kind is None or (is_image and kind not in ("FloatBuffer", "ByteBuffer")):
        return unsupported("//", info)
    name = f"values{place}"
    element = kind.removesuffix("Buffer").lower()
    shown = image.shape if image is not None and is_image else shape
    lines = [f"{element}[] {name} = new {element}[{product(shown)}];"]
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


def _java_image(image: Image, name: str, element: str) -> list[str]:
    gray = len(image.channels) == 1
    shifts = {0: 16, 1: 8, 2: 0, 3: 24}
    pixel = "(image.getRGB(x, y) >> shift[c] & 255)"
    light, pixel = in_light(image, pixel, "Java")
    kind = "TYPE_BYTE_GRAY" if gray else "TYPE_INT_RGB"
    rounded = "{}" if element == "float" else "Math.round({})"
    loop = pixel_loop(image, pixel, f"({element}) ({rounded})").replace("values[", f"{name}[")
    channels = (0,) if gray else image.channels
    return [
        "BufferedImage file = ImageIO.read(new File(args[0]));",
        f"BufferedImage image = new BufferedImage({image.width}, {image.height}, "
        f"BufferedImage.{kind});",
        *_java_resize(image),
        *light,
        f"int[] shift = {{{', '.join(str(shifts[place]) for place in channels)}}};",
        f"float[] scale = {{{floats(image.scale)}}};",
        f"float[] offset = {{{floats(image.offset)}}};",
        loop,
    ]


def _java_resize(image: Image) -> list[str]:
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


def _java_classes(call: Call) -> str:
    first = f"for (int k = 0; k < Math.min({TOP}, order.length); k++)\n    System.out.printf("
    return join_lines(
        _JAVA_SCORES,
        call.lines(
            _JAVA_SOFTMAX,
            f'{first}"%s: %.2f%%%n", NAME, 100 * scores[order[k]]);',
            f'{first}"%s: score %.4g%n", NAME, scores[order[k]]);',
            "Java",
        ),
    )


_JAVA_SCORES = """
FloatBuffer first = ((OnnxTensor) outputs.get(0)).getFloatBuffer();
double[] scores = new double[first.remaining()];
for (int k = 0; k < scores.length; k++) scores[k] = first.get(k);
Integer[] order = new Integer[scores.length];
Arrays.setAll(order, k -> k);
Arrays.sort(order, Comparator.comparingDouble(k -> -scores[k]));
"""
_JAVA_SOFTMAX = """
// Softmax makes logits probabilities.
double highest = scores[order[0]];
double sum = Arrays.stream(scores).map(score -> Math.exp(score - highest)).sum();
for (int k = 0; k < scores.length; k++) scores[k] = Math.exp(scores[k] - highest) / sum;
"""
_JAVA_OUTPUTS = """
for (Map.Entry<String, OnnxValue> output : outputs)
    System.out.println(output.getKey() + ": " + output.getValue().getInfo());
"""
