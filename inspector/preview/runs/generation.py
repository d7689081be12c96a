"""Text written on, token by token, by models that give scores for the next one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inspector import units
from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Fed, Tensor, numpy_type
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.inputs import default_values, model_states, tokens
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.runs import step_by_step, steps

Predict = Callable[[Mapping[str, Fed]], Prediction]
MOST = 10_000
_FIRST = "Could not continue the text"


@dataclass(frozen=True, slots=True)
class Token:
    """A token that was added: its number, its text, its probability, and the time it took."""

    number: int
    text: str
    probability: float
    prediction_ns: int


@dataclass(frozen=True, slots=True)
class Generated:
    """The generated tokens.

    ended: the model ended the text. cached: earlier tokens came from the key-value cache
    instead of being computed again.
    """

    tokens: tuple[Token, ...]
    text: str
    ended: bool
    cached: bool


def writes(inputs: Sequence[TensorInfo], outputs: Sequence[OutputValue]) -> bool:
    """Return whether a model takes tokens and gave scores for the next one."""
    return _ids(inputs) is not None and _scores(outputs) is not None


def generate(
    predict: Predict,
    feeds: Mapping[str, Fed],
    inputs: Sequence[TensorInfo],
    outputs: Sequence[TensorInfo],
    vocabulary: Vocabulary | None,
    most: int,
    tell: Callable[[Token], None] = lambda _: None,
) -> Generated:
    """Add the likeliest token again and again, `most` at most, until the text has ended.

    feeds: of all inputs, the beginning in them. What the outputs called present give goes back
    into the inputs called past; without such inputs the whole text is computed every time.
    tell: hears of each token. Raises BadInput: not such a model, or of a fixed length; and
    whatever `predict` raises.
    """
    ids = _ids(inputs)
    if ids is None:
        raise BadInput(_FIRST, "no input takes token IDs")
    memory = step_by_step.output_by_state(model_states.states(inputs, outputs))
    given, beginning = dict(feeds), feeds[ids.name]
    assert not isinstance(beginning, tuple), "tokens lie in a tensor"
    text = beginning.reshape(-1).tolist()
    generated: list[Token] = []
    ends = vocabulary.ends if vocabulary is not None else frozenset[int]()
    for _ in range(min(most, MOST)):
        answer = predict(given)
        token = _next(answer, vocabulary)
        generated.append(token)
        text.append(token.number)
        tell(token)
        if token.number in ends:
            break
        if len(generated) < most:
            given = _onwards(given, inputs, ids, text, steps.fed_back(answer, memory))
    numbers = [token.number for token in generated]
    written = (
        vocabulary.text(numbers) if vocabulary is not None else " ".join(map(str, numbers))
    )
    return Generated(
        tuple(generated), written, numbers[-1:] != [] and numbers[-1] in ends, bool(memory)
    )


def _next(answer: Prediction, vocabulary: Vocabulary | None) -> Token:
    scores = _scores(answer.outputs)
    if scores is None:
        why = "no output has a score for each token at each position"
        raise BadInput(_FIRST, why, "Text generation needs an output named logits.")
    row = scores[0, -1].astype(np.float64)
    number = int(np.nanargmax(row))
    share = 1 / float(np.nansum(np.exp(row - row[number])))
    piece = vocabulary.text([number], whole=True) if vocabulary is not None else str(number)
    return Token(number, piece, share, answer.prediction_ns)


def _onwards(
    given: Mapping[str, Fed],
    inputs: Sequence[TensorInfo],
    ids: TensorInfo,
    text: Sequence[int],
    memory: Mapping[str, Tensor],
) -> dict[str, Fed]:
    """Return the feeds for the next token: it alone beside a memory, else the whole text."""
    row = text[-1:] if memory else text
    by_name = {info.name: info for info in inputs}
    new = {**given, **memory}
    for name, array in given.items():
        info, called = by_name[name], name.lower()
        if name in memory or isinstance(array, tuple) or array.ndim == 0:
            continue
        if info is ids:
            new[name] = _row(row, array, info)
            continue
        if "mask" in called and array.ndim == 2:
            new[name] = _row([1] * len(text), array, info)
        elif default_values.value(info, inputs, {})[0] == "range":
            places = range(len(text) - len(row), len(text))
            new[name] = _row(list(places), array, info)
        elif "token_type" in called or "segment" in called:
            new[name] = _row([0] * len(row), array, info)
        elif called == "use_cache_branch":
            new[name] = np.ones_like(array)
    return new


def _row(values: Sequence[int], before: Tensor, info: TensorInfo) -> Tensor:
    """Return a row in the rank that the tensor had before. Raises BadInput: its length is
    fixed."""
    length = (info.shape or (None,))[-1]
    if isinstance(length, int) and length != len(values):
        why = f"its input {units.clip(info.name, 60)} takes exactly {length:,} tokens"
        raise BadInput(
            _FIRST, why, "Only models with a dynamic sequence length can continue a prompt."
        )
    shape = (1,) * (before.ndim - 1) + (len(values),)
    return np.array(values, numpy_type(info.dtype)).reshape(shape)


def _ids(inputs: Sequence[TensorInfo]) -> TensorInfo | None:
    return next((info for info in inputs if tokens.takes_tokens(info)), None)


def _scores(outputs: Sequence[OutputValue]) -> Tensor | None:
    """(batch, places, tokens), the output called logits before others."""
    fitting = [
        output.array
        for output in sorted(outputs, key=lambda output: "logits" not in output.name.lower())
        if output.array is not None
        and output.array.ndim == 3
        and output.array.dtype.kind == "f"
    ]
    return next((array for array in fitting if array.size and array.shape[2] > 1), None)
