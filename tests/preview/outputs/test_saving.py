import io

import numpy as np
import pytest

from inspector.errors import NotSaved
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs import image_files
from inspector.preview.outputs import saving


def output(name: str, array: object) -> OutputValue:
    made = np.asarray(array)
    return OutputValue(name, "tensor", str(made.dtype), made)


def test_arrays_pictures_and_words_each_get_their_file(tmp_path):
    noise = np.random.default_rng(0).random((1, 3, 9, 9), np.float32)
    words = OutputValue("why", "optional", "optional", None, text="nothing")
    texts = output("label", np.array(["cat", "längeres"], object))
    saved = saving.save((output("image", noise), texts, words), tmp_path / "new" / "out")
    assert [path.name for path in saved] == ["image.npy", "image.png", "label.npy", "why.txt"]
    assert np.array_equal(np.load(saved[0]), noise)
    assert image_files.read(saved[1]).shape == (9, 9, 3)
    assert np.load(saved[2], allow_pickle=False).tolist() == ["cat", "längeres"]
    assert saved[3].read_text() == "nothing\n"


def test_names_stay_inside_the_folder_and_apart():
    names = ["../../etc/passwd", "a/b:0", "A_b_0", "", "con", ".hidden", "ü", "x" * 300]
    files = saving.file_names(names)
    assert files[:7] == ("etc_passwd", "a_b_0", "A_b_0-2", "output", "_con", "hidden", "ü")
    assert len(files[7]) == 100


def test_an_archive_holds_every_array_even_one_called_file():
    body = saving.npz((output("file", [1]), output("a/b", [2.5])))
    with np.load(io.BytesIO(body)) as archive:
        assert {name: archive[name].tolist() for name in archive} == {"file": [1], "a_b": [2.5]}


def test_a_file_in_the_way_of_the_folder_is_said(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(NotSaved, match=r"out: a file has this name"):
        saving.save((output("x", [1]),), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"
