"""The input that a value is for, where nobody named it and only one can take it."""

from collections.abc import Collection, Sequence
from pathlib import Path

from inspector.errors import BadInput
from inspector.model.model import Model, TensorInfo
from inspector.preview.families.audio_features import features_of
from inspector.preview.inputs import audio, image_files, model_states, tokens
from inspector.preview.inputs.audio_windows import guess_framing
from inspector.preview.preprocessing.guess import guess, guess_of

TEXT = "text:"  # begins a value that is a text


def input_for(inputs: Sequence[TensorInfo], given: Collection[str]) -> TensorInfo:
    """Return the input that gets the files: the first that takes pictures, else the first one.

    given: names of inputs that have a value already. Raises BadInput: there is none left.
    """
    free = [info for info in inputs if info.name not in given and info.kind == "tensor"]
    if not free:
        why = "all inputs of the model already have a value"
        raise BadInput(
            "Could not use the files as inputs", why, "Remove one of the --input options."
        )
    pictures = (info for info in free if guess(info) is not None)
    return next(pictures, free[0])


def only_input(model: Model, value: str) -> TensorInfo | None:
    """Return the only input that an image, a sound or a text can fill; None where several
    could, or none. Of other values the type and shape would have to decide."""
    suffix = Path(value).suffix.lower()
    if suffix in image_files.SUFFIXES:
        fitting = [info for info in model.inputs if guess_of(info, model) is not None]
    elif suffix in audio.SUFFIXES:
        fitting = _for_sound(model)
    elif value.startswith(TEXT) or suffix == ".txt":
        fitting = [info for info in model.inputs if _takes_text(info)]
    else:
        fitting = []
    return fitting[0] if len(fitting) == 1 else None


def _for_sound(model: Model) -> list[TensorInfo]:
    """Return the inputs that take a sound: a family's, else a row of samples, no state."""
    named = features_of(model)
    if named:
        return [info for info in model.inputs if info.name in named]
    states = {state.input for state in model_states.states(model.inputs, model.outputs)}
    facts = model.inputs, model.outputs, model.metadata
    rows = (info for info in model.inputs if info.name not in states)
    return [info for info in rows if guess_framing(info, *facts) is not None]


def _takes_text(info: TensorInfo) -> bool:
    return info.dtype == "string" or tokens.takes_tokens(info)
