"""Convert a model and compare the result with the original on inputs: the one way in which the
command line, the Python API and assistants convert.

Inputs that were used for calibration say little about others: where there are enough, some are
held out. Where nobody gave any, one is made up, and shows only that the result runs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct, field, structs

from inspector.analysis.verdicts import outputs
from inspector.app.changing import conversion as conversions
from inspector.app.changing import conversion_remedies, float16_check, float16_layers
from inspector.app.changing.calibration import (
    MOST_CALIBRATION,
    Feeds,
    NamedInput,
    Share,
    UnusableInputs,
    loaded,
    usual_values,
)
from inspector.app.changing.conversion import InnerValues
from inspector.app.changing.conversion_remedies import MOST_TRIED
from inspector.app.changing.data_sets import check_disjoint, digests, named_inputs
from inspector.app.changing.sensitivity import ranked
from inspector.app.changing.step_results import after_each_step, badness, compared_step
from inspector.app.language.differing_parts import rank_parts
from inspector.app.language.quality import LanguageModel, ScoredText, measure_quality, text_for
from inspector.app.measure import Show, unheard
from inspector.app.subjects import Subject
from inspector.backends import registry
from inspector.conversion import litert_quantization
from inspector.conversion.action import FLOAT16, Step, finds_layers, without_advice_to_compare
from inspector.conversion.registry import ACTIONS, LITERT_REPAIR
from inspector.conversion.result import CheckedConversion, CheckedOutput, Conversion, Remedy
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import (
    BadInput,
    Cancelled,
    EngineFailed,
    EngineKilled,
    InspectorError,
    UnreadableFile,
)
from inspector.formats import opening
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue
from inspector.platform import files
from inspector.platform.work_limits import Limits
from inspector.preview.families.output_structure import UNKNOWN, of_model
from inspector.preview.inputs import feeds as feeding
from inspector.preview.inputs.input_choice import input_for
from inspector.preview.runs import parity
from inspector.preview.runs.data_set import files_in
from inspector.preview.runs.model_comparison import ModelComparison, comparison_of
from inspector.report.language.quality import Quality
from inspector.report.output_verdict import GUESSED, RANDOM, TYPICAL, ZEROS
from inspector.report.run_spec import RunSpec
from inspector.report.sensitivity import Sensitivity
from inspector.units import clip

# Inputs from which on some are held out from calibration: as many as a verdict needs, and as
# many again for ranges.
MIN_TO_HOLD_OUT = 2 * outputs.MIN_INPUTS
# One in so many is held out of many inputs; ranges hardly change without it.
HELD_OUT_EVERY = 4
_LEVEL_INPUTS = 4  # with which the result runs at each optimization level
_COMPARE = "compare outputs"  # a stage of the work
_BETWEEN = "between.onnx"  # a model after some of the steps
_MADE_UP = (
    "value ranges are those of random inputs. Use the new model to measure speed, not for "
    "predictions."
)
_NAMES = {
    TYPICAL: "1 given input", RANDOM: "1 random input", ZEROS: "1 input of zeros",
    GUESSED: "1 made-up input",
}  # fmt: skip
_EDITED = "the steps change what the model computes."


class MadeUpInput(Struct, frozen=True):
    """An input where nobody gave one.

    values: makes it, with sizes at which a model runs; raises InspectorError. kind: of the
    values, as in `OutputVerdict`.
    """

    values: Callable[[Engine, Path], Feeds]
    kind: str


def usual_input(model: Model, custom_ops: Sequence[str] = ()) -> MadeUpInput:
    """Return the usual values of a model's inputs."""
    try:
        kind = feeding.input_kind(feeding.defaults(model.inputs, {}))
    except BadInput:  # raised again where the values are needed
        kind = GUESSED

    def values(engine: Engine, path: Path) -> Feeds:
        spec = RunSpec(custom_ops=tuple(custom_ops))
        return feeding.feeds_by_name(usual_values(engine, Subject(path, model, spec)).filled)

    return MadeUpInput(values, kind)


class ConversionInputs(Struct, frozen=True):
    """Inputs that a conversion is calibrated and checked with.

    calibration: typical ones; test: others that only check. made_up: where both are empty.
    dimensions: sizes of dynamic axes that were given. also: further ones to check with. text:
    that a language model is judged by.
    """

    made_up: MadeUpInput
    calibration: Sequence[NamedInput] = ()
    test: Sequence[NamedInput] = ()
    dimensions: Mapping[str, int] = field(default_factory=dict)
    also: Sequence[NamedInput] = ()
    text: ScoredText | None = None

    def split(
        self, calibrates: bool
    ) -> tuple[Sequence[NamedInput], Sequence[NamedInput], bool | None]:
        """Return what to calibrate with, what to check with, and whether these are others.

        calibrates: whether a step runs the model on inputs; else the last value is None.
        """
        given = self.calibration
        if not calibrates:
            return (), self.test or given, None
        if self.test:
            return given[:MOST_CALIBRATION], self.test, True
        if len(given) < MIN_TO_HOLD_OUT:
            return given, given, False
        count = max(outputs.MIN_INPUTS, len(given) // HELD_OUT_EVERY)
        places = [(2 * n + 1) * len(given) // (2 * count) for n in range(count)]  # spread out
        others = [each for n, each in enumerate(given) if n not in {*places}]
        return others[:MOST_CALIBRATION], [given[n] for n in places], True


def inputs_of(
    subject: Subject, calibration: Path | None, test: Path | None, text: Path | None = None
) -> ConversionInputs:
    """Return the inputs to calibrate and check with: files of folders, or a made-up one.

    text: a file with a text to judge a language model by, instead of the one that comes with
    Inspector.

    Values of all inputs beside a folder are one more input to check with, and the files of the
    folder are values of the input that would get them without. Raises BadInput: a file is in
    both folders.
    """
    filled, also, by_file = subject.filled(), tuple[NamedInput, ...](), subject
    if (calibration or test) and all(i.name in subject.given for i in subject.model.inputs):
        replaced = input_for(subject.model.inputs, ()).name
        other_inputs = {name: v for name, v in subject.given.items() if name != replaced}
        by_file = subject.with_given(other_inputs)
        also = (NamedInput("--input", lambda: feeding.feeds_by_name(filled)),)
    if calibration and test:
        info = by_file.file_input
        check_disjoint(*(digests(files_in(each, info)) for each in (calibration, test)))

    def values(engine: Engine, model: Path) -> Feeds:
        own = structs.replace(subject, path=model)
        return feeding.feeds_by_name(usual_values(engine, own).filled)

    typical, others = (named_inputs(by_file, each) for each in (calibration, test))
    made_up = MadeUpInput(values, feeding.input_kind(filled))
    scored = text_for(subject.path, subject.model, subject.tokenizer, text)
    return ConversionInputs(made_up, typical, others, by_file.dimensions, also, scored)


class SavedConversion(Struct, frozen=True):
    """A conversion that was checked, and whether it was saved.

    sizes: of the model and of what it became in bytes, with their external data.
    """

    checked: CheckedConversion
    sizes: tuple[int, int]
    saved: bool


def convert_to(
    target: Path,
    subject: Subject,
    steps: Sequence[Step],
    inputs: ConversionInputs,
    wanted: Callable[[CheckedConversion], bool],
    limits: Limits | None = None,
    show: Show = unheard,
    share: Share = lambda _, __: None,
) -> SavedConversion:
    """Convert a model, compare the result with it, and save it if it is wanted.

    wanted: asked about the result once it was checked; may raise. limits, show: of the engines.
    Raises NotSaved and as `run`.
    """
    what = f"Could not convert {clip(subject.path.name)}"
    with files.temporary_folder("inspector-", what) as place, ExitStack() as stack:
        folder = Path(place)
        checked = _not_run(subject.path, steps, folder, target.name)
        if checked is None:
            reads = subject.path, folder / target.name
            original, candidate = (
                stack.enter_context(EngineProcess(show, limits, reads=reads)) for _ in range(2)
            )
            checked = run(
                (original, candidate), subject.path, steps, folder, inputs, target.name,
                subject.spec.custom_ops, share, subject.labels.names,
            )  # fmt: skip
        made = checked.conversion
        before = conversions.model_bytes(subject.path, subject.model)
        after = sum((made.path.parent / name).stat().st_size for name in made.files)
        saved = wanted(checked)
        if saved:
            conversions.save(made, target)
    return SavedConversion(checked, (before, before if made.unchanged else after), saved)


def _not_run(
    path: Path, steps: Sequence[Step], folder: Path, name: str
) -> CheckedConversion | None:
    """Return what a repair makes of a TensorFlow Lite file where the runtime that would check
    it is not installed: the repair itself needs none. None in all other cases."""
    if [step.action for step in steps] != [LITERT_REPAIR]:
        return None
    try:
        registry.check_installed(registry.for_model(path), path)
    except EngineFailed as missing:
        made = litert_quantization.convert(path, steps, folder, None, lambda _: None, name)
        result = Conversion(
            folder / name, tuple(steps), made.effects, (), made.made_by, files=made.files,
            original=path,
        )  # fmt: skip
        return CheckedConversion(result, not_checked=f"{missing.why}. {missing.hint}")
    return None


def ranked_last(
    subject: Subject,
    steps: Sequence[Step],
    inputs: ConversionInputs,
    limits: Limits | None = None,
    show: Show = unheard,
    share: Share = lambda _, __: None,
) -> Iterator[Sensitivity]:
    """Yield how much the last step harms each layer, after the steps before it.

    The model is calibrated and compared with the inputs, or with a made-up one where there are
    none. limits, show: of the engines. Raises BadInput: the step needs inputs; as `ranked`.
    """
    conversions.expect_inputs(steps, subject.path, bool(inputs.calibration))
    what = f"Could not rank the layers of {clip(subject.path.name)}"
    with (
        files.temporary_folder("inspector-", what) as place,
        EngineProcess(show, limits) as engine,
        EngineProcess(show, limits) as candidates,
    ):
        model, folder, libraries = subject.path, Path(place), subject.spec.custom_ops
        given: list[NamedInput | Feeds] = [*inputs.calibration]
        given = given or [inputs.made_up.values(engine, model)]
        if steps[:-1]:
            name = f"before-{model.name}"
            model = float16_layers.convert(
                engine, model, steps[:-1], folder, given, share, name, libraries
            ).path
        yield from ranked(engine, candidates, model, steps[-1], folder, given, share, libraries)


def ranked_by_text(
    subject: Subject,
    steps: Sequence[Step],
    text: ScoredText,
    limits: Limits | None = None,
    show: Show = unheard,
    share: Share = lambda _, __: None,
) -> Iterator[Quality]:
    """Yield what steps do to a language model, and then more and more of its blocks and layers
    by what each alone does to its predictions of a text.

    limits, show: of the engine. Raises BadInput: the steps change nothing, or need inputs; as
    `rank_parts`.
    """
    conversions.expect_inputs(steps, subject.path, False)
    what = f"Could not rank the layers of {clip(subject.path.name)}"
    with files.temporary_folder("inspector-", what) as place:
        folder, libraries = Path(place), subject.spec.custom_ops
        name = f"changed-{subject.path.name}"
        reads = subject.path, folder / name
        with EngineProcess(show, limits, reads=reads) as engine:
            made = float16_layers.convert(
                engine, subject.path, steps, folder, (), share, name, libraries
            )
            if made.unchanged:
                raise BadInput(what, "the steps do not change the model")
            model, changed = (
                LanguageModel(path, text.tokenizer, RunSpec(custom_ops=libraries), title)
                for path, title in (
                    (subject.path, subject.path.name),
                    (made.path, " ".join(step.text for step in made.steps)),
                )
            )
            settings = text.settings
            for quality in measure_quality(engine, model, settings, changed, share):
                yield quality
            yield from rank_parts(engine, quality, (model, changed), settings, share)


def run(
    engines: tuple[Engine, Engine],
    model: Path,
    steps: Sequence[Step],
    folder: Path,
    inputs: ConversionInputs,
    name: str,
    custom_ops: Sequence[str] = (),
    share: Share = lambda _, __: None,
    labels: Sequence[str] = (),
) -> CheckedConversion:
    """Run a recipe, put the result into a folder, and check it.

    engines: of the original and of the result. name: of the new file. Where the result answers
    otherwise on realistic inputs, milder recipes are tried. Raises BadInput: no inputs to
    calibrate with, or none could be used; EngineFailed: the result does not run where the
    original does; InspectorError.
    """
    once = partial(
        _checked_once, engines, model, folder=folder, inputs=inputs, custom_ops=custom_ops,
        share=share, labels=labels,
    )  # fmt: skip
    checked = once(steps, name=name)
    results = after_each_step(
        engines,
        compared_step(checked),
        lambda first: compared_step(once(first, name=_BETWEEN)),
        partial(_one_input, engines[0], inputs, model),
    )
    checked = structs.replace(checked, after_steps=results)
    if inputs.text is not None and not checked.conversion.unchanged:
        quality = _quality(engines[1], checked, inputs.text, share)
        checked = structs.replace(checked, quality=quality)
    if not checked.destroyed or not (inputs.test or inputs.calibration):
        return checked
    ranked = conversion_remedies.can_be_ranked(steps)
    tried = list[tuple[Step, ...]]()
    for milder in islice(conversion_remedies.alternatives(steps), MOST_TRIED):
        try:
            other = once(milder, name=f"milder-{name}")
        except (BadInput, EngineFailed, UnreadableFile):  # it does not fit the model
            continue
        if other.conversion.unchanged:
            continue
        tried.append(milder)
        if other.worst is not None and other.worst.good:
            return structs.replace(
                checked, remedy=Remedy((*tried,), milder, other.worst, ranked)
            )
    return structs.replace(checked, remedy=Remedy((*tried,), ranked=ranked))


def _one_input(engine: Engine, inputs: ConversionInputs, model: Path) -> Feeds:
    """Return the first input that there is. Raises InspectorError."""
    kinds = (inputs.test, inputs.calibration, inputs.also)
    given = next((each[0] for each in kinds if each), None)
    return loaded(given) if given else inputs.made_up.values(engine, model)


def _quality(
    engine: Engine, checked: CheckedConversion, text: ScoredText, share: Share
) -> Quality | None:
    """Return how the result predicts a text beside the original; None for a change of what the
    model computes, or where one of them cannot be scored."""
    made = checked.conversion
    if any(ACTIONS[step.action].edits for step in made.steps):
        return None
    models = (
        LanguageModel(path, text.tokenizer, RunSpec(custom_ops=made.custom_ops))
        for path in (made.original, made.path)
    )
    first, second = models
    try:
        *_, quality = measure_quality(engine, first, text.settings, second, share)
    except (Cancelled, EngineKilled):
        raise
    except InspectorError:  # such as one that takes no text of that length
        return None
    return quality


def _checked_once(
    engines: tuple[Engine, Engine],
    model: Path,
    steps: Sequence[Step],
    folder: Path,
    inputs: ConversionInputs,
    name: str,
    custom_ops: Sequence[str],
    share: Share,
    labels: Sequence[str],
) -> CheckedConversion:
    finds = any(map(finds_layers, steps))
    uses = finds or any(ACTIONS[step.action].calibrates for step in steps)
    calibration, tests, held_out = inputs.split(uses)
    tests = (*tests, *inputs.also)
    found_on = calibration
    if finds and not calibration:  # one input of any kind shows what overflows in any case
        feeds = inputs.made_up.values(engines[0], model)
        found_on = (NamedInput(_NAMES[inputs.made_up.kind], lambda: feeds),)
    made = float16_layers.convert(
        engines[1], model, steps, folder, calibration, share, name, custom_ops,
        inputs.dimensions, found_on,
    )  # fmt: skip
    if made.unchanged:
        return CheckedConversion(made)
    spec = RunSpec(custom_ops=tuple(custom_ops))
    kind = TYPICAL
    if not tests:
        held_out, kind = None, inputs.made_up.kind
        try:
            feeds = inputs.made_up.values(engines[0], model)
        except (Cancelled, EngineKilled):
            raise
        except InspectorError as error:
            _raise_if_option(error)
            return _unchecked(engines[1], made, inputs.made_up, error, share)
        tests = (NamedInput(_NAMES[kind], lambda: feeds),)
    checked = _Comparison(engines, made, tests, spec, share, labels).checked(kind, held_out)
    if checked.proven:
        done = checked.conversion
        effects = tuple(map(without_advice_to_compare, done.effects))
        checked = structs.replace(checked, conversion=structs.replace(done, effects=effects))
    if made.made_up and kind != TYPICAL:
        return structs.replace(checked, verdict=None, compared=(), not_checked=_MADE_UP)
    return checked


def _raise_if_option(error: InspectorError) -> None:
    """Raise an error that an option causes, such as a library that is not there: it says
    nothing about the model or an input."""
    if isinstance(error, BadInput) and error.phase == "load":
        raise error


def _unchecked(
    engine: Engine,
    made: Conversion,
    made_up: MadeUpInput,
    failure: InspectorError,
    share: Share,
) -> CheckedConversion:
    """Return a result whose original does not run here; whether itself does."""
    why = failure.why or failure.what
    text = f"the original does not run here because {why}"
    try:
        feeds = made_up.values(engine, made.path)
    except (Cancelled, EngineKilled):
        raise
    except InspectorError as error:
        other = error.why or error.what
        same = other == why
        end = "The result does not run either"
        ends = f"{end}." if same else f"{end}: {other}."
        return CheckedConversion(made, not_checked=f"{text}. {ends}")
    spec = made.runnable(RunSpec(custom_ops=made.custom_ops))
    levels = conversions.level_checks(engine, made.path, [feeds], spec, share)
    return CheckedConversion(structs.replace(made, levels=levels), not_checked=f"{text}.")


class _Comparison:
    """Runs both models on inputs and collects how their outputs differ."""

    def __init__(
        self,
        engines: tuple[Engine, Engine],
        made: Conversion,
        tests: Sequence[NamedInput],
        spec: RunSpec,
        share: Share,
        labels: Sequence[str],
    ) -> None:
        self._original, self._candidate = engines
        self._made, self._tests, self._spec, self._share = made, tests, spec, share
        self._labels, self._structure = labels, UNKNOWN
        self._unusable = UnusableInputs()
        self._comparison: ModelComparison | None = None
        self._worst: dict[str, CheckedOutput] = {}
        self._missing: dict[str, None] = {}
        self._few: list[Feeds] = []

    def checked(self, kind: str, held_out: bool | None) -> CheckedConversion:
        """Compare on all inputs, and run the result at each level with a few."""
        what = f"Could not check {clip(self._made.original.name)}"
        try:
            result = structs.replace(self._made, original=self._made.path)
            with (
                InnerValues(self._original, self._made) as inner,
                InnerValues(self._candidate, result) as inner_of_result,
            ):
                for number, given in enumerate(self._tests):
                    self._share(_COMPARE, number / len(self._tests))
                    self._compare(given, inner, inner_of_result)
        except _DoesNotLoad as error:
            made_up = MadeUpInput(lambda *_: loaded(self._tests[0]), kind)
            return _unchecked(self._candidate, self._made, made_up, error.failure, self._share)
        self._unusable.expect_some(len(self._tests), "test input", what)
        made = conversions.checked(
            self._candidate, self._made, self._few, self._spec, self._share
        )
        if made.problem:
            why = f"the resulting model does not run: {made.problem}"
            hint = "Nothing was written. Try other options, or keep some layers unchanged."
            raise EngineFailed(f"Could not convert {clip(made.original.name)}", why, hint)
        usable = [each for each in self._tests if each.name not in self._unusable]
        left_out = self._unusable.note(len(self._tests), "test input")
        edits = any(ACTIONS[step.action].edits for step in made.steps)
        # What float16 does to a model that had it before is no effect of the steps.
        if not edits and any(step.action == FLOAT16 for step in made.steps):
            reader = self._begun(self._few[0])
            made = float16_check.checked(
                self._candidate, made, usable, self._spec, self._share, kind, reader
            )
        verdict, notes = None, (f"{left_out}.",) if left_out else ()
        if self._comparison is not None and not edits:
            verdict = self._comparison.verdict(kind, held_out)
            notes = (*notes, *self._comparison.notes)
        return CheckedConversion(
            made,
            verdict,
            tuple(self._worst.values()),
            _EDITED if edits else "",
            notes=notes,
            missing=tuple(self._missing),
        )

    def _compare(
        self, given: NamedInput, inner: InnerValues, inner_of_result: InnerValues
    ) -> None:
        made = self._made
        try:
            feeds = loaded(given)
            first, second = conversions.fitted_feeds(self._original, made, feeds, inner)
            before = self._original.predict(made.original, self._spec, first).outputs
        except Cancelled:
            raise
        except (BadInput, UnreadableFile, EngineFailed) as error:  # the input's, or the model's
            _raise_if_option(error)
            if isinstance(error, EngineFailed) and error.phase == "load" and not self._few:
                raise _DoesNotLoad(error) from error
            self._unusable[given.name] = error.why or error.what
            return
        there = replace(made.runnable(self._spec), cast=True)
        try:
            after = self._candidate.predict(made.path, there, second).outputs
        except Cancelled:
            raise
        except EngineFailed as error:
            raise EngineFailed(
                f"Could not convert {clip(made.original.name)}",
                f"the resulting model does not run on {clip(given.name, 60)}, on which the "
                f"original does: {error.why or error.what}",
                "Nothing was written. Try other options, or keep some layers unchanged.",
            ) from error
        if len(self._few) < _LEVEL_INPUTS:
            self._few.append(feeds)
        if self._comparison is None:
            self._comparison = self._begun(first)
            again = self._original.predict(made.original, self._spec, first).outputs
            self._comparison.add_repeat(before, again)
        reference = conversions.by_new_names(made, before, after, first, inner)
        known = {output.name for output in reference}
        self._missing |= {o.name: None for o in after if o.name not in known}
        # Where new outputs follow from the original's, these are still inside.
        old_names = {old for _, old in made.renamed}
        lost = [o for o in before if o.name not in known and o.name not in old_names]
        inside = inner_of_result.of(second, [output.name for output in lost])
        reference += tuple(output for output in lost if output.name in inside)
        results = {o.name: o for o in (*after, *conversions.as_outputs(inside))}
        after = tuple(results[o.name] for o in reference if o.name in results)
        self._comparison.add(reference, after, given.name)
        self._keep_worst(given.name, reference, after)

    def _begun(self, feeds: Feeds) -> ModelComparison:
        path = self._made.original
        model = opening.open_model(path)
        self._structure = of_model(model)
        return comparison_of(path, model, feeds, self._labels)

    def _keep_worst(
        self, file: str, before: Sequence[OutputValue], after: Sequence[OutputValue]
    ) -> None:
        for output in parity.outputs(before, after, self._labels, self._structure):
            known = self._worst.get(output.name)
            worse = known is None or badness(output) > badness(known.parity)
            top = None if output.difference is None else output.difference.top1
            same = None if top is None else int(top == 1)
            if known is not None and known.same_top is not None:
                same = known.same_top + (same or 0)
            count = 1 if known is None else known.inputs + 1
            worst_output = output if worse or known is None else known.parity
            where = file if worse or known is None else known.worst_input
            self._worst[output.name] = CheckedOutput(worst_output, where, count, same)


class _DoesNotLoad(Exception):
    def __init__(self, failure: EngineFailed) -> None:
        super().__init__(str(failure))
        self.failure = failure
