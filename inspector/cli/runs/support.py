"""inspector support: test which layers each device can run, here or on another machine."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from inspector import units
from inspector.analysis.devices import targets
from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.analysis.devices.targets import TargetSupport
from inspector.app.target_support import check_targets
from inspector.backends import registry
from inspector.cli import estimates, other_machines, pages
from inspector.cli.commands.support import SCHEMA, TARGETS_SCHEMA
from inspector.cli.dimensions import checked_dimensions
from inspector.cli.options import option_types, session_options
from inspector.cli.progress import Progress
from inspector.cli.runs import measure
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.placement_queries import query_placement
from inspector.engine.client.supervision import printable_path
from inspector.formats.opening import open_model
from inspector.model.axes import named_axes
from inspector.model.model import Model
from inspector.pages.blocks import Text
from inspector.pages.on_devices.support import fixing_blocks, support_page, targets_page
from inspector.preview.identity import measured_model
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.render.tables import support_csv
from inspector.report.run_spec import Dimension, RunSpec
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Run the model once; test each layer alone if that fails. Or ask the tables of targets.

    Raises InspectorError: unreadable, does not fit, no such device or target.
    """
    missing = registry.for_model(options.model).missing
    if options.target is not None:
        _check_targets(options)
        return
    there = other_machines.only_target(options) is not None
    if missing is not None and not there and not options.devices and not options.json:
        why, hint = missing
        _check_targets(options, f"{why}. {hint}")
        return

    model = open_model(options.model)
    printable_path(
        options.model, f"Could not check the device support of {units.clip(model.name)}"
    )
    feeds = measure.requested_subject(options, model, options.model).feeds()
    names = named_axes(model.inputs)
    named = ((name, size) for name, size in options.dimensions if name in names)
    spec = RunSpec(
        devices=tuple(dict.fromkeys(options.devices)) or ("cpu",),
        **session_options.chosen(options),
        dimensions=tuple(Dimension(name, size) for name, size in named),
        cast=options.cast,
    )
    identity = measured_model(options.model, model)
    limits = option_types.limits(options)
    other_machines.confirm_uploads(options, [options.model])
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show, limits) as engine,
    ):
        answers = query_placement(engine, options.model, identity, spec, feeds)
    if options.json:
        print(stored.json_text(as_plain(model, answers)))
    elif options.csv != "-":
        pages.show(support_page(model.name, answers))
    if options.csv:
        pages.write(options.csv, support_csv.of_devices(answers))


def _check_targets(options: argparse.Namespace, note: str = "") -> None:
    model = open_model(options.model)
    chosen = targets.chosen(options.target or "all", model)
    with EngineProcess(limits=option_types.limits(options)) as engine:
        lengths = checked_dimensions(options, model)
        question = engine, options.model, model, chosen
        results = check_targets(*question, lengths)
        fixed = {**fixed_lengths(model.inputs), **lengths}
        better: Sequence[TargetSupport] = ()
        if fixed != lengths and any(each.summary.axes_in_the_way for each in results):
            better = check_targets(*question, fixed)
    if options.csv:
        pages.write(options.csv, support_csv.of_targets(model, results))
    if options.json:
        print(stored.json_text(targets_as_plain(model, results)))
    elif options.csv != "-":
        axes = estimates.fixing(model, lengths)
        fixing = [*fixing_blocks(str(options.model), results, better, axes, fixed)]
        if note:
            fixing.append(Text(f"Layers were not tested on this machine: {note}"))
        pages.show(
            targets_page(model.name, len(model.layers), results, fixing), options.details
        )


def targets_as_plain(model: Model, results: Sequence[TargetSupport]) -> dict[str, Any]:
    """Return what --json prints with --target."""
    return {
        "schema": TARGETS_SCHEMA,
        "model": model.name,
        "overall": targets.overall(results),
        "targets": [
            {
                "id": each.target.id,
                "title": each.target.title,
                "provider": each.target.provider,
                "runs_on": each.target.units,
                "explanation": each.explanation,
                "option": each.option,
                "table": each.table,
                "source": each.summary.device.source,
                "verdict": each.verdict.value,
                "answer": each.answer.value,
                "sentence": each.sentence,
                "layers": each.summary.layers,
                "supported": each.summary.supported_layers,
                "removed": each.removed,
                "by_layer": [
                    {
                        "index": index,
                        "name": model.layers[index].name,
                        "operator": model.layers[index].operator,
                        "mark": answer.mark.value,
                        "rule": answer.rule.value,
                        "reason": answer.reason,
                    }
                    for index, answer in zip(each.layers, each.answers, strict=True)
                ],
            }
            for each in results
        ],
    }


def as_plain(model: Model, answers: PlacementAnswers) -> dict[str, Any]:
    """Return what --json prints."""
    return {
        "schema": SCHEMA,
        "model": model.name,
        "ran": answers.ran,
        "why": answers.why,
        "on_cpu": answers.on_cpu,
        "devices": answers.devices,
        "layers": [
            {"index": one.index, "name": one.name, "operator": one.operator, "devices": marks}
            for one, marks in zip(answers.layers, answers.marks, strict=True)
        ],
    }
