"""How well a language model predicts a text, alone or beside another one made from it."""

from enum import StrEnum

import msgspec

SCHEMA = "quality/1"


class TokenScores(msgspec.Struct, frozen=True):
    """How one model, or two, predict the tokens of some windows of a text.

    losses: -ln of the probability that the model gives each token, in reading order.
    other_losses: of the other model. divergences: of each token, the Kullback-Leibler
    divergence of the other model's distribution from the first one's, in nats. same_top:
    whether both hold the same token for the most probable one. not_finite, other_not_finite:
    places whose logits are NaN or infinite, which the others leave out. load_ns: of models.
    counts: of each window, how many tokens of it are there.
    """

    losses: tuple[float, ...]
    other_losses: tuple[float, ...] = ()
    divergences: tuple[float, ...] = ()
    same_top: tuple[bool, ...] = ()
    not_finite: int = 0
    other_not_finite: int = 0
    load_ns: int = 0
    counts: tuple[int, ...] = ()


class Estimate(msgspec.Struct, frozen=True):
    """A number and its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


class QualityLevel(StrEnum):
    """Whether a model may replace the one that it was made from."""

    GOOD = "good"
    DEGRADED = "degraded"
    BROKEN = "broken"
    UNDECIDED = "undecided"


class PartQuality(msgspec.Struct, frozen=True):
    """What a part of the other model does to the first one, with all else as it was.

    name: a block, such as "model.layers.3", or a layer. layers: how many may differ in it.
    divergence: mean Kullback-Leibler divergence in nats; None where logits are not finite with
    it. ratio: of perplexities. within: the block that a layer lies in; "" of a block.
    """

    name: str
    layers: int
    divergence: float | None
    ratio: float | None
    within: str = ""


class ConditionOutcome(msgspec.Struct, frozen=True):
    """A condition of a CI job, whether it "holds", "does not hold" or is "undecided", and the
    numbers behind that in words."""

    text: str
    outcome: str
    words: str


class Quality(msgspec.Struct, frozen=True):
    """Quality of a language model on a text, which it predicts token by token.

    model, against: names of the models; `against` is "" for one alone. text: name of the text.
    tokens: how many were scored, of text_tokens. window: tokens that a model sees at once, with
    an empty cache. stride: tokens at the end of each window that count. begin: whether each
    window begins with the token that begins a text. divergence: in nats. divergence_p99:
    exceeded by 1% of tokens. same_top: share of tokens. agreement: of each prompt that both
    continue greedily, tokens until the first difference, of agreement_most. level, and its
    sentence verdict: None and "" for one model alone. parts: worst first. seconds: it took.
    conditions: those of `--fail-if`.
    """

    model: str
    text: str
    tokens: int
    text_tokens: int
    window: int
    stride: int
    perplexity: Estimate | None
    against: str = ""
    begin: bool = False
    other: Estimate | None = None
    ratio: Estimate | None = None
    divergence: Estimate | None = None
    divergence_p99: float | None = None
    same_top: Estimate | None = None
    agreement: tuple[int, ...] = ()
    agreement_most: int = 0
    not_finite: int = 0
    other_not_finite: int = 0
    level: QualityLevel | None = None
    verdict: str = ""
    parts: tuple[PartQuality, ...] = ()
    parts_total: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    conditions: tuple[ConditionOutcome, ...] = ()
    schema: str = SCHEMA
