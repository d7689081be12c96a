"""The table of families: how each is recognized, what its inputs take, and who says so."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from inspector.model.model import Model, TensorInfo, cached_by_model
from inspector.model.tensors.element_types import Tensor, is_float
from inspector.platform import plugins
from inspector.preview.families import output_structure, piano_notes
from inspector.preview.families.model_structure import ML_DOMAIN, Structure, axis, rank
from inspector.preview.inputs import default_values

WHISPER_VOCABULARIES = (51_864, 51_865, 51_866)  # English, multilingual, large-v3
WHISPER_BINS = (80, 128)  # of the mel spectrogram; 128 since large-v3
WHISPER_FRAMES = 3_000  # of 10 ms: always 30 s
FBANK_BINS = 80
# Vocabularies that only models with masked tokens have: BERT (English uncased, cased, Chinese,
# multilingual), RoBERTa, XLM-RoBERTa, ALBERT, MPNet, DeBERTa.
MASKED_VOCABULARIES = frozenset(
    (30_522, 28_996, 21_128, 119_547, 105_879, 50_265, 250_002, 30_000, 30_527, 128_100)
)
FEWEST_TOKENS = 1_000  # in a vocabulary; fewer scores at each place are tags of words
MOST_TAGS = FEWEST_TOKENS
MOST_LETTERS = 5_000  # of CTC; larger ones are pieces of words, which transducers take
FEWEST_SAMPLES = 400  # one step of wav2vec2's convolutions
# of a forecast's input
LONGEST_SERIES = 4_096
MOST_CHANNELS = 512
FEWEST_STEPS = 8  # of a forecast's input whose names say nothing
FEWEST_DIMENSIONS = 32  # of an embedding
_WAVEFORM = re.compile(r"input_values|audio_signal|wave(form)?s?|speech|wav|audio|signal|pcm")
_MEL = re.compile(r"input_features|mel|mels|audio_features|log_mel")
# The output of an encoder, or the keys and values that the first step made of it.
_CROSS = re.compile(
    r"encoder_hidden_states|encoder_outputs?|n_layer_cross_[kv]|audio_features"
    r"|past_key_values\.\d+\.encoder\.(key|value)|past_(key|value)_cross_\d+"
)
_T5_LAYERS = re.compile(r"block\.\d+[./]layer\.\d+[./](SelfAttention|DenseReluDense)")
_SPEECH_OUTPUT = re.compile(r"wave(form)?|audio|wav|speech")
_SCALES = frozenset(("scales", "noise_scale", "length_scale", "noise_scale_w"))
_VECTOR = re.compile(r"embed|embs?$|embs?_|sentence|pooled|vector|descriptor|features?$", re.I)
_HIDDEN = re.compile(r"last_hidden_state|hidden_states?|token_embeddings")
_CLASSIFIERS = ("LinearClassifier", "SVMClassifier", "TreeEnsembleClassifier", "ZipMap")
_SCIKIT_CONVERTERS = re.compile(r"skl2onnx|sklearn|onnxmltools|winmltools", re.I)
_REGRESSORS = ("LinearRegressor", "SVMRegressor", "TreeEnsembleRegressor")
_LEARNING = ("MatMul", "Gemm", "LSTM", "GRU", "RNN", "Conv")
_SERIES_NAMES = re.compile(
    r"past_values|history|time_?series|x_enc|lookback|forecasts?|horizon"
)
_TREES = ("TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble")
_HF = "Hugging Face transformers"
# Tasks of the families in `FAMILIES`, by key.
TASKS = {
    "clip": "Image and text embedding",
    "clip-image": "Image embedding",
    "clip-text": "Text embedding",
    "sam-decoder": "Image segmentation, decoder",
    "whisper-encoder": "Speech recognition, encoder",
    "whisper-decoder": "Speech recognition, decoder",
    "t5-decoder": "Text generation, decoder",
    "vits": "Text to speech",
    "silero-vad": "Voice activity detector",
    "basic-pitch": "Music transcription",
    "speaker": "Speaker embedding",
    "whisper-like": "Audio model (mel spectrogram)",
    "wav2vec2": "Speech recognition (CTC)",
    "gpt-cache": "Language model",
    "gpt-embeddings": "Language model",
    "gpt-part": "Language model, part",
    "token-embedding": "Token embedding",
    "bert-qa": "Question answering",
    "t5-encoder": "Text encoder",
    "bert-mask": "Masked language model",
    "gpt": "Language model",
    "sentence": "Sentence embedding",
    "bert-tags": "Token classifier",
    "bert-classes": "Text classifier",
    "lightgbm": "Tabular model",
    "xgboost": "Tabular model",
    "catboost": "Tabular model",
    "scikit-learn": "Tabular model",
    "table": "Tabular model",
    "series": "Time series forecast",
    "embedding": "Embedding",
    "regression": "Regression",
}
WITH_VOCABULARY = frozenset(
    ("gpt", "gpt-cache", "gpt-embeddings", "bert-mask", "whisper-decoder", "t5-decoder")
)


class Family(Struct, frozen=True):
    """A family of models.

    key: of JSON and tests. preprocessing: what its inputs take, in words. source: who says so.
    assumed: what of that the model's file does not say. fits: whether a model is of the family.
    """

    key: str
    name: str
    preprocessing: str
    source: str
    fits: Callable[[Structure], bool]
    assumed: str = ""


class OutputDecoder(Struct, frozen=True):
    """A plugin that recognizes a family of models and reads their outputs.

    task: for Overview ("Pose estimation"). decode: from the outputs by name, and the names of
    classes if there are any, to lines for people and plain values for JSON.
    """

    family: Family
    task: str
    decode: Callable[
        [Mapping[str, Tensor], Sequence[str]], tuple[Sequence[str], Mapping[str, Any]]
    ]


@cached_by_model
def recognize(model: Model) -> Family | None:
    """Return the family of a model, or None where its structure is no known one's."""
    structure = Structure(model)
    families = (*_of_plugins(), *FAMILIES)
    return next((family for family in families if family.fits(structure)), None)


def _of_plugins() -> Iterator[Family]:
    """Yield the families of plugins; one whose recognizer fails fits no model."""
    for plugin in plugins.usable(plugins.PREVIEW_DECODERS):
        family: Family = plugin.value.family
        yield structs.replace(family, fits=plugin.guard(family.fits, False))


def decoder_of(key: str) -> plugins.Plugin | None:
    """Return the plugin that decodes outputs of a family; None for a family of Inspector's."""
    found = plugins.usable(plugins.PREVIEW_DECODERS)
    return next((plugin for plugin in found if plugin.value.family.key == key), None)


def mel_input(structure: Structure) -> TensorInfo | None:
    """Return the input that takes a log-mel spectrogram as Whisper defines it."""
    for name, info in structure.inputs.items():
        sized = axis(info, 1) in WHISPER_BINS and axis(info, 2) == WHISPER_FRAMES
        named = _MEL.fullmatch(name) is not None and axis(info, 2) != FBANK_BINS
        if rank(info) == 3 and is_float(info.dtype) and (sized or named):
            return info
    return None


def fbank_input(structure: Structure) -> TensorInfo | None:
    """Return the input that takes 80 Kaldi filter-bank energies a frame."""
    for info in structure.floats:
        bins = {axis(info, 1), axis(info, 2)}
        if rank(info) == 3 and FBANK_BINS in bins and WHISPER_FRAMES not in bins:
            return info
    return None


def waveform_input(structure: Structure) -> TensorInfo | None:
    """Return the input that takes samples of a whole sound, in rows of free or great length."""
    for info in structure.floats:
        length = axis(info, -1)
        long = not isinstance(length, int) or length >= FEWEST_SAMPLES
        if rank(info) == 2 and long:
            return info
    return None


def _whisper_encoder(s: Structure) -> bool:
    return mel_input(s) is not None and s.tokens is None and (rank(s.first) or 3) > 2


def _whisper_decoder(s: Structure) -> bool:
    return _decoder(s) and s.classes in WHISPER_VOCABULARIES


def _decoder(s: Structure) -> bool:
    crossed = any(map(_CROSS.fullmatch, s.inputs))
    return s.tokens is not None and crossed and rank(s.logits) in (3, None)


def _t5_encoder(s: Structure) -> bool:
    hidden = s.tokens is not None and rank(s.first) == 3
    return hidden and _T5_LAYERS.search(s.layer_names) is not None


def _wav2vec2(s: Structure) -> bool:
    if s.tokens is not None or s.memory or waveform_input(s) is None or rank(s.first) != 3:
        return False
    letters = axis(s.first, 2) if s.first is not None else None
    named = any(map(_WAVEFORM.fullmatch, s.inputs)) or "logits" in s.outputs
    return named and not (isinstance(letters, int) and letters > MOST_LETTERS)


def _vits(s: Structure) -> bool:
    if s.tokens is None or s.first is None or not is_float(s.first.dtype):
        return False
    return bool(_SCALES & set(s.inputs)) or any(map(_SPEECH_OUTPUT.fullmatch, s.outputs))


def _silero(s: Structure) -> bool:
    states = [
        i for i in s.memory if rank(i) == 3 and axis(i, 0) == 2 and axis(i, 2) in (64, 128)
    ]
    rows = [i for i in s.floats if rank(i) == 2]
    one = s.first is not None and rank(s.first) == 2 and axis(s.first, 1) in (1, None)
    return bool(states) and len(rows) == 1 and one


def _basic_pitch(s: Structure) -> bool:
    widths = {name: axis(info, -1) for name, info in s.outputs.items()}
    known = {name: width for name, width in widths.items() if isinstance(width, int)}
    samples = any(piano_notes.WINDOW in (info.shape or ()) for info in s.floats)
    return samples and bool(piano_notes.meanings(known))


def _speaker(s: Structure) -> bool:
    if s.tokens is not None or fbank_input(s) is None or s.first is None:
        return False
    dimensions = axis(s.first, -1)
    long = isinstance(dimensions, int) and dimensions >= FEWEST_DIMENSIONS
    return rank(s.first) == 2 and (long or _VECTOR.search(s.first.name) is not None)


def _sam_decoder(s: Structure) -> bool:
    return s.inputs.keys() >= default_values.SAM_PROMPT and "masks" in s.outputs


def _clip(s: Structure) -> bool:
    return "logits_per_image" in s.outputs


def _clip_image(s: Structure) -> bool:
    return "image_embeds" in s.outputs and s.tokens is None


def _clip_text(s: Structure) -> bool:
    return "text_embeds" in s.outputs and s.tokens is not None and not s.takes_picture


def _question(s: Structure) -> bool:
    return s.tokens is not None and {"start_logits", "end_logits"} <= set(s.outputs)


def _cached(s: Structure) -> bool:
    return any("past" in i.name.lower() or "cache" in i.name.lower() for i in s.memory)


def _gpt_cached(s: Structure) -> bool:
    return s.tokens is not None and _cached(s) and rank(s.logits) in (3, None)


def _gpt_embeddings(s: Structure) -> bool:
    """Return whether a decoder takes embeddings, or what the part before it gave."""
    return s.tokens is None and _keeps_cache(s) and _cached(s) and rank(s.logits) == 3


def _gpt_part(s: Structure) -> bool:
    """Return whether some blocks of a decoder lead from vectors of tokens to others."""
    hidden = s.first is not None and rank(s.first) == 3 and is_float(s.first.dtype)
    return s.tokens is None and _keeps_cache(s) and _cached(s) and hidden


def _keeps_cache(s: Structure) -> bool:
    """Return whether outputs are keys and values for the next step of a decoder."""
    return any("present" in n.lower() and rank(o) == 4 for n, o in s.outputs.items())


def _token_embedding(s: Structure) -> bool:
    embeds = s.outputs.get("inputs_embeds")
    return s.tokens is not None and embeds is not None and rank(embeds) in (3, None)


def _causal(s: Structure) -> bool:
    return s.has("Trilu", "GroupQueryAttention") or s.classes not in MASKED_VOCABULARIES


def _many(s: Structure) -> bool:
    """Return whether there are scores of a whole vocabulary at each place."""
    many = isinstance(s.classes, int) and s.classes >= FEWEST_TOKENS
    return s.tokens is not None and rank(s.logits) == 3 and many


def _fill_mask(s: Structure) -> bool:
    typed = {"token_type_ids", "segment_ids"} & set(s.inputs)
    masked = not s.has("Trilu") and not _keeps_cache(s)
    return _many(s) and masked and (bool(typed) or not _causal(s))


def _gpt(s: Structure) -> bool:
    """Return whether it gives scores of a whole vocabulary, or a cache for the next step."""
    first_step = s.tokens is not None and _keeps_cache(s) and rank(s.logits) == 3
    return first_step or _many(s)


def _sentence(s: Structure) -> bool:
    if s.tokens is None or s.takes_picture:
        return False
    hidden = any(_HIDDEN.fullmatch(n) and rank(o) == 3 for n, o in s.outputs.items())
    return hidden or any(_VECTOR.search(n) and rank(o) == 2 for n, o in s.outputs.items())


def _tags(s: Structure) -> bool:
    few = not isinstance(s.classes, int) or 1 < s.classes < MOST_TAGS
    return s.tokens is not None and rank(s.logits) == 3 and few


def _classification(s: Structure) -> bool:
    few = not isinstance(s.classes, int) or s.classes < MOST_TAGS
    return s.tokens is not None and rank(s.logits) == 2 and few


def _ml(s: Structure, *operators: str) -> bool:
    return any((ML_DOMAIN, name) in s.operators for name in operators)


def _lightgbm(s: Structure) -> bool:
    match = re.search("lgbm|lightgbm", f"{s.layer_names}\n{s.model.graph_name}", re.I)
    converted = s.model.producer == "OnnxMLTools" and s.has("ZipMap")
    return _ml(s, *_TREES) and (match is not None or converted)


def _xgboost(s: Structure) -> bool:
    match = re.search("xgb", f"{s.layer_names}\n{s.model.graph_name}", re.I)
    return _ml(s, *_TREES) and (match is not None or s.model.producer == "OnnxMLTools")


def _catboost(s: Structure) -> bool:
    return _ml(s, *_TREES) and s.model.producer == "CatBoost"


def _scikit(s: Structure) -> bool:
    return _columns(s) and _SCIKIT_CONVERTERS.search(s.model.producer) is not None


def _columns(s: Structure) -> bool:
    """Return whether a model has operators or outputs of models of columns, of any library."""
    label = any(n.endswith("label") for n in s.outputs)
    shares = any("probabilit" in n for n in s.outputs)
    return _ml(s, *_CLASSIFIERS, *_REGRESSORS) or (label and shares)


def _series(s: Structure) -> bool:
    if s.tokens is not None or s.memory or s.takes_picture or len(s.floats) != 1:
        return False
    info, first = s.floats[0], s.first
    if rank(info) != 3 or first is None or rank(first) not in (2, 3) or len(s.outputs) != 1:
        return False
    length, channels = axis(info, 1), axis(info, 2)
    short = not isinstance(length, int) or 1 < length <= LONGEST_SERIES
    few = isinstance(channels, int) and 1 <= channels <= MOST_CHANNELS
    same = rank(first) == 2 or axis(first, 2) in (1, channels)
    # An autoencoder gives back as many steps, and one number for many channels may be a score.
    ahead = axis(first, 1) != length and axis(first, 2) == channels
    is_named = any(map(_SERIES_NAMES.fullmatch, (*s.inputs, *s.outputs)))
    enough = not isinstance(length, int) or length >= FEWEST_STEPS
    learned = enough and bool(s.model.weights) and s.has(*_LEARNING)
    # Without a name, one row of numbers for a series may as well be scores of a sound.
    forecast = learned and rank(first) == 3 and ahead
    return short and few and same and is_float(first.dtype) and (is_named or forecast)


def _embedding(s: Structure) -> bool:
    if s.takes_picture or s.tokens is not None:
        return False
    for name, output in s.outputs.items():
        length = axis(output, -1)
        long = not isinstance(length, int) or length >= FEWEST_DIMENSIONS
        if _VECTOR.search(name) and rank(output) == 2 and long and is_float(output.dtype):
            return True
    return False


def _regression(s: Structure) -> bool:
    rows = [i for i in s.floats if rank(i) == 2]
    if s.takes_picture or s.memory or len(rows) != len(s.inputs) or len(s.outputs) != 1:
        return False
    first = s.first
    if not rows or first is None or not is_float(first.dtype):
        return False
    features = isinstance(axis(rows[0], 1), int) and axis(rows[0], 1) != 1
    one = rank(first) == 1 or (rank(first) == 2 and axis(first, 1) == 1)
    # Behind a Sigmoid it is the probability of a class as often as a scaled target.
    open_ended = (
        output_structure.score_kind(s.model, first.name) != output_structure.INDEPENDENT
    )
    learned = bool(s.model.weights)  # a lone operator has learned nothing
    return features and one and open_ended and learned


# The first that fits counts, so that the special stand before the general.
FAMILIES = (
    Family("clip", "CLIP", "RGB, 224 × 224 (cropped), CLIP's mean and std; 77 tokens",
           f"openai/CLIP clip.py @0848ed7; {_HF}: CLIPImageProcessor, CLIPTokenizer", _clip),
    Family("clip-image", "CLIP, image encoder", "RGB, 224 × 224 (cropped), CLIP's mean and std",
           f"openai/CLIP clip.py @0848ed7; {_HF}: CLIPImageProcessor", _clip_image),
    Family("clip-text", "CLIP, text encoder",
           "at most 77 tokens, including a start and an end token",
           f"openai/CLIP clip.py @0848ed7; {_HF}: CLIPTokenizer", _clip_text),
    Family("sam-decoder", "Segment Anything, decoder",
           "output of the encoder; points in an image with longest side 1,024, labeled 1 "
           "(inside), 0 (outside), 2 and 3 (corners of a box) or -1 (none); orig_im_size as "
           "height, width",
           "facebookresearch/segment-anything "
           "segment_anything/utils/onnx.py @3b41bf7", _sam_decoder,
           "one point in the center"),
    Family("whisper-encoder", "Whisper, encoder",
           "30 s at 16,000 Hz as log-mel spectrogram: window 400, hop 160, Slaney's mel "
           "scale, log10 clipped to 8 below the maximum, (x + 4) / 4",
           "openai/whisper whisper/audio.py @06dc24a", _whisper_encoder, "16,000 Hz"),
    Family("whisper-decoder", "Whisper, decoder",
           "tokens starting with <|startoftranscript|>, and the output of the encoder",
           "openai/whisper whisper/decoding.py", _whisper_decoder),
    Family("t5-decoder", "T5, decoder",
           "tokens starting with the padding token 0, and the output of the encoder",
           f"{_HF}: T5ForConditionalGeneration", _decoder),
    Family("vits", "VITS, text to speech",
           "phoneme tokens; noise scale 0.667, length scale 1.0, duration noise scale 0.8",
           "jaywalnut310/vits inference; rhasspy/piper infer_onnx @70afec5", _vits,
           "the three scales"),
    Family("silero-vad", "Silero VAD",
           "16,000 Hz: 512 samples after 64 previous ones (8,000 Hz: 256 after 32), with "
           "the state of the previous step",
           "snakers4/silero-vad utils_vad.py @0a7d1f6", _silero,
           "the model expects audio at 16,000 Hz"),
    Family("basic-pitch", "Basic Pitch",
           "22,050 Hz in windows of 1.99 s that overlap by 0.35 s",
           "spotify/basic-pitch inference.py", _basic_pitch),
    Family("speaker", "Speaker embedding",
           "16,000 Hz as 80 Kaldi filter-bank energies per 25 ms frame, hop 10 ms, mean "
           "over time subtracted",
           "wenet-e2e/wespeaker bin/infer_onnx.py @0c6cbad; 3D-Speaker FBank",
           _speaker, "16,000 Hz"),
    Family("whisper-like", "Mel spectrogram model", "log-mel spectrogram as for Whisper",
           "openai/whisper whisper/audio.py @06dc24a",
           lambda s: mel_input(s) is not None and s.tokens is None, "16,000 Hz"),
    Family("wav2vec2", "wav2vec 2.0 (CTC)",
           "16,000 Hz, mean 0 and variance 1 over the whole audio",
           f"{_HF}: Wav2Vec2FeatureExtractor, facebook/wav2vec2-base-960h", _wav2vec2,
           "16,000 Hz and the normalization"),
    Family("gpt-cache", "Decoder with a key-value cache",
           "only the new tokens; present.* outputs of one step are the past_key_values.* "
           "inputs of the next, initially empty",
           f"{_HF}: Optimum's export of text-generation-with-past", _gpt_cached),
    Family("gpt-embeddings", "Decoder on embeddings",
           "embeddings of the new tokens; present.* outputs of one step are the "
           "past_key_values.* inputs of the next, initially empty",
           "onnxruntime-genai: decoders of several parts", _gpt_embeddings),
    Family("gpt-part", "Blocks of a decoder",
           "what the part before it gives for the new tokens; present.* outputs of one step "
           "are the past_key_values.* inputs of the next, initially empty",
           "onnxruntime-genai: decoder pipelines", _gpt_part),
    Family("token-embedding", "Token embedding", "tokens",
           f"{_HF}: Optimum and transformers.js: embed_tokens", _token_embedding),
    Family("bert-qa", "BERT, question answering", "question and context between [SEP] tokens",
           f"{_HF}: BertForQuestionAnswering", _question),
    Family("t5-encoder", "T5, encoder", "tokens ending with </s>",
           f"{_HF}: T5EncoderModel", _t5_encoder),
    Family("bert-mask", "BERT, fill-mask", "tokens, one of them [MASK]",
           f"{_HF}: BertForMaskedLM", _fill_mask),
    Family("gpt", "Decoder", "tokens", f"{_HF}: GPT2LMHeadModel", _gpt),
    Family("sentence", "Sentence embedding",
           "tokens; outputs are averaged over attention_mask and normalized to length 1",
           "UKPLab/sentence-transformers: Pooling (mean) and Normalize", _sentence,
           "the mean over tokens"),
    Family("bert-tags", "BERT, token classification", "tokens",
           f"{_HF}: BertForTokenClassification", _tags),
    Family("bert-classes", "BERT, text classification", "tokens between [CLS] and [SEP]",
           f"{_HF}: BertForSequenceClassification", _classification),
    Family("lightgbm", "LightGBM", "columns as in training; NaN for missing values",
           "onnx/onnxmltools convert/lightgbm", _lightgbm),
    Family("xgboost", "XGBoost", "columns as in training; NaN for missing values",
           "onnx/onnxmltools convert/xgboost", _xgboost),
    Family("catboost", "CatBoost", "columns as in training; NaN for missing values",
           "catboost/catboost: save_model with the format onnx", _catboost),
    Family("scikit-learn", "scikit-learn", "columns as in training",
           "onnx/sklearn-onnx: classifiers output a label and probabilities (ZipMap)", _scikit),
    Family("table", "Tabular model", "columns as in training",
           "onnx/onnx: operators of the domain ai.onnx.ml", _columns),
    Family("series", "Time series", "past values as (series, time, channels), scaled as in "
           "training", f"{_HF}: PatchTSTForPrediction; Nixtla neuralforecast", _series,
           "outputs are future values"),
    Family("embedding", "Embedding", "same preprocessing as in training",
           "name and shape of the output", _embedding),
    Family("regression", "Regression", "columns as in training", "shape of the output",
           _regression),
)  # fmt: skip
