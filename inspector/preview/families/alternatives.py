"""Other usual preprocessing, tried unasked where a guessed one gives NaN or a flat answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.families import family_answers
from inspector.preview.families.audio_features import FULL_SCALE, WAVEFORM, Features
from inspector.preview.families.family_table import Family
from inspector.preview.inputs.audio_windows import Framing, Stepping
from inspector.preview.inputs.tokens import FILE, takes_tokens
from inspector.preview.preprocessing.image_retry import Retry

SLOW_RATE = 8_000  # samples per second of telephones, the other usual rate of speech models
# A sound of an hour in steps takes minutes: only shorter ones are answered several times.
MOST_STEPS = 4_000


def retry(
    model: Model,
    family: Family | None,
    prediction: Prediction,
    stepping: Stepping,
    sounds: Sequence[str],
    predict: Callable[[Stepping], Prediction],
) -> Retry[Stepping] | None:
    """Try the usual alternatives where the answer to a guessed preprocessing says nothing.

    sounds: inputs that were given a sound whose preprocessing was guessed. predict: fills the
    inputs in another way and predicts. Returns None where the answer says something, or there
    is nothing to try.
    """
    why = flat(family, prediction.outputs, model)
    if not why or not sounds:
        return None
    tried = []
    for text, other in audio_alternatives(stepping, sounds):
        tried.append(text)
        try:
            answer = predict(other)
        except Cancelled:
            raise
        except InspectorError:
            continue  # such as a length that the model refuses at the other rate
        if not flat(family, answer.outputs, model):
            summary = f"the guessed preprocessing gave {why}; {text} gives a result"
            return Retry(other, answer, f"{summary}, and is shown instead")
    if not tried:
        return None
    listed = ", ".join(tried)
    return Retry(None, None, f"the result is {why}; tried without success: {listed}")


def flat(family: Family | None, outputs: Sequence[OutputValue], model: Model) -> str:
    """Return the reason why a result is meaningless (NaN, one value, only blanks), or ""."""
    if family is None:
        return family_answers.flat(outputs)
    return family_answers.read(family, outputs, rate=sound_rate(model)).flat


def audio_alternatives(stepping: Stepping, sounds: Sequence[str]) -> list[tuple[str, Stepping]]:
    """Return the other usual ways to prepare a sound, with words: rate, level,
    normalization."""
    alternatives: list[tuple[str, Stepping]] = []
    for name in sounds:
        framing, features = stepping.framings.get(name), stepping.features.get(name)
        if framing is not None and framing.transform == "samples":
            for text, cut in _framings(framing):
                framings = {**stepping.framings, name: cut}
                alternatives.append((text, replace(stepping, framings=framings)))
        elif features is not None:
            for text, made in _features(features):
                others: Mapping[str, Features] = {**stepping.features, name: made}
                alternatives.append((text, replace(stepping, features=others)))
    return alternatives


def _framings(framing: Framing) -> list[tuple[str, Framing]]:
    framings = []
    level = f"samples × {FULL_SCALE:,.0f}"
    if framing.scale == 1:
        framings.append((level, replace(framing, scale=FULL_SCALE)))
    if framing.rate != SLOW_RATE:
        slow = replace(framing, rate=SLOW_RATE)
        framings.append((f"{SLOW_RATE:,} Hz", slow))
        half = (framing.window // 2, framing.hop // 2, framing.context // 2)
        if framing.context and min(half) > 0:  # as Silero VAD hears 8 kHz
            window, hop, context = half
            short = replace(slow, window=window, hop=hop, context=context)
            framings.append((f"{SLOW_RATE:,} Hz with windows of {window:,}", short))
    return framings


def _features(features: Features) -> list[tuple[str, Features]]:
    alternatives = []
    if features.kind == WAVEFORM:
        text = "unscaled samples" if features.normalized else "mean 0 and variance 1"
        alternatives.append((text, replace(features, normalized=not features.normalized)))
        full = replace(features, normalized=False, scale=FULL_SCALE)
        alternatives.append((f"samples × {FULL_SCALE:,.0f}", full))
    else:
        text = "without" if features.normalized else "with"
        turned = replace(features, normalized=not features.normalized)
        alternatives.append((f"{text} the mean over time subtracted", turned))
    if features.rate != SLOW_RATE and features.kind != "log-mel":
        alternatives.append((f"{SLOW_RATE:,} Hz", replace(features, rate=SLOW_RATE)))
    return alternatives


def missing_tokenizer_note(model: Model, given: Sequence[str], has_tokenizer: bool) -> str:
    """Return a note if tokens are zeros for lack of a tokenizer; else empty.

    given: names of the inputs that somebody filled. has_tokenizer: there is a tokenizer.
    """
    tokens = [info.name for info in model.inputs if takes_tokens(info)]
    if not tokens or has_tokenizer or any(name in given for name in tokens):
        return ""
    return (
        f"{', '.join(tokens[:3])} is filled with zeros because no text was given: put the "
        f"model's {FILE} next to it and use text:TEXT, or token IDs in an .npy file"
    )


def sound_rate(model: Model) -> int:
    """Samples per second of the sound that a model writes, 0 where its metadata do not say."""
    metadata = dict(model.metadata)
    value = metadata.get("sample_rate", metadata.get("sampling_rate", ""))
    return int(value) if value.isdecimal() and len(value) < 8 else 0
