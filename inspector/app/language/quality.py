"""How well a language model predicts a text, alone or beside the one that it was made from."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec import Struct, structs

from inspector.analysis.language.quality import Scores
from inspector.analysis.verdicts import language as verdicts
from inspector.backends.values import ComparisonRun
from inspector.engine.client.engine import Engine
from inspector.engine.requests import ScoreTokens
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.formats.folders.reading import folder_around, model_name
from inspector.model.model import Model
from inspector.platform import files
from inspector.preview.inputs.tokens import Tokenizer, TokenizerSource, tokenizer_of
from inspector.preview.language.decoders import why_no_text
from inspector.preview.language.text_files import read_text
from inspector.report.language.quality import Quality, QualityLevel
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from inspector.sandbox.decoding.channel import Request
from inspector.units import clip, plural

WINDOW = 256  # tokens: logits of two models with 150,000 entries take 300 MB
TOKENS = 8_192  # told a 4-bit model's perplexity to 1% in trials
MIN_TOKENS = 2_048  # before an interval is trusted enough to stop
_LEAST_WINDOW = 2
# Where both are reached, more tokens would not change what is said.
_RATIO_HALF_WIDTH = 0.01  # of the ratio of perplexities
_DIVERGENCE_HALF_WIDTH = 0.1  # of the divergence itself
_TOKENS_AT_ONCE = 1_024  # in one request: progress, and the chance to stop
_GOLDEN = 0.6180339887498949  # of a step through windows that spreads the first ones evenly
_CHANGE_TOKENS = 4_096  # that tell a good change from a bad one, in seconds

# The text that comes with Inspector: a chapter of Alice's Adventures in Wonderland, 1865, which
# the sample model was not made from.
_SHIPPED = ("alice", "held_out.txt")

Share = Callable[[str, float], None]


class LanguageModel(Struct, frozen=True):
    """A language model to score: the file of its decoder, how it is run, and its tokenizer."""

    path: Path
    tokenizer: TokenizerSource | None
    spec: RunSpec = DEFAULT_SPEC
    name: str = ""

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.name or self.path.name


class TextSettings(Struct, frozen=True):
    """A text and how much of it is scored.

    name: of the text, for people. window: tokens that the model sees at once. stride: of each
    window, the last so many count; 0: all of them. tokens: at most so many are scored; fewer
    where intervals are narrow enough before, unless `whole`, by which results of several models
    are of the same tokens.
    """

    text: str
    name: str
    window: int = WINDOW
    stride: int = 0
    tokens: int = TOKENS
    whole: bool = False

    @classmethod
    def of(cls, path: Path | None, **settings: Any) -> "TextSettings":
        """Return those of a file, or of the text that comes with Inspector.

        Raises UnreadableFile, BadInput.
        """
        place = path or shipped_text()
        return cls(read_text(place), place.name, **settings)

    @property
    def counted(self) -> int:
        """How many predictions of a window count."""
        return min(self.stride or self.window, self.window)


class ScoredText(Struct, frozen=True):
    """A text that a language model and what is made of it are scored with."""

    settings: TextSettings
    tokenizer: TokenizerSource


class Windows(Struct, frozen=True):
    """Windows of a text: each begins with a token that is only seen.

    whole: those of which all predictions count, the first one; the others follow it.
    begin: whether each begins with the token that begins a text. text_tokens: of the text.
    """

    windows: tuple[tuple[int, ...], ...]
    counted: int
    begin: bool
    text_tokens: int


def text_for(
    path: Path,
    model: Model,
    tokenizer: TokenizerSource | None,
    file: Path | None = None,
    whole: bool = False,
) -> ScoredText | None:
    """Return the text that changes of a model are judged by; None where it is no language
    model, or has no tokenizer.

    file: with the text; else the one that comes with Inspector. whole: as of `TextSettings`.
    Raises UnreadableFile; BadInput: a file is given, and the model cannot be scored with it.
    """
    fits = tokenizer is not None and not why_no_text(model)
    if file is not None and not fits:
        what = f"Could not score a text with {clip(model_name(path))}"
        why = "it is no language model with a tokenizer.json next to it"
        raise BadInput(what, why, "Omit --text, or give the tokenizer with --tokenizer.")
    if not fits or tokenizer is None:
        return None
    if file is None and not files.is_file(shipped_text()):
        return None
    return ScoredText(TextSettings.of(file, tokens=_CHANGE_TOKENS, whole=whole), tokenizer)


def shipped_text() -> Path:
    """Return the text that comes with Inspector."""
    return files.sample_folder().joinpath(*_SHIPPED)


def language_models(
    paths: Sequence[Path], specs: Sequence[RunSpec], tokenizer: Path | None = None
) -> tuple[LanguageModel, ...]:
    """Return language models by their files, with tokenizers and names that tell them apart.

    tokenizer: of all, where it is given. Raises UnreadableFile; BadInput: one writes no text.
    """
    names = list(map(_name, paths))
    if len({*names}) < len(names):
        names = [f"{path.absolute().parent.name}/{path.name}" for path in paths]
    return tuple(map(partial(_language_model, tokenizer), paths, specs, names))


def _language_model(
    tokenizer: Path | None, path: Path, spec: RunSpec, name: str
) -> LanguageModel:
    model = opening.open_model(path)
    why = why_no_text(model)
    if why:
        hint = "Name the folder of a language model, or its decoder."
        raise BadInput(f"Could not score a text with {clip(name)}", why, hint)
    return LanguageModel(path.absolute(), tokenizer or tokenizer_of(path, model), spec, name)


def _name(path: Path) -> str:
    """Return the name of a folder whose one graph a file is, else that of the file."""
    folder = folder_around(path)
    if folder is None or len([part for part in folder.parts if part.role != "weights"]) > 1:
        return path.name
    return folder.path.absolute().name


def measure_quality(
    engine: Engine,
    model: LanguageModel,
    settings: TextSettings,
    other: LanguageModel | None = None,
    share: Share = lambda _, __: None,
) -> Iterator[Quality]:
    """Yield what is known after some tokens, and in the end of all.

    Windows are taken from all over the text, so that the first ones already stand for it.
    Raises BadInput: no tokenizer, a text that is too short, or models with different
    vocabularies; InspectorError.
    """
    began = perf_counter()
    windows = windows_of(model, settings, other)
    every = spread_windows(windows)[: ceil(settings.tokens / windows.counted)]
    at_once = max(1, _TOKENS_AT_ONCE // windows.counted)
    scores = Scores()
    quality = Quality(
        model.title, settings.name, 0, windows.text_tokens, settings.window,
        windows.counted, None, other.title if other is not None else "", windows.begin,
    )  # fmt: skip
    for at in range(0, len(every), at_once):
        share("score", at / len(every))
        asked = ScoreTokens(
            model.path, model.spec, every[at : at + at_once], windows.counted,
            None if other is None else against(other),
        )  # fmt: skip
        scores.add(engine.call(asked))
        quality = _known(quality, scores, perf_counter() - began)
        yield quality
        if other is not None and not settings.whole and _is_precise(quality):
            break
    if not scores.count and not scores.other_not_finite:
        what = f"Could not score the text with {clip(model.title)}"
        why = "all of its logits are NaN or infinite"
        raise BadInput(what, why, "Run it with `layers` to see where the first NaN comes from.")


def against(other: LanguageModel) -> ComparisonRun:
    """Return a model as the second one of a request."""
    return ComparisonRun(other.spec, str(other.path))


def _known(quality: Quality, scores: Scores, seconds: float) -> Quality:
    ratio, divergence = scores.ratio, scores.divergence
    level = None
    if quality.against:
        level = verdicts.level_of(ratio, divergence, scores.other_not_finite)
    known = structs.replace(
        quality,
        tokens=scores.count,
        perplexity=scores.perplexity,
        other=scores.other_perplexity,
        ratio=ratio,
        divergence=divergence,
        divergence_p99=scores.divergence_p99,
        same_top=scores.top_agreement,
        not_finite=scores.not_finite,
        other_not_finite=scores.other_not_finite,
        level=level,
        seconds=seconds,
    )
    return structs.replace(known, verdict=verdicts.sentence(known))


def _is_precise(quality: Quality) -> bool:
    """Return whether more tokens of two models are not worth their time."""
    ratio, divergence = quality.ratio, quality.divergence
    if quality.tokens < MIN_TOKENS or ratio is None or divergence is None:
        return False
    return (
        quality.level is not QualityLevel.UNDECIDED
        and verdicts.is_decided(ratio, divergence)
        and ratio.half_width <= _RATIO_HALF_WIDTH * ratio.value
        and divergence.half_width <= _DIVERGENCE_HALF_WIDTH * divergence.value
    )


def windows_of(
    model: LanguageModel, settings: TextSettings, other: LanguageModel | None = None
) -> Windows:
    """Cut a text into windows of tokens.

    A token that the tokenizer puts in front of every text stands in front of each window.
    Raises BadInput: see `measure_quality`.
    """
    what = f"Could not score the text with {clip(model.title)}"
    begin, ids = _tokens(model, settings.text, what)
    if other is not None and other.tokenizer not in (None, model.tokenizer):
        theirs = _tokens(other, settings.text, what)
        if theirs != (begin, ids):
            raise BadInput(
                what,
                f"{clip(other.title)} has another tokenizer: the text is "
                f"{plural(len(ids), 'token')} here and {len(theirs[1]):,} there",
                "Compare models that were made from the same one.",
            )
    if not settings.window >= _LEAST_WINDOW or settings.counted < 1:
        hint = "Use a --text-window of 2 or more, and a --text-stride of 1 or more."
        raise BadInput(what, f"a window of {settings.window} tokens is too short", hint)
    lead = begin[-1:] or ids[:1]  # without a token that begins a text, its first is only seen
    rest = ids if begin else ids[1:]
    size, step = settings.window, settings.counted
    windows = list[tuple[int, ...]]()
    for start in range(0, len(rest) - size + 1, step):
        before = lead if begin or not start else rest[start - 1 : start]
        windows.append((*before, *rest[start : start + size]))
    if not windows:
        why = f"the text has {plural(len(ids), 'token')}, and a window {settings.window:,}"
        raise BadInput(what, why, "Use a longer text, or a shorter --text-window.")
    return Windows(tuple(windows), step, bool(begin), len(ids))


def _tokens(
    model: LanguageModel, text: str, what: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the tokens in front of every text, and those of this text without them, and
    without those that end it. Raises BadInput."""
    if model.tokenizer is None:
        hint = "Put the model's tokenizer.json next to it, or give it with --tokenizer."
        raise BadInput(what, f"there is no tokenizer.json next to {clip(model.title)}", hint)
    tokenizer = Tokenizer(model.tokenizer)
    ids, marks = (
        tokenizer.ask(Request("encode", text=each)).rows["ids"] for each in (text, "")
    )
    begin = next(n for n in range(len(marks), -1, -1) if ids[:n] == marks[:n])
    end = len(marks) - begin
    if end and ids[-end:] == marks[begin:]:
        ids = ids[:-end]
    return marks[:begin], ids[begin:]


def spread_windows(windows: Windows) -> tuple[tuple[int, ...], ...]:
    """Return windows in an order of which each beginning is from all over the text."""
    numbers = range(len(windows.windows))
    order = sorted(numbers, key=lambda number: (number * _GOLDEN) % 1.0)
    return tuple(windows.windows[number] for number in order)
