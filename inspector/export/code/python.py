"""Python: numpy and Pillow; the tests run this code."""

from textwrap import indent

from inspector.export.code.parts import (
    TOP,
    Call,
    Image,
    Types,
    join_lines,
    numbers,
    unsupported,
)
from inspector.export.session_code import literal, session_code
from inspector.model.model import TensorInfo

_PYTHON = Types({
    name: f"np.{name}" for name in (
        "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
        "uint32", "uint64",
    )
} | {"bool": "np.bool_", "string": "object"})  # fmt: skip


def program(call: Call) -> str:
    """Return the program in Python."""
    head, _, body = _SESSIONS.get(call.runtime, _onnxruntime)(call)
    run, outputs = _RUNS.get(call.runtime, _ONNXRUNTIME)
    imports = ["import sys", "", "import numpy as np", head]
    feeds = [_python_feed(call, info, shape) for info, shape in call.inputs]
    parts = [
        "\n".join([*imports, *(["from PIL import Image"] if call.image else [])]),
        body,
        _python_image(call.image) if call.image else "",
        join_lines("feeds = {", *(f"    {feed}" for feed in feeds), "}"),
        run,
    ]
    text = "\n".join(f"{part.strip(chr(10))}\n" for part in parts if part)
    if call.scores:
        return text + _python_classes(call)
    return text + outputs


def _onnxruntime(call: Call) -> tuple[str, str, str]:
    return session_code(call.spec, call.model.name, "Python").partition("\n")


def _openvino(call: Call) -> tuple[str, str, str]:
    """Return the import of the runtime, a line break and what compiles the model."""
    spec, lines = call.spec, list[str]()
    if spec.inference_precision != "device":
        lines.append(f'"INFERENCE_PRECISION_HINT": "{spec.inference_precision}",')
    if spec.performance_hint != "none":
        lines.append(f'"PERFORMANCE_HINT": "{spec.performance_hint.upper()}",')
    if spec.streams:
        lines.append(f'"NUM_STREAMS": "{spec.streams}",')
    if spec.threads:
        lines.append(f'"INFERENCE_NUM_THREADS": {spec.threads},')
    devices = [device.partition(":")[2] or device for device in spec.devices]
    target = ("HETERO:" if len(devices) > 1 else "") + ",".join(devices).upper()
    body = join_lines(
        "properties = {",
        *(f"    {line}" for line in lines),
        "}",
        "compiled = openvino.Core().compile_model(",
        f"    {literal(call.model.name)}, {literal(target)}, properties",
        ")",
    )
    return "import openvino", "\n", body


def _litert(call: Call) -> tuple[str, str, str]:
    """Return the import of the runtime, a line break and what loads the model."""
    spec, classes = call.spec, ["Interpreter"]
    options = [f"model_path={literal(call.model.name)}"]
    if spec.threads:
        options.append(f"num_threads={spec.threads}")
    if not spec.xnnpack:
        classes.append("OpResolverType")
        resolver = "OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES"
        options.append(f"experimental_op_resolver_type={resolver}")
    head = f"from ai_edge_litert.interpreter import {', '.join(classes)}"
    body = join_lines("interpreter = Interpreter(", *(f"    {each}," for each in options), ")")
    return head, "\n", body


def _python_feed(call: Call, info: TensorInfo, shape: tuple[int, ...]) -> str:
    name = literal(info.name)
    if call.image is not None and info is call.image.info:
        return f"{name}: image_tensor(sys.argv[1]),"
    kind = _PYTHON.of(info.dtype)
    if kind is None:
        return unsupported("#", info)
    if info.dtype == "string":
        return f'{name}: np.full({shape}, "", dtype=object),  # put your text here'
    return f"{name}: np.zeros({shape}, dtype={kind}),  # put your values here"


def _python_image(image: Image) -> str:
    steps = image.steps
    mode = {1: "L", 3: "RGB", 4: "RGBA"}[len(image.channels)]
    filter_name = steps.filter.upper()
    size = f"({image.width}, {image.height})"
    opened = f'image = Image.open(path).convert("{mode}")'
    if steps.resize == "stretch":
        resized = f"image = image.resize({size}, Image.Resampling.{filter_name})"
    elif steps.resize == "crop":
        resized = join_lines(
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
        resized = join_lines(
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
            f"pixels = pixels * [{numbers(image.scale)}] + [{numbers(image.offset)}]"
        )
    if steps.layout == "nchw":
        changed.append("pixels = pixels.transpose(2, 0, 1)  # channels first")
    kind = _PYTHON.of(image.info.dtype) or "np.float32"
    rounded = "pixels" if "float" in image.info.dtype else "np.rint(pixels)"
    body = join_lines(
        opened,
        resized,
        "# height, width, channels; 0 to 255",
        pixels,
        *changed,
        f"return {rounded}.reshape({image.shape}).astype({kind})",
    )
    return (
        join_lines(
            "",
            "def image_tensor(path):",
            f'    """Return an image file as {image.info.dtype} {image.shape}."""',
            indent(body, "    "),
        )
        + "\n"
    )


def _python_classes(call: Call) -> str:
    return (
        "\n"
        + join_lines(
            "scores = outputs[0].astype(np.float64).reshape(-1)",
            call.lines(
                "scores = np.exp(scores - scores.max())  # softmax makes logits probabilities\n"
                "scores /= scores.sum()",
                f"for index in np.argsort(-scores)[:{TOP}]:\n"
                '    print(f"NAME: {scores[index]:.2%}")',
                f"for index in np.argsort(-scores)[:{TOP}]:\n"
                '    print(f"NAME: score {scores[index]:.4g}")',
                "Python",
            ),
        )
        + "\n"
    )


_LITERT_RUN = """\
inputs = list(zip(interpreter.get_input_details(), feeds.values()))
for detail, value in inputs:
    interpreter.resize_tensor_input(detail["index"], value.shape)
interpreter.allocate_tensors()
for detail, value in inputs:
    interpreter.set_tensor(detail["index"], value)
interpreter.invoke()
details = interpreter.get_output_details()
outputs = [interpreter.get_tensor(detail["index"]) for detail in details]
"""
_LITERT_OUTPUTS = """
for detail, value in zip(details, outputs):
    print(detail["name"], value.shape)
"""
_PYTHON_OUTPUTS = """
for info, value in zip(session.get_outputs(), outputs):
    print(info.name, getattr(value, "shape", type(value)))
"""
_OPENVINO_OUTPUTS = """
for port, value in zip(compiled.outputs, outputs):
    print(", ".join(port.names) or port.get_node().get_friendly_name(), value.shape)
"""
_ONNXRUNTIME = "outputs = session.run(None, feeds)", _PYTHON_OUTPUTS
# What runs a model and what prints its outputs, by `Call.runtime`.
_RUNS = {
    "LiteRT": (_LITERT_RUN, _LITERT_OUTPUTS),
    "OpenVINO": (
        "outputs = list(compiled(list(feeds.values())).values())",
        _OPENVINO_OUTPUTS,
    ),
}
_SESSIONS = {"LiteRT": _litert, "OpenVINO": _openvino}
