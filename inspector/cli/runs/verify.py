"""inspector verify: check a model's outputs against expected outputs."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from inspector import units
from inspector.analysis.verdicts.outputs import as_json, repeat_text, sentence
from inspector.app.predict import predicting
from inspector.app.subjects import Subject
from inspector.app.verify import verify
from inspector.backends.machine import int8_notes
from inspector.cli import other_machines, pages
from inspector.cli.commands.verify import SCHEMA
from inspector.cli.options.option_types import job_limits
from inspector.cli.progress import Progress
from inspector.engine.client.supervision import printable_path
from inspector.errors import BadInput, InspectorError
from inspector.formats.opening import open_model
from inspector.pages.outputs.verify import CheckedData, verify_page
from inspector.preview.runs import expected_outputs
from inspector.preview.runs.expected_outputs import Difference
from inspector.report.output_verdict import OutputVerdict, UndecidedReason
from inspector.report.run_spec import RunSpec
from inspector.wording import stored

NO_REPEAT_HINT = "`inspector info` names layers that make random numbers."


def run(options: argparse.Namespace) -> None:
    """Check every data set. Raises InspectorError: one does not agree, or it could not run."""
    model = open_model(options.model)
    printable_path(options.model, f"Could not verify {units.clip(model.name)}")
    named = [path for data in options.data for path in expected_outputs.data_sets(data)]
    paths = named or (() if options.data else expected_outputs.data_sets_next_to(options.model))
    if not paths:
        hint = "Specify a test_data_set folder or an .npz file with inputs and outputs."
        why = "there is no test_data_set folder next to the model"
        raise BadInput(f"Could not verify {model.name}", why, hint)
    spec = RunSpec(devices=(options.device,), custom_ops=tuple(options.custom_ops))
    subject = Subject(options.model, model, spec)
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show_stall, job_limits(options)) as engine,
    ):
        once = predicting(engine, subject)
        verification = verify(model, paths, once, options.rtol, options.atol)
    results, verdict = verification.checked, verification.verdict
    if options.json:
        _print_json(model.name, options, results, verdict)
    else:
        pages.show(
            verify_page(model.name, options.device, results, verdict, verification.whole)
        )
    if verdict.reason == UndecidedReason.NOT_REPEATING:
        why = repeat_text(verdict.repeats or 0.0)
        raise InspectorError(f"Could not verify {units.clip(model.name)}", why, NO_REPEAT_HINT)
    failed = sum(not data.passed for data in results)
    if verdict.bad and not failed:  # within the tolerance of the largest values, but not right
        raise InspectorError("outputs do not match the expected outputs", sentence(verdict))
    if failed:
        sets = units.plural(len(results), "data set")
        what = f"{failed} of {sets} failed: outputs do not match the expected outputs"
        notes = int8_notes([(model, (options.device,))])
        raise InspectorError(
            what,
            hint=" ".join((*notes, "Set a larger tolerance with --atol.") if notes else ()),
        )


def _print_json(
    model: str,
    options: argparse.Namespace,
    results: Sequence[CheckedData],
    verdict: OutputVerdict,
) -> None:
    body = {
        "schema": SCHEMA,
        "model": model,
        "device": options.device,
        "rtol": options.rtol,
        "atol": options.atol,
        "passed": all(data.passed for data in results),
        "verdict": as_json(verdict),
        "data_sets": [
            {
                "name": data.name,
                "passed": data.passed,
                "prediction_ns": data.prediction_ns,
                "outputs": [_output(difference) for difference in data.outputs],
            }
            for data in results
        ],
    }
    print(stored.json_text(body))


def _output(difference: Difference) -> dict[str, Any]:
    return asdict(difference) | {"passed": difference.passed, "words": difference.text()}
