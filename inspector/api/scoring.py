"""How accurate a model is: on a folder of inputs with true answers, or on a text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from inspector.analysis.verdicts import accuracy
from inspector.api.models import ModelOrPath, open_model
from inspector.api.python_words import says_parameters
from inspector.api.running import OnProgress, engine_of, spec_of
from inspector.api.tables import OneLine, frame
from inspector.app.evaluate import (
    Against,
    expect_answers,
    judge_of,
    metric_of_text,
    of_folder,
    result_of,
    rows,
    text_in,
    transcribing,
    with_best_preprocessing,
    writer_settings,
    writing_otherwise,
)
from inspector.app.language.chat_model import open_encoder_decoder
from inspector.app.language.quality import TOKENS, WINDOW, TextSettings, language_models
from inspector.app.language.text_comparison import measure_on_text
from inspector.app.predict import predicting
from inspector.app.subjects import Subject
from inspector.engine.client.engine_process import second_prediction
from inspector.errors import BadInput
from inspector.pages.blocks import Page
from inspector.pages.language.quality import quality_page
from inspector.pages.outputs.folder import folder_page
from inspector.preview.class_names import Labels
from inspector.preview.families import output_meanings
from inspector.preview.runs.folder import FolderResult, Row
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.other_run import parse as parse_run
from inspector.render.markdown import markdown
from inspector.render.tables.evaluation_json import folder_body
from inspector.report.language.quality import Quality
from inspector.wording import stored

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, repr=False)
class TextQuality(OneLine):
    """How one language model, or two, predict a text.

    tokens: how many were scored. perplexity: of the model; ratio: that of the other model
    divided by it. divergence: mean Kullback-Leibler divergence of the other model's
    probabilities from the model's, in nats. Those of one model alone are None. intervals: 95%,
    by these names. level: "good", "degraded", "broken" or "undecided", and its sentence
    verdict; "" for one model alone. parts: blocks and layers of the other model with the
    divergence that each alone causes, the worst first; None where it makes logits NaN.
    """

    tokens: int
    perplexity: float | None
    ratio: float | None
    divergence: float | None
    intervals: dict[str, Interval]
    level: str
    verdict: str
    parts: tuple[tuple[str, float | None], ...]
    quality: Quality = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        alone = f"perplexity {self.perplexity} on {self.tokens:,} tokens"
        return self.verdict or alone

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as `inspector parity --text --json` prints it."""
        body: dict[str, Any] = json.loads(stored.json_text(self.quality))
        return body

    def _repr_markdown_(self) -> str:
        return markdown(quality_page(self.quality)).decode()


@says_parameters
def score_text(
    model: ModelOrPath,
    text: str | Path | None = None,
    *,
    against: ModelOrPath | None = None,
    sensitivity: bool = False,
    window: int = WINDOW,
    stride: int = 0,
    tokens: int = TOKENS,
    tokenizer: str | Path | None = None,
    device: str = "cpu",
    time_limit: float | None = None,
    progress: OnProgress | None = None,
) -> TextQuality:
    """Score how well a language model predicts a text, token by token.

    model: the folder of a language model, or its decoder with a tokenizer.json beside it. text:
    a file in UTF-8; by default one that comes with Inspector. against: another version of the
    model, such as one in 4 bits, that is compared on the same tokens; sensitivity: also rank
    its blocks and layers. window: tokens that the model sees at once; stride: of each window,
    tokens at its end that count, by default all. tokens: the most that are scored; fewer if
    the intervals are narrow enough before. Raises InspectorError.
    """
    if sensitivity and against is None:
        what, why = "Could not rank layers", "that exchanges the layers of two models"
        raise BadInput(what, why, "Pass against=MODEL.")
    opened = [open_model(each) for each in (model, against) if each is not None]
    settings = TextSettings.of(
        None if text is None else Path(text), window=window, stride=stride, tokens=tokens
    )
    own = None if tokenizer is None else Path(tokenizer)
    paths, specs = [each.path for each in opened], [spec_of(device)] * len(opened)
    first, *others = language_models(paths, specs, own)
    second = next(iter(others), None)
    with engine_of(progress, time_limit) as engine:
        *_, quality = measure_on_text(engine, first, settings, second, sensitivity)
    return _text_quality(quality)


def _text_quality(quality: Quality) -> TextQuality:
    estimates = {
        "perplexity": quality.perplexity,
        "ratio": quality.ratio,
        "divergence": quality.divergence,
    }
    known = {name: each for name, each in estimates.items() if each is not None}
    values = {name: each.value for name, each in known.items()}
    return TextQuality(
        quality.tokens,
        values.get("perplexity"),
        values.get("ratio"),
        values.get("divergence"),
        {name: (each.low, each.high) for name, each in known.items()},
        "" if quality.level is None else quality.level.value,
        quality.verdict,
        tuple((part.name, part.divergence) for part in quality.parts),
        quality,
    )


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(OneLine):
    """The accuracy of a model on a folder.

    metrics: by id, such as "top1", "f1", "map", "miou", "rmse" or "wer"; shares are 0 to 1.
    intervals: 95%, by the same ids. changes: of two models, the first one's minus the other's
    with its interval. level: "better", "worse", "undecided" or "too few inputs", and its
    sentence verdict; "" of one model. files: a dictionary for each file.
    """

    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    changes: dict[str, tuple[float, float, float]]
    level: str
    verdict: str
    files: list[dict[str, Any]] = field(repr=False)
    page: Page = field(repr=False)
    body: dict[str, Any] = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        known = ", ".join(f"{name} {value:.4g}" for name, value in self.metrics.items())
        return self.verdict or known

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as `inspector evaluate --json` prints it."""
        return self.body

    def to_frame(self) -> Any:
        """Return the files as a pandas DataFrame. Raises InspectorError: no pandas here."""
        return frame(self.files)

    def _repr_markdown_(self) -> str:
        return markdown(self.page).decode()


@says_parameters
def evaluate(
    model: ModelOrPath,
    test: str | Path,
    *,
    truth: str | Path = "",
    against: str | Path = "",
    target_column: str = "",
    labels: Sequence[str] = (),
    output_as: dict[str, str] | None = None,
    device: str = "cpu",
    time_limit: float | None = None,
    progress: OnProgress | None = None,
) -> Evaluation:
    """Measure the accuracy of a model on inputs with true answers.

    test: a folder, or a table with an input in each row; for a language model a text file, or a
    folder of .txt files, and the metric is its perplexity. truth: where the true answers are,
    by default in the folder: a CSV file with file and label (or boxes, masks, values, text), a
    COCO JSON file, a folder with a file for each input, or "folders" for the names of
    subfolders. target_column: of a table, with the true answers; of several, with commas
    between them. against: another model, or what differs, such as "level=none" or a device,
    that is compared on the same inputs. labels: class names; by default those of the model, or
    of the one list that fits. output_as: what outputs mean, by name, such as {"y": "classes"}.
    Raises InspectorError.
    """
    opened = open_model(model)
    whole = opened.folder.folder.path if opened.folder is not None else opened.path
    writer = open_encoder_decoder(whole)
    if writer is None or writer.encoder is None:
        subject = Subject.as_saved(opened.path, spec_of(device))
    else:
        subject = writer.encoder.subject(spec_of(device))
    said = [f"{name}={meaning}" for name, meaning in (output_as or {}).items()]
    meanings = output_meanings.parsed(said, subject.model)
    known = output_meanings.of_outputs(subject.model)
    subject = replace(
        subject, model=output_meanings.applied(subject.model, {**known, **meanings})
    )
    if labels:
        subject = replace(subject, labels=Labels(labels))
    other_run = parse_run(str(against)) if str(against) else None
    text = None if writer is not None else text_in(subject, Path(test))
    if text is not None:
        sides = [(subject.path, subject.spec)]
        if other_run is not None:
            base = Path(other_run.model) if other_run.model else subject.path
            sides = [(base, other_run.spec(subject.spec)), *sides]
        first, *others = language_models(
            [path for path, _ in sides], [spec for _, spec in sides]
        )
        with engine_of(progress, time_limit) as engine:
            *_, quality = measure_on_text(engine, first, text, next(iter(others), None))
        return _of_text(quality)
    folder = of_folder(subject, Path(test), str(truth), assume=not labels, target=target_column)
    expect_answers(folder)
    comparison = judge_of(folder) if other_run is not None and writer is None else None
    found: list[Row] = []
    with ExitStack() as stack:
        engine = stack.enter_context(engine_of(progress, time_limit))
        once = predicting(engine, folder.subject)
        if writer is not None:
            settings = writer_settings(subject.spec)
            folder = replace(folder, answer=transcribing(engine, writer, settings))
        folder = with_best_preprocessing(folder, once)
        second = None
        if other_run is not None:
            other = stack.enter_context(engine_of(progress, time_limit))
            path, spec = folder.subject.path, folder.subject.spec
            if writer is not None:
                answer = writing_otherwise(other, writer, spec, other_run, None)
                second = Against(once, answer=answer)
            else:
                turn = second_prediction(other, path, spec, other_run)
                second = Against(turn, _other_model(other_run, folder.subject), comparison)
        for row in rows(folder, once, second):
            found.append(row)
            if progress is not None:
                progress("prediction", len(found) / len(folder.data.paths))
    result = result_of(folder, found, comparison, other_run.label if other_run else "")
    return _evaluation(result)


def _other_model(other_run: OtherRun, subject: Subject) -> Subject | None:
    if not other_run.model:
        return None
    other = Subject.as_saved(Path(other_run.model), subject.spec)
    return other if other.labels.names else replace(other, labels=subject.labels)


def _evaluation(result: FolderResult) -> Evaluation:
    metrics, body = result.accuracy, folder_body(result)
    main = next(iter(metrics), None)
    level = None if main is None else accuracy.level_of(main)
    verdict = ""
    if main is not None and level is not None:
        verdict = accuracy.sentence(main, result.model, result.against)
    return Evaluation(
        {each.id: each.estimate.value for each in metrics},
        {each.id: (each.estimate.low, each.estimate.high) for each in metrics},
        {
            each.id: (each.change.value, each.change.low, each.change.high)
            for each in metrics
            if each.change is not None
        },
        "" if level is None else level.value,
        verdict,
        body["rows"],
        folder_page(result),
        body,
    )


def _of_text(quality: Quality) -> Evaluation:
    metric = metric_of_text(quality)
    known = () if metric is None else (metric,)
    return Evaluation(
        {each.id: each.estimate.value for each in known},
        {each.id: (each.estimate.low, each.estimate.high) for each in known},
        {
            each.id: (each.change.value, each.change.low, each.change.high)
            for each in known
            if each.change is not None
        },
        "" if quality.level is None else quality.level.value,
        quality.verdict,
        [],
        quality_page(quality),
        json.loads(stored.json_text(quality)),
    )
