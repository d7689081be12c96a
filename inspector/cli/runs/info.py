"""inspector info: show a model's inputs, outputs, operators, data types and compute cost."""

import argparse
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.analysis import layer_search
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.cli.runs.info_page import GetEngine, in_time, print_page
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats.folders.expanding import expanded
from inspector.formats.folders.reading import is_one_model
from inspector.formats.model_formats import model_suffixes
from inspector.formats.opening import located, open_model
from inspector.platform.gc_policy import uncollected
from inspector.platform.late_modules import LateModule
from inspector.preview.preprocessing import saved

if TYPE_CHECKING:
    from inspector.cli.runs import info_sections
else:
    # Reports, documents: a fifth of `info`.
    info_sections = LateModule("inspector.cli.runs.info_sections")


def run(options: argparse.Namespace) -> None:
    """Print what is known of models; SystemExit with status 3 where a condition holds."""
    options.judged = []
    _run(options)
    if options.judged:
        info_sections.exit_where_one_holds(options)


def _run(options: argparse.Namespace) -> None:
    """Print what is known of models: first what their files say, then what has to be computed.

    One engine process serves them all. Raises InspectorError: some could not be read.
    """
    if options.find is not None:
        layer_search.parse(options.find)  # a mistake in it is no fault of any model

    refused = 0
    as_rows = bool(options.table or options.sort or options.csv)
    options.models, several = expanded(options.models, model_suffixes(), parts=as_rows)
    if options.html is not None and (several or len(options.models) > 1):
        why = "--html accepts only one model"
        raise BadInput("Could not write the page", why, "Specify a single model file.")
    if options.html == options.csv == "-":
        what = "Could not print both the table and the page"
        hint = "Save one to a file: --html page.html."
        raise BadInput(what, "--csv - and --html - would mix them", hint)
    wants_table = several or as_rows
    with ExitStack() as stack:
        stack.enter_context(uncollected())  # a fifth of the time at 100,000 inputs

        @cache
        def engine() -> Engine:
            progress = stack.enter_context(Progress(sys.stderr))
            limits = option_types.limits(options)
            # A third of what reading has left for inferring shapes, one for the second try,
            # piece by piece, and one for what is computed from them.
            limits = replace(limits, job_seconds=limits.rest_seconds / 3)
            if len(options.models) > 1:  # each has the time to itself
                limits = replace(limits, until=0.0)
            return stack.enter_context(
                EngineProcess(
                    progress.show_stall, limits, reads=options.models, shapes_first=True
                )
            )

        if wants_table:
            info_sections.show_table(options, engine)
            if options.html is None:
                return
            options.conditions = []  # they are judged with the table
        for number, path in enumerate(options.models):
            if number and not options.json:
                print()
            try:
                if is_one_model(path):
                    with in_time(path, options):
                        info_sections.show_folder(path, options, engine)
                    continue
                with in_time(path, options), located(path) as model_path:
                    if not options.no_shapes and options.html is None:
                        engine().start_for(model_path)  # it loads while the file is read
                    _tell(model_path, options, engine)
            except InspectorError as error:
                if isinstance(error, Cancelled) or len(options.models) == 1:
                    raise
                sys.stdout.flush()
                print(error, file=sys.stderr)
                refused += 1
    if refused:
        many = f"{refused} of {len(options.models)} models"
        raise InspectorError(f"Could not read {many}", "see the reasons above")


def _tell(path: Path, options: argparse.Namespace, engine: GetEngine) -> None:
    """Print what is known of one model. Raises UnreadableFile."""
    asked = (options.html, options.find, options.devices)
    flags = options.conditions or options.json or options.weights or options.verdicts
    if flags or any(each is not None for each in asked):
        info_sections.show(path, options, engine)
        return
    print_page(path, saved.with_meanings(path, open_model(path)), options, engine)
