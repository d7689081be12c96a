from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inspector.errors import BadInput, Cancelled, EngineFailed, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.inputs.input_choice import input_for
from inspector.preview.runs import data_set, folder
from inspector.preview.runs import folder as folder_module
from inspector.preview.runs.truths import Truth, placed

PICTURE = TensorInfo("x", "tensor", "float32", (1, 3, 32, 32))
LABELS = ("tabby cat", "n02 dog, hound", "bird")


def answer(best: int) -> Prediction:
    shares = np.full((1, 3), 0.05, np.float32)
    shares[0, best] = 0.9
    return Prediction((OutputValue("y", "tensor", "float32", shares),), ("cpu",), 1000, 0)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("tabby_cat/a.png", "tabby_cat/b.png", "n02/c.png", "2/d.npy"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    for name in (".hidden.png", "notes.txt", "net.onnx", "net.onnx.inspector.json"):
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def test_pictures_and_arrays_are_found_in_order_and_nothing_else(place):
    found = data_set.files_in(place, PICTURE)
    names = [data_set.relative_path(place, path) for path in found]
    assert names == ["2/d.npy", "n02/c.png", "tabby_cat/a.png", "tabby_cat/b.png"]
    (place / "empty").mkdir()
    with pytest.raises(UnreadableFile, match="no images"):
        data_set.files_in(place / "empty", PICTURE)


def test_a_name_that_is_no_text_can_be_written_down(tmp_path):
    assert data_set.relative_path(tmp_path, tmp_path / "a" / "\udcff.png") == "a/\\udcff.png"


def test_names_of_folders_become_labels_by_word_and_number(place):
    paths = data_set.files_in(place, PICTURE)
    wanted = data_set.read(place, PICTURE, "", LABELS).classes
    assert [wanted[path] for path in paths] == ["bird", LABELS[1], LABELS[0], LABELS[0]]
    assert data_set.read(place, PICTURE, "none", LABELS).classes == {}
    assert data_set.read(place, PICTURE, "", ("other", "labels")).classes == {}
    assert data_set.folder_labels(place, paths) == ("2", "n02", "tabby_cat")


def test_labels_of_a_table_are_found_by_path_or_name(place, tmp_path):
    table = tmp_path / "truth.csv"
    table.write_text("file,label\nn02/c.png,bird\na.png,0\n")
    wanted = data_set.read(place, PICTURE, str(table), LABELS).classes
    assert {path.name: label for path, label in wanted.items()} == {
        "c.png": "bird",
        "a.png": "tabby cat",
    }
    table.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        data_set.read(place, PICTURE, str(table), LABELS)


def rows(
    place: Path, act: Callable[[Path], Prediction], other: int | None = None
) -> list[folder.Row]:
    data = data_set.read(place, PICTURE, "", LABELS)
    second = None if other is None else lambda _: answer(other)
    return list(folder.rows(data, act, folder.Meaning(LABELS), other=second))


def test_what_fails_is_a_row_and_the_rest_goes_on(place):
    def act(path: Path) -> Prediction:
        if path.name == "c.png":
            raise EngineFailed("Could not run the model", "it is torn")
        return answer(0)

    found = rows(place, act, other=0)
    assert [row.problem for row in found] == ["", "Could not run the model: it is torn", "", ""]
    assert [row.right for row in found] == [False, None, True, True]
    counted = folder_module.summary(found)
    assert (counted.files, counted.failed, counted.told, counted.right) == (4, 1, 3, 2)
    assert counted.accuracy == pytest.approx(2 / 3)
    assert counted.top_accuracy == 1.0
    assert counted.agreement == 1.0
    matrix = folder_module.confusion(found, LABELS)
    assert matrix.labels == ("tabby cat", "bird")
    assert matrix.counts.tolist() == [[2, 0], [1, 0]]


def test_a_second_way_that_answers_otherwise_is_told(place):
    (row, *_) = rows(place, lambda _: answer(0), other=1)
    assert row.agreement.same is False
    assert row.agreement.words == LABELS[1]
    assert row.agreement.largest == pytest.approx(0.85)


def test_a_stopped_folder_ends_at_once(place):
    def act(path: Path) -> Prediction:
        raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        rows(place, act)


def test_labels_of_another_number_of_classes_are_noticed(place):
    data = data_set.read(place, PICTURE, "none")
    found = list(folder.rows(data, lambda _: answer(0), folder.Meaning(("one", "two"))))
    assert [row.answer for row in found] == ["0"] * 4
    assert folder_module.unfitting(found, ("one", "two"))
    assert not folder_module.unfitting(rows(place, lambda _: answer(0)), LABELS)
    assert not folder_module.unfitting(found, ())


def test_files_go_to_the_first_picture_that_is_free():
    number = TensorInfo("n", "tensor", "float32", (1, 4))
    assert input_for([number, PICTURE], ()) is PICTURE
    assert input_for([number, PICTURE], {"x"}) is number
    with pytest.raises(BadInput, match="already have a value"):
        input_for([number], {"n"})


@pytest.mark.parametrize(
    ("truth", "why"),
    [
        (np.ones(5), "it has 5 numbers, the output 3"),
        (np.array([1.0, np.nan, 3.0]), "NaN"),
        (np.array([[1, 2, 3]]), ""),
    ],
)
def test_true_numbers_that_do_not_fit_are_told_at_their_file(tmp_path, truth, why):
    path = tmp_path / "a.npy"
    data = data_set.DataSet(tmp_path, (path,))
    known = lambda _: Truth(values=truth)  # noqa: E731
    (row,) = folder.rows(data, lambda _: answer(1), folder.Meaning(), known)
    assert why in row.problem
    assert bool(row.problem) == bool(why)


def test_a_mask_covers_its_whole_image(tmp_path):
    path = tmp_path / "a.png"
    Image.new("RGB", (64, 48)).save(path)
    options = ImageOptions()

    def reading(*shape: int) -> Truth:
        return placed(lambda: Truth(mask=np.zeros(shape, np.int64)), path, PICTURE, options)

    assert reading(24, 32).mask is not None  # of half the resolution
    with pytest.raises(BadInput, match="the mask is 48 × 48, the image 64 × 48"):
        reading(48, 48)
