"""Trains the encoder that tells languages apart. Needs `jax` and `langdetect`.

langdetect (Apache-2.0) has the counts of letters, of pairs and of trigrams in each language's
Wikipedia. Texts drawn from them have the spelling of a language, not its sentences.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from sample_models.making import encoder
from sample_models.making.languages import EVERYDAY, LABELS, WORDS, rows

PROFILES = dict(zip(LABELS, ("en", "de", "fr", "es"), strict=True))  # names in langdetect
BATCH = 64
WARM_UP = 100  # steps
DECAY = 0.02  # weight decay
LENGTH = 96  # bytes of a training text at most
WORD_LENGTH = 14  # letters of a drawn word at most
PLAIN_SHARE = 0.3  # of the texts have neither capitals nor marks


@dataclass(frozen=True)
class Stage:
    """A part of the training.

    rate: of Adam, at its highest. frequent: words of each language that are drawn as they are.
    frequent_share: of the words of a text. fewest, most: words of a text.
    """

    steps: int
    rate: float
    seed: int
    frequent: dict[str, str]
    frequent_share: float
    fewest: int
    most: int


_ALL_WORDS = {label: f"{WORDS[label]} {EVERYDAY[label]}" for label in LABELS}
STAGES = (
    Stage(3600, 2e-3, 46, WORDS, 0.35, 3, 15),
    Stage(1500, 1e-3, 47, _ALL_WORDS, 0.5, 2, 15),
    Stage(1100, 1e-3, 48, _ALL_WORDS, 0.6, 1, 8),
)

Floats = dict[str, jax.Array]
Draw = Callable[[np.random.Generator], str]


def drawn_word(label: str) -> Draw:
    """Return a function that draws a word, letter by letter, from trigrams of a language."""
    text = files("langdetect").joinpath("profiles", PROFILES[label]).read_text("utf-8")
    following: dict[str, dict[str, int]] = {}
    for letters, count in json.loads(text)["freq"].items():
        letters = letters.lower()
        if len(letters) == 3:
            after = following.setdefault(letters[:2], {})
            after[letters[2]] = after.get(letters[2], 0) + count
            if letters[0] == " ":
                starts = following.setdefault(" ", {})
                starts[letters[1]] = starts.get(letters[1], 0) + count
    tables = {
        context: (list(after), np.cumsum(list(after.values())) / sum(after.values()))
        for context, after in following.items()
    }

    def draw(random: np.random.Generator) -> str:
        word = " "
        while len(word) < WORD_LENGTH:
            table = tables.get(word[-2:])
            letter = (
                " " if table is None else table[0][np.searchsorted(table[1], random.random())]
            )
            if letter == " ":
                break
            word += letter
        return word.strip()

    return draw


def texts(
    random: np.random.Generator, stage: Stage, draws: list[Draw]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return a batch of texts as bytes (BATCH, LENGTH), and their labels."""
    labels = random.integers(len(LABELS), size=BATCH)
    made = []
    for label in labels:
        frequent = stage.frequent[LABELS[label]].split()
        words = []
        for _ in range(int(random.integers(stage.fewest, stage.most + 1))):
            listed = random.random() < stage.frequent_share
            word = str(random.choice(frequent)) if listed else draws[label](random)
            if random.random() < 0.1:
                word = word.capitalize()
            words.append(word + str(random.choice(["", "", "", "", "", "", "", ",", ".", "?"])))
        text = " ".join(words)
        plain = random.random() < PLAIN_SHARE
        made.append(text.lower() if plain else text[:1].upper() + text[1:] + ".")
    return rows(made)[:, :LENGTH], labels


def logits(weights: Floats, ids: jax.Array) -> jax.Array:
    """Return the logits (batch, labels) of bytes (batch, positions), as the graph does."""
    text = ids > encoder.PADDING
    x = weights["embeddings.byte_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][jnp.cumsum(text, 1) * text]
    mask = jnp.where(text, 0, encoder.HIDDEN_SCORE)[:, None, None, :]

    def dense(name: str, x: jax.Array) -> jax.Array:
        return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def normal(name: str, x: jax.Array) -> jax.Array:
        x = x - x.mean(-1, keepdims=True)
        x = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + encoder.EPSILON)
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def heads(x: jax.Array) -> jax.Array:
        return x.reshape(*ids.shape, encoder.HEADS, -1)

    x = normal("embeddings.LayerNorm", x)
    for block in range(encoder.BLOCKS):
        scope = f"encoder.layer.{block}"
        query, key, value = (
            heads(dense(f"{scope}.attention.self.{name}", x))
            for name in ("query", "key", "value")
        )
        scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) * query.shape[-1] ** -0.5 + mask
        y = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), value)
        y = dense(f"{scope}.attention.output.dense", y.reshape(x.shape))
        x = normal(f"{scope}.attention.output.LayerNorm", x + y)
        y = jax.nn.gelu(dense(f"{scope}.intermediate.dense", x), approximate=False)
        x = normal(f"{scope}.output.LayerNorm", x + dense(f"{scope}.output.dense", y))
    x = (x * text[..., None]).sum(1) / text.sum(1, keepdims=True)
    return dense("classifier", x)


def trained(start: encoder.Weights) -> dict[str, encoder.Array]:
    """Return weights after all stages."""
    draws = [drawn_word(label) for label in LABELS]
    weights = dict(start)
    for stage in STAGES:
        weights = after(weights, stage, draws)
    return weights


def after(start: encoder.Weights, stage: Stage, draws: list[Draw]) -> dict[str, encoder.Array]:
    """Return weights after the steps of Adam of a stage, with a cosine schedule."""

    def loss(weights: Floats, ids: jax.Array, labels: jax.Array) -> jax.Array:
        scores = jax.nn.log_softmax(logits(weights, ids))
        return -jnp.take_along_axis(scores, labels[:, None], 1).mean()

    @jax.jit
    def step(
        weights: Floats,
        mean: Floats,
        square: Floats,
        ids: jax.Array,
        labels: jax.Array,
        number: jax.Array,
    ) -> tuple[Floats, Floats, Floats, jax.Array]:
        value, slope = jax.value_and_grad(loss)(weights, ids, labels)
        progress = jnp.maximum(number - WARM_UP, 0) / (stage.steps - WARM_UP)
        fall = 0.5 * (1 + jnp.cos(jnp.pi * progress))
        rate = stage.rate * jnp.minimum(number / WARM_UP, fall)
        mean = {name: 0.9 * mean[name] + 0.1 * each for name, each in slope.items()}
        square = {name: 0.99 * square[name] + 0.01 * each**2 for name, each in slope.items()}
        first, second = 1 - 0.9**number, 1 - 0.99**number
        new = {}
        for name, each in weights.items():
            move = mean[name] / first / (jnp.sqrt(square[name] / second) + 1e-8)
            new[name] = each - rate * (move + (DECAY * each if each.ndim > 1 else 0))
        return new, mean, square, value

    random = np.random.default_rng(stage.seed)
    weights = {name: jnp.asarray(each) for name, each in start.items()}
    mean = {name: jnp.zeros_like(each) for name, each in weights.items()}
    square = dict(mean)
    for number in range(1, stage.steps + 1):
        ids, labels = texts(random, stage, draws)
        weights, mean, square, value = step(
            weights,
            mean,
            square,
            jnp.asarray(ids, jnp.int32),
            jnp.asarray(labels),
            jnp.float32(number),
        )
        if number % 100 == 0:
            print(number, f"{float(value):.3f}", flush=True)
    return {name: np.asarray(each) for name, each in weights.items()}
