"""The differences between two models as JSON (schema diff/1)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from inspector.comparison.ci_conditions import Finding
from inspector.comparison.model_changes import Change, ModelDiff, State, WeightPair
from inspector.model.model import Model
from inspector.model.tensors.difference import Difference
from inspector.render.tables.comparison_json import conditions
from inspector.render.tables.fields import fields
from inspector.report.language.quality import Quality
from inspector.wording.stored import text_only

SCHEMA = "diff/1"


def model_diff_json(
    diff: ModelDiff, findings: Sequence[Finding] = (), quality: Quality | None = None
) -> bytes:
    """Return the object as one line of JSON. quality: of language models, on a text."""
    body = as_plain(diff, findings) | ({} if quality is None else {"quality": quality})
    return msgspec.json.encode(body, enc_hook=text_only)


def as_plain(diff: ModelDiff, findings: Sequence[Finding] = ()) -> dict[str, Any]:
    """Return the object of dictionaries, lists and plain values; equal layers are left out."""
    return {
        "schema": SCHEMA,
        "a": _model(diff.first),
        "b": _model(diff.other),
        **fields(diff, "summary", "different_networks", "share", "counterparts"),
        "values_compared": diff.values_compared,
        "changes": diff.total,
        "layer_counts": diff.counts,
        "weight_counts": diff.weight_counts,
        "inputs": [_change(change) for change in diff.inputs],
        "outputs": [_change(change) for change in diff.outputs],
        "properties": [_change(change) for change in diff.properties],
        "groups": [
            {
                "state": group.state.value,
                **fields(group, "title", "detail", "parameters"),
                "layers": [
                    [diff.pairs[place].first, diff.pairs[place].other] for place in group.pairs
                ],
                "changes": [_change(change) for change in group.changes],
            }
            for group in diff.groups
        ],
        "layers": [
            {
                "state": pair.state.value,
                "matched_by": pair.matched_by or None,
                **fields(pair, "renamed", "moved"),
                "folded": pair.folded or None,
                "folded_equal": pair.folded_equal if pair.folded else None,
                "a": _layer(diff.first, pair.first),
                "b": _layer(diff.other, pair.other),
                "changes": [_change(change) for change in pair.changes],
            }
            for pair in diff.pairs
            if pair.state is not State.SAME or pair.renamed
        ],
        "weights": [
            _weight(weight)
            for weight in diff.weights
            if weight.state is not State.SAME
            or weight.renamed
            or weight.problem
            or weight.folded
        ],
        "conditions": conditions(findings),
    }


def _model(model: Model) -> dict[str, Any]:
    names = ("name", "format", "size_bytes", "external_bytes", "parameters")
    return {**fields(model, *names), "layers": len(model.layers)}


def _layer(model: Model, index: int | None) -> dict[str, Any] | None:
    if index is None:
        return None
    layer = model.layers[index]
    return {"index": index, **fields(layer, "name", "operator", "domain", "outputs")}


def _change(change: Change) -> dict[str, Any]:
    return {
        **fields(change, "kind", "name"),
        "before": change.before or None,
        "after": change.after or None,
        "text": change.text,
        **_numbers(change.difference),
        "problem": change.problem,
    }


def _numbers(difference: Difference | None) -> dict[str, Any]:
    names = ("max_abs", "sqnr_db", "unequal")
    return dict.fromkeys(names) if difference is None else fields(difference, *names)


def _weight(weight: WeightPair) -> dict[str, Any]:
    return {
        "state": weight.state.value,
        **fields(weight, "renamed", "folded"),
        "a": weight.first and fields(weight.first, "name", "dtype", "shape"),
        "b": weight.other and fields(weight.other, "name", "dtype", "shape"),
        **_numbers(weight.difference),
        "problem": weight.problem,
    }
