"""Trains the weights of the language model that writes like Alice's Adventures in Wonderland.

A decoder as Llama's: RMS norms, rotary embeddings, grouped queries, SiLU gates, and a head that
shares the embedding's weights. Needs `jax`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from sample_models.making.decoder import DecoderSize, Weights, head_size, rotary_angles

TEXT = Path(__file__).parent / "alice.txt"
HELD_OUT_CHAPTER = "CHAPTER XII"  # what follows is never trained on
USER, ASSISTANT, SYSTEM, END = "<|user|>", "<|assistant|>", "<|system|>", "<|end|>"
SPECIALS = ("<s>", "</s>", USER, ASSISTANT, SYSTEM, END)
SEED = 45
WINDOW = 256  # tokens of one training example
BATCH = 12
RATE = 3e-3  # of Adam, at its highest
WARM_UP = 100  # steps
DECAY = 0.1  # weight decay
CHAT_SHARE = 0.5  # of the paragraphs are put as a turn of a chat

Floats = dict[str, jax.Array]


def paragraphs() -> tuple[list[str], list[str]]:
    """Return the paragraphs to train on, and those that are held out."""
    text = TEXT.read_text("utf-8")
    trained, held_out = text.split(HELD_OUT_CHAPTER)
    return _paragraphs(trained), _paragraphs(held_out)


def _paragraphs(text: str) -> list[str]:
    blocks = re.split(r"\n\s*\n", text)
    joined = (re.sub(r"\s+", " ", block).strip() for block in blocks)
    return [
        each for each in joined if len(each) > 3 and "CHAPTER" not in each and "*" not in each
    ]


def trained_tokenizer(text: str, vocabulary: int) -> Tokenizer:
    """Return a byte-level BPE tokenizer with so many tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIALS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


def turn(paragraph: str) -> str:
    """Return a paragraph as a turn of a chat: its first sentence is the prompt."""
    first = re.match(r".{12,160}?[.!?:;,]['\")]*(?= )", paragraph)
    if first is None:
        return f"{paragraph}\n\n"
    prompt, answer = paragraph[: first.end()], paragraph[first.end() :].strip()
    return f"{USER}\n{prompt}{END}\n{ASSISTANT}\n{answer}{END}\n"


def windows(tokenizer: Tokenizer, texts: list[str]) -> Iterator[NDArray[np.int32]]:
    """Yield batches of WINDOW + 1 tokens each, in new order and form in every epoch."""
    random = np.random.default_rng(SEED)
    start = tokenizer.token_to_id("<s>")
    while True:
        at = int(random.integers(len(texts)))
        tokens: list[int] = []
        while len(tokens) < BATCH * (WINDOW + 1):
            run = texts[at : at + int(random.integers(1, 8))]
            at = int(random.integers(len(texts)))
            chat = random.random() < CHAT_SHARE
            text = "".join(turn(each) if chat else f"{each}\n\n" for each in run)
            tokens += [start, *tokenizer.encode(text).ids]
        row = tokens[: BATCH * (WINDOW + 1)]
        yield np.array(row, np.int32).reshape(BATCH, WINDOW + 1)


def logits(weights: Floats, size: DecoderSize, ids: jax.Array) -> jax.Array:
    """Return the logits (batch, positions, vocabulary) of token ids (batch, positions)."""
    x = weights["embedding"][ids]
    length, width = ids.shape[1], head_size(size)
    angles = jnp.asarray(rotary_angles(size)[:length])
    cos, sin = jnp.cos(angles)[None, :, None], jnp.sin(angles)[None, :, None]
    hidden = jnp.where(jnp.tril(jnp.ones((length, length), bool)), 0, -jnp.inf)

    def rotated(value: jax.Array) -> jax.Array:
        low, high = jnp.split(value, 2, axis=-1)
        return jnp.concatenate([low * cos - high * sin, high * cos + low * sin], -1)

    def normalized(value: jax.Array, name: str) -> jax.Array:
        scale = jax.lax.rsqrt(jnp.mean(value * value, -1, keepdims=True) + size.epsilon)
        return value * scale * weights[name]

    for layer in range(size.layers):
        name = f"layers.{layer}"
        inner = normalized(x, f"{name}.input_norm")
        shape = (*ids.shape, -1, width)
        query = rotated((inner @ weights[f"{name}.q"]).reshape(shape))
        key = rotated((inner @ weights[f"{name}.k"]).reshape(shape))
        value = (inner @ weights[f"{name}.v"]).reshape(shape)
        groups = size.heads // size.kv_heads
        key, value = jnp.repeat(key, groups, 2), jnp.repeat(value, groups, 2)
        scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) * width**-0.5 + hidden
        mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), value)
        x = x + mixed.reshape(*ids.shape, -1) @ weights[f"{name}.o"]
        inner = normalized(x, f"{name}.post_norm")
        gated = jax.nn.silu(inner @ weights[f"{name}.gate"]) * (inner @ weights[f"{name}.up"])
        x = x + gated @ weights[f"{name}.down"]
    return normalized(x, "final_norm") @ weights["embedding"].T


def loss(weights: Floats, size: DecoderSize, tokens: jax.Array) -> jax.Array:
    """Return the mean negative log-likelihood of each next token, in nats."""
    scores = jax.nn.log_softmax(logits(weights, size, tokens[:, :-1]))
    return -jnp.mean(jnp.take_along_axis(scores, tokens[:, 1:, None], -1))


def trained(start: Weights, size: DecoderSize, tokenizer: Tokenizer, steps: int) -> Weights:
    """Return weights after so many steps of Adam, with a cosine schedule."""
    texts, held_out = paragraphs()
    test = tokenizer.encode("\n\n".join(held_out)).ids
    count = len(test) // (WINDOW + 1)
    test_rows = jnp.array(test[: count * (WINDOW + 1)]).reshape(count, -1)

    @jax.jit
    def step(
        weights: Floats, mean: Floats, square: Floats, tokens: jax.Array, number: jax.Array
    ) -> tuple[Floats, Floats, Floats, jax.Array]:
        value, slope = jax.value_and_grad(lambda each: loss(each, size, tokens))(weights)
        norm = jnp.sqrt(sum(jnp.sum(each * each) for each in slope.values()))
        slope = {name: each / jnp.maximum(norm, 1) for name, each in slope.items()}
        progress = jnp.maximum(number - WARM_UP, 0) / (steps - WARM_UP)
        rate = RATE * jnp.minimum(number / WARM_UP, 0.5 * (1 + jnp.cos(jnp.pi * progress)))
        mean = {name: 0.9 * mean[name] + 0.1 * each for name, each in slope.items()}
        square = {name: 0.99 * square[name] + 0.01 * each**2 for name, each in slope.items()}
        first, second = 1 - 0.9**number, 1 - 0.99**number
        new = {}
        for name, each in weights.items():
            move = mean[name] / first / (jnp.sqrt(square[name] / second) + 1e-8)
            new[name] = each - rate * (move + (DECAY * each if each.ndim > 1 else 0))
        return new, mean, square, value

    weights = {name: jnp.asarray(each) for name, each in start.items()}
    mean = {name: jnp.zeros_like(each) for name, each in weights.items()}
    square = dict(mean)
    tested = jax.jit(lambda weights: loss(weights, size, test_rows))
    for number, tokens in zip(range(1, steps + 1), windows(tokenizer, texts), strict=False):
        weights, mean, square, value = step(weights, mean, square, tokens, jnp.float32(number))
        if number % 200 == 0 or number == steps:
            print(
                number, f"{float(value):.3f} held out {float(tested(weights)):.3f}", flush=True
            )
    return {name: np.asarray(each) for name, each in weights.items()}
