"""What the note beside the pointer says of a box."""

from inspector import units
from inspector.analysis.layout_drawing import BoxKind
from inspector.analysis.submission import handed_over
from inspector.model import TensorInfo, WeightInfo
from inspector.ui.graph.scene import Scene

_MOST = 3


def title(scene: Scene, box: int) -> str:
    """The operator, or what the box is."""
    return scene.words(box).title


def facts(scene: Scene, box: int) -> tuple[tuple[str, str], ...]:
    """Full name, values in and out with their shapes, time and fate."""
    drawing, layer = scene.drawing, scene.layer(box)
    body = drawing.bodies[drawing.body[box]]
    if drawing.kind[box] in (BoxKind.INPUT, BoxKind.OUTPUT):
        name = scene.words(box).name
        return (("Name", name), *_value(scene, "Type", name))
    if layer is None:
        count = units.plural(body.tree.counts[int(drawing.node[box])], "layer")
        return (("Layers", count), ("Open", "double click, or Return"))
    found = [("Name", units.clip(layer.label, 120))]
    for words, names in (("In", layer.inputs), ("Out", layer.outputs)):
        given = [name for name in names if name]
        for name in given[:_MOST]:
            found.extend(_value(scene, words, name))
        if len(given) > _MOST:
            found.append((words, f"{len(given) - _MOST} more"))
    return (*found, *_fate(scene, box))


def _value(scene: Scene, words: str, name: str) -> tuple[tuple[str, str], ...]:
    known = scene.values.get(name)
    shown = units.clip(units.scope_and_name(name)[1], 30)
    if known is None:
        return ((words, shown),)
    return ((words, f"{shown} {described(known)}"),)


def described(value: TensorInfo | WeightInfo) -> str:
    """Shape and type in one line: '1×64×56×56 float32'."""
    return f"{units.shape(value.shape)} {units.clip(value.dtype, 40)}"


def _fate(scene: Scene, box: int) -> tuple[tuple[str, str], ...]:
    use = scene.use(box)
    if use is None:
        return ()
    if use.time_ns is not None:
        where = f" on {units.device(use.ran_on)}" if use.ran_on else ""
        return (("Time", f"{units.duration(use.time_ns)}{where}"),)
    if use.submitted_ns is not None:
        return (("Time", f"not timed, {handed_over(use)}"),)
    into = f" into layer {use.into}" if use.into is not None else ""
    return (("Time", f"none of its own: {use.status.value}{into}"),)
