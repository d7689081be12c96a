"""One prediction with everything that was read from it: what its page is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import Struct, field

from inspector.model.model import Model
from inspector.model.tensors.prediction import Prediction
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.inputs.audio_windows import ONCE, Pace
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.input_files import preprocessing_text
from inspector.preview.outputs.embedding import CosineSimilarity
from inspector.preview.outputs.scene import PlacedScene
from inspector.preview.preprocessing.presets import TopResult
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.runs.generation import Generated


class TriedPreset(Struct, frozen=True):
    """The result that an image preprocessing preset gave."""

    name: str
    preprocessing: ImagePreprocessing
    result: TopResult

    @property
    def text(self) -> str:
        """Return the preprocessing in one line."""
        return preprocessing_text(replace(self.preprocessing, why=""))


class PredictionResult(Struct, frozen=True, eq=False):
    """One prediction.

    labels: names of its classes. scene: boxes, points or a mask, where an image was given.
    answer: of the model's family, if it was recognized. similarities: of other inputs'
    embeddings, by output. doubts: why the answer may be wrong, as sentences. made_up: nobody
    gave an input. notes: what was assumed and tried.
    """

    model: Model
    filled: Sequence[Filled]
    prediction: Prediction
    labels: Sequence[str] = ()
    pace: Pace = ONCE
    scene: PlacedScene | None = None
    answer: FamilyAnswer | None = None
    generated: Generated | None = None
    similarities: Mapping[str, Sequence[CosineSimilarity]] = field(default_factory=dict)
    tried: Sequence[TriedPreset] = ()
    doubts: Sequence[str] = ()
    made_up: bool = False
    notes: Sequence[str] = ()
