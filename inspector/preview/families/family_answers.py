"""The outputs of a family read as its authors do: text, spans, speech, vectors, labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector import units
from inspector.model.tensors.element_types import Fed, Tensor
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.plugins import Plugin
from inspector.preview.families import family_table, piano_notes
from inspector.preview.families.family_table import Family
from inspector.preview.families.piano_notes import Meaning
from inspector.preview.inputs.audio_windows import ONCE, Pace
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.outputs import audio_outputs
from inspector.preview.outputs.time_series import rows_over_time
from inspector.preview.outputs.token_outputs import collapsed
from inspector.wording import class_scores as written
from inspector.wording.values import Count, Joined, Real, Sentence, Share

# The letters of facebook/wav2vec2-base-960h (its vocab.json), which most English fine-tunings
# of wav2vec 2.0, HuBERT and data2vec keep.
WAV2VEC2_LETTERS = ("<pad>", "<s>", "</s>", "<unk>", "|", *"ETAONIHSRDLUMWCFGYPBVK'XJQZ")
LETTERS_WORDS = "the letters of facebook/wav2vec2-base-960h"
# Of silero-vad's get_speech_timestamps: the probability from which speech begins and the one
# below which it ends, the shortest silence that ends it, and the shortest speech.
SPEECH = 0.5
SPEECH_ENDS = 0.35
SILENCE_SECONDS = 0.1
SPEECH_SECONDS = 0.25
MOST_SPANS = 40  # of speech, listed in words
MOST_SPAN = 30  # tokens of an answer, max_answer_len is 15 words in transformers' pipeline
TOP = 5
MOST_ROWS = 8
MOST_LISTED = 12
_MASK_NAMES = ("[MASK]", "<mask>")
_NEAR_ONE = 0.02  # how far from 1 the sum of rounded probabilities may be
_SILENT = 0.1  # of speech probability: a sound without any speech at all, or a wrong rate
_SPECIAL = frozenset(("<pad>", "<s>", "</s>", "<unk>", "[PAD]", "[UNK]"))
Numbers = NDArray[np.float64]


class FamilyAnswer(Struct, frozen=True):
    """The decoded outputs of a model of a recognized family.

    lines: for people. values: for --json, all plain. assumed: what was assumed to read it.
    meanings: what outputs hold, by name, where the family says it.
    flat: why the answer says nothing ("only blanks"), else empty.
    """

    family: Family
    lines: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    flat: str = ""
    meanings: Mapping[str, Meaning] = field(default_factory=dict)


@dataclass(frozen=True)
class _Context:
    """All that a reader looks at: outputs by lower-case name, what the inputs got, names."""

    outputs: Mapping[str, OutputValue]
    feeds: Mapping[str, Tensor]
    vocabulary: Vocabulary | None
    labels: Sequence[str]
    rate: int
    pace: Pace = ONCE

    @property
    def first(self) -> OutputValue | None:
        return next(iter(self.outputs.values()), None)

    def array(self, *names: str, rank: int = 0) -> Numbers | None:
        """Return the first output of one of these names, else of this rank, as float64."""
        for name in names:
            value = self.outputs.get(name)
            if value is not None and value.array is not None:
                return value.array.astype(np.float64)
        for output in self.outputs.values():
            array = output.array
            plain = array is not None and array.dtype.kind not in "OUiub"
            if array is not None and plain and array.ndim == rank:
                return array.astype(np.float64)
        return None

    @property
    def ids(self) -> list[int]:
        """Return the tokens of the first row."""
        for name in ("input_ids", "decoder_input_ids", "tokens", "token_ids", "ids"):
            if name in self.feeds and self.feeds[name].size:
                return [int(n) for n in np.atleast_2d(self.feeds[name])[0]]
        return []

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Return which tokens of the first row are no filling."""
        for name in ("attention_mask", "input_mask"):
            if name in self.feeds and self.feeds[name].size:
                attention: NDArray[np.bool_] = np.atleast_2d(self.feeds[name])[0] != 0
                return attention
        return np.ones(len(self.ids), bool)

    def text(self, numbers: Sequence[int]) -> str:
        """Return the text of tokens; their numbers where there is no vocabulary."""
        if self.vocabulary is None:
            return "tokens " + " ".join(map(str, numbers))
        return self.vocabulary.text(numbers)

    def label(self, number: int) -> str:
        """Return the name of a class, or its number."""
        named = self.labels[number] if number < len(self.labels) else ""
        return named or f"class {number}"


def read(
    family: Family,
    outputs: Sequence[OutputValue],
    feeds: Mapping[str, Fed] | None = None,
    vocabulary: Vocabulary | None = None,
    labels: Sequence[str] = (),
    rate: int = 0,
    pace: Pace = ONCE,
) -> FamilyAnswer:
    """Read the outputs of a model of a family.

    feeds: what its inputs got. vocabulary: of its tokenizer. labels: of its classes.
    rate: samples per second of the sound that it writes, 0 where the model does not say. pace:
    of the steps in which it heard a sound.
    """
    arrays = {
        name.lower(): value
        for name, value in (feeds or {}).items()
        if not isinstance(value, tuple)
    }
    named = {output.name.lower(): output for output in outputs}
    context = _Context(named, arrays, vocabulary, labels, rate, pace)
    assumed = (family.assumed,) if family.assumed else ()
    missing = _nothing(context)
    if missing:
        return FamilyAnswer(family, (), {}, assumed, missing)
    plugin = family_table.decoder_of(family.key)
    if plugin is not None:
        return _decoded(plugin, family, outputs, labels)
    reader = _READERS.get(family.key)
    result = reader(context) if reader is not None else None
    if result is None:
        return FamilyAnswer(family, assumed=assumed)
    lines, values, more, flat = result
    meanings = _piano_meanings(outputs) if family.key == "basic-pitch" else {}
    return FamilyAnswer(family, lines, values, (*assumed, *more), flat, meanings)


def _decoded(
    plugin: Plugin, family: Family, outputs: Sequence[OutputValue], labels: Sequence[str]
) -> FamilyAnswer:
    """Return what the decoder of a plugin makes of outputs, or the reason why it failed."""
    arrays = {each.name: each.array for each in outputs if each.array is not None}
    assumed = (family.assumed,) if family.assumed else ()

    def decode() -> FamilyAnswer:
        # Taken as a whole here: a generator would fail after the guard.
        lines, values = plugin.value.decode(arrays, labels)
        return FamilyAnswer(family, tuple(map(str, lines)), dict(values), assumed)

    answer = plugin.guard(decode, None)()
    if isinstance(answer, FamilyAnswer):
        return answer
    why = f"the plugin {plugin.name} of {plugin.distribution} {plugin.problem}"
    return FamilyAnswer(family, assumed=assumed, flat=why)


def flat(outputs: Sequence[OutputValue]) -> str:
    """Return the reason why outputs are meaningless: NaN, or one value everywhere; or ""."""
    return _nothing(_Context({o.name: o for o in outputs}, {}, None, (), 0))


_Found = tuple[tuple[str, ...], Mapping[str, Any], tuple[str, ...], str]


def _found(
    lines: Sequence[str], values: Mapping[str, Any], assumed: Sequence[str] = (), flat: str = ""
) -> _Found:
    return tuple(lines), values, tuple(assumed), flat


def _nothing(context: _Context) -> str:
    first = context.first
    array = first.array if first is not None else None
    if array is None or array.dtype.kind in "OUb" or not array.size:
        return ""
    finite = np.isfinite(array.astype(np.float64))
    if not finite.all():
        return "NaN" if np.isnan(array.astype(np.float64)).any() else "infinite"
    same = array.size > 1 and (array == array.reshape(-1)[0]).all()
    return "the same value everywhere" if same and array.dtype.kind == "f" else ""


def _softmax(scores: Numbers) -> Numbers:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _probable(scores: Numbers) -> Numbers:
    """Return scores as probabilities: themselves where they are, else their softmax."""
    within = scores.min() >= 0 and abs(scores.sum(axis=-1) - 1).max() < 0.02
    return scores if within else _softmax(scores)


def _letters(context: _Context) -> _Found | None:
    array = context.array("logits", rank=3)
    if array is None or array.ndim != 3:
        return None
    total, assumed = array.shape[2], []
    names = tuple(context.labels) if len(context.labels) == total else ()
    path = array[0].argmax(axis=1).tolist()
    if not names and context.vocabulary is None and total == len(WAV2VEC2_LETTERS):
        names = WAV2VEC2_LETTERS
        assumed.append(LETTERS_WORDS)
    blank = next((i for i, n in enumerate(names) if n in ("<pad>", "<blank>", "_")), 0)
    if context.vocabulary is not None and not names:
        blank = context.vocabulary.blank or 0
    numbers = collapsed(path, blank)
    if names:
        letters = (names[n] for n in numbers if names[n] not in _SPECIAL)
        text = "".join(" " if n in ("|", "▁") else n for n in letters)
    else:
        text = context.text(numbers)
    text = " ".join(text.split())
    flat = "" if numbers else "no letters, only blanks"
    steps = units.plural(len(path), "step")
    line = f'"{units.clip(text, 400)}"  most likely letter at each of {steps}'
    return _found((line,), {"text": text, "letters": numbers}, assumed, flat)


def _next(context: _Context) -> _Found | None:
    array = context.array("logits", rank=3)
    if array is None or array.ndim != 3:
        return None
    shares = _softmax(array[0, -1])
    best = np.argsort(-shares, kind="stable")[:TOP].tolist()
    listed = [{"token": n, "text": _piece(context, n), "probability": float(shares[n])}
              for n in best]  # fmt: skip
    lines = [f"next token {_shown(each)}" for each in listed]
    return _found(lines, {"next": listed})


def _piece(context: _Context, number: int) -> str:
    if context.vocabulary is None:
        return ""
    return context.vocabulary.text([number], whole=True)


def _shown(token: Mapping[str, Any]) -> str:
    text = f" {token['text']!r}" if token["text"] else ""
    return f"{token['token']}{text}  {written.share(token['probability'])}"


def _masked(context: _Context) -> _Found | None:
    array = context.array("logits", rank=3)
    if array is None or array.ndim != 3:
        return None
    marks = _mask_numbers(context)
    places = [p for p, n in enumerate(context.ids[: array.shape[1]]) if n in marks]
    if not places:
        return _found(("the text has no mask token, such as [MASK]",), {"masks": []})
    masks: list[dict[str, Any]] = []
    lines: list[str] = []
    for place in places[:MOST_LISTED]:
        shares = _softmax(array[0, place])
        best = np.argsort(-shares, kind="stable")[:TOP].tolist()
        listed = [{"token": n, "text": _piece(context, n), "probability": float(shares[n])}
                  for n in best]  # fmt: skip
        masks.append({"place": place, "top": listed})
        lines.append(f"mask at {place}: " + ", ".join(map(_shown, listed)))
    return _found(lines, {"masks": masks})


def _mask_numbers(context: _Context) -> frozenset[int]:
    """Return numbers of the mask: by the vocabulary, else of BERT (103) and RoBERTa (50264)."""
    if context.vocabulary is not None:
        numbers = context.vocabulary.numbers(_MASK_NAMES)
        return frozenset(n for n in numbers if n >= 0)
    return frozenset((103, 50_264, 250_001))


def _question(context: _Context) -> _Found | None:
    starts, ends = context.array("start_logits"), context.array("end_logits")
    if starts is None or ends is None or starts.ndim != 2 or starts.shape != ends.shape:
        return None
    begin, end = _softmax(starts[0]), _softmax(ends[0])
    length = len(begin)
    shared = np.triu(np.outer(begin, end)) - np.triu(np.outer(begin, end), MOST_SPAN)
    if length > 1:
        shared[0, :] = 0  # the first token stands for "no answer"
    place = int(shared.argmax())
    first, last = divmod(place, length)
    none = float(begin[0] * end[0])
    score = float(shared[first, last])
    ids = context.ids
    text = context.text(ids[first : last + 1]) if len(ids) >= length else ""
    line = f"tokens {first} to {last}: {units.clip(text, 200)}  {written.share(score)}"
    values = {"start": first, "end": last, "text": text, "score": score, "no_answer": none}
    lines = [line, f"no answer  {written.share(none)}"]
    return _found(lines, values)


def _tags(context: _Context) -> _Found | None:
    array = context.array("logits", rank=3)
    if array is None or array.ndim != 3:
        return None
    shares = _probable(array[0])
    mask = context.mask if len(context.mask) == len(shares) else np.ones(len(shares), bool)
    ids = context.ids
    tags: list[dict[str, Any]] = []
    lines: list[str] = []
    for place in np.flatnonzero(mask).tolist():
        number = int(shares[place].argmax())
        text = _piece(context, ids[place]) if place < len(ids) else ""
        tags.append({"place": place, "class": number, "label": context.label(number),
                     "probability": float(shares[place, number])})  # fmt: skip
        if len(lines) < MOST_LISTED:
            share = written.share(float(shares[place, number]))
            lines.append(f"token {place} {text}: {context.label(number)}  {share}")
    return _found(lines, {"tags": tags})


def _classes(context: _Context) -> _Found | None:
    array = context.array("logits", "probabilities", rank=2)
    if array is None or array.ndim != 2:
        return None
    if array.shape[1] == 1:  # one score, as of a cross-encoder
        score = float(array[0, 0])
        return _found((f"score {score:.4g}",), {"score": score})
    shares = _probable(array)[0]
    number = int(shares.argmax())
    label, share = context.label(number), float(shares[number])
    values = {"class": number, "label": label, "probability": share}
    return _found((f"{label}  {written.share(share)}",), values)


def _sentence(context: _Context) -> _Found | None:
    for name, output in context.outputs.items():
        array = output.array
        pooled = any(part in name for part in ("sentence", "embed", "pooled"))
        if array is not None and array.ndim == 2 and pooled and "pooler" not in name:
            return _vector(array[0].astype(np.float64), "the sentence")
    array = context.array("last_hidden_state", "token_embeddings", "hidden_states", rank=3)
    if array is None or array.ndim != 3:
        return None
    return _vector(mean_pooled(array, context.mask), "the mean over its tokens", True)


def mean_pooled(hidden: Numbers, mask: NDArray[np.bool_]) -> Numbers:
    """Return the mean over the tokens that a mask marks; over all where it fits no row.

    hidden: (1, tokens, N). mask: (tokens,). Returns (N,).
    """
    rows = hidden[0]
    masked_rows = rows[mask] if len(mask) == len(rows) and mask.any() else rows
    mean: Numbers = masked_rows.mean(axis=0)
    return mean


def _vector(vector: Numbers, what: str, unit: bool = False) -> _Found:
    norm = float(np.linalg.norm(vector))
    scaled = vector / norm if unit and norm else vector
    line = f"embedding of {what}: {units.plural(len(vector), 'value')}, L2 norm {norm:.4g}"
    line += ", normalized" if unit else ""
    flat = "" if norm else "all zero"
    values = {"dimensions": len(vector), "norm": norm, "embedding": scaled.tolist()}
    return _found((line,), values, (), flat)


def _speaker(context: _Context) -> _Found | None:
    array = context.array(rank=2)
    return None if array is None else _vector(array[0], "the speaker")


def _embedding(context: _Context) -> _Found | None:
    names = ("image_embeds", "text_embeds", "embeddings", "embedding")
    array = context.array(*names, rank=2)
    return None if array is None else _vector(array.reshape(len(array), -1)[0], "the input")


def _clip(context: _Context) -> _Found | None:
    array = context.array("logits_per_image")
    if array is None or array.ndim != 2:
        return None
    shares = _softmax(array)[0]
    best = int(shares.argmax())
    lines = [f"text {n}  {written.share(float(s))}" for n, s in enumerate(shares[:MOST_LISTED])]
    values = {"text": best, "probabilities": shares.tolist()}
    return _found(lines, values)


def _masks(context: _Context) -> _Found | None:
    """The mask that the model itself estimates to be the best."""
    masks, scores = context.array("masks", rank=4), context.array("iou_predictions", rank=2)
    if masks is None or masks.ndim != 4 or not masks.size:
        return None
    best = 0
    if scores is not None and scores.size == masks.shape[1]:
        best = int(scores.ravel().argmax())
    share = float((masks[0, best] > 0).mean())  # the authors' mask_threshold is 0
    line = f"mask {best} of {masks.shape[1]} covers {written.share(share)} of the image"
    values: dict[str, Any] = {"mask": best, "masks": int(masks.shape[1]), "share": share}
    if scores is not None and best < scores.size:
        values["iou"] = float(scores.ravel()[best])
        line += f", estimated IoU {values['iou']:.3f}"
    return _found((line,), values, (), "" if share else "an empty mask")


def _speech(context: _Context) -> _Found | None:
    first = context.first
    if first is None or first.array is None:
        return None
    values = first.array.astype(np.float64).ravel()
    mean, share = float(values.mean()), float((values > SPEECH).mean())
    line = Sentence(
        "speech {share} of the time, mean probability {mean}", Share(share), Real(mean)
    )
    flat = "no speech was found" if values.max() < _SILENT else ""
    spans = speech_spans(values, context.pace.shown_seconds / len(values))
    statistics = {
        "mean": mean,
        "share_over_half": share,
        "highest": float(values.max()),
        "spans_seconds": [list(each) for each in spans],
    }
    shown = [Sentence("{begin} to {end} s", f"{begin:.2f}", f"{end:.2f}")
             for begin, end in spans[:MOST_SPANS]]  # fmt: skip
    if len(spans) > len(shown):
        shown.append(Sentence("{count} more", Count(len(spans) - len(shown))))
    listed = Sentence(
        "{segments}, pauses under {pause} s included: {listed}",
        segments=Count(len(spans), "speech segment"),
        pause=Real(SILENCE_SECONDS),
        listed=Joined(tuple(shown)),
    )
    return _found((line, listed) if spans else (line,), statistics, (), flat)


def speech_spans(probabilities: Numbers, row_seconds: float) -> list[tuple[float, float]]:
    """Return where there is speech, as begins and ends in seconds; none of rows without time.

    probabilities: of speech, one for each row of row_seconds.
    """
    spans, begin, quiet = list[tuple[float, float]](), None, None
    for row, value in enumerate(probabilities if row_seconds else ()):
        if value >= SPEECH:
            begin, quiet = row if begin is None else begin, None
        elif value < SPEECH_ENDS and begin is not None:
            quiet = row if quiet is None else quiet
            if (row - quiet) * row_seconds >= SILENCE_SECONDS:
                spans.append((begin * row_seconds, quiet * row_seconds))
                begin = quiet = None
    if begin is not None:
        spans.append((begin * row_seconds, len(probabilities) * row_seconds))
    return [span for span in spans if span[1] - span[0] > SPEECH_SECONDS]


def _piano_meanings(outputs: Sequence[OutputValue]) -> dict[str, Meaning]:
    return piano_notes.meanings({o.name: o.shape[-1] for o in outputs if o.shape})


def _notes(context: _Context) -> _Found | None:
    named = {o.name: o for o in context.outputs.values()}
    meanings = _piano_meanings(tuple(named.values()))
    arrays = [named[name].array for name in meanings]
    rows = [rows_over_time(each, context.pace) for each in arrays if each is not None]
    if len(rows) < 3:
        return None
    heard = piano_notes.notes(rows[0], rows[1], context.pace.shown_seconds / len(rows[0]))
    values = {"notes": [asdict(each) for each in heard]}
    if not heard:
        best = int(rows[0].max(axis=0).argmax())
        name, most = piano_notes.key_name(best), Real(float(rows[0].max()))
        line = Sentence("no note was found; the most active key is {name} ({most})", name, most)
        return _found((line,), values)
    shown = [Sentence("{note} at {seconds} s", each.name, f"{each.begin:.2f}")
             for each in heard[:MOST_LISTED]]  # fmt: skip
    rest = len(heard) - len(shown)
    if rest:
        shown.append(Sentence("{count} more", Count(rest)))
    line = Sentence(
        "{notes}: {listed}", Count(len(heard), "musical note"), Joined(tuple(shown))
    )
    return _found((line,), values)


def _sound(context: _Context) -> _Found | None:
    for output in context.outputs.values():
        array = output.array
        row = array is not None and array.size and max(array.shape) == array.size
        if array is None or array.dtype.kind != "f" or not row:
            continue
        rate, assumed = context.rate, []
        if not rate:
            rate = audio_outputs.SPEECH_RATE
            assumed.append(f"{rate:,} Hz of the audio")
        loudest = float(np.abs(array.astype(np.float64)).max())
        seconds = array.size / rate
        line = f"{seconds:.2f} s of audio at {rate:,} Hz, peak amplitude {loudest:.3f}"
        flat = "" if loudest else "silence"
        values = {"seconds": seconds, "rate": rate, "samples": int(array.size)}
        return _found((line,), values, assumed, flat)
    return None


def _table(context: _Context) -> _Found | None:
    """Label and probabilities, or the numbers of a regression, row by row."""
    label = next((o for n, o in context.outputs.items() if n.endswith("label")), None)
    keyed = next((o for o in context.outputs.values() if o.keys), None)
    shares = keyed or next((o for n, o in context.outputs.items() if "probabilit" in n), None)
    if label is None or label.array is None:
        return _regression(context)
    labels = label.array.ravel().tolist()[:MOST_ROWS]
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for place, name in enumerate(labels):
        row: dict[str, Any] = {"label": name}
        text = ""
        if shares is not None and shares.array is not None and shares.array.ndim == 2:
            # ZipMap names its columns; without it they are in the order of the labels.
            values = shares.array[place].astype(np.float64)
            highest = float(values.max())
            # Support vector machines give distances under the name of probabilities.
            whole = values.min() >= 0 and abs(values.sum() - 1) < _NEAR_ONE
            row["probability" if whole else "score"] = highest
            text = written.share(highest) if whole else f"score {highest:.6g}"
        rows.append(row)
        lines.append(f"row {place}: {name}  {text}".rstrip())
    return _found(lines, {"rows": rows})


def _regression(context: _Context) -> _Found | None:
    first = context.first
    if first is None or first.array is None or first.array.dtype.kind != "f":
        return None
    array = first.array.astype(np.float64)
    table = array.reshape(len(array), -1)[:MOST_ROWS] if array.ndim else array.reshape(1, 1)
    lines, rows = list[str](), list[dict[str, Any]]()
    for place, numbers in enumerate(table.tolist()):
        listed = ", ".join(f"{number:.6g}" for number in numbers[:MOST_LISTED])
        lines.append(f"row {place}: {listed}{', …' if len(numbers) > MOST_LISTED else ''}")
        rows.append({"value": numbers[0]} if len(numbers) == 1 else {"values": numbers})
    return _found(lines, {"rows": rows})


def _forecast(context: _Context) -> _Found | None:
    first = context.first
    if first is None or first.array is None or first.array.ndim not in (2, 3):
        return None
    array = first.array.astype(np.float64)
    rows = array[0] if array.ndim == 3 else array[0][:, None]
    steps, channels = rows.shape
    lines: list[str] = []
    for channel in range(min(channels, MOST_ROWS)):
        listed = ", ".join(f"{n:.4g}" for n in rows[:MOST_LISTED, channel])
        more = ", …" if steps > MOST_LISTED else ""
        lines.append(f"channel {channel}, {units.plural(steps, 'step')}: {listed}{more}")
    return _found(lines, {"steps": steps, "channels": channels, "forecast": rows.tolist()})


_READERS: dict[str, Callable[[_Context], _Found | None]] = {
    "clip": _clip,
    "clip-image": _embedding,
    "clip-text": _embedding,
    "whisper-decoder": _next,
    "t5-decoder": _next,
    "vits": _sound,
    "sam-decoder": _masks,
    "silero-vad": _speech,
    "basic-pitch": _notes,
    "speaker": _speaker,
    "wav2vec2": _letters,
    "gpt-cache": _next,
    "gpt": _next,
    "gpt-embeddings": _next,
    "bert-qa": _question,
    "bert-mask": _masked,
    "bert-tags": _tags,
    "bert-classes": _classes,
    "sentence": _sentence,
    "lightgbm": _table,
    "xgboost": _table,
    "catboost": _table,
    "scikit-learn": _table,
    "table": _table,
    "series": _forecast,
    "embedding": _embedding,
    "regression": _regression,
}
