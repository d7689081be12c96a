"""inspector predict --folder: run a model on each file of a folder."""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import arguments, option_types, other_machines
from inspector.cli.commands import parity
from inspector.errors import Cancelled, InspectorError

if TYPE_CHECKING:
    from inspector.cli.arguments import ModelRequest
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import TensorInfo
    from inspector.model.tensors.prediction import Prediction
    from inspector.preview.inputs.image import ImagePreprocessing
    from inspector.preview.runs.folder import Confusion, Meaning, Row, Summary
    from inspector.preview.runs.model_comparison import ModelComparison
    from inspector.preview.runs.steps import Predict
    from inspector.remote.machines import Target
    from inspector.report.output_verdict import OutputVerdict
    from inspector.report.run_spec import RunSpec


SCHEMA = "folder/1"
_SENT = ("order", "scale", "mean", "std", "resize", "filter")  # options, to a lab
_MOST_FILES, _MOST_SHARDS = 10_000_000, 300  # shards: on the way at once
_REPEATS = 2  # files that the first run answers twice, to see whether it repeats itself
_NAME, _SCORE, _ANSWER, _SHOWN_LABELS = 40, 9, 28, 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --folder and what belongs to it."""
    many = parser.add_argument_group("folders of inputs")
    many.add_argument(
        "--folder", type=Path, metavar="DIR", help="run the model on each file in a folder"
    )
    many.add_argument(
        "--truth",
        default="",
        metavar="FILE|folders|none",
        help="labels (correct classes): a CSV of file,label, or the names of the subfolders "
        "(used by default if all of them are labels)",
    )
    many.add_argument("--csv", type=Path, metavar="FILE", help="save the table to a file")
    parity.add_against(many)


def run(options: argparse.Namespace) -> None:
    """Run the model on each file; results so far are printed when it is stopped.

    Raises InspectorError: nothing to read, or the table could not be written. Cancelled.
    """
    from inspector.preview.runs import folder

    request = arguments.read_request(options)
    info = folder.input_for(request.model.inputs, request.given)
    paths = folder.files_in(options.folder, info, _MOST_FILES)
    if not request.labels and options.truth == folder.FOLDERS:
        request = replace(request, labels=folder.folder_labels(options.folder, paths))
    request = arguments.with_assumed_labels(request, options)
    expected = folder.truth(options.truth, options.folder, paths, request.labels)
    rows: list[Row] = []
    notes: list[str] = []
    comparison = _comparison(options, request, info, paths)
    try:
        _fill(options, request, info, paths, expected, rows, notes, comparison)
        stopped = False
    except (KeyboardInterrupt, Cancelled):
        stopped = True
    _tell(options, request, rows, notes, comparison)
    if stopped:
        raise Cancelled(f"Stopped after {len(rows):,} of {len(paths):,} files")


def _comparison(
    options: argparse.Namespace,
    request: "ModelRequest",
    info: "TensorInfo",
    paths: Sequence[Path],
) -> "ModelComparison | None":
    """Return what judges the other run over all files; None without one."""
    from inspector.preview.inputs.feeds import feeds_by_name
    from inspector.preview.runs.model_comparison import comparison_of

    if options.against is None:
        return None
    for path in paths:
        with suppress(InspectorError):  # its row will say why
            feeds = feeds_by_name(_values(options, request, info, path).filled())
            return comparison_of(request.path, request.model, feeds, request.labels)
    return None


def _fill(
    options: argparse.Namespace,
    request: "ModelRequest",
    info: "TensorInfo",
    paths: Sequence[Path],
    expected: Any,
    found: "list[Row]",
    notes: list[str],
    comparison: "ModelComparison | None",
) -> None:
    from inspector.backends.values import Progress as Step
    from inspector.cli.progress import Progress
    from inspector.preview.runs import folder
    from inspector.report.run_spec import RunSpec

    target = other_machines.only_target(options)
    alone = options.against is None and not request.given and not options.on_cpu
    spec = RunSpec(
        devices=(options.device,),
        cast=options.cast,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
    )
    if target is not None and target.in_lab and alone:
        with Progress(sys.stderr) as progress:
            limits, show = option_types.job_limits(options), progress.show_stall
            with other_machines.engine(options, show, limits) as engine:
                once = _once(engine, request.path, spec)
                request, note = _with_retry(options, request, info, paths, expected, once)
        notes += [note] if note else []
        _fill_by_shards(options, request, info, paths, expected, found, target)
        return
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(sys.stderr))
        limits, show = option_types.job_limits(options), progress.show_stall
        engine = stack.enter_context(other_machines.engine(options, show, limits))
        once = _once(engine, request.path, spec)
        request, note = _with_retry(options, request, info, paths, expected, once)
        notes += [note] if note else []
        first = _answer(options, request, info, once)
        other = None
        if options.against is not None:
            # A process of its own, or each file would load both models anew.
            beside = stack.enter_context(other_machines.engine(options, show, limits))
            other = _other(options, request, info, beside, spec)

        def both(path: Path, one: "Prediction", two: "Prediction") -> None:
            if comparison is not None:
                repeated = comparison.inputs < _REPEATS
                comparison.add(one.outputs, two.outputs, path.name)
                if repeated:
                    comparison.add_repeat(one.outputs, first(path).outputs)

        meaning = _meaning(request, info)
        rows = folder.rows(options.folder, paths, first, expected, meaning, other, both)
        for row in rows:
            found.append(row)
            progress.show(Step("prediction", len(found) / len(paths)))


def _meaning(request: "ModelRequest", info: "TensorInfo") -> "Meaning":
    """Return what the outputs mean, with the size of the images that the model gets."""
    from inspector.preview.runs.folder import Meaning

    preparation = request.image.preparation(info)
    size = (preparation.width, preparation.height) if preparation is not None else (0, 0)
    return Meaning(request.labels, request.image.structure, size)


def _with_retry(
    options: argparse.Namespace,
    request: "ModelRequest",
    info: "TensorInfo",
    paths: Sequence[Path],
    expected: Any,
    once: "Predict",
) -> "tuple[ModelRequest, str]":
    """Return the request with the preprocessing that does best on some of the files, where
    the guessed one is not sure; and a note about it."""
    from inspector.preview.runs import folder

    chosen = request.image
    if chosen.fixed:
        return request, ""

    def with_preprocessing(preparation: "ImagePreprocessing") -> "ModelRequest":
        return replace(request, image=replace(chosen, saved=((info.name, preparation),)))

    def predict(preparation: "ImagePreprocessing", path: Path) -> "Prediction":
        return _answer(options, with_preprocessing(preparation), info, once)(path)

    guessed, meaning = chosen.preparation(info), _meaning(request, info)
    outputs = request.model.outputs
    again = folder.best_preprocessing(predict, guessed, paths, expected, info, outputs, meaning)
    if again is None or again.preprocessing is None:
        return request, "" if again is None else again.text
    return with_preprocessing(again.preprocessing), again.text


def _fill_by_shards(
    options: argparse.Namespace,
    request: "ModelRequest",
    info: "TensorInfo",
    paths: Sequence[Path],
    expected: Any,
    found: "list[Row]",
    target: "Target",
) -> None:
    """Have the machines of a lab predict the files, a thousand of them in one job.

    The preprocessing travels as the file that is saved next to a model, so that all shards
    have the same one.
    """
    from inspector.backends.values import Progress as Step
    from inspector.cli.progress import Progress
    from inspector.platform import files
    from inspector.preview.families import output_meanings
    from inspector.preview.preprocessing import saved
    from inspector.preview.runs import folder
    from inspector.remote import machines, remote_engine, shards
    from inspector.remote.blobs import hash_of
    from inspector.remote.messages import Job, ModelFile

    values = {name: getattr(options, name) for name in _SENT}
    words = {
        name: ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in values.items()
        if value is not None
    }
    words |= {name: "" for name in ("cast", "plain") if getattr(options, name)}
    words["device"] = target.device or options.device
    with Progress(sys.stderr) as progress, files.private_folder() as made:
        listed = remote_engine.files_of(request.path, request.model)
        sidecar = Path(made) / saved.sidecar_path(request.path).name
        kept, preparation = request.kept, request.image.preparation(info)
        kept = replace(kept, outputs=output_meanings.of_outputs(request.model))
        if preparation is not None:
            kept = replace(kept, pictures={**kept.pictures, info.name: preparation})
            words.pop("plain", None)
        sidecar.write_bytes(saved.encode(kept, request.path.name))
        listed[sidecar.name] = sidecar
        if request.labels and request.labels_source != arguments.FROM_FILE:
            (Path(made) / shards.LABELS).write_text("\n".join(request.labels), "utf-8")
            listed[shards.LABELS] = Path(made) / shards.LABELS
        hashed = {name: (path, *hash_of(path)) for name, path in listed.items()}
        model = tuple(ModelFile(name, sha, size) for name, (_, sha, size) in hashed.items())
        own = {sha: path for path, sha, _ in hashed.values()}
        base = Job("", "folder", model=model, options=words, client=remote_engine.client())
        width = target.width()
        count = min(_MOST_SHARDS, shards.AT_ONCE * width)
        lines = [machines.line_to(target.machine) for _ in range(count)]
        names = {path: folder.relative_path(options.folder, path) for path in paths}
        size = max(1, min(shards.FILES, -(-len(paths) // width)))
        rows = shards.predict(lines, base, own, paths, names, size)
        for path, row in zip(paths, rows, strict=True):
            found.append(replace(row, wanted=expected.get(path, "")))
            progress.show(Step("prediction", len(found) / len(paths)))


def _once(engine: "EngineProcess", model: Path, spec: "RunSpec") -> "Predict":
    return lambda arrays, steps=None: engine.predict(model, spec, arrays, steps=steps)


def _answer(
    options: argparse.Namespace,
    request: "ModelRequest",
    info: "TensorInfo",
    once: "Predict",
) -> "Callable[[Path], Prediction]":
    """Return a function that predicts one file with the given values of the other inputs."""
    from inspector.preview.runs import step_by_step

    def answer(path: Path) -> "Prediction":
        own = _values(options, request, info, path)
        return step_by_step.answer(once, own.filled(), own.stepping.memory)

    return answer


def _values(
    options: argparse.Namespace, request: "ModelRequest", info: "TensorInfo", path: Path
) -> "ModelRequest":
    """Return a request with the values of one file."""
    from inspector.preview.inputs.input_files import inputs_in

    names = inputs_in(path, (*request.model.inputs, *request.model.defaults)) or (info.name,)
    given = {**request.given, **dict.fromkeys(names, str(path))}
    return arguments.with_values(request, options, given)


def _other(
    options: argparse.Namespace,
    request: "ModelRequest",
    info: "TensorInfo",
    engine: "EngineProcess",
    spec: "RunSpec",
) -> "Callable[[Path], Prediction]":
    from inspector.engine.client.engine_process import second_prediction
    from inspector.preview.runs import folder

    other = options.against
    once = second_prediction(engine, request.path, spec, other)
    if not other.model:
        return _answer(options, request, info, once)
    theirs = arguments.other_model(options, Path(other.model))
    return _answer(options, theirs, folder.input_for(theirs.model.inputs, ()), once)


def _tell(
    options: argparse.Namespace,
    request: "ModelRequest",
    rows: "Sequence[Row]",
    notes: Sequence[str],
    comparison: "ModelComparison | None",
) -> None:
    from inspector.analysis.verdicts.outputs import sentence
    from inspector.export.tables.report_csv import table_csv
    from inspector.platform import files
    from inspector.preview.runs import folder as folder_module
    from inspector.report.output_verdict import TEST_DATA

    if options.csv:
        files.write_atomic(
            options.csv, table_csv(folder_module.HEAD, map(folder_module.cells, rows))
        )
    counted, matrix = folder_module.summary(rows), folder_module.confusion(rows, request.labels)
    verdict = None
    if comparison is not None and comparison.inputs:
        verdict = comparison.verdict(TEST_DATA)
    if options.json:
        _print_json(options, request, rows, counted, matrix, notes, verdict)
        return
    lines = [_line(row) for row in rows]
    lines += ["", *([sentence(verdict)] if verdict is not None else ())]
    lines += [*_summary_lines(counted), *(_matrix_lines(matrix) if matrix else ())]
    if folder_module.unfitting(rows, request.labels):
        text = units.plural(len(request.labels), "class name")
        lines.append(f"note: {text} do not match the number of classes")
    lines += [f"note: {note}" for note in notes]
    lines += [f"note: {arguments.assumption(request)}"] if request.labels_assumed else []
    lines += (
        [f"note: preprocessing saved in {request.kept.source}"] if request.kept.source else []
    )
    lines += [f"saved {options.csv}"] if options.csv else []
    print("\n".join(lines))


def _line(row: "Row") -> str:
    from inspector.wording import class_scores

    name = units.clip(row.file, _NAME)
    if row.problem:
        return f"{name:<{_NAME}}  {'-':>{_SCORE}}  {units.clip(row.problem, 120)}"
    score = "" if row.score is None else class_scores.share(row.score)
    text = "" if row.right is None else "right" if row.right else f"wrong: {row.wanted}"
    against = "" if row.agreement is None else f"  other run: {row.agreement.words}"
    answer = units.clip(row.answer, _ANSWER)
    took = units.duration(row.prediction_ns)
    line = f"{name:<{_NAME}}  {score:>{_SCORE}}  {answer:<{_ANSWER}}  {took:>9}  "
    return (line + units.clip(text, 40) + units.clip(against, 60)).rstrip()


def _summary_lines(counted: "Summary") -> list[str]:
    files = units.plural(counted.files, "file")
    failed = f", {counted.failed} failed" if counted.failed else ""
    lines = [f"{files}{failed}, {units.duration(counted.prediction_ns)} each (median)"]
    if counted.accuracy is not None and counted.top_accuracy is not None:
        lines.append(
            f"top-1 {units.share(counted.accuracy, 1)} ({counted.right} of {counted.told}), "
            f"top-5 {units.share(counted.top_accuracy, 1)} "
            f"({counted.right_in_top} of {counted.told})"
        )
    if counted.agreement is not None:
        same = f"{counted.same} of {counted.compared}"
        lines.append(f"both runs agree on {units.share(counted.agreement, 1)} ({same})")
    return lines


def _matrix_lines(matrix: "Confusion") -> list[str]:
    """The matrix where it fits, else the pairs that are taken for each other most often."""
    labels = [units.clip(label, 12) for label in matrix.labels]
    lines = ["", "confusion matrix: actual class (rows), predicted class (columns)"]
    if len(labels) <= _SHOWN_LABELS:
        width = max(max(map(len, labels)), len(str(matrix.counts.max())))
        lines.append(" " * width + "".join(f"  {label:>{width}}" for label in labels))
        for label, counts in zip(labels, matrix.counts.tolist(), strict=True):
            cells = "".join(f"  {count or '·':>{width}}" for count in counts)
            lines.append(f"{label:<{width}}{cells}")
        return lines
    pairs = [
        (int(matrix.counts[a, b]), labels[a], labels[b])
        for a, b in zip(*matrix.counts.nonzero(), strict=True)
        if a != b
    ]
    worst = sorted(pairs, reverse=True)[:_SHOWN_LABELS]
    return ["", "most frequent confusions"] + [f"  {n:>6}  {a} as {b}" for n, a, b in worst]


def _print_json(
    options: argparse.Namespace,
    request: "ModelRequest",
    rows: "Sequence[Row]",
    counted: "Summary",
    matrix: "Confusion | None",
    notes: Sequence[str],
    verdict: "OutputVerdict | None",
) -> None:
    import msgspec

    from inspector.analysis.verdicts.outputs import as_json

    against = None if options.against is None else options.against.label
    body = {
        "schema": SCHEMA,
        "model": request.model.name,
        "device": options.device,
        "against": against,
        "kept": request.kept.source,
        "labels": arguments.labels_as_json(request),
        "summary": asdict(counted)
        | {
            "failed": counted.failed,
            "top1": counted.accuracy,
            "top5": counted.top_accuracy,
            "agreement": counted.agreement,
            "labeled": counted.told,
            "correct": counted.right,
            "correct_in_top5": counted.right_in_top,
            "other_labeled": counted.other_told,
            "other_correct": counted.other_right,
        },
        "confusion": None
        if matrix is None
        else {
            "labels": matrix.labels,
            "counts": matrix.counts.tolist(),
            "left_out": matrix.left_out,
        },
        "verdict": None if verdict is None else as_json(verdict),
        "notes": notes,
        "rows": [_row_json(row) for row in rows],
    }
    print(msgspec.json.encode(body).decode())


def _row_json(row: "Row") -> dict[str, object]:
    """Return a row with the names that others read, beside those of the first versions."""
    body = asdict(row) | {"right": row.right}
    body |= {
        "label": row.wanted,
        "correct": row.right,
        "correct_in_top5": row.right_in_top,
    }
    if row.agreement is not None:
        body["agreement"] |= {"correct": row.agreement.right}
    return body
