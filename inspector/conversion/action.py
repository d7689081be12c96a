"""Actions that change a model, their options, and recipes: steps in order, saved as JSON.

A step is written as an id, or ID:OPTION=VALUE,..., as in `int8:per-channel=no,keep=conv1`.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from inspector.errors import BadInput, UnreadableFile
from inspector.platform import files, plugins
from inspector.report.float16_check import AUTO
from inspector.report.foretold import Foretold
from inspector.units import clip, plural
from inspector.wording.values import Joined, Sentence, Size, Value

FLOAT16 = "float16"  # the action
LITERT_SIGNATURE = "litert-signature"  # the action
# Headings under which actions are listed.
PRECISION = "Precision"
STRUCTURE = "Structure"
INTERFACE = "Inputs and outputs"
LAYERS = "Layers"
FILE = "File"
SMALLER = "Smaller file"
TENSORFLOW_LITE = "TensorFlow Lite models"
SCHEMA = "recipe/1"
_LEAST_CHANGE = 0.01  # of a model's size, that is worth a word
# What people call an action that has another name here.
_OTHER_NAMES = {
    "int4": "weights-4bit", "uint4": "weights-4bit", "fp8": "float8", "fp4": "mxfp4",
}  # fmt: skip
_RECIPE_BYTES = 4 << 20
MOST_STEPS = 100
# How the values of all inputs become one range, to calibrate with.
MINMAX = "minmax"
AVERAGE = "average"
PERCENTILE = "percentile"
ENTROPY = "entropy"
METHODS = (MINMAX, AVERAGE, PERCENTILE, ENTROPY)
WITH_HISTOGRAMS = (PERCENTILE, ENTROPY)
# What of a layer is quantized: weights and all values around it, so that integer kernels run;
# or only what belongs to it: weights and the values that it makes, or one of these.
ALL = "all"
OWN = "own"
WEIGHTS = "weights"
VALUES = "values"
PARTS = (ALL, OWN, WEIGHTS, VALUES)
# The option of an action that calibrates, and its values: inputs that the user gives, or
# made-up ones.
CALIBRATION = "calibration"
TYPICAL = "typical"
RANDOM = "random"
# Cautions of plans that tell a user to compare the outputs; see `without_advice_to_compare`.
COMPARE_ON_OTHERS = "Outputs change: compare them on inputs other than the calibration inputs."
COMPARE_FEW_BITS = "With so few bits, outputs may change a lot: compare them."
CHECK_ACCURACY = "Values change: check the accuracy."
# Endings of outputs that report of a tensor: its range, the largest magnitude by channel, and
# how many values lie in each of equal parts of the range.
LOWEST = "_lowest"
HIGHEST = "_highest"
PEAKS = "_peaks"
HISTOGRAM = "_histogram"


class OptionKind(StrEnum):
    """The kind of values that an option takes."""

    SWITCH = "switch"  # "yes" or "no"
    COUNT = "count"
    NUMBER = "number"
    CHOICE = "choice"
    TEXT = "text"
    NAMES = "names"  # several, with "+" between them
    FILE = "file"  # a path, whose contents go to the engine process with the step
    PAIRS = "pairs"  # NAME=VALUE,...: all that follows the colon; the only option of its action

    def option(
        self,
        name: str,
        title: str,
        help: str,  # noqa: A002 - as the field of an option is called
        default: str = "",
        phrase: str = "",
        choices: tuple[str, ...] = (),
    ) -> "Option":
        """Return an option of this kind. By default a switch is on, the first choice taken."""
        default = default or ("yes" if self is OptionKind.SWITCH else next(iter(choices), ""))
        return Option(name, self, default, help, choices, title, phrase)


class Option(Struct, frozen=True):
    """An option of an action: its default is a text, as it is written in a step.

    phrase: how a chosen value reads in the name of a recipe ("{} ranges"); by default
    "title: value".
    """

    name: str
    kind: OptionKind
    default: str
    help: str
    choices: tuple[str, ...] = ()
    title: str = ""  # in the window; by default the name
    phrase: str = ""

    def text_in_name(self, value: str) -> str:
        """Return a chosen value as it reads in the name of a recipe; "" for the default."""
        if value == self.default:
            return ""
        if self.kind is OptionKind.NAMES and self.phrase:
            return self.phrase.format(plural(len([*filter(None, value.split("+"))]), "layer"))
        if self.phrase:
            return self.phrase.format(value)
        return f"{(self.title or self.name).lower()}: {clip(value, 40)}"


class Action(Struct, frozen=True):
    """A change to a model.

    title: in the window. summary: one sentence, for lists and help. implementation:
    "module:function", imported in the engine process only; the function takes an
    `EditableModel` and the options by name and returns a `Plan`. calibrates: needs ranges of
    values, measured on inputs. group: heading under which it is listed. library: who does the
    work, where it is not Inspector itself. exact: whether the answers stay the same, apart from
    rounding. advanced: not among the first that are offered. keeps_ends: whether the names and
    the order of inputs and outputs stay, which is checked after each recipe. edits: whether
    other answers are its purpose, so that they are no fault. after: the action that one of a
    plugin follows in the list; by default the last. command: that took its place, so that it
    is still done, but not listed any more.
    """

    id: str
    title: str
    summary: str
    implementation: str
    options: tuple[Option, ...] = ()
    calibrates: bool = False
    group: str = ""
    library: str = ""
    exact: bool = True
    advanced: bool = False
    keeps_ends: bool = True
    edits: bool = False
    after: str = ""
    command: str = ""

    def option(self, name: str) -> Option:
        """Return an option by name. Raises BadInput."""
        for option in self.options:
            if option.name == name:
                return option
        names = ", ".join(option.name for option in self.options)
        why = f"this action has no option '{clip(name, 40)}'"
        raise BadInput(f"Could not use '{self.id}'", why, f"Options: {names}." if names else "")


class Effect(msgspec.Struct, frozen=True):
    """The planned effect of an action on a model.

    touches: for people ("26 Conv weights"). layers: how many layers it changes. bytes_after:
    expected size of the whole model; None where that is not known. nothing: why there is
    nothing to do; refused: why it cannot be done, with a hint. needs: which options have to be
    given first. caution: what may get worse. particular: whether the caution is about this very
    model and not about the action as such. foretold: the latency that follows, where it can be
    told of models of this kind; not_foretold: whether it cannot, where the action was measured;
    not_foretold_reason: why.
    """

    touches: str = ""
    layers: int = 0
    bytes_before: int = 0
    bytes_after: int | None = None
    nothing: str = ""
    refused: str = ""
    hint: str = ""
    caution: str = ""
    needs: str = ""
    particular: bool = False
    foretold: Foretold | None = None
    not_foretold: bool = False
    not_foretold_reason: str = ""

    @property
    def applicable(self) -> bool:
        """Return whether there is something to do that can be done."""
        return not self.nothing and not self.refused and not self.needs

    @property
    def text(self) -> str:
        """Return it in one line for people."""
        if self.refused:
            return f"cannot be done: {self.refused}"
        if self.nothing:
            return f"nothing to do: {self.nothing}"
        if self.needs:
            return f"needs {self.needs}"
        parts: list[Value] = [self.touches] if self.touches else []
        before, after = self.bytes_before, self.bytes_after
        if after is not None and abs(after - before) >= _LEAST_CHANGE * before:
            parts.append(
                Sentence("{before} to about {after}", before=Size(before), after=Size(after))
            )
        return Joined(tuple(parts), "; ") if parts else "metadata only"


def without_advice_to_compare(effect: Effect) -> Effect:
    """Return an effect of a step whose outputs have been compared, without the advice to."""
    caution = effect.caution
    for advice in (COMPARE_ON_OTHERS, COMPARE_FEW_BITS, CHECK_ACCURACY):
        caution = caution.replace(advice, "").strip()
    return msgspec.structs.replace(effect, caution=caution)


class Step(msgspec.Struct, frozen=True):
    """An action with its options: (name, value as text) of those that were set."""

    action: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """Return the step as it is written on the command line."""
        options = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.action}:{options}" if options else self.action


def finds_layers(step: Step) -> bool:
    """Return whether the layers that a step keeps have to be found by running the model."""
    return step.action == FLOAT16 and dict(step.options).get("keep") == AUTO


class Recipe(msgspec.Struct, frozen=True):
    """Steps in order. made_by: versions of what made it, such as "onnxruntime 1.32.0"."""

    steps: tuple[Step, ...]
    schema: str = SCHEMA
    made_by: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return all steps in one line."""
        return ", then ".join(step.text for step in self.steps)


class Picture(msgspec.Struct, frozen=True):
    """An input that became an 8-bit picture: batch, height, width, channels; R, G, B.

    name: of the new input; source: of the original's. factors, offsets: of each channel of the
    original's values. order: which channel of the picture each of them is. layout: "nchw" or
    "nhwc".
    """

    name: str
    source: str
    factors: tuple[float, ...]
    offsets: tuple[float, ...]
    order: tuple[int, ...]
    layout: str = "nchw"


class Converted(msgspec.Struct, frozen=True):
    """The result of a recipe: files in the folder, model first; effects of the steps.

    observe: tensors whose ranges the next step needs; then the model has them as outputs.
    method: one of METHODS, how they become one range; percentile: of values inside it. layers:
    names and operators of those that it can change one by one; results: the value that each of
    them makes. renamed: inputs and outputs with other names than in the original: (new name,
    old name). pictures: inputs that became 8-bit pictures. lost: for each of the layers, how
    many weights become zero, and how many are not zero before; empty if that was not counted.
    devices: ids of those that run the model, where others do not.
    """

    files: tuple[str, ...]
    effects: tuple[Effect, ...]
    notes: tuple[str, ...] = ()
    made_by: tuple[str, ...] = ()
    observe: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    layers: tuple[tuple[str, str], ...] = ()
    method: str = MINMAX
    results: tuple[str, ...] = ()
    percentile: float = 100.0
    pictures: tuple[Picture, ...] = ()
    lost: tuple[tuple[int, int], ...] = ()
    devices: tuple[str, ...] = ()


def parse_step(text: str, actions: Mapping[str, Action]) -> Step:
    """Read ID or ID:OPTION=VALUE,...; a value alone is that of the first option.

    A comma inside brackets or braces belongs to the value, as in `value=[1,1]`. Raises
    BadInput: no such action or option, or a value that does not fit.
    """
    name, colon, rest = text.partition(":")
    action = actions.get(name)
    if action is None:
        raise unknown_action(name, actions)
    if not colon:
        return Step(name)
    options: list[tuple[str, str]] = []
    only_pairs = len(action.options) == 1 and action.options[0].kind is OptionKind.PAIRS
    parts, depth = [""], 0
    for letter in rest:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    for part in parts:
        key, equals, value = part.partition("=")
        if only_pairs:
            if not equals or not key:
                why = f"'{clip(part, 60)}' does not have the form NAME=VALUE"
                raise BadInput(f"Could not use '{clip(text, 80)}'", why)
            options.append((key, value))
            continue
        option = action.option(key) if equals or not action.options else action.options[0]
        options.append((option.name, value if equals else key))
    step = Step(name, tuple(options))
    if not only_pairs:
        checked_options(step, action)
    return step


def unknown_action(name: str, actions: Mapping[str, Action]) -> BadInput:
    """Return the error for an action that does not exist."""
    close = _OTHER_NAMES.get(name) or next(iter(get_close_matches(name, actions, 1)), "")
    hint = f"Did you mean '{close}'? " if close else ""
    return BadInput(
        f"Could not use '{clip(name, 60)}'",
        "there is no such action",
        plugins.hint(f"{hint}`inspector convert --list` shows all actions."),
    )


def checked_options(step: Step, action: Action) -> dict[str, str]:
    """Return a value for every option of an action. Raises BadInput: one does not fit."""
    if len(action.options) == 1 and action.options[0].kind is OptionKind.PAIRS:
        return dict(step.options)
    values = {option.name: option.default for option in action.options}
    for name, value in step.options:
        option = action.option(name)
        problem = _problem(option, value)
        if problem:
            what = f"Could not use '{action.id}:{name}={clip(value, 40)}'"
            raise BadInput(what, problem)
        values[name] = value
    return values


def _problem(option: Option, value: str) -> str:
    if option.kind is OptionKind.SWITCH and value not in ("yes", "no"):
        return "the value must be yes or no"
    if option.kind is OptionKind.CHOICE and value not in option.choices:
        return f"the value must be one of {', '.join(option.choices)}"
    if option.kind is OptionKind.COUNT and not (value.isdecimal() and len(value) < 10):
        return "the value must be a whole number"
    if option.kind is OptionKind.NUMBER:
        try:
            float(value)
        except ValueError:
            return "the value must be a number"
    return ""


def save_recipe(recipe: Recipe, path: Path) -> None:
    """Save a recipe as JSON. Raises NotSaved."""
    files.write_atomic(path, msgspec.json.format(msgspec.json.encode(recipe), indent=2) + b"\n")


def load_recipe(path: Path, actions: Mapping[str, Action]) -> Recipe:
    """Read a saved recipe. Raises UnreadableFile, BadInput: a step that does not fit."""
    what = f"Could not read the recipe {path.name}"
    try:
        recipe = msgspec.json.decode(files.read_capped(path, _RECIPE_BYTES), type=Recipe)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(what, f"it is not a recipe ({clip(str(error), 120)})") from error
    if recipe.schema != SCHEMA:
        why = f"its schema is '{clip(recipe.schema, 40)}', not {SCHEMA}"
        raise UnreadableFile(what, why)
    check_recipe(recipe.steps, actions)
    return recipe


def check_recipe(steps: Sequence[Step], actions: Mapping[str, Action]) -> None:
    """Check every step of a recipe. Raises BadInput."""
    if len(steps) > MOST_STEPS:
        why = f"it has {plural(len(steps), 'step')}"
        raise BadInput("Could not use the recipe", why, f"Use at most {MOST_STEPS}.")
    for step in steps:
        action = actions.get(step.action)
        if action is None:
            raise unknown_action(step.action, actions)
        checked_options(step, action)


def option_values(step: Step, action: Action) -> dict[str, Any]:
    """Return the options of a step as the action's function takes them.

    A SWITCH is a bool, a COUNT an int, a NUMBER a float, NAMES a tuple; PAIRS come as one
    mapping under the name of the option. Raises BadInput.
    """
    texts = checked_options(step, action)
    if len(action.options) == 1 and action.options[0].kind is OptionKind.PAIRS:
        return {action.options[0].name.replace("-", "_"): texts}
    values: dict[str, Any] = {}
    for option in action.options:
        text, kind = texts[option.name], option.kind
        value: Any = text
        if kind is OptionKind.SWITCH:
            value = text == "yes"
        elif kind is OptionKind.COUNT:
            value = int(text)
        elif kind is OptionKind.NUMBER:
            value = float(text)
        elif kind is OptionKind.NAMES:
            value = tuple(part for part in text.split("+") if part)
        values[option.name.replace("-", "_")] = value
    return values
