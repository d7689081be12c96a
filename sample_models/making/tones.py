"""A sound classifier: filters written down as a convolution, then layers that learnt."""

import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from sample_models.making import network
from sample_models.making.graph import GraphInMaking, save, value
from sample_models.making.running import run
from sample_models.making.synthesis import LABELS, RATE, sound, sounds

FILE = "tones_sound.onnx"
BANDS, WINDOW, HOP, FAINTEST = 32, 512, 160, 1e-7
Array = NDArray[np.float32]


def make(folder: Path) -> Iterator[dict[str, object]]:
    """Write the model and a sound of each kind; yield what the index says of it."""
    waves, classes = sounds(2400, seed=31)
    features = spectrum(waves)
    mean = features.mean((0, 2, 3))
    deviation = features.std((0, 2, 3))
    layers = trained((features - mean[:, None, None]) / deviation[:, None, None], classes)
    path = folder / FILE
    description = "Tells silence, hum, tone, sweep, noise and clicks apart"
    metadata = {
        "labels": LABELS,
        "sample_rate": str(RATE),
        "preparation": "one second of mono sound at 16 kHz, -1..1",
    }
    made = graph(layers, mean, deviation)
    save(path, made, description, metadata)
    held_out, held_out_classes = sounds(600, seed=32)
    answers = run(path, {"waveform": held_out})["probabilities"].argmax(1)
    score = float((answers == held_out_classes).mean())
    save(path, made, description, metadata | {"held_out_accuracy": f"{score:.4f}"})
    yield {
        "file": FILE,
        "task": "audio classification",
        "shows": "Convolutions along time on a raw waveform with a known sample rate",
        "labels": LABELS,
        "held_out_accuracy": round(score, 4),
        "held_out_examples": len(held_out),
        "try": [
            {"inputs": {"waveform": f"inputs/{label}.wav"}, "answer": label}
            for label in _recordings(folder / "inputs")
        ],
    }


def filters() -> Array:
    """float32 (64, 1, 512): cosines, then sines, of 60 to 7,000 Hz under Hann windows.

    The higher the pitch the shorter its window, so that neighbours meet and no tone falls
    between two of them.
    """
    ratio = (7000 / 60) ** (1 / (BANDS - 1))
    pitches = 60 * ratio ** np.arange(BANDS)
    lengths = np.minimum(1.44 * RATE / ((ratio - 1) * pitches), WINDOW)
    place = np.arange(WINDOW) - (WINDOW - 1) / 2
    windows = np.cos(np.pi * place / lengths[:, None]) ** 2
    windows *= np.abs(place) < lengths[:, None] / 2
    windows /= windows.sum(1, keepdims=True)
    angles = 2 * np.pi * pitches[:, None] * place / RATE
    both = np.concatenate([np.cos(angles) * windows, np.sin(angles) * windows])
    return both.astype("f4")[:, None]


def spectrum(waves: Array) -> Array:
    """Log power (examples, 32, 1, 97) as the first layers of the graph compute it."""
    windows = np.lib.stride_tricks.sliding_window_view(waves, WINDOW, axis=1)[:, ::HOP]
    both = windows @ filters()[:, 0].T
    power = both[..., :BANDS] ** 2 + both[..., BANDS:] ** 2
    return np.log(power + np.float32(FAINTEST)).transpose(0, 2, 1)[:, :, None]


def trained(features: Array, classes: NDArray[np.int64]) -> list[network.Layer]:
    """Train the network on normalised spectra."""
    random = np.random.default_rng(37)
    layers = [
        network.Convolution(random, 24, BANDS, 1, 5),
        network.Normalization(24),
        network.Relu(),
        network.MaxPool(1, 2),
        network.Convolution(random, 32, 24, 1, 5),
        network.Normalization(32),
        network.Relu(),
        network.MeanPool(),
        network.Dense(random, 32, len(LABELS)),
    ]
    network.train(layers, features, classes, random, 15, _vary)
    return layers


def _vary(features: Array, random: np.random.Generator) -> Array:
    """Louder or softer, so that loudness alone decides nothing but silence."""
    return (features + random.normal(0, 0.1, (len(features), 1, 1, 1))).astype("f4")


def graph(layers: list[network.Layer], mean: Array, deviation: Array) -> onnx.GraphProto:
    """Write the filters and the trained layers as one graph, from waveform to probability."""
    making = GraphInMaking("tones")
    x = _spectrum(making, mean, deviation)
    x = _block(making, "block1", x, layers[0], layers[1])
    x = making.node("MaxPool", "block1/pool", x, kernel_shape=[2], strides=[2])
    x = _block(making, "block2", x, layers[4], layers[5])
    x = making.node("GlobalAveragePool", "head/pool", x)
    x = making.node("Flatten", "head/flatten", x)
    weights, bias = layers[8].values
    names = making.weight("head/dense.weight", weights), making.weight("head/dense.bias", bias)
    x = making.node("Gemm", "head/dense", x, *names)
    making.result(making.node("Softmax", "head/softmax", x, axis=1), "probabilities")
    doc = "One second, mono, 16 kHz, -1..1"
    return making.proto(
        [value("waveform", "float32", ["batch", RATE], doc, "AUDIO")],
        [value("probabilities", "float32", ["batch", len(LABELS)], ", ".join(LABELS))],
    )


def _spectrum(making: GraphInMaking, mean: Array, deviation: Array) -> str:
    axis = making.weight("spectrum/axis", np.array([1], np.int64))
    x = making.node("Unsqueeze", "spectrum/channel", "waveform", axis)
    bank = making.weight("spectrum/filters.weight", filters())
    x = making.node(
        "Conv",
        "spectrum/filters",
        x,
        bank,
        kernel_shape=[WINDOW],
        strides=[HOP],
        doc="32 cosines, then 32 sines, under Hann windows, every 10 ms",
    )
    x = making.node("Mul", "spectrum/square", x, x)
    halves = ("spectrum/cosines", "spectrum/sines")
    making.node_with("Split", "spectrum/split", (x,), halves, axis=1)
    x = making.node("Add", "spectrum/power", *halves)
    faintest = making.weight("spectrum/faintest", np.array(FAINTEST, np.float32))
    x = making.node("Log", "spectrum/log", making.node("Add", "spectrum/floor", x, faintest))
    level = making.weight("spectrum/mean", mean[:, None])
    spread = making.weight("spectrum/deviation", deviation[:, None])
    x = making.node("Sub", "spectrum/centre", x, level)
    return making.node("Div", "spectrum/normalize", x, spread)


def _block(
    making: GraphInMaking, scope: str, x: str, convolution: network.Layer, normal: network.Layer
) -> str:
    assert isinstance(normal, network.Normalization)
    kernel = making.weight(f"{scope}/conv.weight", convolution.values[0][:, :, 0])
    x = making.node("Conv", f"{scope}/conv", x, kernel, kernel_shape=[5], pads=[2, 2])
    parts = zip(
        ("scale", "offset", "mean", "variance"),
        (*normal.values, normal.mean, normal.variance),
        strict=True,
    )
    names = [making.weight(f"{scope}/bn.{part}", content) for part, content in parts]
    x = making.node("BatchNormalization", f"{scope}/bn", x, *names, epsilon=normal.EPSILON)
    return making.node("Relu", f"{scope}/relu", x)


def _recordings(folder: Path) -> tuple[str, ...]:
    """Save a sound of each kind that was neither learnt from nor tested on; 16 bits."""
    chosen = ("hum", "tone", "sweep", "noise", "clicks")
    random = np.random.default_rng(33)
    for label in chosen:
        samples = np.clip(sound(label, random) * 32767, -32768, 32767).astype("<i2")
        with wave.open(str(folder / f"{label}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples.tobytes())
    return chosen
