"""What several commands that predict are told: a model, values for its inputs, preparations."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli import inputs, preparation

if TYPE_CHECKING:
    from inspector.model import Model
    from inspector.preview.feeds import Filled
    from inspector.preview.frames import Stepping
    from inspector.preview.image import ImageOptions
    from inspector.preview.keeping import Kept


@dataclass(frozen=True, slots=True)
class Asked:
    """A model with all that was said about it, now or in a preparation that is kept."""

    path: Path
    model: "Model"
    given: Mapping[str, str]
    labels: Sequence[str]
    image: "ImageOptions"
    stepping: "Stepping"
    dimensions: Mapping[str, int]
    tokenizer: Path | None
    kept: "Kept"

    def filled(self, given: Mapping[str, str] | None = None) -> "tuple[Filled, ...]":
        """Tensors for all inputs, of the values that were given or of others.

        Raises BadInput, UnreadableFile: as `inspector.preview.feeds.fill_all`.
        """
        from inspector.preview import feeds

        values = self.given if given is None else given
        taken = inputs.taken(self.model, values)
        sizes, stepping = self.dimensions, self.stepping
        return feeds.fill_all(taken, values, sizes, self.image, stepping, self.tokenizer)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add MODEL, the inputs and their preparations."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    inputs.add_arguments(parser)
    parser.add_argument(
        "--labels",
        type=Path,
        metavar="FILE|LIST",
        help="names of the classes: a file, or one of imagenet, imagenet-1001, coco, coco-81, "
        "voc, voc-21, cityscapes, cifar10, fashion-mnist, digits, letters, emotions",
    )
    parser.add_argument("--tokenizer", type=Path, metavar="FILE", help="for text:WORDS")
    parser.add_argument(
        "--plain", action="store_true", help="guess, whatever preparation is kept of the model"
    )
    preparation.add_arguments(parser)


def asked(options: argparse.Namespace, path: Path | None = None) -> Asked:
    """Read the model, or another at `path`, and what was said; options win over what is kept.

    Raises UnreadableFile, BadInput.
    """
    from inspector.preview import builtin_labels, keeping, labels, tokens
    from inspector.readers import open_model

    place = path or options.model
    model = open_model(place)
    kept = keeping.NOTHING if options.plain else keeping.of(place, model.metadata)
    named = builtin_labels.named(options.labels) if options.labels else ()
    given = inputs.values(options.inputs, model)
    return Asked(
        place,
        model,
        given,
        named or kept.labels or labels.from_metadata(model.metadata),
        preparation.image_options(options, model, kept),
        preparation.stepping(options, model, given, kept),
        {**kept.dimensions, **dict(options.dimensions)},
        options.tokenizer or tokens.beside(place),
        kept,
    )


def with_values(asked: Asked, options: argparse.Namespace, given: Mapping[str, str]) -> Asked:
    """The same for other values, whose sounds may have to be cut in another way."""
    stepping = preparation.stepping(options, asked.model, given, asked.kept)
    return replace(asked, given=given, stepping=stepping)


def with_labels(asked: Asked, labels: Sequence[str]) -> Asked:
    """The same with other names of the classes."""
    return replace(asked, labels=labels)


def other_model(options: argparse.Namespace, path: Path) -> Asked:
    """Another model with what was said, but for what names the first one's inputs."""
    plain = argparse.Namespace(**{**vars(options), "inputs": [], "state": None})
    return asked(plain, path)
