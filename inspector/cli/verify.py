"""inspector verify: hold a model's answers against the ones it must give."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli.numbers import tolerance
from inspector.errors import BadInput, InspectorError

if TYPE_CHECKING:
    from inspector.preview.expected import Difference

SCHEMA = "verification/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    parser.add_argument(
        "data",
        type=Path,
        nargs="*",
        metavar="DATA",
        help="test_data_set folders or .npz files; left out: the folders beside the model",
    )
    parser.add_argument("--device", default="cpu", metavar="ID", help="default: cpu")
    parser.add_argument(
        "--rtol", type=tolerance, help="relative (1e-3, or two steps of the type)"
    )
    parser.add_argument("--atol", type=tolerance, default=1e-7, help="absolute (1e-7)")
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")


def run(options: argparse.Namespace) -> None:
    """Check every data set. Raises InspectorError: one does not agree, or it could not run."""
    from inspector.engine.process import EngineProcess
    from inspector.preview import expected
    from inspector.readers import open_model
    from inspector.report import RunSpec

    model = open_model(options.model)
    named = [path for data in options.data for path in expected.found(data)]
    paths = named or (() if options.data else expected.beside(options.model))
    if not paths:
        hint = "Name a test_data_set folder or an .npz with inputs and outputs."
        why = "there is no test_data_set folder beside the model"
        raise BadInput(f"Could not verify {model.name}", why, hint)
    spec, results = RunSpec(devices=(options.device,)), []
    with EngineProcess() as engine:
        for path in paths:
            data = expected.read(path, model.inputs, model.outputs)
            answer = engine.predict(options.model, spec, data.feeds)
            found = expected.compare(data, answer.outputs, options.rtol, options.atol)
            results.append((data.name, answer.prediction_ns, found))
    if options.json:
        _print_json(model.name, options, results)
    else:
        print("\n".join(_lines(results)))
    failed = sum(not _passed(found) for *_, found in results)
    if failed:
        sets = units.plural(len(results), "data set")
        raise InspectorError(f"{failed} of {sets} did not give the expected outputs")


def _passed(found: "tuple[Difference, ...]") -> bool:
    return all(difference.passed for difference in found)


def _lines(results: "list[tuple[str, int, tuple[Difference, ...]]]") -> list[str]:
    lines = []
    for name, took_ns, found in results:
        verdict = "pass" if _passed(found) else "FAIL"
        lines.append(f"{verdict}  {units.clip(name, 80)}  {units.duration(took_ns)}")
        lines += [f"      {units.clip(d.output, 60)}: {d.words()}" for d in found]
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
        "passed": all(_passed(found) for *_, found in results),
        "data_sets": [
            {
                "name": name,
                "passed": _passed(found),
                "prediction_ns": took_ns,
                "outputs": [_output(difference) for difference in found],
            }
            for name, took_ns, found in results
        ],
    }
    print(msgspec.json.encode(body).decode())


def _output(difference: "Difference") -> dict[str, Any]:
    return asdict(difference) | {"passed": difference.passed, "words": difference.words()}
