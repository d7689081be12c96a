"""Handwritten digits: one trained network, written out in three precisions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from PIL import Image
from sklearn.datasets import load_digits

from sample_models.making import network
from sample_models.making.graph import IR_VERSION, GraphInMaking, finish, save, value
from sample_models.making.network import Array
from sample_models.making.running import run

LABELS = [str(digit) for digit in range(10)]
PREPARATION = {
    "labels": LABELS,
    "Image.BitmapPixelFormat": "Gray8",
    "Image.ColorSpaceGamma": "SRGB",
    "Image.NominalPixelRange": "NominalRange_0_255",
    "preparation": "8x8 gray, white ink on black, 0..255; the model itself divides by 255",
}


@dataclass(frozen=True)
class Digits:
    """Pictures float32 (examples, 1, 8, 8) of 0..255, and what each shows."""

    pictures: Array
    classes: NDArray[np.int64]


def data() -> tuple[Digits, Digits]:
    """Split scikit-learn's 1797 digits by a fixed seed: 1437 to learn from, 360 held out."""
    bunch = load_digits()
    pictures = np.round(bunch.images * (255 / 16)).astype("f4")[:, None]
    order = np.random.default_rng(7).permutation(len(pictures))
    learn, held_out = order[360:], order[:360]
    classes = bunch.target.astype(np.int64)
    first, second = (Digits(pictures[part], classes[part]) for part in (learn, held_out))
    return first, second


def trained(learn: Digits) -> list[network.Layer]:
    """Train the network of 19,000 weights; about a minute."""
    random = np.random.default_rng(11)
    layers = [
        network.Convolution(random, 16, 1, 3, 3),
        network.Normalization(16),
        network.Relu(),
        network.Convolution(random, 32, 16, 3, 3),
        network.Normalization(32),
        network.Relu(),
        network.MaxPool(2, 2),
        network.Residual(
            network.Convolution(random, 32, 32, 3, 3), network.Normalization(32), network.Relu()
        ),
        network.Dense(random, 32 * 4 * 4, 10),
    ]
    network.train(layers, learn.pictures / 255, learn.classes, random, 40, _vary)
    return layers


def _vary(pictures: Array, random: np.random.Generator) -> Array:
    """Blur, brighten and soil pictures a little, as scaling and scanning do."""
    size = (len(pictures), 1, 1, 1)
    padded = np.pad(pictures, [(0, 0), (0, 0), (1, 1), (1, 1)])
    across = (padded[..., :-2] + padded[..., 2:])[:, :, 1:-1] / 2
    down = (padded[:, :, :-2] + padded[:, :, 2:])[..., 1:-1] / 2
    blur = random.uniform(0, 0.4, size)
    mixed = pictures * (1 - blur) + (across + down) / 2 * blur
    light = random.uniform(0.7, 1.1, size)
    soiled = mixed * light + random.normal(0, 0.03, pictures.shape)
    return np.clip(soiled, 0, 1).astype("f4")


def graph(layers: list[network.Layer], dtype: str, fold: bool) -> onnx.GraphProto:
    """Write the network as a graph; the picture is float32 at the door in every precision.

    fold: multiply the normalisation into the kernels, as quantising tools want it.
    """
    making = GraphInMaking("digits")
    x = "picture"
    if dtype != "float32":
        x = making.node("Cast", "input/cast", x, to=onnx.TensorProto.FLOAT16)
    scale = making.weight("input/scale_factor", np.array(1 / 255, dtype))
    x = making.node("Mul", "input/scale", x, scale, doc="0..255 to 0..1")
    residual = layers[7]
    assert isinstance(residual, network.Residual)
    x = block(making, "stem", x, layers[0:2], dtype, fold)
    x = block(making, "block1", x, layers[3:5], dtype, fold)
    x = making.node("MaxPool", "block1/pool", x, kernel_shape=[2, 2], strides=[2, 2])
    inner = block(making, "block2", x, list(residual.layers[:2]), dtype, fold)
    x = making.node("Add", "block2/add", x, inner, doc="The way around the block.")
    x = making.node("Flatten", "head/flatten", x)
    weights, bias = (v.astype(dtype) for v in layers[8].values)
    x = making.node(
        "Gemm",
        "head/dense",
        x,
        making.weight("head/dense.weight", weights),
        making.weight("head/dense.bias", bias),
    )
    x = making.node("Softmax", "head/softmax", x, axis=1)
    if dtype != "float32":
        x = making.node("Cast", "output/cast", x, to=onnx.TensorProto.FLOAT)
    making.result(x, "probabilities")
    axes = ("DATA_BATCH", "DATA_CHANNEL", "DATA_FEATURE", "DATA_FEATURE")
    doc = "White digit on black, 0..255."
    return making.proto(
        [value("picture", "float32", ["batch", 1, 8, 8], doc, "IMAGE", axes)],
        [value("probabilities", "float32", ["batch", 10], "Of the digits 0 to 9.")],
    )


def block(
    making: GraphInMaking,
    scope: str,
    x: str,
    layers: list[network.Layer],
    dtype: str,
    fold: bool,
) -> str:
    """Add Conv, BatchNormalization and Relu, and return the name of the value."""
    convolution, normal = layers
    assert isinstance(normal, network.Normalization)
    (kernel,), (scale, offset) = convolution.values, normal.values
    around: dict[str, object] = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    if fold:
        factor = scale / np.sqrt(normal.variance + np.float32(normal.EPSILON))
        kernel = kernel * factor[:, None, None, None]
        bias = making.weight(f"{scope}/conv.bias", offset - normal.mean * factor)
        name = making.weight(f"{scope}/conv.weight", kernel)
        x = making.node("Conv", f"{scope}/conv", x, name, bias, **around)
        return making.node("Relu", f"{scope}/relu", x)
    name = making.weight(f"{scope}/conv.weight", kernel.astype(dtype))
    x = making.node("Conv", f"{scope}/conv", x, name, **around)
    parts = {"scale": scale, "offset": offset, "mean": normal.mean, "variance": normal.variance}
    names = [making.weight(f"{scope}/bn.{k}", v.astype(dtype)) for k, v in parts.items()]
    x = making.node("BatchNormalization", f"{scope}/bn", x, *names, epsilon=normal.EPSILON)
    return making.node("Relu", f"{scope}/relu", x)


class _Calibration(CalibrationDataReader):
    """Two hundred of the pictures the network learnt from, in batches of ten."""

    def __init__(self, learn: Digits) -> None:
        self._batches = iter(np.split(learn.pictures[:200], 20))

    def get_next(self) -> Mapping[str, Array] | None:
        """Next feed of the float model; None at the end."""
        batch = next(self._batches, None)
        return None if batch is None else {"picture": batch}


def quantized(layers: list[network.Layer], learn: Digits) -> onnx.ModelProto:
    """Let ONNX Runtime's own tool write weights and activations as int8 with QDQ nodes."""
    with TemporaryDirectory() as folder:
        single, eight = Path(folder, "single.onnx"), Path(folder, "eight.onnx")
        save(single, graph(layers, "float32", fold=True), "float32, folded", {})
        quantize_static(
            single,
            eight,
            _Calibration(learn),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            nodes_to_exclude=["input/scale", "head/softmax"],  # cheap, and lose most by it
        )
        model = onnx.load(eight)
    model.ir_version = IR_VERSION
    return model


def accuracy(path: Path, digits: Digits) -> float:
    """Share of the pictures that ONNX Runtime and the file get right."""
    probabilities = run(path, {"picture": digits.pictures})["probabilities"]
    return float((probabilities.argmax(1) == digits.classes).mean())


def make(folder: Path) -> Iterator[dict[str, object]]:
    """Write the three models and their pictures; yield what the index says of each model."""
    learn, held_out = data()
    layers = trained(learn)
    pictures = _pictures(folder / "inputs", held_out)
    variants = {
        "float32": "Convolution, normalization and activation are separate layers",
        "float16": "Half the size; Cast layers at input and output; float16 on a CPU",
        "int8_qdq": "Static int8: QuantizeLinear and DequantizeLinear pairs",
    }
    for variant, shows in variants.items():
        path = folder / f"digits_{variant}.onnx"
        description = f"Handwritten digits, {variant.replace('_', ' ')}"
        if variant == "int8_qdq":
            model = quantized(layers, learn)
        else:
            made = graph(layers, variant, fold=False)
            save(path, made, description, {})
            model = onnx.load(path)
        finish(path, model, description, PREPARATION)
        score = accuracy(path, held_out)
        model.doc_string = f"{description}; {score:.1%} of 360 held-out digits are right."
        finish(path, model, description, PREPARATION | {"held_out_accuracy": f"{score:.4f}"})
        yield {
            "file": path.name,
            "task": "image classification",
            "shows": shows,
            "labels": LABELS,
            "held_out_accuracy": round(score, 4),
            "held_out_examples": len(held_out.pictures),
            "try": [
                {"inputs": {"picture": f"inputs/digit_{d}.png"}, "answer": str(d)}
                for d in pictures
            ],
        }


def _pictures(folder: Path, held_out: Digits) -> tuple[int, ...]:
    """Save the first held-out 0, 3, 5, 7 and 8, smoothly scaled up to 192x192."""
    chosen = (0, 3, 5, 7, 8)
    for digit in chosen:
        first = np.flatnonzero(held_out.classes == digit)[0]
        small = Image.fromarray(held_out.pictures[first, 0].astype(np.uint8))
        large = small.resize((192, 192), Image.Resampling.BICUBIC)
        large.save(folder / f"digit_{digit}.png", optimize=True)
    return chosen
