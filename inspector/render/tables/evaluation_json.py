"""The results of a folder of inputs as plain values, for JSON."""

from dataclasses import asdict, replace
from typing import Any

from msgspec import structs

from inspector.analysis.verdicts import accuracy
from inspector.analysis.verdicts.outputs import as_json
from inspector.preview.runs import folder
from inspector.preview.runs.folder import FolderResult, Row
from inspector.preview.runs.metrics import own_metric
from inspector.report.evaluation import Metric


def folder_body(result: FolderResult) -> dict[str, Any]:
    """Return metrics, counts, confusion matrix, verdict on outputs, notes and rows."""
    counted = folder.summary(result.rows)
    matrix = folder.confusion(result.rows, result.labels)
    counts = asdict(counted)
    del counts["metric"]  # one of "metrics"
    return {
        "metrics": [_metric(each, result) for each in result.accuracy],
        "summary": counts
        | {
            "failed": counted.failed,
            "top1": counted.accuracy,
            "top5": counted.top_accuracy,
            "agreement": counted.agreement,
            "labeled": counted.told,
            "correct": counted.right,
            "correct_in_top5": counted.right_in_top,
            "other_labeled": counted.other_told,
            "other_correct": counted.other_right,
        },
        "confusion": None
        if matrix is None
        else {
            "labels": matrix.labels,
            "counts": matrix.counts.tolist(),
            "left_out": matrix.left_out,
        },
        "verdict": None if result.verdict is None else as_json(result.verdict),
        "notes": result.notes,
        "rows": [_row(row) for row in result.rows],
    }


def _metric(metric: Metric, result: FolderResult) -> dict[str, Any]:
    """Return a metric; with another run, whether the model is better, and the verdict."""
    level = accuracy.level_of(metric)
    compared: dict[str, Any] = {"level": None, "verdict": None}
    if level is not None:
        text = accuracy.sentence(metric, result.model, result.against)
        compared = {"level": level, "verdict": text}
    body = structs.asdict(metric) | structs.asdict(metric.estimate) | compared
    del body["estimate"]
    for side in ("other", "change"):
        body[side] = body[side] and structs.asdict(body[side])
    return body


def _row(row: Row) -> dict[str, Any]:
    """Return a row with the names that others read, beside those of the first versions."""
    body = asdict(replace(row, result=None, agreement=None))
    del body["why"]  # the problem ends with it
    del body["result"]
    body |= {
        "right": row.right,
        "label": row.wanted,
        "correct": row.right,
        "correct_in_top5": row.right_in_top,
        "metric": None,
    }
    if row.result is not None:
        name, value = own_metric(row.result)
        body["metric"] = {"name": name, "value": value}
    if row.agreement is not None:
        agreement = asdict(replace(row.agreement, result=None))
        del agreement["result"]
        body["agreement"] = agreement | {"correct": row.agreement.right}
    return body
