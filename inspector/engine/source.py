"""What the runtime is given to load: a file's name, its content, or our reading of it."""

from pathlib import Path

from inspector import readers
from inspector.engine.session import WHOLE_BYTES, loading_notes
from inspector.errors import BadInput
from inspector.report import RunSpec

PATH, BYTES, READER = SOURCES = ("path", "bytes", "reader")


def given(model: Path, spec: RunSpec) -> tuple[Path | bytes, Path | None]:
    """Return what a session is made of, and where side files of it lie if it is bytes.

    Raises BadInput: no such way, or the file is too large to be given so.
    """
    match spec.load_from:
        case "path":
            return model, None
        case "bytes":
            if model.stat().st_size > WHOLE_BYTES:
                why = "it is over 2 GiB, more than the runtime takes at once"
                raise BadInput(f"Could not load {model.name} from bytes", why, phase="load")
            return model.read_bytes(), readers.home(model)
        case "reader":
            return readers.skeleton(model).SerializeToString(), readers.home(model)
        case other:
            what = f"A model cannot be loaded from '{other}'"
            raise BadInput(what, f"there are {', '.join(SOURCES)}", phase="load")


def notes(model: Path, spec: RunSpec) -> tuple[str, ...]:
    """Tell what the load time and the memory are of, where that is not the usual way."""
    match spec.load_from:
        case "bytes":
            return (
                "The model was given as bytes: reading them counts as loading, and the runtime "
                "keeps them beside its own copy of the weights.",
            )
        case "reader":
            return (
                "The model was given as Inspector reads it, without its weights, which the "
                "runtime took from the file as external data; reading counts as loading.",
            )
        case _:
            return loading_notes(model)
