"""Models in several files: an index of safetensors, a split GGUF; layouts of safetensors."""

import json
import struct
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from inspector import api
from inspector.errors import UnreadableFile
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from inspector.formats.shard_names import whole
from inspector.model.model import Model
from inspector.preview.identity import identify
from tests.command_line import output_of

Tensors = Mapping[str, np.ndarray[Any, Any]]
_NAMES = {
    "float32": "F32", "float8_e4m3fnuz": "F8_E4M3FNUZ", "float8_e5m2fnuz": "F8_E5M2FNUZ",
    "float8_e4m3fn": "F8_E4M3", "bfloat16": "BF16",
}  # fmt: skip


def safetensors(path: Path, tensors: Tensors) -> Path:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in tensors.items():
        offsets = [len(body), len(body) + array.nbytes]
        dtype = _NAMES[array.dtype.name]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": offsets}
        body += array.tobytes()
    return with_header(path, header, body)


def with_header(path: Path, header: Mapping[str, Any], body: bytes) -> Path:
    encoded = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(encoded)) + encoded + body)
    return path


def sharded(folder: Path, tensors: Tensors, count: int) -> Path:
    folder.mkdir()
    listed = {}
    for number in range(count):
        file = f"model-{number + 1:05}-of-{count:05}.safetensors"
        part = {name: tensors[name] for name in list(tensors)[number::count]}
        safetensors(folder / file, part)
        listed |= dict.fromkeys(part, file)
    index = folder / "model.safetensors.index.json"
    total = sum(array.nbytes for array in tensors.values())
    index.write_text(json.dumps({"metadata": {"total_size": total}, "weight_map": listed}))
    return index


@pytest.fixture
def tensors() -> Tensors:
    rng = np.random.default_rng(3)
    return {f"l{n}.w": rng.normal(size=(4, n + 1)).astype(np.float32) for n in range(7)}


def findings(model: Model) -> list[str]:
    return [f"{each.subject}: {each.text}" for each in model.findings]


def test_an_index_and_its_files_are_one_model(tmp_path, tensors):
    index = sharded(tmp_path / "a", tensors, 3)
    model = open_model(index)
    assert [weight.name for weight in model.weights] == list(tensors)[0::3] + list(tensors)[
        1::3
    ] + list(tensors)[2::3]
    assert model.parameters == sum(array.size for array in tensors.values())
    assert findings(model) == []
    assert dict(model.details.facts)["Files"] == "3"
    assert identify(model).headline == "Weights without a graph: 7 tensors"
    with WeightReader(index) as reader:
        for weight in model.weights:
            values = np.concatenate([*reader.read(weight)]).reshape(weight.shape)
            np.testing.assert_array_equal(values, tensors[weight.name])


def test_a_comparison_does_not_depend_on_the_number_of_files(tmp_path, tensors):
    one = safetensors(tmp_path / "one.safetensors", tensors)
    two, three = sharded(tmp_path / "a", tensors, 2), sharded(tmp_path / "b", tensors, 3)
    same = "A and B are identical."
    assert api.diff(one, two).summary.startswith(same)
    assert api.diff(two, three).summary.startswith(same)
    changed = sharded(tmp_path / "c", {**tensors, "l3.w": tensors["l3.w"] + 1}, 3)
    summary = api.diff(two, changed).summary
    assert summary == "B is A with 1 weight changed; inputs and outputs are the same."


def test_a_missing_file_is_named_with_its_tensors(tmp_path, tensors):
    index = sharded(tmp_path / "a", tensors, 3)
    (index.parent / "model-00002-of-00003.safetensors").unlink()
    model = open_model(index)
    assert findings(model) == [
        "model-00002-of-00003.safetensors: this file of 3 cannot be read: it is not next to "
        "the model; 2 tensors are in it"
    ]
    assert dict(model.details.facts)["Files"] == "2 of 3"
    lost = [weight for weight in model.weights if weight.problem]
    assert [weight.name for weight in lost] == ["l1.w", "l4.w"]
    found = sum(array.size for name, array in tensors.items() if name not in ("l1.w", "l4.w"))
    assert model.parameters == found


def test_thousands_of_missing_files_are_counted_and_three_are_named(tmp_path):
    index = tmp_path / "model.safetensors.index.json"
    listed = {f"w{n}": f"model-{n:05}-of-05000.safetensors" for n in range(5_000)}
    index.write_text(json.dumps({"weight_map": listed}))
    began = time.process_time()
    said = findings(open_model(index))
    assert time.process_time() - began < 30  # a search of all names for each file took minutes
    assert len(said) == 4
    assert said[-1] == ": 5,000 files of 5,000 cannot be read"
    first = split_gguf(tmp_path, 1_000, written=1)
    said = findings(open_model(first))
    assert said[3] == ": 999 parts of 1,000 are missing"
    assert len(said) == 5


def test_where_an_index_and_its_files_differ_is_said(tmp_path, tensors):
    index = sharded(tmp_path / "a", tensors, 2)
    plain = json.loads(index.read_text())
    listed = plain["weight_map"]
    del listed["l0.w"]
    listed["ghost"] = listed["l2.w"] = "model-00002-of-00002.safetensors"
    plain["metadata"]["total_size"] = 1
    index.write_text(json.dumps(plain))
    stored = sum(array.nbytes for array in tensors.values())
    assert findings(open_model(index)) == [
        "l0.w: these tensors are in a file, but not in the index",
        "l2.w: these tensors are in another file than the index says",
        f"total_size: it says that all tensors take 1 B, but they take {stored:,} B",
        "ghost: the index names 'model-00002-of-00002.safetensors' for it, which does not have "
        "it; download the model again with all its files, or export it again",
    ]


@pytest.mark.parametrize("name", ["../secret.safetensors", "/etc/passwd", "sub\\x"])
def test_an_index_leads_to_no_file_elsewhere(tmp_path, name):
    safetensors(tmp_path / "secret.safetensors", {"a": np.zeros(3, np.float32)})
    folder = tmp_path / "a"
    folder.mkdir()
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": name}}))
    assert open_model(index).parameters == 0


@pytest.mark.parametrize("body", ["{}", '{"weight_map": 1}', '{"weight_map": [[1]]}', "{"])
def test_a_damaged_index_is_a_sentence(tmp_path, body):
    path = tmp_path / "x.safetensors.index.json"
    path.write_text(body)
    with pytest.raises(UnreadableFile, match="it is not an index of safetensors files"):
        open_model(path)


def test_a_table_of_a_folder_has_one_row_for_a_model_in_several_files(tmp_path, tensors):
    index = sharded(tmp_path / "a", tensors, 3)
    split_gguf(tmp_path / "a", 2)
    out = output_of("info", index.parent, "--no-hash", "--no-shapes")
    assert "model.safetensors.index.json" in out
    assert "net-00001-of-00002.gguf" in out
    assert out.splitlines()[0] == "2 models"


def test_a_shard_says_of_what_it_is_a_part(tmp_path, tensors):
    index = sharded(tmp_path / "a", tensors, 2)
    part = index.with_name("model-00002-of-00002.safetensors")
    assert whole(part) == index
    details = open_model(part).details
    assert dict(details.facts)["Part"] == f"2 of 2; {index.name} stands for the whole model"


@pytest.mark.parametrize("kind", ["float8_e4m3fnuz", "float8_e5m2fnuz"])
def test_values_of_all_types_of_8_bits_are_read(tmp_path, kind):
    every = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, kind))
    path = safetensors(tmp_path / "a.safetensors", {"a": every})
    model = open_model(path)
    with WeightReader(path) as reader:
        values = np.concatenate([*reader.read(model.weights[0])])
    np.testing.assert_array_equal(values.astype(np.float64), every.astype(np.float64))


def test_numbers_of_6_bits_have_their_size_and_say_why_they_are_not_read(tmp_path):
    header = {"a": {"dtype": "F6_E2M3", "shape": [8], "data_offsets": [0, 6]}}
    (weight,) = open_model(with_header(tmp_path / "a.safetensors", header, bytes(6))).weights
    assert (weight.dtype, weight.size_bytes) == ("float6e2m3", 6)
    assert weight.problem == (
        "its values are not shown: the format does not say how numbers of 6 bits are packed"
    )


def _at(first: int, last: int) -> dict[str, Any]:
    return {"dtype": "F32", "shape": [(last - first) // 4], "data_offsets": [first, last]}


@pytest.mark.parametrize(
    ("header", "size", "said"),
    [
        ({"a": _at(0, 16), "b": _at(8, 24)}, 24, "a, b: they overlap by 8 B"),
        ({"a": _at(0, 16), "b": _at(24, 32)}, 32, "b: 8 B between 'a' and it belong to no"),
        ({"a": _at(8, 16)}, 16, "a: 8 B before it belong to no tensor"),
        ({"a": _at(0, 16)}, 4096, ": the last 4,080 B of the file belong to no tensor"),
    ],
)
def test_a_layout_that_the_library_refuses_is_a_finding(tmp_path, header, size, said):
    model = open_model(with_header(tmp_path / "a.safetensors", header, bytes(size)))
    (finding,) = findings(model)
    assert finding.startswith(said)
    assert finding.endswith("; the safetensors library refuses such a file")


def test_a_layout_in_order_is_no_finding_whatever_the_order_of_names(tmp_path):
    header = {"b": _at(8, 16), "a": _at(0, 8), "empty": _at(8, 8)}
    assert open_model(with_header(tmp_path / "a.safetensors", header, bytes(16))).findings == ()


def split_gguf(folder: Path, count: int, written: int = 0) -> Path:
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    for number in range(written or count):
        keys = [
            text("split.no") + struct.pack("<IH", 2, number),
            text("split.count") + struct.pack("<IH", 2, count),
            text("split.tensors.count") + struct.pack("<Ii", 5, count - 1),
        ]
        if not number:
            keys.append(text("general.architecture") + struct.pack("<I", 8) + text("llama"))
        tensors = b""
        if number:
            tensors = text(f"t{number}") + struct.pack("<IQIQ", 1, 32, 8, 0)
        head = b"GGUF" + struct.pack("<IQQ", 3, bool(number), len(keys)) + b"".join(keys)
        head += tensors
        body = bytes([number] * 34) if number else b""
        path = folder / f"net-{number + 1:05}-of-{count:05}.gguf"
        path.write_bytes(head + bytes(-len(head) % 32) + body)
    return folder / f"net-00001-of-{count:05}.gguf"


def test_the_first_part_of_a_gguf_stands_for_the_whole_model(tmp_path):
    first = split_gguf(tmp_path, 3)
    model = open_model(first)
    assert [weight.name for weight in model.weights] == ["t1", "t2"]
    assert (model.parameters, findings(model)) == (64, [])
    assert dict(model.details.facts)["Files"] == "3"
    assert identify(model).headline == "Weights without a graph: 2 tensors"
    with WeightReader(first) as reader:
        values = [float(np.concatenate([*reader.read(w)])[0]) for w in model.weights]
    half = [np.array([n, n], np.uint8).view(np.float16)[0] for n in (1, 2)]
    assert values == [float(half[0]) * 1, float(half[1]) * 2]


def test_a_missing_part_of_a_gguf_is_named(tmp_path):
    first = split_gguf(tmp_path, 3)
    (tmp_path / "net-00003-of-00003.gguf").unlink()
    assert findings(open_model(first)) == [
        "net-00003-of-00003.gguf: part 3 of 3 is missing: it is not next to the model",
        "split.tensors.count: the model has 2 tensors, and 1 were found",
    ]
    (tmp_path / "net-00002-of-00003.gguf").unlink()
    assert identify(open_model(first)).headline == "Weights without a graph: 0 tensors"


def test_a_later_part_of_a_gguf_says_which_file_stands_for_the_whole(tmp_path):
    split_gguf(tmp_path, 2)
    details = open_model(tmp_path / "net-00002-of-00002.gguf").details
    said = dict(details.facts)["Part"]
    assert said == "2 of 2; net-00001-of-00002.gguf stands for the whole model"


def test_folders_whose_indices_are_equal_are_compared_by_their_files(tmp_path, tensors):
    sharded(tmp_path / "a", tensors, 2)
    sharded(tmp_path / "b", {**tensors, "l3.w": tensors["l3.w"] + 1}, 2)
    sharded(tmp_path / "c", tensors, 2)
    assert "B is A with 1 weight changed" in output_of("diff", tmp_path / "a", tmp_path / "b")
    assert "1 same" in output_of("diff", tmp_path / "a", tmp_path / "c")
