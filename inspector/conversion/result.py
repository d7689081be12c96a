"""A converted model: the checks that it passed, and its outputs beside the original's."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from inspector.analysis.verdicts import float16, outputs
from inspector.conversion.action import Effect, Picture, Step
from inspector.preview.runs import parity
from inspector.preview.runs.parity import Limit, OutputParity
from inspector.report.float16_check import Float16Check
from inspector.report.improvement import StepResult
from inspector.report.language.quality import Quality, QualityLevel
from inspector.report.output_verdict import (
    DESTROYED,
    LEVELS,
    REALISTIC,
    UNDECIDED,
    OutputVerdict,
)
from inspector.report.run_spec import LEVELS as OPTIMIZATION_LEVELS
from inspector.report.run_spec import RunSpec
from inspector.units import clip

# Ways to run a TensorFlow Lite model -> whether XNNPACK runs the layers that it supports.
KERNELS = {"XNNPACK": True, "LiteRT's own kernels": False}


class LevelCheck(Struct, frozen=True):
    """Whether a model opens and runs at an optimization level; problem: why not.

    not_finite: it ran, and the problem is NaN or infinity in an output.
    """

    level: str
    problem: str = ""
    not_finite: bool = False


class Conversion(Struct, frozen=True):
    """A model that a recipe made, and the checks that it passed.

    path: of the model. effects: of each step. original: the model that it was made from.
    renamed: inputs and outputs with other names than the original's: (new name, old name).
    devices: ids of those that run it, where others do not. custom_ops: libraries with custom
    operators of both models. calibrated: inputs that ranges were measured on; made_up: whether
    these were random values. float16: its answers in emulated float16 arithmetic; None where it
    does not compute in float16, or that was not compared.
    """

    path: Path
    steps: tuple[Step, ...]
    effects: tuple[Effect, ...]
    notes: tuple[str, ...]
    made_by: tuple[str, ...]
    levels: tuple[LevelCheck, ...] = ()
    files: tuple[str, ...] = ()
    original: Path = Path()
    renamed: tuple[tuple[str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    devices: tuple[str, ...] = ()
    custom_ops: tuple[str, ...] = ()
    calibrated: int = 0
    made_up: bool = False
    float16: Float16Check | None = None

    def runnable(self, spec: RunSpec) -> RunSpec:
        """Return how to run the model: as `spec` says, but on a device that can."""
        if not self.devices or set(self.devices) & set(spec.devices):
            return spec
        return replace(spec, devices=self.devices, provider_options=(), on_cpu=())

    @property
    def unchanged(self) -> bool:
        """Return whether no step of the recipe had anything to do."""
        return not any(effect.applicable for effect in self.effects)

    @property
    def problem(self) -> str:
        """Return why the result must not be used; empty if it opened and ran everywhere."""
        problems = {check.problem for check in self.levels}
        first = next((check for check in self.levels if check.problem), None)
        if first is None or len(problems) == 1:  # the same at every level
            return first.problem if first is not None else ""
        where = (
            f"optimization level '{first.level}'"
            if first.level in OPTIMIZATION_LEVELS
            else first.level
        )
        return f"with {where}: {first.problem}"


class CheckedOutput(Struct, frozen=True):
    """An output of both models: the differences on the input where they are largest.

    worst_input: its name. inputs: how many were compared, same_top: on how many of them the
    highest class is the same; None where there are no classes.
    """

    parity: OutputParity
    worst_input: str
    inputs: int
    same_top: int | None = None

    @property
    def text(self) -> str:
        """Return the differences, of the worst of several inputs, in one line."""
        shown = self.parity
        if shown.difference is not None:  # said of all inputs below
            shown = replace(shown, difference=replace(shown.difference, top1=None))
        text = parity.summary_text(shown)
        if not shown.differs:
            return text
        if self.inputs > 1:
            text += f" (worst of {self.inputs:,} inputs: {clip(self.worst_input, 40)})"
        else:
            text += f" (on {clip(self.worst_input, 40)})"
        if self.same_top is not None:
            if self.inputs > 1:
                text += f"; same top class on {self.same_top:,} of them"
            else:
                text += "; same top class" if self.same_top else "; another top class"
        return text


class Remedy(Struct, frozen=True):
    """What was tried in place of steps that destroyed the answers, on the same inputs.

    tried: recipes, those that lose least last. steps: the first of them whose result is right,
    and its verdict; None where none is. ranked: whether `convert --sensitivity` can find the
    layers that cause it.
    """

    tried: tuple[tuple[Step, ...], ...]
    steps: tuple[Step, ...] | None = None
    verdict: OutputVerdict | None = None
    ranked: bool = False

    @property
    def sentence(self) -> str:
        """Return what helps, or that nothing of it does."""
        if self.steps is not None and self.verdict is not None:
            return f"With {_recipe_text(self.steps)} instead: {outputs.sentence(self.verdict)}"
        if not self.tried:
            return ""
        names = ", ".join(map(_recipe_text, self.tried))
        return f"Tried on the same inputs, and not right either: {names}."


def _recipe_text(steps: Sequence[Step]) -> str:
    return " ".join(step.text for step in steps)


class CheckedConversion(Struct, frozen=True):
    """A converted model beside its original.

    verdict: None where there is none, and not_checked says why. compared: outputs; empty where
    they were not compared. notes: about inputs that could not be used. missing: outputs that
    the original does not have. remedy: what to do about destroyed answers; None where nothing
    was tried. quality: how a language model predicts a text beside the original; None for
    others. after_steps: the original and the model after each step; empty for a single step.
    """

    conversion: Conversion
    verdict: OutputVerdict | None = None
    compared: tuple[CheckedOutput, ...] = ()
    not_checked: str = ""
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    remedy: Remedy | None = None
    quality: Quality | None = None
    after_steps: tuple[StepResult, ...] = ()

    @property
    def sentence(self) -> str:
        """Return whether the result is right, in one sentence for people."""
        if self.conversion.unchanged:
            return "Nothing to do: no step changes the model."
        if self.quality is not None:
            return self.quality.verdict
        if self.verdict is None:
            return f"No verdict: {self.not_checked}"
        exact = self._wrong_float16
        if exact is not None:  # a CPU does not show that
            return f"{float16.summary(exact)} {float16.remedy(exact)}."
        return outputs.sentence(self.verdict)

    @property
    def proven(self) -> bool:
        """Return whether the outputs were judged on realistic inputs, which were not those of
        calibration."""
        if self.quality is not None:
            return self.quality.level is not QualityLevel.UNDECIDED
        verdict = self.verdict
        if verdict is None or verdict.level == UNDECIDED or verdict.held_out is False:
            return False
        return verdict.input_kind in REALISTIC

    @property
    def worst(self) -> OutputVerdict | None:
        """Return the verdict that `sentence` states: that in emulated float16 arithmetic where
        something speaks against it, unless the outputs are even worse here."""
        exact = self._wrong_float16
        return self.verdict if exact is None else exact.verdict

    @property
    def _wrong_float16(self) -> Float16Check | None:
        exact, here = self.conversion.float16, self.verdict
        if exact is None or exact.verdict is None or not exact.wrong:
            return None
        is_worse_here = here is not None and (
            LEVELS.index(here.level) > LEVELS.index(exact.verdict.level)
        )
        return None if is_worse_here else exact

    @property
    def destroyed(self) -> bool:
        """Return whether the result must not be used: its answers are mostly others."""
        if self.quality is not None:
            return self.quality.level is QualityLevel.BROKEN
        return self.worst is not None and self.worst.level == DESTROYED

    def broken(self, limit: Limit) -> tuple[str, ...]:
        """Return the names of the outputs that meet a condition, on the input where they are
        worst."""
        return limit.broken_by([output.parity for output in self.compared])
