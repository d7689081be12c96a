"""The jobs of the engine process. The only maker of sessions for the window."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import msgspec
import numpy as np

from inspector.engine import arrays
from inspector.engine.placing.running import failures_named
from inspector.engine.protocol import (
    AloneDone,
    AloneJob,
    Answer,
    CeilingDone,
    CeilingJob,
    DevicesDone,
    DevicesJob,
    InsideDone,
    InsideJob,
    Job,
    LoadDone,
    LoadJob,
    MeasureDone,
    MeasureJob,
    PackingDone,
    PackingJob,
    PredictDone,
    PredictJob,
    ReferenceJob,
    ShapesDone,
    ShapesJob,
    StepsDone,
    StepsJob,
    StoredOutput,
    SupportDone,
    SupportJob,
    ValueJob,
    VerdictDone,
    VerdictJob,
    piece_file,
    piece_step,
)
from inspector.engine.sessions import devices, predict, session, tensors
from inspector.engine.sessions.warm import Calls
from inspector.engine.values import Loaded, confinement_notes
from inspector.errors import EngineFailed, UnreadableFile
from inspector.prediction import OutputValue
from inspector.report import RunSpec, to_json
from inspector.units import clip

Tell = Callable[[str, float, tuple[int, ...]], None]


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A session at hand. key: what it was made of, and the file as it was then."""

    key: object
    session: Any
    devices: tuple[str, ...]
    notes: tuple[str, ...]
    calls: Calls


class Engine:
    """Carries out jobs, one at a time; keeps the session of the last one warm.

    folder: shared with the other end, for arrays and reports. tell: hears each step.
    pass_on: lets others compute; the number of the next turn here.
    """

    def __init__(
        self, folder: Path, confinement: str, tell: Tell, pass_on: Callable[[], int]
    ) -> None:
        self._folder, self._confinement, self._tell = folder, confinement, tell
        self._pass_on = pass_on
        self._ready: Ready | None = None

    def carry_out(self, job: Job) -> Answer:
        """Do a job. Raises InspectorError."""
        match job:
            case LoadJob():
                return self._load(job)
            case PredictJob():
                return self._predict(job)
            case ReferenceJob():
                return self._reference(job)
            case MeasureJob():
                return self._measure(job)
            case DevicesJob():
                return self._devices(job)
            case ShapesJob():
                return self._shapes(job)
            case SupportJob():
                return self._support(job)
            case InsideJob():
                return self._inside(job)
            case PackingJob():
                return self._packing(job)
            case CeilingJob():
                return self._ceiling(job)
            case VerdictJob():
                return self._verdict(job)
            case StepsJob():
                return self._steps(job)
            case ValueJob():
                return self._value(job)
            case AloneJob():
                return self._alone(job)

    def _load(self, job: LoadJob) -> LoadDone:
        with failures_named(Path(job.model), job.spec, {}):
            ready, load_ns = self._session(Path(job.model), job.spec)
        inputs, _ = predict.takes(ready.session)
        outputs = tensors.infos(ready.session.get_outputs())
        confinement = self._confinement
        return LoadDone(
            Loaded(load_ns, ready.devices, inputs, outputs, confinement, ready.notes)
        )

    def _predict(self, job: PredictJob) -> PredictDone:
        with failures_named(Path(job.model), job.spec, {}):
            ready, load_ns = self._session(Path(job.model), job.spec)
        inputs, defaults = predict.takes(ready.session)
        told = {feed.name: arrays.whole(feed) for feed in job.feeds}
        tensors.check(inputs, told, defaults, job.spec.cast)
        feeds = self._fetch(job.feeds)
        self._tell("prediction", -1, ())
        what = f"Could not predict with {Path(job.model).name}"
        with failures_named(Path(job.model), job.spec, feeds):
            values, spent_ns = predict.predict(
                ready.session, feeds, what, job.spec.cast, ready.calls if job.warm else None
            )
        self._tell("answer", -1, ())
        stored = tuple(self._store(number, value) for number, value in enumerate(values))
        done = PredictDone(stored, ready.devices, spent_ns, load_ns, ready.notes)
        if not job.warm:
            return done
        calls = ready.calls
        return msgspec.structs.replace(
            done,
            first_call_ns=calls.first_ns,
            warm_ns=calls.warm_ns,
            session_load_ns=calls.load_ns,
        )

    def _reference(self, job: ReferenceJob) -> PredictDone:
        from inspector.engine.walking import reference

        self._tell("reference", -1, ())
        what = f"Could not ask the reference evaluator about {Path(job.model).name}"
        values, spent_ns = reference.evaluate(Path(job.model), self._fetch(job.feeds), what)
        stored = tuple(self._store(number, value) for number, value in enumerate(values))
        return PredictDone(stored, ("reference",), spent_ns, 0)

    def _measure(self, job: MeasureJob) -> MeasureDone:
        from inspector.engine.measuring.measure import measure
        from inspector.engine.measuring.taking import Taking

        feeds = self._fetch(job.feeds)
        model = Path(job.model)
        with failures_named(model, job.spec, feeds):
            taking = Taking(self._pass_on if job.together else None)
            how = job.spec, feeds, self._folder, self._tell, job.known_ns, taking
            report = measure(model, job.identity, *how)
        notes = (*report.notes, *confinement_notes(self._confinement))
        report = replace(
            report, notes=notes, turns=taking.turns(job.together, len(report.prediction_ns))
        )
        self._tell("answer", -1, ())
        name = "report.json"
        (self._folder / name).write_bytes(to_json(report))
        return MeasureDone(name)

    def _devices(self, job: DevicesJob) -> DevicesDone:
        self._tell("devices", -1, ())
        plugin = job.plugin
        units = devices.plugin_units(plugin) if plugin else devices.all_builtin_units()
        return DevicesDone(tuple(devices.tried(unit) for unit in units))

    def _shapes(self, job: ShapesJob) -> ShapesDone:
        from inspector.engine.graphs.shapes import infer, infer_in_pieces

        self._tell("shapes", -1, ())
        name = "shapes.json"
        if job.pieces:
            for number, (part, done) in enumerate(
                infer_in_pieces(Path(job.model), job.dimensions)
            ):
                (self._folder / piece_file(number)).write_bytes(msgspec.json.encode(part))
                self._tell(piece_step(number), done, ())
            return ShapesDone("")
        found = infer(Path(job.model), job.dimensions)
        (self._folder / name).write_bytes(msgspec.json.encode(found))
        return ShapesDone(name)

    def _support(self, job: SupportJob) -> SupportDone:
        from inspector.engine import questions

        self._tell("support", -1, ())
        name = "support.json"
        found = questions.answer(Path(job.model), job.spec, job.shapes, job.asked)
        (self._folder / name).write_bytes(msgspec.json.encode(found))
        return SupportDone(name)

    def _inside(self, job: InsideJob) -> InsideDone:
        from inspector.engine.measuring.own_runtime import counts

        self._tell("inside", -1, ())
        return InsideDone(counts(Path(job.model), job.device, self._fetch(job.feeds)))

    def _packing(self, job: PackingJob) -> PackingDone:
        from inspector.engine.measuring.packing import packing

        self._tell("packing", -1, ())
        return PackingDone(packing(Path(job.model), job.spec, self._folder))

    def _ceiling(self, job: CeilingJob) -> CeilingDone:
        from inspector.engine.measuring.ceilings import ceiling

        known = job.bytes_per_second
        return CeilingDone(
            ceiling(job.device, job.threads, job.dtype, known, self._folder, self._tell)
        )

    def _verdict(self, job: VerdictJob) -> VerdictDone:
        from inspector.engine.sessions.openers import opened_by

        self._tell("open", -1, ())
        return VerdictDone(opened_by(job.program, Path(job.model)))

    def _steps(self, job: StepsJob) -> StepsDone:
        from inspector.engine.walking import stepping
        from inspector.engine.walking.walk import walk

        self._ready = None  # two models at once may not fit into memory
        self._tell("load", -1, ())
        mine = walk(Path(job.model), job.spec, self._fetch(job.feeds))
        found = stepping.step_through(mine, job.against, job.tolerance, self._tell_share)
        name = "steps.json"
        (self._folder / name).write_bytes(msgspec.json.encode(found))
        return StepsDone(name)

    def _value(self, job: ValueJob) -> PredictDone:
        from inspector.engine.walking import stepping
        from inspector.engine.walking.walk import walk

        self._ready = None
        self._tell("value", -1, ())
        mine = walk(Path(job.model), job.spec, self._fetch(job.feeds))
        what = f"Could not get '{clip(job.tensor, 80)}' of {mine.path.name}"
        own, other, remark = stepping.both(mine, job.against, job.tensor, what)
        values = (own,) if other is None else (own, other)
        stored = tuple(self._store(number, value) for number, value in enumerate(values))
        return PredictDone(stored, job.spec.devices, 0, 0, (remark,) if remark else ())

    def _alone(self, job: AloneJob) -> AloneDone:
        from inspector.engine.walking.single_layer import run_alone

        self._ready = None
        feeds = self._fetch(job.feeds)
        return AloneDone(
            run_alone(Path(job.model), job.spec, feeds, job.layer, self._tell_share)
        )

    def _tell_share(self, step: str, done: float) -> None:
        self._tell(step, done, ())

    def _session(self, model: Path, spec: RunSpec) -> tuple[Ready, int]:
        key = (model, _state(model), _of_session(spec))
        if self._ready and self._ready.key == key:
            return self._ready, 0
        self._ready = None  # two models at once may not fit into memory
        self._tell("devices", -1, ())
        units = devices.resolve(spec.devices)
        self._tell("load", -1, ())
        began = perf_counter_ns()
        made = session.create_session(model, spec, units)
        load_ns = perf_counter_ns() - began
        notes = (
            *session.loading_notes(model),
            *session.notes_of(made, units),
            *confinement_notes(self._confinement),
        )
        self._ready = Ready(key, made, session.devices_of(made, units), notes, Calls(load_ns))
        return self._ready, load_ns

    def _fetch(self, stored: tuple[arrays.StoredArray, ...]) -> dict[str, predict.Fed]:
        """Feeds by name, with parts of one name put together as a sequence."""
        found: dict[str, predict.Fed] = {}
        for each in stored:
            array = arrays.fetch(self._folder, each)
            before = found.get(each.name, ())
            sequence = each.part and isinstance(before, tuple)
            found[each.name] = (*before, array) if sequence else array
        return found

    def _store(self, number: int, value: OutputValue) -> StoredOutput:
        what = f"Could not pass on the output '{value.name}'"
        try:
            array = value.array
            stored = None
            if array is not None:
                stored = arrays.store(self._folder, f"output-{number}.bin", value.name, array)
            parts = tuple(
                arrays.store(self._folder, f"parts-{number}{place:04}.bin", value.name, part)
                for place, part in enumerate(value.parts)
            )
            keys = None
            if value.keys:
                texts = np.array(value.keys, object)
                keys = arrays.store(self._folder, f"keys-{number}.bin", value.name, texts)
        except arrays.BadArray as error:
            raise EngineFailed(what, str(error), phase="answer") from error
        except OSError as error:
            hint = "Make room in the folder for temporary files."
            raise EngineFailed(what, error.strerror or str(error), hint, "answer") from error
        name, kind, dtype = value.name, value.kind, value.dtype
        return StoredOutput(name, kind, dtype, stored, keys, value.text, parts)


def _state(model: Path) -> tuple[int, int]:
    """Size and time of a file, to notice another one under the same name."""
    try:
        status = model.stat()
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        why = "there is no such file" if missing else error.strerror or str(error)
        raise UnreadableFile(f"Could not open {model.name}", why, "Check the name.") from error
    return status.st_size, status.st_mtime_ns


def _of_session(spec: RunSpec) -> RunSpec:
    """Keep only what makes a session another one."""
    plain = RunSpec()
    return replace(
        plain,
        devices=spec.devices,
        optimization=spec.optimization,
        threads=spec.threads,
        dimensions=spec.dimensions,
        inter_threads=spec.inter_threads,
        execution_mode=spec.execution_mode,
        spinning=spec.spinning,
        arena=spec.arena,
        memory_pattern=spec.memory_pattern,
        provider_options=spec.provider_options,
        on_cpu=spec.on_cpu,
    )
