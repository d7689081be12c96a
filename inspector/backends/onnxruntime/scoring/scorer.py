"""Logits of all places of a window of tokens, in one forward pass with an empty cache."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from inspector.backends import signature, type_names
from inspector.backends.onnxruntime.sessions import refusals
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.errors import BadInput, EngineFailed
from inspector.model.model import TensorInfo
from inspector.platform.memory_budget import own_limit_bytes
from inspector.preview.inputs import default_values, tokens
from inspector.units import clip, shape, size

_WHAT = "Could not score the tokens of a text"
_LONGEST_NAME = 60  # letters
_INTEGERS = ("int32", "int64")
_FLOATS = ("float32", "float16", "float64")  # types of logits and of caches
# Logits of a window, those of the other model, and what the runtime holds in between.
_LOGITS_IN_MEMORY = 4
_FLOAT_BYTES = 4
# Inputs besides tokens and cache, by what exporters call them: Optimum, transformers,
# ONNX Runtime GenAI's builder and the operator GroupQueryAttention.
_MASK = re.compile(r"mask")
_PLACES = re.compile(r"position_?ids|cache_position|(^|_)positions?$")
_TYPES = re.compile(r"token_type|segment")
_TOTAL = re.compile(r"total_?seq")
_BEFORE = re.compile(r"past_?seq")
_LAST = re.compile(r"seqlens_k")
_BRANCH = "use_cache_branch"
_KEPT = re.compile(r"(num_)?logits_to_keep")
_FROM_ENCODER = re.compile(r"encoder|cross")
# Of the spread of logits: kernels may round otherwise where one token is another.
_ROUNDING = 0.01
_EVERY_LOGIT = 0  # of logits_to_keep, in transformers: all

Array = NDArray[Any]


class SessionScorer:
    """A session that gives logits for each token. Raises BadInput: its model does not."""

    def __init__(self, name: str, session: onnxruntime.InferenceSession) -> None:
        self._name, self._session = clip(name, _LONGEST_NAME), session
        self._inputs = signature.tensor_infos(session.get_inputs())
        outputs = signature.tensor_infos(session.get_outputs())
        ids = next((info for info in self._inputs if tokens.takes_tokens(info)), None)
        if ids is None:
            raise self._unfit("no input takes token IDs")
        if any(_FROM_ENCODER.search(info.name.lower()) for info in self._inputs):
            raise self._unfit("it writes down what an encoder has read, and no text alone")
        logits = _logits(outputs)
        if logits is None:
            raise self._unfit("no output has a score for each token at each place")
        self._ids, self._logits = ids, logits
        self._looks_ahead: bool | None = None  # None: not known yet

    def logits(self, window: Sequence[int]) -> NDArray[np.floating[Any]]:
        """Return (places, vocabulary), in the type in which the model gives them.

        Raises BadInput: an input is not one of a language model, or takes another length;
        EngineFailed: the runtime refused, or there is too little memory.
        """
        places = len(window)
        entries = (self._logits.shape or ())[-1:]
        vocabulary = next((each for each in entries if isinstance(each, int)), 0)
        needed = places * vocabulary * _FLOAT_BYTES * _LOGITS_IN_MEMORY
        if needed > own_limit_bytes():
            raise EngineFailed(
                _WHAT,
                f"logits of {places:,} tokens with a vocabulary of {vocabulary:,} take "
                f"{size(needed)}, and the engine process is limited to "
                f"{size(own_limit_bytes())}",
                "Use a shorter --text-window.",
                "score",
            )
        values = self._run(window)
        if self._looks_ahead is None:
            # A model that fills in blanks sees tokens behind their place: its perplexity says
            # nothing.
            other = window[0] if window[0] != window[-1] else window[len(window) // 2]
            again = self._run((*window[:-1], other))
            before, after = (np.asarray(each[:-1], np.float32) for each in (values, again))
            spread = float(np.ptp(before)) if np.isfinite(before).all() else 0.0
            self._looks_ahead = bool((np.abs(before - after) > _ROUNDING * spread).any())
            if self._looks_ahead and spread:
                raise self._unfit(
                    "it sees the tokens behind each place, as models do that fill blanks"
                )
        return values

    def _run(self, window: Sequence[int]) -> NDArray[np.floating[Any]]:
        feeds = {info.name: self._feed(info, window) for info in self._inputs}
        try:
            (values,) = self._session.run([self._logits.name], feeds)
        except REFUSALS as error:
            raise refusals.runtime_failure(error, _WHAT, "score") from error
        array = np.asarray(values)
        if array.ndim != 3 or array.shape[0] != 1:
            raise self._unfit(f"its logits have the shape {shape(array.shape)}")
        if array.shape[1] != len(window):
            raise self._unfit(
                f"it gives logits for {array.shape[1]:,} of {len(window):,} tokens: models "
                "made only to generate leave out all but the last ones"
            )
        return np.asarray(array[0])

    def _feed(self, info: TensorInfo, window: Sequence[int]) -> Array:
        called, count = info.name.lower(), len(window)
        if info is self._ids:
            return self._row(info, window)
        if info.dtype == "bool" and called == _BRANCH:
            return np.zeros(len(info.shape or (0,)) and (1,), bool)
        if info.dtype in _INTEGERS:
            for pattern, values in (
                (_MASK, [1] * count),
                (_PLACES, range(count)),
                (_TYPES, [0] * count),
            ):
                if pattern.search(called):
                    return self._row(info, values)
            for pattern, value in (
                (_TOTAL, count), (_BEFORE, 0), (_LAST, count - 1), (_KEPT, _EVERY_LOGIT),
            ):  # fmt: skip
                if pattern.search(called):
                    shape_of_one = tuple(1 for _ in info.shape or ())
                    return np.full(shape_of_one, value, type_names.numpy_type(info.dtype))
        if default_values.is_state(info) and info.dtype in _FLOATS:
            axes = info.shape or ()
            lengths = [each if isinstance(each, int) else 0 for each in axes]
            lengths[:1] = [1]
            return np.zeros(lengths, type_names.numpy_type(info.dtype))
        raise self._unfit(
            f"its input '{clip(info.name, _LONGEST_NAME)}' ({info.dtype} "
            f"{shape(info.shape)}) is none that decoders of text usually have"
        )

    def _row(self, info: TensorInfo, values: Sequence[int]) -> Array:
        """Return a row of numbers in the rank of an input. Raises BadInput: another length."""
        axes = info.shape or (None, None)
        if isinstance(axes[-1], int) and axes[-1] != len(values):
            why = f"its input '{clip(info.name, _LONGEST_NAME)}' takes {axes[-1]:,} tokens"
            raise BadInput(f"{_WHAT} with {self._name}", why, f"Use --text-window {axes[-1]}.")
        row = np.array(values, type_names.numpy_type(info.dtype))
        leading = [each if isinstance(each, int) else 1 for each in axes[:-1]]
        return np.ascontiguousarray(np.broadcast_to(row, (*leading, len(values))))

    def _unfit(self, why: str) -> BadInput:
        return BadInput(
            f"{_WHAT} with {self._name}",
            why,
            "Choose the file of a decoder that predicts the next token of a text.",
        )


def _logits(outputs: Sequence[TensorInfo]) -> TensorInfo | None:
    """Return the output (batch, places, vocabulary), the one called logits before others."""
    fitting = [
        info
        for info in sorted(outputs, key=lambda info: "logits" not in info.name.lower())
        if info.dtype in _FLOATS and len(info.shape or ()) in (0, 3)
    ]
    named = (info for info in fitting if "logits" in info.name.lower())
    return next(named, None) or next((info for info in fitting if info.shape), None)
