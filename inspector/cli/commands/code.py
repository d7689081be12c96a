"""inspector code: generate code that prepares inputs and runs the model."""

import argparse
from pathlib import Path

from inspector.cli import arguments, option_types, session_options

_LANGUAGES = {
    "python": "Python",
    "cpp": "C++",
    "csharp": "C#",
    "java": "Java",
    "kotlin": "Kotlin",
    "javascript": "JavaScript",
    "swift": "Swift",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser)
    session_options.add_devices(parser)
    session_options.add_arguments(
        parser, without=("load_from", "binding", "provider_options", "on_cpu")
    )
    parser.add_argument(
        "--language", choices=_LANGUAGES, default="python", help="(default: python)"
    )
    option_types.add_time_limit(parser, runs=False)
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the program to a new file"
    )


def run(options: argparse.Namespace) -> None:
    """Print or save the program. Raises InspectorError: unreadable, or the file exists."""
    from inspector.errors import BadInput
    from inspector.export.call_code import call_code, has_class_scores
    from inspector.formats.opening import not_run
    from inspector.platform import files
    from inspector.report.run_spec import Dimension, RunSpec

    refusal = not_run(options.model)
    if refusal is not None:
        raise BadInput(f"Could not generate code to run {options.model.name}", *refusal)
    request = arguments.with_assumed_labels(arguments.read_request(options), options)
    images = {}
    for info in request.model.inputs:
        preprocessing = request.image.preparation(info)
        if preprocessing is not None:
            images[info.name] = preprocessing
    spec = RunSpec(
        devices=tuple(dict.fromkeys(options.devices)) or ("cpu",),
        **session_options.chosen(options),
        dimensions=tuple(Dimension(*each) for each in request.dimensions.items()),
    )
    language = _LANGUAGES[options.language]
    classes = has_class_scores(request.model)
    text = call_code(request.model, images, spec, language, classes, request.labels)
    if options.output is None:
        print(text, end="")
        return
    if options.output.exists():
        why = "a file with that name already exists"
        raise BadInput(f"Could not write {options.output.name}", why, "Choose another name.")
    files.write_atomic(options.output, text.encode())
