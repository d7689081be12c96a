"""The names of a model's classes: saved with it, in its file, or the one list that fits."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from inspector.model.model import Model
from inspector.preview.identity import assumed_labels
from inspector.preview.outputs import labels
from inspector.preview.preprocessing.saved import NONE_SAVED, SavedPreprocessing

BESIDE = "vocab.json"  # source of letters in a file next to the model's
FROM_FILE = "metadata"  # source of class names that the model's file has


class Labels(Struct, frozen=True, eq=False):
    """The names of a model's classes.

    source: where they come from. assumed: nobody named them; they are the only known list of
    as many names as the model has classes.
    """

    names: Sequence[str] = ()
    source: str = ""
    assumed: bool = False

    @classmethod
    def of(
        cls, model: Model, path: Path | None = None, kept: SavedPreprocessing = NONE_SAVED
    ) -> "Labels":
        """Return the names that are saved with a model, else those in its file or beside it.

        path: of the file.
        """
        if kept.labels:
            return cls(kept.labels, kept.source)
        names = labels.of_model(model)
        beside = labels.letters_beside(path, model) if path and not names else ()
        return cls(names or beside, FROM_FILE if names else BESIDE if beside else "")

    def or_assumed(self, model: Model) -> "Labels":
        """Return these names, or where there are none, the one list that fits their number."""
        found = None if self.names else assumed_labels(model)
        return self if found is None else Labels(found.read(), found.title, assumed=True)
