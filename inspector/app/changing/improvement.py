"""Prove what a conversion did: accuracy on test inputs, latency in turns, size, memory.

`Workbench` holds what all candidates are compared with: the original, its answers to the test
inputs, and the way its answers are read. `search` tries recipes, and yields the state after
each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import msgspec
import numpy as np
from msgspec import structs

from inspector.analysis.devices.targets import TargetSupport
from inspector.analysis.measured.latency import latency as latency_of
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.verdicts import float16 as float16_verdicts
from inspector.analysis.verdicts import outputs as output_verdicts
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.analysis.verdicts.speed import compare_medians, compared_runs
from inspector.app import target_support
from inspector.app.changing import conversion as conversions
from inspector.app.changing import float16_check, float16_layers
from inspector.app.changing.conversion import model_bytes
from inspector.app.changing.data_sets import TestInput
from inspector.app.changing.layer_errors import layer_errors
from inspector.app.changing.sensitivity import ranked
from inspector.app.changing.step_results import ComparedStep, after_each_step
from inspector.app.estimating.time_gained import ForetoldBy, time_changes
from inspector.app.language.differing_parts import worst_layers
from inspector.app.language.quality import LanguageModel, ScoredText, measure_quality
from inspector.app.subjects import Subject
from inspector.backends import interleaving
from inspector.backends.array_files import Feed
from inspector.backends.values import Progress
from inspector.conversion.action import (
    Effect,
    Step,
    finds_layers,
    parse_step,
    without_advice_to_compare,
)
from inspector.conversion.registry import (
    ACTIONS,
    LITERT_INT8,
    LITERT_INT8_WEIGHTS,
    actions_for,
    is_edit,
)
from inspector.conversion.result import Conversion
from inspector.engine.client import machine_lock
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.exact_float16 import EmulatedFloat16
from inspector.engine.client.process_repetitions import measure_interleaved, with_part
from inspector.engine.requests import ListEffects
from inspector.errors import BadInput, Cancelled, InspectorError, UnreadableFile
from inspector.formats import opening
from inspector.model.model import TFLITE, Model
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.work_limits import Limits
from inspector.preview.families.output_structure import of_model
from inspector.preview.identity import measured_model
from inspector.preview.inputs import feeds, tokens
from inspector.preview.runs import answers, judging
from inspector.preview.runs.answers import Judge
from inspector.preview.runs.model_comparison import ModelComparison, image_size, state_outputs
from inspector.preview.runs.truths import Truth
from inspector.report.float16_check import Float16Check
from inspector.report.foretold import Foretold
from inspector.report.improvement import (
    MIN_INPUTS,
    PERPLEXITY,
    Accuracy,
    Candidate,
    Improvement,
    Latency,
    StepResult,
)
from inspector.report.language.quality import Quality, QualityLevel
from inspector.report.output_verdict import TEST_DATA, UndecidedReason
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from inspector.statistics.process_starts import MIN_STARTS
from inspector.units import clip

Feeds = Mapping[str, Feed]
Share = Callable[[str, float], None]
Recipe = tuple[Step, ...]
Outputs = tuple[OutputValue, ...]
Value = TypeVar("Value", Candidate, Latency, Improvement)
# Pairs of processes behind a latency: fewer would assume how much pairs differ, not measure it.
STARTS = MIN_STARTS
# More pairs follow on a busy machine, where the first tell too little: until ±5%, which tells
# apart what is worth having, for at most 40 s and 16 pairs a candidate. A quiet one needs none.
_PRECISION = PrecisionGoal(half_width=0.05, starts=16, seconds=40.0)
_ANSWERS_BYTES = 512 << 20  # of the original's answers in memory; beyond, it predicts again
# Main measure by kind.
_WITH_TRUTH = {answers.BOXES: "map50", answers.MASK: "miou", answers.TEXT: "word_accuracy"}
_CHECK_INPUTS = 4  # at each optimization level
_INT8 = "int8"
_RECIPES = (
    "float16",
    _INT8,
    "int8:method=average",
    "int8:weights=uint8",
    "weights-8bit",
    "weights-4bit",
    "int8-dynamic",
    "palettize",
)
_LITERT_RECIPES = (  # for TensorFlow Lite models
    "litert-float16",
    LITERT_INT8,
    "litert-int8:activations=int16",
    "litert-int8-dynamic",
    LITERT_INT8_WEIGHTS,
    "litert-int8-dynamic:bits=4",
    "litert-int8-weights:bits=4",
)


@dataclass(slots=True)
class Workbench:
    """The original model, the test inputs, and the engines that candidates run in.

    calibration: inputs for steps that calibrate. labels: class names. starts: pairs of
    processes for each latency; None: STARTS, 0 leaves latency out. share: receives progress.
    name: of the files of candidates, after which external data is named; by default "model"
    with the usual suffix. pair_layers: compare the layers of each candidate with the
    original's, not only those of the best one. folder: around those of all candidates, so that
    the same processes may read each of them. text: that a language model is judged by, instead
    of by the tests, of which the first is measured. Used in a `with` statement.
    """

    path: Path
    model: Model
    tests: Sequence[TestInput]
    calibration: Sequence[Feeds]
    labels: Sequence[str] = ()
    spec: RunSpec = DEFAULT_SPEC
    limits: Limits | None = None
    starts: int | None = None
    share: Share = lambda _, __: None
    name: str = ""
    pair_layers: bool = False
    folder: Path | None = None
    text: ScoredText | None = None
    skipped: dict[str, str] = field(default_factory=dict, init=False)  # file -> why
    _engines: list[Engine] = field(default_factory=list, init=False)
    _answers: dict[str, Outputs] = field(default_factory=dict, init=False)
    _answers_bytes: int = field(default=0, init=False)
    _truths: dict[str, Truth] = field(default_factory=dict, init=False)
    _first: Feeds | None = field(default=None, init=False)
    _judge: Judge | None = field(default=None, init=False)
    _repeat: tuple[Outputs, Outputs] | None = field(default=None, init=False)
    _made: Conversion | None = field(default=None, init=False)  # the last one
    _targets: list[TargetSupport] | None = field(default=None, init=False)
    _told: ForetoldBy | None = field(default=None, init=False)
    _stopped: bool = field(default=False, init=False)

    def __enter__(self) -> Workbench:
        self.name = self.name or conversions.new_name(self.model.format)
        reads = (self.path,) if self.folder is None else (self.path, self.folder / self.name)
        self._engines = [EngineProcess(self._show, self.limits, reads=reads) for _ in range(2)]
        return self

    def __exit__(self, *_: object) -> None:
        for engine in self._engines:
            engine.close()

    def stop(self) -> None:
        """Stop the current work, from any thread: it raises Cancelled."""
        self._stopped = True
        for engine in self._engines:
            engine.kill()

    def expect_not_stopped(self) -> None:
        """Raise Cancelled after `stop`."""
        if self._stopped:
            raise Cancelled("Stopped")

    def _show(self, progress: Progress) -> None:
        if self._stopped:
            raise Cancelled("Stopped", phase=progress.step)

    def _step(self, stage: str, done: float) -> None:
        if self._stopped:
            raise Cancelled("Stopped", phase=stage)
        self.share(stage, done)

    @property
    def _original(self) -> Engine:
        return self._engines[0]

    @property
    def _candidate(self) -> Engine:
        return self._engines[1]

    @property
    def judge(self) -> Judge:
        """Return how answers are compared, found from the original's first answer."""
        if self._judge is None:
            feeds = self.first
            first, second = (
                self._original.predict(self.path, self.spec, feeds).outputs for _ in range(2)
            )
            self._repeat = first, second  # a model with random layers gives other answers
            size = image_size(self.model, feeds)
            vocabulary = tokens.vocabulary(tokens.tokenizer_of(self.path, self.model))
            self._judge = answers.judge_for(
                first, self.labels, size, of_model(self.model), vocabulary
            )
        return self._judge

    @property
    def first(self) -> Feeds:
        """Return the first input that fits. Raises BadInput: none does."""
        if self._first is None:
            for test in self.tests:
                self._first = self._loaded(test)
                if self._first is not None:
                    break
            else:
                why = next(iter(self.skipped.values()), "the folder is empty")
                raise BadInput("Could not use the test inputs", why)
        assert self._first is not None, "the loop above ends with one or raises"
        return self._first

    def _loaded(self, test: TestInput) -> Feeds | None:
        try:
            return test.load()
        except (BadInput, UnreadableFile) as error:
            self.skipped[test.file] = error.why or error.what
            return None

    @property
    def main(self) -> str:
        """Return the id of the accuracy that verdicts are about."""
        if self.text is not None:
            return PERPLEXITY
        kind, known = self.judge.kind, any(test.expected for test in self.tests)
        if kind == answers.CLASSES and any(test.truth for test in self.tests):
            return "top1"
        if known:
            return _WITH_TRUTH.get(kind, "rmse")
        return self.judge.main

    def effects(self) -> dict[str, Effect]:
        """Return what each action would do to the original."""
        steps = [Step(name) for name in actions_for(self.model.format)]
        effects = self._candidate.call(ListEffects(self.path, (), steps))
        return {s.action: e for s, e in zip(steps, effects, strict=True)}

    def usual_recipes(self) -> tuple[Recipe, ...]:
        """Return the recipes that a search tries on the original.

        Those that calibrate are left out without inputs. Raises BadInput: none applies.
        """
        effects = self.effects()
        texts = _LITERT_RECIPES if self.model.format == TFLITE else _RECIPES
        recipes = [(parse_step(text, ACTIONS),) for text in texts]
        usual = tuple(
            steps
            for steps in recipes
            if effects[steps[0].action].applicable
            and (self.calibration or not ACTIONS[steps[0].action].calibrates)
        )
        if not usual:
            what = f"Could not improve {clip(self.model.name)}"
            tried = (effects[steps[0].action] for steps in recipes)
            refused = next((effect for effect in tried if effect.refused), None)
            if refused is not None:  # such as a library that is not installed
                raise BadInput(what, refused.refused, refused.hint)
            raise BadInput(what, "none of the common actions applies to this model")
        return usual

    def _foretold(self, steps: Sequence[Step]) -> Foretold | None:
        """Return the latency beside the original's, estimated before; None where it is not."""
        if len(steps) != 1:
            return None
        if self._told is None:
            self._told = time_changes(self._candidate, self.path, self.model, self.spec)
        told = self._told(steps[0])
        return told if isinstance(told, Foretold) else None

    def worst_layers(self, step: Step, folder: Path) -> tuple[str, ...]:
        """Return the layers that a quantizing step harms, worst first; none without inputs.

        folder: for models in between. Raises Cancelled.
        """
        own = folder / "ranking"
        own.mkdir(exist_ok=True)
        if self.text is not None:
            text = self.text
            made = float16_layers.convert(
                self._candidate, self.path, (step,), own, (), self._step, self.name,
                self.spec.custom_ops,
            )  # fmt: skip
            model = LanguageModel(self.path, text.tokenizer, self.spec)
            changed = LanguageModel(made.path, text.tokenizer, self.spec)
            return worst_layers(self._candidate, (model, changed), text.settings, self._step)
        engines, libraries = (self._original, self._candidate), self.spec.custom_ops
        worst: tuple[str, ...] = ()
        try:
            for state in ranked(
                *engines, self.path, step, own, self.calibration, self._step, libraries
            ):
                worst = state.worst
                if state.curve:  # all layers are ranked; the curve is what candidates show
                    break
        except Cancelled:
            raise
        except InspectorError:
            return ()  # the candidates without it stay
        return worst

    def original(self) -> Candidate:
        """Return what is known of the original: size and accuracy; no latency yet."""
        if self.text is not None:
            truths = perplexity_of(self._quality(self.text))
        else:
            judged = self._comparison(self._original).judged
            truths = tuple(m for m in judging.accuracy(judged) if m.original is not None)
        checks = conversions.level_checks(
            self._original, self.path, self._few_inputs(), self.spec, self._step
        )
        levels = sum(not check.problem for check in checks)
        size = model_bytes(self.path, self.model)
        name, ways = self.model.name, len(checks)
        return Candidate(name, (), size, levels, accuracy=truths, of_levels=ways)

    def _few_inputs(self) -> list[Feeds]:
        """Return some of the inputs that fit. Raises BadInput: none does."""
        few = [feeds for t in self.tests[:_CHECK_INPUTS] if (feeds := self._loaded(t))]
        return few or [self.first]

    def convert(self, steps: Sequence[Step], folder: Path) -> Conversion:
        """Run a recipe and check its result in each way to run it."""
        self._made = None
        made = float16_layers.convert(
            self._candidate,
            self.path,
            steps,
            folder,
            self._inputs_for(steps),
            self._step,
            self.name,
            self.spec.custom_ops,
        )
        few = self._few_inputs()
        made = conversions.checked(self._candidate, made, few, self.spec, self._step)
        self._made = made
        return made

    def _inputs_for(self, steps: Sequence[Step]) -> Sequence[Feeds]:
        """Return the calibration inputs. Without any, layers that need float32 are found on
        test inputs: no value of the model depends on them."""
        if self.calibration or not any(map(finds_layers, steps)):
            return self.calibration
        tests = self.tests[: float16_layers.MOST_INPUTS]
        return [feeds for test in tests if (feeds := self._loaded(test)) is not None]

    def evaluate(self, name: str, made: Conversion) -> Candidate:
        """Compare a converted model with the original. Raises Cancelled, InspectorError."""
        size = sum((made.path.parent / file).stat().st_size for file in made.files)
        steps = tuple(step.text for step in made.steps)
        levels = sum(not check.problem for check in made.levels)
        ways = len(made.levels)
        result = Candidate(
            name, steps, size, levels, made.problem, notes=made.notes, of_levels=ways
        )
        if made.problem:
            return result
        if made.steps and all(map(is_edit, made.steps)):
            return _with(result, edited=True)
        if self._targets is None:
            self._targets = target_support.marks(self._original, self.path, self.model)
        after = target_support.marks(self._candidate, made.path)
        result = _with(result, targets=target_support.compared(self._targets, after))
        if self.text is not None:
            quality = self._quality(self.text, made)
            good = quality.level is QualityLevel.GOOD
            cautions = (effect.caution for effect in made.effects if effect.applicable)
            result = _with(
                result,
                accuracy=perplexity_of(quality),
                quality=quality,
                findings=(*(() if good else (quality.verdict,)), *filter(None, cautions)),
            )
        else:
            result = self._with_outputs(result, made)
        if self.starts != 0:
            result = _with(result, foretold=self._foretold(made.steps))
            try:
                first, second = self.measure_pair(made)
            except Cancelled:
                if not self.pair_layers:  # of a search, which tries it again
                    raise
                self._stopped = True
                why = "Latency was not measured: the run was cancelled."
                return _with(result, notes=(*result.notes, why))
            result = _with(
                result,
                latency=latency_values(first, second),
                peak_bytes=second.memory.peak_bytes,
                original_peak_bytes=first.memory.peak_bytes,
            )
        return result

    def in_detail(self, candidate: Candidate) -> Candidate:
        """Return the last converted candidate with the SQNR of its layers."""
        if self._made is None or candidate.problem or candidate.edited or self.text is not None:
            return candidate
        if self._stopped and candidate.accuracy and self.pair_layers:
            return candidate  # finished but for what was cancelled
        self._step("compare layers", -1)
        few = self._few_inputs()
        try:
            errors = layer_errors(self._original, self._candidate, self._made, few)
        except Cancelled:
            raise
        except InspectorError as error:  # an extra, which must not cost the candidate
            why = f"The errors of layers are not known: {error.why or error.what}."
            return _with(candidate, notes=(*candidate.notes, why))
        candidate = _with(candidate, layers=errors)
        if not self.pair_layers:  # a search shows no steps
            return candidate
        return _with(candidate, after_steps=self._after_steps(candidate, self._made))

    def _after_steps(self, candidate: Candidate, made: Conversion) -> tuple[StepResult, ...]:
        """Return what each step of the last recipe did, with errors on all tests."""
        engines = self._original, self._candidate
        whole = self._compared_step(made, candidate.accuracy)
        with TemporaryDirectory(dir=made.path.parent.parent, prefix="between-") as between:

            def once(steps: Sequence[Step]) -> ComparedStep:
                self._step("convert", -1)
                first = float16_layers.convert(
                    self._candidate, self.path, steps, Path(between),
                    self._inputs_for(steps), self._step, self.name, self.spec.custom_ops,
                )  # fmt: skip
                judged = self._comparison(self._candidate, first).judged
                return self._compared_step(first, judging.accuracy(judged))

            return after_each_step(engines, whole, once, lambda: self.first)

    def _compared_step(self, made: Conversion, measures: Sequence[Accuracy]) -> ComparedStep:
        known = {each.id: each for each in measures}
        sqnr, same = known.get(judging.SQNR), known.get(judging.SAME_CLASS)
        return ComparedStep(
            made,
            None if sqnr is None else sqnr.value,
            None if same is None else round(same.value * same.count),
            len(self.tests) - len(self.skipped),
        )

    def measure_pair(self, made: Conversion) -> tuple[PerformanceReport, PerformanceReport]:
        """Measure the original and a converted model in turns, in `starts` pairs."""
        starts = STARTS if self.starts is None else self.starts
        path, feeds = made.path, (self.first, self._fitted(made, self.first))
        spec = replace(self.spec, starts=starts, profiled_runs=0, cast=True)
        sides = [(p, measured_model(p, opening.open_model(p))) for p in (self.path, path)]

        def show(progress: Progress) -> None:
            self._step("measure", progress.done)

        def seated(index: int) -> interleaving.Seated:
            file, identity = sides[index]

            def measure(
                spec: RunSpec, step: str, seat: interleaving.TurnHolder
            ) -> PerformanceReport:
                with EngineProcess(with_part(step, show), self.limits, seat=seat) as engine:
                    return engine.measure(file, identity, spec, feeds[index])

            return measure

        with machine_lock.exclusive_use(
            machine_lock.default_file(),
            True,
            lambda: self._step("waiting", -1),
            lambda: self._stopped,
            "Could not measure",
            f"improve {self.path.name}",
        ):
            both = interleaving.run_interleaved((seated(0), seated(1)))
            return measure_interleaved(both, (spec, made.runnable(spec)), _PRECISION)

    def _fitted(self, made: Conversion, feeds: Feeds) -> Feeds:
        """Return inputs as a converted model wants them, which may have other names."""
        declared = [(info.name, info.shape) for info in opening.open_model(made.path).inputs]
        if declared == [(info.name, info.shape) for info in self.model.inputs]:
            return feeds
        return conversions.fitted_feeds(self._candidate, made, feeds)[1]

    def _quality(self, text: ScoredText, made: Conversion | None = None) -> Quality:
        model = LanguageModel(self.path, text.tokenizer, self.spec)
        other = None
        if made is not None:
            other = LanguageModel(made.path, text.tokenizer, made.runnable(self.spec))
        *_, quality = measure_quality(self._candidate, model, text.settings, other, self._step)
        return quality

    def _with_outputs(self, candidate: Candidate, made: Conversion) -> Candidate:
        """Return a candidate with the verdicts on its outputs, also in exact float16."""
        comparison = self._comparison(self._candidate, made)
        calibrated = any(ACTIONS[step.action].calibrates for step in made.steps)
        outputs = comparison.verdict(TEST_DATA, True if calibrated else None)
        judged = comparison.judged
        float16 = self._float16(made)
        # Too few inputs are said once, beside the accuracy.
        told = outputs.good or (
            outputs.reason == UndecidedReason.FEW_INPUTS and not outputs.findings
        )
        findings = tuple[str, ...]() if told else (output_verdicts.sentence(outputs),)
        if float16 is not None and (float16.wrong or float16.out_of_range):
            findings += float16_verdicts.lines(float16)
        effects = [effect for effect in made.effects if effect.applicable]
        if len(judged) >= MIN_INPUTS:  # on which they were compared
            effects = [*map(without_advice_to_compare, effects)]
        findings += tuple(dict.fromkeys(filter(None, (e.caution for e in effects))))
        return _with(
            candidate,
            accuracy=judging.accuracy(judged),
            sqnr_db=judging.sqnr_db(judged),
            worst=judging.worst(judged),
            changed=sum(each.changed for each in judged),
            outputs=outputs,
            float16=float16,
            findings=findings,
        )

    def _float16(self, made: Conversion) -> Float16Check | None:
        """Return the answers in emulated float16 arithmetic; None where there is no float16."""
        try:
            run = float16_check.emulated(self._candidate, made)
        except Cancelled:
            raise
        except InspectorError as error:
            return Float16Check(missing=error.why or error.what)
        if run is None:
            return None
        try:
            verdict = self._comparison(self._candidate, made, run).verdict(TEST_DATA)
            return Float16Check(run.out_of_range, verdict)
        except Cancelled:
            raise
        except InspectorError as error:
            return Float16Check(missing=error.why or error.what)
        finally:
            run.close()

    def _comparison(
        self,
        engine: Engine,
        made: Conversion | None = None,
        exact: EmulatedFloat16 | None = None,
    ) -> ModelComparison:
        """Compare a converted model with the original on all test inputs; None: the original
        with itself. exact: the model in emulated float16 arithmetic."""
        comparison = ModelComparison(self.judge, states=state_outputs(self.model))
        path = self.path if made is None else made.path
        spec = made.runnable(self.spec) if made is not None else self.spec
        cast = replace(spec, cast=True)  # its inputs may have another type by purpose
        old_names = dict(made.renamed) if made is not None else {}
        for number, test in enumerate(self.tests):
            self._step("test", number / len(self.tests))
            if test.file in self.skipped:
                continue
            known_answers = self._answers.get(test.file)
            same = path == self.path
            if same and known_answers:
                self._add(comparison, test, known_answers, known_answers)
                continue
            feeds = self._loaded(test)
            if feeds is None:
                continue
            before = known_answers or self._answer(test, feeds)
            given = feeds if made is None else self._fitted(made, feeds)
            if same:
                outputs = before
            elif exact is not None:
                outputs = exact.predict(given, self.spec.custom_ops)
            else:
                outputs = engine.predict(path, cast, given).outputs
            after = tuple(
                structs.replace(o, name=old_names.get(o.name, o.name)) for o in outputs
            )
            self._add(comparison, test, before, after)
        if self._repeat is not None:
            comparison.add_repeat(*self._repeat)
        return comparison

    def _add(
        self,
        comparison: ModelComparison,
        test: TestInput,
        before: Sequence[OutputValue],
        after: Sequence[OutputValue],
    ) -> None:
        if test.expected is not None and test.file not in self._truths:
            self._truths[test.file] = test.expected()
        known = self._truths.get(test.file) or (Truth(test.truth) if test.truth else None)
        comparison.add(before, after, test.file, known)

    def _answer(self, test: TestInput, feeds: Feeds) -> Outputs:
        outputs = self._original.predict(self.path, self.spec, feeds).outputs
        size = sum(output.array.nbytes for output in outputs if output.array is not None)
        if self._answers_bytes + size <= _ANSWERS_BYTES:
            self._answers_bytes += size
            self._answers[test.file] = outputs
        return outputs


def _with(value: Value, **changes: object) -> Value:
    return msgspec.structs.replace(value, **changes)


def usual_test(subject: Subject) -> TestInput:
    """Return the usual values of a model's inputs as a test input: a language model is timed
    on them, and judged by a text."""
    return TestInput("the usual input", lambda: feeds.feeds_by_name(subject.filled()), "", None)


def perplexity_of(quality: Quality) -> tuple[Accuracy, ...]:
    """Return the perplexity as a measure of accuracy; none without finite logits."""
    own, ratio, other = quality.perplexity, quality.ratio, quality.other
    if own is None:
        return ()
    name, count = "perplexity", quality.tokens
    if ratio is None or other is None:
        return (Accuracy(PERPLEXITY, name, own.value, own.value, count=count),)
    ends = (ratio.value, ratio.low, ratio.high)
    change, low, high = (own.value * (each - 1) for each in ends)
    measure = Accuracy(PERPLEXITY, name, other.value, own.value, change, low, high, count)
    return (measure,)


def latency_values(first: PerformanceReport, second: PerformanceReport) -> Latency:
    """Return the latency of the second report, compared with the first alternately."""
    verdict = compare_medians(first, second)
    low, high = verdict.low, verdict.high
    one, two = compared_runs(first, second)
    return _with(
        _latency(second, two),
        change=verdict.ratio - 1,
        low=None if low is None else low - 1,
        high=None if high is None else high - 1,
        original=_latency(first, one),
        noise=_noise(second) or _noise(first),
        verdict=verdict.verdict.value,
        reason=verdict.reason,
    )


def _noise(report: PerformanceReport) -> tuple[str, ...]:
    """Return why a measurement is noisy. The load before it is that of the search itself."""
    environment = replace(report.environment, load_average=0.0)
    return tuple(map(str, disturbances(replace(report, environment=environment))))


def _latency(report: PerformanceReport, counted_ns: Sequence[int]) -> Latency:
    """Return the latency of a report. counted_ns: the runs behind the median."""
    both = latency_of(report)
    assert both is not None, "a finished measurement timed predictions"
    p95_ns = both.all_predictions.p95_ns
    return Latency(float(np.median(counted_ns)), p95_ns, report.load_ns)
