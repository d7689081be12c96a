"""Text that a model wrote on from a prompt among its inputs."""

from collections.abc import Sequence

from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.data_struct import DataStruct
from inspector.preview.inputs import tokens

MOST = 10_000  # tokens that can be asked for


class Token(DataStruct, frozen=True):
    """A token that was added: its number, its text, its probability, and the time since the
    token before, of the first one since generation began."""

    number: int
    text: str
    probability: float
    prediction_ns: int


class Generated(DataStruct, frozen=True):
    """The generated tokens.

    ended: the model ended the text. cached: earlier tokens came from the key-value cache
    instead of being computed again. Further fields as in
    `inspector.report.language.generation.Generation`; tokens_per_second: without the first
    token and the first step after it, None for fewer than three tokens. language: that a model
    of speech found to be spoken, such as "en".
    """

    tokens: tuple[Token, ...]
    text: str
    ended: bool
    cached: bool
    stop: str = ""
    prompt_tokens: int = 0
    prefill_ns: int = 0
    first_token_ns: int = 0
    tokens_per_second: float | None = None
    cache: str = ""
    encode_ns: int = 0
    language: str = ""


def writes(inputs: Sequence[TensorInfo], outputs: Sequence[OutputValue]) -> bool:
    """Return whether a model takes tokens and gave scores for the next one."""
    return any(map(tokens.takes_tokens, inputs)) and _scores(outputs) is not None


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
