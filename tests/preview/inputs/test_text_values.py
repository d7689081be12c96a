from pathlib import Path

import numpy as np
import pytest

from inspector.errors import BadInput, InspectorError, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.preview.inputs.text_values import numbers, read_csv, read_json, read_text


def info(dtype: str = "float32", name: str = "x") -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, (None, None))


def written(folder: Path, text: str | bytes, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text", ["1,2\n3,4\n", "1;2\r\n3;4", "1\t2\n3\t4\n\n", "\ufeffa,b\n1,2\n3,4"]
)
def test_a_table_is_read_whatever_separates_it(tmp_path, text):
    table, _ = read_csv(written(tmp_path, text), info())
    assert table.tolist() == [[1, 2], [3, 4]]


def test_a_column_with_the_name_of_the_input_is_its_own(tmp_path):
    path = written(tmp_path, "age,job\n41,cook\n52,\n")
    assert read_csv(path, info("int64", "age"))[0].tolist() == [[41], [52]]
    assert read_csv(path, info("string", "job"))[0].tolist() == [["cook"], [""]]


def test_an_empty_place_is_a_missing_number(tmp_path):
    table, _ = read_csv(written(tmp_path, "1,\n,4\n"), info())
    assert np.isnan(table).tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize(
    ("text", "dtype", "reason"),
    [
        ("1,2\n3\n", "float32", "row 2"),
        ("1,2\n3,x\n", "float32", "x"),
        ("1.5\n", "int32", "integers"),
        ("300\n", "uint8", "0 to 255"),
        ("70000\n", "float16", "too large for float16"),
        ("", "float32", "empty"),
    ],
)
def test_a_table_that_does_not_fit_says_where(tmp_path, text, dtype, reason):
    with pytest.raises(InspectorError, match=reason):
        read_csv(written(tmp_path, text), info(dtype))


@pytest.mark.parametrize(
    ("text", "dtype", "expected"),
    [
        ("[[1, 2], [3, 4.5]]", "float32", [[1, 2], [3, 4.5]]),
        ("7", "int64", 7),
        ('{"x": [1], "y": [2]}', "int64", [1]),
        ('{"only": [true, false]}', "bool", [True, False]),
        ('["a", "b"]', "string", ["a", "b"]),
        ("[9007199254740993]", "int64", [9007199254740993]),
        ("[]", "float32", []),
    ],
)
def test_nested_lists_become_tensors(tmp_path, text, dtype, expected):
    array = read_json(written(tmp_path, text, "x.json"), info(dtype))
    assert array.tolist() == expected


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1, [2]]", "[null]", '["one"]', '{"a": 1, "b": 2}', "[" * 100_000, "[1e999, {}]",
     "[" + "9" * 400 + "]"],
)  # fmt: skip
def test_other_json_gives_one_sentence(tmp_path, text):
    with pytest.raises(InspectorError, match=r"x.json"):
        read_json(written(tmp_path, text, "x.json"), info("int64"))


def test_texts_of_several_lengths_are_no_tensor():
    with pytest.raises(BadInput):
        numbers([["a"], ["b", "c"]], info("string"), "x.json")


def test_text_that_is_not_utf_8_says_where(tmp_path):
    with pytest.raises(UnreadableFile, match="byte 3"):
        read_text(written(tmp_path, "caf\xe9".encode("latin-1"), "x.txt"))
