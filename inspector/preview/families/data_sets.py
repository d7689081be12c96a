"""Data sets of images by what tells a model of theirs: number of classes and size of images."""

from msgspec import Struct


class DataSet(Struct, frozen=True):
    """A data set of labeled images.

    sizes: of its square images in pixels, where its number of classes alone says little; empty
    for any. gray: whether these are gray.
    """

    count: int
    sizes: tuple[int, ...] = ()
    gray: bool = False

    def has_images_of(self, width: int, height: int, gray: bool) -> bool:
        """Return whether a model of such images may be of this data set."""
        square = width == height and width in self.sizes
        return not self.sizes or (square and self.gray == gray)


IMAGENET = DataSet(1000)
IMAGENET_WITH_BACKGROUND = DataSet(1001)
CIFAR10 = DataSet(10, (32,))
FASHION_MNIST = DataSet(10, (28,), True)
DIGITS = DataSet(10, (8, 28, 32), True)
LETTERS = DataSet(26, (28, 32), True)
EMOTIONS = DataSet(8, (48, 64), True)  # FER+
DATA_SETS = (
    IMAGENET, IMAGENET_WITH_BACKGROUND, CIFAR10, FASHION_MNIST, DIGITS, LETTERS, EMOTIONS,
)  # fmt: skip
