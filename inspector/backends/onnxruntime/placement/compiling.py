"""A model as a device's provider compiles it: which layers it takes, how long, how large.

The parts are in EPContext nodes of the new file:
https://onnxruntime.ai/docs/execution-providers/EP-Context-Design.html
Runs in an engine process.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import onnx

from inspector.analysis.devices import compile_targets
from inspector.backends.onnxruntime.graphs.layer_names import bodies, name_layers, tokens
from inspector.backends.onnxruntime.sessions import devices, providers, session
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.errors import BadInput, InspectorError
from inspector.formats import opening
from inspector.formats.onnx.compiled_parts import COMPILED
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.report.report_values import CompiledModel
from inspector.report.run_spec import Dimension, RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

_CHIP = "Name a chip, which need not be here, as in `--target qnn:sm8650`."
_LIST = "`inspector compile --list` lists all targets."


def compiled(model: Path, spec: RunSpec, folder: Path) -> CompiledModel:
    """Have the device of a spec, or the first that can, compile a model into a folder.

    Free axes without a length get the usual one. Raises BadInput: no such device, or it writes
    no compiled models. EngineFailed: the runtime or the provider refused.
    """
    unit = compiler(model.name, *spec.devices)
    made = folder / model.with_suffix(".onnx").name
    source = opening.skeleton(model)
    if any(node.op_type == COMPILED for node in source.graph.node):
        what = f"Could not compile {clip(model.name)}"
        raise BadInput(what, "it is compiled", "Use the model that it was made from.")
    lengths = {
        **fixed_lengths(opening.open_model(model).inputs),
        **{each.name: each.size for each in spec.dimensions},
    }
    fixed = tuple(Dimension(*each) for each in lengths.items())
    spec = replace(spec, devices=(unit.device.id,), dimensions=fixed)
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
    if not made.is_file() or not opening.open_model(made).compiled:
        return CompiledModel((), unit.device, took, taken, left, lengths=(*lengths.items(),))
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
    parts = opening.open_model(made).compiled
    return CompiledModel(
        (made.name,), unit.device, took, taken, left, len(parts),
        sum(part.size_bytes or 0 for part in parts), made.stat().st_size, chip,
        next((part.sdk for part in parts), ""), (*lengths.items(),),
    )  # fmt: skip


def compiler(model: str, target: str = "") -> DeviceHandle:
    """Return what compiles for a chip or a device; by default the first device here that does.

    model: its name, for errors. Raises BadInput: no such target, or it writes no compiled
    models. EngineFailed: installed, but cannot be used.
    """
    target = compile_targets.device_id(target)
    what = f"Could not compile {clip(model)}"
    if not target:
        problems = list[str]()
        for unit in _writers(problems):
            problem = devices.test_device(unit).problem
            if not problem:
                return unit
            problems.append(f"{unit.device.id}: {problem}")
        problems.insert(0, "no device here writes compiled models")
        raise BadInput(what, "; ".join(problems), f"{_CHIP} {_LIST}")
    what = f"{what} for {clip(target, 40)}"
    try:
        (unit,) = devices.resolve((target,))
    except BadInput as error:
        if compile_targets.is_of_writer(target):
            raise
        near = compile_targets.similar(target)
        hint = f"Did you mean '{near}'? " if near else ""
        raise BadInput(what, "there is no such target", hint + _LIST) from error
    if unit.device.provider in providers.BUILTINS.keys() - compile_targets.WRITERS.keys():
        why: str = Sentence("{name} does not write compiled models", unit.device.name)
    elif target in compile_targets.BY_ID:
        return unit
    else:
        why = devices.test_device(unit).problem
    if why:
        raise BadInput(what, why, _LIST)
    return unit


def _writers(problems: list[str]) -> Iterator[DeviceHandle]:
    """Yield the devices here that write compiled models; add why others of their kind
    cannot."""
    known = compile_targets.WRITERS
    yield from (unit for unit in devices.builtin_units() if unit.device.provider in known)
    for plugin in providers.installed_plugins():
        # Others are not even loaded, which takes time and may go wrong.
        if plugin.id.startswith(tuple(known.values())):
            try:
                offered = devices.plugin_units(plugin)
            except InspectorError as error:
                problems.append(f"{plugin.id}: {error.why}")
                continue
            # Without devices that choose among others, such as OpenVINO's AUTO.
            yield from (unit for unit in offered if unit.device.provider in known)


def _names(graph: Any) -> list[str]:
    """Return the names of layers, by index."""
    names = []
    for node in graph.node:
        names.append(node.name)
        for _, body in bodies(node):
            names += _names(body)
    return names
