import pytest

from inspector.errors import BadInput
from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs.table import columns, pasted, records, rows_of, value


def info(name: str, *shape: Axis, dtype: str = "float32") -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape)


AGE, CITY, OK, PAY = (
    info("age", "n", 1), info("city", "n", 1, dtype="string"),
    info("ok", "n", dtype="bool"), info("pay"),
)  # fmt: skip
FOUR = (AGE, CITY, OK, PAY)


def test_many_inputs_of_one_value_each_are_a_table():
    assert columns(FOUR) == FOUR
    assert columns(FOUR[:3]) == ()
    assert columns((*FOUR, info("picture", 1, 3, 224, 224))) == ()
    assert columns((*FOUR, info("row", "n", 13))) == ()


def test_cells_become_what_inputs_are_given():
    assert (value(AGE, " 3.5 "), value(CITY, "Bonn"), value(OK, "TRUE")) == (
        "3.5", "text:Bonn", "1"
    )  # fmt: skip
    assert value(CITY, "") == ""


@pytest.mark.parametrize(
    "body",
    [
        "city\tage\tpay\tok\nBonn\t3\t9\tno",
        "age,city,ok,pay\n3,Bonn,no,9\n",
        "age\t3\ncity\tBonn\nok\tno\npay\t9",
        "3;Bonn;no;9",
        "3\nBonn\nno\n9",
    ],
)
def test_a_copied_table_may_lie_in_rows_or_columns(body):
    (row,) = records(pasted(body), FOUR)
    assert row == {"age": "3", "city": "Bonn", "ok": "no", "pay": "9"}


def test_each_row_of_a_file_is_one_to_pick(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("age,city,note\n3,Bonn,x\n4,Köln,y\n", "utf-8")
    found = records(rows_of(path), FOUR)
    assert found == ({"age": "3", "city": "Bonn"}, {"age": "4", "city": "Köln"})


def test_a_table_of_other_columns_is_refused():
    with pytest.raises(BadInput, match="2 columns without names, but the model expects 4"):
        records([["1", "2"]], FOUR)
    with pytest.raises(BadInput, match="holds no text"):
        pasted(" \n")
