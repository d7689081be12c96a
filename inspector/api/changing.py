"""A model is changed: by steps, or by a search for the best ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import structs

from inspector.api.changed import Compiled, Converted, Improved
from inspector.api.models import ModelOrPath, OpenedModel, open_model
from inspector.api.python_words import says_parameters
from inspector.api.running import Array, OnProgress, spec_of, subject_of
from inspector.app.changing import calibration, conversion_check, data_sets, improvement, search
from inspector.app.changing.calibration import NamedInput
from inspector.app.changing.compiling import compile_for, missing, targets
from inspector.app.language.quality import shipped_text, text_for
from inspector.app.subjects import Subject
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS, actions_of, expect_own_actions, restoring
from inspector.conversion.result import CheckedConversion
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, OutputsDestroyed
from inspector.platform import files
from inspector.preview.class_names import Labels
from inspector.render.tables.compiled_json import targets_fields
from inspector.report.run_spec import ProviderOption, RunSpec


@says_parameters
def convert(
    model: ModelOrPath,
    *actions: str,
    output: str | Path,
    calibration: str | Path | Sequence[Mapping[str, Array]] = (),
    test: str | Path | Sequence[Mapping[str, Array]] = (),
    overwrite: bool = False,
    accept: bool = False,
    copy: bool = True,
    custom_ops: Sequence[str | Path] = (),
) -> Converted:
    """Change a model by actions such as "float16" or "opset:21", check it and save it.

    actions: as for `inspector convert`. calibration: typical inputs: a folder, or values of all
    inputs. Actions that need the ranges of values require it, and all results are compared
    with the original on it; of 8 or more inputs, one in 4 is held out from calibration. test:
    inputs to compare on instead. accept: save the result even if its outputs are mostly
    different. copy: whether to copy the model if no action has anything to do. custom_ops:
    libraries that provide custom operators of the model. The model itself is never written.
    Raises InspectorError: an action failed, or the result does not open and run;
    OutputsDestroyed: its outputs are mostly different; then nothing is written.
    """
    opened, target = open_model(model), Path(output)
    what = f"Could not convert {opened.model.name}"
    _expect_free(opened, target, overwrite, what)
    actions_of(opened.path, what)
    steps = tuple(parse_step(text, ACTIONS) for text in actions)
    expect_own_actions(steps, opened.path, what)
    steps = restoring(steps, opened.path)
    spec = _with_libraries(custom_ops)
    subject = subject_of(opened, spec, None, None)
    inputs = conversion_check.ConversionInputs(
        conversion_check.usual_input(opened.model, spec.custom_ops),
        _conversion_inputs(subject, calibration),
        _conversion_inputs(subject, test),
        text=text_for(subject.path, subject.model, subject.tokenizer),
    )

    def wanted(checked: CheckedConversion) -> bool:
        if checked.destroyed and not accept:
            hint = "Nothing was saved. To save it all the same, pass accept=True."
            if checked.remedy is not None and checked.remedy.sentence:
                hint = f"{checked.remedy.sentence} {hint}"
            raise OutputsDestroyed(what, checked.sentence.rstrip("."), hint)
        return copy or not checked.conversion.unchanged

    result = conversion_check.convert_to(target, subject, steps, inputs, wanted)
    made = result.checked.conversion
    texts = tuple(effect.text for effect in made.effects)
    return Converted(target if result.saved else None, texts, made, result.checked)


@says_parameters
def improve(
    model: ModelOrPath,
    test: str | Path | None = None,
    *recipes: str,
    calibration: str | Path | None = None,
    truth: str = "",
    labels: Sequence[str] = (),
    goal: str = "p50",
    keep: str = "",
    starts: int | None = None,
    output: str | Path | None = None,
    progress: OnProgress | None = None,
    custom_ops: Sequence[str | Path] = (),
    text: str | Path | None = None,
) -> Improved:
    """Try recipes on a model, and prove what each of them does.

    test, calibration: folders of inputs without a file in common. recipes: steps with spaces
    between them, as for `inspector improve --try`; by default the usual ones. truth: "folders",
    a CSV file of file and label (or boxes, masks, values), or "none"; by default the names of
    the subfolders if all are labels. goal: "p50" or "size". keep: how much the accuracy may
    drop, by default "-1%", or "any". text: of a language model, instead of test: a file in
    UTF-8, "" for one that comes with Inspector; keep is then how much its perplexity may rise,
    by default "-3%". starts: pairs of processes behind each latency, by default 4; 0 skips
    latency. output: where the best model is saved. custom_ops: libraries that provide custom
    operators of the model.
    Raises InspectorError.
    """
    if (test is None) == (text is None):
        what, why = "Could not improve the model", "test inputs or a text are needed, not both"
        raise BadInput(what, why, 'Pass test=FOLDER, or for a language model text="".')
    usual = search.MAX_LOSS if text is None else search.MAX_RISE
    opened, wanted = open_model(model), search.parse_goal(goal, keep or usual)
    actions_of(opened.path, f"Could not improve {opened.model.name}")
    target = None if output is None else Path(output)
    if target is not None and target.exists():
        why = f"{target.name} already exists"
        raise BadInput(f"Could not improve {opened.model.name}", why, "Choose another name.")
    given = tuple(tuple(parse_step(s, ACTIONS) for s in text.split()) for text in recipes)
    for steps in given:
        expect_own_actions(steps, opened.path, f"Could not improve {opened.model.name}")
    subject = subject_of(opened, _with_libraries(custom_ops), None, None).with_assumed_labels()
    if labels:
        subject = structs.replace(subject, labels=Labels(labels))
    tests = None if test is None else data_sets.read_tests(subject, Path(test), truth)
    held = None
    if calibration is not None:
        held = data_sets.read_calibration(subject, Path(calibration))
        data_sets.check_disjoint(held.digests, tests.digests if tests is not None else {})
    scored = None
    if text is not None:
        file = Path(text) if str(text) else shipped_text()
        scored = text_for(subject.path, subject.model, subject.tokenizer, file, whole=True)
    with (
        files.private_folder() as folder,
        improvement.Workbench(
            opened.path,
            opened.model,
            [improvement.usual_test(subject)] if tests is None else tests.tests(subject),
            [*held.feeds(subject.feeds_of)] if held else [],
            subject.labels.names,
            subject.spec,
            starts=starts,
            share=progress or (lambda _, __: None),
            name="" if target is None else target.name,
            folder=Path(folder),
            text=scored,
        ) as bench,
    ):
        *_, state = search.improve(bench, wanted, held, tests, given, Path(folder))
        if target is not None and state.best >= 0:
            search.save_best(state, Path(folder), target)
    return Improved(state)


@says_parameters
def compile_model(
    model: ModelOrPath,
    target: str = "",
    *,
    output: str | Path | None = None,
    dimensions: Mapping[str, int] | None = None,
    provider_options: Mapping[str, str] | None = None,
    overwrite: bool = False,
) -> Compiled:
    """Compile a model for a device, and say which layers compiled and why others did not.

    target: a chip that need not be here, such as "Snapdragon 8 Gen 3" or "sm8650", or the id of
    a device that is here (see `compile_targets`); by default the first that compiles. output:
    where the compiled model is saved; by default nowhere. dimensions: sizes of dynamic axes by
    name, which are fixed in it. provider_options: of the execution provider.
    Raises InspectorError: there is no such target, or its compiler refused or crashed.
    """
    opened, file = open_model(model), None if output is None else Path(output)
    if file is not None:
        _expect_free(opened, file, overwrite, f"Could not compile {opened.model.name}")
    subject = subject_of(opened, RunSpec(), None, dimensions)
    given = tuple(ProviderOption(*each) for each in (provider_options or {}).items())
    with EngineProcess() as engine:
        found = compile_for(engine, subject, target, file, given)
    made, layers = found.model, opened.model.layers
    left = {layers[index].label: why.reason for index, why in found.reasons.items()}
    names = tuple(layers[index].label for index in made.compiled)
    return Compiled(
        found.saved, made.device.id, made.chip, names, left, opened.model, found
    )  # fmt: skip


def compile_targets() -> dict[str, Any]:
    """Return what models can be compiled for, as `inspector compile --list --json` prints it:
    devices that are here, and chips that need not be."""
    with EngineProcess() as engine:
        return targets_fields(targets(engine), missing())


def _expect_free(opened: OpenedModel, target: Path, overwrite: bool, what: str) -> None:
    """Raise BadInput where a new model would be written over the old one, or another file."""
    if target.resolve() == opened.path.resolve():
        raise BadInput(what, "the output would overwrite the model", "Choose another name.")
    if target.exists() and not overwrite:
        raise BadInput(what, f"{target.name} already exists", "Pass overwrite=True.")


def _with_libraries(custom_ops: Sequence[str | Path]) -> RunSpec:
    paths = (str(Path(library).absolute()) for library in custom_ops)
    return replace(spec_of("cpu"), custom_ops=tuple(dict.fromkeys(paths)))


def _conversion_inputs(
    subject: Subject, given: str | Path | Sequence[Mapping[str, Array]]
) -> tuple[NamedInput, ...]:
    if not isinstance(given, str | Path):
        return calibration.named(given)
    return data_sets.named_inputs(subject, Path(given))
