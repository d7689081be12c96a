"""Two filters, picture in and picture out, and the pictures to try them on."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from PIL import Image

from sample_models.making import scene
from sample_models.making.graph import GraphInMaking, save, value
from sample_models.making.running import run

SHARPEN, EQUALIZE = "sharpen_float16.onnx", "unsupported_elsewhere.onnx"
SIDE = 192  # of the picture to equalise
SHARPEN_PREPARATION = {
    "Image.BitmapPixelFormat": "Rgb8",
    "Image.ColorSpaceGamma": "SRGB",
    "Image.NominalPixelRange": "NominalRange_0_255",
    "preparation": "RGB of any size, 0..255, float16",
}
EQUALIZE_PREPARATION = {
    "Image.BitmapPixelFormat": "Gray8",
    "Image.ColorSpaceGamma": "SRGB",
    "Image.NominalPixelRange": "NominalRange_0_255",
    "preparation": f"{SIDE}x{SIDE} gray, 0..255",
}


def make(folder: Path) -> Iterator[dict[str, object]]:
    """Write both models and their pictures; yield what the index says of each model."""
    soft, misty = scene.soft(), scene.misty(SIDE)
    soft.save(folder / "inputs" / "soft.png", optimize=True)
    misty.save(folder / "inputs" / "misty.png", optimize=True)
    yield _sharpen(folder / SHARPEN, soft)
    yield _equalize(folder / EQUALIZE, misty)


def sharpen_graph(amount: float) -> onnx.GraphProto:
    """Unsharp mask: add `amount` times what a blur takes away. float16 throughout.

    The edge of the picture is repeated outwards, so that any size works, 1x1 too.
    """
    making = GraphInMaking("sharpen")
    kernel = np.outer(binomial(), binomial()).astype(np.float16)
    pads = making.weight("blur/pad.pads", np.array([0, 0, 2, 2, 0, 0, 2, 2], np.int64))
    wide = making.node("Pad", "blur/pad", "picture", pads, mode="edge")
    weights = making.weight("blur/conv.weight", np.tile(kernel, (3, 1, 1, 1)))
    blur = making.node(
        "Conv",
        "blur/conv",
        wide,
        weights,
        kernel_shape=[5, 5],
        group=3,
        doc="Each colour alone",
    )
    detail = making.node("Sub", "detail/subtract", "picture", blur)
    strength = making.weight("detail/amount", np.array(amount, np.float16))
    strong = making.node("Mul", "detail/multiply", detail, strength)
    sharp = making.node("Add", "sharpen/add", "picture", strong)
    low = making.weight("sharpen/low", np.array(0, np.float16))
    high = making.weight("sharpen/high", np.array(255, np.float16))
    making.result(making.node("Clip", "sharpen/clip", sharp, low, high), "sharpened")
    shape, axes = [1, 3, "height", "width"], _axes()
    return making.proto(
        [value("picture", "float16", shape, "RGB, 0..255", "IMAGE", axes)],
        [value("sharpened", "float16", shape, "RGB, 0..255", "IMAGE", axes)],
    )


def equalize_graph() -> onnx.GraphProto:
    """Smooth, give every gray level its rank (Unique), bring out the edges.

    WebGPU, like nearly every provider but the CPU's, has no Unique, and no Round: the filters
    before and after become islands, with copies between them.
    """
    making = GraphInMaking("equalize")
    smooth = _convolution(making, "smooth", "picture", np.outer(binomial(), binomial()))
    flat = making.weight("levels/flat", np.array([-1], np.int64))
    rounded = making.node("Round", "levels/round", smooth)
    levels = making.node("Reshape", "levels/flatten", rounded, flat)
    _, _, places, counts = making.node_with(
        "Unique",
        "levels/unique",
        (levels,),
        ("levels/unique_values", "", "levels/unique_places", "levels/unique_counts"),
        doc="The gray levels that occur, which of them each pixel has, and how often it occurs",
        sorted=1,
    )
    single = making.node("Cast", "rank/cast", counts, to=onnx.TensorProto.FLOAT)
    axis = making.weight("rank/axis", np.array(0, np.int64))
    ranks = making.node("CumSum", "rank/sum", single, axis, doc="Pixels up to this level")
    share = making.weight("rank/share", np.array(255 / SIDE**2, np.float32))
    spread = making.node("Mul", "rank/spread", ranks, share)
    pixels = making.node("Gather", "rank/gather", spread, places)
    shape = making.weight("rank/shape", np.array([1, 1, SIDE, SIDE], np.int64))
    equal = making.node("Reshape", "rank/picture", pixels, shape)
    edges = -np.outer(binomial(), binomial())
    edges[2, 2] += 2
    sharp = _convolution(making, "edges", equal, edges)
    low = making.weight("output/low", np.array(0, np.float32))
    high = making.weight("output/high", np.array(255, np.float32))
    making.result(making.node("Clip", "output/clip", sharp, low, high), "equalized")
    declared = [1, 1, SIDE, SIDE]
    return making.proto(
        [value("picture", "float32", declared, "Gray, 0..255", "IMAGE", _axes())],
        [value("equalized", "float32", declared, "Gray, 0..255", "IMAGE", _axes())],
    )


def binomial() -> NDArray[np.float64]:
    """Row of a 5x5 blur that is nearly Gaussian: 1 4 6 4 1 over 16."""
    return np.array([1, 4, 6, 4, 1]) / 16


def _convolution(making: GraphInMaking, scope: str, x: str, kernel: NDArray[np.float64]) -> str:
    """Filter one channel; the edge of the picture is repeated outwards."""
    pads = making.weight(f"{scope}/pad.pads", np.array([0, 0, 2, 2, 0, 0, 2, 2], np.int64))
    wide = making.node("Pad", f"{scope}/pad", x, pads, mode="edge")
    weights = making.weight(f"{scope}/conv.weight", kernel.astype("f4")[None, None])
    return making.node("Conv", f"{scope}/conv", wide, weights, kernel_shape=[5, 5])


def _axes() -> tuple[str, ...]:
    return ("DATA_BATCH", "DATA_CHANNEL", "DATA_FEATURE", "DATA_FEATURE")


def _sharpen(path: Path, soft: Image.Image) -> dict[str, object]:
    description = "Unsharp mask for pictures of any size, float16 in and out"
    save(path, sharpen_graph(1.5), description, SHARPEN_PREPARATION)
    picture = np.asarray(soft, np.float16).transpose(2, 0, 1)[None]
    sharpened = run(path, {"picture": picture})["sharpened"]
    gain = _detail(sharpened) / _detail(picture)
    answer = f"the same picture, neighbouring pixels differ {gain:.1f} times as much"
    return {
        "file": path.name,
        "task": "image to image",
        "shows": "Float16 input and output, a depthwise convolution, dynamic height and width",
        "try": [{"inputs": {"picture": "inputs/soft.png"}, "answer": answer}],
    }


def _equalize(path: Path, misty: Image.Image) -> dict[str, object]:
    description = "Contrast equalisation between two filters, with Unique in the middle"
    save(path, equalize_graph(), description, EQUALIZE_PREPARATION)
    picture = np.asarray(misty, np.float32)[None, None]
    equalized = run(path, {"picture": picture})["equalized"]
    before, after = picture.std(), equalized.std()
    answer = f"the mist is gone: deviation of gray {before:.0f} before, {after:.0f} after"
    return {
        "file": path.name,
        "task": "image to image",
        "shows": "Unique only runs on the CPU: with a GPU, the filters need copies around them",
        "try": [{"inputs": {"picture": "inputs/misty.png"}, "answer": answer}],
    }


def _detail(picture: NDArray[np.generic]) -> float:
    return float(np.abs(np.diff(picture.astype(np.float64), axis=3)).mean())
