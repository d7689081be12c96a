import numpy as np
import pytest

from inspector.model.model import TensorInfo
from inspector.preview.inputs.input_files import inputs_in

INPUTS = tuple(TensorInfo(n, "tensor", "float32", ("n", 1)) for n in ("age", "height", "mass"))


def test_a_table_an_archive_and_an_object_name_inputs(tmp_path):
    (tmp_path / "a.csv").write_text("age;mass;other\n1;2;3\n")
    (tmp_path / "a.json").write_text('{"age": [1], "mass": [2]}')
    np.savez(tmp_path / "a.npz", mass=np.ones(1), age=np.ones(1))
    for name in ("a.csv", "a.json", "a.npz"):
        assert inputs_in(tmp_path / name, INPUTS) == ("age", "mass")


@pytest.mark.parametrize(
    ("name", "body"), [("a.txt", "age"), ("a.json", "[1]"), ("b.json", "{")]
)
def test_other_files_name_none(tmp_path, name, body):
    (tmp_path / name).write_text(body)
    assert inputs_in(tmp_path / name, INPUTS) == ()
