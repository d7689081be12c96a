"""The names of a model's classes: saved with it, in its file, or the one list that fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.model.model import Model
from inspector.preview.identity import assumed_labels
from inspector.preview.outputs import labels
from inspector.preview.preprocessing.saved import NONE_SAVED, SavedPreprocessing

FROM_FILE = "metadata"  # source of class names that the model's file has


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The names of a model's classes.

    source: where they come from. assumed: nobody named them; they are the only known list of
    as many names as the model has classes.
    """

    names: Sequence[str] = ()
    source: str = ""
    assumed: bool = False

    @classmethod
    def of(cls, model: Model, kept: SavedPreprocessing = NONE_SAVED) -> "Labels":
        """Return the names that are saved with a model, else those in its file."""
        if kept.labels:
            return cls(kept.labels, kept.source)
        names = labels.of_model(model)
        return cls(names, FROM_FILE if names else "")

    def or_assumed(self, model: Model) -> "Labels":
        """Return these names, or where there are none, the one list that fits their number."""
        found = None if self.names else assumed_labels(model)
        return self if found is None else Labels(found.read(), found.title, assumed=True)
