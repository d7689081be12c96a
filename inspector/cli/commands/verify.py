"""inspector verify: check a model's outputs against expected outputs."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import other_machines, session_options
from inspector.cli.arguments import add_model
from inspector.cli.option_types import add_time_limit, job_limits, tolerance
from inspector.errors import BadInput, InspectorError

if TYPE_CHECKING:
    from inspector.preview.runs.expected_outputs import Difference


SCHEMA = "verification/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_model(parser)
    parser.add_argument(
        "data",
        type=Path,
        nargs="*",
        metavar="DATA",
        help="test_data_set folders or .npz files (default: the folders next to the model)",
    )
    parser.add_argument(
        "--device",
        default="cpu",
        metavar="ID",
        help="device ID from 'inspector devices' (default: cpu)",
    )
    parser.add_argument(
        "--rtol",
        type=tolerance,
        metavar="R",
        help="relative tolerance (default: 1e-3, or 2 x the machine epsilon of the output "
        "type if that is larger)",
    )
    parser.add_argument(
        "--atol",
        type=tolerance,
        default=1e-7,
        metavar="A",
        help="absolute tolerance (default: 1e-7)",
    )
    session_options.add_setting(parser, "custom_ops")
    other_machines.add_on(parser)
    add_time_limit(parser, "a load or run")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """Check every data set. Raises InspectorError: one does not agree, or it could not run."""
    from inspector.cli.progress import Progress
    from inspector.formats.opening import open_model
    from inspector.preview.runs import expected_outputs
    from inspector.report.run_spec import RunSpec

    model = open_model(options.model)
    named = [path for data in options.data for path in expected_outputs.data_sets(data)]
    paths = named or (() if options.data else expected_outputs.data_sets_next_to(options.model))
    if not paths:
        hint = "Specify a test_data_set folder or an .npz file with inputs and outputs."
        why = "there is no test_data_set folder next to the model"
        raise BadInput(f"Could not verify {model.name}", why, hint)
    libraries = tuple(options.custom_ops)
    spec, results = RunSpec(devices=(options.device,), custom_ops=libraries), []
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show_stall, job_limits(options)) as engine,
    ):
        for path in paths:
            data = expected_outputs.read(path, model.inputs, model.outputs)
            answer = engine.predict(options.model, spec, data.feeds)
            result = expected_outputs.compare(data, answer.outputs, options.rtol, options.atol)
            results.append((data.name, answer.prediction_ns, result))
    if options.json:
        _print_json(model.name, options, results)
    else:
        print("\n".join(_lines(results)))
    failed = sum(not _passed(result) for *_, result in results)
    if failed:
        from inspector.backends.machine import int8_notes

        sets = units.plural(len(results), "data set")
        what = f"outputs of {failed} of {sets} do not match the expected outputs"
        notes = int8_notes([(model, (options.device,))])
        raise InspectorError(
            what,
            hint=" ".join((*notes, "Set a larger tolerance with --atol.") if notes else ()),
        )


def _passed(results: "tuple[Difference, ...]") -> bool:
    return all(difference.passed for difference in results)


def _lines(results: "list[tuple[str, int, tuple[Difference, ...]]]") -> list[str]:
    lines = []
    for name, took_ns, result in results:
        verdict = "pass" if _passed(result) else "FAIL"
        lines.append(f"{verdict}  {units.clip(name, 80)}  {units.duration(took_ns)}")
        lines += [f"      {units.clip(d.output, 60)}: {d.text()}" for d in result]
    return lines


def _print_json(
    model: str,
    options: argparse.Namespace,
    results: "list[tuple[str, int, tuple[Difference, ...]]]",
) -> None:
    import msgspec

    body = {
        "schema": SCHEMA,
        "model": model,
        "device": options.device,
        "rtol": options.rtol,
        "atol": options.atol,
        "passed": all(_passed(result) for *_, result in results),
        "data_sets": [
            {
                "name": name,
                "passed": _passed(result),
                "prediction_ns": took_ns,
                "outputs": [_output(difference) for difference in result],
            }
            for name, took_ns, result in results
        ],
    }
    print(msgspec.json.encode(body).decode())


def _output(difference: "Difference") -> dict[str, Any]:
    return asdict(difference) | {"passed": difference.passed, "words": difference.text()}
