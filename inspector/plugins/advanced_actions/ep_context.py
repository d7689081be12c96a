"""The action that saves a model as a device compiled it: the parts are in EPContext nodes.

https://onnxruntime.ai/docs/execution-providers/EP-Context-Design.html
"""

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from inspector.analysis.devices.compile_targets import WRITERS
from inspector.backends.onnxruntime.sessions import devices, providers, session
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.conversion.action import Effect
from inspector.conversion.editable_model import LONGEST_FILE, EditableModel
from inspector.conversion.edits.graph_edits import refused
from inspector.conversion.plan import Context, Plan
from inspector.errors import BadInput, InspectorError
from inspector.formats import opening
from inspector.formats.onnx.compiled_parts import COMPILED
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural
from inspector.wording.values import Sentence

_NAMES = [providers.BUILTINS[provider].name for provider in WRITERS]
_KNOWN = Sentence("{join} and {value}", ", ".join(_NAMES[:-1]), _NAMES[-1])


def ep_context(model: EditableModel, device: str) -> Plan:
    """Plan to save the model as a device compiles it; by default the first that can."""
    size = model.size_bytes()
    if size > LONGEST_FILE:
        return refused(model, "a model with its compiled parts must be smaller than 2 GiB")
    if any(node.op_type == COMPILED for node in model.proto.graph.node):
        return Plan(Effect(bytes_before=size, nothing="the model is compiled already"))
    hint = "`inspector devices` lists the devices here and those that can be added."
    if device:
        (unit,) = devices.resolve((device,))
        if unit.device.provider in providers.BUILTINS.keys() - WRITERS.keys():
            why = f"'{clip(device, 40)}' does not write EP context"
            return refused(model, f"{why} ({_KNOWN} do)", hint)
        others = list[str]()
    else:
        writers, problems = _writers()
        if not writers:
            why = "; ".join(["no device here writes EP context", *problems])
            return refused(model, f"{why} ({_KNOWN} do)", hint)
        unit, *rest = writers
        others = [each.device.id for each in rest]
    touches = f"layers that {unit.device.id} supports, compiled for {unit.device.name}"
    if others:
        touches += f" (also here: {', '.join(others)})"
    caution = Sentence(
        "Only {name} on a device of the same kind can "
        "run the result, often only with the same version of its software. No other actions "
        "can be applied to it.",
        providers.builtin(unit.device.provider).name,
    )

    def apply(context: Context) -> None:
        def finish(path: Path) -> Path:
            folder = Path(mkdtemp(prefix="compiled-", dir=path.parent))
            # The name is kept in the result.
            source = path.replace(folder / model.path.name)
            made = _compiled(source, unit, folder, context)
            made.replace(path)
            rmtree(folder)
            return path

        context.devices = (unit.device.id,)
        model.external, model.finish = False, finish

    layers = len(model.proto.graph.node)
    return Plan(Effect(touches, layers, size, None, caution=caution), apply)


def _writers() -> tuple[list[DeviceHandle], list[str]]:
    """Return the devices here that write EP context, and why others of their kind cannot."""
    found, problems = list[DeviceHandle](), list[str]()
    for unit in devices.builtin_units():
        if unit.device.provider in WRITERS:
            missing = devices.missing_library_reason(unit.device.provider)
            if missing:
                problems.append(f"{unit.device.id}: {missing}")
            else:
                found.append(unit)
    for plugin in providers.installed_plugins():
        # Others are not even loaded, which takes time and may go wrong.
        if plugin.id.startswith(tuple(WRITERS.values())):
            try:
                offered = devices.plugin_units(plugin)
            except InspectorError as error:
                problems.append(f"{plugin.id}: {error.why}")
                continue
            # Without devices that choose among others, such as OpenVINO's AUTO.
            found += [unit for unit in offered if unit.device.provider in WRITERS]
    return found, problems


def _compiled(source: Path, unit: DeviceHandle, folder: Path, context: Context) -> Path:
    """Have a device compile a model. Raises BadInput: it did not; EngineFailed."""
    spec = RunSpec(devices=(unit.device.id,))
    made = folder / "compiled.onnx"
    session.compiling_session(source, spec, (unit,), made)
    layers = opening.skeleton(made).graph.node if made.is_file() else []
    parts = sum(node.op_type == COMPILED for node in layers)
    if not parts:
        what = Sentence("Could not compile {clip} for {id}", clip(source.name), unit.device.id)
        why = "the device compiled no part of the model"
        raise BadInput(what, why, "Choose another device.")
    rest = len(layers) - parts
    left = f"; {plural(rest, 'layer')} left for other devices" if rest else ""
    context.notes.append(f"{plural(parts, 'part')} compiled by {unit.device.source}{left}")
    return made
