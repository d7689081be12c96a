"""Arguments shared by the commands that run a model: the model, input values and
preprocessing."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.app.changing.result_names import expect_model_name
from inspector.app.subjects import Subject
from inspector.cli.decoding import decoder_name
from inspector.cli.dimensions import checked_dimensions
from inspector.cli.options.arguments import DECODER, NO_LABELS
from inspector.errors import BadInput
from inspector.formats.folders.reading import main_file
from inspector.formats.opening import format_id, open_model
from inspector.model.display_names import suggestion
from inspector.model.model import TFLITE, Model
from inspector.platform import files
from inspector.preview.class_names import Labels
from inspector.preview.families import output_meanings
from inspector.preview.families.audio_features import features_of
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import tokens
from inspector.preview.inputs.audio_windows import Framing, Stepping, guess_framing
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.inputs.input_choice import only_input
from inspector.preview.inputs.input_files import inputs_in
from inspector.preview.inputs.model_states import State, states
from inspector.preview.outputs import labels
from inspector.preview.outputs.scene import NO_DECODER
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.guess import guess
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural

_FRAMING = ("window", "hop", "context", "rate")  # options


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


def subject_of(options: argparse.Namespace, path: Path | None = None) -> Subject:
    """Read the model, or another one at `path`, and its arguments; options override saved
    values.

    Raises UnreadableFile, BadInput.
    """
    place = options.model if path is None else main_file(path)
    model = open_model(place)
    named_lengths = dict(options.dimensions) if path else checked_dimensions(options, model)
    preprocessing = saved.NONE_SAVED if options.plain else saved.load(place, model.metadata)
    of_all = [each for each in options.meanings if options.decodes and each.startswith(DECODER)]
    meanings = [text for text in options.meanings if text not in of_all]
    said = output_meanings.parsed(meanings, model) if path is None else {}
    model = output_meanings.applied(model, {**preprocessing.outputs, **said})
    none = options.labels is not None and str(options.labels).lower() == NO_LABELS
    named = labels.named(options.labels) if options.labels and not none else ()
    given = parsed_values(options.inputs, model)
    known = Labels() if none else Labels.of(model, place, preprocessing)
    image = ImageOptions(
        model.metadata,
        model.producer,
        options.order,
        options.scale,
        options.mean,
        options.std,
        options.resize,
        options.filter,
        options.cast,
        tuple(preprocessing.pictures.items()),
        model.outputs,
        of_model(model),
    )
    return Subject(
        place,
        model,
        RunSpec(cast=options.cast),
        given,
        dimensions={**preprocessing.dimensions, **named_lengths},
        image=image,
        sounds=_sounds(options, model, preprocessing),
        tokenizer=options.tokenizer or tokens.tokenizer_of(place, model),
        labels=Labels(named, str(options.labels)) if named else known,
        saved_preprocessing=preprocessing,
        guessed=_guessed(options, model, image, preprocessing),
    )


def spec_of(options: argparse.Namespace, **more: Any) -> RunSpec:
    """Return the settings of a run on one device as the options say. more: further settings."""
    return RunSpec(
        (options.device,),
        cast=options.cast,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
        **more,
    )


def with_assumed_labels(subject: Subject, options: argparse.Namespace) -> Subject:
    """Name the classes by the one list that fits their number, unless --labels says how."""
    return subject if options.labels is not None else subject.with_assumed_labels()


def assumption(labels: Labels) -> str:
    """Return a note that the labels were assumed, and how to undo it."""
    return (
        f"class names assumed: {labels.source}, the only known list for "
        f"{plural(len(labels.names), 'class')}; use --labels none for numbers"
    )


def labels_as_json(labels: Labels) -> dict[str, object]:
    """Return where the labels come from for --json."""
    return {"source": labels.source, "count": len(labels.names), "assumed": labels.assumed}


def check_output(options: argparse.Namespace, what: str) -> None:
    """Check, before a long job, that its new model can be written to --output.

    Raises BadInput: it is the model itself, or exists without --overwrite; NotSaved.
    """
    output: Path = options.output
    if output.resolve() == options.model.resolve():
        raise BadInput(
            what, "the output would overwrite the model", "Choose another name with -o."
        )
    source = format_id(options.model)
    to_ort = output.suffix == ".ort"  # which the steps decide
    expect_model_name(output, source if source == TFLITE else "ort" if to_ort else "onnx")
    for path in filter(None, (output, getattr(options, "save_case", None))):
        if path.exists() and not options.overwrite:
            why = f"{clip(path.name)} already exists"
            raise BadInput(what, why, "Choose another name, or add --overwrite.")
        files.expect_to_write(path)


def other_model(options: argparse.Namespace, path: Path) -> Subject:
    """Return another model with the same arguments, except those that name inputs."""
    plain = argparse.Namespace(**{**vars(options), "inputs": [], "state": None})
    return subject_of(plain, path)


def framings(
    options: argparse.Namespace, model: Model, kept: SavedPreprocessing
) -> dict[str, Framing]:
    """Return how each audio input is framed: given, saved or guessed.

    Raises BadInput: not by such values.
    """
    framings_by_input = {}
    for info in model.inputs:
        own = kept.sounds.get(info.name)
        guessed = guess_framing(info, model.inputs, model.outputs, model.metadata)
        base = own or (guessed if guessed is not None and guessed.sure else None)
        if base is not None:
            framings_by_input[info.name] = _chosen(options, base)
    return framings_by_input


def _sounds(options: argparse.Namespace, model: Model, kept: SavedPreprocessing) -> Stepping:
    """Return how sounds are cut, and what is fed back. Raises BadInput: not by such values."""
    features = {
        name: each if options.rate is None else replace(each, rate=options.rate)
        for name, each in features_of(model).items()
    }
    framings = {}
    for info in model.inputs:
        framing = kept.sounds.get(info.name) or guess_framing(
            info, model.inputs, model.outputs, model.metadata
        )
        if framing is None and options.window is not None:
            framing = Framing(options.window, options.window)
        if framing is not None:
            framings[info.name] = _chosen(options, framing)
    return Stepping(framings, _memory(options, model), features)


def _guessed(
    options: argparse.Namespace, model: Model, image: ImageOptions, kept: SavedPreprocessing
) -> frozenset[str]:
    """Return the inputs whose preprocessing is neither given nor saved."""
    cut = any(getattr(options, name) is not None for name in _FRAMING)
    pictures = image.fixed or decoder_name(options, kept).lower() == NO_DECODER
    return frozenset(
        info.name
        for info in model.inputs
        if not (pictures if guess(info) is not None else cut or info.name in kept.sounds)
    )


def _chosen(options: argparse.Namespace, framing: Framing) -> Framing:
    values = {name: getattr(options, name) for name in _FRAMING}
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
            what = f"Could not read --state {clip(text, 80)}"
            why = f"the model has no input or output '{clip(wrong, 80)}'"
            raise BadInput(what, why, suggestion(wrong, known))
        results.append(State(name, output, "as specified"))
    return tuple(results)
