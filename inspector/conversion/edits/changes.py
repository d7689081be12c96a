"""The difference that an edit makes to a graph: what the window shows before it is applied.

Nothing here needs onnx: the window reads these values, too. `graph_difference` finds them.
"""

from enum import StrEnum

from msgspec import Struct

from inspector.conversion.action import Effect


class Rewire(Struct, frozen=True):
    """A layer that reads another tensor than before, in the place of one of its inputs."""

    layer: int
    place: int
    old: str
    new: str


class Added(Struct, frozen=True):
    """A layer that an edit adds."""

    operator: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class End(Struct, frozen=True):
    """An input or output of the model whose type or shape changes, as texts."""

    name: str
    before: str
    after: str


class Change(Struct, frozen=True):
    """What an edit does to a model.

    refused: why it cannot be done, with a hint; "" where it can. All layers are numbers of the
    main graph before the edit. removed: those that go. changed: those with other attributes,
    another name or operator, other weights or branches. rewired: those that read other tensors.
    renamed: tensors with another name: (old, new). retyped: inputs and outputs of another type
    or shape. layers, weight_bytes: in the main graph, before and after.
    """

    refused: str = ""
    hint: str = ""
    touches: str = ""
    removed: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    rewired: tuple[Rewire, ...] = ()
    added: tuple[Added, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    new_inputs: tuple[str, ...] = ()
    lost_inputs: tuple[str, ...] = ()
    new_outputs: tuple[str, ...] = ()
    lost_outputs: tuple[str, ...] = ()
    retyped: tuple[End, ...] = ()
    layers: tuple[int, int] = (0, 0)
    weight_bytes: tuple[int, int] = (0, 0)

    @property
    def possible(self) -> bool:
        """Return whether the edit can be done."""
        return not self.refused


class MarkKind(StrEnum):
    """How a layer of an edited model differs from the model that was opened."""

    NEW = "new"
    CHANGED = "changed"
    REWIRED = "rewired"


class LayerMark(Struct, frozen=True):
    """A layer of an edited model that is another one than in the model that was opened.

    number: among the layers of the main graph. names: of attributes or weights that changed;
    empty for another name or operator.
    """

    number: int
    kind: MarkKind
    names: tuple[str, ...] = ()


class Edited(Struct, frozen=True):
    """A model after edits: its files in the folder, the model's first, and what each edit did.

    Edits that are refused are left out: their effects say why. renamed: inputs and outputs with
    other names than the original's: (new name, old name). marks: of layers.
    """

    files: tuple[str, ...]
    effects: tuple[Effect, ...]
    renamed: tuple[tuple[str, str], ...] = ()
    marks: tuple[LayerMark, ...] = ()
