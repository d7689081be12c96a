"""Kinds of clothing on photos of a shop: a network trained on Fashion-MNIST.

The 70,000 photos (Zalando SE, MIT license) are not downloaded. They are read where Debian's
package `dataset-fashion-mnist` puts them, or from the folder that FASHION_MNIST names.
"""

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from PIL import Image

from sample_models.making import network
from sample_models.making.digits import block
from sample_models.making.graph import GraphInMaking, save, value
from sample_models.making.network import Array
from sample_models.making.running import run

FOLDER = Path(os.environ.get("FASHION_MNIST", "/usr/share/datasets/fashion-mnist"))
LABELS = (
    *("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat"),
    *("Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"),
)
PREPARATION = {
    "labels": list(LABELS),
    "Image.BitmapPixelFormat": "Gray8",
    "Image.ColorSpaceGamma": "SRGB",
    "Image.NominalPixelRange": "NominalRange_0_255",
    "preparation": "28x28 gray, bright clothes on black, 0..255; the model divides by 255",
    "data": "Fashion-MNIST, Zalando SE, MIT license",
}
FILE = "clothes_float32.onnx"
EPOCHS = 5
SIZE = 28  # pixels
SHOWN = {"boot": 9, "bag": 8, "trouser": 1, "sneaker": 7, "dress": 3}  # files and classes
TIMES_LARGER = 5  # of the pictures that are shipped
# Folders of photos in their own size: labeled ones that were held out, to test with, and some
# that were learned from, to calibrate with. No photo is in both.
TEST, CALIBRATION = "clothes/test", "clothes/calibration"
# With fewer than 369 test inputs even no changed answer leaves an interval beyond 1 point.
TEST_PER_CLASS, CALIBRATION_PER_CLASS = 50, 6


@dataclass(frozen=True)
class Photos:
    """Photos float32 (examples, 1, 28, 28) of 0..255, and what each shows."""

    pictures: Array
    classes: NDArray[np.int64]


def available() -> bool:
    """Return whether the data set is on this machine."""
    return (FOLDER / "train-images-idx3-ubyte.gz").exists()


def read(part: str) -> Photos:
    """Read "train" (60,000 photos) or "t10k" (10,000 that are held out)."""
    with gzip.open(FOLDER / f"{part}-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16)
    with gzip.open(FOLDER / f"{part}-labels-idx1-ubyte.gz") as file:
        classes = np.frombuffer(file.read(), np.uint8, offset=8)
    pictures = pixels.reshape(-1, 1, SIZE, SIZE).astype("f4")
    return Photos(pictures, classes.astype(np.int64))


def trained(learn: Photos) -> list[network.Layer]:
    """Train the network of 19,000 weights; about five minutes."""
    random = np.random.default_rng(13)
    layers = [
        network.Convolution(random, 8, 1, 3, 3),
        network.Normalization(8),
        network.Relu(),
        network.MaxPool(2, 2),
        network.Convolution(random, 24, 8, 3, 3),
        network.Normalization(24),
        network.Relu(),
        network.MaxPool(2, 2),
        network.Residual(
            network.Convolution(random, 24, 24, 3, 3), network.Normalization(24), network.Relu()
        ),
        network.Dense(random, 24 * 7 * 7, 10),
    ]
    pictures = learn.pictures / np.float32(255)
    network.train(layers, pictures, learn.classes, random, EPOCHS, _vary)
    return layers


def _vary(pictures: Array, random: np.random.Generator) -> Array:
    """Mirror half of the photos and shift all by up to a pixel."""
    mirrored = np.where(
        random.random((len(pictures), 1, 1, 1)) < 0.5, pictures[..., ::-1], pictures
    )
    down, right = random.integers(-1, 2, 2)
    return np.roll(mirrored, (down, right), (2, 3))


def graph(layers: list[network.Layer]) -> onnx.GraphProto:
    """Write the network as a graph."""
    making = GraphInMaking("clothes")
    scale = making.weight("input/scale_factor", np.array(1 / 255, "f4"))
    x = making.node("Mul", "input/scale", "photo", scale, doc="0..255 to 0..1")
    pool: dict[str, object] = {"kernel_shape": [2, 2], "strides": [2, 2]}
    x = block(making, "stem", x, layers[0:2], "float32", fold=False)
    x = making.node("MaxPool", "stem/pool", x, **pool)
    x = block(making, "block1", x, layers[4:6], "float32", fold=False)
    x = making.node("MaxPool", "block1/pool", x, **pool)
    residual = layers[8]
    assert isinstance(residual, network.Residual)
    inner = block(making, "block2", x, list(residual.layers[:2]), "float32", fold=False)
    x = making.node("Add", "block2/add", x, inner)
    x = making.node("Flatten", "head/flatten", x)
    weights, bias = layers[9].values
    x = making.node(
        "Gemm",
        "head/dense",
        x,
        making.weight("head/dense.weight", weights),
        making.weight("head/dense.bias", bias),
    )
    x = making.node("Softmax", "head/softmax", x, axis=1)
    making.result(x, "probabilities")
    axes = ("DATA_BATCH", "DATA_CHANNEL", "DATA_FEATURE", "DATA_FEATURE")
    doc = "Bright clothes on black, 0..255."
    shape = ["batch", 1, SIZE, SIZE]
    return making.proto(
        [value("photo", "float32", shape, doc, "IMAGE", axes)],
        [value("probabilities", "float32", ["batch", 10], "Of ten kinds of clothing.")],
    )


def write_photos(folder: Path) -> None:
    """Write the folders to test and to calibrate with; the subfolders of the first are labels.

    The first photos of each class are taken, whether the model is right about them or not.
    """
    for place, part, count in (
        (TEST, "t10k", TEST_PER_CLASS),
        (CALIBRATION, "train", CALIBRATION_PER_CLASS),
    ):
        photos = read(part)
        for kind, label in enumerate(LABELS):
            for number in np.flatnonzero(photos.classes == kind)[:count]:
                name = label.partition("/")[0]  # a folder's name holds no "/"
                path = folder / place / name / f"{number:05}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                pixels = photos.pictures[number, 0].astype(np.uint8)
                Image.fromarray(pixels).save(path, optimize=True)


def kept(folder: Path) -> Iterator[dict[str, object]]:
    """Make the model, or yield what the index says of the one that is there, without the data
    set."""
    if available():
        yield from make(folder)
        return
    print(f"{FOLDER} has no Fashion-MNIST; the model of clothes stays as it is")
    listing = json.loads((folder / "index.json").read_text("utf-8"))
    yield from (each for each in listing["models"] if each["file"] == FILE)


def make(folder: Path) -> Iterator[dict[str, object]]:
    """Write the model and five held-out photos; yield what the index says of it."""
    held_out = read("t10k")
    write_photos(folder)
    layers = trained(read("train"))
    path = folder / FILE
    made = graph(layers)
    save(path, made, "Kinds of clothing, Fashion-MNIST", PREPARATION)
    answers = run(path, {"photo": held_out.pictures})["probabilities"].argmax(1)
    score = float((answers == held_out.classes).mean())
    description = f"Kinds of clothing; {score:.1%} of 10,000 held-out photos are right."
    save(path, made, description, PREPARATION | {"held_out_accuracy": f"{score:.4f}"})
    for name, kind in SHOWN.items():
        first = np.flatnonzero(held_out.classes == kind)[0]
        small = Image.fromarray(held_out.pictures[first, 0].astype(np.uint8))
        side = SIZE * TIMES_LARGER
        large = small.resize((side, side), Image.Resampling.BICUBIC)
        large.save(folder / "inputs" / f"{name}.png", optimize=True)
    yield {
        "file": path.name,
        "task": "image classification",
        "shows": "The Fashion-MNIST classes, trained on 60,000 photos of clothes",
        "labels": list(LABELS),
        "held_out_accuracy": round(score, 4),
        "held_out_examples": len(held_out.pictures),
        "try": [
            {"inputs": {"photo": f"inputs/{name}.png"}, "answer": LABELS[kind]}
            for name, kind in SHOWN.items()
        ],
    }
