"""True answers are found in folders and files as well-known data sets have them."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.runs import data_set
from inspector.preview.runs.data_set import DataSet
from inspector.preview.runs.segments import Segment, pixels_of
from inspector.preview.runs.truths import OUTSIDE, placed
from inspector.wording.values import Count

PICTURE = TensorInfo("x", "tensor", "float32", (1, 3, 64, 64))
SOUND = TensorInfo("samples", "tensor", "float32", (1, "length"))


def pictures(place: Path, *names: str) -> Path:
    for name in names or ("one.png", "two.png"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (200, 100)).save(place / name)
    return place


def read(place: Path, said: str | Path = "", labels=()) -> DataSet:
    return data_set.read(place, PICTURE, str(said), labels)


def truth_of(data: DataSet, name: str):
    return data.truths[data.place / name]()


def table_in(place: Path, text: str) -> Path:
    pictures(place)
    (place / "truth.csv").write_text(text)
    return place


def test_boxes_are_rows_in_pixels_and_become_shares_of_the_models_picture(tmp_path):
    place = table_in(
        tmp_path,
        "file,label,left,top,right,bottom\none.png,cat,20,10,120,60\none.png,1,0,0,10,10\n"
        "two.png,,,,,\n",
    )
    data = read(place, labels=("dog", "cat"))
    assert (data.classes, data.source, data.labeled) == ({}, "truth.csv", 2)
    assert truth_of(data, "two.png").boxes == (), "a picture without any box"
    one = place / "one.png"
    stretched = placed(data.truths[one], one, PICTURE, ImageOptions(resize="stretch"))
    first = stretched.boxes[0]
    assert (first.kind, first.left, first.top) == (1, 0.1, 0.1)
    assert (first.right, first.bottom) == (0.6, 0.6)
    fitted = placed(data.truths[one], one, PICTURE, ImageOptions(resize="fit"))
    # A picture twice as wide as high fills the middle half of a square.
    assert fitted.boxes[0].top == pytest.approx(0.25 + 0.05)
    assert fitted.boxes[0].left == pytest.approx(0.1)


def test_masks_values_and_words_stand_in_a_table_or_beside_it(tmp_path):
    place = table_in(tmp_path / "masks", "file,mask\none.png,m.bmp\n")
    Image.fromarray(np.array([[0, 3]], np.uint8)).save(place / "m.bmp")
    assert truth_of(read(place), "one.png").mask.tolist() == [[0, 3]]
    place = table_in(tmp_path / "v", "file_name,target\none.png,1 2.5\ntwo.png,v.npy\n")
    np.save(place / "v.npy", np.array([3.0]))
    data = read(place)
    assert truth_of(data, "one.png").values.tolist() == [1.0, 2.5]
    assert truth_of(data, "two.png").values.tolist() == [3.0]
    place = table_in(tmp_path / "t", 'file,text\none.png,"hello, world"\n')
    assert truth_of(read(place), "one.png").text == "hello, world"


def coco(place: Path, **more) -> Path:
    pictures(place / "val", "one.png", "two.png", "three.png")
    body = {
        "images": [{"id": 7, "file_name": "one.png"}, {"id": 8, "file_name": "two.png"}],
        "categories": [{"id": 90, "name": "dog"}, {"id": 17, "name": "cat"}],
        "annotations": [
            {"image_id": 7, "category_id": 90, "bbox": [10, 20, 30, 40], "iscrowd": 0},
            {"image_id": 7, "category_id": 17, "bbox": [0, 0, 5, 5], "iscrowd": 1},
        ],
    } | more
    (place / "annotations").mkdir()
    (place / "annotations/instances.json").write_text(json.dumps(body))
    return place


def test_coco_names_its_classes_and_lists_crowds_apart(tmp_path):
    data = read(coco(tmp_path), labels=("cat", "DOG"))
    assert data.source == "annotations/instances.json"
    assert data.labeled == 2, "the third picture is not listed"
    truth = truth_of(data, "val/one.png")
    (box,), (crowd,) = truth.boxes, truth.crowds
    assert (box.kind, box.left, box.top, box.right, box.bottom) == (1, 10, 20, 40, 60)
    assert (crowd.kind, crowd.right) == (0, 5)
    assert truth_of(data, "val/two.png").boxes == ()
    # Without names, classes are the places of categories by number.
    assert truth_of(read(tmp_path), "val/one.png").boxes[0].kind == 1
    with pytest.raises(UnreadableFile, match="'dog' is not a class of the model") as error:
        read(tmp_path, labels=("cat", "horse"))
    assert "--labels" in error.value.hint


POLYGON = [1.2, 0.4, 8.9, 2.1, 6.3, 6.8, 2.7, 5.2]


def test_annotations_of_pictures_that_are_not_listed_are_counted(tmp_path):
    numbers = (7, 9, 9)
    boxes = [{"image_id": each, "category_id": 17, "bbox": [0, 0, 5, 5]} for each in numbers]
    place = coco(tmp_path / "some", annotations=boxes)
    for data in (read(place), read(place, said=str(place / "annotations/instances.json"))):
        assert data.problem.values["count"] == Count(2, "annotation")
    assert not read(coco(tmp_path / "all")).problem


# The pixels that pycocotools 2.0.11 gives a polygon, and their run lengths as it writes them.
PIXELS = """
.#........
..####....
..#######.
..######..
...#####..
....###...
......#...
..........
"""
RUN_LENGTHS = {"size": [8, 10], "counts": "8182M1O1O010ON2N8"}


@pytest.mark.parametrize("outline", [[POLYGON], RUN_LENGTHS])
def test_segments_have_the_pixels_of_pycocotools(outline):
    pixels = pixels_of(Segment(0, 0, json.dumps(outline).encode()), 8, 10)
    drawn = ["".join(".#"[each] for each in row) for row in pixels.astype(int)]
    assert drawn == PIXELS.split()
    with pytest.raises(UnreadableFile, match="segmentation"):
        pixels_of(Segment(0, 0, b'{"size": [8, 10], "counts": [3, 4]}'), 8, 10)


def test_segments_are_a_mask_and_shapes_of_the_models_picture(tmp_path):
    pictures(tmp_path, "one.png")
    half = [0, 0, 100, 0, 100, 100, 0, 100]
    row = {"image_id": 1, "bbox": [0, 0, 100, 100], "category_id": 7}
    body = {
        "images": [{"id": 1, "file_name": "one.png"}], "categories": [{"id": 7, "name": "cat"}],
        "annotations": [
            {**row, "segmentation": [half]},
            {**row, "segmentation": [[50, 0, 200, 0, 200, 50, 50, 50]], "iscrowd": 1},
        ],
    }  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps(body))
    for labels, classes in ((("background", "cat"), {0, 1, 255}), ((), {0, 7, 255})):
        path, load = next(iter(read(tmp_path, labels=labels).truths.items()))
        truth = placed(load, path, PICTURE, ImageOptions(resize="stretch")).painted
        assert {*np.unique(truth.mask).tolist()} == classes
        assert (truth.mask[60:, :100] == max(classes - {255})).all()
        assert (truth.mask[:50, 50:] == 255).all(), "what a crowd covers does not count"
        (shape,), (crowd,) = (truth.shapes(each, 10, 10) for each in (False, True))
        assert (shape.mean(), shape[:, :5].mean(), crowd[:5, 3:].mean()) == (0.5, 1, 1)


def test_annotations_that_cannot_be_read_are_named(tmp_path):
    pictures(tmp_path, "cat/one.png")
    (tmp_path / "annotations.json").write_text('{"images": [')
    (tmp_path / "other.json").write_text("{}")
    data = read(tmp_path, labels=("cat",))
    assert data.labeled == 1
    assert data.problem.startswith("annotations.json could not be read: it is no file of COCO")


def test_yolo_lists_boxes_in_shares_beside_the_pictures(tmp_path):
    pictures(tmp_path / "images/val", "one.png")
    labels = tmp_path / "labels/val/one.txt"
    labels.parent.mkdir(parents=True)
    labels.write_text("2 0.5 0.5 0.1 0.2\n\n")
    for place, name in ((tmp_path, "images/val/one.png"), (tmp_path / "images/val", "one.png")):
        data = read(place)
        (box,) = truth_of(data, name).boxes
        assert data.source == "the folder labels"
        assert box.kind == 2
        edges = box.left, box.top, box.right, box.bottom
        assert edges == pytest.approx((90, 40, 110, 60))
    labels.write_text("")
    assert truth_of(read(tmp_path), "images/val/one.png").boxes == ()


def test_masks_are_class_numbers_also_with_a_palette(tmp_path):
    pictures(tmp_path, "images/one.png", "images/two.png")
    (tmp_path / "masks").mkdir()
    numbers = np.array([[0, 3], [255, 1]], np.uint8)
    mask = Image.fromarray(numbers, "P")
    mask.putpalette([200, 10, 10] * 256)
    mask.save(tmp_path / "masks/one.png")
    data = read(tmp_path)
    assert [path.name for path in data.paths] == ["one.png", "two.png"], "masks are no inputs"
    assert truth_of(data, "images/one.png").mask.tolist() == numbers.tolist()
    Image.new("RGB", (4, 4)).save(tmp_path / "masks/one.png")
    with pytest.raises(UnreadableFile, match="several channels"):
        truth_of(data, "images/one.png")


def test_mask_of_a_padded_picture_covers_only_the_picture(tmp_path):
    pictures(tmp_path, "images/one.png")
    (tmp_path / "masks").mkdir()
    Image.fromarray(np.full((100, 200), 5, np.uint8)).save(tmp_path / "masks/one.png")
    path, load = next(iter(read(tmp_path).truths.items()))
    mask = placed(load, path, PICTURE, ImageOptions(resize="fit")).mask_of((8, 8))
    assert mask[:2].tolist() == mask[6:].tolist() == [[OUTSIDE] * 8] * 2
    assert (mask[2:6] == 5).all()


def test_sounds_have_a_text_beside_them_or_in_one_file(tmp_path):
    for name in ("a.wav", "b.wav"):
        (tmp_path / name).write_bytes(b"RIFF")
    (tmp_path / "a.txt").write_text("Hello\n world\n")
    data = data_set.read(tmp_path, SOUND)
    assert truth_of(data, "a.wav").text == "Hello world"
    assert [path.name for path in data.paths] == ["a.wav", "b.wav"]
    (tmp_path / "a.txt").unlink()
    (tmp_path / "19-198.trans.txt").write_text("a NORTHANGER ABBEY\nb THIS LITTLE WORK\n")
    data = data_set.read(tmp_path, SOUND)
    assert truth_of(data, "b.wav").text == "THIS LITTLE WORK"
    assert data.labeled == len(data.paths) == 2


def test_numbers_are_arrays_of_the_same_name_in_a_folder(tmp_path):
    for folder, value in (("inputs", 1.0), ("expected", 2.0)):
        (tmp_path / folder).mkdir()
        np.save(tmp_path / folder / "one.npy", np.array([value]))
    info = TensorInfo("x", "tensor", "float32", (1, 4))
    for data in (
        data_set.read(tmp_path, info),
        data_set.read(tmp_path / "inputs", info, str(tmp_path / "expected")),
    ):
        ((path, load),) = data.truths.items()
        assert (path.parent.name, load().values.tolist()) == ("inputs", [2.0])
        assert data.paths == (path,)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("file,left,top\none.png,1,2\n", "does not have the required column names"),
        ("file,mask\nother.png,m.png\n", "none of its files is in"),
    ],
)
def test_table_that_says_nothing_is_refused_with_the_forms(tmp_path, table, why):
    place = table_in(tmp_path, table)
    with pytest.raises(BadInput, match=why) as error:
        read(place, place / "truth.csv")
    assert "file,label,left,top,right,bottom" in error.value.hint


def test_what_is_named_has_to_fit(tmp_path):
    pictures(tmp_path / "images")
    (tmp_path / "other").mkdir()
    (tmp_path / "no.json").write_text("[1]")
    with pytest.raises(BadInput, match="none of its files has the name of an input"):
        read(tmp_path / "images", tmp_path / "other")
    with pytest.raises(UnreadableFile, match="no file of COCO") as error:
        read(tmp_path / "images", tmp_path / "no.json")
    assert "COCO" in error.value.hint
    assert read(tmp_path / "images").labeled == 0


def test_row_with_an_unknown_class_is_named(tmp_path):
    place = table_in(tmp_path, "file,label,left,top,right,bottom\none.png,horse,0,0,1,1\n")
    data = read(place, labels=("cat",))
    with pytest.raises(UnreadableFile, match="'horse' is not a class of the model"):
        truth_of(data, "one.png")


def test_subfolders_that_are_classes_count_and_the_others_are_named(tmp_path):
    labels = ("goldfish, Carassius", "tabby, tabby cat", "white wolf")
    place = pictures(tmp_path, "goldfish/1.png", "white wolf/2.png", "tabby_cats/3.png")
    for said in ("", data_set.FOLDERS):
        data = read(place, said, labels)
        assert {path.name: name for path, name in data.classes.items()} == {
            "1.png": labels[0], "2.png": labels[2]
        }  # fmt: skip
        assert (data.labeled, data.source) == (2, "the names of subfolders")
        assert "tabby_cats" in data.unlabeled
        assert "goldfish" not in data.unlabeled
    shutil.rmtree(place / "tabby_cats")
    assert not read(place, labels=labels).unlabeled
    for other in ((), ("dog",)):
        data = read(place, labels=other)
        assert (data.labeled, data.source) == (0, "")
        assert data.unlabeled


def test_subfolders_that_are_numbers_are_classes_of_a_model_without_names(tmp_path):
    place = pictures(tmp_path, "0/a.png", "7/b.png")
    data = data_set.read(place, PICTURE, class_count=10)
    assert {path.name: name for path, name in data.classes.items()} == {
        "a.png": "0", "b.png": "7"
    }  # fmt: skip
    assert not data.unlabeled
    few = data_set.read(place, PICTURE, class_count=5)
    assert (few.labeled, "“7”" in few.unlabeled) == (1, True)
    assert not data_set.read(place, PICTURE).labeled, "how many classes is not known"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("tiger", "tiger, Panthera tigris"),  # no tiger shark
        ("horse", "horse"),  # no class: not the cart
        ("Horse_Cart", "horse cart"),
        ("n02123045", "n02123045 tabby"),
        ("top", "T-shirt/top"),
        ("002", "horse cart"),
    ],
)
def test_a_first_word_alone_is_no_name_of_a_class(name, label):
    labels = ["tiger shark, Galeocerdo cuvieri", "tiger, Panthera tigris", "horse cart",
              "n02123045 tabby", "T-shirt/top"]  # fmt: skip
    assert data_set.label_of(name, labels) == label


def test_a_label_of_a_table_that_is_no_class_is_named_and_not_counted(tmp_path):
    place = table_in(tmp_path, "file,label\none.png,dog\ntwo.png,dgo\n")
    data = read(place, place / "truth.csv", labels=("cat", "dog"))
    assert set(data.classes.values()) == {"dog"}
    assert "dgo" in data.unlabeled
    with pytest.raises(BadInput, match="dgo"):
        read(
            table_in(tmp_path, "file,label\ntwo.png,dgo\n"),
            place / "truth.csv",
            labels=("cat",),
        )
