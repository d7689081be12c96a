"""Language models held against a text, and against each other on it, in every way at once."""

from collections.abc import Iterator

from inspector.app.language.agreement import with_agreement
from inspector.app.language.differing_parts import rank_parts
from inspector.app.language.quality import (
    LanguageModel,
    Share,
    TextSettings,
    measure_quality,
)
from inspector.engine.client.engine import Engine
from inspector.report.language.quality import Quality


def measure_on_text(
    engine: Engine,
    model: LanguageModel,
    settings: TextSettings,
    other: LanguageModel | None = None,
    sensitivity: bool = False,
    share: Share = lambda _, __: None,
) -> Iterator[Quality]:
    """Yield what is known of a model's predictions so far, and in the end all of it.

    other: one that is compared with it, also by how long both write the same text.
    sensitivity: whether its blocks and layers are ranked by what each does to the first one.
    share: hears what is done, and how much of it. Raises BadInput, InspectorError; Cancelled.
    """
    for quality in measure_quality(engine, model, settings, other, share):
        yield quality
    if other is None:
        return
    quality = with_agreement(engine, quality, (model, other), settings, share)
    yield quality
    if sensitivity:
        yield from rank_parts(engine, quality, (model, other), settings, share)
