"""Arguments shared by the commands that run a model: the model, input values and
preprocessing."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inspector.cli.options.arguments import DECODER, FROM_FILE, NO_LABELS
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.display_names import suggestion
from inspector.model.model import Model, TensorInfo
from inspector.platform import files
from inspector.preview.families import output_meanings
from inspector.preview.families.audio_features import features_of
from inspector.preview.families.output_structure import of_model
from inspector.preview.identity import assumed_labels
from inspector.preview.inputs import feeds, tokens
from inspector.preview.inputs.audio_windows import Framing, Stepping, guess_framing
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.inputs.input_choice import only_input
from inspector.preview.inputs.input_files import inputs_in
from inspector.preview.inputs.input_shapes import check_dimensions
from inspector.preview.inputs.model_states import State, states
from inspector.preview.inputs.tokens import TokenizerSource
from inspector.preview.outputs import labels
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.units import clip, plural


def checked_dimensions(options: argparse.Namespace, *models: Model) -> dict[str, Any]:
    """Return what --dim gives, by name. Raises BadInput: no input has such an axis.

    models: of which one has the axis, where a command takes several.
    """
    inputs = [info for model in models for info in (*model.inputs, *model.defaults)]
    named = dict(options.dimensions)
    check_dimensions(inputs, dict.fromkeys(named, 1))  # a sweep has several lengths for each
    return named


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

    info = only_input(model, text)
    return "" if info is None else info.name


def _named_in(text: str, model: Model) -> tuple[str, ...]:

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
    model: Model
    given: Mapping[str, str]
    labels: Sequence[str]
    image: ImageOptions
    stepping: Stepping
    dimensions: Mapping[str, int]
    tokenizer: TokenizerSource | None
    kept: SavedPreprocessing
    labels_source: str = ""
    labels_assumed: bool = False

    def with_lengths(self, lengths: Mapping[str, int]) -> tuple[Filled, ...]:
        """Tensors for all inputs with lengths of free axes; raises as `filled`."""
        return replace(self, dimensions=lengths).filled()

    def filled(self, given: Mapping[str, str] | None = None) -> tuple[Filled, ...]:
        """Tensors for all inputs, of the values that were given or of others.

        Raises BadInput, UnreadableFile: as `inspector.preview.inputs.feeds.fill_all`.
        """
        values = self.given if given is None else given
        taken = parsed_inputs(self.model, values)
        sizes, stepping = self.dimensions, self.stepping
        return feeds.fill_all(taken, values, sizes, self.image, stepping, self.tokenizer)


def read_request(options: argparse.Namespace, path: Path | None = None) -> ModelRequest:
    """Read the model, or another one at `path`, and its arguments; options override saved
    values.

    Raises UnreadableFile, BadInput.
    """
    place = path or options.model
    model = open_model(place)
    named_lengths = dict(options.dimensions) if path else checked_dimensions(options, model)
    kept = saved.NONE_SAVED if options.plain else saved.load(place, model.metadata)
    of_all = [each for each in options.meanings if options.decodes and each.startswith(DECODER)]
    meanings = [text for text in options.meanings if text not in of_all]
    said = output_meanings.parsed(meanings, model) if path is None else {}
    model = output_meanings.applied(model, {**kept.outputs, **said})
    none = options.labels is not None and str(options.labels).lower() == NO_LABELS
    named = labels.named(options.labels) if options.labels and not none else ()
    given = parsed_values(options.inputs, model)
    metadata_labels = labels.of_model(model)
    result = () if none else named or kept.labels or metadata_labels
    source = f"{options.labels}" if named else kept.source if kept.labels else FROM_FILE
    return ModelRequest(
        place,
        model,
        given,
        result,
        image_options(options, model, kept),
        stepping(options, model, given, kept),
        {**kept.dimensions, **named_lengths},
        options.tokenizer or tokens.tokenizer_of(place, model),
        kept,
        source if result else "",
    )


def with_values(
    request: ModelRequest, options: argparse.Namespace, given: Mapping[str, str]
) -> ModelRequest:
    """Return the request with other input values; audio is framed anew for them."""
    framed = stepping(options, request.model, given, request.kept)
    return replace(request, given=given, stepping=framed)


def with_assumed_labels(request: ModelRequest, options: argparse.Namespace) -> ModelRequest:
    """Name the classes by the one list that fits their number, where nobody named them."""
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


def other_model(options: argparse.Namespace, path: Path) -> ModelRequest:
    """Return a request for another model with the same arguments, except those that name
    inputs."""
    plain = argparse.Namespace(**{**vars(options), "inputs": [], "state": None})
    return read_request(plain, path)


def image_options(
    options: argparse.Namespace, model: Model, saved: SavedPreprocessing | None = None
) -> ImageOptions:
    """Return the image preprocessing that is given or saved."""
    return ImageOptions(
        model.metadata,
        model.producer,
        options.order,
        options.scale,
        options.mean,
        options.std,
        options.resize,
        options.filter,
        options.cast,
        tuple(saved.pictures.items()) if saved is not None else (),
        model.outputs,
        of_model(model),
    )


def stepping(
    options: argparse.Namespace,
    model: Model,
    given: Mapping[str, str],
    saved: SavedPreprocessing | None = None,
) -> Stepping:
    """Return how sound files are cut, and what is fed back. Raises BadInput: not by such
    values."""
    sounds = saved.sounds if saved is not None else {}
    features = {
        name: each if options.rate is None else replace(each, rate=options.rate)
        for name, each in features_of(model).items()
    }
    framings = _framings(options, model, given, sounds)
    return Stepping(framings, _memory(options, model), features)


def framings(
    options: argparse.Namespace, model: Model, saved: SavedPreprocessing | None = None
) -> dict[str, Framing]:
    """Return how each audio input is framed: given, saved or guessed.

    Raises BadInput: not by such values.
    """
    sounds = saved.sounds if saved is not None else {}
    framings_by_input = {}
    for info in model.inputs:
        own = sounds.get(info.name)
        guessed = guess_framing(info, model.inputs, model.outputs, model.metadata)
        base = own or (guessed if guessed is not None and guessed.sure else None)
        if base is not None:
            framings_by_input[info.name] = _chosen(options, base)
    return framings_by_input


def _framings(
    options: argparse.Namespace,
    model: Model,
    given: Mapping[str, str],
    kept: Mapping[str, Framing],
) -> dict[str, Framing]:

    results = {}
    for info in model.inputs:
        if not given.get(info.name, "").lower().endswith(".wav"):
            continue
        guessed = kept.get(info.name) or guess_framing(
            info, model.inputs, model.outputs, model.metadata
        )
        if guessed is None and options.window is not None:
            guessed = Framing(options.window, options.window)
        if guessed is not None:
            results[info.name] = _chosen(options, guessed)
    return results


def _chosen(options: argparse.Namespace, framing: Framing) -> Framing:
    names = ("window", "hop", "context", "rate")
    values = {name: getattr(options, name) for name in names}
    chosen = {name: number for name, number in values.items() if number is not None}
    return replace(framing, **chosen, why="as specified" if chosen else framing.why)


def _memory(options: argparse.Namespace, model: Model) -> tuple[State, ...]:

    if not options.state:
        return states(model.inputs, model.outputs)
    inputs = [info.name for info in (*model.inputs, *model.defaults)]
    outputs = [info.name for info in model.outputs]
    results = []
    for text in options.state if options.state != ["none"] else ():
        named = (name for name in inputs if text.startswith(f"{name}="))
        name = max(named, key=len, default=text.partition("=")[0])
        output = text[len(name) + 1 :]
        if name not in inputs or output not in outputs:
            wrong, known = (name, inputs) if name not in inputs else (output, outputs)
            raise BadInput(
                f"Could not read --state {clip(text, 80)}",
                f"the model has no input or output '{clip(wrong, 80)}'",
                suggestion(wrong, known),
            )
        results.append(State(name, output, "as specified"))
    return tuple(results)
