"""Arguments shared by the commands that run a model: the model, input values and
preprocessing."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli import preprocessing_options
from inspector.cli.option_types import Options, add_renamed
from inspector.errors import BadInput
from inspector.model.model import Model, TensorInfo
from inspector.platform import files
from inspector.units import clip, plural

if TYPE_CHECKING:
    from inspector.preview.inputs.audio_windows import Stepping
    from inspector.preview.inputs.feeds import Filled
    from inspector.preview.inputs.image import ImageOptions
    from inspector.preview.inputs.tokens import TokenizerSource
    from inspector.preview.preprocessing.saved import SavedPreprocessing

FROM_FILE = "metadata"  # source of class names that the model's file has
DECODER = "decoder:"  # of --output-as, before the name of a decoder, which reads all outputs
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
        '(omits an optional input), text:TEXT, a map as {"key": 1.5}, or a file (.npy .npz .pb '
        ".png .jpg .bmp .wav .txt .csv .json); NAME= is optional if only one input fits",
    )
    add_dimensions(
        group,
        "size of a dynamic axis; an unnamed axis is written 'input[1]' (input name, index)",
    )
    group.add_argument(
        "--cast",
        action="store_true",
        help="convert numeric arrays to the data type of the input",
    )
    return group


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add MODEL."""
    parser.add_argument(
        "model",
        type=Path,
        metavar="MODEL",
        help="model file, '-' for standard input, or a model in an archive (a.zip/net.onnx)",
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


def checked_dimensions(options: argparse.Namespace, *models: Model) -> dict[str, Any]:
    """Return what --dim gives, by name. Raises BadInput: no input has such an axis.

    models: of which one has the axis, where a command takes several.
    """
    from inspector.preview.inputs.input_shapes import check_dimensions

    inputs = [info for model in models for info in (*model.inputs, *model.defaults)]
    named = dict(options.dimensions)
    check_dimensions(inputs, dict.fromkeys(named, 1))  # a sweep has several lengths for each
    return named


def dimension(text: str) -> tuple[str, int]:
    """Read 'batch=2'. Raises ArgumentTypeError for anything else."""
    name, sign, length = text.rpartition("=")
    if not sign or not name or not length.strip().isdecimal() or len(length) > 15:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' must be NAME=N")
    return name, int(length)


def parsed_values(texts: Sequence[str], model: Model) -> Mapping[str, str]:
    """Read each NAME=VALUE; names may hold '=' themselves, and so may paths.

    NAME= may be left out when the model has one input without a default, when only one input
    can take such an image, sound or text, and for a .csv, .npz or .json file whose columns,
    arrays or members are called after inputs.

    Raises BadInput: a value without a name for a model of several inputs, or one name twice.
    """
    results: dict[str, str] = {}
    for text in texts:
        for name, value in _split(text, model):
            if name in results:
                what = f"Could not read --input {clip(text, 80)}"
                raise BadInput(what, f"'{clip(name, 80)}' is set twice")
            results[name] = value
    return results


def parsed_inputs(model: Model, given: Mapping[str, str]) -> tuple[TensorInfo, ...]:
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
    if len(names) != 1 and (single := _only_input(text, model)):
        return [(single, text)]
    if len(names) != 1:
        raise BadInput(
            f"Could not read --input {clip(text, 80)}",
            f"the model has {len(names)} inputs, so --input must be NAME=VALUE",
            "Its inputs are " + ", ".join(f"'{clip(other, 40)}'" for other in names[:12]) + ".",
        )
    return [(names[0], text)]


def _only_input(text: str, model: Model) -> str:
    from inspector.preview.inputs.input_choice import only_input

    info = only_input(model, text)
    return "" if info is None else info.name


def _named_in(text: str, model: Model) -> tuple[str, ...]:
    from inspector.preview.inputs.input_files import inputs_in

    path = Path(text)
    return inputs_in(path, (*model.inputs, *model.defaults)) if files.is_file(path) else ()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A model with the input values and preprocessing given on the command line or saved with
    it.

    labels_source: where the labels come from. labels_assumed: nobody named them; they are the
    only list of as many names as the model has classes.
    """

    path: Path
    model: "Model"
    given: Mapping[str, str]
    labels: Sequence[str]
    image: "ImageOptions"
    stepping: "Stepping"
    dimensions: Mapping[str, int]
    tokenizer: "TokenizerSource | None"
    kept: "SavedPreprocessing"
    labels_source: str = ""
    labels_assumed: bool = False

    def with_lengths(self, lengths: Mapping[str, int]) -> "tuple[Filled, ...]":
        """Tensors for all inputs with lengths of free axes; raises as `filled`."""
        return replace(self, dimensions=lengths).filled()

    def filled(self, given: Mapping[str, str] | None = None) -> "tuple[Filled, ...]":
        """Tensors for all inputs, of the values that were given or of others.

        Raises BadInput, UnreadableFile: as `inspector.preview.inputs.feeds.fill_all`.
        """
        from inspector.preview.inputs import feeds

        values = self.given if given is None else given
        taken = parsed_inputs(self.model, values)
        sizes, stepping = self.dimensions, self.stepping
        return feeds.fill_all(taken, values, sizes, self.image, stepping, self.tokenizer)


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
        help="class names: a file, or one of imagenet, imagenet-1001, coco, coco-81, "
        "coco-90, voc, voc-21, "
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
    parser.add_argument(
        "--tokenizer", type=Path, metavar="FILE", help="tokenizer.json for text inputs"
    )
    add_renamed(
        parser,
        "--ignore-saved",
        "--plain",
        action="store_true",
        dest="plain",
        help="ignore the preprocessing saved with the model and guess it",
    )
    preprocessing_options.add_arguments(parser)


def read_request(options: argparse.Namespace, path: Path | None = None) -> ModelRequest:
    """Read the model, or another one at `path`, and its arguments; options override saved
    values.

    Raises UnreadableFile, BadInput.
    """
    from inspector.formats.opening import open_model
    from inspector.preview.families import output_meanings
    from inspector.preview.inputs import tokens
    from inspector.preview.outputs import labels
    from inspector.preview.outputs import labels as labels_module
    from inspector.preview.preprocessing import saved

    place = path or options.model
    model = open_model(place)
    named_lengths = dict(options.dimensions) if path else checked_dimensions(options, model)
    kept = saved.NONE_SAVED if options.plain else saved.load(place, model.metadata)
    of_all = [text for text in options.meanings if options.decodes and text.startswith(DECODER)]
    meanings = [text for text in options.meanings if text not in of_all]
    said = output_meanings.parsed(meanings, model) if path is None else {}
    model = output_meanings.applied(model, {**kept.outputs, **said})
    none = options.labels is not None and str(options.labels).lower() == NO_LABELS
    named = labels_module.named(options.labels) if options.labels and not none else ()
    given = parsed_values(options.inputs, model)
    metadata_labels = labels.of_model(model)
    result = () if none else named or kept.labels or metadata_labels
    source = f"{options.labels}" if named else kept.source if kept.labels else FROM_FILE
    return ModelRequest(
        place,
        model,
        given,
        result,
        preprocessing_options.image_options(options, model, kept),
        preprocessing_options.stepping(options, model, given, kept),
        {**kept.dimensions, **named_lengths},
        options.tokenizer or tokens.tokenizer_of(place, model),
        kept,
        source if result else "",
    )


def with_values(
    request: ModelRequest, options: argparse.Namespace, given: Mapping[str, str]
) -> ModelRequest:
    """Return the request with other input values; audio is framed anew for them."""
    stepping = preprocessing_options.stepping(options, request.model, given, request.kept)
    return replace(request, given=given, stepping=stepping)


def with_assumed_labels(request: ModelRequest, options: argparse.Namespace) -> ModelRequest:
    """Name the classes by the one list that fits their number, where nobody named them."""
    from inspector.preview.identity import assumed_labels

    if request.labels or options.labels is not None:
        return request
    result = assumed_labels(request.model)
    if result is None:
        return request
    names = result.read()
    return replace(request, labels=names, labels_source=result.title, labels_assumed=True)


def assumption(request: ModelRequest) -> str:
    """Return a note that the labels were assumed, and how to undo it."""
    count = len(request.labels)
    return (
        f"class names assumed: {request.labels_source}, the only known list for "
        f"{plural(count, 'class')}; use --labels none for numbers"
    )


def labels_as_json(request: ModelRequest) -> dict[str, object]:
    """Return where the labels come from for --json."""
    return {
        "source": request.labels_source,
        "count": len(request.labels),
        "assumed": request.labels_assumed,
    }


def check_output(options: argparse.Namespace, what: str) -> None:
    """Check, before a long job, that its new model can be written to --output.

    Raises BadInput: it is the model itself, or exists without --overwrite; NotSaved.
    """
    output: Path = options.output
    if output.resolve() == options.model.resolve():
        raise BadInput(
            what, "the output would overwrite the model", "Choose another name with -o."
        )
    if output.exists() and not options.overwrite:
        why = f"{clip(output.name)} already exists"
        raise BadInput(what, why, "Choose another name, or add --overwrite.")
    files.expect_to_write(output)


def folder_files(request: ModelRequest, folder: Path) -> tuple[Path, ...]:
    """Return the files of a folder that the model may take. Raises UnreadableFile, BadInput."""
    from inspector.preview.runs import folder as folders

    return folders.files_in(folder, folders.input_for(request.model.inputs, request.given))


def feeds_of_file(
    request: ModelRequest, options: argparse.Namespace, path: Path
) -> dict[str, Any]:
    """Return values for all inputs, one from a file. Raises BadInput, UnreadableFile."""
    from inspector.preview.inputs import feeds
    from inspector.preview.inputs.input_files import inputs_in
    from inspector.preview.runs import folder as folders

    info = folders.input_for(request.model.inputs, request.given)
    names = inputs_in(path, (*request.model.inputs, *request.model.defaults)) or (info.name,)
    given = {**request.given, **dict.fromkeys(names, str(path))}
    return feeds.feeds_by_name(with_values(request, options, given).filled())


def other_model(options: argparse.Namespace, path: Path) -> ModelRequest:
    """Return a request for another model with the same arguments, except those that name
    inputs."""
    plain = argparse.Namespace(**{**vars(options), "inputs": [], "state": None})
    return read_request(plain, path)
