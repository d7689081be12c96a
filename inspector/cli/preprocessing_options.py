"""Options that set how images and audio become tensors."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from inspector.errors import BadInput
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.model.model import Model
    from inspector.preview.inputs.audio_windows import Framing, Stepping
    from inspector.preview.inputs.image import ImageOptions
    from inspector.preview.inputs.model_states import State
    from inspector.preview.preprocessing.saved import SavedPreprocessing


def add_arguments(parser: argparse.ArgumentParser) -> None:
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


def image_options(
    options: argparse.Namespace, model: "Model", saved: "SavedPreprocessing | None" = None
) -> "ImageOptions":
    """Return the image preprocessing that is given or saved."""
    from inspector.preview.families.output_structure import of_model
    from inspector.preview.inputs.image import ImageOptions

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
    model: "Model",
    given: Mapping[str, str],
    saved: "SavedPreprocessing | None" = None,
) -> "Stepping":
    """Return how sound files are cut, and what is fed back. Raises BadInput: not by such
    values."""
    from inspector.preview.families.audio_features import features_of
    from inspector.preview.inputs.audio_windows import Stepping

    sounds = saved.sounds if saved is not None else {}
    features = {
        name: each if options.rate is None else replace(each, rate=options.rate)
        for name, each in features_of(model).items()
    }
    framings = _framings(options, model, given, sounds)
    return Stepping(framings, _memory(options, model), features)


def framings(
    options: argparse.Namespace, model: "Model", saved: "SavedPreprocessing | None" = None
) -> dict[str, "Framing"]:
    """Return how each audio input is framed: given, saved or guessed.

    Raises BadInput: not by such values.
    """
    from inspector.preview.inputs.audio_windows import guess_framing

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
    model: "Model",
    given: Mapping[str, str],
    kept: "Mapping[str, Framing]",
) -> dict[str, "Framing"]:
    from inspector.preview.inputs.audio_windows import Framing, guess_framing

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


def _chosen(options: argparse.Namespace, framing: "Framing") -> "Framing":
    names = ("window", "hop", "context", "rate")
    values = {name: getattr(options, name) for name in names}
    chosen = {name: number for name, number in values.items() if number is not None}
    return replace(framing, **chosen, why="as specified" if chosen else framing.why)


def _memory(options: argparse.Namespace, model: "Model") -> tuple["State", ...]:
    from inspector.model.display_names import suggestion
    from inspector.preview.inputs.model_states import State, states

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
