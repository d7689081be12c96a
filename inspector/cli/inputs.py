"""What --input and --dim say, read against the model they are for."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector import files
from inspector.cli.usage import Options
from inspector.errors import BadInput
from inspector.model import Model, TensorInfo
from inspector.units import clip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --input, --dim and --cast, which several commands share."""
    group = parser.add_argument_group("what goes in")
    group.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="inputs",
        help="zeros, ones, range, random[:SEED], a number, absent, text:WORDS, for a map "
        '{"key": 1.5}, or a file (.npy .npz .pb .png .jpg .bmp .wav .txt .csv .json); NAME= '
        "may be left out for a model with one input",
    )
    add_dimensions(
        group, "length of a free axis; one without a name is called 'input[1]' after its place"
    )
    group.add_argument(
        "--cast",
        action="store_true",
        help="cast arrays of another type of real numbers to what an input takes",
    )


def add_dimensions(options: Options, words: str) -> None:
    """Add --dim, which fills `dimensions` with pairs of a name and a length."""
    options.add_argument(
        "--dim",
        action="append",
        default=[],
        type=dimension,
        metavar="NAME=N",
        dest="dimensions",
        help=words,
    )


def dimension(text: str) -> tuple[str, int]:
    """Read 'batch=2'. Raises ArgumentTypeError for anything else."""
    name, sign, length = text.rpartition("=")
    if not sign or not name or not length.strip().isdecimal() or len(length) > 15:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is not NAME=N")
    return name, int(length)


def values(texts: Sequence[str], model: Model) -> Mapping[str, str]:
    """Read each NAME=VALUE; names may hold '=' themselves, and so may paths.

    NAME= may be left out when the model has one input without a default, and for a .csv, .npz
    or .json file whose columns, arrays or members are called after inputs.

    Raises BadInput: a value without a name for a model of several inputs, or one name twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        for name, value in _split(text, model):
            if name in found:
                what = f"Could not read --input {clip(text, 80)}"
                raise BadInput(what, f"'{clip(name, 80)}' came twice")
            found[name] = value
    return found


def taken(model: Model, given: Mapping[str, str]) -> tuple[TensorInfo, ...]:
    """The inputs to fill: all without a default, and those with one that were given."""
    return model.inputs + tuple(info for info in model.defaults if info.name in given)


def _split(text: str, model: Model) -> list[tuple[str, str]]:
    names = [info.name for info in model.inputs]
    every = names + [info.name for info in model.defaults]
    known = [name for name in every if text.startswith(f"{name}=")]
    if known:
        name = max(known, key=len)
        return [(name, text[len(name) + 1 :])]
    name, sign, value = text.partition("=")
    if sign and not files.exists(Path(text)):
        return [(name, value)]
    if len(names) != 1 and (many := _named_in(text, model)):
        return [(name, text) for name in many]
    if len(names) != 1:
        raise BadInput(
            f"Could not read --input {clip(text, 80)}",
            f"the model has {len(names)} inputs, so it must be NAME=VALUE",
            "Its inputs are " + ", ".join(f"'{clip(other, 40)}'" for other in names[:12]) + ".",
        )
    return [(names[0], text)]


def _named_in(text: str, model: Model) -> tuple[str, ...]:
    from inspector.preview.named import inputs_in

    path = Path(text)
    return inputs_in(path, (*model.inputs, *model.defaults)) if files.is_file(path) else ()
