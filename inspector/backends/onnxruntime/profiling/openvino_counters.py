"""OpenVINO's performance counts, from its own runtime: into a part that it compiled.

ONNX Runtime tells one time for such a part. The package `openvino` compiles the same model for
the same device, and says what each of its operations takes and which layers it is made of:
https://docs.openvino.ai, "Performance Hints and Profiling", "runtime model".
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

from onnx import ModelProto, external_data_helper

from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.profiling.provider_profilers import ProviderCounters, inside
from inspector.backends.onnxruntime.sessions import predict, refusals
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.errors import EngineFailed
from inspector.formats import opening
from inspector.report.report import ProviderProfile

MOST_BYTES = 1 << 30  # of a model whose weights are put into one message
WARM_UPS, RUNS = 2, 10
_PACKAGE = "openvino"
_TELLTALE = "openvino_telemetry"
_MADE_OF = "originalLayersNames"


def counts(
    model: Path, device: str, feeds: Mapping[str, predict.Feed]
) -> dict[int, ProviderProfile]:
    """Compile a model by openvino and run it with its counters on, in an engine process.

    Raises EngineFailed: openvino refused, or the file is too large. UnreadableFile.
    """
    what = f"Could not look into {model.name} by openvino"
    if model.stat().st_size > MOST_BYTES:
        hint = "Leave the provider's own profile out, or measure a smaller model."
        raise EngineFailed(what, "its weights do not fit into one message", hint, "inside")
    renamed, _ = layer_names.rename(opening.skeleton(model))
    external_data_helper.load_external_data_for_model(renamed, str(opening.home(model)))
    try:
        found = tuple(_counted(renamed, device, feeds))
    except REFUSALS as error:
        raise refusals.runtime_failure(error, what, "inside") from error
    operators = [layer.operator for layer in opening.open_model(model).layers]
    source = f"openvino {metadata.version(_PACKAGE)}, its own runtime"
    return dict(inside(found, operators, "ns", source))


def _counted(
    renamed: ModelProto, device: str, feeds: Mapping[str, predict.Feed]
) -> Iterable[ProviderCounters]:
    sys.modules.setdefault(_TELLTALE, None)  # type: ignore[arg-type]  # nobody is told of us
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
    told = info[_MADE_OF].astype(str) if _MADE_OF in info else ""
    return tuple(filter(None, str(told).split(",")))
