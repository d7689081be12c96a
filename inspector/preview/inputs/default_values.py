"""Default inputs: lengths of dynamic axes, and values."""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from inspector.analysis.cost.estimate import SEQUENCE, usual_length
from inspector.errors import BadInput
from inspector.model.axes import axis_names, expression, free_axes, of_symbols
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Tensor, is_float, numpy_type
from inspector.preview.inputs.input_shapes import known_shape, shape_of
from inspector.preview.preprocessing.guess import guess
from inspector.units import clip
from inspector.wording.values import Count, Sentence

SAMPLE_RATE = 16_000
PICTURE_SIDE = 224
SOUND_FRAME = 512
SILERO_FRAME = 576  # samples: 512 new ones after 64 previous ones, from Silero VAD 5
EARLY_SILERO_STATE = (
    64  # values of each state before version 5, which takes no previous samples
)
# Enough for the convolutions of speech models, and for the statistics over frames of others.
SOUND_SAMPLES = 16_000
SOUND_FRAMES = 200
MEL_FRAMES = 3_000
SAMPLE_TEXT = "The quick brown fox jumps over the lazy dog."
_WAVEFORM = re.compile(r"input_values|audio_signal|waveforms?")
# Noise, speed and noise of durations, in the order and with the values of VITS and Piper.
_SCALES = {"noise_scale": 0.667, "length_scale": 1.0, "noise_scale_w": 0.8}
# The size that boxes are scaled to: of RT-DETR (lyuwenyu/RT-DETR, references/deploy), (width,
# height); of YOLO v3 in onnx/models and of PaddleDetection, (height, width). The image's size
# as the model gets it puts the boxes where the decoders expect them.
_WIDTH_FIRST = frozenset(("orig_target_sizes",))
_IMAGE_SIZES = _WIDTH_FIRST | {"image_shape", "im_shape"}
_IMAGE_SCALE = "scale_factor"  # of PaddleDetection: how far the image was resized before
# The prompt of segment-anything's decoder (segment_anything/utils/onnx.py): points in pixels of
# an image whose longest side is 1,024, and their labels.
SAM_PROMPT = frozenset(("image_embeddings", "point_coords", "point_labels", "mask_input"))
_MOST_PROMPT_INPUTS = 16  # looked at; the decoder has six inputs
_SAM_SIDE = 1_024
_SAM_INSIDE = 1
_SAM_NONE = -1
_RATE = frozenset(
    ("sr", "fs", "sample_rate", "sampling_rate", "samplerate", "rate",
     "decoded_sample_data:1")  # second output of DecodeWav in TensorFlow's speech_commands
)  # fmt: skip
# Inputs of forecasts, whose past is given and not carried on.
_HISTORY = frozenset(("past_values", "past_time_features", "past_observed_mask"))
_LENGTH = re.compile(r"(^|.*_)(len|lens|length|lengths)$")
_PLACES = re.compile(r"position_?ids|cache_position|(^|_)positions?$")
_FLAGS = frozenset(("use_cache_branch", "use_cache"))  # of Optimum's merged decoders
_OTHER_PARTS = re.compile(r"num_(image|audio|speech|vision)_tokens")  # onnxruntime-genai's
_CACHE = re.compile(r"past|cache")
_SUM = re.compile(r"total|\+")
_STATE = re.compile(
    r"(^|.*[_./])(states?|past|cache|hidden|h0|c0|h|c|hx|cx|h_in|c_in)($|[_./\d].*)"
)


def lengths(inputs: Sequence[TensorInfo], given_lengths: Mapping[str, int]) -> dict[str, int]:
    """Return the known lengths of free axes and usual ones where a length of 1 rarely works.

    A free side of a picture becomes 224; a free row of samples beside a sample rate 512, or
    576 of Silero VAD; what
    a cache of earlier tokens holds 0, and a mask over it and the new ones their sum.
    """
    # Models with 100,000 inputs exist; nearly all of them have no free axis.
    free = [
        info for info in inputs if not all(isinstance(axis, int) for axis in info.shape or ())
    ]
    chosen = dict.fromkeys(_of_other_parts(free), 0) | _of_caches(free, given_lengths)
    speech = bool(free) and any(is_rate(info) for info in inputs)
    late = silero_state(inputs) > EARLY_SILERO_STATE
    frame = SILERO_FRAME if late else SOUND_FRAME
    for info in free:
        chosen = {**_of_features(info), **chosen}
    for info in free:
        picture = guess(info)
        for index, name in enumerate(axis_names(info)):
            if name is None or name in chosen:
                continue
            if picture is not None and index in _sides(info, picture.layout):
                chosen[name] = PICTURE_SIDE
            elif picture is not None and index == _channel_axis(info, picture.layout):
                chosen[name] = picture.channels
            elif speech and is_float(info.dtype) and not is_state(info):
                last = index == len(info.shape or ()) - 1 and index > 0
                chosen |= {name: frame} if last else {}
    return of_symbols(chosen)


def silero_state(inputs: Sequence[TensorInfo]) -> int:
    """Length of the state of Silero VAD, 128 or (before version 5) 64; 0: not that model.

    The half-precision export and the one for OpenVINO have no input for the rate.
    """
    for info in inputs:
        shape = info.shape or ()
        if len(shape) == 3 and shape[0] == 2 and is_state(info) and shape[2] in (64, 128):
            return int(shape[2] or 0)
    return 0


def fixed_lengths(inputs: Sequence[TensorInfo]) -> dict[str, int]:
    """Return a length for every dynamic axis, as one would fix it: the usual one, of tokens
    that of a text, else 1. Phones and NPUs need fixed shapes; this is the one rule for what
    they are asked about."""
    usual = lengths(inputs, {})
    text = {name: n for name, n in text_lengths(inputs).items() if name not in usual}
    usual = lengths(inputs, text) if text else usual
    return {name: usual.get(name, 1) for name in free_axes(inputs)}


def text_lengths(inputs: Sequence[TensorInfo]) -> dict[str, int]:
    """Return the length of the axis of tokens or bytes, as of a text; empty without one."""
    axis = token_axis(inputs)
    if axis is None:
        return {}
    numbers = (info for info in inputs if "int" in info.dtype)
    is_text = any(axis in axis_names(info) for info in numbers)
    return {axis: SEQUENCE if is_text else usual_length(axis)}


def value(
    info: TensorInfo, inputs: Sequence[TensorInfo], given_lengths: Mapping[str, int]
) -> tuple[str, str]:
    """Return a recipe or a whole number for every element of an input, and words that say
    why."""
    if is_rate(info):
        return str(SAMPLE_RATE), Sentence(
            "a sample rate of {sample_rate} Hz", Count(SAMPLE_RATE)
        )
    integer = not is_float(info.dtype)
    if _is_place(info):
        return "range", "positions from the first token"
    if integer and "mask" in info.name.lower():
        return "ones", "a mask of ones"
    if info.dtype in ("int32", "int64") and _LENGTH.match(info.name.lower()):
        others = [other for other in inputs if other is not info and len(other.shape or ()) > 1]
        free = [other for other in others if not isinstance((other.shape or ())[1], int)]
        length = next((shape_of(other, given_lengths)[1] for other in free + others), 1)
        return str(length), f"the length of the other inputs, {length}"
    if is_state(info):
        return "zeros", "an initial state"
    if info.dtype == "string":
        return "zeros", "empty texts"
    if takes_bytes(info) and len(inputs) == 1 and not _length_known(info, given_lengths):
        return f"text:{SAMPLE_TEXT}", "a sample sentence, because empty text gives no result"
    if info.name.lower() in _SCALES and is_float(info.dtype):
        return str(_SCALES[info.name.lower()]), "the authors' default"
    return ("zeros", "zeros") if integer else ("random:0", "random in 0..1, seed 0")


def array(
    info: TensorInfo, inputs: Sequence[TensorInfo], given_lengths: Mapping[str, int]
) -> tuple[Tensor, str] | None:
    """Return the values of an input that each have a meaning of their own, with what they are.

    inputs: all inputs of the model. given_lengths: lengths of free axes. None for any other
    input.
    """
    name = info.name.lower()
    if {each.name.lower() for each in inputs[:_MOST_PROMPT_INPUTS]} >= SAM_PROMPT:
        prompt = _sam_prompt(name, info, given_lengths)
        if prompt is not None:
            return prompt
    past = cached_tokens(inputs, given_lengths) if name in _FLAGS or _is_place(info) else 0
    if past and _is_place(info):
        places = np.arange(shape_of(info, given_lengths)[-1]) + past
        every = np.broadcast_to(places, shape_of(info, given_lengths))
        return every.astype(numpy_type(info.dtype)), "positions after the tokens in the cache"
    if past and info.dtype == "bool":
        return np.ones(shape_of(info, given_lengths), np.bool_), "the cache is used"
    if name == "scales" and info.shape == (len(_SCALES),) and is_float(info.dtype):
        return np.array(list(_SCALES.values()), numpy_type(info.dtype)), "the authors' default"
    shape = shape_of(info, given_lengths)
    if name not in _IMAGE_SIZES | {_IMAGE_SCALE} or not shape or shape[-1] != 2:
        return None
    if name == _IMAGE_SCALE:
        return np.ones(shape, numpy_type(info.dtype)), "an image that is not resized"
    size = _image_size(inputs, given_lengths)
    if size is None:
        return None
    width, height = size
    pair = size if name in _WIDTH_FIRST else (height, width)
    values = np.broadcast_to(np.array(pair, numpy_type(info.dtype)), shape).copy()
    return values, f"the image's size, {width} × {height}"


def _sam_prompt(
    name: str, info: TensorInfo, given_lengths: Mapping[str, int]
) -> tuple[Tensor, str] | None:
    """Return the part of a prompt that says: one point in the center, no previous mask."""
    array = np.zeros(shape_of(info, given_lengths), numpy_type(info.dtype))
    if name == "point_coords":
        array[:] = _SAM_SIDE / 2
        return array, f"the center of an image with the longest side {_SAM_SIDE:,}"
    if name == "point_labels" and array.ndim:
        array[:] = _SAM_NONE
        array[..., :1] = _SAM_INSIDE
        return array, "the first point is inside the object"
    if name == "orig_im_size":
        array[:] = _SAM_SIDE
        return array, f"an image of {_SAM_SIDE:,} × {_SAM_SIDE:,}"
    return (array, "no previous mask") if name in ("mask_input", "has_mask_input") else None


def _image_size(
    inputs: Sequence[TensorInfo], given_lengths: Mapping[str, int]
) -> tuple[int, int] | None:
    """Return width and height of the first image among the inputs, as the model gets it."""
    for info in inputs:
        image = guess(info)
        if image is not None:
            shape = shape_of(info, given_lengths)
            down, across = _sides(info, image.layout)
            return shape[across], shape[down]
    return None


def takes_bytes(info: TensorInfo) -> bool:
    """Return whether an input takes the bytes of a text, of which 0 is none."""
    rows = len(info.shape or ()) in (1, 2) and info.dtype == "uint8"
    return rows and info.name.lower() in ("text", "texts", "bytes", "string", "sentence")


def _is_place(info: TensorInfo) -> bool:
    """Return whether an input says at which place of the text each token stands."""
    return not is_float(info.dtype) and _PLACES.search(info.name.lower()) is not None


def _length_known(info: TensorInfo, given_lengths: Mapping[str, int]) -> bool:
    return (axis_names(info)[-1] or "") in given_lengths


def _of_features(info: TensorInfo) -> dict[str, int]:
    """Return the lengths of the free axes of inputs that take sound or features of it."""
    axes, named = axis_names(info), dict[str, int]()
    if not is_float(info.dtype):
        return named
    if _WAVEFORM.fullmatch(info.name.lower()) and len(axes) == 2 and axes[1]:
        named[axes[1]] = SOUND_SAMPLES
    if info.name.lower() == "input_features" and len(axes) == 3:
        named |= {axes[1]: 80} if axes[1] else {}
        named |= {axes[2]: MEL_FRAMES} if axes[2] else {}
    elif len(axes) == 3 and (info.shape or ())[2] == 80 and axes[1]:
        named[axes[1]] = SOUND_FRAMES
    elif len(axes) == 3 and (info.shape or ())[1] == 80 and axes[2]:
        named[axes[2]] = SOUND_FRAMES
    return named


def is_mask(info: TensorInfo) -> bool:
    """Return whether an input says which tokens count."""
    return "mask" in info.name.lower() and not is_float(info.dtype)


def covers_cache(mask: TensorInfo, inputs: Sequence[TensorInfo]) -> bool:
    """Return whether a mask may be longer than the tokens: its axis is free, and its own."""
    own = axis_names(mask)[-1] if mask.shape else None
    others = (info for info in inputs if not is_mask(info))
    return own is not None and all(own not in axis_names(info) for info in others)


def cached_tokens(inputs: Sequence[TensorInfo], given_lengths: Mapping[str, int]) -> int:
    """Return how many tokens the caches of a language model hold; 0 without any.

    A cache has the tokens in its second to last axis.
    """
    for info in inputs:
        if is_state(info) and _CACHE.search(info.name.lower()) and len(info.shape or ()) > 2:
            return known_shape(info, given_lengths)[-2] or 0
    return 0


def check_sums(
    inputs: Sequence[TensorInfo],
    given_lengths: Mapping[str, int],
    all_lengths: Mapping[str, int],
) -> None:
    """Check given lengths of axes that hold the tokens in a cache and the new ones.

    all_lengths: those given, from files, and usual ones. Raises BadInput: another sum.
    """
    for name, length in given_lengths.items():
        total = _total(name, inputs, all_lengths) if _SUM.search(name.lower()) else None
        if total not in (None, length):
            raise BadInput(
                f"Could not set dynamic axis '{clip(name, 80)}'",
                f"it holds the tokens in the cache and the new ones, which are {total:,} "
                f"with the other sizes, not {length:,}",
                "Omit it: its size follows from the other axes.",
            )


def _of_other_parts(inputs: Sequence[TensorInfo]) -> Iterator[str]:
    """Yield the axes of features that other parts of a model make of images and sounds: a text
    without a place for them has none."""
    for info in inputs:
        for name in axis_names(info) if is_float(info.dtype) else ():
            if name is not None and _OTHER_PARTS.fullmatch(name) is not None:
                yield name


def token_axis(inputs: Sequence[TensorInfo]) -> str | None:
    """Return the name of the axis of the new tokens: of rows of whole numbers, else of
    embeddings; None where there is none."""
    rows = [axis_names(info) for info in inputs if not is_float(info.dtype)]
    tokens = [r[1] for r in rows if len(r) == 2 and r[1] and not _SUM.search(r[1])]
    embedded = (
        axis_names(info)[1]
        for info in inputs
        if len(info.shape or ()) == 3 and is_float(info.dtype) and not is_state(info)
    )
    return next(iter(tokens), None) or next((axis for axis in embedded if axis), None)


def _total(name: str, inputs: Sequence[TensorInfo], lengths: Mapping[str, int]) -> int | None:
    """Return the length of an axis over a cache and the new tokens; None: it is not known."""
    past = next((lengths[n] for n in lengths if "past" in n.lower() and n != name), None)
    axes = {axis for info in inputs for axis in axis_names(info) if axis}
    masks = {axis for info in inputs if is_mask(info) for axis in axis_names(info)}
    if past is None and name in masks and not any("past" in axis.lower() for axis in axes):
        past = 0  # the first step of a decoder in two files has no cache
    tokens = token_axis(inputs)
    return None if past is None or tokens is None else lengths.get(tokens, 1) + past


def _of_caches(
    inputs: Sequence[TensorInfo], given_lengths: Mapping[str, int]
) -> dict[str, int]:
    """Return the known lengths and those of caches: nothing is kept yet."""
    chosen = dict(given_lengths)
    for info in inputs:
        cached = is_state(info) and _CACHE.search(info.name.lower()) is not None
        for index, name in enumerate(axis_names(info)):
            unnamed = name == f"{info.name}[{index}]" and index == len(info.shape or ()) - 2
            is_cache_length = (
                name is not None and "past" in name.lower() and not _SUM.search(name.lower())
            )
            if name is not None and cached and (is_cache_length or unnamed) and index:
                chosen.setdefault(name, 0)
    for name in {name for info in inputs for name in axis_names(info) if name}:
        if _SUM.search(name.lower()) and expression(name) is None and name not in chosen:
            total = _total(name, inputs, chosen)
            chosen |= {} if total is None else {name: total}
    return chosen


def _sides(info: TensorInfo, layout: str) -> tuple[int, int]:
    rank = len(info.shape or ())
    return (rank - 2, rank - 1) if layout == "nchw" else (rank - 3, rank - 2)


def _channel_axis(info: TensorInfo, layout: str) -> int:
    rank = len(info.shape or ())
    return rank - 3 if layout == "nchw" else rank - 1


def is_rate(info: TensorInfo) -> bool:
    """Return whether an input takes samples per second."""
    one = info.shape in ((), (1,))
    return one and info.dtype in ("int32", "int64") and info.name.lower() in _RATE


def is_state(info: TensorInfo) -> bool:
    """Return whether the name of an input says that it is a memory."""
    name = info.name.lower()
    return is_float(info.dtype) and name not in _HISTORY and _STATE.match(name) is not None
