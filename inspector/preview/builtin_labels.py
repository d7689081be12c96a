"""Names of classes that come with the program, for models that carry none."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector import files
from inspector.preview import labels

BACKGROUND = "background"
_BOX = (4, 5)  # a row of a box has these many numbers besides its classes


@dataclass(frozen=True, slots=True)
class LabelList:
    """A list under the key that the command line knows; the words are for people.

    file: in resources/labels. background: whether "background" stands before its names.
    """

    key: str
    words: str
    file: str
    count: int
    background: bool = False

    def read(self) -> tuple[str, ...]:
        """The names in the order of their classes."""
        names = labels.read(files.resource("labels", f"{self.file}.txt"))
        return (BACKGROUND, *names) if self.background else names


LISTS = (
    LabelList("imagenet", "ImageNet", "imagenet", 1000),
    LabelList("imagenet-1001", "ImageNet with background", "imagenet", 1001, True),
    LabelList("coco", "COCO", "coco", 80),
    LabelList("coco-81", "COCO with background", "coco", 81, True),
    LabelList("voc", "Pascal VOC", "voc", 20),
    LabelList("voc-21", "Pascal VOC with background", "voc", 21, True),
    LabelList("cityscapes", "Cityscapes", "cityscapes", 19),
    LabelList("cifar10", "CIFAR-10", "cifar10", 10),
    LabelList("fashion-mnist", "Fashion-MNIST", "fashion-mnist", 10),
    LabelList("digits", "Digits", "digits", 10),
    LabelList("letters", "Letters A to Z", "letters", 26),
    LabelList("emotions", "Emotions (FER+)", "emotions", 8),
)


def named(name: Path) -> tuple[str, ...]:
    """The labels of a file or, where there is none of this name, of a list of ours.

    Raises UnreadableFile: neither, or no labels in it.
    """
    own = next((each for each in LISTS if each.key == str(name).lower()), None)
    return labels.read(name) if own is None or name.exists() else own.read()


def fitting(shapes: Sequence[Sequence[int]]) -> tuple[LabelList, ...]:
    """Lists that have as many names as an axis of the outputs has classes, boxes included."""
    counts = {axis - more for shape in shapes for axis in shape for more in (0, *_BOX)}
    return tuple(each for each in LISTS if each.count in counts)
