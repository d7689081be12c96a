"""A request as a job for another machine, and back; and its result the same way.

Both ends use this module, so that a request of `engine.requests` with a `kind` needs nothing
else to run elsewhere. Files are not said here: `RemoteEngine` sends the model and the arrays of
`feeds` and `steps`, and `JobRunner` lays them out.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends.values import ComparisonRun
from inspector.engine import payloads
from inspector.engine.payloads import StoredPrediction, result_name, result_type
from inspector.engine.requests import Feeds, Request
from inspector.errors import BadInput
from inspector.model.tensors.prediction import Prediction
from inspector.platform import files
from inspector.preview.runs.steps import Steps
from inspector.remote.messages import Job
from inspector.report.language.generation import Generation
from inspector.report.report_values import LIMIT_BYTES, ModelIdentity
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording import stored
from inspector.wording.stored import text_only

R = TypeVar("R")
# Files of a result, by the name of its type; any other type is the answer in the message.
_FILES = {
    "PerformanceReport": ("report",),
    "Pair": ("report", "other-report"),
    "Stepping": ("steps",),
    "Shapes": ("shapes",),
    "Generation": ("generation",),
}
# What an agent has by other means than the message: files, and what it computes from them.
_LAID_OUT = ("model", "identity", "feeds", "steps")


@cache
def _fields(kind: type[Any]) -> dict[str, msgspec.structs.FieldInfo]:
    return {each.name: each for each in msgspec.structs.fields(kind)}


def fields_of(
    request: Request[Any], settings: Callable[[RunSpec], dict[str, Any]]
) -> dict[str, Any]:
    """Return the fields of the job that asks for a request.

    settings: writes those of a run for the other machine.
    """
    told, values = dict[str, Any](), dict[str, Any]()
    for name, field in _fields(type(request)).items():
        value = getattr(request, name)
        match name, value:
            case "spec", RunSpec():
                told["spec"] = settings(value)
            case "specs", (RunSpec() as one, RunSpec() as other):
                told |= {"spec": settings(one), "other": settings(other)}
            case "dimensions", tuple():
                told["spec"] = settings(RunSpec(dimensions=value))
            case "against", ComparisonRun():
                told["reference"] = value.spec is None
                told["other"] = None if value.spec is None else settings(value.spec)
            case "steps", Steps():
                told["states"] = dict(value.states)
            case _ if name in _LAID_OUT or name == "against":
                pass
            case _ if name in _fields(Job):
                told[name] = value
            case _ if field.required or value != field.default:
                values[name] = msgspec.to_builtins(value, enc_hook=text_only)
    return {"kind": request.kind, **told} | ({"values": values} if values else {})


def request_of(
    kind: type[Request[R]],
    job: Job,
    specs: tuple[RunSpec, RunSpec | None],
    model: Path | None,
    identity: Callable[[], ModelIdentity],
    feeds: Feeds,
    steps: Steps | None,
) -> Request[R]:
    """Return the request that a job asks for. Raises BadInput: it lacks something of it.

    specs: the settings of the job, and of its other run.
    """
    spec, other = specs
    given: dict[str, Callable[[], Any]] = {
        "model": lambda: model,
        "identity": identity,
        "spec": lambda: spec,
        "specs": lambda: (spec, other or spec),
        "dimensions": lambda: spec.dimensions,
        "against": lambda: (
            ComparisonRun(None if job.reference else other)
            if job.reference or other is not None
            else None
        ),
        "feeds": lambda: feeds,
        "steps": lambda: steps,
    }
    made = dict[str, Any]()
    try:
        for name, field in _fields(kind).items():
            if name in given:
                made[name] = given[name]()
            elif name in _fields(Job):
                value = getattr(job, name)
                if field.required or value != _fields(Job)[name].default:
                    made[name] = value
            elif name in job.values:
                made[name] = msgspec.convert(job.values[name], field.type)
        return kind(**made)
    except (TypeError, ValueError, RecursionError) as error:
        why = clip(str(error), 200)
        raise BadInput("The agent refused the job", why, phase="job") from error


def stored_result(
    kind: type[Request[Any]], result: Any, folder: Path
) -> tuple[dict[str, bytes], Any]:
    """Return the files of a result by name, and its answer; arrays go into the folder."""
    if isinstance(result, Prediction):
        prediction = payloads.stored_prediction(folder, result)
        return {}, msgspec.to_builtins(prediction, enc_hook=text_only)
    names = _FILES.get(result_name(kind), ())
    parts = result if len(names) > 1 else (result,)
    encode = payloads.report_body if "report" in names else stored.encode
    bodies = {name: encode(part) for name, part in zip(names, parts, strict=False)}
    return bodies, None if names else msgspec.to_builtins(result, enc_hook=text_only)


def fetched_result(kind: type[Request[R]], answer: Any, folder: Path) -> R:
    """Return a result. Raises ValueError, UnreadableFile: it is not of its type."""
    name = result_name(kind)
    read: Mapping[str, Callable[[bytes], Any]] = {
        "Stepping": lambda body: stored.decode(body, msgspec.json.Decoder(Stepping)),
        "Shapes": payloads.shapes,
        "Generation": lambda body: stored.decode(body, msgspec.json.Decoder(Generation)),
    }
    decode = read.get(name, payloads.report)
    result: Any
    if name == "Prediction":
        result = payloads.prediction(folder, msgspec.convert(answer, StoredPrediction))
    elif name in _FILES:
        bodies = [files.read_capped(folder / each, LIMIT_BYTES) for each in _FILES[name]]
        parts = tuple(map(decode, bodies))
        result = parts if len(parts) > 1 else parts[0]
    else:
        result = msgspec.convert(answer, result_type(kind), str_keys=True)
    found: R = result
    return found
