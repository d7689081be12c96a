"""inspector support: test which layers each device on this machine can run."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import arguments, option_types, session_options

if TYPE_CHECKING:
    from inspector.analysis.devices.placement_answers import PlacementAnswers
    from inspector.analysis.devices.targets import TargetSupport
    from inspector.model.model import Model
    from inspector.report.report_values import Device


SCHEMA, TARGETS_SCHEMA = "support/1", "targets/1"
_ALONE = "supported when tested alone"
_MOST_FAILED, _MOST_REFUSALS = 12, 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_model(parser)
    session_options.add_devices(parser)
    arguments.add_input_arguments(parser)
    session_options.add_arguments(parser, without=("load_from", "binding"))
    option_types.add_time_limit(parser)
    parser.add_argument(
        "--target",
        metavar="ID,ID",
        help="estimate from tables, without running the model, which targets support it: all, "
        "or names such as apple, android, qualcomm, nvidia, webgpu",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help=f"print JSON (schema {SCHEMA}; {TARGETS_SCHEMA} with --target)",
    )


def run(options: argparse.Namespace) -> None:
    """Run the model once; test each layer alone if that fails. Or ask the tables of targets.

    Raises InspectorError: unreadable, does not fit, no such device or target.
    """
    from inspector.backends import registry

    missing = registry.for_model(options.model).missing
    if options.target is not None:
        _check_targets(options)
        return
    if missing is not None and not options.devices and not options.json:
        why, hint = missing
        _check_targets(options, f"{why}. {hint}")
        return
    import sys

    from inspector.cli.commands import measure
    from inspector.cli.progress import Progress
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.engine.client.placement_queries import query_placement
    from inspector.formats.opening import open_model
    from inspector.model.axes import named_axes
    from inspector.platform.terminal import folded
    from inspector.preview.identity import measured_model
    from inspector.preview.inputs.feeds import feeds_by_name
    from inspector.report.run_spec import Dimension, RunSpec

    model = open_model(options.model)
    feeds = feeds_by_name(measure.filled(options, model, options.model))
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
    with Progress(sys.stderr) as progress, EngineProcess(progress.show, limits) as engine:
        answers = query_placement(engine, options.model, identity, spec, feeds)
    if options.json:
        import msgspec

        print(msgspec.json.encode(as_plain(model, answers)).decode())
    else:
        print(folded("\n".join(lines(model, answers))))


def _check_targets(options: argparse.Namespace, note: str = "") -> None:
    from inspector.analysis.devices import targets
    from inspector.backends.onnxruntime.placement import absent_devices
    from inspector.cli import estimates
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.formats.opening import open_model
    from inspector.platform.terminal import folded
    from inspector.preview.inputs.default_values import fixed_lengths

    model = open_model(options.model)
    chosen = targets.chosen(options.target or "all", model)
    with EngineProcess(limits=option_types.limits(options)) as engine:
        lengths = arguments.checked_dimensions(options, model)
        weights = absent_devices.small_weights(model, options.model)
        values = estimates.known_values(model, options.model, lengths, engine)
        results = absent_devices.check_targets(model, chosen, values, weights)
        fixed = {**fixed_lengths(model.inputs), **lengths}
        better: Sequence[TargetSupport] = ()
        if fixed != lengths and any(each.summary.axes_in_the_way for each in results):
            values = estimates.known_values(model, options.model, fixed, engine)
            better = absent_devices.check_targets(model, chosen, values, weights)
    if options.json:
        import msgspec

        print(msgspec.json.encode(targets_as_plain(model, results)).decode())
    else:
        text = [*target_lines(model, results)]
        text += fixing_lines(results, better, estimates.fixing(model, lengths), fixed)
        if note:
            text += ["", f"Layers were not tested on this machine: {note}"]
        print(folded("\n".join(text)))


def fixing_lines(
    results: "Sequence[TargetSupport]",
    fixed: "Sequence[TargetSupport]",
    options: str,
    lengths: Mapping[str, int],
) -> Iterator[str]:
    """Write which targets would run more layers with fixed shapes, and the options for that."""
    more = [
        f"{after.target.title}: {after.count}"
        for before, after in zip(results, fixed, strict=False)
        if after.summary.supported_layers > before.summary.supported_layers
    ]
    if more:
        yield ""
        yield f"hint: some targets need fixed shapes. With {options}: {'; '.join(more)}."
        axes = ",".join(f"{name}={length}" for name, length in lengths.items())
        action = units.clip(f"fix-axes:{axes}", 160)
        yield f"To fix them in a copy: inspector convert MODEL '{action}' -o fixed.onnx"


def target_lines(model: "Model", results: "Sequence[TargetSupport]") -> Iterator[str]:
    """Write the answers for phones; then each target with its answer, and why below it."""
    from inspector.analysis.devices import targets

    removed = results[0].removed
    count = units.plural(len(model.layers) - removed, "layer")
    without = f", excluding {removed:,} that ONNX Runtime removes" if removed else ""
    yield f"{units.clip(model.name, 80)}: {count}{without}; estimated from support tables"
    phones = targets.overall(results)
    if phones:
        yield ""
        yield from phones
    width = max(len(each.target.title) for each in results)
    provider_width = max(len(each.target.provider) for each in results)
    for each in results:
        target = each.target
        yield ""
        yield (
            f"{target.title:{width}}  {target.provider:{provider_width}}  "
            f"{each.answer_text}{f', {each.count} layers' if each.count else ''}"
        )
        yield f"  {each.sentence}"
        yield f"  Runs on: {target.units}. {each.explanation}".rstrip()
    yield ""
    yield "Estimated, not measured. 'inspector info MODEL --estimate' lists all reasons."


def targets_as_plain(model: "Model", results: "Sequence[TargetSupport]") -> dict[str, Any]:
    """Return what --json prints with --target."""
    from inspector.analysis.devices import targets

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


def lines(model: "Model", answers: "PlacementAnswers") -> Iterator[str]:
    """Write each device with what it takes, what it fails at and what it refuses."""
    tried = "tested with one run" if answers.ran else "each layer tested alone"
    count = units.plural(len(answers.layers), "layer")
    yield f"{units.clip(model.name, 80)}: {count}, {tried}"
    if not answers.ran:
        yield f"  no run completed: {units.clip(answers.why, 300)}"
    for device in answers.devices:
        yield ""
        yield from _of_device(answers, device)
    kept = ",".join(answers.on_cpu)
    if kept:
        yield ""
        layers = units.clip(kept, 300)
        yield f"The model ran with layers forced to the CPU: --on-cpu '{layers}'"


def _of_device(found: "PlacementAnswers", device: "Device") -> Iterator[str]:
    from inspector.analysis.devices.support_summary import summarised
    from inspector.report.support_marks import Mark

    operators = [layer.operator for layer in found.layers]
    answers = [marks[device.id] for marks in found.marks]
    summary = summarised(device, operators, answers)
    name = units.clip(device.name, 60)
    ran = f"{summary.supported_layers:,} of {summary.layers:,}"
    yield f"{name} ({device.id}): runs {ran} layers"
    for mark, count in summary.marks:
        text = _ALONE if mark is Mark.SUPPORTED and not found.ran else mark.label.lower()
        yield f"  {count:>6,} × {text}"
    failed = found.failed(device.id)
    for layer in failed[:_MOST_FAILED]:
        why = found.marks[layer.index][device.id].reason
        yield f"  failed: '{units.clip(layer.label, 60)}' ({layer.operator}): {why}"
    if len(failed) > _MOST_FAILED:
        yield f"  and {len(failed) - _MOST_FAILED:,} more that failed"
    refused = [(a.rule, a.reason) for a in answers if a.mark is Mark.UNSUPPORTED]
    for refusal in summary.refusals[:_MOST_REFUSALS]:
        if (refusal.rule, refusal.reason) in refused:
            yield f"  not supported: {refusal.layers:,} × {refusal.operator}: {refusal.reason}"


def as_plain(model: "Model", answers: "PlacementAnswers") -> dict[str, Any]:
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
