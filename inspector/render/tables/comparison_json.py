"""A comparison of reports as JSON (schema comparison/1)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from inspector.comparison.ci_conditions import Finding
from inspector.comparison.comparison import AlignedLayer, Comparison
from inspector.comparison.layer_changes import Block
from inspector.render.tables.fields import fields
from inspector.statistics.significance import RatioVerdict

SCHEMA = "comparison/1"
# Names of properties in comparison/1 whose label has changed since; scripts rely on them.
_JSON_NAMES = {
    "Session options": "Session",
    "Runs": "Predictions",
    "Compute type": "Ran in",
    "Outputs": "Answer",
    "I/O binding": "Binding",
    "Dynamic axes": "Free axes",
    "Packages": "Plugins",
    "CPU": "Processor",
    "Runtime": "ONNX Runtime",
    "Available devices": "Devices found",
}


def as_plain(
    comparison: Comparison, findings: Sequence[Finding] = (), verdicts: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the object of dictionaries, lists and plain values.

    findings: outcomes of conditions. verdicts: sentences on what else was found.
    """
    sides = range(len(comparison.names))
    return {
        "schema": SCHEMA,
        **fields(comparison, "names", "warnings"),
        "properties": [
            {
                "group": p.group,
                "name": _JSON_NAMES.get(p.name, p.name),
                "label": p.name,
                **fields(p, "values", "equal"),
            }
            for p in comparison.properties
        ],
        "metrics": [
            {
                "name": m.name,
                "label": m.title,
                **fields(m, "unit", "values"),
                "deltas": [m.delta(i) for i in sides],
                "ratios": [m.ratio(i) for i in sides],
                "judgements": [_judgement(one) for one in m.judgements]
                or [None] * len(comparison.names),
            }
            for m in comparison.metrics
        ],
        "judgements": [_judgement(one) for one in comparison.judgements],
        **fields(comparison, "starts", "different_networks"),
        "conditions": conditions(findings),
        "verdicts": list(verdicts),
        "aligned_by": "name" if comparison.by_name else "index",
        "blocks": [_block(block, sides) for block in comparison.blocks],
        "lists": comparison.lists,
        "types": comparison.transitions,
        "layers": [_layer(layer, sides) for layer in comparison.layers],
    }


def conditions(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return each condition with its outcome and the numbers behind it."""
    return [
        {
            "text": f.condition.text,
            **fields(f, "name", "outcome"),
            "verdict": f.outcome.label.lower(),
            "words": f.plain,
        }
        for f in findings
    ]


def _judgement(judgement: RatioVerdict | None) -> dict[str, Any] | None:
    """Return a verdict with the text that people read, and the change that it leaves open."""
    if judgement is None:
        return None
    return asdict(judgement) | {"text": judgement.text(), "bound": judgement.bound}


def _block(block: Block, sides: range) -> dict[str, Any]:
    return {
        "lead": block.lead,
        "layers": block.rows,
        "time_ns": block.time_ns,
        "deltas_ns": [block.delta_ns(i) for i in sides],
        "ratios": [block.ratio(i) for i in sides],
        "changes": block.changes,
    }


def _layer(layer: AlignedLayer, sides: range) -> dict[str, Any]:
    return {
        **fields(layer, "name", "operator", "moved"),
        "aligned_by": layer.how,
        **fields(layer, "block", "cells"),
        "deltas_ns": [layer.delta_ns(i) for i in sides],
    }
