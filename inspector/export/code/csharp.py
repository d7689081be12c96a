"""C# with ImageSharp."""

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

_CSHARP = Types({
    "float32": "float", "float64": "double", "float16": "Float16", "int8": "sbyte",
    "int16": "short", "int32": "int", "int64": "long", "uint8": "byte", "uint16": "ushort",
    "uint32": "uint", "uint64": "ulong", "bool": "bool",
})  # fmt: skip


def program(call: Call) -> str:
    """Return the program in C#."""
    session = session_code(call.spec, call.model.name, "C#").strip("\n").split("\n")
    usings = ["using System;", "using System.Collections.Generic;", "using System.Linq;",
              session[0], "using Microsoft.ML.OnnxRuntime.Tensors;"]  # fmt: skip
    if call.image:
        usings += ["using SixLabors.ImageSharp;", "using SixLabors.ImageSharp.PixelFormats;",
                   "using SixLabors.ImageSharp.Processing;"]  # fmt: skip
    feeds = [_csharp_feed(call, info, shape, place) for place, (info, shape) in
             enumerate(call.inputs)]  # fmt: skip
    body = join_lines(
        *(line for line in session[1:] if line),
        "var inputs = new List<NamedOnnxValue>();",
        *feeds,
        "using var outputs = session.Run(inputs);",
        _csharp_classes(call) if call.scores in _CSHARP_SCORES else _CSHARP_OUTPUTS,
    )
    return "\n".join(usings) + "\n\n" + body


def _csharp_feed(call: Call, info: TensorInfo, shape: tuple[int, ...], place: int) -> str:
    kind, image = _CSHARP.of(info.dtype), call.image
    if kind is None:
        return unsupported("//", info)
    name = f"values{place}"
    shown = image.shape if image is not None and info is image.info else shape
    lines = [f"var {name} = new {kind}[{product(shown)}];"]
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


# What ImageSharp calls the filters of `ImagePreprocessing`; its own default is bicubic.
_SAMPLERS = {
    "nearest": "NearestNeighbor", "bilinear": "Triangle", "bicubic": "Bicubic",
    "lanczos": "Lanczos3", "area": "Box",
}  # fmt: skip


def _csharp_image(image: Image, name: str, kind: str) -> list[str]:
    gray = len(image.channels) == 1
    pixel_type = "L8" if gray else "Rgba32"
    mode = {"stretch": "Stretch", "crop": "Crop", "fit": "Pad"}[image.steps.resize]
    anchor = ""
    if image.steps.position == "top-left":
        anchor = " Position = AnchorPositionMode.TopLeft,"
    fill = ""
    if image.steps.resize == "fit":
        fill = f" PadColor = Color.FromRgb({', '.join([str(image.steps.fill)] * 3)}),"
    sampler = _SAMPLERS[image.steps.filter]
    value = "image[x, y].PackedValue" if gray else "channels[c](image[x, y])"
    light, value = in_light(image, value, "C#")
    letters = [f"p => p.{'RGBA'[place]}" for place in image.channels]
    rounded = "{}" if "float" in image.info.dtype else "MathF.Round({})"
    loop = pixel_loop(image, value, f"({kind})({rounded})").replace("values[", f"{name}[")
    return [
        f"using var image = Image.Load<{pixel_type}>(args[0]);",
        "image.Mutate(step => step.Resize(new ResizeOptions {",
        f"    Size = new Size({image.width}, {image.height}), Mode = ResizeMode.{mode},"
        f"{anchor}{fill}",
        f"    Sampler = KnownResamplers.{sampler},",
        "}));",
        *light,
        *(
            []
            if gray
            else [f"var channels = new Func<Rgba32, byte>[] {{ {', '.join(letters)} }};"]
        ),
        f"float[] scale = {{ {floats(image.scale)} }};",
        f"float[] offset = {{ {floats(image.offset)} }};",
        loop,
    ]


_CSHARP_SCORES = {
    "float32": "AsEnumerable<float>().Select(value => (double)value)",
    "float16": "AsEnumerable<Float16>().Select(value => (double)(float)value)",
}


def _csharp_classes(call: Call) -> str:
    best = (
        "foreach (var (score, index) in scores.Select((score, index) => (score, index))\n"
        f"    .OrderByDescending(pair => pair.score).Take({TOP}))\n"
    )
    return join_lines(
        f"var scores = outputs.First().{_CSHARP_SCORES[call.scores]}.ToArray();",
        call.lines(
            _CSHARP_SOFTMAX,
            best + '    Console.WriteLine($"NAME: {score:P2}");',
            best + '    Console.WriteLine($"NAME: score {score:G4}");',
            "C#",
        ),
    )


_CSHARP_SOFTMAX = """
// Softmax makes logits probabilities.
var highest = scores.Max();
var powers = scores.Select(score => Math.Exp(score - highest)).ToArray();
var sum = powers.Sum();
scores = powers.Select(power => power / sum).ToArray();
"""
_CSHARP_OUTPUTS = """
foreach (var output in outputs)
    Console.WriteLine($"{output.Name}: {output.ElementType}");
"""
