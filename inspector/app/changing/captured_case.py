"""What a part of a model gets and gives within the whole: a test case for the part."""

from pathlib import Path

from inspector.app.subjects import Subject
from inspector.engine.client.engine import Engine
from inspector.engine.requests import GetTensors
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.model.tensors.element_types import Tensor
from inspector.platform import files
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.preview.outputs.saving import npz_pieces
from inspector.units import clip


def save_case(
    engine: Engine, subject: Subject, part: Path, target: Path
) -> tuple[tuple[str, Tensor], ...]:
    """Write the inputs and outputs of a part, as the model computes them, to an .npz file,
    and return them.

    subject: the whole model with its inputs. Raises BadInput: the part has other tensors;
    EngineFailed, NotSaved.
    """
    cut = opening.open_model(part)
    names = dict.fromkeys(info.name for info in (*cut.inputs, *cut.outputs))
    ran = subject.run(
        lambda filled: engine.call(
            GetTensors(
                subject.path,
                subject.spec,
                feeds_by_name(filled),
                tuple(names.keys() - {each.name for each in filled}),
            )
        )
    )
    arrays: dict[str, Tensor | None] = {each.name: each.array for each in ran.filled}
    arrays |= {value.name: value.array for value in ran.result.outputs}
    found = [(name, array) for name in names if (array := arrays.get(name)) is not None]
    missing = names.keys() - {name for name, _ in found}
    if missing:
        what = f"Could not save a test case of {clip(part.name)}"
        why = f"{clip(subject.path.name)} computes no tensor '{clip(min(missing), 80)}'"
        raise BadInput(what, why, "Use it for a part of a model: extract or split.")
    files.write_pieces(target, npz_pieces(found))
    return tuple(found)
