"""inspector compare: compare reports of measurements."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inspector import units
from inspector.cli import gate, pages
from inspector.cli.commands.compare import SCHEMA
from inspector.cli.runs import diff
from inspector.comparison.ci_conditions import Finding, judged
from inspector.comparison.comparison import AlignedLayer, Comparison, compare
from inspector.comparison.layer_changes import Block
from inspector.errors import BadInput
from inspector.formats.model_formats import model_suffixes
from inspector.pages.comparison import comparison_page
from inspector.report.report import load
from inspector.statistics.significance import RatioVerdict
from inspector.wording import stored

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


def run(options: argparse.Namespace) -> None:
    """Compare reports. Raises InspectorError; SystemExit where a condition holds."""
    gate.check_options(options)
    paths = pinned([options.first, *options.others], options.baseline_index)
    if any(map(_is_model, paths)):
        _compare_models(paths, options)
        return
    reports = [load(path) for path in paths]
    result = compare(reports, [units.clip(path.name) for path in paths])
    findings = judged(options.conditions, reports, result)
    if options.json:
        print(stored.json_text(_body(result, findings)))
    elif options.markdown != "-":
        page = comparison_page(result, findings, [str(path) for path in paths])
        pages.show(page, options.details)
    gate.write_files(options, result, findings)
    gate.exit_if_failed(options, findings)


def _is_model(path: Path) -> bool:
    """Return whether a file is a model by its name; reports are JSON."""
    return path.name.lower().endswith(model_suffixes())


def _compare_models(paths: list[Path], options: argparse.Namespace) -> None:
    """Do what `inspector diff` does. Raises BadInput: not two models, or for reports."""
    names = [units.clip(path.name) for path in paths]
    hint = "Compare two models with: inspector diff A B"
    for path, name in zip(paths, names, strict=True):
        if not _is_model(path):
            models = next(n for p, n in zip(paths, names, strict=True) if _is_model(p))
            why = f"{models} is a model, not a report, and {name} is not a model"
            raise BadInput("Could not compare", why, hint)
    if len(paths) != 2 or options.conditions or options.junit:
        why = "only two models, without conditions on measurements, can be compared this way"
        raise BadInput("Could not compare", why, hint)
    diff.run(
        argparse.Namespace(
            first=paths[0],
            other=paths[1],
            json=options.json,
            markdown=options.markdown,
            html=None,
            no_values=False,
            conditions=[],
            on_undecided=options.on_undecided,
            text=None,
            sensitivity=False,
        )
    )


def pinned(paths: list[Path], baseline: int) -> list[Path]:
    """Return the paths with the Nth first, counted from 1. Raises BadInput: there is no Nth."""
    if not 1 <= baseline <= len(paths):
        what, why = (
            f"There is no report {baseline}",
            f"only {len(paths)} reports were specified",
        )
        raise BadInput(what, why, f"--baseline-index must be a number from 1 to {len(paths)}.")
    return [paths[baseline - 1], *paths[: baseline - 1], *paths[baseline:]]


def _body(comparison: Comparison, findings: Sequence[Finding]) -> dict[str, Any]:
    sides = range(len(comparison.names))
    return {
        "schema": SCHEMA,
        "names": comparison.names,
        "warnings": comparison.warnings,
        "properties": [
            {
                "group": p.group,
                "name": _JSON_NAMES.get(p.name, p.name),
                "label": p.name,
                "values": p.values,
                "equal": p.equal,
            }
            for p in comparison.properties
        ],
        "metrics": [
            {
                "name": m.name,
                "label": m.title,
                "unit": m.unit,
                "values": m.values,
                "deltas": [m.delta(i) for i in sides],
                "ratios": [m.ratio(i) for i in sides],
                "judgements": [_judgement(one) for one in m.judgements]
                or [None] * len(comparison.names),
            }
            for m in comparison.metrics
        ],
        "judgements": [_judgement(one) for one in comparison.judgements],
        "starts": comparison.starts,
        "different_networks": comparison.different_networks,
        "conditions": [
            {"text": f.condition.text, "name": f.name, "outcome": f.outcome, "words": f.plain}
            for f in findings
        ],
        "aligned_by": "name" if comparison.by_name else "index",
        "blocks": [_block(block, sides) for block in comparison.blocks],
        "lists": comparison.lists,
        "types": comparison.transitions,
        "layers": [_layer(layer, sides) for layer in comparison.layers],
    }


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
        "name": layer.name,
        "operator": layer.operator,
        "moved": layer.moved,
        "aligned_by": layer.how,
        "block": layer.block,
        "cells": layer.cells,
        "deltas_ns": [layer.delta_ns(i) for i in sides],
    }
