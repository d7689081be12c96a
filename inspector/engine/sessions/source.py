"""What the runtime is given to load: a file's name or content, our reading, or a cache."""

from collections.abc import Sequence
from pathlib import Path

from onnx import ModelProto

from inspector import readers
from inspector.engine.sessions import kept
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.session import WHOLE_BYTES, create_session, loading_notes
from inspector.errors import BadInput
from inspector.report import RunSpec

PATH, BYTES, READER, COMPILED = SOURCES = ("path", "bytes", "reader", "compiled")
_KEEP = "ep.context_enable"
_KEPT_AS = "ep.context_file_path"
_IN_ONE_FILE = "ep.context_embed_mode"


def given(model: Path, spec: RunSpec) -> tuple[Path | bytes, Path | None]:
    """Return what a session is made of, and where side files of it lie if it is bytes.

    Raises BadInput: no such way, or the file is too large to be given so.
    """
    match spec.load_from:
        case "path" | "compiled":  # what was compiled is found by `compiled`
            return model, None
        case "bytes":
            if model.stat().st_size > WHOLE_BYTES:
                why = "it is over 2 GiB, more than the runtime takes at once"
                raise BadInput(f"Could not load {model.name} from bytes", why, phase="load")
            return _with_remarks(model, spec), readers.home(model)
        case "reader":
            shown = readers.skeleton(model)
            if spec.on_cpu:
                shown = kept.remarked(shown, kept.kept(model, spec.on_cpu).layers)
            return shown.SerializeToString(), readers.home(model)
        case other:
            what = f"A model cannot be loaded from '{other}'"
            raise BadInput(what, f"there are {', '.join(SOURCES)}", phase="load")


def _with_remarks(model: Path, spec: RunSpec) -> bytes:
    body = model.read_bytes()
    if not spec.on_cpu:
        return body
    layers = kept.kept(model, spec.on_cpu).layers
    return bytes(kept.remarked(ModelProto.FromString(body), layers).SerializeToString())


def compiled(model: Path, spec: RunSpec, units: Sequence[Unit], folder: Path) -> Path:
    """Let the providers compile a model and keep what they made, for later loads.

    Raises BadInput: none of them keeps anything. EngineFailed: the runtime refused.
    """
    if spec.on_cpu:
        what = f"Could not load {model.name} from what was compiled"
        why = "layers that stay on the CPU have other numbers in what was compiled"
        raise BadInput(what, why, "Load it from its path.", "load")
    made = folder / "compiled.onnx"
    config = {_KEEP: "1", _KEPT_AS: str(made), _IN_ONE_FILE: "1"}
    create_session(model, spec, units, config=config)
    if not made.is_file():
        named = " and ".join(unit.device.id for unit in units)
        what = f"Could not load {model.name} from what was compiled"
        why = f"{named} keeps no compiled model, or compiles nothing of this one"
        raise BadInput(what, why, "Load it from its path.", "load")
    return made


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
        case "compiled":
            return (
                "The model was compiled before and loaded from what the provider kept of it: "
                "the load time is without compiling, the memory at most is with it.",
            )
        case _:
            return loading_notes(model)
