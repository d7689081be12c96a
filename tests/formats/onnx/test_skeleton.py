import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import UnreadableFile
from inspector.formats.onnx.skeleton import tensors
from inspector.formats.opening import home, skeleton
from inspector.formats.protobuf_wire import framed
from tests.formats.build import add, external, model, ramp, save, value, weight


def entries(tensor: TensorProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in tensor.external_data}


def test_raw_bytes_become_a_reference_into_the_models_own_file(tmp_path):
    path = save(model([add()], [weight("w", ramp(5000))]), tmp_path / "big model.onnx")
    proto = skeleton(path)
    (tensor,) = proto.graph.initializer
    found = entries(tensor)
    assert tensor.data_location == TensorProto.EXTERNAL
    assert set(found) == {"location", "offset", "length"}
    assert found["location"] == "big model.onnx"
    body = path.read_bytes()[int(found["offset"]) :][: int(found["length"])]
    assert np.array_equal(np.frombuffer(body, np.float32), ramp(5000))
    assert len(proto.SerializeToString()) < 300


@pytest.mark.parametrize(
    ("kind", "values", "referred"),
    [
        (TensorProto.FLOAT, [1.5, -2.0] * 500, True),
        (TensorProto.DOUBLE, [1.5, -2.0] * 500, True),
        (TensorProto.INT64, [-1, 2**40] * 500, False),
        (TensorProto.INT32, [-7, 8] * 500, False),
        (TensorProto.UINT64, [2**63, 1] * 500, False),
        (TensorProto.FLOAT16, np.array([1.5, -2.0] * 500, np.float16), False),
        (TensorProto.BOOL, [True, False] * 1000, False),
        (TensorProto.STRING, [b"a", b"b" * 3000, "é".encode()], False),
        (TensorProto.COMPLEX64, [1 + 2j] * 500, True),
    ],
)
def test_typed_values_are_referred_to_or_filled_in_and_mean_the_same(
    tmp_path, kind, values, referred
):
    before = helper.make_tensor("w", kind, [len(values)], values)
    path = save(model([add()], [before]), tmp_path / "m.onnx")
    (after,) = skeleton(path).graph.initializer
    assert (after.data_location == TensorProto.EXTERNAL) == referred
    if referred:
        onnx.external_data_helper.load_external_data_for_tensor(after, str(tmp_path))
    assert np.array_equal(numpy_helper.to_array(after), numpy_helper.to_array(before))


def test_values_cut_into_several_records_are_put_together_in_order(tmp_path):
    parts = [b"\x01" * 2000, b"\x02" * 10, b"\x03" * 3000]
    tensor = b"\x08\x92\x27\x10\x07" + b"".join(framed(7, part) for part in parts)
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08" + framed(7, framed(5, tensor)))
    (after,) = skeleton(path).graph.initializer
    assert list(after.int64_data) == [1] * 2000 + [2] * 10 + [3] * 3000
    assert not after.external_data


def test_small_values_and_references_of_the_file_stay(tmp_path):
    weights = [weight("v", ramp(4)), external("w", [4], location="side.bin", checksum="x")]
    proto = model([add("v")], weights)
    assert skeleton(save(proto, tmp_path / "m.onnx")) == proto


def test_every_place_that_can_hold_a_tensor_is_completed(tmp_path):
    big = ramp(2000)
    sparse = helper.make_sparse_tensor(
        weight("s", big), weight("i", ramp(2000, "int64")), [9999]
    )
    branch = helper.make_graph([add("x", "b", "y")], "b", [], [value("y")], [weight("b", big)])
    body = [helper.make_node("Constant", [], ["k"], value=weight("k", big)), add("a", "k", "z")]
    function = helper.make_function(
        "us", "F", ["a"], ["z"], body, [helper.make_opsetid("", 17)]
    )
    nodes = [
        helper.make_node("If", ["c"], ["p"], then_branch=branch, else_branch=branch),
        helper.make_node("Constant", [], ["q"], sparse_value=sparse),
        helper.make_node("F", ["p"], ["y"], domain="us", many=[weight("m", big)] * 2),
    ]
    proto = model(nodes, [weight("w", big)], sparse=[sparse], functions=[function])
    path = save(proto, tmp_path / "m.onnx")
    after = skeleton(path)
    found = list(tensors(after))
    assert len(found) == len(list(tensors(proto))) == 10
    for tensor in found:
        onnx.external_data_helper.load_external_data_for_tensor(tensor, str(tmp_path))
        tensor.data_location = TensorProto.DEFAULT
        del tensor.external_data[:]
    for tensor in (found_before := list(tensors(proto))):
        tensor.data_location = TensorProto.DEFAULT
    assert [t.raw_data for t in found] == [t.raw_data for t in found_before]


def test_no_mark_of_the_reader_is_left(tmp_path, samples):
    for path in sorted(samples.glob("*.onnx")):
        for tensor in tensors(skeleton(path)):
            assert set(entries(tensor)) in (set(), {"location", "offset", "length"})


@pytest.mark.parametrize("records", [1, 2])
def test_damaged_values_that_the_walk_passed_over_are_told(tmp_path, records):
    values = framed(7, b"\xff" * 2000) * records  # packed numbers that do not end
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08" + framed(7, framed(5, b"\x08\x02\x10\x07" + values)))
    with pytest.raises(UnreadableFile, match="the values of a tensor in it are damaged"):
        skeleton(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_side_files_of_a_model_that_is_a_link_have_their_real_names(tmp_path):
    store, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "a"
    store.mkdir()
    snapshot.mkdir(parents=True)
    weights = [weight("v", ramp(5000)), external("w", [16], location="model.onnx_data")]
    save(model([add("v")], weights), store / "bb22")
    (store / "aa11").write_bytes(ramp(16).tobytes())
    (snapshot / "model.onnx").symlink_to(store / "bb22")
    (snapshot / "model.onnx_data").symlink_to(store / "aa11")
    proto = skeleton(snapshot / "model.onnx")
    assert home(snapshot / "model.onnx") == store.resolve()
    assert [entries(t)["location"] for t in proto.graph.initializer] == ["bb22", "aa11"]
    assert home(store / "bb22") == store
