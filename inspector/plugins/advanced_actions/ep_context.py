"""What `inspector compile` does, as an action: its name before there was that command."""

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from inspector.backends.onnxruntime.placement.compiling import compiled, compiler
from inspector.conversion.action import Effect
from inspector.conversion.editable_model import LONGEST_FILE, EditableModel
from inspector.conversion.edits.graph_edits import refused
from inspector.conversion.plan import Context, Plan
from inspector.errors import BadInput
from inspector.formats.onnx.compiled_parts import COMPILED
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural
from inspector.wording.values import Code, Sentence


def ep_context(model: EditableModel, device: str) -> Plan:
    """Plan to save the model as a device compiles it; by default the first that can."""
    size = model.size_bytes()
    if size > LONGEST_FILE:
        return refused(model, "a model with its compiled parts must be smaller than 2 GiB")
    if any(node.op_type == COMPILED for node in model.proto.graph.node):
        return Plan(Effect(bytes_before=size, nothing="the model is compiled already"))
    try:
        unit = compiler(model.path.name, device)
    except BadInput as error:
        return refused(model, error.why, error.hint)
    touches = f"layers that {unit.device.id} supports, compiled for {unit.device.name}"
    caution = (
        "Only a device of the same kind can run the result, often only with the same version "
        "of its software. No other actions can be applied to it."
    )

    def apply(context: Context) -> None:
        def finish(path: Path) -> Path:
            folder = Path(mkdtemp(prefix="compiled-", dir=path.parent))
            (folder / "source").mkdir()
            # The name is kept in the result.
            source = path.replace(folder / "source" / model.path.name)
            made = compiled(source, RunSpec(devices=(unit.device.id,)), folder)
            if not made.files:
                name = clip(source.name)
                what = Sentence("Could not compile {name} for {id}", name, unit.device.id)
                why = "the device compiled no part of the model"
                raise BadInput(what, why, "Choose another device.")
            left = plural(len(made.left), "layer")
            rest = f"; {left} left for other devices" * bool(made.left)
            parts = plural(made.parts, "part")
            context.notes.append(f"{parts} compiled by {unit.device.source}{rest}")
            path = (folder / made.files[0]).replace(path)
            rmtree(folder)
            return path

        command = Code("inspector compile")
        context.notes.append(Sentence("{command} does this and tells more.", command=command))
        context.devices = (unit.device.id,)
        model.external, model.finish = False, finish

    layers = len(model.proto.graph.node)
    return Plan(Effect(touches, layers, size, None, caution=caution), apply)
