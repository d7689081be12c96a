"""Which models generate text: one answer for chats, measurements, scores of texts and code."""

from inspector.model.model import Model, TensorInfo
from inspector.preview.families.family_table import recognize
from inspector.preview.inputs.model_states import states
from inspector.preview.inputs.tokens import takes_tokens

_LOGITS_RANK = 3  # (batch, tokens, vocabulary)
# Parts of the names of inputs that an encoder fills.
_ENCODER_OUTPUTS = ("encoder_hidden_states", "encoder_outputs", "cross", ".encoder.")
_EMBEDDINGS = "inputs_embeds"
# Families that score each token from those before and after it.
_SEE_AHEAD = {
    "bert-mask": "it fills in masked words, and does not continue a text",
    "bert-tags": "it classifies the words of a text, and does not continue it",
}


def why_no_text(model: Model, encoded: bool = False) -> str:
    """Return why a model generates no text from tokens alone; "" where it does.

    encoded: whether its encoder is there, too.
    """
    inputs = {info.name.lower(): info for info in model.inputs}
    if not encoded and any(part in name for name in inputs for part in _ENCODER_OUTPUTS):
        return "its decoder needs the output of an encoder"
    if not any(map(takes_tokens, model.inputs)):
        if any(_EMBEDDINGS in name for name in inputs):
            return "its decoder takes embeddings, and no token IDs"
        return "no input takes token IDs"
    if not any(map(_has_scores, model.outputs)):
        return "no output has a score for each token at each position"
    family = None if remembers(model) else recognize(model)
    return "" if family is None else _SEE_AHEAD.get(family.key, "")


def remembers(model: Model) -> bool:
    """Return whether a model takes back what it returns, such as keys and values of tokens."""
    return bool(states(model.inputs, model.outputs))


def _has_scores(info: TensorInfo) -> bool:
    rank = _LOGITS_RANK if info.shape is None else len(info.shape)
    return "logits" in info.name.lower() and rank == _LOGITS_RANK
