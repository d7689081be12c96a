"""inspector predict: run a model once and show what it answers."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli import asked as asking
from inspector.cli import folder, predict_text, scene, session_options, tries, writing
from inspector.units import visible

if TYPE_CHECKING:
    from inspector.cli.asked import Asked
    from inspector.prediction import OutputValue, Prediction
    from inspector.preview.feeds import Filled
    from inspector.preview.frames import Pace
    from inspector.preview.series import Series

SCHEMA = "prediction/1"
_LISTED_VALUES, _DAY = 16, 86_400
_KINDS = (".npy", ".npz", ".csv", ".pb", ".png", ".wav", ".txt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    asking.add_arguments(parser)
    parser.add_argument("--device", default="cpu", metavar="ID", help="default: cpu")
    session_options.add_on_cpu(parser)
    parser.add_argument("--top", type=_count, default=5, metavar="K", help="classes to show")
    parser.add_argument("--save", type=Path, metavar="DIR", help="write the outputs there")
    parser.add_argument(
        "--save-as",
        type=_kinds,
        default=(),
        metavar="KIND,...",
        help="npy npz csv pb png wav txt",
    )
    parser.add_argument(
        "--time-limit", type=_seconds, default=0.0, metavar="S", help="for one prediction"
    )
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")
    scene.add_arguments(parser)
    tries.add_arguments(parser)
    writing.add_arguments(parser)
    folder.add_arguments(parser)


def run(options: argparse.Namespace) -> None:
    """Predict once, or once for each file of a folder.

    Raises InspectorError: unreadable, does not fit, or the runtime refused.
    """
    if options.folder:
        folder.run(options)
        return
    from inspector.engine.process import EngineProcess, Limits
    from inspector.preview import feeds, saving, sequence
    from inspector.report import RunSpec

    asked = asking.asked(options)
    model, known, given, chosen = asked.model, asked.labels, asked.given, asked.image
    stepping, filled = asked.stepping, asked.filled()
    pace = feeds.pace(filled, stepping)
    spec = RunSpec(devices=(options.device,), cast=options.cast, on_cpu=tuple(options.on_cpu))
    with EngineProcess(limits=Limits(job_seconds=options.time_limit)) as engine:

        def once(arrays: "Mapping[str, Any]") -> "Prediction":
            return engine.predict(options.model, spec, arrays, warm=True)

        prediction = sequence.answer(once, filled, stepping.memory)
        wanted = (once, model, filled, given, chosen, known)
        tried = tries.tried(*wanted) if options.tries else ()
        further = writing.further(options, asked, once, filled, prediction)
    seen = scene.found(options, model, given, chosen, prediction, known)
    kinds = options.save_as
    saved = saving.save(prediction.outputs, options.save, kinds) if options.save else ()
    if options.save and seen is not None:
        saved = (*saved, scene.save(seen, options.save))
    if options.json:
        body = _as_json(asked, filled, prediction, options.top, pace, seen)
        _print_json({**body, "tried": tries.as_json(tried), **writing.as_json(further)})
    else:
        text = predict_text.lines(model, filled, prediction, known, options.top, pace, seen)
        text += writing.lines(further)
        text += [f"note: prepared as kept in {asked.kept.source}"] if asked.kept.source else []
        print("\n".join([*text, *(tries.lines(tried) if tried else ())]))
        print("".join(f"\nsaved {visible(path)}" for path in saved), end="\n" if saved else "")


def _print_json(body: Mapping[str, Any]) -> None:
    import msgspec

    print(msgspec.json.encode(body).decode())


def _as_json(
    asked: "Asked",
    feeds: Sequence["Filled"],
    prediction: "Prediction",
    top: int,
    pace: "Pace",
    seen: scene.Found | None,
) -> dict[str, Any]:
    from inspector.preview.cautions import caution

    return {
        "schema": SCHEMA,
        "model": asked.model.name,
        "kept": asked.kept.source,
        "device": prediction.devices[0] if prediction.devices else "",
        "devices": prediction.devices,
        "prediction_ns": prediction.prediction_ns,
        "load_ns": prediction.load_ns,
        "first_call_ns": prediction.first_call_ns or None,
        "warm_median_ns": prediction.warm_median_ns,
        "warm_ns": prediction.warm_ns,
        "steps": pace.steps,
        "inputs": [
            {
                "name": filled.name,
                "value": filled.value,
                "given": filled.given,
                "dtype": filled.dtype,
                "shape": filled.array.shape,
                "words": filled.words,
                "caution": caution(filled.array),
            }
            for filled in feeds
        ],
        "outputs": [_output(output, asked.labels, top, pace) for output in prediction.outputs],
        "scene": None if seen is None else scene.as_json(seen),
        "notes": prediction.notes,
    }


def _output(
    output: "OutputValue", labels: Sequence[str], top: int, pace: "Pace"
) -> dict[str, Any]:
    """Return one output for --json.

    reading: what it most likely is; `top` and `rows` are also there where classes are only
    possible. top: of the first row; rows: of all if there are several.
    """
    from inspector.preview import results
    from inspector.preview.series import series_of

    statistics = output.statistics()
    kinds = results.read(output, labels)
    rows = results.classes(output, labels, top) if results.CLASSES in kinds else ()
    listed = [[asdict(entry) for entry in row.top] for row in rows]
    series = series_of(output, pace.steps, pace.step_seconds)
    values = None
    if output.array is not None and output.array.size <= _LISTED_VALUES:
        values = output.array.tolist()
    return {
        "name": output.name,
        "kind": output.kind,
        "dtype": output.dtype,
        "shape": output.shape,
        "statistics": None if statistics is None else asdict(statistics),
        "reading": kinds[0],
        "top": listed[0] if listed else [],
        "rows": listed if len(listed) > 1 else [],
        "values": values,
        "series": None if series is None else _series(series),
        "text": output.text,
    }


def _series(series: "Series") -> dict[str, Any]:
    return {
        "step_seconds": series.step_seconds,
        "mean": series.mean,
        "share_over_half": series.share_over(0.5),
        "spans_over_half": series.spans(0.5),
    }


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(f".{kind.strip().lstrip('.').lower()}" for kind in text.split(","))
    for kind in kinds:
        if kind not in _KINDS:
            known = ", ".join(name[1:] for name in _KINDS)
            raise argparse.ArgumentTypeError(f"'{kind[1:41]}' is none of {known}")
    return kinds


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _DAY:
        raise argparse.ArgumentTypeError(f"'{text[:80]}' is no length of time in seconds")
    return seconds


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of classes")
    return int(text)
