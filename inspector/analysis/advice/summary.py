"""What a report answers in a few sentences: accuracy, bottleneck, phones, a better model."""

import shlex
from collections.abc import Iterator
from pathlib import PurePath

from inspector import units
from inspector.analysis.advice.advice_helpers import improved
from inspector.analysis.advice.bottleneck import bottleneck
from inspector.analysis.language.bottleneck import limits_text
from inspector.report.improvement import headline, notable_text, value_text
from inspector.report.model_results import ModelResults
from inspector.report.report import PerformanceReport
from inspector.wording.values import Capital, Sentence, Value, joined

_MOST_MEASURES = 3


def summary(report: PerformanceReport) -> tuple[tuple[str, Value], ...]:
    """Return subjects with a sentence each; without results, the bottleneck alone."""
    return tuple(_rows(report))


def next_steps(report: PerformanceReport) -> tuple[str, ...]:
    """Return what to do about what is still unknown; commands are between backticks."""
    return tuple(_steps(report)) if report.model_results is not None else ()


def _rows(report: PerformanceReport) -> Iterator[tuple[str, Value]]:
    known = report.model_results or ModelResults()
    if known.accuracy:
        yield "Accuracy", _accuracy(known)
    yield "Bottleneck", _bottleneck(report)
    sizes = ", ".join(f"{name} = {length:,}" for name, length in known.lengths.items())
    for name, text in known.phones.items():
        yield (Sentence("{name}, with {sizes} fixed", name, sizes) if sizes else name), text
    improvement = known.improvement
    if improvement is not None and improvement.candidates:
        best = improvement.candidates[improvement.best] if improvement.best >= 0 else None
        also = notable_text(improvement)
        sentences = [f"{headline(improvement)}."]
        sentences += best.cautions if best is not None else ()
        sentences += [Sentence("Also notable: {also}.", also)] if also else []
        yield "Smaller or faster", joined(*sentences, separator=" ")


def _bottleneck(report: PerformanceReport) -> Value:
    """Return what limits a run; of a language model, what limits each phase."""
    limited, phases = bottleneck(report), limits_text(report)
    if not phases:
        return limited.sentence
    outside = Sentence("{part}.", Capital(limited.outside)) if limited.outside else ""
    return joined(outside, phases, separator=" ")


def _accuracy(known: ModelResults) -> str:
    measures = known.accuracy[:_MOST_MEASURES]
    text = joined(*(f"{each.name} {value_text(each)}" for each in measures))
    count = max(each.count for each in measures)
    of = f" on {units.plural(count, 'labeled input')}" if count else ""
    folder = f" of {PurePath(known.tested.folder).name}" if known.tested is not None else ""
    return f"{text}{of}{folder}."


def _steps(report: PerformanceReport) -> Iterator[str]:
    known, model = report.model_results, shlex.quote(report.model.name)
    assert known is not None, "`next_steps` returns nothing without results"
    if report.generation is not None:
        yield Sentence("Read its answers, in Chat or with {chat}.", f"`inspector chat {model}`")
        yield Sentence(
            "Look for a smaller version that predicts a text as well: {improve}.",
            f"`inspector improve {model} --text --goal size`",
        )
        yield Sentence(
            "See how much memory a longer context takes: {memory}.",
            f"`inspector memory {model}`",
        )
    elif not known.accuracy and known.files:
        yield Sentence(
            "Give the files of {folder} labels, a folder for each class, to see how many "
            "predictions are right: {command}.",
            folder=known.folder,
            command=f"`inspector predict {model} --folder {shlex.quote(known.folder)}`",
        )
    elif not known.accuracy:
        yield (
            "Check the outputs on a folder of your own inputs, in Preview or with "
            f"`inspector predict {model} --folder FOLDER`."
        )
    improvement = known.improvement
    tried = improvement is not None and bool(improvement.candidates)
    if not tried and report.generation is None:
        yield (
            Sentence(
                "Look for a smaller or faster model, in Improve or with {improved}.",
                improved(report),
            )
        )
    if improvement is not None and tried and improvement.best >= 0:
        best = improvement.candidates[improvement.best]
        yield f"Create the model '{best.name}' with `{improvement.command(best)}`."
    if known.lengths and known.targets and report.generation is None:
        sizes = ",".join(f"{name}={length}" for name, length in known.lengths.items())
        step = shlex.quote(f"fix-axes:{sizes}")
        yield (
            "Fix the dynamic axes for phones and NPUs, many of which need fixed sizes: "
            f"`inspector convert {model} {step} -o fixed.onnx`."
        )
