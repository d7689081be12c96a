"""Which vine a wine is from, told by its chemistry: operators of ai.onnx.ml, text labels."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from sample_models.making.graph import GraphInMaking, save, value
from sample_models.making.running import run

FILE, TABLE, DOMAIN = "wine_tabular.onnx", "wine.csv", "ai.onnx.ml"
LABELS = ["Barolo", "Grignolino", "Barbera"]  # classes 0, 1, 2 of the data set
Array = NDArray[np.float32]


def make(folder: Path) -> Iterator[dict[str, object]]:
    """Write the model and a table of held-out wines; yield what the index says of it."""
    bunch = load_wine()
    rows, classes = bunch.data.astype("f4"), bunch.target
    learn, held_out, learn_classes, held_out_classes = train_test_split(
        rows, classes, test_size=54, random_state=5, stratify=classes
    )
    path = folder / FILE
    description = "Wines of three vines told apart by 13 measurements"
    metadata = {
        "labels": LABELS,
        "features": list(bunch.feature_names),
        "preparation": "the 13 measurements as they are; a missing one may be NaN",
    }
    made = graph(learn, learn_classes)
    save(path, made, description, metadata)
    answers = run(path, {"measurements": held_out})["vine"]
    score = float((answers == np.array(LABELS)[held_out_classes]).mean())
    save(path, made, description, metadata | {"held_out_accuracy": f"{score:.4f}"})
    shown = np.concatenate([held_out[held_out_classes == kind][:2] for kind in range(3)])
    shown[5, 8] = np.nan  # a measurement that nobody took
    _table(folder / "inputs" / TABLE, list(bunch.feature_names), shown)
    vines = run(path, {"measurements": shown})["vine"]
    yield {
        "file": FILE,
        "task": "table classification",
        "shows": "Imputer, Scaler, LinearClassifier, ZipMap: text and a list of maps",
        "labels": LABELS,
        "held_out_accuracy": round(score, 4),
        "held_out_examples": len(held_out),
        "try": [
            {
                "inputs": {"measurements": f"inputs/{TABLE}"},
                "answer": ", ".join(map(str, vines)),
            }
        ],
    }


def graph(rows: Array, classes: NDArray[np.int64]) -> onnx.GraphProto:
    """Fit the mean, the deviation and a logistic regression, and write them as a graph."""
    mean, deviation = rows.mean(0), rows.std(0)
    fitted = LogisticRegression(max_iter=1000).fit((rows - mean) / deviation, classes)
    making = GraphInMaking("wine")
    x = _prepare(making, mean, deviation)
    _, scores = making.node_with(
        "LinearClassifier",
        "classify/linear",
        (x,),
        ("vine", "classify/probabilities"),
        domain=DOMAIN,
        coefficients=fitted.coef_.ravel().tolist(),
        intercepts=fitted.intercept_.tolist(),
        classlabels_strings=LABELS,
        multi_class=1,
        post_transform="SOFTMAX",
    )
    outputs, labels = ("probabilities",), {"classlabels_strings": LABELS}
    making.node_with("ZipMap", "classify/zip", (scores,), outputs, domain=DOMAIN, **labels)
    number = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    pairs = helper.make_map_type_proto(TensorProto.STRING, number)
    maps = helper.make_value_info("probabilities", helper.make_sequence_type_proto(pairs))
    return making.proto(
        [value("measurements", "float32", ["rows", 13], "One wine a row")],
        [value("vine", "string", ["rows"], "The likeliest"), maps],
    )


def _prepare(making: GraphInMaking, mean: Array, deviation: Array) -> str:
    x = making.node(
        "Imputer",
        "prepare/impute",
        "measurements",
        domain=DOMAIN,
        doc="A missing value becomes the mean of the column",
        imputed_value_floats=mean.tolist(),
        replaced_value_float=float("nan"),
    )
    return making.node(
        "Scaler",
        "prepare/scale",
        x,
        domain=DOMAIN,
        offset=mean.tolist(),
        scale=(1 / deviation).tolist(),
    )


def _table(path: Path, names: list[str], rows: Array) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            writer.writerow("" if np.isnan(cell) else f"{cell:g}" for cell in row)
