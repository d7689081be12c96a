"""`inspector evaluate` beside an own computation with plain onnxruntime and numpy.

`python -m benchmarks.evaluation` makes tiny data sets and models, and prints each metric of
both with their difference; status 1 if one is too large. mAP is also that of pycocotools where
it is installed. `--keep DIR` leaves the files there.
"""

import argparse
import json
import sys
import tempfile
import wave
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

from benchmarks.parts import own_map
from inspector.cli import main as command_line
from inspector.platform import files
from inspector.preview.inputs.tokens import Tokenizer
from inspector.sandbox.decoding.channel import Request

Array = NDArray[Any]
MOST_DIFFERENCE = 1e-9
MOST_OF_PERPLEXITY = 1e-7  # of its value: logits are float32, and windows are run together
PICTURES = 24
SIDE = 96  # pixels of the pictures of the detector and the segmenter
COLUMNS = 189  # boxes that YOLOv8 proposes for them
CLASSES = 80
PARTS = 32  # masks that YOLOv8-seg mixes
SCORE = 0.001  # from which boxes count
OVERLAP = 0.45  # of boxes of one class, above which only the surest stays
LETTERS = ("_", *"abcdefghijklmnopqrstuvwxyz", " ")  # as PaddleOCR: blank, letters, space
STEP = len(LETTERS)  # samples of a sound that are one letter's scores
WINDOW = 256  # tokens


def main() -> int:
    """Compare all tasks; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as made:
        for name, task in TASKS.items():
            place = (options.keep or Path(made)) / name
            place.mkdir(parents=True)
            ours, own = task(place)
            for metric, value in own.items():
                apart = abs(ours[metric] - value)
                if metric == "perplexity":
                    apart *= MOST_DIFFERENCE / MOST_OF_PERPLEXITY / value
                worst = max(worst, apart)
                print(f"{name:15} {metric:11} {ours[metric]!r:24} {value!r:24} {apart:.1e}")
    print(f"largest difference {worst:.1e}")
    return int(worst > MOST_DIFFERENCE)


Metrics = Mapping[str, float]


def classes(place: Path) -> tuple[Metrics, Metrics]:
    """Photos of clothes in folders."""
    model, test = (
        files.sample_folder() / "clothes_float32.onnx",
        (files.sample_folder() / "clothes" / "test"),
    )
    session = onnxruntime.InferenceSession(model)
    names = json.loads(session.get_modelmeta().custom_metadata_map["labels"])
    paths = sorted(test.rglob("*.png"))
    rows = np.stack([np.asarray(Image.open(path).convert("L"), np.float32) for path in paths])
    # Photo by photo: the sum of a matrix product depends on how many rows it has.
    name = session.get_inputs()[0].name
    scores = np.stack([session.run(None, {name: row[None, None]})[0][0] for row in rows])
    order = np.argsort(-scores, axis=1, kind="stable")
    short = {name.split("/")[0]: number for number, name in enumerate(names)}
    truth = np.array([short[path.parent.name] for path in paths])
    best = order[:, 0]
    f1 = []
    for kind in range(len(names)):
        right = ((best == kind) & (truth == kind)).sum()
        precision, recall = right / (best == kind).sum(), right / (truth == kind).sum()
        f1.append(2 * precision * recall / (precision + recall))
    own = {
        "top1": float((best == truth).mean()),
        "top5": float((order[:, :5] == truth[:, None]).any(1).mean()),
        "f1": float(np.mean(f1)),
    }
    return evaluated(model, test), own


def values(place: Path) -> tuple[Metrics, Metrics]:
    """Rows of numbers with three true numbers each."""
    random = np.random.default_rng(1)
    weight = random.normal(size=(5, 3)).astype(np.float32)
    model = save(
        place / "linear.onnx", [("x", (1, 5))], [("y", (1, 3))],
        [helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": weight},
    )  # fmt: skip
    session, errors = onnxruntime.InferenceSession(model), []
    for folder in ("inputs", "expected"):
        (place / "test" / folder).mkdir(parents=True)
    for number in range(40):
        row = random.normal(size=(1, 5)).astype(np.float32)
        true = row @ weight + random.normal(size=(1, 3))
        np.save(place / "test" / "inputs" / f"{number}.npy", row)
        np.save(place / "test" / "expected" / f"{number}.npy", true)
        errors.append(session.run(None, {"x": row})[0].astype(np.float64) - true)
    found = np.concatenate(errors)
    own = {"rmse": float(np.sqrt((found**2).mean())), "mae": float(np.abs(found).mean())}
    return evaluated(model, place / "test"), own


def rows(place: Path) -> tuple[Metrics, Metrics]:
    """A table with a column for each input, a number of each row, and numbers to expect."""
    random = np.random.default_rng(5)
    names = ("age", "height", "fat")
    weight = random.normal(size=(3, 1)).astype(np.float32)
    nodes = [
        helper.make_node("Concat", names, ["all"], axis=1),
        helper.make_node("MatMul", ["all", "w"], ["variable"]),
    ]
    model = save(place / "rows.onnx", [(name, ("rows", 1)) for name in names],
                 [("variable", ("rows", 1))], nodes, {"w": weight})  # fmt: skip
    session, errors = onnxruntime.InferenceSession(model), []
    with (place / "rows.csv").open("w") as table:
        print("id", "height", "fat", "age", "weight in kg", sep=";", file=table)
        for number in range(60):
            age, height, fat = random.normal(size=3)
            feeds = {"age": age, "height": height, "fat": fat}
            cells = {name: np.array([[each]], np.float32) for name, each in feeds.items()}
            answer = float(session.run(None, cells)[0].item())
            true = answer + float(random.normal())
            print(number, *map(repr, map(float, (height, fat, age, true))), sep=";", file=table)
            errors.append(answer - true)
    found = np.array(errors)
    own = {"rmse": float(np.sqrt((found**2).mean())), "mae": float(np.abs(found).mean())}
    return evaluated(model, place / "rows.csv"), own


def texts(place: Path) -> tuple[Metrics, Metrics]:
    """A table of texts and their classes, of a model that reads tokens."""
    random = np.random.default_rng(6)
    listed = ("[UNK]", "good", "bad", "fine", "poor", "film", "was", "it")
    vocabulary = {word: number for number, word in enumerate(listed)}
    tokenizer = {
        "version": "1.0", "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }  # fmt: skip
    (place / "tokenizer.json").write_text(json.dumps(tokenizer))
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("ReduceMean", ["each"], ["logits"], axes=[1], keepdims=0),
    ]
    table = random.normal(size=(len(listed), 2)).astype(np.float32)
    model = save(place / "texts.onnx", [("input_ids", (1, "length"))], [("logits", (1, 2))],
                 nodes, {"table": table}, {"labels": "negative\npositive"},
                 TensorProto.INT64)  # fmt: skip
    session, right = onnxruntime.InferenceSession(model), []
    with (place / "reviews.csv").open("w") as file:
        print("stars,sentence", file=file)
        for _ in range(40):
            said = random.choice(listed[1:], random.integers(1, 9)).tolist()
            true = ("negative", "positive")[random.integers(2)]
            print(f'{true},"{" ".join(said)}"', file=file)
            ids = np.array([[vocabulary[word] for word in said]])
            answer = session.run(None, {"input_ids": ids})[0].argmax()
            right.append(("negative", "positive")[answer] == true)
    return evaluated(model, place / "reviews.csv"), {"top1": float(np.mean(right))}


def masks(place: Path) -> tuple[Metrics, Metrics]:
    """Pictures whose pixels are classes, with pixels that do not count."""
    random = np.random.default_rng(2)
    weight = random.normal(size=(5, 3, 3, 3)).astype(np.float32)
    weight -= weight.mean((1, 2, 3), keepdims=True)
    model = save(
        place / "segmenter.onnx", [("image", (1, 3, SIDE, SIDE))],
        [("logits", (1, 5, SIDE, SIDE))],
        [helper.make_node("Conv", ["image", "w"], ["logits"], pads=[1, 1, 1, 1])],
        {"w": weight},
    )  # fmt: skip
    session = onnxruntime.InferenceSession(model)
    shared, either = np.zeros(5), np.zeros(5)
    for folder in ("images", "masks"):
        (place / "test" / folder).mkdir(parents=True)
    for number in range(PICTURES):
        pixels = random.integers(0, 256, (SIDE, SIDE, 3), np.uint8)
        Image.fromarray(pixels).save(place / "test" / "images" / f"{number:02}.png")
        fed = pixels.transpose(2, 0, 1)[None].astype(np.float32) / 255
        answer = session.run(None, {"image": fed})[0][0].argmax(0)
        true = np.where(random.random((SIDE, SIDE)) < 0.3, random.integers(0, 4), answer)
        true[:7, :5] = 255
        mask = Image.fromarray(true.astype(np.uint8), "P")
        mask.putpalette([*random.integers(0, 256, 768).tolist()])
        mask.save(place / "test" / "masks" / f"{number:02}.png")
        counted = true != 255
        for kind in range(5):
            one, two = (true == kind) & counted, (answer == kind) & counted
            shared[kind] += (one & two).sum()
            either[kind] += (one | two).sum()
    there = either > 0
    own = {"miou": float((shared[there] / either[there]).mean())}
    return evaluated(model, place / "test", *PLAIN_PICTURES), own


def boxes(place: Path) -> tuple[Metrics, Metrics]:
    """Boxes of a detector whose pictures hold them: true ones moved, doubled and left out."""
    random = np.random.default_rng(3)
    model = detector(place / "detector.onnx")
    session = onnxruntime.InferenceSession(model)
    (place / "test").mkdir()
    truth, found = [], []
    for number in range(PICTURES):
        pixels, true = detected(random)
        name = f"{number:02}.png"
        Image.fromarray(pixels).save(place / "test" / name)
        fed = pixels.transpose(2, 0, 1)[None].astype(np.float32) / 255
        truth += [(number, *row) for row in true]
        found += [(number, *row) for row in own_map.decoded(
            session.run(None, {"images": fed})[0][0], SCORE, OVERLAP
        )]  # fmt: skip
    own_map.write_coco(place / "test" / "annotations.json", PICTURES, CLASSES, truth)
    own = own_map.mean_average_precision(truth, found)
    known = own_map.of_pycocotools(place / "test" / "annotations.json", found)
    for metric, value in (known or {}).items():
        print(f"pycocotools     {metric:11} {value!r:24} {own[metric]!r:24}")
        assert abs(value - own[metric]) < MOST_DIFFERENCE, metric
    return evaluated(model, place / "test", "--labels", "none", *PLAIN_PICTURES), own


def instances(place: Path) -> tuple[Metrics, Metrics]:
    """Objects with pixels, as of YOLOv8-seg; true ones are rectangles and run lengths."""
    random = np.random.default_rng(7)
    prototypes = random.normal(size=(1, PARTS, SIDE // 4, SIDE // 4)).astype(np.float32)
    prototypes[:, 0] += 12  # so that most masks nearly fill their boxes
    model = detector(place / "segmenter.onnx", prototypes)
    session = onnxruntime.InferenceSession(model)
    (place / "test").mkdir()
    rows_, segments, truth, found = [], list[object](), list[Any](), list[Any]()
    for number in range(PICTURES):
        pixels, true = detected(random, PARTS)
        name = f"{number:02}.png"
        Image.fromarray(pixels).save(place / "test" / name)
        fed = pixels.transpose(2, 0, 1)[None].astype(np.float32) / 255
        output, parts = session.run(None, {"images": fed})
        for row in own_map.decoded(output[0][: 4 + CLASSES], SCORE, OVERLAP, places=True):
            mask = enlarged(np.tensordot(output[0][4 + CLASSES :, row[-1]], parts[0], 1)) > 0
            edges = [min(max(int(np.ceil(edge)), 0), SIDE) for edge in row[2:6]]
            inside = np.zeros((SIDE, SIDE), bool)
            inside[edges[1] : edges[3], edges[0] : edges[2]] = True
            found.append((number, row[0], row[1], mask & inside))
        for kind, left, top, right, bottom, crowd in true:
            rows_.append((number, kind, left, top, right, bottom, crowd))
            mask = np.zeros((SIDE, SIDE), bool)
            x, y, wide, high = (round(each) for each in (left, top, right, bottom))
            mask[max(y, 0) : high, max(x, 0) : wide] = True
            if crowd:
                mask &= random.random((SIDE, SIDE)) < 0.7
                segments.append({"size": [SIDE, SIDE], "counts": run_lengths(mask)})
            else:
                segments.append([[x, y, wide, y, wide, high, x, high]])
            truth.append((number, kind, mask, 0, 0, 0, crowd))
    own_map.write_coco(place / "test" / "annotations.json", PICTURES, CLASSES, rows_, segments)
    named = own_map.mean_average_precision(truth, found, masks=True)
    own = {f"mask_{name}": value for name, value in named.items()}
    return evaluated(model, place / "test", "--labels", "none", *PLAIN_PICTURES), own


def enlarged(small: Array) -> Array:
    """Return a mask four times as large, each value that of its four neighbors by distance."""
    places = ((np.arange(SIDE) + 0.5) / 4 - 0.5).clip(0, SIDE // 4 - 1)
    low = places.astype(int)
    high, part = np.minimum(low + 1, SIDE // 4 - 1), places - low
    small = small.astype(np.float64)
    rows_ = small[low] * (1 - part[:, None]) + small[high] * part[:, None]
    columns: Array = rows_[:, low] * (1 - part) + rows_[:, high] * part
    return columns


def run_lengths(mask: Array) -> list[int]:
    """Return how many pixels down the columns are outside, inside, outside, ..."""
    counts, before = [0], False
    for inside in mask.T.ravel().tolist():
        if inside != before:
            counts.append(0)
            before = inside
        counts[-1] += 1
    return counts


def detected(
    random: np.random.Generator, parts: int = 0
) -> tuple[Array, list[tuple[float, ...]]]:
    """Return a picture that holds boxes in its pixels, and true ones: class, edges, crowd.

    parts: numbers of each box behind its classes, which mix its mask.
    """
    columns = np.zeros((4 + CLASSES + parts, COLUMNS), np.uint8)
    columns[4 + CLASSES :] = random.integers(0, 256, (parts, COLUMNS))
    true = []
    place = 0
    for _ in range(random.integers(1, 8)):
        kind = int(random.integers(0, 4))
        x, y = random.integers(60, 190, 2)
        wide, high = random.integers(30, 110, 2)
        scale = SIDE / 255
        edges = [
            each * scale for each in (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        ]
        true.append((kind, *edges, int(random.random() < 0.1)))
        for _ in range(random.integers(0, 4)):
            moved = np.array([x, y, wide, high]) + random.integers(-12, 13, 4)
            columns[:4, place] = moved.clip(1, 255)
            other = int(random.random() < 0.15)
            columns[4 + (kind + other) % 4, place] = random.integers(5, 255)
            place += 1
    picture = np.zeros(SIDE * SIDE * 3, np.uint8)
    picture[: columns.size] = columns.ravel()
    # The model reads the channels one after the other, a file pixel by pixel.
    return picture.reshape(3, SIDE, SIDE).transpose(1, 2, 0).copy(), true


def detector(path: Path, prototypes: Array | None = None) -> Path:
    """Save a model that reads its output, as of YOLOv8, from the values of the picture.

    prototypes: of masks (1, parts, rows, columns), which are its second output.
    """
    numbers = 4 + CLASSES + (0 if prototypes is None else prototypes.shape[1])
    size = numbers * COLUMNS
    factor = np.ones((1, numbers, 1), np.float32)
    factor[:, :4] = SIDE
    nodes = [
        helper.make_node("Reshape", ["images", "flat"], ["all"]),
        helper.make_node("Slice", ["all", "zero", "size", "axis"], ["part"]),
        helper.make_node("Reshape", ["part", "shape"], ["rows"]),
        helper.make_node("Mul", ["rows", "factor"], ["output0"]),
    ]
    constants = {
        "flat": np.array([1, -1]), "zero": np.array([0]), "size": np.array([size]),
        "axis": np.array([1]), "shape": np.array([1, numbers, COLUMNS]),
        "factor": factor,
    }  # fmt: skip
    outputs: list[tuple[str, tuple[Any, ...]]] = [("output0", (1, numbers, COLUMNS))]
    if prototypes is not None:
        nodes.append(helper.make_node("Identity", ["prototypes"], ["output1"]))
        constants["prototypes"] = prototypes
        outputs.append(("output1", prototypes.shape))
    return save(path, [("images", (1, 3, SIDE, SIDE))], outputs, nodes, constants)


def words(place: Path) -> tuple[Metrics, Metrics]:
    """Sounds whose samples are scores of letters over time, with a text beside each."""
    random = np.random.default_rng(4)
    nodes = [helper.make_node("Reshape", ["input_values", "shape"], ["logits"])]
    model = save(
        place / "speech.onnx", [("input_values", (1, "length"))],
        [("logits", (1, "time", STEP))], nodes, {"shape": np.array([1, -1, STEP])},
        {"character": "\n".join(LETTERS[1:-1])},
    )  # fmt: skip
    (place / "test").mkdir()
    session = onnxruntime.InferenceSession(model)
    errors, total, letter_errors, letters = 0, 0, 0, 0
    for number in range(30):
        true = " ".join(
            "".join(random.choice(LETTERS[1:-1], random.integers(2, 6)))
            for _ in range(random.integers(2, 7))
        )
        said = "".join(
            letter if random.random() > 0.06 else str(random.choice(LETTERS[1:]))
            for letter in true
        )
        samples = np.zeros((2 * len(said), STEP))
        for place_, letter in enumerate(said):
            samples[2 * place_, LETTERS.index(letter)] = samples[2 * place_ + 1, 0] = 0.9
        wav = (samples.ravel() * 32767).astype("<i2")
        write_sound(place / "test" / f"{number:02}.wav", wav)
        (place / "test" / f"{number:02}.txt").write_text(true)
        logits = session.run(None, {"input_values": (wav / 32768).astype(np.float32)[None]})[0]
        path = logits[0].argmax(1)
        kept = [n for n, before in zip(path, [-1, *path], strict=False) if n != before and n]
        answer = "".join(LETTERS[n] for n in kept)
        errors += edits(true.split(), answer.split())
        total += len(true.split())
        said = " ".join(answer.split())
        letter_errors += edits([*true], [*said])
        letters += len(true)
    own = {"wer": errors / total, "cer": letter_errors / letters}
    return evaluated(model, place / "test"), own


def write_sound(path: Path, samples: Array) -> None:
    """Save samples of 16 bits as a sound of one channel."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(samples.tobytes())


def edits(one: list[str], two: list[str]) -> int:
    """Return Levenshtein's distance of words, by its whole table."""
    table = np.zeros((len(one) + 1, len(two) + 1), int)
    table[:, 0], table[0] = np.arange(len(one) + 1), np.arange(len(two) + 1)
    for i, a in enumerate(one, 1):
        for j, b in enumerate(two, 1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b)
            )
    return int(table[-1, -1])


def perplexity(place: Path) -> tuple[Metrics, Metrics]:
    """The text that comes with Inspector, in windows with an empty cache each."""
    folder = files.sample_folder() / "alice"
    text = (folder / "held_out.txt").read_text("utf-8")
    tokenizer = Tokenizer(folder / "tokenizer.json")
    ids = [*tokenizer.ask(Request("encode", text=text)).rows["ids"]]
    session = onnxruntime.InferenceSession(folder / "model.onnx")
    losses: list[float] = []
    # The first token is only seen; each window predicts so many tokens after one before it.
    for start in range(0, len(ids) - WINDOW, WINDOW):
        window = np.array([ids[start : start + WINDOW + 1]], np.int64)
        feeds: dict[str, Array] = {}
        for info in session.get_inputs():
            if info.name == "input_ids":
                feeds[info.name] = window[:, :-1]
            elif "mask" in info.name:
                feeds[info.name] = np.ones((1, WINDOW), np.int64)
            elif "position" in info.name:
                feeds[info.name] = np.arange(WINDOW)[None]
            else:  # the cache, which is empty
                shape = [size if isinstance(size, int) else 0 for size in info.shape]
                shape[0] = 1
                kind = np.float16 if "float16" in info.type else np.float32
                feeds[info.name] = np.zeros(shape, kind)
        logits = session.run(["logits"], feeds)[0][0].astype(np.float64)
        top = logits.max(1, keepdims=True)
        shares = logits - top - np.log(np.exp(logits - top).sum(1, keepdims=True))
        losses += (-shares[np.arange(WINDOW), window[0, 1:]]).tolist()
    own = {"perplexity": float(np.exp(np.mean(losses)))}
    return evaluated(folder / "model.onnx", folder / "held_out.txt"), own


PLAIN_PICTURES = ("--order", "rgb", "--scale", "1", "--resize", "stretch",
                  "--mean", "0", "--std", "1")  # fmt: skip
TASKS: dict[str, Callable[[Path], tuple[Metrics, Metrics]]] = {
    "classes": classes, "values": values, "masks": masks, "boxes": boxes, "words": words,
    "perplexity": perplexity, "rows": rows, "texts": texts, "instances": instances,
}  # fmt: skip


def evaluated(model: Path, test: Path, *words_: str) -> Metrics:
    """Return the metrics that the command prints."""
    said = StringIO()
    with redirect_stdout(said):
        status = command_line.run(
            ["evaluate", str(model), "--test", str(test), *words_, "--json"]
        )
    assert status == 0, said.getvalue()
    body = json.loads(said.getvalue())
    if "perplexity" in body:
        return {"perplexity": body["perplexity"]["value"]}
    return {each["id"]: each["value"] for each in body["metrics"]}


def save(
    path: Path,
    inputs: list[tuple[str, tuple[Any, ...]]],
    outputs: list[tuple[str, tuple[Any, ...]]],
    nodes: list[onnx.NodeProto],
    constants: Mapping[str, Array],
    metadata: Mapping[str, str] | None = None,
    dtype: int = TensorProto.FLOAT,
) -> Path:
    """Save a model of float outputs. dtype: of the inputs."""
    sides = [
        [helper.make_tensor_value_info(name, kind, shape) for name, shape in side]
        for side, kind in ((inputs, dtype), (outputs, TensorProto.FLOAT))
    ]
    weights = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, path.stem, *sides, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    helper.set_model_props(model, dict(metadata or {}))
    onnx.save(model, path)
    return path


if __name__ == "__main__":
    sys.exit(main())
