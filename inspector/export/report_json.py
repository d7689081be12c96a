"""The report as JSON with what follows from it: for scripts that have no statistics."""

from typing import Any

import msgspec

from inspector.analysis.advice import advice
from inspector.analysis.statistics import FRAME_RATES, fits, sentences, statistics
from inspector.report import PerformanceReport, to_json


def report_json(report: PerformanceReport) -> bytes:
    """report/1 with the field `derived` at its end; everything in it follows from the rest.

    Reading the report again ignores it, so that it can never contradict the samples.
    """
    derived = msgspec.json.encode(_derived(report))
    return to_json(report).rstrip().removesuffix(b"}") + b',"derived":' + derived + b"}\n"


def _derived(report: PerformanceReport) -> dict[str, Any]:
    found = statistics(report.prediction_ns)
    return {
        "prediction": found,
        "predictions_per_second": found.per_second if found else None,
        "fits_frames_per_second": {
            str(rate): fits(report.prediction_ns, rate) for rate in FRAME_RATES
        },
        "sentences": sentences(report),
        "advice": advice(report),
    }
