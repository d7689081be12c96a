"""inspector layers: show every layer's output, optionally compared with a second run."""

import argparse
import sys
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path

from msgspec import structs

from inspector import units
from inspector.analysis.measured.layer_outputs import LayerStep, Stepping, summary
from inspector.analysis.measured.sample_statistics import statistics
from inspector.app.layers.walking import Walk, walk
from inspector.app.subjects import Subject
from inspector.cli import model_request, other_machines, pages
from inspector.cli.commands.layers import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.axes import named_axes
from inspector.pages.outputs.layer_outputs import layer_outputs_page
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
        if options.time:
            if not walked.found.across or not options.against.model:
                why = "--time requires --against with a model of another format"
                raise BadInput("Could not measure the layers", why, "Add --against MODEL.")
            from inspector.app.layers import latencies  # what measures: 150 modules

            walked = latencies.timed(walked, options.against, limits, progress.show)
        step = _chosen(walked.found, options.layer) if options.layer else None
        alone = None
        if options.alone and step is not None:
            alone = walked.alone(engine, step.index)
        saved = _saved(engine, options, walked, step) if options.save else ()
    if options.json:
        stepping = walked.found
        steps = (step,) if step else stepping.steps
        named = ("divergence", "first_nan", "first_infinite")
        body = {
            "schema": SCHEMA,
            **{key: value for key, value in structs.asdict(stepping).items() if key != "steps"},
            "inputs": [{"name": each.name, "value": each.value} for each in walked.filled],
            **{key: getattr(getattr(stepping, key), "index", None) for key in named},
            "summary": summary(stepping),
            "layers": [structs.asdict(each) | {"over": each.over} for each in steps],
        }
        if alone is not None:
            timed = statistics(alone.samples_ns)
            body["alone"] = structs.asdict(alone) | {"statistics": timed and asdict(timed)}
        print(stored.json_text(body))
    else:
        pages.show(layer_outputs_page(walked.found, walked.filled, step, alone))
        listed = [units.visible(path) for path in saved]
        if not options.layer and saved:
            listed = [f"{units.plural(len(saved), 'file')} in {units.visible(options.save)}"]
        print("".join(f"saved {text}\n" for text in listed), end="")


def _check(options: argparse.Namespace) -> None:
    if options.alone and not options.layer:
        what, why = "Could not run the layers", "--alone requires a layer"
        raise BadInput(what, why, "Add --layer NAME.")


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
    """Write the outputs of a layer, or of all, ours and those of the other side."""
    every = [each for each in walked.found.steps if not each.problem]
    steps = every if step is None else [step]
    names = list(dict.fromkeys(output.name for each in steps for output in each.outputs))
    saved: list[Path] = []
    stems = saving.file_names(names)
    for outputs, stem in zip(walked.tensors(engine, names), stems, strict=True):
        pairs = zip(outputs, (stem, f"{stem} against"), strict=False)
        values = [structs.replace(value, name=title) for value, title in pairs]
        saved += saving.save(values, options.save, (".npy",) if step is None else ())
    return tuple(saved)
