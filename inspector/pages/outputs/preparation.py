"""The page of how a model's inputs are prepared, and of what `prepare` saves."""

from collections.abc import Iterator

from inspector.pages.blocks import Fact, Facts, Page, Section
from inspector.preview.inputs.input_files import preprocessing_text
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.wording.values import Count, Name, Value


def preparation_page(model: str, saved: SavedPreprocessing) -> Page:
    """Return a fact for each image or audio input, length of an axis, and the class names."""
    facts = tuple(_facts(saved)) or (Fact("Inputs", "no image or audio; nothing to save"),)
    return Page("preparation", Name(model), (Section("inputs", "", (Facts(facts),)),))


def _facts(saved: SavedPreprocessing) -> Iterator[Fact]:
    for name, image in saved.pictures.items():
        yield Fact(Name(name), Name(preprocessing_text(image)))
    for name, framing in saved.sounds.items():
        note: Value = Name(framing.why) if framing.why else ""
        yield Fact(Name(name), Name(framing.text()), note)
    for name, length in saved.dimensions.items():
        yield Fact(Name(name), Count(length))
    if saved.decoder:
        yield Fact("Decoder", Name(saved.decoder))
    if saved.labels:
        yield Fact("Class names", Count(len(saved.labels)), Name(f"{saved.labels[0]}, …"))
