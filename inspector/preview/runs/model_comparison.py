"""A changed model beside its original over inputs: answers as people read them, and numbers.

comparison = ModelComparison(labels=labels, size=image_size(model, feeds))
for file, feeds in inputs:
    comparison.add(original_outputs, changed_outputs, file)
comparison.add_repeat(first_outputs, second_outputs)  # the original, run twice
verdict = comparison.verdict(TYPICAL, held_out=True)
print(outputs.sentence(verdict))
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from inspector.analysis.verdicts.outputs import OutputJudge
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure, of_model
from inspector.preview.inputs import model_states, tokens
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.preprocessing.guess import guess
from inspector.preview.runs import answers, judging
from inspector.preview.runs.answers import Judge
from inspector.preview.runs.judging import Judged
from inspector.preview.runs.truths import Truth
from inspector.report.output_verdict import GUESSED, OutputVerdict, TaskAgreement
from inspector.statistics.proportions import mean_interval, wilson

# Answers of an input that count as the same one: a mask may differ along its edges.
_SAME_FROM = {answers.MASK: 0.9}
_LOOKS = 4  # inputs of which it is looked at whether answers are what they seem
# Agreement of an answer with itself. Where it is less, the outputs were read as something that
# they are not, such as boxes of no area.
_LEAST_WITH_ITSELF = 0.99
# Correlation of neighbors from which a row of numbers is a sound or coordinates of a grid, of
# which the largest is no class.
_SERIES = 0.5
# Kinds whose answers are read from one output; the others are read from all of them.
_ONE_OUTPUT = (answers.CLASSES, answers.TEXT)


class ModelComparison:
    """Compares the answers of two models over inputs; see above.

    judge: the way in which answers are read; by default found from the original's first
    answer, with labels, size, structure and vocabulary as `answers.judge_for` takes them.
    states: names of outputs that the model gets back at the next step.
    """

    def __init__(
        self,
        judge: Judge | None = None,
        labels: Sequence[str] = (),
        size: tuple[int, int, int] = (0, 0, 0),
        structure: ModelStructure = UNKNOWN,
        vocabulary: Vocabulary | None = None,
        states: Collection[str] = (),
    ) -> None:
        self.judged: list[Judged] = []
        self._judge = judge
        self._how = labels, size, structure, vocabulary
        self._numbers = OutputJudge(states)
        self._name = ""  # of the output that answers are read from
        self._answers = set[str]()
        self._is_read = True  # whether answers are what they seem

    @property
    def inputs(self) -> int:
        """Return how many inputs were compared."""
        return self._numbers.inputs

    def add(
        self,
        original: Sequence[OutputValue],
        changed: Sequence[OutputValue],
        file: str = "",
        truth: Truth | None = None,
    ) -> Judged:
        """Compare the answers to one input. truth: the true answer, if known."""
        if self._judge is None:
            self._judge = answers.judge_for(original, *self._how)
        judge = self._judge
        if judge.kind in _ONE_OUTPUT and judge.output < len(original):
            self._name = original[judge.output].name
        if len(self.judged) < _LOOKS and self._is_read:
            self._is_read = _are_answers(judge, original)
        self._numbers.add(original, changed)
        judged = judging.compare(judge, file, original, changed, truth)
        self._answers.add(judged.original)
        self.judged.append(judged)
        return judged

    def add_repeat(self, first: Sequence[OutputValue], second: Sequence[OutputValue]) -> None:
        """Compare two runs of the original on one input."""
        self._numbers.add_repeat(first, second)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return sentences on what is compared in another way than errors are."""
        return self._numbers.notes

    def verdict(self, input_kind: str = GUESSED, held_out: bool | None = None) -> OutputVerdict:
        """Return the verdict over all inputs. held_out: whether they are other inputs than
        those of calibration; None if there was none."""
        return self._numbers.verdict(input_kind, held_out, self._tasks())

    def _tasks(self) -> tuple[TaskAgreement, ...]:
        judge = self._judge
        if judge is None or judge.kind == answers.NUMBERS or not self._is_read:
            return ()
        values = [
            each.values[judge.main]
            for each in self.judged
            if judge.main in each.values and not each.is_empty
        ]
        if not values:
            return ()
        same = sum(value >= _SAME_FROM.get(judge.kind, 1.0) for value in values)
        if set(values) <= {0.0, 1.0}:
            low, high = wilson(int(sum(values)), len(values))
        else:
            low, high = mean_interval(values)
        share, count = sum(values) / len(values), len(values)
        # One class for all inputs is no agreement that could make up for anything.
        telling = judge.kind not in _ONE_OUTPUT or len(self._answers) > 1
        return (TaskAgreement(judge.kind, share, low, high, count, same, self._name, telling),)


def _are_answers(judge: Judge, outputs: Sequence[OutputValue]) -> bool:
    """Return whether the outputs are read as what they are."""
    if judge.kind == answers.NUMBERS:
        return True
    if judge.kind == answers.CLASSES and judge.output < len(outputs):
        output = outputs[judge.output]
        sure = output.keys or len(judge.labels) == (output.shape or (0,))[-1]
        return bool(sure) or not _is_series(output)
    itself = judging.compare(judge, "", outputs, outputs).values.get(judge.main, 1.0)
    return itself >= _LEAST_WITH_ITSELF


def _is_series(output: OutputValue) -> bool:
    if output.array is None or output.array.dtype.kind != "f":
        return False
    row = output.array.reshape(-1, output.array.shape[-1] if output.array.ndim else 1)[0]
    values = row.astype(np.float64)
    if values.size < 3 or not np.isfinite(values).all():
        return False
    first, second = values[:-1] - values[:-1].mean(), values[1:] - values[1:].mean()
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return size > 0 and float((first * second).sum()) / size > _SERIES


def comparison_of(
    path: Path, model: Model, feeds: Mapping[str, object], labels: Sequence[str] = ()
) -> ModelComparison:
    """Return a comparison with a model at a path. feeds: of one of its inputs."""
    vocabulary = tokens.vocabulary(tokens.tokenizer_of(path, model))
    size = image_size(model, feeds)
    return ModelComparison(
        None, labels, size, of_model(model), vocabulary, state_outputs(model)
    )


def state_outputs(model: Model) -> tuple[str, ...]:
    """Return the names of outputs that a model gets back at the next step."""
    return tuple(each.output for each in model_states.states(model.inputs, model.outputs))


def image_size(model: Model, feeds: Mapping[str, object]) -> tuple[int, int, int]:
    """Return width, height and channels of a model's image input; zeros without one."""
    for info in model.inputs:
        guessed, value = guess(info), feeds.get(info.name)
        if guessed is None or not isinstance(value, np.ndarray) or value.ndim != 4:
            continue
        axes = value.shape[1:]
        channels, height, width = axes if guessed.layout == "nchw" else (axes[2], *axes[:2])
        return width, height, channels
    return 0, 0, 0
