"""A measurement token by token with GenAI: the same rows as with plain ONNX Runtime.

GenAI does not say what its layers take, so that the report has no layers and no timeline.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from inspector.backends import partial_reports
from inspector.backends.base import MeasureRequest, ReportProgress
from inspector.backends.genai import runtime
from inspector.backends.genai.decoder import GenAiDecoder
from inspector.backends.machine import environment
from inspector.backends.measuring import process_state
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.token_plans import (
    expect_lengths,
    given_prompt,
    read_bytes,
    stored_bytes,
    tokens_of,
)
from inspector.backends.measuring.token_times import TokenTimes, planned_rows, token_times
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.report.environment import MemoryUse
from inspector.report.language.speed import GenerationSpeed
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import COLUMNS, from_columns
from inspector.units import clip
from inspector.wording.values import Sentence

# Opens a folder: the decoder, and how long loading took.
Open = Callable[[Path, RunSpec, ReportProgress], tuple[GenAiDecoder, int]]


def measure(request: MeasureRequest, open_decoder: Open) -> PerformanceReport:
    """Measure a model as its settings ask; meant for a fresh process.

    Raises BadInput: no tokens are asked for, or more than fit. EngineFailed: GenAI refused.
    """
    spec, model = request.spec, request.model
    what = Sentence("Could not measure {name}", clip(model.name))
    if not spec.generates:
        why = "ONNX Runtime GenAI only generates text, and no tokens were asked for"
        raise BadInput(what, why, "Set --new-tokens, or choose the device cpu.")
    start_bytes = process_state.resident_bytes()
    described = opening.open_model(model)
    prompt = given_prompt(request.feeds)
    plans = planned_rows(spec, 0 if prompt is None else prompt.shape[1])
    decoder, load_ns = open_decoder(model, spec, request.report_progress)
    loaded, loaded_peak = process_state.resident_bytes(), process_state.peak_bytes()
    expect_lengths(decoder.context_limit, plans, spec.new_tokens, what)
    pacer = CpuSpeedProbe(request.reference_ns, spec.only_cpu, spec.alone)
    taking = TurnTaker(request.pass_on if request.interleaved else None)

    def report_of(times: TokenTimes) -> PerformanceReport:
        first = times.rows[0].memory
        memory = MemoryUse(
            start_bytes, loaded, first.resident_bytes, process_state.resident_bytes(),
            process_state.peak_bytes(), stored_bytes(described), loaded_peak, first.peak_bytes,
        )  # fmt: skip
        counts = [len(row.step_ns) or len(row.prefill_ns) for row in times.rows]
        speed = GenerationSpeed(
            times.rows,
            loop=runtime.RUNTIME,
            cache=decoder.cache,
            repetitions=max(counts, default=0),
            context_limit=decoder.context_limit,
            weights_read_bytes=read_bytes(described),
            curve=times.curve.points,
            jumps=times.curve.jumps,
            cache_token_bytes=decoder.cache_token_bytes,
        )
        main = speed.decode
        steps = () if main is None else main.steps
        return PerformanceReport(
            model=request.identity,
            spec=spec,
            environment=environment((runtime.SOURCE,), runtime.RUNTIME, runtime.VERSION),
            created=datetime.now().astimezone().isoformat(timespec="seconds"),
            load_ns=load_ns,
            first_prediction_ns=times.first_ns,
            prediction_ns=steps,
            prediction_cpu_ns=times.step_cpu_ns,
            memory=memory,
            devices=(runtime.device(),),
            layers=(),
            inserted=(),
            kernel_ns=0,
            trace=from_columns((), (), dict.fromkeys(COLUMNS, ())),
            surroundings=times.surroundings,
            loads_ns=(load_ns,),
            warmup_ns=times.warmup_ns,
            first_predictions_ns=(times.first_ns,),
            pace=pacer.pace(),
            turns=taking.turns(request.interleaved, len(steps)),
            generation=speed,
        )

    with runtime.refusals_as_errors(what, "generation"):
        times = token_times(
            decoder,
            plans,
            spec,
            tokens_of(prompt, decoder.vocabulary),
            request.report_progress,
            pacer,
            taking,
            bool(request.interleaved),
            lambda so_far: partial_reports.write(request.folder, report_of(so_far)),
        )
    return report_of(times)
