"""inspector parity --text: how well language models predict a text."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from inspector.app.language.differing_parts import rank_parts
from inspector.app.language.quality import TextSettings, language_models, measure_quality
from inspector.cli import pages
from inspector.cli.commands.parity import SHIPPED
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.pages.language.quality import quality_page
from inspector.report.run_spec import RunSpec
from inspector.wording import stored

_SETTINGS = ("window", "stride", "tokens")


def run(options: argparse.Namespace) -> None:
    """Score a text with one model or two. Raises InspectorError."""
    spec = RunSpec(
        (options.device,),
        options.optimization,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
    )
    paths, specs, against = [options.model], [spec], options.against
    if options.sensitivity and (against is None or not against.model):
        why = "--sensitivity exchanges the layers of two models"
        raise BadInput("Could not rank layers", why, "Add --against MODEL.")
    if against is not None:
        if against.reference or against.float16:
            what = f"Could not score a text with {against.label}"
            why = "only a runtime is fast enough for a whole text"
            hint = "Compare with a model, a device or an optimization level."
            raise BadInput(what, why, hint)
        other = against.spec(spec)
        paths.append(Path(against.model) if against.model else options.model)
        specs.append(replace(other, on_cpu=()) if against.model else other)
    given = {name: getattr(options, f"text_{name}") for name in _SETTINGS}
    settings = TextSettings.of(
        None if options.text == SHIPPED else options.text,
        **{name: value for name, value in given.items() if value is not None},
    )
    first, *others = language_models(paths, specs, options.tokenizer)
    second = next(iter(others), None)
    with (
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show, option_types.limits(options)) as engine,
    ):
        *_, quality = measure_quality(engine, first, settings, second)
        if options.sensitivity and second is not None:
            *_, quality = rank_parts(engine, quality, (first, second), settings)
    if options.json:
        print(stored.json_text(quality))
    else:
        pages.show(quality_page(quality))
