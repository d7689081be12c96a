"""Models on the command line that are no files here yet: samples by name, and addresses, which
are asked about and then downloaded."""

import argparse
from pathlib import Path

from inspector.preview.inputs import sample_inputs

# Arguments that name models or reports to read.
MODELS = ("model", "models", "first", "other", "others", "against", "reports", "report")


def add_yes(parser: argparse.ArgumentParser) -> None:
    """Add --yes to the parser of a command that reads models."""
    if any(action.dest in MODELS and action.type is Path for action in parser._actions):
        uploads = parser.prog.endswith((" measure", " sweep"))  # what such a service does
        also = "; with --on, also upload the model to Qualcomm AI Hub without asking"
        parser.add_argument_group("downloads").add_argument(
            "--yes",
            action="store_true",
            help="download models given as https://... or hf://owner/name/file.onnx without "
            "asking; required in CI and wherever there is no terminal"
            f"{also if uploads else ''}",
        )


def replace_addresses(options: argparse.Namespace) -> None:
    """Put files in place of addresses and of names of samples. Raises InspectorError."""
    for name in MODELS:
        given = getattr(options, name, None)
        if isinstance(given, Path):
            setattr(options, name, _local(given, options.yes))
        elif isinstance(given, list) and all(isinstance(each, Path) for each in given):
            setattr(options, name, [_local(each, options.yes) for each in given])


def _local(path: Path, agreed: bool) -> Path:
    """Return the file of an address or of a sample, and any other path as it is."""
    if ":" not in str(path) or path.exists():
        return path
    if str(path).startswith(sample_inputs.SCHEME):
        return sample_inputs.path_of(str(path).removeprefix(sample_inputs.SCHEME))
    from inspector.cli import fetching  # what it needs of the network, 50 ms

    return fetching.fetched(path, agreed)
