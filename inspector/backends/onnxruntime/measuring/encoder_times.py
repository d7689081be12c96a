"""Times of an encoder, which runs once before its decoder writes, and what it then says."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns

import numpy as np
import onnxruntime
from msgspec import Struct, field

from inspector.backends import signature
from inspector.backends.array_files import Feed
from inspector.backends.generation.generating import decoder_feeds
from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.onnxruntime.sessions import devices, predict
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.model.tensors.prediction import OutputValue
from inspector.report.language.speed import EncoderRow
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

_MOST_NS = 20_000_000_000  # of one length, after which it is not repeated further
_LEAST_RUNS = 2  # one alone has no spread


class EncoderPass(Struct, frozen=True, eq=False):
    """What was measured of an encoder. given: inputs of the decoder that it fills."""

    load_ns: int = 0
    rows: tuple[EncoderRow, ...] = ()
    given: Mapping[str, Feed] = field(default_factory=dict)


def encoder_pass(
    encoder: Path,
    decoder: onnxruntime.InferenceSession,
    feeds: Mapping[str, Feed],
    spec: RunSpec,
    units: Sequence[devices.DeviceHandle],
    tell: Tell,
) -> EncoderPass:
    """Time an encoder with texts of the lengths in `spec`. Raises BadInput, EngineFailed."""
    began = perf_counter_ns()
    session = create_session(encoder, spec, units)
    load_ns = perf_counter_ns() - began
    what = Sentence("Could not run {name}", clip(encoder.name))
    texts = any(_is_text(feed) for feed in feeds.values())
    rows, values, fed = list[EncoderRow](), tuple[OutputValue, ...](), feeds
    lengths = sorted(spec.prompt_tokens) if texts and spec.prompt_tokens else [0]
    for place, length in enumerate(lengths):
        fed = {name: _beginning(feed, length) for name, feed in feeds.items()}
        times = list[int]()
        for _ in range(max(1, spec.warmup)):
            values, _ = predict.predict(session, fed, what, spec.cast)
        wanted = max(spec.runs, _LEAST_RUNS)
        while len(times) < _LEAST_RUNS or (len(times) < wanted and sum(times) < _MOST_NS):
            tell("encoder", (place + len(times) / wanted) / len(lengths), tuple(times))
            values, spent_ns = predict.predict(session, fed, what, spec.cast)
            times.append(spent_ns)
        tokens = next((f.shape[-1] for f in fed.values() if _is_text(f)), 0)  # type: ignore[union-attr]
        rows.append(EncoderRow(tokens, tuple(times)))
    inputs = signature.tensor_infos(decoder.get_inputs())
    outputs = signature.tensor_infos(decoder.get_outputs())
    given = decoder_feeds(inputs, outputs, values, fed)
    return EncoderPass(load_ns, tuple(rows), given)


def _is_text(feed: Feed) -> bool:
    return isinstance(feed, np.ndarray) and feed.ndim == 2 and feed.dtype.kind in "iu"


def _beginning(feed: Feed, length: int) -> Feed:
    """Return the first tokens of a text, or what goes with them; all for length 0."""
    if length and isinstance(feed, np.ndarray) and _is_text(feed):
        return np.ascontiguousarray(feed[:, :length])
    return feed
