"""Arguments shared by the commands that run a model: the model, input values and
preprocessing."""

import argparse
from pathlib import Path

from inspector.cli.options.option_types import Options, add_renamed
from inspector.cli.options.session_options import add_setting
from inspector.remote import machine_kinds
from inspector.units import clip

DECODER = "decoder:"  # of --output-as, before the name of a decoder, which reads all outputs
_DOCUMENTS = (".html", ".pdf", ".md")
TOKENIZER_HELP = (
    "tokenizer of texts: tokenizer.json, vocab.txt, merges.txt with vocab.json beside it, or a "
    "SentencePiece .model (default: the one of the model)"
)
NO_LABELS = "none"  # of --labels: show numbers, whatever names are known


def add_input_arguments(parser: argparse.ArgumentParser) -> Options:
    """Add --input, --dim and --cast, which several commands share; return their group."""
    group = parser.add_argument_group("inputs")
    group.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="inputs",
        help="value of an input: zeros, ones, range (0, 1, 2, ...), random[:SEED], a number, "
        "absent "
        "(omits an optional input), text:TEXT, numbers as [[5.1,3.5]], a map as "
        '{"key": 1.5}, or a file (.npy .npz .pb .png .jpg .bmp .wav .txt .csv .json .bin .raw; '
        "the last two also with type and shape, as x.raw:uint8:1x28x28); NAME= is optional if "
        "only one input fits",
    )
    add_dimensions(
        group,
        "size of a dynamic axis; an unnamed axis is written 'input[1]' (input name, index)",
    )
    add_setting(group, "cast")
    return group


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add MODEL."""
    parser.add_argument(
        "model",
        type=Path,
        metavar="MODEL",
        help="model file, a folder that is one model (such as a language model with its "
        "tokenizer), 'sample:NAME' for a sample, '-' for standard input, or a model in an "
        "archive (a.zip/net.onnx)",
    )


def add_dimensions(options: Options, text: str) -> None:
    """Add --dim, which fills `dimensions` with pairs of a name and a length."""
    options.add_argument(
        "--dim",
        action="append",
        default=[],
        type=dimension,
        metavar="NAME=N",
        dest="dimensions",
        help=text,
    )


def dimension(text: str) -> tuple[str, int]:
    """Read 'batch=2'. Raises ArgumentTypeError for anything else."""
    name, sign, length = text.rpartition("=")
    if not sign or not name or not length.strip().isdecimal() or len(length) > 15:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' must be NAME=N")
    return name, int(length)


def add_arguments(parser: argparse.ArgumentParser, decodes: bool = False) -> None:
    """Add MODEL, the inputs and their preprocessing. decodes: whether the command takes the
    name of a decoder as a meaning of the outputs."""
    add_model(parser)
    add_preprocessing_arguments(parser, decodes)


def add_preprocessing_arguments(parser: argparse.ArgumentParser, decodes: bool = False) -> None:
    """Add the inputs and their preprocessing, for a command that adds MODEL itself."""
    add_input_arguments(parser)
    parser.add_argument(
        "--labels",
        type=Path,
        metavar="FILE|LIST",
        help="class names: a file, names separated by commas, or one of imagenet, "
        "imagenet-1001, coco, coco-81, coco-90, voc, voc-21, "
        "cityscapes, cifar10, fashion-mnist, digits, letters, emotions, text-36, text-62; "
        "'none' shows numbers instead",
    )
    parser.add_argument(
        "--output-as",
        action="append",
        default=[],
        dest="meanings",
        metavar="[NAME=]MEANING",
        help="what an output means: classes, numbers, image, mask, embedding, "
        "boxes:COLUMNS as in boxes:x1,y1,x2,y2,score,class or boxes:cx,cy,w,h,scores, "
        "or scores (of boxes in another output); repeatable"
        + "; of all outputs together: decoder:NAME, or decoder:none for no boxes, points or "
        "masks" * decodes,
    )
    parser.set_defaults(decodes=decodes)
    parser.add_argument("--tokenizer", type=Path, metavar="FILE", help=TOKENIZER_HELP)
    add_renamed(
        parser,
        "--ignore-saved",
        "--plain",
        action="store_true",
        dest="plain",
        help="ignore the preprocessing saved with the model and guess it",
    )
    _add_preparation(parser)


def add_on(parser: Options, many: bool = False, versions: bool = False) -> None:
    """Add the options. many: whether it takes several machines. versions: whether it takes
    several environments of Python."""
    several = "; separate several machines with commas, or use label:WORD" if many else ""
    pools = "".join(f", or {kind.help}" for kind in machine_kinds.own_kinds() if kind.help)
    metavar = "NAME[:ID][,...]" if many else "NAME[:ID]"
    parser.add_argument(
        "--on",
        default="",
        metavar=metavar,
        help="run on another machine: one added with 'inspector devices --add NAME HOST'"
        f"{pools}; add a device ID to choose its device{several}",
    )
    add_python(parser, versions)


def add_python(parser: Options, versions: bool = True) -> None:
    """Add the option. versions: whether it takes several environments."""
    parser.add_argument(
        "--python",
        default="",
        metavar="PATH[,...]" if versions else "PATH",
        help="run in another Python environment, using its runtimes; specify the Python "
        "executable or a virtual environment folder"
        + "; several, separated by commas, give a table by version of the runtime"
        * versions,
    )


def add_device(parser: Options) -> None:
    """Add the option for one device."""
    parser.add_argument(
        "--device",
        default="cpu",
        metavar="ID",
        help="device ID from 'inspector devices' (default: cpu)",
    )


def add_signature(parser: Options) -> None:
    """Add the option."""
    parser.add_argument(
        "--signature",
        default="",
        metavar="NAME",
        help="run this signature of a TensorFlow Lite model instead of its main graph; "
        "'inspector info' lists them",
    )


def add_details(parser: Options) -> None:
    """Add the option that shows all sections."""
    parser.add_argument(
        "-v", "--details", action="store_true",
        help="show all sections: every number, phases, reasons, settings",
    )  # fmt: skip


def add_report(parser: Options) -> None:
    """Add the option that also saves the page as a document."""
    parser.add_argument(
        "--report", type=_document, metavar="FILE",
        help="also save the result as a page: .html, .pdf or .md",
    )  # fmt: skip


def _document(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in _DOCUMENTS:
        raise argparse.ArgumentTypeError(f"'{text[-40:]}' does not end in .html, .pdf or .md")
    return path


def _add_preparation(parser: argparse.ArgumentParser) -> None:
    """Add the options for pictures, sounds and memory."""
    image = parser.add_argument_group("image inputs (guessed if omitted)")
    image.add_argument("--order", choices=("rgb", "bgr", "gray"), help="channel order")
    image.add_argument(
        "--scale",
        choices=("255", "1", "-1..1", "-128..127", "16..235"),
        help="maximum value after scaling 8-bit values: 255 for 0..255, 1 for 0..1, ...",
    )
    image.add_argument(
        "--mean",
        type=_channels,
        metavar="R,G,B",
        help="mean per channel, subtracted after scaling",
    )
    image.add_argument(
        "--std",
        type=_channels,
        metavar="R,G,B",
        help="std dev per channel; values are divided by it after the mean is subtracted",
    )
    image.add_argument(
        "--resize",
        choices=("stretch", "fit", "crop"),
        help="how an image fits the input: stretched, padded or cropped",
    )
    image.add_argument(
        "--filter",
        choices=("nearest", "bilinear", "bicubic", "lanczos", "area"),
        help="resize interpolation",
    )
    sound = parser.add_argument_group("audio inputs (guessed if omitted)")
    sound.add_argument(
        "--window", type=_samples, metavar="N", help="samples that the model takes in each step"
    )
    sound.add_argument(
        "--hop",
        type=_samples,
        metavar="N",
        help="samples between the starts of consecutive steps",
    )
    sound.add_argument(
        "--context",
        type=_samples,
        metavar="N",
        help="samples of the previous step at the beginning of each step (silence at first)",
    )
    sound.add_argument(
        "--rate", type=_samples, metavar="HZ", help="sample rate that the model expects"
    )
    sound.add_argument(
        "--state",
        action="append",
        metavar="INPUT=OUTPUT",
        help="feed OUTPUT back into INPUT at the next step; 'none' disables feedback",
    )


def _channels(text: str) -> tuple[float, ...]:
    """Read '0.485,0.456,0.406'. Raises ArgumentTypeError for anything else."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers") from error


def _samples(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"'{clip(text, 40)}' is not a number of samples")
    return int(text)
