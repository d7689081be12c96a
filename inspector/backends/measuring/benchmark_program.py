"""What a runtime's own benchmark program measured where no Python runs, such as on a phone."""

from datetime import datetime

from msgspec import Struct

from inspector.report.environment import Environment, MemoryUse
from inspector.report.report import Device, ModelIdentity, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import COLUMNS, from_columns


class ProgramRun(Struct, frozen=True):
    """Runs of such a program; what it does not tell is 0 or empty.

    samples_ns: of predictions without a profiler. start_lengths: as in `PerformanceReport`.
    peak_bytes: of the whole program. device: id of the requested device ("nnapi"). profiled:
    name of the profile, a file. optimized: name of the graph that ran, a file.
    """

    program: str
    device: str
    environment: Environment
    samples_ns: tuple[int, ...]
    start_lengths: tuple[int, ...] = ()
    load_ns: int = 0
    first_ns: int = 0
    peak_bytes: int = 0
    notes: tuple[str, ...] = ()
    profiled: str = ""
    optimized: str = ""


def report_without_layers(
    run: ProgramRun,
    identity: ModelIdentity,
    spec: RunSpec,
    devices: tuple[Device, ...],
    weights_bytes: int,
) -> PerformanceReport:
    """Return the report of a run before its layers are known."""
    return PerformanceReport(
        model=identity,
        spec=spec,
        environment=run.environment,
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        load_ns=run.load_ns,
        first_prediction_ns=run.first_ns,
        prediction_ns=run.samples_ns,
        prediction_cpu_ns=(),
        memory=MemoryUse(0, 0, 0, 0, run.peak_bytes, weights_bytes),
        devices=devices,
        layers=(),
        inserted=(),
        kernel_ns=0,
        trace=from_columns((), (), dict.fromkeys(COLUMNS, ())),
        loads_ns=(run.load_ns,) if run.load_ns else (),
        start_lengths=run.start_lengths,
        notes=run.notes,
    )
