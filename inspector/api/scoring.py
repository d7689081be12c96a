"""How well a language model predicts a text, alone or beside another one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.api.models import ModelOrPath, open_model
from inspector.api.one_line import OneLine
from inspector.api.python_words import says_parameters
from inspector.api.running import OnProgress, engine_of, spec_of
from inspector.app.language.quality import (
    TOKENS,
    WINDOW,
    TextSettings,
    language_models,
)
from inspector.app.language.text_comparison import measure_on_text
from inspector.errors import BadInput
from inspector.pages.language.quality import quality_page
from inspector.render.markdown import markdown
from inspector.report.language.quality import Quality
from inspector.wording import stored

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, repr=False)
class TextQuality(OneLine):
    """How one language model, or two, predict a text.

    tokens: how many were scored. perplexity: of the model; ratio: that of the other model
    divided by it. divergence: mean Kullback-Leibler divergence of the other model's
    probabilities from the model's, in nats. Those of one model alone are None. intervals: 95%,
    by these names. level: "good", "degraded", "broken" or "undecided", and its sentence
    verdict; "" for one model alone. parts: blocks and layers of the other model with the
    divergence that each alone causes, the worst first; None where it makes logits NaN.
    """

    tokens: int
    perplexity: float | None
    ratio: float | None
    divergence: float | None
    intervals: dict[str, Interval]
    level: str
    verdict: str
    parts: tuple[tuple[str, float | None], ...]
    quality: Quality = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        alone = f"perplexity {self.perplexity} on {self.tokens:,} tokens"
        return self.verdict or alone

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as `inspector parity --text --json` prints it."""
        body: dict[str, Any] = json.loads(stored.json_text(self.quality))
        return body

    def _repr_markdown_(self) -> str:
        return markdown(quality_page(self.quality)).decode()


@says_parameters
def score_text(
    model: ModelOrPath,
    text: str | Path | None = None,
    *,
    against: ModelOrPath | None = None,
    sensitivity: bool = False,
    window: int = WINDOW,
    stride: int = 0,
    tokens: int = TOKENS,
    tokenizer: str | Path | None = None,
    device: str = "cpu",
    time_limit: float | None = None,
    progress: OnProgress | None = None,
) -> TextQuality:
    """Score how well a language model predicts a text, token by token.

    model: the folder of a language model, or its decoder with a tokenizer.json beside it. text:
    a file in UTF-8; by default one that comes with Inspector. against: another version of the
    model, such as one in 4 bits, that is compared on the same tokens; sensitivity: also rank
    its blocks and layers. window: tokens that the model sees at once; stride: of each window,
    the last so many count, by default all. tokens: at most so many are scored; fewer where
    the intervals are narrow enough before. Raises InspectorError.
    """
    if sensitivity and against is None:
        what, why = "Could not rank layers", "that exchanges the layers of two models"
        raise BadInput(what, why, "Pass against=MODEL.")
    opened = [open_model(each) for each in (model, against) if each is not None]
    settings = TextSettings.of(
        None if text is None else Path(text), window=window, stride=stride, tokens=tokens
    )
    own = None if tokenizer is None else Path(tokenizer)
    paths, specs = [each.path for each in opened], [spec_of(device)] * len(opened)
    first, *others = language_models(paths, specs, own)
    second = next(iter(others), None)
    with engine_of(progress, time_limit) as engine:
        *_, quality = measure_on_text(engine, first, settings, second, sensitivity)
    return _text_quality(quality)


def _text_quality(quality: Quality) -> TextQuality:
    estimates = {
        "perplexity": quality.perplexity,
        "ratio": quality.ratio,
        "divergence": quality.divergence,
    }
    known = {name: each for name, each in estimates.items() if each is not None}
    values = {name: each.value for name, each in known.items()}
    return TextQuality(
        quality.tokens,
        values.get("perplexity"),
        values.get("ratio"),
        values.get("divergence"),
        {name: (each.low, each.high) for name, each in known.items()},
        "" if quality.level is None else quality.level.value,
        quality.verdict,
        tuple((part.name, part.divergence) for part in quality.parts),
        quality,
    )
