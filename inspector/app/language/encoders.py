"""The encoder of an encoder-decoder: what it reads, and how its decoder begins to write."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, field, structs

from inspector.app.subjects import Subject, is_sound
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.formats.folders.config_facts import token_ids, whole
from inspector.formats.folders.listing import Listing
from inspector.model.model import Model
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.model.tensors.element_types import numpy_type
from inspector.preview.families import audio_features
from inspector.preview.families.audio_features import LOG_MEL, WAVEFORM, Features, features_of
from inspector.preview.inputs import audio
from inspector.preview.inputs.feeds import Filled, feeds_by_name
from inspector.preview.inputs.tokens import Vocabulary, takes_tokens
from inspector.report.language.generation import TokenRules
from inspector.report.run_spec import RunSpec
from inspector.units import clip

_GENERATION = "generation_config.json"
_CONFIG = "config.json"
_PREPROCESSOR = "preprocessor_config.json"
_LONGEST_SECONDS = 30.0  # of a sound at once, as Whisper takes it; longer ones are cut
# Whisper's spectrogram: other settings under its name are another model's.
_WHISPER_SETTINGS = {
    "n_fft": audio_features.MEL_WINDOW,
    "hop_length": audio_features.MEL_HOP,
    "sampling_rate": 16_000,
    "chunk_length": int(_LONGEST_SECONDS),
}
_MASK = "mask"
_MOST_LANGUAGES = 200  # Whisper has 100
# Whisper's special tokens (openai/whisper, tokenizer.py).
_START = "<|startoftranscript|>"
_TRANSCRIBE = "<|transcribe|>"
_TRANSLATE = "<|translate|>"
_NO_TIMES = "<|notimestamps|>"
_CODE = re.compile(r"<\|([a-z]{2,3})\|>")  # of a language: "<|en|>", "<|yue|>"
_NOT_TEXT = (
    _START, _TRANSCRIBE, _TRANSLATE, "<|startoflm|>", "<|startofprev|>", "<|nospeech|>",
    "<|nocaptions|>",
)  # fmt: skip
_ENGLISH_ONLY = 51_864  # size of the vocabulary of Whisper's models for English only


class Speech(Struct, frozen=True):
    """The tokens with which Whisper is told what to do.

    languages: tokens of languages, of which the model itself finds the one that is spoken; none
    for a model of one language. names: of these, such as "en". task: tokens behind that of the
    language, to write down what is said; translation: to write it in English, where it can.
    """

    languages: tuple[int, ...]
    task: tuple[int, ...]
    translation: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


class Encoder(Struct, frozen=True, eq=False):
    """The part of a model that reads its whole input before the decoder writes.

    start: the tokens that the decoder begins with. rules: which it may write. speech: of a
    model that is told a language and a task. features: how sounds become its inputs.
    """

    path: Path
    model: Model
    start: tuple[int, ...]
    rules: TokenRules = field(default_factory=TokenRules)
    speech: Speech | None = None
    features: Mapping[str, Features] = field(default_factory=dict)

    @property
    def takes_text(self) -> bool:
        """Return whether it reads the tokens of a text."""
        return any(map(takes_tokens, self.model.inputs))

    def text_feeds(self, ids: tuple[int, ...]) -> dict[str, Any]:
        """Return its inputs for the tokens of a text. Raises BadInput: it reads no text."""
        if not self.takes_text:
            kind = "a sound" if self.features else "no text"
            what = "Could not send the text"
            why = f"the encoder of this model reads {kind}"
            raise BadInput(what, why, "Give it a file: inspector predict FOLDER --input FILE.")
        feeds = {}
        for info in self.model.inputs:
            dtype = numpy_type(info.dtype)
            if takes_tokens(info):
                feeds[info.name] = np.array([ids], dtype)
            elif _MASK in info.name.lower():
                feeds[info.name] = np.ones((1, len(ids)), dtype)
            else:  # types of tokens
                feeds[info.name] = np.zeros((1, len(ids)), dtype)
        return feeds

    def subject(self, spec: RunSpec) -> Subject:
        """Return it as something that is run: its inputs are given as to any model."""
        return self.prepared(Subject.as_saved(self.path, spec))

    def prepared(self, subject: Subject) -> Subject:
        """Return it with sounds prepared as its folder says."""
        return structs.replace(subject, sounds=replace(subject.sounds, features=self.features))

    def typical_feeds(self, tokens: int, vocabulary: int) -> dict[str, Any]:
        """Return inputs to measure it with: so many random tokens, or a silent sound, which
        take as long as any other. Raises BadInput: the lengths of its input are not known."""
        if self.takes_text:
            random = np.random.default_rng(0).integers(1, max(2, vocabulary), tokens)
            return self.text_feeds(tuple(int(each) for each in random))
        subject, given = self.subject(RunSpec()), dict[str, Filled]()
        for info in self.model.inputs:
            features = self.features.get(info.name)
            if features is not None:
                silence = np.zeros(int(_LONGEST_SECONDS * features.rate), np.float32)
                sound = audio.Audio(silence, features.rate, 1)
                array, words = audio_features.tensor_of(sound, features, info)
                given[info.name] = Filled(info.name, "silence", array, words, dtype=info.dtype)
        return feeds_by_name(subject.with_given(given).filled())

    def pieces(self, subject: Subject) -> tuple[Subject, ...]:
        """Return it with each piece of a sound that is longer than it takes at once.

        Sounds are cut where they are quiet. Raises UnreadableFile, BadInput: as a sound.
        """
        sounds = [n for n, v in subject.texts.items() if n in self.features and is_sound(v)]
        if not sounds:
            return (subject,)
        name = sounds[0]
        path, features = Path(subject.texts[name]), self.features[name]
        heard = audio.read(path)
        parts = audio.cut_where_quiet(heard, _LONGEST_SECONDS)
        info = next(info for info in self.model.inputs if info.name == name)
        made = []
        for start, part in parts:
            array, words = audio_features.tensor_of(part, features, info)
            if len(parts) > 1:
                words = f"from {start:.1f} s on: {words}"
            filled = Filled(name, path.name, array, words, dtype=info.dtype)
            made.append(subject.with_given({**subject.given, name: filled}))
        return tuple(made)


def read_encoder(
    folder: ModelFolder, part: FolderPart, vocabulary: Vocabulary | None
) -> Encoder:
    """Read the encoder of a folder, and how its decoder begins.

    vocabulary: None to measure it only. Raises UnreadableFile: it is damaged. BadInput: its
    sounds are prepared in another way than Inspector knows.
    """
    model, listing = opening.open_model(part.path), Listing(folder.path)
    config = {**listing.json(_CONFIG), **listing.json(_GENERATION)}
    if vocabulary is None:
        return Encoder(part.path, model, (0,), features=_features(listing, folder, model))
    never = token_ids(config.get("suppress_tokens"))
    bad = config.get("bad_words_ids")
    for word in bad if isinstance(bad, list) else ():
        never += token_ids(word) if isinstance(word, list) and len(word) == 1 else ()
    first = token_ids(config.get("begin_suppress_tokens"))
    if vocabulary.numbers([_START])[0] >= 0:
        never += tuple(each for each in vocabulary.numbers(_NOT_TEXT) if each >= 0)
        first = first or (*vocabulary.ids(" "), *folder.end_ids)
    return Encoder(
        part.path,
        model,
        _start(folder, config, vocabulary),
        TokenRules(never, first, token_ids(config.get("forced_bos_token_id"))),
        _speech(config, folder, vocabulary),
        _features(listing, folder, model),
    )


def _start(
    folder: ModelFolder, config: Mapping[str, Any], vocabulary: Vocabulary
) -> tuple[int, ...]:
    """Return the first token of the decoder: the configuration's, else Whisper's, else that in
    front of a text, else 0."""
    marked = vocabulary.numbers([_START])[0]
    said = (config.get("decoder_start_token_id"), folder.config.get("decoder_start_token_id"))
    known = [each for each in map(whole, said) if each is not None and each >= 0]
    known += [each for each in (marked, folder.bos_id) if each is not None and each >= 0]
    return (known[0] if known else 0,)


def _speech(
    config: Mapping[str, Any], folder: ModelFolder, vocabulary: Vocabulary
) -> Speech | None:
    """Return how Whisper is told what to do; None for other models."""
    start, translate, transcribe, plain = vocabulary.numbers(
        [_START, _TRANSLATE, _TRANSCRIBE, _NO_TIMES]
    )
    if min(start, plain) < 0:
        return None
    english = config.get("is_multilingual") is False
    if english or folder.config.get("vocab_size") == _ENGLISH_ONLY or transcribe < 0:
        return Speech((), (plain,))
    last = min(each for each in (translate, transcribe) if each > start)
    listed = config.get("lang_to_id")
    languages = tuple(range(start + 1, last))
    if isinstance(listed, dict):
        languages = token_ids(list(listed.values())) or languages
    pieces = vocabulary.pieces(languages[:_MOST_LANGUAGES])
    found = [(each.id, code[1]) for each in pieces if (code := _CODE.fullmatch(each.text))]
    translation = (translate, plain) if translate >= 0 else ()
    ids, names = (tuple(each) for each in zip(*found, strict=True)) if found else ((), ())
    return Speech(ids, (transcribe, plain), translation, names)


def _features(listing: Listing, folder: ModelFolder, model: Model) -> dict[str, Features]:
    """Return how sounds become its inputs, by its configuration and its graph."""
    config = listing.json(_PREPROCESSOR)
    found = dict(features_of(model))
    kind = str(config.get("feature_extractor_type", ""))
    free = [info for info in model.inputs if not takes_tokens(info)]
    if "Wav2Vec2" in kind and len(free) > 0:
        normalized = config.get("do_normalize") is not False
        rate = whole(config.get("sampling_rate")) or _WHISPER_SETTINGS["sampling_rate"]
        return {free[0].name: Features(WAVEFORM, rate, normalized, why=_PREPROCESSOR)}
    if "Whisper" in kind:
        _check_whisper(config)
    known = config.get("feature_size", folder.config.get("num_mel_bins"))
    bins = whole(known)
    for name, each in found.items():
        info = next(info for info in model.inputs if info.name == name)
        fixed = (info.shape or (None, None))[1:2]
        if each.kind == LOG_MEL and bins and not isinstance(fixed[0], int):
            found[name] = replace(each, bins=bins)
    return found


def _check_whisper(config: Mapping[str, Any]) -> None:
    """Raise BadInput if a spectrogram is made in another way than Whisper's."""
    for name, value in _WHISPER_SETTINGS.items():
        said = config.get(name, value)
        if said != value:
            why = f"{_PREPROCESSOR} says {name} is {clip(str(said), 40)}, not {value}"
            hint = "Only Whisper's own spectrogram is known; give the encoder an .npy file."
            raise BadInput("Could not prepare sounds", why, hint)
