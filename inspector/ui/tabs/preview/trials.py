"""Predictions beside the answer: other preparations, and expected outputs. Knows no widget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.prediction import Prediction
from inspector.preview.families import alternatives
from inspector.preview.families.family_table import recognize
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import feeds, image
from inspector.preview.inputs.audio import SUFFIXES
from inspector.preview.inputs.audio_windows import Stepping, guess_framing
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.preprocessing import image_retry, presets
from inspector.preview.preprocessing.presets import TopResult
from inspector.preview.preprocessing.saved import SAVED_IN
from inspector.preview.runs import expected_outputs, step_by_step
from inspector.preview.runs.steps import Predict
from inspector.ui import units
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview import fill_inputs
from inspector.ui.tabs.preview.fill_inputs import (
    CAMERA,
    AudioChoice,
    Choice,
    Filling,
    ImageChoice,
    ValuesChoice,
    fill,
    preprocessing_text,
    stepping_of,
)
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import Card, Elided, button, label, row
from inspector.ui.widgets.theme import Theme
from inspector.wording import class_scores


@dataclass(frozen=True, slots=True)
class TriedPreset:
    """A preparation and what the model says to it."""

    name: str
    preparation: ImagePreprocessing
    verdict: TopResult


@dataclass(frozen=True, slots=True)
class CheckedDataSet:
    """One data set: whether all outputs are as expected, and one sentence for each."""

    name: str
    passed: bool
    lines: tuple[str, ...]


def try_presets(
    once: Predict, model: Model, filling: Filling, name: str, labels: Sequence[str]
) -> tuple[TriedPreset, ...]:
    """Predict with each usual preparation of the picture of one input."""
    info = next(info for info in model.inputs if info.name == name)
    prepared = filling.images[name]
    arrays = feeds.feeds_by_name(filling.filled)
    own = next(each.array for each in filling.filled if each.name == name)
    sized = replace(info, shape=own.shape)
    height, width = prepared.last.picture.shape[:2]
    structure = of_model(model)
    trials = []
    for name_text, preparation in presets.common_presets(prepared.preparation):
        try:
            arrays[name] = image.prepare(prepared.picture, preparation, sized)
            outputs = once(arrays).outputs
            verdict = presets.top_result(outputs, labels, width, height, structure)
        except Cancelled:
            raise
        except InspectorError as error:
            verdict = TopResult(error.why or error.what, 0.0)
        trials.append(TriedPreset(name_text, preparation, verdict))
    return tuple(trials)


def check(once: Predict, model: Model, paths: Sequence[Path]) -> tuple[CheckedDataSet, ...]:
    """Hold the model's answers against data sets; what fails is told in the place of both."""
    return tuple(_checked(once, model, path) for path in paths)


def _checked(once: Predict, model: Model, path: Path) -> CheckedDataSet:
    try:
        data = expected_outputs.read(path, model.inputs, model.outputs)
        allowed = expected_outputs.rounding(model)
        differences = expected_outputs.compare(data, once(data.feeds).outputs, rounding=allowed)
    except Cancelled:
        raise
    except InspectorError as error:
        return CheckedDataSet(path.name, False, (str(error),))
    lines = tuple(f"{difference.output}: {difference.text()}" for difference in differences)
    return CheckedDataSet(
        path.name, all(difference.passed for difference in differences), lines
    )


@dataclass(frozen=True, slots=True, eq=False)
class RetriedPrediction:
    """The inputs and the prediction to show after other preprocessing was tried; `text` says
    what was tried."""

    filling: Filling
    prediction: Prediction
    text: str


def retry(
    once: Predict,
    model: Model,
    choices: Mapping[str, Choice],
    dimensions: Mapping[str, int],
    labels: Sequence[str],
    filled: Filling,
    prediction: Prediction,
) -> RetriedPrediction | None:
    """Try different preprocessing where a guessed one gives NaN, a flat result or no boxes.

    Inputs whose preprocessing somebody chose or saved are left as they are.
    """
    retried = _retry_image(once, model, choices, labels, filled, prediction)
    return retried or _retry_audio(once, model, choices, dimensions, filled, prediction)


def _retry_image(
    once: Predict,
    model: Model,
    choices: Mapping[str, Choice],
    labels: Sequence[str],
    filling: Filling,
    prediction: Prediction,
) -> RetriedPrediction | None:
    photos = {name: each for name, each in choices.items() if isinstance(each, ImageChoice)}
    if len(photos) != 1 or filling.pace.steps > 1:
        return None
    ((name, photo),) = photos.items()
    # A camera's next image comes before an alternative has been tried.
    if not image_retry.replaceable(photo.preparation) or photo.called == CAMERA:
        return None
    info = next(info for info in model.inputs if info.name == name)

    def predict(preparation: ImagePreprocessing) -> Prediction:
        other = fill_inputs.with_preparation(filling, info, photo, preparation)
        return once(feeds.feeds_by_name(other.filled))

    height, width = filling.images[name].last.picture.shape[:2]
    retried = image_retry.retry(
        predict,
        info,
        model.outputs,
        photo.preparation,
        prediction.outputs,
        labels,
        (width, height),
        of_model(model),
    )
    if retried is None or retried.preprocessing is None or retried.prediction is None:
        return None if retried is None else RetriedPrediction(filling, prediction, retried.text)
    other = fill_inputs.with_preparation(filling, info, photo, retried.preprocessing)
    return RetriedPrediction(other, retried.prediction, retried.text)


def _retry_audio(
    once: Predict,
    model: Model,
    choices: Mapping[str, Choice],
    dimensions: Mapping[str, int],
    filled: Filling,
    prediction: Prediction,
) -> RetriedPrediction | None:
    stepping = stepping_of(model, choices)
    sounds = [
        name
        for name, choice in choices.items()
        if (isinstance(choice, AudioChoice) and _is_guessed(name, choice, model))
        or (isinstance(choice, ValuesChoice) and Path(choice.value).suffix.lower() in SUFFIXES)
    ]
    if not sounds or filled.pace.steps > alternatives.MOST_STEPS:
        return None

    def predict(other: Stepping) -> Prediction:
        made = fill(model, choices, dimensions, stepping=other)
        return step_by_step.answer(once, made.filled, made.memory)

    family = recognize(model)
    retried = alternatives.retry(model, family, prediction, stepping, sounds, predict)
    if retried is None or retried.preprocessing is None or retried.prediction is None:
        return None if retried is None else RetriedPrediction(filled, prediction, retried.text)
    other = fill(model, choices, dimensions, stepping=retried.preprocessing)
    return RetriedPrediction(other, retried.prediction, retried.text)


def _is_guessed(name: str, choice: AudioChoice, model: Model) -> bool:
    info = next(info for info in model.inputs if info.name == name)
    guessed = guess_framing(info, model.inputs, model.outputs, model.metadata)
    return guessed == choice.framing and not choice.framing.why.startswith(SAVED_IN)


class PresetsCard(Card):
    """The top result with each common preset; one click uses the preset."""

    used = Signal(str, object)  # input, ImagePreprocessing

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._name = ""
        self._home = QWidget()
        self.uses: list[QWidget] = []
        close = button(theme, tr("Close"))
        close.clicked.connect(self.hide)
        head = row(label(tr("Common presets"), "heading"), None, close)
        self.body.addLayout(head)
        self.body.addWidget(self._home)
        self.hide()

    def show_tried(self, name: str, trials: Sequence[TriedPreset]) -> None:
        """Show other trials, of the input of that name."""
        self._name = name
        self._home.deleteLater()
        self._home, self.uses = QWidget(), []
        grid = QGridLayout(self._home)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 3)
        for column, title in enumerate((tr("Preset"), tr("Top result"), tr("Score"))):
            grid.addWidget(label(title, "caption"), 0, column)
        for line, trial in enumerate(trials, 1):
            name_label, answer = Elided(trial.name, "value"), Elided(trial.verdict.text)
            name_label.setToolTip(preprocessing_text(trial.preparation))
            share = class_scores.share(trial.verdict.share) if trial.verdict.share else ""
            score = label(units.localized(share), "mono")
            use = button(self._theme, tr("Use"))
            use.setAccessibleName(tr("Use {name}").format(name=trial.name))
            use.clicked.connect(partial(self._use, trial.preparation))
            self.uses.append(use)
            for column, part in enumerate((name_label, answer, score, use)):
                grid.addWidget(part, line, column)
        self.body.addWidget(self._home)
        self.show()

    def _use(self, preparation: ImagePreprocessing) -> None:
        self.used.emit(self._name, preparation)


class ExpectedCard(Card):
    """Data sets that lie beside the model; whether its answers are theirs."""

    requested = Signal()

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__(theme)
        self.check = button(theme, tr("Check"))
        self.verdict = Elided(
            tr("{set_count} next to the model").format(set_count=plural(len(names), "data set"))
        )
        self.lines = wrapped("", "caption")
        head = row(label(tr("Expected outputs"), "heading"), self.verdict, self.check)
        head.setStretch(1, 1)
        self.body.addLayout(head)
        self.body.addWidget(self.lines)
        self.lines.hide()
        self.check.clicked.connect(self.requested)
        self.setHidden(not names)

    def show_checked(self, data_sets: Sequence[CheckedDataSet]) -> None:
        """Show how it went: what failed first."""
        failed = sum(not checked.passed for checked in data_sets)
        sets = plural(len(data_sets), "data set")
        self.verdict.set_text(
            tr("{failed} of {sets} failed").format(failed=failed, sets=sets)
            if failed
            else tr("Passed: {sets}").format(sets=sets)
        )
        lines = [
            f"{'Passed' if checked.passed else 'Differs'} · {checked.name} · {line}"
            for checked in sorted(data_sets, key=lambda checked: checked.passed)
            for line in checked.lines
        ]
        self.lines.setText(units.clip("\n".join(lines[:12]), 2000))
        self.lines.show()
