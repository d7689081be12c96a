"""The identity of a model in one sentence, with evidence: task, input, classes, origin.

The answer comes from the knowledge that Preview uses to prepare inputs and read outputs: the
tables of families, the guess of an image input, class names from metadata and label lists.
Nothing is run, and a model that fits nothing is called unknown.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from inspector import units
from inspector.analysis.facts.model_facts import storage, types_of_unknown_size
from inspector.analysis.facts.quantization import activation_type, number_types, schemes
from inspector.formats import opening
from inspector.model.model import Axis, Model, TensorInfo, cached_by_model, unreadable
from inspector.model.operator_traits import RECURRENT
from inspector.model.tensors.element_types import is_float
from inspector.preview import producers
from inspector.preview.detectors import yolo
from inspector.preview.detectors.output_arrays import Outputs
from inspector.preview.families import family_table, map_layout, output_meanings, piano_notes
from inspector.preview.families.image_families import ImageFamily
from inspector.preview.families.label_text import is_blank, of_output
from inspector.preview.families.model_structure import Structure, axis, rank
from inspector.preview.families.output_structure import (
    INDEPENDENT,
    PROBABILITIES,
    ModelStructure,
    declared,
    of_model,
)
from inspector.preview.inputs import audio_windows
from inspector.preview.outputs import audio_outputs, labels, results
from inspector.preview.outputs.labels import ClassNames, LabelList
from inspector.preview.preprocessing.guess import FROM_METADATA, family_of, guess_of, range_text
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.report.report_values import ModelIdentity
from inspector.wording.values import Capital, Count, Name, Real, Sentence, counted, joined

CERTAIN = "certain"
LIKELY = "likely"
ASSUMED = "assumed"
UNKNOWN = "unknown"
# What models of YOLO find besides upright boxes, by Ultralytics' name of the task.
_YOLO_TASKS = {
    "segment": "Instance segmentation",
    "pose": "Pose estimation",
    "obb": "Rotated object detector",
}
_WITH_BOXES = ("Object detector", "Instance segmentation", "Rotated object detector")
_DETECTION_LISTS = ("coco", "coco-90", "voc")
_WITH_CLASSES = ("Image classifier", "Image segmentation", *_WITH_BOXES)
# Operators of onnxruntime-extensions, without "Tokenizer", and what people call them.
_TOKENIZERS = {
    "Bert": "BERT",
    "HfBert": "BERT",
    "GPT2": "GPT-2",
    "Sentencepiece": "SentencePiece",
}
# They write classifiers as such, so that a regressor of theirs is one.
_TABLE_CONVERTERS = re.compile(r"skl2onnx|onnxmltools|winmltools|coremltools|catboost", re.I)
_KEEPS_VERSION = re.compile(r"pytorch|cntk", re.I)  # of others it is the converter's
_MAGIKA_BYTES = 2_048  # length of the input of github.com/google/magika
_MAGIKA_OUTPUT = "target_label"
_SPECTRUM_BINS = frozenset(2**power // 2 + 1 for power in range(6, 13))  # of 64 to 4,096
_COMPLEX = 2  # a real and an imaginary part
_FEWEST_SAMPLES = 4_000  # a quarter of a second at 16 kHz; shorter rows may be table columns
# A model of audio has one of them; a matrix product of a long row may be of anything.
_FILTERS = ("Conv", "ConvInteger", "QLinearConv", "FusedConv", "DFT", "STFT",
            "MelWeightMatrix", "Loop", "Scan")  # fmt: skip
_SIGNAL_OPERATORS = (*_FILTERS, *RECURRENT)
_MOST_NAMES = 3  # class names that the headline shows
_MOST_NAMES_LENGTH = 40  # characters of them
_LONGEST_DESCRIPTION = 400  # characters of the sentence in a report
# Models of tables have an input for each column at most; looking at 100,000 inputs for each
# family takes seconds.
_MOST_INPUTS = 10_000
_MOST_LAYERS = 200  # searched for operators that decode or encode image files
_SHARES = frozenset(("Sigmoid", "HardSigmoid", "Softmax"))  # give a share for each pixel
_AUDIO = re.compile(r"audio|wave|speech|wav(?![a-z])|sound|pcm", re.I)
_BYTES = re.compile(r"bytes?", re.I)
_TEXT = re.compile(r"text|sentence|chars?$|characters", re.I)
_EMBEDDING = re.compile(r"embed|feature|descriptor|hidden|pooled", re.I)
_UNKNOWN_TASK = "Unknown task"
UNREADABLE_WEIGHTS = "weights cannot be read"
_NO_NAMES = "no class names"


class Evidence(Struct, frozen=True):
    """One statement about a model.

    subject: "task", "classes", "input", "origin", "precision" or "state". confidence:
    "certain" (the file says so or its structure allows nothing else), "likely" or "assumed".
    reason: what it rests on, as a sentence without its period.
    """

    subject: str
    statement: str
    confidence: str
    reason: str


class Identity(Struct, frozen=True):
    """The identity of a model.

    task: "Image classifier", or "Unknown task". headline: the task with its classes.
    details: input, origin and precision, in one line. family: name of the recognized family of
    models, or empty. Each statement has its evidence.
    """

    task: str
    headline: str
    details: str
    family: str
    evidence: tuple[Evidence, ...]

    @property
    def sentence(self) -> str:
        """Return headline and details as one line."""
        return Sentence("{headline}. {details}.", self.headline, Capital(self.details))

    @property
    def known(self) -> bool:
        """Return whether the task was recognized."""
        return self.task != _UNKNOWN_TASK


class _Task(Struct, frozen=True):
    """A recognized task.

    amount: what its headline counts ("1,000 classes"). source: what the main input takes, where
    the task tells more than its shape ("audio, 16,000 samples").
    """

    name: str
    confidence: str
    reason: str
    amount: str = ""
    family: str = ""
    classes: int = 0
    source: str = ""


_NO_TASK = _Task(_UNKNOWN_TASK, UNKNOWN, "Names and shapes match no known family")


def identify(model: Model, chosen: ClassNames | None = None) -> Identity:
    """Return what a model is, by its file alone; of large models only parts are looked at.

    chosen: names of classes that somebody gave, instead of those that the file has or that fit.
    """
    return _by_file(model) if chosen is None else _identity(model, chosen)


@cached_by_model
def _by_file(model: Model) -> Identity:
    return _identity(model, None)


def _identity(model: Model, chosen: ClassNames | None) -> Identity:
    structure, outputs = Structure(model), of_model(model)
    many = len(model.inputs) > _MOST_INPUTS
    image = None if many else _image_input(model)
    task = _NO_TASK if many else _task(model, structure, outputs, image)
    statement = "task" if task.name == _UNKNOWN_TASK else _with_family(task)
    evidence = [Evidence("task", statement, task.confidence, task.reason)]
    names = _class_names(model, task, image) if chosen is None else _chosen_names(task, chosen)
    if names is not None:
        evidence.append(names)
    graph = model.details is None or model.layers
    source = _input(model, structure, image, task) if graph else None
    told = [e for e in (source, _origin(model), _precision(model)) if e is not None]
    evidence += told
    state = _state(model)
    if state is not None and state.statement == UNREADABLE_WEIGHTS:
        evidence.insert(0, state)  # nothing else matters before
    details = joined(*(each.statement for each in (*told, state) if each is not None))
    headline = _headline(model, task, names)
    return Identity(task.name, headline, details, task.family, tuple(evidence))


def measured_model(path: Path, model: Model, sha256: str = "") -> ModelIdentity:
    """Return what a report says of the model at a path. Raises UnreadableFile: it is gone.

    sha256: of the file, where it is known.
    """
    opsets = (f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in model.opsets)
    return ModelIdentity(
        name=units.clip(model.name),
        sha256=sha256 or opening.digest(path),
        size_bytes=model.size_bytes,
        parameters=model.parameters,
        layers=len(model.layers),
        opset=", ".join(opsets),
        description=units.clip(identify(model).sentence, _LONGEST_DESCRIPTION),
    )


def _headline(model: Model, task: _Task, names: Evidence | None) -> str:
    if task.name == _UNKNOWN_TASK:
        inputs, outputs = len(model.inputs), len(model.outputs)
        counts = counted(inputs, "input"), counted(outputs, "output")
        return Sentence("{task}: {details}", _UNKNOWN_TASK, joined(*counts))
    parts = (
        [task.family] if task.family and task.family.lower() not in task.name.lower() else []
    )
    if task.amount:
        parts.append(task.amount)
    text = Sentence("{task}: {details}", task.name, joined(*parts)) if parts else task.name
    if names is not None and names.statement != _NO_NAMES:
        listed = names.statement.partition("class names: ")[2]
        return Sentence("{task} ({names})", text, listed or names.statement)
    return text


def _with_family(task: _Task) -> str:
    family = Name(task.family or "")
    return Sentence("{task} ({family})", task.name, family) if task.family else task.name


def _image_input(model: Model) -> tuple[TensorInfo, ImagePreprocessing] | None:
    for info in model.inputs:
        use = guess_of(info, model)
        if use is not None:
            return info, use
    return None


def _task(
    model: Model,
    structure: Structure,
    outputs: ModelStructure,
    image: tuple[TensorInfo, ImagePreprocessing] | None,
) -> _Task:
    declared_task = _declared_task(model)
    if declared_task is not None:
        return declared_task
    if image is not None and structure.tokens is None:
        task = _image_task(model, outputs, *image)
        if task is not None:
            return task
    chosen = _chosen_classes(model, structure, outputs)
    if chosen is not None:
        return chosen
    family = family_table.recognize(model)
    if family is not None:
        return _family_task(model, structure, family)
    for recognize in (
        _letters, _text_classes, _files, _tokenizer, _bytes, _audio, _spectrum, _table,
        _sequence,
    ):  # fmt: skip
        recognized = recognize(model, structure, outputs)
        if recognized is not None:
            return recognized
    return _NO_TASK


def _declared_task(model: Model) -> _Task | None:
    """Return what a format other than ONNX's declares: classes, or that there is no graph."""
    details = model.details
    if details is None:
        return None
    if details.classes:
        takes_image = any(value.kind == "image" for value in model.inputs)
        name = "Image classifier" if takes_image else "Classifier"
        classes = counted(len(details.classes), "class")
        number = len(details.classes)
        return _Task(
            name,
            CERTAIN,
            Sentence("The file lists {classes}", classes),
            classes,
            classes=number,
        )
    if details.kind:
        steps = details.parts
        amount = joined(*steps[:_MOST_NAMES], *("…",) * (len(steps) > _MOST_NAMES))
        name = units.capitalized(details.kind)
        return _Task(name, CERTAIN, "The file declares the kind of model", amount)
    if details.weights_known and not (model.layers or model.inputs or model.outputs):
        tensors = counted(len(model.weights), "tensor")
        return _Task("Weights without a graph", CERTAIN, "The format has no graph", tensors)
    return None


def _image_task(
    model: Model, outputs: ModelStructure, info: TensorInfo, use: ImagePreprocessing
) -> _Task | None:
    family = family_of(info, model.outputs, outputs)
    if family is not None:
        task = family.task
        classes = map_layout.classifier_classes(model) if task == "Image classifier" else 0
        shapes = Outputs(declared(model.outputs), use.width, use.height, outputs)
        classes = classes or outputs.classes or _box_or_map_classes(model, family, shapes, use)
        name = _short(family.name)
        if task == "Object detector" and name.startswith("YOLO"):
            task = _YOLO_TASKS.get(yolo.task(shapes)[0], task)
        amount = map_layout.scaling(model, info, use) if task == "Super-resolution" else ""
        if classes and task in _WITH_CLASSES:
            amount = counted(classes, "class")
        reason = units.capitalized(family.recognition)
        known = name.lower().removeprefix(task.lower())  # "text detection with DB": DB
        shown = name[len(name) - len(known) :].removeprefix(" with ").removeprefix(" of ")
        shown = re.sub(r"^ \((.*)\)$", r"\1", shown)  # "text recognition (PaddleOCR)"
        return _Task(task, LIKELY, reason, amount, shown, classes if amount else 0)
    first = model.outputs[0] if model.outputs else None
    if first is None:
        return None
    says_image = FROM_METADATA in use.why or info.denotation.upper() == "IMAGE"
    classes = map_layout.classifier_classes(model)
    shape = map_layout.shape_of(first)
    if classes and _EMBEDDING.search(first.name):
        reason = Sentence(
            "Output {name} ({shape}) has the name of an embedding", first.name, shape
        )
        return _Task("Image embedding", LIKELY, reason, counted(classes, "dimension"))
    if classes > 1:
        return _row_task(model, outputs, first, classes)
    if classes == 1:
        reason = Sentence("Output {name} ({shape}) is one number", first.name, shape)
        return _Task("Image model", LIKELY, reason, counted(1, "number"))
    channels = map_layout.image_channels(first, use.layout)
    same = map_layout.sides(info, use.layout) == map_layout.sides(first, use.layout)
    if same and says_image and rank(first) == 4 and channels in (3, use.channels):
        reason = Sentence(
            "Output {name} ({shape}) is an image of the size of the input", first.name, shape
        )
        return _Task("Image to image", LIKELY, reason)
    alike = len({map_layout.grid(output) for output in model.outputs}) == 1
    return _maps(info, first, use, shape, outputs, alike)


def _row_task(model: Model, outputs: ModelStructure, first: TensorInfo, columns: int) -> _Task:
    """Return the task of an image model that gives a row of numbers: a classifier where there
    is evidence for classes."""
    output = Sentence("Output {name} ({shape})", first.name, map_layout.shape_of(first))
    amount, others = counted(columns, "class"), len(model.outputs) - 1
    reason = _class_evidence(model, outputs, first, columns)
    if not reason:
        reason = Sentence(
            "{output} is a row of numbers, and nothing says that they are classes", output
        )
        return _Task("Image model", LIKELY, reason, counted(columns, "number"))
    reason = Sentence("{output} {reason}", output, reason)
    if others and not labels.of_model(model):
        amount = Sentence("{some} and {more}", amount, Count(others, "more output"))
        return _Task("Image model", LIKELY, reason, amount, "", columns)
    sure = CERTAIN if outputs.scores.get(first.name) == PROBABILITIES else LIKELY
    return _Task("Image classifier", sure, reason, amount, "", columns)


def _class_evidence(
    model: Model, outputs: ModelStructure, first: TensorInfo, columns: int
) -> str:
    """Return what says that a row of numbers is classes; "" for nothing."""
    said = outputs.meanings.get(first.name)
    if said is not None:
        return "is classes, as somebody chose" if said == output_meanings.CLASSES else ""
    found = results.evidence(first.name, columns, outputs)
    if found:
        return found
    if "LogSoftmax" in outputs.head(first.name):
        return "comes from LogSoftmax"
    if len(of_output(labels.of_model(model), first.name)) == columns:
        return "has a number for each class name of the metadata"
    return ""


def _maps(
    info: TensorInfo,
    first: TensorInfo,
    use: ImagePreprocessing,
    shape: str,
    outputs: ModelStructure,
    alike: bool,
) -> _Task | None:
    """Return the task of a model that gives maps: landmarks, or one image. alike: whether all
    outputs are maps of one size."""
    layout = map_layout.maps_layout(first, use)
    maps = map_layout.image_channels(first, layout)
    if rank(first) != 4 or not isinstance(maps, int):
        return None
    same = map_layout.sides(first, layout) == map_layout.sides(info, use.layout)
    shares = outputs.head(first.name) & _SHARES
    if same and maps > 1 and outputs.scores.get(first.name) == PROBABILITIES:
        reason: str = Sentence(
            "Output {name} ({shape}) has a share of each class for each pixel",
            first.name,
            shape,
        )
        return _Task("Image segmentation", LIKELY, reason, counted(maps, "class"), "", maps)
    if same and maps == 1 and use.channels == 1 and shares:
        reason = f"Output {first.name} ({shape}) has a share for each pixel ({min(shares)}): "
        reason += "a mask or an image"
        return _Task("Image to maps", ASSUMED, reason, counted(1, "map"))
    if same and maps == 1 and use.channels > 1 and shares:
        reason = Sentence(
            "Output {name} ({shape}) has a share for each pixel ({min})",
            first.name,
            shape,
            min(shares),
        )
        return _Task("Image segmentation", LIKELY, reason, "one mask")
    if same and maps == 1 and use.channels > 1:
        reason = Sentence(
            "Output {name} ({shape}) has one number for each pixel", first.name, shape
        )
        return _Task("Image to maps", LIKELY, reason, counted(1, "map"))
    if same and maps in (1, 3):
        return _Task(
            "Image to image",
            LIKELY,
            Sentence("Output {name} ({shape}) has the size of the input", first.name, shape),
        )
    if maps % 3 == 0 and maps // 3 in (66, 68, 98):
        reason = f"{maps} maps: three for each of {maps // 3} points, as in OpenSeeFace"
        return _Task("Face landmarks", ASSUMED, reason, counted(maps // 3, "point"))
    if maps > 1 and alike:
        reason = Sentence(
            "Output {name} ({shape}) has {maps} values for each place",
            first.name,
            shape,
            Count(maps),
        )
        return _Task("Image to maps", LIKELY, reason, counted(maps, "map"))
    return None


def _family_task(model: Model, structure: Structure, family: family_table.Family) -> _Task:
    plugin = family_table.decoder_of(family.key)
    name, amount, classes = (
        family_table.TASKS[family.key] if plugin is None else plugin.value.task,
        "",
        0,
    )
    if name == "Tabular model":
        name, amount, classes = _table_task(model, structure)
    elif family.key in ("bert-tags", "bert-classes"):
        size = structure.classes
        classes = size if isinstance(size, int) else 0
    elif family.key in family_table.WITH_VOCABULARY:
        size = structure.classes
        amount = (
            Sentence("vocabulary of {size} tokens", Count(size))
            if isinstance(size, int)
            else ""
        )
    elif family.key == "basic-pitch":
        amount = f"{piano_notes.KEYS} piano keys over time"
    elif "embedding" in name.lower():
        size = axis(structure.first, -1) if structure.first is not None else None
        amount = counted(size, "dimension") if isinstance(size, int) else ""
    if classes > 1:
        amount = counted(classes, "class")
    shown = _short(family.name)
    shown = "" if shown.lower() in (name.lower(), "tabular model") else shown
    reason = Sentence("Names, shapes and operators match {name}", family.name)
    classes = classes if classes > 1 else 0
    return _Task(name, LIKELY, reason, amount, shown, classes, _family_source(structure, name))


def _table_task(model: Model, structure: Structure) -> tuple[str, str, int]:
    """Return task, what the headline counts, and classes of a model of columns.

    Trees that other programs than the converters of scikit-learn and ONNX wrote may give raw
    scores of classes, or of a ranking, as well as a regression.
    """
    label = any(each.endswith("label") for each in structure.outputs)
    shares = any("probabilit" in each for each in structure.outputs)
    operators = {kind for _, kind in structure.operators}
    if (
        any("Classif" in each for each in operators)
        or "ZipMap" in operators
        or (label and shares)
    ):
        names = labels.of_model(model)
        sizes = [axis(info, -1) for info in model.outputs if is_float(info.dtype)]
        fixed_sizes = [size for size in sizes if isinstance(size, int)]
        return "Tabular classifier", "", len(names) or next(iter(fixed_sizes), 0)
    scores = structure.outputs.get("scores")
    columns = axis(scores, -1) if scores is not None else None
    if label and isinstance(columns, int):
        if columns == 1:
            return "Anomaly detector", "", 0
        return "Clustering", counted(columns, "cluster"), 0
    if _TABLE_CONVERTERS.search(model.producer):
        return "Tabular regression", "", 0
    last = axis(structure.first, -1) if structure.first is not None else None
    return "Tabular model", counted(last, "number") if isinstance(last, int) else "", 0


def _short(family: str) -> str:
    """Return the proper name in a family's name: 'MediaPipe' of "MediaPipe's face detector"."""
    text = re.sub(r"^(an?|the) ", "", family).partition(",")[0]
    text = re.sub(r"^[a-z][a-z ]* of (?=[A-Z])", "", text)  # "text recognition of PaddleOCR"
    return re.sub(r"('s| classifier| detector|, ).*$", "", text)


def _family_source(structure: Structure, task: str) -> str:
    """Return what the main input of a family of audio, text or table models takes."""
    first = structure.floats[0] if structure.floats else None
    if task.startswith("Tabular"):
        columns = axis(first, -1) if first is not None else None
        return (
            Sentence("rows of {count}", counted(columns, "number"))
            if isinstance(columns, int)
            else "rows"
        )
    if task == "Voice activity detector":
        return "audio in chunks"
    if task == "Music transcription" and first is not None:
        return _audio_source(structure.model, first, map_layout.longest_axis(first))
    mel = family_table.mel_input(structure) is not None
    if mel or family_table.fbank_input(structure) is not None:
        return "audio spectrum" if structure.tokens is None else ""
    if task.startswith("Speech recognition (CTC)"):
        return "audio of any length"
    return ""


def _files(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    """Recognize models that decode and encode image files inside the graph."""
    operators = {layer.operator for layer in model.layers[:_MOST_LAYERS]}
    operators |= {layer.operator for layer in model.layers[-_MOST_LAYERS:]}
    if "DecodeImage" in operators and "EncodeImage" in operators:
        reason = "The graph decodes an image file (DecodeImage) and encodes one (EncodeImage)"
        if "DepthToSpace" in operators:
            reason += ", and rearranges channels into pixels in between (DepthToSpace)"
            return _Task("Super-resolution", LIKELY, reason, source="bytes of an image file")
        return _Task("Image to image", CERTAIN, reason, source="bytes of an image file")
    if "DecodeImage" in operators:
        reason = "The graph decodes an image file (DecodeImage)"
        return _Task("Image model", LIKELY, reason, source="bytes of an image file")
    return None


def _tokenizer(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    texts = [info for info in model.inputs if info.dtype == "string"]
    if texts and "input_ids" in structure.outputs:
        reason = Sentence("Text input {name} becomes input_ids", texts[0].name)
        operators = (layer.operator for layer in model.layers[:_MOST_LAYERS])
        kinds = [kind.removesuffix("Tokenizer") for kind in operators if "Tokenizer" in kind]
        kind = next((_TOKENIZERS.get(kind, kind) for kind in kinds), "")
        return _Task("Text tokenizer", CERTAIN, reason, "", kind)
    return None


def _bytes(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    """Recognize models that read the bytes of text or files."""
    if len(model.inputs) != 1 or structure.first is None or rank(model.inputs[0]) != 2:
        return None
    info, first = model.inputs[0], structure.first
    named = _BYTES.fullmatch(info.name) and not is_float(info.dtype)
    if (info.dtype != "uint8" and not named) or not is_float(first.dtype):
        return None
    last = axis(first, -1)
    reason: str = Sentence("Input {name} takes rows of bytes ({dtype})", info.name, info.dtype)
    if not isinstance(last, int):
        return None
    length = axis(info, 1)
    source: str = "bytes of any length"
    if isinstance(length, int):
        source = Sentence("{length} bytes", Count(length))
    amount, subject = counted(last, "class"), "Byte sequence"
    if length == _MAGIKA_BYTES and first.name == _MAGIKA_OUTPUT:
        reason += f"; {_MAGIKA_BYTES:,} bytes and output {first.name} match Magika"
        source = Sentence("{length} bytes of a file", Count(length))
        return _Task("File type classifier", LIKELY, reason, amount, "Magika", last, source)
    if _TEXT.search(info.name):
        subject, source = "Text", Sentence("text as {source}", source)
    if rank(first) == 2:
        return _Task(
            Sentence("{subject} classifier", subject), LIKELY, reason, amount, "", last, source
        )
    if rank(first) == 3:
        reason += f"; output {first.name} has {units.plural(last, 'value')} per byte"
        return _Task(
            Sentence("{subject} tagger", subject), LIKELY, reason, amount, "", last, source
        )
    return None


def _audio(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    sounds = [
        info
        for info in structure.floats
        if (rank(info) or 0) in (1, 2, 3)
        and (
            _AUDIO.search(info.name)
            or (
                map_layout.longest_axis(info) >= _FEWEST_SAMPLES
                and structure.has(*_SIGNAL_OPERATORS)
            )
        )
    ]
    first = structure.first
    if len(sounds) != 1 or first is None or not is_float(first.dtype):
        return None
    info, last = sounds[0], axis(first, -1)
    named = _AUDIO.search(info.name) is not None
    how = (
        "has the name of an audio input"
        if named
        else Sentence("has {longest} values: samples", Count(map_layout.longest_axis(info)))
    )
    reason: str = Sentence("Input {name} {how}", info.name, how)
    samples = map_layout.longest_axis(info)
    source = _audio_source(model, info, samples)
    if samples == audio_outputs.QUALITY_SAMPLES and last == len(audio_outputs.QUALITY_SCORES):
        reason += f"; {samples:,} samples and {last} outputs are those of DNSMOS"
        amount = "DNSMOS scores of speech, background, and overall"
        return _Task("Speech quality", LIKELY, reason, amount, source=source)
    if rank(first) == 2 and isinstance(last, int):
        evidence = _class_evidence(model, outputs, first, last) if last > 1 else ""
        if evidence:
            amount, reason = counted(last, "class"), f"{reason}; {first.name} {evidence}"
            return _Task("Audio classifier", LIKELY, reason, amount, "", last, source)
        amount = f"{counted(last, 'value')} per clip"
        return _Task("Audio model", LIKELY, reason, amount, source=source)
    return _Task("Audio model", LIKELY, reason, source=source)


def _audio_source(model: Model, info: TensorInfo, samples: int) -> str:
    """Return how much audio an input takes, in seconds where its rate is known."""
    framing = audio_windows.guess_framing(info, model.inputs, model.outputs, model.metadata)
    if samples < _FEWEST_SAMPLES:
        return "audio"
    if framing is None or not framing.sure:
        return Sentence("audio, {samples} samples", Count(samples))
    return Sentence(
        "{value} s of audio at {rate} Hz", f"{samples / framing.rate:.3g}", Count(framing.rate)
    )


def _spectrum(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    """Recognize speech enhancement: a spectrum in, as many bins out, and a state.

    The bins are the last axis, or one before real and imaginary parts.
    """
    for info in structure.floats:
        parts = axis(info, -1) == _COMPLEX
        places = (info.shape or ())[1:-1] if parts else (axis(info, -1),)
        bins = next((each for each in places if each in _SPECTRUM_BINS), None)
        if isinstance(bins, int):
            same = [each for each in model.outputs if _may_be(each.shape, info.shape)]
            if same and len(model.inputs) > 1:
                reason = (
                    f"{info.name} and {same[0].name} have {bins} frequency bins, as from an "
                    f"FFT of {2 * (bins - 1):,}; other inputs carry a state"
                )
                amount = counted(bins, "frequency bin")
                source = "audio spectrum, frame by frame"
                return _Task("Speech enhancement", ASSUMED, reason, amount, source=source)
    return None


def _may_be(shape: Sequence[Axis] | None, other: Sequence[Axis] | None) -> bool:
    """Return whether an output may have the shape of an input; free axes fit any length."""
    if shape is None or other is None or len(shape) != len(other):
        return shape == other
    pairs = zip(shape, other, strict=True)
    return all(a == b or not (isinstance(a, int) and isinstance(b, int)) for a, b in pairs)


def _table(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    """Recognize networks over the columns of a table."""
    first, floats = structure.first, structure.floats
    if len(model.inputs) != 1 or len(floats) != 1 or not outputs.tabular or first is None:
        return None
    columns, last = axis(floats[0], 1), axis(first, -1)
    if not isinstance(columns, int) or rank(first) != 2:
        return None
    if not isinstance(last, int) or not is_float(first.dtype):
        return None
    source = Sentence("rows of {count}", counted(columns, "number"))
    reason: str = Sentence("Input {name} takes {source}", floats[0].name, source)
    if outputs.head(first.name) & {"Softmax", "LogSoftmax"} and last > 1:
        amount = counted(last, "class")
        return _Task("Tabular classifier", LIKELY, reason, amount, "", last, source)
    if outputs.scores.get(first.name) == INDEPENDENT:
        reason += Sentence(
            "; {name} comes from Sigmoid: probabilities or numbers from 0 to 1", first.name
        )
    amount = Sentence("{count} in, {last} out", counted(columns, "number"), Count(last))
    return _Task("Tabular model", LIKELY, reason, amount, source=source)


def _chosen_classes(
    model: Model, structure: Structure, outputs: ModelStructure
) -> _Task | None:
    """Return the task of a model whose first output somebody called classes."""
    first = structure.first
    if first is None or outputs.meanings.get(first.name) != output_meanings.CLASSES:
        return None
    columns = axis(first, -1)
    count = counted(columns, "class") if isinstance(columns, int) else ""
    name = "Tabular classifier" if outputs.tabular else "Classifier"
    reason = Sentence(
        "Output {name} ({shape}) is classes, as somebody chose",
        first.name,
        map_layout.shape_of(first),
    )
    return _Task(
        name, CERTAIN, reason, count, classes=columns if isinstance(columns, int) else 0
    )


def _letters(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    """Recognize models that read text in images or sounds, by the letters in their metadata."""
    if not labels.of_model(model).letters:
        return None
    reason = "The metadata lists as many letters as an output has scores at each step"
    name = "Text recognition" if structure.takes_picture else "Speech recognition (CTC)"
    return _Task(name, LIKELY, reason)


def _text_classes(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    """Recognize models that take text or tokens and give a row of scores of classes."""
    texts = [info for info in model.inputs if info.dtype == "string"]
    first = structure.first
    if (structure.tokens is None and not texts) or first is None or rank(first) != 2:
        return None
    columns = axis(first, 1)
    if not isinstance(columns, int) or columns < 2:
        return None
    reason = _class_evidence(model, outputs, first, columns)
    if not reason:
        return None
    count = counted(columns, "class")
    said = f"Output {first.name} ({map_layout.shape_of(first)}) {reason}"
    return _Task("Text classifier", LIKELY, said, count, classes=columns)


def _sequence(model: Model, structure: Structure, outputs: ModelStructure) -> _Task | None:
    """Recognize models that process a signal and carry a state.

    Without a name, a time axis or an operator of signals a row may be what an agent observes,
    and what recurrent layers alone take step by step may be rows of any columns.
    """
    if not structure.memory or len(structure.floats) != 1:
        return None
    info, state = structure.floats[0], structure.memory[0].name
    in_time = (rank(info) or 0) > 2 or structure.has(*_SIGNAL_OPERATORS)
    named = _AUDIO.search(info.name) is not None
    if not in_time and not named:
        return None
    if not named and structure.has(*RECURRENT) and not structure.has(*_FILTERS):
        what = "Recurrent layers read {name}, and {state} carries a state"
        reason = Sentence(what, info.name, state)
        return _Task("Recurrent model", LIKELY, reason, source="steps of a sequence")
    reason = Sentence("Input {name} is a signal, and {state} carries a state", info.name, state)
    return _Task("Streaming signal model", LIKELY, reason, source="signal in chunks")


def _class_names(
    model: Model, task: _Task, image: tuple[TensorInfo, ImagePreprocessing] | None
) -> Evidence | None:
    """Return where the names of the classes come from, or None where there are no classes."""
    names = labels.of_model(model)
    if names.letters:
        letters = counted(sum(not is_blank(name) for name in names), "letter")
        return Evidence(
            "classes", letters, CERTAIN, Sentence("The metadata lists {letters}", letters)
        )
    if not task.classes:
        return None
    if names:
        operator, listed = labels.declared(model)
        if model.details is not None and model.details.classes:
            reason = "The file lists them"
        elif listed == names:
            reason = Sentence("The {operator} operator lists the classes", operator)
        else:
            reason = Sentence("The metadata has {count}", counted(len(names), "class name"))
        return Evidence(
            "classes", Sentence("class names: {some}", _some(names)), CERTAIN, reason
        )
    fitting = labels.assumed(model.inputs, model.outputs) if image is not None else None
    if fitting is None:
        fitting = _detection_labels(task)
    if fitting is not None and fitting.count in (task.classes, task.classes + 1):
        reason = Sentence(
            "The file has no class names; {title} is the only known list that fits",
            fitting.title,
        )
        return Evidence("classes", Sentence("assumed {title}", fitting.title), ASSUMED, reason)
    return None


def class_count(model: Model) -> int:
    """Return how many classes an image model has by its outputs; 0 where it is not known."""
    image = _image_input(model)
    if image is None:
        return 0
    return _task(model, Structure(model), of_model(model), image).classes


def assumed_labels(model: Model) -> LabelList | None:
    """Return the only known list of class names that fits a model, which its sentence names."""
    fitting = labels.assumed(model.inputs, model.outputs)
    image = _image_input(model)
    if fitting is not None or image is None:
        return fitting
    return _detection_labels(_task(model, Structure(model), of_model(model), image))


def _detection_labels(task: _Task) -> LabelList | None:
    """Return the list of a data set of boxes that has as many names as a detector classes."""
    if task.name not in _WITH_BOXES:
        return None
    lists = (each for each in labels.LISTS if each.key in _DETECTION_LISTS)
    return next((each for each in lists if each.count == task.classes), None)


def _chosen_names(task: _Task, chosen: ClassNames) -> Evidence | None:
    """Return the names that somebody chose for the classes; None where there are no classes."""
    if not task.classes:
        return None
    if not chosen.names:
        return Evidence("classes", _NO_NAMES, CERTAIN, "You chose to see numbers")
    return Evidence(
        "classes", Sentence("class names: {source}", chosen.source), CERTAIN, "You chose them"
    )


def _input(
    model: Model,
    structure: Structure,
    image: tuple[TensorInfo, ImagePreprocessing] | None,
    task: _Task,
) -> Evidence | None:
    """Return what the main input takes."""
    if task.source:
        return Evidence("input", task.source, task.confidence, task.reason)
    if image is not None:
        info, use = image
        order = "grayscale" if use.order == "gray" else use.order.upper()
        size = f"{use.width} × {use.height} " if use.width and use.height else ""
        any_size = "" if size else " of any size"
        sure = CERTAIN if FROM_METADATA in use.why else LIKELY
        values = (
            Sentence("; values {range_text}", range_text(use))
            if range_text(use) not in use.why
            else ""
        )
        reason = Sentence("{why}{values}", Capital(use.why), values)
        return Evidence(
            "input",
            Sentence("{size}{order} image{any_size}", size, order, any_size),
            sure,
            reason,
        )
    if not model.inputs:
        return Evidence("input", "no input", CERTAIN, "The graph has no inputs")
    texts = [info for info in model.inputs if info.dtype == "string"]
    if texts:
        return Evidence(
            "input", "text", CERTAIN, Sentence("Input {name} is a string tensor", texts[0].name)
        )
    if structure.tokens is not None:
        reason = Sentence("Input {name} takes token IDs", structure.tokens.name)
        return Evidence("input", "token IDs", LIKELY, reason)
    info = next((i for i in structure.floats), model.inputs[0])
    if {(each.shape, each.dtype) for each in model.inputs} == {((), info.dtype)}:
        numbers = counted(len(model.inputs), "number")
        statement = Sentence("{numbers} ({dtype})", numbers, info.dtype)
        return Evidence("input", statement, CERTAIN, "Declaration of the inputs")
    if info.dtype == UNKNOWN and not info.shape:
        reason = Sentence("The file declares no type of input {name}", info.name)
        return Evidence("input", "input of unknown type", UNKNOWN, reason)
    # Not at the start, where the name of an axis would get a capital letter.
    shape = Sentence("input of shape {shape} ({dtype})", map_layout.shape_of(info), info.dtype)
    reason = Sentence("Declaration of input {name}", info.name)
    return Evidence("input", shape if info.shape else info.dtype, CERTAIN, reason)


def _origin(model: Model) -> Evidence | None:
    if not model.producer:
        return None
    version = model.producer_version
    producer = Name(f"{model.producer} {version}".rstrip())
    reason = Sentence("Producer in the file: {producer}", producer)
    statement = producers.statement(model.producer)
    if statement:
        known = version if _KEEPS_VERSION.search(model.producer) else ""
        origin = Sentence("{statement} {version}", statement, Name(version))
        return Evidence("origin", origin if known else statement, CERTAIN, reason)
    return Evidence("origin", Sentence("made by {producer}", model.producer), CERTAIN, reason)


def _precision(model: Model) -> Evidence | None:
    """Return the type that most bytes of the weights have, or how they are quantized."""
    sizes = storage(model.distinct_weights)
    total = sum(size for _, size in sizes)
    if not total:  # no weights, or only empty ones
        return None
    names = [name for name, _ in schemes(model)]
    dtype, size = sizes[0]
    some = "{value}% of the weight bytes of known size are {dtype}"
    known = "{value}% of the weight bytes are {dtype}"
    declared = "{value}% of the weight bytes are declared as {dtype}"
    template = some if types_of_unknown_size(model.weights) else known
    if any(weight.problem for weight in model.weights):
        template = declared
    reason: str = Sentence(template, Real(100 * size / total, 3), dtype)
    if names:
        how = {"dynamic": "dynamically quantized", "weight-only": "quantized weights"}
        kinds = joined(*(how.get(name, Sentence("quantized ({name})", name)) for name in names))
        types = number_types(model, dtype)
        if types != dtype:
            reason += Sentence(
                "; most quantized values between layers are {activation_type}",
                activation_type(model),
            )
        return Evidence("precision", joined(types, kinds), CERTAIN, reason)
    return Evidence("precision", dtype, CERTAIN, reason)


def _some(names: Sequence[str]) -> str:
    """Return a few class names of many: 'silence, hum, tone, ...'."""
    text = ", ".join(names[:_MOST_NAMES])
    if len(text) > _MOST_NAMES_LENGTH:
        return "class names in the file"
    return f"{text}, ..." if len(names) > _MOST_NAMES else text


def _state(model: Model) -> Evidence | None:
    """Return what keeps the model from ordinary use, where something does."""
    unread = next((each for each in model.weights if each.problem), None)
    if unread is not None:
        reason = f"{units.clip(unread.name, 60)}: {units.clip(unreadable(unread.problem), 300)}"
        return Evidence("state", UNREADABLE_WEIGHTS, CERTAIN, reason)
    if model.training:
        return Evidence("state", "contains training information", CERTAIN, "TrainingInfoProto")
    return None


def _box_or_map_classes(
    model: Model, family: ImageFamily, shapes: Outputs, use: ImagePreprocessing
) -> int:
    """Return the number of classes of a detector or a segmentation; 0 where it is not known."""
    names = labels.of_model(model)
    if names:
        return len(names)
    count: Axis = 0
    if family.task == "Object detector" and family.decoder is not None:
        count = family.decoder.classes(shapes)
    if family.task == "Image segmentation" and rank(model.outputs[0]) == 4:
        count = map_layout.image_channels(model.outputs[0], use.layout)
    if isinstance(count, int) and count > 1:
        return count
    fitting = labels.assumed(model.inputs, model.outputs)
    return fitting.count if fitting is not None else 0
