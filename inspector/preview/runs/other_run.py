"""The other run of a comparison, as `--against RUN` describes it; one grammar for all."""

import re
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct, structs

from inspector import units
from inspector.errors import BadInput
from inspector.formats.folders.reading import main_file, read_folder
from inspector.formats.model_formats import model_suffixes
from inspector.report.run_spec import LEVELS, RunSpec

REFERENCE = "reference"
FLOAT16 = "float16"
LEVEL = "level"
THREADS = "threads"
DEVICE = "device"
MODEL = "model"
RECORDED = "recorded"
KEYS = (LEVEL, THREADS, DEVICE, MODEL)
SETTINGS = "settings"  # several keys at once
METAVAR = "RUN"
HELP = (
    "reference (the ONNX reference evaluator), float16 (emulated float16 arithmetic, in sums "
    "as well, as on a GPU or NPU), a device ID, a model file (also of another format), or "
    "comma-separated settings: level=none|basic|extended|all, threads=N, device=ID, "
    "model=FILE; for example level=none,threads=1"
)
_EXAMPLES = (
    "Use reference, float16, a device ID, a model file, or comma-separated settings such as "
    "level=none, threads=1, device=ID, model=FILE."
)
_MODEL_SUFFIXES = model_suffixes()
_DEVICE = re.compile(r"[A-Za-z][\w.-]*(?::[\w.]+)?")
_NEXT_KEY = re.compile(r",(?=\s*\w*=)")  # a file's name may hold a comma
_MOST_THREADS = 1_000_000  # as for --threads


class OtherRun(Struct, frozen=True):
    """Settings of another run; whatever is left out is as in the first.

    reference: ONNX's own evaluator; float16: emulated; both have no settings.
    level, device, model (a path): empty where they do not differ. threads: None where they do
    not, 0 for the runtime's choice. recorded: path of tensors that another framework recorded.
    """

    reference: bool = False
    float16: bool = False
    level: str = ""
    threads: int | None = None
    device: str = ""
    model: str = ""
    recorded: str = ""

    @property
    def kind(self) -> str:
        """Return the one thing that differs; SETTINGS where there are several."""
        if self.reference:
            return REFERENCE
        if self.float16:
            return FLOAT16
        if self.recorded:
            return RECORDED
        keys = [key for key in KEYS if getattr(self, key) not in ("", None)]
        return keys[0] if len(keys) == 1 else SETTINGS

    @property
    def label(self) -> str:
        """Name it as people do."""
        if self.reference:
            return "ONNX reference evaluator"
        if self.float16:
            return "emulated float16 arithmetic"
        parts = (
            self.level and f"optimization {self.level}",
            "" if self.threads is None else _threads(self.threads),
            self.device,
            re.split(r"[\\/]", self.model)[-1],
            re.split(r"[\\/]", self.recorded)[-1],
        )
        return ", ".join(filter(None, parts))

    def spec(self, first: RunSpec) -> RunSpec:
        """Return how it is run, where the first is run as `first`."""
        spec = replace(first, optimization=self.level or first.optimization)
        if self.threads is not None:
            spec = replace(spec, threads=self.threads)
        return replace(spec, devices=(self.device,)) if self.device else spec


def parse(text: str) -> OtherRun:
    """Read what `--against` takes: see HELP. Raises BadInput, with the nearest name."""
    if text == REFERENCE:
        return OtherRun(reference=True)
    if text == FLOAT16:
        return OtherRun(float16=True)
    if "=" not in text or (Path(text).suffix.lower() in _MODEL_SUFFIXES and _is_file(text)):
        if text and is_recording(Path(text)) and read_folder(Path(text)) is None:
            return OtherRun(recorded=str(Path(text)))
        if Path(text).suffix.lower() in _MODEL_SUFFIXES or _is_file(text):
            return OtherRun(model=str(main_file(Path(text))))
        if text in KEYS:
            raise _failure(text, f"there is no value for '{text}'")
        if text.lower() in LEVELS:
            raise _failure(
                text, "it is an optimization level", f"Did you mean level={text.lower()}?"
            )
        hint = _nearest(text, (REFERENCE, FLOAT16), "{}")
        if hint or _DEVICE.fullmatch(text) is None:
            raise _failure(text, "it is not a device, a file or a setting", hint)
        return OtherRun(device=text)
    run = OtherRun()
    for part in _NEXT_KEY.split(text):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if key not in KEYS:
            why = f"'{units.clip(key, 40)}' is not one of {', '.join(KEYS)}"
            if key in (REFERENCE, FLOAT16):
                why = f"'{key}' has no settings"
            raise _failure(text, why, _nearest(key, KEYS, "{}=" + units.clip(value, 60)))
        if not sign or not value:
            raise _failure(text, f"there is no value after '{key}='")
        run = _with(run, key, value, text)
    return run


def _with(run: OtherRun, key: str, value: str, text: str) -> OtherRun:
    if key == LEVEL:
        if value not in LEVELS:
            why = f"'{units.clip(value, 40)}' is not one of the levels {', '.join(LEVELS)}"
            raise _failure(text, why, _nearest(value, LEVELS, "level={}"))
        return structs.replace(run, level=value)
    if key == THREADS:
        if not (value.isascii() and value.isdecimal()) or int(value[:12]) > _MOST_THREADS:
            raise _failure(text, f"'{units.clip(value, 40)}' is not a number of threads")
        return structs.replace(run, threads=int(value))
    return (
        structs.replace(run, device=value)
        if key == DEVICE
        else structs.replace(run, model=value)
    )


def _nearest(word: str, names: tuple[str, ...], form: str) -> str:
    near = get_close_matches(word.lower(), names, 1)
    return f"Did you mean {form.format(near[0])}?" if near else ""


def _failure(text: str, why: str, hint: str = "") -> BadInput:
    return BadInput(f"Could not compare with '{units.clip(text, 80)}'", why, hint or _EXAMPLES)


def _threads(count: int) -> str:
    return units.plural(count, "thread") if count else "default threads"


def is_recording(path: Path) -> bool:
    """Return whether a path is an .npz file, or a folder with .npy files."""
    try:
        if path.is_dir():
            found = (next(path.glob(pattern), None) for pattern in ("*.npy", "*/*.npy"))
            return any(found)
        return path.suffix.lower() == ".npz" and path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _is_file(text: str) -> bool:
    """Return whether a text names a file, or a folder with more in its name than a word."""
    try:
        path = Path(text)
        return path.is_file() or (path.is_dir() and read_folder(path) is not None)
    except (OSError, ValueError):  # a name that no file can have
        return False
