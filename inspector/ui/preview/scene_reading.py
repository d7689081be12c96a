"""What all outputs say about a picture; worked out on a job's thread, knows no widget."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.prediction import Prediction
from inspector.preview.decoders import scene
from inspector.preview.decoders.scene import Scene, Way
from inspector.ui.preview.filling import Filling, Seen

NOTHING = "Outputs only"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the outputs are to be read: a way's name, and its settings; None as usual."""

    way: str = ""
    score: float | None = None
    overlap: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SceneReading:
    """The ways that fit, and the scene in the wanted one; None when nothing is wanted."""

    ways: tuple[Way, ...]
    scene: Scene | None
    seen: Seen
    labels: tuple[str, ...]


def read_scene(
    prediction: Prediction, filling: Filling, labels: Sequence[str], wanted: Wanted
) -> SceneReading | None:
    """Read the outputs as places in the picture that went in; None where nothing fits."""
    seen = next(iter(filling.seen.values()), None)
    if seen is None:
        return None
    height, width = seen.last.picture.shape[:2]
    outputs = prediction.outputs
    ways = scene.ways(outputs, width, height, seen.preparation.channels)
    if not ways:
        return None
    if wanted.way == NOTHING:
        return SceneReading(ways, None, seen, tuple(labels))
    way = next((way for way in ways if way.name == wanted.way), ways[0])
    own = wanted if way.name == wanted.way else Wanted()
    found = scene.scene(way, outputs, width, height, seen.part, own.score, own.overlap)
    return SceneReading(ways, found, seen, tuple(labels))
