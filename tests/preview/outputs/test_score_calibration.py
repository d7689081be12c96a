"""Scores that the metadata of a TensorFlow Lite model calibrate, against plain arithmetic."""

import json
from importlib.util import find_spec
from math import exp, log

import numpy as np
import pytest

from inspector.cli import main
from inspector.formats.opening import open_bytes
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.box_lists import tflite_detection
from inspector.preview.detectors.boxes import Candidates
from inspector.preview.detectors.output_arrays import Answer
from inspector.preview.families import score_calibration
from inspector.preview.families.output_structure import of_model
from inspector.preview.outputs import labels, results
from tests.formats.tflite import build
from tests.formats.tflite.build import Number, Union, code, operator, subgraph, tensor

TABLE = "0.9,1.5,0.25,0.1\n\n0.5,-2,1\n1,1,0\n"
SCORES = np.array([[0.05, 0.9, 0.3, 0.6]], np.float32)
DEFAULT = 0.25
IDENTITY, LOG, INVERSE = 0, 1, 2
NAMES = "ant\nbee\ncat\ndog\n"


def classifier(kind: int, table: str | None = TABLE) -> bytes:
    """A model that adds two rows of four; its output has names and a calibration."""
    unit = {0: Union(2, {0: Number("i1", kind), 1: Number("f4", DEFAULT)})}
    files = [{0: "names.txt", 2: Number("i1", 2)}, {0: "table.txt", 2: Number("i1", 4)}]
    graph = {2: [{}, {}], 3: [{0: "score", 4: [unit], 6: files}]}
    about = build.written({3: [graph]}, b"M001")
    tensors = [tensor(name, (1, 4)) for name in ("a", "b", "sum")]
    whole = subgraph(tensors, (0, 1), (2,), [operator(0, (0, 1), (2,), Union(11, {}))])
    metadata = [{0: "TFLITE_METADATA", 1: build.u4(1)}]
    body = build.model([code(build.ADD)], [whole], (about,), metadata=metadata)
    files = {"names": NAMES} | ({} if table is None else {"table": table})
    return build.with_files(body, **files)


def calibrated(kind: int) -> list[float]:
    """The formula of metadata_schema.fbs, one score at a time."""
    g = {IDENTITY: lambda x: x, LOG: log, INVERSE: lambda x: log(x) - log(1 - x)}[kind]
    row = [float(each) for each in SCORES[0]]
    return [
        DEFAULT,  # below the least score
        DEFAULT,  # without a sigmoid
        0.5 / (1 + exp(-(-2 * g(row[2]) + 1))),
        1 / (1 + exp(-g(row[3]))),
    ]


def shown(model: Model) -> dict[str, float]:
    [row] = results.classes(
        OutputValue("sum", "tensor", "float32", SCORES), labels.of_model(model), 4,
        structure=of_model(model),
    )  # fmt: skip
    return {each.label: each.probability for each in row.top}


@pytest.mark.parametrize("kind", [IDENTITY, LOG, INVERSE])
def test_each_class_has_its_own_sigmoid(kind):
    model = open_bytes(classifier(kind))
    answer = shown(model)
    expected = dict(zip(("ant", "bee", "cat", "dog"), calibrated(kind), strict=True))
    assert answer == pytest.approx(expected, abs=1e-9)
    assert [*answer.values()] == sorted(answer.values(), reverse=True)
    assert "are calibrated" in score_calibration.notes(of_model(model).calibrations)[0]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (None, "missing"),
        ("1,1,0\n1,1,0\n", "3 lines of parameters do not match 4 classes"),
        ("1,1\n\n\n\n", "line 1"),
        ("1,1,0\n1,nan,0\n\n\n", "line 2"),
        ("a,b,c\n\n\n\n", "line 1"),
    ],
)
def test_parameters_that_do_not_fit_leave_the_scores_and_are_named(table, reason):
    model = open_bytes(classifier(IDENTITY, table))
    assert shown(model) == pytest.approx(
        {"bee": 0.9, "dog": 0.6, "cat": 0.3, "ant": 0.05}, abs=1e-6
    )
    [note] = score_calibration.notes(of_model(model).calibrations)
    assert "not calibrated" in note
    assert reason in note


def test_scores_beyond_the_logarithm_keep_their_order():
    """tflite-support's ClampedLog: below 1e-16 the curve goes on as its mirror image."""
    each = score_calibration.ScoreCalibration("log", 0.0, ((1.0, 0.01, 0.0, -np.inf),) * 3)
    row = each.of_rows(np.array([[-1.0, 0.0, 1e-16]]))[0]
    assert row[0] < row[1] < row[2]
    mirrored = 2 * log(1e-16) - log(2e-16 + 1.0)
    assert row[0] == pytest.approx(1 / (1 + exp(-0.01 * mirrored)))


def test_boxes_have_the_calibration_of_their_class():
    unit = {0: Union(2, {0: Number("i1", INVERSE), 1: Number("f4", DEFAULT)})}
    files = [{0: "table.txt", 2: Number("i1", 4)}]
    about = build.written(
        {3: [{2: [{}], 3: [{}, {}, {0: "score", 4: [unit], 6: files}, {}]}]}, b"M001"
    )
    names = ("x", "boxes", "kinds", "scores", "number")
    shapes = ((1, 4), (1, 3, 4), (1, 3), (1, 3), (1,))
    tensors = [tensor(*each) for each in zip(names, shapes, strict=True)]
    made = operator(0, (0,), (1, 2, 3, 4))
    graph = subgraph(tensors, (0,), (1, 2, 3, 4), [made])
    body = build.model(
        [code(32, custom="TFLite_Detection_PostProcess")], [graph], (about,),
        metadata=[{0: "TFLITE_METADATA", 1: build.u4(1)}],
    )  # fmt: skip
    model = open_bytes(build.with_files(body, table="\n0.8,2,0.5\n1,1,0,0.4\n"))
    arrays = {
        "boxes": np.tile([0.1, 0.2, 0.6, 0.7], (1, 3, 1)),
        "kinds": np.array([[1.0, 0.0, 2.0]]),
        "scores": np.array([[0.9, 0.7, 0.3]]),
        "number": np.array([3.0]),
    }
    shapes_by_name = {name: array.shape for name, array in arrays.items()}
    found = tflite_detection(Answer(shapes_by_name, 300, 300, of_model(model), arrays))
    assert isinstance(found, Candidates)
    first = 0.8 / (1 + exp(-(2 * log(0.9 / 0.1) + 0.5)))
    assert found.scores == pytest.approx([first, DEFAULT, DEFAULT])


@pytest.mark.engine
@pytest.mark.skipif(not find_spec("ai_edge_litert"), reason="needs LiteRT")
def test_the_command_shows_calibrated_scores_and_says_so(tmp_path, capsys):
    model, row, zeros = (tmp_path / name for name in ("m.tflite", "a.npy", "b.npy"))
    model.write_bytes(classifier(LOG))
    np.save(row, SCORES)
    np.save(zeros, np.zeros_like(SCORES))
    given = [f"--input=a={row}", f"--input=b={zeros}"]
    assert main.run(["predict", str(model), *given, "--json"]) == 0
    [output] = json.loads(capsys.readouterr().out)["outputs"]
    expected = calibrated(LOG)
    result = pytest.approx(dict(enumerate(expected)))
    assert {each["index"]: each["probability"] for each in output["top"]} == result
    assert output["calibrated"]
    assert output["values"] == SCORES.tolist()
    assert main.run(["predict", str(model), *given]) == 0
    assert "The scores of sum are calibrated" in capsys.readouterr().out
