"""inspector layers: show every layer's output, optionally compared with a second run."""

import argparse
import sys
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path

from msgspec import structs

from inspector import units
from inspector.analysis.measured.layer_outputs import Alone, LayerStep, Stepping, summary
from inspector.analysis.measured.sample_statistics import statistics
from inspector.app.layers import Walk, walk
from inspector.app.subjects import Subject
from inspector.cli import model_request, other_machines, pages
from inspector.cli.commands.layers import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.axes import named_axes
from inspector.model.tensors.prediction import OutputValue
from inspector.pages.outputs.layer_outputs import layer_outputs_page
from inspector.preview.inputs.feeds import Filled
from inspector.preview.outputs import saving
from inspector.report.run_spec import Dimension, RunSpec
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Step through. Raises InspectorError: unreadable, does not fit, the runtime refused."""
    _check(options)
    subject = _subject(options)
    limits = option_types.limits(options)
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show, limits) as engine,
    ):
        walked = walk(engine, subject, options.against, options.tolerance)
        step = _chosen(walked.found, options.layer) if options.layer else None
        alone = None
        if options.alone and step is not None:
            alone = walked.alone(engine, step.index)
        saved = _saved(engine, options, walked, step) if options.save else ()
    if options.json:
        _print_json(walked.found, walked.filled, step, alone)
    else:
        pages.show(layer_outputs_page(walked.found, walked.filled, step, alone))
        print("".join(f"saved {units.visible(path)}\n" for path in saved), end="")


def _check(options: argparse.Namespace) -> None:
    if (options.alone or options.save) and not options.layer:
        option = "--alone" if options.alone else "--save"
        raise BadInput(
            "Could not run the layers", f"{option} requires a layer", "Add --layer NAME."
        )


def _subject(options: argparse.Namespace) -> Subject:
    """Return the model with its inputs, and how it is run."""
    model = open_model(options.model)
    given = model_request.parsed_values(options.inputs, model)
    names = named_axes(model.inputs)
    named = ((name, size) for name, size in options.dimensions if name in names)
    spec = RunSpec(
        devices=tuple(dict.fromkeys(options.devices)) or ("cpu",),
        optimization=options.optimization,
        threads=options.threads,
        runs=options.runs,
        dimensions=tuple(Dimension(name, size) for name, size in named),
        cast=options.cast,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
    )
    subject = Subject.of(options.model, model, spec, given)
    return subject.with_lengths(dict(options.dimensions))


def _chosen(stepping: Stepping, name: str) -> LayerStep:
    """Find a layer by name or number. Raises BadInput: there is none, or nothing is known."""
    step = next((each for each in stepping.steps if each.name == name), None)
    if step is None and name.isdecimal():
        step = next((each for each in stepping.steps if each.index == int(name)), None)
    if step is None:
        near = get_close_matches(name, [each.name for each in stepping.steps], n=1)
        hint = f"Did you mean '{units.clip(near[0], 80)}'?" if near else ""
        raise BadInput(f"{stepping.model} has no layer '{units.clip(name, 80)}'", "", hint)
    if step.problem:
        raise BadInput(f"Could not show layer '{units.clip(step.name, 80)}'", step.problem)
    return step


def _saved(
    engine: Engine, options: argparse.Namespace, walked: Walk, step: LayerStep | None
) -> tuple[Path, ...]:
    """Write the outputs of a layer, ours and those of the other side."""
    assert step is not None, "an option asks for a layer"
    values: list[OutputValue] = []
    for output in step.outputs:
        answer = walked.tensor(engine, output.name)
        names = (output.name, f"{output.name} against")
        pairs = zip(answer.outputs, names, strict=False)
        values += [structs.replace(value, name=name) for value, name in pairs]
    return saving.save(values, options.save)


def _print_json(
    stepping: Stepping,
    filled: tuple[Filled, ...],
    step: LayerStep | None,
    alone: Alone | None,
) -> None:

    steps = (step,) if step else stepping.steps
    named = ("divergence", "first_nan", "first_infinite")
    body = {
        "schema": SCHEMA,
        **{key: value for key, value in structs.asdict(stepping).items() if key != "steps"},
        "inputs": [{"name": each.name, "value": each.value} for each in filled],
        **{key: getattr(getattr(stepping, key), "index", None) for key in named},
        "summary": summary(stepping),
        "layers": [structs.asdict(each) | {"over": each.over} for each in steps],
    }
    if alone is not None:
        timed = statistics(alone.samples_ns)
        body["alone"] = structs.asdict(alone) | {"statistics": timed and asdict(timed)}
    print(stored.json_text(body))
