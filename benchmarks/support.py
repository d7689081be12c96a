"""Who says best which layers a device can run: one probe of all, one session each, a table.

Run: python -m benchmarks.support [DEVICE ...] [--models FILE ...] [--provider-option KEY=VALUE]
By default the CPU and the sample models. For each model: layers asked, seconds of the one
probe, seconds with a session for each layer (the truth), how many answers agree, milliseconds
for the table that comes with the program (for the CPU: the runtime's own list of kernels), and
how many of its answers agree with the probe. Differences are listed.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import perf_counter

from inspector.analysis.devices.support_prediction import Oracle
from inspector.analysis.devices.support_tables import SCHEMA, SupportTable, read
from inspector.backends.onnxruntime.attribution.graph_index import read as read_graph
from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.backends.onnxruntime.graphs.tensor_types import (
    WITHOUT_PREPARATION,
    described,
    typed_graphs,
)
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.backends.onnxruntime.placement.isolated_layers import isolate
from inspector.backends.onnxruntime.placement.kernel_registry import kernel_table
from inspector.backends.onnxruntime.placement.placement import (
    Answers,
    PlacementQuery,
    query_device,
)
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.providers import CPU
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.errors import EngineFailed
from inspector.formats import opening
from inspector.model.model import TensorInfo
from inspector.report.run_spec import ProviderOption, RunSpec
from inspector.wording.support_marks import Mark, Source
from tools import make_support_tables as tool

SAMPLES = Path(__file__).parent.parent / "sample_models"
TAKEN = (Mark.SUPPORTED, Mark.CAST, Mark.DECOMPOSED)


@dataclass(frozen=True, slots=True)
class Compared:
    """Agreement of two answers about the same layers, and the layers where they differ."""

    same: int
    differing: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.same}/{self.same + len(self.differing)}"


def truth(
    question: PlacementQuery, layers: Sequence[int], unit: DeviceHandle
) -> dict[int, bool]:
    """Give each layer a session of its own: does the device take all of it?"""
    found: dict[int, bool] = {}
    whole_units = not kernel_table(unit.device.provider).kernels  # it compiles
    units = isolate(question.model, layers, question.graphs, whole_units).units
    spec = replace(question.spec, optimization="none")
    for layer in layers:
        owner = units.get(layer, (layer,))[0]
        if owner in found and owner != layer:
            found[layer] = found[owner]  # it is asked together with the layer it serves
            continue
        alone = isolate(question.model, [owner], question.graphs, whole_units)
        try:
            session = create_session(
                alone.model.SerializeToString(),
                spec,
                [unit],
                config=WITHOUT_PREPARATION,
                external_folder=question.folder,
            )
        except EngineFailed:
            found[layer] = False
            continue
        homes = {part.ep_name for part in session.get_provider_graph_assignment_info()}
        found[layer] = homes == {unit.device.provider}
    return found


def steady(question: PlacementQuery) -> set[int]:
    """Layers that no input can change: alone they have no input, which devices refuse."""
    graph = read_graph(question.model.graph)
    return {graph.nodes[place].layer for place in graph.constant_nodes}


def compare(one: Mapping[int, bool], other: Mapping[int, bool]) -> Compared:
    """Count where both say the same."""
    both = sorted(one.keys() & other.keys())
    differing = tuple(layer for layer in both if one[layer] != other[layer])
    return Compared(len(both) - len(differing), differing)


def predicted(
    question: PlacementQuery, path: Path, device: str
) -> tuple[dict[int, bool], float]:
    """What the shipped table says of each layer, and how long it took."""
    model = opening.open_model(path)
    _, naming = rename(opening.skeleton(path))
    values: dict[str, TensorInfo] = {
        naming.tensor(name): described(naming.tensor(name), kind)
        for graph in reversed(question.graphs)
        for name, kind in graph.types.items()
    }
    began = perf_counter()
    if device in absent_devices.KNOWN:
        weights = absent_devices.small_weights(model, path)
        answers = absent_devices.predict(model, [device], values, weights)[device]
    else:
        answers = Oracle(processor_table(), model, values).answers()
    spent = perf_counter() - began
    asked = ((layer, said.mark) for layer, said in enumerate(answers))
    return {layer: mark in TAKEN for layer, mark in asked if mark != Mark.FOLDED}, spent


@cache
def processor_table() -> SupportTable:
    """The runtime's own kernels for the CPU, in the form of the tables of absent devices."""
    types: list[str] = []
    operators = tool.rows(tool.of_runtime(CPU), types)
    plain = {
        "schema": SCHEMA,
        "devices": {"cpu": {"name": "CPU", "options": [], "assumes": ""}},
        "provider": CPU,
        "source": "this runtime",
        "commit": "",
        "date": "today",
        "folder": "",
        "registry": "the list of kernels",
        "subgraphs": "yes",
        "every": [],
        "rules": [],
        "types": types,
        "kernels": operators,
        "functions": tool.functions(operators),
    }
    return read(json.dumps(plain).encode(), "cpu")


def line(path: Path, unit: DeviceHandle, given: Sequence[ProviderOption]) -> None:
    """Print what was measured of one model on one device. given: options for its provider."""
    renamed, _ = rename(opening.skeleton(path))
    graphs = typed_graphs(renamed, RunSpec(), {}, path.parent)
    spec = RunSpec(devices=(unit.device.id,), provider_options=tuple(given))
    question = PlacementQuery(renamed, graphs, graphs, spec, path.parent)
    nodes = {int(n.name[1:]): n for g in graphs for n in g.graph.node}
    layers = sorted(nodes.keys() - steady(question))
    began = perf_counter()
    answers: Answers = query_device(question, layers, unit)
    probe_s = perf_counter() - began
    probed = {n: a for n, a in answers.items() if a.source is Source.PROBED}
    known = {n: a.mark in TAKEN for n, a in probed.items() if a.mark is not Mark.UNKNOWN}
    began = perf_counter()
    real = truth(question, sorted(known), unit)
    truth_s = perf_counter() - began
    against = compare(known, real)
    words = f"{path.name:44.44} {len(layers):6} {probe_s:8.3f} {truth_s:8.3f} {against!s:>10}"
    name = unit.device.id.partition(":")[0]
    differing = against.differing
    said, table_s = predicted(question, path, name)
    table = compare(said, known)
    words += f" {1e3 * table_s:8.1f} {table!s:>10}"
    differing += table.differing
    print(words, flush=True)
    for layer in dict.fromkeys(differing[:6]):
        print(f"    layer {layer} {nodes[layer].op_type}: {answers[layer].reason}")


def main() -> None:
    """Measure every model on every device."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("devices", nargs="*", default=["cpu"])
    parser.add_argument(
        "--models", nargs="*", type=Path, default=sorted(SAMPLES.glob("*.onnx"))
    )
    parser.add_argument("--provider-option", nargs="*", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    pairs = (text.partition("=") for text in options.provider_option)
    given = [ProviderOption(key, value) for key, _, value in pairs]
    for unit in devices.resolve(options.devices or ["cpu"]):
        print(f"\n{unit.device.name} ({unit.device.source})")
        print(
            f"{'model':44} {'layers':>6} {'probe s':>8} {'each s':>8} {'agree':>10} "
            f"{'table ms':>8} {'agree':>10}"
        )
        for path in options.models:
            line(path, unit, given)


if __name__ == "__main__":
    main()
