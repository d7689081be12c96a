"""A model as a device's provider compiles it: which layers it takes, how long, how large.

The parts are in EPContext nodes of the new file:
https://onnxruntime.ai/docs/execution-providers/EP-Context-Design.html
Runs in an engine process.
"""

from pathlib import Path
from time import perf_counter_ns
from typing import Any

import onnx

from inspector.analysis.devices import compile_targets
from inspector.backends.onnxruntime.graphs.layer_names import bodies, name_layers, tokens
from inspector.backends.onnxruntime.sessions import devices, providers, session
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.formats.onnx.compiled_parts import COMPILED
from inspector.report.report_values import CompiledModel
from inspector.report.run_spec import RunSpec
from inspector.units import clip


def compiled(model: Path, spec: RunSpec, folder: Path) -> CompiledModel:
    """Have the device of a spec compile a model into a folder.

    Raises BadInput: no such device, or it writes no compiled models. EngineFailed: the runtime
    or the provider refused.
    """
    what = f"Could not compile {clip(model.name)} for {clip(spec.devices[0], 40)}"
    (unit,) = devices.resolve(spec.devices)
    if unit.device.provider in providers.BUILTINS.keys() - compile_targets.WRITERS.keys():
        why = f"{unit.device.name} does not write compiled models"
        raise BadInput(what, why, "`inspector compile --list` lists what does here.")
    made = folder / model.with_suffix(".onnx").name
    source = opening.skeleton(model)
    if any(node.op_type == COMPILED for node in source.graph.node):
        raise BadInput(what, "it is compiled", "Use the model that it was made from.")
    names = _names(source.graph)
    name_layers(source.graph)
    began = perf_counter_ns()
    body, home = source.SerializeToString(), opening.home(model)
    asked = session.compiling_session(body, spec, (unit,), made, home)
    took = perf_counter_ns() - began
    homes = {
        int(token[1:]): part.ep_name
        for part in session.assignments(asked)
        for node in part.get_nodes()
        for token in tokens(node.name)
        if token[0] == "L" and int(token[1:]) < len(names)
    }
    provider = unit.device.provider
    taken = tuple(sorted(layer for layer, home in homes.items() if home == provider))
    left = tuple(sorted(homes.keys() - set(taken)))
    if not made.is_file():
        return CompiledModel((), unit.device, took, taken, left)
    chip = _with_names(made, names)
    parts = opening.open_model(made).compiled
    return CompiledModel(
        (made.name,), unit.device, took, taken, left, len(parts),
        sum(part.size_bytes or 0 for part in parts), made.stat().st_size, chip,
        next((part.sdk for part in parts), ""),
    )  # fmt: skip


def _names(graph: Any) -> list[str]:
    """Return the names of layers, by index."""
    names = []
    for node in graph.node:
        names.append(node.name)
        for _, body in bodies(node):
            names += _names(body)
    return names


def _with_names(made: Path, names: list[str]) -> str:
    """Give layers that were left their own names again; return the chip of the binary."""
    whole = onnx.load(made, load_external_data=False)
    nodes, chip = list(whole.graph.node), ""
    while nodes:
        node = nodes.pop()
        own = [names[int(token[1:])] for token in tokens(node.name) if token[0] == "L"]
        node.name = own[0] if own else node.name
        nodes += [inner for _, body in bodies(node) for inner in body.node]
        if node.op_type == COMPILED and not chip:
            context = (each.s for each in node.attribute if each.name == "ep_cache_context")
            chip = compile_targets.written(next(context, b""))
    made.write_bytes(whole.SerializeToString())
    return chip
