"""Read profilers of execution providers: times inside the parts that they compile.

QNN writes a CSV: https://github.com/onnxruntime/onnxruntime-qnn, QNN-ExecutionProvider.md,
"QNN EP Profiling". Its rows for layers are called NODE and count cycles.

For a part that OpenVINO compiled, ONNX Runtime reports one time. The package `openvino`
compiles the same model for the same device, and lists the time of each of its operations and
the layers that it is made of: https://docs.openvino.ai, "Performance Hints and Profiling",
"runtime model".
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from statistics import mean, median
from typing import Any

from msgspec import Struct
from onnx import ModelProto, external_data_helper

from inspector.backends.onnxruntime.attribution.fusion_knowledge import QUANTIZING
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.sessions import predict, refusals
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import receives_options
from inspector.errors import EngineFailed
from inspector.formats import opening
from inspector.report.report_values import ProviderProfile
from inspector.report.run_spec import ProviderOption, RunSpec

QNN = "QNNExecutionProvider"
_QNN_FILE = "qnn.csv"
_QNN_SWITCH = "profiling_level"
_SOURCES = "ONNX Source Ops"
_QNN_SOURCE = "QNN profiler"
NOTE = (
    "The QNN profiler was enabled in the profiled runs: it reports the time of each layer in a "
    "compiled partition, and makes these runs slower. Latency was measured without it."
)

MOST_BYTES = 1 << 30  # of a model whose weights are put into one message
WARM_UPS = 2
RUNS = 10
_PACKAGE = "openvino"
_TELLTALE = "openvino_telemetry"
_MADE_OF = "originalLayersNames"


class ProviderCounters(Struct, frozen=True):
    """The time of one operation of the provider per prediction, and the nodes it comes from."""

    nodes: tuple[str, ...]
    amount: int


def switched_on(spec: RunSpec, units: Sequence[DeviceHandle], folder: Path) -> RunSpec:
    """Enable the profiler of the first device's provider, unless the user already did.

    folder: private, takes the provider's files.
    """
    provider = next((u.device.provider for u in units if receives_options(spec, u)), "")
    if provider != QNN or any(each.key == _QNN_SWITCH for each in spec.provider_options):
        return spec
    more = {
        _QNN_SWITCH: "detailed",
        "profiling_file_path": str(folder / _QNN_FILE),
        "enable_framework_op_trace": "1",  # it names the nodes in the CSV
        "framework_op_trace_dir": str(folder),
    }
    options = (ProviderOption(key, value) for key, value in more.items())
    return replace(spec, provider_options=(*spec.provider_options, *options))


def read(folder: Path, skipped: int) -> tuple[ProviderCounters, ...]:
    """Read what was written meanwhile. skipped: predictions at the start that do not count."""
    path = folder / _QNN_FILE
    if not path.is_file():
        return ()
    return read_qnn(path.read_text("utf-8", "replace").splitlines(), skipped)


def read_qnn(lines: Iterable[str], skipped: int = 0) -> tuple[ProviderCounters, ...]:
    """Read QNN's CSV: every operation with its mean over the predictions that count."""
    cycles_of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in csv.DictReader(lines):
        cycles = row.get("Time") or ""
        if row.get("Message") != "NODE" or row.get("Unit of Measurement") != "CYCLES":
            continue
        if cycles.isdigit():
            name = (row.get("Event Identifier") or "").removesuffix(" (cycles)")
            sources = row.get(_SOURCES)
            alone = name.partition(":OpId_")[0] if ":OpId_" in name else ""
            cycles_of[name, alone if sources is None else sources].append(int(cycles))
    return tuple(
        ProviderCounters(
            tuple(filter(None, nodes.split(";"))), round(mean(some[skipped:] or some))
        )
        for (_, nodes), some in cycles_of.items()
    )


def inside(
    counted: Sequence[ProviderCounters],
    operators: Sequence[str],
    unit: str = "cycles",
    source: str = _QNN_SOURCE,
) -> Mapping[int, ProviderProfile]:
    """Return the provider's counts of layers, by the names that `layer_names.rename` gave them.

    An operation made of several layers counts at the first that is more than a change of
    numbers; what the provider inserted counts only in the whole. operators: of the layers.
    unit, source: of the amounts, as in ProviderProfile.
    """
    total = sum(each.amount for each in counted)
    amounts: dict[int, int] = defaultdict(int)
    for each in counted:
        tokens = (token for name in each.nodes for token in layer_names.tokens(name))
        layers = [int(token[1:]) for token in tokens if token[0] == "L"]
        if layers:
            lead = min(layers, key=lambda layer: (operators[layer] in QUANTIZING, layer))
            amounts[lead] += each.amount
    return {
        layer: ProviderProfile(amount, total, unit, source) for layer, amount in amounts.items()
    }


def counts(
    model: Path, device: str, feeds: Mapping[str, predict.Feed]
) -> dict[int, ProviderProfile]:
    """Compile a model by openvino and run it with its counters on, in an engine process.

    Raises EngineFailed: openvino refused, or the file is too large. UnreadableFile.
    """
    what = f"Could not profile {model.name} with openvino"
    if model.stat().st_size > MOST_BYTES:
        hint = "Turn off the profile of the execution provider, or measure a smaller model."
        raise EngineFailed(
            what, "its weights exceed the 2 GiB that one file can hold", hint, "inside"
        )
    renamed, _ = layer_names.rename(opening.skeleton(model))
    external_data_helper.load_external_data_for_model(renamed, str(opening.home(model)))
    try:
        counted = tuple(_counted(renamed, device, feeds))
    except REFUSALS as error:
        raise refusals.runtime_failure(error, what, "inside") from error
    operators = [layer.operator for layer in opening.open_model(model).layers]
    source = f"the openvino {metadata.version(_PACKAGE)} runtime"
    return dict(inside(counted, operators, "ns", source))


def _counted(
    renamed: ModelProto, device: str, feeds: Mapping[str, predict.Feed]
) -> Iterable[ProviderCounters]:
    sys.modules.setdefault(_TELLTALE, None)  # type: ignore[arg-type]  # nobody is told of us
    # 75 ms of shared libraries, after the line above
    import openvino

    makers = {name: node.name for node in renamed.graph.node for name in node.output if name}
    core = openvino.Core()
    read = core.read_model(renamed.SerializeToString())
    # Its default on some processors is bfloat16, which the provider's is not.
    settings = {"PERF_COUNT": True, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = core.compile_model(read, device, settings)
    request = compiled.create_infer_request()
    times: dict[str, list[int]] = defaultdict(list)
    for number in range(WARM_UPS + RUNS):
        request.infer(dict(feeds))
        for each in request.get_profiling_info() if number >= WARM_UPS else ():
            if each.status == openvino.ProfilingInfo.Status.EXECUTED:
                times[each.node_name].append(round(each.real_time.total_seconds() * 1e9))
    made_of = {
        each.get_friendly_name(): _names(each.get_rt_info())
        for each in compiled.get_runtime_model().get_ordered_ops()
    }
    for name, some in times.items():
        names = (*made_of.get(name, ()), name)
        yield ProviderCounters(
            tuple(makers.get(each, each) for each in names), round(median(some))
        )


def _names(info: Any) -> tuple[str, ...]:
    sources = info[_MADE_OF].astype(str) if _MADE_OF in info else ""
    return tuple(filter(None, str(sources).split(",")))
