"""What the columns of a table are for, and what is refused."""

import numpy as np
import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.preview.runs import data_set, tables

ROW = TensorInfo("x", "tensor", "float32", ("batch", 4))
SCORE = TensorInfo("score", "tensor", "float32", ("batch", 1))
AGE = TensorInfo("age", "tensor", "float32", ("batch", 1))
CITY = TensorInfo("city", "tensor", "string", ("batch", 1))
TOKENS = TensorInfo("input_ids", "tensor", "int64", (1, "length"))
MASK = TensorInfo("attention_mask", "tensor", "int64", (1, "length"))
FREE = TensorInfo("x", "tensor", "float32", (None, None))


def table(tmp_path, text, inputs, target=""):
    path = tmp_path / "t.csv"
    path.write_text(text)
    return tables.read(path, inputs, (SCORE,), target)


@pytest.mark.parametrize(
    ("head", "inputs", "target", "columns", "targets"),
    [
        ("a,b,c,d,target", (ROW,), "", {"x": (0, 1, 2, 3)}, (4,)),
        ("Class,a,b,c,d", (ROW,), "", {"x": (1, 2, 3, 4)}, (0,)),
        ("score,a,b,c,d", (ROW,), "", {"x": (1, 2, 3, 4)}, (0,)),
        ("a,b,c,d,last", (ROW,), "", {"x": (0, 1, 2, 3)}, (4,)),
        ("id,a,b,c,d,last", (ROW,), "", {"x": (1, 2, 3, 4)}, (5,)),
        ("5.1,3.5,1.4,0.2,Iris-setosa", (ROW,), "", {"x": (0, 1, 2, 3)}, (4,)),
        ("a,b,c,d,e,f", (ROW,), "e,f", {"x": (0, 1, 2, 3)}, (4, 5)),
        ("x3,x1,x0,x2,kind", (ROW,), "", {"x": (2, 1, 3, 0)}, (4,)),
        ("1,2,3,4,5", (ROW,), "", {"x": (0, 1, 2, 3)}, (4,)),
        ("1,2,3,4,5", (ROW,), "1", {"x": (1, 2, 3, 4)}, (0,)),
        ("a,b,y", (FREE,), "", {"x": (0, 1)}, (2,)),
        ("city,income,Age", (AGE, CITY), "", {"age": (2,), "city": (0,)}, (1,)),
        ("y,age,a,b,c,d", (AGE, ROW), "", {"age": (1,), "x": (2, 3, 4, 5)}, (0,)),
        ("stars,text", (TOKENS, MASK), "", {"input_ids": (1,)}, (0,)),
    ],
)
def test_columns_are_recognized(tmp_path, head, inputs, target, columns, targets):
    count = head.count(",") + 1
    below = head if "Iris" in head else ",".join("7" * count)
    read = table(tmp_path, f"{head}\n{below}\n", inputs, target)
    assert (read.columns, read.targets) == (columns, targets)


@pytest.mark.parametrize(
    ("text", "inputs", "target", "said"),
    [
        ("a,b,c,d,e,f\n1,2,3,4,5,6\n", (ROW,), "", "6 columns cannot fill 'x'"),
        ("a,b\n1,2\n", (AGE,), "c", "it has no column 'c'"),
        ("age,b,c\n1,2,3\n", (AGE,), "", "several columns may hold the true answers"),
        ("a,b,c\nx,y,z\n", (CITY,), "c", "no column is known to hold the text"),
        ("a,b,c,d,y\n", (ROW,), "", "it has no rows below its head"),
    ],
)
def test_what_fits_no_model_is_refused(tmp_path, text, inputs, target, said):
    with pytest.raises((BadInput, UnreadableFile), match=said):
        table(tmp_path, text, inputs, target)


def test_cells_are_values_and_a_wrong_one_names_its_row(tmp_path):
    (tmp_path / "a.npy").write_bytes(b"")
    text = "x0,x1,x2,x3,age,y\n1,2,,4,a.npy,3\n1,2,many,4,5,\n"
    read = table(tmp_path, text, (ROW, AGE))
    given = read.given(2)
    np.testing.assert_array_equal(given["x"].array, np.float32([[1, 2, np.nan, 4]]))
    assert given["age"] == str(tmp_path / "a.npy"), "a file beside the table"
    with pytest.raises(BadInput, match="row 3"):
        read.given(3)
    data = data_set.of_table(tmp_path / "t.csv", (ROW, AGE), ())
    assert [*data.classes.values()] == ["3"], "an empty cell is no true answer"
    assert (data.noun, data.labeled, len(data.paths)) == ("row", 1, 2)


def test_a_table_of_files_has_their_true_answers(tmp_path):
    for name in ("a.png", "b.png", "c.png"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "list.csv").write_text("image,class\na.png,cat\nc.png,dog\n")
    data = data_set.of_table(tmp_path / "list.csv", (ROW,), ())
    assert data.classes == {tmp_path / "a.png": "cat", tmp_path / "c.png": "dog"}
    assert len(data.paths) == 2
