"""Layers that learn, in numpy alone, so that anybody can train the samples again."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


class Layer:
    """Maps (examples, channels, height, width) forward, and the loss's gradient back.

    values: what is learnt; gradients: of the loss by them, filled by `backward`.
    """

    def __init__(self, *values: Array) -> None:
        self.values = list(values)
        self.gradients = [np.zeros_like(value) for value in values]

    def forward(self, x: Array, learning: bool) -> Array:
        """Compute the output, and keep what `backward` needs."""
        raise NotImplementedError

    def backward(self, gradient: Array) -> Array:
        """Fill `gradients` and return the gradient by the input of the last `forward`."""
        raise NotImplementedError


class Convolution(Layer):
    """Kernel (out, in, height, width) of odd lengths; zeros around keep the picture's size."""

    def __init__(self, random: np.random.Generator, out: int, into: int, *size: int) -> None:
        spread = np.sqrt(2 / (into * size[0] * size[1]))
        super().__init__((random.standard_normal((out, into, *size)) * spread).astype("f4"))

    def forward(self, x: Array, learning: bool) -> Array:
        (kernel,) = self.values
        out, _, height, width = kernel.shape
        edge = [(0, 0), (0, 0), (height // 2,) * 2, (width // 2,) * 2]
        windows = np.lib.stride_tricks.sliding_window_view(
            np.pad(x, edge), (height, width), axis=(2, 3)
        )
        self._shape = x.shape
        self._columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(-1, kernel[0].size)
        y = self._columns @ kernel.reshape(out, -1).T
        return y.reshape(x.shape[0], *x.shape[2:], out).transpose(0, 3, 1, 2)

    def backward(self, gradient: Array) -> Array:
        (kernel,) = self.values
        out, into, height, width = kernel.shape
        rows = gradient.transpose(0, 2, 3, 1).reshape(-1, out)
        self.gradients[0] = (rows.T @ self._columns).reshape(kernel.shape)
        examples, _, tall, wide = self._shape
        pieces = (rows @ kernel.reshape(out, -1)).reshape(
            examples, tall, wide, into, height, width
        )
        back = np.zeros((examples, into, tall + height - 1, wide + width - 1), "f4")
        for y in range(height):
            for x in range(width):
                piece = pieces[..., y, x].transpose(0, 3, 1, 2)
                back[:, :, y : y + tall, x : x + wide] += piece
        return back[:, :, height // 2 : height // 2 + tall, width // 2 : width // 2 + wide]


class Normalization(Layer):
    """Batch normalisation: scale and offset are learnt, mean and variance followed."""

    EPSILON = 1e-5

    def __init__(self, channels: int) -> None:
        super().__init__(np.ones(channels, "f4"), np.zeros(channels, "f4"))
        self.mean, self.variance = np.zeros(channels, "f4"), np.ones(channels, "f4")

    def forward(self, x: Array, learning: bool) -> Array:
        mean, variance = self.mean, self.variance
        if learning:
            mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
            self.mean += np.float32(0.1) * (mean - self.mean)
            self.variance += np.float32(0.1) * (variance - self.variance)
        self._deviation = np.sqrt(variance + np.float32(self.EPSILON))
        self._normal = (x - _by_channel(mean)) / _by_channel(self._deviation)
        scale, offset = self.values
        return self._normal * _by_channel(scale) + _by_channel(offset)

    def backward(self, gradient: Array) -> Array:
        normal = self._normal
        self.gradients = [(gradient * normal).sum((0, 2, 3)), gradient.sum((0, 2, 3))]
        along, level = (_by_channel(g) * np.float32(gradient.shape[1] / gradient.size)
                        for g in self.gradients)  # fmt: skip
        return (gradient - level - normal * along) * _by_channel(
            self.values[0] / self._deviation
        )


class Relu(Layer):
    """Cuts off what is negative."""

    def forward(self, x: Array, learning: bool) -> Array:
        self._open = x > 0
        return x * self._open

    def backward(self, gradient: Array) -> Array:
        return gradient * self._open


class MaxPool(Layer):
    """Keeps the largest of each window, which may not overlap; a rest at the end is lost."""

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        self.size = height, width

    def forward(self, x: Array, learning: bool) -> Array:
        height, width = self.size
        tall, wide = x.shape[2] // height, x.shape[3] // width
        self._shape = x.shape
        cut = x[:, :, : tall * height, : wide * width]
        blocks = cut.reshape(*x.shape[:2], tall, height, wide, width)
        y = blocks.max((3, 5), keepdims=True)
        self._won = blocks == y
        return y[:, :, :, 0, :, 0]

    def backward(self, gradient: Array) -> Array:
        height, width = self.size
        blocks = self._won * gradient[:, :, :, None, :, None]
        tall, wide = gradient.shape[2] * height, gradient.shape[3] * width
        back = np.zeros(self._shape, "f4")
        back[:, :, :tall, :wide] = blocks.reshape(*gradient.shape[:2], tall, wide)
        return back


class Residual(Layer):
    """Adds what its layers make of the input to the input itself."""

    def __init__(self, *layers: Layer) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: Array, learning: bool) -> Array:
        return x + _forward(self.layers, x, learning)

    def backward(self, gradient: Array) -> Array:
        return gradient + _backward(self.layers, gradient)


class MeanPool(Layer):
    """Mean over height and width, which become 1."""

    def forward(self, x: Array, learning: bool) -> Array:
        self._shape = x.shape
        return x.mean((2, 3), keepdims=True)

    def backward(self, gradient: Array) -> Array:
        share = np.float32(1 / (self._shape[2] * self._shape[3]))
        return np.broadcast_to(gradient * share, self._shape)


class Dense(Layer):
    """Weights (inputs, classes) and bias; flattens its input."""

    def __init__(self, random: np.random.Generator, into: int, out: int) -> None:
        weights = random.standard_normal((into, out)) * np.sqrt(1 / into)
        super().__init__(weights.astype("f4"), np.zeros(out, "f4"))

    def forward(self, x: Array, learning: bool) -> Array:
        self._shape, self._flat = x.shape, x.reshape(len(x), -1)
        return self._flat @ self.values[0] + self.values[1]

    def backward(self, gradient: Array) -> Array:
        self.gradients = [self._flat.T @ gradient, gradient.sum(0)]
        return (gradient @ self.values[0].T).reshape(self._shape)


def train(
    layers: Sequence[Layer],
    examples: Array,
    classes: NDArray[np.int64],
    random: np.random.Generator,
    epochs: int,
    vary: Callable[[Array, np.random.Generator], Array],
) -> None:
    """Fit the layers in place with Adam on cross-entropy, 64 examples at a time.

    vary: makes a fresh variant of a batch, so that no epoch sees quite the same examples.
    """
    learners = [each for layer in layers for each in _with_inner(layer) if each.values]
    first = [[np.zeros_like(v) for v in layer.values] for layer in learners]
    second = [[np.zeros_like(v) for v in layer.values] for layer in learners]
    steps, step = epochs * (len(examples) // 64), 0
    for _ in range(epochs):
        order = random.permutation(len(examples))
        for start in range(0, len(order) - 63, 64):
            step += 1
            batch = order[start : start + 64]
            scores = _forward(layers, vary(examples[batch], random), True)
            gradient = softmax(scores)
            gradient[np.arange(64), classes[batch]] -= 1
            _backward(layers, gradient / np.float32(64))
            rate = 0.003 * 0.5 * (1 + np.cos(np.pi * step / steps))
            for layer, means, squares in zip(learners, first, second, strict=True):
                _adam(layer, means, squares, rate, step)


def classify(layers: Sequence[Layer], examples: Array) -> Array:
    """Probability of each class, (examples, classes)."""
    return softmax(_forward(layers, examples, False))


def softmax(scores: Array) -> Array:
    """Turn scores (examples, classes) into probabilities."""
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def _adam(
    layer: Layer, means: list[Array], squares: list[Array], rate: float, step: int
) -> None:
    """Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1."""
    for value, gradient, mean, square in zip(
        layer.values, layer.gradients, means, squares, strict=True
    ):
        mean += np.float32(0.1) * (gradient - mean)
        square += np.float32(0.001) * (gradient * gradient - square)
        pace = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        value -= (np.float32(pace) * mean / (np.sqrt(square) + np.float32(1e-8))).astype("f4")


def _forward(layers: Sequence[Layer], x: Array, learning: bool) -> Array:
    for layer in layers:
        x = layer.forward(x, learning)
    return x


def _backward(layers: Sequence[Layer], gradient: Array) -> Array:
    for layer in reversed(layers):
        gradient = layer.backward(gradient)
    return gradient


def _with_inner(layer: Layer) -> tuple[Layer, ...]:
    return (layer, *layer.layers) if isinstance(layer, Residual) else (layer,)


def _by_channel(values: Array) -> Array:
    return values.reshape(1, -1, 1, 1)
