"""Each field that ONNX defines can be found in what is read, wherever it is."""

from typing import Any

import msgspec
import onnx
import pytest

from inspector.formats.opening import open_model
from tests.formats.every_field import VALUES, every_field

pytestmark = pytest.mark.thorough


def test_every_value_of_every_field_is_in_the_model(tmp_path):
    path, put = every_field(tmp_path)
    found = msgspec.json.encode(open_model(path)).decode()
    missing = {where for value, where in put.items() if value not in found}
    assert missing == set()
    assert len(put) - len(missing) > 4000


def test_the_model_of_the_test_has_every_field_of_every_message(tmp_path):
    path, _ = every_field(tmp_path)
    used: set[str] = set()
    walk(onnx.load(path, load_external_data=False), used)
    messages = [*onnx.onnx_ml_pb2.DESCRIPTOR.message_types_by_name.values()]
    messages += [inner for message in messages for inner in message.nested_types]
    every = {f"{message.name}.{field.name}" for message in messages for field in message.fields}
    assert every - used == {f"TensorProto.{name}" for name in VALUES - {"external_data"}}


def walk(message: Any, used: set[str]) -> None:
    for field, value in message.ListFields():
        used.add(f"{message.DESCRIPTOR.name}.{field.name}")
        if field.message_type is not None:
            for part in value if field.is_repeated else [value]:
                walk(part, used)
