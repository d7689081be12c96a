"""A measurement token by token: a clean pass over prompts and contexts, then a profiled one.

The clean pass times what a user's own loop would see. The profiled pass does the same for a few
prompts and steps in a session with the profiler on, so that layers are timed in each phase.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from time import perf_counter_ns

import numpy as np
import onnxruntime
from msgspec import Struct, field, structs

from inspector.backends import partial_reports, signature
from inspector.backends.array_files import Feed
from inspector.backends.base import MeasureRequest
from inspector.backends.generation.generating import decoder_feeds
from inspector.backends.machine import environment
from inspector.backends.measuring import process_state
from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.token_plans import (
    expect_lengths,
    given_prompt,
    read_bytes,
    stored_bytes,
    tokens_of,
)
from inspector.backends.measuring.token_times import (
    Ids,
    RowPlan,
    TokenTimes,
    planned_rows,
    token_times,
)
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.backends.onnxruntime.generation.decoder import Decoder, Graphs, graphs_of
from inspector.backends.onnxruntime.measuring.profiled_phases import (
    PhasesRequest,
    profile_phases,
)
from inspector.backends.onnxruntime.sessions import devices, predict, providers, refusals
from inspector.backends.onnxruntime.sessions import session as session_module
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.formats import opening
from inspector.formats.folders.reading import (
    continuation_of,
    encoder_of,
    folder_around,
    model_name,
)
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue
from inspector.report.environment import MemoryUse
from inspector.report.language.speed import EncoderRow, GenerationSpeed
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import COLUMNS, from_columns
from inspector.units import clip
from inspector.wording.values import Name, Sentence

LOOP = "Inspector's own loop"
BEGINNING = 1  # tokens that the decoder of an encoder-decoder begins with
_TWO_GRAPHS = (
    "Layers are not timed, because two graphs take turns. To time those of decode, measure "
    "{continuation}."
)
_WHAT = "Could not measure {name} token by token"
_MOST_NS = 20_000_000_000  # of one length, after which it is not repeated further
_LEAST_RUNS = 2  # one alone has no spread


class EncoderPass(Struct, frozen=True, eq=False):
    """What was measured of an encoder. given: inputs of the decoder that it fills."""

    load_ns: int = 0
    rows: tuple[EncoderRow, ...] = ()
    given: Mapping[str, Feed] = field(default_factory=dict)


class _Clean(Struct, frozen=True):
    """The clean pass: its rows, and what is known of the decoder.

    graphs: without their sessions, whose memory the profiled pass needs. cache: as in
    `GenerationSpeed`, and token_bytes of it. continuation: the graph for tokens after the
    prompt, where that is another one.
    """

    continuation: Path | None
    load_ns: int
    memory: MemoryUse
    times: TokenTimes
    pacer: CpuSpeedProbe
    graphs: Graphs
    vocabulary: int
    cache: str
    token_bytes: int
    encoder: EncoderPass


def measure_generation(request: MeasureRequest, taking: TurnTaker) -> PerformanceReport:
    """Measure a decoder as its settings ask; meant for a fresh process.

    Raises BadInput: it is no decoder, or does not take such lengths. EngineFailed: the runtime
    refused.
    """
    spec, model = request.spec, request.model
    request.report_progress("devices", -1, ())
    units = devices.resolve(spec.devices)
    sources = (providers.runtime_source(), *(unit.device.source for unit in units))
    version = onnxruntime.__version__
    machine = environment(sources, f"ONNX Runtime {version}", version)
    described = opening.open_model(model)
    encoder = encoder_of(folder_around(model), model)
    # The feeds are an encoder's where there is one, and its decoder has a fixed beginning.
    prompt = None if encoder is not None else given_prompt(request.feeds)
    rows_of = spec if encoder is None else replace(spec, prompt_tokens=(BEGINNING,))
    plans = planned_rows(rows_of, 0 if prompt is None else prompt.shape[1])
    bare = from_columns((), (), dict.fromkeys(COLUMNS, ()))

    def report_of(clean: _Clean) -> PerformanceReport:
        speed = _speed(clean, described)
        main = speed.decode
        return PerformanceReport(
            model=request.identity,
            spec=spec,
            environment=machine,
            created=datetime.now().astimezone().isoformat(timespec="seconds"),
            load_ns=clean.load_ns,
            first_prediction_ns=clean.times.first_ns,
            prediction_ns=() if main is None else main.steps,
            prediction_cpu_ns=clean.times.step_cpu_ns,
            memory=replace(clean.memory, weights_bytes=stored_bytes(described)),
            devices=tuple(unit.device for unit in units),
            layers=(),
            inserted=(),
            kernel_ns=0,
            trace=bare,
            surroundings=clean.times.surroundings,
            loads_ns=(clean.load_ns,),
            warmup_ns=clean.times.warmup_ns,
            first_predictions_ns=(clean.times.first_ns,),
            pace=clean.pacer.pace(),
            notes=session_module.notes(model, spec),
            generation=speed,
        )

    def keep(clean: _Clean) -> None:
        so_far = replace(report_of(clean), spec=replace(spec, profiled_runs=0))
        partial_reports.write(request.folder, so_far)

    clean = _clean_pass(request, units, plans, prompt, taking, keep)
    keep(clean)
    report = report_of(clean)
    if not spec.profiled_runs or opening.is_ort(model):
        return report
    if clean.continuation is not None:
        name = Name(clean.continuation.name)
        note = Sentence(_TWO_GRAPHS, continuation=name)
        return replace(report, notes=(*report.notes, note))
    return _with_layers(report, request, clean, described, units, prompt)


def _with_layers(
    report: PerformanceReport,
    request: MeasureRequest,
    clean: _Clean,
    described: Model,
    units: Sequence[devices.DeviceHandle],
    prompt: Ids | None,
) -> PerformanceReport:
    """Return a report with the times of layers in each phase, and the timeline."""
    assert report.generation is not None, "the report of a clean pass has one"
    done = profile_phases(
        PhasesRequest(
            request.model, described, clean.graphs, request.spec, units, report.devices,
            request.folder, tokens_of(prompt, clean.vocabulary), report.generation,
            clean.times, clean.pacer.pace(), request.report_progress, clean.encoder.given,
        )
    )  # fmt: skip
    evaluation = done.evaluation
    speed = replace(report.generation, decode_layers=done.decode, prefill_layers=done.prefill)
    if speed.jumps:
        before_ns, after_ns = done.jump_ns
        largest = replace(speed.jumps[0], layers_before_ns=before_ns, layers_after_ns=after_ns)
        speed = replace(speed, jumps=(largest, *speed.jumps[1:]))
    return replace(
        report,
        devices=evaluation.devices,
        layers=evaluation.layers,
        inserted=evaluation.inserted,
        kernel_ns=evaluation.kernel_ns,
        trace=evaluation.trace,
        profiling=evaluation.profiling,
        notes=(*report.notes, *done.notes),
        generation=speed,
    )


def _clean_pass(
    request: MeasureRequest,
    units: Sequence[devices.DeviceHandle],
    plans: Sequence[RowPlan],
    prompt: Ids | None,
    taking: TurnTaker,
    keep: Callable[[_Clean], None],
) -> _Clean:
    """Load the model and time all rows. keep: gets what there is, in case that this ends early.
    Raises as `measure_generation`."""
    spec, tell = request.spec, request.report_progress
    start_bytes = process_state.resident_bytes()
    tell("load", -1, ())
    began = perf_counter_ns()
    session = create_session(request.model, spec, units)
    folder = folder_around(request.model)
    after = continuation_of(folder, request.model)
    continued = None if after is None else create_session(after, spec, units)
    load_ns = perf_counter_ns() - began
    encoder, encoded = encoder_of(folder, request.model), EncoderPass()
    if encoder is not None:
        encoded = encoder_pass(encoder, session, request.feeds, spec, units, tell)
        load_ns += encoded.load_ns
    loaded, loaded_peak = process_state.resident_bytes(), process_state.peak_bytes()
    graphs = graphs_of(request.model, session, continued, encoded.given)
    decoder = Decoder(graphs, encoded.given)
    what = Sentence(_WHAT, clip(model_name(request.model)))
    expect_lengths(decoder.graphs.context_limit, plans, spec.new_tokens, what)
    pacer = CpuSpeedProbe(request.reference_ns, spec.only_cpu, spec.alone)
    tokens = tokens_of(prompt, decoder.vocabulary)

    token_bytes = sum(state.bytes_per_token(1) for state in decoder.roles.states)
    graphs = structs.replace(decoder.graphs, session=None, first=None)

    def clean(times: TokenTimes) -> _Clean:
        memory = MemoryUse(
            start_bytes, loaded, times.rows[0].memory.resident_bytes,
            process_state.resident_bytes(), process_state.peak_bytes(), 0, loaded_peak,
            times.rows[0].memory.peak_bytes,
        )  # fmt: skip
        return _Clean(
            after,
            load_ns,
            memory,
            times,
            pacer,
            graphs,
            decoder.vocabulary,
            decoder.cache,
            token_bytes,
            encoded,
        )

    try:
        in_turns = bool(request.interleaved)
        times = token_times(
            decoder, plans, spec, tokens, tell, pacer, taking, in_turns,
            lambda so_far: keep(clean(so_far)),
        )  # fmt: skip
    except REFUSALS as error:
        raise refusals.runtime_failure(error, what, "generation") from error
    return clean(times)


def _speed(clean: _Clean, described: Model) -> GenerationSpeed:
    rows = clean.times.rows
    repetitions = max((len(row.step_ns) or len(row.prefill_ns) for row in rows), default=0)
    speed = GenerationSpeed(
        rows,
        loop=LOOP,
        cache=clean.cache,
        repetitions=repetitions,
        context_limit=clean.graphs.context_limit,
        weights_read_bytes=read_bytes(described),
        curve=clean.times.curve.points,
        jumps=clean.times.curve.jumps,
        cache_token_bytes=clean.token_bytes,
        encoder=clean.encoder.rows,
    )
    encoded = speed.encoded
    if encoded is None:
        return speed
    waiting = (
        replace(row, encode_ns=encoded.median_ns) if row.prefill_ns else row for row in rows
    )
    return replace(speed, rows=tuple(waiting))


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
