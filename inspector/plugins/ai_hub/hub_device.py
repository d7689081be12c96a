"""A device of Qualcomm AI Hub: models are uploaded, measured there, and a report comes back.

It goes through Qualcomm's own client (the extra `aihub`), which reads the token from its own
configuration (`qai-hub configure`); Inspector neither asks for it nor keeps it. No model is
uploaded before the user agreed to that for this model. Nothing here was tried with the real
service so far: the tests run the client against a server that speaks its public API, and
without the client against a double of it.
"""

import re
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector import __version__
from inspector.backends.measuring.benchmark_program import ProgramRun, report_without_layers
from inspector.errors import BadInput, EngineDied, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.platform.extras import install_hint
from inspector.platform.late_modules import metadata
from inspector.preview.identity import measured_model
from inspector.remote import uploads
from inspector.remote.blobs import hash_of
from inspector.remote.machines import Saved
from inspector.remote.messages import DONE, End, Job, ResultFile
from inspector.remote.other_machine import Event, MeasuringMachine, OnEvent
from inspector.report import report as reports
from inspector.report.environment import Environment
from inspector.report.report import Device, InsertedNode, LayerUse, PerformanceReport, Support
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import Kind
from inspector.units import clip, plural, size
from inspector.wording.support_marks import Mark, Source, Status

SITE = "Qualcomm AI Hub"
_UNITS = {"npu": ("NPU", "npu"), "gpu": ("GPU", "gpu"), "cpu": ("CPU", "cpu")}
_KNOWN = frozenset({"devices", "runs", "seconds", "profiled_runs", "warmup"})
_LOOK_SECONDS = 5.0
_POLL_SECONDS = 0.2


def line_to(machine: Saved) -> "HubDevice":
    """Return what measures on the device of a machine."""
    return HubDevice(machine.name, machine.host.partition(":")[2])


class HubDevice(MeasuringMachine):
    """Measures on a device of AI Hub; a job that was stopped goes on at the service."""

    title = SITE

    def __init__(self, name: str, device: str) -> None:
        super().__init__(name)
        self._device_name = device

    def connect(self) -> Event:
        """Return what the device is. Raises BadInput: there is none of that name."""
        hub = _client()
        with _ClientErrors(self.name):
            devices = hub.get_devices(name=self._device_name)
        if not devices:
            why = f"{SITE} has no device '{clip(self._device_name, 60)}'"
            hint = "`qai-hub list-devices` lists them."
            raise BadInput(f"Could not use {self.name}", why, hint)
        device = devices[-1]
        pairs = (text.partition(":")[::2] for text in device.attributes)
        attributes: dict[str, str] = dict(pairs)
        return self.described(
            f"{attributes.get('os', 'unknown system')} {device.os}".strip(),
            f"{device.name}, {attributes.get('chipset', 'unknown processor')}",
            (SITE,),
            os=device.os,
        )

    def devices(self) -> Sequence[Device]:
        """Return the compute units that the service knows."""
        source = "only a run shows whether a model can use it"
        return [
            Device(unit, name, kind, SITE, "Qualcomm", source)
            for unit, (name, kind) in _UNITS.items()
        ]

    def measured(
        self, job: Job, own_files: Mapping[str, Path], target: Path, on_event: OnEvent
    ) -> End:
        """Upload the model, and wait for its profile."""
        spec, options = self._expected(job)
        if not uploads.is_allowed(job.model[0].sha256, SITE):
            name = clip(job.model[0].name, 80)
            why = f"you have not allowed the upload of {name} to {SITE}"
            hint = f"To be asked for it, run: inspector measure {name} --on {self.name}"
            raise uploads.UploadNotAllowed(f"Could not measure on {self.name}", why, hint)
        model = target / job.model[0].name
        model.write_bytes(own_files[job.model[0].sha256].read_bytes())
        self.expect_going_on()
        on_event({"type": "progress", "step": "sending", "part": size(model.stat().st_size)})
        hub = _client()
        with _ClientErrors(self.name):
            device = hub.Device(self._device_name, str(self.hello.get("os", "")))
            submitted = hub.submit_inference_job(
                str(model), device, name=clip(model.name, 80), options=options, retry=False
            )
        profile = self._waited(submitted, on_event)
        report = self._report(
            opening.open_model(model), model, job, spec, profile, str(submitted.job_id)
        )
        (target / "report").write_bytes(reports.to_json(report))
        return End(job.id, DONE, (ResultFile("report", *hash_of(target / "report")),))

    def _expected(self, job: Job) -> tuple[RunSpec, str]:
        """Return the settings of a job, and the same as options of AI Hub.

        Raises BadInput: AI Hub has no such setting or device, or takes no such model.
        """
        spec = self.expected(job, SITE, _KNOWN)
        what = f"Could not measure on {self.name}"
        if len(job.model) > 1:
            why = f"the model has {plural(len(job.model), 'file')}, and one is uploaded"
            raise BadInput(what, why, "Save it in one file, without external data.")
        units = [device for device in spec.devices if device in _UNITS]
        if len(units) != len(spec.devices) or len(units) > 1:
            why = f"'{', '.join(spec.devices)}' is not a compute unit of {SITE}"
            raise BadInput(what, why, f"Choose one of {', '.join(_UNITS)}.")
        arguments = [f"--max_profiler_iterations {spec.runs}"]
        # Without --on NAME:cpu, the service chooses.
        arguments += [f"--compute_unit {units[0]}"] if "devices" in job.spec else []
        return spec, " ".join(arguments)

    def _waited(self, submitted: Any, on_event: OnEvent) -> Mapping[str, Any]:
        """Return the profile of a job when it has ended. Raises InspectorError."""
        looked = 0.0
        while True:
            self.expect_going_on()
            if time.monotonic() - looked >= _LOOK_SECONDS:
                looked = time.monotonic()
                with _ClientErrors(self.name):
                    status = submitted.get_status()
                if status.finished:
                    break
                part = clip(f"{self.name}: {str(status.code).lower()}", 80)
                on_event({"type": "progress", "step": "following", "done": -1, "part": part})
            time.sleep(_POLL_SECONDS)
        if not status.success:
            why = clip(str(status.message or status.code), 300)
            raise EngineFailed(f"Could not measure on {self.name}", why)
        with _ClientErrors(self.name):
            profile: Mapping[str, Any] = submitted.download_profile()
        return profile

    def _report(
        self,
        model: Model,
        path: Path,
        job: Job,
        spec: RunSpec,
        profile: Mapping[str, Any],
        job_id: str,
    ) -> PerformanceReport:
        summary = profile.get("execution_summary", {})
        every = tuple(round(1e3 * each) for each in summary.get("all_inference_times") or ())
        least = _ns(summary.get("estimated_inference_time"))
        notes = [f"Measured by {SITE}, job {clip(job_id, 40)}; the model was uploaded."]
        notes.append("The service made its own inputs.")
        notes.append("Times of layers are the shortest that the service saw.")
        if not every:
            notes.append("The service returned only its estimate of one run.")
        notes += self.ignored(job, SITE)
        run = ProgramRun(
            SITE,
            spec.devices[0],
            self._environment(),
            every or ((least,) if least else ()),
            (),
            _ns(summary.get("first_load_time")),
            0,
            _count(summary.get("estimated_inference_peak_memory")),
            tuple(notes),
        )
        if not run.samples_ns:
            why = "the profile has no inference time"
            raise EngineFailed(f"Could not measure on {self.name}", why)
        rows = [row for row in profile.get("execution_detail", ()) if isinstance(row, dict)]
        used = dict.fromkeys(str(row.get("compute_unit", "")).lower() for row in rows)
        devices = tuple(
            Device(unit, *_UNITS.get(unit, (unit.upper(), "unknown")), SITE, "Qualcomm")
            for unit in (used or _UNITS)
        )
        identity = measured_model(path, model, job.model[0].sha256)
        weights = sum(weight.size_bytes or 0 for weight in model.weights)
        bare = report_without_layers(run, identity, spec, devices, weights)
        return _with_layers(bare, model, rows)

    def _environment(self) -> Environment:
        system, cpu = str(self.hello["system"]), str(self.hello["cpu"])
        packages = (f"qai-hub {_version()}",)
        return Environment(
            __version__, "", packages, "none", system, cpu, 0, 0, runtime=f"{SITE} unknown"
        )


def _with_layers(
    report: PerformanceReport, model: Model, rows: list[dict[str, Any]]
) -> PerformanceReport:
    """Add the layers whose names the profile has; the rest of it are nodes of the service."""
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_name[str(row.get("name", ""))].append(row)
    made_by = {name: layer.index for layer in model.layers for name in layer.outputs}
    uses = []
    for layer in model.layers:
        names = (layer.name, *layer.outputs) if layer.name else tuple(layer.outputs)
        matches = next((by_name.pop(name) for name in names if name in by_name), [])
        times = [_ns(row["execution_time"]) for row in matches if "execution_time" in row]
        unit = str(matches[0].get("compute_unit", "")).lower() if matches else ""
        mark = Mark.RAN if matches else Mark.UNKNOWN
        uses.append(
            LayerUse(
                index=layer.index,
                name=layer.name,
                operator=layer.operator,
                status=Status.EXECUTED if matches else Status.UNKNOWN,
                ran_on=unit or None,
                time_ns=sum(times) if times else None,
                devices={unit or report.devices[0].id: Support(mark, Source.MEASURED)},
                executed_as=clip(str(matches[0].get("type", "")), 80) if matches else "",
                calls=float(len(matches)),
                parent=layer.parent,
                value=layer.outputs[0] if layer.outputs else "",
                reads=tuple(dict.fromkeys(made_by[n] for n in layer.inputs if n in made_by)),
            )
        )
    inserted = tuple(
        InsertedNode(
            name=clip(name, 200) or "unnamed",
            operator=clip(str(row.get("type", "")), 80),
            kind=str(Kind.LAYOUT),
            device=str(row.get("compute_unit", "")).lower(),
            time_ns=_ns(row.get("execution_time")),
        )
        for name, left in by_name.items()
        for row in left
    )
    whole = sum(use.time_ns or 0 for use in uses) + sum(node.time_ns for node in inserted)
    return replace(report, layers=tuple(uses), inserted=inserted, kernel_ns=whole)


def _ns(microseconds: object) -> int:
    return round(1e3 * microseconds) if isinstance(microseconds, int | float) else 0


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _client() -> Any:
    """Return Qualcomm's client. Raises BadInput: it is not installed, or has no token."""
    what = f"Could not use {SITE}"
    try:
        # of the extra aihub; seconds
        import qai_hub
    except ImportError as error:
        raise BadInput(what, "qai-hub is not installed", install_hint("aihub")) from error
    return qai_hub


def _version() -> str:
    return metadata.version("qai-hub")


class _ClientErrors:
    """Turns what the client raises into an InspectorError; its text never has the token."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        if kind is None or issubclass(kind, InspectorError) or not issubclass(kind, Exception):
            return
        text = re.sub(r"[\u2500-\u257f|]+", " ", str(error))  # it draws boxes
        why = clip(" ".join(text.split()), 300) or kind.__name__
        hint = "Check the token (`qai-hub configure`) and the connection to the internet."
        raise EngineDied(f"Could not use {self._name}", why, hint) from error
