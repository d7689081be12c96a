"""The report as JSON with what follows from it: for scripts that have no statistics."""

from collections.abc import Mapping
from dataclasses import asdict
from statistics import median
from typing import Any

import msgspec

from inspector.analysis.advice.bottleneck import bottleneck
from inspector.analysis.advice.rules import advice
from inspector.analysis.advice.summary import next_steps, summary
from inspector.analysis.measured import roofline_points
from inspector.analysis.measured.latency import ALL_FIELD, AT_FULL_SPEED_FIELD, as_json, latency
from inspector.analysis.measured.sample_statistics import (
    FRAME_RATES,
    fits,
    sentences,
    statistics,
)
from inspector.render.tables.fields import fields
from inspector.report.language.speed import GenerationSpeed, SpeedRow
from inspector.report.report import PerformanceReport, to_json
from inspector.wording.stored import text_only


def report_json(report: PerformanceReport, more: Mapping[str, Any] | None = None) -> bytes:
    """report/1 with the field `derived` at its end; everything in it follows from the rest.

    Reading the report again ignores it, so that it can never contradict the samples. more:
    further fields, such as a comparison with another report."""
    further = {"derived": _derived(report), **(more or {})}
    added = msgspec.json.encode(further, enc_hook=text_only).removeprefix(b"{")
    return to_json(report).rstrip().removesuffix(b"}") + b"," + added + b"\n"


def _reached(point: roofline_points.Point) -> dict[str, Any]:
    return {
        "index": point.layer.index,
        "device": point.ceiling.device,
        **fields(point, "operations", "moved_bytes", "operations_per_second"),
        "bytes_per_second": point.bytes_per_second,
        "of_ceiling": point.share,
        "bound_by": point.bound,
    }


def _derived(report: PerformanceReport) -> dict[str, Any]:
    latencies = latency(report)
    limit = bottleneck(report)
    headline = latencies and latencies.headline
    everything = latencies and latencies.all_predictions
    full = latencies and latencies.at_full_cpu_speed
    return {
        "latency": as_json(report),
        "prediction": headline,
        "prediction_of": headline and (AT_FULL_SPEED_FIELD if full else ALL_FIELD),
        "predictions_per_second": everything and everything.per_second,
        "predictions_per_second_of": ALL_FIELD,
        "fits_frames_per_second": {
            str(rate): fits(report.prediction_ns, rate) for rate in FRAME_RATES
        },
        "fits_frames_per_second_of": ALL_FIELD,
        "processor_time": statistics(report.full_speed_predictions.cpu_ns),
        "load": statistics(report.loads_ns or (report.load_ns,)),
        "compilation": statistics(report.compilations_ns),
        "first_prediction": statistics(
            report.first_predictions_ns or (report.first_prediction_ns,)
        ),
        "sentences": (*sentences(report), *roofline_points.sentences(report)),
        "roofline": [_reached(point) for point in roofline_points.points(report)],
        "limited_by": {
            "sentence": str(limit.sentence),
            **asdict(limit),
            "outside": str(limit.outside or ""),
            "others": str(limit.others or ""),
            "unknown": str(limit.unknown),
        },
        "advice": advice(report),
        "summary": [{"subject": name, "sentence": str(text)} for name, text in summary(report)],
        "next_steps": next_steps(report),
        "run_joules": report.run_joules,
        "generation": None if report.generation is None else _speed(report.generation),
    }


def _speed(speed: GenerationSpeed) -> dict[str, Any]:
    """Return what follows from the times of a language model, row by row."""
    decode, prompt = speed.decode, speed.prompt
    return {
        "tokens_per_second": decode and decode.tokens_per_second,
        "tokens_per_second_at_context": decode and decode.context,
        "first_token_ns": prompt and median(prompt.first_token_ns),
        "first_token_of_prompt": prompt and prompt.prompt,
        "request_first_token_ns": speed.request_ns,
        "rows": [_speed_row(row) for row in speed.rows],
        "encoder": [
            {"tokens": row.tokens, "run": statistics(row.run_ns)} for row in speed.encoder
        ],
    }


def _speed_row(row: SpeedRow) -> dict[str, Any]:
    return {
        **fields(row, "prompt", "context", "batch"),
        "prefill_tokens_per_second": row.prefill_per_second,
        "first_token": statistics(row.first_token_ns),
        "tokens_per_second": row.tokens_per_second,
        "tokens_per_second_interval": row.speed_interval,
        "between_tokens": statistics(row.steps),
        "between_tokens_p99_ns": row.quantile_ns(0.99),
        "first_step": statistics(row.first_step_ns),
    }
