"""Names of classes: of a model's file, of a file that somebody gives, or of a known list."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from inspector.errors import InspectorError, UnreadableFile
from inspector.model.model import Axis, Model, TensorInfo, cached_by_model
from inspector.model.tensors.element_types import holds_scores
from inspector.platform import files
from inspector.preview.families import data_sets, label_text
from inspector.preview.families.data_sets import DataSet
from inspector.preview.families.label_text import ModelLabels
from inspector.preview.preprocessing.guess import guess
from inspector.preview.preprocessing.recipe import ImagePreprocessing

_TOKENS = ("int32", "int64")  # types of inputs whose vocabulary is no list of classes
_LETTERS_FILE = "vocab.json"  # of wav2vec 2.0 and others of Hugging Face: letter -> class
_MOST_LAYERS = 200  # from the file's end, in which a classifier of ai.onnx.ml lists its classes
# Classes of letters over time that a list may leave out: the blank, and a space at the end.
_MOST_UNLISTED = 2
BACKGROUND = "background"
_NO_CLASSES = ("embed", "feature", "pool", "hidden", "state", "landmark", "box")
_BOX = (4, 5)  # a row of a box has these many numbers besides its classes
_LINE_HEIGHTS = (32, 48)  # of images of one line of text
_MOST_STEPS = 1000  # of a line; detectors have more boxes
IMAGES = "images"
BOXES = "boxes"
MAPS = "maps"
# The characters that OpenCV's and many other CRNN models were trained for
# (opencv/opencv_zoo, models/text_recognition_crnn: charset_36_EN.txt, and the case-sensitive
# list of OpenCV's tutorial on text recognition).
_SMALL = "0123456789abcdefghijklmnopqrstuvwxyz"
# Numbers that COCO's 80 classes leave out of 0 to 89, which TensorFlow's detectors give.
_COCO_GAPS = (11, 25, 28, 29, 44, 65, 67, 68, 70, 82)


def read(path: Path) -> tuple[str, ...]:
    """Read labels in the order of their classes; "" for a class without one.

    Text: one per line; their own numbers in front are taken off. JSON: a list, an object of
    index to name or of name to index, or an object that holds one of these.
    Raises UnreadableFile: missing, not text, no labels in it.
    """
    what = f"Could not read class names from {path.name}"
    try:
        text = files.read_capped(path, label_text.LIMIT_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(what, "it is not UTF-8 text", "Save it as UTF-8.") from error
    names = label_text.parsed(text) or label_text.from_lines(text)
    if not names:
        hint = "Use a text file with one name per line, or a JSON list."
        raise UnreadableFile(what, "it contains no names", hint)
    return names


@cached_by_model
def of_model(model: Model) -> ModelLabels:
    """Return the names that a model's file has for its classes; empty when it has none.

    They come from what a format declares (Core ML, the operators of ai.onnx.ml), from metadata
    under the usual keys, from label files inside (TensorFlow Lite), and from lists of letters
    of models that read text.
    """
    if model.details is not None and model.details.classes:
        return ModelLabels(model.details.classes)
    lists = label_text.classes(model.metadata, [info.name for info in model.outputs])
    by_output, others = _by_output(model, lists)
    letters = label_text.letters(model.metadata)
    reads_text = any(info.dtype in _TOKENS for info in model.inputs)
    if letters and not reads_text and _spells(model.outputs, len(letters)):
        return ModelLabels(letters, letters=True)
    main = model.outputs[0].name if model.outputs else ""
    names = by_output.get(main) or others or next(iter(by_output.values()), ())
    return ModelLabels(names or declared(model)[1], by_output, others)


def letters_beside(path: Path, model: Model) -> ModelLabels:
    """Return the letters in the vocab.json next to a model that writes letters over time.

    Empty without such a file, or where it is a tokenizer's or does not fit.
    """
    place = path.with_name(_LETTERS_FILE)
    reads_text = any(info.dtype in _TOKENS for info in model.inputs)
    if reads_text or files.exists(path.with_name("merges.txt")) or not files.is_file(place):
        return ModelLabels()
    try:
        letters = read(place)
    except InspectorError:
        return ModelLabels()
    fits = _spells(model.outputs, len(letters)) and label_text.spell(letters)
    return ModelLabels(letters, letters=True) if fits else ModelLabels()


def declared(model: Model) -> tuple[str, tuple[str, ...]]:
    """Return which operator of ai.onnx.ml lists the classes, and their labels; ("", ()) where
    none does or the list is long."""
    for layer in reversed(model.layers[-_MOST_LAYERS:]):
        for attribute in layer.attributes:
            if attribute.name.startswith("classlabels_") and "…" not in attribute.text:
                return layer.operator, tuple(attribute.text.split(", "))
    return "", ()


def _by_output(
    model: Model, lists: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return the lists whose keys name an output, by output, and the first other list."""
    by_output: dict[str, tuple[str, ...]] = {}
    others: tuple[str, ...] = ()
    for key, names in lists.items():
        subject = label_text.subject(key)
        outputs = _about(model.outputs, subject, True) or _about(model.outputs, subject, False)
        if len(outputs) == 1:
            by_output.setdefault(outputs[0], names)
        elif not outputs:
            others = others or names
    return by_output, others


def _about(outputs: Sequence[TensorInfo], subject: str, whole: bool) -> list[str]:
    """Return the outputs that a subject names, by their names in the graph or in the metadata;
    whole: by whole names, otherwise by how these begin."""
    return [
        output.name
        for output in outputs
        if any(
            label_text.is_about(subject, name, whole)
            for name in (output.name, dict(output.metadata).get("name", ""))
        )
    ]


def _spells(outputs: Sequence[TensorInfo], count: int) -> bool:
    """Return whether an output may hold scores of so many letters over time."""
    lengths = [
        output.shape[2]
        for output in outputs
        if len(output.shape or ()) == 3 and output.shape and holds_scores(output.dtype)
    ]
    return any(
        not isinstance(length, int) or 0 <= length - count <= _MOST_UNLISTED
        for length in lengths
    )


class LabelList(Struct, frozen=True):
    """A list under the key that the command line knows; the words are for people.

    file: in resources/labels. background: whether "background" stands before its names.
    alphabet: the letters of a reader of text in their order, instead of a file; its first class
    is the blank between letters. data: the data set whose classes these are; its names are
    assumed for models of its images only. kinds: which outputs have these classes, out of
    IMAGES, BOXES and MAPS. gaps: numbers of classes that have no name, in order.
    """

    key: str
    title: str
    file: str
    count: int
    background: bool = False
    alphabet: str = ""
    data: DataSet | None = None
    kinds: tuple[str, ...] = (IMAGES,)
    gaps: tuple[int, ...] = ()

    def takes(self, image: ImagePreprocessing) -> bool:
        """Return whether a model of such images may be of this list."""
        gray = image.order == "gray"
        return self.data is None or self.data.has_images_of(image.width, image.height, gray)

    def read(self) -> tuple[str, ...]:
        """The names in the order of their classes."""
        if self.alphabet:
            return (label_text.BLANK, *self.alphabet)
        names = read(files.resource("labels", f"{self.file}.txt"))
        listed = list(names)
        for gap in self.gaps:
            listed.insert(gap, "")
        return (BACKGROUND, *listed) if self.background else tuple(listed)


class ClassNames(Struct, frozen=True):
    """Names of classes that somebody chose, and where they come from; empty: show numbers."""

    source: str = ""
    names: tuple[str, ...] = ()


_LETTERS_OVER_TIME = (
    LabelList("text-36", "Digits and letters (text recognition)", "", 37, alphabet=_SMALL),
    LabelList("text-62", "Digits and letters in both cases (text recognition)", "", 63,
              alphabet=_SMALL + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
)  # fmt: skip


def _images(
    key: str, title: str, file: str, data: DataSet, background: bool = False
) -> LabelList:
    return LabelList(key, title, file, data.count, background, data=data)


LISTS = (
    _images("imagenet", "ImageNet", "imagenet", data_sets.IMAGENET),
    _images("imagenet-1001", "ImageNet with background", "imagenet",
            data_sets.IMAGENET_WITH_BACKGROUND, True),
    LabelList("coco", "COCO", "coco", 80, kinds=(BOXES, MAPS)),
    LabelList("coco-81", "COCO with background", "coco", 81, True, kinds=(BOXES, MAPS)),
    LabelList("coco-90", "COCO, 90 numbers", "coco", 90, kinds=(BOXES,), gaps=_COCO_GAPS),
    LabelList("voc", "Pascal VOC", "voc", 20, kinds=(BOXES, MAPS)),
    LabelList("voc-21", "Pascal VOC with background", "voc", 21, True, kinds=(BOXES, MAPS)),
    LabelList("cityscapes", "Cityscapes", "cityscapes", 19, kinds=(MAPS,)),
    _images("cifar10", "CIFAR-10", "cifar10", data_sets.CIFAR10),
    _images("fashion-mnist", "Fashion-MNIST", "fashion-mnist", data_sets.FASHION_MNIST),
    _images("digits", "Digits", "digits", data_sets.DIGITS),
    _images("letters", "Letters A to Z", "letters", data_sets.LETTERS),
    _images("emotions", "Emotions (FER+)", "emotions", data_sets.EMOTIONS),
    *_LETTERS_OVER_TIME,
)  # fmt: skip


def named(name: Path) -> tuple[str, ...]:
    """Return the labels of a file or, where there is none of this name, of a list of ours, or
    the names themselves, separated by commas. Raises UnreadableFile: none of these, or no
    labels in the file."""
    if "," in name.name and not name.exists():
        return tuple(each.strip() for each in str(name).split(","))
    own = next((each for each in LISTS if each.key == str(name).lower()), None)
    return read(name) if own is None or name.exists() else own.read()


def fitting(shapes: Sequence[Sequence[int]]) -> tuple[LabelList, ...]:
    """Lists that have as many names as an axis of the outputs has classes, boxes included."""
    counts = {axis - more for shape in shapes for axis in shape for more in (0, *_BOX)}
    return tuple(each for each in LISTS if each.count in counts)


def assumed(inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo]) -> LabelList | None:
    """Return the one list whose names are as many as a model's classes, else None.

    All lists are of pictures, so that only models that take one are given any. None, too, where
    several lists fit: 10 classes of gray images of 28 pixels may be digits or Fashion-MNIST.
    """
    guesses = map(guess, inputs)
    pictures = [picture for picture in guesses if picture is not None]
    if not pictures:
        return None
    if letters := _letters(outputs):
        low = any(picture.height in _LINE_HEIGHTS for picture in pictures)
        return next(
            (each for each in _LETTERS_OVER_TIME if low and each.count == letters), None
        )
    counts, kind = _classes(outputs)
    # Scores of boxes have no class for the background.
    taken = (each for each in LISTS if any(map(each.takes, pictures)))
    others = (each for each in taken if not each.alphabet and kind in each.kinds)
    lists = (each for each in others if not (kind == BOXES and each.background))
    fitting = tuple(each for each in lists if each.count in counts)
    return fitting[0] if len(fitting) == 1 else None


def _letters(outputs: Sequence[TensorInfo]) -> int:
    """Return the number of letters of a model that reads a line of text, else 0.

    Its only output is (time, 1, letters), or (1, time, letters).
    """
    shape = outputs[0].shape if len(outputs) == 1 else None
    if not shape or len(shape) != 3 or not holds_scores(outputs[0].dtype):
        return 0
    letters, steps = shape[2], shape[0] if shape[1] == 1 else shape[1]
    counts = {each.count for each in _LETTERS_OVER_TIME}
    longer = not isinstance(steps, int) or steps < _MOST_STEPS
    return letters if isinstance(letters, int) and letters in counts and longer else 0


def _classes(outputs: Sequence[TensorInfo]) -> tuple[set[int], str]:
    """Possible numbers of classes, and what has them: images, boxes as YOLO writes them, or
    maps. A classifier and a segmentation have one possible number.
    """
    shapes = [o.shape for o in outputs if o.shape and holds_scores(o.dtype)]
    if not shapes or len(shapes) != len(outputs):
        return set(), IMAGES
    first = shapes[0]
    flat = all(axis == 1 for axis in first[2:])
    if len(first) <= 2 or (len(first) == 4 and flat):
        scores = outputs[0].name.lower().removeprefix("stateful")
        if len(outputs) > 1 or any(word in scores for word in _NO_CLASSES):
            return set(), IMAGES
        return _whole((first[1 if len(first) > 1 else 0],)), IMAGES
    channels = {shape[1] for shape in shapes if len(shape) == 4}
    if len(channels) == 1 and all(len(shape) == 4 for shape in shapes):
        return _whole(channels), MAPS  # the auxiliary output of a segmentation has as many
    if len(shapes) == 1 and len(first) == 3:
        lengths = [axis for axis in first[1:] if isinstance(axis, int)]
        return {min(lengths) - more for more in _BOX if len(lengths) == 2}, BOXES
    return set(), IMAGES


def _whole(axes: Iterable[Axis]) -> set[int]:
    return {axis for axis in axes if isinstance(axis, int)}
