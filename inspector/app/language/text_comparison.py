"""Language models held against a text, and against each other on it, in every way at once."""

from collections.abc import Callable, Iterator

from msgspec import structs

from inspector.app.language.differing_parts import rank_parts
from inspector.app.language.quality import (
    LanguageModel,
    Share,
    TextSettings,
    measure_quality,
    spread_windows,
    windows_of,
)
from inspector.engine.client.engine import Engine
from inspector.engine.requests import Generate
from inspector.errors import Cancelled, InspectorError
from inspector.report.language.quality import Quality

PROMPTS = 4  # each takes as many steps as an answer
PROMPT_TOKENS = 32
MOST_TOKENS = 64  # of each answer


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


def with_agreement(
    engine: Engine,
    quality: Quality,
    models: tuple[LanguageModel, LanguageModel],
    settings: TextSettings,
    share: Callable[[str, float], None] = lambda _, __: None,
) -> Quality:
    """Return a comparison with the tokens until two greedy continuations first differ.

    That tells of a difference, not of its size: two tokens of nearly equal probability decide.
    Where a model cannot generate, a note says why. Raises Cancelled.
    """
    windows = spread_windows(windows_of(models[0], settings, models[1]))[:PROMPTS]
    prompts = [window[: min(PROMPT_TOKENS, len(window))] for window in windows]

    def answers(number: int, model: LanguageModel) -> Iterator[tuple[int, ...]]:
        for place, prompt in enumerate(prompts):
            share("generate", (number * len(prompts) + place) / (2 * len(prompts)))
            asked = Generate(
                model.path, model.spec, prompt, max_tokens=MOST_TOKENS, alternatives=0
            )
            yield tuple(token.id for token in engine.call(asked).tokens)

    try:
        first, second = (list(answers(n, model)) for n, model in enumerate(models))
    except Cancelled:
        raise
    except InspectorError as error:
        note = f"Greedy texts were not compared: {error.why or error.what}."
        return structs.replace(quality, notes=(*quality.notes, note))
    lengths = (_equal_tokens(one, two) for one, two in zip(first, second, strict=True))
    return structs.replace(quality, agreement=tuple(lengths), agreement_most=MOST_TOKENS)


def _equal_tokens(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    """Return how many tokens at the beginning of two texts are the same."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(two)))
