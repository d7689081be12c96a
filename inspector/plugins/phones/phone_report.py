"""The report of a benchmark program on a phone; run with the folder that has what it measured.

A process of its own, since it loads the runtime's Python package to read a profile, which the
window never does. It works in one folder that the caller has filled.
"""

import sys
from pathlib import Path

import msgspec

from inspector.backends.litert import benchmark_log
from inspector.backends.measuring.benchmark_program import report_without_layers
from inspector.backends.onnxruntime.profiling import program_profile
from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.plugins.phones.phone import BENCHMARK_MODEL, REPORT, REQUEST, ReportRequest
from inspector.preview.identity import measured_model
from inspector.report import report as reports
from inspector.report.report import Device
from inspector.wording import stored

_LITERT = {"cpu": ("CPU", "cpu"), "gpu": ("GPU", "gpu"), "nnapi": ("NNAPI", "npu")}


def main() -> None:
    """Make the report that the folder of the first argument requests."""
    folder = Path(sys.argv[1])
    try:
        request = stored.decode(
            (folder / REQUEST).read_bytes(), msgspec.json.Decoder(ReportRequest)
        )
        (folder / REPORT).write_bytes(reports.to_json(_report(folder, request)))
    except InspectorError as error:
        sys.exit(f"{error.what}: {error.why}")


def _report(folder: Path, request: ReportRequest) -> reports.PerformanceReport:
    path, run = Path(request.model), request.run
    model = opening.open_model(path)
    identity = measured_model(path, model, request.sha256)
    weights = sum(weight.size_bytes or 0 for weight in model.weights)

    def bare(*devices: Device) -> reports.PerformanceReport:
        return report_without_layers(run, identity, request.spec, devices, weights)

    if run.program == BENCHMARK_MODEL:
        name, kind = _LITERT.get(run.device, (run.device, "unknown"))
        report = bare(Device(run.device, name, kind, "LiteRT"))
        if not run.profiled:
            return report
        log = (folder / run.profiled).read_text("utf-8", "replace")
        return benchmark_log.with_layers(report, model, log)

    units = dict.fromkeys((run.device, "cpu"))
    report = bare(*map(program_profile.device, units))
    if not run.profiled:
        return report
    optimized = folder / run.optimized if run.optimized else None
    return program_profile.with_layers(report, path, folder / run.profiled, optimized)


if __name__ == "__main__":
    main()
